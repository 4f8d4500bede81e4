"""Tiny shoes: the round machine walked over every order of the cards, in exact fractions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from upcard.cards import CARDS, Card, parse_card
from upcard.game import Game, Round
from upcard.games.blackjack import BLACKJACK
from upcard.maths import compositions
from upcard.maths.analysis import Plan
from upcard.maths.tables import CHOICES, FIRST, SPLIT, SPLIT_ACES
from upcard.table import CardFor, ChoiceFor, ChoiceName, SpotBets
from upcard.twentyone.felt import HeldHand

BET = 6_000
"""In cents; a multiple of what odds and halves divide by."""
Pick = Callable[[Round], ChoiceName]


@dataclass(frozen=True)
class Means:
    """Per initial bet: the mean net result, main money put down, and net results by chance."""

    net: Fraction
    stake: Fraction
    results: dict[float, Fraction]


def cards_of(text: str) -> list[Card]:
    """`A A 8 Td`: clubs unless a suit is written. Like cards are walked once."""
    return [parse_card(word if len(word) == 2 else word + "c") for word in text.split()]


def counts_of(text: str) -> list[int]:
    """The 52 counts of a shoe."""
    counter = Counter(cards_of(text))
    return [counter[card] for card in CARDS]


def tiny_game(**fields: str) -> Game:
    """Blackjack with rule fields set from text, dots written as two underscores."""
    game = BLACKJACK
    for name, text in fields.items():
        game = game.with_rule(name.replace("__", "."), text)
    return game


def dealt(game: Game) -> Round:
    return Round.begin(game.at_table(), "table", [SpotBets(1, (("main", BET),))])


def drawn(shoe: Counter[Card]) -> Iterator[tuple[Card, Fraction, Counter[Card]]]:
    """Each card that may come next, its chance, and the shoe without it."""
    total = sum(shoe.values())
    assert total, "the shoe has run out: this shoe is too small to test with"
    for card, count in shoe.items():
        if count:
            yield card, Fraction(count, total), shoe - Counter([card])


def walk(game: Game, shoe: str, pick: Pick) -> Means:
    """The means over all orders of a shoe when `pick` chooses."""

    net = stake = Fraction(0)
    results: dict[float, Fraction] = {}

    def go(state: Round, left: Counter[Card], weight: Fraction) -> None:
        nonlocal net, stake
        match state.wants:
            case CardFor():
                for card, chance, rest in drawn(left):
                    go(state.give(card), rest, weight * chance)
            case ChoiceFor():
                go(state.give(pick(state)), left, weight)
            case _:
                felt = state.state.felt
                result = Fraction(felt.paid - felt.staked, BET)
                net += weight * result
                stake += weight * Fraction(felt.staked, BET)
                results[float(result)] = results.get(float(result), Fraction(0)) + weight

    go(dealt(game), Counter(cards_of(shoe)), Fraction(1))
    return Means(net, stake, results)


def planned(plan: Plan, *, insured: bool = False) -> Pick:
    """Choose as a plan says; insurance and even money always or never."""

    def pick(state: Round) -> ChoiceName:
        offered = [choice.choice for choice in state.choices]
        for name in ("insurance", "even_money"):
            if name in offered:
                return offered[0] if insured else offered[1]
        want = state.wants
        assert isinstance(want, ChoiceFor)
        held = state.state.felt.hand(want.spot, want.hand)
        up = state.state.felt.dealer[0].value - 1
        if "split" in offered and plan.split[held.cards[0].value - 1, up]:
            return "split"
        number = compositions.number_of(card.value - 1 for card in held.cards)
        chosen = CHOICES[plan.choice(number, up, origin(held), held.hand.doubled)]
        assert chosen in offered, f"{chosen} of {offered}"
        return chosen

    return pick


def origin(held: HeldHand) -> int:
    if held.hand.split_aces:
        return SPLIT_ACES
    return SPLIT if held.hand.from_split else FIRST


Alike = list[tuple[Round, Counter[Card], Fraction]]
"""Rounds that look alike to the player, with their shoes and weights."""


def best_response(game: Game, shoe: str) -> Fraction:
    """The most that any play wins per initial bet, whatever it remembers of its own cards;
    insurance and even money declined.

    Rounds that look alike to the player are walked together: they differ in the hole card alone.
    """
    return _best([(dealt(game), Counter(cards_of(shoe)), Fraction(1))])


def _best(alike: Alike) -> Fraction:
    state = alike[0][0]
    match state.wants:
        case CardFor(spot):
            # What the dealer gets after the first card is not seen before the player is done.
            hidden = spot == 0 and bool(state.state.felt.dealer)
            shown: dict[Card | None, Alike] = {}
            for each, left, weight in alike:
                for card, chance, rest in drawn(left):
                    after = (each.give(card), rest, weight * chance)
                    shown.setdefault(None if hidden else card, []).append(after)
            return sum(map(_apart, shown.values()), Fraction(0))
        case ChoiceFor():
            offered = [choice.choice for choice in state.choices]
            declined = [name for name in offered if name in ("no_insurance", "no_even_money")]
            return max(
                _apart([(each.give(choice), left, weight) for each, left, weight in alike])
                for choice in declined or offered
            )
        case _:
            felts = [(each.state.felt, weight) for each, _, weight in alike]
            return sum(
                (weight * Fraction(felt.paid - felt.staked, BET) for felt, weight in felts),
                Fraction(0),
            )


def _apart(alike: Alike) -> Fraction:
    """Rounds that have just become different to the player: by what they want next."""
    groups: dict[object, Alike] = {}
    for item in alike:
        groups.setdefault(type(item[0].state), []).append(item)
    return sum(map(_best, groups.values()), Fraction(0))
