"""The games that people ask for."""

from dataclasses import replace
from random import Random, SystemRandom

from kingdom_builder.content import BOXES, board_of, first_game, random_setup
from kingdom_builder.notation import action_text, parse_position, under_present_rules
from kingdom_builder.rules import Observation, State, determinize, due_draws
from kingdom_builder.rules.state import HIDDEN
from kingdom_builder.server.messages import SetupChoice

FIRST = "first"
SEEDS = 1_000_000
SEED_LENGTH = 40


def start_of(choice: SetupChoice, players: int) -> tuple[State, str]:
    """The state before the first card, and the seed that gives it again. Raises ValueError with a sentence."""
    seed = choice.seed or str(SystemRandom().randrange(SEEDS))
    if len(seed) > SEED_LENGTH:
        raise ValueError(f"the seed has {len(seed)} characters: expected at most {SEED_LENGTH}")
    return _start(choice, players, Random(f"setup {seed}")), seed


def _start(choice: SetupChoice, players: int, rng: Random) -> State:
    if choice.position is not None:
        state = parse_position(under_present_rules(choice.position))
        if state.setup.players != players:
            raise ValueError(f"{players} seats: expected {state.setup.players} as in the position")
        if state.over:
            raise ValueError("the game of this position is over: expected one that can go on")
        if isinstance(state, Observation):
            if sum(hand.count(HIDDEN) for hand in state.hands) > len(state.deck) - bool(state.awaiting):
                raise ValueError("too many hidden cards in the position: expected no more than are unseen")
            return determinize(state, SystemRandom())
        return state
    if choice.board == FIRST:
        return State(first_game(players, choice.options))
    for key in choice.sets:
        if key not in BOXES:
            raise ValueError(f"unknown set {key!r}: expected some of {', '.join(BOXES)}")
    board = board_of(choice.board) if choice.board else None
    if choice.cards is not None and len(choice.cards) != 3:
        raise ValueError(f"{len(choice.cards)} cards: expected 3, or none to let chance decide")
    return State(random_setup(rng, players, sets=choice.sets, board=board, cards=choice.cards, options=choice.options))


def another(choice: SetupChoice) -> SetupChoice:
    """The same kind of game on another board."""
    return replace(choice, board=None, seed=None, position=None)


def deal(start: State, rng: Random) -> str:
    """The draws that are due in a state, as moves."""
    return " ".join(action_text(start.setup, action) for action in due_draws(start, rng.random))
