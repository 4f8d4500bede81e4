"""One command at a time at each table and each round; the others wait in the order they came.

The store would put them in order too, but each would then hold a place in a commit. This way one
player who sends a thousand moves at once waits for himself and for nobody else.
"""

from __future__ import annotations

import asyncio
from collections import deque

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

    __slots__ = ("_places", "_taken", "_waiting", "_where", "inside")

    def __init__(self, places: dict[str, _Place], where: str) -> None:
        self._places = places
        self._where = where
        self._taken = False
        self._waiting: deque[asyncio.Future[None]] = deque()
        self.inside = 0

    async def __aenter__(self) -> None:
        self._places[self._where] = self
        self.inside += 1
        if not self._taken:  # nearly always
            self._taken = True
            return
        mine = asyncio.get_running_loop().create_future()
        self._waiting.append(mine)
        try:
            await mine
        except BaseException:
            # Whoever goes away when it is his turn gives it to the next one.
            self._leave(has_turn=mine.done() and not mine.cancelled())
            raise

    async def __aexit__(self, *error: object) -> None:
        self._leave(has_turn=True)

    def _leave(self, *, has_turn: bool) -> None:
        self.inside -= 1
        if not self.inside:
            del self._places[self._where]
        if has_turn:
            self._taken = self._give_turn()

    def _give_turn(self) -> bool:
        """Whether there is somebody to take it."""
        while self._waiting:
            first = self._waiting.popleft()
            if not first.done():  # or he has gone away
                first.set_result(None)
                return True
        return False
