"""Setups: the printed first game, a random one, or any choice (RULES 2)."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from random import Random
from typing import TypeVar

from kingdom_builder.board import Board, PlacedSection, Section, printed_sections
from kingdom_builder.board.sections import OWN
from kingdom_builder.content.box import Draft
from kingdom_builder.content.catalogue import ALWAYS, BOXES, CARDS, LOCATIONS, NOMAD_TILES, OPTIONS, TASKS
from kingdom_builder.hexes import Hex, HexSet
from kingdom_builder.message import Message, Refusal, quoted
from kingdom_builder.rules import KEPT_RULINGS, Setup

CARDS_IN_PLAY = 3
SECTIONS_IN_PLAY = 4
FIRST_SECTIONS = "tavern/paddock/oasis/farm"
FIRST_CARDS = ("fishermen", "knights", "merchants")
BASE_ONLY = ("base",)
ALL_SETS = tuple(BOXES)

UNKNOWN_LOCATION, UNKNOWN_CARD = Message("unknown location"), Message("unknown card")


def make_setup(
    board: Board,
    cards: Iterable[str],
    players: int = 2,
    options: Iterable[str] = (),
    *,
    tasks: Iterable[str] = (),
    nomads: Mapping[Hex, str] | None = None,
    capitols: HexSet = 0,
) -> Setup:
    """A setup on any board; keys name the cards, options or kept rulings, tasks and nomad tiles."""
    return Setup(
        board,
        {key: _known(key, LOCATIONS, UNKNOWN_LOCATION) for _, key in board.locations},
        [_known(key, CARDS, UNKNOWN_CARD) for key in cards],
        ALWAYS,
        players,
        [key for key in options if key in KEPT_RULINGS or _known(key, OPTIONS, Message("unknown option"))],
        tasks=[_known(key, TASKS, Message("unknown task")) for key in tasks],
        nomads={h: _known(key, NOMAD_TILES, Message("unknown nomad tile")) for h, key in (nomads or {}).items()},
        capitols=capitols,
    )


def first_game(players: int = 2, options: Iterable[str] = ()) -> Setup:
    """The setup that the rulebook recommends for the first game."""
    return make_setup(board_of(FIRST_SECTIONS), FIRST_CARDS, players, _to_choose(options))


def random_setup(
    rng: Random,
    players: int = 2,
    *,
    sets: Sequence[str] = BASE_ONLY,
    board: Board | None = None,
    cards: Sequence[str] | None = None,
    options: Iterable[str] = (),
    sections: Mapping[str, Section] | None = None,
) -> Setup:
    """A setup that is random where nothing is given: four sections and how they lie, cards, tasks, tiles.

    `sets` are the keys of the boxes in use, perhaps with `own` for sections that belong to none; `sections` are those
    that the board is made of, by default all of theirs.
    With the same `rng`, whoever gives the sections or the cards that were random gets the rest as it was.
    """
    options = _to_choose(options)
    pool = _printed_sections_of(frozenset(sets)) if sections is None else sections
    if board is None or (board.placed and len(pool) >= SECTIONS_IN_PLAY):
        drawn = _random_board(rng, pool)
        board = board or drawn
    on_board = [place.section.expansion for place in board.placed if place.section.expansion in BOXES]
    boxes = [_known(key, BOXES, Message("unknown set")) for key in dict.fromkeys([*sets, *on_board]) if key != OWN]
    offered = [card.key for box in boxes for card in box.cards if card.excluded_by not in options]
    if len(offered) >= CARDS_IN_PLAY:
        dealt = rng.sample(offered, CARDS_IN_PLAY)
        cards = dealt if cards is None else cards
    elif cards is None:
        raise Refusal(Message("sets {keys}: expected one with cards, such as base", keys=", ".join(sets)))
    draft = Draft(board, options)
    for box in boxes:
        if box.prepare is not None:
            box.prepare(draft, rng)
    return make_setup(
        draft.board,
        cards,
        players,
        options,
        tasks=draft.tasks,
        nomads=draft.nomads,
        capitols=draft.capitols,
    )


def _random_board(rng: Random, pool: Mapping[str, Section]) -> Board:
    if len(pool) < SECTIONS_IN_PLAY:
        raise Refusal(Message("{n} {n:section|sections} to choose from: expected at least 4", n=len(pool)))
    drawn = rng.sample(list(pool.values()), SECTIONS_IN_PLAY)
    return Board.of_sections([PlacedSection(section, rng.random() < 0.5) for section in drawn])


def sections_of(sets: Iterable[str], own: Mapping[str, Section] | None = None) -> dict[str, Section]:
    """The sections of these boxes, by key.

    `own` are further sections: one with the key of a printed section takes its place, and those that belong to no box
    are used if `own` is among the sets.
    """
    wanted = set(sets)
    return {
        key: section
        for key, section in {**printed_sections(), **(own or {})}.items()
        if (section.expansion if section.expansion in BOXES else OWN) in wanted
    }


@cache
def _printed_sections_of(sets: frozenset[str]) -> Mapping[str, Section]:
    return sections_of(sets)


def board_of(text: str, sections: Mapping[str, Section] | None = None) -> Board:
    """The board of four sections, such as `tavern/paddock/oasis'/farm`: the two upper ones, then the two lower ones.

    A section followed by `'` is turned by 180 degrees.
    """
    pool = printed_sections() if sections is None else sections
    keys = text.split("/")
    if len(keys) != 4:
        raise Refusal(
            Message("{n} {n:section|sections} in {text}: expected 4 with '/' between", n=len(keys), text=quoted(text))
        )
    for key in (key.removesuffix("'") for key in keys):
        if key not in pool:
            raise Refusal(unknown(Message("unknown section"), key, map(str, pool.values())))
    placed = [PlacedSection(pool[key.removesuffix("'")], key.endswith("'")) for key in keys]
    if len({place.section.key for place in placed}) < 4:
        raise Refusal(Message("sections {text}: expected four different ones", text=quoted(text)))
    return Board.of_sections(placed)


def _to_choose(options: Iterable[str]) -> list[str]:
    """The options that a new game may have; kept rulings are only for games that began under older rules."""
    return [key for key in options if _known(key, OPTIONS, Message("unknown option"))]


T = TypeVar("T")


def _known(key: str, known: Mapping[str, T], what: Message) -> T:
    if key not in known:
        raise Refusal(unknown(what, key, known))
    return known[key]


def unknown(what: Message, key: str, known: Iterable[str]) -> Message:
    """The message for an unknown key; `what` says what it should be, as in `unknown card`."""
    return Message("{what} {key}: expected one of {known}", what=what, key=quoted(key), known=", ".join(known))
