"""Numbers, amounts, odds and dates as a person reads them."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from fractions import Fraction

from upcard.money import ForOne, MeterShare, Odds, Pay, print_cents
from upcard.refused import listed

_NUMBERS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def number(count: int) -> str:
    """A small number in words, a larger one in figures."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def counted(count: int, thing: str) -> str:
    """`one deck`, `six decks`."""
    return f"{number(count)} {thing}{'' if count == 1 else 's'}"


def sentence_case(text: str) -> str:
    """The text with its first letter large."""
    return text[:1].upper() + text[1:]


def all_of(words: Iterable[str]) -> str:
    """`a, b and c`."""
    return listed(tuple(words), "and")


def one_of(words: Iterable[str]) -> str:
    """`a, b or c`."""
    return listed(tuple(words))


def amount(cents: int) -> str:
    """`2,000.00`: thousands grouped, always two decimals."""
    units, _, rest = print_cents(cents).partition(".")
    return f"{int(units):,}.{rest}"


def percent(share: Fraction) -> str:
    """`17 %`, `2.5 %`; a share that no four decimals can say stays a fraction."""
    value = share * 100
    if value.denominator == 1:
        return f"{value.numerator} %"
    if (value * 10_000).denominator == 1:
        return f"{float(value):.4f}".rstrip("0") + " %"
    return f"{share.numerator}/{share.denominator}"


def rounded_percent(fraction: float) -> str:
    """A return or a chance, a fraction of one, in per cent with two decimals."""
    return f"{100 * fraction:.2f} %"


def pays_text(pays: Pay) -> str:
    """How a row pays, in a cell of a pay table."""
    match pays:
        case Odds() | ForOne():
            return str(pays)
        case MeterShare(1):
            return "the whole meter"
        case MeterShare(part):
            return f"1/{part} of the meter"


def day(iso: str) -> str:
    """`2026-11-30` → `30 November 2026`."""
    date = datetime.date.fromisoformat(iso)
    return f"{date.day} {_MONTHS[date.month - 1]} {date.year}"
