"""One shoe under one set of rules: what holds however hands are played, and what a play is worth.

Arrays are over hands n (see `compositions`) and up cards u, joint with the up card (`kernel`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from upcard.cards import CARDS, CARDS_PER_DECK, SUIT_NAMES, SUITS
from upcard.maths import compositions, splits
from upcard.maths.arrays import Choices, Floats, Hands, Ints, Play
from upcard.maths.compiled import kernel
from upcard.maths.dealer import ALL_UPS, FLOOR, dealer_trie
from upcard.maths.tables import (
    ACE,
    FIRST,
    RESCUE,
    SPLIT,
    SPLIT_ACES,
    STAND,
    TEN,
    VALUES,
    HandTables,
    tables,
)
from upcard.refused import Refused
from upcard.twentyone.rules import BEST_TOTAL, Rules

UP_CARDS: Final = "A23456789T"
"""The text of each value, in order."""
GIVEN_UP: Final = 0.5
"""What comes back of the money on a hand that is surrendered or rescued (T-67, S-07)."""


# Shoes


@dataclass(frozen=True, slots=True)
class ValueShoe:
    """Cards by value (index 0 the ace), and how likely an ace and a ten share a given suit."""

    counts: tuple[int, ...]
    suited: tuple[float, ...]
    """By suit: the chance that an ace and a ten-value card drawn from it are both of that suit."""

    @property
    def cards(self) -> int:
        return sum(self.counts)

    @property
    def points(self) -> int:
        """The hard total of all cards."""
        return sum(count * (value + 1) for value, count in enumerate(self.counts))


def shoe_of(rules: Rules, shoe: Sequence[int] | None) -> ValueShoe:
    """The shoe of a game: its whole decks, 52 counts by `Card.number`, or ten counts by value.

    Ten counts say nothing of suits; they count as evenly spread. Raises Refused (`field`).
    """
    if shoe is None:
        shoe = (rules.decks,) * CARDS_PER_DECK
    if len(shoe) not in (CARDS_PER_DECK, VALUES) or min(shoe) < 0:
        raise Refused(
            "field",
            f"a shoe is {CARDS_PER_DECK} counts by card or {VALUES} counts by value from the ace "
            f"to the ten, none below 0; these are {len(shoe)}.",
        )
    if len(shoe) == VALUES:
        return ValueShoe(tuple(map(int, shoe)), (1 / len(SUITS) ** 2,) * len(SUITS))
    counts = [0] * VALUES
    aces, tens = [0] * len(SUITS), [0] * len(SUITS)
    for card, count in zip(CARDS, shoe, strict=True):
        counts[card.value - 1] += int(count)
        if card.is_ace:
            aces[card.suit] += int(count)
        elif card.is_ten:
            tens[card.suit] += int(count)
    pairs = max(sum(aces) * sum(tens), 1)
    suited = tuple(ace * ten / pairs for ace, ten in zip(aces, tens, strict=True))
    return ValueShoe(tuple(counts), suited)


# Play


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What to do with every hand: `plays` by origin, and split[value, up card], whether a pair is
    split, and again as often as may be."""

    plays: tuple[Play, ...]
    split: Choices

    def choice(self, number: int, up: int, origin: int = FIRST, doubled: bool = False) -> int:
        """The choice of a hand by numbers; a pair to be split is said by `split` alone."""
        play = self.plays[origin]
        if doubled:
            return RESCUE if play.rescue[number, up] else STAND
        return int(play.choice[number, up])


def empty_play(hands: Hands, auto_win: Floats) -> Play:
    """A play yet to be filled in."""
    shape = (len(hands.cards), VALUES)
    won = auto_win[hands.cards, hands.hard, hands.ace]
    return Play(np.zeros(shape, np.int8), np.zeros(shape, np.int8), won)


def kinds(hands: Hands) -> Ints:
    """Totals that compare alike: 0 for 16 or less, 1 to 5 for 17 to 21."""
    found: Ints = np.maximum(hands.total - (FLOOR - 1), 0)
    return found


class Analysis:
    """Everything that does not depend on how hands are played: one shoe under one set of rules.

    Arrays are over hands n (see `compositions`) and up cards u, joint with the up card (`kernel`).
    `ups`: the up cards looked at, as bits; `within`: the number of a hand to which the hands looked
    at must add cards, the empty one for all.
    """

    def __init__(self, rules: Rules, shoe: ValueShoe, ups: int = ALL_UPS, within: int = 0) -> None:
        self.rules = rules
        self.shoe = shoe
        self.tables: HandTables = tables(rules)
        self.ups = ups
        self.counts = np.array(shoe.counts, np.float64)
        self.hands = compositions.hands()
        self.kinds = kinds(self.hands)
        self.weight = self.tables.beaten[FLOOR - 1 : BEST_TOTAL + 1, FLOOR : BEST_TOTAL + 1]
        decks = self.counts - self.hands.counts
        shape = decks.shape
        self.live, self.hidden = np.empty(shape), np.empty(shape)
        kernel.chances(decks, self.tables.peeks, self.live, self.hidden)
        self.stand = np.zeros(shape)
        rows = self._rows(within)
        sums = np.empty((1, len(rows), VALUES))
        trie = dealer_trie(self.tables.dealer_draws, ACE, ups)
        kernel.dealer_sums(decks[rows], self.kinds[rows], self.weight, trie, 1, sums)
        self.stand[rows] = 2 * (self.live[rows] - self.hidden[rows]) - sums[0]

    def _rows(self, within: int) -> Ints:
        """The hands of two cards or more that add to `within` and that the shoe can deal."""
        counts = self.hands.counts
        fits = (counts >= counts[within]).all(axis=1) & (self.hands.cards >= 2)
        return np.flatnonzero(fits & (counts <= self.counts).all(axis=1))

    @property
    def up_chances(self) -> Floats:
        """The chance of each up card."""
        found: Floats = self.counts / self.counts.sum()
        return found

    def shown(self, number: int) -> Floats:
        """The chance of each up card once a hand has been drawn."""
        left = self.counts - self.hands.counts[number]
        found: Floats = left / left.sum()
        return found

    def first_hands(self) -> Iterator[tuple[int, int, float]]:
        """Values of two first cards, the lower first, and their chance; those that can be."""
        counts, size = self.shoe.counts, self.shoe.cards
        for low in range(VALUES):
            for high in range(low, VALUES):
                orders = 1 if low == high else 2
                ways = orders * counts[low] * (counts[high] - (low == high))
                if ways > 0:
                    yield low, high, ways / (size * (size - 1))

    def pairs(self) -> list[int]:
        """The values whose pairs can be dealt and may be split."""
        return [
            value
            for value in range(VALUES)
            if self.tables.hands_max[value] > 1 and self.shoe.counts[value] >= 2
        ]

    def split(self, value: int, play: Play, hands_max: int | None = None) -> tuple[Floats, Floats]:
        """Net result and stake of a pair split, by up card: all its hands together, each played
        by `play`, for `hands_max` hands at most (else what the rules allow)."""
        weights = splits.weights(hands_max or self.tables.hands_max[value])
        left = self.counts[value] - 2
        chances = splits.chances(left, self.counts.sum() - 2, len(weights))
        levels = max(sum(chance > 0 for chance in chances), 1)
        means = np.zeros((levels, 4, VALUES))
        trie = dealer_trie(self.tables.dealer_draws, value, self.ups)
        kernel.split_hand(
            value,
            self.ups,
            levels,
            self.counts,
            self.hands,
            play,
            self.kinds,
            self.weight,
            trie,
            self.tables.peeks,
            means,
        )
        net, stake = np.zeros(VALUES), np.zeros(VALUES)
        for chance, (any_card, other_card), mean in zip(chances, weights, means, strict=False):
            net += chance * (any_card * mean[0] + other_card * mean[1])
            stake += chance * (any_card * mean[2] + other_card * mean[3])
        return net, stake

    def split_stand(self, value: int, levels: int) -> tuple[Ints, Floats]:
        """The hands of two cards or more with a card of this value in them, and stand[j, n, u] as
        after a split: one more such card missing from the shoe, and j further ones."""
        within = self._rows(compositions.number_of((value,)))
        decks = self.counts - self.hands.counts[within]
        decks[:, value] -= 1
        trie = dealer_trie(self.tables.dealer_draws, value, self.ups)
        sums = np.empty((levels, len(within), VALUES))
        kernel.dealer_sums(decks, self.kinds[within], self.weight, trie, levels, sums)
        stand = np.zeros((levels, *self.stand.shape))
        for gone in range(levels):
            live, hidden = np.empty(decks.shape), np.empty(decks.shape)
            kernel.chances(decks, self.tables.peeks, live, hidden)
            stand[gone, within] = 2 * (live - hidden) - sums[gone]
            decks[:, value] -= 1
        return within, stand


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """Hands of one origin under some play, splits left out; joint with the up card.

    value[n, u]: what comes back per stake; doubled[n, u]: what comes back of both stakes of a
    hand that was doubled.
    """

    value: Floats
    doubled: Floats


def best_play(analysis: Analysis, origin: int) -> tuple[Play, Values]:
    """The best play of hands of one origin, and its values."""
    hands, options = analysis.hands, analysis.tables.options[origin]
    play = empty_play(hands, analysis.tables.auto_win)
    values = Values(np.zeros(analysis.stand.shape), np.zeros(analysis.stand.shape))
    kernel.best_play(
        analysis.counts,
        hands,
        options,
        analysis.stand,
        analysis.live,
        play,
        values.value,
        values.doubled,
    )
    if origin == FIRST:
        # A natural is never asked (G-05), whatever another soft 21 may do.
        play.choice[compositions.number_of((ACE, TEN))] = STAND
    return play, values


def split_origin(value: int) -> int:
    return SPLIT_ACES if value == ACE else SPLIT


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """Sums over the whole game by up card: net result and main money, joint with the up card."""

    net: Floats
    stake: Floats


def totals(
    analysis: Analysis,
    value: Floats,
    extra: Floats,
    pairs: Pairs,
    split: Choices,
) -> Totals:
    """The whole game under a play: value[n, u] and extra[n, u] of unsplit hands (`kernel`), net
    and stake of each pair, and whether it is split."""
    net, stake = np.zeros(VALUES), np.zeros(VALUES)
    for low, high, chance in analysis.first_hands():
        number = compositions.number_of((low, high))
        shown, live = analysis.shown(number), analysis.live[number]
        if (low, high) == (ACE, TEN):
            net += chance * natural_net(analysis)
            stake += chance * shown
            continue
        hand_net, hand_stake = value[number] - live, live + extra[number]
        if low == high and low in pairs:
            pair_net, pair_stake = pairs[low]
            hand_net = np.where(split[low], pair_net, hand_net)
            hand_stake = np.where(split[low], pair_stake, hand_stake)
        found_natural = shown - live
        net += chance * (hand_net - found_natural)
        stake += chance * (hand_stake + found_natural)
    return Totals(net, stake)


def natural_net(analysis: Analysis, odds: float | None = None) -> Floats:
    """The net result of a player's natural, joint with the up card, a dealer natural included."""
    number = compositions.number_of((ACE, TEN))
    met = dealer_natural(analysis, number)
    paid = average_natural(analysis.tables, analysis.shoe) if odds is None else odds
    unmet = analysis.shown(number) - met
    found: Floats = paid * (unmet + analysis.tables.natural_meets_natural * met)
    return found


def average_natural(found: HandTables, shoe: ValueShoe) -> float:
    """What a natural pays on average over suits."""
    suited = shoe.suited[SUIT_NAMES.index(found.suited)] if found.suited is not None else 0.0
    return found.natural + suited * (found.natural_suited - found.natural)


def dealer_natural(analysis: Analysis, number: int) -> Floats:
    """The chance of each up card with a dealer natural, once a hand has been drawn."""
    if analysis.tables.peeks:
        found: Floats = analysis.shown(number) - analysis.live[number]
        return found
    return np.array(analysis.hidden[number])


Pairs = Mapping[int, tuple[Floats, Floats]]
"""By value: net result and stake of that pair when it is split (`Analysis.split`)."""


def plan_totals(analysis: Analysis, plan: Plan, pairs: Pairs | None = None) -> Totals:
    """Net result and main money of a play, by up card; `pairs` as far as they are known."""
    returns, extra = np.zeros(analysis.stand.shape), np.zeros(analysis.stand.shape)
    kernel.play_values(
        analysis.counts,
        analysis.hands,
        plan.plays[FIRST],
        analysis.stand,
        analysis.tables.peeks,
        returns,
        extra,
    )
    if pairs is None:
        pairs = {
            value: analysis.split(value, plan.plays[split_origin(value)])
            for value in analysis.pairs()
            if plan.split[value].any()
        }
    return totals(analysis, returns, extra, pairs, plan.split)


def dealer_totals(rules: Rules, shoe: Sequence[int] | None = None) -> dict[str, dict[str, float]]:
    """By up card, and for `all`: the chances of `17` to `21`, `natural` and `bust`, before any
    peek and with no other card known."""
    values = shoe_of(rules, shoe)
    found = tables(rules)
    totals_count = BEST_TOTAL - FLOOR + 1
    decks = np.tile(np.array(values.counts, np.float64), (totals_count, 1))
    trie = dealer_trie(found.dealer_draws, ACE)
    sums = np.empty((1, totals_count, VALUES))
    kernel.dealer_sums(decks, np.arange(totals_count), np.eye(totals_count), trie, 1, sums)
    joint = np.zeros((totals_count + 2, VALUES))
    joint[:totals_count] = sums[0]
    size = values.cards
    natural = values.counts[ACE] * values.counts[TEN] / (size * (size - 1))
    joint[totals_count, [ACE, TEN]] = natural
    ups = decks[0] / size
    joint[-1] = ups - joint.sum(axis=0)
    names = (*(str(FLOOR + total) for total in range(totals_count)), "natural", "bust")
    by_up = {
        UP_CARDS[up]: dict(zip(names, (joint[:, up] / ups[up]).tolist(), strict=True))
        for up in np.flatnonzero(ups)
    }
    return by_up | {"all": dict(zip(names, joint.sum(axis=1).tolist(), strict=True))}
