"""The address of a PostgreSQL database."""

from argparse import ArgumentParser
from importlib.util import find_spec

SCHEMES = ("postgresql://", "postgres://")


def add_database(parser: ArgumentParser, what: str) -> None:
    """Let a database be given; `what` says what for."""
    parser.add_argument(
        "--database",
        default="",
        metavar="URL",
        help=f"a PostgreSQL database such as postgresql://kb@db/kb, {what}",
    )


def read_database(address: str) -> str:
    """The address of a database that can be used, or none. Raises ValueError."""
    if address and not address.startswith(SCHEMES):
        raise ValueError(f"the database {address!r}: expected an address such as postgresql://kb@db/kb")
    if address and find_spec("asyncpg") is None:
        raise ValueError('PostgreSQL needs one more package: pip install "kingdom-builder[postgres]"')
    return address
