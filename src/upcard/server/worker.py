"""One worker process: `python -m upcard.server.worker`, told on its first line what to serve."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
from contextlib import suppress
from typing import Any

from upcard.house.rounds import Settings
from upcard.refused import Refused
from upcard.server.run import BAD, GOOD, attend, signals


def main() -> int:
    """Serve until SIGTERM or SIGINT, or until the parent is gone."""
    asked = json.loads(sys.stdin.readline())
    try:
        asyncio.run(_serve(asked))
    except Refused as refused:
        print(f"upcard: {refused.sentence}", file=sys.stderr)
        return BAD
    return GOOD


async def _serve(asked: dict[str, Any]) -> None:
    with signals() as stop:
        _watch_parent(stop)
        await attend(
            asked["db_url"],
            Settings(**asked["settings"]),
            asked["public_url"],
            asked["ip"],
            asked["port"],
            stop,
            lambda: print("ready", flush=True),
            is_prepared=True,
        )


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
    sys.exit(main())
