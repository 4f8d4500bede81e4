"""The records that the kernel works on: what they hold, and how one is made.

A record is one pointer for compiled code, which knows its fields by name and place.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]
Shorts = NDArray[np.uint16]
Ints = NDArray[np.int64]
Record = Any
"""A value of one of the record types below."""


def record(kind: np.dtype[Any], **fields: Any) -> Record:
    """A record with these fields, all others zero; an array fills the beginning of its field."""
    made: Record = np.zeros(1, kind).view(np.recarray)[0]
    for name, value in fields.items():
        given = np.asarray(value)
        room = made[name]
        if given.ndim == 0:
            made[name] = value
            continue
        assert all(has <= most for has, most in zip(given.shape, room.shape, strict=True)), name
        room[tuple(slice(size) for size in given.shape)] = given
    return made


def in_place(made: Record) -> Record:
    """The same record in an array of its own. One that was unpickled lies nowhere: whoever asks for
    its address gets that of a copy."""
    placed: Record = np.array([made], made.dtype).view(np.recarray)[0]
    return placed


# Cards

LANES: Final = 8
WORDS: Final = 4096
QUARTERS: Final = 4 * WORDS
"""Quarters of a word, 16 bits each: one picks a card."""
BATCH: Final = 256
PLACES: Final = 512
"""More than any round can use: five spots of four hands of 21 cards."""
EACH: Final = 3
"""Cards that are compared at once."""

SOURCE: Final = np.dtype(
    [
        ("state", np.uint64, 4 * LANES),
        ("quarters", np.uint16, QUARTERS),
        ("next", np.int64),
        ("good", np.int64),
        ("exhausted", np.int64),
        ("picks", np.uint16, PLACES * BATCH),
        ("values", np.uint8, PLACES * BATCH),
        ("bad", np.uint16, BATCH),
        ("deals", np.uint16, BATCH + 1),
        ("size", np.uint16),
        ("bound", np.uint16),
        ("per_rank", np.uint16),
        ("per_card", np.uint64),
        ("first", np.int64),
        ("dealt", np.int64),
    ]
)
"""Where cards come from: `state` of the generators, `quarters` of the words drawn from them, and
the next of these.

A round is a column: picks[place x BATCH + column] are places of a shoe of `size` cards that lie in
order, by rank, then by suit; values likewise are what they are worth, an ace 0, a ten 9. The first
`first` places of all columns are filled at once; deals[n] are the columns that are `good`, so many;
each has `dealt` cards. A pick times `per_rank` is its rank in the upper 16 bits of 32, times
`per_card` its card: 4 x rank + suit.
Remainders below `bound` are thrown away. `exhausted`: whether some round has used up the shoe.
"""


# What is counted

BETS_MAX: Final = 8
SPOTS_MAX: Final = 8
COLUMNS: Final = 32
HANDS_ROOM: Final = 8
CLASSES: Final = 256
NETS_ROOM: Final = 1 << 15
HITS_ROOM: Final = 2048
HIT_NETS: Final = 3
TRACE_ROOM: Final = 1 << 14
LOG_ROOM: Final = 8 * TRACE_ROOM

SIDES: Final = np.dtype(
    [
        ("of_cards", np.uint8, 52**3),
        ("net", np.int32, (CLASSES, BETS_MAX)),
        ("stake", np.int32, BETS_MAX),
        ("wins_meter", np.uint8, CLASSES),
        ("bets", np.int64),
        ("meters", np.int64),
    ]
)
"""Side bets of a spot by what its first three cards are together, one class for each set of rows
that they win. of_cards[three cards in base 52]: the class; net[class, bet], stake[bet], of `bets`
bets; wins_meter[class]: whether some bet there wins a share of a meter, `meters`: whether any
does."""

TALLY: Final = np.dtype(
    [
        ("nets", np.int64, NETS_ROOM),
        ("lowest", np.int64),
        ("per_cent", np.float64),
        ("columns", np.int64),
        ("sums", np.int64, COLUMNS),
        ("stakes", np.int64, COLUMNS),
        ("products", np.int64, (COLUMNS, COLUMNS)),
        ("classes", np.int64, (SPOTS_MAX, CLASSES)),
        ("hits", np.int64, (HITS_ROOM, 3 + COLUMNS)),
        ("hit_count", np.int64),
    ]
)
"""What is counted. Bets are columns: spot by spot the main bet, insurance if it is ever taken, the
side bets. nets[(net of the round - lowest) x per_cent], sums, stakes, products[column, column
before or same], classes[spot, class]. hits[n]: round, spot, class and nets of each hit of a meter.
"""

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
        ("states", np.uint16, (SPOTS_MAX + 1) * BATCH),
        ("used", np.uint16, BATCH),
        ("waits", np.uint8, BATCH),
        ("waiting", np.uint16, BATCH + 1),
        ("met_up", np.uint16, BATCH),
        ("is_late", np.uint8, BATCH),
        ("late", np.uint16, BATCH + 1),
        ("kinds", np.uint8, SPOTS_MAX * BATCH),
        ("net", np.int32, COLUMNS * BATCH),
        ("stake", np.int32, COLUMNS * BATCH),
        ("totals", np.int32, BATCH),
        ("places", np.int32, BATCH),
        ("ends", np.uint8, (BATCH, SPOTS_MAX, HANDS_ROOM)),
        ("counts", np.uint8, (BATCH, SPOTS_MAX)),
        ("insured", np.uint8, (BATCH, SPOTS_MAX)),
        ("held", np.int64, (4, HANDS_ROOM)),
    ]
)
"""Room to work in. Of the rounds of a batch, by row and round: states[spot, or the dealer], cards
used, waits (as in `DRAWING`), kinds[spot] (classes of side bets), net and stake[column], totals,
places among the nets;
`waiting`: those who want another card; met_up: 1000 if a peek found a natural, and the up card.
`late` are those that are played hand by hand; of them
ends[round, spot, hand], so many as counts[round, spot], and insured[round, spot]. Of the one being
played: held[row, hand or spot] (rows: see `NUMBER` and below)."""


# Games

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
        ("start", np.uint16, 2000),
        ("step", np.uint16, 1 << 16),
        ("up_hole", np.uint16, 100),
        ("dealer_step", np.uint16, 1 << 10),
        ("dealer_draws_from", np.uint64),
        ("dealer_natural", np.uint64),
        ("dealer_ends", np.uint64),
        ("pay", np.int32, ENDS_MAX * DEALER_ENDS_MAX),
        ("stake", np.int32, ENDS_MAX),
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
take a card: step[state + value]; the rest are pairs to be split. start[(met, first, second, up)
in base 10], met: 1 if a peek found a natural; natural, natural_suited, lost: ends. Dealer's
states alike: up_hole[(up, hole)], dealer_step, dealer_draws_from, dealer_natural. pay[end x
dealer ends + dealer's end], stake[end]; waits[end]: 0 settled, 1 hangs on the dealer's second card
alone, 2 on all of them.

**Hands** are numbered as in `upcard.maths.compositions`; origin as in `upcard.maths.tables`:
after[hand, value]; choice[origin, hand, up], rescue likewise; options[origin, doubled, hand];
pair[hand]: its value or -1; halves_origin[value]; hands_max[value]; split[again, value, up];
stood[doubled, hand], bust[doubled], won[hand] (or -1), given_up, rescued, even: ends.
natural_hand: the hand that is a natural if it was dealt. insure[hand]: whether insurance (or
even money) is taken; hides[up]: whether a natural may be under it; asks_up: the up card under
which insurance is asked; insured: what it wins; insurance_stake.
`by_hand`: the strategy has too many states, and the rounds are all played hand by hand.
"""

THREE: Final = np.dtype(
    [
        ("hand", np.int64, 1000),
        ("raises", np.uint8, 2560),
        ("end", np.int64, 256),
        ("dealer_end", np.int64, 256),
        ("dealer_ends", np.uint64),
        ("ends", np.int64),
        ("pay", np.int32, 1 << 12),
        ("stake", np.int32, 256),
    ]
)
"""A three-card game under a strategy, as `upcard.simulate.threecards` makes it. hand[three values
in base 10]; raises[(hand, up card) in base 10]; end[hand] of a player who raises, 0 is who folds;
dealer_end[hand]; pay[end x dealer ends + dealer's end], stake[end]."""
