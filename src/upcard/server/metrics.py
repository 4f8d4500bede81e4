"""Figures for Prometheus, served on a port of their own on this machine alone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    start_http_server,
)

from upcard.house.store import Store
from upcard.refused import Refused
from upcard.server.desk import Desk
from upcard.server.seen import Seen

HOST = "127.0.0.1"
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
COMMANDS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
LOOK_SECONDS = 5.0
"""How often what stands is read, as against what happens."""


class Metrics:
    """All figures of one process. Written from its event loop, read from another thread."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._requests = Counter(
            "upcard_requests", "Requests answered.", ["method", "route", "status"],
            registry=registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "upcard_request_seconds", "From the first byte to the last.", ["route"],
            buckets=SECONDS, registry=registry,
        )  # fmt: skip
        self._refused = Counter(
            "upcard_refused", "Requests refused, by code.", ["code"], registry=registry
        )
        self._steps = Counter(
            "upcard_steps", "Bets and moves made, repeated ones left out.", ["kind"],
            registry=registry,
        )  # fmt: skip
        self._commands = Histogram(
            "upcard_commit_commands", "Commands that shared a commit.",
            buckets=COMMANDS, registry=registry,
        )  # fmt: skip
        self._commit_seconds = Histogram(
            "upcard_commit_seconds", "How long a commit took.", buckets=SECONDS, registry=registry
        )
        self._open_rounds = Gauge("upcard_open_rounds", "Rounds not settled.", registry=registry)
        self._streams = Gauge("upcard_streams", "Event streams open.", registry=registry)

    def request(self, seen: Seen) -> None:
        self._requests.labels(seen.method, seen.route, str(seen.status)).inc()
        self._seconds.labels(seen.route).observe(seen.seconds)
        if seen.code:
            self._refused.labels(seen.code).inc()

    def step(self, kind: str) -> None:
        self._steps.labels(kind).inc()

    def commit(self, commands: int, seconds: float) -> None:
        self._commands.observe(commands)
        self._commit_seconds.observe(seconds)

    async def look(self, desk: Desk, store: Store) -> None:
        """How things stand now."""
        self._streams.set(desk.hub.open_streams)
        self._open_rounds.set(await store.open_count())

    async def keep_looking(self, desk: Desk, store: Store) -> None:
        while True:
            await self.look(desk, store)
            await asyncio.sleep(LOOK_SECONDS)

    @contextmanager
    def served(self, port: int) -> Iterator[str]:
        """Serve `/metrics` on this machine; its address. Raises Refused if the port is taken."""
        try:
            server, thread = start_http_server(port, HOST, self.registry)
        except OSError as error:
            sentence = f"Metrics cannot be served at port {port}: {error.strerror}."
            raise Refused("address", sentence) from None
        try:
            yield f"http://{HOST}:{server.server_port}/metrics"
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
