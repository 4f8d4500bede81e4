"""The rules page says what the records decide, in sentences that are true (G-14).

Authorities: CLAUSES (ids in the docstrings; the words and figures of the four games are typed
from them) and CONTRACTS sections 3 and 4. Sentences that depend on several fields are held
against the hand rules over all combinations.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from itertools import product

import pytest

from tests.rules.made_up import CROSSING, FORTNIGHT
from tests.rules.pages import (
    EVERY,
    ROOMY,
    all_words,
    every,
    plain,
    read,
    says,
)
from upcard import fields
from upcard.describe import (
    as_text,
    page,
    rules_fields,
)
from upcard.game import Game
from upcard.games import ANALYSED
from upcard.games.ags import AGS
from upcard.games.blackjack import BLACKJACK
from upcard.games.super21 import SUPER21
from upcard.games.threecard import THREECARD
from upcard.games.top3 import TOP3
from upcard.refused import Refused
from upcard.threecard.rules import Rules as ThreeCardRules
from upcard.twentyone.hand import Hand, options
from upcard.twentyone.rules import Rules

# A sentence for every field

FIELDS_OF_CONTRACT = {
    Rules: (
        "decks dealer_hits_soft_17 hole_card natural natural_wins_always natural_suited auto_wins "
        "double.cards double.totals double.after_split double.rescue split.hands_max split.aces "
        "split.resplit_aces surrender insurance even_money stands_on_21"
    ),
    ThreeCardRules: "decks qualifies_at best_of dealer_natural_beats_21 tie",
}
"""Typed from CONTRACTS section 4, `--set`."""


@every
def test_a_sentence_for_each_rule_field(game: Game) -> None:
    """G-14, CONTRACTS section 3 and 4: each field once, with its text, on the page as in JSON."""
    expected = FIELDS_OF_CONTRACT[type(game.rules)].split()
    rules = rules_fields(game)
    assert [rule["field"] for rule in rules] == expected
    assert all(list(rule) == ["field", "value", "sentence", "clause"] for rule in rules)
    assert {rule["field"]: rule["value"] for rule in rules} == fields.texts(game.rules)
    on_page = [dataclasses.asdict(said) for said in page(game).sentences() if said.field]
    assert sorted(on_page, key=lambda said: expected.index(said["field"])) == rules


WORDS = {
    Rules: {
        "decks": {"1": "one deck of", "8": "eight decks of"},
        "dealer_hits_soft_17": {
            "true": "up to 16 and a soft 17 too",
            "false": "stands on every 17, soft or hard",
        },
        "hole_card": {"peek": "the dealer looks at it before you play", "none": "no hole card"},
        "natural": {"1:1": "pays 1:1", "3:2": "pays 3:2", "2:1": "pays 2:1"},
        "natural_wins_always": {"true": "natural always wins", "false": "yours is a push"},
        "natural_suited": {
            "none": "suits of a natural make no difference",
            "diamonds@2:1": "two diamonds pays 2:1",
            "spades@5:1": "two spades pays 5:1",
        },
        "auto_wins": {
            "none": "No number of cards wins by itself",
            "6@1:1,5/21@2:1": "with 21 in five cards or more (2:1) or with six cards or more not "
            "over 21 (1:1). If several fit, the best pays",
            "5@1:1": "with five cards or more not over 21 (1:1).",
            "3/21@3:1,4/21@2:1": "with 21 in three cards or more (3:1) or with 21 in four cards "
            "or more (2:1)",
        },
        "double.cards": {"2": "first two cards", "any": "any number of cards"},
        "double.totals": {
            "any": "any total, soft or hard",
            "10,11": "a hard 10 or 11 only",
            "9": "a hard 9 only",
        },
        "double.after_split": {"true": "may be doubled too", "false": "may not be doubled"},
        "double.rescue": {"true": "the original bet comes back", "false": "cannot be given up"},
        "split.hands_max": {"1": "not split here", "4": "four hands"},
        "split.aces": {
            "stand": "one card and then stands",
            "hit": "may then be hit or stood on, but not doubled",
            "double": "may then be hit, doubled or stood on",
        },
        "split.resplit_aces": {
            "true": "may be split again like any pair",
            "false": "may not be split again",
        },
        "surrender": {
            "none": "no surrender",
            "first": "very first decision",
            "any": "any number of cards",
        },
        "insurance": {"1:1": "pays 1:1", "3:2": "pays 3:2", "2:1": "pays 2:1"},
        "even_money": {
            "true": "you are offered even money",
            "false": "there is no even money to choose",
        },
        "stands_on_21": {
            "any": "makes 21, soft or hard, stands by itself",
            "hard": "a soft 21 that is no natural is still yours to play",
        },
    },
    ThreeCardRules: {
        "decks": {"1": "one deck of", "8": "eight decks of"},
        "qualifies_at": {"4": "needs 4 or more", "21": "needs 21, soft or hard"},
        "best_of": {"any": "any two or all three", "three": "the total of all three"},
        "dealer_natural_beats_21": {
            "true": "beats every 21 of yours that is no blackjack",
            "false": "counts as a plain 21",
        },
        "tie": {"push": "ante and raise come back", "lose": "ante and raise are both lost"},
    },
}
"""Field → value as text → words that must stand in its sentence, whatever the other fields."""


def test_the_words_below_are_asked_for_every_example() -> None:
    for rules, words in WORDS.items():
        examples = {name: {*codec.examples} for name, codec in fields.codecs(rules).items()}
        assert {name: set(values) for name, values in words.items()} == examples


@pytest.mark.parametrize("game", [ROOMY, THREECARD], ids=lambda game: game.key)
def test_each_sentence_names_its_value(game: Game) -> None:
    """G-14: flipped through every example of its codec, a field's sentence says the new value."""
    for field, words in WORDS[type(game.rules)].items():
        for value, phrase in words.items():
            variant = game.with_rule(field, value)
            assert phrase in says(variant)[field]
            assert phrase in all_words(variant)
            assert phrase in plain(as_text(page(variant), 80))
            others = [other for other in words if other != value]
            assert all(phrase not in says(game.with_rule(field, other))[field] for other in others)


@every
def test_each_flip_changes_its_sentence(game: Game) -> None:
    """G-14: also where the field is moot beside the others, the sentence tells values apart."""
    for field, codec in fields.codecs(game.rules).items():
        found: dict[str, str] = {}
        for value in codec.examples:
            try:
                found[value] = says(game.with_rule(field, value))[field]
            except Refused:  # the step is too fine for these odds
                continue
        assert len(found) >= 1
        assert len(set(found.values())) == len(found), field


# Sentences that depend on several fields are true

COMBINED = {
    "double.cards": ("2", "any"),
    "double.totals": ("any", "9,10,11", "10,12", "20"),
    "double.after_split": ("true", "false"),
    "split.hands_max": ("2", "3", "4"),
    "split.aces": ("stand", "hit", "double"),
    "split.resplit_aces": ("true", "false"),
    "surrender": ("none", "first", "any"),
}


def combined() -> Iterator[Game]:
    """A game for each combination of the fields that say something of split aces."""
    for values in product(*COMBINED.values()):
        game = ROOMY
        for field, value in zip(COMBINED, values, strict=True):
            game = game.with_rule(field, value)
        yield game


ACE_HANDS = [
    Hand(hard=hard, ace=True, cards=cards, from_split=True, split_aces=True)
    for cards in range(2, 8)
    for hard in range(cards, 22)
    if not (cards == 2 and hard > 11)
]
"""Every hand that can grow from a split ace, and a few more."""


def offered_to_split_aces(rules: Rules) -> set[str]:
    return {
        choice
        for hand in ACE_HANDS
        for choice in options(rules, hand, pair=hand.cards == 2 and hand.hard == 2, hands=2)
    }


def test_what_a_split_ace_may_do_is_said_as_the_hand_rules_have_it() -> None:
    """T-62, T-65, S-11, S-12, A-08, A-09 and all combinations of these fields."""
    for game in combined():
        rules, said = game.rules, says(game)
        aces, again = said["split.aces"], said["split.resplit_aces"]
        offered = offered_to_split_aces(rules)
        assert ("hit" in aces) == ("hit" in offered), rules
        assert ("doubled" in aces and "not doubled" not in aces) == ("double" in offered), rules
        assert ("surrendered" in aces) == ("surrender" in offered), rules
        assert again.startswith("A split ace that gets another ace may be split again") == (
            "split" in offered
        ), rules
        assert ("you split again" in aces) == (offered == {"stand", "split"}), rules
        assert (", except a split ace" in said["surrender"]) == (
            rules.surrender == "any" and "surrender" not in offered
        ), rules


def test_split_aces_of_the_four_games() -> None:
    """T-62, T-65: one card, no double. S-12 and A-08, A-09: played on, and doubled."""
    assert says(TOP3)["split.aces"] == "Each split ace is dealt one card and then stands."
    assert "unless it is a split ace" in says(TOP3)["double.after_split"]
    assert "may then be hit, doubled, surrendered or stood on" in says(SUPER21)["split.aces"]
    assert "may then be hit, doubled or stood on" in says(AGS)["split.aces"]
    assert says(AGS)["double.after_split"] == "A hand that comes from a split may be doubled too."


def test_examples_of_three_card_totals() -> None:
    """C-03: A-6-3 is 20, three aces are 13; K-Q-5 is 20 without the five and 25 with it."""
    assert "A-6-3 is 20, three aces are 13" in says(THREECARD)["best_of"]
    assert "a king, a queen and a five are 20" in says(THREECARD)["best_of"]
    all_three = THREECARD.with_rule("best_of", "three")
    assert "a king, a queen and a five are 25" in says(all_three)["best_of"]


def test_moot_fields_say_that_they_are_moot() -> None:
    unsplit = says(ROOMY.with_rule("split.hands_max", "1"))
    for field in ("double.after_split", "split.aces", "split.resplit_aces"):
        assert unsplit[field].startswith("This does not arise, as nothing is split here")
    twice = says(ROOMY.with_rule("split.hands_max", "2").with_rule("split.resplit_aces", "true"))
    assert "two hands are the most" in twice["split.resplit_aces"]


# The four games, typed from the clauses

KEY_FACTS = {
    "top3": (
        TOP3,
        [
            "six decks of 52 cards",  # T-01
            "also dealt from seven or eight",  # T-01
            "up to three spots",  # T-02
            "A natural pays 3:2.",  # T-04
            "Under a ten-value card the dealer looks straight away, and no insurance",  # T-05
            "stands on every 17, soft or hard",  # T-06
            "21+3 Progressive is closed at Micro.",  # T-10
            "You choose one between rounds",  # T-14
            "double on the first two cards of a hand, not after a third",  # T-60, T-61
            "a king and a queen too",  # T-63
            "once, into two hands",  # T-64
            "An ace and a ten-value card after a split are a plain 21 and no natural",  # T-66
            "very first decision on a spot's first two cards, not after a split",  # T-67
            "insure your main bet for exactly half of it. Insurance pays 2:1",  # T-68, T-69
            "yours is a push",  # T-70
            "there is no even money",  # T-70
            "never to be asked for insurance",  # T-50
            "Top 3 also needs 21+3 Classic on the same spot",  # T-81
            "settled as soon as these are dealt, whatever becomes of the main bet",  # T-82
            "K-A-2 is no straight",  # T-86
            "21+3 Progressive takes exactly 5.00; 0.85 of it (17 %) enters a meter",  # T-85
            "The meter starts at 10,000.00.",  # T-85
            "takes the whole meter; the meter then starts again at 10,000.00",  # T-85
            "125 for 1 means that 125 times the stake come back, 625.00 on 5.00",  # T-85
            "paid by the house and leave the meter as it is",  # T-85
            "One meter serves the levels Low, High and High Roller and tables of six, seven and "
            "eight decks.",  # T-85
            "within a round the rightmost spot first",  # T-85
        ],
    ),
    "threecard": (
        THREECARD,
        [
            "one deck of 52 cards",  # C-01
            "three cards face up, then the dealer gets three, the first face up",  # C-02, G-02
            "turned up after a raise and after a fold",  # C-02
            "any two or all three of its cards",  # C-03
            "a raise of exactly the ante",  # C-06
            "covers the ante twice",  # C-06
            "Folding leaves them in play",  # C-07
            "needs 17 or more, soft or hard, to qualify",  # C-08
            "with a blackjack the ante wins 1:1 and the raise comes back",  # C-09
            "even against a blackjack of the dealer",  # C-10
            "Equal totals are a push",  # C-11
            "A dealer blackjack beats every 21 of yours that is no blackjack",  # C-11
        ],
    ),
    "super21": (
        SUPER21,
        [
            "eight decks of 52 cards",  # S-01
            "hits every total up to 16 and a soft 17 too",  # S-02
            "A natural pays 1:1.",  # S-03
            "A natural of two diamonds pays 2:1.",  # S-04
            "natural always wins, even if the dealer has a natural too",  # S-05
            "paid before any hand is played",  # S-05
            "on any number of cards, once on each hand",  # S-06
            "rescue the hand before the dealer plays",  # S-07
            "A doubled 21 stands without being asked.",  # S-07
            "with any number of cards, each hand of a split for itself: half of the bet",  # S-08
            "A dealer natural comes first: it takes the whole bet",  # S-08
            "with 21 in five cards or more (2:1) or with six cards or more not over 21",  # S-09, 10
            "A hand that was not doubled wins at once",  # S-09, S-10
            "A hand of a split counts its own cards",  # S-10
            "until the spot has three hands",  # S-11
            "A split ace that gets another ace may be split again",  # S-11
            "a soft 21 that is no natural is still yours to play",  # S-13
            "it is a bet of its own beside the natural, and there is no even money",  # S-14
            "You play one spot",  # S-15
        ],
    ),
    "ags": (
        AGS,
        [
            "six decks of 52 cards",  # A-01
            "stands on every 17, soft or hard",  # A-02
            "A natural pays 3:2.",  # A-03
            "two cards of equal value once, into two hands",  # A-07
            "double on the first two cards of a hand",  # A-09
            "half of the bet comes back",  # A-10
            "offered even money instead of insurance. Take it, and the natural is paid 1:1",  # A-11
            "pushes if the dealer has one",  # A-11
            "Exactly two of them are on the table at a time",  # A-14
            "while no chip lies and no round is open",  # A-14
            "A spot with side bets alone is dealt in its place",  # A-15
            "If no main bet lies on the table, the round ends with the side bets",  # A-15
            "highest row of its table that fits",  # A-17
            "a four and an eight have a spread of three",  # A-21
        ],
    ),
}


@pytest.mark.parametrize(("game", "facts"), KEY_FACTS.values(), ids=KEY_FACTS.keys())
def test_key_facts_in_words(game: Game, facts: list[str]) -> None:
    """T, C, S and A, by the clause beside each phrase: they stand in every rendering."""
    words = all_words(game)
    assert [fact for fact in facts if fact not in words] == []
    assert [fact for fact in facts if fact not in plain(" ".join(read(game).text))] == []


@every
def test_what_the_house_says_of_every_game(game: Game) -> None:
    """G-01, G-04, G-08, G-09, G-12, G-13."""
    words = all_words(game)
    for fact in (
        "without jokers",
        "shuffled anew before every round",
        "Fisher-Yates",
        "count ten; an ace counts one or eleven",
        "can check the fingerprint and every card",
        "DEAL takes all your bets in one step",
        "A chip that would pass the maximum is not added",
        "A round left alone for 30 days is finished for you",
        "A malfunction voids all pays and plays.",
        "a meter win too",
        "your balance does not fall below zero",
    ):
        assert fact in words
    assert words.count("in which an ace counts eleven is soft") == 1


def test_abandoned_rounds() -> None:
    """G-12: without insurance, hands stand, three cards fold; the house states the period."""
    assert "insurance is declined and its hands stand" in all_words(TOP3)
    assert "insurance and even money are declined and its hands stand" in all_words(AGS)
    assert "it folds, and its side bets are settled" in all_words(THREECARD)
    week = page(TOP3, abandoned_days=7)
    assert any("for seven days" in said.sentence for said in week.sentences())
    assert not any("30 days" in said.sentence for said in week.sentences())


def test_without_a_hole_card_nothing_is_said_of_one() -> None:
    """`hole_card=none`: no peek, insurance and naturals wait, surrender is not late."""
    words = all_words(ROOMY.with_rule("hole_card", "none").with_rule("surrender", "any"))
    assert "Insurance is settled when the dealer's second card is dealt." in words
    assert "it waits for the dealer's second card" in words
    assert "The dealer gets a second card only if some bet still waits for it." in words
    assert "comes back even if the dealer then makes a natural" in words
    for gone in ("looks", "turned up", "A dealer natural comes first", "hole card is"):
        assert gone not in words


# Clauses

CLAUSES: dict[str, dict[str, str | None]] = {
    "top3": {
        "decks": "T-01",
        "dealer_hits_soft_17": "T-06",
        "natural": "T-04",
        "double.cards": "T-60",
        "double.after_split": "T-62",
        "split.hands_max": "T-64",
        "split.aces": "T-65",
        "surrender": "T-67",
        "insurance": "T-69",
        "even_money": "T-70",
        "stands_on_21": "G-05",
        "auto_wins": None,
    },
    "threecard": {
        "decks": "C-01",
        "qualifies_at": "C-08",
        "best_of": "C-03",
        "dealer_natural_beats_21": "C-11",
        "tie": "C-11",
    },
    "super21": {
        "decks": "S-01",
        "dealer_hits_soft_17": "S-02",
        "natural": "S-03",
        "natural_suited": "S-04",
        "natural_wins_always": "S-05",
        "double.cards": "S-06",
        "double.rescue": "S-07",
        "surrender": "S-08",
        "split.hands_max": "S-11",
        "split.aces": "S-12",
        "stands_on_21": "S-13",
        "even_money": "S-14",
        "hole_card": "S-15",
    },
    "ags": {
        "decks": "A-01",
        "dealer_hits_soft_17": "A-02",
        "natural": "A-03",
        "split.hands_max": "A-07",
        "split.aces": "A-09",
        "surrender": "A-10",
        "even_money": "A-11",
        "insurance": "A-12",
        "stands_on_21": "G-05",
    },
}


@pytest.mark.parametrize("key", CLAUSES)
def test_the_clause_that_demands_each_value(key: str) -> None:
    """CONTRACTS section 3: `clause` is the id in CLAUSES that asks for the value."""
    found = {rule["field"]: rule["clause"] for rule in rules_fields(EVERY[key])}
    assert CLAUSES[key].items() <= found.items()


def test_no_clause_demands_what_plays_otherwise() -> None:
    """A variant, and games that answer to no sheet, are demanded by no clause."""
    variant = TOP3.with_rule("dealer_hits_soft_17", "true").with_rule("stands_on_21", "hard")
    found = {rule["field"]: rule["clause"] for rule in rules_fields(variant)}
    assert found["dealer_hits_soft_17"] is None
    assert found["stands_on_21"] is None
    assert found["natural"] == "T-04"
    assert found["decks"] == "T-01"
    for game in (BLACKJACK, FORTNIGHT, CROSSING, ROOMY):
        assert all(rule["clause"] is None for rule in rules_fields(game))
        cited = {said.clause for said in page(game).sentences() if said.clause}
        assert {clause[0] for clause in cited} == {"G"}


def test_the_page_knows_no_key() -> None:
    """A game under another key and title is described in the same words."""
    for game in ANALYSED:
        renamed = dataclasses.replace(game, key="other", title="Other")
        assert page(renamed).sections == page(game).sections
        assert rules_fields(renamed) == rules_fields(game)
