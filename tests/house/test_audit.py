"""The audit proves true books, and finds every way in which they can be made false."""

from __future__ import annotations

import apsw
import pytest

from tests.house.conftest import TestHouse, drop_triggers
from upcard.house.audit import audit
from upcard.house.recover import check_open_rounds
from upcard.house.store import StoreRefused


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
    number = 0
    while guest.bet("ags", "1 main=5.00", client_seed=f"open{number}")["status"] != "open":
        number += 1
    return hall


def _false(hall: TestHouse) -> set[str]:
    return {check.name for check in audit(hall.run(hall.store.books())) if not check.ok}


def test_true_books_are_proved(played: TestHouse) -> None:
    assert _false(played) == set()
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
    assert check in _false(played)


def test_a_forged_transfer_pair_that_balances_is_found_too(played: TestHouse) -> None:
    """Books may add up and still be false: only the rounds' inputs tell."""
    with apsw.Connection(str(played.path)) as db:
        drop_triggers(db)
        player = db.execute("SELECT account FROM balance WHERE account LIKE 'player/%'").get
        source = db.execute("SELECT id FROM round WHERE status = 'settled' LIMIT 1").get
        db.execute(
            "INSERT INTO transfer (source, seq, n, debit, credit, cents, code) "
            "VALUES (?, 0, 99, 'house/top3', ?, 500, 'won')",
            (source, player),
        )
        db.execute("UPDATE balance SET cents = cents + 500 WHERE account = ?", (player,))
        db.execute("UPDATE balance SET cents = cents - 500 WHERE account = 'house/top3'")
    assert _false(played) == {"payments"}


def test_a_house_does_not_open_over_rounds_that_replay_otherwise(played: TestHouse) -> None:
    with apsw.Connection(str(played.path)) as db:
        drop_triggers(db)
        db.execute("UPDATE round SET server_seed = zeroblob(64) WHERE status = 'open'")
        broken = db.execute("SELECT id FROM round WHERE status = 'open'").get
    with pytest.raises(StoreRefused, match=str(broken)):
        played.run(check_open_rounds(played.store))
