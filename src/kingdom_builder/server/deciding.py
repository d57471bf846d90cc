"""What commands become: an entry of the table's log, or a refusal; and who may have hints. Nothing is changed here."""

from kingdom_builder.game import Game
from kingdom_builder.lessons import LEARNER
from kingdom_builder.message import Message, Refusal, SeatName
from kingdom_builder.notation import NotationError, action_text, parse_stored_position, position_of
from kingdom_builder.rules import RULES_VERSION, Action, at_random, observe
from kingdom_builder.server import company, entries, messages, people
from kingdom_builder.server.attendance import away, present, resumable
from kingdom_builder.server.entries import AnySent, Seat
from kingdom_builder.server.party import keys_of, stand_in
from kingdom_builder.server.setups import another, dealt, start_of
from kingdom_builder.server.table import Table
from kingdom_builder.server.tokens import TokenHashes, derived_token, token_hash
from kingdom_builder.server.viewers import Viewer

MOST_ACTIONS, MOST_OF_A_TURN = 2_000, 300
"""The most actions of people in one game and in one turn: several times as many as the longest have. Some actions can
be begun again and again; a bot that takes over such a turn can still end it."""


def entry_of(table: Table, viewer: Viewer, command: messages.Change) -> tuple[AnySent, list[Action] | None]:
    """The log entry of a command, with the actions of a move. Raises Refusal."""
    party, hashes = table.party, viewer.hashes
    by = " ".join(sorted(hashes))
    match command:
        case messages.Play():
            check_turn(table, hashes, command.version)
            _check_length(table.game)
            actions = actions_of(table.game, command.move)
            _check_lesson(table, actions)
            return entries.Played(by, command.id, text_of(table.game, actions)), actions
        case messages.Undo():
            check_turn(table, hashes, command.version)
            return entries.Undone(by, command.id, _undo_to(table.game, command.whole_turn)), None
        case messages.Join():
            return people.joined(party, hashes, by, command), None
        case messages.Sit():
            return _sat(table, viewer, by, command), None
        case messages.Say():
            is_muted = table.viewers.is_muted(viewer)
            return people.said(party, hashes, by, command, is_muted=is_muted, person=viewer.person), None
        case messages.Reseat():
            return _reseated(table, viewer, by, command), None
        case messages.TakeBack():
            return _taken_back(table, hashes, by, command), None
        case messages.Agree():
            return people.agreed(party, hashes, by, command), None
        case messages.Renew():
            return entries.Renewed(by, command.id, _new_token_hash(table, viewer, command.id)), None
        case messages.Hush():
            people.check_host(party, hashes)
            return entries.Hushed(by, command.id, command.on), None
        case messages.Rematch():
            people.check_host(party, hashes)
            if table.asks_all:
                raise Refusal(Message("All players decide on a rematch here."), "forbidden")
            return _restarted(table, by, command.id, same_board=command.same_board), None
        case messages.Consent():
            return _consented(table, hashes, by, command), None
        case messages.Replace():
            return _replaced(table, hashes, by, command), None
        case messages.Claim():
            return _claimed(table, hashes, by, command), None
        case messages.Leave():
            _check_running(table)
            return company.left(party, hashes, by, command), None


# ---- moves -----------------------------------------------------------------------------------------------------------


def check_turn(table: Table, hashes: TokenHashes, version: int) -> None:
    """Refuse what only the player in turn may do, and what was meant for an earlier version of the game."""
    if not table.party.seats_of(hashes):
        raise Refusal(Message("You are looking on: only players can do that."), "forbidden")
    if not table.changed <= version <= table.version:
        raise Refusal(Message("The game has moved on: look at the board again."), "stale")
    _check_running(table)
    if table.party.is_paused:
        raise Refusal(Message("The game is paused: all players have to want to go on."), "illegal")
    if table.game.player not in table.party.seats_of(hashes):
        raise Refusal(Message("It is the turn of {seat}.", seat=SeatName(table.game.player)), "forbidden")
    if table.clocks is not None and table.party.seats[table.game.player].kind == "open":
        raise Refusal(Message("Take the seat first: the clocks run once everybody is there."), "illegal")


def _check_running(table: Table) -> None:
    if table.over:
        raise Refusal(Message("The game is over."), "illegal")


def _check_length(game: Game) -> None:
    ply = len(game.plies)
    if ply >= MOST_ACTIONS:
        raise Refusal(Message("This game has as many actions as can be kept: make a new table."), "full")
    if ply - game.undo_limit >= MOST_OF_A_TURN:
        raise Refusal(Message("This turn has as many actions as can be kept: take some back."), "full")


def actions_of(game: Game, move: str) -> list[Action]:
    """The actions of a move and the draws that follow. Raises Refusal if it is not legal."""
    try:
        return game.actions_of(move)
    except NotationError as error:
        raise Refusal(error.message, "illegal") from None


def _check_lesson(table: Table, actions: list[Action]) -> None:
    """Raise Refusal for a legal move that the lesson does not ask for, so that what it says next stays true."""
    if table.progress and table.game.player == LEARNER and not table.progress.is_wanted(actions):
        raise Refusal(table.progress.objection(), "lesson")


def text_of(game: Game, actions: list[Action]) -> str:
    """Actions as the log has them."""
    return " ".join(action_text(game.setup, action) for action in actions)


def _undo_to(game: Game, whole_turn: bool) -> int:
    game.check_undo()
    return game.turn_limit if whole_turn else len(game.plies) - 1


# ---- seats -----------------------------------------------------------------------------------------------------------


def made_token(table: Table, viewer: Viewer, version: int, identity: str) -> str | None:
    """The token that a command of the host, or of somebody who sits down, makes.

    It is derived from the token of the host or of the table's link, so that it can be sent again.
    """
    party = table.party
    token = viewer.tokens.get(party.host) or viewer.tokens.get(party.invite)
    if not token and party.is_host(viewer.hashes):
        token = party.host  # a host who is known by a cookie alone; nobody is ever sent this hash
    return token and f"{table.id}.{derived_token(token, f'{table.id} {version} {identity}')}"


def _new_token_hash(table: Table, viewer: Viewer, identity: str) -> str:
    """The hash of the token that a command of the host makes."""
    people.check_host(table.party, viewer.hashes)
    token = made_token(table, viewer, table.version + 1, identity)
    assert token is not None
    return token_hash(token.partition(".")[2])


def _sat(table: Table, viewer: Viewer, by: str, command: messages.Sit) -> entries.Sat:
    _check_running(table)
    made = made_token(table, viewer, table.version + 1, command.id) if not viewer.person else None
    return company.sat(
        table.party,
        viewer.hashes,
        by,
        command,
        is_open=table.is_open,
        person=viewer.person,
        token_hash=token_hash(made.partition(".")[2]) if made else "",
    )


def _reseated(table: Table, viewer: Viewer, by: str, command: messages.Reseat) -> entries.Reseated:
    people.check_host(table.party, viewer.hashes)
    seat = people.check_seat(table.party, command.seat)
    if command.level:
        people.check_level(command.level)
        seated = stand_in(seat, command.level)
    else:
        _check_no_choice(table.game, command.seat)
        seated = Seat(_new_token_hash(table, viewer, command.id), "open", "", seat.colour)
    return entries.Reseated(by, command.id, command.seat, seated)


def _taken_back(table: Table, hashes: TokenHashes, by: str, command: messages.TakeBack) -> entries.Reseated:
    entry = people.taken_back(table.party, hashes, by, command)
    if command.seat in table.party.veils:
        _check_no_choice(table.game, command.seat)
    return entry


def _check_no_choice(game: Game, seat: int) -> None:
    """Refuse a player to whom the hand is veiled if one of its cards has to be chosen now."""
    if seat == game.player and game.state.choice_is_open():
        raise Refusal(
            Message("The seat has still to choose a card in this turn: give it to a bot, or wait."), "illegal"
        )


# ---- going on without somebody ---------------------------------------------------------------------------------------


def _replaced(
    table: Table, hashes: TokenHashes, by: str, command: messages.Replace
) -> entries.Reseated | entries.Voted:
    people.check_seat(table.party, command.seat)
    _check_away(table, command.seat)
    among_strangers = table.is_among_strangers
    return company.replaced(table.party, hashes, by, command, present(table), among_strangers=among_strangers)


def _claimed(table: Table, hashes: TokenHashes, by: str, command: messages.Claim) -> entries.Ended:
    ended, missing = company.claimed(table.party, hashes, by, command)
    if table.party.seats[missing].kind == "open":
        raise Refusal(Message("Nobody has taken the other seat: there is nobody to win against."), "illegal")
    _check_away(table, missing)
    return ended


def _check_away(table: Table, seat: int) -> None:
    """Refuse to go on without somebody who is here, or may still come back."""
    _check_running(table)
    since = away(table, seat)
    if since is None or since > table.now():
        is_free = table.party.seats[seat].kind == "open"
        raise company.still_free(seat) if is_free else company.still_here(seat)


# ---- pauses and rematches --------------------------------------------------------------------------------------------


def _consented(table: Table, hashes: TokenHashes, by: str, command: messages.Consent) -> entries.Consented:
    _check_consent(table, command)
    since = resumable(table)
    is_long = since is not None and since <= table.now()
    return company.consented(table.party, hashes, by, command, is_long_paused=is_long)


def _check_consent(table: Table, command: messages.Consent) -> None:
    """Refuse to agree to something that makes no sense now."""
    if command.to == "rematch":
        _check_rematch(table)
        return
    _check_running(table)
    if table.clocks is None:
        raise Refusal(Message("This game has no clock that could be stopped."), "illegal")
    is_paused = table.party.is_paused
    if is_paused != (command.to == "resume"):
        raise Refusal(
            Message("The game is paused already.") if is_paused else Message("The game is not paused."), "illegal"
        )


def _check_rematch(table: Table) -> None:
    if table.lesson:
        raise Refusal(Message("A lesson has one game only: begin it again to repeat it."), "illegal")
    if not table.over:
        raise Refusal(Message("The game is not over yet: a rematch is possible after its end."), "illegal")


def wanted_rematch(table: Table) -> entries.Restarted | None:
    """The beginning of the game that all players want."""
    if not table.over or not table.party.all_want("rematch"):
        return None
    return _restarted(table, "players", f"{table.version}", same_board=False)


def _restarted(table: Table, by: str, identity: str, *, same_board: bool) -> entries.Restarted:
    _check_rematch(table)
    rules = RULES_VERSION
    if same_board:
        start, seed, rules = parse_stored_position(table.start), table.seed, table.rules
    else:
        start, seed = start_of(another(table.choice), len(table.party.seats), table.sections)
    return entries.Restarted(by, identity, seed, position_of(start), dealt(start, at_random(table.rng.random)), rules)


# ---- hints -----------------------------------------------------------------------------------------------------------


def gives_hints(table: Table, hashes: TokenHashes) -> bool:
    """Whether somebody may have hints: no other person plays at another device, or did and may come back.

    A daily game and a rated one have none, and a lesson says itself what to do.
    """
    if table.lesson or table.daily or table.rated:
        return False
    players = [keys_of(seat) for seat in table.party.seats if not seat.level or (keys_of(seat) and seat.name)]
    return bool(table.party.seats_of(hashes)) and all(keys & hashes for keys in players)


def position_for_hint(table: Table, hashes: TokenHashes) -> str:
    """The position that the current seat may see. Raises Refusal if it may not have a hint."""
    check_turn(table, hashes, table.version)
    if table.daily:
        raise Refusal(Message("There are no hints in the daily game."), "forbidden")
    if table.rated:
        raise Refusal(Message("There are no hints in rated games."), "forbidden")
    if not gives_hints(table, hashes):
        raise Refusal(Message("There are no hints where people play at other devices."), "forbidden")
    return position_of(observe(table.game.state, table.game.player))
