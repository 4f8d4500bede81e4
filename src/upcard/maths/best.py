"""Best play of a drawing game from any shoe, exactly: values, choices, and the whole game's mean.

`solve(rules)` is the whole game from whole decks, `solve(rules, shoe)` from any other cards.
`live_values` prices the choices of one hand in the middle of a round. How it is done stands in
docs/maths.md; the loops are in `kernel`, the hand rules in `tables`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from upcard.cards import RANKS, SUIT_NAMES, SUITS
from upcard.maths import compositions
from upcard.maths.analysis import (
    GIVEN_UP,
    UP_CARDS,
    Analysis,
    Plan,
    Totals,
    Values,
    ValueShoe,
    average_natural,
    best_play,
    empty_play,
    natural_net,
    plan_totals,
    shoe_of,
    split_origin,
)
from upcard.maths.arrays import Floats, Play
from upcard.maths.compiled import kernel
from upcard.maths.compositions import BUST
from upcard.maths.dealer import FLOOR
from upcard.maths.moments import Spread, spread, standard_deviation
from upcard.maths.tables import (
    ACE,
    CHOICES,
    DOUBLE,
    FIRST,
    HIT,
    ORIGINS,
    PAIR_SPLIT,
    RESCUE,
    STAND,
    SURRENDER,
    TEN,
    VALUES,
    Bools,
    HandTables,
    tables,
)
from upcard.refused import Refused
from upcard.table import ChoiceName
from upcard.twentyone.rules import BEST_TOTAL, Rules

CARD_POINTS_MAX: Final = 10


class Solution:
    """Best composition-dependent play of one game from one shoe.

    `ev`: the mean net result of the main bet per initial bet, insurance never taken;
    `mean_stake`: all main money put down; `rtp` and `rtp_wagered`: returns per initial bet and
    per money put down; `by_up_card`: the mean by up card, naturals included.
    """

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.rules = analysis.rules
        found = [best_play(analysis, origin) for origin in ORIGINS]
        self._values = [values for _, values in found]
        plays = tuple(play for play, _ in found)
        self._pairs = {
            value: analysis.split(value, plays[split_origin(value)]) for value in analysis.pairs()
        }
        split = np.zeros((VALUES, VALUES), np.int8)
        for value, (net, _) in self._pairs.items():
            number = compositions.number_of((value, value))
            split[value] = net > self._values[FIRST].value[number] - analysis.live[number]
        self.plan = Plan(plays, split)
        _check_shoe(analysis, self.plan)

    @cached_property
    def _totals(self) -> Totals:
        return plan_totals(self.analysis, self.plan, self._pairs)

    @property
    def ev(self) -> float:
        return float(self._totals.net.sum())

    @property
    def mean_stake(self) -> float:
        return float(self._totals.stake.sum())

    @property
    def rtp(self) -> float:
        return 1 + self.ev

    @property
    def rtp_wagered(self) -> float:
        return 1 + self.ev / self.mean_stake

    @cached_property
    def spread(self) -> Spread:
        """How a round's net result is distributed; rounds with a split are simulated."""
        return spread(self.analysis, self.plan, self.ev)

    @cached_property
    def sd(self) -> float:
        """The standard deviation of a round's net result per initial bet, exactly."""
        return standard_deviation(self.analysis, self.plan, self.ev)

    @property
    def by_up_card(self) -> dict[str, float]:
        chances = self.analysis.up_chances
        return {
            card: float(self._totals.net[up] / chances[up])
            for up, card in enumerate(UP_CARDS)
            if chances[up] > 0
        }

    def choice(
        self, cards: str, up: str, *, split: bool = False, doubled: bool = False
    ) -> ChoiceName:
        """What best play does with a hand. Raises Refused (`field`) as `hand` does."""
        values = self.hand(cards, up, split=split, doubled=doubled)
        return max(values, key=lambda choice: values[choice])

    def hand(
        self, cards: str, up: str, *, split: bool = False, doubled: bool = False
    ) -> dict[ChoiceName, float]:
        """The value of each choice, per initial bet, given what the peek showed.

        `cards` like `8 8` or `Ad Td`; `split`: the hand was split from a pair, its first card is
        the pair's; `doubled`: two stakes lie on it. Raises Refused (`field`) for a hand that
        cannot be.
        """
        held = parse_hand(cards)
        origin = split_origin(held.values[0]) if split else FIRST
        return choice_values(
            self.analysis, self._values[origin], self.plan, held, parse_up(up), origin, doubled
        )

    def choice_returns(self) -> dict[int, Floats]:
        """What comes back per stake by choice, hand and up card; of unsplit hands, and as far as
        the choice is open to them."""
        analysis, values = self.analysis, self._values[FIRST]
        shape = analysis.stand.shape
        hit, double, split = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        kernel.draws(analysis.counts, analysis.hands, values.value, values.doubled, hit, double)
        for value, (net, _) in self._pairs.items():
            number = compositions.number_of((value, value))
            split[number] = net + analysis.live[number]
        return {
            STAND: analysis.stand,
            HIT: hit,
            DOUBLE: double - analysis.live,
            PAIR_SPLIT: split,
            SURRENDER: GIVEN_UP * analysis.live,
        }

    def insurance(self, cards: str | None = None) -> dict[ChoiceName, float]:
        """What insurance brings on average, per initial bet, an ace being up."""
        return insurance_values(self.analysis, cards)

    def even_money(self) -> dict[ChoiceName, float]:
        """What a natural is worth against an ace: paid at once, or played on.

        Raises Refused (`field`) if the shoe has no two aces.
        """
        number = hand_number(self.analysis, parse_hand("A T"), ACE)
        played = natural_net(self.analysis)[ACE] / self.analysis.shown(number)[ACE]
        return {"even_money": 1.0, "no_even_money": float(played)}


def solve(rules: Rules, shoe: Sequence[int] | None = None) -> Solution:
    """Best play of a game from its whole decks or from any other shoe (`shoe_of`).

    Raises Refused (`field`) for a shoe that a round could exhaust.
    """
    return Solution(Analysis(rules, shoe_of(rules, shoe)))


# Single hands


@dataclass(frozen=True, slots=True)
class HandCards:
    """Cards of a hand as the rules see them: value indices, and their one suit if all share it
    (None if not, or if some card bears no suit: `suits_known`)."""

    values: tuple[int, ...]
    suit: int | None
    suits_known: bool


def parse_hand(text: str) -> HandCards:
    """`8 8`, `A Td`: ranks with or without suits. Raises Refused (`field`)."""
    words = text.split()
    if not words:
        raise Refused("field", "a hand needs cards; write them like '8 8' or 'Ad Td'.")
    values, suits = [], set()
    known = True
    for word in words:
        if word[:1] not in RANKS or word[1:2] not in SUITS or len(word) not in (1, 2):
            raise Refused(
                "field",
                f"{word!r} is no card; a card is a rank of {RANKS} and maybe a suit of {SUITS}.",
            )
        values.append(min(RANKS.index(word[0]), TEN))
        known = known and len(word) == len("Th")
        suits.add(word[1:])
    suit = SUITS.index(suits.pop()) if known and len(suits) == 1 else None
    return HandCards(tuple(values), suit, known)


def parse_up(text: str) -> int:
    """An up card, `T` or `Th` → its value index. Raises Refused (`field`)."""
    card = parse_hand(text)
    if len(card.values) != 1:
        raise Refused("field", f"{text!r} is no up card; it is one card like T or 6h.")
    return card.values[0]


def hand_number(analysis: Analysis, held: HandCards, up: int) -> int:
    """The number of a hand that the shoe can deal beside the up card. Raises Refused (`field`)."""
    number = compositions.number_of(held.values)
    if number == BUST or len(held.values) < 2:
        raise Refused(
            "field",
            f"a hand has two cards or more and is not over {BEST_TOTAL}; "
            f"{len(held.values)} cards make {sum(held.values) + len(held.values)} here.",
        )
    left = analysis.counts - analysis.hands.counts[number]
    left[up] -= 1
    if left.min() < 0:
        raise Refused(
            "field", f"the shoe has too few cards of {UP_CARDS[int(left.argmin())]} for this."
        )
    return number


def choice_values(
    analysis: Analysis,
    values: Values,
    plan: Plan,
    held: HandCards,
    up: int,
    origin: int,
    doubled: bool,
    hands: int | None = None,
) -> dict[ChoiceName, float]:
    """The value of each choice of a hand, per initial bet, given what the peek showed.

    `hands`: how many its spot has now, by default one, or two after a split.
    """
    number = hand_number(analysis, held, up)
    live = analysis.live[number, up]
    if live <= 0:
        raise Refused("field", f"with {UP_CARDS[up]} up the dealer could only have a natural.")
    place = tuple(
        int(of[number]) for of in (analysis.hands.cards, analysis.hands.hard, analysis.hands.ace)
    )
    if doubled:
        return _doubled_values(analysis, number, up, origin)
    if origin == FIRST and sorted(held.values) == [ACE, TEN]:
        return {"stand": float(_natural_value(analysis, held)[up] / live)}
    won = float(analysis.tables.auto_win[place])
    if won >= 0:
        return {"stand": won}
    allowed = int(analysis.tables.options[(origin, 0, *place)])
    found = _unsplit_values(analysis, values, number, allowed)
    pair = len(held.values) == 2 and held.values[0] == held.values[1]
    at_table = (1 if origin == FIRST else 2) if hands is None else hands
    most = analysis.tables.hands_max[held.values[0]]
    if pair and at_table < most:
        play = plan.plays[split_origin(held.values[0])]
        found[PAIR_SPLIT] = analysis.split(held.values[0], play, most - at_table + 1)[0]
    return {
        name: float(found[choice][up] / live)
        for choice, name in enumerate(CHOICES)
        if choice in found
    }


def _unsplit_values(
    analysis: Analysis, values: Values, number: int, allowed: int
) -> dict[int, Floats]:
    """The net result of each choice but the split, joint with the up card."""
    live, drawn = analysis.live[number], np.empty(VALUES)
    found: dict[int, Floats] = {STAND: analysis.stand[number] - live}
    for choice, after, staked in ((HIT, values.value, 1), (DOUBLE, values.doubled, 2)):
        if allowed >> choice & 1:
            kernel.draw(analysis.counts, analysis.hands, number, after, drawn)
            found[choice] = drawn - staked * live
    if allowed >> SURRENDER & 1:
        found[SURRENDER] = (GIVEN_UP - 1) * live
    return found


def _doubled_values(
    analysis: Analysis, number: int, up: int, origin: int
) -> dict[ChoiceName, float]:
    hands, live = analysis.hands, analysis.live[number, up]
    place = (int(hands.cards[number]), int(hands.hard[number]), int(hands.ace[number]))
    found: dict[ChoiceName, float] = {
        "stand": float(2 * (analysis.stand[number, up] / live - 1)),
    }
    if int(analysis.tables.options[(origin, 1, *place)]) >> RESCUE & 1:
        found["rescue"] = 2 * (GIVEN_UP - 1)
    return found


def _natural_value(analysis: Analysis, held: HandCards) -> Floats:
    """The net result of a natural joint with the up card, given what the peek showed."""
    number = compositions.number_of((ACE, TEN))
    paid = _paid(analysis.tables, held, analysis.shoe)
    if analysis.tables.peeks:
        found: Floats = paid * analysis.live[number]
        return found
    return natural_net(analysis, paid)


def insurance_values(analysis: Analysis, cards: str | None = None) -> dict[ChoiceName, float]:
    """What insurance brings on average, per initial bet, an ace up and these cards in hand (or
    none looked at). Raises Refused (`field`)."""
    number = 0
    if cards is not None:
        number = hand_number(analysis, parse_hand(cards), ACE)
    left = analysis.counts - analysis.hands.counts[number]
    return _insured(float(left[TEN] / (left.sum() - 1)), analysis.tables.insurance)


def _insured(tens: float, odds: float) -> dict[ChoiceName, float]:
    """`tens`: the chance of a ten-value card in the hole. Half the bet is insured."""
    return {"insurance": (tens * odds - (1 - tens)) / 2, "no_insurance": 0.0}


def live_insurance(rules: Rules, shoe: Sequence[int] | None, cards: str) -> dict[ChoiceName, float]:
    """The value of each answer when an ace is up, per initial bet: to even money if the hand is a
    natural and the game asks that, else to insurance (the bet beside the hand, alone).

    `shoe`: all cards but those seen elsewhere; it still holds this hand's and the ace.
    """
    held, values, found = parse_hand(cards), shoe_of(rules, shoe), tables(rules)
    tens = values.counts[TEN] - held.values.count(TEN)
    chance = tens / (values.cards - len(held.values) - 1)
    if not (rules.even_money and sorted(held.values) == [ACE, TEN]):
        return _insured(chance, found.insurance)
    paid = _paid(found, held, values)
    played = paid * (1 - chance + chance * found.natural_meets_natural)
    return {"even_money": 1.0, "no_even_money": played}


def _paid(found: HandTables, held: HandCards, shoe: ValueShoe) -> float:
    """What this natural pays, on average over suits that are not known."""
    if not held.suits_known:
        return average_natural(found, shoe)
    suited = held.suit is not None and SUIT_NAMES[held.suit] == found.suited
    return found.natural_suited if suited else found.natural


def live_values(
    rules: Rules,
    shoe: Sequence[int] | None,
    cards: str,
    up: str,
    *,
    hands: int = 1,
    split: bool = False,
    doubled: bool = False,
) -> dict[ChoiceName, float]:
    """The value of each choice of a hand in the middle of a round, per initial bet.

    `shoe`: all cards but those seen elsewhere (other hands, other spots, burned ones); it still
    holds this hand's and the up card. `hands`: how many the spot has now; `split`: the hand is
    one of a split, its first card the pair's; `doubled`: two stakes lie on it. Best play from
    here on is for this shoe. Raises Refused (`field`) for a hand that cannot be.
    """
    held, shown = parse_hand(cards), parse_up(up)
    number = compositions.number_of(held.values)
    origin = split_origin(held.values[0]) if split else FIRST
    is_pair = len(held.values) == 2 and held.values[0] == held.values[1]
    # A pair's split starts over from one card of it.
    within = compositions.number_of(held.values[:1]) if is_pair else max(number, 0)
    analysis = Analysis(rules, shoe_of(rules, shoe), 1 << shown, within)
    plays = {origin: best_play(analysis, origin)}
    if is_pair:
        after = split_origin(held.values[0])
        plays.setdefault(after, best_play(analysis, after))
    unused = empty_play(analysis.hands, analysis.tables.auto_win)
    plan = Plan(
        tuple(plays[each][0] if each in plays else unused for each in ORIGINS),
        np.zeros((VALUES, VALUES), np.int8),
    )
    return choice_values(
        analysis, plays[origin][1], plan, held, shown, origin, doubled, max(hands, 1 + split)
    )


# Shoes that might run out


def _check_shoe(analysis: Analysis, plan: Plan) -> None:
    """Refuse a shoe that a round might exhaust: then values would depend on what happens.

    The dealer stops at 17 at the latest, so a shoe in which 17 points are left can always serve
    him; and a hand that draws has 21 points at most.
    """
    points, cards = analysis.shoe.points, analysis.shoe.counts
    needed = BEST_TOTAL + FLOOR
    if points < needed:
        raise _too_small(analysis.shoe)
    most = max(analysis.tables.hands_max)
    if points >= needed + (most - 1) * (BEST_TOTAL + CARD_POINTS_MAX):
        return
    for value in range(VALUES):
        hands = min(analysis.tables.hands_max[value], cards[value])
        ups = sum(1 << up for up in range(VALUES) if plan.split[value, up] and cards[up])
        if hands > 1 and ups:
            longest = _points_max(analysis, plan.plays[split_origin(value)], value, ups)
            if points < FLOOR + hands * longest:
                raise _too_small(analysis.shoe)


def _too_small(shoe: ValueShoe) -> Refused:
    return Refused(
        "field",
        f"a shoe of {shoe.cards} cards that count {shoe.points} together is too small; a round "
        "could use them all up.",
    )


def _points_max(analysis: Analysis, play: Play, value: int, ups: int) -> int:
    """The most points that one hand of a split can take, a card that takes it over 21 included."""
    hands = analysis.hands
    start = compositions.number_of((value,))
    reached, doubled, stands = (np.empty(len(hands.cards), np.int64) for _ in range(3))
    kernel.reach(start, ups, hands, play, reached, doubled, stands)
    dealt: Bools = np.all(hands.counts <= analysis.counts, axis=1)
    most = int(hands.hard[((reached | doubled) > 0) & dealt].max())
    for number in np.flatnonzero((reached > 0) & dealt):
        if number != start and not np.isin(play.choice[number], (HIT, DOUBLE)).any():
            continue
        highest = np.flatnonzero(analysis.counts > hands.counts[number]).max() + 1
        most = max(most, int(hands.hard[number] + highest))
    return most
