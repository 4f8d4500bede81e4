"""The coach as the serving process knows it: another process that prices positions.

One coach serves all houses of a user on a host: whoever needs one looks for it at a socket and
starts it if nobody answers. The solver is never imported here, and a coach that is warming, busy,
gone or broken costs a player nothing but the advice.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json
import logging
import os
import stat
import subprocess
import sys
import tempfile
import threading
import time
from asyncio import Future, StreamReader, StreamWriter, Task
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import upcard
from upcard import fields
from upcard.game import Game

Values = dict[str, float]

MODULE = "upcard.maths.coach"
WAITING_MAX = 32
ANSWER_SECONDS_MAX = 10.0
OPEN_SECONDS_MAX = 30.0
"""How long a new process may take to listen; and how long we then do without."""
LOOK_SECONDS = 0.05

log = logging.getLogger(__name__)


class CoachFailed(Exception):
    """The coach could not price a position that a player was shown."""


def position(game: Game, answer: Mapping[str, Any]) -> dict[str, Any]:
    """The decision of an open round, from what its player is told and nothing else."""
    choices = answer["choices"]
    return {
        "game": game.key,
        "rules": fields.texts(game.rules),
        "table": answer["table"],
        "spot": choices[0]["spot"],
        "hand": choices[0]["hand"],
        "choices": [choice["choice"] for choice in choices],
    }


def best(values: Mapping[str, float], answer: Mapping[str, Any]) -> str:
    """The choice worth most among those the balance covers; of equals the one offered first."""
    covered: list[str] = [each["choice"] for each in answer["choices"] if each["enabled"]]
    return max(covered, key=lambda choice: values[choice])


def usual_socket() -> Path:
    """Where the coach of this user and this very installation listens; the folder is made."""
    place = f"{Path(upcard.__file__).parent}|{upcard.__version__}|{sys.executable}"
    name = hashlib.sha256(place.encode()).hexdigest()[:16]
    parent = Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir())
    # What the variable names is not always there, under cron and sudo for two.
    parent = parent if parent.is_dir() else Path(tempfile.gettempdir())
    folder = parent / f"upcard-{os.getuid()}"
    folder.mkdir(mode=stat.S_IRWXU, exist_ok=True)
    found = folder.lstat()
    if found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) != stat.S_IRWXU:
        # Somebody else's, or open to others: none of ours to talk in.
        folder = Path(tempfile.mkdtemp(prefix="upcard-"))
    return folder / f"{name}.sock"


class Coach:
    """Prices positions once its process is warm; the first question starts it."""

    def __init__(self, socket: Path | None = None) -> None:
        self._socket = socket
        self._child: subprocess.Popen[bytes] | None = None
        self._line: _Line | None = None
        self._opening: Task[None] | None = None
        self._not_before = 0.0
        self._closed = False

    async def values(self, asked: Mapping[str, Any]) -> Values | None:
        """The value of each choice of a position, or None if that cannot be known now.

        Raises CoachFailed if the coach could make nothing of it.
        """
        if self._closed:
            return None
        if self._line is None or self._line.lost:
            self._open()
            return None
        if not self._line.ready or self._line.busy:
            return None
        try:
            async with asyncio.timeout(ANSWER_SECONDS_MAX):
                return await self._line.ask(asked)
        except TimeoutError:
            log.error("the coach did not answer in %g s", ANSWER_SECONDS_MAX)
            self._line.hang_up()
            if self._child is not None:
                self._child.kill()
            return None

    async def close(self) -> None:
        """Hang up; all who wait get None. The process ends by itself when nobody else needs it."""
        self._closed = True
        if self._opening is not None:
            self._opening.cancel()
            with suppress(asyncio.CancelledError):
                await self._opening
        if self._line is not None:
            self._line.hang_up()
            await self._line.gone()
        elif self._child is not None:
            # It would wait for us in vain.
            self._child.kill()

    def _open(self) -> None:
        is_opening = self._opening is not None and not self._opening.done()
        if not is_opening and time.monotonic() >= self._not_before:
            self._line = None
            self._opening = asyncio.create_task(self._try_to_open())

    async def _try_to_open(self) -> None:
        deadline = time.monotonic() + OPEN_SECONDS_MAX
        try:
            path = self._socket = self._socket or usual_socket()
            while time.monotonic() < deadline:
                with suppress(FileNotFoundError, ConnectionRefusedError):
                    self._line = _Line(*await asyncio.open_unix_connection(path))
                    return
                # One that ends at once has found another that is just leaving, or coming.
                if not self._runs():
                    self._child = _started(path)
                await asyncio.sleep(LOOK_SECONDS)
            log.error("the coach does not listen; see %s", _log_of(path))
        except OSError as error:
            log.error("the coach cannot be started: %s", error)
        self._not_before = time.monotonic() + OPEN_SECONDS_MAX

    def _runs(self) -> bool:
        return self._child is not None and self._child.poll() is None


def _log_of(path: Path) -> Path:
    return path.with_suffix(".log")


def _started(path: Path) -> subprocess.Popen[bytes]:
    """A process of its own: it may outlive us for others, and hears no Ctrl-C of ours."""
    with _log_of(path).open("ab") as errors:
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", MODULE, str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
        )
    threading.Thread(target=child.wait, name="coach ended", daemon=True).start()
    return child


class _Line:
    """A connection to a coach: ready after its greeting, lost when either end hung up."""

    def __init__(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._writer = writer
        self._waiting: dict[int, Future[Values | None]] = {}
        self._ids = itertools.count(1)
        self.ready = False
        self.lost = False
        self._reading = asyncio.create_task(self._read(reader))

    @property
    def busy(self) -> bool:
        return len(self._waiting) >= WAITING_MAX

    async def ask(self, asked: Mapping[str, Any]) -> Values | None:
        id_ = next(self._ids)
        answered: Future[Values | None] = asyncio.get_running_loop().create_future()
        self._waiting[id_] = answered
        try:
            self._writer.write(json.dumps({"id": id_, "position": asked}).encode() + b"\n")
            return await answered
        finally:
            self._waiting.pop(id_, None)

    def hang_up(self) -> None:
        self.lost = True
        self._writer.close()
        for answered in self._waiting.values():
            if not answered.done():
                answered.set_result(None)

    async def gone(self) -> None:
        """Wait until the connection is closed."""
        await self._reading
        with suppress(ConnectionError):
            await self._writer.wait_closed()

    async def _read(self, reader: StreamReader) -> None:
        with suppress(ConnectionError):
            while line := await reader.readline():
                self._hear(json.loads(line))
        self.hang_up()

    def _hear(self, reply: Mapping[str, Any]) -> None:
        if "ready" in reply:
            self.ready = True
            return
        answered = self._waiting.get(reply["id"])
        if answered is None or answered.done():
            return
        if "error" in reply:
            answered.set_exception(CoachFailed(reply["error"]))
        else:
            answered.set_result(reply["values"])
