"""A shoe is its decks in one fixed order, computed no further than it was asked for.

Proves that it behaves as the tuple of its cards, that it holds each deck's cards exactly, that HMAC
blocks and words are spent only on cards asked for and only once, that every argument matters and
that what the protocol does not allow is refused in a sentence.
"""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upcard import fair
from upcard.cards import CARDS, print_cards
from upcard.fair import Shoe
from upcard.refused import Refused

SEED = bytes(range(64))
CLIENT_SEED_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

server_seeds = st.binary(min_size=64, max_size=64)
client_seeds = st.text(CLIENT_SEED_CHARACTERS, min_size=1, max_size=64)
nonces = st.integers(1, 2**63)
some_decks = st.integers(1, 8)

EIGHT_DECKS = tuple(Shoe(SEED, "player-seed_1", 7, 8))


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The message of each HMAC computed, in order."""
    seen: list[str] = []
    digest: Callable[[bytes, bytes, str], bytes] = hmac.digest

    def counted(key: bytes, message: bytes, name: str) -> bytes:
        seen.append(message.decode())
        return digest(key, message, name)

    monkeypatch.setattr(hmac, "digest", counted)
    return seen


@pytest.mark.parametrize(
    ("cards", "blocks"),
    [(1, 1), (12, 1), (16, 1), (17, 2), (32, 2), (33, 3), (415, 26), (416, 26)],
)
def test_blocks_are_computed_when_needed(messages: list[str], cards: int, blocks: int) -> None:
    """Protocol step 3: a block is 16 words. This published shoe passes no word over."""
    shoe = Shoe(SEED, "player-seed_1", 7, 8)
    assert shoe[cards - 1] == EIGHT_DECKS[cards - 1]
    assert messages == [f"upcard/1|player-seed_1|7|{i}" for i in range(blocks)]


def test_nothing_is_computed_before_a_card_is_asked_for(messages: list[str]) -> None:
    shoe = Shoe(SEED, "player-seed_1", 7, 8)
    assert len(shoe) == 416
    assert shoe.commit == "fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108"
    assert shoe[:0] == ()
    assert messages == []


def test_known_cards_cost_nothing(messages: list[str]) -> None:
    shoe = Shoe(SEED, "player-seed_1", 7, 8)
    assert shoe[:17] == shoe[:17] == EIGHT_DECKS[:17]
    assert [shoe[place] for place in (16, 0, 5)] == [EIGHT_DECKS[place] for place in (16, 0, 5)]
    assert len(messages) == 2


def test_iteration_stops_where_its_reader_stops(messages: list[str]) -> None:
    cards = iter(Shoe(SEED, "player-seed_1", 7, 8))
    assert print_cards([next(cards), next(cards)]) == "Th 2h"
    assert len(messages) == 1


def test_cards_are_shuffled_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words, and with them exchanges, are not spent on cards nobody asked for."""
    taken: list[int] = []
    words = fair.words

    def counted(server_seed: bytes, client_seed: str, nonce: int) -> Iterator[int]:
        for word in words(server_seed, client_seed, nonce):
            taken.append(word)
            yield word

    monkeypatch.setattr(fair, "words", counted)
    shoe = Shoe(SEED, "player-seed_1", 7, 8)
    assert print_cards(shoe[:3]) == "Th 2h 7c"
    assert len(taken) == 3
    assert str(shoe[11]) == "3c"
    assert len(taken) == 12


@pytest.mark.parametrize("decks", range(1, 9))
@settings(max_examples=10)
@given(server_seed=server_seeds, client_seed=client_seeds, nonce=nonces)
def test_a_shoe_is_its_decks(server_seed: bytes, client_seed: str, nonce: int, decks: int) -> None:
    """Protocol step 4: each of the 52 cards as often as there are decks (G-01)."""
    shoe = Shoe(server_seed, client_seed, nonce, decks)
    assert len(shoe) == 52 * decks
    assert Counter(shoe) == dict.fromkeys(CARDS, decks)


@pytest.mark.parametrize("decks", range(1, 9))
def test_blocks_of_ones_give_no_card_beyond_the_deck(
    monkeypatch: pytest.MonkeyPatch, decks: int
) -> None:
    """The fault 'ffffffff gives card 52': blocks of nothing but ones, then of nothing but zeros."""
    blocks = iter([b"\xff" * 32] * 100)
    monkeypatch.setattr(hmac, "digest", lambda *_: next(blocks, bytes(32)))
    assert Counter(Shoe(SEED, "a", 1, decks)) == dict.fromkeys(CARDS, decks)


@given(places=st.lists(st.integers(-416, 415), max_size=30))
def test_cards_in_any_order_of_asking(places: list[int]) -> None:
    shoe = Shoe(SEED, "player-seed_1", 7, 8)
    assert [shoe[place] for place in places] == [EIGHT_DECKS[place] for place in places]


@given(part=st.slices(416), other=st.slices(416))
def test_slices_are_those_of_the_tuple(part: slice, other: slice) -> None:
    shoe = Shoe(SEED, "player-seed_1", 7, 8)
    assert shoe[part] == EIGHT_DECKS[part]
    assert shoe[other] == EIGHT_DECKS[other]


@pytest.mark.parametrize("place", [52, 53, -53])
def test_no_card_beyond_the_last(place: int) -> None:
    with pytest.raises(IndexError):
        Shoe(SEED, "a", 1, 1)[place]


@pytest.mark.parametrize(
    "other",
    [
        Shoe(bytes(64), "player-seed_1", 7, 8),
        Shoe(bytes([*SEED[:63], 0]), "player-seed_1", 7, 8),
        Shoe(SEED, "player-seed_2", 7, 8),
        Shoe(SEED, "Player-seed_1", 7, 8),
        Shoe(SEED, "player-seed_1", 8, 8),
        Shoe(SEED, "player-seed_1", 77, 8),
        Shoe(SEED, "player-seed_1", 7, 7),
    ],
)
def test_every_argument_matters(other: Shoe) -> None:
    assert other[:20] != EIGHT_DECKS[:20]


def test_a_round_is_not_given_away_when_printed() -> None:
    """Protocol step 6: the seed is not shown before the settlement, so no log may hold it."""
    shoe = Shoe(SEED, "player-seed_1", 7, 8)
    assert len(shoe[:5]) == 5
    for text in (repr(shoe), str(shoe)):
        assert SEED.hex() not in text
        assert repr(SEED) not in text
        assert "rank" not in text


@pytest.mark.parametrize(
    ("server_seed", "client_seed", "nonce", "decks", "sentence"),
    [
        (SEED[:63], "a", 1, 1, "A server seed has 64 bytes, this one has 63."),
        (SEED + b"\0", "a", 1, 1, "A server seed has 64 bytes, this one has 65."),
        (b"", "a", 1, 1, "A server seed has 64 bytes, this one has 0."),
        (
            SEED,
            "a|2",
            1,
            1,
            "A client seed is 1 to 64 characters out of A-Z, a-z, 0-9, _ and -.",
        ),
        (SEED, "a", 0, 1, "The nonce counts rounds from 1, it cannot be 0."),
        (SEED, "a", -7, 1, "The nonce counts rounds from 1, it cannot be -7."),
        (SEED, "a", 1, 0, "A shoe has 1 to 8 decks, it cannot have 0."),
        (SEED, "a", 1, 9, "A shoe has 1 to 8 decks, it cannot have 9."),
        (SEED, "a", 1, -1, "A shoe has 1 to 8 decks, it cannot have -1."),
    ],
    ids=lambda value: f"{len(value)} bytes" if isinstance(value, bytes) else str(value),
)
def test_what_the_protocol_does_not_allow_is_refused(
    server_seed: bytes, client_seed: str, nonce: int, decks: int, sentence: str
) -> None:
    with pytest.raises(Refused) as refusal:
        Shoe(server_seed, client_seed, nonce, decks)
    assert refusal.value.code == "field"
    assert refusal.value.sentence == sentence
