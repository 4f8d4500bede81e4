"""Whole cents and the ways a bet can pay: no float, no rounding.

Three ways to pay, each with a text form that parses back:

- `Odds`, `3:2`: the stake comes back and so much more with it;
- `ForOne`, `125 for 1` (read without spaces too): so many stakes come back, that is all;
- `MeterShare`, `meter` or `meter/10`: a share of a progressive meter, the stake is not returned.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from upcard.refused import Refused

_AMOUNT = re.compile(r"(0|[1-9][0-9]*)(?:\.([0-9]{1,2}))?")
_ODDS = re.compile(r"([0-9]{1,6}):([1-9][0-9]{0,5})")
_FOR_ONE = re.compile(r"([0-9]{1,6}) ?for ?1")
_METER = re.compile(r"meter(?:/([1-9][0-9]{0,3}))?")
AMOUNT_DIGITS_MAX = 13
"""Amounts of more digits than this are no bets but mistakes."""


def parse_cents(text: str) -> int:
    """`10`, `10.5` and `10.50` in currency units → whole cents. Raises Refused (`field`)."""
    match = _AMOUNT.fullmatch(text, 0, AMOUNT_DIGITS_MAX + 3) if text.isascii() else None
    if match is None or len(text) > AMOUNT_DIGITS_MAX:
        raise Refused(
            "field", f"{text!r} is no amount; write it like 10 or 10.50, at most two decimals."
        )
    units, cents = match.groups()
    return int(units) * 100 + int((cents or "").ljust(2, "0"))


def print_cents(cents: int) -> str:
    """Whole cents → `10.50`, always with two decimals; a negative amount bears its sign."""
    units, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{units}.{rest:02d}"


def half(cents: int) -> int:
    """Exactly half of it; limits and steps see to it that bets can be halved (G-09)."""
    whole, rest = divmod(cents, 2)
    assert rest == 0, f"{cents} cents cannot be halved exactly"
    return whole


@dataclass(frozen=True, slots=True)
class Odds:
    """`won` to `staked`: 3:2 wins three for every two staked, and the stake comes back."""

    won: int
    staked: int = 1

    def is_exact(self, stake: int) -> bool:
        return stake * self.won % self.staked == 0

    def paid(self, stake: int) -> int:
        """All that comes back on a winning stake of so many cents, the stake included."""
        win, rest = divmod(stake * self.won, self.staked)
        assert rest == 0, f"{self} on {stake} cents is not a whole number of cents"
        return stake + win

    def __str__(self) -> str:
        return f"{self.won}:{self.staked}"


@dataclass(frozen=True, slots=True)
class ForOne:
    """`stakes` for one: the stake is not returned (T-85)."""

    stakes: int

    def is_exact(self, stake: int) -> bool:
        return True

    def paid(self, stake: int) -> int:
        """All that comes back on a winning stake of so many cents."""
        return stake * self.stakes

    def __str__(self) -> str:
        return f"{self.stakes} for 1"


@dataclass(frozen=True, slots=True)
class MeterShare:
    """One `part`-th of a progressive meter; what does not divide stays in the meter."""

    part: int = 1

    def is_exact(self, stake: int) -> bool:
        return True

    def of(self, meter: int) -> int:
        """The cents that leave a meter of so many cents."""
        return meter // self.part

    def __str__(self) -> str:
        return "meter" if self.part == 1 else f"meter/{self.part}"


Pay = Odds | ForOne | MeterShare


def parse_odds(text: str) -> Odds:
    """`3:2` → Odds. Raises Refused (`field`)."""
    match = _ODDS.fullmatch(text)
    if match is None:
        raise Refused("field", f"{text!r} are no odds; write them like 3:2 or 10:1.")
    return Odds(int(match[1]), int(match[2]))


def parse_pay(text: str) -> Pay:
    """`9:1`, `125 for 1`, `meter` or `meter/10` → how a row pays. Raises Refused (`field`)."""
    if match := _ODDS.fullmatch(text):
        return Odds(int(match[1]), int(match[2]))
    if match := _FOR_ONE.fullmatch(text):
        return ForOne(int(match[1]))
    if match := _METER.fullmatch(text):
        return MeterShare(int(match[1] or 1))
    raise Refused(
        "field", f"{text!r} is no way to pay; write it like 9:1, '125 for 1', meter or meter/10."
    )
