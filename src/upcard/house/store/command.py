"""A command on its way through a store: what it needs, how it decides, and who waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from upcard.house.store import Needs, Snapshot, Writes


@dataclass(slots=True)
class Command:
    """One command that somebody waits for; what comes of it is told once, and may be told late."""

    needs: Needs
    decide: Callable[[Snapshot], tuple[Writes, Any]]
    done: asyncio.Future[Any]

    def succeed(self, result: Any) -> None:
        if not self.done.done():  # its caller may have gone
            self.done.set_result(result)

    def fail(self, error: BaseException) -> None:
        if not self.done.done():
            self.done.set_exception(error)
