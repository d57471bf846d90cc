"""`python -m kingdom_builder` is the command line."""

from kingdom_builder.cli.main import main

main()
