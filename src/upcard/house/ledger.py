"""Double entry in whole cents: money moves only as transfers, which are never edited.

This module knows accounts and transfers and no game. A balance is what was credited less what was
debited; the sum over all accounts is zero at every instant.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, Self

ISSUANCE = "issuance"
"""Where play money comes from; its balance is what was ever issued, negative."""

VOID, VOID_BORNE = "void", "void_borne"
"""Codes of a void: the reversal of a transfer, and what the house bears of it (G-13)."""


def player_account(player: str) -> str:
    return f"player/{player}"


def escrow_account(round_: str) -> str:
    """Stakes and reserves of one open round; empty once it is settled."""
    return f"escrow/{round_}"


def house_account(game: str) -> str:
    return f"house/{game}"


def pool_account(key: str, stripe: int) -> str:
    """One stripe of a progressive meter; the meter is the sum of its stripes."""
    return f"pool/{key}/{stripe}"


def reserve_account(key: str) -> str:
    """What a meter took in beyond its cap."""
    return f"reserve/{key}"


NEVER_NEGATIVE = ("player/", "escrow/", "pool/")
"""Accounts of these kinds hold what belongs to somebody: they can be empty, never overdrawn."""


class _Transfer(NamedTuple):
    source: str
    seq: int
    n: int
    debit: str
    credit: str
    cents: int
    code: str


class Transfer(_Transfer):
    """So many cents from `debit` to `credit`, for the reason `code`.

    Its id is (source, seq, n): the round and the step it belongs to, or a command and 0, and the
    number of the transfer within that step. A replayed step has the same ids, so nothing is paid
    twice.
    """

    __slots__ = ()

    def __new__(
        cls, source: str, seq: int, n: int, debit: str, credit: str, cents: int, code: str
    ) -> Self:
        assert cents > 0, f"a transfer moves money: {cents} cents for {code} of {source}"
        assert debit != credit, f"a transfer moves money elsewhere: {debit} for {code} of {source}"
        return tuple.__new__(cls, (source, seq, n, debit, credit, cents, code))


@dataclass(slots=True)
class Entries:
    """The transfers of one step, numbered as they are written down."""

    source: str
    seq: int
    transfers: list[Transfer]

    @classmethod
    def of(cls, source: str, seq: int) -> Entries:
        return cls(source, seq, [])

    def move(self, debit: str, credit: str, cents: int, code: str) -> None:
        """Write down a transfer; nothing is written for nothing."""
        if cents:
            n = len(self.transfers)
            self.transfers.append(Transfer(self.source, self.seq, n, debit, credit, cents, code))

    def net(self, account: str) -> int:
        """What these transfers do to an account."""
        return balances(self.transfers)[account]


def balances(transfers: Iterable[Transfer]) -> defaultdict[str, int]:
    """Account → cents after these transfers; their sum is zero."""
    after: defaultdict[str, int] = defaultdict(int)
    for _, _, _, debit, credit, cents, _ in transfers:
        after[debit] -= cents
        after[credit] += cents
    return after
