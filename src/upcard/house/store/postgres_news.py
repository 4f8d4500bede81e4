"""What the processes of a house tell each other through PostgreSQL: who has played which round.

News are sent when what they tell of is durable, and by themselves: a transaction that notifies
holds up every other one that does until its commit is on the disk. They can get lost with a
connection, so that they only say where to look again.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import asyncpg

from upcard.house.store import Told
from upcard.house.store.postgres_opening import CONNECT_SECONDS_MAX, SETTINGS, shown

if TYPE_CHECKING:
    from asyncpg import Connection, Record
    from asyncpg.pool import PoolConnectionProxy

CHANNEL = "upcard"
PAYLOAD_BYTES_MAX = 7_900
"""PostgreSQL takes 8,000."""
GATHER_SECONDS = 0.02
"""News of so long are sent together."""
AGAIN_SECONDS = 1.0
WAITING_MAX = 10_000
"""More are not kept for a database that does not answer."""
LOST = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
    TimeoutError,
)

# To tell needs the number of a transaction, and nothing that would have to be on the disk.
_SETTINGS = {**SETTINGS, "synchronous_commit": "off"}

log = logging.getLogger(__name__)


class PostgresNews:
    """One connection that tells and hears. Opened by `listen`; then used from that event loop."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._waiting: list[Told] = []
        self._wake = asyncio.Event()
        self._listening: asyncio.Task[None] | None = None

    def tell(self, player: str, round_: str = "") -> None:
        """Tell the other processes, soon."""
        if len(self._waiting) < WAITING_MAX:
            self._waiting.append((player, round_))
            self._wake.set()

    def listen(self, heard: Callable[[list[Told]], None], missed: Callable[[], None]) -> None:
        """Hear what other processes tell; `missed` when some of it may have been lost."""
        self._listening = asyncio.create_task(self._listen(heard, missed))

    async def close(self) -> None:
        """Stop to tell and to hear."""
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.wait([self._listening])

    async def _listen(
        self, heard: Callable[[list[Told]], None], missed: Callable[[], None]
    ) -> None:
        while True:
            try:
                db = await asyncpg.connect(
                    self._url, timeout=CONNECT_SECONDS_MAX, server_settings=_SETTINGS
                )
                try:
                    await self._talk(db, heard)
                finally:
                    db.terminate()
            except LOST as error:
                log.warning("%s: the news are interrupted: %r", shown(self._url), error)
            missed()
            await asyncio.sleep(AGAIN_SECONDS)

    async def _talk(self, db: Connection[Record], heard: Callable[[list[Told]], None]) -> None:
        """Tell and hear until the connection is lost."""
        own = db.get_server_pid()

        def hear(
            _: Connection[Record] | PoolConnectionProxy[Record],
            pid: int,
            channel: str,
            payload: object,
        ) -> None:
            if pid != own:
                heard([(player, round_) for player, round_ in json.loads(str(payload))])

        ended = asyncio.Event()

        def end(_: object) -> None:
            ended.set()
            self._wake.set()

        db.add_termination_listener(end)
        await db.add_listener(CHANNEL, hear)
        while not ended.is_set():
            await self._wake.wait()
            await asyncio.sleep(GATHER_SECONDS)
            self._wake.clear()
            told, self._waiting = dict.fromkeys(self._waiting), []
            if told and not ended.is_set():
                await db.execute(
                    "SELECT pg_notify($1, told) FROM unnest($2::text[]) AS told",
                    CHANNEL,
                    [*_payloads([*told])],
                )


def _payloads(news: list[Told]) -> Iterator[str]:
    """News as texts that PostgreSQL takes."""
    texts: list[str] = []
    size = 2
    for each in news:
        text = json.dumps(each)
        if size + len(text) + 2 > PAYLOAD_BYTES_MAX:
            yield f"[{', '.join(texts)}]"
            texts, size = [], 2
        texts.append(text)
        size += len(text) + 2
    if texts:
        yield f"[{', '.join(texts)}]"
