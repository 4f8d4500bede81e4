"""Passwords: Argon2id in threads of its own, two at once, the same work for names nobody has."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY

from upcard.refused import Refused

T = TypeVar("T")

AT_ONCE = 2
"""Each takes 64 MiB and some tens of milliseconds."""
WAITING_MAX = 16
"""More are told to come again, so that nobody can make all others wait."""
CHARACTERS_MIN, CHARACTERS_MAX = 10, 128
NOBODY = "nobody has this password"


class Passwords:
    """Hashes and checks passwords away from the event loop."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY)
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="upcard-password")
        self._waiting = 0
        self._nobody: str | None = None

    async def hashed(self, password: str) -> str:
        """The text to keep: algorithm, cost, salt and hash. Raises Refused (`unavailable`)."""
        return await self._elsewhere(partial(self._hasher.hash, _plain(password)))

    async def fit(self, stored: str | None, password: str) -> bool:
        """Whether the password is the one kept; None is nobody's, and costs the same to refuse.

        Raises Refused (`unavailable`).
        """
        if self._nobody is None:
            self._nobody = await self.hashed(NOBODY)
        fits = await self._elsewhere(
            partial(self._verified, stored or self._nobody, _plain(password))
        )
        return fits and stored is not None

    def is_outdated(self, stored: str) -> bool:
        """Whether the hash is of another cost than new ones are."""
        return self._hasher.check_needs_rehash(stored)

    def _verified(self, stored: str, password: str) -> bool:
        try:
            return self._hasher.verify(stored, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _elsewhere(self, work: Callable[[], T]) -> T:
        if self._waiting >= WAITING_MAX:
            raise Refused("unavailable", "Many people sign in right now; try again in a moment.")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def check_new(password: str, name: str) -> None:
    """Raises Refused (`field`) for a password that nobody should have."""
    if not CHARACTERS_MIN <= len(_plain(password)) <= CHARACTERS_MAX:
        raise Refused(
            "field", f"A password has {CHARACTERS_MIN} to {CHARACTERS_MAX} characters, any at all."
        )
    if name.casefold() in password.casefold():
        raise Refused("field", "A password must not contain the name it belongs to.")


def _plain(password: str) -> str:
    """The same characters, however a keyboard composed them."""
    return unicodedata.normalize("NFKC", password)
