"""Figures for Prometheus: what the server has to do, and how long people wait for it."""

import time
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Response

from kingdom_builder.server.journal import Journal, StoreError

if TYPE_CHECKING:
    from prometheus_client.core import Metric

    from kingdom_builder.server.tables import Tables

BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class Metrics:
    """The figures of one server. Those that others keep are read when somebody asks."""

    def __init__(self, tables: "Tables") -> None:
        from prometheus_client import CollectorRegistry, Counter, Histogram

        self._tables = tables
        self._registry = CollectorRegistry()
        self._registry.register(self)
        self._commits = Histogram(
            "kb_commit_seconds", "How long an entry took to be stored.", buckets=BUCKETS, registry=self._registry
        )
        self._refused = Counter("kb_commits_refused", "Entries that could not be stored.", registry=self._registry)
        self._acknowledged = Histogram(
            "kb_acknowledgement_seconds",
            "How long a command took from its arrival to its answer.",
            buckets=BUCKETS,
            registry=self._registry,
        )
        self._watch(tables.journal)
        tables.on_answered = self._acknowledged.observe

    def _watch(self, journal: Journal) -> None:
        """Measure how long the journal takes."""
        append: Callable[..., Awaitable[None]] = journal.append

        async def measured(*arguments: Any, **named: Any) -> None:
            began = time.perf_counter()
            try:
                await append(*arguments, **named)
            except StoreError:
                self._refused.inc()
                raise
            self._commits.observe(time.perf_counter() - began)

        journal.append = measured  # type: ignore[method-assign]  # measured around it, so that no journal has to know

    def collect(self) -> "Iterator[Metric]":
        """The figures of this moment."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        tables, journal = self._tables, self._tables.journal
        for name, about, value in (
            ("kb_tables", "Tables in the database.", journal.tables),
            ("kb_tables_in_memory", "Tables in memory.", tables.in_memory_count),
            ("kb_sockets", "Open pages.", len(tables.connections)),
            ("kb_cut_off", "Whether this server is cut off from its database.", journal.is_cut_off),
            ("kb_bot_queue", "Work of bots and hints that waits or runs.", tables.thinkers.queued),
        ):
            yield GaugeMetricFamily(name, about, value=float(value))
        for name, about, value in (
            ("kb_conflicts", "Entries for which another server was first.", journal.conflicts),
            ("kb_deaf", "How often the bell of other servers was lost.", journal.times_deaf),
        ):
            yield CounterMetricFamily(name, about, value=float(value))

    def text(self) -> bytes:
        """All figures as Prometheus reads them."""
        from prometheus_client import generate_latest

        return generate_latest(self._registry)


def add_routes(app: FastAPI, tables: "Tables") -> None:
    """The route of the figures, if the operator wants them."""
    if not tables.settings.metrics:
        return
    figures = Metrics(tables)

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        return Response(figures.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
