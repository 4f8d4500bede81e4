"""Counting tests: all rounds that all sequences of choices make of one short shoe.

A wrong option, a choice too many or too few, a hand asked twice: each changes a number. The
numbers come from arithmetic written beside them, or from naive.py, which plays every sequence with
code of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.rules import naive
from tests.rules.dealer import TABLES
from upcard.cards import Card, parse_cards
from upcard.events import Paid
from upcard.game import Game, Round
from upcard.games import ANALYSED, find
from upcard.table import CardFor, ChoiceFor, NoMore, SpotBets

each_table = pytest.mark.parametrize("table", TABLES)


@dataclass
class Counted:
    """`states`: the first and one after each card and choice; `paid`: of all rounds, in cents."""

    states: int = 0
    rounds: int = 0
    paid: int = 0


def count(begun: Round, cards: tuple[Card, ...]) -> Counted:
    """All that follows from a round that has just begun. The shoe must be long enough."""
    counted = Counted()
    open_ = [(begun, 0)]
    while open_:
        round_, dealt = open_.pop()
        counted.states += 1
        match round_.wants:
            case CardFor():
                open_.append((round_.give(cards[dealt]), dealt + 1))
            case ChoiceFor():
                open_ += [(round_.give(choice.choice), dealt) for choice in round_.choices]
            case NoMore():
                counted.rounds += 1
                payments = (event.paid for event in round_.events if isinstance(event, Paid))
                counted.paid += sum(payments)
            case met:
                raise AssertionError(f"no meter is on the table: {met}")
    return counted


def counted(game: Game, spots: int, text: str) -> Counted:
    """10.00 on the main bet of each spot, without side bets."""
    game = game.at_table()
    bets = [SpotBets(spot, ((game.main, 1_000),)) for spot in range(1, spots + 1)]
    return count(Round.begin(game, game.levels[0].key, bets), parse_cards(text))


def game(key: str, **rules: str) -> Game:
    changed = find(key, ANALYSED)
    for name, text in rules.items():
        changed = changed.with_rule(name, text)
    return changed


# Counts made by hand


def test_three_cards_have_two_ends() -> None:
    """C-02, C-06: the start, six cards, then raise or fold: 1 + 6 + 2 states, 2 rounds.

    Nineteen against a dealer's eighteen: 40.00 for the raise, nothing for the fold.
    """
    assert counted(find("threecard"), 1, "Td 9c 2s Tc 8d 5h") == Counted(9, 2, 4_000)


def test_a_hard_nineteen_has_three_ends() -> None:
    """Hit and double bust with the king, stand meets 5-6-K, a dealer's 21; one card each.

    States: the start, four cards, and a choice and a card for each of three choices.
    """
    shoe = "Th 5c 9d 6s Kc"
    assert counted(game("blackjack"), 1, shoe) == Counted(1 + 4 + 3 * 2, 3, 0)


TENS = "Tc Td Jc 8s Kd Kh Qs Qc Jd Jh Ts Th Kc Ks"
"""The player's tens split again and again, each new hand is a pair of tens; the dealer has 18."""


@pytest.mark.parametrize(("hands_max", "rounds"), [("1", 3), ("2", 12), ("3", 66), ("4", 471)])
def test_tens_split_to_so_many_hands(hands_max: str, rounds: int) -> None:
    """T-63, S-11, A-07: a pair of tens hits or doubles (and busts), stands, or splits.

    With k hands to play of n in all there are h(k, n) ends: h(0, n) = 1, and each hand has three
    ends of its own, h(k, n) = 3 h(k-1, n) + h(k+1, n+1), without the last at the most hands.
    For 2: h(1,1) = 3 + 9 = 12. For 3: h(1,2) = 3 + 9, h(2,2) = 3*12 + 27 = 63, h(1,1) = 66.
    For 4: h(1,3) = 12, h(2,3) = 36 + 27 = 63, h(1,2) = 66, h(3,3) = 189 + 81 = 270,
    h(2,2) = 198 + 270 = 468, h(1,1) = 471.
    """
    changed = find("blackjack", ANALYSED).with_rule("split.hands_max", hands_max)
    assert counted(changed, 1, TENS).rounds == rounds


def test_tens_at_top3_pay_this_in_all() -> None:
    """T-63, T-64, T-67: 3 ends without splitting, one surrender, 9 after the only split.

    Twenty beats eighteen: 20.00 for standing and 5.00 for surrender; after the split each of two
    hands stands in 3 of 9 ends: 6 * 20.00. Together 145.00.
    States: 1 + 4 cards; hit and double 2 each, stand and surrender 1 each; the split 1 + 2 cards;
    its first hand 2 + 1 + 2 states in three ways, each followed by the same 5 of the second.
    """
    states = 5 + (2 + 2 + 1 + 1) + 3 + 5 + 3 * 5
    assert counted(game("top3"), 1, TENS) == Counted(states, 3 + 1 + 9, 14_500)


@pytest.mark.parametrize(
    ("key", "first_cards", "rounds", "paid"),
    [
        # A dealer natural: insured or not on each of 3 spots; each insurance brings 15.00 in 4 of
        # the 8 rounds, the main bets are lost (T-68, T-69).
        ("top3", "Td Tc Th Ac 9c 9d 9h Kc", 8, 3 * 4 * 1_500),
        # The same with naturals: they push besides (T-70).
        ("top3", "Ad As Ah Ac Kc Kd Kh Ks", 8, 3 * 4 * 1_500 + 8 * 3 * 1_000),
        # Even money or a push: 20.00 or 10.00 in half of the rounds each.
        ("ags", "Ad As Ah Ac Kc Kd Kh Ks", 8, 3 * 4 * (2_000 + 1_000)),
        # No natural under the ace: even money 20.00 or 3:2, 25.00.
        ("ags", "Ad As Ah Ac Kc Kd Kh 9s", 8, 3 * 4 * (2_000 + 2_500)),
    ],
)
def test_insurance_and_even_money_double_the_rounds(
    key: str, first_cards: str, rounds: int, paid: int
) -> None:
    """Three spots, asked one after another: 2 * 2 * 2 rounds, and nobody plays."""
    states = 1 + 8 + 2 + 4 + 8
    assert counted(game(key), 3, first_cards) == Counted(states, rounds, paid)


def test_insurance_before_the_play_multiplies() -> None:
    """T-68: 2 * 2 * 2 answers; then each 19 hits or doubles (and busts), stands or surrenders.

    No dealer natural: insurance is lost. The dealer has 20, so only the 5.00 of each surrender
    come back: for each spot in a quarter of all rounds.
    """
    cards = "Td Tc Th Ac 9c 9d 9h 9s" + " Kc Kd Kh"
    found = counted(game("top3"), 3, cards)
    assert (found.rounds, found.paid) == (8 * 4**3, 3 * 8 * 16 * 500)


def test_small_cards_at_super21() -> None:
    """S-06 to S-09: 2-3 and then twos against a dealer's 17.

    With 2, 3, 4 and 5 cards (5, 7, 9, 11) the hand stands and loses, surrenders for 5.00, or
    doubles and then stands and loses or is rescued for 10.00: four ends and 15.00. Hit with five
    cards makes six, which win 20.00 at once.
    States: 1 + 4 cards; each time 1 + 1 + (2 + 1 + 1), and 2 for the hit.
    """
    shoe = "2c Td 3c 7d 2d 2h 2s 2c"
    assert counted(game("super21"), 1, shoe) == Counted(
        5 + 4 * (1 + 1 + 4 + 2), 4 * 4 + 1, 4 * 1_500 + 2_000
    )


# Counts made by code that shares nothing with the engine

DRAWING_SHOES = {
    "eights": "8c Tc 8d 7h 8h 3c 2d 8s Kc 9c 5h Qd 4c Jd 6s Th 7c 9d Tc 5d Kh 8c",
    "aces": "Ac 6c Ad Ts Ah Kc As 9d 5c Td 8h 5d 7s Jd 6s Th 7c 9d Tc 5d Kh 8c",
    "a natural under an ace": "Ac As Kc Qd 5d Jd",
    "an ace up": "9c As 7c 6d 5d Jd 8c Kd Th Td 9h 9s Qs",
    "a soft hand against a ten": "Ac Ts 6c 8d 4d 3d Jc 5c 7d 9h Td Kd 8s 9s",
    "a ten with an ace in the hole": "Ac Ts 6c Ad 4d Tc Jc 5c 7d 9h Td Kd 8s 9s",
    "four cards and five": "2c 5s 3c Td 4d 2d Tc 9c 8s Jc Qc 6h Kd 7h Td",
}
THREE_CARD_SHOES = {
    "a blackjack against 17": "Ac Kd 2c 9d 8h 2d",
    "a blackjack against nothing": "Ac Kd 2c 9d 5h 2d",
    "twenty against a blackjack": "Tc Kd 2c Ad Th 2d",
    "21 against a blackjack": "7c 7d 7h Ad Th 2d",
    "equal": "Tc 8d 2c 9c 9h 2d",
    "twenty against a blackjack whose three cards make twenty": "9c 8d 3h Ad Th 9d",
}
CASES = [
    (table, name)
    for table, it in TABLES.items()
    for name in (DRAWING_SHOES if it.naive.shape == "21" else THREE_CARD_SHOES)
]


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize(("table", "name"), CASES)
def test_as_many_rounds_as_the_clauses_allow(table: str, name: str) -> None:
    """States, rounds and money of all sequences of choices, on one spot."""
    it = TABLES[table]
    cards = (DRAWING_SHOES | THREE_CARD_SHOES)[name]
    main = it.game.main
    level = it.game.level(it.levels[0])
    bets = {main: level.bets[main].min}
    told = list(naive.every_round(it.naive, {1: bets}, cards.split()))
    expected = Counted(
        naive.states(it.naive, {1: bets}, cards.split()),
        len(told),
        sum(outcome.total for outcome in told),
    )
    begun = Round.begin(it.game, level.key, [SpotBets(1, tuple(bets.items()))])
    assert count(begun, parse_cards(cards)) == expected
