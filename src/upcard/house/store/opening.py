"""Opening the database that a URL names."""

from __future__ import annotations

from pathlib import Path

from upcard.house.store import Store, StoreRefused
from upcard.house.store.sqlite import SqliteStore


def open_store(url: str, *, must_exist: bool = False) -> Store:
    """`sqlite:///upcard.db`, or a plain path, → its store. Raises StoreRefused."""
    return SqliteStore(database_file(url, must_exist=must_exist))


def database_file(url: str, *, must_exist: bool = False) -> Path:
    """The file that a URL or a plain path names. Raises StoreRefused."""
    scheme, separator, rest = url.partition("://")
    if separator and scheme != "sqlite":
        raise StoreRefused(f"{url!r} names no database; write a path or sqlite:///PATH.")
    path = Path(rest.removeprefix("/") if separator else url)
    if must_exist and not path.is_file():
        raise StoreRefused(f"{path} does not exist; name a database that a house has written.")
    if not path.parent.is_dir():
        raise StoreRefused(f"{path.parent} is no folder; name a database in a folder that exists.")
    return path
