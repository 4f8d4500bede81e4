"""Play by total: the published optimum, the usual chart, and that no single change gains."""

from __future__ import annotations

import dataclasses
import itertools
import json
import random

import pytest

from tests.maths.tiny import counts_of, planned, tiny_game, walk
from upcard.games.super21 import SUPER21
from upcard.games.top3 import TOP3
from upcard.maths import compositions
from upcard.maths.analysis import UP_CARDS
from upcard.maths.best import solve
from upcard.maths.strategy import (
    ENTRIES,
    Chart,
    best_chart,
    exceptions,
    parse_chart,
    strategy,
    value,
)
from upcard.maths.tables import DOUBLE, HIT, STAND, SURRENDER
from upcard.refused import Refused
from upcard.twentyone.rules import Rules, Split

SIX = Rules()
"""6 decks, S17, DAS, four hands, no surrender."""


def test_the_total_dependent_optimum() -> None:
    """MGP's analyser, per cent."""
    found = value(SIX, best_chart(SIX))
    assert 100 * found.ev == pytest.approx(-0.4059224176988, abs=1e-9)


USUAL = {
    "hard": {
        **dict.fromkeys(("5", "6", "7", "8"), "H H H H H H H H H H"),
        "9": "H H D D D D H H H H",
        "10": "H D D D D D D D D H",
        "11": "H D D D D D D D D D",
        "12": "H H H S S S H H H H",
        **dict.fromkeys(("13", "14"), "H S S S S S H H H H"),
        "15": "H S S S S S H H H R",
        "16": "R S S S S S H H R R",
        **dict.fromkeys(("17", "18", "19", "20", "21"), "S S S S S S S S S S"),
    },
    "soft": {
        **dict.fromkeys(("13", "14"), "H H H H D D H H H H"),
        **dict.fromkeys(("15", "16"), "H H H D D D H H H H"),
        "17": "H H D D D D H H H H",
        "18": "H S D D D D S S H H",
        **dict.fromkeys(("19", "20", "21"), "S S S S S S S S S S"),
    },
    "pairs": {
        "A": "P P P P P P P P P P",
        **dict.fromkeys(("2", "3"), "H P P P P P P H H H"),
        "4": "H H H H P P H H H H",
        "5": "H D D D D D D D D H",
        "6": "H P P P P P H H H H",
        "7": "H P P P P P P H H H",
        "8": "P P P P P P P P P P",
        "9": "S P P P P P S P P S",
        "T": "S S S S S S S S S S",
    },
}
"""The usual chart for 4 to 8 decks, S17, DAS, late surrender; up cards from the ace to the ten."""


def test_top3_is_played_by_the_usual_chart() -> None:
    found = best_chart(TOP3.rules).as_dict()
    for part, rows in USUAL.items():
        for name, codes in rows.items():
            row = found[part][name]  # type: ignore[index]  # a dict of dicts
            # What to do where the first choice is not allowed is not in that chart.
            assert [code[0] for code in row.values()] == codes.split(), f"{part} {name}"
            assert [*row] == list(UP_CARDS)


@pytest.mark.parametrize("by_cards", [False, True])
@pytest.mark.parametrize("rules", [SIX, SUPER21.rules], ids=["bare", "super21"])
def test_no_single_change_gains(rules: Rules, by_cards: bool) -> None:
    """By the other route: the whole game's value of the changed chart."""
    chart = best_chart(rules, by_cards=by_cards)
    best = value(rules, chart).ev
    draw = random.Random(21)
    cells = [*itertools.product(range(len(ENTRIES)), range(chart.entries.shape[1]), range(10))]
    likely = [cell for cell in cells if 12 <= cell[1] % 22 <= 18]
    for place in draw.sample(likely, 20):
        entries = chart.entries.copy()
        entries[place] ^= 1
        changed = Chart(chart.by_cards, entries, chart.split)
        assert value(rules, changed).ev <= best + 1e-14, place
    for pair, up in draw.sample([*itertools.product(range(10), repeat=2)], 10):
        split = chart.split.copy()
        split[pair, up] ^= 1
        changed = Chart(chart.by_cards, chart.entries, split)
        assert value(rules, changed).ev <= best + 1e-14, (pair, up)


def test_knowing_more_is_worth_more() -> None:
    """By total, by total and number of cards, by all cards: each may do what the last does."""
    rules = SUPER21.rules
    by_total = value(rules, best_chart(rules)).ev
    by_cards = value(rules, best_chart(rules, by_cards=True)).ev
    assert by_total < by_cards < solve(rules).ev


def test_the_value_of_best_play_is_the_solution() -> None:
    for rules in (SIX, SUPER21.rules):
        found = solve(rules)
        played = value(rules, found.plan)
        assert played.ev == pytest.approx(found.ev, abs=1e-15)
        assert played.mean_stake == pytest.approx(found.mean_stake, abs=1e-14)
        assert played.by_up_card == pytest.approx(found.by_up_card, abs=1e-14)


@pytest.mark.parametrize(
    ("shoe", "fields"),
    [
        ("A A 2 3 3 8 T T", {"split__hands_max": "1", "surrender": "any"}),
        ("4 4 4 7 7 T T T T 9", {"split__hands_max": "2"}),
        ("T T T T T 9 9 8 8", {"split__hands_max": "3", "hole_card": "none"}),
    ],
)
def test_the_machine_agrees_about_a_chart(shoe: str, fields: dict[str, str]) -> None:
    """A chart for six decks, played from a tiny shoe that it does not fit."""
    game = tiny_game(**fields)
    chart = best_chart(dataclasses.replace(game.rules, decks=6))
    walked = walk(game, shoe, planned(chart.plan(game.rules)))
    found = value(game.rules, chart, counts_of(shoe))
    assert found.ev == pytest.approx(float(walked.net), abs=1e-12)
    assert found.mean_stake == pytest.approx(float(walked.stake), abs=1e-12)


# Text


@pytest.mark.parametrize("by_cards", [False, True])
@pytest.mark.parametrize("rules", [SIX, SUPER21.rules], ids=["bare", "super21"])
def test_a_chart_parses_back(rules: Rules, by_cards: bool) -> None:
    chart = best_chart(rules, by_cards=by_cards)
    text = json.dumps(chart.as_dict())
    again = parse_chart(json.loads(text))
    assert json.dumps(again.as_dict()) == text
    assert value(rules, again).ev == value(rules, chart).ev


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ({"hard": {"16": {"T": "X"}}}, "no code"),
        ({"hard": {"3": {"T": "H"}}}, "no hard total"),
        ({"soft": {"18": {"K": "H"}}}, "no card"),
        ({"hard": {"16": {"T": "H"}}, "pairs": {"8": {"T": "S"}}}, "pairs.8.T"),
    ],
)
def test_a_strategy_that_is_none(document: dict[str, object], sentence: str) -> None:
    with pytest.raises(Refused, match=sentence) as refused:
        parse_chart(document)
    assert refused.value.code == "field"


# Exceptions


def test_exceptions_that_are_known() -> None:
    """Six decks S17: hit T,2 v 4; stand on 16 of three or more cards v T, but hit some."""
    found = strategy(dataclasses.replace(SIX, surrender="first"))["exceptions"]
    assert isinstance(found, list)
    codes = {(each["cards"], each["up"]): each["code"] for each in found}
    assert codes["2 T", "4"] == "H"
    assert all(each["gain"] > 0 for each in found)


def test_exceptions_make_up_the_difference() -> None:
    """Without splits every round meets its exceptions once at most along the chart's own path:
    a chart that follows them is worth as much as best play."""
    rules = Rules(decks=1, split=Split(hands_max=1))
    found = solve(rules)
    chart = best_chart(rules)
    plan = chart.plan(rules)
    letters = {"S": STAND, "H": HIT, "D": DOUBLE, "R": SURRENDER}
    for each in exceptions(found, chart):
        number = compositions.number_of(UP_CARDS.index(card) for card in each.cards.split())
        plan.plays[0].choice[number, UP_CARDS.index(each.up)] = letters[each.code]
    assert value(rules, plan).ev == pytest.approx(found.ev, abs=1e-12)


def test_super_21_goes_by_the_number_of_cards_too() -> None:
    found = strategy(SUPER21.rules)
    by_cards = found["by_cards"]
    assert isinstance(by_cards, dict)
    assert [*by_cards] == ["2", "3", "4", "5+"]
    assert "3" not in by_cards["2"]["hard"]
    assert by_cards["2"]["hard"]["9"]["3"] == "D"
