"""How much each person does, whatever address they come from; the limits of addresses are in visitors.py.

Guests are made quickly, so these limits are in addition to those of addresses: they keep one person at many addresses
within bounds, and let people who share an address have a share each.
"""

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.limits import RateLimit
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.visitors import DAY, LINES_AT_ONCE, MINUTE

TABLES_SHARE = 0.2
"""How many of the new tables of an address one person may make."""

SEEKS_PER_MINUTE, SEEKS_AT_ONCE = 10, 20
BLOCKS_PER_DAY = 200
KEPT = 10_000
"""Persons to remember; beyond that, those whose limits are all full again are forgotten."""


class PersonLimits:
    """What one person has used."""

    __slots__ = ("_blocks", "_lines", "_reports", "_seeks", "_settings", "_tables_by_day", "_tables_by_minute")

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        by_minute, by_day = TABLES_SHARE * settings.tables_per_minute, TABLES_SHARE * settings.tables_per_day
        self._tables_by_minute = RateLimit(by_minute / MINUTE, max(1.0, by_minute))
        self._tables_by_day = RateLimit(by_day / DAY, max(1.0, by_day))
        self._lines = RateLimit(settings.lines_per_second, LINES_AT_ONCE)
        self._seeks = RateLimit(SEEKS_PER_MINUTE / MINUTE, SEEKS_AT_ONCE)
        self._blocks = RateLimit(BLOCKS_PER_DAY / DAY, BLOCKS_PER_DAY)
        self._reports = RateLimit(settings.reports_per_day / DAY, settings.reports_per_day)

    @property
    def is_idle(self) -> bool:
        """Whether this person can be forgotten without losing anything."""
        limits = (self._tables_by_minute, self._tables_by_day, self._lines, self._seeks, self._blocks, self._reports)
        return all(limit.is_full for limit in limits)

    def count_table(self) -> None:
        """Count a new table. Raises Refusal if there were too many."""
        if not (self._tables_by_minute.take() and self._tables_by_day.take()):
            raise Refusal(Message("You have made too many tables lately: try again later."), "too-fast")

    def count_line(self) -> None:
        """Count a chat line. Raises Refusal if there were too many."""
        if not self._lines.take():
            raise Refusal(Message("Too many lines at once: wait a moment before you speak again."), "too-fast")

    def count_seek(self) -> None:
        """Count a search for other players. Raises Refusal if there were too many."""
        if not self._seeks.take():
            raise Refusal(Message("You have looked for players too often lately: try again in a moment."), "too-fast")

    def count_block(self) -> None:
        """Count a block. Raises Refusal if there were too many."""
        if not self._blocks.take():
            raise Refusal(
                Message("You have blocked too many people today: expected {n}.", n=BLOCKS_PER_DAY), "too-fast"
            )

    def count_report(self) -> None:
        """Count a report. Raises Refusal if there were too many."""
        if not self._reports.take():
            most = self._settings.reports_per_day
            raise Refusal(Message("You have sent too many reports today: expected {n}.", n=most), "too-fast")


class AllPersonLimits:
    """What all persons have used."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._known: dict[str, PersonLimits] = {}
        self._most = KEPT
        """The number of known persons at which idle ones are looked for again."""

    def __len__(self) -> int:
        return len(self._known)

    def of(self, person: str) -> PersonLimits:
        """The limits of a person."""
        found = self._known.get(person)
        if found is None:
            if len(self._known) >= self._most:
                self._known = {key: each for key, each in self._known.items() if not each.is_idle}
                self._most = max(KEPT, 2 * len(self._known))  # or every new person would cost a look at all
            found = self._known[person] = PersonLimits(self._settings)
        return found
