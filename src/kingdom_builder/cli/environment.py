"""Options of a command as variables of the environment: `--max-tables 500` is also `KB_MAX_TABLES=500`."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping

PREFIX = "KB_"
YES, NO = ("1", "yes", "true", "on"), ("", "0", "no", "false", "off")


def variable_of(flag: str) -> str:
    """The name of the variable for an option.

    >>> variable_of("--max-tables")
    'KB_MAX_TABLES'
    """
    return PREFIX + flag.removeprefix("--").replace("-", "_").upper()


def read_environment(parser: ArgumentParser, environment: Mapping[str, str]) -> None:
    """Let variables be the defaults of options. Raises ValueError for a value that cannot be read."""
    for action in parser._actions:
        flag = next((each for each in action.option_strings if each.startswith("--")), "--help")
        text = environment.get(variable_of(flag))
        if text is None or flag == "--help":
            continue
        if action.nargs == 0:
            if text.lower() not in YES + NO:
                raise ValueError(f"{variable_of(flag)} is {text!r}: expected yes or no")
            value: object = text.lower() in YES
        elif isinstance(action.default, list):
            value = text.replace(",", " ").split()
        else:
            try:
                value = action.type(text) if callable(action.type) else text
            except (ValueError, TypeError, ArgumentTypeError) as error:
                raise ValueError(f"{variable_of(flag)} is {text!r}: {error}") from None
        parser.set_defaults(**{action.dest: value})
