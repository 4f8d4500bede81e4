"""Several processes that serve one house on one port: started, watched and stopped by another.

Each worker listens on the port itself, and the kernel deals the connections out among them. What
they have to tell each other goes through the database. A worker that dies is replaced; one whose
parent dies stops by itself, because its standard input ends.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass

from upcard.house import recover
from upcard.house.rounds import House, Settings
from upcard.house.store import Store
from upcard.house.store.opening import open_store
from upcard.refused import Refused

READY = b"ready\n"
STOP_SECONDS_MAX = 2.8
"""What all workers get to stop in; each needs less, and 3 s are promised."""
AGAIN_SECONDS = 1.0
"""How long a place stays empty whose worker did not live longer than that."""

log = logging.getLogger(__name__)


async def prepared(store: Store, settings: Settings) -> House:
    """A house that may be served over this store. Raises StoreRefused."""
    await recover.check_open_rounds(store)
    house = new_house(store, settings)
    await house.open()
    return house


def new_house(store: Store, settings: Settings) -> House:
    """A house with the clock and the entropy of this machine."""
    return House(store, clock=time.time, entropy=secrets.token_bytes, settings=settings)


@dataclass(frozen=True, slots=True)
class Several:
    """So many workers of one house."""

    count: int
    db_url: str
    settings: Settings
    public_url: str | None

    async def attend(
        self,
        ip: str,
        port: int,
        stop: asyncio.Future[signal.Signals],
        ready: Callable[[], None],
    ) -> None:
        """Keep them serving until `stop`. Raises Refused if they cannot begin."""
        store = open_store(self.db_url)
        try:
            # Once for all: the schema, open rounds, and what must exist before the first bet.
            await prepared(store, self.settings)
        finally:
            await store.close()
        with _held(ip, port):
            workers = [_Place(self._arguments(ip, port)) for _ in range(self.count)]
            try:
                await asyncio.gather(*(worker.fill() for worker in workers))
                ready()
                keeping = [asyncio.create_task(worker.keep()) for worker in workers]
                await stop
                for task in keeping:
                    task.cancel()
            finally:
                await asyncio.gather(*(worker.empty() for worker in workers))

    def _arguments(self, ip: str, port: int) -> str:
        return json.dumps(
            {
                "db_url": self.db_url,
                "settings": asdict(self.settings),
                "public_url": self.public_url,
                "ip": ip,
                "port": port,
            }
        )


class _Place:
    """One worker after another."""

    def __init__(self, arguments: str) -> None:
        self._arguments = arguments
        self._process: asyncio.subprocess.Process | None = None

    async def fill(self) -> None:
        """Start a worker and wait until it answers. Raises Refused; it has said why."""
        process = self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "upcard.server.worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # Ctrl-C at a terminal is for the parent, which then asks its workers to stop.
            start_new_session=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        # Not among the arguments of the command, which everybody on the machine may read.
        process.stdin.write(f"{self._arguments}\n".encode())
        if await process.stdout.readline() != READY:
            status = await process.wait()
            raise Refused("address", f"A worker did not begin; it ended with {status}.")

    async def keep(self) -> None:
        """Replace the worker whenever it ends."""
        while True:
            assert self._process is not None
            began = time.monotonic()
            status = await self._process.wait()
            log.error("a worker ended with %d; another one takes its place", status)
            if time.monotonic() - began < AGAIN_SECONDS:
                await asyncio.sleep(AGAIN_SECONDS)
            with suppress(Refused):
                await self.fill()

    async def empty(self) -> None:
        """Ask the worker to stop, and see that it is gone."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(STOP_SECONDS_MAX):
                await process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


@contextmanager
def _held(ip: str, port: int) -> Iterator[None]:
    """Keep the port while workers come and go. A socket that does not listen gets no connection."""
    family = socket.AF_INET6 if ":" in ip else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        holder.bind((ip, port))
        yield
