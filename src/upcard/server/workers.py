"""Several processes that serve one house on one port: started, watched and stopped by another.

Each worker listens on the port itself, and the kernel deals the connections out among them. What
they have to tell each other goes through the database. A worker that dies is replaced; one whose
parent dies stops by itself, because its standard input ends.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress

from upcard.refused import Refused
from upcard.server.front import bound
from upcard.server.service import Asked

READY = b"ready\n"
STOP_SECONDS_MAX = 2.8
"""What all workers get to stop in; each needs less, and 3 s are promised."""
AGAIN_SECONDS = 1.0
"""How long a place stays empty whose worker did not live longer than that."""

log = logging.getLogger(__name__)


async def attend_several(
    count: int,
    asked: Asked,
    ip: str,
    port: int,
    stop: asyncio.Future[signal.Signals],
    ready: Callable[[], None],
) -> None:
    """Keep so many workers serving a prepared house until `stop`. Raises Refused."""
    workers = [_Place(asked.of_worker(n, count), ip, port) for n in range(count)]
    # The port is held while workers come and go; what does not listen gets no connection.
    with bound(ip, port, shared=True):
        try:
            await asyncio.gather(*(worker.fill() for worker in workers))
            ready()
            keeping = [asyncio.create_task(worker.keep()) for worker in workers]
            await stop
            for task in keeping:
                task.cancel()
        finally:
            await asyncio.gather(*(worker.empty() for worker in workers))


class _Place:
    """One worker after another."""

    def __init__(self, asked: Asked, ip: str, port: int) -> None:
        self._asked = asked
        self._address = (ip, str(port))
        self._process: asyncio.subprocess.Process | None = None

    async def fill(self) -> None:
        """Start a worker and wait until it answers. Raises Refused; it has said why."""
        process = self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "upcard.server.worker", *self._address),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # Ctrl-C at a terminal is for the parent, which then asks its workers to stop.
            start_new_session=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        # Not among the arguments of the command, which everybody on the machine may read.
        process.stdin.write(f"{self._asked.text()}\n".encode())
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
