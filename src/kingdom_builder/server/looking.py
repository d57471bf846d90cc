"""What somebody may see of a table: the game, the people, and a game to read."""

from kingdom_builder.message import Message, Refusal
from kingdom_builder.rules import EVERYTHING, Perspective
from kingdom_builder.server import company
from kingdom_builder.server.attendance import away, resumable
from kingdom_builder.server.deciding import gives_hints
from kingdom_builder.server.messages import ClockView, SeatView, TableView, View, WatcherView
from kingdom_builder.server.party import keys_of
from kingdom_builder.server.table import Table
from kingdom_builder.server.tokens import TokenHashes
from kingdom_builder.server.transcript import Transcript
from kingdom_builder.server.views import lesson_place, own_view


def view(table: Table, hashes: TokenHashes) -> View:
    """The game as somebody may see it."""
    return view_from(table, table.party.perspective(hashes, table.game.player), acts=acts(table, hashes))


def view_from(table: Table, perspective: Perspective, *, acts: bool) -> View:
    """The game from a perspective. `acts`: the moves of the seat in turn are the viewer's to make."""
    game = table.game
    undo = acts and game.undo_limit < len(game.plies)
    instead = game.other_sources() if undo else 0
    public = table.shown.public(game, table.ended)
    seen = own_view(public, game.state, perspective, acts=acts, undo=undo, instead=instead)
    seen.lesson = lesson_place(table.progress, game.state) if table.progress else None
    return seen


def acts(table: Table, hashes: TokenHashes) -> bool:
    """Whether the moves of the seat in turn are somebody's to make."""
    return table.game.player in table.party.seats_of(hashes) and not table.over


def clock_view(table: Table) -> ClockView | None:
    """The clocks of the game for a page, if it has some."""
    return None if table.clocks is None else table.clocks.view(table.now())


def table_view(table: Table, hashes: TokenHashes) -> TableView:
    """The people as one viewer may see them."""
    party = table.party
    present = table.viewers.present()
    spectators = table.viewers.spectators(party)
    is_host = party.is_host(hashes)
    free = [] if table.over else company.free_seats(party, hashes, is_open=table.is_open)
    return TableView(
        id=table.id,
        game=table.game_number,
        seed=table.seed,
        seats=[
            SeatView(
                seat.name,
                seat.kind,
                seat.colour,
                seat.level,
                not present.isdisjoint(keys_of(seat)),
                number in party.veils and not seat.level,
                bool(seat.level and keys_of(seat)),
                seat.person,
                away(table, number),
                sorted(party.votes.get(number, ())),
            )
            for number, seat in enumerate(party.seats)
        ],
        yours=party.seats_of(hashes),
        host=is_host,
        hints=gives_hints(table, hashes),
        watchers=len(spectators),
        watcher_list=[
            WatcherView(viewer.number, viewer.name, table.viewers.is_muted(viewer))
            for viewer in spectators
            if is_host and viewer.hashes == {party.watch}
        ],
        hushed=party.hushed,
        agreeable=party.agreeable(hashes),
        notices=list(party.notices),
        daily=table.daily,
        stand_ins=party.stand_ins_for(hashes),
        rated=table.rated,
        open=table.is_open,
        free=free,
        consents={what: sorted(seats) for what, seats in party.consents.items() if seats},
        asks_all=table.asks_all,
        ended=table.ended.why if table.ended else None,
        strangers=table.is_among_strangers,
        resumable=resumable(table),
    )


def transcript(table: Table, hashes: TokenHashes, game: int = 0) -> Transcript:
    """A game at a table, by default the current one. A finished game has no secrets."""
    if game in (0, table.game_number):
        perspective = EVERYTHING if table.over else table.party.log_perspective(hashes)
        return table.transcript(perspective, hints=table.over or gives_hints(table, hashes))
    if not 1 <= game < table.game_number:
        raise Refusal(
            Message("There is no game {n} at this table: expected 1 to {most}.", n=game, most=table.game_number),
            "unknown-game",
        )
    return table.finished[game - 1]
