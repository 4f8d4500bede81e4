"""The provably fair shuffle, protocol `upcard/1`: the only randomness of live play.

The house draws a server seed and shows its SHA-256, the commit, before it is told a client seed.
Both seeds and the number of the round fix the order of the shoe, so that the seed, shown when the
round is settled, lets anybody deal it again. `docs/fairness.md` explains the protocol to players,
`docs/verify_shuffle.py` is the same thing written a second time.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import struct
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import count, islice
from typing import Final, overload

from upcard.cards import CARDS, CARDS_PER_DECK, Card, numbered
from upcard.refused import Refused

PROTOCOL = "upcard/1"
SERVER_SEED_BYTES = 64
CLIENT_SEED_CHARACTERS_MAX = 64
DECKS_MAX = 8
WORD_VALUES = 2**16
COMMITS_KEPT = 16_384
"""A seed is committed to before its bet and in every answer of its round."""

_CLIENT_SEED = re.compile(rf"[A-Za-z0-9_-]{{1,{CLIENT_SEED_CHARACTERS_MAX}}}")
_SERVER_SEED = re.compile(rf"[0-9A-Fa-f]{{{2 * SERVER_SEED_BYTES}}}")


class Shoe(Sequence[Card]):
    """The cards of one round in the order in which they are dealt.

    A sequence of `52 * decks` cards; a slice is a tuple. Only what is asked for is shuffled, and it
    is remembered: the first twelve cards of eight decks cost one HMAC. `commit` is the one shown
    before the bet. `nonce` is the player's round count in this game, from 1; `decks` is 1 to 8.
    Raises Refused (`field`) if a seed, the nonce or the number of decks is none of the protocol.
    """

    # The seed stays out of the instance's printed form: no log may give away a running round.
    __slots__ = ("_ahead", "_dealt", "_places", "commit")

    def __init__(self, server_seed: bytes, client_seed: str, nonce: int, decks: int) -> None:
        self.commit: Final = commit(server_seed)
        check_client_seed(client_seed)
        if nonce < 1:
            raise Refused("field", f"The nonce counts rounds from 1, it cannot be {nonce}.")
        if not 1 <= decks <= DECKS_MAX:
            raise Refused("field", f"A shoe has 1 to {DECKS_MAX} decks, it cannot have {decks}.")
        self._places = range(CARDS_PER_DECK * decks)
        self._ahead = shuffled(len(self._places), words(server_seed, client_seed, nonce))
        self._dealt: list[Card] = []

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> Card: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Card, ...]: ...
    def __getitem__(self, place: int | slice) -> Card | tuple[Card, ...]:
        if isinstance(place, slice):
            places = self._places[place]
            self._deal(max(places, default=-1) + 1)
            return tuple(self._dealt[p] for p in places)
        place = self._places[place]  # a place from the end becomes one from the start
        dealt = self._dealt
        if place == len(dealt):  # as a round deals
            card = CARDS[next(self._ahead) % CARDS_PER_DECK]
            dealt.append(card)
            return card
        self._deal(place + 1)
        return dealt[place]

    def _deal(self, cards: int) -> None:
        """See to it that at least `cards` cards are known."""
        missing = cards - len(self._dealt)
        if missing > 0:
            self._dealt.extend(map(numbered, islice(self._ahead, missing)))


def shuffled(size: int, words: Iterator[int], word_values: int = WORD_VALUES) -> Iterator[int]:
    """The numbers 0 ... size-1 in shuffled order (Fisher-Yates from the front), each when asked.

    `words` are independent and uniform over `range(word_values)`; `1 <= size <= word_values`. They
    are taken one at a time, none before it is needed. A source that runs dry is a RuntimeError.
    """
    assert 1 <= size <= word_values, (size, word_values)
    order = list(range(size))
    for place in range(size):
        left = size - place
        # The words from `limit` on are too few to go round all the cards left: they would favour
        # the first of these, so they are passed over.
        limit = word_values - word_values % left
        word = next(words)
        while word >= limit:
            word = next(words)
        chosen = place + word % left
        order[place], order[chosen] = order[chosen], order[place]
        yield order[place]


def words(server_seed: bytes, client_seed: str, nonce: int) -> Iterator[int]:
    """The endless 16-bit words of a round. A block is computed when its first word is asked for."""
    for number in count():
        yield from struct.unpack(">16H", block(server_seed, client_seed, nonce, number))


def block(server_seed: bytes, client_seed: str, nonce: int, number: int) -> bytes:
    """The 32 bytes of block `number`, from 0. `Shoe` has checked the other arguments."""
    message = f"{PROTOCOL}|{client_seed}|{nonce}|{number}"
    return hmac.digest(server_seed, message.encode("ascii"), "sha256")


@lru_cache(maxsize=COMMITS_KEPT)
def commit(server_seed: bytes) -> str:
    """What the house shows before the bet: SHA-256 of the seed, 64 small hex digits.

    Raises Refused (`field`) unless the seed has 64 bytes.
    """
    if len(server_seed) != SERVER_SEED_BYTES:
        raise Refused(
            "field",
            f"A server seed has {SERVER_SEED_BYTES} bytes, this one has {len(server_seed)}.",
        )
    return hashlib.sha256(server_seed).hexdigest()


def new_server_seed(entropy: Callable[[int], bytes] = secrets.token_bytes) -> bytes:
    """A fresh server seed. `entropy` is asked once, for 64 bytes, and knows nothing of any bet."""
    seed = entropy(SERVER_SEED_BYTES)
    assert len(seed) == SERVER_SEED_BYTES, len(seed)
    return seed


def parse_server_seed(text: str) -> bytes:
    """128 hex digits, small or capital → the seed. Raises Refused (`field`)."""
    # bytes.fromhex alone would also take spaces. The text is not repeated: it may be a secret.
    if not _SERVER_SEED.fullmatch(text):
        raise Refused(
            "field",
            f"A server seed is {SERVER_SEED_BYTES} bytes, {2 * SERVER_SEED_BYTES} hex digits.",
        )
    return bytes.fromhex(text)


def check_client_seed(text: str) -> None:
    """Raises Refused (`field`) unless the text is 1 to 64 characters of `A-Z a-z 0-9 _ -`."""
    if not _CLIENT_SEED.fullmatch(text):
        raise Refused(
            "field",
            f"A client seed is 1 to {CLIENT_SEED_CHARACTERS_MAX} characters"
            " out of A-Z, a-z, 0-9, _ and -.",
        )
