"""Farmland and silos (RULES 6.4 and 9.3)."""

from kingdom_builder.board.terrain import FARMLAND, terrain_name
from kingdom_builder.hexes import BIT, Hex, HexSet, around, bits, supported_moves
from kingdom_builder.message import HexName, Listed, Message, SeatName
from kingdom_builder.rules import END, Action, ActionSet, FixedBuilding, Setup, Shape, StandingAction, State
from kingdom_builder.rules.components import HEXES, NUMBER, Finale


class FarmAction(FixedBuilding, StandingAction):
    key = "farm-action"
    name = "Farm action"
    text = "Build one settlement on farmland next to one of your settlements."
    where = Message("{terrain} next to one of your settlements", terrain=terrain_name(FARMLAND))

    def in_play(self, setup: Setup) -> bool:
        return bool(setup.board.terrain[FARMLAND])

    def shown_on(self, setup: Setup) -> HexSet:
        return setup.board.terrain[FARMLAND]

    def spots(self, state: State) -> HexSet:
        return state.setup.board.terrain[FARMLAND] & state.near[state.player]

    def shape(self, setup: Setup) -> Shape:
        return Shape("build_next_to", (setup.board.terrain[FARMLAND],))


BUILDING, MOVING = 1, 2


class Silo(Finale):
    """The silos: after the last turn each seat builds or moves up to three settlements for each silo that it touches.

    The field `silos` holds the silos that the current seat has left, the current one included; `silo-use` says whether
    that one is used for building or for moving.
    """

    key = "silo"
    name = "Silo"
    text = "After the last turn, if you are next to it, build or move up to three settlements next to your own."
    fields = {"silos": HEXES, "silo-use": NUMBER}
    options = {"siloLive": "Silos: adjacency is checked as each silo is resolved, not once before the first."}

    counts = range(1, 4)
    builds = True

    def in_play(self, setup: Setup) -> bool:
        return bool(setup.board.silos)

    def shown_on(self, setup: Setup) -> HexSet:
        return setup.board.silos

    def explain(self, state: State, seat: int | None, h: Hex | None) -> list[Message]:
        silos = state.setup.board.silos if h is None else BIT[h]
        lines = []
        if seat is not None:
            touched = (state.near[seat] & silos).bit_count()
            lines.append(
                Message("You are next to {n} of {all} silos.", n=touched, all=silos.bit_count())
                if h is None
                else Message("You are next to it.")
                if touched
                else Message("You are not next to it: put a piece there before the game ends.")
            )
        others = [SeatName(who) for who, near in enumerate(state.near) if who != seat and near & silos]
        if others and h is not None:
            lines.append(
                Message("{seats} {n:is|are} next to it.", seats=Listed.of(others), n=len(others)),
            )
        return lines

    def game_ended(self, state: State) -> bool:
        return self._next_seat(state, 0)

    def _next_seat(self, state: State, first: int) -> bool:
        """Begin with the first seat, counted from this one, that is next to a silo."""
        for seat in range(first, state.setup.players):
            state.player = seat
            silos = state.setup.board.silos
            if "siloLive" not in state.setup.options:
                silos &= state.near[seat]
            state.remember("silos", silos)
            if self._begin_silo(state):
                return True
        return False

    def _begin_silo(self, state: State) -> bool:
        """Begin with the first remaining silo that the seat is next to and can use."""
        state.remember("silo-use", 0)
        state.source = None
        live = "siloLive" in state.setup.options
        for silo in bits(state.memory.get("silos", 0)):
            state.acting = self
            state.steps = 3
            if (not live or state.near[state.player] >> silo & 1) and self.legal(state) != 1 << END:
                return True
            state.remember("silos", state.memory["silos"] ^ BIT[silo])
        state.finish()
        return False

    def _end_silo(self, state: State) -> None:
        silos = state.memory.get("silos", 0)
        state.remember("silos", silos & silos - 1)
        if not self._begin_silo(state) and not self._next_seat(state, state.player + 1):
            state.over = True

    def targets(self, state: State, source: Hex) -> HexSet:
        others = around(state.own[state.player] ^ BIT[source]) & state.setup.board.buildable
        if state.special_pieces & BIT[source]:
            return others & state.free_without(source) & state.footing(source) & ~BIT[source]
        return others & state.free

    def movers(self, state: State) -> HexSet:
        plain = (
            supported_moves(state.own[state.player], state.free & state.setup.board.buildable) & ~state.special_pieces
        )
        return plain | sum([BIT[h] for h in state.movable_specials() if self.targets(state, h)])

    def legal(self, state: State) -> ActionSet:
        if state.source is not None:
            return self.targets(state, state.source)
        use = state.memory.get("silo-use", 0)
        legal = 1 << END
        if use != MOVING and state.supply[state.player]:
            legal |= state.free & state.setup.board.buildable & state.near[state.player]
        if use != BUILDING:
            legal |= self.movers(state)
        return legal

    def apply(self, state: State, choice: Action) -> None:
        if choice == END:
            self._end_silo(state)
            return
        if state.source is None and state.own[state.player] >> choice & 1:
            state.source = choice
            return
        if state.source is None:
            state.remember("silo-use", BUILDING)
            state.build(choice)
        else:
            state.remember("silo-use", MOVING)
            state.move(state.source, choice)
            state.source = None
        state.just_taken = 0  # a tile taken now is of no use
        state.steps -= 1
        if not state.steps or self.legal(state) == 1 << END:
            self._end_silo(state)

    def shape(self, setup: Setup) -> Shape:
        land_and_silos = (setup.board.buildable, setup.board.silos)
        return Shape("silo", land_and_silos, ("siloLive" in setup.options,), ("silos", "silo-use"))

    def prompt(self, state: State) -> Message:
        if state.source is not None:
            return super().prompt(state)
        use = state.memory.get("silo-use", 0)
        if use == BUILDING:
            return Message(
                "{action}: build up to {n} more, next to your own settlements, or end your turn.",
                action=self,
                n=state.steps,
            )
        if use == MOVING:
            return Message(
                "{action}: move up to {n} more, next to your own settlements, or end your turn.",
                action=self,
                n=state.steps,
            )
        return Message(
            "{action}: build or move up to {n}, next to your own settlements, or end your turn.",
            action=self,
            n=state.steps,
        )

    def why_not(self, state: State, h: Hex) -> Message:
        if h == state.source:
            return Message("{action}: {hex} is where the piece stands.", action=self, hex=HexName(h))
        if state.source is None and state.own[state.player] >> h & 1:
            return self._why_not_move(state, h)
        occupied = state.why_not_empty(h)
        if occupied:
            return occupied
        if state.source is None and state.setup.board.buildable & state.near[state.player] & BIT[h]:
            return self._why_not_build(state)
        return Message(
            "{action}: build or move to free land next to another of your settlements; "
            "{hex} ({ground}) is not such a hex.",
            action=self,
            hex=HexName(h),
            ground=state.setup.ground(h),
        )

    def _why_not_move(self, state: State, h: Hex) -> Message:
        if state.memory.get("silo-use", 0) == BUILDING:
            return Message("{action}: you build with this one, and cannot move pieces too.", action=self)
        where = Message("free land next to another of your settlements")
        return Message("{action}: the piece on {hex} cannot move to {where}.", action=self, hex=HexName(h), where=where)

    def _why_not_build(self, state: State) -> Message:
        if state.memory.get("silo-use", 0) == MOVING:
            return Message("{action}: you move pieces with this one, and cannot build too.", action=self)
        return Message("{action}: your supply is empty.", action=self)
