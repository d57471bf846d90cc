"""What the pages of a table are shown of one game: views and lines of the log, made once for all who see the same."""

from kingdom_builder.game import Game
from kingdom_builder.message import Message
from kingdom_builder.server.entries import Ended
from kingdom_builder.server.messages import ClockView, View
from kingdom_builder.server.sent_lines import SentLines
from kingdom_builder.server.sent_views import Angle, PublicView, SentView
from kingdom_builder.server.sentences import sent_sentence
from kingdom_builder.server.views import view_of


class Shown:
    """What is shown of the current game, and since which version of the table."""

    def __init__(self, version: int) -> None:
        self.first_version = version
        """The version in which the game began."""
        self.version = version
        """The first version with the current view."""
        self.lines = SentLines()
        self._kept = [0]
        """For each version of this game, the number of actions that did not change."""
        self._public: View | None = None
        self._sent_public: PublicView | None = None
        self._sent_views: dict[Angle, SentView] = {}
        """The views of the present version that somebody who reads differences has been sent."""

    def next_version(self, kept: int) -> None:
        """Begin a version in which the first `kept` actions are as before."""
        self._kept.append(kept)
        self._public = None
        self._sent_public = None
        self._sent_views.clear()
        self.lines.forget_short()

    def kept_since(self, version: int, plies: int) -> int:
        """How many of the actions, `plies` by now, are as they were in a version of this game."""
        return min(self._kept[version - self.first_version + 1 :], default=plies)

    def public(self, game: Game, ended: Ended | None) -> View:
        """The view of somebody who only looks on; `ended` says how the game ended before its last turn."""
        if self._public is None:
            self._public = view_of(game.state, len(game.plies), None, game.last_placed())
            if ended is not None:
                self._public.over, self._public.winners = True, [ended.winner]
                self._public.prompt = sent_sentence(Message("The game is over."))
        return self._public

    def sent_from(self, angle: Angle) -> SentView | None:
        """The view of the present version that somebody with the same angle was sent, if anybody was."""
        return self._sent_views.get(angle)

    def send(self, angle: Angle, view: View, clock: ClockView | None) -> SentView:
        """Remember that a view of the present version is sent, so that later only what has changed since need be."""
        if self._sent_public is None:
            assert self._public is not None
            self._sent_public = PublicView(angle.version, self._public, clock)
        sent = self._sent_views[angle] = SentView(angle, view, self._sent_public)
        return sent
