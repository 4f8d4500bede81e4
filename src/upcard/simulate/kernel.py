"""The compiled part of the simulator: the dealing of cards, and rounds of both shapes.

All machine code is in this one file, for numba's cache on disk notices an edit in the file of a
function and nowhere else. It knows no rule: what a card does to a hand, what a hand does, what an
end pays and when a dealer draws come in as arrays (`upcard.simulate.drawing`, `.threecards`).

**Cards.** The first cards of many rounds are dealt at once, on vectors: places of an ordered shoe
are picked evenly and independently, and a round in which two picks are the same is thrown away
whole. What is left is an even choice among all sequences of different cards, which is what the top
of a shuffled shoe is. Further cards are picked one by one, again and again until the round has not
had them. A pick is the upper half of 16 random bits times the number of cards; where the lower half
is below 2^16 modulo that number the pick does not count, so that all places are exactly as likely
(Lemire, 2019). The bits come from eight xoshiro256++ generators (Blackman and Vigna) side by side.

**Rounds.** `play_alone` and `play_together` walk tables in which hand, up card and strategy are
folded into one state; as many steps as most hands need are taken whether needed or not, for a
finished state leads to itself: the processor hardly ever has to guess. Rounds with a split or with
insurance, and all rounds of a strategy with too many states, go through `_round`, which plays hand
by hand. Cards may be given instead of drawn; everything else is then the same code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import types
from numba.extending import intrinsic
from numpy.typing import NDArray

F = TypeVar("F", bound=Callable[..., Any])
Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]
Shorts = NDArray[np.uint16]
Ints = NDArray[np.int64]
Record = Any
"""A value of one of the record types below: one pointer, whose fields numba knows by name."""


NO_COUNTING: Final[dict[str, Any]] = {"_nrt": False}
"""An option that numba's own types leave out."""


def compiled(function: F) -> F:
    """Machine code that runs beside other threads, made on the first call and kept on disk if
    there is a place; same type."""
    try:
        return cast(F, _njit(cache=True, inline=False)(function))
    except RuntimeError:
        # Neither beside this file nor in the user's cache may anything be written.
        return cast(F, _njit(cache=False, inline=False)(function))


def inlined(function: F) -> F:
    """Machine code that becomes part of whatever calls it."""
    return cast(F, _njit(cache=False, inline=True)(function))


def _njit(*, cache: bool, inline: bool) -> Any:
    # Without counting references to arrays: nothing here makes one, and each count is a locked
    # instruction, several a call.
    return numba.njit(
        cache=cache, nogil=True, error_model="numpy", forceinline=inline, **NO_COUNTING
    )


# Words

LANES: Final = 8
WORDS: Final = 4096
QUARTERS: Final = 4 * WORDS
"""Quarters of a word, 16 bits each: one picks a card."""
QUARTER_BITS = np.uint32(16)
U0, U1, U2, U3 = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)


@intrinsic
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


# Cards

BATCH: Final = 128
PLACES: Final = 512
"""More than any round can use: five spots of four hands of 21 cards."""
CODES: Final = 512
"""More than the cards of eight decks."""
EACH: Final = 3
"""Cards that are compared at once."""
B64 = np.uint64(BATCH)
VALUE_MASK = np.uint8(15)
"""A card is its value index in the low half, and which card of that value above."""


SOURCE: Final = np.dtype(
    [
        ("state", np.uint64, 4 * LANES),
        ("quarters", np.uint16, QUARTERS),
        ("next", np.int64),
        ("good", np.int64),
        ("exhausted", np.int64),
        ("picks", np.uint16, PLACES * BATCH),
        ("bad", np.uint16, BATCH),
        ("deals", np.int64, BATCH + 1),
        ("code", np.uint8, CODES),
        ("size", np.int64),
        ("first", np.int64),
        ("bound", np.int64),
    ]
)
"""Where cards come from: `state` of the generators, `quarters` of the words drawn from them, and
the next of these.

A round is a column: picks[place x BATCH + column] are places of a shoe in order, which has `size`
cards, code[pick]. The first `first` places of all columns are filled at once; deals[n] are the
columns that are `good`, so many. Remainders below `bound` are thrown away. `exhausted`: whether
some round has used up the shoe.
"""


@compiled
def _refill(source: Record) -> None:
    for start in range(0, QUARTERS, 4 * LANES):
        _advance(source.state, source.quarters, start)  # type: ignore[call-arg]
    source.next = 0


# Places are unsigned: of a signed one the compiler would have to see whether it counts from the
# end, and would make no vectors.


@inlined
def _pick(source: Record, place: Any, start: Any) -> None:
    """A place of the shoe for every column; a column whose remainder is too small is marked."""
    quarters, picks, bad = source.quarters, source.picks, source.bad
    size, bound, base = np.uint32(source.size), np.uint16(source.bound), place * B64
    for at in range(BATCH):
        column = np.uint64(at)
        product = np.uint32(quarters[start + column]) * size
        picks[base + column] = np.uint16(product >> QUARTER_BITS)
        bad[column] |= np.uint16(np.uint16(product) < bound)


@inlined
def _mark_doubles(source: Record, place: Any, group: Any) -> None:
    """Mark the columns whose card at `place` is one of the three of a group before."""
    picks, bad, mine, base = source.picks, source.bad, place * B64, group * U3 * B64
    for at in range(BATCH):
        column = np.uint64(at)
        pick = picks[mine + column]
        same = np.uint16(pick == picks[base + column])
        same |= np.uint16(pick == picks[base + B64 + column])
        same |= np.uint16(pick == picks[base + B64 + B64 + column])
        bad[column] |= same


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
            for other in range(number):
                _mark_doubles(source, place, np.uint64(other))
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
        product = np.uint32(source.quarters[np.uint64(source.next)]) * np.uint32(source.size)
        source.next += 1
        pick = np.uint16(product >> QUARTER_BITS)
        fresh = np.uint16(product) >= np.uint16(source.bound)
        for place in range(drawn):
            fresh &= source.picks[place * B64 + column] != pick
        if fresh:
            source.picks[drawn * B64 + column] = pick
            return drawn + U1


@inlined
def _begin(source: Record, given: Shorts, at: int, rounds: int) -> Any:
    """Columns for the rounds from `at` on, in `deals`: how many, and how many cards are drawn.

    given[round, place]: picks to deal instead of others, none if it has no rows."""
    if len(given) > 0:
        width, count = given.shape[1], min(rounds - at, BATCH)
        for column in range(count):
            source.deals[column] = column
            for place in range(width):
                source.picks[place * BATCH + column] = given[at + column, place]
        return count, np.uint64(width)
    _deal(source)
    while source.good == 0:
        _deal(source)
    return min(source.good, rounds - at), np.uint64(source.first)


@inlined
def _card(source: Record, column: Any, place: Any) -> Any:
    return source.code[np.uint64(source.picks[place * B64 + column])]


@inlined
def _value(source: Record, column: Any, place: Any) -> Any:
    return np.uint64(_card(source, column, place) & VALUE_MASK)


# What is counted


BETS_MAX: Final = 8
SPOTS_MAX: Final = 8
COLUMNS: Final = 32
HANDS_ROOM: Final = 8
CLASSES: Final = 256
ENDS_ROOM: Final = 1 << 16
NETS_ROOM: Final = 1 << 15
HITS_ROOM: Final = 2048
TRACE_ROOM: Final = 1 << 14
LOG_EACH: Final = 64
"""No round has so many decisions."""
LOG_ROOM: Final = 8 * TRACE_ROOM

SIDES: Final = np.dtype(
    [
        ("card_number", np.uint8, 256),
        ("of_cards", np.uint8, 52**3),
        ("net", np.int64, (CLASSES, BETS_MAX)),
        ("wins_meter", np.uint8, CLASSES),
        ("bets", np.int64),
        ("meters", np.int64),
    ]
)
"""Side bets of a spot by what its first three cards are together, one class for each set of rows
that they win. card_number[card as it is dealt]; of_cards[three card numbers in base 52]: the
class; net[class, bet], of `bets` bets; wins_meter[class]: whether some bet there wins a share of a
meter, `meters`: whether any does."""

TALLY: Final = np.dtype(
    [
        ("ends", np.int64, ENDS_ROOM),
        ("nets", np.int64, NETS_ROOM),
        ("lowest", np.int64),
        ("unit", np.int64),
        ("columns", np.int64),
        ("codes", np.int64),
        ("sums", np.int64, COLUMNS),
        ("stakes", np.int64, COLUMNS),
        ("products", np.int64, (COLUMNS, COLUMNS)),
        ("classes", np.int64, (SPOTS_MAX, CLASSES)),
        ("hits", np.int64, (HITS_ROOM, 3 + COLUMNS)),
        ("hit_count", np.int64),
        ("net", np.int64, COLUMNS),
        ("stake", np.int64, COLUMNS),
    ]
)
"""What is counted. Bets are columns: spot by spot the main bet, insurance if it is ever taken, the
side bets. ends[class x codes + player's end x dealer's end]: spots that no other array counts; of
all others nets[(net of the round - lowest) / unit], sums, stakes, products[column, column before or
same] and classes[spot, class]. hits[n]: round, spot, class and nets of each hit of a meter; net and
stake are those of the round being counted."""

NOTES: Final = np.dtype(
    [
        ("traced", np.int64),
        ("logged", np.int64),
        ("log_count", np.int64),
        ("told", np.int64, (TRACE_ROOM, 2 + COLUMNS)),
        ("log", np.int64, (LOG_ROOM, 5)),
    ]
)
"""What is written down of every round if asked for: told[round]: cards used, net, nets by column;
log[n]: round, spot, hand, what was open as bits, what was chosen."""

ROOM: Final = np.dtype(
    [
        ("held", np.int64, (5, HANDS_ROOM)),
        ("ends", np.int64, (SPOTS_MAX, HANDS_ROOM)),
        ("counts", np.int64, SPOTS_MAX),
        ("states", np.uint64, SPOTS_MAX),
        ("use", np.uint64, 2),
        ("late", np.int64, BATCH),
    ]
)
"""Room to work in: held[row, hand or spot] (rows: see `NUMBER` and below), ends[spot, hand],
counts[spot], states[spot], use[cards used, cards drawn]; late[n]: deals that are played hand by
hand, after the others of a batch."""


CARDS_52 = np.uint64(52)
HIT_NETS: Final = 3


@inlined
def _class_of(sides: Record, first: Any, second: Any, third: Any) -> Any:
    number = np.uint64(sides.card_number[np.uint64(first)])
    number = number * CARDS_52 + np.uint64(sides.card_number[np.uint64(second)])
    number = number * CARDS_52 + np.uint64(sides.card_number[np.uint64(third)])
    return np.uint64(sides.of_cards[number])


@inlined
def _count(tally: Record) -> None:
    """Count a round by its nets and stakes."""
    total = np.int64(0)
    net = tally.net
    for column in range(tally.columns):
        mine = net[column]
        total += mine
        tally.sums[column] += mine
        tally.stakes[column] += tally.stake[column]
        for other in range(column + 1):
            tally.products[column, other] += mine * net[other]
    place = (total - tally.lowest) // tally.unit
    tally.nets[max(np.int64(0), min(place, np.int64(NETS_ROOM - 1)))] += 1


@inlined
def _note_hit(tally: Record, at: int, spot: int, kind: Any) -> None:
    row = tally.hit_count
    tally.hits[row, 0], tally.hits[row, 1], tally.hits[row, 2] = at, spot, kind
    for column in range(tally.columns):
        tally.hits[row, HIT_NETS + column] = tally.net[column]
    tally.hit_count = row + 1


@inlined
def _has_room(tally: Record, notes: Record, spots: int) -> Any:
    """Whether the hits and decisions of another batch can be written down."""
    has_room = tally.hit_count + BATCH * spots <= HITS_ROOM
    return has_room and notes.log_count + BATCH * LOG_EACH <= LOG_ROOM


@inlined
def _note_round(tally: Record, notes: Record, at: int, cards: Any) -> None:
    if notes.traced:
        total = np.int64(0)
        for column in range(tally.columns):
            total += tally.net[column]
            notes.told[at, 2 + column] = tally.net[column]
        notes.told[at, 0], notes.told[at, 1] = np.int64(cards), total


# Drawing games


HANDS: Final = 4096
"""More than all hands that are not over 21."""
ENDS_MAX: Final = 128
DEALER_ENDS_MAX: Final = 8
ORIGINS: Final = 3

DRAWING: Final = np.dtype(
    [
        ("peeks", np.int64),
        ("draws_from", np.uint64),
        ("splits_from", np.uint64),
        ("natural", np.uint64),
        ("natural_suited", np.uint64),
        ("lost", np.uint64),
        ("suit", np.int64),
        ("start", np.uint16, 1000),
        ("step", np.uint16, 1 << 16),
        ("up_hole", np.uint16, 100),
        ("dealer_step", np.uint16, 1 << 10),
        ("dealer_draws_from", np.uint64),
        ("dealer_natural", np.uint64),
        ("dealer_ends", np.uint64),
        ("pay", np.int64, ENDS_MAX * DEALER_ENDS_MAX),
        ("stake", np.int64, ENDS_MAX),
        ("waits", np.uint8, ENDS_MAX),
        ("ends", np.int64),
        ("after", np.int64, (HANDS, 10)),
        ("choice", np.int8, (ORIGINS, HANDS, 10)),
        ("rescue", np.int8, (ORIGINS, HANDS, 10)),
        ("options", np.uint8, (ORIGINS, 2, HANDS)),
        ("pair", np.int64, HANDS),
        ("halves_origin", np.int64, 10),
        ("hands_max", np.int64, 10),
        ("split", np.uint8, (2, 10, 10)),
        ("stood", np.int64, (2, HANDS)),
        ("bust", np.int64, 2),
        ("won", np.int64, HANDS),
        ("given_up", np.int64),
        ("rescued", np.int64),
        ("even", np.int64),
        ("natural_hand", np.int64),
        ("even_money", np.int64),
        ("insures", np.int64),
        ("asks", np.int64),
        ("insure", np.uint8, HANDS),
        ("hides", np.uint8, 10),
        ("asks_up", np.uint64),
        ("insured", np.int64),
        ("insurance_stake", np.int64),
        ("by_hand", np.int64),
    ]
)
"""A drawing game under a strategy, as `upcard.simulate.drawing` makes it.

**States** are multiplied by 16. Below `draws_from` they are ends; below `splits_from` they
take a card: step[state + value]; the rest are pairs to be split. start[(first, second, up) in
base 10]; natural, natural_suited, lost: ends. Dealer's states alike: up_hole[(up, hole)],
dealer_step, dealer_draws_from, dealer_natural. pay[end x dealer ends + dealer's end], stake
[end]; waits[end]: 0 settled, 1 hangs on the dealer's second card alone, 2 on all of them.

**Hands** are numbered as in `upcard.maths.compositions`; origin as in `upcard.maths.tables`:
after[hand, value]; choice[origin, hand, up], rescue likewise; options[origin, doubled, hand];
pair[hand]: its value or -1; halves_origin[value]; hands_max[value]; split[again, value, up];
stood[doubled, hand], bust[doubled], won[hand] (or -1), given_up, rescued, even: ends.
natural_hand: the hand that is a natural if it was dealt. insure[hand]: whether insurance (or
even money) is taken; hides[up]: whether a natural may be under it; asks_up: the up card under
which insurance is asked; insured: what it wins; insurance_stake.
`by_hand`: the strategy has too many states, and the rounds are all played hand by hand.
"""


STAND, HIT, DOUBLE, PAIR_SPLIT, SURRENDER, RESCUE = range(6)
STAND_ALONE = 1 << STAND
INSURANCE_OPEN, EVEN_OPEN = 64, 128
TEN, HUNDRED = np.uint64(10), np.uint64(100)
LOW = np.uint64(4)
SUIT_MASK = np.uint8(3)


@inlined
def _suited(game: Record, first: Any, second: Any) -> Any:
    """Whether two cards are of the suit whose naturals pay odds of their own."""
    return (
        game.suit >= 0
        and (first >> np.uint8(4)) & SUIT_MASK == game.suit
        and (second >> np.uint8(4)) & SUIT_MASK == game.suit
    )


@inlined
def _walk(
    source: Record,
    column: Any,
    table: Shorts,
    limit: Any,
    state: Any,
    cursor: Any,
    drawn: Any,
    ahead: Any,
) -> Any:
    """Take cards to the end, however many: state, cards used, cards drawn. If `ahead` cards are
    there, so many steps are made without looking whether they are wanted."""
    if cursor + ahead <= drawn:
        for _ in range(ahead):
            wanted = np.uint64(state >= limit)
            state = np.uint64(table[state + _value(source, column, cursor)])
            cursor += wanted
    while state >= limit:
        if cursor == drawn:
            drawn = _more(source, column, drawn)
        state = np.uint64(table[state + _value(source, column, cursor)])
        cursor += U1
    return state, cursor, drawn


@inlined
def _start(game: Record, first: Any, second: Any, up: Any) -> Any:
    """The state of two first cards, and of a natural by its suit."""
    code = (np.uint64(first & VALUE_MASK) * TEN + np.uint64(second & VALUE_MASK)) * TEN + up
    state = np.uint64(game.start[code])
    if state == game.natural and _suited(game, first, second):
        return np.uint64(game.natural_suited)
    return state


@inlined
def _is_natural(game: Record, state: Any) -> Any:
    return state == np.uint64(game.natural) or state == np.uint64(game.natural_suited)


@inlined
def _dealer(
    source: Record,
    column: Any,
    game: Record,
    up: Any,
    hole: Any,
    wait: Any,
    cursor: Any,
    drawn: Any,
) -> Any:
    """The dealer's end, and the cards used: he takes what the hands wait for, and no more."""
    if game.peeks:
        dealer = np.uint64(game.up_hole[up * TEN + hole])
        # An end takes no card, and what hangs on none is the same against every end.
        dealer *= np.uint64(wait == 2)
    elif wait == 0 or (wait == 1 and not game.hides[up]):
        return U0, cursor
    else:
        if cursor == drawn:
            drawn = _more(source, column, drawn)
        dealer = np.uint64(game.up_hole[up * TEN + _value(source, column, cursor)])
        cursor += U1
        if wait == 1 and dealer != np.uint64(game.dealer_natural):
            return U0, cursor
    limit = np.uint64(game.dealer_draws_from)
    table = game.dealer_step
    dealer, cursor, drawn = _walk(source, column, table, limit, dealer, cursor, drawn, U3)
    return dealer, cursor


@inlined
def _alone(source: Record, column: Any, game: Record, state: Any, up: Any, drawn: Any) -> Any:
    """A round of one spot without split and insurance: both ends, and the cards used."""
    cursor, hole = U3, U0
    if game.peeks:
        hole = _value(source, column, cursor)
        cursor += U1
        if game.up_hole[up * TEN + hole] == game.dealer_natural:
            end = state if _is_natural(game, state) else np.uint64(game.lost)
            return end, np.uint64(game.dealer_natural), cursor
    limit = np.uint64(game.draws_from)
    state, cursor, drawn = _walk(source, column, game.step, limit, state, cursor, drawn, U2)
    wait = game.waits[state >> LOW]
    dealer, cursor = _dealer(source, column, game, up, hole, wait, cursor, drawn)
    return state, dealer, cursor


@inlined
def _nets_of(
    game: Record, sides: Record, tally: Record, spot: int, code: Any, end: Any, kind: Any
) -> None:
    """Write the nets and stakes of one spot into their columns."""
    bets = sides.bets
    first = 1 + np.int64(game.insures)
    base = spot * (first + bets)
    tally.net[base], tally.stake[base] = game.pay[code], game.stake[end]
    for column in range(1, first):
        tally.net[base + column] = tally.stake[base + column] = 0
    for bet in range(bets):
        tally.net[base + first + bet] = sides.net[kind, bet]


@compiled
def play_alone(
    source: Record,
    game: Record,
    sides: Record,
    tally: Record,
    notes: Record,
    room: Record,
    rounds: int,
    mains: Bytes,
    given: Shorts,
) -> int:
    """Rounds of one spot, as `play_together`."""
    done = 0
    while done < rounds and _has_room(tally, notes, 1):
        count, drawn = _begin(source, given, done, rounds)
        late = _batch_alone(source, game, sides, tally, notes, room, done, count, drawn)
        if late > 0:
            _rounds(source, game, sides, tally, notes, mains, room, done, drawn, late)
        done += count
    return done


@inlined
def _batch_alone(
    source: Record,
    game: Record,
    sides: Record,
    tally: Record,
    notes: Record,
    room: Record,
    done: int,
    count: int,
    drawn: Any,
) -> int:
    """The rounds of a batch that need no splitting; how many are left for later."""
    limit, ends = np.uint64(game.splits_from), np.uint64(game.dealer_ends)
    has_sides, noted, late = sides.bets > 0, sides.meters != 0 or notes.traced != 0, 0
    for deal in range(count):
        column = np.uint64(source.deals[np.uint64(deal)])
        first, second = _card(source, column, U0), _card(source, column, U2)
        up = _value(source, column, U1)
        state = _start(game, first, second, up)
        if game.by_hand or state >= limit or (game.insures and up == np.uint64(game.asks_up)):
            room.late[np.uint64(late)] = deal
            late += 1
            continue
        kind = _class_of(sides, first, second, _card(source, column, U1)) if has_sides else U0
        state, dealer, cursor = _alone(source, column, game, state, up, drawn)
        code = (state >> LOW) * ends + (dealer >> LOW)
        tally.ends[kind * np.uint64(tally.codes) + code] += 1
        if noted:
            _nets_of(game, sides, tally, 0, code, state >> LOW, kind)
            if sides.wins_meter[kind]:
                _note_hit(tally, done + deal, 0, kind)
            _note_round(tally, notes, done + deal, cursor)
    return late


@inlined
def _firsts(source: Record, column: Any, spot: Any, spots: Any) -> Any:
    """The first two cards of a spot (G-02)."""
    return _card(source, column, spot), _card(source, column, spots + U1 + spot)


@inlined
def _spot_kind(source: Record, column: Any, sides: Record, spot: Any, spots: Any) -> Any:
    first, second = _firsts(source, column, spot, spots)
    return _class_of(sides, first, second, _card(source, column, spots))


@inlined
def _needs_hands(
    source: Record, column: Any, game: Record, spots: Any, up: Any, states: Words
) -> Any:
    """Whether some spot must be played hand by hand; `states` of all first cards are filled in."""
    needed = game.insures and up == np.uint64(game.asks_up)
    for spot in range(spots):
        first, second = _firsts(source, column, spot, spots)
        state = _start(game, first, second, up)
        states[spot] = state
        needed |= state >= np.uint64(game.splits_from)
    return needed


@inlined
def _together(
    source: Record,
    column: Any,
    game: Record,
    spots: Any,
    states: Words,
    up: Any,
    drawn: Any,
) -> Any:
    """A round of several spots without split and insurance: their ends stay in `states`; the
    dealer's, and the cards used."""
    cursor, hole = spots + spots + U1, U0
    if game.peeks:
        hole = _value(source, column, cursor)
        cursor += U1
        if game.up_hole[up * TEN + hole] == game.dealer_natural:
            for spot in range(spots):
                if not _is_natural(game, states[spot]):
                    states[spot] = np.uint64(game.lost)
            return np.uint64(game.dealer_natural), cursor
    limit, wait = np.uint64(game.draws_from), np.uint8(0)
    for spot in range(spots):
        state = states[spot]
        state, cursor, drawn = _walk(source, column, game.step, limit, state, cursor, drawn, U2)
        states[spot] = state
        wait = max(wait, game.waits[state >> LOW])
    return _dealer(source, column, game, up, hole, wait, cursor, drawn)


@compiled
def play_together(
    source: Record,
    game: Record,
    sides: Record,
    tally: Record,
    notes: Record,
    room: Record,
    rounds: int,
    mains: Bytes,
    given: Shorts,
) -> int:
    """Rounds of several spots, `mains[spot]` 1 for those that bear a main bet; how many were
    played before there was no more room for their hits."""
    done = 0
    while done < rounds and _has_room(tally, notes, len(mains)):
        count, drawn = _begin(source, given, done, rounds)
        late = _batch_together(source, game, sides, tally, notes, mains, room, done, count, drawn)
        if late > 0:
            _rounds(source, game, sides, tally, notes, mains, room, done, drawn, late)
        done += count
    return done


@inlined
def _batch_together(
    source: Record,
    game: Record,
    sides: Record,
    tally: Record,
    notes: Record,
    mains: Bytes,
    room: Record,
    done: int,
    count: int,
    drawn: Any,
) -> int:
    spots, dealer_ends, late = np.uint64(len(mains)), np.uint64(game.dealer_ends), 0
    for deal in range(count):
        column = np.uint64(source.deals[np.uint64(deal)])
        up = _value(source, column, spots)
        if _needs_hands(source, column, game, spots, up, room.states) or game.by_hand:
            room.late[np.uint64(late)] = deal
            late += 1
            continue
        dealer, cursor = _together(source, column, game, spots, room.states, up, drawn)
        for spot in range(len(mains)):
            end = room.states[np.uint64(spot)] >> LOW
            kind = _spot_class(source, column, sides, tally, spot, len(mains))
            code = end * dealer_ends + (dealer >> LOW)
            _nets_of(game, sides, tally, spot, code, end, kind)
        _count(tally)
        if sides.meters:
            _note_hits(source, column, sides, tally, done + deal, len(mains))
        _note_round(tally, notes, done + deal, cursor)
    return late


@inlined
def _spot_class(
    source: Record, column: Any, sides: Record, tally: Record, spot: int, spots: int
) -> Any:
    """The class of a spot's side bets, counted."""
    kind = U0
    if sides.bets > 0:
        kind = _spot_kind(source, column, sides, np.uint64(spot), np.uint64(spots))
    tally.classes[spot, kind] += 1
    return kind


@compiled
def _note_hits(
    source: Record, column: Any, sides: Record, tally: Record, at: int, spots: int
) -> None:
    for spot in range(spots):
        kind = _spot_kind(source, column, sides, np.uint64(spot), np.uint64(spots))
        if sides.wins_meter[kind]:
            _note_hit(tally, at, spot, kind)


# Hand by hand

NUMBER, ORIGIN, END = range(3)
"""Rows of `held` for the hands of the spot that acts; -1 is the end of a hand in play."""
SPOT_WAITS, INSURED = 3, 4
"""Rows of `held` by spot: the end of a natural or of even money, else -1; 1 if it is insured."""
TAKEN, DRAWN = range(2)


@inlined
def _take(source: Record, column: Any, use: Words) -> Any:
    """The value of the next card; use[TAKEN] cards are used of use[DRAWN] drawn."""
    if use[TAKEN] == use[DRAWN]:
        use[DRAWN] = _more(source, column, use[DRAWN])
    card = _value(source, column, use[TAKEN])
    use[TAKEN] += U1
    return card


@inlined
def _note_choice(notes: Record, at: int, spot: int, hand: int, mask: Any, choice: Any) -> None:
    if notes.logged:
        row, log = notes.log_count, notes.log
        log[row, 0], log[row, 1], log[row, 2] = at, spot, hand
        log[row, 3], log[row, 4] = mask, choice
        notes.log_count = row + 1


@inlined
def _insurance(game: Record, notes: Record, at: int, spot: int, number: int, held: Ints) -> None:
    """Ask a spot for insurance or even money."""
    natural = number == game.natural_hand
    even = game.even_money and natural
    taken = game.insure[number] != 0
    _note_choice(notes, at, spot, 0, EVEN_OPEN if even else INSURANCE_OPEN, np.int64(taken))
    if taken and even:
        held[SPOT_WAITS, spot] = game.even
    elif taken:
        held[INSURED, spot] = 1


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
def _hit(source: Record, column: Any, game: Record, held: Ints, hand: int, use: Words) -> None:
    number = game.after[held[NUMBER, hand], _take(source, column, use)]
    held[NUMBER, hand] = number
    if number < 0:
        held[END, hand] = game.bust[0]
    elif game.won[number] >= 0:
        held[END, hand] = game.won[number]


@inlined
def _double(
    source: Record,
    column: Any,
    game: Record,
    notes: Record,
    held: Ints,
    hand: int,
    use: Words,
    place: tuple[int, int, Any],
) -> None:
    at, spot, up = place
    origin = held[ORIGIN, hand]
    number = game.after[held[NUMBER, hand], _take(source, column, use)]
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
    source: Record, column: Any, game: Record, held: Ints, hand: int, hands: int, use: Words
) -> None:
    """Two hands of one: those after it move up, each gets a card, the right one first."""
    value = game.pair[held[NUMBER, hand]]
    for other in range(hands, hand + 1, -1):
        for row in range(END + 1):
            held[row, other] = held[row, other - 1]
    for half in range(2):
        held[NUMBER, hand + half] = game.after[game.after[0, value], _take(source, column, use)]
        held[ORIGIN, hand + half] = game.halves_origin[value]
        held[END, hand + half] = -1


@compiled
def _play_hands(
    source: Record,
    column: Any,
    game: Record,
    notes: Record,
    held: Ints,
    use: Words,
    place: tuple[int, int, Any],
) -> int:
    """Play the one hand in `held`, and those it is split into, to their ends; how many."""
    at, spot, up = place
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
            _split(source, column, game, held, hand, hands, use)
            hands += 1
        elif choice == HIT:
            _hit(source, column, game, held, hand, use)
        elif choice == DOUBLE:
            _double(source, column, game, notes, held, hand, use, place)
        else:
            stood = game.stood[0, held[NUMBER, hand]]
            held[END, hand] = game.given_up if choice == SURRENDER else stood
    return hands


@inlined
def _first_hand(source: Record, column: Any, game: Record, spot: Any, spots: Any) -> Any:
    first, second = _firsts(source, column, spot, spots)
    return game.after[game.after[0, np.uint64(first & VALUE_MASK)], np.uint64(second & VALUE_MASK)]


@inlined
def _deal_in(
    source: Record,
    column: Any,
    game: Record,
    notes: Record,
    mains: Bytes,
    room: Record,
    at: int,
    up: Any,
) -> None:
    """Naturals are set apart, insurance is asked."""
    spots = np.uint64(len(mains))
    for spot in range(len(mains)):
        place = np.uint64(spot)
        room.held[SPOT_WAITS, spot], room.held[INSURED, spot] = -1, 0
        if not mains[spot]:
            continue
        number = _first_hand(source, column, game, place, spots)
        if number == game.natural_hand:
            first, second = _firsts(source, column, place, spots)
            suited = _suited(game, first, second)
            natural = game.natural_suited if suited else game.natural
            room.held[SPOT_WAITS, spot] = natural >> np.int64(4)
        if game.asks and up == np.uint64(game.asks_up):
            _insurance(game, notes, at, spot, number, room.held)


@compiled
def _rounds(
    source: Record,
    game: Record,
    sides: Record,
    tally: Record,
    notes: Record,
    mains: Bytes,
    room: Record,
    done: int,
    drawn: Any,
    late: int,
) -> None:
    """The rounds of a batch that are played hand by hand."""
    for number in range(late):
        deal = room.late[number]
        column = np.uint64(source.deals[deal])
        _round(source, column, game, sides, tally, notes, mains, room, done + deal, drawn)


@inlined
def _round(
    source: Record,
    column: Any,
    game: Record,
    sides: Record,
    tally: Record,
    notes: Record,
    mains: Bytes,
    room: Record,
    at: int,
    drawn: Any,
) -> None:
    """A round hand by hand, counted; its first cards are dealt."""
    spots = np.uint64(len(mains))
    up, cursor, hole = _value(source, column, spots), spots + spots + U1, U0
    if game.peeks:
        hole = _value(source, column, cursor)
        cursor += U1
    use = room.use
    use[TAKEN], use[DRAWN] = cursor, drawn
    _deal_in(source, column, game, notes, mains, room, at, up)
    natural = np.uint64(game.dealer_natural)
    dealer, laid = U0, np.uint8(0)
    for spot in range(len(mains)):
        laid |= mains[spot]
        room.counts[spot] = 0
    if game.peeks and laid and game.up_hole[up * TEN + hole] == game.dealer_natural:
        dealer = natural
        _meet_natural(game, mains, room)
    elif laid:
        wait = _all_hands(source, column, game, notes, mains, room, at, up)
        dealer, use[TAKEN] = _dealer(source, column, game, up, hole, wait, use[TAKEN], use[DRAWN])
    for spot in range(len(mains)):
        kind = _spot_class(source, column, sides, tally, spot, len(mains))
        _settle(game, sides, tally, spot, room, dealer, kind)
        if room.held[INSURED, spot]:
            _insure(game, sides, tally, spot, dealer == natural)
    _count(tally)
    if sides.meters:
        _note_hits(source, column, sides, tally, at, len(mains))
    _note_round(tally, notes, at, use[TAKEN])


@inlined
def _meet_natural(game: Record, mains: Bytes, room: Record) -> None:
    """A dealer natural found by the peek ends the round."""
    for spot in range(len(mains)):
        waits = room.held[SPOT_WAITS, spot]
        room.ends[spot, 0] = waits if waits >= 0 else game.lost >> np.int64(4)
        room.counts[spot] = np.int64(mains[spot])


@compiled
def _all_hands(
    source: Record,
    column: Any,
    game: Record,
    notes: Record,
    mains: Bytes,
    room: Record,
    at: int,
    up: Any,
) -> Any:
    """Play the hands of all spots; for how much of the dealer's hand they wait."""
    ends, counts = room.ends, room.counts
    wait: Any = 0
    for spot in range(len(mains)):
        if not mains[spot]:
            continue
        if room.held[SPOT_WAITS, spot] >= 0:
            ends[spot, 0], counts[spot] = room.held[SPOT_WAITS, spot], 1
        else:
            place = np.uint64(spot)
            number = _first_hand(source, column, game, place, np.uint64(len(mains)))
            room.held[NUMBER, 0], room.held[ORIGIN, 0], room.held[END, 0] = number, 0, -1
            counts[spot] = _play_hands(
                source, column, game, notes, room.held, room.use, (at, spot, up)
            )
            for hand in range(counts[spot]):
                ends[spot, hand] = room.held[END, hand]
        for hand in range(counts[spot]):
            wait = max(wait, np.int64(game.waits[ends[spot, hand]]))
        if room.held[INSURED, spot]:
            wait = max(wait, 1)
    return wait


@inlined
def _settle(
    game: Record, sides: Record, tally: Record, spot: int, room: Record, dealer: Any, kind: Any
) -> None:
    """Write the nets and stakes of one spot's hands and side bets into their columns."""
    _nets_of(game, sides, tally, spot, U0, U0, kind)
    first = 1 + np.int64(game.insures)
    base = spot * (first + sides.bets)
    tally.net[base] = tally.stake[base] = 0
    for hand in range(room.counts[spot]):
        end = room.ends[spot, hand]
        tally.net[base] += game.pay[end * game.dealer_ends + np.int64(dealer >> LOW)]
        tally.stake[base] += game.stake[end]


@inlined
def _insure(game: Record, sides: Record, tally: Record, spot: int, natural: bool) -> None:
    column = spot * (2 + sides.bets) + 1
    tally.net[column] = game.insured if natural else -game.insurance_stake
    tally.stake[column] = game.insurance_stake


# Three cards


THREE: Final = np.dtype(
    [
        ("hand", np.int64, 1000),
        ("raises", np.uint8, 2560),
        ("end", np.int64, 256),
        ("dealer_end", np.int64, 256),
        ("dealer_ends", np.uint64),
        ("ends", np.int64),
        ("pay", np.int64, 1 << 12),
        ("stake", np.int64, 256),
    ]
)
"""A three-card game under a strategy, as `upcard.simulate.threecards` makes it. hand[three values
in base 10]; raises[(hand, up card) in base 10]; end[hand] of a player who raises, 0 is who folds;
dealer_end[hand]; pay[end x dealer ends + dealer's end], stake[end]."""


@inlined
def _three(source: Record, column: Any, game: Record, start: Any) -> Any:
    code = _value(source, column, start) * HUNDRED + _value(source, column, start + U1) * TEN
    return np.uint64(game.hand[code + _value(source, column, start + U2)])


@inlined
def _three_kind(source: Record, column: Any, sides: Record) -> Any:
    first, second = _card(source, column, U0), _card(source, column, U1)
    return _class_of(sides, first, second, _card(source, column, U2))


@compiled
def play_three(
    source: Record,
    game: Record,
    sides: Record,
    tally: Record,
    notes: Record,
    rounds: int,
    given: Shorts,
) -> int:
    """Rounds of three cards against three; how many were played before there was no more room."""
    done, has_sides = 0, sides.bets > 0
    noted = sides.meters != 0 or notes.traced != 0
    while done < rounds and _has_room(tally, notes, 1):
        count, _ = _begin(source, given, done, rounds)
        for deal in range(count):
            column = np.uint64(source.deals[np.uint64(deal)])
            hand = _three(source, column, game, U0)
            raises = np.uint64(game.raises[hand * TEN + _value(source, column, U3)])
            end = np.uint64(game.end[hand]) * raises
            dealer = np.uint64(game.dealer_end[_three(source, column, game, U3)])
            code = end * np.uint64(game.dealer_ends) + dealer
            kind = _three_kind(source, column, sides) if has_sides else U0
            tally.ends[kind * np.uint64(tally.codes) + code] += 1
            if noted:
                _note_three(game, sides, tally, notes, done + deal, code, kind)
        done += count
    return done


@inlined
def _note_three(
    game: Record, sides: Record, tally: Record, notes: Record, at: int, code: Any, kind: Any
) -> None:
    tally.net[0] = game.pay[code]
    for bet in range(sides.bets):
        tally.net[1 + bet] = sides.net[kind, bet]
    if sides.wins_meter[kind]:
        _note_hit(tally, at, 0, kind)
    _note_round(tally, notes, at, U3 + U3)


# Bankrolls


@compiled
def follow(nets: Ints, bet: int, bankroll: int, length: int, state: Ints, ended: Ints) -> None:
    """Follow bankrolls through rounds: sittings of `length` rounds, one after another.

    state: the bankroll now, its peak, the deepest fall from a peak, the rounds played before it no
    longer covered the bet (else -1), rounds of this sitting, sittings that are over;
    ended[sitting]: the first four of these at its end.
    """
    bank, peak, fall, ruined, played, over = (
        state[0],
        state[1],
        state[2],
        state[3],
        state[4],
        state[5],
    )
    for at in range(len(nets)):
        net = nets[at]
        if ruined < 0:
            bank += net
            peak = max(peak, bank)
            fall = max(fall, peak - bank)
        played += 1
        if ruined < 0 and bank < bet:
            ruined = played
        if played == length:
            ended[over, 0], ended[over, 1], ended[over, 2] = bank, peak, fall
            ended[over, 3] = ruined
            over += 1
            bank, peak, fall, ruined, played = bankroll, bankroll, 0, -1, 0
    state[0], state[1], state[2], state[3], state[4], state[5] = (
        bank,
        peak,
        fall,
        ruined,
        played,
        over,
    )
