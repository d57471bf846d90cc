"""`python -m kingdom_builder` is the command line."""

from kingdom_builder.cli.main import main

if __name__ == "__main__":
    main()
