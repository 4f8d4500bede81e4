"""Opening the database that a URL names."""

from __future__ import annotations

from pathlib import Path

from upcard.house.store import News, Store, StoreRefused
from upcard.house.store.sqlite import SqliteStore

POSTGRES = ("postgresql", "postgres")


def open_store(url: str, *, must_exist: bool = False) -> Store:
    """`sqlite:///upcard.db`, a plain path or `postgresql://...` → its store. Raises StoreRefused.

    A PostgreSQL database is reached when it is first used, which may then raise StoreRefused.
    """
    if is_postgres(url):
        return _postgres_store(url, must_exist=must_exist)
    return SqliteStore(database_file(url, must_exist=must_exist))


def is_postgres(url: str) -> bool:
    """Whether a URL names a PostgreSQL database, which many processes may serve."""
    return url.partition("://")[0] in POSTGRES and "://" in url


def open_news(url: str) -> News | None:
    """What the processes that serve a database tell each other; None where there is but one."""
    if not is_postgres(url):
        return None
    from upcard.house.store.postgres_news import PostgresNews

    return PostgresNews(url)


def _postgres_store(url: str, *, must_exist: bool) -> Store:
    try:
        # An extra: who keeps a house in a file need not have it.
        from upcard.house.store.postgres import PostgresStore
    except ModuleNotFoundError as missing:
        if missing.name != "asyncpg":
            raise
        raise StoreRefused(
            "PostgreSQL needs the package asyncpg; pip install 'upcard[postgres]' brings it."
        ) from None
    return PostgresStore(url, must_exist=must_exist)


def database_file(url: str, *, must_exist: bool = False) -> Path:
    """The file that a URL or a plain path names. Raises StoreRefused."""
    scheme, separator, rest = url.partition("://")
    if separator and scheme != "sqlite":
        raise StoreRefused(
            f"{url!r} names no database; write a path, sqlite:///PATH or postgresql://HOST/NAME."
        )
    path = Path(rest.removeprefix("/") if separator else url)
    if must_exist and not path.is_file():
        raise StoreRefused(f"{path} does not exist; name a database that a house has written.")
    if not path.parent.is_dir():
        raise StoreRefused(f"{path.parent} is no folder; name a database in a folder that exists.")
    return path
