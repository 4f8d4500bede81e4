"""What the solver knows is what the hand functions say, everywhere; and counts made otherwise."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from upcard.games.ags import AGS
from upcard.games.super21 import SUPER21
from upcard.maths import compositions, kernel, splits
from upcard.maths.arrays import DealerTrie
from upcard.maths.dealer import dealer_trie
from upcard.maths.tables import (
    ACE,
    CHOICES,
    NO_AUTO_WIN,
    ORIGINS,
    TEN,
    VALUES,
    hand,
    odds_value,
    tables,
)
from upcard.money import Odds
from upcard.twentyone import hand as hand_rules
from upcard.twentyone.hand import Hand
from upcard.twentyone.rules import AutoWin, Double, Rules, Split

RULES = {
    "bare": Rules(),
    "ags": AGS.rules,
    "super21": SUPER21.rules,
    "listed": Rules(
        double=Double(cards="any", totals=(9, 10, 11), after_split=False),
        split=Split(hands_max=3, aces="hit", resplit_aces=True),
        surrender="first",
        auto_wins=(AutoWin(3, 21, Odds(3)), AutoWin(4, None, Odds(1, 2))),
        dealer_hits_soft_17=True,
    ),
    "no split": Rules(split=Split(hands_max=1), hole_card="none"),
}
by_rules = pytest.mark.parametrize("rules", RULES.values(), ids=RULES.keys())


def all_hands() -> list[tuple[int, tuple[int, ...]]]:
    """Number and value indices of every hand that is not over 21."""
    drawn = compositions.hands()
    return [(number, compositions.values_of(number)) for number in range(len(drawn.cards))]


# Compositions


def test_there_are_3072_hands_of_two_cards_or_more() -> None:
    """The known count of player hands by value that are not over 21, all ten-values alike."""
    drawn = compositions.hands()
    assert int((drawn.cards >= 2).sum()) == 3072
    assert len({values for _, values in all_hands()}) == len(drawn.cards)


def test_hands_are_what_their_cards_make() -> None:
    drawn = compositions.hands()
    for number, values in all_hands():
        made = Hand()
        for value in values:
            made = made.plus(value + 1)
        found = (drawn.hard[number], drawn.ace[number], drawn.cards[number], drawn.total[number])
        assert found == (made.hard, made.ace, made.cards, made.total)
        for value in range(VALUES):
            longer = compositions.number_of((*values, value))
            assert drawn.after[number, value] == longer
            assert (longer == compositions.BUST) == made.plus(value + 1).bust
            assert longer == compositions.BUST or longer > number


# Hand tables


@by_rules
def test_options_are_those_of_the_hand_function(rules: Rules) -> None:
    found, drawn = tables(rules), compositions.hands()
    for number, values in all_hands():
        if len(values) < 2:
            continue
        cards, hard, ace = (int(of[number]) for of in (drawn.cards, drawn.hard, drawn.ace))
        for origin, doubled in product(ORIGINS, (False, True)):
            held = hand(origin, doubled=doubled, cards=cards, hard=hard, ace=bool(ace))
            names = {
                name
                for choice, name in enumerate(CHOICES)
                if found.options[origin, int(doubled), cards, hard, ace] >> choice & 1
            }
            assert names == {*hand_rules.options(rules, held, pair=False, hands=1)}


@by_rules
def test_pairs_split_as_often_as_the_hand_function_lets_them(rules: Rules) -> None:
    found = tables(rules)
    for value, hands in product(range(VALUES), range(1, 6)):
        origin = 0 if hands == 1 else 2 if value == ACE else 1
        pair = hand(origin, doubled=False, cards=2, hard=2 * (value + 1), ace=value == ACE)
        offered = "split" in hand_rules.options(rules, pair, pair=True, hands=hands)
        assert offered == (hands < found.hands_max[value])


@by_rules
def test_automatic_wins_are_those_of_the_hand_function(rules: Rules) -> None:
    found, drawn = tables(rules), compositions.hands()
    for number, _ in all_hands():
        cards, hard, ace = (int(of[number]) for of in (drawn.cards, drawn.hard, drawn.ace))
        odds = hand_rules.auto_win(rules, Hand(hard=hard, ace=bool(ace), cards=cards))
        expected = NO_AUTO_WIN if odds is None else odds_value(odds)
        assert found.auto_win[cards, hard, ace] == expected
        doubled = Hand(hard=hard, ace=bool(ace), cards=cards, doubled=True)
        assert hand_rules.auto_win(rules, doubled) is None, "the kernel never asks for these"


@by_rules
def test_the_dealer_and_comparing_are_those_of_the_hand_functions(rules: Rules) -> None:
    found, drawn = tables(rules), compositions.hands()
    lost = {"win": 0.0, "push": 1.0, "lose": 2.0}
    ends = []
    for number, values in all_hands():
        hard, ace = int(drawn.hard[number]), int(drawn.ace[number])
        made = Hand(hard=hard, ace=bool(ace), cards=len(values))
        assert found.dealer_draws[hard, ace] == hand_rules.dealer_draws(rules, made)
        if len(values) > 1 and not hand_rules.dealer_draws(rules, made):
            ends.append(made)
    for mine in {Hand(each.hard, each.ace, each.cards) for each in ends}:
        for dealer in {Hand(each.hard, each.ace, 3) for each in ends}:
            result = hand_rules.compare(mine, dealer)
            assert found.beaten[mine.total, dealer.total] == lost[result]
        assert hand_rules.compare(mine, Hand(hard=22, cards=3)) == "win"
        assert hand_rules.compare(mine, Hand(hard=11, ace=True, cards=2)) == "lose"


def test_a_natural_hides_under_an_ace_or_a_ten_alone() -> None:
    """The kernel leaves a dealer natural out under these two up cards only (G-03)."""
    natural = {ACE, TEN}
    for first, second in product(range(VALUES), repeat=2):
        made = Hand().plus(first + 1).plus(second + 1)
        assert hand_rules.is_natural(made) == ({first, second} == natural)


# The dealer


@pytest.mark.parametrize("h17", [False, True])
def test_dealer_hands_by_walking_every_order(h17: bool) -> None:
    """Chances of all totals by up card, against a walk with fractions."""
    rules = Rules(dealer_hits_soft_17=h17)
    shoe = (3, 2, 2, 1, 2, 2, 1, 1, 2, 4)
    for apart in range(VALUES):
        trie = dealer_trie(tables(rules).dealer_draws, apart)
        sums = _sums(trie, shoe, shoe[apart])
        for gone in range(shoe[apart]):
            counts = tuple(count - gone * (value == apart) for value, count in enumerate(shoe))
            for up, (total, chance) in product(range(VALUES), enumerate(sums[gone])):
                expected = Fraction(0)
                if counts[up]:
                    ends = _ends(rules, Hand().plus(up + 1), _less(counts, up))
                    expected = Fraction(counts[up], sum(counts)) * ends.get(17 + total, 0)
                assert chance[up] == pytest.approx(float(expected), abs=1e-15)


def _less(shoe: tuple[int, ...], value: int) -> tuple[int, ...]:
    return (*shoe[:value], shoe[value] - 1, *shoe[value + 1 :])


@cache
def _ends(rules: Rules, made: Hand, left: tuple[int, ...]) -> dict[int, Fraction]:
    """How a dealer who has this hand may end: totals, 0 over 21, -1 a natural."""
    if made.cards > 1 and (made.bust or not hand_rules.dealer_draws(rules, made)):
        key = -1 if hand_rules.is_natural(made) else 0 if made.bust else made.total
        return {key: Fraction(1)}
    found: dict[int, Fraction] = {}
    for value in range(VALUES):
        if left[value]:
            chance = Fraction(left[value], sum(left))
            for total, more in _ends(rules, made.plus(value + 1), _less(left, value)).items():
                found[total] = found.get(total, Fraction(0)) + chance * more
    return found


def _sums(trie: DealerTrie, shoe: tuple[int, ...], levels: int) -> NDArray[np.float64]:
    """[level, total, up card]: the chances of 17 to 21."""
    decks = np.tile(np.array(shoe, np.float64), (5, 1))
    sums = np.empty((levels, 5, VALUES))
    kernel.dealer_sums(decks, np.arange(5), np.eye(5), trie, levels, sums)
    return sums


# Splits


@pytest.mark.parametrize("hands_max", [2, 3, 4])
def test_a_split_by_walking_every_order_of_second_cards(hands_max: int) -> None:
    """Hands worth 1 if their second card is no pair card and 10 if it is: any value would do."""
    pairs, others = 4, 7

    def walk(waiting: int, made: int, pair: int, other: int, weight: Fraction) -> Fraction:
        if waiting == 0:
            return Fraction(0)
        total = Fraction(0)
        for count, is_pair in ((pair, True), (other, False)):
            if count:
                chance = weight * Fraction(count, pair + other)
                rest = (pair - is_pair, other - (not is_pair))
                if is_pair and made < hands_max:
                    total += walk(waiting + 1, made + 1, *rest, chance)
                else:
                    total += chance * (10 if is_pair else 1) + walk(
                        waiting - 1, made, *rest, chance
                    )
        return total

    weights = splits.weights(hands_max)
    chances = splits.chances(pairs, pairs + others, len(weights))
    found = 0.0
    for gone, (chance, (any_card, other_card)) in enumerate(zip(chances, weights, strict=True)):
        left, size = max(pairs - gone, 0), pairs + others - gone
        other = others / size
        found += chance * (any_card * (10 * left / size + other) + other_card * other)
    assert found == pytest.approx(float(walk(2, 2, pairs, others, Fraction(1))), abs=1e-13)


def test_split_weights_count_hands() -> None:
    """With no pair card left a split is two hands, whatever the rules would allow."""
    for hands_max in (2, 3, 4):
        any_card, other_card = splits.weights(hands_max)[0]
        assert any_card + other_card == 2
