"""Rounds as text: every script of `rounds/` plays as it is written, and no line of it may change.

The scripts were worked out on paper from the clauses that they name; what they claim was never
copied from a played round. Together they show every row of every pay table, every edge of every
level, every choice, every state of a hand and every way in which a main bet is settled.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest

from upcard import fields, scripts
from upcard.cards import Card, parse_cards
from upcard.events import (
    Awarded,
    BetTaken,
    CardToDealer,
    CardToSpot,
    Chosen,
    Event,
    FaceDownToDealer,
    Offered,
    Paid,
    Peeked,
    Revealed,
    Settled,
    Staked,
)
from upcard.game import Game, Round
from upcard.games import ANALYSED, CATALOGUE
from upcard.money import parse_cents, print_cents
from upcard.refused import Refused
from upcard.scripts import Differs
from upcard.table import CHOICE_NAMES, HandState

ROUNDS = Path(__file__).parent / "rounds"
DOCUMENT = Path(__file__).parents[2] / "docs" / "rounds.md"
NAMES = tuple(
    path.relative_to(ROUNDS).with_suffix("").as_posix() for path in sorted(ROUNDS.rglob("*.round"))
)
every_script = pytest.mark.parametrize("name", NAMES)


@cache
def text_of(name: str) -> str:
    return (ROUNDS / f"{name}.round").read_text(encoding="utf-8")


@cache
def played(name: str) -> Round:
    return replay(text_of(name))


def replay(text: str) -> Round:
    """Parse and play. Raises Refused and Differs."""
    return scripts.play(scripts.parse(text))


# Every script


@every_script
def test_a_script_plays_as_it_is_written(name: str) -> None:
    """Its clauses: the cards, the choices and every payment."""
    round_ = played(name)
    assert round_.is_over
    assert round_.game.key == name.partition("/")[0]


@every_script
def test_a_script_parses_back_to_itself(name: str) -> None:
    """docs/rounds.md: printed again it is the same text."""
    assert str(scripts.parse(text_of(name))) == text_of(name)


@every_script
def test_a_played_round_prints_a_script_that_plays_again(name: str) -> None:
    """docs/rounds.md: from events to text and back to equal events, with the same claims."""
    script, round_ = scripts.parse(text_of(name)), played(name)
    printed = scripts.script_of(round_, comments=("again",))
    again = replay(str(printed))
    assert again.events == round_.events
    assert again.table == round_.table
    assert (printed.cards, printed.moves, printed.meters) == (
        script.cards,
        script.moves,
        script.meters,
    )
    claimed = [dataclasses.replace(payment, stake=None) for payment in script.payments]
    assert sorted(map(str, printed.payments)) == sorted(map(str, claimed))
    assert str(scripts.parse(str(printed))) == str(printed)


@every_script
def test_the_cards_come_out_of_the_decks(name: str) -> None:
    """G-01, C-01: no card more often than there are decks of 52."""
    counts = Counter(scripts.parse(text_of(name)).cards)
    assert max(counts.values()) <= played(name).game.rules.decks


@every_script
def test_cards_dealt_together_make_the_round_that_they_make_one_by_one(name: str) -> None:
    """G-02: the order of cards is the shoe's, whoever hands them over."""
    whole = played(name)
    round_ = Round.begin(
        whole.game, whole.level, whole.spots, ask_insurance=whole.ask_insurance
    ).dealt(whole.cards)
    for given in whole.given:
        if not isinstance(given, Card):
            round_ = round_.give(given).dealt(whole.cards)
    assert round_ == whole
    assert round_.dealt(()) is round_


def test_nothing_is_claimed_twice_over() -> None:
    """Two scripts of the same bets, cards and moves would show the same thing."""
    rounds = Counter(
        re.sub(r"^(#|pay).*\n", "", text_of(name), flags=re.MULTILINE) for name in NAMES
    )
    assert [text for text, count in rounds.items() if count > 1] == []


# No line may change

Lines = list[str]
Change = Callable[[str, Lines], Iterable[Lines]]
"""From the game's key and the words after a keyword to what else the line might say."""


def altered(name: str, keyword: str, change: Change) -> Iterator[tuple[str, str]]:
    """Each line of a keyword in turn, changed in each way: what was done, and the whole text."""
    lines = text_of(name).splitlines()
    for index, line in enumerate(lines):
        word, *words = line.split()
        if word == keyword:
            for new in change(name.partition("/")[0], words):
                yield f"{line} -> {new}", "\n".join([*lines[:index], *new, *lines[index + 1 :]])


def survivors(alterations: Iterable[tuple[str, str]]) -> list[str]:
    """Those that still play. An altered script must differ; one that is refused fails the test."""
    found = []
    for done, text in alterations:
        try:
            replay(text)
        except Differs:
            continue
        found.append(done)
    return found


def pay_changes(game: str, words: Lines) -> Iterator[Lines]:
    place, bet, amount, *stake = words
    line = " ".join(["pay", *words])
    spot, dot, hand = place.partition(".")
    bets = _bet_names(game)
    cents = parse_cents(amount)
    yield []
    yield [line, line]
    yield [f"pay {int(spot) % 3 + 1}{dot}{hand} {bet} {amount}"]
    yield [f"pay {spot}.{1 if hand in ('', '0') else 0} {bet} {amount}"]
    yield [f"pay {place} {bets[bets.index(bet) - 1]} {amount}"]
    for changed in (cents + 1, 2 * cents or 100, *([cents - 1] if cents else [])):
        yield [f"pay {place} {bet} {print_cents(changed)}"]
    for claimed in stake[1:]:
        yield [f"pay {place} {bet} {amount} of {print_cents(parse_cents(claimed) // 2)}"]


def _bet_names(key: str) -> tuple[str, ...]:
    game = next(game for game in ANALYSED if game.key == key)
    return (*game.bet_keys, "insurance", "raise")


def move_changes(game: str, words: Lines) -> Iterator[Lines]:
    place, choice = words
    line = f"do {place} {choice}"
    yield []
    yield [line, line]
    for other in CHOICE_NAMES:
        if other != choice:
            yield [f"do {place} {other}"]
    spot, _, hand = place.partition(".")
    yield [f"do {int(spot) % 3 + 1}.{hand} {choice}"]
    yield [f"do {spot}.{0 if hand == '1' else 1} {choice}"]


def card_changes(game: str, cards: Lines) -> Iterator[Lines]:
    for index, card in enumerate(cards):
        before, after = cards[:index], cards[index + 1 :]
        yield [" ".join(["cards", *before, *after])]
        for twin in [card[0] + suit for suit in "cdhs" if card[0] + suit not in cards][:1]:
            yield [" ".join(["cards", *before, card, twin, *after])]


def exchanged(name: str) -> Iterator[tuple[str, str]]:
    """Each two neighbouring moves in each other's place."""
    lines = text_of(name).splitlines()
    for index, (first, second) in enumerate(pairwise(lines)):
        if first.startswith("do ") and second.startswith("do ") and first != second:
            text = "\n".join([*lines[:index], second, first, *lines[index + 2 :]])
            yield f"{first} <-> {second}", text


def test_the_alterations_are_there() -> None:
    """This test of tests: how many ways a small script is altered in."""
    name = "top3/T-28_T-80_push"
    assert len([*altered(name, "pay", pay_changes)]) == 1 + 1 + 1 + 1 + 1 + 3
    assert len([*altered(name, "do", move_changes)]) == 1 + 1 + 11 + 2
    assert len([*altered(name, "cards", card_changes)]) == 5 + 5
    assert len([*exchanged("top3/T-69_insurance_lost")]) == 1


@every_script
def test_no_payment_may_change(name: str) -> None:
    """Left out, doubled, for another spot, hand or bet, or of another amount."""
    assert survivors(altered(name, "pay", pay_changes)) == []


@every_script
def test_no_move_may_change(name: str) -> None:
    """Left out, repeated, another choice, another place, or before its forerunner."""
    assert survivors([*altered(name, "do", move_changes), *exchanged(name)]) == []


@every_script
def test_no_card_may_go_or_come(name: str) -> None:
    """Any one card left out, or one more of its rank dealt after it."""
    assert survivors(altered(name, "cards", card_changes)) == []


@every_script
def test_no_meter_may_change(name: str) -> None:
    """T-85: left out, doubled, met by another spot, or standing otherwise."""

    def changes(game: str, words: Lines) -> Iterator[Lines]:
        spot, amount = words
        yield []
        yield [f"meter {spot} {amount}"] * 2
        yield [f"meter {int(spot) % 3 + 1} {amount}"]
        yield [f"meter {spot} {print_cents(parse_cents(amount) + 10)}"]

    assert survivors(altered(name, "meter", changes)) == []


# What all scripts show together


def usual_rounds() -> Iterator[Round]:
    """Those played under a game's own rules and pays."""
    for name in NAMES:
        options = {option for option, _ in scripts.parse(text_of(name)).options}
        if options <= {"decks", "level", "side_bets", "ask_insurance"}:
            yield played(name)


def events_of(game: Game) -> Iterator[Event]:
    for round_ in usual_rounds():
        if round_.game.key == game.key:
            yield from round_.events


@pytest.mark.parametrize("game", CATALOGUE, ids=lambda game: game.key)
def test_every_row_of_every_pay_table_is_shown(game: Game) -> None:
    """T-83 to T-85, C-12, A-17 to A-21: each row pays somewhere, and each bet loses somewhere."""
    shown = {(event.bet, event.row) for event in events_of(game) if isinstance(event, Paid)}
    rows = {(side.key, row.name) for side in game.side_bets for row in side.pays.rows}
    assert {*rows, *((side.key, "lose") for side in game.side_bets)} - shown == set()


def test_the_pay_tables_have_as_many_rows_as_the_clauses() -> None:
    """T-83, T-84, T-85, C-12, A-18, A-19, A-20, A-21."""
    counts = {side.key: len(side.pays.rows) for game in CATALOGUE for side in game.side_bets}
    assert counts == {
        "classic": 4,
        "top3": 3,
        "progressive": 6,
        "ace_plus": 6,
        "trifecta": 5,
        "match_super": 5,
        "pairs_pay": 2,
        "in_bet": 5,
    }


@pytest.mark.parametrize("game", CATALOGUE, ids=lambda game: game.key)
def test_every_edge_of_every_level_is_shown(game: Game) -> None:
    """T-10 to T-13, C-04, C-05, S-15, A-22: each bet at its least and at its greatest."""
    shown = {
        (round_.level, event.bet, event.cents)
        for round_ in usual_rounds()
        if round_.game.key == game.key
        for event in round_.events
        if isinstance(event, BetTaken)
    }
    edges = {
        (level.key, bet, cents)
        for level in game.levels
        for bet, limit in level.bets.items()
        for cents in (limit.min, limit.max)
    }
    assert edges - shown == set()


def test_every_choice_is_shown() -> None:
    """The twelve choices of the contract."""
    chosen = {
        event.choice for name in NAMES for event in played(name).events if isinstance(event, Chosen)
    }
    assert chosen == {*CHOICE_NAMES}


def test_every_state_of_a_hand_is_shown() -> None:
    """The nine states of the contract, walked through card by card and choice by choice."""
    seen = {
        hand.state
        for name in NAMES
        for round_ in walk(played(name))
        for spot in round_.table.spots
        for hand in spot.hands
    }
    assert seen == {*get_args(HandState)}


def walk(round_: Round) -> Iterator[Round]:
    """A finished round from its first state to its last."""
    again = Round.begin(round_.game, round_.level, round_.spots, ask_insurance=round_.ask_insurance)
    yield again
    for given in round_.given:
        again = again.give(given)
        yield again


MAIN_ROWS = {
    "top3": "win natural push lose surrender",
    "threecard": "win natural push lose",
    "super21": "win natural natural_suited auto_win push lose surrender rescue",
    "ags": "win natural push lose surrender",
}


@pytest.mark.parametrize("game", CATALOGUE, ids=lambda game: game.key)
def test_every_end_of_a_main_bet_is_shown(game: Game) -> None:
    """The rows of the contract: main bets, insurance and raise, in the games that have them."""
    paid = [event for event in events_of(game) if isinstance(event, Paid)]
    rows = {event.row for event in paid if event.bet == game.main}
    assert rows == {*MAIN_ROWS[game.key].split()}
    beside = {event.row for event in paid if event.bet in ("insurance", "raise")}
    assert beside == ({"win", "push", "lose"} if game.key == "threecard" else {"win", "lose"})


def test_several_meter_hits_in_one_round_are_shown() -> None:
    """T-85: two and three hits, the first at what stood, the others at what stands after it."""
    awards = [
        [event.meter for event in played(name).events if isinstance(event, Awarded)]
        for name in NAMES
    ]
    assert [1_000_170, 1_000_000] in awards
    assert [1_234_822, 1_000_000, 1_000_000] in awards


def test_every_rule_field_is_set_by_some_script() -> None:
    """The fields of `--set`; decks by nearly all."""
    options = {option for name in NAMES for option, _ in scripts.parse(text_of(name)).options}
    known = {field for game in ANALYSED for field in fields.texts(game.rules)}
    assert known - options == set()


# The order of things


def told(event: Event) -> str:
    """An event in a few words."""
    match event:
        case BetTaken(spot, bet, _):
            return f"bet {spot} {bet}"
        case Offered(spot, choice):
            return f"offer {spot} {choice}"
        case Chosen(spot, hand, choice):
            return f"{choice} {spot}.{hand}"
        case Staked(spot, hand, bet, _):
            return f"stake {spot}.{hand} {bet}"
        case Peeked(natural):
            return "peek natural" if natural else "peek none"
        case Paid(spot, hand, bet, row, _, _):
            return f"pay {spot if hand is None else f'{spot}.{hand}'} {bet} {row}"
        case Awarded(spot, bet, _, _, _):
            return f"award {spot} {bet}"
        case Settled():
            return "settled"
        case _:
            return card_told(event)


def card_told(event: CardToSpot | CardToDealer | FaceDownToDealer | Revealed) -> str:
    match event:
        case CardToSpot(spot, hand):
            return f"card {spot}.{hand}"
        case CardToDealer():
            return "card dealer"
        case FaceDownToDealer():
            return "card down"
        case Revealed():
            return "reveal"


ORDERS = {
    "ags/G-03_three_spots_everything": """
        bet 1 main, bet 1 match_super, bet 2 main, bet 2 pairs_pay, bet 3 match_super,
        card 1.0, card 2.0, card 3.0, card dealer, card 1.0, card 2.0, card 3.0, card down,
        pay 1 match_super unsuited, pay 2 pairs_pay suited, pay 3 match_super suited_unsuited,
        offer 1 even_money, even_money 1.0, pay 1.0 main win,
        offer 2 insurance, insurance 2.0, stake 2.0 insurance, peek none, pay 2 insurance lose,
        split 2.0, stake 2.1 main, card 2.0, card 2.1,
        double 2.0, stake 2.0 main, card 2.0, stand 2.1,
        reveal, pay 2.0 main win, pay 2.1 main push, settled""",
    "ags/A-15_A-05_no_main_wager": """
        bet 1 trifecta, bet 1 match_super, card 1.0, card dealer, card 1.0, card down,
        pay 1 trifecta lose, pay 1 match_super lose, reveal, settled""",
    "top3/T-85_two_meter_hits": """
        bet 2 main, bet 2 progressive, bet 3 main, bet 3 progressive,
        card 2.0, card 3.0, card dealer, card 2.0, card 3.0, card down,
        award 2 progressive, pay 2 progressive suited_aces_kings,
        award 3 progressive, pay 3 progressive suited_aces_kings,
        peek none, stand 2.0, stand 3.0, reveal, pay 2.0 main win, pay 3.0 main win, settled""",
    "top3/G-04_all_bust": """
        bet 1 main, bet 2 main,
        card 1.0, card 2.0, card dealer, card 1.0, card 2.0, card down,
        offer 1 insurance, insurance 1.0, stake 1.0 insurance,
        offer 2 insurance, no_insurance 2.0, peek none, pay 1 insurance lose,
        hit 1.0, card 1.0, hit 1.0, card 1.0, pay 1.0 main lose,
        hit 2.0, card 2.0, hit 2.0, card 2.0, pay 2.0 main lose, reveal, settled""",
    "top3/T-50_never_asked_natural": """
        bet 1 main, bet 2 main,
        card 1.0, card 2.0, card dealer, card 1.0, card 2.0, card down,
        peek natural, reveal, pay 2.0 main push, pay 1.0 main lose, settled""",
    "super21/S-14_insured_natural_against_natural": """
        bet 1 main, card 1.0, card dealer, card 1.0, card down,
        offer 1 insurance, insurance 1.0, stake 1.0 insurance,
        peek natural, reveal, pay 1 insurance win, pay 1.0 main natural, settled""",
    "super21/S-08_surrender_both_split_hands": """
        bet 1 main, card 1.0, card dealer, card 1.0, card down,
        split 1.0, stake 1.1 main, card 1.0, card 1.1,
        surrender 1.0, pay 1.0 main surrender,
        hit 1.1, card 1.1, surrender 1.1, pay 1.1 main surrender, reveal, settled""",
    "threecard/C-07_fold_keeps_ace_plus": """
        bet 1 ante, bet 1 ace_plus, card 1.0, card 1.0, card 1.0,
        card dealer, card down, card down, fold 1.0, reveal, reveal,
        pay 1.0 ante lose, pay 1 ace_plus axx, settled""",
    "blackjack/T-69_no_hole_card_insurance_won": """
        bet 1 main, card 1.0, card dealer, card 1.0,
        offer 1 insurance, insurance 1.0, stake 1.0 insurance, stand 1.0,
        card dealer, pay 1 insurance win, pay 1.0 main lose, settled""",
}


@pytest.mark.parametrize("name", ORDERS)
def test_things_happen_in_their_order(name: str) -> None:
    """G-02, G-03, G-04, G-06, T-85, C-02, C-07, A-15."""
    happened = [told(event) for event in played(name).events]
    assert happened == [words.strip() for words in ORDERS[name].split(",")]


# What a clause closes

ten = "bet 1 main=10.00"
low = f"game top3 level=low\n{ten}"
super21 = f"game super21\n{ten}"
ags = f"game ags\n{ten}"
threecard = "game threecard\nbet 1 ante=10.00"
bare = "game blackjack"

CLOSED = [
    ("T-61 double after a third card", low, "5h 6c 4d Ts 2h", "hit double"),
    ("T-63 split of unequal values", low, "8h 6c 9d Ts", "split"),
    ("T-64 second split", low, "8h 6c 8d Ts 8c 3d", "split split"),
    ("T-60 other totals", f"{bare} double.totals=10,11\n{ten}", "5h 6c 4d Ts", "double"),
    ("T-60 soft totals", f"{bare} double.totals=13,20\n{ten}", "Ah 6c 2d Ts", "double"),
    ("T-62 closed", f"{bare} double.after_split=false\n{ten}", "8h 6c 8d Ts 3h 2d", "split double"),
    ("T-67 surrender after a hit", low, "5h 6c 4d Ts 2h", "hit surrender"),
    ("T-67 surrender after a split", low, "8h 6c 8d Ts 8c 3d", "split surrender"),
    ("T-68 insurance under a ten", low, "8h Tc 9d Ts", "insurance"),
    ("T-68 hit before the question is answered", low, "8h Ac 9d 9s", "hit"),
    ("T-70 even money", low, "Ah Ac Kd 9s", "even_money"),
    ("T-60 rescue", low, "8h Tc 9d Ts", "rescue"),
    ("S-06 second double", super21, "5h 6c 4d Ts 2h", "double double"),
    ("S-06 hit after a double", super21, "5h 6c 4d Ts 2h", "double hit"),
    ("S-07 rescue before a double", super21, "5h 6c 4d Ts", "rescue"),
    ("S-08 surrender after a double", super21, "5h 6c 4d Ts 2h", "double surrender"),
    ("S-11 fourth hand", super21, "8h 6c 8d Ts 8c 8s 8h 8d", "split split split"),
    ("S-11 split of three cards", super21, "2h 6c 2d Ts 2s", "hit split"),
    ("S-14 even money", super21, "Ah Ac Kd 9s", "even_money"),
    ("A-07 second split", ags, "8h 6c 8d Ts 8c 3d", "split split"),
    ("A-07 second split of aces", ags, "Ah 6c Ad Ts Ac 3d", "split split"),
    ("A-09 double after a third card", ags, "5h 6c 4d Ts 2h", "hit double"),
    ("A-10 surrender after a hit", ags, "5h 6c 4d Ts 2h", "hit surrender"),
    ("A-10 surrender after a split", ags, "8h 6c 8d Ts 8c 3d", "split surrender"),
    ("A-11 insurance for a natural", ags, "Ah Ac Kd 9s", "insurance"),
    ("A-12 even money without a natural", ags, "Ah Ac 9d 9s", "even_money"),
    ("C-03 hit", threecard, "5h 4c 6d 8c 9h Ts", "hit"),
    ("C-06 stand", threecard, "5h 4c 6d 8c 9h Ts", "stand"),
]


@pytest.mark.parametrize(
    ("head", "cards", "choices"), [case[1:] for case in CLOSED], ids=[case[0] for case in CLOSED]
)
def test_a_choice_that_a_clause_closes_is_not_offered(head: str, cards: str, choices: str) -> None:
    """T-60, T-61, T-63, T-64, T-67, T-68, T-70, S-06 to S-08, S-11, S-14, A-07, A-09 to A-12."""
    moves = "".join(f"do 1.0 {choice}\n" for choice in choices.split())
    last = choices.split()[-1]
    line = 3 + len(choices.split())
    with pytest.raises(Differs, match=rf"^line {line}: {last} is not offered now; choose "):
        replay(f"{head}\ncards {cards}\n{moves}")


NOT_ASKED = [
    ("T-65 split aces stand", low, "Ah 6c Ad Ts 5c 3d 9c", "split stand"),
    ("T-65 a pair of split aces", f"{bare}\n{ten}", "Ah 6c As Ts Ad 5h 9c", "split split"),
    (
        "T-65 nor are they surrendered",
        f"{bare} surrender=any\n{ten}",
        "Ah 6c As Ts 5c 3d 9c",
        "split surrender",
    ),
    ("T-62 split aces are not doubled", low, "Ah 6c Ad Ts 5c 3d 9c", "split double"),
    ("G-05 a natural", low, "Ah 6c Kd Ts", "stand"),
    ("G-05 any 21", low, "5h 6c 6d Ts Tc 9c", "hit stand"),
    ("G-05 any 21, soft", ags, "Ah 6c 4d Ts 6d 9c", "hit stand"),
    ("T-60 after a double", low, "5h 6c 4d Ts 2c 9c", "double stand"),
    ("T-05 under a ten with an ace", low, "Th Kc 6d As", "surrender"),
    ("S-05 a natural", super21, "Ah 6c Kd Ts", "stand"),
    ("S-07 a doubled 21", super21, "5h 6c 6d Ts Tc 9c", "double rescue"),
    ("S-07 a doubled hand over 21", super21, "Th 6c 2d Ts Tc", "double rescue"),
    ("S-09 six cards", super21, "2h Tc 2d Ks 3s 2c 3c 4h", "hit hit hit hit stand"),
    ("S-10 five cards of 21", super21, "2h Tc 3d Ks 4s 5c 7h", "hit hit hit stand"),
    ("S-13 a hard 21", super21, "5h 6c 6d Ts Tc 9c", "hit stand"),
    ("A-15 side bets alone", "game ags\nbet 1 trifecta=1.00", "8h Ac 9d Ts", "no_insurance"),
    ("T-50 never", low.replace("low", "low ask_insurance=false"), "8h Ac 9d Ks", "no_insurance"),
    ("A-11 after even money", ags, "Ah Ac Kd Ts", "even_money stand"),
]


@pytest.mark.parametrize(
    ("head", "cards", "choices"),
    [case[1:] for case in NOT_ASKED],
    ids=[case[0] for case in NOT_ASKED],
)
def test_nobody_is_asked_once_all_is_decided(head: str, cards: str, choices: str) -> None:
    """G-05, T-05, T-50, T-60, T-62, T-65, S-05, S-07, S-09, S-10, S-13, A-11, A-15."""
    moves = "".join(f"do 1.0 {choice}\n" for choice in choices.split())
    last = choices.split()[-1]
    line = 3 + len(choices.split())
    with pytest.raises(Differs, match=rf"^line {line}: the round is over before 'do 1.0 {last}'"):
        replay(f"{head}\ncards {cards}\n{moves}")


WARNED = [
    ("hard 11", "5h 7c 6d Ts", "stand"),
    ("hard 12", "5h 7c 7d Ts", "double"),
    ("hard 16", "9h 7c 7d Ts", "double"),
    ("hard 17", "9h 7c 8d Ts", "hit double"),
    ("soft 13", "Ah 7c 2d Ts", "stand"),
    ("soft 17", "Ah 7c 6d Ts", "stand"),
    ("soft 18", "Ah 7c 7d Ts", ""),
    ("soft 19", "Ah 7c 8d Ts", "hit double"),
    ("soft 20", "Ah 7c 9d Ts", "hit double"),
]


@pytest.mark.parametrize(
    ("hand", "cards", "unwise"), WARNED, ids=[case[0].replace(" ", "_") for case in WARNED]
)
def test_rarely_meant_choices_are_warned_of(hand: str, cards: str, unwise: str) -> None:
    """T-53: hit from hard 17, soft 19; stand to hard 11, soft 17; double from hard 12, soft 19."""
    script = scripts.parse(f"{low}\n")
    game = next(game for game in CATALOGUE if game.key == "top3").at_table()
    round_ = Round.begin(game, "low", script.spots)
    for card in parse_cards(cards):
        round_ = round_.give(card)
    warnings = {choice.choice: choice.warning for choice in round_.choices if choice.warning}
    assert {*warnings} == {*unwise.split()}
    assert all(hand in (sentence or "") for sentence in warnings.values())


# Bets that cannot be

BETS = [
    ("T-10 main below", "top3 level=micro", "1 main=0.50", "limit"),
    ("T-10 main above", "top3 level=micro", "1 main=10.50", "limit"),
    ("T-10 top3 above", "top3 level=micro", "1 main=1.00 top3=5.50 classic=1.00", "limit"),
    ("T-10 classic above", "top3 level=micro", "1 main=1.00 classic=5.50", "limit"),
    ("T-10 progressive", "top3 level=micro", "1 main=1.00 progressive=5.00", "field"),
    ("T-11 main below", "top3 level=low", "1 main=4.50", "limit"),
    ("T-11 main above", "top3 level=low", "1 main=50.50", "limit"),
    ("T-11 classic below", "top3 level=low", "1 main=5.00 classic=0.50", "limit"),
    ("T-11 classic above", "top3 level=low", "1 main=5.00 classic=25.50", "limit"),
    ("T-11 top3 below", "top3 level=low", "1 main=5.00 top3=0.50 classic=1.00", "limit"),
    ("T-11 top3 above", "top3 level=low", "1 main=5.00 top3=25.50 classic=1.00", "limit"),
    ("T-85 progressive below", "top3 level=low", "1 main=5.00 progressive=4.50", "limit"),
    ("T-85 progressive twice", "top3 level=low", "1 main=5.00 progressive=10.00", "limit"),
    ("T-12 main below", "top3 level=high", "1 main=24.50", "limit"),
    ("T-12 main above", "top3 level=high", "1 main=500.50", "limit"),
    ("T-12 classic below", "top3 level=high", "1 main=25.00 classic=1.50", "limit"),
    ("T-12 top3 above", "top3 level=high", "1 main=25.00 top3=250.50 classic=2.00", "limit"),
    ("T-13 main below", "top3 level=high_roller", "1 main=99.50", "limit"),
    ("T-13 main above", "top3 level=high_roller", "1 main=2000.50", "limit"),
    ("T-13 classic above", "top3 level=high_roller", "1 main=100.00 classic=1000.50", "limit"),
    ("T-13 classic below", "top3 level=high_roller", "1 main=100.00 classic=4.50", "limit"),
    ("G-09 half a step", "top3 level=low", "1 main=10.25", "step"),
    ("G-09 a cent", "super21", "1 main=10.01", "step"),
    ("G-09 half a unit", "ags", "1 main=1.50", "step"),
    ("G-09 nothing laid", "top3 level=low", "1 main=0.00", "limit"),
    ("T-81 top3 without classic", "top3 level=low", "1 main=5.00 top3=1.00", "bet_needs"),
    ("T-81 side bet alone", "top3 level=low", "1 classic=1.00", "bet_needs"),
    ("T-02 fourth spot", "top3 level=low", "4 main=5.00", "field"),
    ("T-02 no spot", "top3 level=low", "0 main=5.00", "field"),
    ("T-02 spot twice", "top3 level=low", "1 main=5.00\nbet 1 main=5.00", "field"),
    ("C-04 below", "threecard", "1 ante=4.00", "limit"),
    ("C-04 above", "threecard", "1 ante=501.00", "limit"),
    ("C-04 half a unit", "threecard", "1 ante=5.50", "step"),
    ("C-05 below", "threecard", "1 ante=5.00 ace_plus=4.00", "limit"),
    ("C-05 above", "threecard", "1 ante=5.00 ace_plus=101.00", "limit"),
    ("C-05 alone", "threecard", "1 ace_plus=5.00", "bet_needs"),
    ("C-06 raise before the cards", "threecard", "1 ante=5.00 raise=5.00", "field"),
    ("C-16 second spot", "threecard", "2 ante=5.00", "field"),
    ("S-15 below", "super21", "1 main=0.50", "limit"),
    ("S-15 above", "super21", "1 main=501.00", "limit"),
    ("S-15 second spot", "super21", "2 main=5.00", "field"),
    ("A-04 A-22 main above", "ags", "1 main=5001.00", "limit"),
    ("A-04 A-22 side bet above", "ags", "1 trifecta=5001.00", "limit"),
    ("A-22 below", "ags", "1 match_super=0.50", "limit"),
    ("A-05 spot without a wager", "ags", "1", "bet_needs"),
    ("A-14 a closed side bet", "ags", "1 main=1.00 pairs_pay=1.00", "field"),
    ("A-15 fourth spot", "ags", "4 main=1.00", "field"),
    ("T-50 no setting of another game", "ags ask_insurance=false", "1 main=1.00", "field"),
]


@pytest.mark.parametrize(
    ("game", "bet", "code"), [case[1:] for case in BETS], ids=[case[0] for case in BETS]
)
def test_bets_that_cannot_be_are_refused(game: str, bet: str, code: str) -> None:
    """G-09, T-02, T-10 to T-13, T-50, T-81, T-85, C-04 to C-06, S-15, A-04, A-05, A-14, A-15, A-22.

    Refused and not Differs: nothing was played.
    """
    with pytest.raises(Refused) as refused:
        replay(f"game {game}\nbet {bet}\ncards Th 8c 9d Ts\n")
    assert refused.value.code == code


def test_a_table_without_any_bet_is_refused() -> None:
    """A-05: at least one wager of any kind."""
    with pytest.raises(Refused) as refused:
        replay("game ags\ncards Th 8c 9d Ts\n")
    assert refused.value.code == "bet_needs"


# Files that are no scripts

GOOD = ["game top3 level=low", "bet 1 main=10.00", "cards Th 8c 9d Ts"]
GOOD += ["do 1.0 stand", "pay 1.0 main 20.00"]
MALFORMED = {
    1: (
        "game",
        "game poker",
        "game Top3 level=low",
        "game top3",
        "game top3 level=middling",
        "game top3 level",
        "game top3 level=",
        "game top3 =low",
        "game top3 low",
        "game top3 level=low level=low",
        "game top3 level=low colour=red",
        "game top3 level=low decks=0",
        "game top3 level=low decks=9",
        "game top3 level=low decks=six",
        "game top3 level=low double=any",
        "game top3 level=low double.cards=3",
        "game top3 level=low qualifies_at=17",
        "game top3 level=low natural=3/2",
        "game top3 level=low natural=7:3",
        "game top3 level=low auto_wins=2@1:1",
        "game top3 level=low ask_insurance=maybe",
        "game top3 level=low classic.flush=9",
        "game top3 level=low classic.royal=9:1",
        "game top3 level=low classic.flush=meter",
        "game top3 level=low classic=9:1",
        "game top3 level=low main.win=2:1",
        "game top3 level=low side_bets=classic",
        "game ags side_bets=trifecta",
        "game ags side_bets=trifecta,trifecta",
        "game ags side_bets=trifecta,classic",
        "game ags side_bets=trifecta,match_super,in_bet",
        "game ags side_bets=",
    ),
    2: (
        "bet",
        "bet main=10.00",
        "bet one main=10.00",
        "bet -1 main=10.00",
        "bet 1.0 main=10.00",
        "bet 1 main",
        "bet 1 main=",
        "bet 1 main=ten",
        "bet 1 main=10,00",
        "bet 1 main=10.005",
        "bet 1 main=-10.00",
        "bet 1 main=+10.00",
        "bet 1 main=1e1",
        "bet 1 main=010.00",
        "bet 1 main=99999999999999999999",
        "bet 1 main=10.00 main=10.00",
        "bet 1 10.00",
        "bet \u0661 main=10.00",
        f"bet {'1' * 5000} main=10.00",
    ),
    3: (
        "cards Th 8c 9d T",
        "cards Th 8c 9d 10s",
        "cards Th 8c 9d Tx",
        "cards Th 8c 9d tS",
        "cards Th 8c 9d ??",
        "cards Th,8c,9d,Ts",
        "cards Th8c9dTs",
        "meter",
        "meter 1",
        "meter 10000.00",
        "meter one 10000.00",
        "meter 1.0 10000.00",
        "meter -1 10000.00",
        "meter 1 lots",
        "meter 1 10,000.00",
        "meter 1 -1.00",
        "meter 1 1.00 2.00",
        "meter \u0661 1.00",
        f"meter {'1' * 5000} 1.00",
    ),
    4: (
        "do",
        "do stand",
        "do 1.0",
        "do 1 stand",
        "do 1. stand",
        "do .0 stand",
        "do x.0 stand",
        "do 1.x stand",
        "do 1.0.0 stand",
        "do -1.0 stand",
        "do 100.0 stand",
        "do 1.0 dance",
        "do 1.0 Stand",
        "do 1.0 stand hit",
        "do 1.0, stand",
        "do \u0661.0 stand",
        "Do 1.0 stand",
        "deal",
        "stand",
        "1.0 stand",
    ),
    5: (
        "pay",
        "pay 1.0",
        "pay 1.0 main",
        "pay 1.0 20.00",
        "pay main 20.00",
        "pay 1.0 main 20.00 30.00",
        "pay x main 20.00",
        "pay 1.x main 20.00",
        "pay 1. main 20.00",
        "pay 100 main 20.00",
        "pay 1.0 main twenty",
        "pay 1.0 main 20.000",
        "pay 1.0 main -20.00",
        "pay 1.0 main 20,00",
        "pay \u0661.0 main 20.00",
        "paid 1.0 main 20.00",
        "result win",
    ),
}


def test_the_script_to_be_broken_is_whole() -> None:
    assert replay("\n".join(GOOD)).events[-1] == Settled(staked=1000, paid=2000)


@pytest.mark.parametrize(
    ("line", "broken"),
    [(line, broken) for line, lines in MALFORMED.items() for broken in lines],
    ids=lambda value: value[:30] if isinstance(value, str) else None,
)
def test_a_malformed_line_is_refused_with_its_number(line: int, broken: str) -> None:
    """docs/rounds.md: bad input (exit code 2) is told apart from a script that is not so (1)."""
    text = "\n".join([*GOOD[: line - 1], broken, *GOOD[line:]])
    with pytest.raises(Refused, match=rf"^line {line}: ") as refused:
        scripts.parse(text)
    assert refused.value.code == "field"


def test_lines_are_counted_with_comments_and_blank_ones() -> None:
    """The number is the one an editor shows."""
    text = "# one\n\n" + "\n".join([*GOOD[:3], "  # indented", "do 1.0 dance"])
    with pytest.raises(Refused, match=r"^line 7: "):
        scripts.parse(text)


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing but a remark\n", "\n".join(GOOD[1:])])
def test_a_file_without_a_game_is_refused(text: str) -> None:
    """There is no line to name."""
    with pytest.raises(Refused, match="one game line"):
        scripts.parse(text)


def test_a_second_game_line_is_refused_with_its_number() -> None:
    with pytest.raises(Refused, match=r"^line 3: .*one game line"):
        scripts.parse("\n".join([GOOD[0], GOOD[1], GOOD[0], *GOOD[2:]]))


def test_remarks_spaces_and_order_of_lines_do_not_matter() -> None:
    """docs/rounds.md: what stands after # is a comment; keywords say what a line is."""
    loose = """
        pay   1.0  main   20     # both amounts are twenty
      do 1.0   stand
    # cards in two lines
    cards Th   8c
    cards 9d Ts
      bet   1   main=10
    game top3    level=low  # the usual limits
    """
    assert replay(loose).events == replay("\n".join(GOOD)).events


# Scripts that are not so

SPLIT = "game top3 level=low\nbet 1 main=10.00\ncards Th 8c Kd 9s 9h 8d\n"
SPLIT += "do 1.0 split\ndo 1.0 stand\ndo 1.1 stand\n"
METER = "game top3 level=low\nbet 1 main=5.00 progressive=5.00\ncards Kd Kd Kd 7s\n"
DIFFERENT = [
    ("a card too few", "\n".join([*GOOD[:2], "cards Th 8c 9d", *GOOD[3:]]), "another card"),
    ("no card at all", "\n".join([*GOOD[:2], *GOOD[3:]]), "another card"),
    ("a card too many", "\n".join([*GOOD[:2], f"{GOOD[2]} 5h", *GOOD[3:]]), "left over: 5h"),
    ("no move", "\n".join([*GOOD[:3], GOOD[4]]), "no move is written"),
    ("a move too many", "\n".join([*GOOD, "do 1.0 stand"]), "^line 6: the round is over"),
    ("another hand's move", "\n".join([*GOOD[:3], "do 1.1 stand"]), "^line 4: .* out of turn"),
    ("another spot's move", "\n".join([*GOOD[:3], "do 2.0 stand"]), "^line 4: .* out of turn"),
    ("no such choice", "\n".join([*GOOD[:3], "do 1.0 raise"]), "^line 4: raise is not offered"),
    ("no payment", "\n".join(GOOD[:4]), "'pay 1.0 main 20.00' is missing"),
    ("another amount", "\n".join([*GOOD[:4], "pay 1.0 main 20.01"]), "^line 5: .* is not so"),
    ("twice", "\n".join([*GOOD, GOOD[4]]), "^line 6: .* no bet"),
    ("a bet not laid", "\n".join([*GOOD, "pay 1 classic 0.00"]), "^line 6: .* no bet"),
    ("a bet unheard of", "\n".join([*GOOD, "pay 1 lottery 0.00"]), "^line 6: .* no bet"),
    ("an unknown hand", "\n".join([*GOOD[:4], "pay 1.1 main 20.00"]), "^line 5: .* no bet"),
    ("a sister unpaid", f"{SPLIT}pay 1.0 main 20.00\n", "'pay 1.1 main 20.00' is missing"),
    ("which sister", f"{SPLIT}pay 1 main 20.00\npay 1.0 main 20.00\n", "^line 7: .* more bets"),
    ("the other sister", f"{SPLIT}pay 1.0 main 20.00\npay 1 main 20.00\n", "^line 8: "),
    ("no meter", f"{METER}do 1.0 stand\n", "no meter line is written"),
    ("another spot's meter", f"{METER}meter 2 9.00\ndo 1.0 stand\n", "not by spot 2"),
    ("a meter not met", "\n".join([*GOOD, "meter 1 9.00"]), "no bet met"),
]


@pytest.mark.parametrize(
    ("text", "message"), [case[1:] for case in DIFFERENT], ids=[case[0] for case in DIFFERENT]
)
def test_a_script_that_is_not_so_differs(text: str, message: str) -> None:
    """docs/rounds.md: checked and false (exit code 1), with the line where there is one."""
    with pytest.raises(Differs, match=message):
        replay(text)


def test_a_hand_need_not_be_named_where_there_is_one() -> None:
    """docs/rounds.md: `pay SPOT[.HAND]`; a side bet may be written on the first hand too."""
    bare = replay("\n".join([*GOOD[:4], "pay 1 main 20.00"]))
    assert bare.events == replay("\n".join(GOOD)).events
    side = ["game top3 level=low", "bet 1 main=10.00 classic=1.00", *GOOD[2:]]
    assert replay("\n".join([*side, "pay 1.0 classic 10.00"])).is_over
    assert replay("\n".join([*side, "pay 1 classic 10.00"])).is_over


# The page about scripts


def test_the_examples_in_the_document_play() -> None:
    """Every script on the page of the format, word for word."""
    blocks = re.findall(r"```round\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 2
    for block in blocks:
        assert replay(block).is_over


def test_the_example_sentences_in_the_document_are_told() -> None:
    """docs/rounds.md: one for exit code 1, one for exit code 2."""
    page = DOCUMENT.read_text(encoding="utf-8")
    with pytest.raises(Differs) as differs:
        replay("\n".join([*GOOD[:4], "pay 1.0 main 20.01"]))
    assert f"`{differs.value}`" in page
    with pytest.raises(Refused) as refused:
        replay("\n".join([GOOD[0], "bet 1 main=ten", *GOOD[2:]]))
    assert f"`{refused.value}`" in page
