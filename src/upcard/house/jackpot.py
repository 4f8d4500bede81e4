"""A progressive meter as ledger accounts: stripes take contributions, wins empty them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from upcard.house.ledger import (
    Entries,
    house_account,
    player_account,
    pool_account,
    reserve_account,
)
from upcard.money import MeterShare
from upcard.sidebets import Pool
from upcard.table import Meter


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolReading:
    """A meter as it stands: the cents on each of its stripes, and how often it has been won."""

    key: str
    epoch: int
    stripes: tuple[int, ...]

    @property
    def meter(self) -> Meter:
        return Meter(sum(self.stripes), self.epoch)

    def with_contribution(self, stripe: int, cents: int) -> PoolReading:
        stripes = list(self.stripes)
        stripes[stripe] += cents
        return dataclasses.replace(self, stripes=tuple(stripes))


OVERFLOW = "overflow"
"""The code of what leaves a meter because it is above its cap."""


def terms_source(key: str) -> str:
    """Where the journal keeps the terms of a meter: each change is a step of this name."""
    return f"meter/{key}"


def capped(reading: PoolReading, *, pool: Pool, entries: Entries) -> PoolReading:
    """A meter as its winner meets it: what it holds above its cap goes to its reserve."""
    left = reading.meter.cents - pool.shown(reading.meter.cents)
    stripes = list(reading.stripes)
    for stripe, cents in enumerate(reading.stripes):
        part = min(cents, left)
        account = pool_account(pool.key, stripe)
        entries.move(account, reserve_account(pool.key), part, OVERFLOW)
        stripes[stripe] -= part
        left -= part
    return dataclasses.replace(reading, stripes=tuple(stripes))


def award(
    reading: PoolReading,
    share: MeterShare,
    *,
    pool: Pool,
    game: str,
    player: str,
    entries: Entries,
) -> PoolReading:
    """Book a win: the share leaves the stripes, and a meter won whole is seeded again by the house.

    The winner who comes next meets what this returns.
    """
    left = share.of(reading.meter.cents)
    stripes = list(reading.stripes)
    for stripe, cents in enumerate(reading.stripes):
        part = min(cents, left)
        entries.move(pool_account(pool.key, stripe), player_account(player), part, "award")
        stripes[stripe] -= part
        left -= part
    after = dataclasses.replace(reading, epoch=reading.epoch + 1, stripes=tuple(stripes))
    return seed(after, pool=pool, game=game, entries=entries) if share.part == 1 else after


def seed(reading: PoolReading, *, pool: Pool, game: str, entries: Entries) -> PoolReading:
    """Book the seed of a meter from the house."""
    entries.move(house_account(game), pool_account(pool.key, 0), pool.seed, "seed")
    return reading.with_contribution(0, pool.seed)
