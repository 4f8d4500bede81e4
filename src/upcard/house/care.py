"""What a player may know of his own play and set for himself, over any store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import orjson

from upcard.house import limits
from upcard.house.answers import canonical
from upcard.house.journal import StoredRound
from upcard.house.ledger import Transfer, player_account
from upcard.house.limits import KINDS, PERIODS, Kind, OwnLimit, Period
from upcard.house.sittings import PAUSE_SECONDS, Sitting
from upcard.house.store import Needs, Snapshot, Store, Writes

ROUNDS_PER_PAGE = 50

Wanted = Mapping[Kind, Mapping[Period, int | None]]
"""Limits in cents, None for none; what is left out stays."""


class Care:
    """One house's care for its players. `clock` gives seconds since 1970."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock

    async def standing(self, player: str) -> dict[str, Any]:
        """The running sitting, every limit with what is used of it, and the exclusion."""
        seen = await self._store.see(Needs(player=player))
        now = int(self._clock())
        exclusion = limits.running_exclusion(seen.exclusions, now)
        return {
            "now": now,
            "sitting": await self._sitting(seen.sitting, now),
            "limits": {
                kind: {period: _limit(seen, kind, period, now) for period in PERIODS}
                for kind in KINDS
            },
            "exclusion": exclusion and _exclusion(exclusion),
        }

    async def _sitting(self, last: Sitting | None, now: int) -> dict[str, Any] | None:
        if last is None or now - last.last > PAUSE_SECONDS:
            return None
        parts = await self._store.sittings(last.player, last.began)
        return {
            "began": last.began,
            "seconds": max(now - last.began, 0),
            "rounds": sum(part.rounds for part in parts),
            "staked": sum(part.staked for part in parts),
            "paid": sum(part.paid for part in parts),
        }

    async def set_limits(self, player: str, wanted: Wanted) -> dict[str, Any]:
        """Lower limits now, raise them after a day; how all of it then stands."""
        now = int(self._clock())

        def decide(seen: Snapshot) -> tuple[Writes, None]:
            wishes = [
                limits.wish(seen.limits, player, kind, period, cents, now)
                for kind, periods in wanted.items()
                for period, cents in periods.items()
            ]
            return Writes(limits=[wish for wish in wishes if wish]), None

        await self._store.run(Needs(player=player), decide)
        return await self.standing(player)

    async def exclude(self, player: str, days: int) -> dict[str, Any]:
        """No bets for so many days. Raises Refused (`field`) unless that is offered and longer."""
        now = int(self._clock())
        written: list[limits.Exclusion] = []

        def decide(seen: Snapshot) -> tuple[Writes, None]:
            if written and written[-1] in seen.exclusions:  # done, and asked again
                return Writes(), None
            written.append(limits.exclude(seen.exclusions, player, days, now))
            return Writes(exclusion=written[-1]), None

        await self._store.run(Needs(player=player), decide)
        return await self.standing(player)

    async def export(self, player: str) -> AsyncIterator[str]:
        """All that is kept of a player, as one JSON document in parts, rounds newest first."""
        seen = await self._store.see(Needs(player=player))
        head = {
            "player": player,
            "made_at": int(self._clock()),
            "balance": seen.balance,
            "limits": [_plain(each) for each in seen.limits],
            "exclusions": [_exclusion(each) for each in seen.exclusions],
            "sittings": [_plain(each) for each in await self._store.sittings(player)],
            "play_money": [_transfer(each) for each in await self._store.play_money(player)],
        }
        yield canonical(head).removesuffix("}") + ',"rounds":['
        before, comma = None, ""
        while True:
            page = await self._store.page(player, before, ROUNDS_PER_PAGE)
            for stored in page.rounds:
                yield comma + canonical(await self._round(stored))
                comma = ","
            before = page.next
            if before is None:
                break
        yield "]}"

    async def _round(self, stored: StoredRound) -> dict[str, Any]:
        """A round as it was told, and what it moved on the player's account.

        What was told holds no face-down card and no seed of an open round.
        """
        steps = await self._store.steps(stored.id)
        told = [orjson.loads(step.answer) for step in steps]
        account = player_account(stored.player)
        moved = await self._store.transfers(stored.id)
        return {
            **told[-1],
            "status": stored.status,
            "opened_at": stored.opened_at,
            "touched_at": stored.touched_at,
            "bets": [{"spot": one.spot, "bets": dict(one.bets)} for one in stored.inputs.spots],
            "client_seed": stored.inputs.client_seed,
            "chosen": [
                {"at": each.at, "spot": each.spot, "hand": each.hand, "choice": each.choice}
                for each in steps
                if each.choice
            ],
            "events": [event for answer in told for event in answer["events"]],
            "transfers": [
                _transfer(each) for each in moved if account in (each.debit, each.credit)
            ],
        }


def _limit(seen: Snapshot, kind: Kind, period: Period, now: int) -> dict[str, Any]:
    stands = limits.standing(seen.limits, kind, period, now)
    coming = stands.coming
    return {
        "cents": stands.cents,
        "used": limits.used(seen.days, kind, period, now),
        "renews": limits.renews_at(period, now),
        "next": coming and {"cents": coming.cents, "acts_at": coming.acts_at},
    }


def _exclusion(exclusion: limits.Exclusion) -> dict[str, Any]:
    return {
        "kind": exclusion.kind,
        "days": exclusion.days,
        "began": exclusion.began,
        "ends": exclusion.ends,
    }


def _plain(record: OwnLimit | Sitting) -> dict[str, Any]:
    """A record as JSON, without the player, who is named once."""
    document = record._asdict()
    document.pop("player")
    return document


def _transfer(one: Transfer) -> dict[str, Any]:
    return {"seq": one.seq, "n": one.n, "debit": one.debit, "credit": one.credit,
            "cents": one.cents, "code": one.code}  # fmt: skip
