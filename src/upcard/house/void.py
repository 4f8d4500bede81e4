"""Voiding a round that does not replay to what was told of it (G-13), and nothing else.

Every transfer of the round is reversed by another one. What the player, or a meter, no longer has
is borne by the house, so that no balance goes below zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from upcard.house import sittings
from upcard.house.journal import StoredRound, StoredVoid
from upcard.house.ledger import (
    NEVER_NEGATIVE,
    VOID,
    VOID_BORNE,
    Entries,
    Transfer,
    balances,
    escrow_account,
    house_account,
    player_account,
)
from upcard.house.recover import fault, recorded_round
from upcard.house.store import Needs, PoolWanted, Snapshot, Store, Writes
from upcard.refused import Refused

OPERATOR_CHARACTERS_MAX = 100
REASON_CHARACTERS_MAX = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Voided:
    """What a void did: who, why, and in cents what it changed for the player and cost the house."""

    void: StoredVoid
    fault: str
    reversed: int
    player: int
    borne: int


async def void_round(store: Store, round_: str, *, operator: str, reason: str, now: int) -> Voided:
    """Void a round. Raises Refused: `not_found`, `field`, `void` for one that is void or good."""
    void = StoredVoid(
        round=round_,
        operator=_words(operator, "--operator", OPERATOR_CHARACTERS_MAX),
        reason=_words(reason, "--reason", REASON_CHARACTERS_MAX),
        at=now,
    )
    stored = await store.round(round_)
    if stored is None:
        raise Refused("not_found", f"There is no round {round_} in this database.")
    if stored.status == "void":
        raise Refused("void", f"Round {round_} is void already.")
    transfers = await store.transfers(round_)
    wrong = fault(await recorded_round(store, stored), transfers)
    if wrong is None:
        raise Refused(
            "void",
            f"Round {round_} replays to what was told of it; only one that does not may be voided.",
        )

    def decide(seen: Snapshot) -> tuple[Writes, Voided]:
        if seen.round != stored:
            raise Refused("stale", f"Round {round_} has gone on meanwhile; try again.")
        return _decided(seen, stored, transfers, void, wrong)

    return await store.run(Needs(player=stored.player, round=round_), decide)


def _words(text: str, option: str, characters_max: int) -> str:
    words = " ".join(text.split())
    if not 0 < len(words) <= characters_max:
        raise Refused("field", f"{option} must be a text of 1 to {characters_max} characters.")
    return words


def _decided(
    seen: Snapshot,
    stored: StoredRound,
    transfers: Sequence[Transfer],
    void: StoredVoid,
    wrong: str,
) -> tuple[Writes, Voided]:
    entries = Entries.of(stored.id, stored.seq + 1)
    for transfer in reversed(transfers):
        entries.move(transfer.credit, transfer.debit, transfer.cents, VOID)
    house = house_account(stored.inputs.game)
    for account in sorted(balances(entries.transfers)):
        left = _balance(seen, stored, account) + entries.net(account)
        if account.startswith(NEVER_NEGATIVE) and left < 0:
            entries.move(house, account, -left, VOID_BORNE)
        elif account == escrow_account(stored.id):  # nothing is left, unless transfers were lost
            entries.move(account, house, left, VOID_BORNE)
    seat = seen.seat
    assert seat is not None
    free = seat._replace(open_round=None) if seat.open_round == stored.id else seat
    writes = Writes(
        transfers=entries.transfers,
        seats=[free],
        round=stored._replace(status="void", touched_at=void.at),
        void=void,
        sitting=sittings.left(seen.sitting, entries.transfers),
    )
    return writes, Voided(
        void=void,
        fault=wrong,
        reversed=len(transfers),
        player=entries.net(player_account(stored.player)),
        borne=sum(each.cents for each in entries.transfers if each.code == VOID_BORNE),
    )


def _balance(seen: Snapshot, stored: StoredRound, account: str) -> int:
    """How an account stands now, of those that a round can have moved."""
    if account == player_account(stored.player):
        return seen.balance
    if account == escrow_account(stored.id):
        return seen.escrow
    kind, _, rest = account.partition("/")
    if kind != "pool":
        return 0
    key, _, stripe = rest.partition("/")
    if key not in seen.pools:
        raise PoolWanted(key)
    return seen.pools[key].stripes[int(stripe)]
