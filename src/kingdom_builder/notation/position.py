"""Positions as one line of text. `docs/notation.md` specifies it."""

import re
from collections import Counter

from kingdom_builder.board import Board, printed_sections
from kingdom_builder.board.terrain import CARDS, DIGITS, NAMES
from kingdom_builder.content import CARDS as CATALOGUE_CARDS
from kingdom_builder.content import LOCATIONS, OPTIONS, board_of, make_setup, playable_sections
from kingdom_builder.hexes import AREA, BIT, COLS, ROWS, Hex, around, members, name, named, names
from kingdom_builder.notation.span import Span
from kingdom_builder.rules import Observation, Setup, State
from kingdom_builder.rules.explanation import SEATS, seat_letter
from kingdom_builder.rules.observation import recast
from kingdom_builder.rules.setup import DECK, SETTLEMENTS, TILES
from kingdom_builder.rules.state import CARD, HAND, HIDDEN, MANDATORY

NONE = "-"
DRAWING = "="
OVER = "#"
USED, FRESH, LOST = "*+-"
FIELDS = "board, cards, options, stock, draw pile, discard pile, turn and two to five seats"


def position_of(state: State) -> str:
    """The line that describes a state or observation; `parse_position` reads it."""
    setup = state.setup
    return " ".join(
        [
            board_text(setup.board),
            ",".join(card.key for card in setup.cards) or NONE,
            ",".join(sorted(setup.options)) or NONE,
            "".join(map(str, state.stock)) or NONE,
            "".join(f"{card}{state.deck.count(card)}" for card in CARDS if card in state.deck) or NONE,
            state.discard or NONE,
            _turn_text(state),
            *[_seat_text(state, seat) for seat in range(setup.players)],
        ]
    )


def board_text(board: Board) -> str:
    """The sections of a board, or its map if it has none that are printed."""
    printed = printed_sections()
    if board.placed and all(printed.get(place.section.key) == place.section for place in board.placed):
        return "/".join(map(str, board.placed))
    legend = f"({','.join(board.location_keys)})" if board.location_keys else ""
    return "/".join(board.map) + legend


def _turn_text(state: State) -> str:
    step = NONE
    if state.over:
        step = OVER
    elif state.awaiting == HAND:
        step = DRAWING
    elif state.acting is not None:
        step = state.acting.key
        if state.source is not None:
            step += ">" + name(state.source)
    card = DRAWING if state.awaiting == CARD else state.card or NONE
    return f"{state.round}{seat_letter(state.player)}{'!' * state.ending}/{card}/{state.todo}/{step}"


def _seat_text(state: State, seat: int) -> str:
    in_turn = seat == state.player and state.awaiting != HAND and not state.over
    tiles = []
    for tile in members(state.taken[seat]):
        mark = ""
        if not state.held[seat] >> tile & 1:
            mark = LOST
        elif in_turn and state.fresh >> tile & 1:
            mark = FRESH
        elif in_turn and not state.ready >> tile & 1:
            mark = USED
        tiles.append(name(state.setup.board.locations[tile][0]) + mark)
    return f"{state.supply[seat]}:{','.join(names(state.own[seat]))}:{','.join(tiles)}:{state.hands[seat]}"


# ---- reading ---------------------------------------------------------------------------------------------------------


def parse_position(text: str) -> State:
    """The state that a line describes; an `Observation` if cards in it are hidden.

    Raises `NotationError`, which points at the first character that is wrong.
    """
    line = Span.of(text.rstrip())
    fields = line.words()
    if not 9 <= len(fields) <= 12:
        raise line.error(f"{len(fields)} fields: expected {FIELDS}", len(line.text))
    board, cards, options, stock, deck, discard, turn, *seats = fields
    state = State(_parse_setup(board, cards, options, len(seats)))
    state.stock = _parse_stock(stock, len(state.stock))
    state.deck = _parse_deck(deck)
    state.discard = _parse_pile(discard)
    step = _parse_turn(turn, state)
    for seat, field in enumerate(seats):
        _parse_seat(field, state, seat)
    _parse_step(step, state)
    _check_cards(deck, state)
    _check_playable(turn, state)
    return recast(state, Observation) if HIDDEN in "".join(state.hands) else state


def _parse_setup(board: Span, cards: Span, options: Span, players: int) -> Setup:
    parsed_board = parse_board(board)
    keys = []
    for part in _items(cards):
        if part.text not in CATALOGUE_CARDS:
            raise part.error(f"unknown card {part.text!r}: expected one of {', '.join(CATALOGUE_CARDS)}")
        if part.text in keys:
            raise part.error(f"card {part.text!r} stands here twice: expected each only once")
        keys.append(part.text)
    switched_on = []
    for part in _items(options):
        if part.text not in OPTIONS:
            raise part.error(f"unknown option {part.text!r}: expected one of {', '.join(OPTIONS)}")
        switched_on.append(part.text)
    return make_setup(parsed_board, keys, players, switched_on)


def _items(field: Span) -> list[Span]:
    return [] if field.text == NONE else field.split(",")


def parse_board(field: Span) -> Board:
    """The board of four section keys, or of a map."""
    if field.text[:1].islower():
        return _parse_sections(field)
    rows, bracket, rest = field.text.partition("(")
    if bracket and not rest.endswith(")"):
        raise field.error("the list of locations is not closed: expected ')'", len(field.text))
    legend = field[len(rows) + 1 : -1].split(",") if bracket else []
    for part in legend:
        if part.text not in LOCATIONS:
            raise part.error(f"unknown location {part.text!r}: expected one of {', '.join(LOCATIONS)}")
    letters = "".join(NAMES) + DIGITS[: len(legend)]
    spans = field[: len(rows)].split("/")
    if not 1 <= len(spans) <= ROWS:
        raise field.error(f"a map of {len(spans)} rows: expected 1 to {ROWS}")
    for row in spans:
        for offset, letter in enumerate(row.text):
            if letter not in letters:
                raise row.error(f"unknown letter {letter!r} in the map: expected one of {letters}", offset)
        if not 1 <= len(row.text) <= COLS:
            raise row.error(f"{len(row.text)} hexes in a row: expected 1 to {COLS}")
        if len(row.text) != len(spans[0].text):
            raise row.error(f"{len(row.text)} hexes in this row: expected {len(spans[0].text)} as in the first")
    return Board([row.text for row in spans], [part.text for part in legend])


def _parse_sections(field: Span) -> Board:
    pool = playable_sections()
    parts = field.split("/")
    if len(parts) != 4:
        raise field.error(f"{len(parts)} sections: expected 4 with '/' between", len(field.text))
    seen = []
    for part in parts:
        key = part.text.removesuffix("'")
        if key not in pool:
            raise part.error(f"unknown section {key!r}: expected one of {', '.join(pool)}")
        if key in seen:
            raise part.error(f"section {key!r} stands here twice: expected four different ones")
        seen.append(key)
    return board_of(field.text)


def _parse_stock(field: Span, locations: int) -> list[int]:
    digits = "" if field.text == NONE else field.text
    for offset, digit in enumerate(digits):
        if digit not in "012"[: TILES + 1]:
            raise field.error(f"{digit!r} tiles on a location: expected 0 to {TILES}", offset)
    if len(digits) != locations:
        raise field.error(f"tiles of {len(digits)} locations: expected {locations}, a digit for each on the board")
    return [int(digit) for digit in digits]


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
            raise field.error(f"{card!r} in the draw pile: expected each of {', '.join(CARDS)} once at most", end)
        if not 1 <= count <= DECK.count(card):
            raise field.error(f"{count} cards: expected 1 to {DECK.count(card)}", match.start(2))
        deck += card * count
        end = match.end()
    if end != len(field.text):
        raise field.error("expected cards and their numbers, such as C5D4, or '-'", end)
    return "".join(sorted(deck))


def _parse_pile(field: Span) -> str:
    if field.text == NONE:
        return ""
    for offset, card in enumerate(field.text):
        if card not in CARDS:
            raise field.error(f"{card!r} in the discard pile: expected {', '.join(CARDS)} or '-'", offset)
    return field.text


def _parse_turn(field: Span, state: State) -> Span:
    """Reads all but the step, which needs the seats; returns its span."""
    parts = field.split("/")
    if len(parts) != 4:
        raise field.error(f"{len(parts)} parts of the turn: expected round and seat, card, builds left, step: 3A/C/2/-")
    whose, card, todo, step = parts
    match = re.fullmatch(r"(0|[1-9][0-9]{0,4})([A-E])(!?)", whose.text)
    if not match or SEATS.index(match[2]) >= state.setup.players:
        last = seat_letter(state.setup.players - 1)
        raise whose.error(f"{whose.text!r}: expected the round and a seat from A to {last}, such as 3A")
    state.round = int(match[1])
    state.player = SEATS.index(match[2])
    state.ending = bool(match[3])
    if card.text not in (*CARDS, NONE, DRAWING):
        raise card.error(f"card {card.text!r}: expected {', '.join(CARDS)}, '-' for none or '=' while it is drawn")
    state.card = card.text if card.text in CARDS else ""
    state.land = state.setup.terrain[state.card]
    if todo.text not in ("0", "1", "2", "3"):
        raise todo.error(f"{todo.text!r} settlements to build: expected 0 to {MANDATORY}")
    state.todo = int(todo.text)
    state.awaiting = CARD if card.text == DRAWING else HAND if step.text == DRAWING else None
    state.over = step.text == OVER
    if card.text == DRAWING and step.text in (DRAWING, OVER):
        raise step.error("a card is drawn already: expected '-' or an action in progress")
    if (state.round == 0) > (step.text == DRAWING):
        raise step.error("round 0 is for dealing the first cards: expected '='")
    if step.text in (DRAWING, OVER, NONE):
        return step[len(step.text) :]
    return step


def _parse_step(step: Span, state: State) -> None:
    if not step.text:
        return
    key, arrow, source = step.text.partition(">")
    acting = next((location for location in state.setup.locations if location.key == key), None)
    if acting is None:
        known = ", ".join(location.key for location in state.setup.locations)
        raise step.error(f"unknown step {key!r}: expected '-', '=', '#' or one of {known}")
    state.acting = acting
    if arrow:
        span = step[len(key) + 1 :]
        state.source = parse_hex(span, state)
        if not state.own[state.player] >> state.source & 1:
            raise span.error(f"{source} is the piece to move: expected a hex with a piece of the seat in turn")


def parse_hex(span: Span, state: State) -> Hex:
    """A hex of the state's board."""
    try:
        h = named(span.text)
    except ValueError as error:
        raise span.error(str(error)) from None
    if not state.setup.board.hexes >> h & 1:
        raise span.error(f"{span.text} is not on this board")
    return h


def _parse_seat(field: Span, state: State, seat: int) -> None:
    parts = field.split(":")
    if len(parts) != 4:
        raise field.error(f"{len(parts)} parts of a seat: expected supply:pieces:tiles:hand")
    supply, pieces, tiles, hand = parts
    if not re.fullmatch(r"[0-9]{1,2}", supply.text) or int(supply.text) > SETTLEMENTS:
        raise supply.error(f"supply {supply.text!r}: expected 0 to {SETTLEMENTS}")
    state.supply[seat] = int(supply.text)
    for span in pieces.split(","):
        h = parse_hex(span, state)
        if not state.free >> h & 1:
            what = state.setup.board.describe(h)
            raise span.error(f"{span.text} ({what}) cannot take a piece: expected a hex that is free")
        state.own[seat] |= BIT[h]
        state.free ^= BIT[h]
    state.near[seat] = around(state.own[seat]) & AREA
    for span in tiles.split(","):
        _parse_tile(span, state, seat)
    if hand.text not in ("", HIDDEN, *CARDS):
        raise hand.error(f"hand {hand.text!r}: expected {', '.join(CARDS)}, '?' or nothing")
    state.hands[seat] = hand.text
    if seat == state.player and hand.text != state.card:
        raise hand.error(f"hand {hand.text!r} of the seat in turn: expected its card in play, {state.card!r}")


def _parse_tile(span: Span, state: State, seat: int) -> None:
    mark = span.text[-1:] if span.text[-1:] in (USED, FRESH, LOST) else ""
    h = parse_hex(span[: len(span.text) - len(mark)], state)
    places = [place for place, _ in state.setup.board.locations]
    if h not in places:
        raise span.error(f"{name(h)} is no location: expected a location hex that the seat took a tile from")
    tile = places.index(h)
    if state.taken[seat] >> tile & 1:
        raise span.error(f"the tile of {name(h)} stands here twice: expected each once")
    in_turn = seat == state.player and state.awaiting != HAND and not state.over
    if mark in (USED, FRESH) and mark and not in_turn:
        raise span.error(f"mark {mark!r} on a tile: expected it only for the seat in turn", len(span.text) - 1)
    state.taken[seat] |= 1 << tile
    if mark != LOST:
        state.held[seat] |= 1 << tile
        state.fresh |= (mark == FRESH) << tile
        state.ready |= (in_turn and not mark) << tile


def _check_cards(deck: Span, state: State) -> None:
    cards = Counter(state.deck + state.discard + "".join(state.hands).replace(HIDDEN, ""))
    for card, count in cards.items():
        if count > DECK.count(card):
            raise deck.error(f"{count} {NAMES[card]} cards in piles and hands: expected {DECK.count(card)} at most")
    if state.awaiting and not state.deck:
        raise deck.error("a card is to be drawn from an empty pile: expected cards in it")
    if "".join(state.hands).count(HIDDEN) > len(state.deck):
        raise deck.error("fewer cards than hidden hands: expected the hidden cards in the pile of an observation")


def _check_playable(turn: Span, state: State) -> None:
    if state.todo and not state.supply[state.player]:
        raise turn.error("settlements to build from an empty supply: expected 0 to build")
    if state.todo and not state.card and not state.awaiting:
        raise turn.error("settlements to build without a card: expected a card, '=' to draw one, or 0 to build")
    if not state.over and not state.legal():
        what = "the action in progress" if state.acting else "the card"
        raise turn.error(f"{what} allows no hex: expected a card with a free hex, '=' to replace it, or 0 to build")
