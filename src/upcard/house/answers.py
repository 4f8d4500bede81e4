"""What a player is told of a round: one JSON document for bet, move and look."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import count
from typing import Any

import orjson

from upcard import fair
from upcard.events import Event, record
from upcard.fields import texts
from upcard.game import Round
from upcard.house.journal import (
    RoundInputs,
    StoredAward,
    StoredRound,
    StoredStep,
)
from upcard.house.store import Seat
from upcard.table import Table, afford, choice_record, table_record


def canonical(document: Any) -> str:
    """The one text of a JSON document, for storing, hashing and sending; records are objects."""
    return orjson.dumps(document).decode()


def request_hash(document: Any) -> str:
    """SHA-256, hex, of a request whatever the order of its members."""
    return hashlib.sha256(orjson.dumps(document, option=orjson.OPT_SORT_KEYS)).hexdigest()


def next_bet(seat: Seat) -> dict[str, Any]:
    """The commit and nonce of the next bet in a game."""
    return {"commit": fair.commit(seat.server_seed), "nonce": seat.nonce}


def answer(
    stored: StoredRound, round_: Round, *, told: int, balance: int, seat: Seat
) -> dict[str, Any]:
    """The answer of a round as it stands; `told` events were told before and are left out."""
    text = answer_text(stored, round_, told=told, balance=balance, seat=seat)
    document: dict[str, Any] = orjson.loads(text)
    return document


def answer_text(stored: StoredRound, round_: Round, *, told: int, balance: int, seat: Seat) -> str:
    """The same as its one text."""
    inputs = stored.inputs
    settled = stored.status != "open"
    return canonical(
        {
            "round": stored.id,
            "game": inputs.game,
            "level": inputs.level,
            "decks": round_.game.rules.decks,
            "side_bets": round_.game.bet_keys[1:],
            "status": stored.status,
            "seq": stored.seq,
            "events": records(round_.events, told),
            "table": table_record(round_.table),
            "choices": [] if settled else choices(round_, balance),
            "balance": balance,
            "commit": fair.commit(inputs.server_seed),
            "nonce": inputs.nonce,
            "next": next_bet(seat),
            "server_seed": inputs.server_seed.hex() if settled else None,
        }
    )


def plain(table: Table) -> dict[str, Any]:
    """A table as the JSON document that it is told as."""
    document: dict[str, Any] = orjson.loads(canonical(table_record(table)))
    return document


def choices(round_: Round, balance: int) -> list[dict[str, Any]]:
    """What may be chosen in a round with so many cents."""
    return [choice_record(each) for each in afford(round_.choices, balance + round_.reserved)]


def records(events: Sequence[Event], told: int = 0) -> list[dict[str, Any]]:
    """The events after the first `told` as JSON, numbered among all."""
    return list(map(record, count(told), events[told:]))


def proof(
    stored: StoredRound,
    round_: Round,
    steps: Sequence[StoredStep],
    awards: Sequence[StoredAward],
) -> dict[str, Any]:
    """All that a stranger needs to check a settled round."""
    inputs = stored.inputs
    events = records(round_.events)
    closing = events[-1]
    return {
        "protocol": fair.PROTOCOL,
        "round": stored.id,
        "game": inputs.game,
        "level": inputs.level,
        "decks": round_.game.rules.decks,
        "side_bets": [side.key for side in round_.game.side_bets],
        "rules": texts(round_.game.rules),
        "rules_hash": stored.rules_hash,
        "engine": stored.engine,
        "spots": spots_document(inputs),
        "ask_insurance": inputs.ask_insurance,
        "table": plain(round_.table),
        "client_seed": inputs.client_seed,
        "nonce": inputs.nonce,
        "commit": fair.commit(inputs.server_seed),
        "server_seed": inputs.server_seed.hex(),
        "choices": [
            {"seq": step.seq, "spot": step.spot, "hand": step.hand, "choice": step.choice}
            for step in steps
            if step.choice
        ],
        "cards": [card.text for card in round_.cards],
        "awards": [{"n": award.n, "meter": award.cents} for award in awards],
        "payments": payments(events),
        "staked": closing["staked"],
        "paid": closing["paid"],
    }


def spots_document(inputs: RoundInputs) -> list[dict[str, Any]]:
    return [{"spot": spot.spot, "bets": dict(spot.bets)} for spot in inputs.spots]


def payments(events: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The payments among event records: spot, hand or null, bet, stake and paid."""
    return [
        {
            "spot": event["spot"],
            "hand": event.get("hand"),
            "bet": event["bet"],
            "stake": event["stake"],
            "paid": event["paid"],
        }
        for event in events
        if event["type"] == "pay"
    ]
