"""Prices of a live hand's choices, against a plain recursion over every order of a short shoe."""

from __future__ import annotations

import random
from functools import cache

import pytest

from upcard.games.ags import AGS
from upcard.games.super21 import SUPER21
from upcard.maths.analysis import UP_CARDS
from upcard.maths.best import live_insurance, live_values, solve
from upcard.money import Odds
from upcard.refused import Refused
from upcard.table import ChoiceName
from upcard.twentyone import hand as hand_rules
from upcard.twentyone.hand import Hand
from upcard.twentyone.rules import AutoWin, Double, Rules, Split

Shoe = tuple[int, ...]
POSITIONS = 300


def without(shoe: Shoe, value: int) -> Shoe:
    return (*shoe[: value - 1], shoe[value - 1] - 1, *shoe[value:])


class Plain:
    """Best play by recursion, each hand in turn; the shoe lacks the hand and the up card.

    Every mean is over rounds in which the dealer has no natural where he peeks: the chances of
    cards are those of the shoe, weighted by how likely the hole card then is to make none.
    """

    def __init__(self, rules: Rules, up: int) -> None:
        self.rules, self.up = rules, up
        self.dealer = cache(self._dealer)
        self.best = cache(self._best)

    def in_play(self, shoe: Shoe) -> float:
        """The chance that the dealer has no natural, where he peeks."""
        other = {1: 10, 10: 1}.get(self.up)
        if other is None or self.rules.hole_card == "none":
            return 1.0
        return 1 - shoe[other - 1] / sum(shoe)

    def draws(self, shoe: Shoe) -> list[tuple[float, int, Shoe]]:
        total = sum(shoe)
        return [
            (shoe[value - 1] / total, value, without(shoe, value))
            for value in range(1, 11)
            if shoe[value - 1]
        ]

    def _dealer(self, made: Hand, shoe: Shoe) -> dict[int, float]:
        """Totals of a finished dealer: 0 over 21, -1 a natural that nobody looked for."""
        if made.cards > 1:
            if hand_rules.is_natural(made):
                return {} if self.rules.hole_card == "peek" else {-1: 1.0}
            if made.bust or not hand_rules.dealer_draws(self.rules, made):
                return {0 if made.bust else made.total: 1.0}
        found: dict[int, float] = {}
        for chance, value, rest in self.draws(shoe):
            for total, more in self.dealer(made.plus(value), rest).items():
                found[total] = found.get(total, 0.0) + chance * more
        return found

    def stand(self, made: Hand, shoe: Shoe) -> float:
        net = 0.0
        for total, chance in self.dealer(Hand().plus(self.up), shoe).items():
            if total == -1 or made.total < total:
                net -= chance
            elif total == 0 or made.total > total:
                net += chance
        return net

    def values(self, made: Hand, shoe: Shoe) -> dict[ChoiceName, float]:
        """Each choice but the split, times the chance of being in play."""
        found: dict[ChoiceName, float] = {}
        alive = self.in_play(shoe)
        won = hand_rules.auto_win(self.rules, made)
        if won is not None:
            return {"stand": alive * won.won / won.staked}
        stakes = 2 if made.doubled else 1
        for choice in hand_rules.options(self.rules, made, pair=False, hands=1):
            if choice == "stand":
                found[choice] = stakes * self.stand(made, shoe)
            elif choice in ("surrender", "rescue"):
                found[choice] = -alive * stakes / 2
            else:
                found[choice] = self.drawn(made, shoe, choice == "double")
        return found

    def drawn(self, made: Hand, shoe: Shoe, doubled: bool) -> float:
        start = Hand(made.hard, made.ace, made.cards, doubled, made.from_split, made.split_aces)
        stakes = 2 if doubled else 1
        net = 0.0
        for chance, value, rest in self.draws(shoe):
            after = start.plus(value)
            net += chance * (-stakes * self.in_play(rest) if after.bust else self.best(after, rest))
        return net

    def _best(self, made: Hand, shoe: Shoe) -> float:
        return max(self.values(made, shoe).values())


GAMES = {
    "bare": Rules(split=Split(hands_max=2)),
    "no hole card": Rules(split=Split(hands_max=2), hole_card="none", surrender="first"),
    "everything": Rules(
        double=Double(cards="any", rescue=True),
        surrender="any",
        auto_wins=(AutoWin(5, 21, Odds(2)), AutoWin(6, None, Odds(1))),
        stands_on_21="hard",
        dealer_hits_soft_17=True,
        split=Split(hands_max=2, aces="double"),
    ),
}


def random_position(draw: random.Random) -> tuple[str, Rules, Shoe, list[int], int]:
    """A game, the shoe with the hand and the up card in it, the hand and the up card."""
    name, rules = draw.choice([*GAMES.items()])
    cards = [draw.choice((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)) for _ in range(11)]
    cards += [10, 9, 10, 8, 10]
    draw.shuffle(cards)
    shoe = tuple(cards.count(value) for value in range(1, 11))
    up, *rest = cards
    hand = rest[: draw.choice((2, 2, 3, 4))]
    return name, rules, shoe, hand, up


def test_random_live_positions() -> None:
    draw = random.Random(5)
    tried = 0
    while tried < POSITIONS:
        name, rules, shoe, hand, up = random_position(draw)
        split = draw.random() < 0.3
        made = Hand(from_split=split, split_aces=split and hand[0] == 1)
        for value in hand:
            made = made.plus(value)
        doubled = len(hand) > 2 and draw.random() < 0.2
        made = Hand(made.hard, made.ace, made.cards, doubled, made.from_split, made.split_aces)
        if made.bust or hand_rules.is_natural(made) or (len(hand) == 2 and hand[0] == hand[1]):
            continue
        left = without(shoe, up)
        for value in hand:
            left = without(left, value)
        plain = Plain(rules, up)
        alive = plain.in_play(left)
        if alive == 0:
            continue
        expected = {choice: net / alive for choice, net in plain.values(made, left).items()}
        found = live_values(
            rules,
            shoe,
            " ".join(UP_CARDS[value - 1] for value in hand),
            UP_CARDS[up - 1],
            split=split,
            doubled=doubled,
        )
        assert found == pytest.approx(expected, abs=1e-12), (name, shoe, hand, up, split, doubled)
        tried += 1


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("pair", [1, 4, 8])
def test_splitting_a_live_pair(name: str, pair: int) -> None:
    """Both hands have the mean of the first; its play is best play of a shoe less its own cards."""
    rules, up = GAMES[name], 6
    shoe = (2, 2, 1, 3, 1, 1, 1, 2, 1, 5)
    plain = Plain(rules, up)
    left = without(without(without(shoe, up), pair), pair)

    def play(made: Hand, own: Shoe, real: Shoe) -> float:
        """`own` lacks this hand's cards alone; `real` the other pair card too."""
        if hand_rules.auto_win(rules, made) is not None:
            return plain.best(made, real)
        values = plain.values(made, own)
        choice = max(values, key=lambda each: values[each])
        if choice not in ("hit", "double"):
            return plain.values(made, real)[choice]
        stakes, net = (2, 0.0) if choice == "double" else (1, 0.0)
        start = Hand(made.hard, made.ace, made.cards, choice == "double", True, made.split_aces)
        for chance, value, rest in plain.draws(real):
            after = start.plus(value)
            if after.bust:
                net -= stakes * chance
            else:
                net += chance * play(after, without(own, value), rest)
        return net

    first = Hand(from_split=True, split_aces=pair == 1).plus(pair)
    mean = sum(
        chance * play(first.plus(value), without(without(without(shoe, up), pair), value), rest)
        for chance, value, rest in plain.draws(left)
    )
    text = UP_CARDS[pair - 1]
    found = live_values(rules, shoe, f"{text} {text}", UP_CARDS[up - 1])["split"]
    assert found == pytest.approx(2 * mean, abs=1e-12)


def test_a_live_hand_of_a_fresh_shoe_is_the_solution() -> None:
    rules = Rules(surrender="first")
    found = solve(rules)
    for cards, up in (("8 8", "T"), ("2 2", "7"), ("T 6", "T"), ("A 2 3", "A"), ("A A", "6")):
        live = live_values(rules, None, cards, up)
        assert live == pytest.approx(found.hand(cards, up), abs=1e-13)


def test_the_last_hand_of_a_spot_is_not_split_again() -> None:
    rules = Rules(split=Split(hands_max=3))
    assert "split" in live_values(rules, None, "8 8", "T", split=True, hands=2)
    assert "split" not in live_values(rules, None, "8 8", "T", split=True, hands=3)


def test_a_hand_that_the_seen_cards_forbid() -> None:
    with pytest.raises(Refused, match="too few cards of 8"):
        live_values(Rules(), [24] * 7 + [1, 24, 96], "8 8", "T")


def test_live_insurance_and_even_money_by_counting() -> None:
    """Three aces, five tens and eight others, of which the hand and an ace up are seen."""
    shoe = [3, 2, 2, 2, 2, 0, 0, 0, 0, 5]
    found = live_insurance(AGS.rules, shoe, "2 3")
    assert found["insurance"] == pytest.approx((5 * 2 - 8) / 13 / 2)
    played = live_insurance(AGS.rules, shoe, "A T")["no_even_money"]
    assert played == pytest.approx(1.5 * (1 - 4 / 13))
    suited = live_insurance(SUPER21.rules, None, "Ad Td")
    assert "insurance" in suited, "S-14: no even-money choice"
