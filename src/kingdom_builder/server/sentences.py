"""Messages of the library as they go over the wire."""

from dataclasses import replace

from kingdom_builder import message as library
from kingdom_builder.hexes import hex_name
from kingdom_builder.message import HexName, Listed, Name, SeatName, sentence
from kingdom_builder.server import messages
from kingdom_builder.server.messages import Argument, ItemOfList


def sent(message: library.Message) -> messages.Message:
    """A message with its English text."""
    arguments = {name: _argument(value) for name, value in message.arguments.items()}
    return messages.Message(message.template, arguments, str(message))


def sent_sentence(message: library.Message) -> messages.Message:
    """A message whose English is a sentence of its own, also where the template is a part of one."""
    fragment = sent(message)
    return replace(fragment, text=sentence(fragment.text))


def refusal(error: library.Refusal, offset: int | None = None) -> messages.Refusal:
    """A refusal for the wire."""
    return messages.Refusal(error.code, sent_sentence(error.message), offset)


def _argument(value: library.Argument) -> Argument:
    if isinstance(value, library.Message):
        return "message", sent(value)
    if isinstance(value, Listed):
        return value.joined, [_item(item) for item in value.items]
    return _item(value)


def _item(value: library.Argument) -> ItemOfList:
    if isinstance(value, HexName):
        return "hex", hex_name(value.hex)
    if isinstance(value, Name):
        return value.kind, value.key
    if isinstance(value, int):
        return "number", value
    if isinstance(value, SeatName):
        return "seat", value.seat
    return "text", str(value)
