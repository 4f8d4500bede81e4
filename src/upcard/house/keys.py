"""What a house signs with: an Ed25519 key in a file of its own, never in the database.

What is signed is a JSON object; the text that is signed is written by `signed_text` alone.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from upcard.house.files import OWNER_ALONE, sync_folder
from upcard.refused import Refused

ALGORITHM = "Ed25519"
ID_DIGITS = 16
KEY_BYTES_MAX = 10_000
"""No key is longer; a file that is has another purpose."""


class KeyRefused(Refused):
    """A file is not a key that a house may sign with."""

    def __init__(self, sentence: str) -> None:
        super().__init__("key", sentence)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicKey:
    """What others check signatures with, as hex, and since when (seconds since 1970, UTC)."""

    id: str
    algorithm: str
    public_key: str
    since: int

    @property
    def is_named_right(self) -> bool:
        """Whether the id is the one that this public key has."""
        try:
            return self.algorithm == ALGORITHM and self.id == key_id(self.public_key)
        except ValueError:  # no hex
            return False

    def signed(self, text: str, signature: str) -> bool:
        """Whether this key made a signature (hex) of a text."""
        try:
            key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(self.public_key))
            key.verify(bytes.fromhex(signature), text.encode())
        except (InvalidSignature, ValueError):
            return False
        return True


class SigningKey:
    """A private key. Signing the same text again makes the same signature."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        public = private.public_key().public_bytes_raw()
        self.public_key = public.hex()
        self.id = key_id(self.public_key)

    def sign(self, text: str) -> str:
        """The signature of a text, as hex."""
        return self._private.sign(text.encode()).hex()

    def public(self, since: int) -> PublicKey:
        return PublicKey(id=self.id, algorithm=ALGORITHM, public_key=self.public_key, since=since)

    def pem(self) -> bytes:
        return self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def key_id(public_key: str) -> str:
    """The name of a public key (hex): the first digits of its SHA-256."""
    return hashlib.sha256(bytes.fromhex(public_key)).hexdigest()[:ID_DIGITS]


def signed_text(document: Mapping[str, Any]) -> str:
    """What is signed of a document: JSON without spaces, members in order, no signature."""
    unsigned = {name: value for name, value in document.items() if name != "signature"}
    return orjson.dumps(unsigned, option=orjson.OPT_SORT_KEYS).decode()


# Files


def beside(database: Path) -> Path:
    """Where the key of a database is kept unless it is said."""
    return database.with_name(f"{database.name}.key")


def read_key(path: Path) -> SigningKey:
    """The key in a file. Raises KeyRefused, and FileNotFoundError where there is none."""
    try:
        with path.open("rb") as file:
            found = os.fstat(file.fileno())
            content = file.read(KEY_BYTES_MAX) if stat.S_ISREG(found.st_mode) else b""
    except FileNotFoundError:
        raise
    except OSError as error:
        raise KeyRefused(f"{path} cannot be read ({error.strerror}); name another --key.") from None
    mode = stat.S_IMODE(found.st_mode)
    if mode & ~OWNER_ALONE & 0o077:
        raise KeyRefused(
            f"{path} may be read or written by others (mode {mode:04o}); a signing key is its "
            f"owner's alone: chmod 600 {path}"
        )
    try:
        private = load_pem_private_key(content, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        private = None
    if not isinstance(private, Ed25519PrivateKey):
        raise KeyRefused(f"{path} is no Ed25519 key in PEM without a password; name another --key.")
    return SigningKey(private)


def make_key(path: Path) -> SigningKey:
    """A new key in a new file, whole and durable before anything is signed. Raises KeyRefused."""
    key = SigningKey(Ed25519PrivateKey.generate())
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ALONE)
        try:
            with open(descriptor, "wb") as file:
                file.write(key.pem())
                file.flush()
                os.fsync(file.fileno())
            os.link(unfinished, path)  # never over another key
        finally:
            unfinished.unlink()
        sync_folder(path.parent)
    except OSError as error:
        raise KeyRefused(
            f"{path} cannot be written ({error.strerror}); name another --key."
        ) from None
    return key


def key_for(path: Path | None, database: Path, known: tuple[PublicKey, ...]) -> SigningKey:
    """The key of a house: that of a named file, else the one beside its database.

    It is made where there is none; but a database whose key has gone is not given another one
    unless it is named. Raises KeyRefused.
    """
    chosen = path or beside(database)
    try:
        return read_key(chosen)
    except FileNotFoundError:
        if known and path is None:
            raise KeyRefused(
                f"{chosen} is missing, the key that {database} is signed with; put it back, or "
                "name a file with --key to go on with a new one."
            ) from None
    return make_key(chosen)
