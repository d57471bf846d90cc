"""Players: every one plays every set by the rules, knows no hidden card, and repeats itself when asked to."""

from collections.abc import Sequence
from random import Random

import pytest
from playing import LONGEST
from scenes import scene

from kingdom_builder.content import ALL_SETS, NOMAD_TILES, first_game, random_setup
from kingdom_builder.notation import play as play_move
from kingdom_builder.notation import position_of
from kingdom_builder.players import LEVELS, STRENGTHS, Hint, Player, find_hints, make_player
from kingdom_builder.players.budget import Budget
from kingdom_builder.players.hard import HardPlayer
from kingdom_builder.rules import Action, Observation, State, determinize, observe, random_draw, scores, turn_of

TABLES = [
    (2, ("base",)),
    (3, ("base", "nomads")),
    (4, ("base", "crossroads")),
    (3, ("base", "harvest")),
    (2, ("base", "capitol", "caves")),
    (5, ALL_SETS),
]
FAST = ("random", "easy", "marina", "greedy", "hard:15n", "expert:30n", "master:30n")


def play(state: State, players: Sequence[Player], seed: object) -> list[Action]:
    """The actions of a whole game; `apply` raises for an illegal one."""
    rng = Random(f"draws {seed}")
    actions: list[Action] = []
    while not state.over:
        assert len(actions) < LONGEST, position_of(state)
        if state.awaiting:
            action = random_draw(state, rng.random)
        else:
            action = players[state.player].choose(observe(state, state.player))
        state.apply(action)
        actions.append(action)
    return actions


def start(players: int, sets: Sequence[str] = ("base",), seed: object = 0) -> State:
    return State(random_setup(Random(f"{sets} {seed}"), players, sets=sets))


def midgame(seed: int, players: int = 2, sets: Sequence[str] = ("base",), actions: int = 60) -> State:
    """A state in the middle of a random game, with somebody to move."""
    rng = Random(seed)
    state = start(players, sets, seed)
    bots = [make_player("random", f"{seed} {seat}") for seat in range(players)]
    for number in range(LONGEST):
        if number >= actions and not state.awaiting:
            break
        if state.awaiting:
            state.apply(random_draw(state, rng.random))
        else:
            state.apply(bots[state.player].choose(observe(state, state.player)))
    return state


@pytest.mark.parametrize(("players", "sets"), TABLES)
@pytest.mark.parametrize("first", range(len(FAST)))
def test_every_player_plays_every_set_by_the_rules(players: int, sets: tuple[str, ...], first: int) -> None:
    state = start(players, sets, first)
    names = [FAST[(first + seat) % len(FAST)] for seat in range(players)]
    play(state, [make_player(name, seat) for seat, name in enumerate(names)], first)
    assert state.over


@pytest.mark.parametrize("name", ["easy", "hedda", "greedy", "hard:40n", "expert:80n"])
def test_answers_out_of_the_blue_at_any_position(name: str) -> None:
    player = make_player(name, 1)
    for seed in range(6):
        state = midgame(seed, sets=ALL_SETS, actions=40 + 25 * seed)
        assert state.legal() >> player.choose(observe(state, state.player)) & 1


@pytest.mark.parametrize("name", ["greedy", "hard:40n", "expert:80n"])
def test_a_tile_that_lets_choose_another_piece_over_and_over_is_used_in_the_end(name: str) -> None:
    """Resettlement: four steps with any pieces; the choice of the piece may be changed before each step."""
    tile = NOMAD_TILES["resettlement"]
    for seed in range(40):
        state = start(2, ("base", "nomads"), seed)
        if tile in state.setup.nomads.values():
            break
    number = 1 << state.setup.tile_kind.index(state.setup.actions.index(tile))
    rng = Random(1)
    players = [make_player(name, seat) for seat in range(2)]
    for _ in range(60):
        if state.awaiting:
            state.apply(random_draw(state, rng.random))
            continue
        if state.builds_left == 3 and state.own[state.player] and not state.ready & number:
            state.held[state.player] |= number  # as if it had been taken in the turn before
            state.ready |= number
            state._legal = None
        state.apply(players[state.player].choose(observe(state, state.player)))


@pytest.mark.parametrize("name", ["random", "greedy", "hard:40n", "expert:80n"])
def test_the_same_seed_and_positions_give_the_same_game(name: str) -> None:
    games = [play(start(2), [make_player(name, seat) for seat in range(2)], 1) for _ in range(2)]
    assert games[0] == games[1]


@pytest.mark.parametrize("name", ["random", "greedy", "hard:40n", "expert:80n"])
def test_knows_nothing_that_its_seat_may_not_know(name: str) -> None:
    """The state with other cards in hidden hands gets the same answer."""
    for seed in range(4):
        state = midgame(seed, players=3, sets=("base", "crossroads"))
        others = [determinize(observe(state, state.player), Random(shuffle)) for shuffle in range(6)]
        assert len({tuple(other.hands) for other in others}) > 1
        chosen = {make_player(name, 7).choose(observe(other, other.player)) for other in (state, *others)}
        assert len(chosen) == 1


@pytest.mark.parametrize(("better", "worse"), [("greedy", "random"), ("hard:500n", "greedy")])
def test_more_thought_brings_more_gold(better: str, worse: str) -> None:
    difference = 0
    for seed in range(8):
        state = start(2, seed=seed)
        names = [better, worse] if seed % 2 else [worse, better]
        play(state, [make_player(name, seat) for seat, name in enumerate(names)], seed)
        gold = scores(state)
        difference += gold[names.index(better)] - gold[names.index(worse)]
    assert difference > 0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "'' is not a player: expected one of random, easy, greedy, hard, expert, master"),
        ("Greedy", "'Greedy' is not a player"),
        ("hard:", "'' is not a budget for a turn: expected a time such as 100ms or 1s, or 500n positions"),
        ("hard:0ms", "'0ms' is not a budget"),
        ("hard:fast", "'fast' is not a budget"),
        ("expert:-1s", "'-1s' is not a budget"),
        ("greedy:1s", "'greedy:1s' is not a player: greedy takes no budget"),
    ],
)
def test_a_bad_name_says_what_was_expected(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_player(name)


def test_every_level_is_a_player() -> None:
    assert STRENGTHS == ["random", "easy", "greedy", "hard:100ms", "expert:1s", "master:1s"]
    for key, level in LEVELS.items():
        assert level.key == key
        assert make_player(key)
        assert make_player(str(level))
        assert level.text.endswith(".")


class FakeClock:
    """A clock that goes on by a millisecond whenever somebody looks at it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


@pytest.mark.parametrize("seconds", [0.02, 0.2])
def test_a_turn_costs_no_more_than_its_time(seconds: float) -> None:
    """Also with all sets and five players, and with cards drawn within the turn; the clock counts looks at itself."""
    clock = FakeClock()
    state = start(5, ALL_SETS, 3)
    players = [HardPlayer(Random(seat), Budget(seconds, clock=clock)) for seat in range(5)]
    rng = Random(2)
    spent: dict[object, float] = {}
    while not state.over:
        if state.awaiting:
            state.apply(random_draw(state, rng.random))
            continue
        before = clock.now
        action = players[state.player].choose(observe(state, state.player))
        turn = turn_of(state)
        spent[turn] = spent.get(turn, 0.0) + clock.now - before
        state.apply(action)
    assert max(spent.values()) <= seconds * 1.2 + 0.02


def test_follows_its_plan_without_thinking_again() -> None:
    state = start(2)
    rng = Random(1)
    while state.awaiting:
        state.apply(random_draw(state, rng.random))
    player = HardPlayer(rng, Budget(nodes=100))
    plans = 0
    original = player.plan

    def counted(state: State) -> list[Action]:
        nonlocal plans
        plans += 1
        return original(state)

    player.plan = counted  # type: ignore[method-assign]
    turn = state.round, state.player
    while (state.round, state.player) == turn and not state.awaiting:
        state.apply(player.choose(observe(state, state.player)))
    assert plans == 1


def test_an_observation_from_a_game_of_its_own_is_left_as_it_was() -> None:
    state = midgame(1)
    seen = observe(state, state.player)
    before = position_of(seen)
    for name in FAST:
        make_player(name, 1).choose(seen)
    assert isinstance(seen, Observation)
    assert position_of(seen) == before


def test_the_first_game_is_played_to_its_end_by_greedy_players() -> None:
    state = State(first_game(4))
    play(state, [make_player("greedy", seat) for seat in range(4)], 5)
    assert min(scores(state)) > 10


def test_hints_are_legal_and_come_best_first() -> None:
    state = midgame(3, actions=80)
    found = find_hints(observe(state, state.player))
    assert len(found) == 3
    assert len({hint.move for hint in found}) == 3
    for hint in found:
        assert hint.move == hint.turn[0]
        after = state.copy()
        for move in hint.turn:
            play_move(after, move)
        assert after.awaiting or after.player != state.player
        assert hint.reasons
    assert found == find_hints(observe(state, state.player))


def test_there_is_no_hint_when_nobody_has_to_move() -> None:
    state = start(2)
    assert state.awaiting
    assert find_hints(observe(state, 0)) == []


def said(hint: Hint) -> list[str]:
    return [str(reason) for reason in hint.reasons]


def test_a_hint_says_which_location_and_which_gold_it_brings() -> None:
    state = scene(
        """
        G G G G G W W
        G G 1 G G W W
        G G G K G W D
        G G G G G W D
        """,
        "1A/G/3/-",
        "40:::G",
        "40:::G",
        locations="farm",
        cards="fishermen",
    )
    assert said(find_hints(observe(state, 0), 1)[0]) == [
        "reaches the Farm",
        "+3 gold from Castles",
        "+2 gold from Fishermen",
    ]


def test_a_hint_says_what_it_keeps_free_of_contact() -> None:
    state = scene("G G G G D D D / G G G G D D D / G G G G F F F", "1A/G/3/-", "40:::G", "40:::G", cards="citizens")
    best = find_hints(observe(state, 0), 1)[0]
    assert said(best) == ["+1 gold from Citizens", "keeps desert and flower field free of contact"]
    assert str(best).endswith(" gold; +1 gold from Citizens; keeps desert and flower field free of contact")


def test_a_hint_for_the_last_turn_does_not_speak_of_later_ones() -> None:
    board = "G G G G D D D / G G G G D D D / G G G G F F F"
    state = scene(board, "9A!/G/3/-", "3:::G", "0:::G", cards="citizens")
    assert state.ending
    for hint in find_hints(observe(state, 0), 3):
        assert set(said(hint)) <= {"+1 gold from Citizens", "no turn found brings more gold"}
