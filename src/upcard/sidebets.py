"""Side bets: pure evaluators of the first cards, and how a spot's side bets are settled.

An evaluator looks at three cards. In drawing games these are the player's two and the dealer's
up card, in this order; in three-card games the player's three. It names *every* outcome that
fits, so that any pay table works: the first of its rows that fits pays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from upcard.cards import RANKS, Card
from upcard.events import Awarded, Event, Paid
from upcard.money import MeterShare
from upcard.paytable import PayTable, Row
from upcard.table import Meter, MeterFor

Cards3 = Sequence[Card]


@dataclass(frozen=True, slots=True)
class Evaluator:
    """`fits(cards)` names all outcomes that three cards are, out of `outcomes`, highest first.

    `sees` says which cards matter: `three` any three alike, `two_and_up` the player's two and the
    up card in different parts, `two` the player's two alone.
    """

    outcomes: tuple[str, ...]
    sees: Literal["three", "two_and_up", "two"]
    fits: Callable[[Cards3], frozenset[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """A progressive meter: the cents it starts at after each win, and its share of stakes.

    A meter with a cap never shows more; what goes beyond is the house's to put aside.
    """

    key: str
    seed: int
    share: Fraction
    cap: int | None = None

    def __str__(self) -> str:
        up_to = "" if self.cap is None else f" up to {self.cap}"
        return f"{self.key}, {self.share} of each stake from {self.seed}{up_to}"

    def shown(self, cents: int) -> int:
        """What a meter shows that holds so many cents."""
        return cents if self.cap is None else min(cents, self.cap)

    def is_exact(self, stake: int) -> bool:
        return (stake * self.share).denominator == 1

    def contribution(self, stake: int) -> int:
        """The cents of a stake that enter the meter, exactly (T-85)."""
        cents = stake * self.share
        assert cents.denominator == 1, f"{self.share} of {stake} cents is no whole number of cents"
        return cents.numerator


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBet:
    """One side bet. `needs` is another bet that must lie on the same spot.

    `short` is printed in its circle on the felt where the title is too long for it.
    """

    key: str
    title: str
    evaluate: Evaluator
    pays: PayTable
    needs: str | None = None
    pool: Pool | None = None
    short: str | None = None

    def judge(self, cards: Cards3) -> Row | None:
        """The row that pays for these three cards, or None when the bet loses."""
        return self.pays.first(self.evaluate.fits(cards))


# Poker hands of three cards

_RUNS = frozenset(
    frozenset(rank % len(RANKS) for rank in range(low, low + 3)) for low in range(len(RANKS) - 1)
)
"""The ranks of each straight: A-2-3 ... Q-K-A; K-A-2 is none (T-86)."""


def _poker(cards: Cards3) -> frozenset[str]:
    ranks = {card.rank for card in cards}
    flush = len({card.suit for card in cards}) == 1
    found = {"flush"} if flush else set()
    if frozenset(ranks) in _RUNS:
        found |= {"straight", "straight_flush"} if flush else {"straight"}
    if len(ranks) == 1:
        found |= {"three_of_a_kind"} | _trips(cards[0].rank, flush)
    return frozenset(found)


def _trips(rank: int, suited: bool) -> set[str]:
    found = {"three_fives"} if RANKS[rank] == "5" else set()
    if suited:
        found.add("suited_three")
        if RANKS[rank] in "AK":
            found.add("suited_aces_kings")
    return found


POKER = Evaluator(
    (
        "suited_aces_kings",
        "suited_three",
        "three_fives",
        "straight_flush",
        "three_of_a_kind",
        "straight",
        "flush",
    ),
    "three",
    _poker,
)
"""Player's two cards and the up card as a three-card poker hand (T-83 to T-86, A-18)."""


# The player's cards against the up card


def _match(cards: Cards3) -> frozenset[str]:
    *own, up = cards
    matches = [card.suit == up.suit for card in own if card.rank == up.rank]
    names = {
        (True, True): "two_suited",
        (False, True): "suited_unsuited",
        (True,): "suited",
        (False, False): "two_unsuited",
        (False,): "unsuited",
    }
    name = names.get(tuple(sorted(matches)))
    return frozenset([name] if name else [])


MATCH = Evaluator(
    ("two_suited", "suited_unsuited", "suited", "two_unsuited", "unsuited"), "two_and_up", _match
)
"""The player's cards that have the up card's rank (A-19)."""


def _between(cards: Cards3) -> frozenset[str]:
    first, second, up = (_ace_high(card) for card in cards)
    if first == second == up:
        return frozenset(["triple"])
    low, high = sorted((first, second))
    if not low < up < high:
        return frozenset()
    return frozenset([{1: "one", 2: "two", 3: "three"}.get(high - low - 1, "more")])


def _ace_high(card: Card) -> int:
    return card.rank or len(RANKS)


BETWEEN = Evaluator(("triple", "one", "two", "three", "more"), "two_and_up", _between)
"""The up card strictly between the player's two, by the spread of these (A-21)."""


# The player's own cards


def _pair(cards: Cards3) -> frozenset[str]:
    first, second = cards[:2]
    if first.rank != second.rank:
        return frozenset()
    return frozenset(["suited" if first.suit == second.suit else "unsuited"])


PAIR = Evaluator(("suited", "unsuited"), "two", _pair)
"""The player's first two cards as a pair by rank (A-20)."""


def _aces(cards: Cards3) -> frozenset[str]:
    kinds = Counter("a" if card.is_ace else "t" if card.is_ten else "x" for card in cards)
    name = "".join(kind * kinds[kind] for kind in "atx")
    return frozenset([name] if kinds["a"] else [])


ACES = Evaluator(("aaa", "aat", "aax", "att", "atx", "axx"), "three", _aces)
"""Aces among three cards, with what stands beside them (C-12)."""


# Settling the side bets of a round


@dataclass(frozen=True, slots=True)
class LaidSideBet:
    """A side bet that lies on a spot, with the row its cards have already decided."""

    spot: int
    bet: SideBet
    stake: int
    row: Row | None

    @property
    def share(self) -> MeterShare | None:
        """The share of the meter that it wins, if it wins one."""
        pays = self.row.pays if self.row else None
        return pays if isinstance(pays, MeterShare) else None


def settle_side_bets(
    laid: tuple[LaidSideBet, ...], log: list[Event]
) -> tuple[int, tuple[LaidSideBet, ...]]:
    """Pay side bets in order up to one that meets a meter; the cents paid, and those left."""
    paid = 0
    for index, side in enumerate(laid):
        if side.share:
            return paid, laid[index:]
        payment = _settled(side)
        log.append(payment)
        paid += payment.paid
    return paid, ()


def award(side: LaidSideBet, meter: Meter, log: list[Event]) -> int:
    """Pay a side bet its share of the meter as it stands; the cents paid."""
    assert side.share is not None
    assert side.row is not None
    paid = side.share.of(meter.cents)
    log.append(Awarded(side.spot, side.bet.key, meter.epoch, meter.cents, paid))
    log.append(Paid(side.spot, None, side.bet.key, side.row.name, side.stake, paid))
    return paid


def meter_for(side: LaidSideBet) -> MeterFor:
    assert side.share is not None
    return MeterFor(side.spot, side.bet.key, side.share)


def _settled(side: LaidSideBet) -> Paid:
    if side.row is None:
        return Paid(side.spot, None, side.bet.key, "lose", side.stake, 0)
    assert not isinstance(side.row.pays, MeterShare)
    paid = side.row.pays.paid(side.stake)
    return Paid(side.spot, None, side.bet.key, side.row.name, side.stake, paid)
