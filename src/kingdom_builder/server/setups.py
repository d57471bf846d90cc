"""Setups of the games that people ask for."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random, SystemRandom

from kingdom_builder.board import Board, Section, printed_sections
from kingdom_builder.board.sections import OWN
from kingdom_builder.content import BOXES, board_of, first_game, random_setup, sections_of
from kingdom_builder.content.maps import parse_checked
from kingdom_builder.message import Message, Refusal, quoted
from kingdom_builder.notation import action_text, parse_position, under_present_rules
from kingdom_builder.notation.positions.reading import parse_board
from kingdom_builder.notation.span import Span
from kingdom_builder.rules import Deal, Observation, State, determinize, due_draws
from kingdom_builder.rules.state import HIDDEN
from kingdom_builder.server.messages import SetupChoice

FEWEST_SEATS, MOST_SEATS = 2, 5
CARDS = 3
"""The number of Kingdom Builder cards of a setup."""

FIRST = "first"
SEEDS = 1_000_000
SEED_LENGTH = 40


def start_of(choice: SetupChoice, players: int, own: Mapping[str, Section]) -> tuple[State, str]:
    """The state before the first card is dealt, and the seed that gives it again. Raises Refusal.

    `own` are the sections of this server that take the place of printed ones, or that it has besides them.
    """
    seed = choice.seed or str(SystemRandom().randrange(SEEDS))
    if len(seed) > SEED_LENGTH:
        raise Refusal(Message("the seed has {n} characters: expected at most {most}", n=len(seed), most=SEED_LENGTH))
    return _start(choice, players, Random(f"setup {seed}"), own), seed


def _start(choice: SetupChoice, players: int, rng: Random, own: Mapping[str, Section]) -> State:
    if choice.position is not None:
        state = parse_position(under_present_rules(choice.position))
        if state.setup.players != players:
            raise Refusal(
                Message("{n} seats: expected {expected} as in the position", n=players, expected=state.setup.players)
            )
        if state.over:
            raise Refusal(Message("the game of this position is over: expected one that can go on"))
        if isinstance(state, Observation):
            if sum(hand.count(HIDDEN) for hand in state.hands) > len(state.deck) - bool(state.awaiting):
                raise Refusal(Message("too many hidden cards in the position: expected no more than are unseen"))
            return determinize(state, SystemRandom())
        return state
    if choice.board == FIRST:
        return State(first_game(players, choice.options))
    for key in choice.sets:
        if key not in BOXES and key != OWN:
            raise Refusal(
                Message("unknown set {key}: expected some of {known}", key=quoted(key), known=", ".join(BOXES))
            )
    if choice.sections:
        own = {**own, **parse_checked(choice.sections).sections}
    board = _board(choice.board, {**printed_sections(), **own}) if choice.board else None
    if choice.cards is not None and len(choice.cards) != CARDS:
        raise Refusal(
            Message("{n} cards: expected {expected}, or none to let chance decide", n=len(choice.cards), expected=CARDS)
        )
    return State(
        random_setup(
            rng,
            players,
            sets=choice.sets,
            board=board,
            cards=choice.cards,
            options=choice.options,
            sections=sections_of(choice.sets, own),
        )
    )


def _board(text: str, sections: Mapping[str, Section]) -> Board:
    """The board of four of these sections, or of a drawn map."""
    return board_of(text, sections) if text[:1].islower() else parse_board(Span.of(text))


def another(choice: SetupChoice) -> SetupChoice:
    """The same kind of game on another board."""
    return replace(choice, board=None, seed=None, position=None)


def dealt(start: State, deal: Deal) -> str:
    """The draws that are due in a state, as moves."""
    return " ".join(action_text(start.setup, action) for action in due_draws(start, deal))


def without_comments(maps: str) -> str:
    """The text of a map file as logs keep it: what people wrote about it could not be deleted there."""
    return "\n".join(line for line in maps.splitlines() if not line.lstrip().startswith(";"))
