"""What each sentence about a refused action claims, checked against the second model and the rules alone.

A claim gets the state, the same position in plain sets, the refused number, the message, and what has happened in the
turn. It says whether the message is true.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from reference import position as model
from reference.bridge import places, plain
from reference.position import BUILDABLE, BUILDS, MOUNTAIN, MOVES, SPECIAL, WATER, Place, Position, touches
from reference.steps import (
    RULE_3,
    VEHICLE_STEPS,
    cathedral,
    city_hall,
    first_spots,
    relocated_city_hall,
    resettlers,
    scout_cabin,
    victims,
)

from kingdom_builder.board.terrain import terrain_name
from kingdom_builder.content import LOCATIONS
from kingdom_builder.hexes import hex_at, row_col
from kingdom_builder.message import HexName, Message, Name, SeatName
from kingdom_builder.rules import DONE, END, OTHER, USE, Action, State
from kingdom_builder.rules.actions import CHOSEN, DRAWN
from kingdom_builder.rules.components import Finale

BY_CARD = ("oracle", "barn", "quarry", "cathedral")
"""The actions that need the played card (RULES 6)."""

LETTERS = {
    "G": "grass",
    "C": "canyon",
    "D": "desert",
    "F": "flower field",
    "T": "forest",
    "A": "farmland",
    "W": "water",
    "M": "mountain",
    "V": "cave",
    "K": "castle",
    "N": "nomad space",
    "I": "silo",
}


@dataclass
class Claim:
    """A message about an action that is not legal, with everything to judge it by."""

    state: State
    position: Position
    number: Action
    message: Message
    used: set[str]
    """The kinds of tiles used in this turn."""
    taken: set[str]
    """The kinds of tiles taken in this turn."""

    # ---- what the message speaks of ----------------------------------------------------------------------------------

    def argument(self, name: str) -> object:
        return self.message.arguments[name]

    @property
    def place(self) -> Place:
        """The hex that was refused."""
        return row_col(self.number)

    @property
    def names_its_hex(self) -> bool:
        return self.argument("hex") == HexName(self.number)

    @property
    def source(self) -> Place | None:
        return None if self.state.source is None else row_col(self.state.source)

    @property
    def key(self) -> str:
        """The action in progress."""
        return self.state.acting.key if self.state.acting else ""

    @property
    def named(self) -> str:
        """The action that the message is about; it stands first in it."""
        action = self.argument("action")
        assert isinstance(action, Name)
        return action.key

    @property
    def is_about_what_is_going_on(self) -> bool:
        return self.state.acting is not None and self.named == self.key

    @property
    def is_about_the_tile_asked_for(self) -> bool:
        return self.number >= USE and self.named == self.state.setup.actions[self.number - USE].key

    @property
    def other(self) -> str:
        action = self.argument("other")
        assert isinstance(action, Name)
        return action.key

    # ---- the position ------------------------------------------------------------------------------------------------

    @property
    def lifted(self) -> Position:
        """The position while the chosen piece is lifted."""
        return self.position.without(self.source) if self.source is not None else self.position

    @property
    def letter(self) -> str:
        return self.position.letter(self.place)

    @property
    def is_free(self) -> bool:
        return self.place in self.lifted.free(BUILDABLE + WATER + MOUNTAIN)

    @property
    def tells_its_ground(self) -> bool:
        """The message names what is printed on the hex."""
        ground = str(self.argument("ground"))
        if self.letter.isdigit():
            kind = dict(self.state.setup.board.locations)[self.number]
            return ground == f"{LOCATIONS[kind].name} location"
        return ground == LETTERS[self.letter]

    @property
    def choice_is_open(self) -> bool:
        """Several cards in hand, none of them chosen in this turn (RULES 6.3)."""
        state = self.state
        return not state.card and len(state.hands[state.player]) > 1 and "chosen" not in state.memory

    @property
    def hand(self) -> set[str]:
        """The terrains that could be chosen."""
        hand = set(self.state.hands[self.state.player])
        return set("CDFGT") if len(hand) == 1 and "equalCardsFree" in self.state.setup.options else hand

    def candidates(self) -> set[Place]:
        """Every free hex that the present build could be on if adjacency did not matter."""
        here = replace(self.position, anywhere=True)
        if not self.key:
            return here.free(self.state.card) if self.state.builds_left and self.state.card else set()
        if self.key == "fort":
            return here.free("CDFGT"[self.state.memory["fort"] - 1])
        if self.key == "barracks":
            return here.free(BUILDABLE)
        if self.key == "wagon":
            return here.free(BUILDABLE + MOUNTAIN)
        if self.key == "lighthouse":
            return here.free(WATER)
        if self.key == "cathedral":
            return cathedral(here)
        return BUILDS[self.key](here)

    def repetition(self, key: str) -> bool:
        """Whether an action used in this turn could be done again (RULES 6.4)."""
        here = self.position
        if key == "crossroads":
            return True
        if key == "fort":
            return bool(self.state.deck) and here.supply > 0
        if key == "scout-cabin":
            return bool(scout_cabin(replace(here, scouts=frozenset())))
        if key == "city-hall":
            return bool(relocated_city_hall(here))
        if key == "cathedral":
            return bool(cathedral(here)) or "bazaarCathedralGain" in here.options
        return bool(first_spots(here, key) or self.spots_with_outpost(key))

    def spots_with_outpost(self, key: str) -> set[Place]:
        """Barn and Harbor, if an Outpost that is ready may be declared for a move."""
        outposts = [kind for kind, action in enumerate(self.state.setup.actions) if action.key == "outpost"]
        ready = any(self.state.ready & self.state.setup.kind_tiles[kind] for kind in outposts)
        if key in ("barn", "harbor") and ready and "outpostForMoves" in self.position.options:
            return first_spots(replace(self.position, anywhere=True), key)
        return set()

    def tiles(self, key: str) -> int:
        """The tiles of a kind that the player has."""
        (kind,) = [kind for kind, action in enumerate(self.state.setup.actions) if action.key == key]
        return self.state.held[self.state.player] & self.state.setup.kind_tiles[kind]


def the_game_is_over(claim: Claim) -> bool:
    return claim.state.over


def a_draw_is_due(claim: Claim) -> bool:
    return bool(claim.state.awaiting) and not claim.state.legal() >> END & 1


def is_ground_but(claim: Claim) -> bool:
    """It is another ground than what is wanted: free, and not among what the build or move could be on."""
    wanted = claim.argument("wanted")
    assert isinstance(wanted, Message)
    assert wanted.template in WANTED, wanted.template
    if (
        wanted.template == "the terrain card shows {terrain}"
        and str(wanted) != f"the terrain card shows {terrain_name(claim.state.card)}"
    ):
        return False
    if claim.key in ("barn", "harbor"):
        letters = claim.state.card if claim.key == "barn" else WATER
        return claim.is_free and claim.names_its_hex and claim.tells_its_ground and claim.letter not in letters
    return (
        claim.is_free
        and claim.names_its_hex
        and claim.tells_its_ground
        and claim.place not in claim.candidates()
        and (bool(claim.candidates()) or bool(claim.position.own & claim.position.warriors))
    )


WANTED = (
    "the terrain card shows {terrain}",
    "{action}: build on {where}",
    "{action}: build on {terrain}, which the drawn card shows",
    "{action}: move to {where}",
    "{action}: a warrior stands on land",
    "{action}: a {piece} stands on {where}",
)


def does_not_touch(claim: Claim) -> bool:
    support = claim.position.support
    return (
        claim.names_its_hex
        and claim.place in claim.candidates()
        and not touches(claim.place, support)
        and any(touches(place, support) for place in claim.candidates())
        and not claim.state.adjacency_lifted
        and (claim.position.supply > 0 or claim.key in ("barracks", "wagon", "lighthouse"))
    )


def does_not_touch_others(claim: Claim) -> bool:
    letters = claim.state.card if claim.key == "barn" else WATER
    free = claim.lifted.free(letters)
    others = claim.lifted.support
    return (
        claim.names_its_hex
        and claim.key in ("barn", "harbor")
        and claim.place in free
        and not touches(claim.place, others)
        and any(touches(place, others) for place in free)
    )


def is_occupied_by_seat(claim: Claim) -> bool:
    seat = claim.argument("seat")
    assert isinstance(seat, SeatName)
    return seat.seat != claim.position.seat and claim.place in claim.position.pieces[seat.seat]


def is_beside_a_warrior(claim: Claim) -> bool:
    return claim.names_its_hex and touches(claim.place, claim.lifted.warriors)


def build_first(claim: Claim) -> bool:
    left = claim.state.builds_left
    return (
        claim.number == END
        and claim.argument("n") == min(left, claim.position.supply) > 0
        and ("more" in claim.message.template) == (left < 3)
        and str(claim.argument("terrain")) == str(terrain_name(claim.state.card))
        and bool(model.mandatory(claim.position))
    )


def was_taken_now(claim: Claim) -> bool:
    return claim.is_about_the_tile_asked_for and claim.named in claim.taken


def was_used(claim: Claim) -> bool:
    return claim.is_about_the_tile_asked_for and claim.named in claim.used and claim.key != "silo"


def opens_no_hex(claim: Claim) -> bool:
    """RULES 7: it is for a build by rule 3, and would allow nothing more than rule 3 does."""
    here = claim.position
    if not claim.is_about_the_tile_asked_for or claim.named != "outpost" or claim.state.adjacency_lifted:
        return False
    if claim.key in ("barn", "harbor") and claim.source is not None and "outpostForMoves" in here.options:
        move = MOVES[claim.key]
        anywhere = model.targets(move, replace(here, anywhere=True), claim.source)
        return anywhere == model.targets(move, here, claim.source)
    if claim.key and claim.key != "fort" and (claim.key not in RULE_3 or claim.source is not None):
        return True
    if claim.key in ("wagon", "lighthouse") and claim.state.own[here.seat] & claim.state.memory.get(
        f"{'wagon' if claim.key == 'wagon' else 'ship'}s", 0
    ):
        return True
    if claim.key == "barracks" and len(here.own & here.warriors) == 2:
        return True
    if not claim.state.builds_left and not claim.key:
        return True
    return claim.candidates() == model.by_adjacency(claim.candidates(), here)


def there_is_no_hex(claim: Claim) -> bool:
    """Neither the supply nor the card nor pieces that are used up are the reason."""
    here = claim.position
    return (
        claim.is_about_the_tile_asked_for
        and claim.named not in MOVES
        and claim.named not in ("fort", "sword", "bazaar", "crossroads", "outpost", "resettlement", "cathedral")
        and (here.supply > 0 or claim.named not in BUILDS)
        and (bool(here.card) or claim.named not in BY_CARD)
        and (len(here.walls) < 25 or claim.named != "quarry")
        and (len(here.scouts) < 2 or claim.named != "scout-cabin")
        and not (claim.named == "city-hall" and here.own & here.city_halls)
        and not first_spots(here, claim.named)
    )


def no_piece_can_move(claim: Claim) -> bool:
    return (
        claim.is_about_the_tile_asked_for
        and (bool(claim.position.card) or claim.named not in BY_CARD)
        and not model.movers(MOVES[claim.named], claim.position)
        and not claim.spots_with_outpost(claim.named)
    )


def nothing_to_repeat(claim: Claim) -> bool:
    locations = {key for _, key in claim.state.setup.board.locations} - {"bazaar"}
    possible = {key for key in locations if claim.tiles(key) and (key in claim.used or key == "crossroads")}
    return claim.named == "bazaar" and not any(claim.repetition(key) for key in possible)


def is_no_other_location(claim: Claim) -> bool:
    return claim.key == "bazaar" and (claim.other not in LOCATIONS or claim.other == "bazaar")


def is_not_used_yet(claim: Claim) -> bool:
    return claim.key == "bazaar" and claim.other not in claim.used and bool(claim.tiles(claim.other))


def cannot_be_done_again(claim: Claim) -> bool:
    return claim.key == "bazaar" and claim.other in claim.used and not claim.repetition(claim.other)


def is_not_such_a_build(claim: Claim) -> bool:
    return (
        claim.is_free
        and claim.is_about_what_is_going_on
        and claim.names_its_hex
        and claim.tells_its_ground
        and claim.position.supply > 0
        and claim.place not in BUILDS[claim.key](claim.position)
    )


def the_piece_cannot_move(claim: Claim) -> bool:
    if not claim.is_about_what_is_going_on or not claim.names_its_hex or claim.place not in claim.position.own:
        return False
    if claim.key == "silo":
        building = claim.state.memory.get("silo-use") == 1
        return not building and not model.targets(model.silo_move, claim.position, claim.place)
    anywhere = claim.spots_with_outpost(claim.key)
    return claim.place not in anywhere and not model.targets(MOVES[claim.key], claim.position, claim.place)


def is_not_such_a_target(claim: Claim) -> bool:
    assert claim.source is not None
    return (
        claim.is_free
        and claim.names_its_hex
        and claim.tells_its_ground
        and claim.place not in model.targets(MOVES[claim.key], claim.position, claim.source)
    )


def is_where_the_piece_stands(claim: Claim) -> bool:
    hall = claim.position.own & claim.position.city_halls
    is_centre = claim.key == "city-hall" and {claim.place} | model.neighbours(claim.place) == hall
    return claim.names_its_hex and (claim.place == claim.source or is_centre)


def is_not_such_a_step(claim: Claim) -> bool:
    assert claim.source is not None
    return (
        claim.names_its_hex
        and claim.argument("source") == HexName(hex_at(*claim.source))
        and claim.place not in VEHICLE_STEPS[claim.key](claim.position, claim.source)
    )


def the_piece_stands_there(claim: Claim) -> bool:
    named = claim.argument("hex")
    assert isinstance(named, HexName)
    pieces = claim.position.wagons if claim.key == "wagon" else claim.position.ships
    return row_col(named.hex) in claim.position.own & pieces and claim.source is None


def is_not_such_a_centre(claim: Claim) -> bool:
    standing = claim.position.own & claim.position.city_halls
    return claim.place not in (relocated_city_hall if standing else city_hall)(claim.position)


def is_not_such_a_wall(claim: Claim) -> bool:
    touching = touches(claim.place, claim.position.support)
    return len(claim.position.walls) < 25 and not (claim.letter == claim.state.card and touching)


def the_first_step_is_anothers(claim: Claim) -> bool:
    named = claim.argument("hex")
    return (
        claim.state.steps == 4
        and named == HexName(claim.state.source or 0)
        and claim.place in resettlers(claim.position)
    )


def is_no_step_of_resettlement(claim: Claim) -> bool:
    assert claim.source is not None
    named = claim.argument("hex")
    step = model.targets(model.resettlement, claim.position, claim.source)
    return named == HexName(claim.state.source or 0) and claim.place not in step


def another_piece_may_step(claim: Claim) -> bool:
    """Not the first step: pieces may take turns (RULES 7), so that another may be chosen if it can step."""
    assert claim.source is not None
    others = resettlers(claim.position) - {claim.source}
    return claim.state.steps < 4 and bool(others) and is_no_step_of_resettlement(claim)


def is_no_victim(claim: Claim) -> bool:
    seat = claim.argument("seat")
    assert isinstance(seat, SeatName)
    return (
        claim.names_its_hex
        and bool(victims(claim.position, seat.seat))
        and claim.place not in victims(claim.position, seat.seat)
    )


def is_not_beside_another(claim: Claim) -> bool:
    """Silo: not free land next to another piece."""
    here = claim.lifted
    return claim.names_its_hex and claim.tells_its_ground and not (
        claim.place in here.free(BUILDABLE) and touches(claim.place, here.own)
    )  # fmt: skip


CLAIMS: dict[str, Callable[[Claim], bool]] = {
    # ---- anywhere ----
    "The game is over.": the_game_is_over,
    "Hex {n} is not on this board.": lambda c: c.number not in {hex_at(r, k) for r in range(20) for k in range(20)},
    "{hex} is not on this board.": lambda c: c.place not in model.on_map(c.position.map),
    "A terrain card has to be drawn first.": a_draw_is_due,
    "There is no action {action}: expected a hex, {end} (end of turn), {draw} on (draws) or {use} on (tiles).": (
        lambda c: (
            c.number < 0
            or (
                not (c.number in (END, DONE, OTHER, *DRAWN, *CHOSEN) or c.number < END)
                and c.number - USE not in range(len(c.state.setup.actions))
            )
        )
    ),
    # ---- building ----
    "The mandatory action is done: use a tile or end the turn.": (
        lambda c: not c.state.builds_left and not c.key and bool(c.state.legal() >> END & 1)
    ),
    "Choose one of your terrain cards first.": lambda c: c.choice_is_open and c.state.builds_left > 0,
    "{hex} is {ground}, but {wanted}.": is_ground_but,
    "{hex} does not touch your settlements: where you can, you must build next to them ({wanted}).": does_not_touch,
    "{hex} does not touch your other settlements: where you can, you must move next to them ({wanted}).": (
        does_not_touch_others
    ),
    "Nothing may be built on {hex} ({ground}).": lambda c: c.letter in SPECIAL and c.tells_its_ground,
    "{hex} is occupied by you: one piece a hex.": lambda c: c.place in c.position.own,
    "{hex} is occupied by {seat}: one piece a hex.": is_occupied_by_seat,
    "{hex} has a stone wall: it stays for the rest of the game.": lambda c: c.place in c.position.walls,
    "{hex} has a scout on it until the end of the turn.": lambda c: c.place in c.position.scouts,
    "{hex} is next to a {piece}: nothing may be put there.": is_beside_a_warrior,
    # ---- the end of the turn, draws, cards ----
    "The action of the {action} has begun and must be finished.": lambda c: c.is_about_what_is_going_on,
    "Choose a card and build first.": lambda c: c.choice_is_open and c.state.builds_left > 0,
    "First build {n} {n:settlement|settlements} on {terrain}.": build_first,
    "First build {n} more on {terrain}.": build_first,
    "No card is to be drawn now.": lambda c: not c.state.awaiting,
    "No {terrain} card is left in the draw pile.": lambda c: DRAWN[c.number] not in c.state.deck,
    "There is no choice between several terrain cards now.": lambda c: not c.choice_is_open or c.key == "silo",
    "You have no {terrain} card.": lambda c: CHOSEN[c.number] not in c.hand,
    "No free {terrain} hex is left: a useless card cannot be chosen.": (
        lambda c: not c.position.free(CHOSEN[c.number]) and CHOSEN[c.number] in c.hand
    ),
    "No extra action is in progress.": lambda c: not c.key,
    "{action}: there is nothing of that kind to choose now.": lambda c: c.is_about_what_is_going_on,
    # ---- tiles ----
    "You have no {action} tile.": lambda c: not c.tiles(c.named),
    "{action}: tiles are not used after the last turn.": lambda c: c.key == "silo",
    "{action}: it always works, and is never used.": lambda c: c.named == "crossroads",
    "The {action} tile was taken in this turn: it can be used from your next turn on.": was_taken_now,
    "The {action} has been used in this turn.": was_used,
    "{action}: the next build may be anywhere already.": lambda c: c.state.adjacency_lifted and c.named == "outpost",
    "{action}: there is no build now to which it would open more hexes.": opens_no_hex,
    "One action is finished before the next begins: {action}.": (
        lambda c: c.is_about_what_is_going_on and not isinstance(c.state.acting, Finale) and c.key != "bazaar"
    ),
    "No extra action between the settlements of the mandatory action.": (
        lambda c: c.state.builds_left in (1, 2) and not c.key
    ),
    "Build first: the tile for the next build has been used.": (
        lambda c: c.state.adjacency_lifted and c.state.builds_left == 3 and "outpost" in c.used
    ),
    "{action}: choose one of your terrain cards first.": lambda c: c.choice_is_open and c.named in BY_CARD,
    "{action}: you have no terrain card in play.": (
        lambda c: not c.state.card and not c.choice_is_open and c.named in BY_CARD
    ),
    "{action}: your supply is empty.": (
        lambda c: not c.position.supply and (c.named in BUILDS or c.named in ("fort", "cathedral", "silo"))
    ),
    "{action}: there is no hex for it.": there_is_no_hex,
    "{action}: none of your pieces can move to {where}.": no_piece_can_move,
    "{action}: none of your pieces can take a step.": lambda c: not resettlers(c.position),
    "{action}: no other player has a piece that can be removed.": (
        lambda c: not any(victims(c.position, s) for s in range(len(c.position.pieces)) if s != c.position.seat)
    ),
    "{action}: no terrain card is left to draw.": lambda c: not c.state.deck and c.position.supply > 0,
    "{action}: your {piece} is on the board already.": lambda c: bool(c.position.own & c.position.city_halls),
    "{action}: both scouts are on the board.": lambda c: len(c.position.scouts) == 2,
    "{action}: no stone wall is left.": lambda c: len(c.position.walls) >= 25,
    "{action}: there is no action of a location to repeat.": nothing_to_repeat,
    "{action}: it repeats only other locations, not {other}.": is_no_other_location,
    "{action}: you have not used {other} in this turn.": is_not_used_yet,
    "{action}: {other} cannot be done again now.": cannot_be_done_again,
    # ---- inside an action ----
    "{action}: build on {where}; {hex} ({ground}) is not such a hex.": is_not_such_a_build,
    "{action}: choose one of your own pieces, {hex} has none.": (
        lambda c: c.names_its_hex and c.place not in c.position.own and c.source is None
    ),
    "{action}: the piece on {hex} cannot move to {where}.": the_piece_cannot_move,
    "{action}: {hex} is where the piece stands.": is_where_the_piece_stands,
    "{action}: move to {where}; {hex} ({ground}) is not such a hex.": is_not_such_a_target,
    "{action}: both of your warriors are on the board; choose one to take back.": (
        lambda c: len(c.position.own & c.position.warriors) == 2 and c.place not in c.position.warriors & c.position.own
    ),
    "{action}: step to {where} next to {source}; {hex} ({ground}) is not such a hex.": is_not_such_a_step,
    "{action}: choose your {piece} on {hex}.": the_piece_stands_there,
    "{action}: choose the centre of seven free land hexes, at least one of them next to your settlements; "
    "{hex} is not such a centre.": is_not_such_a_centre,
    "{action}: a wall stands on the terrain of your card, next to one of your settlements; "
    "{hex} ({ground}) is not such a hex.": is_not_such_a_wall,
    "{action}: a scout stands next to one of your pieces, which {hex} is not.": (
        lambda c: c.is_free and not touches(c.place, c.position.support)
    ),
    "{action}: it is at 0, and nothing can be built.": lambda c: not c.position.numbers,
    "{action}: choose a location whose action you have used in this turn, not {hex}.": lambda c: c.key == "bazaar",
    "{action}: the piece on {hex} takes the first step.": the_first_step_is_anothers,
    "{action}: the piece on {hex} cannot take a step.": (
        lambda c: c.place in c.position.own and c.place not in resettlers(c.position)
    ),
    "{action}: step to free land next to {hex}.": is_no_step_of_resettlement,
    "{action}: step to free land next to {hex}, or choose another settlement and step from there.": (
        another_piece_may_step
    ),
    "{action}: choose a piece of {seat} that can be removed, not {hex}.": is_no_victim,
    "{action}: build or move to free land next to another of your settlements; {hex} ({ground}) is not such a hex.": (
        is_not_beside_another
    ),
    "{action}: you build with this one, and cannot move pieces too.": (
        lambda c: c.state.memory.get("silo-use") == 1 and c.place in c.position.own
    ),
    "{action}: you move pieces with this one, and cannot build too.": (
        lambda c: c.state.memory.get("silo-use") == 2 and c.is_free
    ),
}
"""The claim of every sentence that `why_not` can say, by its template."""


def check_reasons(state: State, used: set[str], taken: set[str], numbers: list[Action]) -> set[str]:
    """Every reason for the refusal of a number is true; returns the templates of these reasons."""
    position = plain(state)
    legal = state.legal()
    seen = set()
    for number in numbers:
        message = state.why_not(number)
        assert (message is None) == (number >= 0 and bool(legal >> number & 1)), number
        if message is not None:
            claim = Claim(state, position, number, message, used, taken)
            assert message.template in CLAIMS, f"nobody checks what this claims: {message.template}"
            assert CLAIMS[message.template](claim), f"{message} is false of {number} in {state!r}"
            seen.add(message.template)
    return seen


def numbers_of(state: State) -> list[Action]:
    """All hexes of the board, some beside it, and every other action, also some that do not exist."""
    board = sorted(hex_at(*place) for place in places(state.setup.board.hexes))
    return [-1, 20, hex_at(19, 19), *board, *range(END, USE + len(state.setup.actions) + 1), 600]
