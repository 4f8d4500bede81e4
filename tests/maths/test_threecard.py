"""3 Card Blackjack against an independent count over physical cards, and played out."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from upcard.cards import CARDS, Card, parse_cards
from upcard.fields import texts
from upcard.game import Round
from upcard.games.threecard import THREECARD
from upcard.maths import shoe, threecard
from upcard.refused import Refused
from upcard.table import SpotBets
from upcard.threecard.rules import Rules

Ints = NDArray[np.int64]
NETS = range(-2, 3)


def test_house_edge_is_the_published_one() -> None:
    """Published: 3.42 % of the ante."""
    assert round(-100 * float(threecard.solve(Rules()).ev), 2) == 3.42


# The rules once more, from clauses C-03 and C-08 to C-11, over arrays of physical cards


def standing(rules: Rules, values: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """Total to compare (0 when over 21) and blackjack of hands; the last axis is three cards."""
    parts = [(0, 1, 2), (0, 1), (0, 2), (1, 2)][: 4 if rules.best_of == "any" else 1]
    best = np.zeros(values.shape[:-1], dtype=np.int64)
    for part in parts:
        cards = values[..., list(part)]
        hard = cards.sum(axis=-1)
        soft = np.where((cards == 1).any(axis=-1), hard + 10, 0)
        for total in (hard, soft):
            best = np.where((total <= 21) & (total > best), total, best)
    return best, (values == 1).any(axis=-1) & (values == 10).any(axis=-1)


@dataclass(frozen=True)
class Dealers:
    """All dealer hands of some decks of physical cards, as three places in them."""

    rules: Rules
    numbers: Ints
    values: Ints
    triples: Ints
    total: Ints
    natural: NDArray[np.bool_]


def dealers(rules: Rules, decks: int) -> Dealers:
    numbers = np.tile(np.arange(52), decks)
    values = np.minimum(numbers % 13 + 1, 10)
    triples = np.array(list(combinations(range(len(values)), 3)))
    return Dealers(rules, numbers, values, triples, *standing(rules, values[triples]))


def raise_nets(against: Dealers, hand: Ints, those: NDArray[np.bool_]) -> Ints:
    """Net of a raise against some of the dealers' hands, in antes."""
    rules, total, natural = against.rules, against.total[those], against.natural[those]
    own, own_natural = (int(found) for found in standing(rules, hand))
    valid = total >= rules.qualifies_at
    if own_natural:
        return np.where(valid, 2, 1)
    tie = 0 if rules.tie == "push" else -2
    net = np.where(total < own, 2, np.where(total > own, -2, tie))
    if rules.dealer_natural_beats_21:
        net = np.where((own == 21) & (total == 21) & natural, -2, net)
    nets: Ints = np.where(valid, net, 0)
    return nets


@dataclass(frozen=True)
class Counted:
    """One physical hand: what the other cards do to it, for each of them up."""

    ups: Ints
    ways: Ints
    """Up card, then net + 2 → pairs under it."""

    @property
    def values(self) -> Ints:
        """Up card → net of a raise over all pairs."""
        values: Ints = self.ways @ np.array(NETS)
        return values


def counted(against: Dealers, hand: tuple[int, ...]) -> Counted:
    """All dealer hands against these three places in the decks, each with each card up."""
    others = np.ones(len(against.numbers), dtype=np.bool_)
    others[list(hand)] = False
    those: NDArray[np.bool_] = np.all(others[against.triples], axis=1)
    nets = raise_nets(against, against.values[list(hand)], those)
    ways = np.zeros(5 * len(others), dtype=np.int64)
    for place in range(3):
        bins = against.triples[those, place] * 5 + nets + 2
        ways += np.bincount(bins, minlength=len(ways))
    return Counted(against.values[others], ways.reshape(-1, 5)[others])


VARIANTS = [
    {},
    {"qualifies_at": "19"},
    {"best_of": "three", "tie": "lose"},
    {"qualifies_at": "4", "dealer_natural_beats_21": "false"},
]
SINGLE_VARIANTS = [
    {},
    {"qualifies_at": "21"},
    {"best_of": "three"},
    {"dealer_natural_beats_21": "false"},
    {"tie": "lose"},
]


def ruled(changes: dict[str, str]) -> Any:
    game = THREECARD
    for name, text in changes.items():
        game = game.with_rule(name, text)
    return game.rules


def test_variants_change_every_rule() -> None:
    for variants in (VARIANTS, SINGLE_VARIANTS):
        changed = {name for changes in variants for name in changes}
        assert changed | {"decks"} == set(texts(Rules()))


@pytest.mark.parametrize("changes", VARIANTS, ids=str)
def test_whole_game_equals_a_count_of_all_hands(changes: dict[str, str]) -> None:
    """Theorem: all 22,100 hands, 49 up cards and 1,128 pairs of one deck, counted one by one."""
    rules = ruled(changes)
    solution = threecard.solve(rules)
    against = dealers(rules, 1)
    patterns: dict[tuple[int, ...], tuple[int, ...]] = {}
    multiplicity: Counter[tuple[int, ...]] = Counter()
    hand: tuple[int, ...]
    for hand in combinations(range(52), 3):
        pattern = tuple(sorted(min(number % 13 + 1, 10) for number in hand))
        multiplicity[pattern] += 1
        patterns.setdefault(pattern, (*hand,))
    assert multiplicity.total() == 22_100
    ways = np.zeros(5, dtype=np.int64)
    raised = 0
    by_up = np.zeros(11, dtype=np.int64)
    for pattern, hand in patterns.items():
        found = counted(against, hand)
        times = multiplicity[pattern]
        raises = found.values > -1128
        best = np.where(raises[:, None], found.ways, np.array([0, 1128, 0, 0, 0]))
        ways += times * best.sum(axis=0)
        raised += times * int(raises.sum())
        np.add.at(by_up, found.ups, times * np.maximum(found.values, -1128))
        for up, value in zip(found.ups.tolist(), found.values.tolist(), strict=True):
            decision = solution.decisions[pattern, up]
            assert decision.raise_value == Fraction(value, 1128)
            assert decision.raises == (value > -1128)
    deals = 22_100 * 49 * 1128
    nets = {net: Fraction(count, deals) for net, count in zip(NETS, ways.tolist(), strict=True)}
    assert {net: chance for net, chance in solution.nets.items() if chance} == {
        net: chance for net, chance in nets.items() if chance
    }
    assert solution.mean_stake == 1 + Fraction(raised, 22_100 * 49)
    mean = sum(net * chance for net, chance in nets.items())
    assert solution.ev == mean
    variance = sum((net - mean) ** 2 * chance for net, chance in nets.items())
    assert solution.variance == variance
    assert solution.sd == pytest.approx(float(variance) ** 0.5, abs=1e-14)
    # An up card of each value comes 22,100 * 49 / 52 times a card.
    for up, value in solution.by_up_card.items():
        cards = 16 if up == 10 else 4
        assert value == Fraction(int(by_up[up]), deals * cards // 52)


@pytest.mark.parametrize("decks", [2, 3])
def test_more_decks_equal_a_count_of_some_hands(decks: int) -> None:
    """Theorem, as above; a sample of hands."""
    rules = ruled({"decks": str(decks)})
    solution = threecard.solve(rules)
    against = dealers(rules, decks)
    draw = random.Random(decks)
    for _ in range(6):
        hand = tuple(draw.sample(range(52 * decks), 3))
        found = counted(against, hand)
        pattern = tuple(sorted(CARDS[place % 52].value for place in hand))
        pairs = int(found.ways[0].sum())
        for up, value in zip(found.ups.tolist(), found.values.tolist(), strict=True):
            assert solution.decisions[pattern, up].raise_value == Fraction(value, pairs)


def played(rules: Rules, cards: tuple[Card, ...], choice: str) -> int:
    """Net result of a round of these six cards through the engine, in antes of 10.00."""
    game = THREECARD.at_table()
    for name, text in texts(rules).items():
        game = game.with_rule(name, text)
    round_ = Round.begin(game, "table", [SpotBets(1, (("ante", 1000),))])
    for card in cards:
        round_ = round_.give(card)
    round_ = round_.give("raise" if choice == "raise" else "fold")
    settled: Any = round_.events[-1]
    net, rest = divmod(settled.paid - settled.staked, 1000)
    assert rest == 0
    return int(net)


SHORT = "Ac Kd Kh 8h 7s 3h 9d"
"""Blackjacks of both sides, a plain 21 of king, eight and three, equal totals, hands under 17."""


def test_the_short_shoe_feels_every_rule() -> None:
    cards = shoe.of(parse_cards(SHORT))
    values = {threecard.solve(ruled(changes), cards).ev for changes in SINGLE_VARIANTS}
    assert len(values) == len(SINGLE_VARIANTS)


@pytest.mark.parametrize("changes", SINGLE_VARIANTS, ids=str)
def test_a_short_shoe_equals_the_rounds_played(changes: dict[str, str]) -> None:
    """Theorem: every deal of seven cards through the round engine, the better choice each time."""
    rules = ruled(changes)
    cards = parse_cards(SHORT)
    solution = threecard.solve(rules, shoe.of(cards))
    total, deals = Fraction(0), 0
    for hand in combinations(cards, 3):
        rest = [card for card in cards if card not in hand]
        for up in rest:
            under = [pair for pair in combinations(rest, 2) if up not in pair]
            raised = Fraction(
                sum(played(rules, (*hand, up, *pair), "raise") for pair in under), len(under)
            )
            folded = played(rules, (*hand, up, *under[0]), "fold")
            total += max(raised, Fraction(folded))
            deals += 1
    assert solution.ev == total / deals


def test_a_hand_alone_is_worth_what_it_is_in_the_game() -> None:
    solution = threecard.solve(Rules())
    for (hand, up), found in list(solution.decisions.items())[::97]:
        alone = threecard.decision(Rules(), hand[::-1], up, shoe.full(1))
        assert alone.raise_nets == found.raise_nets


def test_a_shoe_too_small_is_refused() -> None:
    with pytest.raises(Refused, match="5 cards is too small; at least 6") as refused:
        threecard.solve(Rules(), shoe.of(CARDS[:5]))
    assert refused.value.code == "field"


def test_a_card_the_shoe_lacks_is_refused() -> None:
    with pytest.raises(Refused, match="Ac cannot be; this shoe holds 1"):
        shoe.less(shoe.full(1), parse_cards("Ac Ac"))
