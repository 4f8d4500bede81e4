"""Three cards for people: one hand's values, and the best play as a chart with its exceptions."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from upcard.maths import queries, shoe, threecard
from upcard.maths.queries import VALUE_NAMES
from upcard.maths.threecard import CARDS_EACH, FOLD, Decision
from upcard.refused import Refused
from upcard.threecard import hand as hand_rules
from upcard.threecard.rules import Rules

RAISE_CODE, FOLD_CODE = "R", "F"
CODES = {RAISE_CODE: "raise", FOLD_CODE: "fold"}


def hand_values(
    rules: Rules, hand: str, up: str, *, split: bool = False, doubled: bool = False
) -> dict[str, float]:
    """Raise and fold, per ante. Raises Refused (`field`)."""
    for option, given in (("--split", split), ("--doubled", doubled)):
        if given:
            raise Refused("field", f"{option}: no hand is split or doubled here; leave it out.")
    cards = queries.parse_hand(hand, least=CARDS_EACH, most=CARDS_EACH)
    up_card = queries.parse_up(up)
    deck = shoe.full(rules.decks)
    queries.check_held(deck, (*cards, up_card))
    found = threecard.decision(rules, tuple(card.value for card in cards), up_card.value, deck)
    return {"raise": float(found.raise_value), "fold": float(FOLD)}


def strategy(rules: Rules) -> dict[str, Any]:
    """Hard and soft total → up card → code: what is best for the hands of that total together.

    `exceptions` are the hands that do better otherwise, the dearest first, with what the better
    play gains in antes. A total is the best one that the three cards make (C-03).
    """
    solution = threecard.solve(rules)
    cells: dict[tuple[bool, int, int], list[Decision]] = {}
    for found in solution.decisions.values():
        best = hand_rules.best(rules, found.hand)
        cells.setdefault((best.soft, best.total, found.up), []).append(found)
    codes = {cell: _code(sum(map(_gain, those)) > 0) for cell, those in cells.items()}
    alone, staked = _chart_value(cells, codes)
    return {
        "hard": _chart(codes, soft=False),
        "soft": _chart(codes, soft=True),
        "pairs": {},
        "exceptions": _exceptions(cells, codes),
        "alone": {
            "ev": float(alone),
            "mean_stake": float(staked),
            "rtp_wagered": float(1 + alone / staked),
        },
        "codes": CODES,
    }


def _code(raises: bool) -> str:
    return RAISE_CODE if raises else FOLD_CODE


def _gain(found: Decision) -> Fraction:
    """What raising gains over folding in all deals of this hand and up card together."""
    return found.ways * (found.raise_value - FOLD)


def _chart_value(
    cells: dict[tuple[bool, int, int], list[Decision]], codes: dict[tuple[bool, int, int], str]
) -> tuple[Fraction, Fraction]:
    """What the chart is worth and puts down without its exceptions, in antes."""
    deals = sum(each.ways for those in cells.values() for each in those)
    raised = [each for cell, those in cells.items() for each in those if codes[cell] == RAISE_CODE]
    gained = sum((each.ways * (each.raise_value - FOLD) for each in raised), Fraction(0))
    return FOLD + gained / deals, 1 + Fraction(sum(each.ways for each in raised), deals)


def _chart(codes: dict[tuple[bool, int, int], str], *, soft: bool) -> dict[str, dict[str, str]]:
    totals = sorted({total for is_soft, total, _ in codes if is_soft == soft}, reverse=True)
    return {
        str(total): {
            VALUE_NAMES[up - 1]: codes[soft, total, up]
            for up in _ace_last(range(1, len(VALUE_NAMES) + 1))
            if (soft, total, up) in codes
        }
        for total in totals
    }


def _ace_last(values: Iterable[int]) -> list[int]:
    """Up cards in the order of every chart: 2 to T, then A."""
    return sorted(values, key=lambda value: (value == 1, value))


def _exceptions(
    cells: dict[tuple[bool, int, int], list[Decision]], codes: dict[tuple[bool, int, int], str]
) -> list[dict[str, Any]]:
    found = [
        {
            "cards": queries.names(each.hand),
            "up": VALUE_NAMES[each.up - 1],
            "code": _code(each.raises),
            "chart": "soft" if cell[0] else "hard",
            "row": str(cell[1]),
            "gain": abs(float(each.raise_value - FOLD)),
        }
        for cell, those in cells.items()
        for each in those
        if _code(each.raises) != codes[cell]
    ]
    return sorted(found, key=lambda each: (-each["gain"], each["cards"], each["up"]))
