"""One card, one place: a new location or card works without a change anywhere in the library."""

import textwrap
from io import StringIO
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from component_words import MEANS_SOMETHING_ELSE, SOURCE, words_of_code
from playing import choose
from rich.console import Console
from scenes import scene

from kingdom_builder.board import Board
from kingdom_builder.board.terrain import LAND
from kingdom_builder.content import ALWAYS, BOXES, COMPONENTS, LOCATIONS, NOMAD_TILES
from kingdom_builder.content.box import Box
from kingdom_builder.drawing.svg import centre, picture
from kingdom_builder.drawing.text import table
from kingdom_builder.game import Game
from kingdom_builder.hexes import BIT, NEAR, Hex, HexSet, around, bits, hex_names, parse_hex
from kingdom_builder.message import Message
from kingdom_builder.notation import action_text, join_moves, parse_move, parse_position, play, position_of
from kingdom_builder.rules import (
    DONE,
    DRAWING,
    USE,
    Action,
    ActionSet,
    Building,
    Card,
    Component,
    ExtraAction,
    Location,
    Moving,
    NomadTile,
    PieceKind,
    Setup,
    StandingAction,
    State,
    breakdown,
    determinize,
    events,
    observe,
    scores,
)
from kingdom_builder.rules.components import BY_SEAT, HEXES, NUMBER
from kingdom_builder.rules.events import Built, Counted, Event, Moved, TileLost, TileTaken, TileUsed
from kingdom_builder.rules.invariants import check
from kingdom_builder.server.catalogue import catalogue
from kingdom_builder.server.messages import PieceInfo
from kingdom_builder.server.views import log_line, view_of

# ---- things of one's own ---------------------------------------------------------------------------------------------


class Mill(Building, Location):
    """Builds on canyon beside water."""

    key = "mill"
    name = "Mill"
    text = "Build one settlement on canyon next to water."
    where = Message("canyon next to water")

    def area(self, state: State) -> HexSet:
        return state.setup.board.terrain["C"] & state.setup.board.beside_water


class Ferry(Moving, Location):
    """Moves a piece beside water to any land beside water."""

    key = "ferry"
    name = "Ferry"
    text = "Move one of your settlements from beside water to land beside water."
    where = Message("land next to water")

    def sources(self, state: State) -> HexSet:
        beside = state.setup.board.beside_water
        return state.own[state.player] & beside if beside & state.free & state.setup.board.buildable else 0

    def targets(self, state: State, source: Hex, free: HexSet) -> HexSet:
        beside = state.setup.board.beside_water
        return free & beside & state.setup.board.buildable if beside >> source & 1 else 0


class Tree(PieceKind):
    key = "trees"
    name = "tree"
    sign = "t"
    each = 3
    footing = ""
    removable = False


class Nursery(Location):
    """Plants one or two trees of its own kind, which stay."""

    key = "nursery"
    name = "Nursery"
    text = "Plant one or two trees next to your pieces."
    piece = Tree
    fields = {Tree.key: HEXES, "planted": NUMBER}

    def legal(self, state: State) -> ActionSet:
        trees = (state.own[state.player] & state.memory.get(Tree.key, 0)).bit_count()
        spots = state.free & state.setup.board.buildable & state.near[state.player] if trees < Tree.each else 0
        return spots | (state.acting is self and "planted" in state.memory) << DONE

    def apply(self, state: State, choice: Action) -> None:
        if choice != DONE:
            state.place(Tree, [choice])
            first = "planted" not in state.memory
            state.remember("planted", 1)
            if first and self.legal(state) != 1 << DONE:
                return
        state.remember("planted", 0)
        state.finish()

    def why_not(self, state: State, h: Hex) -> Message:
        return state.why_not_empty(h) or Message("{action}: plant next to your own pieces.", action=self)


class Gift(NomadTile):
    """Builds anywhere on land."""

    key = "gift"
    name = "Gift"
    text = "Build one settlement on any land."

    def legal(self, state: State) -> ActionSet:
        return state.free & state.setup.board.buildable if state.supply[state.player] else 0

    def apply(self, state: State, choice: Action) -> None:
        state.build(choice)
        state.finish()

    def why_not(self, state: State, h: Hex) -> Message:
        return state.why_not_empty(h) or Message("{action}: build on land.", action=self)


class Stroll(Moving, StandingAction):
    """Everybody may move one step, once a turn."""

    key = "stroll"
    name = "Stroll"
    text = "Move one of your settlements one step."
    where = Message("land next to it")

    def sources(self, state: State) -> HexSet:
        return around(state.free & state.setup.board.buildable) & state.own[state.player]

    def targets(self, state: State, source: Hex, free: HexSet) -> HexSet:
        return NEAR[source] & free & state.setup.board.buildable


class Painters(Card):
    """A card that pays at the end."""

    key = "painters"
    name = "Painters"
    text = "2 gold for each of your settlements on flower field."

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        paying = state.own[seat] & state.setup.board.terrain["F"]
        return 2 * paying.bit_count(), paying


class Tollkeepers(Card):
    """A card with hooks, which remembers what was built, and where."""

    key = "tollkeepers"
    name = "Tollkeepers"
    text = "1 gold at once for each settlement built at the edge of the board, 1 more at the end of such a turn."
    fields = {"tolls": BY_SEAT, "toll-hexes": HEXES}

    def built(self, state: State, h: Hex) -> None:
        if state.setup.board.edge >> h & 1:
            state.add_for("tolls", state.player, 1)
            state.remember("toll-hexes", state.memory.get("toll-hexes", 0) | BIT[h])

    def turn_ended(self, state: State) -> None:
        if "toll-hexes" in state.memory:
            state.add_for("tolls", state.player, 1)
            state.remember("toll-hexes", 0)

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        return state.of_seat("tolls", seat), 0


class Hosts(Card):
    """A card whose owner draws a second card after a turn in which somebody arrived beside another seat."""

    key = "hosts"
    name = "Hosts"
    text = "Draw one card more after a turn in which you came next to another player."
    fields = {"visits": NUMBER}

    def arrived(self, state: State, h: Hex) -> None:
        if any(own & NEAR[h] for seat, own in enumerate(state.own) if seat != state.player):
            state.remember("visits", 1)

    def extra_cards(self, state: State) -> int:
        return state.memory.get("visits", 0)

    def turn_ended(self, state: State) -> None:
        state.remember("visits", 0)

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        return 0, 0


ROWS = [
    "GGCCWWFFTT",
    "G1CCWFFDDT",
    "GGCWWW1DDD",
    "TTCCWGGFF2",
    "T2FCCWGGFF",
    "DDF3GNGCCG",
    "DFFGGGG3CG",
    "DDDTTKTTCC",
]
LOCATION_KEYS = ["mill", "ferry", "nursery"]


def own_setup(players: int = 2) -> Setup:
    board = Board(ROWS, LOCATION_KEYS)
    locations: dict[str, Location] = {"mill": Mill(), "ferry": Ferry(), "nursery": Nursery()}
    cards: list[Card] = [Painters(), Tollkeepers(), Hosts()]
    nomads: dict[Hex, NomadTile] = {bits(board.nomad_spaces)[0]: Gift()}
    always: list[Component] = [*ALWAYS, Stroll()]
    return Setup(board, locations, cards, always, players, nomads=nomads)


# ---- whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_location_and_a_card_of_ones_own_are_played_to_the_end(players: int) -> None:
    """Built directly, as the smallest setup: no list of the library is touched."""
    board = Board(ROWS, ["mill", "mill", "mill"])
    setup = Setup(board, {"mill": Mill()}, [Painters()], ALWAYS, players)
    assert [action.key for action in setup.actions] == ["mill"]
    assert [card.key for card in setup.scoring] == ["painters", "castles"]
    seen: list[Event] = []
    for seed in range(5):
        final = play_whole(setup, Random(seed), seen)
        for seat in range(players):
            flowers = final.own[seat] & board.terrain["F"]
            assert breakdown(final, seat)[0].gold == 2 * flowers.bit_count()
            assert breakdown(final, seat)[0].hexes == flowers
    assert {event.action.key for event in seen if isinstance(event, TileTaken)} == {"mill"}
    used = [event for event in seen if isinstance(event, TileUsed)]
    assert used
    assert str(used[0])[2:] == "uses the Mill"


def play_whole(setup: Setup, rng: Random, seen: list[Event]) -> State:
    """A random game in which everything is checked that anybody might ask a state."""
    state = State(setup)
    actions = []
    for _ in range(4000):
        if state.over:
            break
        action = choose(state, rng)
        before = state.copy()
        state.apply(action)
        actions.append(action)
        check(state)
        happened = events(before, action, state)
        assert all(str(event) for event in happened)
        seen += happened
        text = action_text(setup, action)
        assert parse_move(setup, text) == [action]
        assert position_of(state)
        reason = state.why_not(rng.randrange(USE + len(setup.actions)))
        assert reason is None or str(reason).endswith(".")
        if not state.choice_is_open():
            check(determinize(observe(state, rng.randrange(setup.players)), rng))
    assert state.over
    again = State(setup)
    for move in join_moves(again, actions):
        play(again, move)
    assert again == state
    return state


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_everything_of_ones_own_together_is_played_to_the_end(players: int) -> None:
    setup = own_setup(players)
    assert [action.key for action in setup.actions] == ["mill", "ferry", "nursery", "gift", "stroll"]
    seen: list[Event] = []
    trees = 0
    for seed in range(5):
        final = play_whole(setup, Random(seed), seen)
        trees += final.memory.get("trees", 0).bit_count()
        tolls = [final.of_seat("tolls", seat) for seat in range(players)]
        assert [breakdown(final, seat)[1].gold for seat in range(players)] == tolls
        assert [sum(line.gold for line in breakdown(final, seat)) for seat in range(players)] == scores(final)
        assert sum(tolls) >= (final.setup.board.edge & final.own[0] & ~final.special_pieces).bit_count() // 2
    assert trees
    assert {event.action.key for event in seen if isinstance(event, TileUsed)} == {
        "mill",
        "ferry",
        "nursery",
        "gift",
        "stroll",
    }
    assert {event.piece.name for event in seen if isinstance(event, Built)} == {"settlement", "tree"}
    assert len({event.action.key for event in seen if isinstance(event, TileLost)} & {"gift", "mill", "ferry"}) >= 2
    assert {event.component.key for event in seen if isinstance(event, Counted)} == {"tollkeepers"}
    assert any(isinstance(event, Moved) for event in seen)


# ---- step by step ----------------------------------------------------------------------------------------------------


def dealt(setup: Setup, *cards: str) -> State:
    state = State(setup)
    for card in cards:
        state.apply(DRAWING[card])
    return state


def test_tile_action_event_and_score_follow_from_the_class_alone() -> None:
    board = Board(["CCCW", "C1CW", "FFFF"], ["mill"])
    setup = Setup(board, {"mill": Mill()}, [Painters()], ALWAYS, 2)
    state = dealt(setup, "F", "D")
    for text in ("a3", "b3", "c3"):
        before = state.copy()
        (action,) = play(state, text)
        taken = [event for event in events(before, action, state) if isinstance(event, TileTaken)]
        assert bool(taken) == (text == "b3")
    assert scores(state) == [6, 0]
    assert str(state.why_not(USE)) == "The Mill tile was taken in this turn: it can be used from your next turn on."
    play(state, ".")
    state.apply(DRAWING["F"])  # for A; B's desert card is useless and leaves the game
    state.apply(DRAWING["G"])
    state.apply(DRAWING["C"])
    for text in ("a1", "b1", "a2", "."):
        play(state, text)
    state.apply(DRAWING["T"])
    assert (state.player, state.card) == (0, "F")
    play(state, "mill")
    assert hex_names(state.legal()) == ["c2"]
    assert str(state.why_not(parse_hex("c1"))) == (
        "c1 does not touch your settlements: where you can, you must build next to them "
        "(Mill: build on canyon next to water)."
    )
    assert str(state.why_not(parse_hex("d3"))) == "d3 is flower field, but Mill: build on canyon next to water."
    play(state, "c2")
    assert state.acting is None
    assert state.ready == 0


def test_a_hook_is_called_and_its_field_written() -> None:
    board = Board(["GGG", "GGG", "GGG"])
    state = dealt(Setup(board, {}, [Tollkeepers()], ALWAYS, 2), "G", "G")
    (action,) = play(state, "a1")
    assert (state.of_seat("tolls", 0), state.memory["toll-hexes"]) == (1, 1 << parse_hex("a1"))
    assert position_of(state).endswith(" toll-hexes=a1 tolls=1,0")
    before = state.copy()
    (action,) = play(state, "a2")
    (counted,) = [event for event in events(before, action, state) if isinstance(event, Counted)]
    assert (counted.seat, counted.before, counted.after, counted.component.key) == (0, 1, 2, "tollkeepers")
    play(state, "b2")
    assert state.of_seat("tolls", 0) == 2
    play(state, ".")
    assert state.of_seat("tolls", 0) == 3
    assert "toll-hexes" not in state.memory
    assert scores(state) == [3, 0]


def test_a_card_may_give_more_cards_to_draw() -> None:
    board = Board(["GGGG", "GGGG"])
    state = dealt(Setup(board, {}, [Hosts()], ALWAYS, 2), "G", "G")
    for text in ("a1", "b1", "c1", ".", "=G", "d1", "d2", "c2", "."):
        play(state, text)
    assert (state.awaiting, state.steps) == ("hand", 2)
    assert position_of(state).split(" ")[6] == "1B/-/0/=2"
    for text in ("=C", "=F"):
        play(state, text)
    assert state.hands[1] == "CF"
    assert state.player == 0


def test_a_card_that_gives_more_cards_need_not_know_how_one_is_chosen() -> None:
    """The turn itself remembers that a card was chosen: it must be possible to write that down."""
    state = dealt(Setup(Board(["GGGG", "GGGG", "CFCF"]), {}, [Hosts()], ALWAYS, 2), "G", "G")
    for text in (
        "a1",
        "b1",
        "c1",
        ".",
        "=G",
        "d1",
        "d2",
        "c2",
        ".",
        "=C",
        "=F",
        "a2",
        "b2",
        "=C",
        "a3",
        ".",
        "=F",
        "=T",
    ):
        play(state, text)
    assert state.choice_is_open()
    play(state, "!F")
    assert position_of(state).endswith(" chosen=1")


def test_a_kind_of_piece_is_one_class(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is in the picture, the log, the position, the terminal and the data of the page without a line elsewhere."""

    class Beacon(PieceKind):
        key = "beacons"
        name = "beacon"
        sign = "*"
        each = 1
        footing = "".join(LAND)

    class SignalHill(Location):
        key = "signal-hill"
        name = "Signal hill"
        text = "Put your beacon next to your settlements."
        piece = Beacon
        fields = {Beacon.key: HEXES}

        def legal(self, state: State) -> ActionSet:
            return state.spots(state.setup.board.buildable)

        def apply(self, state: State, choice: Action) -> None:
            state.place(Beacon, [choice])
            state.finish()

    hill = SignalHill()
    monkeypatch.setitem(BOXES, "own", Box("own", "A box of one's own", locations=(hill,)))
    monkeypatch.setitem(LOCATIONS, hill.key, hill)
    state = scene(
        """
        G G G D
        G 1 G D
        G G W W
        """,
        "3B/D/3/-",
        "40:::G",
        "39:c2:b2:D",
        locations="signal-hill",
    )
    play(state, "signal-hill")
    before = state.copy()
    (action,) = play(state, "c1")
    check(state)
    assert [str(event) for event in events(before, action, state)] == ["B puts a beacon on c1"]
    position = position_of(state)
    assert position.endswith(" beacons=c1")
    assert parse_position(position) == state

    x, y = centre(parse_hex("c1"))
    group = ElementTree.fromstring(picture(state)).find("{*}g[@class='kb-pieces-2-hexes']")
    assert group is not None
    assert [(use.get("href"), use.get("x"), use.get("y")) for use in group] == [("#kb-pieces-2", str(x), str(y))]
    written = StringIO()
    Console(file=written, width=120).print(table(state))
    assert "B*" in written.getvalue()
    assert "* beacon" in written.getvalue()

    assert view_of(state, 1).pieces == {"settlement": [[], ["c2"]], "beacons": [[], ["c1"]]}
    happening = log_line(Game(before, actions=[action], draws=False), 0, None).happenings[0]
    assert (happening.key, happening.message.text) == ("beacons", "puts a beacon on c1")
    listed = catalogue.__wrapped__()
    assert [piece for piece in listed.pieces if piece.key == "beacons"] == [
        PieceInfo("beacons", "beacon", owned=True, drawing="kb-pieces", whole=None)
    ]
    assert 'id="kb-pieces-2"' in listed.artwork


def test_what_is_not_in_play_has_no_part() -> None:
    class Never(StandingAction):
        key = "never"
        name = "Never"
        text = "Nothing."

        def in_play(self, setup: Setup) -> bool:
            return False

    setup = Setup(Board(["GG"]), {}, [], [Never()], 2)
    assert not setup.actions
    assert not setup.scoring
    assert not setup.components


# ---- the library knows none of its components by name ------------------------------------------------------------

KNOW_NOTHING = (
    "rules",
    "notation",
    "terminal",
    "cli",
    "arena",
    "players",
    "encoding",
    "learn",
    "drawing/svg.py",
    "drawing/text.py",
    "hexes.py",
)
"""Parts of the library that work for any component."""

KNOW_CARDS = [SOURCE / "players" / "card_heuristics.py", SOURCE / "players" / "characters.py"]
"""What bots know of single cards, and the cards that characters like; they play on without."""


def files_that_know_nothing() -> list[Path]:
    found = []
    for part in KNOW_NOTHING:
        path = SOURCE / part
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    for path in KNOW_CARDS:
        found.remove(path)
    assert len(found) > 20
    return found


def test_the_word_search_finds_keys_in_every_dress() -> None:
    source = """
        if action.key == "scout-cabin" or f"{tile}-wagon":
            FARM_ACTION, CityHall(), tavern_tiles, self.oasis, isOracle
            from content import knights as cards  # no harbor
            "a barn"; barnacle
    """
    found = words_of_code(textwrap.dedent(source))
    assert {"scout-cabin", "wagon", "farm-action", "city-hall", "tavern", "oasis", "oracle", "knights"} <= found
    assert not {"barn", "harbor"} & found


def test_no_module_outside_the_content_knows_a_printed_thing_by_name() -> None:
    keys = {component.key for component in COMPONENTS} - set(MEANS_SOMETHING_ELSE)
    assert len(keys) > 60
    for path in files_that_know_nothing():
        place = path.relative_to(SOURCE).as_posix()
        known = words_of_code(path.read_text("utf-8")) & keys
        assert not known, f"{place} knows {', '.join(sorted(known))}"


def test_every_printed_thing_is_defined_in_one_place() -> None:
    """Its key stands as such in the file of its class alone, and in those of the same box that must name it."""
    sources = {path: path.read_text("utf-8") for path in sorted((SOURCE / "content").rglob("*.py"))}
    for component in COMPONENTS:
        definitions = [path for path, source in sources.items() if f'    key = "{component.key}"\n' in source]
        assert len(definitions) == 1, component.key
        assert f"class {type(component).__name__}(" in sources[definitions[0]]


def test_the_catalogue_holds_whatever_the_boxes_hold() -> None:
    assert {location for box in BOXES.values() for location in box.locations} == set(LOCATIONS.values())
    assert {tile for box in BOXES.values() for tile in box.nomad_tiles} == set(NOMAD_TILES.values())
    kinds: list[ExtraAction] = [action for action in COMPONENTS if isinstance(action, ExtraAction)]
    assert len({action.key for action in kinds}) == len(kinds)
