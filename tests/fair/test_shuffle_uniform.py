"""Every order of the cards is exactly equally likely, given uniform words (protocol step 4).

Proved by counting, not by sampling. Small decks are shuffled with every possible tuple of words
from a small range and each order must come up exactly as often as worked out by hand; the real
range of 65,536 words is enumerated for the first card and probed at the edge of the limit for every
place of eight decks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice, permutations, product, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upcard.fair import shuffled


def orders(size: int, word_values: int, length: int) -> Iterator[tuple[int, ...] | None]:
    """The order made by each tuple of `length` words, None where they did not suffice."""
    for words in product(range(word_values), repeat=length):
        try:
            yield tuple(shuffled(size, iter(words), word_values))
        except RuntimeError:
            yield None


@pytest.mark.parametrize(
    ("size", "word_values", "length", "each", "short"),
    [
        # Words go round evenly, none is passed over: 2 * 2 tuples / 2 orders.
        (2, 2, 2, 2, 0),
        # Limits 2, 3: 2 * 3 / 2.
        (2, 3, 2, 3, 3),
        # Limits 3, 4, 4: 48 tuples of three words, each with 4 fourth words, and 1 * 48 that pass
        # one over: 240 / 6.
        (3, 4, 4, 40, 16),
        # Limits 3, 4, 5: 60 * 5 + 60 * (2 + 1) = 480, / 6.
        (3, 5, 4, 80, 145),
        # Limits 4, 3, 4, 4: 192 / 24.
        (4, 4, 4, 8, 64),
        # Limits 4, 6, 6, 7: 1,008 * 7 + 1,008 * (3 + 1 + 1) = 12,096, / 24.
        (4, 7, 5, 504, 4_711),
        # Limits 5, 4, 6, 6, 6: 4,320 * 6 + 4,320 * (1 + 2) = 38,880, / 120.
        (5, 6, 6, 324, 7_776),
    ],
)
def test_every_order_equally_often(
    size: int, word_values: int, length: int, each: int, short: int
) -> None:
    counts = Counter(orders(size, word_values, length))
    assert counts.pop(None, 0) == short
    assert counts == dict.fromkeys(permutations(range(size)), each)


@pytest.mark.parametrize(
    ("size", "each", "passed_over"),
    [
        (52, 1_260, 16),  # 65,536 = 52 * 1,260 + 16
        (312, 210, 16),  # 65,536 = 312 * 210 + 16
        (416, 157, 224),  # 65,536 = 416 * 157 + 224
    ],
)
def test_first_card_over_all_words(size: int, each: int, passed_over: int) -> None:
    """Of all 65,536 words the same number gives each card, the rest gives none."""

    def first_card(word: int) -> int | None:
        try:
            return next(shuffled(size, iter([word])))
        except RuntimeError:
            return None

    counts = Counter(map(first_card, range(65_536)))
    assert counts.pop(None) == passed_over
    assert counts == dict.fromkeys(range(size), each)


@pytest.mark.parametrize("place", range(416))
def test_limit_at_every_place(place: int) -> None:
    """Protocol step 4: a word is taken when it is below the largest multiple of the cards left."""
    left = 416 - place
    limit = max(multiple for multiple in range(65_536 - left + 1, 65_537) if multiple % left == 0)
    stay = [0] * place  # word 0 leaves the card where it is

    last_taken = list(islice(shuffled(416, iter([*stay, limit - 1])), place + 1))
    assert last_taken == [*range(place), 415]

    passed_over = range(limit, 65_536)
    words = iter([*stay, *passed_over, 0, 1_000])
    assert list(islice(shuffled(416, words), place + 1)) == [*range(place + 1)]
    assert next(words) == 1_000


def test_largest_word_never_gives_card_52() -> None:
    """The fault of a system which scaled a hash of ffffffff to a deck of 52 and dealt card 52.

    At 52 cards left it is passed over, for 65,536 = 52 * 1,260 + 16.
    """
    words = chain(repeat(0xFFFF, 1_000), repeat(0))
    dealt = list(shuffled(52, words))
    assert sorted(dealt) == [*range(52)]
    assert next(shuffled(64, repeat(0xFFFF))) == 63  # 65,536 = 64 * 1,024: here it is fair


@given(size=st.integers(1, 416), words=st.lists(st.integers(0, 65_535), max_size=450))
def test_any_words_give_each_card_once(size: int, words: list[int]) -> None:
    """Theorem: exchanging two places of a list keeps what is in it."""
    assert sorted(shuffled(size, chain(words, repeat(0)))) == [*range(size)]


@given(
    size=st.integers(1, 60),
    words=st.lists(st.integers(0, 65_535), min_size=60, max_size=60),
    asked=st.integers(0, 60),
)
def test_a_prefix_is_the_beginning_of_the_whole(size: int, words: list[int], asked: int) -> None:
    """A card once dealt does not depend on the words that come after it."""
    whole = list(shuffled(size, chain(words, repeat(0))))
    assert list(islice(shuffled(size, chain(words, repeat(0))), asked)) == whole[:asked]


def test_words_that_run_dry() -> None:
    with pytest.raises(RuntimeError):
        list(shuffled(3, iter([0, 0])))


@pytest.mark.parametrize("size", [0, -1, 65_537])
def test_impossible_sizes(size: int) -> None:
    with pytest.raises(AssertionError):
        next(shuffled(size, repeat(0)))
