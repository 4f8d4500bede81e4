"""How long somebody has been playing, and what it came to: sittings, by the day.

A sitting goes on until nothing was bet or chosen for half an hour. It is kept in one record for
each day (UTC) that it lies on, so that the same records answer for days, weeks and months.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from upcard.house.ledger import VOID, VOID_BORNE, Transfer, player_account
from upcard.refused import Refused

DAY = 24 * 60 * 60
PAUSE_SECONDS = 30 * 60
"""So long a pause ends a sitting."""

STAKES = frozenset({"bet", "stake"})
RETURNS = frozenset({"returned", "won", "award"})
VOIDS = frozenset({VOID, VOID_BORNE})
"""The codes of transfers that are play: what is set aside for a raise is not staked yet, and of a
void only what it comes to counts (G-13)."""


class Sitting(NamedTuple):
    """What lies of a sitting on one day. Times in seconds since 1970, `day` in days since then.

    `last` is the last bet or choice; `dealt_ms` the last deal, in milliseconds.
    """

    player: str
    day: int
    began: int
    last: int
    dealt_ms: int = 0
    rounds: int = 0
    staked: int = 0
    paid: int = 0

    def counting(self, transfers: Iterable[Transfer]) -> Sitting:
        """The same with what these transfers staked and paid."""
        player, day, began, last, dealt_ms, rounds, staked, paid = self
        account, voided = player_account(player), 0
        for one in transfers:
            if one.debit == account and one.code in STAKES:
                staked += one.cents
            elif one.credit == account and one.code in RETURNS:
                paid += one.cents
            elif one.code in VOIDS:
                voided += one.cents * ((one.credit == account) - (one.debit == account))
        if voided < 0:
            staked -= voided
        else:
            paid += voided
        return Sitting(player, day, began, last, dealt_ms, rounds, staked, paid)


class PlayDay(NamedTuple):
    """What a player staked on a day, and what was paid to him."""

    day: int
    staked: int
    paid: int


class TooSoon(Refused):
    """`pace`: the house wants some time between deals; bet again after so many seconds."""

    def __init__(self, seconds: int, seconds_min: int) -> None:
        super().__init__(
            "pace",
            f"This house deals a round every {seconds_min} s at most; bet again in {seconds} s.",
        )
        self.seconds = seconds


def check_pace(last: Sitting | None, now_ms: int, seconds_min: int) -> None:
    """Raises TooSoon less than so many seconds after the player's last deal, at any table."""
    if last is None or not seconds_min:
        return
    missing_ms = last.dealt_ms + seconds_min * 1000 - now_ms
    if missing_ms > 0:
        raise TooSoon(-(-missing_ms // 1000), seconds_min)


def gone_on(last: Sitting | None, player: str, transfers: Iterable[Transfer], now: int) -> Sitting:
    """The sitting after a bet or a choice made now."""
    return _now(last, player, now).counting(transfers)


def dealt(last: Sitting | None, player: str, transfers: Iterable[Transfer], now_ms: int) -> Sitting:
    """The sitting after a deal."""
    sitting = gone_on(last, player, transfers, now_ms // 1000)
    _, day, began, last_, _, rounds, staked, paid = sitting
    return Sitting(player, day, began, last_, now_ms, rounds + 1, staked, paid)


def left(last: Sitting | None, transfers: Iterable[Transfer]) -> Sitting | None:
    """The same sitting, with what a round came to that its player had left."""
    return last and last.counting(transfers)


def _now(last: Sitting | None, player: str, now: int) -> Sitting:
    """The record that goes on now: the last one, its next day, or a new sitting's first."""
    if last is None or now - last.last > PAUSE_SECONDS:
        return Sitting(
            player=player,
            day=now // DAY,
            began=now,
            last=now,
            dealt_ms=0 if last is None else last.dealt_ms,
        )
    now = max(now, last.last)  # a clock that was set back
    if now // DAY == last.day:
        _, day, began, _, dealt_ms, rounds, staked, paid = last
        return Sitting(player, day, began, now, dealt_ms, rounds, staked, paid)
    return last._replace(day=now // DAY, last=now, rounds=0, staked=0, paid=0)
