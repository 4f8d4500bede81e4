"""A simulated machine for a house: its time, its disk, and what a power cut leaves of the disk.

Nothing here waits and nothing is left to chance: one seed is one run. The real SQLite writes
through `Disk`, which keeps apart what was written since the last sync, file by file and for the
folder itself; `Platter` plays those writes again up to any of them and says what may then be found.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import selectors
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple, ParamSpec, TypeVar

import apsw

T = TypeVar("T")
P = ParamSpec("P")

SECTOR = 512
"""What a disk writes whole or not at all."""
_NAMES = itertools.count()

# Time


class _NoWaiting(selectors.SelectSelector):
    """Tells its loop of nothing that waits; where it would wait itself, time passes instead."""

    passed: float = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        events = super().select(0)
        if not events:
            assert timeout is not None, "everybody waits for something that never comes"
            self.passed += max(timeout, 0.0)
        return events


class SimulatedLoop(asyncio.SelectorEventLoop):
    """An event loop whose time is its own. What is meant for a thread is done at once."""

    def __init__(self) -> None:
        self._waiting = _NoWaiting()
        super().__init__(self._waiting)

    def time(self) -> float:
        return self._waiting.passed

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, work: Callable[..., T], *given: Any
    ) -> asyncio.Future[T]:
        done: asyncio.Future[T] = self.create_future()
        try:
            done.set_result(work(*given))
        except Exception as error:
            done.set_exception(error)
        return done

    def until(self, work: Coroutine[Any, Any, T]) -> T:
        return self.run_until_complete(work)


@contextmanager
def simulated_loop() -> Iterator[SimulatedLoop]:
    loop = SimulatedLoop()
    try:
        yield loop
    finally:
        loop.close()


class Waits(Executor):
    """What a store hands to its disk takes some simulated time; `seconds` says how long."""

    def __init__(self, loop: SimulatedLoop, seconds: Callable[[], float]) -> None:
        self._loop = loop
        self._seconds = seconds
        self.before: Callable[[], None] = lambda: None
        self.after: Callable[[], None] = lambda: None
        """Called right before and after the work, while nobody knows of it."""

    def submit(self, work: Callable[P, T], /, *given: P.args, **named: P.kwargs) -> Future[T]:
        done: Future[T] = Future()

        def do() -> None:
            try:
                self.before()
                result = work(*given, **named)
                self.after()
            except Exception as error:
                done.set_exception(error)
            else:
                done.set_result(result)

        self._loop.call_later(self._seconds(), do)
        return done


# The disk


class Op(NamedTuple):
    """One thing that was asked of the disk. `file` is a file whatever its name becomes."""

    kind: Literal["create", "delete", "write", "truncate", "sync", "sync folder"]
    name: str
    file: int
    at: int = 0
    """Where it is written, or the length that is left."""
    content: bytes = b""


_MAKES_A_NAME = apsw.SQLITE_OPEN_CREATE
_SYNCS_ITS_FOLDER = (
    apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_SUPER_JOURNAL | apsw.SQLITE_OPEN_WAL
)
"""Files of these kinds, new, are synced together with their folder the first time (os_unix.c)."""


class Disk(apsw.VFS):
    """All that SQLite writes in one folder, in order, on top of the operating system's files.

    What is there already when it is made is on the platter for certain.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = f"upcard-disk-{next(_NAMES)}"
        self.files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
        self.ops: list[Op] = []
        self._numbers = itertools.count(len(self.files))
        self._names = {name: number for number, name in enumerate(self.files)}
        super().__init__(self.name, "unix")

    @property
    def position(self) -> int:
        """How much was asked of it so far."""
        return len(self.ops)

    def connected(self, name: str) -> apsw.Connection:
        """Another program's connection to a database on it."""
        return apsw.Connection(str(self.folder / name), vfs=self.name)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        if path is None or Path(path).parent != self.folder:
            return apsw.VFSFile("unix", name, flags)
        made = not Path(path).exists()
        file = apsw_file = _File(self, Path(path).name, name, flags)
        if made and flags[0] & _MAKES_A_NAME:
            file.number = self._made(file.name)
            file.syncs_folder = bool(flags[0] & _SYNCS_ITS_FOLDER)
        else:
            file.number = self._names[file.name]
        return apsw_file

    def _made(self, name: str) -> int:
        number = self._names[name] = next(self._numbers)
        self.ops.append(Op("create", name, number))
        return number

    def xDelete(self, filename: str, syncdir: bool) -> None:
        super().xDelete(filename, syncdir)
        name = Path(filename).name
        self.ops.append(Op("delete", name, self._names.pop(name)))
        if syncdir:
            self.ops.append(Op("sync folder", name, -1))


class _File(apsw.VFSFile):
    """One open file, whose writes the disk writes down."""

    number = -1
    syncs_folder = False

    def __init__(
        self, disk: Disk, name: str, path: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        self._ops = disk.ops
        self.name = name
        super().__init__("unix", path, flags)

    def xWrite(self, data: Any, offset: int) -> None:
        super().xWrite(data, offset)
        self._ops.append(Op("write", self.name, self.number, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        super().xTruncate(newsize)
        self._ops.append(Op("truncate", self.name, self.number, newsize))

    def xSync(self, flags: int) -> None:
        super().xSync(flags)
        self._ops.append(Op("sync", self.name, self.number))
        if self.syncs_folder:
            self.syncs_folder = False
            self._ops.append(Op("sync folder", self.name, -1))


# What is left


class Platter:
    """What is on the disk for certain, and what may be there, after some of its operations."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._names = {name: number for number, name in enumerate(files)}
        self._content = {number: bytearray(files[name]) for name, number in self._names.items()}
        self._unsynced: dict[int, list[Op]] = {number: [] for number in self._content}
        self._unsynced_names: list[Op] = []

    def take(self, op: Op) -> None:
        """One operation came to its end."""
        match op.kind:
            case "create":
                self._content[op.file], self._unsynced[op.file] = bytearray(), []
                self._unsynced_names.append(op)
            case "delete":
                self._unsynced_names.append(op)
            case "write" | "truncate":
                self._unsynced[op.file].append(op)
            case "sync":
                for each in self._unsynced[op.file]:
                    _do(self._content[op.file], each)
                self._unsynced[op.file] = []
            case "sync folder":
                for each in self._unsynced_names:
                    _name(self._names, each)
                self._unsynced_names = []

    def left(self, draw: random.Random, in_flight: Op) -> dict[str, bytes]:
        """The files after a cut in the course of one operation more: name → content.

        Each thing that was not synced is there, is not, or is there in part, in whatever order.
        """
        kept = draw.choice((1.0, 0.0, 0.5, draw.random()))
        names, unsynced_names = dict(self._names), [*self._unsynced_names]
        if in_flight.kind in ("create", "delete"):
            unsynced_names.append(in_flight)
        for op in unsynced_names:
            if draw.random() < kept:
                _name(names, op)
        return {
            name: self._found(file, kept, draw, in_flight) for name, file in sorted(names.items())
        }

    def _found(self, file: int, kept: float, draw: random.Random, in_flight: Op) -> bytes:
        content = bytearray(self._content.get(file, b""))
        unsynced = [*self._unsynced.get(file, ())]
        if in_flight.kind in ("write", "truncate") and in_flight.file == file:
            unsynced.append(in_flight)
        for op in unsynced:
            if draw.random() < kept:
                _do(content, op)
            elif op.kind == "write" and kept and draw.random() < 0.5:
                _tear(content, op, draw)
        return bytes(content)


def _name(names: dict[str, int], op: Op) -> None:
    if op.kind == "create":
        names[op.name] = op.file
    else:
        names.pop(op.name, None)


def _do(content: bytearray, op: Op) -> None:
    if op.kind == "truncate":
        del content[op.at :]
        return
    content.extend(bytes(max(op.at - len(content), 0)))
    content[op.at : op.at + len(op.content)] = op.content


def _tear(content: bytearray, op: Op, draw: random.Random) -> None:
    """A write that was interrupted: it stopped somewhere, or some of its sectors are missing."""
    if draw.random() < 0.5:
        _do(content, op._replace(content=op.content[: draw.randrange(len(op.content))]))
        return
    end = op.at + len(op.content)
    for sector in range(op.at // SECTOR, -(-end // SECTOR)):
        if draw.random() < 0.5:
            first, last = max(sector * SECTOR, op.at), min((sector + 1) * SECTOR, end)
            part = op.content[first - op.at : last - op.at]
            _do(content, op._replace(at=first, content=part))
