"""The games that people look for: which are possible, how they are shown, and who could play them."""

from collections.abc import Callable, Mapping, Sequence

from kingdom_builder.content import BOXES
from kingdom_builder.message import Message, Refusal, quoted
from kingdom_builder.server import clocks
from kingdom_builder.server.messages import ClockChoice, LobbySeek, OwnSeek, SetupChoice
from kingdom_builder.server.names import look_alike
from kingdom_builder.server.pairing import Wish
from kingdom_builder.server.ratings import ANCHORS, NEW, can_rate, pool_of
from kingdom_builder.server.seeks import Seek, Somebody
from kingdom_builder.server.setups import start_of


def check(wish: Wish) -> None:
    """Refuse a game that cannot be played."""
    clocks.check(wish.clock)
    for key in wish.sets:
        if key not in BOXES:
            message = Message("unknown set {key}: expected some of {known}", key=quoted(key), known=", ".join(BOXES))
            raise Refusal(message)
    for players in {wish.least, wish.most}:
        start_of(SetupChoice(list(wish.sets)), players, {})
    if wish.rated and not can_rate():
        raise Refusal(
            Message("This server cannot rate games: its operator has not installed what it takes."), "unavailable"
        )
    if wish.rated and not pool_for(wish):
        raise Refusal(Message("A rated game needs a clock: choose a live clock or one of days."))


def pool_for(wish: Wish) -> str:
    """The pool of ratings of a game; empty if such games are not rated."""
    return pool_of(wish.clock.kind, wish.least) or ""


def points_of(somebody: Somebody) -> int | None:
    """The rating that somebody is paired by; None if it is provisional."""
    return None if somebody.rating.is_provisional else somebody.rating.shown


def own_seek(seek: Seek, now: float, bots_after: float) -> OwnSeek:
    """A seek as its own person sees it; bots are offered after this many seconds."""
    waited, wish = max(0.0, now - seek.since), seek.wish
    bots_in = max(0.0, bots_after - waited)
    clock = ClockChoice(wish.clock.kind, wish.clock.start, wish.clock.add)
    return OwnSeek(
        seek.id, round(waited, 1), round(bots_in, 1), clock, wish.least, wish.most, list(wish.sets), wish.rated
    )


def listed_seek(seek: Seek, people: Mapping[tuple[str, str], Somebody], shown: Callable[[str], str] = str) -> LobbySeek:
    """A seek as all others see it; `shown` is what strangers see of a name."""
    wish, pool = seek.wish, pool_for(seek.wish)
    somebody = people.get((seek.person, pool), Somebody("", NEW))
    return LobbySeek(
        seek.id,
        seek.since,
        shown(somebody.name),
        seek.person,
        somebody.rating.shown if pool else None,
        somebody.rating.is_provisional,
        ClockChoice(wish.clock.kind, wish.clock.start, wish.clock.add),
        wish.least,
        wish.most,
        list(wish.sets),
        wish.rated,
    )


def bots_near(points: int, n: int) -> list[str]:
    """The bots whose strength is closest to a rating, each once.

    >>> bots_near(1500, 1), bots_near(2400, 2)
    (['greedy'], ['master', 'expert'])
    """
    return sorted(ANCHORS, key=lambda level: abs(ANCHORS[level] - points))[:n]


def apart(names: Sequence[str]) -> list[str]:
    """The same names, without those that can be mistaken for one before: such a player has none at the table."""
    kept: list[str] = []
    for name in names:
        kept.append("" if any(each and look_alike(name, each) for each in kept) else name)
    return kept
