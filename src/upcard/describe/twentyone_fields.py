"""A sentence for each rule field of drawing to 21.

Each function takes any `Rules` whatever and says what one field then means, also in combinations
that no game of the house uses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from upcard.describe.house import decks_sentence
from upcard.describe.words import counted, number, one_of
from upcard.twentyone.hand import ACE_EXTRA, DEALER_STANDS_FROM, EVEN
from upcard.twentyone.rules import BEST_TOTAL, AutoWin, Rules


def _decks(rules: Rules) -> str:
    return decks_sentence(rules.decks)


def _dealer_hits_soft_17(rules: Rules) -> str:
    limit = DEALER_STANDS_FROM
    if rules.dealer_hits_soft_17:
        return (
            f"The dealer hits every total up to {limit - 1} and a soft {limit} too, and stands on "
            f"a hard {limit} and on everything above."
        )
    return (
        f"The dealer hits every total up to {limit - 1} and stands on every {limit}, soft or "
        "hard, and on everything above."
    )


def _hole_card(rules: Rules) -> str:
    if rules.hole_card == "peek":
        return (
            "The dealer's second card, the hole card, lies face down; the dealer looks at it "
            "before you play whenever the face-up card is an ace or a ten-value card."
        )
    more = "doubles and splits" if rules.split.hands_max > 1 else "doubles"
    return (
        "There is no hole card: the dealer's second card is dealt when the dealer's turn comes. "
        "If it makes a natural, every hand still in play that is no natural loses all that lies "
        f"on it, {more} included."
    )


# Naturals and automatic wins


def _natural(rules: Rules) -> str:
    return f"A natural pays {rules.natural}."


def _natural_wins_always(rules: Rules) -> str:
    if rules.natural_wins_always:
        return "Your natural always wins, even if the dealer has a natural too."
    return "If the dealer has a natural too, yours is a push: the bet comes back."


def _natural_suited(rules: Rules) -> str:
    suited = rules.natural_suited
    if suited is None:
        return "The suits of a natural make no difference."
    return f"A natural of two {suited.suit} pays {suited.odds}."


def _auto_wins(rules: Rules) -> str:
    if not rules.auto_wins:
        return "No number of cards wins by itself."
    wins = one_of(f"with {auto_win_words(win)} ({win.odds})" for win in best_first(rules.auto_wins))
    best = " If several fit, the best pays." if len(rules.auto_wins) > 1 else ""
    return f"A hand that was not doubled wins at once {wins}.{best}"


def best_first(wins: tuple[AutoWin, ...]) -> list[AutoWin]:
    """Automatic wins from the highest odds down."""
    return sorted(wins, key=lambda win: -Fraction(win.odds.won, win.odds.staked))


def auto_win_words(win: AutoWin) -> str:
    """`21 in five cards or more`."""
    cards = f"{counted(win.cards, 'card')} or more"
    return f"{win.total} in {cards}" if win.total else f"{cards} not over {BEST_TOTAL}"


# Double


def _double_cards(rules: Rules) -> str:
    if rules.double.cards == "any":
        return "You may double on any number of cards, once on each hand."
    return "You may double on the first two cards of a hand, not after a third."


def _double_totals(rules: Rules) -> str:
    totals = rules.double.totals
    if totals is None:
        return "You may double on any total, soft or hard, that is still yours to play."
    return f"You may double on a hard {one_of(map(str, totals))} only, never on a soft hand."


def _double_after_split(rules: Rules) -> str:
    if not rules.double.after_split:
        return _if_split(rules, "A hand that comes from a split may not be doubled.")
    aces = "" if rules.split.aces == "double" else ", unless it is a split ace"
    return _if_split(rules, f"A hand that comes from a split may be doubled too{aces}.")


def _double_rescue(rules: Rules) -> str:
    if rules.double.rescue:
        return (
            "After a double you may rescue the hand before the dealer plays, if it is not bust: "
            "you lose the bet you added, the original bet comes back, and the hand is over."
        )
    return "Once doubled, a hand cannot be given up any more."


# Split


def _split_hands_max(rules: Rules) -> str:
    most = rules.split.hands_max
    if most == 1:
        return "Pairs are not split here: a spot has one hand."
    if most == 2:
        return f"You may split two cards of equal value once, into {number(most)} hands."
    return (
        "You may split two cards of equal value, and split again until the spot has "
        f"{number(most)} hands."
    )


def _split_aces(rules: Rules) -> str:
    return _if_split(rules, f"Each split ace is dealt one card and {_after_ace(rules)}.")


def _after_ace(rules: Rules) -> str:
    if rules.split.aces == "stand":
        again = rules.split.resplit_aces and rules.split.hands_max > 2
        unless = ", unless that card is an ace too and you split again"
        return f"then stands{unless if again else ''}"
    moves = ["hit"]
    if _aces_double(rules):
        moves.append("doubled")
    if rules.surrender == "any":
        moves.append("surrendered")
    return f"may then be {one_of([*moves, 'stood on'])}{_no_double_on_aces(rules)}"


def _aces_double(rules: Rules) -> bool:
    """Whether a split ace is ever doubled, seeing that it is hard from 12 on and with a third card.

    A list of totals is a list of hard ones.
    """
    double, ace_is_soft_to = rules.double, BEST_TOTAL - ACE_EXTRA
    hard_totals = double.cards == "any" and max(double.totals or (0,)) > ace_is_soft_to
    can = double.after_split and (double.totals is None or hard_totals)
    return can and rules.split.aces == "double"


def _no_double_on_aces(rules: Rules) -> str:
    if rules.split.aces == "hit":
        return ", but not doubled"
    return "" if _aces_double(rules) else "; the other rules for doubling leave none to double"


def _split_resplit_aces(rules: Rules) -> str:
    allowed, most = rules.split.resplit_aces, rules.split.hands_max
    if most == 2:
        return (
            "Split aces would split again like any pair, but two hands are the most here."
            if allowed
            else "Split aces are not split again."
        )
    return _if_split(
        rules,
        "A split ace that gets another ace may be split again like any pair."
        if allowed
        else "A split ace that gets another ace may not be split again.",
    )


def _if_split(rules: Rules, sentence: str) -> str:
    if rules.split.hands_max > 1:
        return sentence
    return f"This does not arise, as nothing is split here: {sentence[0].lower()}{sentence[1:]}"


# Surrender, insurance, 21


def _surrender(rules: Rules) -> str:
    returned = "comes back and the hand is over"
    if rules.surrender == "none":
        return "This game has no surrender."
    if rules.surrender == "first":
        split = ", not after a split" if rules.split.hands_max > 1 else ""
        return (
            "You may surrender as the very first decision on a spot's first two "
            f"cards{split}: half of the bet {returned}."
        )
    splits = rules.split.hands_max > 1
    alone = ", each hand of a split for itself" if splits else ""
    aces = ", except a split ace" if splits and rules.split.aces == "stand" else ""
    return (
        "You may surrender at any time before the hand stands, with any number of "
        f"cards{alone}{aces}: half of the bet on the hand {returned}."
    )


def _insurance(rules: Rules) -> str:
    return (
        "When the dealer shows an ace you may insure your main bet for exactly half of it. "
        f"Insurance pays {rules.insurance} if the dealer has a natural and is lost if not."
    )


def _even_money(rules: Rules) -> str:
    if not rules.even_money:
        return (
            "With a natural you are asked for insurance like with any other hand: it is a bet of "
            "its own beside the natural, and there is no even money to choose."
        )
    declined = (
        "it is paid in full whatever the dealer has"
        if rules.natural_wins_always
        else "it is paid in full if the dealer has none and pushes if the dealer has one"
    )
    return (
        "If you have a natural against an ace, you are offered even money instead of insurance. "
        f"Take it, and the natural is paid {EVEN} at once, whatever the dealer has; decline it, "
        f"and {declined}."
    )


def _stands_on_21(rules: Rules) -> str:
    if rules.stands_on_21 == "any":
        return f"A hand that makes {BEST_TOTAL}, soft or hard, stands by itself."
    return (
        f"A hand that makes a hard {BEST_TOTAL} stands by itself; a soft {BEST_TOTAL} that is no "
        "natural is still yours to play."
    )


FIELDS: Mapping[str, Callable[[Rules], str]] = {
    "decks": _decks,
    "dealer_hits_soft_17": _dealer_hits_soft_17,
    "hole_card": _hole_card,
    "natural": _natural,
    "natural_wins_always": _natural_wins_always,
    "natural_suited": _natural_suited,
    "auto_wins": _auto_wins,
    "double.cards": _double_cards,
    "double.totals": _double_totals,
    "double.after_split": _double_after_split,
    "double.rescue": _double_rescue,
    "split.hands_max": _split_hands_max,
    "split.aces": _split_aces,
    "split.resplit_aces": _split_resplit_aces,
    "surrender": _surrender,
    "insurance": _insurance,
    "even_money": _even_money,
    "stands_on_21": _stands_on_21,
}
