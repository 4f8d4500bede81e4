"""The hand rules of `upcard.twentyone.hand`, enumerated into arrays; the solver knows no other.

A hand that was drawn by rank values is told apart by its origin, by whether it was doubled, by the
number of its cards, its hard total and whether an ace is among them. For each such hand the tables
say what it may do, whether it has won by itself, and how it compares with what the dealer has.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, get_args

import numpy as np
from numpy.typing import NDArray

from upcard.money import Odds
from upcard.table import ChoiceName
from upcard.twentyone import hand as hand_rules
from upcard.twentyone.hand import ACE_EXTRA, Hand, Result
from upcard.twentyone.rules import BEST_TOTAL, Rules

VALUES: Final = 10
"""Value classes: index 0 is the ace, index 9 all cards that count ten."""
ACE: Final = 0
TEN: Final = VALUES - 1

FIRST, SPLIT, SPLIT_ACES = 0, 1, 2
"""Where a hand comes from: dealt, split from a pair, split from a pair of aces."""
ORIGINS: Final = (FIRST, SPLIT, SPLIT_ACES)

STAND, HIT, DOUBLE, PAIR_SPLIT, SURRENDER, RESCUE = range(6)
"""Choices by number; a set of them is an integer with bit `1 << number`."""
CHOICES: Final[tuple[ChoiceName, ...]] = (
    "stand",
    "hit",
    "double",
    "split",
    "surrender",
    "rescue",
)

NO_AUTO_WIN: Final = -1.0

Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def odds_value(odds: Odds) -> float:
    """What odds win on a stake of one."""
    return odds.won / odds.staked


def hand(origin: int, *, doubled: bool, cards: int, hard: int, ace: bool) -> Hand:
    """The hand that stands at a place of the tables."""
    return Hand(
        hard=hard,
        ace=ace,
        cards=cards,
        doubled=doubled,
        from_split=origin != FIRST,
        split_aces=origin == SPLIT_ACES,
    )


def exists(*, cards: int, hard: int, ace: bool) -> bool:
    """Whether some cards make this hand: so many of 1 to 10, an ace among them or none."""
    if cards == 0:
        return hard == 0 and not ace
    low = 1 + 2 * (cards - 1) if ace and cards == 1 else (cards if ace else 2 * cards)
    high = 1 + 10 * (cards - 1) if ace else 10 * cards
    return low <= hard <= high


@dataclass(frozen=True, slots=True, eq=False)
class HandTables:
    """All that the solver may know of the rules of one game.

    options[origin, doubled, cards, hard, ace]: the choices of a hand in play, without a split;
    auto_win[cards, hard, ace]: the odds of an undoubled hand that has won, else NO_AUTO_WIN;
    dealer_draws[hard, ace]; beaten[total, dealer_total]: what a hand that stands is short of a
    win, per unit staked: 0 if it wins, 1 if it pushes, 2 if it loses, by totals;
    hands_max[value]: to how many hands a pair of that value may grow, 1 if it may not be split.
    """

    options: Bytes
    auto_win: Floats
    dealer_draws: Bools
    beaten: Floats
    hands_max: tuple[int, ...]
    natural: float
    natural_suited: float
    suited: str | None
    natural_meets_natural: float
    """What a player's natural wins per unit of its odds against a dealer's: 1 if it is paid."""
    peeks: bool
    insurance: float


def tables(rules: Rules) -> HandTables:
    """The tables of a game; those of another number of decks are the same."""
    return _tables(dataclasses.replace(rules, decks=1))


@lru_cache(maxsize=64)
def _tables(rules: Rules) -> HandTables:
    return HandTables(
        options=_options(rules),
        auto_win=_auto_wins(rules),
        dealer_draws=_dealer_draws(rules),
        beaten=_beaten(),
        hands_max=tuple(_hands_max(rules, value) for value in range(1, VALUES + 1)),
        natural=odds_value(hand_rules.natural_odds(rules, None)),
        natural_suited=odds_value(_suited_odds(rules)),
        suited=rules.natural_suited.suit if rules.natural_suited else None,
        natural_meets_natural=_won(hand_rules.natural_result(rules, dealer_natural=True)),
        peeks=rules.hole_card == "peek",
        insurance=odds_value(rules.insurance),
    )


def _suited_odds(rules: Rules) -> Odds:
    suit = rules.natural_suited.suit if rules.natural_suited else None
    return hand_rules.natural_odds(rules, suit)


def _won(result: Result) -> float:
    return {"win": 1.0, "push": 0.0, "lose": -1.0}[result]


def choice_set(names: tuple[ChoiceName, ...]) -> int:
    """A set of choices as an integer."""
    return sum(1 << CHOICES.index(name) for name in names)


def _options(rules: Rules) -> Bytes:
    shape = (len(ORIGINS), 2, BEST_TOTAL + 1, BEST_TOTAL + 1, 2)
    found = np.zeros(shape, np.uint8)
    for origin, doubled, cards, hard, ace in np.ndindex(shape):
        if exists(cards=cards, hard=hard, ace=bool(ace)):
            place = hand(origin, doubled=bool(doubled), cards=cards, hard=hard, ace=bool(ace))
            names = hand_rules.options(rules, place, pair=False, hands=1)
            found[origin, doubled, cards, hard, ace] = choice_set(names)
    return found


def _auto_wins(rules: Rules) -> Floats:
    found = np.full((BEST_TOTAL + 1, BEST_TOTAL + 1, 2), NO_AUTO_WIN)
    for cards, hard, ace in np.ndindex(found.shape):
        odds = hand_rules.auto_win(rules, Hand(hard=hard, ace=bool(ace), cards=cards))
        if odds is not None and exists(cards=cards, hard=hard, ace=bool(ace)):
            found[cards, hard, ace] = odds_value(odds)
    return found


def _dealer_draws(rules: Rules) -> Bools:
    found = np.zeros((BEST_TOTAL + 1, 2), np.bool_)
    for hard, ace in np.ndindex(found.shape):
        found[hard, ace] = hand_rules.dealer_draws(rules, Hand(hard=hard, ace=bool(ace)))
    return found


def _beaten() -> Floats:
    found = np.zeros((BEST_TOTAL + 1, BEST_TOTAL + 1))
    for total, dealer_total in np.ndindex(found.shape):
        # Three cards: a drawn 21, no natural. Hard totals: `compare` looks at totals alone.
        result = hand_rules.compare(Hand(hard=total, cards=3), Hand(hard=dealer_total, cards=3))
        found[total, dealer_total] = 1.0 - _won(result)
    return found


def _hands_max(rules: Rules, value: int) -> int:
    """How many hands a pair of this value may become, split whenever it may be."""
    hands, origin = 1, FIRST
    while True:
        pair = hand(origin, doubled=False, cards=2, hard=2 * value, ace=value == 1)
        if "split" not in hand_rules.options(rules, pair, pair=True, hands=hands):
            return hands
        hands, origin = hands + 1, SPLIT_ACES if value == 1 else SPLIT


assert set(CHOICES) <= set(get_args(ChoiceName))
assert BEST_TOTAL - ACE_EXTRA > 1
