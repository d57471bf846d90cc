"""Options as variables of the environment."""

import argparse

import pytest

from kingdom_builder.cli.arguments import number
from kingdom_builder.cli.environment import read_environment


def read(**environment: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--max-tables", type=number(1, None))
    parser.add_argument("--trusted-proxy", action="append", default=[])
    parser.add_argument("--open", action="store_true")
    parser.add_argument("--database", default="")
    read_environment(parser, environment)
    return parser.parse_args(["--database", "given"])


def test_variables_are_defaults_and_options_count_more() -> None:
    read_so = read(KB_MAX_TABLES="5", KB_TRUSTED_PROXY="10.0.0.1, 10.0.0.2", KB_OPEN="yes", KB_DATABASE="variable")
    assert vars(read_so) == {
        "max_tables": 5,
        "trusted_proxy": ["10.0.0.1", "10.0.0.2"],
        "open": True,
        "database": "given",
    }
    assert vars(read(KB_OPEN="no", HOME="/"))["open"] is False


@pytest.mark.parametrize(("name", "value"), [("KB_MAX_TABLES", "many"), ("KB_MAX_TABLES", "0"), ("KB_OPEN", "perhaps")])
def test_a_value_that_cannot_be_read_is_named(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"{name} is '{value}'"):
        read(**{name: value})
