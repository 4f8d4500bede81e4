"""Playing a stored round again from its inputs: for recovery, for audits, and before an upgrade."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from upcard.events import BetTaken
from upcard.house.booking import Accounts, book_bets
from upcard.house.jackpot import OVERFLOW, PoolReading
from upcard.house.journal import ENGINE, ReplayFailed, StoredAward, StoredRound, StoredStep
from upcard.house.ledger import Entries, Transfer, balances, escrow_account, player_account
from upcard.house.step import Step
from upcard.house.store import Needs, PoolWanted, Seat, Snapshot, Store, StoreRefused, Writes
from upcard.refused import Refused

PLENTY = 1 << 60
"""A balance that covers everything: what was once accepted is not weighed again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What the journal holds of one round, its steps and meters in order."""

    round: StoredRound
    steps: tuple[StoredStep, ...]
    awards: tuple[StoredAward, ...]


def play_again(recorded: Recorded) -> Writes:
    """Every step of a round as the house would write it now. Raises Refused or ReplayFailed."""
    seat = Seat(
        player=recorded.round.player,
        game=recorded.round.inputs.game,
        nonce=recorded.round.inputs.nonce + 1,
        server_seed=recorded.round.inputs.server_seed,
        open_round=recorded.round.id,
    )
    stored = recorded.round._replace(seq=0, status="open")
    played = Writes(round=stored, seats=[seat])
    for step in recorded.steps:
        played = _merged(played, _step_again(recorded, played, step))
    return played


def _step_again(recorded: Recorded, played: Writes, step: StoredStep) -> Writes:
    stored, seat = played.round, played.seats[0]
    assert stored is not None
    escrow = balances(played.transfers)[escrow_account(stored.id)]
    seen = Snapshot(
        balance=PLENTY,
        escrow=escrow,
        stripe=0,
        seat=seat,
        open_rounds=(),
        round=stored,
        steps=tuple(played.steps),
        awards=tuple(played.awards),
        request=None,
        pools=_readings(recorded, len(played.awards), step.seq),
    )
    again = Step(seen, stored, seat, step.at)
    try:
        if step.choice is None:
            again.bet(stored.inputs.begun())
        else:
            again.move(step.choice)
    except PoolWanted as wanted:
        raise ReplayFailed(
            f"it meets the meter {wanted.key}, which the journal does not know."
        ) from None
    return again.writes()


def _readings(recorded: Recorded, known: int, seq: int) -> dict[str, PoolReading]:
    """The meters as the next awards met them, less what this round's own bets put in."""
    readings: dict[str, PoolReading] = {}
    contributed = _contributed(recorded.round) if seq == 0 else {}
    for award in recorded.awards[known:]:
        cents = award.cents - contributed.get(award.key, 0)
        reading = PoolReading(key=award.key, epoch=award.epoch, stripes=(cents,))
        readings.setdefault(award.key, reading)
    return readings


def _contributed(stored: StoredRound) -> Mapping[str, int]:
    """What the bets of a round put into each meter."""
    accounts = Accounts(stored.inputs.game_at_table(), stored.player, stored.id, 0)
    bets = [
        BetTaken(spot.spot, bet, cents) for spot in stored.inputs.spots for bet, cents in spot.bets
    ]
    return book_bets(accounts, bets, Entries.of(stored.id, 0))


def _merged(before: Writes, after: Writes) -> Writes:
    return after._replace(
        transfers=[*before.transfers, *after.transfers],
        seats=after.seats or before.seats,
        steps=[*before.steps, *after.steps],
        awards=[*before.awards, *after.awards],
    )


def replayed(recorded: Recorded) -> tuple[Writes, str | None]:
    """A stored round as it would be written now, and where it goes another way than was told."""
    try:
        played = play_again(recorded)
    except (Refused, ReplayFailed) as failed:
        return Writes(), failed.sentence
    return played, _difference(recorded, played)


def is_of_another_engine(stored: StoredRound) -> bool:
    """Whether a round was closed by another engine than this one, which need not replay it."""
    return stored.status != "open" and stored.engine != ENGINE


def fault(recorded: Recorded, transfers: Sequence[Transfer]) -> str | None:
    """Where a round is not what was told of it: replayed, or by its own events if it is older."""
    if is_of_another_engine(recorded.round):
        return unlike_its_events(recorded, transfers)
    return replayed(recorded)[1]


def unlike_its_events(recorded: Recorded, transfers: Sequence[Transfer]) -> str | None:
    """Where the stored events of a round contradict themselves or the money that it moved."""
    events = [event for step in recorded.steps for event in _events(step) or [{}]]
    try:
        staked = sum(event["cents"] for event in events if event["type"] in ("bet", "stake"))
        paid = sum(event["paid"] for event in events if event["type"] == "pay")
        numbers = [event["n"] for event in events]
    except (KeyError, TypeError):
        return "what was told of it cannot be read."
    count = len(events)
    closing = {"n": count - 1, "type": "settled", "staked": staked, "paid": paid}
    if numbers != [*range(count)] or events[-1:] != [closing]:
        return "its events are not those of a whole round."
    moved = balances(transfers)
    if moved[player_account(recorded.round.player)] != paid - staked:
        return "its events tell of other money than it moved."
    if moved[escrow_account(recorded.round.id)]:
        return "money of it was left waiting."
    return None


def _events(step: StoredStep) -> list[dict[str, Any]] | None:
    """The events that were told with a step, or None if its answer is none."""
    try:
        events = orjson.loads(step.answer)["events"]
    except (ValueError, KeyError, TypeError):
        return None
    return events if isinstance(events, list) else None


def _difference(recorded: Recorded, played: Writes) -> str | None:
    if played.round is None or played.round.status != recorded.round.status:
        return f"it is stored as {recorded.round.status} and replays otherwise."
    if list(played.awards) != list(recorded.awards):
        return "it meets other meters."
    for told, now in zip(recorded.steps, played.steps, strict=True):
        if _events(told) != _events(now):
            return f"step {told.seq} has other events."
    return None


async def check_open_rounds(store: Store) -> None:
    """Refuse to start over open rounds that this engine would play otherwise, naming them."""
    broken = []
    for stored in await store.open_rounds():
        recorded = await recorded_round(store, stored)
        _, why = replayed(recorded)
        if why is not None:
            broken.append(f"{stored.id} ({why})")
    if broken:
        raise StoreRefused(
            f"{len(broken)} open rounds replay differently with this version: {', '.join(broken)} "
            "Finish them with the version that dealt them."
        )


async def recorded_round(store: Store, stored: StoredRound) -> Recorded:
    """All of a round as of one instant; other processes may go on with it meanwhile."""
    seen = await store.see(Needs(player=stored.player, round=stored.id))
    assert seen.round is not None
    return Recorded(round=seen.round, steps=tuple(seen.steps), awards=tuple(seen.awards))


def same_money(stored: Sequence[Transfer], played: Sequence[Transfer]) -> bool:
    """Whether two books of a round move the same money at each step, whatever the stripes.

    Overflow of a meter apart, which the audit of meters looks at.
    """
    return _moved(stored) == _moved(played)


def _moved(transfers: Sequence[Transfer]) -> Counter[tuple[int, str]]:
    moved: Counter[tuple[int, str]] = Counter()
    for transfer in transfers:
        if transfer.code == OVERFLOW:  # by what others put in, which a round alone does not know
            continue
        moved[transfer.seq, _whole(transfer.debit)] -= transfer.cents
        moved[transfer.seq, _whole(transfer.credit)] += transfer.cents
    return Counter({key: cents for key, cents in moved.items() if cents})


def _whole(account: str) -> str:
    """An account without its stripe."""
    return account.rpartition("/")[0] if account.startswith("pool/") else account
