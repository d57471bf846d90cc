"""Commands of those who look at a table: decided, carried out once, answered and announced."""

import logging

from kingdom_builder.message import Message, Refusal
from kingdom_builder.rules import seen_by
from kingdom_builder.server import arrivals, entries, messages, people
from kingdom_builder.server.carried_out import makes_token
from kingdom_builder.server.company import OWN_ID
from kingdom_builder.server.deciding import check_turn, entry_of, made_token, wanted_rematch
from kingdom_builder.server.entries import AnySent
from kingdom_builder.server.journal import OVERTAKEN, STORING, Conflict, StoreError
from kingdom_builder.server.sentences import sent_sentence
from kingdom_builder.server.table import Table
from kingdom_builder.server.tokens import TokenHashes
from kingdom_builder.server.viewers import Viewer
from kingdom_builder.server.views import explanations, score_lines
from kingdom_builder.server.writing import TRIES, announce, catch_up, store, store_or_follow

ID_LENGTH = 100

log = logging.getLogger(__name__)


async def carry_out(table: Table, viewer: Viewer, command: messages.TableCommand) -> None:
    """Carry out a command and answer it. Raises Refusal or StoreError, having changed nothing."""
    async with table.lock:
        if not viewer.hashes:
            raise Refusal(Message("This key is not valid any more."), "void-key")
        match command:
            case messages.Hello():
                raise Refusal(Message("This connection has been greeted already."), "malformed")
            case messages.Ping():
                viewer.send(messages.Pong(command.id))
            case messages.Look():
                viewer.send(_hand(table, viewer.hashes, command))
            case messages.Why():
                viewer.send(messages.Reason(command.id, table.version, _why_not(table, viewer.hashes, command.move)))
            case messages.Explain():
                viewer.send(messages.Explained(command.id, table.version, _explained(table, viewer.hashes, command)))
            case messages.Scores():
                viewer.send(messages.Breakdown(command.id, table.version, score_lines(table.game.state)))
            case messages.SetBotSpeed():
                viewer.bot_speed = command.speed
                viewer.send(messages.Done(command.id, table.version))
            case messages.Visible():
                viewer.is_visible = command.on
                viewer.send(messages.Done(command.id, table.version))
                table.on_presence(table)
            case messages.Mute() | messages.Remove():
                _keep_order(table, viewer, command)
            case _:
                await _change(table, viewer, command)


# ---- what changes something ------------------------------------------------------------------------------------------


async def _change(table: Table, viewer: Viewer, command: messages.Change) -> None:
    if len(command.id) > ID_LENGTH:
        raise Refusal(
            Message("The id has {n} characters: expected at most {most}.", n=len(command.id), most=ID_LENGTH),
            "too-large",
        )
    for _ in range(TRIES):
        if _was_carried_out(table, viewer, command):
            return
        table.check(table, viewer, command)
        entry, actions = entry_of(table, viewer, command)
        game, was_out = table.game_number, table.is_out_of_time
        try:
            await store(table, entry, actions, viewer.person)
        except Conflict:
            await catch_up(table)
        else:
            _answer(table, viewer, command, entry)
            if isinstance(entry, entries.Consented) and entry.to == "rematch":
                await _begin_wanted_game(table)
            announce(table, entry, is_new_game=table.game_number != game, was_out=was_out)
            table.on_change(table)
            return
    raise Conflict(STORING.format(OVERTAKEN))


def _was_carried_out(table: Table, viewer: Viewer, command: messages.Change) -> bool:
    """Whether a command was carried out before; then it is answered as it was."""
    shared = {table.party.watch, table.party.invite} if len(command.id) < OWN_ID else set()  # others' ids too
    before = table.carried_out.find(viewer.hashes - shared, command.id)
    if before is None:
        return False
    token = made_token(table, viewer, before.version, command.id) if before.made_token else None
    viewer.send(messages.Done(command.id, before.version, token))
    return True


def _answer(table: Table, viewer: Viewer, command: messages.Change, entry: AnySent) -> None:
    """Tell a viewer that their command was carried out."""
    arrivals.touch(table, viewer)
    if isinstance(entry, entries.Sat):
        table.viewers.seat(viewer, entry.seated.token_hash, table.party)
        table.on_presence(table)
    token = made_token(table, viewer, table.version, command.id) if makes_token(entry) else None
    viewer.send(messages.Done(command.id, table.version, token))
    if isinstance(entry, entries.Said) and entry.role != "player":
        viewer.name = entry.name


async def _begin_wanted_game(table: Table) -> None:
    """Begin another game if all players want it. Whoever wanted it last has been answered, whatever becomes of it."""
    try:
        await store_or_follow(table, lambda: wanted_rematch(table))
    except (StoreError, ValueError) as error:
        log.warning("The rematch at table %s could not begin: %s", table.id, error)


def _keep_order(table: Table, viewer: Viewer, command: messages.Mute | messages.Remove) -> None:
    """Mute or remove a spectator."""
    people.check_host(table.party, viewer.hashes)
    spectator = table.viewers.spectator(command.watcher, table.party)
    if isinstance(command, messages.Mute):
        table.viewers.mute(spectator, command.on)
    else:
        table.viewers.remove(spectator, table.party)
    viewer.send(messages.Done(command.id, table.version))
    table.viewers.broadcast_people()


# ---- questions -------------------------------------------------------------------------------------------------------


def _hand(table: Table, hashes: TokenHashes, command: messages.Look) -> messages.Hand:
    """The hand of one of the seats that somebody plays."""
    people.check_seat(table.party, command.seat)
    if command.seat not in table.party.seats_of(hashes):
        raise Refusal(Message("This seat belongs to somebody else."), "forbidden")
    if command.seat in table.party.veils:
        raise Refusal(Message("You see the hand of this seat when you draw a card."), "forbidden")
    return messages.Hand(command.id, table.version, command.seat, table.game.state.hands[command.seat])


def _why_not(table: Table, hashes: TokenHashes, move: str) -> messages.Message | None:
    try:
        check_turn(table, hashes, table.version)
    except Refusal as no:
        return sent_sentence(no.message)
    reason = table.game.why_not(move)
    return None if reason is None else sent_sentence(reason)


def _explained(table: Table, hashes: TokenHashes, command: messages.Explain) -> list[messages.ExplanationView]:
    party, game = table.party, table.game
    seats = party.seats_of(hashes)
    you = game.player if game.player in seats else next(iter(seats), None)
    seen = seen_by(party.perspective(hashes, game.player), game.state)
    return explanations(seen, you, command.hex, command.key)
