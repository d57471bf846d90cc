"""What no game comes to: each reason to refuse a position that somebody typed, though it could be played.

Every state of a game that began with an ordinary setup passes. Stored games are not checked: some began from positions
that were accepted before.
"""

from kingdom_builder.board.terrain import CARDS
from kingdom_builder.hexes import BIT, NEAR, HexSet, bits, parse_hex
from kingdom_builder.message import HexName, Message, SeatName
from kingdom_builder.notation.positions.writing import SCOUTS, is_in_turn
from kingdom_builder.notation.span import Span
from kingdom_builder.rules import PieceKind, Setup, State
from kingdom_builder.rules.pieces import Scout, Wall
from kingdom_builder.rules.setup import SETTLEMENTS, WALLS
from kingdom_builder.rules.state import CARD


def check_reachable(state: State, turn: Span, seats: list[Span], further: dict[str, Span]) -> None:
    """Raise `NotationError` for what the rules would never have led to; the spans are what errors point at."""
    for seat, field in enumerate(seats):
        _check_settlements(field, state, seat)
    for kind in state.setup.piece_kinds:
        if kind.key in further:
            _check_pieces(further[kind.key], state, kind)
    if WALLS in further:
        _check_walls(further[WALLS], state)
    if SCOUTS in further and state.scouts.bit_count() > Scout.each:
        message = Message("{n} scouts: expected at most {most}", n=state.scouts.bit_count(), most=Scout.each)
        raise further[SCOUTS].error(message)
    _check_rows(state, further)
    _check_lifted(turn, state)
    _check_card(turn, state)


def _check_settlements(field: Span, state: State, seat: int) -> None:
    """The supply, the board and what was spent hold no more than the box has; without a supply the end is near."""
    on_board = (state.own[seat] & ~state.special_pieces).bit_count()
    spent = sum(state.of_seat(key, seat).bit_count() for key in state.setup.settlements_spent)
    total = state.supply[seat] + on_board + spent
    if total > SETTLEMENTS:
        raise field.error(
            Message(
                "{n} settlements of {seat}, {supply} of them in supply: expected at most {most} in all",
                n=total,
                seat=SeatName(seat),
                supply=state.supply[seat],
                most=SETTLEMENTS,
            )
        )
    if not state.supply[seat] and not state.ending and state.setup.empty_supply_ends:
        raise field.error(
            Message("supply 0: expected '!' behind the seat in turn, since the game ends after this round")
        )


def _check_pieces(field: Span, state: State, kind: type[PieceKind]) -> None:
    """Pieces of a kind stand where they may, and nobody has more of them than the box has."""
    there = state.memory.get(kind.key, 0)
    footing = _footing(state.setup, kind)
    for part in field[len(kind.key) + 1 :].split(","):
        h = parse_hex(part.text)
        if not footing >> h & 1:
            raise part.error(
                Message(
                    "a {piece} on {hex} ({ground}): expected a hex on which it may stand",
                    piece=kind,
                    hex=HexName(h),
                    ground=state.setup.ground(h),
                )
            )
    for seat, own in enumerate(state.own):
        mine = own & there
        if mine.bit_count() > kind.each:
            raise field.error(
                Message(
                    "{n} hexes with a {piece} of {seat}: expected at most {most}",
                    n=mine.bit_count(),
                    piece=kind,
                    seat=SeatName(seat),
                    most=kind.each,
                )
            )
        if kind.whole and mine and not any(BIT[centre] | NEAR[centre] == mine for centre in bits(mine)):
            raise field.error(
                Message("the {piece} of {seat}: expected a hex and the six around it", piece=kind, seat=SeatName(seat))
            )


def _footing(setup: Setup, kind: type[PieceKind]) -> HexSet:
    """Where a piece of a kind may stand."""
    if kind.whole:
        return setup.board.buildable
    return setup.footing[kind] if kind.footing else setup.room


def _check_walls(field: Span, state: State) -> None:
    """Walls stand on the terrain of cards, no more of them than the box has."""
    walls = state.memory.get(WALLS, 0)
    wrong = walls & ~sum(state.setup.terrain[card] for card in CARDS)
    if wrong:
        h = bits(wrong)[0]
        raise field.error(
            Message(
                "a {piece} on {hex} ({ground}): expected a hex on which it may stand",
                piece=Wall,
                hex=HexName(h),
                ground=state.setup.ground(h),
            )
        )
    if walls.bit_count() > Wall.each:
        raise field.error(Message("{n} stone walls: expected at most {most}", n=walls.bit_count(), most=Wall.each))


def _check_rows(state: State, further: dict[str, Span]) -> None:
    """A row of the board is marked by one seat at most."""
    rows = (1 << state.setup.board.height) - 1
    for component in state.setup.components:
        marked = 0
        for seat in range(state.setup.players):
            own = component.rows_marked(state, seat)
            wrong = own & (marked | ~rows)
            marked |= own
            if wrong:
                field = next(further[key] for key in component.fields if key in further)
                raise field.error(
                    Message(
                        "row {n} marked by {seat}: expected a row of the board that nobody else has marked",
                        n=wrong.bit_length(),
                        seat=SeatName(seat),
                    )
                )


def _check_lifted(turn: Span, state: State) -> None:
    """The adjacency rule is lifted for a build that comes next, by a tile used in this turn."""
    if not state.adjacency_lifted:
        return
    builds = state.builds_left if state.acting is None else state.acting.goes_by_adjacency(state)
    if not builds or state.awaiting or not is_in_turn(state, state.player):
        raise turn.error(Message("'~' without a build: expected it only while a settlement or piece is to be built"))
    if not state.used() & state.setup.lifting_tiles:
        raise turn.error(
            Message("'~' without a tile for it: expected one that lifts the adjacency rule, used in this turn")
        )


def _check_card(turn: Span, state: State) -> None:
    """A card without a free hex was replaced at once, also after the mandatory action (RULES 4.3)."""
    if not is_in_turn(state, state.player) or state.awaiting == CARD:
        return
    full = state.card_is_replaced() if state.card else state.choice_is_open() and not state.useful_cards()
    if full:
        raise turn.error(Message("the card allows no hex: expected a card with a free hex, or '=' to replace it"))
