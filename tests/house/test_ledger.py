"""Double entry: every transfer has two sides, moves something, and the sum stays zero."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upcard.house.ledger import Entries, Transfer, balances

ACCOUNTS = st.sampled_from(["player/a", "player/b", "escrow/r", "house/g", "pool/p/0", "issuance"])


def test_a_transfer_moves_money_from_one_account_to_another() -> None:
    entries = Entries.of("r", 3)
    entries.move("player/a", "escrow/r", 500, "bet")
    entries.move("escrow/r", "house/g", 200, "lost")
    assert entries.transfers == [
        Transfer(
            source="r", seq=3, n=0, debit="player/a", credit="escrow/r", cents=500, code="bet"
        ),
        Transfer(
            source="r", seq=3, n=1, debit="escrow/r", credit="house/g", cents=200, code="lost"
        ),
    ]
    assert entries.net("escrow/r") == 300
    assert entries.net("player/a") == -500
    assert entries.net("player/b") == 0


def test_nothing_is_written_for_nothing() -> None:
    entries = Entries.of("r", 0)
    entries.move("player/a", "escrow/r", 0, "bet")
    assert entries.transfers == []


@pytest.mark.parametrize("cents", [0, -1, -500])
def test_a_transfer_of_nothing_or_backwards_is_a_mistake(cents: int) -> None:
    """A negative bet must never credit the player."""
    with pytest.raises(AssertionError, match="moves money"):
        Transfer(source="r", seq=0, n=0, debit="a", credit="b", cents=cents, code="bet")


def test_a_transfer_to_itself_is_a_mistake() -> None:
    with pytest.raises(AssertionError, match="elsewhere"):
        Transfer(source="r", seq=0, n=0, debit="a", credit="a", cents=1, code="bet")


@given(st.lists(st.tuples(ACCOUNTS, ACCOUNTS, st.integers(1, 10**9))))
def test_all_balances_add_up_to_zero(moves: list[tuple[str, str, int]]) -> None:
    """The theorem of double entry."""
    entries = Entries.of("r", 0)
    for debit, credit, cents in moves:
        if debit != credit:
            entries.move(debit, credit, cents, "any")
    assert sum(balances(entries.transfers).values()) == 0
