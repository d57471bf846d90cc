"""The daily game: the same board, cards and draws for everybody on one date, wherever they play.

Everything follows from the date by SHA-256 alone: no server is needed, and no version of Python changes it. `VERSION`
is part of what is hashed; whoever changes anything here that changes a game raises it (`docs/daily.md`).
"""

from collections.abc import Iterable
from datetime import date
from hashlib import sha256

from kingdom_builder.content import BOXES, CARDS_IN_PLAY, board_of, make_setup, sections_of
from kingdom_builder.game import Game
from kingdom_builder.rules import DRAWING, Action, State
from kingdom_builder.rules.setup import DECK
from kingdom_builder.rules.state import HAND

VERSION = 1
PLAYERS = 2
PERSON = 0
"""The seat of the person; the opponent has the other one."""

OPPONENT = "greedy"
"""The bot that everybody plays against. Its choices depend on the position alone."""

BOX = "base"


class Daily:
    """The daily game of a date."""

    def __init__(self, day: date) -> None:
        self.day = day
        self._cards: list[str] = []
        """The cards that are drawn if every draw is one for a hand, in order."""
        self._hands = [""] * PLAYERS
        self._pile: list[str] = []
        self._discard = list(DECK)
        self._shuffles = 0

    def start(self) -> State:
        """The state before the first card is dealt."""
        keys = self._in_order("section", sections_of([BOX]))[:4]
        turned = ["'" if self._number("turned", key) & 1 else "" for key in keys]
        board = board_of("/".join(key + mark for key, mark in zip(keys, turned, strict=True)))
        cards = self._in_order("card", [card.key for card in BOXES[BOX].cards])[:CARDS_IN_PLAY]
        return State(make_setup(board, cards, PLAYERS))

    def game(self) -> Game:
        """The game with its first cards dealt."""
        return Game(self.start(), deal=self.draw)

    def draw(self, state: State) -> Action:
        """The card that comes now.

        The card for a hand depends only on the round and the seat. Where it cannot come, since a card has left the
        game before, and for every other draw, the cards of the pile have an order of their own for each round, seat
        and purpose, and the first of them comes.
        """
        seat, deck = state.player, state.deck
        if state.awaiting == HAND and not state.hands[seat]:
            wanted = self._for_hand(state.round * PLAYERS + seat)
            if wanted in deck:
                return DRAWING[wanted]
        lost = len(DECK) - len(deck) - len(state.discard) - sum(map(len, state.hands))
        purpose = f"{state.awaiting} {state.round} {seat} {lost} {len(state.hands[seat])}"
        return DRAWING[self._in_order(purpose, _copies(deck))[0][0]]

    def _for_hand(self, number: int) -> str:
        """The card of the draw with this number, counted over both seats from 0, in a game without other draws."""
        while len(self._cards) <= number:
            seat = len(self._cards) % PLAYERS
            self._discard += self._hands[seat]
            if not self._pile:
                self._shuffle()
            self._hands[seat] = self._pile.pop(0)
            self._cards.append(self._hands[seat])
            if not self._pile:
                self._shuffle()
        return self._cards[number]

    def _shuffle(self) -> None:
        copies = self._in_order(f"shuffle {self._shuffles}", _copies("".join(sorted(self._discard))))
        self._pile, self._discard = [copy[0] for copy in copies], []
        self._shuffles += 1

    def _in_order(self, purpose: str, things: Iterable[str]) -> list[str]:
        """Things in an order that follows from the date."""
        return sorted(things, key=lambda thing: self._number(purpose, thing))

    def _number(self, purpose: str, thing: str) -> int:
        text = f"Kingdom Builder daily {VERSION}/{self.day.isoformat()}/{purpose}/{thing}"
        return int.from_bytes(sha256(text.encode()).digest()[:8])


def _copies(deck: str) -> list[str]:
    """The cards of a pile, each copy with its number, such as `C0`, `C1`, `D0`."""
    return [f"{card}{deck[:place].count(card)}" for place, card in enumerate(deck)]


def parse_day(text: str) -> date:
    """The date of a text such as `2026-11-18`. Raises ValueError."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a date: expected one such as 2026-11-18") from None
