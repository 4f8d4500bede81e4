"""The terms of a meter - seed, share of stakes, cap - and changing them, which is journalled.

A game's literal says how a meter begins; an operator may change it, and each change is a step of
the journal with who and why. A bet records the terms that it was taken under where they are others
than the game's own, so that its round replays under them for ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import orjson

from upcard.game import Game
from upcard.games import CATALOGUE
from upcard.house.answers import canonical
from upcard.house.jackpot import terms_source
from upcard.house.journal import StoredStep, pool_of, pool_terms
from upcard.house.store import PoolWanted, Snapshot, Writes
from upcard.money import print_cents
from upcard.refused import Refused, listed
from upcard.sidebets import Pool


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsChange:
    """What an operator wants changed, and why; what is None stays. `command` names it for once."""

    key: str
    operator: str
    reason: str
    command: str
    seed: int | None = None
    share: Fraction | None = None
    cap: int | None = None
    no_cap: bool = False

    def of(self, pool: Pool) -> Pool:
        """The terms after the change. Raises Refused (`field`) for what cannot be."""
        changed = replace(
            pool,
            seed=pool.seed if self.seed is None else self.seed,
            share=pool.share if self.share is None else self.share,
            cap=None if self.no_cap else pool.cap if self.cap is None else self.cap,
        )
        if changed.seed <= 0 or not 0 <= changed.share < 1:
            raise Refused("field", "A seed is more than 0, and a share at least 0 and less than 1.")
        if changed.cap is not None and changed.cap < changed.seed:
            raise Refused("field", "A cap is not less than the seed.")
        for game in CATALOGUE:
            game.with_pools([changed])  # refuses what could make a broken cent
        return changed


def pool_named(key: str) -> Pool:
    """A meter as its game has it. Raises Refused (`field`)."""
    pools = {side.pool.key: side.pool for game in CATALOGUE for side in game.side_bets if side.pool}
    if key not in pools:
        raise Refused("field", f"{key!r} is no meter; there is {listed(list(pools), 'and')}.")
    return pools[key]


def journal_of(game: Game) -> str | None:
    """Where the terms of a game's meter are journalled, None for a game without one."""
    keys = [side.pool.key for side in game.side_bets if side.pool]
    assert len(keys) <= 1, f"{game.key} has several meters"
    return terms_source(keys[0]) if keys else None


def in_force(pool: Pool, newest: StoredStep | None) -> Pool:
    """The terms of a meter after the newest change of them."""
    return pool_of(orjson.loads(newest.answer)) if newest else pool


def other_terms(game: Game, newest: StoredStep | None) -> tuple[Pool, ...]:
    """The terms of a game's meter where they are others than its own."""
    if newest is None:
        return ()
    changed = pool_of(orjson.loads(newest.answer))
    own = [side.pool for side in game.side_bets if side.pool]
    return () if changed in own else (changed,)


def changed(seen: Snapshot, change: TermsChange, seq: int, now: int) -> tuple[Writes, Pool]:
    """Journal a change as step `seq`, the next when its operator looked.

    Raises Refused (`field`), and PoolWanted for the meter as it stands.
    """
    newest = seen.newest
    before = in_force(pool_named(change.key), newest)
    if newest and orjson.loads(newest.answer)["command"] == change.command:
        return Writes(), before
    if seq != (newest.seq + 1 if newest else 0):
        raise Refused("field", f"The terms of {change.key} were changed meanwhile; look again.")
    after = change.of(before)
    if after == before:
        raise Refused("field", f"These are the terms of the meter {change.key} already.")
    if change.key not in seen.pools:
        raise PoolWanted(change.key)
    stands = before.shown(seen.pools[change.key].meter.cents)
    if after.cap is not None and after.cap < stands:
        raise Refused(
            "field", f"The meter stands at {print_cents(stands)}; a cap takes nothing from it."
        )
    step = StoredStep(
        round=terms_source(change.key),
        seq=seq,
        spot=0,
        hand=0,
        choice=None,
        at=now,
        answer=canonical(
            {
                **pool_terms(after),
                "operator": change.operator,
                "reason": change.reason,
                "command": change.command,
            }
        ),
    )
    return Writes(steps=[step]), after


def journalled(steps: Sequence[StoredStep]) -> Iterable[Pool]:
    """All terms that a meter was ever given."""
    return (pool_of(orjson.loads(step.answer)) for step in steps)
