"""A house in a process of its own that is killed and started again, and notes of its lives."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

MOMENT_SECONDS = 10.0
SECONDS_MAX = 240.0
"""How long anything is waited for, on a machine that has much else to do."""


class Over(Exception):
    """The test ends; there is nothing more to wait for."""


class Address(NamedTuple):
    """Where a process listens. `life` counts the processes from 1."""

    life: int
    port: int


NOWHERE = Address(0, 0)


@dataclass(slots=True)
class Notes:
    """What players write down of one life of their house."""

    answered: int = 0
    checked: int = 0
    """Players who found everything as it should be when it began."""
    in_flight: int = 0
    """Requests that had been sent whole before it was killed, and got no answer."""
    kept: int = 0
    """Requests without an answer that had become durable, in flight or sent as it died."""
    lost: int = 0
    """Requests without an answer that had left no trace."""


@dataclass(slots=True)
class MortalHouse:
    """One database, served by one process after another; none is left on leaving its `with`."""

    database: Path
    cards: str = "{}"
    """What the shoes are stacked with, for the runner."""
    url: str = ""
    """Of a database that is not the file, which then lends its name alone."""
    address: Address = NOWHERE
    killed_at: float = 0.0
    _notes: list[Notes] = field(default_factory=lambda: [Notes()])
    _process: subprocess.Popen[str] | None = None
    _resting: bool = False
    _over: bool = False
    _news: threading.Condition = field(default_factory=threading.Condition)

    def __enter__(self) -> MortalHouse:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.end()
        self.kill()

    # Lives

    def start(self, *death: str) -> None:
        """Start a process and wait for its ready line; `death` says when it kills itself."""
        assert self._process is None
        runner = Path(__file__).with_name("kill_runner.py")
        with self._stderr.open("ab") as stderr:
            process = self._process = subprocess.Popen(
                [sys.executable, str(runner), self.url or str(self.database), self.cards, *death],
                # Where the key of a house is that has no file.
                cwd=self.database.parent,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
            )
        assert process.stdout is not None
        line = process.stdout.readline()
        ready = re.fullmatch(r"Upcard is open at http://127\.0\.0\.1:(\d+)/\n", line)
        assert ready, (line, self.complaints)
        with self._news:
            self._notes.append(Notes())
            self.address = Address(self.address.life + 1, int(ready[1]))
            self._news.notify_all()

    def kill(self) -> None:
        """SIGKILL, and wait until it is gone."""
        if self._process is not None:
            self.killed_at = time.monotonic()
            self._process.kill()
            self.died()

    def died(self) -> str:
        """Wait until it is gone; what it said after its ready line."""
        assert self._process is not None
        with self._process as process:
            self._process = None
            try:
                process.wait(SECONDS_MAX)
            finally:
                process.kill()
            assert process.stdout is not None
            return process.stdout.read()

    @property
    def complaints(self) -> str:
        """What all its processes had to say on stderr."""
        return self._stderr.read_text()

    @property
    def _stderr(self) -> Path:
        return self.database.with_suffix(".stderr")

    # Notes

    def note(self, life: int, *, answered: int = 0, checked: int = 0) -> None:
        with self._news:
            self._notes[life].answered += answered
            self._notes[life].checked += checked
            self._news.notify_all()

    def note_unanswered(self, life: int, *, kept: bool, in_flight: bool) -> None:
        with self._news:
            self._notes[life].kept += kept
            self._notes[life].lost += not kept
            self._notes[life].in_flight += in_flight

    def notes(self, life: int | None = None) -> Notes:
        """Those of the present life, or another."""
        return self._notes[self.address.life if life is None else life]

    # Waiting

    def rest(self) -> None:
        """Let every player stop at the next answer."""
        self._resting = True

    def end(self) -> None:
        """Let every player stop, and everybody who waits for something."""
        with self._news:
            self._resting = self._over = True
            self._news.notify_all()

    @property
    def goes_on(self) -> bool:
        return not self._resting

    def wait_until(self, came: Callable[[], bool]) -> None:
        """Wait until it is so; players' notes and new lives may make it so. Raises Over."""
        with self._news:
            in_time = self._news.wait_for(lambda: self._over or came(), SECONDS_MAX)
            if self._over:
                raise Over
        assert in_time, f"nothing came within {SECONDS_MAX} s"

    def wait_for_life(self, life: int) -> None:
        """Wait for that life, or a moment if none comes: a connection may break without a death.
        Raises Over."""
        with self._news:
            self._news.wait_for(lambda: self._over or self.address.life >= life, MOMENT_SECONDS)
            if self._over:
                raise Over
