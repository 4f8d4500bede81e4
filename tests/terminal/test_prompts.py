"""What is typed: every way to say a bet, a choice, a place, and one sentence for all the rest."""

from __future__ import annotations

import pytest

from upcard.games import find
from upcard.refused import Refused
from upcard.table import Choice, ChoiceName
from upcard.terminal.layout import AtLimit, Exactly, More, Order, Place
from upcard.terminal.prompts import (
    CHOICE_KEYS,
    Lay,
    Select,
    Typed,
    betting_commands,
    cleared_places,
    find_choice,
    pick,
    pick_several,
    quoted,
    read_bets,
    yes_or_no,
)

TOP3 = find("top3").at_table()
AGS = find("ags").at_table(side_bets=["match_super", "in_bet"])
THREECARD = find("threecard").at_table()
SELECTED = Place(2, "classic")


def read(text: str, key: str = "top3") -> object:
    game = {"top3": TOP3, "ags": AGS, "threecard": THREECARD}[key]
    return read_bets(text, game, SELECTED, betting_commands(game, find(key)))


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("10", [Order(None, None, Exactly(1000))]),
        ("10.5", [Order(None, None, Exactly(1050))]),
        ("1,000", [Order(None, None, Exactly(100_000))]),
        ("+5", [Order(None, None, More(500))]),
        ("min", [Order(None, None, AtLimit("min"))]),
        ("main 10", [Order(None, "main", Exactly(1000))]),
        ("MAIN 10", [Order(None, "main", Exactly(1000))]),
        ("2 main 25", [Order(2, "main", Exactly(2500))]),
        ("2 25", [Order(2, None, Exactly(2500))]),
        ("1 classic 5", [Order(1, "classic", Exactly(500))]),
        ("prog 5", [Order(None, "progressive", Exactly(500))]),
        ("top3 max", [Order(None, "top3", AtLimit("max"))]),
        (
            "1 main 10 classic 5",
            [Order(1, "main", Exactly(1000)), Order(1, "classic", Exactly(500))],
        ),
        ("1 main 10 3 main 5", [Order(1, "main", Exactly(1000)), Order(3, "main", Exactly(500))]),
    ],
)
def test_bets(text: str, orders: list[Order]) -> None:
    assert read(text) == Lay(tuple(orders))


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("match_super 5", [Order(None, "match_super", Exactly(500))]),
        ("match super 5", [Order(None, "match_super", Exactly(500))]),
        ("2 in bet 5", [Order(2, "in_bet", Exactly(500))]),
    ],
)
def test_bets_by_their_whole_names(text: str, orders: list[Order]) -> None:
    assert read(text, "ags") == Lay(tuple(orders))


def test_where_there_is_one_spot_a_number_is_an_amount() -> None:
    """C-16: one spot."""
    assert read("25 ace 5", "threecard") == Lay(
        (Order(None, None, Exactly(2500)), Order(None, "ace_plus", Exactly(500)))
    )


def test_a_bet_without_an_amount_selects_its_place() -> None:
    assert read("3 main") == Select(Place(3, "main"))
    assert read("top3") == Select(Place(2, "top3"))


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("deal", Typed("deal")),
        ("d", Typed("deal")),
        ("rebet", Typed("rebet")),
        ("u", Typed("undo")),
        ("z", Typed("undo")),
        ("?", Typed("help")),
        ("all min", Typed("all", "min")),
        ("max all", Typed("all", "max")),
        ("clear 2", Typed("clear", "2")),
        ("save My File.round", Typed("save", "My File.round")),
        ("q", Typed("quit")),
    ],
)
def test_commands(text: str, typed: Typed) -> None:
    assert read(text) == typed


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hello", "'hello' is nothing to do here; type a bet like 'main 10', or help."),
        ("c", "'c' could be classic, clear or client; type more."),
        ("main", None),
        ("main ten", "'ten' is no amount; type a spot, a bet and an amount with at most two "
         "decimals, like '2 main 25'."),
        ("main -5", "'-5' is no amount; type a spot, a bet and an amount with at most two decimals,"
         " like '2 main 25'."),
        ("main 1.005", "'1.005' is no amount; type a spot, a bet and an amount with at most two "
         "decimals, like '2 main 25'."),
        ("1 main 10 classic", "Classic lacks its amount; type a spot, a bet and an amount with at "
         "most two decimals, like '2 main 25'."),
        ("1 roulette 5", "'roulette' is no bet here; the bets are main, top3, classic and "
         "progressive."),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_one_sentence(text: str, sentence: str | None) -> None:
    if sentence is None:
        assert read(text) == Select(Place(2, "main"))
        return
    with pytest.raises(Refused) as refused:
        read(text)
    assert refused.value.sentence == sentence


CHOICES: dict[str, tuple[ChoiceName, ...]] = {
    "hand": ("hit", "stand", "double", "split", "surrender"),
    "doubled": ("stand", "rescue"),
    "insurance": ("insurance", "no_insurance"),
    "even": ("even_money", "no_even_money"),
    "three": ("raise", "fold"),
}


@pytest.mark.parametrize(
    ("where", "text", "choice"),
    [
        # the keys
        ("hand", "h", "hit"), ("hand", "s", "stand"), ("hand", "d", "double"),
        ("hand", "p", "split"), ("hand", "r", "surrender"), ("doubled", "r", "rescue"),
        ("insurance", "i", "insurance"), ("insurance", "n", "no_insurance"),
        ("even", "i", "even_money"), ("even", "n", "no_even_money"),
        ("three", "r", "raise"), ("three", "f", "fold"),
        # words, yes and no, beginnings
        ("hand", "Stand", "stand"), ("hand", "sp", "split"), ("even", "e", "even_money"),
        ("insurance", "no insurance", "no_insurance"), ("insurance", "y", "insurance"),
        ("even", "even money", "even_money"), ("insurance", "no", "no_insurance"),
        ("even", "yes", "even_money"), ("doubled", "resc", "rescue"),
    ],
)  # fmt: skip
def test_choices(where: str, text: str, choice: str) -> None:
    found = find_choice(text, [Choice(choice=name, spot=1, hand=0) for name in CHOICES[where]])
    assert found is not None
    assert found.choice == choice


@pytest.mark.parametrize("text", ["", "x", "stop", "hitt", "insurance"])
def test_what_is_no_choice_is_none(text: str) -> None:
    assert (
        find_choice(text, [Choice(choice=name, spot=1, hand=0) for name in CHOICES["hand"]]) is None
    )


def test_a_choice_that_is_too_dear_says_so() -> None:
    """G-07: disabled with the reason."""
    choices = [
        Choice(choice="stand", spot=1, hand=0),
        Choice(choice="double", spot=1, hand=0, cost=900, enabled=False, why="Too dear."),
    ]
    with pytest.raises(Refused, match=r"^Too dear\. Type s stand\.$"):
        find_choice("d", choices)


@pytest.mark.parametrize("choices", CHOICES.values(), ids=CHOICES)
def test_no_two_choices_that_meet_share_a_key(choices: tuple[ChoiceName, ...]) -> None:
    keys = [key for name in choices for key in CHOICE_KEYS[name]]
    assert len(set(keys)) == len(keys)


def test_pick_by_number_name_beginning_or_title() -> None:
    names, titles = ["micro", "high", "high_roller"], ["Micro", "High", "High Roller"]
    assert [pick(text, names, titles) for text in ("1", "mi", "high", "High Roller", "high-r")] == [
        "micro", "micro", "high", "high_roller", "high_roller",
    ]  # fmt: skip
    with pytest.raises(Refused, match=r"^'hi' could be high or high_roller; type more of it\.$"):
        pick("hi", names, titles)
    with pytest.raises(Refused, match=r"^'4' is none of these; type micro, high or high_roller\.$"):
        pick("4", names, titles)


def test_pick_several() -> None:
    keys = ["trifecta", "match_super", "pairs_pay", "in_bet"]
    titles = ["Trifecta", "Match Super Bonus", "Pairs Pay", "In Bet"]
    assert pick_several("1, in_bet", keys, titles) == ("trifecta", "in_bet")
    assert pick_several("Pairs Pay, in bet", keys, titles) == ("pairs_pay", "in_bet")
    assert pick_several("pairs 2", keys, titles) == ("pairs_pay", "match_super")


def test_yes_or_no() -> None:
    assert [yes_or_no(text) for text in ("y", "YES", "n", "No")] == [True, True, False, False]
    with pytest.raises(Refused, match="type y for yes or n for no"):
        yes_or_no("maybe")


def test_cleared_places() -> None:
    lying = [Place(1, "main"), Place(2, "main"), Place(2, "classic")]
    assert cleared_places("", lying, TOP3) == lying
    assert cleared_places("2", lying, TOP3) == lying[1:]
    assert cleared_places("main", lying, TOP3) == lying[:2]
    assert cleared_places("2 classic", lying, TOP3) == lying[2:]
    with pytest.raises(Refused, match="is no bet here"):
        cleared_places("two", lying, TOP3)


def test_what_was_typed_is_repeated_short_and_harmless() -> None:
    """No escape code that was typed reaches the screen."""
    assert quoted("\x1b[2Jé") == r"'\x1b[2J\xe9'"
    assert len(quoted("x" * 500)) < 60
