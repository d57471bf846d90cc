"""Whole games with everything in the boxes (RULES 3 to 9), for the reference model."""

from dataclasses import replace

from reference.position import (
    BUILDABLE,
    BUILDS,
    DONATIONS,
    MOVES,
    Place,
    by_adjacency,
    mandatory,
    movers,
    neighbours,
    resettlement,
    silo_move,
    targets,
    touches,
)
from reference.steps import (
    RULE_3,
    VEHICLE_STEPS,
    first_spots,
    quarry,
    relocated_city_hall,
    resettlers,
    scout_cabin,
    victims,
)
from reference.table import CITY_HALL, SHIP, TERRAINS, WAGON, WARRIOR, Table
from reference.tiles import READY, USED

END, DONE, OTHER = "end", "done", "other"
OUTPOST = ("use", "outpost")
Choice = Place | str | tuple[str, str]
"""A hex, a word, or `("draw", terrain)`, `("choose", terrain)`, `("use", action)`."""

STEPS = {**dict.fromkeys(DONATIONS, 3), "quarry": 2, "resettlement": 4}


class Game(Table):
    """A whole game, from the dealing of the first cards on."""

    # ---- what may be done --------------------------------------------------------------------------------------------

    def choices(self) -> set[Choice]:
        """Everything that may be done now."""
        if self.over:
            return set()
        if self.draws_for:
            return {("draw", terrain) for terrain in self.deck}
        if self.acting:
            return self._choices_of_step()
        found: set[Choice] = {END}
        if self.builds_left:
            builds = mandatory(self.position)
            found = {*builds} | self._outpost(builds, mandatory(replace(self.position, anywhere=True)))
        if self.builds_left in (0, 3) and not self.outpost_declared:
            found |= {("choose", terrain) for terrain in self.useful_cards()} if self.choice_is_open else set()
            for kind in self.tiles.owned[self.seat]:
                if self.tiles.has(self.seat, kind, READY) and self.first_choices(kind):
                    found.add(("use", kind))
        return found

    def _outpost(self, allowed: set[Place], anywhere: set[Place]) -> set[Choice]:
        """The Outpost, if one is ready and would open a hex for the build at hand."""
        ready = self.tiles.has(self.seat, "outpost", READY) and not self.outpost_declared
        return {OUTPOST} if ready and anywhere - allowed else set()

    def first_choices(self, kind: str, repeating: bool = False) -> set[Choice]:
        """What an action would begin with."""
        here = self.position
        if kind in ("outpost", "treasure"):
            return set()
        if kind == "crossroads":
            return {"draw more"} if repeating else set()
        if kind == "fort":
            return {("draw", terrain) for terrain in self.deck} if here.supply else set()
        if kind == "sword":
            return {*self._sword_choices()}
        if kind == "bazaar":
            return self._bazaar_choices()
        if kind == "scout-cabin" and repeating and self.acting != kind:
            here = replace(here, scouts=frozenset())  # they are taken back before they go elsewhere
        if kind == "city-hall" and repeating:
            return {*relocated_city_hall(here)}
        found: set[Choice] = {*first_spots(here, kind)}
        if (
            kind in ("barn", "harbor")
            and "outpostForMoves" in self.options
            and self.tiles.has(self.seat, "outpost", READY)
        ):
            found |= {*first_spots(replace(here, anywhere=True), kind)}  # the Outpost can be declared after the choice
        if kind == "cathedral" and (not repeating or "bazaarCathedralGain" in self.options):
            found |= {OTHER}
        return found

    def _sword_choices(self) -> set[Place]:
        for seat in self.to_lose or self._others():
            if victims(self.position, seat):
                return victims(self.position, seat)
        return set()

    def _bazaar_choices(self) -> set[Choice]:
        """Location actions used in this turn whose tile the player still has; the Crossroads needs no use (6.4)."""
        found: set[Choice] = set()
        for kind in set(self.tiles.locations.values()) - {"bazaar"}:
            states = self.tiles.owned[self.seat][kind]
            if (USED in states or (kind == "crossroads" and states)) and self.first_choices(kind, repeating=True):
                found.add(("use", kind))
        return found

    def _choices_of_step(self) -> set[Choice]:
        """The choices in the middle of an extra action."""
        here, kind = self.position, self.acting
        anywhere = replace(here, anywhere=True)
        if kind == "silo":
            return self._silo_choices()
        if self.lifted is not None:
            return self._choices_of_move(self.lifted)
        if kind == "fort":
            free = here.free(self.fort_card)
            builds = by_adjacency(free, here)
            return {*builds} | self._outpost(builds, free)
        found: set[Choice] = self.first_choices(kind, self.repeating)
        if kind in ("quarry", "scout-cabin") and self.steps_left == 1:
            found |= {DONE}
        if kind == "cathedral" and (self.steps_left or self.outpost_declared):
            found = {*first_spots(here, kind)}
            if not self.outpost_declared:
                found.add(DONE)
        if kind in RULE_3:
            found |= self._outpost(first_spots(here, kind), first_spots(anywhere, kind))
        return found

    def _choices_of_move(self, piece: Place) -> set[Choice]:
        """Where the chosen piece may go, and what else may be done with it."""
        here, kind = self.position, self.acting
        if kind in VEHICLE_STEPS:
            return {*VEHICLE_STEPS[kind](here, piece), OTHER if self.steps_left == 3 else DONE}
        if kind == "resettlement":
            steps = targets(resettlement, here, piece)
            return {*steps} if self.steps_left == 4 else {*steps, *(resettlers(here) - {piece}), DONE}
        goals = targets(MOVES[kind], here, piece)
        if kind in ("barn", "harbor") and "outpostForMoves" in self.options:
            return {*goals} | self._outpost(goals, targets(MOVES[kind], replace(here, anywhere=True), piece))
        return {*goals}

    def _silo_choices(self) -> set[Choice]:
        """Build, or move, up to three, no mixing; every step may be the last (9.3)."""
        here = self.position
        if self.lifted is not None:
            return {*targets(silo_move, here, self.lifted)}
        found: set[Choice] = {END}
        if self.silo_use != "move" and here.supply:
            found |= {place for place in here.free(BUILDABLE) if touches(place, here.own)}
        if self.silo_use != "build":
            found |= movers(silo_move, here)
        return found

    # ---- doing it ----------------------------------------------------------------------------------------------------

    def play(self, choice: Choice) -> None:
        """Carry out one of the choices."""
        if isinstance(choice, tuple) and isinstance(choice[0], str):
            word, key = choice[0], str(choice[1])
            if word == "draw":
                self._draw(key)
                return
            if word == "choose":
                self.card, self.card_was_chosen = key, True
            elif key == "outpost":
                self.tiles.use(self.seat, key)
                self.outpost_declared = True
                return
            elif self.acting == "bazaar":
                self._finish()
                self._begin(key, repeating=True)
            else:
                self.tiles.use(self.seat, key)
                self._begin(key)
                return
        elif self.acting == "silo":
            self._silo_step(choice)
            return
        elif choice == END:
            self._end_turn()
            return
        elif choice == DONE:
            self._finish()
        elif choice == OTHER:
            self._other()
        else:
            assert isinstance(choice, tuple)
            self._choose((int(choice[0]), int(choice[1])))
        self._check_card()

    def _begin(self, kind: str, repeating: bool = False) -> None:
        self.acting, self.repeating = kind, repeating
        self.steps_left = STEPS.get(kind, 0)
        if kind == "scout-cabin":
            if repeating:
                self.scouts.clear()
            self.steps_left = 2 - len(self.scouts)
        elif kind == "fort":
            self.draws_for = "fort"
        elif kind == "sword":
            self.to_lose = [seat for seat in self._others() if victims(self.position, seat)]
        elif kind == "crossroads":
            self.crossroads_repeated = True
            self._finish()

    def _finish(self) -> None:
        self.acting, self.repeating, self.lifted, self.steps_left = "", False, None, 0

    def _other(self) -> None:
        """Take a number tile more, or take the wagon or ship back."""
        if self.acting == "cathedral":
            self.numbers[self.seat] += 1
        else:
            assert self.lifted is not None
            self._remove(self.seat, self.lifted)
        self._finish()

    def _choose(self, place: Place) -> None:
        kind = self.acting
        here = self.position
        if not kind:
            self.builds_left -= 1
            self._build(place, mandatory=True)
        elif kind in BUILDS:
            self._build(place)
            self.steps_left -= 1
            if self.steps_left <= 0 or not first_spots(self.position, kind):
                self._finish()
        elif kind in MOVES:
            self._choose_or_move(place)
        elif kind in ("wagon", "lighthouse"):
            self._drive(place)
        elif kind == "resettlement":
            self._resettle(place)
        elif kind == "sword":
            self._remove(self.to_lose.pop(0), place)
            if "swordCancelsEnd" in self.options and all(self.supply):
                self.ending = False
            if not self.to_lose:
                self._finish()
        elif kind == "fort":
            self._build(place)
            self._end_of_fort()
        elif kind == "cathedral":
            self.numbers[self.seat] -= 1
            self._build(place)
            self.steps_left = 1
            self._finish_unless(bool(first_spots(self.position, kind)) or self._card_is_full_but_numbers_are_left())
        elif kind == "quarry":
            self.walls.add(place)
            self.steps_left -= 1
            self._finish_unless(self.steps_left > 0 and bool(quarry(self.position) or self._card_is_replaced()))
        elif kind == "scout-cabin":
            self.scouts.add(place)
            self.steps_left -= 1
            self._finish_unless(self.steps_left > 0 and bool(scout_cabin(self.position)))
        elif kind == "barracks":
            if place in here.own:
                self._remove(self.seat, place)
            else:
                self._place(WARRIOR, [place])
            self._finish()
        elif kind == "city-hall":
            hexes = sorted({place} | neighbours(place))
            if self.repeating:
                self._relocate(CITY_HALL, hexes)
            else:
                self._place(CITY_HALL, hexes)
            self._finish()

    def _finish_unless(self, goes_on: bool) -> None:
        if not goes_on:
            self._finish()

    def _card_is_full_but_numbers_are_left(self) -> bool:
        """Then a new card will be drawn, on whose terrain the Cathedral goes on."""
        here = self.position
        return self._card_is_replaced() and here.numbers > 0 and here.supply > 0

    def _card_is_replaced(self) -> bool:
        """Its terrain is full, and the option that it then stays after the mandatory action is not in force."""
        redraws = self.builds_left > 0 or "redrawOnlyForMandatory" not in self.options
        return redraws and not self.position.free(self.card)

    def _choose_or_move(self, place: Place) -> None:
        if self.lifted is None:
            self.lifted = place
        else:
            self._move(self.lifted, place)
            self._finish()

    def _drive(self, place: Place) -> None:
        piece = WAGON if self.acting == "wagon" else SHIP
        if self.lifted is not None:
            self._move(self.lifted, place)
            self.lifted = place
            self.steps_left -= 1
            if not self.steps_left or not VEHICLE_STEPS[self.acting](self.position, place):
                self._finish()
        elif place in self.kind_on[self.seat]:
            self.lifted, self.steps_left = place, 3
        else:
            self._place(piece, [place])
            self._finish()

    def _resettle(self, place: Place) -> None:
        if place in self.kind_on[self.seat]:
            self.lifted = place
            return
        assert self.lifted is not None
        self._move(self.lifted, place)
        self.lifted = place
        self.steps_left -= 1
        if not self.steps_left or not resettlers(self.position):
            self._finish()

    # ---- cards (4.3, 6.3) --------------------------------------------------------------------------------------------

    @property
    def choice_is_open(self) -> bool:
        return not self.card and len(self.hands[self.seat]) > 1 and not self.card_was_chosen

    def useful_cards(self) -> set[str]:
        """The cards in hand that allow a hex; equal ones stand for any, if that is switched on."""
        hand = set(self.hands[self.seat])
        if len(hand) == 1 and "equalCardsFree" in self.options:
            hand = set(TERRAINS)
        return {terrain for terrain in hand if self.position.free(terrain)}

    def _may_keep_card(self) -> bool:
        if self.card and self.position.free(self.card):
            return True
        return self.builds_left == 0 and "redrawOnlyForMandatory" in self.options

    def _check_card(self) -> None:
        """No free hex of the card's terrain: it leaves the game and another is drawn, at once (4.3)."""
        hand = self.hands[self.seat]
        if self.choice_is_open:
            if self.useful_cards():
                return
            hand.clear()
        elif self._may_keep_card():
            return
        elif self.card:
            hand.remove(self.card if self.card in hand else hand[0])
        self.card = ""
        if self.deck:
            self.draws_for = "card"
            return
        if not any(self.hands):
            self.ending = True  # not in the rules: without it a game that ran out of cards would never end
        self.builds_left = 0

    def _draw(self, terrain: str) -> None:
        purpose, self.draws_for = self.draws_for, ""
        self.deck.remove(terrain)
        self._shuffle_if_exhausted()
        if purpose == "fort":
            self.fort_card = terrain
            self.discarded.append(terrain)
            self._shuffle_if_exhausted()
            if not self.position.free(terrain):
                self._end_of_fort()
            return
        self.hands[self.seat].append(terrain)
        if purpose == "card":
            self.card = terrain
            self._check_card()
        elif self.to_draw > 1 and self.deck:
            self.to_draw -= 1
            self.draws_for = "hand"
        else:
            self._next_seat()

    def _end_of_fort(self) -> None:
        self.fort_card = ""
        self._shuffle_if_exhausted()
        self._finish()

    def _shuffle_if_exhausted(self) -> None:
        if not self.deck:
            self.deck, self.discarded = self.discarded, []

    # ---- turns (3, 9) ------------------------------------------------------------------------------------------------

    def _end_turn(self) -> None:
        self.scouts.clear()
        if "rovers" in self.cards:
            self.gold[self.seat]["rovers"] += len(self.built_in)
        has_crossroads = bool(self.tiles.owned[self.seat].get("crossroads"))
        self.to_draw = 1 + has_crossroads + self.crossroads_repeated
        self.tiles.end_turn(self.seat)
        self.discarded += self.hands[self.seat]
        self.hands[self.seat] = []
        self.card = ""
        self._shuffle_if_exhausted()
        if self.ending and self.seat == self.seats - 1:
            self._begin_silos(0)
        elif self.deck:
            self.draws_for = "hand"
        else:
            self._next_seat()

    def _next_seat(self) -> None:
        self.seat = (self.seat + 1) % self.seats
        if self.seat == 0:
            self.round += 1
        if self.round == 0:
            self.draws_for = "hand"
            return
        self.to_draw = 1
        self.family, self.built_in = [], set()
        self.card_was_chosen = self.crossroads_repeated = False
        self.builds_left = 3 if self.supply[self.seat] else 0
        self.tiles.begin_turn(self.seat)
        hand = self.hands[self.seat]
        self.card = hand[0] if len(hand) == 1 else ""
        self._check_card()

    def _begin_silos(self, first: int) -> None:
        """The next seat from this one on that may use a silo; if there is none the game is over."""
        for seat in range(first, self.seats):
            self.seat = seat
            silos = sorted(self.position.printed("I"))
            live = "siloLive" in self.options
            self.silos = silos if live else [silo for silo in silos if touches(silo, self.position.own)]
            if self._begin_silo():
                return
        self._finish()
        self.over = True

    def _begin_silo(self) -> bool:
        self._finish()
        self.acting, self.silo_use, self.steps_left = "silo", "", 3
        while self.silos:
            live = "siloLive" in self.options
            if (not live or touches(self.silos[0], self.position.own)) and self._silo_choices() != {END}:
                return True
            self.silos.pop(0)
        return False

    def _silo_step(self, choice: Choice) -> None:
        if choice != END:
            assert isinstance(choice, tuple)
            place = int(choice[0]), int(choice[1])
            if self.lifted is None and place in self.kind_on[self.seat]:
                self.lifted = place
                return
            if self.lifted is None:
                self.silo_use = "build"
                self._build(place)
            else:
                self.silo_use = "move"
                self._move(self.lifted, place)
                self.lifted = None
            self.steps_left -= 1
            if self.steps_left and self._silo_choices() != {END}:
                return
        self.silos.pop(0)
        if not self._begin_silo():
            self._begin_silos(self.seat + 1)
