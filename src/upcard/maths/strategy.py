"""Play by total: the best chart, what any chart is worth exactly, and where cards say otherwise.

A chart says for every up card and every hard or soft total whether to hit or stand, whether to
double and to surrender where the rules allow it, and which pairs to split; a doubled hand has its
own entry where it may be rescued. It plays the same whatever the number of cards - unless it is
made `by_cards`, for 2, 3, 4 and 5 or more of them apart.

The best chart is found by changing one cell at a time: each round weighs every setting of every
cell exactly, with all others as they are, split hands included, and makes the changes that gain,
until none does.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from upcard.maths import compositions, splits
from upcard.maths.analysis import (
    UP_CARDS,
    Analysis,
    Plan,
    best_play,
    empty_play,
    plan_totals,
    shoe_of,
    split_origin,
)
from upcard.maths.arrays import Cells, Choices, Floats, Ints
from upcard.maths.best import Solution
from upcard.maths.compiled import kernel
from upcard.maths.tables import (
    ACE,
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
    exists,
    tables,
)
from upcard.refused import Refused, listed
from upcard.twentyone.hand import ACE_EXTRA
from upcard.twentyone.rules import BEST_TOTAL, Rules

GROUPS: Final = ("2", "3", "4", "5+")
"""Numbers of cards that a chart by cards tells apart."""
SOFT: Final = BEST_TOTAL + 1
"""Cells 0 to 21 are hard totals, 22 to 43 soft ones; then again for the next group."""
CELLS: Final = 2 * SOFT
HARD_TOTALS: Final = range(4, BEST_TOTAL + 1)
SOFT_TOTALS: Final = range(2 + ACE_EXTRA, BEST_TOTAL + 1)
ENTRIES: Final = ("hit", "double", "surrender", "rescue")
SETTINGS: Final = 8
"""Ways to hit or stand, to double or not, and to surrender or not."""
CODES: Final = ("S", "H", "D", "Ds", "R", "Rs")
PAIR_CODE: Final = "P"
LETTERS: Final = {STAND: "S", HIT: "H", DOUBLE: "D", SURRENDER: "R", PAIR_SPLIT: PAIR_CODE}
GAIN_MIN: Final = 1e-13
"""A change that gains less, per initial bet, is rounding."""


def cell_of(*, soft: bool, total: int, group: int) -> int:
    return group * CELLS + soft * SOFT + total


def _cells(groups: int) -> Ints:
    """The cell of every hand."""
    hands = compositions.hands()
    soft = hands.total > hands.hard
    group = np.clip(hands.cards - 2, 0, groups - 1)
    found: Ints = group * CELLS + soft * SOFT + hands.total
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """A play by total. entries[e, cell, up card] is 0 or 1, e as in ENTRIES; split[value, up]."""

    by_cards: bool
    entries: Choices
    split: Choices

    @property
    def groups(self) -> int:
        return len(GROUPS) if self.by_cards else 1

    def code(self, up: int, *, soft: bool, total: int, group: int = 0) -> str:
        """`S H D Ds R Rs`: a second letter says what to do where the first is not allowed, which
        else is to hit."""
        cell = cell_of(soft=soft, total=total, group=group)
        hit, double, surrender, _ = (bool(entry) for entry in self.entries[:, cell, up])
        if surrender or double:
            return ("R" if surrender else "D") + ("" if hit else "s")
        return "H" if hit else "S"

    def as_dict(self) -> dict[str, object]:
        """`{hard, soft, pairs}`: total or rank → up card → code; `P` for pairs to be split. With
        `by_cards` also `{by_cards: {"2": {hard, soft}, ...}}`; with rescue `{rescue: ...}`, in the
        same form, `R` to rescue and `S` to stand."""
        found: dict[str, object] = {**self._part(0), "pairs": self._pairs()}
        if self.by_cards:
            found["by_cards"] = {name: self._part(group) for group, name in enumerate(GROUPS)}
        if self.entries[ENTRIES.index("rescue")].any():
            found["rescue"] = [self._rescues(group) for group in range(self.groups)]
        return found

    def _part(self, group: int) -> dict[str, dict[str, dict[str, str]]]:
        return {
            name: {
                str(total): {
                    card: self.code(up, soft=soft, total=total, group=group)
                    for up, card in enumerate(UP_CARDS)
                }
                for total in self._totals(group, soft)
            }
            for name, soft in (("hard", False), ("soft", True))
        }

    def _rescues(self, group: int) -> dict[str, dict[str, dict[str, str]]]:
        rescue = self.entries[ENTRIES.index("rescue")]
        return {
            name: {
                str(total): {
                    card: "R" if rescue[cell_of(soft=soft, total=total, group=group), up] else "S"
                    for up, card in enumerate(UP_CARDS)
                }
                for total in self._totals(group, soft)
            }
            for name, soft in (("hard", False), ("soft", True))
        }

    def _totals(self, group: int, soft: bool) -> Iterator[int]:
        """The totals that hands of a group can have."""
        least = group + 2
        for total in SOFT_TOTALS if soft else HARD_TOTALS:
            hard = total - ACE_EXTRA if soft else total
            most = BEST_TOTAL if group == self.groups - 1 else least
            if any(
                exists(cards=cards, hard=hard, ace=ace)
                for cards in range(least, most + 1)
                for ace in {soft, True}
            ):
                yield total

    def _pairs(self) -> dict[str, dict[str, str]]:
        return {
            rank: {card: self.pair_code(value, up) for up, card in enumerate(UP_CARDS)}
            for value, rank in enumerate(UP_CARDS)
        }

    def pair_code(self, value: int, up: int) -> str:
        """What to do with a pair: `P`, else the code of its total."""
        if self.split[value, up]:
            return PAIR_CODE
        total, soft = (2 + ACE_EXTRA, True) if value == ACE else (2 * (value + 1), False)
        return self.code(up, soft=soft, total=total)

    def plan(self, rules: Rules) -> Plan:
        """The same play by cards, under rules that may forbid what it would like to do."""
        analysed = compositions.hands()
        cells = _cells(self.groups)
        plays = []
        table = tables(rules)
        for origin in ORIGINS:
            play = empty_play(analysed, table.auto_win)
            allowed = table.options[origin][:, analysed.cards, analysed.hard, analysed.ace]
            hit, double, surrender, rescue = self.entries[:, cells, :].astype(bool)
            may = [(allowed[0] >> choice & 1).astype(bool)[:, None] for choice in range(RESCUE)]
            choice = np.where(hit & may[HIT], HIT, STAND)
            choice = np.where(double & may[DOUBLE], DOUBLE, choice)
            play.choice[:] = np.where(surrender & may[SURRENDER], SURRENDER, choice)
            play.rescue[:] = rescue & (allowed[1] >> RESCUE & 1).astype(bool)[:, None]
            plays.append(play)
        # A natural is never asked (G-05), whatever another soft 21 may do.
        plays[FIRST].choice[compositions.number_of((ACE, TEN))] = STAND
        return Plan(tuple(plays), self.split)


# Charts as text


def parse_chart(document: Mapping[str, Any]) -> Chart:
    """A chart from the form of `Chart.as_dict` or of `upcard strategy --json`; totals left out
    stand. Raises Refused (`field`)."""
    parts = document.get("by_cards")
    groups = len(GROUPS) if parts else 1
    chart = Chart(
        bool(parts),
        np.zeros((len(ENTRIES), groups * CELLS, VALUES), np.int8),
        np.zeros((VALUES, VALUES), np.int8),
    )
    named = [(0, document)] if not parts else [(GROUPS.index(name), parts[name]) for name in parts]
    for group, part in named:
        for place, up, code in _rows_of(part, group):
            if code not in CODES:
                raise _no_chart(f"{code!r} is no code; the codes are {listed(CODES, 'and')}")
            chart.entries[:3, place, up] = code in ("H", "D", "R"), code[0] == "D", code[0] == "R"
    for group, part in _rescue_parts(document.get("rescue", ()), groups):
        for place, up, code in _rows_of(part, group):
            chart.entries[ENTRIES.index("rescue"), place, up] = code == "R"
    for rank, row in document.get("pairs", {}).items():
        for card, code in row.items():
            value, up = _value_of(rank), _value_of(card)
            chart.split[value, up] = code == PAIR_CODE
            if code != chart.pair_code(value, up):
                raise _no_chart(f"pairs.{rank}.{card} is {PAIR_CODE} or the code of its total")
    return chart


def _rescue_parts(parts: Any, groups: int) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Each group's rescues: one part for every group, or parts by the number of cards."""
    named = parts.items() if isinstance(parts, Mapping) else zip(GROUPS, parts, strict=False)
    for name, part in named:
        yield min(GROUPS.index(name), groups - 1), part


def _rows_of(part: Mapping[str, Any], group: int) -> Iterator[tuple[int, int, str]]:
    """Cell, up card and code of all entries of a part."""
    for name, soft, all_totals in (("hard", False, HARD_TOTALS), ("soft", True, SOFT_TOTALS)):
        for total, row in part.get(name, {}).items():
            if not total.isdigit() or int(total) not in all_totals:
                raise _no_chart(f"{name}.{total} is no {name} total")
            for card, code in row.items():
                yield cell_of(soft=soft, total=int(total), group=group), _value_of(card), code


def _value_of(card: str) -> int:
    if len(card) != 1 or card not in UP_CARDS:
        raise _no_chart(f"{card!r} is no card; cards are {UP_CARDS}")
    return UP_CARDS.index(card)


def _no_chart(why: str) -> Refused:
    return Refused("field", f"this is no strategy: {why}.")


# The best chart


def best_chart(rules: Rules, shoe: Sequence[int] | None = None, *, by_cards: bool = False) -> Chart:
    """The best chart of a game. Raises Refused (`field`) as `solve` does."""
    return _Search(Solution(Analysis(rules, shoe_of(rules, shoe))), by_cards).chart()


@dataclass(frozen=True, slots=True)
class Value:
    """What a given play is worth: net result and main money put down, per initial bet."""

    ev: float
    mean_stake: float
    by_up_card: Mapping[str, float]

    @property
    def rtp(self) -> float:
        return 1 + self.ev

    @property
    def rtp_wagered(self) -> float:
        return 1 + self.ev / self.mean_stake


def value(rules: Rules, play: Chart | Plan, shoe: Sequence[int] | None = None) -> Value:
    """The exact value of a chart or of a play by cards, insurance never taken."""
    analysis = Analysis(rules, shoe_of(rules, shoe))
    return value_of(analysis, play.plan(rules) if isinstance(play, Chart) else play)


def value_of(analysis: Analysis, plan: Plan) -> Value:
    found = plan_totals(analysis, plan)
    chances = analysis.up_chances
    return Value(
        float(found.net.sum()),
        float(found.stake.sum()),
        {
            card: float(found.net[up] / chances[up])
            for up, card in enumerate(UP_CARDS)
            if chances[up] > 0
        },
    )


# The search


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """Hands that are played under the same circumstances: unsplit ones (`pair` -1), or those of a
    split with `gone` pair cards missing. stand[n, u] as in `Analysis`.

    A split's hands count `any_card` times with any second card, and `other_card` times more with
    one that is not the pair's.
    """

    pair: int
    shoe: Floats
    within: Ints
    stand: Floats
    any_card: float = 0.0
    other_card: float = 0.0


class _Search:
    def __init__(self, solution: Solution, by_cards: bool) -> None:
        self.analysis = solution.analysis
        self.solution = solution
        self.by_cards = by_cards
        self.groups = len(GROUPS) if by_cards else 1
        self.cells = _cells(self.groups)
        self.chances = {
            compositions.number_of((low, high)): chance
            for low, high, chance in self.analysis.first_hands()
            if (low, high) != (ACE, TEN)
        }
        analysed = self.analysis.hands
        self.unsplit = Context(
            -1, self.analysis.counts, np.flatnonzero(analysed.cards >= 2), self.analysis.stand
        )
        self.pairs = {value: self._contexts(value) for value in self.analysis.pairs()}

    def chart(self) -> Chart:
        entries = self._start()
        split = self.solution.plan.split.copy()
        for up in range(VALUES):
            if self.analysis.counts[up] > 0:
                self._climb(up, entries, split)
                self._tidy(up, entries, split)
        return Chart(self.by_cards, entries, split)

    def _start(self) -> Choices:
        """Entries by the mean advantage over all hands of a cell, as often as they can be drawn."""
        hands = self.analysis.hands
        _, values = best_play(self.analysis, FIRST)
        shape = self.analysis.stand.shape
        hit, double = np.zeros(shape), np.zeros(shape)
        kernel.draws(self.analysis.counts, hands, values.value, values.doubled, hit, double)
        live, stand = self.analysis.live, self.analysis.stand
        drawn = self._drawn()[:, None]
        base = np.maximum(hit, stand)
        options = self.analysis.tables.options[FIRST][:, hands.cards, hands.hard, hands.ace]
        may_double = (options[0] >> DOUBLE & 1)[:, None]
        may_surrender = (options[0] >> SURRENDER & 1)[:, None]
        may_rescue = (options[1] >> RESCUE & 1)[:, None]
        gains = (
            hit - stand,
            may_double * (double - live - base),
            may_surrender * (live / 2 - np.maximum(base, may_double * (double - live))),
            may_rescue * (live - 2 * stand),
        )
        entries = np.zeros((len(ENTRIES), self.groups * CELLS, VALUES), np.int8)
        for entry, gain in enumerate(gains):
            summed = np.zeros((self.groups * CELLS, VALUES))
            np.add.at(summed, self.cells, np.where(hands.cards[:, None] >= 2, drawn * gain, 0.0))
            entries[entry] = summed > 0
        return entries

    def _drawn(self) -> Floats:
        """How likely each hand is the first cards of the shoe, in any order."""
        hands, counts = self.analysis.hands, self.analysis.counts
        found = np.ones(len(hands.cards))
        for value in range(VALUES):
            for taken in range(1, int(hands.counts[:, value].max()) + 1):
                more = hands.counts[:, value] >= taken
                found[more] *= max(counts[value] - taken + 1, 0) / taken
        for taken in range(1, int(hands.cards.max()) + 1):
            more = hands.cards >= taken
            found[more] *= taken / max(counts.sum() - taken + 1, 1)
        return found

    def _contexts(self, value: int) -> list[Context]:
        """The hands of a pair's split, one context for each number of pair cards gone."""
        weights = splits.weights(self.analysis.tables.hands_max[value])
        chances = splits.chances(
            self.analysis.counts[value] - 2, self.analysis.counts.sum() - 2, len(weights)
        )
        levels = sum(chance > 0 for chance in chances)
        within, stand = self.analysis.split_stand(value, levels)
        pair_chance = self.chances[compositions.number_of((value, value))]
        found = []
        for gone in range(levels):
            shoe = self.analysis.counts.copy()
            shoe[value] -= 1 + gone
            scale = pair_chance * chances[gone]
            any_card, other_card = weights[gone]
            found.append(
                Context(value, shoe, within, stand[gone], scale * any_card, scale * other_card)
            )
        return found

    def _climb(self, up: int, entries: Choices, split: Choices) -> None:
        """Change what gains, all at once while that pays, else the best change alone."""
        best, gains, split_gains = self._weigh(up, entries, split)
        while True:
            most = max(gains.max(), split_gains.max())
            if most < GAIN_MIN:
                return
            kept = entries[:, :, up].copy(), split[:, up].copy()
            for least in (GAIN_MIN, most):
                _change(entries[:, :, up], gains, least)
                split[:, up] ^= (split_gains >= least).astype(np.int8)
                total, *rest = self._weigh(up, entries, split)
                if total > best or least == most:
                    break
                entries[:, :, up], split[:, up] = kept
            best, (gains, split_gains) = total, rest

    def _tidy(self, up: int, entries: Choices, split: Choices) -> None:
        """Drop doubles that stand behind a surrender and are worth nothing there: codes name a
        surrender's other choice as hitting or standing."""
        _, gains, _ = self._weigh(up, entries, split)
        hit, double, surrender, _ = entries[:, :, up]
        without = gains[np.arange(len(gains)), hit + (surrender << 2)]
        double[(surrender == 1) & (without > -GAIN_MIN)] = 0

    def _weigh(self, up: int, entries: Choices, split: Choices) -> tuple[float, Floats, Floats]:
        """The net result with this up card, what each setting of a cell would gain (the last: the
        other rescue), and each other answer to whether to split."""
        columns = (np.ascontiguousarray(each) for each in entries[:, :, up])
        cells = Cells(self.cells, *columns)
        gains = np.zeros((self.groups * CELLS, SETTINGS + 1))
        weight = np.zeros(len(self.cells))
        split_gains = np.zeros(VALUES)
        total = 0.0
        for number, chance in self.chances.items():
            weight[number] = chance
        for value, contexts in self.pairs.items():
            number = compositions.number_of((value, value))
            is_split = bool(split[value, up])
            unsplit = np.zeros(len(self.cells))
            unsplit[number] = self.chances[number]
            ignored = np.zeros(gains.shape)
            whole = self._net(up, self.unsplit, cells, unsplit, ignored)
            halves = sum(
                self._net(up, each, cells, self._second_cards(each), gains if is_split else ignored)
                for each in contexts
            )
            split_gains[value] = whole - halves if is_split else halves - whole
            if is_split:
                weight[number] = 0.0
                total += halves
        total += self._net(up, self.unsplit, cells, weight, gains)
        return total, gains, split_gains

    def _second_cards(self, context: Context) -> Floats:
        """How often a split hand begins with which two cards, times what it counts."""
        after = compositions.hands().after
        first = after[0, context.pair]
        weight = np.zeros(len(self.cells))
        left = context.shoe.copy()
        left[context.pair] -= 1
        for value in range(VALUES):
            counted = context.any_card + (value != context.pair) * context.other_card
            weight[after[first, value]] = counted * max(left[value], 0.0) / left.sum()
        return weight

    def _net(self, up: int, context: Context, cells: Cells, weight: Floats, gains: Floats) -> float:
        origin = FIRST if context.pair < 0 else split_origin(context.pair)
        found = self.analysis.tables
        return kernel.chart_gains(
            up,
            context.shoe,
            self.analysis.hands,
            context.within,
            np.ascontiguousarray(context.stand[:, up]),
            self.won,
            found.options[origin],
            found.peeks,
            cells,
            weight,
            gains,
        )

    @cached_property
    def won(self) -> Floats:
        hands = self.analysis.hands
        found: Floats = self.analysis.tables.auto_win[hands.cards, hands.hard, hands.ace]
        return found


def _change(entries: Choices, gains: Floats, least: float) -> None:
    """Give each cell its best setting, and its other rescue, if that gains so much.

    entries[e, cell] of one up card; gains[cell, setting], the last column the rescue's.
    """
    settings = gains[:, :SETTINGS]
    best = settings.argmax(axis=1)
    gaining = settings.max(axis=1) >= least
    for entry in range(len(ENTRIES) - 1):
        entries[entry, gaining] = best[gaining] >> entry & 1
    entries[ENTRIES.index("rescue")] ^= (gains[:, SETTINGS] >= least).astype(np.int8)


# Where the cards say otherwise


@dataclass(frozen=True, slots=True)
class Exceptional:
    """A hand that best play by its cards plays otherwise than the chart: `gain` per initial bet
    each time it is held against this up card."""

    cards: str
    up: str
    code: str
    gain: float


def exceptions(solution: Solution, chart: Chart) -> tuple[Exceptional, ...]:
    """The unsplit hands that best play comes to and plays otherwise, few cards first."""
    analysis = solution.analysis
    hands, best, charted = analysis.hands, solution.plan, chart.plan(solution.rules)
    choice = best.plays[FIRST].choice
    other = charted.plays[FIRST].choice
    values = solution.choice_returns()
    found = []
    held = _held(solution)
    for number in np.flatnonzero(held):
        pair = hands.cards[number] == len("AA") and hands.counts[number].max() == len("AA")
        value = int(hands.counts[number].argmax())
        for up in range(VALUES):
            if not held[number] >> up & 1:
                continue
            mine, its = int(choice[number, up]), int(other[number, up])
            if pair:
                mine = PAIR_SPLIT if best.split[value, up] else mine
                its = PAIR_SPLIT if charted.split[value, up] else its
            gain = values[mine][number, up] - values[its][number, up]
            gain /= analysis.live[number, up]
            if mine != its and gain > GAIN_MIN:
                cards = "".join(UP_CARDS[card] for card in compositions.values_of(int(number)))
                found.append(Exceptional(" ".join(cards), UP_CARDS[up], LETTERS[mine], float(gain)))
    found.sort(key=lambda each: (len(each.cards), each.cards, UP_CARDS.index(each.up)))
    return tuple(found)


def _held(solution: Solution) -> Ints:
    """By hand the up cards, as bits, against which best play comes to hold it unsplit."""
    analysis = solution.analysis
    hands = analysis.hands
    shown = sum(1 << up for up in range(VALUES) if analysis.counts[up] > 0)
    held = np.zeros(len(hands.cards), np.int64)
    reached, doubled, stands = (np.empty(len(hands.cards), np.int64) for _ in range(3))
    for value in range(VALUES):
        start = compositions.number_of((value,))
        kernel.reach(start, shown, hands, solution.plan.plays[FIRST], reached, doubled, stands)
        held |= reached
    dealt = (hands.counts <= analysis.counts).all(axis=1) & (hands.cards >= 2)
    possible = (analysis.live > 0) @ (1 << np.arange(VALUES))
    held = np.where(dealt, held & possible, 0)
    held[compositions.number_of((ACE, TEN))] = 0
    return held


def strategy(rules: Rules, shoe: Sequence[int] | None = None) -> dict[str, object]:
    """The best chart as text (`Chart.as_dict`) with its exceptions `[{cards, up, code, gain}]`.

    By the number of cards too where a hand of any number of them may be doubled or surrendered.
    """
    solution = Solution(Analysis(rules, shoe_of(rules, shoe)))
    by_cards = "any" in (rules.double.cards, rules.surrender)
    chart = _Search(solution, by_cards).chart()
    listed_ = [dataclasses.asdict(each) for each in exceptions(solution, chart)]
    return chart.as_dict() | {"exceptions": listed_}
