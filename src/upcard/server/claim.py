"""One house for one database file: who serves it says so, and a second start is told where."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from upcard.refused import Refused


class AlreadyServed(Refused):
    """Another process serves this database; `url` is where, if it has said so yet."""

    def __init__(self, database: Path, url: str) -> None:
        where = f" at {url}" if url else ""
        super().__init__(
            "address",
            f"Another house serves {database}{where}; stop that one or name another --db.",
        )
        self.url = url


class Claim:
    """Held for as long as this process serves the database."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def say(self, url: str) -> None:
        """Where players reach it, for whoever starts a second one."""
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, url.encode(), 0)


class Unclaimed:
    """Where several processes may serve a database, nobody need be told of another."""

    def say(self, url: str) -> None:
        """Nobody asks."""


@contextlib.contextmanager
def claimed(database: Path) -> Iterator[Claim]:
    """Claim a database file. Raises AlreadyServed, or Refused where no claim can be written.

    The lock is the system's, so that it goes with the process however that ends.
    """
    note = database.with_name(f"{database.name}.serving")
    descriptor = _locked(note, database)
    try:
        os.ftruncate(descriptor, 0)
        yield Claim(descriptor)
    finally:
        note.unlink(missing_ok=True)
        os.close(descriptor)


def _locked(note: Path, database: Path) -> int:
    while True:
        try:
            descriptor = os.open(note, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            sentence = f"{note} cannot be written ({error.strerror}); name a --db where it can."
            raise Refused("address", sentence) from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            url = os.pread(descriptor, 1_000, 0).decode(errors="replace")
            os.close(descriptor)
            raise AlreadyServed(database, url) from None
        # Its last holder may have removed the note after it was opened here.
        if note.exists() and os.path.samestat(os.fstat(descriptor), note.stat()):
            return descriptor
        os.close(descriptor)
