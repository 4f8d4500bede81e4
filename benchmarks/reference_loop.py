"""A plain compiled loop that plays blackjack, for a machine's pace: what one would write first.

One spot, six decks, no splits: two cards each, a natural, hit or stand or double by a table, the
dealer, a comparison. Cards are drawn evenly from a whole shoe as if it were never used up, with one
xorshift word each. It shuffles nothing, counts nothing but the net, and knows no surrender, side
bet or split. The simulator is measured beside it, so that a figure means something elsewhere too.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np


@numba.njit(nogil=True)
def _card(state: Any) -> Any:
    word = state[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    state[0] = word
    rank = np.int64((word >> np.uint64(32)) * np.uint64(13) >> np.uint64(32)) + 1
    return min(rank, 10)


@numba.njit(nogil=True)
def _total(hard: Any, ace: Any) -> Any:
    return hard + 10 if ace and hard <= 11 else hard


@numba.njit(nogil=True)
def plain_rounds(rounds: Any, seed: Any, hits: Any, doubles: Any) -> Any:
    """The sum of nets, in half bets; hits and doubles[soft, total, up card]."""
    state = np.full(1, seed, np.uint64)
    net = 0
    for _ in range(rounds):
        first, up, second, hole = _card(state), _card(state), _card(state), _card(state)
        hard, ace = first + second, first == 1 or second == 1
        dealer, dealer_ace = up + hole, up == 1 or hole == 1
        natural, met = _total(hard, ace) == 21, _total(dealer, dealer_ace) == 21
        if natural or met:
            net += 3 * natural - (2 + natural) * met
            continue
        stake, total = 2, _total(hard, ace)
        if doubles[int(total != hard), total, up]:
            card = _card(state)
            hard, ace, stake = hard + card, ace or card == 1, 4
            total = _total(hard, ace)
        else:
            while total <= 21 and hits[int(total != hard), total, up]:
                card = _card(state)
                hard, ace = hard + card, ace or card == 1
                total = _total(hard, ace)
        if total > 21:
            net -= stake
            continue
        shown = _total(dealer, dealer_ace)
        while shown < 17:
            card = _card(state)
            dealer, dealer_ace = dealer + card, dealer_ace or card == 1
            shown = _total(dealer, dealer_ace)
        if shown > 21 or total > shown:
            net += stake
        elif total < shown:
            net -= stake
    return net
