"""How many hands a split makes, and what they are worth together, by inclusion and exclusion.

Splits are valued as a CDZ- player plays them (zero memory): each hand follows the play of the same
hand not split, with the options it then has; a pair whose play is to split is split again while
the rules allow. Then what a hand does depends on its own cards alone, and since the shoe is
exchangeable, every hand may be thought to draw from the top of it. Its mean depends only on what
is known of the second cards: so many were pair cards and were split, so many hands are done with
another second card, and the rest, at the limit, may have any.

A hand known to have another second card is worth A'_j, one that may have any A_j, where j further
pair cards are missing from the shoe. That *other* hands' second cards are no pair cards is taken
care of by  Π (1 - [card is a pair card]),  which expands into terms with more pair cards missing.
So a split is  Σ_j P_j (a_j A_j + b_j A'_j)  with P_j the chance that j given cards are pair cards,
and whole numbers a_j, b_j that depend on the greatest number of hands alone.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import comb


@lru_cache(maxsize=16)
def weights(hands_max: int) -> tuple[tuple[int, int], ...]:
    """(a_j, b_j) for j = 0, 1, ... of a split that may grow to so many hands."""
    assert hands_max >= 2, f"{hands_max} hands are no split"
    any_card: Counter[int] = Counter()
    other_card: Counter[int] = Counter()
    for (open_hands, done, pairs), ways in _ends(hands_max).items():
        for excluded in range(done + 1):
            sign = (-1) ** excluded
            any_card[pairs + excluded] += sign * comb(done, excluded) * ways * open_hands
        for excluded in range(done):
            sign = (-1) ** excluded
            other_card[pairs + excluded] += sign * comb(done - 1, excluded) * ways * done
    found = [(any_card[j], other_card[j]) for j in range(max({*any_card, *other_card}) + 1)]
    while found[-1] == (0, 0):
        found.pop()
    return tuple(found)


def _ends(hands_max: int) -> Counter[tuple[int, int, int]]:
    """How a split may end: (hands with any second card, hands with another, pair cards split
    again) → in how many orders. Second cards are looked at one by one."""
    ends: Counter[tuple[int, int, int]] = Counter()
    going = Counter({(2, 0, 0): 1})
    while going:
        later: Counter[tuple[int, int, int]] = Counter()
        for (open_hands, done, pairs), ways in going.items():
            if open_hands == 0 or open_hands + done == hands_max:
                ends[open_hands, done, pairs] += ways
            else:
                later[open_hands + 1, done, pairs + 1] += ways
                later[open_hands - 1, done + 1, pairs] += ways
        going = later
    return ends


def chances(pair_cards: float, cards: float, levels: int) -> list[float]:
    """P_j for j < levels, with so many pair cards among so many cards left after the first two."""
    found = [1.0]
    for gone in range(levels - 1):
        left = max(pair_cards - gone, 0.0)
        found.append(found[-1] * (left / (cards - gone) if left else 0.0))
    return found


@lru_cache(maxsize=16)
def square_weights(hands_max: int) -> tuple[tuple[int, int, int, int, int], ...]:
    """For j = 0, 1, ... how often the square of a split's result counts, with j pair cards gone:
    the square of a hand whose second card is no pair card, and of one where it is; the product of
    two hands of which neither, one, and both have a pair card as second card."""
    found: Counter[tuple[int, int]] = Counter()

    def add(pairs: int, others: int, terms: tuple[int, ...]) -> None:
        for excluded in range(others + 1):
            sign = (-1) ** excluded * comb(others, excluded)
            for at, count in enumerate(terms):
                found[pairs + excluded, at] += sign * count

    for (going, done, pairs), ways in _ends(hands_max).items():
        both = ways * going * (going - 1)
        add(pairs, done, (ways * going, ways * going, both, 2 * both, both))
        if done:
            mixed = 2 * ways * going * done
            add(pairs, done - 1, (ways * done, 0, mixed, mixed, 0))
        if done > 1:
            add(pairs, done - 2, (0, 0, ways * done * (done - 1), 0, 0))
    levels = 1 + max(j for (j, _), count in found.items() if count)
    return tuple(
        (found[j, 0], found[j, 1], found[j, 2], found[j, 3], found[j, 4]) for j in range(levels)
    )
