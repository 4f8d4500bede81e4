"""Hands as a person asks about them, `8 8` or `A Td`: ranks, with suits where they matter."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from upcard.cards import RANKS, SUITS, Card
from upcard.maths.shoe import VALUES, Shoe
from upcard.refused import Refused

VALUE_NAMES = "A23456789T"
"""What the values 1 to 10 are called; T is any ten-value card."""
_CARD = re.compile(rf"(10|[{RANKS}])([{SUITS}]?)")


@dataclass(frozen=True, slots=True)
class Named:
    """A card by its rank, and by its suit if that was said."""

    rank: int
    suit: int | None = None

    @property
    def value(self) -> int:
        return Card(self.rank, 0).value

    def __str__(self) -> str:
        return RANKS[self.rank] + ("" if self.suit is None else SUITS[self.suit])


def parse_named(text: str) -> Named:
    """`T`, `10` or `Th` → Named. Raises Refused (`field`)."""
    match = _CARD.fullmatch(text)
    if match is None:
        raise Refused(
            "field",
            f"{text!r} is no card; a card is A, 2 to 9, T (or 10), J, Q or K, with or without "
            f"a suit of {SUITS}.",
        )
    rank = "T" if match[1] == "10" else match[1]
    return Named(RANKS.index(rank), SUITS.index(match[2]) if match[2] else None)


def parse_hand(text: str, *, least: int, most: int | None = None) -> tuple[Named, ...]:
    """The cards of `--hand`, separated by spaces. Raises Refused (`field`)."""
    cards = tuple(parse_named(word) for word in text.split())
    if len(cards) < least or (most is not None and len(cards) > most):
        count = f"exactly {least}" if least == most else f"at least {least}"
        raise Refused("field", f"--hand {text!r} has {len(cards)} cards; it takes {count}.")
    return cards


def parse_up(text: str) -> Named:
    """The card of `--up`. Raises Refused (`field`)."""
    try:
        return parse_named(text.strip())
    except Refused as refused:
        raise Refused("field", f"--up: {refused.sentence}") from None


def check_held(shoe: Shoe, cards: Sequence[Named]) -> None:
    """Raises Refused (`field`) for more cards of a kind than the shoe holds."""
    ranks = Counter(card.rank for card in cards)
    for rank, asked in ranks.items():
        _check_count(RANKS[rank], asked, sum(shoe[rank :: len(RANKS)]))
    suited = Counter((card.rank, card.suit) for card in cards if card.suit is not None)
    for (rank, suit), asked in suited.items():
        card = Card(rank, suit)
        _check_count(str(card), asked, shoe[card.number])


def _check_count(name: str, asked: int, held: int) -> None:
    if asked > held:
        raise Refused(
            "field",
            f"--hand and --up take {asked} of {name} and this shoe holds {held}; "
            f"at most {held} can be asked for.",
        )


def names(values: Sequence[int]) -> str:
    """Values as text, an ace first, else the highest first: `A T 5`."""
    ordered = sorted(values, key=lambda value: -11 if value == VALUES[0] else -value)
    return " ".join(VALUE_NAMES[value - 1] for value in ordered)
