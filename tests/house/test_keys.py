"""Where a signing key lives, and what is refused as one."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from tests.house.conftest import TestHouse, fixed_key
from upcard.house.keys import KeyRefused, SigningKey, beside, key_for, key_id, make_key, read_key

DATABASE = Path("house.db")


def test_a_key_is_made_at_the_first_start_and_found_at_the_next(tmp_path: Path) -> None:
    """For its owner's eyes alone, and in the form that every other tool reads."""
    database = tmp_path / "house.db"
    made = key_for(None, database, ())
    path = tmp_path / "house.db.key"
    assert beside(database) == path
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [*tmp_path.iterdir()] == [path], "nothing unfinished is left"
    assert load_pem_private_key(path.read_bytes(), password=None)
    found = key_for(None, database, (made.public(since=0),))
    assert (found.id, found.sign("x")) == (made.id, made.sign("x"))


def test_a_named_file_is_used_in_its_place_and_made_where_it_is_not(tmp_path: Path) -> None:
    old = key_for(None, tmp_path / "house.db", ())
    named = key_for(tmp_path / "other.key", tmp_path / "house.db", (old.public(since=0),))
    assert named.id != old.id
    assert read_key(tmp_path / "other.key").id == named.id


def test_a_key_that_has_gone_is_not_replaced_in_silence(tmp_path: Path) -> None:
    known = (fixed_key(1).public(since=0),)
    with pytest.raises(KeyRefused, match=r"house\.db\.key is missing.*put it back.*--key"):
        key_for(None, tmp_path / "house.db", known)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o620, 0o602, 0o660, 0o610])
def test_a_key_that_others_may_read_or_write_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "k"
    make_key(path)
    path.chmod(mode)
    with pytest.raises(KeyRefused, match=rf"mode {mode:04o}.*chmod 600"):
        key_for(path, DATABASE, ())
    path.chmod(0o400)
    assert read_key(path)


def _foreign(password: bytes | None) -> bytes:
    encryption = BestAvailableEncryption(password) if password else NoEncryption()
    key = generate_private_key(SECP256R1())
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)


NO_KEYS = {
    "nothing": b"",
    "a note": b"my key is under the doormat\n",
    "bytes": bytes(range(256)),
    "half of a key": fixed_key(1).pem()[:60],
    "of another kind": _foreign(None),
    "with a password": _foreign(b"secret"),
}


@pytest.mark.parametrize("name", NO_KEYS)
def test_what_is_no_key_is_refused_and_left_alone(tmp_path: Path, name: str) -> None:
    path = tmp_path / "k"
    path.write_bytes(NO_KEYS[name])
    path.chmod(0o600)
    with pytest.raises(KeyRefused, match="no Ed25519 key in PEM"):
        key_for(path, DATABASE, ())
    assert path.read_bytes() == NO_KEYS[name]


def test_a_place_where_no_key_can_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KeyRefused, match="cannot be written"):
        key_for(tmp_path / "nowhere" / "k", DATABASE, ())
    with pytest.raises(KeyRefused, match=r"cannot be read|others"):
        key_for(tmp_path, DATABASE, ())


def test_a_key_is_never_written_over_another(tmp_path: Path) -> None:
    first = make_key(tmp_path / "k")
    with pytest.raises(KeyRefused, match="exists"):
        make_key(tmp_path / "k")
    assert read_key(tmp_path / "k").id == first.id
    assert [*tmp_path.iterdir()] == [tmp_path / "k"]


def test_an_id_is_the_beginning_of_the_keys_hash() -> None:
    """RFC 8032, test 1 of section 7.1, and SHA-256 of its public key."""
    public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert key_id(public) == "21fe31dfa154a261"


def test_old_keys_stay_listed(hall: TestHouse) -> None:
    """Who has a receipt can check it after the house has changed its key."""
    first = hall.key
    for number in (2, 1, 3):
        hall.close()
        hall.key = fixed_key(number)
        hall.clock.now += 100
        hall.open()
    listed = hall.run(hall.house.keys())["keys"]
    assert [key["public_key"] for key in listed] == [
        key.public_key for key in (first, fixed_key(2), fixed_key(3))
    ]
    assert [key["since"] - listed[0]["since"] for key in listed] == [0, 100, 300]
    assert {*listed[0]} == {"id", "algorithm", "public_key", "since"}
    assert {key["algorithm"] for key in listed} == {"Ed25519"}


def test_a_private_key_is_not_in_the_database(hall: TestHouse) -> None:
    key: SigningKey = hall.key
    secret = bytes([1]) * 32
    assert secret in load_secret(key)
    hall.close()
    content = b"".join(path.read_bytes() for path in hall.path.parent.iterdir())
    hall.open()
    assert bytes.fromhex(key.public_key) not in (secret,)
    assert secret not in content
    assert secret.hex().encode() not in content


def load_secret(key: SigningKey) -> bytes:
    private = load_pem_private_key(key.pem(), password=None)
    return private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
