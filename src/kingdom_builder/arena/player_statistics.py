"""What cards, sections, tiles, seats and openings are worth to one player, from the results of many games."""

from collections.abc import Callable, Iterable
from functools import partial

from kingdom_builder.arena.openings import openings
from kingdom_builder.arena.results import Result
from kingdom_builder.arena.statistics import Kind, Sample, Table, renamed, tables, tiles_of
from kingdom_builder.message import seat_letter
from kingdom_builder.rules import Setup

NO_TILE = "no tile"

Keys = Callable[[Result, Setup, int], Iterable[str]]
"""What a game of a seat counts for."""


def player_statistics(results: Iterable[Result], player: str) -> list[Table]:
    """The tables of a player, who is called as in all tables. Raises ValueError if nobody is called so."""
    known = renamed(results)
    players = dict.fromkeys(name for result in known for name in result.players)
    if player not in players:
        raise ValueError(f"no games of {player!r}: expected one of {', '.join(players)}")
    return tables(known, _kinds(player))


def _kinds(player: str) -> list[Kind]:
    gold, wins = f"gold of {player}", f"games that {player} won"

    def kind(key: str, title: str, keys: Keys) -> Kind:
        return Kind(key, title, gold, wins, partial(_samples, player, keys))

    return [
        kind("seats", "Seats", _seat),
        kind("opponents", "Games against", _opponents),
        Kind("cards", "Cards", f"gold paid to {player}", wins, partial(_paid, player)),
        kind("cards-in-play", "Games with a card", _cards),
        kind("sections", "Games with a section", _sections),
        kind("tiles-taken", "Games in which it took a tile", partial(_tiles, True)),
        kind("tiles-not-taken", "Games in which it did not take a tile", partial(_tiles, False)),
        kind("opening-cards", "Openings: the first card", _opening_card),
        kind("opening-tiles", "Openings: tiles of the first turn", _opening_tiles),
    ]


def _own_seats(player: str, result: Result) -> list[int]:
    return [seat for seat, name in enumerate(result.players) if name == player]


def _samples(player: str, keys: Keys, result: Result, setup: Setup) -> list[Sample]:
    return [
        (key, [result.gold[seat]], [result.share(seat)])
        for seat in _own_seats(player, result)
        for key in keys(result, setup, seat)
    ]


def _paid(player: str, result: Result, setup: Setup) -> list[Sample]:
    return [
        (card.key, [result.breakdown[seat].get(card.key, 0)], [result.share(seat)])
        for seat in _own_seats(player, result)
        for card in setup.scoring
    ]


def _seat(result: Result, setup: Setup, seat: int) -> list[str]:
    return [f"{seat_letter(seat)} of {setup.players}"]


def _opponents(result: Result, setup: Setup, seat: int) -> Iterable[str]:
    return dict.fromkeys(result.players[:seat] + result.players[seat + 1 :])


def _cards(result: Result, setup: Setup, seat: int) -> list[str]:
    return [card.key for card in setup.scoring]


def _sections(result: Result, setup: Setup, seat: int) -> list[str]:
    return [place.section.key for place in setup.board.placed]


def _tiles(taken: bool, result: Result, setup: Setup, seat: int) -> list[str]:
    return [key for key in tiles_of(setup) if (key in result.tiles[seat]) == taken]


def _opening_card(result: Result, setup: Setup, seat: int) -> list[str]:
    return [openings(result.record)[seat].card]


def _opening_tiles(result: Result, setup: Setup, seat: int) -> Iterable[str]:
    return openings(result.record)[seat].tiles or [NO_TILE]
