"""Shapes: everything printed has one, so has whatever is made of what is known; all else is played in Python."""

import logging
import re
from random import Random

import pytest
from component_words import MEANS_SOMETHING_ELSE, SOURCE, words
from playing import SMALL, Case, drawn_setup
from twins import play_twins, rather_tiles

from kingdom_builder.board import Board
from kingdom_builder.content import ALL_SETS, ALWAYS, BOXES, CARDS, COMPONENTS, LOCATIONS, OPTIONS, random_setup
from kingdom_builder.content.base.cards import Knights
from kingdom_builder.content.base.locations import Farm, Oracle, Paddock
from kingdom_builder.content.red_cards import RedCard
from kingdom_builder.hexes import BIT, NEAR, Hex, HexSet, bits
from kingdom_builder.message import Message
from kingdom_builder.native import core
from kingdom_builder.native.setups import DEEDS, SCORE, NoShape, is_faithful, native_setup, of_setup
from kingdom_builder.rules import (
    Action,
    ActionSet,
    Building,
    Card,
    Component,
    ExtraAction,
    FixedBuilding,
    HexCard,
    LandBuilding,
    Location,
    NomadTile,
    PieceKind,
    Setup,
    Shape,
    StandingAction,
    State,
)
from kingdom_builder.rules.components import BY_SEAT, HEXES, HOOKS, Finale

ROWS = [
    "GGCCWWFFTT",
    "G1CCWFFDDT",
    "GGCWWW1DDD",
    "TTCCWGGFF2",
    "T2FCCWGGFF",
    "DDF3GNGCCG",
    "DFFGGGG3CG",
    "DDDTTKTTIA",
]


def setup_with(*components: Component, players: int = 3, rows: list[str] = ROWS) -> Setup:
    """A setup in which these are in play: locations, cards, nomad tiles, or what comes with a box."""
    locations = [each for each in components if isinstance(each, Location)] or [LOCATIONS["farm"]]
    keys = [locations[number % len(locations)].key for number in range(3)]
    board = Board(rows, keys)
    tiles = [each for each in components if isinstance(each, NomadTile)]
    return Setup(
        board,
        {location.key: location for location in locations},
        [each for each in components if isinstance(each, Card)],
        [*ALWAYS, *[each for each in components if isinstance(each, StandingAction | Finale)]],
        players,
        nomads=dict(zip(bits(board.nomad_spaces), tiles, strict=False)),
    )


def play_natively(*components: Component) -> None:
    """Whole games in both cores."""
    for number in range(12):
        setup = setup_with(*components, players=2 + number % 4)
        assert {component.key for component in components} <= {component.key for component in setup.components}
        native = of_setup(setup)
        seen = play_twins(State(setup), Random(number), rather_tiles, native)
        assert seen["games"] == 1


# ---- what is printed -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("component", COMPONENTS, ids=lambda component: component.key)
def test_everything_printed_has_a_shape(component: Component) -> None:
    """Capitols too, which are in play only where one lies, and silos, farmland and caves."""
    setup = random_setup(Random(1), sets=ALL_SETS)
    if isinstance(component, Card | ExtraAction):
        deeds = SCORE if isinstance(component, Card) else DEEDS
        assert is_faithful(component, "shape", deeds)
        shape = component.shape(setup)
        assert shape is not None
        assert core is not None
        assert shape.kind in (core.SCORE_SHAPES if isinstance(component, Card) else core.ACTION_SHAPES)
    if not isinstance(component, ExtraAction) and component.hooks:
        assert is_faithful(component, "hook_shape", HOOKS)
        assert component.hook_shape(setup) is not None


def test_no_printed_setup_is_played_in_python(caplog: pytest.LogCaptureFixture) -> None:
    rng = Random("printed setups")
    for number in range(150):
        options = [option for option in OPTIONS if rng.random() < 0.2]
        sets = ("base", *rng.sample(ALL_SETS[1:], number % len(ALL_SETS)))
        setup = random_setup(rng, 2 + number % 4, sets=sets, options=options)
        native = native_setup(setup)
        assert native is not None
        assert native.setup is setup
    assert not caplog.messages


def test_everything_printed_is_in_play_at_once_and_has_room_in_the_core() -> None:
    cards = [*CARDS.values(), *[task for box in BOXES.values() for task in box.tasks]]
    rows = ["".join(map(str, range(1, 10)))] * 2 + ["GCDFTWMKVAINNNGCDF"[:9]] * 3
    for start in range(0, len(LOCATIONS), 9):
        keys = [*LOCATIONS, *LOCATIONS][start : start + 9]
        board = Board(rows, keys)
        tiles = [*dict.fromkeys(tile for box in BOXES.values() for tile in box.nomad_tiles)]
        nomads = dict(zip(bits(board.nomad_spaces), tiles, strict=False))
        setup = Setup(board, LOCATIONS, cards, ALWAYS, 5, nomads=nomads, capitols=board.castles)
        assert of_setup(setup).setup is setup


def test_the_core_knows_no_printed_thing_by_name() -> None:
    shapes = {name.replace("_", "-") for name in (*_core_names(),)}
    keys = {component.key for component in COMPONENTS} - set(MEANS_SOMETHING_ELSE) - shapes
    for path in sorted((SOURCE / "native" / "core").glob("*.[ch]")):
        code = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
        assert not words(code) & keys, path.name


def _core_names() -> tuple[str, ...]:
    assert core is not None
    return (*core.ACTION_SHAPES, *core.SCORE_SHAPES, *core.HOOK_SHAPES)


def test_every_shape_of_the_core_is_used_by_something_printed() -> None:
    setup = random_setup(Random(1), sets=ALL_SETS)
    told = [
        shape
        for component in COMPONENTS
        for shape in (component.shape(setup), component.hook_shape(setup))
        if shape is not None
    ]
    assert {shape.kind for shape in told} == set(_core_names())


# ---- made-up components with a shape ---------------------------------------------------------------------------------


class Mill(Building, Location):
    """Builds on canyon beside water, and says so."""

    key = "mill"
    name = "Mill"
    text = "Build one settlement on canyon next to water."
    where = Message("canyon next to water")

    def area(self, state: State) -> HexSet:
        return state.setup.board.terrain["C"] & state.setup.board.beside_water

    def shape(self, setup: Setup) -> Shape | None:
        return Shape("build", (setup.board.terrain["C"] & setup.board.beside_water,), (1,))


class Orchard(LandBuilding, Location):
    """Has the shape of all that build on fixed land."""

    key = "orchard"
    name = "Orchard"
    text = "Build one settlement on forest or flowers."
    where = Message("forest or flowers")

    def land(self, setup: Setup) -> HexSet:
        return setup.board.terrain["T"] | setup.board.terrain["F"]


class Beacon(PieceKind):
    key = "beacons"
    name = "beacon"
    sign = "*"
    each = 3
    footing = "GCDFT"
    blocks = True


class SignalHill(Location):
    """Puts pieces of its own kind on the board, or takes them back."""

    key = "signal-hill"
    name = "Signal hill"
    text = "Put a beacon on land, or take one back."
    piece = Beacon
    by_adjacency = True
    repeatable = False
    fields = {Beacon.key: HEXES}

    def standing(self, state: State) -> HexSet:
        return state.own[state.player] & state.memory.get(Beacon.key, 0)

    def legal(self, state: State) -> ActionSet:
        standing = self.standing(state)
        spots = state.spots(state.setup.board.buildable) if standing.bit_count() < Beacon.each else 0
        return spots if state.adjacency_lifted else spots | standing

    def apply(self, state: State, choice: Action) -> None:
        if self.standing(state) & BIT[choice]:
            state.remove(state.player, choice)
        else:
            state.place(Beacon, [choice])
        state.finish()

    def shape(self, setup: Setup) -> Shape:
        return Shape("put_or_take", (setup.board.buildable,))


class Gift(FixedBuilding, NomadTile):
    key = "gift"
    name = "Gift"
    text = "Build one settlement on land next to your own."
    where = Message("land next to yours")

    def spots(self, state: State) -> HexSet:
        return state.setup.board.buildable & state.near[state.player]

    def shape(self, setup: Setup) -> Shape:
        return Shape("build_next_to", (setup.board.buildable,))


class Stroll(StandingAction, Paddock):
    """What a Paddock does, without a tile."""

    key = "stroll"
    name = "Stroll"


class Painters(HexCard):
    key = "painters"
    name = "Painters"
    text = "1 gold for each settlement on flowers."

    def hexes(self, setup: Setup) -> HexSet:
        return setup.board.terrain["F"]


class Millers(Card):
    key = "millers"
    name = "Millers"
    text = "3 gold for each of your settlements on grass, and again on canyon."

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat] & (state.setup.board.terrain["G"] | state.setup.board.terrain["C"])
        return 3 * own.bit_count(), own

    def shape(self, setup: Setup) -> Shape | None:
        return Shape("on", (setup.board.terrain["G"], setup.board.terrain["C"]), (3,))


class Guides(RedCard):
    """Paid in the game, by the hook that is known of another card."""

    key = "guides"
    name = "Guides"
    text = "4 gold for each settlement built next to others."
    fields = {"guides": BY_SEAT}

    def built(self, state: State, h: Hex) -> None:
        if any(own & NEAR[h] for seat, own in enumerate(state.own) if seat != state.player):
            state.add_for("guides", state.player, 4)

    def hook_shape(self, setup: Setup) -> Shape | None:
        return Shape("near_others", (), (4,), ("guides",))


@pytest.mark.parametrize(
    "component", [Mill(), Orchard(), SignalHill(), Gift(), Stroll(), Painters(), Millers(), Guides()], ids=repr
)
def test_a_thing_of_ones_own_with_a_shape_is_played_in_the_core(component: Component) -> None:
    play_natively(component)


def test_all_of_ones_own_together_are_played_in_the_core() -> None:
    play_natively(Mill(), Orchard(), SignalHill(), Gift(), Stroll(), Painters(), Millers(), Guides())


# ---- and without -----------------------------------------------------------------------------------------------------


class Nameless(Mill):
    def shape(self, setup: Setup) -> Shape | None:
        return None


class Dancing(Mill):
    def shape(self, setup: Setup) -> Shape | None:
        return Shape("dance")


class Unpaid(Guides):
    def hook_shape(self, setup: Setup) -> Shape | None:
        return None


class Generous(Millers):
    def shape(self, setup: Setup) -> Shape | None:
        return Shape("on", (setup.board.terrain["G"],), (1_000_000,))


@pytest.mark.parametrize(
    ("component", "reason"),
    [
        (Nameless(), "mill does what the native core has no shape for."),
        (Dancing(), "the native core has no shape dance."),
        (Unpaid(), "guides does what the native core has no shape for."),
        (Generous(), "it has more of something than the core has room for."),
    ],
    ids=repr,
)
def test_a_thing_without_a_shape_is_played_in_python_and_a_line_in_the_log_says_so(
    component: Component, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    setup = setup_with(component)
    with pytest.raises(NoShape) as error:
        of_setup(setup)
    assert str(error.value) == reason
    assert native_setup(setup) is None
    assert caplog.record_tuples == [
        ("kingdom_builder.native.setups", logging.WARNING, f"This setup is played in Python: {reason}")
    ]
    state = State(setup)
    for _ in range(300):
        if state.over:
            break
        state.apply(bits(state.legal())[0])


def overriding(kind: type[Component], method: str) -> Component:
    """A subclass in which this method is its own, though it does the same."""

    def same(self: Component, *values: object) -> object:
        return getattr(kind, method)(self, *values)

    odd: type[Component] = type("Odd", (kind,), {method: same})
    return odd()


@pytest.mark.parametrize("deed", sorted(DEEDS))
@pytest.mark.parametrize("kind", [Farm, Oracle, Paddock, Mill], ids=lambda kind: kind.key)
def test_a_location_that_does_something_else_than_the_one_it_is_derived_from_has_no_shape(
    kind: type[Location], deed: str
) -> None:
    odd = overriding(kind, deed)
    assert not is_faithful(odd, "shape", DEEDS)
    with pytest.raises(NoShape, match=f"^{kind.key} does what"):
        of_setup(setup_with(odd))
    again = type("Told", (type(odd),), {"shape": lambda self, setup: Shape("build", (setup.room,), (1,))})()
    assert is_faithful(again, "shape", DEEDS)


@pytest.mark.parametrize("method", ["prompt", "why_not", "why_not_begin", "describe_change"])
def test_a_location_that_only_speaks_differently_keeps_its_shape(method: str) -> None:
    play_natively(overriding(Farm, method))


@pytest.mark.parametrize("kind", [Knights, Painters, Guides], ids=lambda kind: kind.key)
def test_a_card_that_pays_otherwise_has_no_shape(kind: type[Card]) -> None:
    with pytest.raises(NoShape, match=f"^{kind.key} does what"):
        of_setup(setup_with(overriding(kind, "score")))


@pytest.mark.parametrize("hook", HOOKS)
def test_a_card_with_a_hook_of_its_own_has_no_shape(hook: str) -> None:
    for kind in (Knights, Guides):
        with pytest.raises(NoShape, match=f"^{kind.key} does what"):
            of_setup(setup_with(overriding(kind, hook)))


class Noting(Component):
    """A hook beside whatever a component does."""

    def built(self, state: State, h: Hex) -> None:
        state.ending = True


class NotingFarm(Farm, Noting):
    pass


class NotingKnights(Knights, Noting):
    pass


class NotingFirst(Noting, Farm):
    pass


@pytest.mark.parametrize("component", [NotingFarm(), NotingKnights(), NotingFirst()], ids=repr)
def test_a_hook_from_another_class_counts_wherever_that_stands(component: Component) -> None:
    with pytest.raises(NoShape, match="does what the native core has no shape for"):
        of_setup(setup_with(component))


class Later(Finale):
    key = "later"
    name = "Later"
    text = "Play on."

    def shape(self, setup: Setup) -> Shape:
        return Shape("silo", (0, 0), (0,), ("silos", "silo-use"))


def test_two_things_after_the_last_turn_are_played_in_python() -> None:
    setup = setup_with(Later())
    assert len(setup.finales) == 2
    with pytest.raises(NoShape, match="two things are played after the last turn"):
        of_setup(setup)


def test_more_cards_than_the_core_has_room_for_are_played_in_python() -> None:
    def card(number: int) -> Card:
        kind: type[Card] = type("Many", (Painters,), {"key": f"many-{number}", "fields": {}})
        return kind()

    assert of_setup(setup_with(*map(card, range(20))))
    with pytest.raises(NoShape, match="more of something than the core has room for"):
        of_setup(setup_with(*map(card, range(40))))


def test_more_fields_than_the_core_has_room_for_are_played_in_python() -> None:
    def card(number: int) -> Card:
        kind: type[Card] = type("Many", (Painters,), {"key": f"many-{number}", "fields": {f"many-{number}": BY_SEAT}})
        return kind()

    with pytest.raises(NoShape, match="more tiles or fields than the core has room for"):
        of_setup(setup_with(*map(card, range(9))))


def test_a_setup_is_written_the_same_every_time() -> None:
    case = Case(3, SMALL, 5, (), ALL_SETS)
    setup = drawn_setup(Random(3), Board(ROWS, ["farm", "oasis", "tower"]), case)
    first, second = of_setup(setup), of_setup(setup)
    assert first is not second
    assert first.fields == second.fields
