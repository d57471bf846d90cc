"""Between the library and the reference model: the same things in the other's terms, and comparisons of all of them."""

import random
from collections import Counter
from dataclasses import replace

from kingdom_builder import hexes
from kingdom_builder.content import ALWAYS, CARDS, TASKS
from kingdom_builder.hexes import HexSet, bits, hex_at, row_col
from kingdom_builder.notation import position_of
from kingdom_builder.rules import DONE, DRAWING, DRAWN, END, OTHER, USE, Action, Card, Moving, Setup, State
from kingdom_builder.rules.actions import CHOSEN
from kingdom_builder.rules.invariants import check
from kingdom_builder.rules.state import ACTION, CARD, HAND
from reference import gold as model_gold
from reference import position as reference
from reference.game import DONE as MODEL_DONE
from reference.game import END as MODEL_END
from reference.game import OTHER as MODEL_OTHER
from reference.game import Choice, Game
from reference.position import Place, Position
from reference.steps import VEHICLE_STEPS, first_spots, relocated_city_hall, resettlers, victims
from reference.table import CITY_HALL, SHIP, TERRAINS, WAGON, WARRIOR
from reference.tiles import FRESH, READY, USED

WORDS: dict[Action, Choice] = {END: MODEL_END, DONE: MODEL_DONE, OTHER: MODEL_OTHER}
KINDS = {"warriors": WARRIOR, "wagons": WAGON, "ships": SHIP, "city-halls": CITY_HALL}
WHOLE = [(row, col) for row in range(20) for col in range(20)]


def places(x: HexSet) -> set[Place]:
    return {row_col(h) for h in bits(x)}


def hexset(some: set[Place] | frozenset[Place]) -> HexSet:
    return hexes.hexset(hex_at(row, col) for row, col in some)


def plain(state: State) -> Position:
    """The same position in plain sets."""

    def stored(key: str) -> frozenset[Place]:
        return frozenset(places(state.memory.get(key, 0)))

    return Position(
        state.setup.board.map,
        tuple(frozenset(places(own)) for own in state.own),
        state.player,
        state.card,
        state.supply[state.player],
        state.setup.options,
        stored("warriors"),
        stored("wagons"),
        stored("ships"),
        stored("city-halls"),
        stored("walls"),
        frozenset(places(state.scouts)),
        state.of_seat("cathedral", state.player),
        state.adjacency_lifted,
        frozenset(places(state.setup.capitols)),
    )


def compare_actions(state: State, position: Position) -> None:
    """How every extra action of the setup would begin, whether the player has it or not; with and without Outpost."""
    for anywhere in (False, True):
        here = replace(position, anywhere=anywhere)
        for action in state.setup.actions:
            if action.key in ("fort", "sword", "bazaar", "crossroads", "outpost", "treasure"):
                continue
            using = state.copy()
            using.acting, using.source, using.steps, using._legal = None, None, 0, None
            using.adjacency_lifted = anywhere and action.by_adjacency
            using.ready &= ~state.setup.lifting_tiles
            told = replace(here, anywhere=using.adjacency_lifted)
            got = action.legal(using) & hexes.AREA
            assert places(got) == first_spots(told, action.key), (action.key, anywhere, position_of(state))
            if isinstance(action, Moving):
                for source in position.movable():
                    using.source = hex_at(*source)
                    goals = reference.targets(reference.MOVES[action.key], told, source)
                    assert places(action.legal(using)) == goals, (action.key, source, position_of(state))


def compare_steps(state: State, position: Position) -> None:
    """The later steps of the actions that have several, as if they were in progress."""
    for action in state.setup.actions:
        going = state.copy()
        going.acting, going.source, going.steps, going._legal = action, None, 2, None
        going.adjacency_lifted = False
        if action.key in VEHICLE_STEPS:
            for piece in position.own & (position.wagons if action.key == "wagon" else position.ships):
                going.source = hex_at(*piece)
                steps = VEHICLE_STEPS[action.key](position, piece)
                assert places(action.legal(going) & hexes.AREA) == steps, (action.key, position_of(state))
        elif action.key == "resettlement":
            for piece in position.movable():
                going.source = hex_at(*piece)
                steps = reference.targets(reference.resettlement, position, piece)
                others = resettlers(position) - {piece}
                assert places(action.legal(going) & hexes.AREA) == steps | others, position_of(state)
        elif action.key == "sword":
            for seat in range(state.setup.players):
                if seat != position.seat and victims(position, seat):
                    going.steps = 1 << seat
                    assert places(action.legal(going)) == victims(position, seat), position_of(state)
        elif action.key == "city-hall" and position.own & position.city_halls:
            assert places(action.legal(going)) == relocated_city_hall(position), position_of(state)
        elif action.key == "fort":
            for number, terrain in enumerate(TERRAINS):
                going.remember("fort", number + 1)
                builds = reference.by_adjacency(position.free(terrain), replace(position, anywhere=False))
                assert places(action.legal(going)) == builds, position_of(state)


def compare_silo(state: State, position: Position) -> None:
    """What the current seat could do with a silo if this were the end of the game."""
    for silo in state.setup.finales:
        going = state.copy()
        going.remove_scouts()
        here = replace(position, scouts=frozenset())
        going.acting, going.source, going.steps, going._legal = silo, None, 3, None
        builds = {p for p in here.free(reference.BUILDABLE) if reference.touches(p, here.own)}
        expected = reference.movers(reference.silo_move, here) | (builds if here.supply else set())
        assert places(silo.legal(going) & hexes.AREA) == expected, position_of(state)
        for piece in here.movable():
            going.source = hex_at(*piece)
            goals = reference.targets(reference.silo_move, here, piece)
            assert places(silo.legal(going)) == goals, (piece, position_of(state))


def compare_mandatory(state: State, position: Position) -> None:
    for anywhere in (False, True) if state.setup.lifting_tiles else (False,):
        building = state.copy()
        building.builds_left, building.acting, building.source, building.ready, building._legal = 3, None, None, 0, None
        building.adjacency_lifted = anywhere
        if position.supply and position.card:
            legal = building.legal() & hexes.AREA
            told = replace(position, anywhere=anywhere)
            assert places(legal) == reference.mandatory(told), position_of(state)


def compare_scores(state: State, position: Position) -> None:
    """All cards, tasks, castles and capitols for every seat, not only what is in play."""
    always = {card.key: card for card in ALWAYS if isinstance(card, Card)}
    everything = {**CARDS, **TASKS, **always}
    model = {**model_gold.CARDS, **model_gold.TASKS, **model_gold.ALWAYS}
    assert set(everything) == {*model, *model_gold.DURING_THE_GAME}
    for seat in range(state.setup.players):
        for key, gold_of in model.items():
            gold, paying = everything[key].score(state, seat)
            assert gold == gold_of(position, seat), (key, seat, position_of(state))
            assert not paying & ~(state.own[seat] | state.setup.board.special), (key, seat, position_of(state))


# ---- whole games, side by side ---------------------------------------------------------------------------------------


def twin_of(setup: Setup) -> Game:
    return Game(
        setup.board.map,
        {row_col(h): key for h, key in setup.board.locations},
        setup.players,
        setup.options,
        [card.key for card in setup.cards],
        {row_col(h): tile.key for h, tile in setup.nomads.items()},
    )


def as_choice(setup: Setup, action: Action) -> Choice:
    if action < END:
        return row_col(action)
    if action in WORDS:
        return WORDS[action]
    if action in DRAWN:
        return "draw", DRAWN[action]
    if action in CHOSEN:
        return "choose", CHOSEN[action]
    return "use", setup.actions[action - USE].key


def tile_places(setup: Setup, tiles: int) -> set[Place]:
    return {row_col(h) for tile in bits(tiles) if (h := setup.tile_hex[tile]) is not None}


def compare_tables(state: State, twin: Game) -> None:
    """Everything that lies on the table and in the hands."""
    assert [places(own) for own in state.own] == [set(pieces) for pieces in twin.kind_on]
    for key, kind in KINDS.items():
        there = {place for pieces in twin.kind_on for place, on in pieces.items() if on == kind}
        assert places(state.memory.get(key, 0)) == there
    assert places(state.memory.get("walls", 0)) == twin.walls
    assert places(state.scouts) == twin.scouts
    assert state.supply == twin.supply
    assert sorted(state.deck) == sorted(twin.deck)
    assert sorted(state.discard) == sorted(twin.discarded)
    assert [list(hand) for hand in state.hands] == [sorted(hand) for hand in twin.hands]
    assert state.card == twin.card
    assert (state.round, state.player, state.ending, state.over) == (twin.round, twin.seat, twin.ending, twin.over)
    assert state.awaiting == {"hand": HAND, "card": CARD, "fort": ACTION, "": None}[twin.draws_for]
    assert state.adjacency_lifted == twin.outpost_declared
    if state.awaiting != HAND:
        assert state.builds_left == twin.builds_left
    compare_books(state, twin)
    compare_tiles(state, twin)


def compare_books(state: State, twin: Game) -> None:
    """Gold paid during the game, markers, number tiles."""
    always = [card for card in ALWAYS if isinstance(card, Card)]
    for seat in range(state.setup.players):
        for card in (*state.setup.cards, *always):
            if card.key == "mayors":
                markers = {row for row, owner in twin.markers.items() if owner == seat}
                assert set(bits(state.of_seat("mayors", seat))) == markers
                assert card.score(state, seat)[0] == 4 * len(markers)
            elif card.key in model_gold.DURING_THE_GAME:
                assert card.score(state, seat)[0] == twin.gold[seat][card.key], (card.key, position_of(state))
        assert state.of_seat("cathedral", seat) == twin.numbers[seat]


def compare_tiles(state: State, twin: Game) -> None:
    setup, tiles = state.setup, twin.tiles
    stock = zip(setup.tile_hex, state.tiles_left, strict=True)
    assert {row_col(h): left for h, left in stock if h is not None} == tiles.stock
    for seat in range(setup.players):
        assert tile_places(setup, state.taken[seat]) == tiles.taken_from[seat]
        assert tile_places(setup, state.held[seat] & setup.location_tiles) == tiles.supported_by[seat]
        for kind, action in enumerate(setup.actions):
            own_tiles = state.held[seat] & setup.kind_tiles[kind]
            tallies = Counter(tiles.owned[seat].get(action.key, []))
            assert own_tiles.bit_count() == tallies.total(), (action.key, position_of(state))
            if seat == state.player and not state.over and state.awaiting != HAND and twin.acting != "silo":
                ready, fresh = (own_tiles & state.ready).bit_count(), (own_tiles & state.just_taken).bit_count()
                assert (ready, fresh) == (tallies[READY], tallies[FRESH]), (action.key, position_of(state))
                assert own_tiles.bit_count() - ready - fresh == tallies[USED]


def choose(state: State, rng: random.Random, preferred: tuple[str, ...] = ()) -> Action:
    """Chance, with some sense: tiles are used more often than chance would, and pieces go where there are tiles.

    Tiles of the preferred kinds are used whenever they can be, the first kind first.
    """
    legal = state.legal()
    if state.awaiting:
        return DRAWING[rng.choice(state.deck)]
    uses = [action for action in bits(legal) if action >= USE]
    by_key = {state.setup.actions[action - USE].key: action for action in uses}
    for key in preferred:
        if key in by_key:
            return by_key[key]
    if uses and rng.random() < 0.6:
        return rng.choice(uses)
    beside = [h for h in bits(legal & hexes.AREA) if h in state.setup.tiles_beside]
    if beside and rng.random() < 0.5:
        return rng.choice(beside)
    action = hexes.nth(legal, rng.randrange(legal.bit_count()))
    if action == END and rng.random() < 0.8:
        return hexes.nth(legal, legal.bit_count() - 1)
    return action


def play_side_by_side(
    setup: Setup, rng: random.Random, look_every: int, preferred: tuple[str, ...] = ()
) -> Counter[str]:
    """A random game in both implementations; returns how often each kind of thing was done."""
    state = State(setup)
    twin = twin_of(setup)
    done: Counter[str] = Counter()
    number = 0
    while not state.over:
        legal = {as_choice(setup, action) for action in bits(state.legal())}
        expected = twin.choices()
        assert legal == expected, (legal - expected, expected - legal, position_of(state))
        done["replaced"] += state.awaiting == CARD
        done["silo"] += twin.acting == "silo"
        done["relocated city hall"] += twin.acting == "city-hall" and twin.repeating
        done["second scout cabin"] += twin.acting == "scout-cabin" and bool(twin.scouts) and twin.steps_left == 1
        number += 1
        if number % look_every == 0 and not state.awaiting:
            position = plain(state)
            assert replace(position, capitols=frozenset()) == twin.position
            compare_actions(state, position)
            compare_steps(state, position)
            compare_mandatory(state, position)
            compare_scores(state, position)
        action = choose(state, rng, preferred)
        before = position_of(state)
        choice = as_choice(setup, action)
        if isinstance(choice, tuple) and isinstance(choice[0], str):
            done[" ".join(map(str, choice)) if choice[0] == "use" else choice[0]] += 1
        state.apply(action)
        twin.play(choice)
        try:
            compare_tables(state, twin)
            check(state)
        except AssertionError as error:
            raise AssertionError(f"after {choice} in {before}") from error
    assert twin.over
    assert not twin.choices()
    return done
