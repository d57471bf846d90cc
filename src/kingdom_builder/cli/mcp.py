"""The command mcp."""

from argparse import ArgumentParser, Namespace


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb mcp"


def run(_: Namespace) -> int:
    try:
        from kingdom_builder.learn.mcp_server import make_server
    except ImportError as error:
        library = (error.name or "mcp").partition(".")[0]
        raise ValueError(f"the library {library} is missing: pip install 'kingdom-builder[mcp]'") from None
    make_server().run("stdio")
    return 0
