"""The shuffle is protocol upcard/1 to the letter: it deals the three published shoes.

The published vectors were computed before this code and apart from it. The blocks are OpenSSL's,
by the command that `docs/fairness.md` shows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import islice

import pytest

from upcard import fair
from upcard.cards import numbered, print_cards
from upcard.fair import Shoe

SEED = bytes(range(64))

VECTORS = pytest.mark.parametrize(
    ("client_seed", "nonce", "decks", "first_cards", "whole_shoe"),
    [
        (
            "player-seed_1",
            7,
            8,
            "Th 2h 7c Ts Qh 7d 4d 7d 2c Kc 6c 3c Ad Jc 2c 8c 2h Qh Qc Tc",
            "50002b2cce8513e013b7db88669f7f3973d602eae88690de3fa122279d5426ea",
        ),
        # The only vector with words to pass over: 65,487 at 264 cards left, 65,479 at 215.
        (
            "player-seed_1",
            8,
            6,
            "Th 7s 6h 2h Td 4d 5d 3d 6c Ac Jc 6d 3d 5c 9c 5c 9d Qc 4c Kc",
            "dbc0fdbc2b0ca87a46323b61bff78f15533f88988b0535e47432a2ca56496333",
        ),
        (
            "a",
            1,
            1,
            "Qc 3s 6h 7d 5d Ac Kc 2c 2h Ad 8s 4s 7c 9c As 9s Qh 9h 6d 5c",
            "6e5854a848a0e9406b42848bec1ac09aec48a9196af45ebf40b1aaae871be9a8",
        ),
    ],
)


@VECTORS
def test_published_first_cards(
    client_seed: str, nonce: int, decks: int, first_cards: str, whole_shoe: str
) -> None:
    assert print_cards(Shoe(SEED, client_seed, nonce, decks)[:20]) == first_cards


@VECTORS
def test_published_whole_shoe(
    client_seed: str, nonce: int, decks: int, first_cards: str, whole_shoe: str
) -> None:
    """The vector hashes the card numbers 0 ... 52 * decks - 1 as 16-bit big-endian words."""
    numbers = list(fair.shuffled(52 * decks, fair.words(SEED, client_seed, nonce)))
    as_bytes = b"".join(number.to_bytes(2, "big") for number in numbers)
    assert hashlib.sha256(as_bytes).hexdigest() == whole_shoe
    assert tuple(Shoe(SEED, client_seed, nonce, decks)) == tuple(map(numbered, numbers))


def test_published_commit() -> None:
    published = "fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108"
    assert fair.commit(SEED) == published
    assert Shoe(SEED, "a", 1, 1).commit == published


def test_commit_is_sha256() -> None:
    """64 zero bytes: the well-known lowest node of Ethereum's deposit tree."""
    known = "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"
    assert fair.commit(bytes(64)) == known


@pytest.mark.parametrize(
    ("client_seed", "nonce", "number", "openssl"),
    [
        ("a", 1, 0, "0da75fc82c0f0a97e52d192d655e99f1c00fa87daeb4263dedf8935f8351e55a"),
        ("a", 1, 1, "fb61ec9757646c156dcc0284847157956ec27faac5188d9b2fc134fba72c30b6"),
        ("player-seed_1", 7, 0, "82235deda6caf83a018de73e0e12850f17b544c8bfb7424003011e1a9f91eb22"),
        ("player-seed_1", 8, 3, "ffcf6e3e2c45227ac4fbab00dbd5faf6eb067f35d32eaf5d2a5e5eeef55ba913"),
        ("player-seed_1", 8, 6, "1667e4a9ffc738153f71008694d486c2ad78e1228bf46ac90b33c0a49171e1e6"),
    ],
)
def test_blocks_of_openssl(client_seed: str, nonce: int, number: int, openssl: str) -> None:
    """Protocol upcard/1 step 3: HMAC-SHA256, and 16 big-endian words in order."""
    assert fair.block(SEED, client_seed, nonce, number).hex() == openssl
    words = islice(fair.words(SEED, client_seed, nonce), 16 * number, 16 * number + 16)
    assert [f"{word:04x}" for word in words] == [openssl[i : i + 4] for i in range(0, 64, 4)]


def test_words_passed_over_in_the_second_vector() -> None:
    """Words 48 and 98 (block 3 word 0, block 6 word 2) are at or above their limits.

    0xffcf = 65,487 >= 65,472 = 264 * 248 and 0xffc7 = 65,479 >= 65,360 = 215 * 304, so that the 312
    cards take 314 words.
    """
    taken = 0

    def counted() -> Iterator[int]:
        nonlocal taken
        for word in fair.words(SEED, "player-seed_1", 8):
            taken += 1
            yield word

    cards = fair.shuffled(312, counted())
    seen = []
    for _ in cards:
        seen.append(taken)
    assert seen[47] == 48
    assert seen[48] == 50
    assert seen[96] == 98
    assert seen[97] == 100
    assert seen[311] == 314
