"""Chance, and the loop that plays a game: draw when a card is due, otherwise ask for a decision."""

from collections.abc import Callable, Iterator

from kingdom_builder.hexes import bits
from kingdom_builder.rules.actions import DRAWING, END, USE, Action, ActionSet
from kingdom_builder.rules.state import State


def random_draw(state: State, random: Callable[[], float]) -> Action:
    """A random draw of the card that the state waits for: each card of the pile is equally likely."""
    deck = state.deck
    return DRAWING[deck[int(random() * len(deck))]]


Deal = Callable[[State], Action]
"""Chooses the card that a state waits for."""


def at_random(random: Callable[[], float]) -> Deal:
    """Draws at random."""
    return lambda state: random_draw(state, random)


def due_draws(state: State, deal: Deal) -> list[Action]:
    """The draws that are due before anybody can decide again; the state does not change."""
    draws: list[Action] = []
    if not state.awaiting:
        return draws
    trial = state.copy()
    while trial.awaiting:
        draws.append(deal(trial))
        trial.apply(draws[-1])
    return draws


MOST_TAKEN = 7
"""The most free hexes that one action takes away: a hex and its neighbours."""


def drawing_actions(state: State) -> ActionSet:
    """The legal actions that draw a card at once, besides the end of the turn: they cannot be taken back."""
    if state.awaiting or state.over:
        return 0
    candidates = state.legal() & ~(1 << END)
    if (state.free & state.card_hexes).bit_count() > MOST_TAKEN:
        candidates = candidates >> USE << USE  # no hex can be the last one for the card
    found = 0
    for action in bits(candidates):
        trial = state.copy()
        trial.apply(action)
        if trial.awaiting:
            found |= 1 << action
    return found


def drive(
    state: State,
    decide: Callable[[State], Action],
    random: Callable[[], float],
    apply: Callable[[Action], None] | None = None,
    deal: Deal | None = None,
) -> Iterator[Action]:
    """Play until the game is over, and yield every action once it has been applied.

    `decide` chooses for the current seat; `apply` carries an action out on the state, by default as the state does;
    `deal` draws, by default at random. Stop iterating to stop the game early. Rollouts, where speed matters, have this
    loop inlined.
    """
    apply = apply or state.apply
    deal = deal or at_random(random)
    while not state.over:
        action = deal(state) if state.awaiting else decide(state)
        apply(action)
        yield action
