"""3 Card Blackjack exactly: every hand against every up card and every pair under it.

Only what cards count matters here, so hands are multisets of values (an ace 1), and all chances
are whole numbers of deals until they are divided at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod

from upcard.maths import shoe as shoes
from upcard.maths.shoe import VALUES, Shoe
from upcard.maths.sidebets import root
from upcard.threecard import hand as hand_rules
from upcard.threecard.rules import Rules

CARDS_EACH = 3
FOLD = -1
"""What folding nets, in antes (C-06)."""

Values = tuple[int, ...]
"""What some cards count, in ascending order."""
Counts = tuple[int, ...]

HANDS: tuple[Values, ...] = tuple(combinations_with_replacement(VALUES, CARDS_EACH))
_NETS = {"win": 1, "push": 0, "lose": -1}
NETS_OF_RAISE = (-2, 0, 1, 2)
"""What a raise can net, in antes; one only by a blackjack against no valid hand (C-09)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A hand against an up card."""

    hand: Values
    up: int
    ways: int
    """How many deals of a hand and an up card are this one."""
    raise_ways: Mapping[int, int]
    """Net result of raising, in antes → how many pairs under the up card bring it."""

    @property
    def pairs(self) -> int:
        return sum(self.raise_ways.values())

    @property
    def raise_nets(self) -> dict[int, Fraction]:
        """Net result of raising, in antes → its probability."""
        return {net: Fraction(ways, self.pairs) for net, ways in self.raise_ways.items()}

    @property
    def raise_value(self) -> Fraction:
        return Fraction(self._raise_sum, self.pairs)

    @property
    def raises(self) -> bool:
        """The best play; where both are worth the same, to fold, which risks less."""
        return self._raise_sum > FOLD * self.pairs

    @property
    def nets(self) -> Mapping[int, int]:
        """Net result of the best play, in antes → how many pairs bring it."""
        return self.raise_ways if self.raises else {FOLD: self.pairs}

    @property
    def _raise_sum(self) -> int:
        return sum(net * ways for net, ways in self.raise_ways.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """The best play of every decision that the shoe can deal, and what the game is worth so."""

    rules: Rules
    decisions: Mapping[tuple[Values, int], Decision]
    nets: Mapping[int, Fraction]
    """Net result of a round in antes → its probability."""
    raises: Fraction
    """How often to raise."""
    by_up_card: Mapping[int, Fraction]
    """What the up card counts → the value of a round with it, per ante."""

    @property
    def ev(self) -> Fraction:
        """Per ante."""
        return sum((net * chance for net, chance in self.nets.items()), Fraction(0))

    @property
    def mean_stake(self) -> Fraction:
        """Ante and raise, in antes."""
        return 1 + self.raises

    @property
    def variance(self) -> Fraction:
        """Of a round's net result, per ante."""
        squares = sum((net**2 * chance for net, chance in self.nets.items()), Fraction(0))
        return squares - self.ev**2

    @property
    def sd(self) -> float:
        return root(self.variance)


def solve(rules: Rules, shoe: Shoe | None = None) -> Solution:
    """The game as dealt from this shoe, else from `rules.decks` whole decks.

    Raises Refused (`field`) for a shoe of fewer than six cards.
    """
    shoe = shoes.full(rules.decks) if shoe is None else shoe
    shoes.check_size(shoe, 2 * CARDS_EACH)
    decisions = tuple(_decisions(rules, shoes.by_value(shoe)))
    return Solution(
        rules=rules,
        decisions={(found.hand, found.up): found for found in decisions},
        nets=_nets(decisions),
        raises=_chance(decisions, [found for found in decisions if found.raises]),
        by_up_card={
            up: sum((net * chance for net, chance in _nets(those).items()), Fraction(0))
            for up in VALUES
            if (those := [found for found in decisions if found.up == up])
        },
    )


def decision(rules: Rules, hand: Values, up: int, shoe: Shoe) -> Decision:
    """One hand against one up card, both taken from this shoe, which must hold them."""
    hand = tuple(sorted(hand))
    left = _less(shoes.by_value(shoe), (*hand, up))
    assert min(left) >= 0, f"{hand} and {up} are not in {shoe}"
    return _decide(_outcomes(rules), hand, up, left, ways=1)


def _decisions(rules: Rules, counts: Counts) -> Iterator[Decision]:
    outcomes = _outcomes(rules)
    for hand in HANDS:
        left = _less(counts, hand)
        if min(left) >= 0:
            for up in VALUES:
                if ups := left[up - 1]:
                    ways = _ways(counts, hand) * ups
                    yield _decide(outcomes, hand, up, _less(left, (up,)), ways)


def _decide(outcomes: Outcomes, hand: Values, up: int, left: Counts, ways: int) -> Decision:
    raise_ways = dict.fromkeys(NETS_OF_RAISE, 0)
    nets = outcomes.nets[outcomes.class_of[hand]]
    dealer_classes = outcomes.dealer_classes[up]
    for (first, second), dealer in zip(_PAIRS, dealer_classes, strict=True):
        count = left[first - 1]
        count = count * (count - 1) // 2 if first == second else count * left[second - 1]
        raise_ways[nets[dealer]] += count
    return Decision(hand=hand, up=up, ways=ways, raise_ways=raise_ways)


_PAIRS = tuple(combinations_with_replacement(VALUES, CARDS_EACH - 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """Every hand's class - what the rules may know of it - and what raising nets by classes."""

    class_of: Mapping[Values, int]
    nets: tuple[tuple[int, ...], ...]
    """The player's class, then the dealer's → net result of raising, in antes."""
    dealer_classes: Mapping[int, tuple[int, ...]]
    """Up card → the dealer's class with each of `_PAIRS` under it."""


@cache
def _outcomes(rules: Rules) -> Outcomes:
    classes: dict[hand_rules.Best, int] = {}
    class_of = {
        hand: classes.setdefault(hand_rules.best(rules, hand), len(classes)) for hand in HANDS
    }
    return Outcomes(
        class_of=class_of,
        nets=tuple(tuple(_net(rules, own, dealer) for dealer in classes) for own in classes),
        dealer_classes={
            up: tuple(class_of[_sorted(up, *pair)] for pair in _PAIRS) for up in VALUES
        },
    )


def _net(rules: Rules, player: hand_rules.Best, dealer: hand_rules.Best) -> int:
    outcome = hand_rules.outcome(rules, player, dealer)
    return _NETS[outcome.ante] + _NETS[outcome.raise_]


def _sorted(*values: int) -> Values:
    return tuple(sorted(values))


def _nets(decisions: Sequence[Decision]) -> dict[int, Fraction]:
    """Net result of a round that comes to one of these decisions → its probability."""
    found: Counter[int] = Counter()
    for each in decisions:
        for net, pairs in each.nets.items():
            found[net] += each.ways * pairs
    deals = found.total()
    return {net: Fraction(found[net], deals) for net in sorted(found)}


def _chance(all_: Sequence[Decision], those: Sequence[Decision]) -> Fraction:
    return Fraction(sum(each.ways for each in those), sum(each.ways for each in all_))


def _ways(counts: Counts, hand: Values) -> int:
    return prod(comb(counts[value - 1], hand.count(value)) for value in set(hand))


def _less(counts: Counts, values: Values) -> Counts:
    left = list(counts)
    for value in values:
        left[value - 1] -= 1
    return tuple(left)
