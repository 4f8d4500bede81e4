"""A drawing game under a strategy, as the arrays by which `upcard.simulate.kernel` plays it.

Every entry comes from a hand rule of `upcard.twentyone.hand`; the kernel itself knows none. Hand,
up card and strategy are folded into states, and states that go on alike are one: a few hundred are
left, which stay in the processor's nearest memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np

from upcard.cards import SUIT_NAMES, Card
from upcard.maths import compositions
from upcard.maths.analysis import Plan, split_origin
from upcard.maths.arrays import Hands
from upcard.maths.tables import (
    ACE,
    DOUBLE,
    HIT,
    PAIR_SPLIT,
    RESCUE,
    STAND,
    SURRENDER,
    TEN,
    VALUES,
    tables,
)
from upcard.money import Odds, half
from upcard.simulate.records import DRAWING, Bytes, Ints, Record, Shorts, record
from upcard.twentyone import hand as hand_rules
from upcard.twentyone.hand import EVEN, Hand
from upcard.twentyone.rules import BEST_TOTAL, Rules

ROW: Final = 16
"""Places of a state in a table, one for each value and some to spare."""
STATES_MAX: Final = 0xFFFF // ROW - 1
SETTLED, SECOND_CARD, WHOLE_HAND = range(3)
"""What an end hangs on: nothing, the dealer's second card, all the dealer's cards."""
BASE: Final = VALUES * VALUES * VALUES


@dataclass(frozen=True, slots=True, eq=False)
class Insurance:
    """Who takes insurance: insure[hand] 1 where it, or even money, is taken; `asked` false for a
    player who is never asked."""

    insure: Bytes
    asked: bool = True

    @property
    def ever(self) -> bool:
        return bool(self.insure.any())


def never_insured(*, asked: bool = True) -> Insurance:
    return Insurance(np.zeros(len(compositions.hands().cards), np.uint8), asked)


def always_insured(*, even_money_alone: bool = False) -> Insurance:
    """Insurance with every hand, or with a natural alone."""
    found = never_insured().insure
    found[:] = not even_money_alone
    found[compositions.number_of((ACE, TEN))] = 1
    return Insurance(found)


@dataclass(slots=True)
class _Ends:
    """Ends of a player's hand that pay alike are one end."""

    found: dict[tuple[tuple[int, ...], int, int], int] = field(default_factory=dict)

    def end(self, pays: tuple[int, ...], stake: int, waits: int) -> int:
        return self.found.setdefault((pays, stake, waits), len(self.found))

    def pay(self) -> Ints:
        return np.array([pays for pays, _, _ in self.found], np.int64)

    def stake(self) -> Ints:
        return np.array([stake for _, stake, _ in self.found], np.int64)

    def waits(self) -> Bytes:
        return np.array([waits for _, _, waits in self.found], np.uint8)


def drawing(rules: Rules, plan: Plan, bet: int, insurance: Insurance | None = None) -> Record:
    """The arrays of a game for a main bet of so many cents. `plan` chooses only what is open."""
    return _Builder(rules, plan, bet, insurance or never_insured()).drawing()


class _Builder:
    def __init__(self, rules: Rules, plan: Plan, bet: int, insurance: Insurance) -> None:
        self.rules, self.plan, self.bet, self.insurance = rules, plan, bet, insurance
        self.table = tables(rules)
        self.hands: Hands = compositions.hands()
        self.dealer = _Dealer(rules)
        self.ends = _Ends()
        self.natural_hand = compositions.number_of((ACE, TEN))
        assert hand_rules.is_natural(_hand_at(self.hands, self.natural_hand))

    # Ends

    def settled(self, net: int, stakes: int = 1) -> int:
        pays = (net,) * self.dealer.ends
        return self.ends.end(pays, stakes * self.bet, SETTLED)

    def stood(self, total: int, doubled: bool) -> int:
        stake = self.bet * (1 + doubled)
        hand = Hand(hard=total, cards=3)
        nets = {"win": EVEN.paid(stake) - stake, "push": 0, "lose": -stake}
        pays = tuple(nets[hand_rules.compare(hand, dealer)] for dealer in self.dealer.shown)
        return self.ends.end(pays, stake, WHOLE_HAND)

    def natural(self, suit: str | None) -> int:
        odds = hand_rules.natural_odds(self.rules, suit)
        certain = self.table.peeks or self.rules.natural_wins_always
        pays = tuple(
            self.won(odds)
            if hand_rules.natural_result(self.rules, dealer_natural=natural) == "win"
            else 0
            for natural in map(hand_rules.is_natural, self.dealer.shown)
        )
        return self.ends.end(pays, self.bet, SETTLED if certain else SECOND_CARD)

    def won(self, odds: Odds) -> int:
        return odds.paid(self.bet) - self.bet

    @cached_property
    def given_up(self) -> int:
        return self.settled(half(self.bet) - self.bet)

    @cached_property
    def rescued(self) -> int:
        return self.settled(half(2 * self.bet) - 2 * self.bet, 2)

    @cached_property
    def bust(self) -> Ints:
        return np.array([self.settled(-self.bet), self.settled(-2 * self.bet, 2)])

    @cached_property
    def stood_ends(self) -> Ints:
        found = {
            (total, doubled): self.stood(total, bool(doubled))
            for total in {*self.hands.total.tolist()}
            for doubled in range(2)
        }
        totals = self.hands.total.tolist()
        return np.array([[found[total, doubled] for total in totals] for doubled in range(2)])

    @cached_property
    def won_ends(self) -> Ints:
        found = np.full(len(self.hands.cards), -1)
        shapes = np.stack([self.hands.cards, self.hands.hard, self.hands.ace], axis=1)
        kinds, at = np.unique(shapes, axis=0, return_inverse=True)
        for kind, (cards, hard, ace) in enumerate(kinds.tolist()):
            odds = hand_rules.auto_win(self.rules, Hand(hard=hard, ace=bool(ace), cards=cards))
            if odds is not None:
                found[at.reshape(-1) == kind] = self.settled(self.won(odds))
        return found

    # States

    def folded(self) -> tuple[Shorts, Shorts, int, int]:
        """start, step, draws_from, splits_from; `step` empty if there are too many states."""
        walk = _Walk(self)
        first = np.array([self.hands.after[0, value] for value in range(VALUES)])
        second = self.hands.after[first]
        places, table = walk.reached(second.reshape(-1))
        count = len(self.ends.found)
        if count + len(table) > STATES_MAX:
            # No state takes a card then; all rounds are played hand by hand.
            return np.zeros(BASE, np.uint16), np.zeros(0, np.uint16), count, count
        ends = np.repeat(np.arange(count)[:, None], VALUES, axis=1)
        step = np.zeros((count + len(table), ROW), np.int64)
        step[:, :VALUES] = np.concatenate([ends, table])
        start = places[second]
        start[np.arange(VALUES), np.arange(VALUES)] = self._pair_starts(start, count + len(table))
        start[second == self.natural_hand] = self.natural(None)
        scaled = (start * ROW).reshape(-1).astype(np.uint16)
        return scaled, (step * ROW).reshape(-1).astype(np.uint16), count, count + len(table)

    def _pair_starts(self, start: Ints, split: int) -> Ints:
        """Pairs are split, or played as their total."""
        pairs: Ints = start[np.arange(VALUES), np.arange(VALUES)].copy()
        may = np.array(self.table.hands_max)[:, None] > 1
        pairs[may & (self.plan.split != 0)] = split
        return pairs

    def drawing(self) -> Record:
        natural, suited = self.natural(None), self.natural(self.table.suited)
        lost, even = self.settled(-self.bet), self.settled(self.won(EVEN))
        hands = self._hands(even)
        start, step, draws_from, splits_from = self.folded()
        return record(
            DRAWING,
            peeks=self.table.peeks,
            draws_from=draws_from * ROW,
            splits_from=splits_from * ROW,
            natural=natural * ROW,
            natural_suited=suited * ROW,
            lost=lost * ROW,
            suit=-1 if self.table.suited is None else SUIT_NAMES.index(self.table.suited),
            start=np.concatenate([start, self._met(start, natural * ROW, lost * ROW)]),
            step=step,
            up_hole=self.dealer.up_hole,
            dealer_step=self.dealer.step,
            dealer_draws_from=self.dealer.ends * ROW,
            dealer_natural=self.dealer.natural * ROW,
            dealer_ends=self.dealer.ends,
            pay=self.ends.pay().reshape(-1),
            stake=self.ends.stake(),
            waits=self.ends.waits(),
            ends=len(self.ends.found),
            by_hand=len(step) == 0,
            **hands,
            **self._insurance(),
        )

    def _met(self, start: Shorts, natural: int, lost: int) -> Shorts:
        """The states if a peek found a natural: it ends the round, and all but naturals lose."""
        return np.where(start == natural, natural, lost).astype(np.uint16)

    def _hands(self, even: int) -> dict[str, Any]:
        """What hands do and how they end, before states are counted behind the ends."""
        plays = self.plan.plays
        return {
            "after": self.hands.after.astype(np.int64),
            "choice": np.stack([play.choice for play in plays]).astype(np.int8),
            "rescue": np.stack([play.rescue for play in plays]).astype(np.int8),
            "options": self._options(),
            "pair": self._pairs(),
            "halves_origin": np.array([split_origin(value) for value in range(VALUES)]),
            "hands_max": np.array(self.table.hands_max),
            "split": np.stack([self.plan.split, self.plan.split]).astype(np.uint8),
            "stood": self.stood_ends,
            "bust": self.bust,
            "won": self.won_ends,
            "given_up": self.given_up,
            "rescued": self.rescued,
            "even": even,
            "natural_hand": self.natural_hand,
        }

    def _insurance(self) -> dict[str, Any]:
        stake = half(self.bet)
        hides = [hand_rules.may_hide_natural(Card(value, 0)) for value in range(VALUES)]
        return {
            "even_money": self.rules.even_money,
            "insures": self.insurance.ever and self.insurance.asked,
            "asks": self.insurance.asked,
            "insure": self.insurance.insure,
            "hides": np.array(hides, np.uint8),
            "asks_up": ACE,
            "insured": self.rules.insurance.paid(stake) - stake,
            "insurance_stake": stake,
        }

    def _options(self) -> Bytes:
        hands = self.hands
        found: Bytes = self.table.options[:, :, hands.cards, hands.hard, hands.ace]
        return np.ascontiguousarray(found)

    def _pairs(self) -> Ints:
        found = np.full(len(self.hands.cards), -1)
        for value in range(VALUES):
            found[compositions.number_of((value, value))] = value
        return found


class _Walk:
    """How unsplit hands go on: places[hand, up card], an end or a state counted from the ends on;
    rows[state]: its places after one more card."""

    def __init__(self, builder: _Builder) -> None:
        self.builder, self.hands = builder, builder.hands
        self.first = len(builder.ends.found)
        self.rows: dict[bytes, int] = {}
        self.places = self._ended()
        for hard in range(BEST_TOTAL, 0, -1):
            self._fold(np.flatnonzero((self.hands.hard == hard) & (self.hands.cards >= 2)))

    def _ended(self) -> Ints:
        """Places of the hands that take no card."""
        builder, choice = self.builder, self.builder.plan.plays[0].choice
        shape = choice.shape
        stood = np.broadcast_to(builder.stood_ends[0][:, None], shape)
        won = np.broadcast_to(builder.won_ends[:, None], shape)
        found = np.where(choice == SURRENDER, builder.given_up, stood)
        found = np.where(won >= 0, won, found)
        self.draws = ((choice == HIT) | (choice == DOUBLE)) & (won < 0)
        return np.array(found)

    def _fold(self, level: Ints) -> None:
        """Give a place to each way of going on that these hands have."""
        builder, plan = self.builder, self.builder.plan
        numbers, ups = np.nonzero(self.draws[level])
        numbers = level[numbers]
        if len(numbers) == 0:
            return
        after = self.hands.after[numbers]
        over = after < 0
        column = ups[:, None]
        hit = np.where(over, builder.bust[0], self.places[after, column])
        rescue = plan.plays[0].rescue[after, column] != 0
        twice = np.where(rescue, builder.rescued, builder.stood_ends[1][after])
        twice = np.where(over, builder.bust[1], twice)
        doubled = plan.plays[0].choice[numbers, ups] == DOUBLE
        rows = np.where(doubled[:, None], twice, hit).astype(np.int32)
        kinds, at = np.unique(rows, axis=0, return_inverse=True)
        places = [self.first + self.rows.setdefault(row.tobytes(), len(self.rows)) for row in kinds]
        self.places[numbers, ups] = np.array(places)[at.reshape(-1)]

    def reached(self, starts: Ints) -> tuple[Ints, Ints]:
        """The places, and the rows of those states alone that these hands lead to."""
        table = np.array([np.frombuffer(row, np.int32) for row in self.rows], np.int64)
        table = table.reshape(-1, VALUES)
        seen = np.zeros(self.first + len(table), np.bool_)
        ahead = np.unique(self.places[starts])
        while len(ahead):
            seen[ahead] = True
            states = ahead[ahead >= self.first] - self.first
            ahead = np.unique(table[states])
            ahead = ahead[~seen[ahead]]
        kept = np.flatnonzero(seen[self.first :])
        renamed = np.arange(self.first + len(table))
        renamed[self.first + kept] = self.first + np.arange(len(kept))
        return renamed[self.places], renamed[table[kept]]


class _Dealer:
    """The dealer's ends, and the table by which he draws to one.

    shown[end]: a hand that ends so. Ends that no total can tell apart are one; a natural is last.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.places: dict[tuple[int, bool], int] = {}
        self.shown: list[Hand] = []
        self.kinds: dict[tuple[str, ...], int] = {}
        starts = {(up, hole): Hand().plus(up + 1).plus(hole + 1) for up, hole in _pairs_of_values()}
        naturals = [hand for hand in starts.values() if hand_rules.is_natural(hand)]
        reached = [hand for hand in starts.values() if not hand_rules.is_natural(hand)]
        drawing: dict[tuple[int, bool], Hand] = {}
        while reached:
            hand = reached.pop()
            if not hand_rules.dealer_draws(rules, hand) or hand.bust:
                self._end(hand)
            elif (hand.hard, hand.ace) not in drawing:
                drawing[hand.hard, hand.ace] = hand
                reached += [hand.plus(value) for value in range(1, VALUES + 1)]
        self.natural = self._end(naturals[0])
        self.ends = len(self.shown)
        self.states = {key: self.ends + at for at, key in enumerate(drawing)}
        step = np.zeros((self.ends + len(drawing), ROW), np.int64)
        step[: self.ends, :VALUES] = np.arange(self.ends)[:, None]
        for key, state in self.states.items():
            for value in range(VALUES):
                step[state, value] = self._place(drawing[key].plus(value + 1))
        self.step: Shorts = (step * ROW).reshape(-1).astype(np.uint16)
        holes = [
            self.natural if hand_rules.is_natural(hand) else self._place(hand)
            for hand in starts.values()
        ]
        self.up_hole: Shorts = (np.array(holes) * ROW).astype(np.uint16)

    def _end(self, hand: Hand) -> int:
        results = tuple(
            hand_rules.compare(Hand(hard=total, cards=3), hand) for total in range(BEST_TOTAL + 1)
        )
        if results not in self.kinds:
            self.kinds[results] = len(self.shown)
            self.shown.append(hand)
        return self.kinds[results]

    def _place(self, hand: Hand) -> int:
        key = (hand.hard, hand.ace)
        return self.states[key] if key in self.states else self._end(hand)


def _pairs_of_values() -> list[tuple[int, int]]:
    return [(first, second) for first in range(VALUES) for second in range(VALUES)]


def _hand_at(hands: Hands, number: int) -> Hand:
    return Hand(
        hard=int(hands.hard[number]),
        ace=bool(hands.ace[number]),
        cards=int(hands.cards[number]),
    )


assert tuple(range(6)) == (STAND, HIT, DOUBLE, PAIR_SPLIT, SURRENDER, RESCUE), (
    "as the kernel has it"
)
