"""Serves a house whose next shuffles a test has chosen: python serve.py PORT DB SEED_HEX ...

Server seeds come in this order, and then by chance; everything else is as `upcard serve` has it.
"""

from __future__ import annotations

import secrets
import sys
from types import SimpleNamespace

from upcard.server import run

SEED_BYTES = 64


def main(port: int, db: str, seeds: list[bytes]) -> int:
    def token_bytes(count: int) -> bytes:
        return seeds.pop(0) if count == SEED_BYTES and seeds else secrets.token_bytes(count)

    setattr(run, "secrets", SimpleNamespace(token_bytes=token_bytes))  # noqa: B010  # not exported
    return run.serve("127.0.0.1", port, db)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2], [bytes.fromhex(it) for it in sys.argv[3:]]))
