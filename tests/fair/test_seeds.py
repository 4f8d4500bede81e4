"""The two seeds: what a client seed may be, and that the house commits before it knows one.

Protocol upcard/1: step 1 says how a server seed is drawn and shown, step 2 what a client seed is.
"""

from __future__ import annotations

import inspect
import secrets

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upcard import fair
from upcard.refused import Refused

ALLOWED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
CLIENT_SEED_SENTENCE = "A client seed is 1 to 64 characters out of A-Z, a-z, 0-9, _ and -."
SERVER_SEED_SENTENCE = "A server seed is 64 bytes, 128 hex digits."


def answer(client_seed: str) -> str:
    try:
        fair.check_client_seed(client_seed)
    except Refused as refusal:
        return f"{refusal.code}: {refusal.sentence}"
    return "accepted"


def test_the_64_characters_of_a_client_seed() -> None:
    """Each character of the basic plane alone; letters and digits of other scripts are refused."""
    answers = {character: answer(character) for character in map(chr, range(0x10000))}
    accepted = [character for character in answers if answers[character] == "accepted"]
    assert accepted == sorted(ALLOWED)
    assert set(answers.values()) == {"accepted", f"field: {CLIENT_SEED_SENTENCE}"}


@pytest.mark.parametrize("length", [1, 2, 63, 64])
def test_lengths_that_are_allowed(length: int) -> None:
    assert answer("-" * length) == "accepted"


@pytest.mark.parametrize(
    "text",
    ["", "-" * 65, "a b", "a|1", "a\n", "\na", " a", "a\0", "é", "\N{ARABIC-INDIC DIGIT ONE}"],
)
def test_client_seeds_that_are_refused(text: str) -> None:
    assert answer(text) == f"field: {CLIENT_SEED_SENTENCE}"


def test_a_server_seed_is_64_bytes_of_the_entropy_given() -> None:
    """Protocol step 1: one draw, nothing added to it or taken from it."""
    asked: list[int] = []

    def entropy(size: int) -> bytes:
        asked.append(size)
        return bytes(range(100, 100 + size))

    assert fair.new_server_seed(entropy) == bytes(range(100, 164))
    assert asked == [64]


def test_a_server_seed_comes_from_the_system() -> None:
    parameters = inspect.signature(fair.new_server_seed).parameters
    assert parameters["entropy"].default is secrets.token_bytes
    assert len({fair.new_server_seed() for _ in range(100)}) == 100


@pytest.mark.parametrize("size", [0, 32, 63, 65])
def test_entropy_of_another_length_is_a_fault(size: int) -> None:
    with pytest.raises(AssertionError):
        fair.new_server_seed(lambda _: bytes(size))


def test_a_server_seed_is_drawn_without_any_bet() -> None:
    """The fault of a system which drew the server seed when it knew the client's."""
    assert list(inspect.signature(fair.new_server_seed).parameters) == ["entropy"]
    assert list(inspect.signature(fair.commit).parameters) == ["server_seed"]


@given(
    client_seed=st.text(ALLOWED, min_size=1, max_size=64),
    nonce=st.integers(1, 2**63),
    decks=st.integers(1, 8),
)
def test_the_commit_shown_before_holds_for_every_bet(
    client_seed: str, nonce: int, decks: int
) -> None:
    server_seed = fair.new_server_seed()
    shown = fair.commit(server_seed)
    assert fair.Shoe(server_seed, client_seed, nonce, decks).commit == shown


@given(seed=st.binary(min_size=64, max_size=64))
def test_a_server_seed_is_read_from_its_hex_digits(seed: bytes) -> None:
    assert fair.parse_server_seed(seed.hex()) == seed
    assert fair.parse_server_seed(seed.hex().upper()) == seed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0" * 126,
        "0" * 127,
        "0" * 129,
        "0" * 130,
        "0x" + "0" * 126,
        "0" * 127 + "g",
        "00 " * 63 + "00",
        "00" * 63 + " 0",
        "0" * 128 + "\n",
        "\N{FULLWIDTH DIGIT ZERO}" * 128,
    ],
)
def test_server_seeds_that_are_refused(text: str) -> None:
    """The sentence does not repeat the text: it may be a seed mistyped."""
    with pytest.raises(Refused) as refusal:
        fair.parse_server_seed(text)
    assert (refusal.value.code, refusal.value.sentence) == ("field", SERVER_SEED_SENTENCE)
