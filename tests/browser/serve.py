"""Serves a house whose next shuffles a test may choose: python serve.py PORT DB SEEDS_FILE CENTS.

Server seeds are taken from the lines of the file, as hex, for as long as there are any, and then by
chance. A guest begins with so many cents. With UPCARD_CLIENT set, the client of that folder is
served. All else is as `upcard serve` has it.
"""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path
from types import SimpleNamespace

from upcard.house.rounds import Settings
from upcard.server import run, static

SEED_BYTES = 64


def main(port: int, db: str, seeds: Path, play_money: int) -> int:
    def token_bytes(count: int) -> bytes:
        lines = seeds.read_text().split() if count == SEED_BYTES and seeds.exists() else []
        if not lines:
            return secrets.token_bytes(count)
        seeds.write_text("\n".join(lines[1:]))
        return bytes.fromhex(lines[0])

    if client := os.environ.get("UPCARD_CLIENT"):
        setattr(static, "built_client", lambda: Path(client))  # noqa: B010
    setattr(run, "secrets", SimpleNamespace(token_bytes=token_bytes))  # noqa: B010  # not exported
    return run.serve("127.0.0.1", port, db, settings=Settings(play_money=play_money))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), int(sys.argv[4])))
