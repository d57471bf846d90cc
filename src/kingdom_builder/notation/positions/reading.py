"""Text read as a position, with an error that points at what cannot be read."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from kingdom_builder.board import Board, printed_sections
from kingdom_builder.board.terrain import CARDS, DIGITS, NAMES, terrain_name
from kingdom_builder.content import CARDS as CATALOGUE_CARDS
from kingdom_builder.content import LOCATIONS, NOMAD_TILES, OPTIONS, board_of, make_setup
from kingdom_builder.content import TASKS as CATALOGUE_TASKS
from kingdom_builder.content.setups import unknown
from kingdom_builder.hexes import AREA, BIT, COLS, ROWS, Hex, around, parse_hex
from kingdom_builder.message import SEATS, HexName, Message, quoted, seat_letter
from kingdom_builder.notation.errors import NotationError
from kingdom_builder.notation.positions.reachable import check_reachable
from kingdom_builder.notation.positions.writing import (
    CAPITOLS,
    CAVES,
    DRAWING,
    JUST_TAKEN,
    LOST,
    NOMADS,
    NONE,
    OVER,
    SCOUTS,
    TASKS,
    USED,
    is_in_turn,
    tile_name,
)
from kingdom_builder.notation.span import Span
from kingdom_builder.rules import KEPT_RULINGS, Observation, Setup, State
from kingdom_builder.rules.components import BY_SEAT, HEXES
from kingdom_builder.rules.setup import DECK, EQUAL_CARDS_FREE, SETTLEMENTS, WALLS
from kingdom_builder.rules.state import ACTION, CARD, HAND, HIDDEN, MANDATORY, draws_from

LONGEST = 50_000
"""The most characters of a line: more than twice as many as the fullest board with the most tiles needs."""


class _Fields(NamedTuple):
    """The parts of a line that errors point at once everything is read."""

    turn: Span
    seats: list[Span]
    further: dict[str, Span]


def parse_position(text: str) -> State:
    """The state that a line describes; an `Observation` if cards in it are hidden.

    Raises `NotationError`, which points at the first character that is wrong, or at what no game comes to.
    """
    state, fields = _read(text)
    check_reachable(state, fields.turn, fields.seats, fields.further)
    return state


def parse_stored_position(text: str) -> State:
    """The state of a line in a stored game or a record, also one that `parse_position` has refused since then."""
    return _read(text)[0]


def _read(text: str) -> tuple[State, _Fields]:
    """The state that a line describes, with the parts of the line; it can be played to its end."""
    if len(text) > LONGEST:
        message = Message("a line of {n} characters: expected at most {most}", n=len(text), most=LONGEST)
        raise NotationError(message, text, LONGEST)
    line = Span.of(text.rstrip())
    fields = line.words()
    seats = [field for field in fields[7:] if field.text[0].isdigit()]
    if not 2 <= len(seats) <= 5:
        message = Message(
            "{n} {n:field|fields}: expected board, cards, options, stock, draw pile, discard pile, turn "
            "and two to five seats",
            n=len(fields),
        )
        raise line.error(message, len(line.text))
    further = _parse_further(fields[7 + len(seats) :])
    board, cards, options, stock, deck, discard, turn = fields[:7]
    state = State(_parse_setup(board, cards, options, len(seats), further))
    state.tiles_left = _parse_tiles_left(stock, state.setup)
    state.deck = _parse_deck(deck)
    state.discard = _parse_pile(discard)
    source = _parse_turn(turn, state)
    for seat, field in enumerate(seats):
        _parse_seat(field, state, seat)
    for field in further.values():
        _parse_memory(field, state)
    _parse_source(source, state)
    _check_cards(deck, state)
    _check_playable(turn, state)
    return Observation.of(state) if HIDDEN in "".join(state.hands) else state, _Fields(turn, seats, further)


def _parse_further(fields: list[Span]) -> dict[str, Span]:
    """Further fields by key."""
    further: dict[str, Span] = {}
    for field in fields:
        key, equals, value = field.text.partition("=")
        if not key or not equals or not value or key in further:
            raise field.error(
                Message(
                    "{text}: expected at most five seats, then fields such as walls=k7, each once",
                    text=quoted(field.text),
                )
            )
        further[key] = field
    return further


def _value(field: Span) -> Span:
    return field[field.text.index("=") + 1 :]


def _parse_setup(board: Span, cards: Span, options: Span, players: int, further: dict[str, Span]) -> Setup:
    parsed_board = parse_board(board, further.pop(CAVES, None))
    nomads: dict[Hex, str] = {}
    for part in _value(further[NOMADS]).split(",") if NOMADS in further else []:
        place, colon, _ = part.text.partition(":")
        h = parse_hex_on(part[: len(place)], parsed_board)
        if not parsed_board.nomad_spaces >> h & 1 or h in nomads:
            message = Message("a nomad tile on {hex}: expected a nomad space without one", hex=HexName(h))
            raise part.error(message)
        nomads[h] = _known(part[len(place) + len(colon) :], NOMAD_TILES, Message("unknown nomad tile"), [])
    capitols = 0
    for part in _value(further[CAPITOLS]).split(",") if CAPITOLS in further else []:
        h = parse_hex_on(part, parsed_board)
        if not parsed_board.castles >> h & 1:
            raise part.error(Message("a capitol on {hex}: expected a castle", hex=HexName(h)))
        capitols |= BIT[h]
    keys: list[str] = []
    for part in _items(cards):
        keys.append(_known(part, CATALOGUE_CARDS, Message("unknown card"), keys))
    tasks: list[str] = []
    for part in _value(further[TASKS]).split(",") if TASKS in further else []:
        tasks.append(_known(part, CATALOGUE_TASKS, Message("unknown task"), tasks))
    switched_on: list[str] = []
    for part in _items(options):
        known = KEPT_RULINGS if part.text in KEPT_RULINGS else OPTIONS
        switched_on.append(_known(part, known, Message("unknown option"), switched_on))
    for key in (NOMADS, CAPITOLS, TASKS):
        further.pop(key, None)
    return make_setup(parsed_board, keys, players, switched_on, tasks=tasks, nomads=nomads, capitols=capitols)


def _known(part: Span, known: Mapping[str, object], what: Message, before: list[str]) -> str:
    """A key that is known and occurs only once."""
    if part.text not in known:
        raise part.error(unknown(what, part.text, known))
    if part.text in before:
        raise part.error(Message("{text} stands here twice: expected each only once", text=quoted(part.text)))
    return part.text


def _items(field: Span) -> list[Span]:
    return [] if field.text == NONE else field.split(",")


def parse_board(field: Span, caves: Span | None = None) -> Board:
    """The board of four section keys, perhaps with caves, or of a map."""
    if field.text[:1].islower():
        board = _parse_sections(field)
        return _with_caves(board, caves) if caves else board
    if caves:
        raise caves.error(Message("caves beside a map: expected the letter V on the map instead"))
    rows, bracket, rest = field.text.partition("(")
    if bracket and not rest.endswith(")"):
        raise field.error(Message("the list of locations is not closed: expected ')'"), len(field.text))
    legend = field[len(rows) + 1 : -1].split(",") if bracket else []
    for part in legend:
        if part.text not in LOCATIONS:
            raise part.error(unknown(Message("unknown location"), part.text, LOCATIONS))
    letters = "".join(NAMES) + DIGITS[: len(legend)]
    spans = field[: len(rows)].split("/")
    if not 1 <= len(spans) <= ROWS:
        raise field.error(Message("a map of {n} {n:row|rows}: expected 1 to {most}", n=len(spans), most=ROWS))
    for row in spans:
        for offset, letter in enumerate(row.text):
            if letter not in letters:
                message = Message(
                    "unknown letter {letter} in the map: expected one of {known}",
                    letter=quoted(letter),
                    known=letters,
                )
                raise row.error(message, offset)
        hexes, first = len(row.text), len(spans[0].text)
        if not 1 <= hexes <= COLS:
            raise row.error(Message("{n} {n:hex|hexes} in a row: expected 1 to {most}", n=hexes, most=COLS))
        if hexes != first:
            raise row.error(
                Message("{n} {n:hex|hexes} in this row: expected {first} as in the first", n=hexes, first=first)
            )
    return Board([row.text for row in spans], [part.text for part in legend])


def _parse_sections(field: Span) -> Board:
    pool = printed_sections()
    parts = field.split("/")
    if len(parts) != 4:
        message = Message("{n} {n:section|sections}: expected 4 with '/' between", n=len(parts))
        raise field.error(message, len(field.text))
    seen = []
    for part in parts:
        key = part.text.removesuffix("'")
        if key not in pool:
            raise part.error(unknown(Message("unknown section"), key, map(str, pool.values())))
        if key in seen:
            message = Message("section {key} stands here twice: expected four different ones", key=quoted(key))
            raise part.error(message)
        seen.append(key)
    return board_of(field.text)


def _with_caves(board: Board, caves: Span) -> Board:
    places = 0
    for part in _value(caves).split(","):
        h = parse_hex_on(part, board)
        if not board.mountains >> h & 1:
            raise part.error(Message("a cave on {hex}: expected a mountain", hex=HexName(h)))
        places |= BIT[h]
    return board.with_caves(places)


def _parse_tiles_left(field: Span, setup: Setup) -> list[int]:
    digits = "" if field.text == NONE else field.text
    places = [tile for tile, h in enumerate(setup.tile_hex) if h is not None]
    if len(digits) != len(places):
        raise field.error(
            Message(
                "tiles of {n} {n:place|places}: expected {expected}, a digit for each location and nomad tile",
                n=len(digits),
                expected=len(places),
            )
        )
    for tile, digit in enumerate(digits):
        if digit not in "012"[: setup.tiles_left[tile] + 1]:
            message = Message("{text} tiles: expected 0 to {most}", text=quoted(digit), most=setup.tiles_left[tile])
            raise field.error(message, tile)
    return [int(digit) for digit in digits] + setup.tiles_left[len(digits) :]


def _parse_deck(field: Span) -> str:
    if field.text == NONE:
        return ""
    deck = ""
    end = 0
    for match in re.compile(r"([A-Z])([0-9])").finditer(field.text):
        if match.start() != end:
            break
        card, count = match[1], int(match[2])
        if card not in CARDS or card in deck:
            message = Message(
                "{text} in the draw pile: expected each of {known} once at most",
                text=quoted(card),
                known=", ".join(CARDS),
            )
            raise field.error(message, end)
        if not 1 <= count <= DECK.count(card):
            message = Message("{n} {n:card|cards}: expected 1 to {most}", n=count, most=DECK.count(card))
            raise field.error(message, match.start(2))
        deck += card * count
        end = match.end()
    if end != len(field.text):
        raise field.error(Message("expected cards and their numbers, such as C5D4, or '-'"), end)
    return "".join(sorted(deck))


def _parse_pile(field: Span) -> str:
    if field.text == NONE:
        return ""
    for offset, card in enumerate(field.text):
        if card not in CARDS:
            message = Message(
                "{text} in the discard pile: expected {known} or '-'", text=quoted(card), known=", ".join(CARDS)
            )
            raise field.error(message, offset)
    return field.text


def _parse_turn(field: Span, state: State) -> Span:
    """Read all but the piece to move, which needs the seats; returns its span."""
    parts = field.split("/")
    if len(parts) != 4:
        raise field.error(
            Message(
                "{n} {n:part|parts} of the turn: expected round and seat, card, builds left, step: 3A/C/2/-",
                n=len(parts),
            )
        )
    whose, card, todo, step = parts
    match = re.fullmatch(r"(0|[1-9][0-9]{0,4})([A-E])(!?)", whose.text)
    if not match or SEATS.index(match[2]) >= state.setup.players:
        raise whose.error(
            Message(
                "{text}: expected the round and a seat from A to {last}, such as 3A",
                text=quoted(whose.text),
                last=seat_letter(state.setup.players - 1),
            )
        )
    state.round = int(match[1])
    state.player = SEATS.index(match[2])
    state.ending = bool(match[3])
    if card.text not in (*CARDS, NONE, DRAWING):
        raise card.error(
            Message(
                "card {text}: expected {known}, '-' for none or '=' while it is drawn",
                text=quoted(card.text),
                known=", ".join(CARDS),
            )
        )
    state.card = card.text if card.text in CARDS else ""
    state.card_hexes = state.setup.terrain[state.card]
    if not re.fullmatch(r"[0-3]~?", todo.text):
        raise todo.error(
            Message(
                "{text} settlements to build: expected 0 to {most}, perhaps with '~'",
                text=quoted(todo.text),
                most=MANDATORY,
            )
        )
    state.builds_left = int(todo.text[0])
    state.adjacency_lifted = todo.text.endswith("~")
    at_end = re.fullmatch(r"=([2-9]?)", step.text)
    state.awaiting = CARD if card.text == DRAWING else HAND if at_end else None
    state.steps = int(at_end[1] or 1) if at_end else 0
    state.over = step.text == OVER
    if card.text == DRAWING and (at_end or state.over):
        raise step.error(Message("a card is drawn already: expected '-' or an action in progress"))
    if state.round == 0 and not at_end:
        raise step.error(Message("round 0 is for dealing the first cards: expected '='"))
    if at_end or step.text in (OVER, NONE):
        return step[len(step.text) :]
    return _parse_acting(step, state)


def _parse_acting(step: Span, state: State) -> Span:
    """Read the action in progress; returns the span of the piece to move, which needs the seats."""
    match = re.fullmatch(r"([a-z-]*)(>[a-z0-9]*)?(\*[0-9]{1,6})?(=?)", step.text)
    known = {action.key: action for action in (*state.setup.actions, *state.setup.finales)}
    if match is None or match[1] not in known:
        raise step.error(
            Message(
                "unknown step {text}: expected '-', '=', '#' or one of {known}",
                text=quoted(step.text),
                known=", ".join(known),
            )
        )
    state.acting = known[match[1]]
    state.steps = int(match[3][1:]) if match[3] else 0
    if match[4]:
        if state.awaiting or not state.acting.draws:
            message = Message("a card is drawn for {key}: expected no '='", key=quoted(match[1]))
            raise step.error(message, match.start(4))
        state.awaiting = ACTION
    return step[match.start(2) + 1 : match.end(2)] if match[2] else step[len(step.text) :]


def _parse_source(span: Span, state: State) -> None:
    if span.text:
        state.source = parse_hex_on(span, state.setup.board)
        if not state.own[state.player] >> state.source & 1:
            raise span.error(
                Message(
                    "{hex} is the piece to move: expected a hex with a piece of the seat in turn",
                    hex=HexName(state.source),
                )
            )


def parse_hex_on(span: Span, board: Board) -> Hex:
    """A hex of the board."""
    try:
        h = parse_hex(span.text)
    except ValueError:
        raise span.error(Message("{text} is not a hex: expected a1 to t20", text=quoted(span.text))) from None
    if not board.hexes >> h & 1:
        raise span.error(Message("{hex} is not on this board", hex=HexName(h)))
    return h


def _parse_memory(field: Span, state: State) -> None:
    """What components remember."""
    key = field.text.partition("=")[0]
    value = _value(field)
    kind = HEXES if key == SCOUTS else state.setup.fields.get(key)
    if key == SCOUTS and not is_in_turn(state, state.player):
        raise field.error(Message("scouts outside a turn: expected none, they leave when it ends"))
    if kind is None:
        known = [TASKS, NOMADS, CAPITOLS, CAVES, SCOUTS, *state.setup.fields]
        raise field.error(unknown(Message("unknown field"), key, known))
    if kind == HEXES:
        _parse_hexes_of(key, value, state)
        return
    numbers = value.split(",")
    if kind == BY_SEAT and len(numbers) != state.setup.players:
        raise value.error(Message("{n} {n:number|numbers}: expected one for each seat", n=len(numbers)))
    if kind != BY_SEAT and len(numbers) != 1:
        raise value.error(Message("{n} {n:number|numbers}: expected one", n=len(numbers)))
    for seat, part in enumerate(numbers):
        if not re.fullmatch(r"[0-9]{1,9}", part.text):
            raise part.error(Message("{text}: expected a number", text=quoted(part.text)))
        for most in [component.most[key] for component in state.setup.components if key in component.most]:
            if int(part.text) > most:
                message = Message(
                    "{n} as {field}: expected at most {most}", n=int(part.text), field=quoted(key), most=most
                )
                raise part.error(message)
        state.add_for(key, seat, int(part.text))


def _parse_hexes_of(key: str, value: Span, state: State) -> None:
    """Read the hexes of pieces of a kind, of walls, of scouts, or of anything else."""
    kinds = {kind.key: kind for kind in state.setup.piece_kinds}
    for part in value.split(","):
        h = parse_hex_on(part, state.setup.board)
        bit = BIT[h]
        if key in kinds:
            if not any(own & bit for own in state.own) or state.special_pieces & bit:
                message = Message(
                    "{field} on {hex}: expected a hex on which a seat has a piece", field=key, hex=HexName(h)
                )
                raise part.error(message)
            state.special_pieces |= bit
        elif key in (WALLS, SCOUTS) and not state.empty() & bit:
            raise part.error(Message("{field} on {hex}: expected a free hex", field=key, hex=HexName(h)))
        if key == SCOUTS:
            state.place_scout(h)
        elif key == WALLS:
            state.place_wall(h)
        else:
            state.remember(key, state.memory.get(key, 0) | bit)
    if key in kinds and kinds[key].blocks:
        state.update_blocked()


def _parse_seat(field: Span, state: State, seat: int) -> None:
    parts = field.split(":")
    if len(parts) != 4:
        raise field.error(Message("{n} {n:part|parts} of a seat: expected supply:pieces:tiles:hand", n=len(parts)))
    supply, pieces, tiles, hand = parts
    if not re.fullmatch(r"[0-9]{1,2}", supply.text) or int(supply.text) > SETTLEMENTS:
        raise supply.error(Message("supply {text}: expected 0 to {most}", text=quoted(supply.text), most=SETTLEMENTS))
    state.supply[seat] = int(supply.text)
    for span in pieces.split(","):
        h = parse_hex_on(span, state.setup.board)
        if not state.free >> h & 1:
            message = Message(
                "{hex} ({ground}) cannot take a piece: expected a hex that is free",
                hex=HexName(h),
                ground=state.setup.ground(h),
            )
            raise span.error(message)
        state.own[seat] |= BIT[h]
        state.free ^= BIT[h]
    state.near[seat] = around(state.own[seat]) & AREA
    state.ready |= state.setup.standing if is_in_turn(state, seat) else 0
    known = {tile_name(state.setup, tile): tile for tile in range(len(state.setup.tile_hex))}
    for span in tiles.split(","):
        _parse_tile(span, state, seat, known)
    for offset, card in enumerate(hand.text):
        if card != HIDDEN and card not in CARDS:
            message = Message("{text} in a hand: expected {known} or '?'", text=quoted(card), known=", ".join(CARDS))
            raise hand.error(message, offset)
    in_order = "".join(sorted(hand.text))
    if hand.text != in_order:
        message = Message(
            "hand {text}: expected {expected}, in the order of the letters",
            text=quoted(hand.text),
            expected=quoted(in_order),
        )
        raise hand.error(message)
    state.hands[seat] = hand.text
    if seat == state.player and state.card and not _may_be_played(state.card, hand.text, state.setup):
        message = Message(
            "hand {text} of the seat in turn: expected its card in play, {card}",
            text=quoted(hand.text),
            card=quoted(state.card),
        )
        raise hand.error(message)


def _may_be_played(card: str, hand: str, setup: Setup) -> bool:
    return card in hand or (EQUAL_CARDS_FREE in setup.options and len(hand) > 1)


def _parse_tile(span: Span, state: State, seat: int, known: dict[str, int]) -> None:
    """`known` are all tiles, by where they lay."""
    mark = span.text[-1:] if span.text[-1:] in (USED, JUST_TAKEN, LOST) else ""
    place = span[: len(span.text) - len(mark)]
    if place.text not in known:
        raise span.error(
            Message("{text} has no tile: expected a location or nomad tile that the seat took", text=quoted(place.text))
        )
    tile = known[place.text]
    bit = 1 << tile
    in_turn = is_in_turn(state, seat)
    if mark in (USED, JUST_TAKEN) and mark and not in_turn:
        message = Message("mark {mark} on a tile: expected it only for the seat in turn", mark=quoted(mark))
        raise span.error(message, len(span.text) - 1)
    if state.setup.standing & bit:
        if mark != USED or not state.ready & bit:
            message = Message("{text}: expected it once, with '*', if it was used in this turn", text=quoted(span.text))
            raise span.error(message)
        state.ready ^= bit
        return
    if state.taken[seat] & bit:
        raise span.error(Message("the tile of {place} stands here twice: expected each once", place=place.text))
    state.taken[seat] |= bit
    if mark != LOST:
        state.held[seat] |= bit
        state.just_taken |= (mark == JUST_TAKEN) << tile
        state.ready |= (in_turn and not mark) << tile


def _check_cards(deck: Span, state: State) -> None:
    cards = Counter(state.deck + state.discard + "".join(state.hands).replace(HIDDEN, ""))
    for card, count in cards.items():
        if count > DECK.count(card):
            message = Message(
                "{n} {terrain} cards in piles and hands: expected {most} at most",
                n=count,
                terrain=terrain_name(card),
                most=DECK.count(card),
            )
            raise deck.error(message)
    if state.awaiting and not state.deck:
        raise deck.error(Message("a card is to be drawn from an empty pile: expected cards in it"))
    to_deal = 0 if state.round else state.steps + state.setup.players - 1 - state.player
    if len(state.deck + state.discard) < to_deal:
        raise deck.error(
            Message("{n} {n:card is|cards are} still to be dealt: expected as many in the piles", n=to_deal)
        )
    if "".join(state.hands).count(HIDDEN) > len(state.deck):
        raise deck.error(
            Message("fewer cards than hidden hands: expected the hidden cards in the pile of an observation")
        )


def _check_playable(turn: Span, state: State) -> None:
    """Refuse what would leave somebody without a legal action, now or later, or go on forever."""
    acting = state.acting
    if state.builds_left and not state.supply[state.player]:
        raise turn.error(Message("settlements to build from an empty supply: expected 0 to build"))
    if state.builds_left and not state.card and state.awaiting in (None, ACTION) and not state.choice_is_open():
        raise turn.error(
            Message("settlements to build without a card: expected a card, '=' to draw one, or 0 to build")
        )
    if acting is not None and not acting.can_be_at(state):
        message = Message(
            "{key} in progress with {n} {n:step|steps} left: expected what it can have left",
            key=quoted(acting.key),
            n=state.steps,
        )
        raise turn.error(message)
    if acting is not None and acting.draws:
        if not state.supply[state.player]:
            message = Message(
                "{key} in progress with an empty supply: expected a settlement to build", key=quoted(acting.key)
            )
            raise turn.error(message)
        if not state.awaiting and state.legal() & draws_from(DECK):
            message = Message(
                "{key} in progress without a card: expected '=' behind it to draw one", key=quoted(acting.key)
            )
            raise turn.error(message)
    if state.over:
        return
    builds = state.builds_left and state.awaiting in (None, ACTION)
    if not state.legal() or (builds and not (state.free & state.card_hexes if state.card else state.useful_cards())):
        if acting:
            message = Message(
                "the action in progress allows no hex: expected a card with a free hex, '=' to replace it, or 0 to "
                "build"
            )
        else:
            message = Message("the card allows no hex: expected a card with a free hex, or '=' to replace it")
        raise turn.error(message)
