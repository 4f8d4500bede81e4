"""A session: a browser that is known by a secret token of 256 bits, kept as its hash alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from upcard.house.store import Session

TOKEN_BYTES = 32


def token_hash(token: str) -> str:
    """SHA-256, hex: a token is random enough that its hash cannot be turned back."""
    return hashlib.sha256(token.encode()).hexdigest()


def opened(entropy: Callable[[int], bytes], player: str, expires: int) -> tuple[Session, str]:
    """A new session of a player, and its token."""
    token = entropy(TOKEN_BYTES).hex()
    return Session(token_hash=token_hash(token), player=player, expires=expires), token
