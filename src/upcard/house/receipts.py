"""Receipts: what the house signs for each bet that it took, for the player to keep.

A receipt is made of what the journal holds, and a key signs the same text always alike; so it is
not stored, and can be given again at any time.
"""

from __future__ import annotations

import asyncio
from typing import Any

import orjson

from upcard import fair
from upcard.house import answers
from upcard.house.checks import Check
from upcard.house.journal import StoredRound
from upcard.house.keys import PublicKey, SigningKey, signed_text
from upcard.house.store import StoredRequest
from upcard.refused import Refused

PROTOCOL = "upcard-receipt/1"


def content(opened: StoredRound, asked: StoredRequest, next_bet: dict[str, Any]) -> dict[str, Any]:
    """What a receipt says: the bet as it was taken, and the commits it was taken under.

    `next_bet` is the commit and nonce of the bet after it, as they were told with its answer.
    """
    inputs = opened.inputs
    game = inputs.game_at_table()
    return {
        "protocol": PROTOCOL,
        "round": opened.id,
        "player": opened.player,
        "at": opened.opened_at,
        "game": inputs.game,
        "level": inputs.level,
        "decks": game.rules.decks,
        "side_bets": [side.key for side in game.side_bets],
        "rules_hash": opened.rules_hash,
        "spots": answers.spots_document(inputs),
        "ask_insurance": inputs.ask_insurance,
        "client_seed": inputs.client_seed,
        "nonce": inputs.nonce,
        "commit": fair.commit(inputs.server_seed),
        "request": asked.key,
        "request_hash": asked.hash,
        "next": next_bet,
    }


def of_stored(opened: StoredRound, asked: StoredRequest) -> dict[str, Any]:
    """The same, from what the journal holds."""
    return content(opened, asked, orjson.loads(asked.answer)["next"])


def signed(receipt: dict[str, Any], key: SigningKey) -> dict[str, Any]:
    """A receipt with the name of the key and its signature."""
    named = {**receipt, "key": key.id}
    return {**named, "signature": key.sign(signed_text(named))}


class SignedSoon:
    """A receipt that is signed when the event loop has a moment, or when it is wanted.

    A bet is decided in the event loop, which then waits for the disk: that is the moment.
    """

    def __init__(self, receipt: dict[str, Any], key: SigningKey) -> None:
        self._receipt = receipt
        self._key = key
        self._text: str | None = None
        asyncio.get_running_loop().call_soon(self.text)

    def text(self) -> str:
        """The signed receipt as JSON."""
        if self._text is None:
            self._text = answers.canonical(signed(self._receipt, self._key))
        return self._text


def added(answer: str, receipt: str) -> str:
    """The answer of a bet, a JSON object as text, with its receipt as one more member."""
    return f'{answer[:-1]},"receipt":{receipt}}}'


# Checking


def verify(receipt: Any, keys: Any) -> list[Check]:
    """Check a receipt with the keys as `/api/keys` gives them. Raises Refused (`field`)."""
    if not (_is_object_of(receipt, str, "round", "key", "signature", "commit")):
        raise Refused(
            "field", "This is no receipt; its round, key, commit or signature is missing."
        )
    public = {key.id: key for key in public_keys(keys)}.get(receipt["key"])
    if public is None:
        sentence = f"Its key {receipt['key']} is not one of the house's."
        return [Check("key", False, sentence)]
    signed_by = public.signed(signed_text(receipt), receipt["signature"])
    good = f"The house signed this bet of round {receipt['round']}, and nothing in it was changed."
    bad = "The signature is not of this text; something in the receipt was changed."
    return [
        Check("key", True, f"Its key {public.id} is one of the house's."),
        Check("signature", signed_by, good if signed_by else bad),
    ]


def public_keys(document: Any) -> tuple[PublicKey, ...]:
    """The keys in a document like that of `/api/keys`. Raises Refused (`field`)."""
    listed = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(listed, list) or not all(
        _is_object_of(key, str, "id", "algorithm", "public_key")
        and _is_object_of(key, int, "since")
        for key in listed
    ):
        raise Refused("field", "These are no keys; save what /api/keys of the house answers.")
    keys = tuple(
        PublicKey(
            id=key["id"],
            algorithm=key["algorithm"],
            public_key=key["public_key"],
            since=key["since"],
        )
        for key in listed
    )
    for key in keys:
        if not key.is_named_right:
            raise Refused("field", f"The key {key.id} has another public key than its name says.")
    return keys


def _is_object_of(document: Any, type_: type, *names: str) -> bool:
    """Whether it is a JSON object with members of these names, all of one type."""
    return isinstance(document, dict) and all(
        isinstance(document.get(name), type_) for name in names
    )
