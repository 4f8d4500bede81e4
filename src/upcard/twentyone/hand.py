"""The only home of a hand rule: pure functions of a small value that can be enumerated.

A `Hand` is what the rules may know of some cards: the hard total, whether an ace is among them,
how many they are, and how the hand came to be. Suits matter for a suited natural alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Literal, NamedTuple

from upcard.cards import SUIT_NAMES, Card
from upcard.money import Odds
from upcard.table import ChoiceName
from upcard.twentyone.rules import BEST_TOTAL, Rules

ACE_EXTRA = 10
"""An ace that counts 11 counts this much more than its hard 1."""
BEST_HARD_OF_SOFT = BEST_TOTAL - ACE_EXTRA
DEALER_STANDS_FROM = 17
EVEN = Odds(1)


class Hand(NamedTuple):
    """`hard` counts every ace as 1. `split_aces`: an ace that was split, with what it then got."""

    hard: int = 0
    ace: bool = False
    cards: int = 0
    doubled: bool = False
    from_split: bool = False
    split_aces: bool = False

    @property
    def soft(self) -> bool:
        """Whether an ace counts 11."""
        return self.ace and self.hard <= BEST_HARD_OF_SOFT

    @property
    def total(self) -> int:
        hard = self.hard
        return hard + ACE_EXTRA if self.ace and hard <= BEST_HARD_OF_SOFT else hard

    @property
    def bust(self) -> bool:
        return self.hard > BEST_TOTAL

    def plus(self, value: int) -> Hand:
        """The hand with one more card of this value, an ace 1."""
        hard, ace, cards, doubled, from_split, split_aces = self
        return Hand(hard + value, ace or value == 1, cards + 1, doubled, from_split, split_aces)


NOTHING = Hand()


def hand_of(cards: Iterable[Card], start: Hand = NOTHING) -> Hand:
    """The hand that some cards make, added to `start`."""
    for card in cards:
        start = start.plus(card.value)
    return start


def is_natural(hand: Hand) -> bool:
    """An ace and a ten-value card as the first two, never after a split (T-04, T-66, A-03)."""
    return hand.cards == 2 and hand.total == BEST_TOTAL and not hand.from_split


def natural_odds(rules: Rules, suit: str | None) -> Odds:
    """What a natural pays; `suit` is the one that both its cards have, or None."""
    if rules.natural_suited and rules.natural_suited.suit == suit:
        return rules.natural_suited.odds
    return rules.natural


def common_suit(cards: Iterable[Card]) -> str | None:
    """The name of the one suit of all cards, or None."""
    suits = {card.suit for card in cards}
    return SUIT_NAMES[suits.pop()] if len(suits) == 1 else None


def dealer_draws(rules: Rules, hand: Hand) -> bool:
    """Whether the dealer takes another card (T-06, S-02, A-02)."""
    if hand.total == DEALER_STANDS_FROM and hand.soft:
        return rules.dealer_hits_soft_17
    return hand.total < DEALER_STANDS_FROM


def may_hide_natural(up: Card) -> bool:
    """Whether a dealer who shows this card peeks: an ace or a ten-value card (G-03)."""
    return up.is_ace or up.is_ten


def auto_win(rules: Rules, hand: Hand) -> Odds | None:
    """The best odds at which the hand wins at once, doubled and bust hands never (S-09, S-10)."""
    if hand.doubled or hand.bust:
        return None
    fitting = [
        win.odds
        for win in rules.auto_wins
        if hand.cards >= win.cards and win.total in (None, hand.total)
    ]
    return max(fitting, key=lambda odds: Fraction(odds.won, odds.staked), default=None)


def options(rules: Rules, hand: Hand, *, pair: bool, hands: int) -> tuple[ChoiceName, ...]:
    """What a hand in play may do, whatever it costs.

    `pair`: it is two cards of equal value; `hands`: how many the spot has now. A hand that may
    only stand is not asked: it stands by itself. A natural never comes here (G-05).
    """
    if hand.doubled:
        rescued = rules.double.rescue and hand.total != BEST_TOTAL
        return ("stand", "rescue") if rescued else ("stand",)
    if hand.total == BEST_TOTAL and (rules.stands_on_21 == "any" or not hand.soft):
        return ("stand",)
    played = not hand.split_aces or rules.split.aces != "stand"
    allowed: list[ChoiceName] = ["hit", "stand"] if played else ["stand"]
    if _may_double(rules, hand):
        allowed.append("double")
    if pair and _may_split(rules, hand, hands):
        allowed.append("split")
    if played and _may_surrender(rules, hand):
        allowed.append("surrender")
    return tuple(allowed)


def _may_double(rules: Rules, hand: Hand) -> bool:
    double = rules.double
    return (
        (double.cards == "any" or hand.cards == 2)
        and (double.totals is None or (hand.total in double.totals and not hand.soft))
        and (double.after_split or not hand.from_split)
        and (not hand.split_aces or rules.split.aces == "double")
    )


def _may_split(rules: Rules, hand: Hand, hands: int) -> bool:
    return (
        hand.cards == 2
        and hands < rules.split.hands_max
        and (not hand.split_aces or rules.split.resplit_aces)
    )


def _may_surrender(rules: Rules, hand: Hand) -> bool:
    if rules.surrender == "first":
        return hand.cards == 2 and not hand.from_split
    return rules.surrender == "any"


def warning(choice: ChoiceName, hand: Hand) -> str | None:
    """A sentence for a choice that is rarely meant, for those who asked to be warned (T-53)."""
    total, soft = hand.total, hand.soft
    match choice:
        case "hit":
            unwise = total >= (19 if soft else 17)
        case "stand":
            unwise = total <= (17 if soft else 11)
        case "double":
            unwise = total >= (19 if soft else 12)
        case _:
            unwise = False
    if hand.doubled or not unwise:
        return None
    return f"{choice.capitalize()} on {'soft' if soft else 'hard'} {total}?"


Result = Literal["win", "push", "lose"]


def compare(hand: Hand, dealer: Hand) -> Result:
    """A hand that stood against the dealer's finished hand (T-28, S-16, A-13).

    A dealer natural beats every other 21; a player's own natural is settled by `meet_naturals`.
    """
    if dealer.bust:
        return "win"
    if is_natural(dealer) or hand.total < dealer.total:
        return "lose"
    return "push" if hand.total == dealer.total else "win"


def natural_result(rules: Rules, *, dealer_natural: bool) -> Result:
    """What becomes of a player's natural once the dealer is known (T-28, T-70, S-05, A-13)."""
    return "push" if dealer_natural and not rules.natural_wins_always else "win"
