"""Drawing games for people: one hand's values, and the best play as charts with its exceptions."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from upcard.cards import SUIT_NAMES, SUITS
from upcard.maths import queries, shoe, tables
from upcard.maths import strategy as charts
from upcard.maths.best import Solution, solve
from upcard.maths.queries import VALUE_NAMES, Named
from upcard.refused import Refused
from upcard.twentyone import hand as hand_rules
from upcard.twentyone.hand import ACE_EXTRA, Hand
from upcard.twentyone.rules import BEST_TOTAL, Rules

CARDS_FIRST = 2


@lru_cache(maxsize=8)
def solved(rules: Rules) -> Solution:
    """The game from its whole decks; the last few are kept, for a page asks more than once."""
    return solve(rules)


def hand_values(
    rules: Rules, hand: str, up: str, *, split: bool = False, doubled: bool = False
) -> dict[str, float]:
    """Each choice open to the hand → its value per initial bet. Raises Refused (`field`)."""
    cards = queries.parse_hand(hand, least=CARDS_FIRST)
    up_card = queries.parse_up(up)
    queries.check_held(shoe.full(rules.decks), (*cards, up_card))
    _check_can_be(rules, hand, [card.value for card in cards], split=split, doubled=doubled)
    solution = solved(rules)

    def values(text: str) -> dict[str, float]:
        found = solution.hand(text, VALUE_NAMES[up_card.value - 1], split=split, doubled=doubled)
        return {str(choice): value for choice, value in found.items()}

    suited = rules.natural_suited
    if suited is None or split or not hand_rules.is_natural(_hand(cards)):
        return values(" ".join(VALUE_NAMES[card.value - 1] for card in cards))
    chance = _chance_of_suit(rules.decks, cards, up_card, SUIT_NAMES.index(suited.suit))
    both, other = (SUITS[SUIT_NAMES.index(suited.suit) - back] for back in (0, 1))
    special, plain = values(f"A{both} T{both}"), values(f"A{both} T{other}")
    return {
        choice: float(chance) * special[choice] + float(1 - chance) * plain[choice]
        for choice in plain
    }


CHARTS = ("hard", "soft", "pairs")
CODES = {
    "S": "stand",
    "H": "hit",
    "D": "double, else hit",
    "Ds": "double, else stand",
    "R": "surrender, else hit",
    "Rs": "surrender, else stand",
    "P": "split",
}


def best_chart(rules: Rules) -> charts.Chart:
    """The best chart, by number of cards where a hand of any number may double or surrender."""
    return charts.best_chart(rules, by_cards="any" in (rules.double.cards, rules.surrender))


def strategy(rules: Rules) -> dict[str, Any]:
    """The best chart and its exceptions, by number of cards too where that may matter.

    More than the contract asks: `alone`, what the chart is worth when its exceptions are not
    played; `codes`, the letters in words, those that occur; and for each exception in which chart
    and row its hand stands.
    """
    chart = best_chart(rules)
    by_cards = chart.by_cards
    alone = charts.value(rules, chart)
    plan = _possible(chart.as_dict())
    exceptions = [
        dataclasses.asdict(each) | _place(each.cards, by_cards=by_cards)
        for each in charts.exceptions(solved(rules), chart)
    ]
    used = {each["code"] for each in exceptions} | {*_codes(plan)}
    return plan | {
        "exceptions": exceptions,
        "alone": {"ev": alone.ev, "mean_stake": alone.mean_stake, "rtp_wagered": alone.rtp_wagered},
        "codes": {code: words for code, words in CODES.items() if code in used},
    }


def _possible(plan: dict[str, Any]) -> dict[str, Any]:
    """The plan without rows that no hand of so many cards can have; `rescue` by number of cards,
    which after a double is three at least.
    """
    found = {name: plan[name] for name in CHARTS}
    if "by_cards" in plan:
        found["by_cards"] = {cards: _rows(part, cards) for cards, part in plan["by_cards"].items()}
        found |= {name: found["by_cards"][charts.GROUPS[0]][name] for name in ("hard", "soft")}
    if "rescue" in plan:
        groups = charts.GROUPS[1:] if "by_cards" in plan else charts.GROUPS[1:2]
        parts = plan["rescue"][-len(groups) :]
        found["rescue"] = {
            cards: _rows(part, cards) for cards, part in zip(groups, parts, strict=True)
        }
    return found


def _rows(part: dict[str, Any], cards: str) -> dict[str, Any]:
    return {
        name: {
            total: row
            for total, row in part[name].items()
            if _exists(int(total), soft=name == "soft", cards=cards)
        }
        for name in ("hard", "soft")
    }


def _exists(total: int, *, soft: bool, cards: str) -> bool:
    """Whether a hand of so many cards (`5+`: or more) has this hard or soft total."""
    least = int(cards.rstrip("+"))
    most = BEST_TOTAL if cards.endswith("+") else least
    hard = total - ACE_EXTRA if soft else total
    aces = [True] if soft else [False, True][: 1 + (total + ACE_EXTRA > BEST_TOTAL)]
    return any(
        tables.exists(cards=count, hard=hard, ace=ace)
        for count in range(least, most + 1)
        for ace in aces
    )


def _codes(plan: dict[str, Any]) -> Iterator[str]:
    for part in (plan, *plan.get("by_cards", {}).values()):
        for chart in CHARTS:
            for row in part.get(chart, {}).values():
                yield from row.values()


def _place(cards: str, *, by_cards: bool) -> dict[str, str]:
    values = [VALUE_NAMES.index(name) + 1 for name in cards.split()]
    if len(values) == CARDS_FIRST and values[0] == values[1]:
        return {"chart": "pairs", "row": VALUE_NAMES[values[0] - 1]}
    hand = _plus(Hand(), values)
    group = charts.GROUPS[min(len(values) - CARDS_FIRST, len(charts.GROUPS) - 1)]
    chart = "soft" if hand.soft else "hard"
    return {"chart": f"{group}/{chart}" if by_cards else chart, "row": str(hand.total)}


def _hand(cards: Sequence[Named]) -> Hand:
    found = Hand()
    for card in cards:
        found = found.plus(card.value)
    return found


def _chance_of_suit(decks: int, hand: Sequence[Named], up: Named, suit: int) -> Fraction:
    """How likely all cards of a hand are of a suit; suits left unsaid are those of the shoe."""
    ways = {True: 0, False: 0}
    cards = (*hand, up)
    for suits in product(range(len(SUITS)), repeat=len(cards)):
        if any(card.suit not in (None, each) for card, each in zip(cards, suits, strict=True)):
            continue
        drawn: list[tuple[int, int]] = []
        count = 1
        for card, each in zip(cards, suits, strict=True):
            count *= decks - drawn.count((card.rank, each))
            drawn.append((card.rank, each))
        ways[set(suits[: len(hand)]) == {suit}] += count
    return Fraction(ways[True], ways[True] + ways[False])


# Hands that can be


def _check_can_be(
    rules: Rules, text: str, values: Sequence[int], *, split: bool, doubled: bool
) -> None:
    """Raises Refused (`field`) for a hand that no order of its cards leads to."""
    total = _plus(Hand(), values)
    if total.bust:
        raise Refused(
            "field",
            f"--hand {text!r} counts {total.total}; a hand over {BEST_TOTAL} has lost and is asked "
            "nothing.",
        )
    if split and rules.split.hands_max == 1:
        raise Refused("field", "--split: no hand is split under these rules; leave it out.")
    if doubled and len(values) == CARDS_FIRST:
        raise Refused("field", f"--doubled: a doubled hand has three cards or more, not {text!r}.")
    start = Hand(from_split=split, split_aces=split and values[0] == 1)
    first = start.plus(values[0]) if split else start
    rest = tuple(sorted(values[split:]))
    if not _can_be(rules, first, rest, doubled):
        how = " by a double" if doubled else ""
        raise Refused(
            "field",
            f"--hand {text!r} cannot be under these rules: no order of its cards may take the "
            f"last one{how}{' after a split' if split else ''}.",
        )


def _plus(hand: Hand, values: Sequence[int]) -> Hand:
    for value in values:
        hand = hand.plus(value)
    return hand


@lru_cache(maxsize=4096)
def _can_be(rules: Rules, hand: Hand, rest: tuple[int, ...], doubled: bool) -> bool:
    """Whether a hand can take these cards in some order, the last of them by a double or not."""
    if not rest:
        return True
    if hand.cards >= CARDS_FIRST:
        how = "double" if doubled and len(rest) == 1 else "hit"
        ended = hand_rules.is_natural(hand) or hand_rules.auto_win(rules, hand)
        if ended or how not in hand_rules.options(rules, hand, pair=False, hands=1):
            return False
    return any(
        _can_be(rules, hand.plus(value), (*rest[:place], *rest[place + 1 :]), doubled)
        for place, value in enumerate(rest)
        if value not in rest[:place]
    )
