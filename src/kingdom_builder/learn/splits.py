"""Splits: what is seen in training, and what only a test shows.

`splits.json` has them as data, each with a hash, so that results of different people can be compared. `make_splits`
makes that file again.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import combinations
from random import Random
from typing import Any, Literal

from kingdom_builder.board import Board, PlacedSection, Section, printed_sections
from kingdom_builder.board.sections import SIDE
from kingdom_builder.board.terrain import CARDS as TERRAINS
from kingdom_builder.board.terrain import CAVE, DIGITS, MOUNTAIN
from kingdom_builder.content import BOXES, CARDS_IN_PLAY, random_setup
from kingdom_builder.content.setups import BASE_ONLY, SECTIONS_IN_PLAY
from kingdom_builder.hexes import COLS, ROWS
from kingdom_builder.notation import position_of
from kingdom_builder.rules import Setup, State

VERSION = 1
"""The version of the splits. A split never changes; another one is a new version."""

FILE = "splits.json"

SAMPLE = 20
"""How many setups of each part are in the file as a hash: if it changes, the same seeds give other games."""

MOST_TRIES = 1000
"""How many windows of a board are tried."""

Side = Literal["train", "test"]
SIDES: tuple[Side, Side] = ("train", "test")


@dataclass(frozen=True)
class Part:
    """One side of a split: draws setups at random, from what it lists. `Games(draw=...)` takes it."""

    players: tuple[int, ...] = (2,)
    sets: tuple[str, ...] = BASE_ONLY
    sections: tuple[str, ...] = ()
    """The sections that boards are made of; all of the sets if it is empty."""
    locations: tuple[str, ...] = ()
    """Dealt to the sections at random, in place of those printed there; the printed ones stay if it is empty."""
    cards: tuple[str, ...] = ()
    """The scoring cards, of which any three are in play; all of the sets if it is empty."""
    triples: tuple[tuple[str, ...], ...] = ()
    """The scoring cards that are in play together, if not any three are."""
    sizes: tuple[int, ...] = ()
    """The rows and columns of a window that is cut out of the board; the whole board if it is empty."""

    def __call__(self, rng: Random) -> Setup:
        """The setup of the next game."""
        players = rng.choice(self.players)
        board = self._board(rng)
        cards: Sequence[str] | None = None
        if self.triples:
            cards = rng.choice(self.triples)
        elif self.cards:
            cards = rng.sample(self.cards, CARDS_IN_PLAY)
        return random_setup(rng, players, sets=self.sets, board=board, cards=cards)

    def _board(self, rng: Random) -> Board:
        chosen = [_section(key) for key in rng.sample(self._section_keys, SECTIONS_IN_PLAY)]
        if self.locations:
            dealt = iter(rng.sample(self.locations, sum(len(section.locations) for section in chosen)))
            chosen = [replace(each, locations=tuple(next(dealt) for _ in each.locations)) for each in chosen]
        board = Board.of_sections([PlacedSection(section, rng.random() < 0.5) for section in chosen])
        return window(board, rng.choice(self.sizes), rng) if self.sizes else board

    @property
    def _section_keys(self) -> list[str]:
        boxes = [section for section in printed_sections().values() if section.expansion in self.sets]
        return list(self.sections) or [section.key for section in boxes]

    def holds(self, setup: Setup) -> bool:
        """Whether a setup could have been drawn from this part, but for where its sections and tiles lie."""
        cards = {card.key for card in setup.cards}
        known = set(self.locations or self._components("locations")) | set(self.cards or self._components("cards"))
        known |= {key for kind in ("tasks", "nomad_tiles", "always") for key in self._components(kind)}
        known |= {component.key for key in BASE_ONLY for component in BOXES[key].always}
        return (
            setup.players in self.players
            and all(component.key in known for component in setup.components)
            and (not self.triples or cards in [set(triple) for triple in self.triples])
            and self._holds_board(setup.board)
        )

    def _components(self, kind: str) -> list[str]:
        """The keys of all components of a kind in the boxes of this part."""
        return [component.key for key in self.sets for component in getattr(BOXES[key], kind)]

    def _holds_board(self, board: Board) -> bool:
        if self.sizes:
            return board.height == board.width and board.height in self.sizes
        known = {_terrain(rows) for key in self._section_keys for rows in (_section(key).rows, _section(key).turned())}
        return (board.height, board.width) == (ROWS, COLS) and all(block in known for block in blocks(board))


@dataclass(frozen=True)
class Split:
    """Two parts that have something not in common, and all the rest."""

    name: str
    about: str
    """A sentence: what only the test shows."""
    hash: str
    """The sha256 of the text of the split."""
    parts: Mapping[Side, Part] = field(repr=False)

    def part(self, side: Side) -> Part:
        """The setups for training or for the test."""
        if side not in self.parts:
            raise ValueError(f"{side!r} is not a part of a split: expected {' or '.join(self.parts)}")
        return self.parts[side]

    def side_of(self, setup: Setup) -> Side | None:
        """The part that a setup belongs to; None if it is of neither."""
        return next((side for side in SIDES if self.parts[side].holds(setup)), None)


def split(name: str) -> Split:
    """The split of this name. Raises ValueError."""
    if name not in _splits():
        raise ValueError(f"{name!r} is not a split: expected one of {', '.join(_splits())}")
    return _splits()[name]


def split_names() -> list[str]:
    """The names of all splits."""
    return list(_splits())


def window(board: Board, size: int, rng: Random) -> Board:
    """A square of a board, at random, that has each terrain of the cards and a location.

    Its first row is one that is not shifted, so that neighbours stay neighbours.
    """
    for _ in range(MOST_TRIES):
        top, left = 2 * rng.randrange((board.height - size) // 2 + 1), rng.randrange(board.width - size + 1)
        rows = [row[left : left + size] for row in board.map[top : top + size]]
        letters = set("".join(rows))
        digits = sorted(letters & set(DIGITS))
        if digits and set(TERRAINS) <= letters:
            numbers = {ord(old): new for old, new in zip(digits, DIGITS, strict=False)}
            keys = [board.location_keys[int(old) - 1] for old in digits]
            return Board([row.translate(numbers) for row in rows], keys)
    raise ValueError(f"no {size} x {size} hexes of the board have each terrain and a location: expected a larger size")


def blocks(board: Board) -> list[tuple[str, ...]]:
    """The terrain of the four sections of a whole board, whatever locations it has."""
    return [
        _terrain([row[left : left + SIDE] for row in board.map[top : top + SIDE]])
        for top in (0, SIDE)
        for left in (0, SIDE)
    ]


def _terrain(rows: Iterable[str]) -> tuple[str, ...]:
    """Rows with one sign for every location, and without caves."""
    signs = {**dict.fromkeys(map(ord, DIGITS), DIGITS[0]), ord(CAVE): MOUNTAIN}
    return tuple(row.translate(signs) for row in rows)


def _section(key: str) -> Section:
    return printed_sections()[key]


# ---- the file --------------------------------------------------------------------------------------------------------


@cache
def _splits() -> dict[str, Split]:
    return read_splits(files("kingdom_builder.learn").joinpath(FILE).read_text(encoding="utf-8"))


def read_splits(text: str) -> dict[str, Split]:
    """The splits of a file's text, by name. Raises ValueError if one is not what its hash says."""
    found: dict[str, Split] = {}
    for name, data in json.loads(text)["splits"].items():
        if _hash(data) != data["sha256"]:
            raise ValueError(f"{FILE}: split {name} is not the one with the hash {data['sha256'][:8]}: do not edit it")
        parts: dict[Side, Part] = {side: _read_part(data[side]) for side in SIDES}
        found[name] = Split(name, data["about"], data["sha256"], parts)
    return found


def _read_part(data: Mapping[str, Any]) -> Part:
    fields: dict[str, Any] = {
        key: tuple(tuple(each) if isinstance(each, list) else each for each in entry) for key, entry in data.items()
    }
    return Part(**fields)


def _hash(data: Mapping[str, Any]) -> str:
    """The sha256 of a split as text: its name, what it is about, and its parts."""
    text = json.dumps({key: data[key] for key in ("name", "about", *SIDES)}, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def sample_hash(part: Part) -> str:
    """The sha256 of the first setups that a part draws, as positions."""
    rng = Random(0)
    positions = [position_of(State(part(rng))) for _ in range(SAMPLE)]
    return sha256("\n".join(positions).encode()).hexdigest()


def present_content() -> dict[str, dict[str, list[str]]]:
    """What there is to split, by box: sections, locations on them and scoring cards."""
    of_box = {key: [section for section in printed_sections().values() if section.expansion == key] for key in BOXES}
    return {
        key: {
            "sections": [section.key for section in of_box[key]],
            "locations": [location for section in of_box[key] for location in section.locations],
            "cards": [card.key for card in box.cards],
        }
        for key, box in BOXES.items()
    }


def make_splits(content: Mapping[str, Mapping[str, Sequence[str]]]) -> dict[str, Any]:
    """The file of splits for this content; the same for the same content, whatever is added later.

    The file says which content that was: `make_splits(file["content"])` is the file.
    """
    base = content[BASE_ONLY[0]]
    every_card = [card for box in content.values() for card in box["cards"]]
    cards = sorted(base["cards"])
    train: dict[str, dict[str, Any]] = {}
    test: dict[str, dict[str, Any]] = {}
    half = SECTIONS_IN_PLAY
    sections = _shuffled("board", base["sections"])
    train["board"] = {"sections": sorted(sections[:half]), "locations": sorted(base["locations"])}
    test["board"] = {"sections": sorted(sections[half:]), "locations": sorted(base["locations"])}
    shuffled = _shuffled("goal", every_card)
    share = len(shuffled) * 5 // 8
    train["goal"], test["goal"] = {"cards": sorted(shuffled[:share])}, {"cards": sorted(shuffled[share:])}
    triples = _shuffled("combination", list(combinations(cards, CARDS_IN_PLAY)))
    quarter = len(triples) // 4
    train["combination"] = {"triples": sorted(map(list, triples[quarter:]))}
    test["combination"] = {"triples": sorted(map(list, triples[:quarter]))}
    train["content"], test["content"] = ({"sets": sets} for sets in _halves(content))
    train["players"], test["players"] = {"players": [2]}, {"players": [3, 4, 5]}
    train["size"], test["size"] = {"sizes": [8, 10, 12]}, dict[str, Any]()
    splits: dict[str, dict[str, Any]] = {
        name: {"name": name, "about": about, "train": train[name], "test": test[name]} for name, about in ABOUT.items()
    }
    return {
        "version": VERSION,
        "content": {key: dict(box) for key, box in content.items()},
        "splits": {
            name: {
                **data,
                "sha256": _hash(data),
                "samples": {side: sample_hash(_read_part(data[side])) for side in SIDES},
            }
            for name, data in splits.items()
        },
    }


ABOUT = {
    "board": "Four sections are on the boards for training, the four others on those of the test.",
    "goal": "Scoring cards of the test are never in play in training.",
    "combination": "Each scoring card is in play in training, but not together with the two others of the test.",
    "content": "The boxes of the test, with their sections, locations and cards, are not used in training.",
    "players": "Two play in training, three to five in the test.",
    "size": "Training is on windows of the board, the test on the whole board.",
}
"""The splits, and what only the test of each shows."""


def _shuffled(name: str, things: Sequence[Any]) -> list[Any]:
    return Random(f"splits {VERSION} {name}").sample(sorted(things), len(things))


def _halves(content: Mapping[str, Mapping[str, Sequence[str]]]) -> tuple[list[str], list[str]]:
    """The older boxes and the newer ones: half of those with sections, and half of those without."""
    with_sections = [key for key, box in content.items() if box["sections"]]
    others = [key for key, box in content.items() if not box["sections"]]
    middle, other = len(with_sections) // 2, len(others) // 2
    return with_sections[:middle] + others[:other], with_sections[middle:] + others[other:]


def file_text() -> str:
    """The text of the file, made again for the content that it was made for."""
    found = json.loads(files("kingdom_builder.learn").joinpath(FILE).read_text(encoding="utf-8"))
    return json.dumps(make_splits(found["content"]), indent=1) + "\n"
