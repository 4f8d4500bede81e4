"""How a round's net result is distributed: its standard deviation exactly, its law nearly so.

Rounds without a split, all but one in forty, are counted exactly: each hand that a play comes to
has a chance, and so have the dealer's answers to it.

The results of a split's hands depend on one another through the dealer and the shoe. For the
square of their sum two hands at a time are enough, and of two hands only the cards that both have
drawn matter: all pairs of ends with the same cards are taken together, which leaves a few ten
thousand rows. The law of the sum would need up to four hands at a time; rounds with a split are
played at random instead, pair by pair and up card by up card, as often as each occurs.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np

from upcard.cards import SUIT_NAMES
from upcard.maths import arrays, compositions, splits
from upcard.maths.analysis import (
    GIVEN_UP,
    Analysis,
    Plan,
    dealer_natural,
    split_origin,
)
from upcard.maths.arrays import Floats, Ints, Play
from upcard.maths.compiled import kernel
from upcard.maths.dealer import FLOOR, dealer_trie
from upcard.maths.tables import ACE, DOUBLE, FIRST, HIT, STAND, SURRENDER, TEN, VALUES

SPLIT_ROUNDS: Final = 1_000_000
"""Rounds with a split that are simulated."""
STRATUM_MIN: Final = 2_000
SEED: Final = 21
DIGITS: Final = 12
"""Net results that agree to so many digits are one result."""


PLACE_BITS: Final = 6
"""Two hands have fewer than 64 cards of a value."""


@dataclass(frozen=True, slots=True)
class Spread:
    """chances: net result per initial bet → its chance; `sd` their standard deviation, sd_se its
    standard error, 0 where `basis` is `exact`. (`standard_deviation` is exact always.)"""

    chances: Mapping[float, float]
    sd: float
    sd_se: float
    basis: Literal["exact", "simulated"]


def spread(analysis: Analysis, plan: Plan, ev: float) -> Spread:
    """The distribution of a play's net result; `ev` its exact mean."""
    chances: defaultdict[float, float] = defaultdict(float)
    square = variance = 0.0
    for net, chance in _unsplit(analysis, plan):
        chances[round(net, DIGITS)] += float(chance)
        square += float(chance) * net * net
    strata = list(_split_strata(analysis, plan))
    whole = sum(chance for _, _, chance in strata)
    for value, up, chance in strata:
        rounds = max(int(SPLIT_ROUNDS * chance / whole), STRATUM_MIN)
        nets = split_nets(analysis, plan, value, up, rounds)
        found, counts = np.unique(nets.round(DIGITS), return_counts=True)
        for net, count in zip(found, counts, strict=True):
            chances[float(net)] += chance * int(count) / rounds
        squares = nets * nets
        square += chance * float(squares.mean())
        variance += chance**2 * float(squares.var()) / rounds
    sd = math.sqrt(square - ev * ev)
    return Spread(
        dict(sorted((net, chance) for net, chance in chances.items() if chance > 0)),
        sd,
        math.sqrt(variance) / (2 * sd),
        "simulated" if strata else "exact",
    )


def standard_deviation(analysis: Analysis, plan: Plan, ev: float) -> float:
    """Of a play's net result, exactly; `ev` its mean."""
    square = sum(float(chance) * net * net for net, chance in _unsplit(analysis, plan))
    for value, up, chance in _split_strata(analysis, plan):
        live = float(analysis.live[compositions.number_of((value, value)), up])
        square += chance / live * split_square(analysis, plan, value, up)
    return math.sqrt(square - ev * ev)


def split_square(analysis: Analysis, plan: Plan, value: int, up: int) -> float:
    """The mean square of a split's net result, joint with the up card: of each hand by itself, and
    of every two hands together."""
    found = analysis.tables
    play = plan.plays[split_origin(value)]
    weights = splits.square_weights(found.hands_max[value])
    left = analysis.counts.copy()
    left[value] -= 2
    chances = splits.chances(float(left[value]), float(left.sum()), len(weights))
    levels = sum(chance > 0 for chance in chances)
    trie = dealer_trie(found.dealer_draws, value, 1 << up)

    def mean(drawn: Drawn) -> Floats:
        means = np.zeros(levels)
        fits = (drawn.cards <= left).all(axis=1)
        kernel.drawn_means(
            up,
            left,
            drawn.cards[fits],
            drawn.constant[fits],
            drawn.beating[fits],
            drawn.scale[fits],
            trie,
            found.peeks,
            means,
        )
        return means

    other, pair = (_ends(analysis, play, value, up, is_pair) for is_pair in (False, True))
    means = np.array(
        [
            mean(_squares(analysis, other)),
            mean(_squares(analysis, pair)),
            mean(_products(analysis, other, other)),
            mean(_products(analysis, other, pair)),
            mean(_products(analysis, pair, pair)),
        ]
    )
    return sum(
        chance * float(np.dot(weight, means[:, gone]))
        for gone, (chance, weight) in enumerate(zip(chances[:levels], weights, strict=False))
    )


class Drawn(NamedTuple):
    """Cards drawn and what they bring; the arguments of `kernel.drawn_means`."""

    cards: Ints
    constant: Floats
    beating: Floats
    scale: Floats


class Ends(NamedTuple):
    """The ends of a split hand: `arrays.Ends`, those that matter, with the cards drawn to each
    and what a stake that stands there brings back against 17 to 21."""

    cards: Ints
    fixed: Floats
    stood: Floats
    square: Floats
    tied: Floats
    back: Floats


def _ends(analysis: Analysis, play: Play, value: int, up: int, is_pair: bool) -> Ends:
    hands = analysis.hands
    fixed, stood, square, tied = np.zeros((4, len(hands.cards)))
    kernel.split_ends(value, up, is_pair, hands, play, arrays.Ends(fixed, stood, square, tied))
    here = np.flatnonzero(np.any([fixed, stood, square, tied], axis=0))
    cards = hands.counts[here].copy()
    cards[:, value] -= 1
    back = 2 - analysis.weight[analysis.kinds[here]]
    return Ends(cards, fixed[here], stood[here], square[here], tied[here], back)


def _squares(analysis: Analysis, ends: Ends) -> Drawn:
    """The square of one hand's result, by its ends."""
    ties = (ends.back == 1) * -ends.tied[:, None]
    return Drawn(ends.cards, ends.square, np.zeros(len(ties)), ties)


def _products(analysis: Analysis, first: Ends, second: Ends) -> Drawn:
    """The product of two hands' results, by all cards that the two have drawn together."""
    places = 1 << (PLACE_BITS * np.arange(VALUES))
    keys = (first.cards @ places)[:, None] + (second.cards @ places)[None, :]
    found, at = np.unique(keys.reshape(-1), return_inverse=True)
    at = at.reshape(-1)

    def gathered(pairs: Floats) -> Floats:
        sums: Floats = np.bincount(at, pairs.reshape(-1), len(found)).astype(np.float64)
        return sums

    both = np.outer(first.stood, second.stood)
    mine = np.outer(first.stood, second.fixed)
    its = np.outer(first.fixed, second.stood)
    beating = gathered(4 * both + 2 * (mine + its))
    scale = np.empty((len(found), first.back.shape[1]))
    for total in range(scale.shape[1]):
        back, other = first.back[:, total][:, None], second.back[:, total][None, :]
        scale[:, total] = beating - gathered(both * back * other + mine * back + its * other)
    cards = found[:, None] >> (PLACE_BITS * np.arange(VALUES)) & ((1 << PLACE_BITS) - 1)
    return Drawn(cards, gathered(np.outer(first.fixed, second.fixed)), beating, scale)


def split_nets(analysis: Analysis, plan: Plan, value: int, up: int, rounds: int) -> Floats:
    """Net results of simulated rounds in which this pair is split against this up card."""
    nets = np.empty(rounds)
    shoe = np.array(analysis.shoe.counts)
    shoe[value] -= 2
    shoe[up] -= 1
    found = analysis.tables
    kernel.split_rounds(
        value,
        up,
        found.hands_max[value],
        SEED + VALUES * value + up,
        shoe,
        analysis.hands,
        plan.plays[split_origin(value)],
        found.beaten,
        found.dealer_draws.astype(np.uint8),
        found.peeks,
        nets,
    )
    return nets


def _split_strata(analysis: Analysis, plan: Plan) -> Iterator[tuple[int, int, float]]:
    """Pair, up card, and the chance of a round in which the two are met and the pair is split."""
    for low, high, chance in analysis.first_hands():
        if low == high and low in analysis.pairs():
            live = analysis.live[compositions.number_of((low, low))]
            for up in np.flatnonzero(plan.split[low]):
                if live[up] > 0:
                    yield low, int(up), chance * float(live[up])


def _unsplit(analysis: Analysis, plan: Plan) -> Iterator[tuple[float, float]]:
    """Net results of rounds without a split, and their chances; results may come repeatedly."""
    hands, play = analysis.hands, plan.plays[FIRST]
    weight, doubled = np.zeros(analysis.live.shape), np.zeros(analysis.live.shape)
    for low, high, chance in analysis.first_hands():
        number = compositions.number_of((low, high))
        if (low, high) == (ACE, TEN):
            yield from _naturals(analysis, number, chance)
            continue
        found_natural = float((analysis.shown(number) - analysis.live[number]).sum())
        yield -1.0, chance * found_natural
        weight[number] = chance
        if low == high:
            weight[number] *= plan.split[low] == 0
    kernel.play_weights(analysis.counts, hands, play, weight, doubled)
    dealt = (hands.counts <= analysis.counts).all(axis=1) & (hands.cards >= 2)
    numbers = np.flatnonzero(dealt & (weight.any(axis=1) | doubled.any(axis=1)))
    win, push, lose = _outcomes(analysis)
    for number in map(int, numbers):
        live, once, twice = analysis.live[number], weight[number], doubled[number]
        if twice.any():
            stands = twice * (play.rescue[number] == 0)
            yield 2 * (GIVEN_UP - 1), float((twice - stands) @ live)
            yield 2.0, float(stands @ win[number])
            yield 0.0, float(stands @ push[number])
            yield -2.0, float(stands @ lose[number])
        if play.won[number] >= 0:
            yield float(play.won[number]), float(once @ live)
            continue
        choice = play.choice[number]
        stands = once * (choice == STAND)
        yield 1.0, float(stands @ win[number])
        yield 0.0, float(stands @ push[number])
        yield -1.0, float(stands @ lose[number])
        yield GIVEN_UP - 1, float((once * (choice == SURRENDER)) @ live)
        over = _over(analysis, number)
        yield -1.0, float((once * (choice == HIT)) @ over)
        yield -2.0, float((once * (choice == DOUBLE)) @ over)


def _naturals(analysis: Analysis, number: int, chance: float) -> Iterator[tuple[float, float]]:
    found = analysis.tables
    suited = 0.0
    if found.suited is not None:
        suited = analysis.shoe.suited[SUIT_NAMES.index(found.suited)]
    met = float(dealer_natural(analysis, number).sum())
    for odds, share in ((found.natural, 1 - suited), (found.natural_suited, suited)):
        yield odds, chance * share * (1 - met)
        yield odds * found.natural_meets_natural, chance * share * met


def _over(analysis: Analysis, number: int) -> Floats:
    """The chance that one more card takes a hand over 21, joint with the up card."""
    live = np.empty(VALUES)
    kernel.draw(analysis.counts, analysis.hands, number, analysis.live, live)
    found: Floats = analysis.live[number] - live
    return found


def _outcomes(analysis: Analysis) -> tuple[Floats, Floats, Floats]:
    """Chances of winning, pushing and losing for every hand that stands, by up card."""
    hands = analysis.hands
    rows = np.flatnonzero(analysis.stand.any(axis=1) & (hands.total >= FLOOR))
    ties = (analysis.weight == 1).astype(np.float64)
    sums = np.empty((1, len(rows), VALUES))
    trie = dealer_trie(analysis.tables.dealer_draws, ACE, analysis.ups)
    decks = analysis.counts - hands.counts[rows]
    kernel.dealer_sums(decks, analysis.kinds[rows], ties, trie, 1, sums)
    push = np.zeros(analysis.stand.shape)
    push[rows] = sums[0]
    net = analysis.stand - analysis.live
    win = (analysis.live - push + net) / 2
    return win, push, win - net
