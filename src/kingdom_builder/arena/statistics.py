"""How much players, seats, cards, sections, locations and tiles are worth, from the results of many games.

These are observations, not causes: whoever plays well takes more tiles, and wins more often too.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from kingdom_builder.arena.names import names_in_tables
from kingdom_builder.arena.ratings import Interval, mean_interval, wilson
from kingdom_builder.arena.results import Result
from kingdom_builder.message import seat_letter
from kingdom_builder.notation import parse_position
from kingdom_builder.rules import Setup


@dataclass(frozen=True)
class Row:
    """What one thing is worth, with 95 % intervals."""

    key: str
    games: int
    gold: float
    """The mean gold of the seats that the table covers."""
    gold_interval: Interval
    wins: float
    """The share of games that the seats in the table won; a victory shared by n seats counts 1/n for each."""
    wins_interval: Interval


@dataclass(frozen=True)
class Table:
    """Things of one kind, those with the most gold first."""

    key: str
    title: str
    gold: str
    """What the gold in a row means."""
    wins: str
    """What the wins in a row mean."""
    rows: list[Row]


@dataclass
class _Tally:
    games: int = 0
    gold: list[float] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)

    def row(self, key: str) -> Row:
        wins = sum(self.shares)
        return Row(
            key,
            self.games,
            sum(self.gold) / len(self.gold),
            mean_interval(self.gold),
            wins / len(self.shares) if self.shares else 0.0,
            wilson(wins, len(self.shares)),
        )


Sample = tuple[str, list[float], list[float]]
"""What a game shows about one thing: its key, the gold and the shares of the victory that count."""


def statistics(results: Iterable[Result]) -> list[Table]:
    """All tables for these games."""
    return tables(renamed(results), KINDS)


def renamed(results: Iterable[Result]) -> list[Result]:
    """The results with the players called as in all tables."""
    known = list(results)
    names = names_in_tables(known)
    return [replace(result, players=[names[player] for player in result.players]) for result in known]


def tables(results: Iterable[Result], kinds: "Sequence[Kind]") -> list[Table]:
    """A table for each kind of thing."""
    tallies: list[dict[str, _Tally]] = [{} for _ in kinds]
    for result in results:
        setup = parse_position(result.setup).setup
        for kind, tally in zip(kinds, tallies, strict=True):
            for key, gold, shares in kind.samples(result, setup):
                entry = tally.setdefault(key, _Tally())
                entry.games += 1
                entry.gold += gold
                entry.shares += shares
    return [
        Table(kind.key, kind.title, kind.gold, kind.wins, _ordered([entry.row(key) for key, entry in tally.items()]))
        for kind, tally in zip(kinds, tallies, strict=True)
    ]


def _ordered(rows: list[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: (-row.gold, row.key))


@dataclass(frozen=True)
class Kind:
    """A kind of thing to measure."""

    key: str
    title: str
    gold: str
    wins: str
    samples: Callable[[Result, Setup], list[Sample]]


def _of_seats(result: Result, key: str, seats: Iterable[int]) -> list[Sample]:
    chosen = list(seats)
    if not chosen:
        return []
    return [(key, [result.gold[seat] for seat in chosen], [result.share(seat) for seat in chosen])]


def _players(result: Result, setup: Setup) -> list[Sample]:
    return [
        sample
        for name in dict.fromkeys(result.players)
        for sample in _of_seats(result, name, [seat for seat, other in enumerate(result.players) if other == name])
    ]


def _seats(result: Result, setup: Setup) -> list[Sample]:
    seats = range(setup.players)
    return [sample for seat in seats for sample in _of_seats(result, f"{seat_letter(seat)} of {len(seats)}", [seat])]


def _cards(result: Result, setup: Setup) -> list[Sample]:
    samples: list[Sample] = []
    for card in setup.scoring:
        paid = [seat.get(card.key, 0) for seat in result.breakdown]
        most = [seat for seat, gold in enumerate(paid) if gold == max(paid)]
        samples.append((card.key, [float(gold) for gold in paid], [result.share(seat) for seat in most]))
    return samples


def _in_play(result: Result, keys: Iterable[str]) -> list[Sample]:
    return [(key, [float(gold) for gold in result.gold], [result.share(0)]) for key in dict.fromkeys(keys)]


def _boards_with_cards(result: Result, setup: Setup) -> list[Sample]:
    return _in_play(result, [card.key for card in setup.scoring])


def _sections(result: Result, setup: Setup) -> list[Sample]:
    return _in_play(result, [place.section.key for place in setup.board.placed])


def _locations(result: Result, setup: Setup) -> list[Sample]:
    return _in_play(result, setup.board.location_keys)


def _tiles_taken(result: Result, setup: Setup) -> list[Sample]:
    return _by_tile(result, setup, True)


def _tiles_not_taken(result: Result, setup: Setup) -> list[Sample]:
    return _by_tile(result, setup, False)


def tiles_of(setup: Setup) -> Iterable[str]:
    """The keys of the tiles that can be taken."""
    return dict.fromkeys([*setup.board.location_keys, *[tile.key for tile in setup.nomads.values()]])


def _by_tile(result: Result, setup: Setup, taken: bool) -> list[Sample]:
    seats = range(setup.players)
    return [
        sample
        for key in tiles_of(setup)
        for sample in _of_seats(result, key, [seat for seat in seats if (key in result.tiles[seat]) == taken])
    ]


ALL_GOLD, START_WINS = "gold of a seat", "games the start player won"

KINDS = [
    Kind("players", "Players", "gold of the player", "games it won", _players),
    Kind("seats", "Seats", "gold of the seat", "games it won", _seats),
    Kind("cards", "Cards", "gold paid to a seat", "games won by the seat that was paid most", _cards),
    Kind("cards-in-play", "Games with a card", ALL_GOLD, START_WINS, _boards_with_cards),
    Kind("sections", "Games with a section", ALL_GOLD, START_WINS, _sections),
    Kind("locations", "Games with a location", ALL_GOLD, START_WINS, _locations),
    Kind("tiles-taken", "Seats that took a tile", "gold of the seat", "games it won", _tiles_taken),
    Kind("tiles-not-taken", "Seats that took no such tile", "gold of the seat", "games it won", _tiles_not_taken),
]
"""The tables, in the order in which they are shown."""
