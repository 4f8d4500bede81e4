"""Shoes of nine cards or so: the round machine, walked over every order, agrees with the solver.

The authority is the machine itself, the only home of the rules of a round, and exact fractions.
"""

from __future__ import annotations

import random

import pytest

from tests.maths.tiny import best_response, counts_of, planned, tiny_game, walk
from upcard.fields import codecs
from upcard.maths.best import Solution, solve
from upcard.maths.tables import ACE, TEN
from upcard.refused import Refused
from upcard.twentyone.rules import Rules

EXACT = 1e-12

ALL_RULES = {
    "double__cards": "any",
    "double__rescue": "true",
    "surrender": "any",
    "auto_wins": "3/21@2:1,4@1:1",
    "stands_on_21": "hard",
    "dealer_hits_soft_17": "true",
    "natural": "6:5",
    "even_money": "true",
}

SMALL = "A A 3 3 3 8 T T"
PAIRS = "8 8 8 T T 9 9 7 6"
LOW_PAIRS = "4 4 4 7 7 T T T T 9"
TENS = "T T T T T 9 9 8 8"
ACES = "A A 6 T T T T T T 9"
MANY_ACES = "A A A A T T T T T T T T T"
DIAMONDS = "Ad A 5 Td Th T T 9 9"

ONE_BY_ONE = [
    ("bare", SMALL, {"split__hands_max": "1"}),
    ("soft 17", SMALL, {"split__hands_max": "1", "dealer_hits_soft_17": "true"}),
    ("no hole card", SMALL, {"split__hands_max": "1", "hole_card": "none"}),
    ("surrender first", SMALL, {"split__hands_max": "1", "surrender": "first"}),
    ("surrender any", SMALL, {"split__hands_max": "1", "surrender": "any"}),
    (
        "early surrender any",
        SMALL,
        {"split__hands_max": "1", "surrender": "any", "hole_card": "none"},
    ),
    ("double any", SMALL, {"split__hands_max": "1", "double__cards": "any"}),
    ("double listed", SMALL, {"split__hands_max": "1", "double__totals": "8,9"}),
    (
        "rescue",
        SMALL,
        {"split__hands_max": "1", "double__cards": "any", "double__rescue": "true"},
    ),
    (
        "rescue, no hole card",
        SMALL,
        {
            "split__hands_max": "1",
            "double__cards": "any",
            "double__rescue": "true",
            "hole_card": "none",
        },
    ),
    ("automatic wins", SMALL, {"split__hands_max": "1", "auto_wins": "3/21@2:1,4@1:1"}),
    (
        "automatic wins, no hole card",
        SMALL,
        {"split__hands_max": "1", "auto_wins": "3/21@2:1,4@1:1", "hole_card": "none"},
    ),
    ("stands on hard 21", SMALL, {"split__hands_max": "1", "stands_on_21": "hard"}),
    ("naturals win", SMALL, {"split__hands_max": "1", "natural_wins_always": "true"}),
    (
        "naturals win, no hole card",
        SMALL,
        {"split__hands_max": "1", "natural_wins_always": "true", "hole_card": "none"},
    ),
    (
        "suited naturals",
        DIAMONDS,
        {"split__hands_max": "1", "natural": "1:1", "natural_suited": "diamonds@2:1"},
    ),
    ("split", PAIRS, {"split__hands_max": "2"}),
    ("split, no hole card", PAIRS, {"split__hands_max": "2", "hole_card": "none"}),
    ("split low", LOW_PAIRS, {"split__hands_max": "2"}),
    (
        "split low, no double after",
        LOW_PAIRS,
        {"split__hands_max": "2", "double__after_split": "false"},
    ),
    ("split low, surrender", LOW_PAIRS, {"split__hands_max": "2", "surrender": "any"}),
    ("resplit to three", TENS, {"split__hands_max": "3"}),
    ("resplit to four", "T T T T T T 9 9 9 9 8", {"split__hands_max": "4"}),
    ("aces stand", ACES, {"split__hands_max": "2"}),
    ("aces hit", ACES, {"split__hands_max": "2", "split__aces": "hit"}),
    ("aces double", ACES, {"split__hands_max": "2", "split__aces": "double"}),
    (
        "aces resplit",
        MANY_ACES,
        {"split__hands_max": "3", "split__resplit_aces": "true"},
    ),
    (
        "aces resplit, no hole card",
        MANY_ACES,
        {"split__hands_max": "3", "split__resplit_aces": "true", "hole_card": "none"},
    ),
]

TOGETHER = [
    ("all, no split", SMALL, ALL_RULES | {"split__hands_max": "1"}),
    ("all", LOW_PAIRS, ALL_RULES | {"split__hands_max": "2", "split__aces": "double"}),
    (
        "all, no hole card",
        ACES,
        ALL_RULES | {"split__hands_max": "2", "split__aces": "hit", "hole_card": "none"},
    ),
    (
        "super 21",
        "Ad A 6 Td T T T T T 9",
        ALL_RULES
        | {
            "split__hands_max": "2",
            "split__aces": "double",
            "natural": "1:1",
            "natural_suited": "diamonds@2:1",
            "natural_wins_always": "true",
        },
    ),
]


def _solution(shoe: str, fields: dict[str, str]) -> Solution:
    return solve(tiny_game(**fields).rules, counts_of(shoe))


@pytest.mark.parametrize(
    ("shoe", "fields"),
    [case[1:] for case in ONE_BY_ONE + TOGETHER],
    ids=[case[0] for case in ONE_BY_ONE + TOGETHER],
)
def test_the_machine_agrees(shoe: str, fields: dict[str, str]) -> None:
    found = _solution(shoe, fields)
    walked = walk(tiny_game(**fields), shoe, planned(found.plan))
    assert found.ev == pytest.approx(float(walked.net), abs=EXACT)
    assert found.mean_stake == pytest.approx(float(walked.stake), abs=EXACT)
    square = sum(net * net * float(chance) for net, chance in walked.results.items())
    assert found.sd == pytest.approx((square - float(walked.net) ** 2) ** 0.5, abs=EXACT)
    if fields["split__hands_max"] == "1":
        spread = found.spread
        assert spread.basis == "exact"
        assert spread.chances == pytest.approx(
            {net: float(chance) for net, chance in walked.results.items()}, abs=EXACT
        )
    else:
        assert found.plan.split.any(), "this shoe tries no split"


CHANGED = {
    "dealer_hits_soft_17": ("false", "true"),
    "hole_card": ("peek", "none"),
    "natural": ("3:2", "1:1", "2:1"),
    "natural_wins_always": ("false", "true"),
    "natural_suited": ("none", "clubs@3:1"),
    "auto_wins": ("none", "3@1:1", "3/21@2:1,4@1:1", "4/18@0:1"),
    "double.cards": ("2", "any"),
    "double.totals": ("any", "any", "9,10,11", "14"),
    "double.after_split": ("true", "false"),
    "double.rescue": ("false", "true"),
    "split.hands_max": ("1", "2", "3"),
    "split.aces": ("stand", "hit", "double"),
    "split.resplit_aces": ("false", "true"),
    "surrender": ("none", "first", "any"),
    "even_money": ("false", "true"),
    "stands_on_21": ("any", "hard"),
}
"""Every rule field but decks and insurance, which the shoe and the plan make idle here."""
RANDOM_SHOES = (
    "A A 6 T T T T T 9",
    "4 4 7 7 T T T T 9",
    "A A A T T T T T T T",
    "8 8 T T 9 T T 3 3",
)
RANDOM_GAMES = 60


def test_random_rules_and_shoes() -> None:
    """All fields at once, drawn at random; shoes that could run out are refused and left out."""
    assert {*CHANGED} == {*codecs(Rules)} - {"decks", "insurance"}
    draw = random.Random(3)
    agreed = split = 0
    while agreed < RANDOM_GAMES:
        fields = {name: draw.choice(texts) for name, texts in CHANGED.items()}
        game, shoe = tiny_game(**fields), draw.choice(RANDOM_SHOES)
        try:
            found = solve(game.rules, counts_of(shoe))
        except Refused:
            continue
        walked = walk(game, shoe, planned(found.plan))
        assert found.ev == pytest.approx(float(walked.net), abs=EXACT), (shoe, fields)
        assert found.mean_stake == pytest.approx(float(walked.stake), abs=EXACT), (shoe, fields)
        square = sum(net * net * float(chance) for net, chance in walked.results.items())
        deviation = (square - float(walked.net) ** 2) ** 0.5
        assert found.sd == pytest.approx(deviation, abs=EXACT), (shoe, fields)
        agreed += 1
        split += bool(found.plan.split.any())
    assert split > RANDOM_GAMES / 4


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"hole_card": "none"},
        {"surrender": "any", "double__cards": "any", "double__rescue": "true"},
        {"auto_wins": "3/21@2:1,4@1:1", "stands_on_21": "hard", "surrender": "first"},
    ],
    ids=["bare", "no hole card", "give up", "automatic wins"],
)
def test_no_play_beats_it(fields: dict[str, str]) -> None:
    shoe = "6 6 6 5 5 A T T"
    fields = fields | {"split__hands_max": "1"}
    best = best_response(tiny_game(**fields), shoe)
    assert _solution(shoe, fields).ev == pytest.approx(float(best), abs=EXACT)


@pytest.mark.parametrize("hole_card", ["peek", "none"])
def test_insurance_and_even_money_are_priced(hole_card: str) -> None:
    shoe = "A A A 6 6 T T T 9"
    fields = {"split__hands_max": "1", "hole_card": hole_card, "even_money": "true"}
    game, found = tiny_game(**fields), _solution(shoe, fields)
    insured = walk(game, shoe, planned(found.plan, insured=True)).net
    declined = walk(game, shoe, planned(found.plan)).net
    expected = 0.0
    for low, high, chance in found.analysis.first_hands():
        cards = " ".join("A23456789T"[value] for value in (low, high))
        counts = found.analysis.counts.copy()
        counts[[low, high]] -= 1 if low != high else 2
        aces_up = counts[ACE] / counts.sum()
        if aces_up <= 0:
            continue
        if (low, high) == (ACE, TEN):
            values = found.even_money()
            gain = values["even_money"] - values["no_even_money"]
        else:
            gain = found.insurance(cards)["insurance"]
        expected += chance * aces_up * gain
    assert float(insured - declined) == pytest.approx(expected, abs=EXACT)


def test_shoes_that_could_run_out_are_refused() -> None:
    """Three aces and five tens: three hands of 20 leave the dealer too little."""
    fields = {"split__hands_max": "3", "split__resplit_aces": "true"}
    with pytest.raises(Refused, match="too small"):
        _solution("A A A T T T T T 9 9", fields)
