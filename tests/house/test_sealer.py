"""The sealer: every transfer in one signed block, each block bound to the one before it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import apsw
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.house.conftest import TestHouse, fixed_key
from upcard.house import blocks
from upcard.house.blocks import Block, Unsealed
from upcard.house.keys import SigningKey
from upcard.house.ledger import Transfer
from upcard.house.sealer import Sealer
from upcard.house.store import Decide, Needs, Writes

# The published form, worked out from docs/trust.md by hand.

TRANSFER = Transfer(
    source="5f0c", seq=2, n=1, debit="house/ags", credit="player/a", cents=1_250, code="won"
)
LINE = '[17,"5f0c",2,1,"house/ags","player/a",1250,"won"]\n'


def test_a_transfer_is_hashed_as_the_document_says() -> None:
    assert blocks.line(17, TRANSFER) == LINE


def test_a_block_is_hashed_and_signed_as_the_document_says() -> None:
    """RFC 8032 makes the signature of the text, and SHA-256 its hash; both checked from outside."""
    key = fixed_key(7)
    block = blocks.seal(Unsealed(first=17, last=17, lines=LINE), None, at=1_800_000_000, key=key)
    text = (
        '{"at":1800000000,"first":17,"key":"' + key.id + '","last":17,"number":1,'
        '"previous":"' + "0" * 64 + '","protocol":"upcard-block/1",'
        '"transfers":"' + hashlib.sha256(LINE.encode()).hexdigest() + '"}'
    )
    assert block.text() == text
    assert block.hash == hashlib.sha256(text.encode()).hexdigest()
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key.public_key))
    public.verify(bytes.fromhex(block.signature), text.encode())
    after = blocks.seal(Unsealed(first=18, last=20, lines=""), block, at=1, key=key)
    assert (after.number, after.previous) == (2, block.hash)


def _of_a_stranger(hall: TestHouse) -> list[dict[str, Any]]:
    """Every block as a stranger checks it: the standard library, SQL and docs/trust.md alone."""
    checked = []
    with closing(sqlite3.connect(hall.path)) as db:
        db.row_factory = sqlite3.Row
        previous, last = "0" * 64, 0
        for row in db.execute("SELECT * FROM block ORDER BY number"):
            assert (row["previous"], row["first"]) == (previous, last + 1)
            lines = hashlib.sha256()
            for transfer in db.execute(
                "SELECT number, source, seq, n, debit, credit, cents, code FROM transfer "
                "WHERE number BETWEEN ? AND ? ORDER BY number",
                (row["first"], row["last"]),
            ):
                lines.update(json.dumps([*transfer], separators=(",", ":")).encode() + b"\n")
            assert row["transfers"] == lines.hexdigest()
            head = {"protocol": "upcard-block/1", **row}
            signature = bytes.fromhex(str(head.pop("signature")))
            text = json.dumps(head, sort_keys=True, separators=(",", ":")).encode()
            key = db.execute("SELECT public_key FROM signing_key WHERE id = ?", (row["key"],))
            public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key.fetchone()[0]))
            public.verify(signature, text)
            previous, last = hashlib.sha256(text).hexdigest(), row["last"]
            checked.append(head)
    return checked


def test_a_stranger_finds_every_transfer_in_one_block(hall: TestHouse) -> None:
    """Across several blocks, more than one of them made at once, and a key that was changed."""
    assert hall.seal(), "the seed of the meter"
    guest = hall.guest()
    for number in range(4):
        guest.bet("ags", "1 pairs_pay=5.00 in_bet=1.00", side_bets=("in_bet", "pairs_pay"))
        small = Sealer(hall.store, key=hall.key, clock=hall.clock, transfers_max=3)
        assert len(hall.run(small.seal())) >= 1 + (number == 0)
    hall.close()
    hall.key = fixed_key(2)
    hall.open()
    guest = hall.guest()
    guest.bet("ags", "1 pairs_pay=5.00 in_bet=1.00", side_bets=("in_bet", "pairs_pay"))
    hall.clock.now += 60
    assert len(hall.seal()) == 1
    assert hall.seal() == []
    found = _of_a_stranger(hall)
    assert found[-1]["last"] == len(hall.run(hall.store.books()).transfers)
    assert [head["key"] for head in found[-2:]] == [fixed_key(1).id, fixed_key(2).id]
    assert found[-1]["at"] == found[-2]["at"] + 60


def _writing(transfer: Transfer) -> Decide[None]:
    return lambda _: (Writes(transfers=[transfer]), None)


def test_what_the_database_writes_is_what_the_books_are_hashed_as(hall: TestHouse) -> None:
    """One canonical form in two places: SQL makes it for the sealer, Python for the audit."""
    names = ['a "quoted" name', "back\\slash", "tab\tand\x1f", "ünï ✓", "a/b"]
    for number, name in enumerate(names):
        transfer = Transfer(
            source=name, seq=0, n=0, debit="issuance", credit=f"x/{name}", cents=1, code=name
        )
        hall.run(hall.store.run(Needs(player=str(number)), _writing(transfer)))
    books = hall.run(hall.store.books())
    unsealed = hall.run(hall.store.unsealed(0, 1_000))
    assert unsealed is not None
    assert unsealed.lines == "".join(map(blocks.line, books.numbers, books.transfers))
    assert (unsealed.first, unsealed.last) == (1, len(books.transfers))


def test_what_is_not_committed_is_not_sealed(hall: TestHouse) -> None:
    hall.seal()
    with closing(apsw.Connection(str(hall.path))) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("INSERT INTO transfer VALUES (NULL, 's', 0, 0, 'a', 'b', 1, 'c')")
        assert hall.seal() == []
        other.execute("COMMIT")
    assert len(hall.seal()) == 1


def test_two_sealers_never_make_two_blocks_of_a_transfer(hall: TestHouse) -> None:
    """One for each database; where there are two for a moment, the database holds one back, and
    that one lets the other have it."""
    second = Sealer(hall.store, key=fixed_key(1), clock=lambda: hall.clock() + 1)

    async def at_once() -> Sequence[list[Block]]:
        return await asyncio.gather(hall.sealer.seal(), second.seal())

    hall.guest()
    assert [len(made) for made in sorted(hall.run(at_once()))] == [0, 1]
    hall.guest()
    assert [block.number for block in [*hall.run(second.seal()), *hall.seal()]] == [2]
    assert len(_of_a_stranger(hall)) == 2


def test_a_block_that_is_refused_for_another_reason_is_told(hall: TestHouse) -> None:
    """That there is none in its place is no sign of another sealer."""
    hall.guest()
    with closing(apsw.Connection(str(hall.path))) as other:
        other.execute(
            "CREATE TRIGGER full BEFORE INSERT ON block BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
        with pytest.raises(apsw.ConstraintError, match="full"):
            hall.seal()


def test_it_seals_by_itself_and_once_more_when_it_is_stopped(hall: TestHouse) -> None:
    async def seal_for_a_while() -> None:
        sealing = asyncio.create_task(hall.sealer.keep_sealing())
        while await hall.store.last_block() is None:
            await asyncio.sleep(0.001)
        await hall.house.new_session()
        hall.sealer.stop()
        await sealing

    hall.run(seal_for_a_while())
    books = hall.run(hall.store.books())
    assert [block.last for block in books.blocks] == [1, len(books.transfers)]


def test_it_goes_on_after_something_went_wrong(
    hall: TestHouse, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    honest, failures = Sealer.seal, [OSError("the disk is full")]

    async def seal(sealer: Sealer) -> list[Block]:
        if failures:
            hall.sealer.stop()
            raise failures.pop()
        return await honest(sealer)

    monkeypatch.setattr(Sealer, "seal", seal)
    hall.run(hall.sealer.keep_sealing())
    assert "were not sealed" in caplog.text
    assert hall.run(hall.store.last_block()) is not None


def test_the_same_key_signs_alike_and_another_otherwise() -> None:
    """RFC 8032: the signature is a function of key and text."""
    one: SigningKey = fixed_key(1)
    assert one.sign("text") == fixed_key(1).sign("text")
    assert one.sign("text") != fixed_key(2).sign("text")
    assert one.public(since=0).signed("text", one.sign("text"))
    assert not one.public(since=0).signed("other", one.sign("text"))
    assert not one.public(since=0).signed("text", "no hex")
