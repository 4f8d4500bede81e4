"""A starting shoe as the counts of its 52 cards, by `Card.number`: any multiset of cards."""

from __future__ import annotations

from collections.abc import Iterable

from upcard.cards import CARDS, CARDS_PER_DECK, Card
from upcard.refused import Refused

Shoe = tuple[int, ...]
"""How often each of the 52 cards is in it."""
VALUES = range(1, 11)
"""What cards count, an ace 1."""


def full(decks: int) -> Shoe:
    """So many whole decks."""
    return (decks,) * CARDS_PER_DECK


def of(cards: Iterable[Card]) -> Shoe:
    """The shoe of exactly these cards."""
    counts = [0] * CARDS_PER_DECK
    for card in cards:
        counts[card.number] += 1
    return tuple(counts)


def less(shoe: Shoe, cards: Iterable[Card]) -> Shoe:
    """The shoe without these cards. Raises Refused (`field`) for a card it does not hold."""
    left = list(shoe)
    for card in cards:
        if left[card.number] == 0:
            had = shoe[card.number]
            raise Refused("field", f"{card} cannot be; this shoe holds {had} of it, no more.")
        left[card.number] -= 1
    return tuple(left)


def by_value(shoe: Shoe) -> tuple[int, ...]:
    """How many cards count 1, 2 ... 10; the first is the aces."""
    counts = [0] * len(VALUES)
    for card, count in zip(CARDS, shoe, strict=True):
        counts[card.value - 1] += count
    return tuple(counts)


def check_size(shoe: Shoe, cards_min: int) -> None:
    """Raises Refused (`field`) for a shoe of fewer cards than a round may need."""
    assert len(shoe) == CARDS_PER_DECK, f"a shoe has {CARDS_PER_DECK} counts, not {len(shoe)}"
    assert min(shoe) >= 0, f"a shoe has no fewer than no card: {shoe}"
    if sum(shoe) < cards_min:
        raise Refused(
            "field", f"a shoe of {sum(shoe)} cards is too small; at least {cards_min} are needed."
        )
