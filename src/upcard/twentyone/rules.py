"""Every way in which one game of drawing to 21 may differ from another."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from upcard.fields import FLAG, ODDS, Codec, one_of, ruled, whole
from upcard.money import Odds, parse_odds

BEST_TOTAL = 21
DECKS_MAX = 8
AUTO_WIN_CARDS = range(3, 12)
"""A hand of 12 cards not over 21 does not happen in practice; two cards are a natural's matter."""


@dataclass(frozen=True, slots=True)
class SuitedNatural:
    """A natural of one suit that pays odds of its own (S-04)."""

    suit: str
    odds: Odds

    def __str__(self) -> str:
        return f"{self.suit}@{self.odds}"


@dataclass(frozen=True, slots=True)
class AutoWin:
    """So many cards or more, of any total or of one, win at once (S-09, S-10)."""

    cards: int
    total: int | None
    odds: Odds

    def __str__(self) -> str:
        return f"{self.cards}{f'/{self.total}' if self.total else ''}@{self.odds}"


def _parse_suited_natural(text: str) -> SuitedNatural | None:
    if text == "none":
        return None
    suit, _, odds = text.partition("@")
    if suit not in ("clubs", "diamonds", "hearts", "spades"):
        raise ValueError(text)
    return SuitedNatural(suit, parse_odds(odds))


_AUTO_WIN = re.compile(r"([0-9]{1,2})(?:/([0-9]{1,2}))?@(.+)")


def _parse_auto_wins(text: str) -> tuple[AutoWin, ...]:
    if text == "none":
        return ()
    wins = tuple(_parse_auto_win(part) for part in text.split(","))
    if len({(win.cards, win.total) for win in wins}) < len(wins):
        raise ValueError(text)
    return wins


def _parse_auto_win(text: str) -> AutoWin:
    match = _AUTO_WIN.fullmatch(text)
    if match is None:
        raise ValueError(text)
    cards, total = int(match[1]), int(match[2]) if match[2] else None
    if cards not in AUTO_WIN_CARDS or (total is not None and not cards <= total <= BEST_TOTAL):
        raise ValueError(text)
    return AutoWin(cards, total, parse_odds(match[3]))


def _parse_totals(text: str) -> tuple[int, ...] | None:
    if text == "any":
        return None
    totals = [whole(4, BEST_TOTAL - 1).parse(part) for part in text.split(",")]
    if len(set(totals)) < len(totals):
        raise ValueError(text)
    return tuple(sorted(totals))


def _print_totals(totals: tuple[int, ...] | None) -> str:
    return "any" if totals is None else ",".join(map(str, totals))


_SUITED_NATURAL = Codec(
    _parse_suited_natural,
    lambda value: str(value or "none"),
    "none or a suit and its odds, like diamonds@2:1",
    ("none", "diamonds@2:1", "spades@5:1"),
)
_AUTO_WINS = Codec(
    _parse_auto_wins,
    lambda wins: ",".join(map(str, wins)) or "none",
    "none or a list of cards[/total]@odds, each once, 3 to 11 cards, like 6@1:1,5/21@2:1",
    ("none", "6@1:1,5/21@2:1", "5@1:1", "3/21@3:1,4/21@2:1"),
)
_TOTALS = Codec(
    _parse_totals,
    _print_totals,
    "any or a list of hard totals from 4 to 20, like 10,11",
    ("any", "10,11", "9"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Double:
    """When a hand may be doubled, and whether a doubled hand may be given up."""

    cards: Literal["2", "any"] = ruled("2", one_of("2", "any"))
    totals: tuple[int, ...] | None = ruled(None, _TOTALS)
    after_split: bool = ruled(True, FLAG)
    rescue: bool = ruled(False, FLAG)


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """How often equal values split, and what a split ace may do after its card."""

    hands_max: int = ruled(4, whole(1, 4))
    aces: Literal["stand", "hit", "double"] = ruled("stand", one_of("stand", "hit", "double"))
    resplit_aces: bool = ruled(False, FLAG)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One drawing game. The defaults are the bare six-deck table `blackjack`."""

    decks: int = ruled(6, whole(1, DECKS_MAX))
    dealer_hits_soft_17: bool = ruled(False, FLAG)
    hole_card: Literal["peek", "none"] = ruled("peek", one_of("peek", "none"))
    natural: Odds = ruled(Odds(3, 2), ODDS)
    natural_wins_always: bool = ruled(False, FLAG)
    natural_suited: SuitedNatural | None = ruled(None, _SUITED_NATURAL)
    auto_wins: tuple[AutoWin, ...] = ruled((), _AUTO_WINS)
    double: Double = field(default_factory=Double)
    split: Split = field(default_factory=Split)
    surrender: Literal["none", "first", "any"] = ruled("none", one_of("none", "first", "any"))
    insurance: Odds = ruled(Odds(2), ODDS)
    even_money: bool = ruled(False, FLAG)
    stands_on_21: Literal["any", "hard"] = ruled("any", one_of("any", "hard"))
