"""What must be true of every state: no piece, tile or card is lost or added, and derived fields agree."""

from collections import Counter

from kingdom_builder.hexes import AREA, around, bits, hex_names
from kingdom_builder.rules.setup import DECK, SETTLEMENTS, WALLS
from kingdom_builder.rules.state import ACTION, CARD, HAND, MANDATORY, State


class BrokenInvariant(AssertionError):
    """A state that no sequence of legal actions from a full supply, full stock and full deck can reach."""


def check(state: State) -> None:
    """Raise `BrokenInvariant` unless the state is sound."""
    _check_pieces(state)
    _check_tiles(state)
    _check_cards(state)
    _check_turn(state)


def _demand(condition: object, message: str) -> None:
    if not condition:
        raise BrokenInvariant(message)


def _check_pieces(state: State) -> None:
    setup = state.setup
    occupied = state.scouts | state.memory.get(WALLS, 0)
    for seat, own in enumerate(state.own):
        _demand(not occupied & own, f"two pieces on {hex_names(occupied & own)}")
        occupied |= own
        _check_supply(state, seat)
        pieces = own | state.scouts if seat == state.player else own
        _demand(state.near[seat] == around(pieces) & AREA, f"seat {seat}: the hexes next to its pieces are wrong")
    _demand(not occupied & ~setup.room, f"pieces on {hex_names(occupied & ~setup.room)}")
    _demand(state.empty() == setup.room & ~occupied, "the empty hexes are wrong")
    blocking = sum(state.memory.get(kind.key, 0) for kind in setup.piece_kinds if kind.blocks)
    _demand(state.blocked == around(blocking) & AREA, "the blocked hexes are wrong")
    _demand(state.free == state.empty() & ~state.blocked, "the free hexes are wrong")
    specials = [state.memory.get(kind.key, 0) for kind in setup.piece_kinds]
    _demand(state.special_pieces == sum(specials), "the special pieces are wrong")


def _check_supply(state: State, seat: int) -> None:
    """Settlements: 40 in supply, on the board or as markers. Other pieces: no more than the box has."""
    settlements = (state.own[seat] & ~state.special_pieces).bit_count()
    spent = sum(state.of_seat(field, seat).bit_count() for field in state.setup.settlements_spent)
    total = settlements + state.supply[seat] + spent
    _demand(
        total == SETTLEMENTS, f"seat {seat}: {settlements} settlements, supply {state.supply[seat]}, markers {spent}"
    )
    for kind in state.setup.piece_kinds:
        pieces = (state.own[seat] & state.memory.get(kind.key, 0)).bit_count()
        _demand(pieces <= kind.each, f"seat {seat}: {pieces} of {kind.name}")


def _check_tiles(state: State) -> None:
    setup = state.setup
    for tile, left in enumerate(state.tiles_left):
        takers = sum(taken >> tile & 1 for taken in state.taken)
        _demand(takers + left == setup.tiles_left[tile], f"tile {tile}: {takers} taken, {left} left")
    for seat, held in enumerate(state.held):
        _demand(held & setup.standing == setup.standing, f"seat {seat} has lost what everybody has")
        _demand(not held & ~state.taken[seat] & ~setup.standing, f"seat {seat} has a tile that it never took")
        for tile in bits(held & setup.location_tiles):
            _demand(setup.tile_side[tile] & state.own[seat], f"seat {seat} has tile {tile} without contact")
        for tile, side in enumerate(setup.tile_side):
            took = state.taken[seat] >> tile & 1 or not state.tiles_left[tile]
            _demand(took or not side & state.own[seat], f"seat {seat} did not take tile {tile}")
    _demand(
        not (state.ready | state.just_taken) & ~state.held[state.player], "a usable tile that its player does not have"
    )
    _demand(not state.ready & state.just_taken, "a tile is ready in the turn in which it was taken")


def _check_cards(state: State) -> None:
    cards = Counter(state.deck + state.discard + "".join(state.hands))
    _demand(not cards - Counter(DECK), f"more cards than were printed: {cards}")
    for seat, hand in enumerate(state.hands):
        _demand(len(hand) <= 3, f"seat {seat} has {len(hand)} cards")
        _demand(hand == "".join(sorted(hand)), f"seat {seat} has its cards in another order than that of letters")
    _demand(state.deck == "".join(sorted(state.deck)), "the draw pile has an order")
    _demand(state.deck or not state.discard or state.over, "the discard pile was not shuffled")


def _check_turn(state: State) -> None:
    _demand(0 <= state.builds_left <= MANDATORY, f"{state.builds_left} settlements to build")
    _demand(state.awaiting in (None, HAND, CARD, ACTION), f"awaiting {state.awaiting!r}")
    _demand(state.over or state.legal(), "no action is legal and the game is not over")
    _demand(not state.over or not state.legal(), "an action is legal after the end")
    _demand(state.ending or all(state.supply), "a supply is empty and the end is not near")
    _demand(not state.over or state.ending, "the game is over before its last round")
    _demand(state.source is None or state.acting is not None, "a piece is lifted without an action")
    _demand(state.card_hexes == state.setup.terrain[state.card], "the land of the card is wrong")
    if state.builds_left and not state.awaiting and state.acting is None:
        useful = state.free & state.card_hexes or state.choice_is_open()
        _demand(useful, "the card allows no hex and was not replaced")
