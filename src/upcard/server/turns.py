"""One command at a time at each table and each round; the others wait in the order they came.

The store would put them in order too, but each would then hold a place in a commit. This way one
player who sends a thousand moves at once waits for himself and for nobody else.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from upcard.server.rates import TooOften

WAITING_MAX = 32
"""More at one round are refused: nobody has so many fingers."""


class Turns:
    """Whose turn it is, by any key."""

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Lock] = {}
        self._inside: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._locks)

    @asynccontextmanager
    async def turn(self, where: str) -> AsyncIterator[None]:
        """Wait for the turn at a place. Raises TooOften where too many wait."""
        inside = self._inside.get(where, 0)
        if inside > WAITING_MAX:
            raise TooOften(1)
        lock = self._locks.setdefault(where, asyncio.Lock())
        self._inside[where] = inside + 1
        try:
            async with lock:
                yield
        finally:
            self._inside[where] -= 1
            if not self._inside[where]:
                del self._inside[where], self._locks[where]
