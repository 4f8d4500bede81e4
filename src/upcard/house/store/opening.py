"""Opening the database that a URL names."""

from __future__ import annotations

from pathlib import Path

from upcard.house.store import Store, StoreRefused
from upcard.house.store.sqlite import SqliteStore


def open_store(url: str, *, must_exist: bool = False) -> Store:
    """`sqlite:///upcard.db`, or a plain path, → its store. Raises StoreRefused."""
    scheme, separator, _ = url.partition("://")
    if separator and scheme != "sqlite":
        raise StoreRefused(f"{url!r} names no database; write a path or sqlite:///PATH.")
    path = database_file(url)
    if must_exist and not path.is_file():
        raise StoreRefused(f"{path} does not exist; name a database that a house has written.")
    if not path.parent.is_dir():
        raise StoreRefused(f"{path.parent} is no folder; name a database in a folder that exists.")
    return SqliteStore(path)


def database_file(url: str) -> Path:
    """The file of a SQLite database."""
    _, separator, rest = url.partition("://")
    return Path(rest.removeprefix("/") if separator else url)
