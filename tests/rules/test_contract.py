"""The contract that every game keeps, whatever its board, players, cards and options."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playing import (
    BASE,
    PRINTED,
    SET_CHOICES,
    SMALL,
    WIDE,
    Case,
    Step,
    drawn_board,
    drawn_setup,
    every_card,
    game,
    play_on,
    sample,
    snapshot,
    start_of,
    turned_setup,
)

from kingdom_builder.board import Board
from kingdom_builder.content import ALL_SETS, BOXES, NOMAD_TILES, TASKS, first_game, make_setup
from kingdom_builder.content import CARDS as ALL_CARDS
from kingdom_builder.hexes import AREA, BIT, bits, turned
from kingdom_builder.notation import (
    Record,
    join_moves,
    legal_texts,
    parse_move,
    parse_position,
    parse_record,
    play,
    position_of,
)
from kingdom_builder.rules import (
    CHOOSE,
    CHOSEN,
    DRAW,
    DRAWING,
    DRAWN,
    END,
    USE,
    Action,
    ActionSet,
    Event,
    HiddenCard,
    IllegalAction,
    Moving,
    Observation,
    Setup,
    State,
    breakdown,
    determinize,
    events,
    observe,
    scores,
    winners,
)
from kingdom_builder.rules.components import BY_SEAT, HEXES, Finale
from kingdom_builder.rules.events import (
    Built,
    CardChosen,
    CardDrawn,
    CardRemoved,
    Counted,
    DeckShuffled,
    EndTriggered,
    GameOver,
    Moved,
    Removed,
    TileLost,
    TileTaken,
    TileUsed,
    TurnBegun,
)
from kingdom_builder.rules.invariants import BrokenInvariant, check
from kingdom_builder.rules.pieces import Scout, Settlement, Wall
from kingdom_builder.rules.setup import CHOSEN_CARD, WALLS
from kingdom_builder.rules.state import ACTION, CARD, HAND, HIDDEN

RULINGS: list[tuple[str, ...]] = [
    (),
    ("redrawOnlyForMandatory",),
    ("lordsNeedPresence",),
    ("excludeLords", "lordsNeedPresence", "redrawOnlyForMandatory"),
]
MORE_RULINGS: list[tuple[str, ...]] = [
    (),
    ("equalCardsFree", "meeplesOnlyByOwnAction"),
    ("bazaarCathedralGain", "capitolReplacesCastle", "outpostForMoves"),
    ("donationStrictNote", "redrawOnlyForMandatory", "swordCancelsEnd"),
]
BASE_GAMES = [
    Case(players, board, players, RULINGS[(players + number) % len(RULINGS)])
    for players in (2, 3, 4, 5)
    for number, board in enumerate((PRINTED, SMALL))
]
EXPANDED_GAMES = [
    Case(
        players,
        (PRINTED, SMALL, WIDE, SMALL)[(players + number) % 4],
        players,
        MORE_RULINGS[(players + number // 2) % len(MORE_RULINGS)],
        sets,
    )
    for players in (2, 3, 4, 5)
    for number, sets in enumerate(SET_CHOICES)
]
CROWDED_GAMES = [Case(players, SMALL, 7, (), ALL_SETS) for players in (2, 3, 4, 5)]
CHOOSING_GAMES = [
    Case(players, SMALL, seed, ("equalCardsFree",) * (seed % 2), ("base", "crossroads"))
    for players, seed in ((2, 8), (3, 1), (4, 25), (5, 0))
]
"""Games in which hands of several cards come up."""
GAMES = [*BASE_GAMES, *EXPANDED_GAMES, *CROWDED_GAMES, *CHOOSING_GAMES]
every_game = pytest.mark.parametrize("case", GAMES, ids=str)

ACTION_NUMBERS = range(-2, 601)


def seats_and_spectator(state: State) -> list[int | None]:
    return [*range(state.setup.players), None]


# ---- states ----------------------------------------------------------------------------------------------------------


@every_game
def test_a_copy_is_equal_and_shares_no_list_with_the_original(case: Case) -> None:
    for step in game(case):
        copy = step.before.copy()
        assert copy == step.before
        assert snapshot(copy) == snapshot(step.before)
        for field in State.__slots__:
            if isinstance(getattr(copy, field), list):
                assert getattr(copy, field) is not getattr(step.before, field), field


@every_game
def test_playing_a_copy_changes_nothing_in_the_original_nor_the_other_way_round(case: Case) -> None:
    for step in game(case):
        original = step.before.copy()
        copy = original.copy()
        untouched = snapshot(original)
        copy.apply(step.action)
        assert snapshot(original) == untouched
        assert copy == step.after
        played_on = snapshot(copy)
        original.apply(step.action)
        assert snapshot(copy) == played_on


def test_states_that_differ_in_any_field_are_not_equal() -> None:
    state = game(Case(3))[40].after
    for field in State.__slots__:
        if field == "_legal":  # derived, and found only when somebody asks
            continue
        other = state.copy()
        value = getattr(state, field)
        setattr(other, field, [*value[:-1], "other"] if isinstance(value, list) else "other")
        assert other != state, field
    assert state != "a state"


@every_game
def test_undo_is_a_copy_kept(case: Case) -> None:
    state = start_of(case)
    kept: list[tuple[State, str]] = []
    for step in game(case):
        kept.append((state.copy(), position_of(state)))
        state.apply(step.action)
    for step, (copy, text) in zip(reversed(game(case)), reversed(kept), strict=True):
        assert position_of(copy) == text
        assert copy == step.before
        assert copy.legal() == step.before.legal()


@every_game
def test_what_is_legal_does_not_depend_on_when_it_was_asked(case: Case) -> None:
    """The answer is kept in the state; a game in which nobody asks must go the same way."""
    silent = start_of(case)
    for step in game(case):
        silent.apply(step.action)
        silent._legal = None
        assert silent == step.after
        assert step.after.copy().legal() == silent.copy().legal()


@every_game
def test_every_state_is_sound(case: Case) -> None:
    check(game(case)[0].before)
    for step in game(case):
        check(step.after)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("supply", [40, 40]),
        ("own", [0, 0]),
        ("near", [0, 0]),
        ("free", AREA),
        ("tiles_left", [2] * 7),
        ("taken", [0, 0]),
        ("held", [127, 127]),
        ("deck", "TTTTTT"),
        ("deck", "TC"),
        ("hands", ["CC", ""]),
        ("builds_left", 4),
        ("awaiting", "rain"),
        ("card_hexes", AREA),
        ("over", True),
        ("source", 0),
    ],
)
def test_the_check_of_soundness_finds_a_field_that_is_wrong(field: str, value: object) -> None:
    states = [step.after for step in game(Case(2)) if step.after.acting is None and not step.after.awaiting]
    state = next(state for state in states if any(state.held) and state.deck and not state.ending).copy()
    check(state)
    setattr(state, field, value)
    state._legal = None
    with pytest.raises(BrokenInvariant, match=r"\w+"):
        check(state)


@every_game
def test_every_game_ends_in_the_round_in_which_the_end_was_triggered(case: Case) -> None:
    steps = game(case)
    assert steps[-1].after.over
    assert steps[-1].after.player == case.players - 1
    triggered = next(step.after for step in steps if step.after.ending)
    assert steps[-1].after.round == triggered.round
    assert not steps[-1].after.legal()
    assert not any(step.before.over for step in steps)


@every_game
def test_seats_take_turns_and_rounds_count_up(case: Case) -> None:
    turns = list(dict.fromkeys((step.before.round, step.before.player) for step in game(case)))
    assert turns == [(n // case.players, n % case.players) for n in range(len(turns))]


@every_game
def test_the_same_actions_lead_to_the_same_game(case: Case) -> None:
    again = list(play_on(start_of(case), Random(case.seed)))
    assert [step.action for step in again] == [step.action for step in game(case)]
    assert again[-1].after == game(case)[-1].after
    assert scores(again[-1].after) == scores(game(case)[-1].after)


# ---- actions ---------------------------------------------------------------------------------------------------------


@every_game
def test_every_action_number_is_either_legal_or_refused_with_a_reason(case: Case) -> None:
    for state in sample(case, 8):
        untouched = snapshot(state)
        legal = state.legal()
        assert legal >= 0
        for action in ACTION_NUMBERS:
            reason = state.why_not(action)
            if action >= 0 and legal >> action & 1:
                assert reason is None
                state.copy().apply(action)
            else:
                assert reason
                assert_one_sentence(str(reason))
                trial = state.copy()
                with pytest.raises(IllegalAction) as refused:
                    trial.apply(action)
                assert refused.value.message == reason
                assert refused.value.action == action
                assert trial == state
                assert trial.legal() == legal
        assert {**snapshot(state), "_legal": None} == {**untouched, "_legal": None}


def assert_one_sentence(reason: str) -> None:
    assert reason[-1] == "."
    assert reason[-2] not in ".;:, "
    assert ". " not in reason
    assert "\n" not in reason
    assert "None" not in reason


@every_game
def test_action_texts_are_unique_and_parse_back(case: Case) -> None:
    for step in game(case):
        texts = legal_texts(step.before)
        assert len(set(texts)) == len(texts) == step.before.legal().bit_count()
        actions = [parse_move(step.before.setup, text) for text in texts]
        assert actions == [[action] for action in bits(step.before.legal())]


@every_game
def test_an_action_once_begun_can_be_finished_from_every_choice(case: Case) -> None:
    """What a move may start from is found by a short cut: it must be the pieces that have a target, and no other."""
    for step in game(case):
        state = step.before
        if isinstance(state.acting, Moving) and state.source is None:
            only_settlements = "meeplesOnlyByOwnAction" in case.options
            movable = state.own[state.player] & ~(state.special_pieces if only_settlements else 0)
            assert bits(state.legal()) == [h for h in bits(movable) if has_target(state, h)]


def has_target(state: State, h: int) -> bool:
    trial = state.copy()
    trial.source = h
    trial._legal = None
    return bool(trial.legal() & AREA)


@every_game
def test_every_legal_action_leads_to_a_sound_state(case: Case) -> None:
    """Not only the one that the random game went on with: no choice is a dead end."""
    for state in sample(case, 12):
        for action in bits(state.legal()):
            after = state.copy()
            after.apply(action)
            check(after)


@every_game
def test_a_tile_can_be_used_exactly_if_its_action_has_a_choice(case: Case) -> None:
    for step in game(case):
        state = step.before
        if state.awaiting or state.acting is not None or state.over:
            continue
        for kind, location in enumerate(state.setup.actions):
            held_ready = bool(state.ready & state.setup.kind_tiles[kind])
            possible = (
                held_ready
                and state.builds_left in (0, 3)
                and bool(location.legal(state))
                and not state.adjacency_lifted
            )
            if not location.lifts_adjacency:
                assert bool(state.legal() >> USE + kind & 1) == possible


@every_game
def test_a_tile_that_lifts_the_adjacency_rule_is_offered_exactly_if_that_opens_hexes(case: Case) -> None:
    """RULES 7, Outpost: declared for a build, after which every hex of its terrain is legal; then it is spent."""
    for step in game(case):
        state = step.before
        lifting = [i for i, action in enumerate(state.setup.actions) if action.lifts_adjacency]
        offered = [i for i in lifting if state.legal() >> USE + i & 1]
        building = state.builds_left and state.acting is None and state.card and not state.awaiting
        for kind in offered:
            declared = state.copy()
            declared.apply(USE + kind)
            assert declared.adjacency_lifted
            assert state.legal() & AREA & ~declared.legal() & ~state.own[state.player] == 0
            assert declared.legal() & ~state.legal()
            assert declared.ready.bit_count() == state.ready.bit_count() - 1
            assert not any(declared.legal() >> USE + i & 1 for i in lifting)
            declared.apply(bits(declared.legal() & AREA)[0])
            assert not declared.adjacency_lifted
        if building and not state.adjacency_lifted:
            opens = bool(state.free & state.card_hexes & ~state.legal())
            ready = any(state.ready & state.setup.kind_tiles[kind] for kind in lifting)
            assert bool(offered) == (opens and ready)


# ---- tiles -----------------------------------------------------------------------------------------------------------


@every_game
def test_tiles_are_taken_on_arrival_and_lost_without_contact(case: Case) -> None:
    """RULES 5.1, 5.2, 5.5 and 7, hex by hex. A nomad tile stays for the next turn, a treasure not even that."""
    for step in game(case):
        before, after = step.before, step.after
        setup = after.setup
        ends_turn = step.action == END and before.acting is None
        for seat in range(case.players):
            arrived = after.own[seat] & ~before.own[seat]
            for tile, side in enumerate(setup.tile_side):
                had, ever = before.held[seat] >> tile & 1, before.taken[seat] >> tile & 1
                takes = bool(side & arrived) and before.tiles_left[tile] > 0 and not ever
                assert after.taken[seat] >> tile & 1 == (takes or ever)
                if setup.location_tiles >> tile & 1:
                    has = bool((takes or had) and side & after.own[seat])
                elif setup.nomad_tiles >> tile & 1:
                    expires = ends_turn and seat == before.player and not before.just_taken >> tile & 1
                    is_treasure = setup.actions[setup.tile_kind[tile]].key == "treasure"
                    has = (takes and not is_treasure) or bool(had and not expires)
                else:
                    has = True
                assert after.held[seat] >> tile & 1 == has


@every_game
def test_tiles_are_ready_used_or_fresh(case: Case) -> None:
    """RULES 5.3, 5.4 and 5.7: of several of a kind the used is lost first, then the fresh, then the ready one."""
    for step in game(case):
        before, after = step.before, step.after
        if isinstance(after.acting, Finale) or after.over or not after.round:
            continue
        for kind, tiles in enumerate(after.setup.kind_tiles):
            ready, used, fresh = tile_standing(before, tiles)
            if (after.round, after.player) != (before.round, before.player):
                ready, used, fresh = (after.held[after.player] & tiles).bit_count(), 0, 0
            elif after.awaiting == HAND:
                continue
            else:
                player = after.player
                repeats = before.acting is not None and not before.setup.actions[kind].lifts_adjacency
                if step.action == USE + kind and not repeats:
                    ready, used = ready - 1, used + 1
                for _ in range((before.held[player] & ~after.held[player] & tiles).bit_count()):
                    if used:
                        used -= 1
                    elif fresh:
                        fresh -= 1
                    else:
                        ready -= 1
                fresh += (after.taken[player] & ~before.taken[player] & after.held[player] & tiles).bit_count()
            assert tile_standing(after, tiles) == (ready, used, fresh)


def tile_standing(state: State, tiles: int) -> tuple[int, int, int]:
    """How many of these tiles the current seat has ready, used and fresh."""
    held = state.held[state.player] & tiles
    counts = (held & state.ready, held & ~state.ready & ~state.just_taken, held & state.just_taken)
    return counts[0].bit_count(), counts[1].bit_count(), counts[2].bit_count()


def test_of_two_tiles_of_a_kind_the_less_useful_one_is_lost() -> None:
    """A jumps from b3, next to the farm of a3, to c1, next to none; the farm of e3 stays with d3."""
    marks = {
        ("a3", "e3"): "e3",
        ("a3", "e3*"): "e3",
        ("a3", "e3+"): "e3",
        ("a3*", "e3"): "e3",
        ("a3*", "e3+"): "e3+",
        ("a3*", "e3*"): "e3*",
        ("a3+", "e3"): "e3",
        ("a3+", "e3*"): "e3+",
        ("a3+", "e3+"): "e3+",
    }
    for (leaving, staying), left in marks.items():
        state = parse_position(
            f"GGGGG/GGGGG/1GGG1/GGGGG/GGG2G(farm,paddock) - - 111 C4D4F4G3T4 - 3A/G/0/paddock>b3 "
            f"37:b3,d3,c5:{leaving},{staying},d5*:G 40:::G"
        )
        play(state, "c1")
        assert position_of(state).split(" ")[7] == f"37:c1,d3,c5:a3-,{left},d5*:G", (leaving, staying)


def test_a_move_from_one_side_of_a_location_to_another_keeps_its_tile() -> None:
    """RULES 5.5: the check is made after arrival. The only piece jumps across the location itself."""
    state = parse_position("GGGGG/GGGGG/GG1GG(paddock) - - 1 C4D4F4G3T4 - 3A/G/0/- 39:b3:c3:G 40:::G")
    play(state, "paddock:b3-d3")
    assert position_of(state).split(" ")[7] == "39:d3:c3*:G"


# ---- moves -----------------------------------------------------------------------------------------------------------


@every_game
def test_joined_moves_replay_to_the_same_state(case: Case) -> None:
    steps = game(case)
    start = steps[0].before
    untouched = snapshot(start)
    actions = [step.action for step in steps]
    moves = join_moves(start, iter(actions))
    state = start.copy()
    replayed: list[Action] = []
    for move in moves:
        replayed += play(state, move)
        # A move is a whole extra action, unless a card is drawn on the way.
        assert state.acting is None or state.awaiting or move[0] == "=" or isinstance(state.acting, Finale)
    assert state == steps[-1].after
    assert replayed == actions
    assert snapshot(start) == untouched
    assert all(move.count("=") == (move[0] == "=") for move in moves)


@every_game
def test_records_round_trip(case: Case) -> None:
    steps = game(case)
    written = Record.of(steps[0].before, [step.action for step in steps])
    read = parse_record(str(written))
    assert read == written
    assert str(read) == str(written)
    assert read.actions() == [step.action for step in steps]
    assert read.game(draws=False).state == steps[-1].after
    assert read.game(draws=False).states() == [*(step.before for step in steps), steps[-1].after]


def count_sequences(state: State, depth: int) -> int:
    """Perft: the number of action sequences of this length."""
    if not depth:
        return 1
    total = 0
    for action in bits(state.legal()):
        after = state.copy()
        after.apply(action)
        total += count_sequences(after, depth - 1)
    return total


def count_sequences_by_trying(state: State, depth: int) -> int:
    """The same by trying every number there is, with every state read again from its position."""
    if not depth:
        return 1
    total = 0
    for action in ACTION_NUMBERS:
        after = parse_position(position_of(state)) if action in DRAWN else state.copy()
        try:
            after.apply(action)
        except IllegalAction:
            continue
        total += count_sequences_by_trying(after, depth - 1)
    return total


def test_sequences_of_the_first_game_are_those_that_the_map_allows() -> None:
    """Two cards are dealt, then seat A builds anywhere on its terrain."""
    state = State(first_game())
    letters = "".join(state.setup.board.map)
    assert count_sequences(state, 1) == 5
    assert count_sequences(state, 2) == 25
    assert count_sequences(state, 3) == 5 * sum(letters.count(card) for card in "CDFGT")


@pytest.mark.parametrize("seed", range(6))
def test_counting_sequences_twice_and_by_trying_gives_the_same(seed: int) -> None:
    case = Case(2 + seed % 4, SMALL, seed)
    for state in sample(case, 4):
        assert count_sequences(state, 2) == count_sequences(state, 2) == count_sequences_by_trying(state, 2)


# ---- saving and loading ----------------------------------------------------------------------------------------------


@every_game
def test_every_state_of_a_game_can_be_saved_and_loaded(case: Case) -> None:
    for state in [game(case)[0].before, *(step.after for step in game(case))]:
        text = position_of(state)
        loaded = parse_position(text)
        assert loaded == state
        assert type(loaded) is State
        assert loaded.legal() == state.legal()
        assert position_of(loaded) == text


@every_game
def test_every_observation_can_be_saved_and_loaded(case: Case) -> None:
    for state in sample(case, 60):
        for seat in seats_and_spectator(state):
            seen = observe(state, seat)
            loaded = parse_position(position_of(seen))
            assert loaded == seen
            assert loaded.legal() == seen.legal()
            assert isinstance(loaded, Observation) == any(HIDDEN in hand for hand in seen.hands)


@every_game
def test_a_game_played_on_from_its_saved_states_is_the_same_game(case: Case) -> None:
    loaded = parse_position(position_of(game(case)[0].before))
    for step in game(case):
        loaded.apply(step.action)
        loaded = parse_position(position_of(loaded))
    assert loaded == game(case)[-1].after


# ---- hidden cards ----------------------------------------------------------------------------------------------------


def hidden_cards(state: State, seat: int | None) -> dict[int, str]:
    """The cards of each other seat that this seat may not see.

    The card in play lies face up until the turn is over; the others of a hand of several stay hidden. Equal cards that
    are played as another terrain lie open, all of them.
    """
    hidden = {}
    for other, hand in enumerate(state.hands):
        if other == seat:
            continue
        if other == state.player and state.card:
            hand = hand.replace(state.card, "", 1) if state.card in hand else ""
        if hand:
            hidden[other] = hand
    return hidden


def redealt(state: State, hidden: dict[int, str], rng: Random, kept_in_deck: str = "") -> State:
    """The state with these cards and those of the draw pile dealt again."""
    other = state.copy()
    pile = [*state.deck, *"".join(hidden.values())]
    for card in kept_in_deck:
        pile.remove(card)
    rng.shuffle(pile)
    for seat, cards in hidden.items():
        kept = list(state.hands[seat])
        for card in cards:
            kept.remove(card)
        other.hands[seat] = "".join(sorted([*kept, *[pile.pop() for _ in cards]]))
    other.deck = "".join(sorted([*pile, *kept_in_deck]))
    other._legal = None
    return other


def choice_is_hidden(state: State, seat: int | None) -> bool:
    """Whether the current seat is to choose between cards that this seat does not see."""
    return seat != state.player and state.choice_is_open() and not state.awaiting and not state.over


@every_game
def test_states_that_differ_in_hidden_cards_only_look_the_same(case: Case) -> None:
    rng = Random(case.seed)
    differed = 0
    asked = (0, END, DRAW, CHOOSE, CHOOSE + 3, USE)
    for state in sample(case, 60):
        for seat in seats_and_spectator(state):
            other = redealt(state, hidden_cards(state, seat), rng)
            differed += other != state
            seen, seen_other = observe(state, seat), observe(other, seat)
            assert position_of(seen).encode() == position_of(seen_other).encode()
            assert seen == seen_other
            assert seen.legal() == seen_other.legal()
            assert [seen.why_not(a) for a in asked] == [seen_other.why_not(a) for a in asked]
    assert differed


@every_game
def test_an_observation_shows_what_is_open_and_keeps_every_card(case: Case) -> None:
    for state in [step.after for step in game(case)][::2]:
        for seat in seats_and_spectator(state):
            untouched = snapshot(state)
            seen = observe(state, seat)
            assert snapshot(state) == untouched
            hidden = hidden_cards(state, seat)
            for other, hand in enumerate(state.hands):
                open_cards = Counter(hand) - Counter(hidden.get(other, ""))
                assert Counter(seen.hands[other]) == open_cards + Counter(HIDDEN * len(hidden.get(other, "")))
            assert Counter(seen.deck) == Counter(state.deck + "".join(hidden.values()))
            assert seen.discard == state.discard
            if not state.awaiting and not choice_is_hidden(state, seat):
                assert seen.legal() == state.legal()


# A chooses between canyon and desert; B, who has one card, and a spectator watch.
CHOICE = "CCCDD/CC1DD/GGGGG(crossroads) - - 1 C3D3F5G5T5 - 3A/-/3/- 39:c1:c2:CD 40:::C"


def test_a_choice_between_cards_is_hidden_until_one_is_played() -> None:
    state = parse_position(CHOICE)
    assert {action for action in bits(state.legal()) if action in CHOSEN} == {CHOOSE, CHOOSE + 1}
    for seat in (1, None):
        seen = observe(state, seat)
        assert seen.hands[0] == HIDDEN * 2
        other = parse_position(CHOICE.replace("C3D3F5G5T5", "C4D3F5G4T5").replace(":CD", ":DG"))
        assert observe(other, 1) == observe(state, 1)
        assert CHOOSE + 3 in bits(seen.legal())  # whoever does not know the hand thinks grass possible
        assert seen.why_not(CHOOSE + 4) is not None  # but not a terrain that the map has not got
    play(state, "!D")
    assert state.memory == {CHOSEN_CARD: 1}
    for seat in (1, None):
        seen = observe(state, seat)
        assert seen.hands[0] == HIDDEN + "D"
        assert seen.legal() == state.legal()
        assert "C" not in seen.hands[0]
        assert parse_position(position_of(seen)) == seen
    assert observe(state, 0).hands[0] == "CD"
    other = parse_position(position_of(state).replace("C3D3F5G5T5", "C4D3F5G4T5").replace(":CD", ":DG"))
    assert position_of(observe(other, 1)) == position_of(observe(state, 1))


def test_equal_cards_played_as_another_terrain_lie_open() -> None:
    line = "CCCDD/CC1DD/GGGGG(crossroads) - equalCardsFree 1 C3D3F5G5T5 - 3A/-/3/- 39:c1:c2:DD 40:::C"
    state = parse_position(line)
    assert [action for action in bits(state.legal()) if action in CHOSEN] == [CHOOSE, CHOOSE + 1, CHOOSE + 3]
    assert observe(state, 1).hands[0] == HIDDEN * 2
    play(state, "!G")
    assert observe(state, 1).hands[0] == "DD"
    assert parse_position(position_of(state)) == state


def test_a_hidden_choice_is_determinized_to_hands_that_leave_one() -> None:
    """RULES 4.3: cards that allow no hex have left the game at once, so the hidden hand holds one that does."""
    seen = observe(parse_position(CHOICE), 1)
    for seed in range(60):
        check(determinize(seen, Random(seed)))


def test_an_observation_is_not_played_on() -> None:
    seen = observe(game(Case(2))[10].after, 0)
    untouched = snapshot(seen)
    with pytest.raises(HiddenCard, match="determinize"):
        seen.apply(bits(seen.legal())[0])
    assert {**snapshot(seen), "_legal": None} == {**untouched, "_legal": None}


@every_game
def test_determinizations_agree_with_the_observation(case: Case) -> None:
    rng = Random(case.seed)
    for number, state in enumerate(sample(case, 12)):
        for seat in seats_and_spectator(state):
            seen = observe(state, seat)
            untouched = snapshot(seen)
            guess = determinize(seen, rng)
            assert type(guess) is State
            assert observe(guess, seat) == seen
            assert snapshot(seen) == untouched
            assert all_cards(guess) == all_cards(state)
            assert list(map(len, guess.hands)) == list(map(len, state.hands))
            if not state.awaiting and not choice_is_hidden(state, seat):
                assert guess.legal() == state.legal()
            check(guess)
            assert parse_position(position_of(guess)) == guess
            if number % 6 == (seat or 0):
                for step in play_on(guess, rng):
                    guess = step.after
                assert guess.over
                check(guess)


def all_cards(state: State) -> Counter[str]:
    return Counter(state.deck + state.discard + "".join(state.hands))


def test_determinizations_vary_and_are_as_likely_as_the_cards() -> None:
    """Seat B holds one of four unseen cards, three of them desert."""
    state = parse_position("CDDDD/GGGGG - - - D2F1 CCCCC 3A/D/3/- 40:::D 40:::D")
    seen = observe(state, 0)
    assert seen.hands == ["D", HIDDEN]
    assert seen.deck == "DDDF"
    hands = Counter(determinize(seen, Random(seed)).hands[1] for seed in range(2000))
    assert set(hands) == {"D", "F"}
    assert 1400 < hands["D"] < 1600
    spectator = observe(state, None)
    assert determinize(spectator, Random(1)).hands[0] == "D"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_determinizations_of_a_whole_table_vary(players: int) -> None:
    state = next(step.after for step in game(Case(players)) if step.after.round == 2 and not step.after.awaiting)
    rng = Random(players)
    hands = {tuple(determinize(observe(state, None), rng).hands) for _ in range(40)}
    assert len(hands) > (3 if players == 2 else 15)
    assert {hand[state.player] for hand in hands} == {state.card}


# ---- events ----------------------------------------------------------------------------------------------------------


@every_game
def test_events_are_the_differences_between_the_states(case: Case) -> None:
    for step in game(case):
        before, action, after = step.before, step.action, step.after
        setup = before.setup
        happened = events(before, action, after)
        own = list(before.own)
        supply = list(before.supply)
        walls, scouts = before.memory.get(WALLS, 0), before.scouts
        held, taken = list(before.held), list(before.taken)
        for event in happened:
            if isinstance(event, CardRemoved | TurnBegun):
                assert event.seat == after.player
            else:
                assert str(event).startswith("ABCDE"[event.seat] + " ")
            if isinstance(event, Built):
                bit = BIT[event.hex]
                if event.piece is Wall:
                    walls |= bit
                elif event.piece is Scout:
                    scouts |= bit
                else:
                    assert not own[event.seat] & bit
                    own[event.seat] |= bit
                    assert (event.piece is Settlement) == (not after.special_pieces & bit)
                    supply[event.seat] -= event.piece is Settlement
            elif isinstance(event, Removed):
                assert own[event.seat] >> event.hex & 1
                own[event.seat] ^= BIT[event.hex]
                assert (event.piece is Settlement) == (not before.special_pieces >> event.hex & 1)
                supply[event.seat] += event.piece is Settlement
            elif isinstance(event, Moved):
                assert own[event.seat] >> event.source & 1
                own[event.seat] ^= BIT[event.source] | BIT[event.target]
                assert before.special_pieces >> event.source & 1 == after.special_pieces >> event.target & 1
            elif isinstance(event, TileTaken):
                tile = setup.tile_hex.index(event.hex)
                assert setup.actions[setup.tile_kind[tile]] is event.action
                held[event.seat] |= 1 << tile
                taken[event.seat] |= 1 << tile
                assert after.tiles_left[tile] == before.tiles_left[tile] - 1
                if event.action.key == "treasure":  # spent at once
                    held[event.seat] ^= 1 << tile
            elif isinstance(event, TileLost):
                tile = setup.tile_hex.index(event.hex)
                assert setup.actions[setup.tile_kind[tile]] is event.action
                assert held[event.seat] >> tile & 1
                held[event.seat] ^= 1 << tile
        assert own == after.own
        markers = [after.of_seat("mayors", seat) ^ before.of_seat("mayors", seat) for seat in range(case.players)]
        assert [left - mark.bit_count() for left, mark in zip(supply, markers, strict=True)] == after.supply
        assert walls == after.memory.get(WALLS, 0)
        assert not after.scouts & ~scouts
        assert held == after.held
        assert taken == after.taken
        kinds = Counter(type(event) for event in happened)
        assert kinds[TileTaken] == sum(before.tiles_left) - sum(after.tiles_left)
        uses = [event.action for event in happened if isinstance(event, TileUsed)]
        assert [use for use in uses if not isinstance(use, Finale)] == (
            [setup.actions[action - USE]] if action >= USE else []
        )
        chosen = [event for event in happened if isinstance(event, CardChosen)]
        assert chosen == ([CardChosen(before.player, CHOSEN[action])] if action in CHOSEN else [])
        counted = [(e.seat, e.component.key, e.before, e.after) for e in happened if isinstance(e, Counted)]
        assert sorted(counted) == sorted(changed_counts(before, after))
        assert kinds[EndTriggered] == (after.ending and not before.ending)
        drawn = [event for event in happened if isinstance(event, CardDrawn)]
        assert drawn == ([CardDrawn(before.player, DRAWN[action])] if action in DRAWN else [])
        begun = [event for event in happened if isinstance(event, TurnBegun)]
        new_turn = after.round and (after.round, after.player) != (before.round, before.player)
        if not isinstance(after.acting, Finale) and not after.over:
            assert [(event.seat, event.round) for event in begun] == [(after.player, after.round)] * bool(new_turn)
        won = [event.seat for event in happened if isinstance(event, GameOver)]
        assert won == (winners(after) if after.over else [])


def changed_counts(before: State, after: State) -> list[tuple[int, str, int, int]]:
    """The components whose number for a seat has changed, and the new number."""
    return [
        (seat, component.key, before.of_seat(field, seat), after.of_seat(field, seat))
        for component in before.setup.components
        for field, kind in component.fields.items()
        for seat in range(before.setup.players)
        if kind == BY_SEAT and before.of_seat(field, seat) != after.of_seat(field, seat)
    ]


def draws_for_itself(step: Step) -> bool:
    """Whether an extra action has a card in its hands before or after the step."""
    return ACTION in (step.before.awaiting, step.after.awaiting) or "fort" in {
        **step.before.memory,
        **step.after.memory,
    }


def check_card_events(step: Step) -> None:
    before, action, after = step.before, step.action, step.after
    happened = events(before, action, after)
    removed = "".join(event.terrain for event in happened if isinstance(event, CardRemoved))
    assert Counter(removed) == all_cards(before) - all_cards(after)
    assert all(str(event) for event in happened)
    discarded = before.hands[before.player] if action == END and before.acting is None else ""
    shuffled = [event for event in happened if isinstance(event, DeckShuffled)]
    assert len(shuffled) == (bool(before.discard + discarded) and not after.discard)


@every_game
def test_cards_are_reported_as_removed_and_shuffled_exactly_when_they_are(case: Case) -> None:
    for step in game(case):
        if not draws_for_itself(step):
            check_card_events(step)


FORT = "GGGGG/GG1GG/GGGGG(fort) - - 1 C5D5F5G3T5 - 3A/G/0/- 39:c1:c2:G 40:::G"


@pytest.mark.parametrize("card", "GC")
def test_the_card_of_the_fort_is_neither_removed_nor_shuffled(card: str) -> None:
    state = parse_position(FORT)
    for text in ("fort", "=" + card, *["b1"] * (card == "G")):
        before = state.copy()
        (action,) = play(state, text)
        happened = events(before, action, state)
        assert all(str(event) for event in happened)
        assert not [event for event in happened if isinstance(event, CardRemoved | DeckShuffled)]
    assert state.discard == card


def test_several_useless_cards_are_reported_one_by_one() -> None:
    before = parse_position("GGGGG/GG1GG/GGGGG(crossroads) - - 2 C3D4F5G4T5 C 3A/-/0/= 40::: 40:::CD")
    after = before.copy()
    play(after, "=T")
    assert after.awaiting == CARD
    check_card_events(Step(before, DRAWING["T"], after))
    told = [event.terrain for event in events(before, DRAWING["T"], after) if isinstance(event, CardRemoved)]
    assert sorted(told) == ["C", "D"]


@pytest.mark.parametrize("case", CHOOSING_GAMES, ids=str)
def test_cards_are_chosen_in_the_games_that_are_about_it(case: Case) -> None:
    assert sum(step.action in CHOSEN for step in game(case)) >= 2


@every_game
def test_the_end_is_brought_by_the_seat_that_is_in_turn_then(case: Case) -> None:
    for step in game(case):
        for event in events(step.before, step.action, step.after):
            if isinstance(event, EndTriggered):
                assert event.seat == step.after.player


@pytest.mark.parametrize("seat", [1, None])
def test_discarding_several_cards_is_not_reported_as_a_shuffle(seat: int | None) -> None:
    """B and a spectator saw one of A's two cards; when both are discarded, nothing is shuffled."""
    before = parse_position("CCCDD/CC1DD/GGGGG(crossroads) - - 1 C3D3F5G5T5 - 3A/D/0/- 39:c1:c2:CD 40:::C chosen=1")
    after = before.copy()
    play(after, ".")
    assert not [e for e in events(before, END, after) if isinstance(e, DeckShuffled)]
    assert not [e for e in events(observe(before, seat), END, observe(after, seat)) if isinstance(e, DeckShuffled)]


@every_game
def test_events_between_observations_reveal_no_hidden_card(case: Case) -> None:
    """They stay the same when the cards that the seat may not see are dealt again and another card is drawn."""
    rng = Random(case.seed)
    hidden_draws = 0
    for step in game(case):
        before, action, after = step.before, step.action, step.after
        for seat in seats_and_spectator(before):
            told = events(observe(before, seat), action, observe(after, seat))
            assert told == as_told_to(events(before, action, after), seat, before.awaiting == HAND)
            # The card that is turned up next is not a secret of this step, nor are those chosen from or discarded.
            revealed = {(before.player + 1) % case.players}
            if before.choice_is_open() or action == END:
                revealed.add(before.player)
            hidden = {other: cards for other, cards in hidden_cards(before, seat).items() if other not in revealed}
            hidden_draw = before.awaiting == HAND and before.player != seat
            kept = DRAWN[action] if action in DRAWN and not hidden_draw else ""
            other_before = redealt(before, hidden, rng, kept)
            other_action = DRAWING[rng.choice(other_before.deck)] if hidden_draw else action
            hidden_draws += hidden_draw and other_action != action
            other_after = other_before.copy()
            other_after.apply(other_action)
            assert events(observe(other_before, seat), other_action, observe(other_after, seat)) == told
    assert hidden_draws


def as_told_to(happened: list[Event], seat: int | None, hand_drawn: bool) -> list[Event]:
    """The events, the card masked that another seat drew for its hand."""
    return [
        CardDrawn(event.seat, HIDDEN) if isinstance(event, CardDrawn) and hand_drawn and event.seat != seat else event
        for event in happened
    ]


# ---- the board turned by 180 degrees ---------------------------------------------------------------------------------


MIRRORED = [
    *[case for case in GAMES if case.board != SMALL],
    *[Case(players, PRINTED, 11 + seed, (), ALL_SETS) for players in (2, 3, 4, 5) for seed in range(2)],
    *[Case(players, WIDE, 11, (), ALL_SETS) for players in (2, 3, 4, 5)],
]


@pytest.mark.parametrize("case", MIRRORED, ids=str)
def test_a_game_on_the_turned_board_is_the_turned_game(case: Case) -> None:
    start = start_of(case)
    setup = start.setup
    mirror = State(turned_setup(setup))
    assert mirror.setup.capitols == turned(setup.capitols)
    assert mirror.setup.board.caves == turned(setup.board.caves)
    assert [tile.key for tile in mirror.setup.nomads.values()] == [tile.key for tile in setup.nomads.values()][::-1]
    locations, nomads = len(setup.board.locations), len(setup.nomads)
    for step in play_on(start, Random(case.seed)):
        assert mirror.legal() == turned_actions(step.before.legal(), setup, mirror.setup)
        mirror.apply(turned_action(step.action, setup, mirror.setup))
        check(mirror)
        after = step.after
        assert mirror.own == list(map(turned, after.own))
        assert mirror.near == list(map(turned, after.near))
        sets_of_hexes = ("free", "card_hexes", "special_pieces", "scouts", "blocked")
        for name in sets_of_hexes:
            assert getattr(mirror, name) == turned(getattr(after, name) & AREA), name
        assert mirror.tiles_left[:locations] == after.tiles_left[:locations][::-1]
        assert mirror.tiles_left[locations:][:nomads] == after.tiles_left[locations:][:nomads][::-1]
        assert tile_counts(mirror) == tile_counts(after)
        for name in (
            "deck",
            "discard",
            "hands",
            "supply",
            "over",
            "ending",
            "builds_left",
            "steps",
            "awaiting",
            "adjacency_lifted",
        ):
            assert getattr(mirror, name) == getattr(after, name), name
        check_turned_store(mirror, after)
    final = step.after
    assert scores(mirror) == scores(final)
    assert winners(mirror) == winners(final)
    for seat in range(case.players):
        gold = [(line.card, line.gold) for line in breakdown(final, seat)]
        assert [(line.card, line.gold) for line in breakdown(mirror, seat)] == gold


def check_turned_store(mirror: State, state: State) -> None:
    assert set(mirror.memory) == set(state.memory)
    for field, value in state.memory.items():
        kind = state.setup.fields[field]
        if field == "silos":  # they are played in the order of the hexes
            assert mirror.memory[field].bit_count() == value.bit_count()
        elif kind == HEXES:
            assert mirror.memory[field] == turned(value), field
        elif field in ("mayors", "roved"):  # rows and sectors
            assert mirror.memory[field].bit_count() == value.bit_count()
        elif field != "repeated":  # the number of an action
            assert mirror.memory[field] == value, field


def turned_action(action: Action, setup: Setup, mirror: Setup) -> Action:
    """The action that does on the turned board what this one does here."""
    if action < END:
        return bits(turned(1 << action))[0]
    if action < USE:
        return action
    return USE + [location.key for location in mirror.actions].index(setup.actions[action - USE].key)


def turned_actions(actions: ActionSet, setup: Setup, mirror: Setup) -> ActionSet:
    return sum(1 << turned_action(action, setup, mirror) for action in bits(actions))


def tile_counts(state: State) -> dict[str, list[tuple[int, int, int, int]]]:
    """For each kind of location, how many tiles of it each seat took, has, may use and has fresh."""
    counts: dict[str, list[tuple[int, int, int, int]]] = {}
    for kind, location in enumerate(state.setup.actions):
        tiles = state.setup.kind_tiles[kind]
        counts[location.key] = [
            (
                (state.taken[seat] & tiles).bit_count(),
                (state.held[seat] & tiles).bit_count(),
                (state.ready & tiles).bit_count(),
                (state.just_taken & tiles).bit_count(),
            )
            for seat in range(state.setup.players)
        ]
    return counts


# ---- scores ----------------------------------------------------------------------------------------------------------


@every_game
def test_the_winners_are_all_seats_with_most_gold(case: Case) -> None:
    final = game(case)[-1].after
    totals = scores(final)
    assert winners(final) == [seat for seat in range(case.players) if totals[seat] == max(totals)]
    for seat in range(case.players):
        lines = breakdown(final, seat)
        assert [line.card for line in lines] == list(final.setup.scoring)
        assert sum(line.gold for line in lines) == totals[seat]


def test_equal_totals_share_the_victory() -> None:
    """Hermits pays for areas: A and C have two each, B has one."""
    state = parse_position("GGGGGGGGG hermits - - C5D5F5G5T2 - 5C!/T/0/# 38:a1,c1:: 38:e1,f1:: 38:g1,i1::T")
    assert scores(state) == [2, 1, 2]
    assert winners(state) == [0, 2]
    nobody = State(make_setup(Board(["GG"]), [], 4))
    assert winners(nobody) == [0, 1, 2, 3]


@pytest.mark.parametrize("board", [PRINTED, SMALL, WIDE])
def test_every_card_pays_something_sensible_at_every_moment(board: str) -> None:
    """Gold is never negative, nothing pays without pieces, and what pays lies on the board."""
    case = Case(3, board, 5)
    setup = every_card(start_of(case).setup.board, 3)
    check_gold(setup, ("lords",))


PAY_BY_COUNTING = ("lords", "families", "shepherds", "ambassadors", "rovers", "mayors", "treasures")


@pytest.mark.parametrize("board", [PRINTED, SMALL, WIDE])
def test_every_card_and_task_of_all_boxes_pays_something_sensible(board: str) -> None:
    drawn = start_of(Case(3, board, 5, (), ALL_SETS)).setup
    nomads = {h: tile.key for h, tile in drawn.nomads.items()}
    setup = make_setup(drawn.board, ALL_CARDS, 3, tasks=TASKS, nomads=nomads, capitols=drawn.board.castles)
    check_gold(setup, PAY_BY_COUNTING)


def check_gold(setup: Setup, without_hexes: tuple[str, ...]) -> None:
    state = State(setup)
    assert scores(state) == [0, 0, 0]
    for step in play_on(state, Random(5)):
        if step.after.round % 3 == 0:
            for seat in range(3):
                for line in breakdown(step.after, seat):
                    assert line.gold >= 0
                    assert not line.hexes & ~setup.board.hexes
                    assert line.gold == 0 or line.hexes or line.card.key in without_hexes


# ---- games that run out of room and cards ----------------------------------------------------------------------------


def small_games() -> list[tuple[Step, ...]]:
    return [game(replace(case, seed=seed)) for case in BASE_GAMES if case.board == SMALL for seed in range(6)]


def test_the_small_games_replace_cards_before_between_and_after_the_builds() -> None:
    """The random games do come to the rare places; otherwise the tests above would say little."""
    todo_when_replaced = Counter(
        step.after.builds_left for steps in small_games() for step in steps if step.after.awaiting == CARD
    )
    assert set(todo_when_replaced) == {0, 1, 2, 3}
    assert any(step.after.over and all(step.after.supply) for steps in small_games() for step in steps)
    assert any(not step.after.deck for steps in small_games() for step in steps)


def test_random_games_come_to_every_rare_place_of_the_boxes() -> None:
    used: set[str] = set()
    lost: set[str] = set()
    seen: Counter[str] = Counter()
    keys = [location.key for box in BOXES.values() for location in box.locations]
    games: list[Iterable[Step]] = [game(case) for case in GAMES]
    for seed in range(8):  # every location is on two of these boards
        case = Case(2 + seed % 4, WIDE, seed, (), ALL_SETS)
        rng = Random(seed)
        board = drawn_board(rng, 20, 20, ALL_SETS, keys[seed % 4 * 7 :][:7])
        games.append(play_on(State(drawn_setup(rng, board, case)), rng))
    for steps in games:
        for step in steps:
            after = step.after
            seen["several cards"] += after.choice_is_open()
            seen["a card chosen"] += CHOSEN_CARD in after.memory
            seen["a draw for an action"] += after.awaiting == ACTION
            seen["two cards to draw"] += after.awaiting == HAND and after.steps > 1
            seen["silos"] += isinstance(after.acting, Finale)
            seen["adjacency lifted"] += after.adjacency_lifted
            seen["adjacency lifted in an action"] += after.adjacency_lifted and after.acting is not None
            for field in after.memory:
                seen[field] += 1
            for event in events(step.before, step.action, after):
                if isinstance(event, TileUsed) and not isinstance(event.action, Finale):
                    used.add(event.action.key)
                elif isinstance(event, TileLost):
                    lost.add(event.action.key)
                elif isinstance(event, Removed) and event.seat != step.before.player:
                    seen["a piece taken from another seat"] += 1
    everything = {*keys, *NOMAD_TILES}
    assert used == everything - {"crossroads", "treasure"} | {"farm-action", "cave-move"}
    assert len(lost) >= 20
    fields = {"walls", "warriors", "wagons", "ships", "city-halls", "families", "shepherds", "ambassadors", "rovers"}
    fields |= {"mayors", "cathedral", "treasure", "silo-use", "repeated", "fort", "family", "roved"}
    assert not [key for key, count in seen.items() if not count]
    assert not fields - set(seen)


@settings(max_examples=30, deadline=None, database=None, suppress_health_check=list(HealthCheck))  # pyright: ignore[reportArgumentType]
@given(
    st.builds(
        Case,
        players=st.integers(2, 5),
        board=st.sampled_from([SMALL, SMALL, WIDE]),
        seed=st.integers(0, 10**6),
        options=st.sampled_from(RULINGS + MORE_RULINGS + [("siloLive",)]),
        sets=st.sampled_from([BASE, *SET_CHOICES]),
    )
)
def test_any_drawn_map_can_be_played_saved_and_explained(case: Case) -> None:
    rng = Random(case.seed)
    for step in play_on(start_of(case), rng):
        check(step.after)
        assert parse_position(position_of(step.after)) == step.after
        assert all(str(event) for event in events(step.before, step.action, step.after))
        assert str(step.after.why_not(rng.randrange(END))) != ""
