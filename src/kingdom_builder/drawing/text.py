"""A position drawn with characters: two for each hex, with every odd row shifted by one."""

from rich.console import Console, Group
from rich.style import Style
from rich.table import Table
from rich.text import Text

from kingdom_builder.board.terrain import CASTLE, CAVE, DIGITS, LAND, MOUNTAIN, NAMES, WATER
from kingdom_builder.drawing.palette import GROUND, INK, LOCATION, SEATS, TERMINAL_UNOWNED, TERMINAL_UNOWNED_LETTERS
from kingdom_builder.hexes import BIT, Hex, HexSet, bits, hex_at, hex_name
from kingdom_builder.message import seat_letter
from kingdom_builder.rules import PieceKind, State, breakdown
from kingdom_builder.rules.pieces import pieces_of
from kingdom_builder.rules.reasons import prompt
from kingdom_builder.rules.state import HAND, HIDDEN


def terminal() -> Console:
    """The terminal that this program writes to."""
    return Console(highlight=False)


def table(state: State, marked: HexSet = 0) -> Table:
    """The board, and beside it the seats, the cards and the turn. `marked` hexes have a star."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, min_width=2 * state.setup.board.width + 4)
    grid.add_column()
    grid.add_row(_board(state, marked), Group(*_turn(state), Text(), *_seats(state), Text(), *_cards(state)))
    return grid


def _board(state: State, marked: HexSet) -> Text:
    board = state.setup.board
    letters = " ".join(chr(ord("a") + col) for col in range(board.width))
    standing = {
        h: (kind, seat)
        for kind, owners in pieces_of(state).items()
        for seat, hexes in enumerate(owners)
        for h in bits(hexes)
    }
    text = Text(no_wrap=True)
    text.append(f"    {letters}\n", style="dim")
    for row in range(board.height):
        text.append(f"{row + 1:2} " + " " * (row % 2), style="dim")
        for col in range(board.width):
            h = hex_at(row, col)
            text.append(*_hex(state, h, marked, standing.get(h)))
        text.append("\n")
    return text


def _hex(state: State, h: Hex, marked: HexSet, piece: tuple[type[PieceKind], int] | None) -> tuple[str, Style]:
    """Two characters: the owner of the piece or a star, then the terrain or the sign of another kind of piece."""
    board = state.setup.board
    letter = board.letter(h)
    if board.special & BIT[h]:
        return _special_hex(state, h), Style(color=INK, bgcolor=GROUND[LOCATION], bold=True)
    is_marked = marked & BIT[h]
    if piece is None:
        ground = Style(color=INK, bgcolor=GROUND[letter])
        sign = letter.lower() if letter in LAND else {WATER: "~", MOUNTAIN: "^", CAVE: "o"}[letter]
        return ("*" + sign, ground + Style(bold=True)) if is_marked else (" " + sign, ground)
    kind, seat = piece
    if not kind.owned:
        return kind.sign, Style(color=TERMINAL_UNOWNED_LETTERS, bgcolor=TERMINAL_UNOWNED, bold=True)
    return seat_letter(seat) + (kind.sign or ("*" if is_marked else letter.lower())), _seat_style(seat)


def _seat_style(seat: int) -> Style:
    return Style(color=SEATS[seat].letters, bgcolor=SEATS[seat].terminal, bold=True)


def _special_hex(state: State, h: Hex) -> str:
    """A location or nomad tile by the first two letters of its name, a castle `##`, a capitol `@@`."""
    board = state.setup.board
    letter = board.letter(h)
    if letter == CASTLE:
        return "@@" if state.setup.capitols & BIT[h] else "##"
    if h in state.setup.tile_hex:
        tile = state.setup.tile_hex.index(h)
        if letter in DIGITS or state.tiles_left[tile]:
            return state.setup.actions[state.setup.tile_kind[tile]].key[:2].capitalize()
    return NAMES[letter][:2].capitalize()


def _turn(state: State) -> list[Text]:
    if state.over or not state.round:
        return [Text(str(prompt(state)), style="bold")]
    lines = [Text(f"Round {state.round}, {seat_letter(state.player)} to play", style="bold")]
    if not state.awaiting:
        lines.append(Text(f"Card: {_card_in_play(state)}"))
    lines.append(Text(str(prompt(state))))
    if state.ending:
        lines.append(Text("This is the last round.", style="bold"))
    return lines


def _card_in_play(state: State) -> str:
    if state.choice_is_open():
        return " or ".join(f"{NAMES[card]} (!{card})" for card in state.hands[state.player] if card != HIDDEN)
    return NAMES[state.card] if state.card else "none"


def _seats(state: State) -> list[Text]:
    lines = []
    for seat in range(state.setup.players):
        gold = sum(line.gold for line in breakdown(state, seat))
        hand = state.hands[seat]
        card = "+".join("hidden card" if card == HIDDEN else NAMES[card] for card in hand) or "no card"
        lines.append(
            Text.assemble(
                (f" {seat_letter(seat)} ", _seat_style(seat)),
                f" {gold:3} gold, {state.supply[seat]:2} left, {card}",
            )
        )
        mine = seat == state.player
        for tile in bits(state.held[seat] if mine else state.held[seat] & ~state.setup.standing):
            lines.append(Text(f"     {_tile(state, seat, tile)}"))
    return lines


def _tile(state: State, seat: int, tile: int) -> str:
    h = state.setup.tile_hex[tile]
    action = state.setup.actions[state.setup.tile_kind[tile]]
    label = action.name if h is None else f"{action.name} ({hex_name(h)})"
    if seat != state.player or state.awaiting == HAND or state.over or action.passive:
        return label
    if state.just_taken >> tile & 1:
        return f"{label}, from next turn"
    return label if state.ready >> tile & 1 else f"{label}, used"


def _cards(state: State) -> list[Text]:
    lines = []
    for card in state.setup.scoring:
        gold = " / ".join(str(card.score(state, seat)[0]) for seat in range(state.setup.players))
        lines.append(Text.assemble((card.name, "bold"), f" {gold}"))
    lines.append(Text())
    for kind, action in enumerate(state.setup.actions):
        places = [
            f"{hex_name(h)}:{state.tiles_left[tile]}"
            for tile in bits(state.setup.kind_tiles[kind])
            if (h := state.setup.tile_hex[tile]) is not None
        ]
        if places:
            lines.append(Text(f"{action.key[:2].capitalize()} {action.name}, tiles at {' '.join(places)}", style="dim"))
    signs = [f"{kind.sign} {kind.name}" for kind in pieces_of(state) if kind.sign]
    if signs:
        lines.append(Text(", ".join(signs), style="dim"))
    for key in state.setup.board.stand_ins:
        lines.append(Text(f"Stand-in for the map: {key}", style="dim"))
    return lines
