"""A receipt says what was bet and under which commits, and only the house can have signed it."""

from __future__ import annotations

import asyncio
import copy
import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.house.conftest import TestHouse, bet_request, fixed_key, told
from upcard.house import receipts
from upcard.refused import Refused

Json = dict[str, Any]


def _bet(hall: TestHouse, player: str, key: str = "k") -> Json:
    request = bet_request(
        "top3", "1 main=10.00 classic=2.00", "2 main=5.00", level="low", client_seed="mine", decks=8
    )
    return told(hall.run(hall.house.bet(player, key, request)).text)


def _keys(hall: TestHouse) -> Json:
    keys: Json = hall.run(hall.house.keys())
    return keys


def _false(receipt: Any, keys: Any) -> set[str]:
    return {check.name for check in receipts.verify(receipt, keys) if not check.ok}


def test_a_receipt_says_what_was_bet_and_under_which_commits(hall: TestHouse) -> None:
    """The contract of the shuffle: the commit shown before the bet, and the next one with it."""
    player = hall.guest().player
    before = hall.run(hall.house.session(player))["games"]["top3"]
    answer = _bet(hall, player)
    after = hall.run(hall.house.session(player))["games"]["top3"]
    receipt = answer["receipt"]
    document = ["top3", "low", ["1 main=10.00 classic=2.00", "2 main=5.00"], "mine", 8, None, True]
    text = json.dumps(document, separators=(",", ":"))
    assert {name: receipt[name] for name in receipt if name not in ("rules_hash", "signature")} == {
        "protocol": "upcard-receipt/1",
        "round": answer["round"],
        "player": player,
        "at": 1_800_000_000,
        "game": "top3",
        "level": "low",
        "decks": 8,
        "side_bets": ["top3", "classic", "progressive"],
        "spots": [
            {"spot": 1, "bets": {"main": 1000, "classic": 200}},
            {"spot": 2, "bets": {"main": 500}},
        ],
        "ask_insurance": True,
        "client_seed": "mine",
        "nonce": 1,
        "commit": before["commit"],
        "request": "k",
        "request_hash": hashlib.sha256(text.encode()).hexdigest(),
        "next": {"commit": after["commit"], "nonce": 2},
        "key": fixed_key(1).id,
    }


def test_a_stranger_can_check_a_signature(hall: TestHouse) -> None:
    """With the standard library's JSON and any Ed25519, as docs/trust.md says."""
    receipt = _bet(hall, hall.guest().player)["receipt"]
    assert _false(receipt, _keys(hall)) == set()
    signature = bytes.fromhex(receipt.pop("signature"))
    text = json.dumps(receipt, sort_keys=True, separators=(",", ":"))
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(fixed_key(1).public_key))
    public.verify(signature, text.encode())


def test_it_is_the_same_at_once_again_and_later(hall: TestHouse) -> None:
    """The same bet again is answered word for word; the receipt can be had at any time."""
    guest = hall.guest()
    first = _bet(hall, guest.player)
    assert _bet(hall, guest.player) == first
    answer = first
    while answer["status"] == "open":
        answer = guest.move(answer, answer["choices"][-1]["choice"])
        assert "receipt" not in answer
    hall.close()
    hall.open()
    assert hall.run(hall.house.receipt(guest.player, first["round"])) == first["receipt"]
    assert _bet(hall, guest.player) == first


def test_after_a_change_of_keys_it_is_signed_with_the_new_one(hall: TestHouse) -> None:
    """The old receipt stays good, because the old key stays listed."""
    player = hall.guest().player
    old = _bet(hall, player)["receipt"]
    hall.close()
    hall.key = fixed_key(2)
    hall.open()
    new = hall.run(hall.house.receipt(player, old["round"]))
    assert (new["key"], new["signature"]) != (old["key"], old["signature"])
    assert {**new, "key": "", "signature": ""} == {**old, "key": "", "signature": ""}
    assert _false(old, _keys(hall)) == _false(new, _keys(hall)) == set()


def test_many_bets_at_once_each_get_their_own(hall: TestHouse) -> None:
    players = [hall.guest().player for _ in range(20)]

    async def together() -> list[Any]:
        bets = (hall.house.bet(p, "k", bet_request("ags", "1 main=5.00")) for p in players)
        return await asyncio.gather(*bets)

    answers = [told(answer.text) for answer in hall.run(together())]
    assert [answer["receipt"]["player"] for answer in answers] == players
    assert all(answer["receipt"]["round"] == answer["round"] for answer in answers)
    assert all(_false(answer["receipt"], _keys(hall)) == set() for answer in answers)


def test_a_strangers_receipt_is_not_shown(hall: TestHouse) -> None:
    round_ = _bet(hall, hall.guest().player)["round"]
    with pytest.raises(Refused) as refused:
        hall.run(hall.house.receipt(hall.guest().player, round_))
    assert refused.value.code == "not_found"


def _set(*path: Any, to: Any) -> Callable[[Json], None]:
    def change(receipt: Json) -> None:
        place: Any = receipt
        for step in path[:-1]:
            place = place[step]
        assert place[path[-1]] != to
        place[path[-1]] = to

    return change


CHANGES: dict[str, Callable[[Json], None]] = {
    "bet": _set("spots", 0, "bets", "main", to=2000),
    "commit": _set("commit", to="0" * 64),
    "next commit": _set("next", "commit", to="0" * 64),
    "nonce": _set("nonce", to=2),
    "time": _set("at", to=0),
    "round": _set("round", to="another"),
    "player": _set("player", to="another"),
    "a member more": lambda receipt: receipt.update(bonus=1_000_000),
    "a member less": lambda receipt: receipt.pop("level"),
    "signature": _set("signature", to="0" * 128),
    "no hex": _set("signature", to="signed, the house"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_receipt_is_refused(hall: TestHouse, name: str) -> None:
    receipt = _bet(hall, hall.guest().player)["receipt"]
    CHANGES[name](receipt)
    assert _false(receipt, _keys(hall)) == {"signature"}


def test_a_receipt_of_another_house_is_refused(hall: TestHouse) -> None:
    receipt = _bet(hall, hall.guest().player)["receipt"]
    del receipt["signature"]
    foreign = receipts.signed(receipt, fixed_key(9))
    assert _false(foreign, _keys(hall)) == {"key"}
    named = {**foreign, "key": fixed_key(1).id}
    assert _false(named, _keys(hall)) == {"signature"}


@pytest.mark.parametrize("document", [None, [], {}, {"round": "r"}, {"round": 1, "key": "k"}])
def test_another_document_is_no_receipt(document: Any) -> None:
    with pytest.raises(Refused, match="no receipt"):
        receipts.verify(document, {"keys": []})


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda keys: keys.clear(), "no keys"),
        (lambda keys: keys.update(keys=[1]), "no keys"),
        (lambda keys: keys["keys"][0].pop("since"), "no keys"),
        (lambda keys: keys["keys"][0].update(public_key="0" * 64), "another public key"),
        (lambda keys: keys["keys"][0].update(public_key="no hex"), "another public key"),
        (lambda keys: keys["keys"][0].update(algorithm="RSA"), "another public key"),
    ],
)
def test_what_is_no_list_of_keys_is_refused(
    hall: TestHouse, change: Callable[[Json], None], sentence: str
) -> None:
    receipt, keys = _bet(hall, hall.guest().player)["receipt"], copy.deepcopy(_keys(hall))
    change(keys)
    with pytest.raises(Refused, match=sentence):
        receipts.verify(receipt, keys)
