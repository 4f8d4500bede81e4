"""The coach against plain enumeration: every hole card, every dealer's hand, card by card.

The truth here is counted otherwise than the solver counts: nothing is joint with the up card, the
hole card is looked at one value after another, and the next card's chance is that of a shoe from
which this hole card is already gone.
"""

from __future__ import annotations

import dataclasses
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

from upcard.cards import CARDS, Card, parse_cards
from upcard.game import Game, Round
from upcard.games.ags import AGS
from upcard.games.blackjack import BLACKJACK
from upcard.games.super21 import SUPER21
from upcard.games.threecard import THREECARD
from upcard.games.top3 import TOP3
from upcard.maths.coach import Position, advise, parse_position
from upcard.table import CardFor, ChoiceFor, ChoiceName, SpotBets
from upcard.threecard import hand as three_rules
from upcard.twentyone import hand as hand_rules
from upcard.twentyone.felt import Felt, HeldHand
from upcard.twentyone.hand import Hand
from upcard.twentyone.rules import Rules

POSITIONS = 300
FULL_FROM = 10
"""Hands of at least so many points are played out; lighter ones are doubled and stood on."""
ACES_UP = 0.1
"""How often an ace is put up that was not dealt there."""
Unseen = tuple[int, ...]
"""How many cards count 1 to 10 among those that the player has not seen."""

ONE_DECK: dict[str, Game] = {
    "top3": TOP3.with_rule("decks", "1"),
    "ags": AGS.with_rule("decks", "1"),
    "super21": dataclasses.replace(SUPER21.with_rule("decks", "1"), spots_max=3),
    "no hole card": TOP3.with_rule("decks", "1").with_rule("hole_card", "none"),
}


# Rounds


def begun(game: Game, spots: int) -> Round:
    game = game.at_table()
    level = game.levels[-1]
    bet = level.bets[game.main].min
    bets = [SpotBets(spot, ((game.main, bet),)) for spot in range(1, spots + 1)]
    return Round.begin(game, level.key, bets)


def dealt_on(round_: Round, cards: Iterator[Card]) -> Round:
    while isinstance(round_.wants, CardFor):
        round_ = round_.give(next(cards))
    return round_


def decisions(game: Game, spots: int, draw: random.Random) -> list[Round]:
    """Every decision of a round that is played at random, and rather wildly."""
    shoe = list(CARDS) * game.rules.decks
    draw.shuffle(shoe)
    if draw.random() < ACES_UP:
        up = next(at for at, card in enumerate(shoe) if card.is_ace)
        shoe[spots], shoe[up] = shoe[up], shoe[spots]
    cards = iter(shoe)
    round_, found = dealt_on(begun(game, spots), cards), []
    while isinstance(round_.wants, ChoiceFor):
        found.append(round_)
        offered: list[ChoiceName] = [choice.choice for choice in round_.choices]
        wild = {"split": 20, "hit": 6, "double": 3}
        (choice,) = draw.choices(offered, [wild.get(each, 1) for each in offered])
        round_ = dealt_on(round_.give(choice), cards)
    return found


def unseen(round_: Round) -> Unseen:
    """From the cards that the round was given, whatever it shows."""
    given = [each for each in round_.given if isinstance(each, Card)]
    counts = Counter(CARDS * round_.game.rules.decks)
    counts.subtract(given)
    counts.update(round_.state.felt.dealer[1:])
    assert min(counts.values()) >= 0
    return tuple(sum(n for card, n in counts.items() if card.value == v) for v in range(1, 11))


def to_choose(round_: Round) -> HeldHand:
    want, felt = round_.wants, round_.state.felt
    assert isinstance(want, ChoiceFor)
    assert isinstance(felt, Felt)
    return felt.hand(want.spot, want.hand)


# The truth


def less(counts: Unseen, *values: int) -> Unseen:
    left = list(counts)
    for value in values:
        left[value - 1] -= 1
    return tuple(left)


@dataclass(frozen=True)
class Finished:
    """A dealer's finished hand: the cards under and after the up card, in how many orders."""

    drawn: tuple[tuple[int, int], ...]
    """Value and how many of it."""
    orders: int
    hand: Hand


@cache
def finished(hits_soft_17: bool, up: int) -> list[Finished]:
    rules = Rules(dealer_hits_soft_17=hits_soft_17)
    none: Unseen = (0,) * 10
    going = Counter({(Hand().plus(up), none): 1})
    found: list[Finished] = []
    while going:
        longer: Counter[tuple[Hand, Unseen]] = Counter()
        for (hand, drawn), orders in going.items():
            if hand.cards > 1 and (hand.bust or not hand_rules.dealer_draws(rules, hand)):
                counts = tuple((value, n) for value, n in enumerate(drawn, 1) if n)
                found.append(Finished(counts, orders, hand))
                continue
            for value in range(1, 11):
                more = (*drawn[: value - 1], drawn[value - 1] + 1, *drawn[value:])
                longer[hand.plus(value), more] += orders
        going = longer
    return [end for end in found if not end.hand.bust]


class Truth:
    """Means over the rounds in which the dealer has no natural, if somebody has looked."""

    def __init__(self, rules: Rules, up: int) -> None:
        self.rules, self.up = rules, up
        self.peeks = rules.hole_card == "peek"
        self.ends = finished(rules.dealer_hits_soft_17, up)
        self.best = cache(self._best)
        self.dealer = cache(self._dealer)
        self.apart = cache(self._apart)

    def holes(self, left: Unseen) -> list[tuple[int, float]]:
        """What may lie under the up card, and how likely."""
        up = Hand().plus(self.up)
        ways = {
            value: count
            for value, count in enumerate(left, 1)
            if count and not (self.peeks and hand_rules.is_natural(up.plus(value)))
        }
        return [(value, count / sum(ways.values())) for value, count in ways.items()]

    def next_cards(self, left: Unseen) -> list[tuple[int, float]]:
        chances: dict[int, float] = defaultdict(float)
        for hole, chance in self.holes(left):
            rest = less(left, hole)
            for value, count in enumerate(rest, 1):
                if count:
                    chances[value] += chance * count / sum(rest)
        return [*chances.items()]

    def _dealer(self, left: Unseen) -> dict[int, float]:
        """The dealer's total, 0 over 21, and -1 for a natural that nobody looked for."""
        found: dict[int, float] = defaultdict(float)
        for end in self.ends:
            is_natural = hand_rules.is_natural(end.hand)
            if is_natural and self.peeks:
                continue
            chance, size = float(end.orders), sum(left)
            for value, count in end.drawn:
                for had in range(count):
                    chance *= (left[value - 1] - had) / size
                    size -= 1
            found[-1 if is_natural else end.hand.total] += chance
        open_ = 1.0
        if self.peeks and self.up in (1, 10):
            open_ = 1 - left[{1: 10, 10: 1}[self.up] - 1] / sum(left)
        found = {total: chance / open_ for total, chance in found.items()}
        return found | {0: 1 - sum(found.values())}

    def stand(self, hand: Hand, left: Unseen) -> float:
        net = 0.0
        for total, chance in self.dealer(left).items():
            if total == -1 or total > hand.total:
                net -= chance
            elif total < hand.total:
                net += chance
        return net

    def values(self, hand: Hand, left: Unseen, *, deep: bool = True) -> dict[ChoiceName, float]:
        """Each choice but the split. `deep`: what needs further choices, too."""
        stakes = 2 if hand.doubled else 1
        found: dict[ChoiceName, float] = {}
        for choice in hand_rules.options(self.rules, hand, pair=False, hands=1):
            if choice == "stand":
                found[choice] = stakes * self.stand(hand, left)
            elif choice in ("surrender", "rescue"):
                found[choice] = -stakes / 2
            elif choice == "double":
                found[choice] = self.drawn(hand._replace(doubled=True), left)
            elif deep:
                found[choice] = self.drawn(hand, left)
        return found

    def drawn(self, hand: Hand, left: Unseen) -> float:
        return sum(
            chance * self.best(hand.plus(value), less(left, value))
            for value, chance in self.next_cards(left)
        )

    def _best(self, hand: Hand, left: Unseen) -> float:
        if hand.bust:
            return -2.0 if hand.doubled else -1.0
        if odds := hand_rules.auto_win(self.rules, hand):
            return odds.won / odds.staked
        return max(self.values(hand, left).values())

    # Splits, after CDZ-

    def played(self, hand: Hand, own: Unseen, left: Unseen) -> float:
        """A hand that is played as would be best if it were alone: `own` is what it then had not
        seen, `left` what there is."""
        if hand.bust or hand_rules.auto_win(self.rules, hand):
            return self.best(hand, left)
        choice = self.apart(hand, own)
        if choice in ("stand", "surrender", "rescue"):
            return self.values(hand, left, deep=False)[choice]
        hand = hand._replace(doubled=choice == "double")
        return sum(
            chance * self.played(hand.plus(value), less(own, value), less(left, value))
            for value, chance in self.next_cards(left)
        )

    def _apart(self, hand: Hand, own: Unseen) -> ChoiceName:
        found = self.values(hand, own)
        return max(found, key=lambda each: found[each])

    def split(self, pair: int, left: Unseen, more: int) -> float:
        """All hands of a split that may become `more` hands further ones; the pair is gone."""
        first = Hand(from_split=True, split_aces=pair == 1).plus(pair)
        own = list(left)
        own[pair - 1] += 1

        @cache
        def hand(second: int, others: tuple[int, ...]) -> float:
            made = first.plus(second)
            return self.played(made, less(tuple(own), second), less(left, second, *others))

        def hands(done: tuple[int, ...], open_: int, again: int, now: Unseen) -> float:
            """Second cards one by one; `again` pair cards have made a further hand each."""
            if not open_:
                gone = (pair,) * again
                return sum(
                    hand(second, tuple(sorted((*done[:at], *done[at + 1 :], *gone))))
                    for at, second in enumerate(done)
                )
            net = 0.0
            for second, chance in self.next_cards(now):
                rest = less(now, second)
                if second == pair and again < more:
                    net += chance * hands(done, open_ + 1, again + 1, rest)
                else:
                    net += chance * hands((*done, second), open_ - 1, again, rest)
            return net

        return hands((), 2, 0, left)


def expected(round_: Round) -> dict[ChoiceName, float]:
    """What can be told in reasonable time of a decision's values."""
    rules, held = round_.game.rules, to_choose(round_)
    truth, left, hand = Truth(rules, round_.state.felt.dealer[0].value), unseen(round_), held.hand
    offered = {choice.choice for choice in round_.choices}
    deep = hand.hard >= FULL_FROM
    if "stand" in offered:
        return truth.values(hand, left, deep=deep)
    # A natural has a test of its own, and a pair might be split.
    plain = deep and not held.is_pair and held.state != "natural"
    return insured(truth, held, left) if plain else {}


def insured(truth: Truth, held: HeldHand, left: Unseen) -> dict[ChoiceName, float]:
    """Before the peek: under an ace a ten-value card takes the bet of any hand but a natural."""
    ten, play = left[9] / sum(left), truth.best(held.hand, left)
    without = (1 - ten) * play - ten if truth.peeks else play
    bet = (2 * ten - (1 - ten)) / 2
    return {"insurance": without + bet, "no_insurance": without}


# Drawing games


def random_decisions() -> Iterator[tuple[str, Round]]:
    draw = random.Random(21)
    while True:
        name = draw.choice([*ONE_DECK])
        found = decisions(ONE_DECK[name], draw.choice((1, 3, 3, 3)), draw)
        if found:
            rare = [
                1
                + 20 * (len(to_choose(each).cards) > 3)
                + 8 * to_choose(each).hand.from_split
                + 3 * to_choose(each).hand.doubled
                for each in found
            ]
            (chosen,) = draw.choices(found, rare)
            yield name, chosen


def test_random_live_positions() -> None:
    """Three spots, hands of a split, long hands, insurance, rescue; one deck, short by all that
    was seen."""
    kinds: Counter[str] = Counter()
    for tried, (name, round_) in enumerate(random_decisions(), 1):
        found, true = advise(round_), expected(round_)
        held = to_choose(round_)
        assert list(found) == [choice.choice for choice in round_.choices]
        compared = {choice: value for choice, value in found.items() if choice in true}
        assert compared == pytest.approx(true, abs=1e-12), (name, round_.table)
        kinds.update({*true})
        kinds["three spots"] += len(round_.spots) == 3
        kinds["of a split"] += held.hand.from_split
        kinds["four cards or more"] += len(held.cards) > 3
        kinds["a dozen cards seen"] += sum(unseen(round_)) <= 40
        kinds["another hand is done"] += any(
            each.state not in ("live", "stood", "natural")
            for _, _, each in round_.state.felt.each_hand()
        )
        position = Position.of(round_)
        assert parse_position(str(position)) == position
        if tried == POSITIONS:
            break
    wanted = {
        "three spots": 150,
        "of a split": 40,
        "four cards or more": 40,
        "a dozen cards seen": 12,
        "another hand is done": 60,
        "hit": 150,
        "stand": 200,
        "double": 80,
        "surrender": 50,
        "rescue": 5,
        "insurance": 5,
        "no_insurance": 5,
    }
    assert {kind: kinds[kind] for kind, least in wanted.items() if kinds[kind] < least} == {}


@pytest.mark.parametrize(
    ("name", "cards", "values"),
    [
        ("top3", "Ac Ad Th", {"insurance": 1.5 * 34 - 2, "no_insurance": 1.5 * 34}),
        ("super21", "Ac Ad Th", {"insurance": 49 - 2, "no_insurance": 49}),
        ("super21", "Ad Ac Td", {"insurance": 2 * 49 - 2, "no_insurance": 2 * 49}),
        ("ags", "Ac Ad Th", {"even_money": 49, "no_even_money": 1.5 * 34}),
    ],
)
def test_a_natural_against_an_ace(name: str, cards: str, values: dict[str, float]) -> None:
    """T-68 to T-70, S-04, S-05, S-14, A-11. Of 49 cards unseen 15 are tens, so that half a bet
    of insurance wins 2:1 fifteen times and loses 34 times: two bets in 49 rounds."""
    round_ = dealt_on(begun(ONE_DECK[name], 1), iter(parse_cards(f"{cards} 5s")))
    assert advise(round_) == pytest.approx({choice: sum_ / 49 for choice, sum_ in values.items()})


@pytest.mark.parametrize(
    ("name", "cards"),
    [
        ("top3", "8c Td 8h 6s"),
        ("top3", "Tc 6d Kh Ts"),
        ("top3", "Ac 6d Ah Ts"),
        ("ags", "9c 7d 9h Ts"),
        ("no hole card", "Tc Td Kh"),
        ("super21", "Tc 6d Kh Ts"),
        ("super21", "9c 7d 9h Ts"),
    ],
)
def test_splits(name: str, cards: str) -> None:
    """T-64, S-11, A-07: two hands, and up to three; each played as if it were alone (CDZ-)."""
    game = ONE_DECK[name]
    round_ = dealt_on(begun(game, 1), iter(parse_cards(cards)))
    if "no_insurance" in [choice.choice for choice in round_.choices]:
        round_ = round_.give("no_insurance")
    found = advise(round_)["split"]
    up, *_ = round_.state.felt.dealer
    pair = to_choose(round_).cards[0].value
    truth = Truth(game.rules, up.value)
    value = truth.split(pair, unseen(round_), game.rules.split.hands_max - 2)
    assert found == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("made", [1, 2, 3])
def test_a_split_with_hands_already_made(made: int) -> None:
    """Four hands at most: with two on the table a pair may become three, with three only two."""
    game = BLACKJACK.with_rule("decks", "1")
    cards = iter(parse_cards("Tc 6d Kh Ts Qc 2d Jc 3d Kc 4d"))
    round_ = dealt_on(begun(game, 1), cards)
    for _ in range(made):
        assert advise(round_).keys() >= {"split"}
        round_ = dealt_on(round_.give("split"), cards)
    found, further = advise(round_), 4 - (made + 1) - 1
    if further < 0:
        assert found.keys() == {"hit", "stand", "double"}
    else:
        value = Truth(game.rules, 6).split(10, unseen(round_), further)
        assert found["split"] == pytest.approx(value, abs=1e-12)


def test_the_hole_card_is_never_used() -> None:
    """Every hole card that the peek allows gets the very same advice, to the last bit."""
    draw = random.Random(7)
    for name in ("top3", "ags", "super21"):
        for _ in range(8):
            chosen = draw.choice(decisions(ONE_DECK[name], 3, draw) or [begun(ONE_DECK[name], 1)])
            if not chosen.choices:
                continue
            others = [hidden for hidden in with_other_holes(chosen) if hidden.choices]
            assert len({str(each.state.felt.dealer[1]) for each in others}) > 15
            assert {str(Position.of(each)) for each in others} == {str(Position.of(chosen))}
            for each in others[::6]:
                assert advise(each) == advise(chosen)


def with_other_holes(round_: Round) -> Iterator[Round]:
    """The round as it would stand with each other card of the shoe in the hole."""
    spots = len(round_.spots)
    place = 2 * (spots + 1) - 1
    cards = [each for each in round_.given if isinstance(each, Card)]
    assert cards[place] == round_.state.felt.dealer[1]
    for hole in {*CARDS} - {*cards}:
        hidden = begun(round_.game, spots)
        for at, given in enumerate(round_.given):
            if hidden.is_over:
                break
            hidden = hidden.give(hole if at == place else given)
        if not hidden.is_over:
            yield hidden


def test_what_is_known_shifts_the_value() -> None:
    """Small cards seen elsewhere make a hit worse: all hands on the table are known."""
    low = dealt_on(begun(ONE_DECK["top3"], 3), iter(parse_cards("Tc 2c 3c Td 6h 4c 5c 6s")))
    high = dealt_on(begun(ONE_DECK["top3"], 3), iter(parse_cards("Tc Ks Qs Td 6h Qc Kc 6s")))
    assert advise(low)["hit"] < advise(high)["hit"]


# Three cards


def test_raise_or_fold_by_counting_every_pair() -> None:
    """C-06, C-09 to C-11: all 1,128 pairs that may lie under the up card."""
    draw = random.Random(3)
    nets = {"win": 1, "push": 0, "lose": -1}
    rules = THREECARD.rules
    for _ in range(40):
        (round_,) = decisions(THREECARD, 1, draw)
        felt = round_.state.felt
        own, up = felt.player, felt.dealer[0]
        rest = [card for card in CARDS if card not in (*own, up)]
        player = three_rules.best(rules, [card.value for card in own])
        total, pairs = 0, 0
        for first, second in combinations(rest, 2):
            dealer = three_rules.best(rules, [up.value, first.value, second.value])
            outcome = three_rules.outcome(rules, player, dealer)
            total += nets[outcome.ante] + nets[outcome.raise_]
            pairs += 1
        assert pairs == 1_128
        assert advise(round_) == {"raise": float(Fraction(total, pairs)), "fold": -1.0}
