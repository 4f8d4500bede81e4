"""Random rounds of every game, each settled a second time by naive.py.

The two share nothing: same bets, cards and choices in, the same money and the same questions out,
bet by bet (G-02 to G-07 and the clauses of each game). A list of sights makes sure that the rounds
have been everywhere.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.dealer import (
    ODD_TABLES,
    TABLES,
    Chooser,
    Played,
    assert_settled_alike,
    played,
    random_round,
)
from upcard.cards import CARDS
from upcard.events import Awarded, Chosen, Event, Paid, Peeked
from upcard.game import Round
from upcard.table import ChoiceName, HandView, SpotBets

SOAK = os.environ.get("UPCARD_SOAK") == "1"
CHUNKS = 4
"""Each chunk is a test of its own, so that two workers share them."""
ROUNDS_PER_CHUNK = 7_200 if SOAK else 720
ROUNDS_ODD = 1_000 if SOAK else 100
"""28 chunks and 20 odd tables: more than 20,000 rounds, with UPCARD_SOAK=1 ten times as many."""

# Nothing is measured here: the lines of the engine are covered by tests that name them.
pytestmark = pytest.mark.usefixtures("unmeasured")


# What must have been seen


def sights(it: Played) -> Iterator[str]:
    """Names of the noteworthy things in a round."""
    round_ = it.round
    yield f"{len(round_.spots)} spots"
    for event in round_.events:
        yield from event_sights(event)
    hands_of = {spot.spot: len(spot.hands) for spot in round_.table.spots}
    for hands in hands_of.values():
        yield f"{hands} hands"
    for spot in round_.table.spots:
        for hand in spot.hands:
            yield f"state {hand.state}"
            yield from hand_sights(hand, len(spot.hands))
    yield from round_sights(round_)


def event_sights(event: Event) -> Iterator[str]:
    match event:
        case Chosen(_, hand, choice):
            yield choice
            if hand:
                yield f"{choice} on a further hand"
        case Paid(_, _, bet, row, _, _):
            yield f"{bet} {row}"
        case Peeked(natural):
            yield f"peek {'finds' if natural else 'finds not'}"
        case _:
            pass


def hand_sights(hand: HandView, hands: int) -> Iterator[str]:
    if hand.total == 21 and hands > 1 and len(hand.cards) == 2:
        yield "ace and ten after a split"
    if hand.cards[0][0] == "A" and hands > 1:
        yield f"split ace with {len(hand.cards)} cards"
    if len(hand.cards) >= 6:
        yield "six cards"


def round_sights(round_: Round) -> Iterator[str]:
    names = {(event.bet, event.row) for event in round_.events if isinstance(event, Paid)}
    if {("insurance", "win"), ("main", "push")} <= names:
        yield "natural against natural, insured"
    if not round_.ask_insurance and round_.table.dealer.cards[0][0] == "A":
        yield "ace up and nobody asked"
    if sum(isinstance(event, Awarded) for event in round_.events) > 1:
        yield "two meter hits"
    if round_.game.main == "ante":
        dealer, (spot,) = round_.table.dealer, round_.table.spots
        if 21 == spot.hands[0].total == dealer.total and ("ante", "lose") in names:
            yield "21 against a blackjack"
    if round_.game.main not in {bet for spot in round_.spots for bet, _ in spot.bets}:
        yield "no main wager on the table"


DRAWING = """hit|stand|double|split|state bust|state won|state lost|state push|state natural
main win|main lose|main push|peek finds|peek finds not|insurance|no_insurance|insurance win
insurance lose|2 hands|ace and ten after a split
hit on a further hand|double on a further hand"""
SIGHTS = {
    "top3": f"""{DRAWING}|six cards|1 spots|2 spots|3 spots|surrender|main natural
        natural against natural, insured|split ace with 2 cards|two meter hits
        ace up and nobody asked|top3 suited_three|top3 straight_flush|top3 three_of_a_kind
        top3 lose|classic straight_flush|classic three_of_a_kind|classic straight|classic flush
        classic lose|progressive suited_aces_kings|progressive suited_three
        progressive straight_flush|progressive three_of_a_kind|progressive straight
        progressive flush|progressive lose""",
    "threecard": """raise|fold|ante win|ante lose|ante push|ante natural|raise win|raise push
        raise lose|21 against a blackjack
        ace_plus aaa|ace_plus aat|ace_plus aax|ace_plus att|ace_plus atx|ace_plus axx
        ace_plus lose""",
    "super21": f"""{DRAWING}|six cards|3 hands|main natural|main natural_suited|main auto_win
        surrender|surrender on a further hand|rescue|rescue on a further hand|split ace with 3 cards
        split on a further hand""",
    "ags": f"""{DRAWING}|six cards|1 spots|2 spots|3 spots|surrender|even_money|no_even_money
        split ace with 3 cards|no main wager on the table|trifecta three_fives
        trifecta straight_flush|trifecta three_of_a_kind|trifecta straight|trifecta flush
        match_super two_suited|match_super suited_unsuited|match_super suited
        match_super two_unsuited|match_super unsuited|match_super lose""",
    "ags, pairs and in": """no main wager on the table|pairs_pay suited|pairs_pay unsuited
        pairs_pay lose|in_bet triple|in_bet one|in_bet two|in_bet three|in_bet more|in_bet lose""",
    "blackjack": f"""{DRAWING}|six cards|3 hands|4 hands|split ace with 2 cards
        split on a further hand|natural against natural, insured""",
    "fortnight": f"""{DRAWING}|3 hands|5 spots|main auto_win|surrender|rescue|even_money
        main natural_suited|split ace with 3 cards|no main wager on the table
        royal suited_aces_kings|royal three_fives|royal straight_flush|royal flush|royal lose
        twins suited|twins unsuited|aces aaa|aces att|meeting two_suited|meeting unsuited""",
}
"""Sights that each chunk of rounds must have met, split at bars and line ends."""


def words_of(text: str) -> set[str]:
    return {word.strip() for line in text.splitlines() for word in line.split("|")}


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("table", SIGHTS)
def test_random_rounds_are_settled_alike(table: str, chunk: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(chunk * ROUNDS_PER_CHUNK, (chunk + 1) * ROUNDS_PER_CHUNK):
        it = random_round(table, number)
        assert_settled_alike(it, TABLES[table].naive)
        seen.update(sights(it))
    assert words_of(SIGHTS[table]) - seen.keys() == set()


@pytest.mark.parametrize("table", sorted(ODD_TABLES.keys() - SIGHTS.keys()))
def test_random_rounds_of_odd_games_are_settled_alike(table: str) -> None:
    for number in range(ROUNDS_ODD):
        assert_settled_alike(random_round(table, number), TABLES[table].naive)


# The same with Hypothesis, whose failing rounds are as short as can be


def by_number(picks: list[int]) -> Chooser:
    """A player who picks among what is offered by number, the first when numbers run out."""
    numbers = iter(picks)

    def choose(round_: Round) -> ChoiceName:
        offered = round_.choices
        return offered[next(numbers, 0) % len(offered)].choice

    return choose


@settings(max_examples=5_000 if SOAK else 400, deadline=None, derandomize=True, database=None)
@given(drawn=st.data())
def test_any_round_is_settled_alike(drawn: st.DataObject) -> None:
    table = drawn.draw(st.sampled_from(sorted(TABLES)), label="table")
    game, levels = TABLES[table].game, TABLES[table].levels
    level = drawn.draw(st.sampled_from(levels), label="level")
    spots = drawn.draw(st.integers(1, game.spots_max), label="spots")
    limits = {key: game.level(level).bets.get(key) for key in game.bet_keys}
    bets = tuple((key, limit.min) for key, limit in limits.items() if limit)
    cards = drawn.draw(st.lists(st.sampled_from(CARDS)), label="cards")
    picks = drawn.draw(st.lists(st.integers(0, 4)), label="picks")
    begun = Round.begin(game, level, [SpotBets(spot + 1, bets) for spot in range(spots)])
    it = played(begun, [*cards, *CARDS], by_number(picks), 10**6)
    assert_settled_alike(it, TABLES[table].naive)
