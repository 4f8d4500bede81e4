"""The compiled part of the solver: loops over hands, up cards and the dealer's hands.

Everything that runs as machine code is in this one file, for numba's cache on disk notices an
edit in the file of a function and nowhere else. Rules come in as arrays; nothing here is a rule
and no global is one.

**The joint measure.** All values are joint with the up card: V[L, u] is the mean of a result over
the rounds in which the player's cards are L and the up card is u, divided by the chance of L alone.
The shoe being exchangeable, the up card may be thought to come after the player's cards. So one
and the same chance c_v / n of drawing v from the n cards not in the hand serves all up cards, no
draw is conditioned on anything, and a dealer natural found by the peek is simply left out of V.
`live[L, u]` is the chance of being in play: of the up card u and, where the dealer peeks, of no
natural; it is what a bet that is settled before the dealer plays is multiplied by.

**Returns.** Hands are valued by what comes back: a bust hand brings 0. A hand doubled and then
over 21 has lost two stakes, one more than it began with; so a double is worth the return on both
stakes less one stake.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

from upcard.maths.arrays import (
    Bits,
    Cells,
    Choices,
    DealerTrie,
    Ends,
    Floats,
    Hands,
    Ints,
    Play,
)

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Machine code, made on the first call and kept on disk if there is a place; same type."""
    try:
        return cast(F, _njit(cache=True)(function))
    except RuntimeError:
        # Neither beside this file nor in the user's cache may anything be written.
        return cast(F, _njit(cache=False)(function))


def _njit(*, cache: bool) -> Callable[[Any], Any]:
    return numba.njit(cache=cache, error_model="numpy", fastmath={"contract"})


LANES = 64
"""Hands for which the dealer's trie is walked at once: as many as make the compiler use vectors."""
UPS = 10
DEPTH = 22
"""More than the cards of any hand that is not over 21."""


@compiled
def preorder(hands: Hands, order: Ints, total: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """All hands but the empty one, each after the hand without its last card.

    `order` runs from the last value to the first. Gives the hands, their last cards, the place
    after all that is below each, and the highest total[n] at or below each.
    """
    size = len(hands.cards) - 1
    path, added = np.empty(size, np.int64), np.empty(size, np.int64)
    above, best = np.empty(size, np.int64), np.empty(size, np.int64)
    place, at = np.zeros(DEPTH, np.int64), np.zeros(DEPTH, np.int64)
    hand = np.zeros(DEPTH, np.int64)
    depth, filled = 0, 0
    at[0] = len(order) - 1
    while depth >= 0:
        if at[depth] < 0:
            if depth > 0:
                here = place[depth]
                above[here] = filled
                if depth > 1:
                    over = place[depth - 1]
                    best[over] = max(best[over], best[here])
            depth -= 1
            continue
        value = order[at[depth]]
        longer = hands.after[hand[depth], value]
        at[depth] -= 1
        if longer >= 0:
            at[depth + 1] = at[depth] + 1
            depth += 1
            hand[depth], place[depth] = longer, filled
            path[filled], added[filled], best[filled] = longer, value, total[longer]
            filled += 1
    return path, added, above, best


# The dealer


@compiled
def dealer_sums(
    decks: Floats, kind: Ints, weight: Floats, trie: DealerTrie, levels: int, sums: Floats
) -> None:
    """sums[j, i, u] = Σ weight[kind[i], total] · chance that a dealer whose cards come from
    decks[i] less j cards of the value set apart shows u and ends with that total (no natural).

    decks[i] holds the up card too. Kinds are served in turn, so rows need no order.
    """
    rows = np.empty(len(kind), np.int64)
    filled = 0
    for k in range(weight.shape[0]):
        for i in range(len(kind)):
            if kind[i] == k:
                rows[filled] = i
                filled += 1
    counts, scale = np.empty((UPS, LANES)), np.empty((weight.shape[1], LANES))
    product, weighted = np.empty((DEPTH, LANES)), np.empty(LANES)
    kept = np.empty((len(trie.slots), LANES))
    for start in range(0, len(kind), LANES):
        here = rows[start : start + LANES]
        counts[:] = 0.0
        scale[:] = 0.0
        for lane in range(len(here)):
            for v in range(UPS):
                counts[v, lane] = decks[here[lane], v]
            for total in range(weight.shape[1]):
                scale[total, lane] = weight[kind[here[lane]], total]
        _walk(counts, scale, trie, product, weighted, kept)
        for j in range(levels):
            _gather(counts, kept, trie, here, sums[j])
            for lane in range(len(here)):
                counts[trie.apart, lane] -= 1.0


@compiled
def _walk(
    counts: Floats,
    scale: Floats,
    trie: DealerTrie,
    product: Floats,
    weighted: Floats,
    kept: Floats,
) -> None:
    """kept[s] = Σ scale · ways · product over the finished hands of slot s, in every lane."""
    least = 0
    while least < len(scale) and not scale[least].any():
        least += 1
    kept[:] = 0.0
    product[0] = 1.0
    node, nodes = 0, len(trie.depth)
    while node < nodes:
        total = trie.total[node]
        if trie.best[node] < least:
            node = trie.skip[node]
            continue
        at, v = trie.product[node], trie.value[node]
        if v != trie.apart:
            had = float(trie.had[node])
            for lane in range(LANES):
                product[at, lane] = product[at - 1, lane] * (counts[v, lane] - had)
        if total >= least:
            for lane in range(LANES):
                weighted[lane] = product[at, lane] * scale[total, lane]
            for way in range(trie.first[node], trie.last[node]):
                ways, slot = trie.ways[way], trie.slot[way]
                for lane in range(LANES):
                    kept[slot, lane] += ways * weighted[lane]
        node += 1


@compiled
def _gather(counts: Floats, kept: Floats, trie: DealerTrie, rows: Ints, sums: Floats) -> None:
    """Multiply what was kept by the factors of the value set apart, divide by those of all cards.

    Slots are sorted, so that the two factors change seldom.
    """
    size, into, factor = np.zeros(LANES), np.zeros((UPS, LANES)), np.ones(LANES)
    for v in range(UPS):
        for lane in range(LANES):
            size[lane] += counts[v, lane]
    apart, cards = -1, -1
    for slot in range(len(trie.slots)):
        if trie.slots[slot, 0] != apart or trie.slots[slot, 1] != cards:
            apart, cards = trie.slots[slot, 0], trie.slots[slot, 1]
            _factor(counts[trie.apart], size, apart, cards, factor)
        up = trie.slots[slot, 2]
        for lane in range(LANES):
            into[up, lane] += factor[lane] * kept[slot, lane]
    for lane in range(len(rows)):
        for u in range(UPS):
            sums[rows[lane], u] = into[u, lane]


@compiled
def _factor(counts: Floats, size: Floats, apart: int, cards: int, factor: Floats) -> None:
    """falling(counts, apart) / falling(size, cards) in every lane, 0 where cards are lacking."""
    for lane in range(LANES):
        factor[lane] = 1.0 if size[lane] >= cards else 0.0
    for had in range(apart):
        for lane in range(LANES):
            factor[lane] *= counts[lane] - had
    for had in range(cards):
        for lane in range(LANES):
            factor[lane] /= max(size[lane] - had, 1.0)


@compiled
def chances(decks: Floats, peeks: bool, live: Floats, hidden: Floats) -> None:
    """live[i, u] as the module says, and hidden[i, u]: the chance of u up and a dealer natural
    that nobody looked for. decks[i] holds the up card too."""
    for i in range(len(decks)):
        _chances(decks[i], peeks, live[i], hidden[i])


@compiled
def _chances(deck: Floats, peeks: bool, live: Floats, hidden: Floats) -> None:
    size = 0.0
    for v in range(UPS):
        size += deck[v]
    for u in range(UPS):
        live[u] = deck[u] / size if size > 0.0 else 0.0
        hidden[u] = 0.0
    if size >= 2.0:
        natural = deck[0] * deck[UPS - 1] / (size * (size - 1.0))
        changed = live if peeks else hidden
        changed[0] += -natural if peeks else natural
        changed[UPS - 1] += -natural if peeks else natural


# The best play of one hand


@compiled
def best_play(
    shoe: Floats,
    hands: Hands,
    options: Bits,
    stand: Floats,
    live: Floats,
    play: Play,
    value: Floats,
    doubled: Floats,
) -> None:
    """Backward induction for hands of one origin, splits left out.

    options[doubled, cards, hard, ace]; stand[n, u]: return of standing; live[n, u]. Fills the
    choices of `play`; value[n, u], the return per stake; doubled[n, u], that of a doubled hand
    (two stakes down).
    """
    hit = np.empty(UPS)
    double = np.empty(UPS)
    for n in range(len(hands.cards) - 1, -1, -1):
        cards, hard, ace = hands.cards[n], hands.hard[n], hands.ace[n]
        if cards < 2:
            continue
        _best_doubled(
            (options[1, cards, hard, ace] >> 5) & 1, stand[n], live[n], doubled[n], play.rescue[n]
        )
        allowed = options[0, cards, hard, ace]
        if play.won[n] >= 0.0:
            value[n] = (1.0 + play.won[n]) * live[n]
            play.choice[n] = 0
            continue
        hit[:] = -np.inf
        double[:] = -np.inf
        if (allowed >> 1) & 1:
            draw(shoe, hands, n, value, hit)
        if (allowed >> 2) & 1:
            draw(shoe, hands, n, doubled, double)
        may_surrender = (allowed >> 4) & 1
        _best_choice(stand[n], hit, double, may_surrender, live[n], value[n], play.choice[n])


@compiled
def _best_doubled(
    may_rescue: int, stand: Floats, live: Floats, doubled: Floats, rescue: Choices
) -> None:
    for u in range(UPS):
        doubled[u] = 2.0 * stand[u]
        rescue[u] = 0
        if may_rescue and live[u] > doubled[u]:
            doubled[u] = live[u]
            rescue[u] = 1


@compiled
def _best_choice(
    stand: Floats,
    hit: Floats,
    double: Floats,
    may_surrender: int,
    live: Floats,
    value: Floats,
    choice: Choices,
) -> None:
    for u in range(UPS):
        best, chosen = stand[u], 0
        if hit[u] > best:
            best, chosen = hit[u], 1
        if double[u] - live[u] > best:
            best, chosen = double[u] - live[u], 2
        if may_surrender and 0.5 * live[u] > best:
            best, chosen = 0.5 * live[u], 4
        value[u] = best
        choice[u] = chosen


@compiled
def draw(shoe: Floats, hands: Hands, n: int, value: Floats, drawn: Floats) -> None:
    """drawn[u]: the mean of value[., u] after one more card to hand n; over 21 counts 0."""
    size = 0.0
    for v in range(UPS):
        size += shoe[v] - hands.counts[n, v]
    drawn[:] = 0.0
    for v in range(UPS):
        longer = hands.after[n, v]
        left = shoe[v] - hands.counts[n, v]
        if longer >= 0 and left > 0.0:
            chance = left / size
            for u in range(UPS):
                drawn[u] += chance * value[longer, u]


# A given play, valued; pair cards may be missing from the shoe


@compiled
def reach(
    start: int, ups: int, hands: Hands, play: Play, reached: Ints, doubled: Ints, stands: Ints
) -> None:
    """Which hands a play comes to from one that draws: sets of up cards as bits.

    `ups` are the up cards to look at. Fills reached[n], doubled[n] (with a doubled hand), and
    stands[n] (where some hand, doubled or not, stands).
    """
    reached[:] = 0
    doubled[:] = 0
    stands[:] = 0
    reached[start] = ups
    for n in range(start, len(hands.cards)):
        if doubled[n] != 0:
            stands[n] |= doubled[n] & _bits(play.rescue[n], 0)
        if reached[n] == 0 or (n != start and play.won[n] >= 0.0):
            continue
        hits, doubles = ups, 0
        if n != start:
            stands[n] |= reached[n] & _bits(play.choice[n], 0)
            hits = reached[n] & _bits(play.choice[n], 1)
            doubles = reached[n] & _bits(play.choice[n], 2)
        if hits or doubles:
            for v in range(UPS):
                longer = hands.after[n, v]
                if longer >= 0:
                    reached[longer] |= hits
                    doubled[longer] |= doubles


@compiled
def _bits(choice: Choices, chosen: int) -> int:
    """The up cards against which a choice is made."""
    found = 0
    for u in range(UPS):
        if choice[u] == chosen:
            found |= 1 << u
    return found


@compiled
def split_hand(
    pair: int,
    ups: int,
    levels: int,
    shoe: Floats,
    hands: Hands,
    play: Play,
    kind: Ints,
    weight: Floats,
    trie: DealerTrie,
    peeks: bool,
    means: Floats,
) -> None:
    """One hand of a split: a card of value `pair`, then a second one, then the given play.

    Fills means[j, m, u] for j further pair cards missing from the shoe, joint with the up card:
    m = 0 the net result, 1 the same over second cards other than the pair's, 2 and 3 the stake
    likewise. `trie` has the pair's value set apart.
    """
    size = len(hands.cards)
    start = hands.after[0, pair]
    reached, doubled = np.empty(size, np.int64), np.empty(size, np.int64)
    stands = np.empty(size, np.int64)
    reach(start, ups, hands, play, reached, doubled, stands)
    stood = np.flatnonzero(stands)
    acts = _acting(start, hands, play, reached)
    missing = shoe.copy()
    missing[pair] -= 1.0
    decks, kinds = np.empty((len(stood), UPS)), np.empty(len(stood), np.int64)
    for i in range(len(stood)):
        kinds[i] = kind[stood[i]]
        for v in range(UPS):
            decks[i, v] = missing[v] - hands.counts[stood[i], v]
    sums = np.empty((levels, len(stood), UPS))
    dealer_sums(decks, kinds, weight, trie, levels, sums)
    live, hidden, room = np.empty(UPS), np.empty(UPS), np.empty((6, UPS))
    # No rubbish: a hand that stands adds its longer hands' values too, times nothing.
    stand, value, extra = np.zeros((size, UPS)), np.zeros((size, UPS)), np.zeros((size, UPS))
    for j in range(levels):
        for i in range(len(stood)):
            _chances(decks[i], peeks, live, hidden)
            decks[i, pair] -= 1.0
            for u in range(UPS):
                stand[stood[i], u] = 2.0 * (live[u] - hidden[u]) - sums[j, i, u]
                value[stood[i], u] = stand[stood[i], u]
        for at in range(len(acts) - 1, -1, -1):
            _play_on(acts[at], missing, hands, play, stand, peeks, value, extra, room)
        _second_card(pair, missing, hands, value, extra, peeks, means[j])
        missing[pair] -= 1.0


@compiled
def _acting(start: int, hands: Hands, play: Play, reached: Ints) -> Ints:
    """The hands come to after `start` that do not merely stand, rising."""
    acts = np.empty(len(hands.cards), np.int64)
    found = 0
    for n in range(start + 1, len(hands.cards)):
        if reached[n] & ~_bits(play.choice[n], 0) or (reached[n] and play.won[n] >= 0.0):
            acts[found] = n
            found += 1
    return acts[:found]


@compiled
def _play_on(
    n: int,
    shoe: Floats,
    hands: Hands,
    play: Play,
    stand: Floats,
    peeks: bool,
    value: Floats,
    extra: Floats,
    room: Floats,
) -> None:
    """value[n], the return of a hand as it is played, and extra[n], the stake it will add.

    `room` is six rows to work in.
    """
    deck, live, hidden, hits, doubles = room[0], room[1], room[2], room[3], room[4]
    size = 0.0
    for v in range(UPS):
        deck[v] = shoe[v] - hands.counts[n, v]
        size += deck[v]
    made = _made(play.choice[n], size, stand[n], hits, doubles, value[n])
    extra[n] = 0.0
    any_hit, any_double = (made >> 1) & 1, (made >> 2) & 1
    if play.won[n] >= 0.0 or made >> 2:
        _chances(deck, peeks, live, hidden)
        _settle(n, play, live, value[n], extra[n])
    if play.won[n] >= 0.0 or not (any_hit or any_double):
        return
    for v in range(UPS):
        longer = hands.after[n, v]
        if longer < 0 or deck[v] <= 0.0:
            continue
        if any_hit:
            for u in range(UPS):
                value[n, u] += deck[v] * hits[u] * value[longer, u]
                extra[n, u] += deck[v] * hits[u] * extra[longer, u]
        if any_double:
            _doubled(longer, v, deck, play, stand, peeks, live, hidden, room[5])
            for u in range(UPS):
                value[n, u] += deck[v] * doubles[u] * room[5, u]


@compiled
def _made(
    choice: Choices, size: float, stand: Floats, hits: Floats, doubles: Floats, value: Floats
) -> int:
    """The choices made against any up card, as bits; where each draws, and what stands."""
    made = 0
    for u in range(UPS):
        made |= 1 << choice[u]
        hits[u] = 1.0 / size if choice[u] == 1 else 0.0
        doubles[u] = 1.0 / size if choice[u] == 2 else 0.0
        value[u] = stand[u] if choice[u] == 0 else 0.0
    return made


@compiled
def _settle(n: int, play: Play, live: Floats, value: Floats, extra: Floats) -> None:
    """What is settled at once: a win by itself, a surrender, the second stake of a double."""
    for u in range(UPS):
        if play.won[n] >= 0.0:
            value[u] = (1.0 + play.won[n]) * live[u]
        elif play.choice[n, u] == 4:
            value[u] = 0.5 * live[u]
        elif play.choice[n, u] == 2:
            value[u] = -live[u]
            extra[u] = live[u]


@compiled
def _doubled(
    n: int,
    added: int,
    deck: Floats,
    play: Play,
    stand: Floats,
    peeks: bool,
    live: Floats,
    hidden: Floats,
    back: Floats,
) -> None:
    """back[u]: what comes back of two stakes on hand n, its last card still in `deck`."""
    deck[added] -= 1.0
    _chances(deck, peeks, live, hidden)
    deck[added] += 1.0
    for u in range(UPS):
        back[u] = live[u] if play.rescue[n, u] else 2.0 * stand[n, u]


@compiled
def _second_card(
    pair: int,
    shoe: Floats,
    hands: Hands,
    value: Floats,
    extra: Floats,
    peeks: bool,
    means: Floats,
) -> None:
    """The second card of a split hand, whatever it is and other than the pair's."""
    start = hands.after[0, pair]
    deck, live, hidden = np.empty(UPS), np.empty(UPS), np.empty(UPS)
    size = 0.0
    for v in range(UPS):
        deck[v] = shoe[v] - hands.counts[start, v]
        size += deck[v]
    means[:] = 0.0
    for v in range(UPS):
        longer = hands.after[start, v]
        if deck[v] <= 0.0:
            continue
        chance = deck[v] / size
        deck[v] -= 1.0
        _chances(deck, peeks, live, hidden)
        deck[v] += 1.0
        for u in range(UPS):
            net = chance * (value[longer, u] - live[u])
            stake = chance * (extra[longer, u] + live[u])
            means[0, u] += net
            means[2, u] += stake
            if v != pair:
                means[1, u] += net
                means[3, u] += stake


@compiled
def play_values(
    shoe: Floats,
    hands: Hands,
    play: Play,
    stand: Floats,
    peeks: bool,
    value: Floats,
    extra: Floats,
) -> None:
    """value[n, u], the return of every hand of two cards or more as it is played, splits left
    out, and extra[n, u], the stake it will add by doubling."""
    room = np.empty((6, UPS))
    for n in range(len(hands.cards) - 1, -1, -1):
        if hands.cards[n] >= 2:
            _play_on(n, shoe, hands, play, stand, peeks, value, extra, room)


# Total-dependent play


@compiled
def charted(allowed: int, hit: int, double: int, surrender: int) -> int:
    """The choice of a hand that may do `allowed` (bits) when its cell says so much."""
    if surrender and (allowed >> 4) & 1:
        return 4
    if double and (allowed >> 2) & 1:
        return 2
    if hit and (allowed >> 1) & 1:
        return 1
    return 0


@compiled
def draws(
    shoe: Floats, hands: Hands, value: Floats, doubled: Floats, hit: Floats, double: Floats
) -> None:
    """hit[n, u] and double[n, u]: means of `value` and of `doubled` after one more card."""
    for n in range(len(hands.cards)):
        if hands.cards[n] >= 2:
            draw(shoe, hands, n, value, hit[n])
            draw(shoe, hands, n, doubled, double[n])


@compiled
def chart_gains(
    up: int,
    shoe: Floats,
    hands: Hands,
    within: Ints,
    stand: Floats,
    won: Floats,
    options: Bits,
    peeks: bool,
    cells: Cells,
    weight: Floats,
    gains: Floats,
) -> float:
    """The net result of a chart over weighted hands, and what changing one entry would gain.

    within: hands that can come up, rising; stand[n]; weight[n]: how often hand n is dealt (it is
    used up). Adds to gains[c, s] what cell c would gain by the setting s = hit + 2 double +
    4 surrender, and to gains[c, 8] what it would gain by the other rescue, all else as it is.
    Exact, since no hand comes back to its cell.
    """
    size = len(hands.cards)
    deck, live, hidden = np.empty(UPS), np.empty(UPS), np.empty(UPS)
    value, doubled = np.zeros(size), np.zeros(size)
    alive, hit, double = np.zeros(size), np.zeros(size), np.zeros(size)
    total = 0.0
    for at in range(len(within) - 1, -1, -1):
        n = within[at]
        left = 0.0
        for v in range(UPS):
            deck[v] = shoe[v] - hands.counts[n, v]
            left += deck[v]
        _chances(deck, peeks, live, hidden)
        alive[n] = live[up]
        for v in range(UPS):
            longer = hands.after[n, v]
            if longer >= 0 and deck[v] > 0.0:
                hit[n] += deck[v] / left * value[longer]
                double[n] += deck[v] / left * doubled[longer]
        double[n] -= alive[n]
        place = (hands.cards[n], hands.hard[n], hands.ace[n])
        cell = cells.of[n]
        rescued = cells.rescue[cell] and (options[1, place[0], place[1], place[2]] >> 5) & 1
        doubled[n] = alive[n] if rescued else 2.0 * stand[n]
        allowed = options[0, place[0], place[1], place[2]]
        if won[n] >= 0.0:
            value[n] = (1.0 + won[n]) * alive[n]
        else:
            chosen = charted(allowed, cells.hit[cell], cells.double[cell], cells.surrender[cell])
            value[n] = _chosen(chosen, n, stand, hit, double, alive)
        total += weight[n] * (value[n] - alive[n])
    _gains(shoe, hands, within, stand, won, options, cells, weight, hit, double, alive, gains)
    return total


@compiled
def _chosen(
    chosen: int, n: int, stand: Floats, hit: Floats, double: Floats, alive: Floats
) -> float:
    if chosen == 0:
        return float(stand[n])
    if chosen == 1:
        return float(hit[n])
    if chosen == 2:
        return float(double[n])
    return float(0.5 * alive[n])


@compiled
def _gains(
    shoe: Floats,
    hands: Hands,
    within: Ints,
    stand: Floats,
    won: Floats,
    options: Bits,
    cells: Cells,
    weight: Floats,
    hit: Floats,
    double: Floats,
    alive: Floats,
    gains: Floats,
) -> None:
    """Carry the weights from hand to hand, and weigh what each entry's change would bring."""
    doubled = np.zeros(len(weight))
    for at in range(len(within)):
        n = within[at]
        cell = cells.of[n]
        place = (hands.cards[n], hands.hard[n], hands.ace[n])
        if doubled[n] != 0.0 and (options[1, place[0], place[1], place[2]] >> 5) & 1:
            change = alive[n] - 2.0 * stand[n]
            gains[cell, 8] += doubled[n] * (-change if cells.rescue[cell] else change)
        if weight[n] == 0.0 or won[n] >= 0.0:
            continue
        allowed = options[0, place[0], place[1], place[2]]
        chosen = charted(allowed, cells.hit[cell], cells.double[cell], cells.surrender[cell])
        now = _chosen(chosen, n, stand, hit, double, alive)
        for setting in range(8):
            other = charted(allowed, setting & 1, (setting >> 1) & 1, setting >> 2)
            if other != chosen:
                then = _chosen(other, n, stand, hit, double, alive)
                gains[cell, setting] += weight[n] * (then - now)
        if chosen == 1 or chosen == 2:
            into = weight if chosen == 1 else doubled
            left = 0.0
            for v in range(UPS):
                left += shoe[v] - hands.counts[n, v]
            for v in range(UPS):
                longer = hands.after[n, v]
                count = shoe[v] - hands.counts[n, v]
                if longer >= 0 and count > 0.0:
                    into[longer] += weight[n] * count / left


# How results are distributed


@compiled
def play_weights(shoe: Floats, hands: Hands, play: Play, weight: Floats, doubled: Floats) -> None:
    """Carry weight[n, u], how often hands of two cards are dealt, through a play.

    Afterwards weight[n, u] says how often hand n is come to, and doubled[n, u] how often with two
    stakes on it.
    """
    for n in range(len(hands.cards)):
        if play.won[n] >= 0.0 or hands.cards[n] < 2:
            continue
        size = 0.0
        for v in range(UPS):
            size += shoe[v] - hands.counts[n, v]
        for v in range(UPS):
            longer = hands.after[n, v]
            left = shoe[v] - hands.counts[n, v]
            if longer < 0 or left <= 0.0:
                continue
            for u in range(UPS):
                if play.choice[n, u] == 1:
                    weight[longer, u] += weight[n, u] * left / size
                elif play.choice[n, u] == 2:
                    doubled[longer, u] += weight[n, u] * left / size


@compiled
def split_rounds(
    pair: int,
    up: int,
    hands_max: int,
    seed: int,
    shoe: Ints,
    hands: Hands,
    play: Play,
    beaten: Floats,
    dealer_draws: Bits,
    peeks: bool,
    nets: Floats,
) -> None:
    """Play rounds in which a pair is split, for as many as `nets` has room: their net results.

    `shoe` lacks the pair and the up card. Where the dealer peeks he has no natural.
    """
    np.random.seed(seed)
    deck = np.empty(UPS, np.int64)
    totals, stakes = np.empty(hands_max, np.int64), np.empty(hands_max)
    for at in range(len(nets)):
        hole = -1
        while hole < 0 or (peeks and min(up, hole) == 0 and max(up, hole) == UPS - 1):
            deck[:] = shoe
            hole = _take(deck)
        net, stood, made, waiting = 0.0, 0, 2, 2
        while waiting > 0:
            waiting -= 1
            second = _take(deck)
            if second == pair and made < hands_max:
                made += 1
                waiting += 2
                continue
            n = hands.after[hands.after[0, pair], second]
            settled, total, stake = _play_out(n, up, deck, hands, play)
            net += settled
            if stake > 0.0:
                totals[stood], stakes[stood] = total, stake
                stood += 1
        if stood:
            dealer = _dealer_total(up, hole, deck, hands, dealer_draws)
            for hand in range(stood):
                if dealer < 0:
                    net -= stakes[hand]
                elif dealer == 0:
                    net += stakes[hand]
                else:
                    net += stakes[hand] * (1.0 - beaten[totals[hand], dealer])
        nets[at] = net


@compiled
def _take(deck: Ints) -> int:
    """The value of a card taken from a shoe at random."""
    size = 0
    for v in range(UPS):
        size += deck[v]
    place = np.random.randint(0, size)
    for v in range(UPS - 1, -1, -1):
        place -= deck[v]
        if place < 0:
            deck[v] -= 1
            return v
    raise AssertionError("the shoe has run out")


@compiled
def _play_out(n: int, up: int, deck: Ints, hands: Hands, play: Play) -> tuple[float, int, float]:
    """One hand to its end: the net of one that is settled; total and stake of one that stands."""
    while True:
        if play.won[n] >= 0.0:
            return play.won[n], 0, 0.0
        chosen = play.choice[n, up]
        if chosen == 0:
            return 0.0, hands.total[n], 1.0
        if chosen == 4:
            return -0.5, 0, 0.0
        n = hands.after[n, _take(deck)]
        stake = float(chosen)
        if n < 0:
            return -stake, 0, 0.0
        if chosen == 2:
            if play.rescue[n, up]:
                return -1.0, 0, 0.0
            return 0.0, hands.total[n], 2.0


@compiled
def _dealer_total(up: int, hole: int, deck: Ints, hands: Hands, dealer_draws: Bits) -> int:
    """The dealer's total, 0 if over 21, -1 for a natural."""
    n = hands.after[hands.after[0, up], hole]
    if hands.total[n] == hands.total[-1] and hands.cards[n] == 2:
        return -1
    while n >= 0 and dealer_draws[hands.hard[n], hands.ace[n]]:
        n = hands.after[n, _take(deck)]
    return hands.total[n] if n >= 0 else 0


# Squares of what a split brings


@compiled
def split_ends(pair: int, up: int, is_pair: bool, hands: Hands, play: Play, ends: Ends) -> None:
    """The ends of hands whose second card is the pair's (`is_pair`), or of those with another."""
    size = len(hands.cards)
    ways, doubled = np.zeros(size), np.zeros(size)
    for v in range(UPS):
        if (v == pair) == is_pair:
            second = hands.after[hands.after[0, pair], v]
            ways[second] = 1.0
            ends.fixed[second] -= 1.0
            ends.square[second] += 1.0
    for n in range(size):
        if doubled[n] > 0.0:
            if play.rescue[n, up]:
                ends.fixed[n] += doubled[n]
                ends.square[n] -= 3.0 * doubled[n]
            else:
                ends.stood[n] += 2.0 * doubled[n]
                ends.tied[n] -= 4.0 * doubled[n]
        if ways[n] > 0.0:
            _end(n, up, ways[n], play, ends)
            if play.won[n] < 0.0 and 1 <= play.choice[n, up] <= 2:
                into = ways if play.choice[n, up] == 1 else doubled
                for v in range(UPS):
                    longer = hands.after[n, v]
                    if longer >= 0:
                        into[longer] += ways[n]


@compiled
def _end(n: int, up: int, ways: float, play: Play, ends: Ends) -> None:
    """What hand n brings when it ends here, or when a second stake is put on it."""
    if play.won[n] >= 0.0:
        ends.fixed[n] += ways * (1.0 + play.won[n])
        ends.square[n] += ways * (play.won[n] ** 2 - 1.0)
    elif play.choice[n, up] == 0:
        ends.stood[n] += ways
        ends.tied[n] -= ways
    elif play.choice[n, up] == 2:
        ends.fixed[n] -= ways
        ends.square[n] += 3.0 * ways
    elif play.choice[n, up] == 4:
        ends.fixed[n] += 0.5 * ways
        ends.square[n] -= 0.75 * ways


@compiled
def drawn_means(
    up: int,
    shoe: Floats,
    drawn: Ints,
    constant: Floats,
    beating: Floats,
    scale: Floats,
    trie: DealerTrie,
    peeks: bool,
    means: Floats,
) -> None:
    """Add to means[j] what rows of drawn cards bring with j more of the value set apart missing.

    Row i is drawn[i, v] cards in one order from `shoe`; joint with the up card it brings
    constant[i], and beating[i] less scale[i, total] if the dealer has no natural.
    """
    counts, scales = np.empty((UPS, LANES)), np.empty((scale.shape[1], LANES))
    product, weighted = np.empty((DEPTH, LANES)), np.empty(LANES)
    kept, sums = np.empty((len(trie.slots), LANES)), np.empty((LANES, UPS))
    deck, live, hidden = np.empty(UPS), np.empty(UPS), np.empty(UPS)
    dealt = np.empty(LANES)
    for start in range(0, len(drawn), LANES):
        filled = min(LANES, len(drawn) - start)
        lanes = np.arange(filled)
        counts[:] = 0.0
        scales[:] = 0.0
        for lane in range(filled):
            for v in range(UPS):
                counts[v, lane] = shoe[v] - drawn[start + lane, v]
            scales[:, lane] = scale[start + lane]
        _walk(counts, scales, trie, product, weighted, kept)
        for j in range(len(means)):
            _drawn_chances(j, trie.apart, shoe, drawn[start : start + filled], dealt)
            _gather(counts, kept, trie, lanes, sums)
            for lane in range(filled):
                deck[:] = counts[:, lane]
                counts[trie.apart, lane] -= 1.0
                _chances(deck, peeks, live, hidden)
                i = start + lane
                brings = constant[i] * live[up] - sums[lane, up]
                means[j] += dealt[lane] * (brings + beating[i] * (live[up] - hidden[up]))


@compiled
def _drawn_chances(gone: int, apart: int, shoe: Floats, drawn: Ints, dealt: Floats) -> None:
    """The chance of each row of cards in one order, `gone` cards of a value missing."""
    size = shoe.sum() - gone
    for lane in range(len(drawn)):
        chance, taken = 1.0, 0
        for v in range(UPS):
            left = shoe[v] - gone if v == apart else shoe[v]
            for _ in range(drawn[lane, v]):
                chance *= max(left, 0.0) / max(size - taken, 1.0)
                left -= 1.0
                taken += 1
        dealt[lane] = chance
