"""What holds for every file that a house makes beside its database."""

from __future__ import annotations

import os
from pathlib import Path

OWNER_ALONE = 0o600
"""Keys sign in the name of the house, and a copy has the seeds of shoes that are not dealt yet."""


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable; a file that was synced may still have none."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
