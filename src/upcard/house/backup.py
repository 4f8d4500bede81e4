"""Copying a database while the house goes on, and proving the copy."""

from __future__ import annotations

import os
from pathlib import Path

from upcard.house.audit import audit
from upcard.house.checks import Check
from upcard.house.files import OWNER_ALONE, sync_folder
from upcard.house.store import Store
from upcard.house.store.opening import open_store
from upcard.refused import Refused


async def back_up(store: Store, file: Path) -> list[Check]:
    """Copy a database as of one instant into a new file; the audit of the copy.

    The file is there, durably, when it is whole, false books or not. Raises Refused (`field`) for a
    file that exists, and OSError.
    """
    if file.exists() or file.is_symlink():
        raise Refused("field", f"{file} exists; a backup goes into a new file.")
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ALONE))
    try:
        await store.copy(unfinished)
        checks = await audit_file(str(unfinished))
        try:
            os.link(unfinished, file)  # never over another file
        except FileExistsError:
            raise Refused("field", f"{file} exists; a backup goes into a new file.") from None
    finally:
        unfinished.unlink()
    sync_folder(file.parent)
    return checks


async def audit_file(url: str) -> list[Check]:
    """The audit of a database at rest."""
    store = open_store(url, must_exist=True)
    try:
        return audit(await store.books())
    finally:
        await store.close()
