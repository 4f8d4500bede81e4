"""The audit proves true books, and finds every way in which they can be made false."""

from __future__ import annotations

import apsw
import pytest

from tests.house.conftest import TestHouse, drop_triggers, fixed_key
from upcard.house.audit import audit
from upcard.house.recover import check_open_rounds
from upcard.house.store import StoreRefused, Unreadable
from upcard.house.store.sqlite import SqliteStore


@pytest.fixture
def played(hall: TestHouse) -> TestHouse:
    """A house with settled rounds of each game, one open round, and a meter that was fed."""
    guest = hall.guest()
    for number in range(6):
        for game, spot, level in [
            ("top3", "1 main=5.00 progressive=5.00", "low"),
            ("threecard", "1 ante=5.00 ace_plus=5.00", "table"),
            ("super21", "1 main=5.00", "table"),
            ("ags", "2 main=5.00 trifecta=1.00", "table"),
        ]:
            answer = guest.bet(game, spot, level=level, client_seed=f"s{number}")
            while answer["status"] == "open":
                answer = guest.move(answer, answer["choices"][-1]["choice"])
    hall.seal()
    number = 0
    while guest.bet("ags", "1 main=5.00", client_seed=f"open{number}")["status"] != "open":
        number += 1
    hall.seal()
    hall.guest()
    return hall


def _false(hall: TestHouse) -> dict[str, str]:
    """What is found to be false, and the sentence that says it."""
    found = audit(hall.run(hall.store.books()))
    return {check.name: check.sentence for check in found if not check.ok}


def test_true_books_are_proved(played: TestHouse) -> None:
    assert _false(played) == {}
    played.run(check_open_rounds(played.store))


ROUND = "(SELECT id FROM round WHERE status = 'settled' ORDER BY number LIMIT 1 OFFSET {})"
OPEN = "(SELECT id FROM round WHERE status = 'open')"

FORGERIES = {
    "a balance that grew": (
        "UPDATE balance SET cents = cents + 1 WHERE account LIKE 'player/%'",
        "balances",
    ),
    "a balance moved to another": (
        "UPDATE balance SET cents = cents + CASE WHEN account = 'issuance' THEN 1 ELSE -1 END "
        "WHERE account IN ('issuance', 'house/ags')",
        "balances",
    ),
    "a transfer that grew": (
        "UPDATE transfer SET cents = cents + 100 WHERE number = 9",
        "balances",
    ),
    "a gift of the house that is of no round": (
        "INSERT INTO transfer (source, seq, n, debit, credit, cents, code) "
        "VALUES ('gift', 0, 0, 'house/ags', 'player/x', 500, 'gift')",
        "origins",
    ),
    "a meter fed in secret": (
        "INSERT INTO transfer (source, seq, n, debit, credit, cents, code) "
        "VALUES ('gift', 0, 0, 'house/top3', 'pool/top3/0', 500, 'gift')",
        "meters",
    ),
    "a sealed amount": (
        "UPDATE transfer SET cents = cents + 100 WHERE number = 9",
        "blocks",
    ),
    "a sealed reason": ("UPDATE transfer SET code = 'gift' WHERE number = 9", "blocks"),
    "two sealed transfers in another order": (
        "UPDATE transfer SET number = CASE number WHEN 9 THEN -10 ELSE -9 END "
        "WHERE number IN (9, 10); UPDATE transfer SET number = -number WHERE number < 0",
        "blocks",
    ),
    "a sealed transfer left out": ("DELETE FROM transfer WHERE number = 9", "blocks"),
    "a transfer left out that is not sealed": (
        "DELETE FROM transfer WHERE number = (SELECT max(number) FROM transfer)",
        "balances",
    ),
    "sealed transfers cut off": ("DELETE FROM transfer WHERE number > 9", "blocks"),
    "a block left out": ("DELETE FROM block WHERE number = 1", "blocks"),
    "the last blocks swapped": (
        "UPDATE block SET number = CASE number WHEN 1 THEN -2 ELSE -1 END; "
        "UPDATE block SET number = -number",
        "blocks",
    ),
    "a block that begins later": (
        "UPDATE block SET first = first + 1 WHERE number = 2",
        "blocks",
    ),
    "a block that ends earlier": ("UPDATE block SET last = last - 1 WHERE number = 2", "blocks"),
    "a block of another time": ("UPDATE block SET at = at + 1 WHERE number = 1", "signatures"),
    "a block bound to another one": (
        "UPDATE block SET previous = printf('%064d', 1) WHERE number = 2",
        "blocks",
    ),
    "another signature": (
        "UPDATE block SET signature = printf('%0128d', 1) WHERE number = 2",
        "signatures",
    ),
    "a block of an unknown key": ("UPDATE block SET key = 'ab' WHERE number = 2", "signatures"),
    "a key that was exchanged": (
        "UPDATE signing_key SET public_key = printf('%064d', 1)",
        "signatures",
    ),
    "a round that is void and nobody says why": (
        f"UPDATE round SET status = 'void' WHERE id = {ROUND.format(1)}",
        "voids",
    ),
    "a void that never was": (
        f"INSERT INTO voided SELECT id, 'Ada', 'a reason', 0 FROM round WHERE id = {OPEN}",
        "voids",
    ),
    "an answer that cannot be read": (
        f"UPDATE step SET answer = 'nothing' WHERE round = {ROUND.format(1)}",
        "rounds",
    ),
    "a transfer left out": ("DELETE FROM transfer WHERE number = 9", "balances"),
    "a meter that was won in secret": ("UPDATE pool SET epoch = 1", "meters"),
    "a settled round marked open": (
        f"UPDATE round SET status = 'open' WHERE id = {ROUND.format(3)}",
        "rounds",
    ),
    "an open round marked settled": (
        f"UPDATE round SET status = 'settled' WHERE id = {OPEN}",
        "escrows",
    ),
    "a bet that grew": (
        "UPDATE round SET inputs = replace(inputs, '\"main\":500', '\"main\":600') "
        f"WHERE id = {ROUND.format(0)}",
        "rounds",
    ),
    "another seed": (
        f"UPDATE round SET server_seed = zeroblob(64) WHERE id = {ROUND.format(1)}",
        "rounds",
    ),
    "an answer that told otherwise": (
        "UPDATE step SET answer = replace(answer, '\"paid\":0', '\"paid\":1') WHERE seq > 0",
        "rounds",
    ),
    "a step left out": (f"DELETE FROM step WHERE seq = 1 AND round = {ROUND.format(1)}", "rounds"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_found(played: TestHouse, name: str) -> None:
    statement, check = FORGERIES[name]
    with apsw.Connection(str(played.path)) as db:
        drop_triggers(db)
        db.execute(statement)
        assert db.changes() > 0, "the forgery changed nothing"
    found = _false(played)
    assert check in found
    assert all(sentence.count(". ") <= 1 and "\n" not in sentence for sentence in found.values())


UNREADABLE = {
    "inputs that are no JSON": "UPDATE round SET inputs = 'nothing'",
    "inputs that lack something": "UPDATE round SET inputs = '{}'",
    "a transfer to oneself": (
        "PRAGMA ignore_check_constraints = ON; UPDATE transfer SET credit = debit WHERE number = 3"
    ),
    "a transfer of less than nothing": (
        "PRAGMA ignore_check_constraints = ON; UPDATE transfer SET cents = -1 WHERE number = 3"
    ),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_named(played: TestHouse, name: str) -> None:
    with apsw.Connection(str(played.path)) as db:
        drop_triggers(db)
        db.execute(UNREADABLE[name])
    with pytest.raises(Unreadable, match=r"^(Round \w+ has|Transfer|The database file).*\.$"):
        played.run(played.store.books())


def test_a_damaged_file_is_named(played: TestHouse) -> None:
    """Bytes overwritten where the file keeps its rows."""
    played.close()
    content = bytearray(played.path.read_bytes())
    content[8_192:12_288] = bytes(range(256)) * 16
    played.path.write_bytes(content)
    played.store = SqliteStore(played.path)
    with pytest.raises(Unreadable, match="file is damaged"):
        played.run(played.store.books())


def test_a_foreign_signature_is_found_though_the_forger_lists_the_key(played: TestHouse) -> None:
    """Who can write the database can seal it anew; the keys that others know tell, and a hash."""
    honest = played.run(played.store.books())
    with apsw.Connection(str(played.path)) as db:
        drop_triggers(db)
        db.execute("DELETE FROM block; DELETE FROM signing_key")
    played.close()
    played.key = fixed_key(9)
    played.open()
    played.clock.now += 1
    assert played.seal()
    forged = played.run(played.store.books())
    assert _false(played) == {}
    for found in (
        audit(forged, keys=honest.keys),
        audit(forged, kept=honest.blocks[-1].hash),
    ):
        assert [check.name for check in found if not check.ok] in (["signatures"], ["kept block"])
    kept = audit(honest, keys=honest.keys, kept=honest.blocks[0].hash)
    assert all(check.ok for check in kept)


def _as_of_another_engine(hall: TestHouse, *statements: str) -> None:
    with apsw.Connection(str(hall.path)) as db:
        drop_triggers(db)
        db.execute("UPDATE round SET engine = '1' WHERE status = 'settled'")
        for statement in statements:
            db.execute(statement)
            assert db.changes() > 0


def test_a_closed_round_of_another_engine_is_compared_by_its_events(played: TestHouse) -> None:
    """The upgrade rule: another engine need not replay it, even if its cards come out otherwise."""
    _as_of_another_engine(
        played, "UPDATE round SET server_seed = zeroblob(64) WHERE status = 'settled'"
    )
    assert _false(played) == {}
    found = {check.name: check for check in audit(played.run(played.store.books()))}
    closed = sum(stored.status == "settled" for stored in played.run(played.store.books()).rounds)
    assert f"{closed} of another engine" in found["rounds"].sentence


CLOSED = f"round = {ROUND.format(1)}"
DIFFERENT_EVENTS = {
    "a payment that grew": f"UPDATE step SET answer = replace(answer, '\"paid\":', '\"paid\":1') "
    f"WHERE {CLOSED}",
    "a step left out": f"DELETE FROM step WHERE seq = 0 AND {CLOSED}",
    "an answer that cannot be read": f"UPDATE step SET answer = '[]' WHERE {CLOSED}",
    "a transfer that grew": "UPDATE transfer SET cents = cents + 1 WHERE code = 'bet' AND source = "
    + ROUND.format(1),
}


@pytest.mark.parametrize("name", DIFFERENT_EVENTS)
def test_one_whose_events_were_changed_is_found(played: TestHouse, name: str) -> None:
    _as_of_another_engine(played, DIFFERENT_EVENTS[name])
    assert "rounds" in _false(played)


def test_a_forged_transfer_pair_that_balances_is_found_too(played: TestHouse) -> None:
    """Books may add up and still be false: only the rounds' inputs tell."""
    with apsw.Connection(str(played.path)) as db:
        drop_triggers(db)
        player = db.execute("SELECT account FROM balance WHERE account LIKE 'player/%' LIMIT 1").get
        source = db.execute("SELECT id FROM round WHERE status = 'settled' LIMIT 1").get
        db.execute(
            "INSERT INTO transfer (source, seq, n, debit, credit, cents, code) "
            "VALUES (?, 0, 99, 'house/top3', ?, 500, 'won')",
            (source, player),
        )
        db.execute("UPDATE balance SET cents = cents + 500 WHERE account = ?", (player,))
        db.execute("UPDATE balance SET cents = cents - 500 WHERE account = 'house/top3'")
    assert {*_false(played)} == {"payments"}


def test_a_house_does_not_open_over_rounds_that_replay_otherwise(played: TestHouse) -> None:
    with apsw.Connection(str(played.path)) as db:
        drop_triggers(db)
        db.execute("UPDATE round SET server_seed = zeroblob(64) WHERE status = 'open'")
        broken = db.execute("SELECT id FROM round WHERE status = 'open'").get
    with pytest.raises(StoreRefused, match=str(broken)):
        played.run(check_open_rounds(played.store))
