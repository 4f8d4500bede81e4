"""The compiled part of the simulator: the dealing of cards, and rounds of both shapes.

All machine code is in this one file. It knows no rule: what a card does to a hand, what a hand
does, what an end pays and when a dealer draws come in as arrays (`upcard.simulate.drawing`,
`.threecards`). `upcard.simulate.machine` keeps what the compiler makes of it.

**Cards.** The first cards of many rounds are dealt at once, on vectors: places of an ordered shoe
are picked evenly and independently, and a round in which two picks are the same is thrown away
whole. What is left is an even choice among all sequences of different cards, which is what the top
of a shuffled shoe is. Further cards are picked one by one, again and again until the round has not
had them. A pick is the upper half of 16 random bits times the number of cards; where the lower half
is below 2^16 modulo that number the pick does not count, so that all places are exactly as likely
(Lemire, 2019). The bits come from eight xoshiro256++ generators (Blackman and Vigna) side by side.

**Rounds.** A batch of rounds goes through `play_drawing` together, step by step: the first states
of all, the next card of all that want one, and again until none does, then the dealers, then the
money. Hand, up card and strategy are folded into one state, a card leads to another, and those who
want one more are kept in a list: so nothing depends on a guess of the processor, which would be
wrong for every second hand. Rounds with a split or with insurance, and all rounds of a strategy
with too many states, are late: `_play_late` plays their hands one by one before the dealers draw.
Cards may be given instead of drawn; everything else is then the same code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import from_dtype
from numba.core import types
from numba.extending import intrinsic

from upcard.simulate.records import (
    BATCH,
    DRAWING,
    EACH,
    HIT_NETS,
    HITS_ROOM,
    LANES,
    LOG_ROOM,
    NETS_ROOM,
    NOTES,
    QUARTERS,
    ROOM,
    SIDES,
    SOURCE,
    SPOTS_MAX,
    TALLY,
    THREE,
    Bytes,
    Ints,
    Record,
    Shorts,
)

F = TypeVar("F", bound=Callable[..., Any])
NO_COUNTING: Final[dict[str, Any]] = {"_nrt": False}
"""An option that numba's own types leave out."""


def compiled(function: F) -> F:
    """Machine code that runs beside other threads; same type."""
    return cast(F, _njit()(function))


def inlined(function: F) -> F:
    """Machine code that becomes part of whatever calls it."""
    return cast(F, _njit(forceinline=True)(function))


def emitted(function: F) -> Callable[..., Any]:
    """Instructions that the compiler does not find by itself, given in its own language."""
    return cast(Callable[..., Any], intrinsic(function))


def entry(*takes: Any) -> Callable[[F], F]:
    """Compiled code that is called by its address (`upcard.simulate.machine`); what it takes:
    records, whole numbers and pointers to the first of several. It gives a whole number."""

    def made(function: F) -> F:
        # Python would call it through wrappers; without them nothing in it is foreign.
        found = _njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
        ENTRIES[function.__name__] = (found, types.int64(*takes))
        return cast(F, found)

    return made


ENTRIES: Final[dict[str, tuple[Any, Any]]] = {}
"""Name → the function, its signature."""


def object_code(name: str) -> tuple[str, bytes]:
    """An entry as an object file, and the symbol under which it is in there. Takes long."""
    function, signature = ENTRIES[name]
    function.compile(signature)
    (made,) = function.overloads.values()
    return made.fndesc.llvm_func_name, made.library._get_compiled_object()


def _njit(**options: bool) -> Any:
    # Without counting references to arrays: nothing here makes one, and each count is a locked
    # instruction, several a call.
    return numba.njit(nogil=True, error_model="numpy", **{**NO_COUNTING, **options})


def pointer(kind: Any) -> Any:
    """To the first of several numbers."""
    found: Any = types.CPointer(kind)  # type: ignore[no-untyped-call]
    return found


SOURCES, GAMES, THREES, SIDE_BETS, TALLIES, NOTED, ROOMS = (
    from_dtype(kind) for kind in (SOURCE, DRAWING, THREE, SIDES, TALLY, NOTES, ROOM)
)


# Words

U0, U1, U2, U3 = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)


@emitted
def _advance(context: Any, state: Any, words: Any, at: Any) -> Any:
    """The next word of all generators, written side by side from quarter `at` on: xoshiro256++ on
    vectors, which the compiler does not make of a loop by itself."""

    def emit(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.VectorType(ir.IntType(64), LANES)
        data = [
            target.make_array(kind)(target, builder, array).data
            for kind, array in zip(signature.args[:2], arguments[:2], strict=True)
        ]

        def place(array: Any, offset: Any) -> Any:
            return builder.bitcast(builder.gep(array, [offset]), vector.as_pointer())

        def turned(value: Any, bits: int) -> Any:
            left, right = (ir.Constant(vector, [each] * LANES) for each in (bits, 64 - bits))
            return builder.or_(builder.shl(value, left), builder.lshr(value, right))

        places = [place(data[0], ir.Constant(ir.IntType(64), LANES * row)) for row in range(4)]
        first, second, third, fourth = (builder.load(each, align=8) for each in places)
        word = builder.add(turned(builder.add(first, fourth), 23), first)
        shifted = builder.shl(second, ir.Constant(vector, [17] * LANES))
        third, fourth = builder.xor(third, first), builder.xor(fourth, second)
        second, first = builder.xor(second, third), builder.xor(first, fourth)
        after = (first, second, builder.xor(third, shifted), turned(fourth, 45))
        builder.store(word, place(data[1], arguments[2]), align=8)
        for value, pointer in zip(after, places, strict=True):
            builder.store(value, pointer, align=8)
        return target.get_dummy_value()

    return types.void(state, words, at), emit


@emitted
def _high(context: Any, word: Any, size: Any) -> Any:
    """The upper half of a product of 16 bits each: numba's own product would be one of 64 bits,
    of which the processor takes a quarter as many at once."""

    def emit(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = [builder.zext(each, ir.IntType(32)) for each in arguments]
        product = builder.lshr(builder.mul(*wide), ir.Constant(ir.IntType(32), 16))
        return builder.trunc(product, ir.IntType(16))

    return types.uint16(types.uint16, types.uint16), emit


@emitted
def _low(context: Any, word: Any, size: Any) -> Any:
    """The lower half of a product of 16 bits each."""

    def emit(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.mul(*arguments)

    return types.uint16(types.uint16, types.uint16), emit


# Cards

B64 = np.uint64(BATCH)
SIXTEEN, SUIT_MASK = np.uint64(16), np.uint64(3)
TOP_VALUE = np.uint16(9)


@compiled
def _refill(source: Record) -> None:
    for start in range(0, QUARTERS, 4 * LANES):
        _advance(source.state, source.quarters, start)
    source.next = 0


# Places are unsigned: of a signed one the compiler would have to see whether it counts from the
# end, and would make no vectors.


@inlined
def _card(source: Record, column: Any, place: Any) -> Any:
    """4 x rank + suit."""
    return (np.uint64(source.picks[place * B64 + column]) * source.per_card) >> SIXTEEN


@inlined
def _worth(source: Record, pick: Any) -> Any:
    return min(_high(pick, source.per_rank), TOP_VALUE)


@inlined
def _pick(source: Record, place: Any, start: Any) -> None:
    """A place of the shoe for every column; a column whose remainder is too small is marked."""
    quarters, picks, values, bad = source.quarters, source.picks, source.values, source.bad
    size, bound, base = source.size, source.bound, place * B64
    for at in range(BATCH):
        column = np.uint64(at)
        word = quarters[start + column]
        pick = _high(word, size)
        picks[base + column] = pick
        values[base + column] = _worth(source, pick)
        bad[column] |= np.uint16(_low(word, size) < bound)


@inlined
def _mark_doubles(source: Record, group: Any, before: Any) -> None:
    """Mark the columns where one of the three cards of a group is one of a group before."""
    picks, bad, mine, base = source.picks, source.bad, group * U3 * B64, before * U3 * B64
    for at in range(BATCH):
        column = np.uint64(at)
        first, second = picks[base + column], picks[base + B64 + column]
        third = picks[base + B64 + B64 + column]
        pick, same = picks[mine + column], bad[column]
        same |= np.uint16(pick == first) | np.uint16(pick == second) | np.uint16(pick == third)
        pick = picks[mine + B64 + column]
        same |= np.uint16(pick == first) | np.uint16(pick == second) | np.uint16(pick == third)
        pick = picks[mine + B64 + B64 + column]
        same |= np.uint16(pick == first) | np.uint16(pick == second) | np.uint16(pick == third)
        bad[column] = same


@inlined
def _mark_doubles_within(source: Record, group: Any) -> None:
    picks, bad, base = source.picks, source.bad, group * U3 * B64
    for at in range(BATCH):
        column = np.uint64(at)
        first, second = picks[base + column], picks[base + B64 + column]
        third = picks[base + B64 + B64 + column]
        same = np.uint16(first == second) | np.uint16(first == third)
        bad[column] |= same | np.uint16(second == third)


@compiled
def _deal(source: Record) -> None:
    """The first cards of as many rounds as there are columns, less those that are no deal."""
    if source.next + source.first * BATCH > QUARTERS:
        _refill(source)
    start, bad = np.uint64(source.next), source.bad
    source.next += source.first * BATCH
    for at in range(BATCH):
        bad[np.uint64(at)] = 0
    for number in range(source.first // EACH):
        group = np.uint64(number)
        for step in range(EACH):
            place = group * U3 + np.uint64(step)
            _pick(source, place, start + place * B64)
        for before in range(number):
            _mark_doubles(source, group, np.uint64(before))
        _mark_doubles_within(source, group)
    good: Any = 0
    for column in range(BATCH):
        source.deals[np.uint64(good)] = column
        good += np.int64(bad[np.uint64(column)] == 0)
    source.good = good


@compiled
def _more(source: Record, column: Any, drawn: Any) -> Any:
    """One more card for a round that has `drawn`; how many it has then."""
    if drawn >= np.uint64(source.size):
        # The round is void; it is played to its end with whatever lies there.
        source.exhausted = 1
        return drawn + U1
    while True:
        if source.next == QUARTERS:
            _refill(source)
        word = source.quarters[np.uint64(source.next)]
        source.next += 1
        pick = _high(word, source.size)
        fresh = _low(word, source.size) >= source.bound
        for place in range(drawn):
            fresh &= source.picks[place * B64 + column] != pick
        if fresh:
            source.picks[drawn * B64 + column] = pick
            source.values[drawn * B64 + column] = _worth(source, pick)
            return drawn + U1


@inlined
def _begin(source: Record, given: Shorts, width: int, at: int, rounds: int) -> Any:
    """Columns for the rounds from `at` on, in `deals`; how many.

    given[round x width + place]: picks to deal instead of others, none if it has no width."""
    if width > 0:
        count = min(rounds - at, BATCH)
        for column in range(count):
            source.deals[column] = column
            for place in range(width):
                pick = given[(at + column) * width + place]
                source.picks[place * BATCH + column] = pick
                source.values[place * BATCH + column] = _worth(source, pick)
        source.dealt = width
        return count
    _deal(source)
    while source.good == 0:
        _deal(source)
    source.dealt = source.first
    return min(source.good, rounds - at)


@inlined
def _value(source: Record, column: Any, place: Any) -> Any:
    return np.uint64(source.values[place * B64 + column])


# What is counted

LOG_EACH: Final = 64
"""No round has so many decisions."""
DEALER = np.uint64(SPOTS_MAX)
"""The dealer's row among the states of the spots."""
CARDS_52 = np.uint64(52)
HALF_CENT: Final = 0.5


@inlined
def _row(number: Any) -> Any:
    return np.uint64(number) * B64


@compiled
def _judge_sides(
    source: Record, sides: Record, tally: Record, room: Record, cards: Any, place: Any, count: int
) -> None:
    """What the side bets of a spot win; cards: the places of its three cards; place: the spot and
    the first column of its side bets."""
    spot, base = place
    kinds, classes = room.kinds, tally.classes[spot]
    for at in range(count):
        deal = np.uint64(at)
        column = np.uint64(source.deals[deal])
        number = np.uint64(_card(source, column, cards[0])) * CARDS_52
        number = (number + np.uint64(_card(source, column, cards[1]))) * CARDS_52
        number = number + np.uint64(_card(source, column, cards[2]))
        kind = sides.of_cards[number]
        kinds[_row(spot) + deal] = kind
        classes[np.uint64(kind)] += 1
        for bet in range(sides.bets):
            room.net[_row(base + bet) + deal] = sides.net[np.uint64(kind), bet]
            room.stake[_row(base + bet) + deal] = sides.stake[bet]


@compiled
def _count(tally: Record, room: Record, count: int) -> None:
    """Count the rounds of a batch by their nets and stakes."""
    net, stake, totals = room.net, room.stake, room.totals
    for at in range(count):
        totals[np.uint64(at)] = 0
    for column in range(tally.columns):
        mine, won, staked = _row(column), np.int64(0), np.int64(0)
        for at in range(count):
            deal = np.uint64(at)
            won += np.int64(net[mine + deal])
            staked += np.int64(stake[mine + deal])
            totals[deal] += net[mine + deal]
        tally.sums[column] += won
        tally.stakes[column] += staked
        for other in range(column + 1):
            theirs, product = _row(other), np.int64(0)
            for at in range(count):
                deal = np.uint64(at)
                product += np.int64(net[mine + deal]) * np.int64(net[theirs + deal])
            tally.products[column, other] += product
    places, per_cent, last = room.places, tally.per_cent, np.float64(NETS_ROOM - 1)
    # Half a cent more, so that no quotient lies so near to a whole number that it is missed.
    lowest = np.float64(tally.lowest) - HALF_CENT
    for at in range(count):
        deal = np.uint64(at)
        place = (np.float64(totals[deal]) - lowest) * per_cent
        places[deal] = np.int32(max(0.0, min(place, last)))
    for at in range(count):
        tally.nets[np.uint64(places[np.uint64(at)])] += 1


@compiled
def _note(
    sides: Record, tally: Record, notes: Record, room: Record, done: int, count: int, spots: int
) -> None:
    """Write down the hits of meters of a batch, and whatever else is asked for."""
    for deal in range(count):
        if sides.meters:
            for spot in range(spots):
                kind = room.kinds[spot * BATCH + deal]
                if sides.wins_meter[kind]:
                    _note_hit(tally, room, done, deal, spot, kind)
        if notes.traced:
            told = notes.told[done + deal]
            told[0], told[1] = np.int64(room.used[deal]), np.int64(room.totals[deal])
            for column in range(tally.columns):
                told[2 + column] = np.int64(room.net[column * BATCH + deal])


@inlined
def _note_hit(tally: Record, room: Record, done: int, deal: int, spot: int, kind: Any) -> None:
    hit = tally.hits[tally.hit_count]
    hit[0], hit[1], hit[2] = done + deal, spot, kind
    for column in range(tally.columns):
        hit[HIT_NETS + column] = np.int64(room.net[column * BATCH + deal])
    tally.hit_count += 1


@inlined
def _has_room(tally: Record, notes: Record, spots: int) -> Any:
    """Whether the hits and decisions of another batch can be written down."""
    has_room = tally.hit_count + BATCH * spots <= HITS_ROOM
    return has_room and notes.log_count + BATCH * LOG_EACH <= LOG_ROOM


# Drawing games


NO_CARD, SECOND_CARD, WHOLE_HAND = np.uint8(0), np.uint8(1), np.uint8(2)
STAND, HIT, DOUBLE, PAIR_SPLIT, SURRENDER, RESCUE = range(6)
STAND_ALONE = 1 << STAND
INSURANCE_OPEN, EVEN_OPEN = 64, 128
TEN, HUNDRED, THOUSAND = np.uint64(10), np.uint64(100), np.uint64(1000)
LOW = np.uint64(4)


@inlined
def _suited(game: Record, first: Any, second: Any) -> Any:
    """Whether two cards are of the suit whose naturals pay odds of their own."""
    return (
        game.suit >= 0
        and np.int64(first & SUIT_MASK) == game.suit
        and np.int64(second & SUIT_MASK) == game.suit
    )


@inlined
def _firsts(source: Record, column: Any, spot: Any, spots: Any) -> Any:
    """The first two cards of a spot (G-02)."""
    return _card(source, column, spot), _card(source, column, spots + U1 + spot)


@entry(
    *(SOURCES, GAMES, SIDE_BETS, TALLIES, NOTED, ROOMS, types.int64),
    *(pointer(types.uint8), types.int64, pointer(types.uint16), types.int64),
)
def play_drawing(
    source: Record,
    game: Record,
    sides: Record,
    tally: Record,
    notes: Record,
    room: Record,
    rounds: int,
    mains: Bytes,
    count_of_spots: int,
    given: Shorts,
    cards_given: int,
) -> int:
    """Rounds of all spots, `mains[spot]` 1 for those that bear a main bet; how many were played
    before there was no more room for their hits."""
    done, spots = 0, np.uint64(count_of_spots)
    width = 1 + np.int64(game.insures) + sides.bets
    while done < rounds and _has_room(tally, notes, count_of_spots):
        count = _begin(source, given, cards_given, done, rounds)
        late = _meet(source, game, room, spots, count)
        for spot in range(count_of_spots):
            _walk(source, room, game.step, game.draws_from, np.uint64(spot), count)
        _wait(game, room, spots, count)
        for number in range(late):
            deal = np.uint64(room.late[number])
            _play_late(source, game, notes, mains, count_of_spots, room, done, deal)
        _turn_all(source, game, room, spots, count)
        _walk(source, room, game.dealer_step, game.dealer_draws_from, DEALER, count)
        for spot in range(count_of_spots):
            _settle_all(game, room, np.uint64(spot), width, count)
            if sides.bets > 0:
                place = np.uint64(spot)
                cards = (place, spots + U1 + place, spots)
                first = spot * width + width - sides.bets
                _judge_sides(source, sides, tally, room, cards, (spot, first), count)
        for number in range(late):
            _settle_late(game, room, np.uint64(room.late[number]), count_of_spots, width)
        _count(tally, room, count)
        if sides.meters or notes.traced:
            _note(sides, tally, notes, room, done, count, count_of_spots)
        done += count
    return done


@compiled
def _meet(source: Record, game: Record, room: Record, spots: Any, count: int) -> Any:
    """The states of all first cards. Rounds to be played hand by hand are put aside, with states
    that take no card; how many."""
    states, late = room.states, room.late
    late_count: Any = 0
    _lay_up(source, game, room, spots, count)
    for spot in range(spots):
        _lay(source, game, room, np.uint64(spot), spots, count)
        if game.suit >= 0:
            _part_naturals(source, game, room, np.uint64(spot), spots, count)
    for at in range(count):
        late[np.uint64(late_count)] = at
        late_count += np.int64(room.is_late[np.uint64(at)])
    for number in range(late_count):
        for spot in range(spots):
            states[_row(spot) + np.uint64(late[np.uint64(number)])] = 0
    return late_count


@inlined
def _lay_up(source: Record, game: Record, room: Record, spots: Any, count: int) -> None:
    """What the dealer's cards mean for the spots: the up card, and if a peek ends the round."""
    asks_up, by_hand = np.uint64(game.asks_up), np.uint8(game.by_hand != 0)
    asks, met = np.uint8(game.insures != 0), np.uint16(game.dealer_natural)
    hole, dealers, is_late = spots + spots + U1, _row(DEALER), room.is_late
    for at in range(count):
        room.used[np.uint64(at)] = hole + np.uint64(game.peeks)
    for at in range(count):
        deal = np.uint64(at)
        column = np.uint64(source.deals[deal])
        up = _value(source, column, spots)
        is_late[deal] = by_hand | (asks & np.uint8(up == asks_up))
        dealer = game.up_hole[up * TEN + _value(source, column, hole)]
        room.states[dealers + deal] = dealer
        room.met_up[deal] = up + np.uint64(dealer == met) * THOUSAND
    if not game.peeks:
        for at in range(count):
            room.met_up[np.uint64(at)] %= np.uint16(THOUSAND)


@inlined
def _lay(source: Record, game: Record, room: Record, spot: Any, spots: Any, count: int) -> None:
    """The states of a spot's first cards; pairs to be split make the round late."""
    split, base = np.uint16(game.splits_from), _row(spot)
    for at in range(count):
        deal = np.uint64(at)
        column = np.uint64(source.deals[deal])
        first, second = _value(source, column, spot), _value(source, column, spots + U1 + spot)
        state = game.start[first * HUNDRED + second * TEN + np.uint64(room.met_up[deal])]
        room.states[base + deal] = state
        room.is_late[deal] |= np.uint8(state >= split)


@inlined
def _part_naturals(
    source: Record, game: Record, room: Record, spot: Any, spots: Any, count: int
) -> None:
    """Naturals of the suit that pays odds of its own."""
    for at in range(count):
        place = _row(spot) + np.uint64(at)
        if room.states[place] == np.uint16(game.natural):
            column = np.uint64(source.deals[np.uint64(at)])
            first, second = _firsts(source, column, spot, spots)
            if _suited(game, first, second):
                room.states[place] = game.natural_suited


@compiled
def _walk(
    source: Record, room: Record, table: Shorts, draws_from: Any, row: Any, count: int
) -> None:
    """Take cards for the states of a row until they are ends."""
    states, used, waiting = room.states, room.used, room.waiting
    base, dealt, limit = _row(row), np.uint64(source.dealt), np.uint16(draws_from)
    left: Any = 0
    for at in range(count):
        waiting[np.uint64(left)] = at
        left += np.int64(states[base + np.uint64(at)] >= limit)
    while left > 0:
        found, left = left, 0
        for number in range(found):
            deal = np.uint64(waiting[np.uint64(number)])
            column, taken = np.uint64(source.deals[deal]), np.uint64(used[deal])
            if taken >= dealt:
                _more(source, column, taken)
            state = table[np.uint64(states[base + deal]) + _value(source, column, taken)]
            states[base + deal], used[deal] = state, taken + U1
            waiting[np.uint64(left)] = deal
            left += np.int64(state >= limit)


@compiled
def _wait(game: Record, room: Record, spots: Any, count: int) -> None:
    """For how much of the dealer's hand the hands of each round wait."""
    states, waits = room.states, room.waits
    for at in range(count):
        waits[np.uint64(at)] = NO_CARD
    for number in range(spots):
        for at in range(count):
            deal = np.uint64(at)
            wait = game.waits[np.uint64(states[_row(number) + deal]) >> LOW]
            waits[deal] = max(waits[deal], wait)


@compiled
def _turn_all(source: Record, game: Record, room: Record, spots: Any, count: int) -> None:
    """The dealer's first state: he takes what the hands wait for, and no more."""
    states, waits, natural = room.states, room.waits, np.uint16(game.dealer_natural)
    for at in range(count):
        deal = np.uint64(at)
        if game.peeks:
            dealer = states[_row(DEALER) + deal]
            # An end takes no card, and what hangs on none is the same against every end.
            stays = (waits[deal] == WHOLE_HAND) | (dealer == natural)
            states[_row(DEALER) + deal] = dealer if stays else np.uint16(0)
        else:
            states[_row(DEALER) + deal] = _turn(source, game, room, deal, spots)


@inlined
def _turn(source: Record, game: Record, room: Record, deal: Any, spots: Any) -> Any:
    """A second card for the dealer who has had one, if anybody waits for it."""
    column, wait = np.uint64(source.deals[deal]), room.waits[deal]
    up = _value(source, column, spots)
    if wait == NO_CARD or (wait == SECOND_CARD and not game.hides[up]):
        return np.uint16(0)
    taken = np.uint64(room.used[deal])
    if taken >= np.uint64(source.dealt):
        _more(source, column, taken)
    room.used[deal] = taken + U1
    dealer = game.up_hole[up * TEN + _value(source, column, taken)]
    ends = wait == SECOND_CARD and dealer != np.uint16(game.dealer_natural)
    return np.uint16(0) if ends else dealer


@compiled
def _settle_all(game: Record, room: Record, spot: Any, width: int, count: int) -> None:
    """Nets and stakes of a spot's main bet by both ends; an insurance that nobody took."""
    states, net, stake = room.states, room.net, room.stake
    mine, theirs, base = _row(spot), _row(DEALER), _row(np.int64(spot) * width)
    ends = np.uint64(game.dealer_ends)
    for at in range(count):
        deal = np.uint64(at)
        end = np.uint64(states[mine + deal]) >> LOW
        code = end * ends + (np.uint64(states[theirs + deal]) >> LOW)
        net[base + deal], stake[base + deal] = game.pay[code], game.stake[end]
    if game.insures:
        for at in range(count):
            place = base + B64 + np.uint64(at)
            net[place] = stake[place] = 0


# Hand by hand

NUMBER, ORIGIN, END = range(3)
"""Rows of `held` for the hands of the spot that acts; -1 is the end of a hand in play."""
SPOT_WAITS: Final = 3
"""Row of `held` by spot: the end of a natural or of even money, else -1."""


@inlined
def _take(source: Record, column: Any, room: Record, deal: Any) -> Any:
    """The value of a round's next card."""
    taken = np.uint64(room.used[deal])
    if taken >= np.uint64(source.dealt):
        _more(source, column, taken)
    room.used[deal] = taken + U1
    return _value(source, column, taken)


@inlined
def _note_choice(notes: Record, at: int, spot: int, hand: int, mask: Any, choice: Any) -> None:
    if notes.logged:
        row, log = notes.log_count, notes.log
        log[row, 0], log[row, 1], log[row, 2] = at, spot, hand
        log[row, 3], log[row, 4] = mask, choice
        notes.log_count = row + 1


@inlined
def _insurance(
    game: Record, notes: Record, room: Record, at: int, deal: Any, spot: int, number: int
) -> None:
    """Ask a spot for insurance or even money."""
    even = game.even_money and number == game.natural_hand
    taken = game.insure[number] != 0
    _note_choice(notes, at, spot, 0, EVEN_OPEN if even else INSURANCE_OPEN, np.int64(taken))
    if taken and even:
        room.held[SPOT_WAITS, spot] = game.even
    elif taken:
        room.insured[deal, spot] = 1


@inlined
def _open(game: Record, held: Ints, hand: int, hands: int) -> Any:
    """What a hand in play may do, as bits."""
    number, origin = held[NUMBER, hand], held[ORIGIN, hand]
    mask = np.int64(game.options[origin, 0, number])
    value = game.pair[number]
    if value >= 0 and hands < game.hands_max[value]:
        mask |= 1 << PAIR_SPLIT
    return mask


@inlined
def _choose(game: Record, held: Ints, hand: int, up: Any, mask: int) -> Any:
    """What the strategy does with it."""
    number, origin = held[NUMBER, hand], held[ORIGIN, hand]
    if mask >> PAIR_SPLIT & 1 and game.split[min(origin, 1), game.pair[number], up]:
        return PAIR_SPLIT
    return np.int64(game.choice[origin, number, up])


@inlined
def _hit(game: Record, held: Ints, hand: int, card: Any) -> None:
    number = game.after[held[NUMBER, hand], card]
    held[NUMBER, hand] = number
    if number < 0:
        held[END, hand] = game.bust[0]
    elif game.won[number] >= 0:
        held[END, hand] = game.won[number]


@inlined
def _double(
    game: Record, notes: Record, held: Ints, hand: int, card: Any, place: tuple[int, int, Any]
) -> None:
    at, spot, up = place
    origin = held[ORIGIN, hand]
    number = game.after[held[NUMBER, hand], card]
    if number < 0:
        held[END, hand] = game.bust[1]
        return
    mask = np.int64(game.options[origin, 1, number])
    rescued = mask != STAND_ALONE and game.rescue[origin, number, up] != 0
    if mask != STAND_ALONE:
        _note_choice(notes, at, spot, hand, mask, RESCUE if rescued else STAND)
    held[END, hand] = game.rescued if rescued else game.stood[1, number]


@inlined
def _split(
    source: Record, column: Any, game: Record, room: Record, deal: Any, hand: int, hands: int
) -> None:
    """Two hands of one: those after it move up, each gets a card, the right one first."""
    held = room.held
    value = game.pair[held[NUMBER, hand]]
    for other in range(hands, hand + 1, -1):
        for row in range(END + 1):
            held[row, other] = held[row, other - 1]
    for half in range(2):
        card = _take(source, column, room, deal)
        held[NUMBER, hand + half] = game.after[game.after[0, value], card]
        held[ORIGIN, hand + half] = game.halves_origin[value]
        held[END, hand + half] = -1


@compiled
def _play_hands(
    source: Record,
    column: Any,
    game: Record,
    notes: Record,
    room: Record,
    deal: Any,
    place: tuple[int, int, Any],
) -> int:
    """Play the one hand in `held`, and those it is split into, to their ends; how many."""
    (at, spot, up), held = place, room.held
    hand, hands = 0, 1
    while hand < hands:
        if held[END, hand] >= 0:
            hand += 1
            continue
        mask = _open(game, held, hand, hands)
        if mask == STAND_ALONE:
            held[END, hand] = game.stood[0, held[NUMBER, hand]]
            continue
        choice = _choose(game, held, hand, up, mask)
        _note_choice(notes, at, spot, hand, mask, choice)
        if choice == PAIR_SPLIT:
            _split(source, column, game, room, deal, hand, hands)
            hands += 1
        elif choice == HIT:
            _hit(game, held, hand, _take(source, column, room, deal))
        elif choice == DOUBLE:
            _double(game, notes, held, hand, _take(source, column, room, deal), place)
        else:
            stood = game.stood[0, held[NUMBER, hand]]
            held[END, hand] = game.given_up if choice == SURRENDER else stood
    return hands


@inlined
def _first_hand(source: Record, column: Any, game: Record, spot: Any, spots: Any) -> Any:
    first, second = _value(source, column, spot), _value(source, column, spots + U1 + spot)
    return game.after[game.after[0, first], second]


@compiled
def _play_late(
    source: Record,
    game: Record,
    notes: Record,
    mains: Bytes,
    count_of_spots: int,
    room: Record,
    done: int,
    deal: Any,
) -> None:
    """The hands of one round: their ends, and for how much of the dealer's hand they wait."""
    column, spots = np.uint64(source.deals[deal]), np.uint64(count_of_spots)
    at = done + np.int64(deal)
    up, met, laid = _value(source, column, spots), False, np.uint8(0)
    room.used[deal] = spots + spots + U1 + np.uint64(game.peeks)
    for spot in range(count_of_spots):
        laid |= mains[spot]
        room.counts[deal, spot] = room.insured[deal, spot] = 0
        if mains[spot]:
            _deal_in(source, column, game, notes, room, at, deal, spot, spots)
    if game.peeks and laid:
        hole = _value(source, column, spots + spots + U1)
        met = game.up_hole[up * TEN + hole] == game.dealer_natural
    wait = NO_CARD
    for spot in range(count_of_spots):
        if mains[spot]:
            _play_spot(source, column, game, notes, room, deal, met, (at, spot, up), spots)
            for hand in range(room.counts[deal, spot]):
                wait = max(wait, game.waits[room.ends[deal, spot, hand]])
            if room.insured[deal, spot]:
                wait = max(wait, SECOND_CARD)
    room.waits[deal] = wait


@inlined
def _deal_in(
    source: Record,
    column: Any,
    game: Record,
    notes: Record,
    room: Record,
    at: Any,
    deal: Any,
    spot: int,
    spots: Any,
) -> None:
    """A natural is set apart, insurance is asked."""
    place = np.uint64(spot)
    number = _first_hand(source, column, game, place, spots)
    room.held[SPOT_WAITS, spot] = -1
    if number == game.natural_hand:
        first, second = _firsts(source, column, place, spots)
        natural = game.natural_suited if _suited(game, first, second) else game.natural
        room.held[SPOT_WAITS, spot] = natural >> np.int64(4)
    if game.asks and _value(source, column, spots) == np.uint64(game.asks_up):
        _insurance(game, notes, room, at, deal, spot, number)


@inlined
def _play_spot(
    source: Record,
    column: Any,
    game: Record,
    notes: Record,
    room: Record,
    deal: Any,
    met: bool,
    place: tuple[Any, int, Any],
    spots: Any,
) -> None:
    """The ends of a spot's hands; met: a dealer's natural found by the peek ends the round."""
    spot, held = place[1], room.held
    waits = held[SPOT_WAITS, spot]
    if met or waits >= 0:
        room.ends[deal, spot, 0] = waits if waits >= 0 else game.lost >> np.int64(4)
        room.counts[deal, spot] = 1
        return
    held[NUMBER, 0] = _first_hand(source, column, game, np.uint64(spot), spots)
    held[ORIGIN, 0], held[END, 0] = 0, -1
    hands = _play_hands(source, column, game, notes, room, deal, place)
    room.counts[deal, spot] = hands
    for hand in range(hands):
        room.ends[deal, spot, hand] = held[END, hand]


@compiled
def _settle_late(game: Record, room: Record, deal: Any, spots: int, width: int) -> None:
    """Nets and stakes of a round's hands and of its insurance."""
    dealer = np.uint64(room.states[_row(DEALER) + deal])
    met = dealer == np.uint64(game.dealer_natural)
    for spot in range(spots):
        place, net, stake = _row(spot * width) + deal, 0, 0
        for hand in range(room.counts[deal, spot]):
            end = np.uint64(room.ends[deal, spot, hand])
            net += game.pay[end * np.uint64(game.dealer_ends) + (dealer >> LOW)]
            stake += game.stake[end]
        room.net[place], room.stake[place] = net, stake
        if game.insures:
            insured = room.insured[deal, spot]
            won = game.insured if met else -game.insurance_stake
            room.net[place + B64] = won * insured
            room.stake[place + B64] = game.insurance_stake * insured


# Three cards


CARDS_OF_BOTH: Final = 6


@inlined
def _three(source: Record, column: Any, game: Record, start: Any) -> Any:
    code = _value(source, column, start) * HUNDRED + _value(source, column, start + U1) * TEN
    return np.uint64(game.hand[code + _value(source, column, start + U2)])


@entry(
    *(SOURCES, THREES, SIDE_BETS, TALLIES, NOTED, ROOMS, types.int64),
    *(pointer(types.uint16), types.int64),
)
def play_three(
    source: Record,
    game: Record,
    sides: Record,
    tally: Record,
    notes: Record,
    room: Record,
    rounds: int,
    given: Shorts,
    cards_given: int,
) -> int:
    """Rounds of three cards against three; how many were played before there was no more room."""
    done = 0
    while done < rounds and _has_room(tally, notes, 1):
        count = _begin(source, given, cards_given, done, rounds)
        _raise_all(source, game, room, count)
        if sides.bets > 0:
            _judge_sides(source, sides, tally, room, (U0, U1, U2), (0, 1), count)
        _count(tally, room, count)
        if sides.meters or notes.traced:
            _note(sides, tally, notes, room, done, count, 1)
        done += count
    return done


@inlined
def _raise_all(source: Record, game: Record, room: Record, count: int) -> None:
    """Nets and stakes of antes and raises."""
    for at in range(count):
        deal = np.uint64(at)
        column = np.uint64(source.deals[deal])
        hand = _three(source, column, game, U0)
        raises = np.uint64(game.raises[hand * TEN + _value(source, column, U3)])
        end = np.uint64(game.end[hand]) * raises
        dealer = np.uint64(game.dealer_end[_three(source, column, game, U3)])
        code = end * np.uint64(game.dealer_ends) + dealer
        room.net[deal], room.stake[deal] = game.pay[code], game.stake[end]
        room.used[deal] = CARDS_OF_BOTH


# Bankrolls


TOLD_AT_END: Final = 4


@entry(pointer(types.int64), *(types.int64,) * 4, *(pointer(types.int64),) * 2)
def follow(
    nets: Ints, count: int, bet: int, bankroll: int, length: int, state: Ints, ended: Ints
) -> int:
    """Follow bankrolls through `count` rounds: sittings of `length` rounds, one after another; how
    many are over.

    state: the bankroll now, its peak, the deepest fall from a peak, the rounds played before it no
    longer covered the bet (else -1), rounds of this sitting, sittings that are over;
    ended[sitting, n]: the first four of these at its end.
    """
    bank, peak, fall, ruined = state[0], state[1], state[2], state[3]
    played, over = state[4], int(state[5])
    for at in range(count):
        if ruined < 0:
            bank += nets[at]
            peak = max(peak, bank)
            fall = max(fall, peak - bank)
        played += 1
        if ruined < 0 and bank < bet:
            ruined = played
        if played == length:
            told = over * TOLD_AT_END
            ended[told], ended[told + 1] = bank, peak
            ended[told + 2], ended[told + 3] = fall, ruined
            over += 1
            bank, peak, fall, ruined, played = bankroll, bankroll, 0, -1, 0
    state[0], state[1], state[2], state[3] = bank, peak, fall, ruined
    state[4], state[5] = played, over
    return over
