"""Reaching a PostgreSQL database, bringing its schema up to date, and saying why that cannot be."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import asyncpg

from upcard.house.store import StoreRefused

if TYPE_CHECKING:
    from upcard.house.store.postgres_rows import Database

OLDEST_POSTGRES = 14
SCHEMA = "upcard"
"""The PostgreSQL schema that everything of ours is in, so that a database may hold other things."""
MIGRATING = 0x55504344
"""The advisory lock of whoever migrates."""
CONNECT_SECONDS_MAX = 5.0
SETTINGS = {
    "application_name": "upcard",
    "search_path": SCHEMA,
    # Said again for whoever set a whole server to answer sooner than it writes.
    "synchronous_commit": "on",
    "lock_timeout": "5s",
    "idle_in_transaction_session_timeout": "30s",
    # Every statement of a command finds a few rows by their keys. What the statistics of a table
    # that was empty a minute ago make of that is not asked for again and again.
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "jit": "off",
}
"""Of every connection."""


async def open_pool(
    url: str, *, connections_max: int, must_exist: bool
) -> asyncpg.Pool[asyncpg.Record]:
    """Connections to a database whose schema is up to date. Raises StoreRefused."""
    try:
        db = await asyncpg.connect(url, timeout=CONNECT_SECONDS_MAX, server_settings=SETTINGS)
    except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise StoreRefused(f"{shown(url)} cannot be reached: {_reason(error)}.") from None
    try:
        await _migrate(db, shown(url), must_exist=must_exist)
    except asyncpg.InsufficientPrivilegeError as error:
        raise StoreRefused(f"{shown(url)} cannot be written to: {_reason(error)}.") from None
    finally:
        await db.close()
    return await asyncpg.create_pool(
        url,
        min_size=0,
        max_size=connections_max,
        timeout=CONNECT_SECONDS_MAX,
        server_settings=SETTINGS,
        reset=_left_as_it_is,
    )


async def _left_as_it_is(db: Database) -> None:
    """Nothing of ours outlives its transaction, so that a connection is handed on as it is."""


def shown(url: str) -> str:
    """A URL without the password that may stand in it, for people and logs."""
    try:
        parts = urlsplit(url)
        user = f"{parts.username}@" if parts.username else ""
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "the database"
    return f"{parts.scheme}://{user}{parts.hostname or ''}{port}{parts.path}"


def _reason(error: Exception) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(text.split()).rstrip(".") or type(error).__name__


def migrations() -> list[tuple[int, str]]:
    """Number and text of each migration, in order."""
    folder = resources.files("upcard.house.store") / "migrations" / "postgres"
    files = sorted(file.name for file in folder.iterdir() if file.name.endswith(".sql"))
    return [(int(name[:4]), (folder / name).read_text("utf-8")) for name in files]


async def _migrate(db: Database, name: str, *, must_exist: bool) -> None:
    """Bring the schema up to date. Nothing is written where it is."""
    if db.get_server_version().major < OLDEST_POSTGRES:
        version = db.get_server_version().major
        raise StoreRefused(
            f"{name} is a PostgreSQL {version}; {OLDEST_POSTGRES} or newer is needed."
        )
    known = migrations()
    if await _version(db, name, known[-1][0]) == known[-1][0]:
        return
    if must_exist:
        raise StoreRefused(
            f"{name} holds no house of this version; serve it once, or name another."
        )
    async with db.transaction():
        # Others may open the same new database: one migrates, all see it.
        await db.execute(f"SELECT pg_advisory_xact_lock({MIGRATING})")
        version = await _version(db, name, known[-1][0])
        if version == 0:
            await db.execute(f"CREATE SCHEMA {SCHEMA}")
            await db.execute("CREATE TABLE migration (number integer PRIMARY KEY)")
        for number, text in known:
            if number > version:
                await db.execute(text)
                await db.execute("INSERT INTO migration VALUES ($1)", number)


async def _version(db: Database, name: str, newest: int) -> int:
    """The number of the last migration that a database has seen, 0 for a new one."""
    schemas = "SELECT count(*) FROM pg_namespace WHERE nspname = $1"
    if not await db.fetchval(schemas, SCHEMA):
        return 0
    if await db.fetchval("SELECT to_regclass('migration')") is None:
        raise StoreRefused(
            f"{name} has a schema {SCHEMA!r} of another program; name another database."
        )
    version = int(await db.fetchval("SELECT max(number) FROM migration"))
    if version > newest:
        raise StoreRefused(
            f"{name} was written by a newer Upcard: its schema is {version}, and this one "
            f"knows {newest}."
        )
    return version
