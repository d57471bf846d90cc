"""The registry: a bot is one row, and everything else follows from it."""

from collections.abc import Iterator

import pytest

from kingdom_builder.arena.standings import standings
from kingdom_builder.arena.tournament import Tournament
from kingdom_builder.players import LEVELS, Level, make_player, seconds_of
from kingdom_builder.players.budget import Budget
from kingdom_builder.rules import Action, Observation
from kingdom_builder.server.catalogue import catalogue
from kingdom_builder.server.people import check_level


class LastPlayer:
    """Plays the last of the legal actions."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget

    def choose(self, seen: Observation) -> Action:
        return seen.legal().bit_length() - 1


@pytest.fixture
def last(monkeypatch: pytest.MonkeyPatch) -> Iterator[Level]:
    """A bot that is added by a row and by nothing else."""
    level = Level("last", LastPlayer, "Plays the last legal move.", budget="70ms")
    monkeypatch.setitem(LEVELS, level.key, level)
    catalogue.cache_clear()
    yield level
    catalogue.cache_clear()


def test_a_new_row_plays_in_the_arena(last: Level) -> None:
    tournament = Tournament([last.key, "last:5n", "random"], seats=3)
    results = [tournament.play(game) for game in range(3)]
    assert [result.faults for result in results] == [[], [], []]
    found = {standing.player: standing for standing in standings(tournament.names, results)}
    assert found["last"].games == 3
    assert found["last"].seconds == 0.07
    assert found["last:5n"].seconds is None


def test_a_new_row_is_offered_to_people(last: Level) -> None:
    assert [(level.key, level.text) for level in catalogue().levels][-1] == ("last", "Plays the last legal move.")
    check_level("last")


def test_a_new_row_has_its_budget_by_default(last: Level) -> None:
    player = make_player("last")
    assert isinstance(player, LastPlayer)
    assert player.budget.seconds == seconds_of("last") == 0.07
    assert str(last) == "last:70ms"


def test_without_the_row_there_is_no_such_bot() -> None:
    assert "last" not in [level.key for level in catalogue().levels]
    with pytest.raises(ValueError, match="'last' is not a player"):
        make_player("last")
