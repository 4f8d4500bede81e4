"""A card, a deck, and their text both ways.

A card is written rank first, suit second: `Th` is the ten of hearts. Cards are numbered as the
shuffle protocol numbers them: `number = suit * 13 + rank`, rank 0 the ace ... 12 the king, suits
clubs, diamonds, hearts, spades.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from upcard.refused import Refused

RANKS = "A23456789TJQK"
SUITS = "cdhs"
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
_VALUES: tuple[int, ...] = (*range(1, 10), *4 * [10])
CARDS_PER_DECK = len(RANKS) * len(SUITS)


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card. `rank` counts from 0 (ace) to 12 (king), `suit` from 0 (clubs) to 3 (spades).

    `value` is what it counts at the table, an ace 1 (G-01); `text` is its text.
    """

    rank: int
    suit: int
    value: int = field(init=False, repr=False, compare=False)
    text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", _VALUES[self.rank])
        object.__setattr__(self, "text", RANKS[self.rank] + SUITS[self.suit])

    @property
    def number(self) -> int:
        return self.suit * len(RANKS) + self.rank

    @property
    def is_ace(self) -> bool:
        return self.rank == 0

    @property
    def is_ten(self) -> bool:
        """Whether the card is a ten, jack, queen or king."""
        return self.value == 10

    def __str__(self) -> str:
        return self.text


CARDS = tuple(Card(number % len(RANKS), number // len(RANKS)) for number in range(CARDS_PER_DECK))
_BY_TEXT = {str(card): card for card in CARDS}


def numbered(number: int) -> Card:
    """Card `number` of any number of decks: numbers 52 apart are the same card."""
    return CARDS[number % CARDS_PER_DECK]


def parse_card(text: str) -> Card:
    """`Th` → the ten of hearts. Raises Refused (`field`)."""
    card = _BY_TEXT.get(text)
    if card is None:
        raise Refused(
            "field",
            f"{text!r} is no card; a card is a rank of {RANKS} and a suit of {SUITS}, like Th.",
        )
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards separated by spaces. Raises Refused (`field`)."""
    return tuple(parse_card(word) for word in text.split())


def print_cards(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))
