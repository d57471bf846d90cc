"""What a seat may know, and how the hidden rest may look."""

from random import Random
from typing import TypeVar

from kingdom_builder.message import Message
from kingdom_builder.rules.actions import Action
from kingdom_builder.rules.errors import HiddenCard
from kingdom_builder.rules.state import HIDDEN, State

MOST_TRIES = 1000
"""How often `determinize` draws the hidden cards again when the result is impossible."""


Perspective = int | None
"""Who looks at a game: a seat, None for a spectator, or EVERYTHING where nothing is hidden."""

EVERYTHING: Perspective = -1


class Observation(State):
    """A state as one seat sees it, for reading only: it has all methods of a state, but no action can be applied.

    Cards that the seat may not see are `?` in the hands. They are also in `deck`, among the cards that may still come:
    the draw pile of an observation holds every unseen card.
    """

    __slots__ = ()

    @classmethod
    def of(cls, state: State) -> "Observation":
        """An observation made from a state that already hides cards."""
        return _copy_as(cls, state)

    def apply(self, action: Action) -> None:
        raise HiddenCard(Message("An observation hides cards: play on from a state that determinize() makes of it."))

    def until_next_draw(self) -> State:
        """A state that hides the same cards, to try actions on until the next card is drawn."""
        return _copy_as(State, self)


def observe(state: State, seat: int | None) -> Observation:
    """The state as a seat sees it: its own cards and the one in play; None is a spectator."""
    seen = Observation.of(state)
    seen.hands, hidden = seen_hands(state, seat)
    seen.deck = "".join(sorted(state.deck + hidden))
    return seen


def seen_by(perspective: Perspective, state: State) -> State:
    """A state from a perspective."""
    return state if perspective == EVERYTHING else observe(state, perspective)


def seen_hands(state: State, seat: int | None) -> tuple[list[str], str]:
    """The hands as a seat sees them, and the cards that are hidden in them."""
    hands = state.hands[:]
    hidden = ""
    for other, hand in enumerate(hands):
        if other != seat:
            shown = _shown(state, hand) if other == state.player and state.card else ""
            secret = hand.replace(shown, "", 1)
            hidden += secret
            hands[other] = HIDDEN * len(secret) + shown
    return hands, hidden


def _shown(state: State, hand: str) -> str:
    """The visible cards of the current hand: the played card, or all if equal cards are played as another terrain."""
    return state.card if state.card in hand else hand


def determinize(observation: Observation, rng: Random) -> State:
    """A state that fits this observation: the hidden cards are chosen at random from all unseen cards."""
    state = _guess(observation, rng)
    for _ in range(MOST_TRIES - 1):
        if not state.choice_is_open() or state.useful_cards():
            break  # several cards without any free hex would have been replaced
        state = _guess(observation, rng)
    return state


def _guess(observation: Observation, rng: Random) -> State:
    state = observation.until_next_draw()
    for seat, hand in enumerate(state.hands):
        if HIDDEN in hand:
            drawn = rng.sample(state.deck, hand.count(HIDDEN))
            for card in drawn:
                state.deck = state.deck.replace(card, "", 1)
            state.hands[seat] = "".join(sorted([*drawn, *hand.replace(HIDDEN, "")]))
    return state


S = TypeVar("S", bound=State)


def _copy_as(kind: type[S], state: State) -> S:
    new = state.copy(kind)
    assert isinstance(new, kind)
    new._legal = None  # what is legal depends on what is hidden
    return new
