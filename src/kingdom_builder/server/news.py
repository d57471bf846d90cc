"""What the pages of a table are sent: everything at first, then what has changed since."""

from kingdom_builder.server import messages
from kingdom_builder.server.looking import acts, clock_view, table_view, view, view_from
from kingdom_builder.server.sent_views import Angle
from kingdom_builder.server.table import Table
from kingdom_builder.server.viewers import Seen, Viewer
from kingdom_builder.server.views import setup_view


def news(table: Table, viewer: Viewer) -> list[messages.AnyMessage]:
    """The messages that a viewer does not have yet, all from the same moment.

    A page that got only the first of these messages comes back with the version in it. That version must not
    include anything that the other messages say.
    """
    seen = viewer.seen
    if seen.game != table.game_number:
        viewer.seen = Seen(table.game_number, table.version, True, table.version, table.viewers.people_version)
        return [_welcome(table, viewer)]
    new: list[messages.AnyMessage] = []
    is_changed = seen.version < table.shown.version or not seen.is_current
    if not is_changed:
        seen.version = table.version
    lines = _chat_for(table, viewer, seen.chat)
    if lines:
        seen.chat = lines[-1].version
        new.append(messages.Chat(seen.version, lines))
    if is_changed:
        new.append(_update(table, viewer))
        seen.version, seen.is_current = table.version, True
    if seen.people != table.viewers.people_version:
        seen.people = table.viewers.people_version
        new.append(messages.Table(table.version, table_view(table, viewer.hashes), clock_view(table)))
    return new


def remind(viewer: Viewer) -> None:
    """Send a viewer the current state of the game again, in full."""
    viewer.seen.is_current = False
    viewer.seen.view = None
    viewer.notify()


def _welcome(table: Table, viewer: Viewer) -> messages.Welcome:
    hashes, reader = viewer.hashes, table.party.log_perspective(viewer.hashes)
    viewer.seen.read_on(reader, 0)
    return messages.Welcome(
        protocol=messages.PROTOCOL,
        version=table.version,
        table=table_view(table, hashes),
        setup=setup_view(table.game.start),
        view=_sent_view(table, viewer),
        lines=table.shown.lines.full_since(table.game, 0, reader),
        chat=_chat_for(table, viewer, 0),
        clock=clock_view(table),
    )


def _update(table: Table, viewer: Viewer) -> messages.Update | messages.Difference:
    """What has changed in the game for somebody who has seen some version of it."""
    game, shown, seen, clock = table.game, table.shown, viewer.seen, clock_view(table)
    kept = shown.kept_since(seen.version, len(game.plies))
    old, current, new = seen.view, _sent_view(table, viewer), seen.view
    seen.read_on(table.party.log_perspective(viewer.hashes), kept)
    change = new.since(old) if old is not None and new is not None else None
    if old is None or change is None:
        return messages.Update(table.version, kept, shown.lines.full_since(game, kept, seen.reader), current, clock)
    return messages.Difference(
        table.version,
        change.view,
        shown.lines.short_since(game, kept, seen.reader, seen.lines),
        since=None if kept == old.view.ply else kept,
        spans=table.version - old.angle.version,
        clock=change.clock,
        now=clock.now if clock else 0,
    )


def _sent_view(table: Table, viewer: Viewer) -> messages.View:
    """The view for somebody. It is remembered, if they can be told later what has changed since."""
    viewer.seen.view = None
    if not viewer.reads_differences:
        return view(table, viewer.hashes)
    perspective = table.party.perspective(viewer.hashes, table.game.player)
    angle = Angle(table.version, perspective, acts(table, viewer.hashes))
    sent = table.shown.sent_from(angle)
    if sent is None:
        sent = table.shown.send(angle, view_from(table, perspective, acts=angle.acts), clock_view(table))
    viewer.seen.view = sent
    return sent.view


def _chat_for(table: Table, viewer: Viewer, since: int) -> list[messages.ChatLine]:
    """The lines of the chat after a version, without those of people whom a viewer has blocked."""
    hidden = viewer.terms.hidden
    return [line for line in table.party.chat if line.version > since and line.person not in hidden]
