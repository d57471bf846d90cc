"""Setups: the printed first game, a random one, or one's own choice (RULES 2)."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from kingdom_builder.board import Board, PlacedSection, Section, printed_sections
from kingdom_builder.content.catalogue import ALWAYS, BOXES, CARDS, LOCATIONS, OPTIONS
from kingdom_builder.rules import Setup

CARDS_IN_PLAY = 3
FIRST_SECTIONS = ("tavern", "paddock", "oasis", "farm")
FIRST_CARDS = ("fishermen", "knights", "merchants")


def make_setup(board: Board, cards: Iterable[str], players: int = 2, options: Iterable[str] = ()) -> Setup:
    """A setup on any board with cards and options named by key."""
    cards, options = list(cards), list(options)
    for _, key in board.locations:
        _check_known(key, LOCATIONS, "location")
    for key in cards:
        _check_known(key, CARDS, "card")
    for key in options:
        _check_known(key, OPTIONS, "option")
    return Setup(board, LOCATIONS, [CARDS[key] for key in cards], ALWAYS, players, options)


def first_game(players: int = 2, options: Iterable[str] = ()) -> Setup:
    """The setup that the rulebook recommends for the first game."""
    return make_setup(board_of("/".join(FIRST_SECTIONS)), FIRST_CARDS, players, options)


def random_setup(
    rng: Random,
    players: int = 2,
    *,
    board: Board | None = None,
    cards: Sequence[str] | None = None,
    options: Iterable[str] = (),
    sections: Mapping[str, Section] | None = None,
) -> Setup:
    """A setup in which chance decides what is not given: four sections and how they lie, three cards.

    `sections` is the pool that the board is drawn from, by default the printed sections of the boxes in play.
    """
    options = list(options)
    if board is None:
        pool = playable_sections() if sections is None else sections
        if len(pool) < 4:
            raise ValueError(f"{len(pool)} sections to choose from: expected at least 4")
        drawn = rng.sample(list(pool.values()), 4)
        board = Board.of_sections([PlacedSection(section, rng.random() < 0.5) for section in drawn])
    if cards is None:
        pool_of_cards = [key for key, card in CARDS.items() if card.excluded_by not in options]
        cards = rng.sample(pool_of_cards, CARDS_IN_PLAY)
    return make_setup(board, cards, players, options)


def playable_sections() -> dict[str, Section]:
    """The printed sections of the boxes that are in the game, by key."""
    boxes = {box.key for box in BOXES}
    return {key: section for key, section in printed_sections().items() if section.expansion in boxes}


def board_of(text: str, sections: Mapping[str, Section] | None = None) -> Board:
    """The board of four sections, as in `tavern/paddock/oasis'/farm`: the two upper ones, then the two lower ones.

    A section behind which a `'` stands is turned by 180 degrees.
    """
    pool = printed_sections() if sections is None else sections
    keys = text.split("/")
    if len(keys) != 4:
        raise ValueError(f"{len(keys)} sections in {text!r}: expected 4 with '/' between")
    bare = [key.removesuffix("'") for key in keys]
    for key in bare:
        _check_known(key, pool, "section")
    if len(set(bare)) < 4:
        raise ValueError(f"sections {text!r}: expected four different ones")
    return Board.of_sections([PlacedSection(pool[key.removesuffix("'")], key.endswith("'")) for key in keys])


def _check_known(key: str, known: Mapping[str, object], kind: str) -> None:
    if key not in known:
        raise ValueError(f"unknown {kind} {key!r}: expected one of {', '.join(known)}")
