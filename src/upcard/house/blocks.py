"""Blocks: stretches of the ledger, each bound to the one before it by a hash and signed.

Whoever kept the hash of one block can tell whether anything up to it was changed since.
"""

from __future__ import annotations

import dataclasses
import hashlib
from dataclasses import dataclass
from typing import Any

import orjson

from upcard.house.keys import SigningKey, signed_text
from upcard.house.ledger import Transfer

PROTOCOL = "upcard-block/1"
NOTHING_BEFORE = "0" * 64
"""What the first block has in place of the hash of the block before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsealed:
    """Transfers that no block holds yet, from number `first` to `last`, as their lines."""

    first: int
    last: int
    lines: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The transfers from number `first` to `last`; `transfers` is the SHA-256 of their lines.

    `previous` is the hash of the block before it, `at` when this one was made in seconds since
    1970, UTC, `key` the id of the key that signed it. Hashes and signature are hex.
    """

    number: int
    previous: str
    first: int
    last: int
    transfers: str
    at: int
    key: str
    signature: str

    def document(self) -> dict[str, Any]:
        """A block as it is published."""
        return {"protocol": PROTOCOL, **dataclasses.asdict(self)}

    def text(self) -> str:
        """What is hashed and signed of it."""
        return signed_text(self.document())

    @property
    def hash(self) -> str:
        return hashlib.sha256(self.text().encode()).hexdigest()


def line(number: int, transfer: Transfer) -> str:
    """One transfer as it is hashed: a JSON list on a line of its own."""
    fields = (
        number,
        transfer.source,
        transfer.seq,
        transfer.n,
        transfer.debit,
        transfer.credit,
        transfer.cents,
        transfer.code,
    )
    return f"{orjson.dumps(fields).decode()}\n"


def lines_hash(lines: str) -> str:
    return hashlib.sha256(lines.encode()).hexdigest()


def seal(unsealed: Unsealed, after: Block | None, *, at: int, key: SigningKey) -> Block:
    """The next block, which holds these transfers."""
    unsigned = Block(
        number=after.number + 1 if after else 1,
        previous=after.hash if after else NOTHING_BEFORE,
        first=unsealed.first,
        last=unsealed.last,
        transfers=lines_hash(unsealed.lines),
        at=at,
        key=key.id,
        signature="",
    )
    return dataclasses.replace(unsigned, signature=key.sign(unsigned.text()))
