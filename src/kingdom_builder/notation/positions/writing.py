"""Positions as text: one line that says everything about a state. `docs/notation.md` specifies it."""

from kingdom_builder.board import Board
from kingdom_builder.board.terrain import CARDS
from kingdom_builder.hexes import bits, hex_name, hex_names
from kingdom_builder.message import seat_letter
from kingdom_builder.rules import Setup, State
from kingdom_builder.rules.components import BY_SEAT, HEXES, Finale
from kingdom_builder.rules.pieces import Scout
from kingdom_builder.rules.state import ACTION, CARD, HAND

NONE = "-"
DRAWING = "="
OVER = "#"
USED, JUST_TAKEN, LOST = "*+-"
TASKS, NOMADS, CAPITOLS, CAVES, SCOUTS = "tasks", "nomads", "capitols", "caves", Scout.key
"""Further fields, as `tasks=road`: of the setup all but the last."""


def position_of(state: State) -> str:
    """The line that describes a state or observation; `parse_position` reads it."""
    setup = state.setup
    return " ".join(
        [
            board_text(setup.board),
            ",".join(card.key for card in setup.cards) or NONE,
            ",".join(sorted(setup.options)) or NONE,
            "".join(str(left) for left, h in zip(state.tiles_left, setup.tile_hex, strict=True) if h is not None)
            or NONE,
            "".join(f"{card}{state.deck.count(card)}" for card in CARDS if card in state.deck) or NONE,
            state.discard or NONE,
            _turn_text(state),
            *[_seat_text(state, seat) for seat in range(setup.players)],
            *[f"{key}={value}" for key, value in _further_fields(state).items() if value],
        ]
    )


def _further_fields(state: State) -> dict[str, str]:
    """What the boxes besides the base game bring; nothing of it is written where it is empty."""
    setup = state.setup
    return {
        TASKS: ",".join(task.key for task in setup.tasks),
        NOMADS: ",".join(f"{hex_name(h)}:{tile.key}" for h, tile in setup.nomads.items()),
        CAPITOLS: ",".join(hex_names(setup.capitols)),
        CAVES: ",".join(hex_names(setup.board.caves)) if setup.board.is_printed else "",
        SCOUTS: ",".join(hex_names(state.scouts)),
        **{key: _memory_text(state, key) for key in sorted(state.memory)},
    }


def _memory_text(state: State, key: str) -> str:
    kind = state.setup.fields[key]
    if kind == HEXES:
        return ",".join(hex_names(state.memory[key]))
    if kind == BY_SEAT:
        return ",".join(str(state.of_seat(key, seat)) for seat in range(state.setup.players))
    return str(state.memory[key])


def board_text(board: Board) -> str:
    """The sections of a board, or its map if it has none that are printed."""
    return "/".join(map(str, board.placed)) if board.is_printed else map_text(board)


def map_text(board: Board) -> str:
    """The map of a board: its rows, then the locations that the digits stand for."""
    legend = f"({','.join(board.location_keys)})" if board.location_keys else ""
    return "/".join(board.map) + legend


def _turn_text(state: State) -> str:
    step = NONE
    if state.over:
        step = OVER
    elif state.awaiting == HAND:
        step = DRAWING + (str(state.steps) if state.steps > 1 else "")
    elif state.acting is not None:
        step = state.acting.key
        step += f">{hex_name(state.source)}" if state.source is not None else ""
        step += f"*{state.steps}" if state.steps else ""
        step += DRAWING if state.awaiting == ACTION else ""
    card = DRAWING if state.awaiting == CARD else state.card or NONE
    todo = f"{state.builds_left}{'~' * state.adjacency_lifted}"
    return f"{state.round}{seat_letter(state.player)}{'!' * state.ending}/{card}/{todo}/{step}"


def _seat_text(state: State, seat: int) -> str:
    in_turn = is_in_turn(state, seat)
    tiles = []
    for tile in bits(state.taken[seat] | state.setup.standing):
        mark = ""
        if not state.held[seat] >> tile & 1:
            mark = LOST
        elif in_turn and state.just_taken >> tile & 1:
            mark = JUST_TAKEN
        elif in_turn and not state.ready >> tile & 1:
            mark = USED
        if mark or not state.setup.standing >> tile & 1:
            tiles.append(tile_name(state.setup, tile) + mark)
    return f"{state.supply[seat]}:{','.join(hex_names(state.own[seat]))}:{','.join(tiles)}:{state.hands[seat]}"


def is_in_turn(state: State, seat: int) -> bool:
    return seat == state.player and state.awaiting != HAND and not state.over and not isinstance(state.acting, Finale)


def tile_name(setup: Setup, tile: int) -> str:
    """A tile is named by where it lay; an action that everybody has by its key."""
    h = setup.tile_hex[tile]
    return setup.actions[setup.tile_kind[tile]].key if h is None else hex_name(h)
