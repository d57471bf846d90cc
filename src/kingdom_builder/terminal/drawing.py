"""A position drawn with characters: two for each hex, every odd row shifted by one."""

from rich.console import Console, Group
from rich.style import Style
from rich.table import Table
from rich.text import Text

from kingdom_builder.board import Board
from kingdom_builder.board.terrain import CARDS, CASTLE, DIGITS, LAND, NAMES
from kingdom_builder.hexes import BIT, Hex, HexSet, at, members, name
from kingdom_builder.rules import State, breakdown
from kingdom_builder.rules.explanation import seat_letter
from kingdom_builder.rules.state import HAND, HIDDEN

GROUND = {
    "G": "#aec86c",
    "C": "#b56b47",
    "D": "#f7e9b4",
    "F": "#eec6d5",
    "T": "#4f7548",
    "A": "#cfae58",
    "W": "#7fabc7",
    "M": "#98948f",
    "V": "#98948f",
}
SPECIAL = "#fdf3d6"
SEATS = ("#1f55c4", "#d9570b", "#3a3a3a", "#f4f4f4", "#c3122f")
INK = "#3b2a14"


def terminal() -> Console:
    """The terminal that this program writes to."""
    return Console(highlight=False)


def table(state: State, marked: HexSet = 0) -> Table:
    """The board, and beside it the seats, the cards and the turn. `marked` hexes carry a dot."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, min_width=2 * state.setup.board.width + 4)
    grid.add_column()
    grid.add_row(_board(state, marked), Group(*_turn(state), Text(), *_seats(state), Text(), *_cards(state)))
    return grid


def _board(state: State, marked: HexSet) -> Text:
    board = state.setup.board
    letters = " ".join(chr(ord("a") + col) for col in range(board.width))
    text = Text(no_wrap=True)
    text.append(f"    {letters}\n", style="dim")
    for row in range(board.height):
        text.append(f"{row + 1:2} " + " " * (row % 2), style="dim")
        for col in range(board.width):
            text.append(*_hex(state, at(row, col), marked))
        text.append("\n")
    return text


def _hex(state: State, h: Hex, marked: HexSet) -> tuple[str, Style]:
    """A piece or a dot, then the letter of the terrain; a location is the first two letters of its name."""
    board = state.setup.board
    letter = board.letter(h)
    if board.special & BIT[h]:
        label = "##" if letter == CASTLE else _initials(board, letter)
        return label, Style(color=INK, bgcolor=SPECIAL, bold=True)
    ground = Style(color=INK, bgcolor=GROUND[letter])
    for seat, own in enumerate(state.own):
        if own & BIT[h]:
            light = "#000000" if seat == 3 else "#ffffff"
            return seat_letter(seat) + letter.lower(), Style(color=light, bgcolor=SEATS[seat], bold=True)
    if marked & BIT[h]:
        return "*" + letter.lower(), ground + Style(bold=True)
    return (" " + letter.lower() if letter in LAND else " " + {"W": "~", "M": "^", "V": "o"}[letter]), ground


def _initials(board: Board, letter: str) -> str:
    if letter in DIGITS:
        return board.location_keys[int(letter) - 1][:2].capitalize()
    return NAMES[letter][:2].capitalize()


def _turn(state: State) -> list[Text]:
    if state.over:
        return [Text("The game is over.", style="bold")]
    if state.round == 0:
        return [Text("The first cards are dealt.", style="bold")]
    lines = [Text(f"Round {state.round}, {seat_letter(state.player)} to play", style="bold")]
    if state.awaiting == HAND:
        lines.append(Text("The turn is over: a card is drawn."))
    elif state.awaiting:
        lines.append(Text("The card is replaced: a new one is drawn."))
    else:
        lines.append(Text(f"Card: {NAMES[state.card] if state.card else 'none'}"))
        lines.append(Text(next_step(state)))
    if state.ending:
        lines.append(Text("This is the last round.", style="bold"))
    return lines


def next_step(state: State) -> str:
    """What the player in turn can do now, in one sentence."""
    if state.acting is not None:
        if state.source is not None:
            return f"{state.acting.name}: where to from {name(state.source)}?"
        return f"{state.acting.name}: {state.acting.text}"
    if state.todo:
        return f"Build {state.todo} on {NAMES[state.card]}."
    return "End the turn with '.', or use a tile." if state.ready else "End the turn with '.'"


def _seats(state: State) -> list[Text]:
    lines = []
    for seat in range(state.setup.players):
        gold = sum(line.gold for line in breakdown(state, seat))
        hand = state.hands[seat]
        card = "hidden card" if HIDDEN in hand else NAMES[hand] if hand in CARDS and hand else "no card"
        lines.append(
            Text.assemble(
                (f" {seat_letter(seat)} ", Style(color="#000000" if seat == 3 else "#ffffff", bgcolor=SEATS[seat])),
                f" {gold:3} gold, {state.supply[seat]:2} left, {card}",
            )
        )
        for tile in members(state.held[seat]):
            lines.append(Text(f"     {_tile(state, seat, tile)}"))
    return lines


def _tile(state: State, seat: int, tile: int) -> str:
    h, _ = state.setup.board.locations[tile]
    label = f"{state.setup.locations[state.setup.tile_kind[tile]].name} ({name(h)})"
    if seat != state.player or state.awaiting == HAND or state.over:
        return label
    if state.fresh >> tile & 1:
        return f"{label}, from next turn"
    return label if state.ready >> tile & 1 else f"{label}, used"


def _cards(state: State) -> list[Text]:
    lines = []
    for card in state.setup.scoring:
        gold = " / ".join(str(card.score(state, seat)[0]) for seat in range(state.setup.players))
        lines.append(Text.assemble((card.name, "bold"), f" {gold}"))
    lines.append(Text())
    for kind, location in enumerate(state.setup.locations):
        places = [
            f"{name(state.setup.board.locations[tile][0])}:{state.stock[tile]}"
            for tile in members(state.setup.kind_tiles[kind])
        ]
        lines.append(Text(f"{location.key[:2].capitalize()} {location.name}, tiles at {' '.join(places)}", style="dim"))
    return lines
