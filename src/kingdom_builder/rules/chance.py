"""Chance, and the loop that plays a game: draw when a card is due, otherwise ask for a decision."""

from collections.abc import Callable, Iterator

from kingdom_builder.rules.actions import DRAWING, Action
from kingdom_builder.rules.state import State


def random_draw(state: State, random: Callable[[], float]) -> Action:
    """A random draw of the card that the state waits for: each card of the pile is equally likely."""
    deck = state.deck
    return DRAWING[deck[int(random() * len(deck))]]


def due_draws(state: State, random: Callable[[], float]) -> list[Action]:
    """The draws that are due before anybody can decide again; the state does not change."""
    draws: list[Action] = []
    if not state.awaiting:
        return draws
    trial = state.copy()
    while trial.awaiting:
        draws.append(random_draw(trial, random))
        trial.apply(draws[-1])
    return draws


def drive(
    state: State,
    decide: Callable[[State], Action],
    random: Callable[[], float],
    apply: Callable[[Action], None] | None = None,
) -> Iterator[Action]:
    """Play until the game is over, and yield every action once it has been applied.

    `decide` chooses for the current seat; `apply` carries an action out on the state, by default as the state does.
    Stop iterating to stop the game early. Rollouts, where speed matters, have this loop inlined.
    """
    apply = apply or state.apply
    while not state.over:
        action = random_draw(state, random) if state.awaiting else decide(state)
        apply(action)
        yield action
