"""One worker: `python -m upcard.server.worker IP PORT`, told on its first line what to serve."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from contextlib import suppress

from upcard.house.keys import key_for
from upcard.house.store.opening import open_store
from upcard.refused import Refused
from upcard.server import logs
from upcard.server.run import BAD, GOOD, attend, named, new_house, run, signals
from upcard.server.service import Asked


def main(ip: str, port: str) -> int:
    """Serve until SIGTERM or SIGINT, or until the parent is gone."""
    asked = Asked.of(sys.stdin.readline())
    logs.begin(asked.service.log, requests=asked.service.log_requests)
    try:
        run(_serve(asked, ip, int(port)))
    except Refused as refused:
        print(f"upcard: {refused.sentence}", file=sys.stderr)
        return BAD
    return GOOD


async def _serve(asked: Asked, ip: str, port: int) -> None:
    with signals() as stop:
        _watch_parent(stop)
        store = open_store(asked.db_url)
        try:
            key = key_for(asked.key, named(asked.db_url), await store.keys())
            house = new_house(store, asked, key)
            await attend(house, store, asked, ip, port, stop, _say_ready, shared=True)
        finally:
            await store.close()


def _say_ready() -> None:
    print("ready", flush=True)


def _watch_parent(stop: asyncio.Future[signal.Signals]) -> None:
    """Nothing comes over standard input any more but its end, with the end of the parent."""
    loop = asyncio.get_running_loop()

    def end() -> None:
        if not stop.done():
            stop.set_result(signal.SIGTERM)

    def watch() -> None:
        os.read(sys.stdin.fileno(), 1)
        with suppress(RuntimeError):  # the loop may be closed by then
            loop.call_soon_threadsafe(end)

    threading.Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
