"""One command at a time at each table and each round; the others wait in the order they came.

The store would put them in order too, but each would then hold a place in a commit. This way one
player who sends a thousand moves at once waits for himself and for nobody else.
"""

from __future__ import annotations

import asyncio

from upcard.server.rates import TooOften

WAITING_MAX = 32
"""More at one round are refused: nobody has so many fingers."""


class Turns:
    """Whose turn it is, by any key."""

    def __init__(self) -> None:
        self._places: dict[str, _Place] = {}

    def __len__(self) -> int:
        return len(self._places)

    def turn(self, where: str) -> _Place:
        """`async with` waits for the turn at a place. Raises TooOften where too many wait."""
        place = self._places.get(where) or _Place(self._places, where)
        if place.inside > WAITING_MAX:
            raise TooOften(1)
        return place


class _Place:
    """A place, for as long as somebody is at it; `inside` counts those who wait too."""

    __slots__ = ("_lock", "_places", "_where", "inside")

    def __init__(self, places: dict[str, _Place], where: str) -> None:
        self._places = places
        self._where = where
        self._lock = asyncio.Lock()
        self.inside = 0

    async def __aenter__(self) -> None:
        self._places[self._where] = self
        self.inside += 1
        try:
            await self._lock.acquire()
        except BaseException:
            self._leave()
            raise

    async def __aexit__(self, *error: object) -> None:
        self._lock.release()
        self._leave()

    def _leave(self) -> None:
        self.inside -= 1
        if not self.inside:
            del self._places[self._where]
