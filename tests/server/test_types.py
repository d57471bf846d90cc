"""The types of the client are those of the server."""

from make_types import TARGET, protocol


def test_the_types_of_the_client_are_made_from_those_of_the_server() -> None:
    assert TARGET.read_text("utf-8") == protocol(), "run: python tools/make_types.py"
