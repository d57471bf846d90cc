"""The state of a game and the flow of a turn (RULES 3 to 5).

`legal()` gives the set of actions, `apply(action)` carries one out, `copy()` makes an independent state. Chance is an
action too: while `awaiting` is set the state waits for a `DRAW`, which whoever drives the game chooses.
"""

from functools import cache

from kingdom_builder.hexes import AREA, BIT, NEAR, Hex, HexSet, around
from kingdom_builder.rules import explanation
from kingdom_builder.rules.actions import DRAWING, DRAWN, END, USE, Action, ActionSet
from kingdom_builder.rules.errors import IllegalAction
from kingdom_builder.rules.printed import Location
from kingdom_builder.rules.setup import DECK, SETTLEMENTS, TILES, Setup

MANDATORY = 3
"""Settlements of the mandatory action."""

BIT_END: ActionSet = 1 << END
OUTSIDE_MANDATORY = (0, MANDATORY)
HAND, CARD = "hand", "card"
"""What a draw is for: the hand at the end of a turn (and when dealing), or the played card, to replace it."""

HIDDEN = "?"
"""A card that an observer may not see."""


class State:
    """A game in progress. Fields are for reading; only `apply` changes them."""

    __slots__ = (
        "_legal",
        "acting",
        "awaiting",
        "card",
        "deck",
        "discard",
        "ending",
        "free",
        "fresh",
        "hands",
        "held",
        "land",
        "near",
        "over",
        "own",
        "player",
        "ready",
        "round",
        "setup",
        "source",
        "stock",
        "supply",
        "taken",
        "todo",
    )

    def __init__(self, setup: Setup) -> None:
        """The state before the first card is dealt."""
        players = setup.players
        board = setup.board
        self.setup = setup
        self.free: HexSet = board.hexes & ~board.special
        """Hexes without a piece, special hexes apart."""
        self.own: list[HexSet] = [0] * players
        """The pieces of each seat."""
        self.near: list[HexSet] = [0] * players
        """The hexes next to them."""
        self.supply = [SETTLEMENTS] * players
        self.taken = [0] * players
        """The tiles that each seat ever took, as sets of tile numbers: never again from there (RULES 5.2)."""
        self.held = [0] * players
        """The tiles that each seat has now."""
        self.stock = [TILES] * len(board.locations)
        """Tiles left on each location hex."""
        self.deck = DECK
        """The draw pile: a letter for each card, sorted, since any of them may come next."""
        self.discard = ""
        self.hands = [""] * players
        self.round = 0
        """The number of the round; 0 while the first cards are dealt."""
        self.player = 0
        """The seat whose turn it is, or that draws."""
        self.card = ""
        """The terrain card in play, or nothing."""
        self.land: HexSet = 0
        """The hexes of its terrain."""
        self.todo = 0
        """Settlements of the mandatory action still to build: 3 before it, 0 after it."""
        self.ready = 0
        """The tiles that may still be used in this turn."""
        self.fresh = 0
        """The tiles taken in this turn, usable from the next."""
        self.acting: Location | None = None
        """The location whose action is in progress."""
        self.source: Hex | None = None
        """The piece chosen to be moved by it."""
        self.awaiting: str | None = HAND
        self.ending = False
        """The game ends after this round."""
        self.over = False
        self._legal: ActionSet | None = None

    def copy(self) -> "State":
        """An independent state, equal to this one."""
        new = object.__new__(type(self))
        new.setup = self.setup
        new.free = self.free
        new.own = self.own[:]
        new.near = self.near[:]
        new.supply = self.supply[:]
        new.taken = self.taken[:]
        new.held = self.held[:]
        new.stock = self.stock[:]
        new.deck = self.deck
        new.discard = self.discard
        new.hands = self.hands[:]
        new.round = self.round
        new.player = self.player
        new.card = self.card
        new.land = self.land
        new.todo = self.todo
        new.ready = self.ready
        new.fresh = self.fresh
        new.acting = self.acting
        new.source = self.source
        new.awaiting = self.awaiting
        new.ending = self.ending
        new.over = self.over
        new._legal = self._legal
        return new

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return all(getattr(self, field) == getattr(other, field) for field in State.__slots__ if field != "_legal")

    # ---- what may be done ----------------------------------------------------------------------------------------

    def legal(self) -> ActionSet:
        """The set of actions that are legal now; empty when the game is over."""
        legal = self._legal
        if legal is not None:
            return legal
        if self.awaiting:
            legal = draws_from(self.deck)
        elif self.acting is not None:
            legal = self.acting.legal(self)
        elif self.over:
            legal = 0
        else:
            setup = self.setup
            if self.todo:
                free = self.free & self.land
                legal = free & self.near[self.player] or free
            else:
                legal = BIT_END
            ready = self.ready
            if ready and self.todo in OUTSIDE_MANDATORY:
                for tiles, use, choices in setup.uses:
                    if ready & tiles and choices(self):
                        legal |= use
        self._legal = legal
        return legal

    def spots(self, area: HexSet) -> HexSet:
        """Where the player may build in an area: next to an own piece if possible, else anywhere (RULES 4.1)."""
        free = self.free & area
        return free & self.near[self.player] or free

    def explain(self, action: Action) -> str | None:
        """Why an action (a hex is one too) is not legal now, in one sentence; None if it is legal."""
        return explanation.why_not(self, action)

    def why_not_build(self, h: Hex, area: HexSet, wanted: str) -> str:
        """Why the player may not build on a hex when `area` is allowed; `wanted` says that in words."""
        return explanation.why_not_build(self, h, area, wanted)

    def why_not_empty(self, h: Hex) -> str | None:
        """Why nothing can be put on a hex whatever the action; None if something can."""
        return explanation.why_not_empty(self, h)

    # ---- doing it ------------------------------------------------------------------------------------------------

    def apply(self, action: Action) -> None:
        """Carry out a legal action. Raises `IllegalAction` for any other and changes nothing."""
        legal = self._legal
        if legal is None:
            legal = self.legal()
        if action < 0 or not legal >> action & 1:
            raise IllegalAction(action, explanation.why_not(self, action) or "The state was changed by hand.")
        self._legal = None
        if action < END:
            if self.acting is None:
                self.todo -= 1
                self.build(action)
            else:
                self.acting.apply(self, action)
            if not self.free & self.land:
                self._replace_card()
        elif action >= USE:
            kind = action - USE
            usable = self.ready & self.setup.kind_tiles[kind]
            self.ready ^= usable & -usable
            self.acting = self.setup.locations[kind]
        elif action == END:
            self._end_turn()
        else:
            self._draw(DRAWN[action])

    def build(self, h: Hex) -> None:
        """Put a settlement from the supply on a hex."""
        player = self.player
        supply = self.supply
        supply[player] -= 1
        if not supply[player]:
            self.ending = True
            self.todo = 0
        self._place(h)

    def move(self, source: Hex, target: Hex) -> None:
        """Lift a piece and put it down elsewhere; tiles are lost before others are taken (RULES 3)."""
        player = self.player
        own = self.own[player] ^ BIT[source]
        self.own[player] = own
        self.near[player] = around(own) & AREA
        self.free |= BIT[source]
        beside = self.setup.tiles_beside.get(source)
        if beside:
            own |= BIT[target]
            for tile in beside:
                if self.held[player] >> tile & 1 and not self.setup.tile_side[tile] & own:
                    self._lose_tile(tile)
        self._place(target)

    def finish(self) -> None:
        """The extra action in progress is complete."""
        self.acting = None
        self.source = None

    def _place(self, h: Hex) -> None:
        player = self.player
        bit = BIT[h]
        self.free ^= bit
        self.own[player] |= bit
        self.near[player] |= NEAR[h]
        beside = self.setup.tiles_beside.get(h)
        if beside:
            for tile in beside:
                if self.stock[tile] and not self.taken[player] >> tile & 1:
                    self._take_tile(tile)

    def _take_tile(self, tile: int) -> None:
        """RULES 5.1 to 5.3: one from each hex, unusable until the next turn."""
        player = self.player
        bit = 1 << tile
        self.stock[tile] -= 1
        self.taken[player] |= bit
        self.held[player] |= bit
        self.fresh |= bit

    def _lose_tile(self, tile: int) -> None:
        """RULES 5.5 and 5.7: of several tiles of a kind the used one goes first, then the fresh one."""
        lost = 1 << tile
        held = self.held[self.player] = self.held[self.player] ^ lost
        twins = held & self.setup.kind_tiles[self.setup.tile_kind[tile]]
        used = twins & ~self.ready & ~self.fresh
        if self.ready & lost:
            self.ready ^= lost
            worse = used or twins & self.fresh
            heir = worse & -worse
            self.ready |= heir
            self.fresh &= ~heir
        elif self.fresh & lost:
            self.fresh ^= lost
            self.fresh |= used & -used

    # ---- turns and cards -----------------------------------------------------------------------------------------

    def _end_turn(self) -> None:
        player = self.player
        self.ready = self.fresh = 0
        if self.ending and player == self.setup.players - 1:
            self.over = True
            return
        self.discard += self.hands[player]
        self.hands[player] = ""
        self.card = ""
        self.land = 0
        if not self.deck:
            self._reshuffle()
        if self.deck:
            self.awaiting = HAND
        else:
            self._next_turn()

    def _next_turn(self) -> None:
        """The next seat plays, or draws when the first cards are dealt."""
        player = self.player + 1
        if player == self.setup.players:
            player = 0
            self.round += 1
        self.player = player
        if not self.round:
            self.awaiting = HAND
            return
        self.todo = MANDATORY if self.supply[player] else 0
        self.ready = self.held[player]
        self._play(self.hands[player])

    def _play(self, card: str) -> None:
        self.card = card
        land = self.land = self.setup.terrain[card]
        if not self.free & land:
            self._replace_card()

    def _replace_card(self) -> None:
        """No free hex of its terrain is left: the card leaves the game for a new one (RULES 4.3)."""
        if not self.todo and not self.setup.redraw_always:
            return
        self.card = self.hands[self.player] = ""
        self.land = 0
        if self.deck:
            self.awaiting = CARD
        else:
            # RULES is silent on a game that has run out of cards for everybody: it ends, or nobody could end it.
            self.ending |= not any(self.hands)
            self.todo = 0

    def _draw(self, card: str) -> None:
        deck = self.deck.replace(card, "", 1)
        if deck:
            self.deck = deck
        else:
            self._reshuffle()
        self.hands[self.player] = card
        if self.awaiting == HAND:
            self.awaiting = None
            self._next_turn()
        else:
            self.awaiting = None
            self._play(card)

    def _reshuffle(self) -> None:
        """The discard pile becomes the draw pile at the moment that is empty (RULES 3)."""
        self.deck, self.discard = "".join(sorted(self.discard)), ""


@cache
def draws_from(deck: str) -> ActionSet:
    """The draws that are possible from a pile."""
    return sum([1 << DRAWING[terrain] for terrain in set(deck)])
