"""The load of `kb bench serve`."""

from kingdom_builder.server.benchmark import benchmark
from server.postgres_server import PostgresServer


def test_players_who_chat_meet_at_several_servers(postgres: PostgresServer) -> None:
    """At two servers, an action and a line of the same moment are decided again by one of them, and both are stored."""
    result = benchmark(3, 3, database=postgres.make_database(), nodes=2, scattered=True, thinking=0, chats=True)
    assert result["conflicts_per_1000"]
    assert result["actions_per_second"]


def test_players_who_think_and_are_told_what_has_changed_play_on() -> None:
    result = benchmark(2, 1, differences=True, thinking=0.01)
    assert result["conflicts_per_1000"] is None
    assert result["actions_per_second"]
