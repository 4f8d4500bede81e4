"""A three-card game under a strategy, as the arrays by which `upcard.simulate.kernel` plays it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from upcard.maths.shoe import VALUES
from upcard.maths.threecard import HANDS, Values
from upcard.simulate.records import THREE, Record, record
from upcard.threecard import hand as hand_rules
from upcard.threecard.round import EVEN
from upcard.threecard.rules import Rules

Raises = Callable[[Values, int], bool]
"""Hand (what its cards count, rising) and up card (what it counts) → whether to raise."""


def threecards(rules: Rules, raises: Raises, ante: int) -> Record:
    """The arrays of a game for an ante of so many cents."""
    numbers = {hand: number for number, hand in enumerate(HANDS)}
    best = [hand_rules.best(rules, hand) for hand in HANDS]
    # Two hands that rank alike against every other are one end.
    nets = [[_net(rules, player, dealer, ante) for dealer in best] for player in best]
    ends: dict[tuple[int, ...], int] = {(-ante,) * len(HANDS): 0}
    end = [ends.setdefault((*row, 1), len(ends)) for row in map(tuple, nets)]
    columns: dict[tuple[int, ...], int] = {}
    dealer_end = [columns.setdefault(column, len(columns)) for column in zip(*nets, strict=True)]
    pay = np.zeros((len(ends), len(columns)), np.int64)
    pay[0] = -ante
    for player, row in enumerate(nets):
        for dealer, net in enumerate(row):
            pay[end[player], dealer_end[dealer]] = net
    hands = [numbers[_rising(three)] for three in product(VALUES, repeat=len(HANDS[0]))]
    raised = [raises(hand, up) for hand in HANDS for up in VALUES]
    return record(
        THREE,
        hand=np.array(hands),
        raises=np.array(raised, np.uint8),
        end=np.array(end),
        dealer_end=np.array(dealer_end),
        dealer_ends=len(columns),
        ends=len(ends),
        pay=pay.reshape(-1),
        stake=np.array([ante] + [2 * ante] * (len(ends) - 1)),
    )


def _rising(values: tuple[int, ...]) -> Values:
    return tuple(sorted(values))


def _net(rules: Rules, player: hand_rules.Best, dealer: hand_rules.Best, ante: int) -> int:
    """What ante and raise win together; a raise is as much as the ante (C-06)."""
    won = {"win": EVEN.paid(ante) - ante, "push": 0, "lose": -ante}
    found = hand_rules.outcome(rules, player, dealer)
    return won[found.ante] + won[found.raise_]
