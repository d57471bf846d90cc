"""Messages of the library as they go over the wire."""

from dataclasses import replace

from kingdom_builder import message as library
from kingdom_builder.hexes import hex_name, parse_hex
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


# ---- the way back ----------------------------------------------------------------------------------------------------


class _Received(library.Message):
    """A message that another program has sent, with its English."""

    __slots__ = ("_text",)

    def __init__(self, template: str, text: str, arguments: dict[str, library.Argument]) -> None:
        super().__init__(template, **arguments)
        self._text = text

    def __str__(self) -> str:
        return self._text


def received(message: messages.Message) -> library.Message:
    """A message that `sent` has made. Raises ValueError if it has not."""
    arguments = {name: _received_argument(value) for name, value in message.arguments.items()}
    return _Received(message.template, message.text, arguments)


def _received_argument(argument: Argument) -> library.Argument:
    match argument:
        case "message", messages.Message() as message:
            return received(message)
        case ("and" | "or") as joined, [*items]:
            return Listed(tuple(_received_item(item) for item in items), joined)
        case kind, (str() | int()) as value:
            return _received_item((kind, value))
    raise ValueError(f"{argument} is no argument of a message")


def _received_item(item: ItemOfList) -> library.Argument:
    match item:
        case "hex", str(name):
            return HexName(parse_hex(name))
        case ("component" | "piece" | "terrain") as kind, str(key):
            return Name(kind, key, key)
        case "seat", int(seat):
            return SeatName(seat)
        case ("number", int(value)) | ("text", str(value)):
            return value
    raise ValueError(f"{item} is no argument of a message")
