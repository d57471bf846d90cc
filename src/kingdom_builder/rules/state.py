"""The state of a game and the flow of a turn (RULES 3 to 5).

`legal()` gives the set of actions, `apply(action)` carries one out, `copy()` makes an independent state. Chance is an
action too: while `awaiting` is set, the state waits for a `DRAW`, which is chosen by whoever drives the game.
"""

from collections.abc import Iterable
from functools import cache

from kingdom_builder.hexes import AREA, BIT, NEAR, Hex, HexSet, around, bits
from kingdom_builder.message import Message
from kingdom_builder.rules import reasons
from kingdom_builder.rules.actions import CHOOSING, CHOSEN, DRAWING, DRAWN, END, USE, Action, ActionSet
from kingdom_builder.rules.components import ExtraAction, Finale, PieceKind
from kingdom_builder.rules.errors import IllegalAction
from kingdom_builder.rules.setup import (
    CHOSEN_CARD,
    DECK,
    EQUAL_CARDS_FREE,
    MEEPLES_ONLY_BY_OWN_ACTION,
    SETTLEMENTS,
    WALLS,
    Setup,
)
from kingdom_builder.rules.setup import MANDATORY as MANDATORY
from kingdom_builder.rules.versions import CHOICE_LASTS

BIT_END: ActionSet = 1 << END
HAND, CARD, ACTION = "hand", "card", "action"
"""What a draw is for: the hand at the end of a turn (and when dealing), the played card, to replace it, or the extra
action in progress."""

HIDDEN = "?"
"""A card that an observer may not see."""

SEAT_BITS = 32
"""Bits of each seat in a number that holds a part for each seat."""


class State:
    """A state of a game. Fields are for reading; only `apply` and the components that it calls change them."""

    __slots__ = (
        "_legal",
        "acting",
        "adjacency_lifted",
        "awaiting",
        "blocked",
        "builds_left",
        "card",
        "card_hexes",
        "deck",
        "discard",
        "ending",
        "free",
        "hands",
        "held",
        "just_taken",
        "memory",
        "near",
        "over",
        "own",
        "player",
        "ready",
        "round",
        "scouts",
        "setup",
        "source",
        "special_pieces",
        "steps",
        "supply",
        "taken",
        "tiles_left",
    )

    def __init__(self, setup: Setup) -> None:
        """The state before the first card is dealt."""
        setup.prepare()
        players = setup.players
        self.setup = setup
        self.free: HexSet = setup.room
        """Hexes where a piece may be put: without piece, wall or scout, and not blocked."""
        self.blocked: HexSet = 0
        """Hexes next to a warrior (RULES 4.4)."""
        self.own: list[HexSet] = [0] * players
        """The pieces of each seat, of all kinds."""
        self.special_pieces: HexSet = 0
        """Those of them that are not settlements."""
        self.scouts: HexSet = 0
        """Hexes that count as pieces of the current player for adjacency, until the turn ends."""
        self.near: list[HexSet] = [0] * players
        """The hexes next to the pieces of each seat."""
        self.supply = [SETTLEMENTS] * players
        self.taken = [0] * players
        """The tiles that each seat ever took, as sets of tile numbers: it cannot take them again (RULES 5.2)."""
        self.held = [setup.standing] * players
        """The tiles that each seat has now."""
        self.tiles_left = setup.tiles_left[:]
        """The tiles left of each tile number."""
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
        self.card_hexes: HexSet = 0
        """The hexes of its terrain."""
        self.builds_left = 0
        """Settlements of the mandatory action still to build: 3 before it, 0 after it."""
        self.adjacency_lifted = False
        """The next build may ignore the adjacency rule."""
        self.ready = 0
        """The tiles that may still be used in this turn."""
        self.just_taken = 0
        """The tiles taken in this turn, usable from the next turn on."""
        self.acting: ExtraAction | None = None
        """The extra action in progress."""
        self.source: Hex | None = None
        """The piece chosen to be moved by it."""
        self.steps = 1
        """The choices that the action has left, if it counts them; at the end of a turn, the cards to draw."""
        self.awaiting: str | None = HAND
        self.memory: dict[str, int] = {}
        """What components remember, by `Component.fields`. Never changed in place: copies share it."""
        self.ending = False
        """The game ends after this round."""
        self.over = False
        self._legal: ActionSet | None = None

    def copy(self, kind: "type[State] | None" = None) -> "State":
        """An independent state, equal to this one, perhaps as another kind of state."""
        new = object.__new__(kind or type(self))
        new.setup = self.setup
        new.free = self.free
        new.blocked = self.blocked
        new.own = self.own[:]
        new.special_pieces = self.special_pieces
        new.scouts = self.scouts
        new.near = self.near[:]
        new.supply = self.supply[:]
        new.taken = self.taken[:]
        new.held = self.held[:]
        new.tiles_left = self.tiles_left[:]
        new.deck = self.deck
        new.discard = self.discard
        new.hands = self.hands[:]
        new.round = self.round
        new.player = self.player
        new.card = self.card
        new.card_hexes = self.card_hexes
        new.builds_left = self.builds_left
        new.adjacency_lifted = self.adjacency_lifted
        new.ready = self.ready
        new.just_taken = self.just_taken
        new.acting = self.acting
        new.source = self.source
        new.steps = self.steps
        new.awaiting = self.awaiting
        new.memory = self.memory
        new.ending = self.ending
        new.over = self.over
        new._legal = self._legal
        return new

    def __repr__(self) -> str:
        from kingdom_builder.notation import position_of  # it is above the rules

        return f"parse_position({position_of(self)!r})"

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
            if self.setup.lifting_tiles and not self.adjacency_lifted and self.acting.goes_by_adjacency(self):
                self.adjacency_lifted = True
                everywhere = self.acting.legal(self)
                self.adjacency_lifted = False
                legal = self._without_adjacency(legal, everywhere)
        elif self.over:
            legal = 0
        else:
            setup = self.setup
            todo = self.builds_left
            if todo:
                free = self.free & self.card_hexes
                legal = free & self.near[self.player] or free
                if setup.lifting_tiles:
                    legal = self._without_adjacency(legal, free)
            else:
                legal = BIT_END
            if not todo or todo == MANDATORY:
                if not self.card:
                    legal |= self._choices_of_card()
                ready = self.ready
                if ready and not self.adjacency_lifted:
                    for tiles, use, choices in setup.uses:
                        if ready & tiles and choices(self):
                            legal |= use
        self._legal = legal
        return legal

    def can_draw(self) -> bool:
        """Whether there is a card on the pile; the pile of an observation also holds the hidden cards."""
        return len(self.deck) > "".join(self.hands).count(HIDDEN)

    def spots(self, area: HexSet) -> HexSet:
        """Where the player may build in an area: next to their own pieces if possible, else anywhere (RULES 4.1)."""
        free = self.free & area
        return free if self.adjacency_lifted else free & self.near[self.player] or free

    def _without_adjacency(self, legal: ActionSet, everywhere: ActionSet) -> ActionSet:
        """Add the tiles that lift the adjacency rule, if that opens hexes; or, once one is declared, those hexes."""
        if self.adjacency_lifted:
            return everywhere
        if everywhere & ~legal:
            for tiles, use, _ in self.setup.uses:
                if tiles & self.ready & self.setup.lifting_tiles:
                    legal |= use
        return legal

    def choice_is_open(self) -> bool:
        """Whether the player has several cards and has not chosen one yet (RULES 4.3, 6.3)."""
        return not self.card and len(self.hands[self.player]) > 1 and CHOSEN_CARD not in self.memory

    def _choices_of_card(self) -> ActionSet:
        return sum([1 << CHOOSING[card] for card in self.useful_cards()]) if self.choice_is_open() else 0

    def useful_cards(self) -> list[str]:
        """The different cards in hand that have a free hex."""
        return [card for card in self.cards_to_choose() if self.free & self.setup.terrain[card]]

    def cards_to_choose(self) -> set[str]:
        """The different cards in hand; all there are where it is hidden, or where equal cards stand for any."""
        hand = set(self.hands[self.player])
        if HIDDEN in hand or (len(hand) == 1 and EQUAL_CARDS_FREE in self.setup.options):
            return set(CHOOSING)
        return hand

    def why_not(self, action: Action) -> Message | None:
        """Why an action, such as a hex, is not legal now, in one sentence; None if it is legal."""
        return reasons.why_not(self, action)

    def why_not_build(self, h: Hex, area: HexSet, wanted: Message) -> Message:
        """Why the player may not build on a hex; `area` is what is allowed, and `wanted` says so in words."""
        return reasons.why_not_build(self, h, area, wanted)

    def why_not_empty(self, h: Hex) -> Message | None:
        """Why no action can put anything on a hex; None if one can."""
        return reasons.why_not_empty(self, h)

    # ---- doing it ------------------------------------------------------------------------------------------------

    def apply(self, action: Action) -> None:
        """Carry out a legal action. Raises `IllegalAction` for any other and changes nothing."""
        legal = self._legal
        if legal is None:
            legal = draws_from(self.deck) if self.awaiting else self.legal()
        if action < 0 or not legal >> action & 1:
            raise IllegalAction(action, reasons.why_not(self, action) or Message("The state was changed by hand."))
        self._legal = None
        acting = self.acting
        if action < END:
            if acting is None:
                self.builds_left -= 1
                self.build(action)
            else:
                acting.apply(self, action)
            if not self.free & self.card_hexes:
                self._replace_card()
        elif action in DRAWN:
            self._draw(DRAWN[action])
        elif action >= USE and (acting is None or self.setup.actions[action - USE].lifts_adjacency):
            kind = action - USE
            usable = self.ready & self.setup.kind_tiles[kind]
            self.ready ^= usable & -usable
            used = self.setup.actions[kind]
            if used.lifts_adjacency:
                self.adjacency_lifted = True
            else:
                self.acting = used
                used.begin(self)
        elif acting is not None:
            acting.apply(self, action)
            if not self.free & self.card_hexes:
                self._replace_card()
        elif action == END:
            self._end_turn()
        else:
            self.remember(CHOSEN_CARD, 1)
            self._play(CHOSEN[action])

    def finish(self) -> None:
        """The extra action in progress is complete."""
        self.acting = None
        self.source = None
        self.steps = 0

    # ---- pieces --------------------------------------------------------------------------------------------------

    def build(self, h: Hex) -> None:
        """Put a settlement from the supply on a hex."""
        player = self.player
        supply = self.supply
        supply[player] -= 1
        if not supply[player]:
            self._trigger_end()
        bit = BIT[h]  # the rest is `_stand` inlined: half of all actions come this way
        self.free ^= bit
        self.own[player] |= bit
        self.near[player] |= NEAR[h]
        if h in self.setup.watched:
            self._built([h])

    def _trigger_end(self) -> None:
        """A supply is empty: the game ends after this round (RULES 9)."""
        self.ending = True
        self.builds_left = 0

    def spend(self) -> None:
        """Use a settlement of the player's supply for something other than building."""
        self.supply[self.player] -= 1
        if not self.supply[self.player]:
            self._trigger_end()

    def place(self, kind: type[PieceKind], hexes: Iterable[Hex]) -> None:
        """Put a piece other than a settlement on the board; if it covers several hexes, it counts on each."""
        hexes = list(hexes)
        for h in hexes:
            self._stand(h)
            self.special_pieces |= BIT[h]
            self.remember(kind.key, self.memory.get(kind.key, 0) | BIT[h])
        if kind.blocks:
            self.update_blocked()
        self._built(hexes)

    def _built(self, hexes: list[Hex]) -> None:
        """A new piece stands on these hexes: apply its effects in the order of RULES 3."""
        self.adjacency_lifted = False
        if not isinstance(self.acting, Finale):
            for hook in self.setup.on_built:
                for h in hexes:
                    hook(self, h)
        for h in hexes:
            self._touch(h)

    def move(self, source: Hex, target: Hex) -> None:
        """Lift a piece and put it down elsewhere; tiles are lost before others are taken (RULES 3)."""
        player = self.player
        lifted = BIT[source]
        own = self.own[player] ^ lifted
        self.adjacency_lifted = False
        self.free = (self.free | lifted & ~self.blocked if self.blocked else self.free | lifted) ^ BIT[target]
        self.own[player] = own | BIT[target]
        self.near[player] = around(own | self.scouts if self.scouts else own) & AREA | NEAR[target]
        if self.special_pieces & lifted:
            self._move_special(source, target)
        if source in self.setup.tiles_beside:
            self._lose_contact(player, source)
        if target in self.setup.watched:
            self._touch(target)

    def lift(self, kind: type[PieceKind], hexes: HexSet) -> None:
        """Take a piece of the player that is not a settlement off the board, without a look at the player's tiles."""
        own = self.own[self.player] & ~hexes
        self.own[self.player] = own
        self.near[self.player] = around(own | self.scouts) & AREA
        self.special_pieces &= ~hexes
        self.remember(kind.key, self.memory[kind.key] & ~hexes)
        self.update_blocked()

    def relocate(self, kind: type[PieceKind], source: HexSet, target: HexSet) -> None:
        """Move a piece of several hexes at once: as with any move, tiles are lost before others are taken."""
        self.lift(kind, source)
        hexes = bits(target)
        for h in hexes:
            self._stand(h)
        self.special_pieces |= target
        self.remember(kind.key, self.memory.get(kind.key, 0) | target)
        self.update_blocked()
        for h in bits(source):
            if h in self.setup.tiles_beside:
                self._lose_contact(self.player, h)
        for h in hexes:
            self._touch(h)

    def remove(self, seat: int, h: Hex) -> None:
        """Take a piece off the board, back to where it came from; its owner may lose tiles."""
        bit = BIT[h]
        own = self.own[seat] ^ bit
        self.own[seat] = own
        self.near[seat] = around(own | self.scouts if seat == self.player else own) & AREA
        self.free |= bit & ~self.blocked
        kind = self.kind_of(h)
        if kind is None:
            self.supply[seat] += 1
        else:
            self.special_pieces ^= bit
            self.remember(kind.key, self.memory[kind.key] ^ bit)
            if kind.blocks:
                self.update_blocked()
        if h in self.setup.tiles_beside:
            self._lose_contact(seat, h)

    def kind_of(self, h: Hex) -> type[PieceKind] | None:
        """The kind of the piece on a hex; None for a settlement."""
        if self.special_pieces & BIT[h]:
            for kind in self.setup.piece_kinds:
                if self.memory.get(kind.key, 0) & BIT[h]:
                    return kind
        return None

    def movable_specials(self) -> list[Hex]:
        """The current player's pieces other than settlements that any action may move."""
        if MEEPLES_ONLY_BY_OWN_ACTION in self.setup.options:
            return []
        return [h for h in bits(self.special_pieces & self.own[self.player]) if self.footing(h)]

    def footing(self, h: Hex) -> HexSet:
        """Where the special piece on a hex may stand."""
        kind = self.kind_of(h)
        assert kind is not None
        return self.setup.footing[kind]

    def free_without(self, h: Hex) -> HexSet:
        """The free hexes once the piece on a hex is lifted, its own included."""
        if not self.blocked:
            return self.free | BIT[h]
        kind = self.kind_of(h)
        if kind is None or not kind.blocks:
            return self.free | BIT[h] & ~self.blocked
        return (self.empty() | BIT[h]) & ~around(self._blocking() ^ BIT[h])

    def empty(self) -> HexSet:
        """The hexes without piece, wall or scout, blocked or not."""
        return self.setup.room & ~(self.occupied() | self.scouts)

    def occupied(self) -> HexSet:
        """The hexes with a piece or a wall."""
        taken: HexSet = self.memory.get(WALLS, 0)
        for own in self.own:
            taken |= own
        return taken

    def place_wall(self, h: Hex) -> None:
        """Put a stone wall on a hex."""
        self.remember(WALLS, self.memory.get(WALLS, 0) | BIT[h])
        self.free &= ~BIT[h]

    def place_scout(self, h: Hex) -> None:
        """Put a scout on a hex: until the end of the turn it counts as a piece for adjacency."""
        self.scouts |= BIT[h]
        self.free &= ~BIT[h]
        self.near[self.player] |= NEAR[h]

    def remove_scouts(self) -> None:
        """Take all scouts off the board."""
        if self.scouts:
            self.scouts = 0
            self.near[self.player] = around(self.own[self.player]) & AREA
            self.free = self.empty() & ~self.blocked

    def _blocking(self) -> HexSet:
        return sum([self.memory.get(kind.key, 0) for kind in self.setup.piece_kinds if kind.blocks])

    def update_blocked(self) -> None:
        """Update the hexes that are next to a piece that blocks."""
        self.blocked = around(self._blocking()) & AREA
        self.free = self.empty() & ~self.blocked

    def _stand(self, h: Hex) -> None:
        bit = BIT[h]
        self.free &= ~bit
        self.own[self.player] |= bit
        self.near[self.player] |= NEAR[h]

    def _move_special(self, source: Hex, target: Hex) -> None:
        kind = self.kind_of(source)
        assert kind is not None
        both = BIT[source] | BIT[target]
        self.special_pieces ^= both
        self.remember(kind.key, self.memory[kind.key] ^ both)
        if kind.blocks:
            self.update_blocked()

    def _touch(self, h: Hex) -> None:
        """A piece of the player has arrived on a hex: take the tiles there and call the hooks."""
        beside = self.setup.tiles_beside.get(h)
        if beside:
            for tile in beside:
                if self.tiles_left[tile] and not self.taken[self.player] >> tile & 1:
                    self._take_tile(tile)
        for hook in self.setup.on_arrived:
            hook(self, h)

    # ---- tiles ---------------------------------------------------------------------------------------------------

    def _take_tile(self, tile: int) -> None:
        """Take a tile, which can be used from the next turn on (RULES 5.1 to 5.3)."""
        player = self.player
        bit = 1 << tile
        self.tiles_left[tile] -= 1
        self.taken[player] |= bit
        self.held[player] |= bit
        self.just_taken |= bit
        self.setup.actions[self.setup.tile_kind[tile]].taken(self)

    def drop_just_taken(self, kind: ExtraAction) -> None:
        """Give up a tile of this kind that was just taken: it has had its effect."""
        tiles = self.just_taken & self.setup.kind_tiles[self.setup.actions.index(kind)]
        self.just_taken &= ~tiles
        self.held[self.player] &= ~tiles

    def _lose_contact(self, seat: int, h: Hex) -> None:
        """A piece has left a hex: its owner loses the tiles of locations that no other piece touches (RULES 5.5)."""
        for tile in self.setup.tiles_beside[h]:
            bit = 1 << tile
            if self.held[seat] & self.setup.location_tiles & bit and not self.setup.tile_side[tile] & self.own[seat]:
                self._lose_tile(seat, tile)

    def _lose_tile(self, seat: int, tile: int) -> None:
        """Lose a tile; of several of a kind the used one goes first, then the one just taken (RULES 5.5 and 5.7)."""
        lost = 1 << tile
        kind = self.setup.tile_kind[tile]
        held = self.held[seat] = self.held[seat] ^ lost
        self.setup.actions[kind].lost(self, seat)
        if seat != self.player:
            return
        twins = held & self.setup.kind_tiles[kind]
        used = twins & ~self.ready & ~self.just_taken
        if self.ready & lost:
            self.ready ^= lost
            worse = used or twins & self.just_taken
            heir = worse & -worse
            self.ready |= heir
            self.just_taken &= ~heir
        elif self.just_taken & lost:
            self.just_taken ^= lost
            self.just_taken |= used & -used

    def used(self) -> int:
        """The tiles of the current player that have been used in this turn."""
        return self.held[self.player] & ~self.ready & ~self.just_taken

    # ---- what components remember ----------------------------------------------------------------------------

    def remember(self, field: str, value: int) -> None:
        """Remember a number or a set under a name; 0 is the same as nothing."""
        if value:
            self.memory = {**self.memory, field: value}
        elif field in self.memory:
            self.memory = {key: kept for key, kept in self.memory.items() if key != field}

    def of_seat(self, field: str, seat: int) -> int:
        """A seat's part of a number that holds a part for each seat."""
        return self.memory.get(field, 0) >> SEAT_BITS * seat & (1 << SEAT_BITS) - 1

    def add_for(self, field: str, seat: int, amount: int) -> None:
        """Add to a seat's part of a number that holds a part for each seat."""
        self.remember(field, self.memory.get(field, 0) + (amount << SEAT_BITS * seat))

    # ---- turns and cards -----------------------------------------------------------------------------------------

    def _end_turn(self) -> None:
        player = self.player
        setup = self.setup
        self.steps = 1
        if self.scouts:
            self.remove_scouts()
        if setup.on_turn_end:
            self._clean_up()
        elif self.memory and CHOICE_LASTS not in setup.options:
            self.remember(CHOSEN_CARD, 0)
        self.ready = self.just_taken = 0
        self.discard += self.hands[player]
        self.hands[player] = ""
        self.card = ""
        self.card_hexes = 0
        if not self.deck:
            self._reshuffle()
        if player == setup.players - 1 and (self.ending or self._is_last_round()):
            self._end_game()
        elif self.deck:
            self.awaiting = HAND
        else:
            self._next_turn()

    def _is_last_round(self) -> bool:
        """Whether the game ends after this round, since a supply is empty (RULES 9).

        In play `ending` is already set; a position written by hand may lack it, and would never end.
        """
        self.ending = self.setup.empty_supply_ends and not all(self.supply)
        return self.ending

    def _clean_up(self) -> None:
        """Begin the cleanup: what happens before the card is discarded (RULES 3)."""
        player = self.player
        for extra in self.setup.on_extra_cards:
            self.steps += extra(self)
        for hook in self.setup.on_turn_ended:
            hook(self)
        self.held[player] &= ~self.setup.nomad_tiles | self.just_taken
        self.remember(CHOSEN_CARD, 0)

    def _end_game(self) -> None:
        self.steps = 0
        for hook in self.setup.on_game_ended:
            if hook(self):
                return
        self.over = True

    def _next_turn(self) -> None:
        """The next seat plays, or draws when the first cards are dealt."""
        player = self.player + 1
        if player == self.setup.players:
            player = 0
            self.round += 1
        self.player = player
        if not self.round:
            self.steps = 1
            self.awaiting = HAND
            return
        self.steps = 0
        self.builds_left = MANDATORY if self.supply[player] else 0
        self.ready = self.held[player]
        card = self.hands[player]
        if len(card) > 1:
            card = ""  # not chosen yet
        self.card = card
        land = self.card_hexes = self.setup.terrain[card]
        if not self.free & land:
            self._replace_card()

    def _play(self, card: str) -> None:
        self.card = card
        land = self.card_hexes = self.setup.terrain[card]
        if not self.free & land:
            self._replace_card()

    def card_is_replaced(self) -> bool:
        """Whether the card in play has no free hex any more and leaves the game after the current step."""
        return not self.free & self.card_hexes and bool(self.builds_left or self.setup.redraw_always)

    def _replace_card(self) -> None:
        """Replace a card that has no free hex of its terrain; it leaves the game (RULES 4.3).

        While the player can still choose between several cards, this happens only when none has a free hex.
        """
        player = self.player
        if self.over or isinstance(self.acting, Finale):
            return
        if self.choice_is_open():
            if self.useful_cards():
                return
            self.hands[player] = ""
        elif not self.builds_left and not self.setup.redraw_always:
            return
        else:
            hand = self.hands[player]
            self.hands[player] = hand.replace(self.card, "", 1) if self.card in hand else hand[1:]
        self.card = ""
        self.card_hexes = 0
        if self.can_draw():
            self.awaiting = CARD
        else:
            # RULES does not say what happens when everybody is out of cards: the game ends, or nobody could end it.
            self.ending |= not any(self.hands)
            self.builds_left = 0

    def _draw(self, card: str) -> None:
        deck = self.deck.replace(card, "", 1)
        if deck:
            self.deck = deck
        else:
            self._reshuffle()
        purpose = self.awaiting
        self.awaiting = None
        if purpose == ACTION:
            assert self.acting is not None
            self.acting.apply(self, DRAWING[card])
            return
        hands, player = self.hands, self.player
        hands[player] = "".join(sorted(hands[player] + card)) if hands[player] else card
        if purpose == CARD:
            self._play(card)
        elif self.steps == 1 or not self.deck:
            self._next_turn()
        else:
            self.steps -= 1
            self.awaiting = HAND

    def discard_card(self, card: str) -> None:
        """Put a card on the discard pile."""
        self.discard += card
        if not self.deck:
            self._reshuffle()

    def _reshuffle(self) -> None:
        """Make the discard pile the draw pile as soon as the draw pile is empty (RULES 3)."""
        self.deck, self.discard = "".join(sorted(self.discard)), ""


@cache
def draws_from(deck: str) -> ActionSet:
    """The draws that are possible from a pile."""
    return sum([1 << DRAWING[terrain] for terrain in set(deck)])
