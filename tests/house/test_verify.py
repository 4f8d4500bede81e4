"""A proof convinces when it is whole, and never when anything in it was changed."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.house.conftest import TestHouse
from upcard import fair
from upcard.house.verify import verify
from upcard.refused import Refused

Stack = Callable[[str, str], None]
Proof = dict[str, Any]


def _proof_of(hall: TestHouse, game: str, *spots: str, **more: Any) -> Proof:
    guest = hall.guest()
    answer = guest.bet(game, *spots, **more)
    while answer["status"] == "open":
        offered = [choice["choice"] for choice in answer["choices"]]
        calm = next(c for c in ("no_insurance", "raise", "stand") if c in offered)
        answer = guest.move(answer, calm)
    text = json.dumps(hall.run(hall.house.proof(guest.player, answer["round"])))
    proof: Proof = json.loads(text)
    return proof


def _false(proof: Proof) -> set[str]:
    return {check.name for check in verify(proof) if not check.ok}


@pytest.fixture
def proof(hall: TestHouse) -> Proof:
    return _proof_of(
        hall, "top3", "1 main=10.00 classic=2.00", "2 main=5.00", level="low", ask_insurance=False
    )


def test_a_true_proof_convinces(hall: TestHouse, proof: Proof) -> None:
    assert _false(proof) == set()
    assert _false(_proof_of(hall, "threecard", "1 ante=5.00 ace_plus=5.00")) == set()
    assert _false(_proof_of(hall, "super21", "1 main=7.00")) == set()
    ags = _proof_of(hall, "ags", "2 pairs_pay=3.00", side_bets=("in_bet", "pairs_pay"))
    assert _false(ags) == set()


def _set(*path: Any, to: Any) -> Callable[[Proof], None]:
    def change(proof: Proof) -> None:
        place: Any = proof
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = to(place[path[-1]]) if callable(to) else to

    return change


def _other_seed(proof: Proof) -> None:
    proof["server_seed"] = (
        proof["server_seed"][:-2] + f"{255 - int(proof['server_seed'][-2:], 16):02x}"
    )


def _own_commit(proof: Proof) -> None:
    """A house that swaps the seed and hides it by its own commit still fails on the cards."""
    _other_seed(proof)
    proof["commit"] = fair.commit(fair.parse_server_seed(proof["server_seed"]))


CHANGES: dict[str, Callable[[Proof], None]] = {
    "seed": _other_seed,
    "seed and commit": _own_commit,
    "foreign commit": _set("commit", to="00" * 32),
    "bet": _set("spots", 0, "bets", "main", to=1100),
    "bet left out": lambda proof: proof["spots"].pop(),
    "choice": _set("choices", -1, "choice", to="hit"),
    "choice left out": lambda proof: proof["choices"].pop(),
    "choice of another hand": _set("choices", 0, "hand", to=1),
    "payment": _set("payments", 0, "paid", to=lambda cents: cents + 1),
    "payment's stake": _set("payments", 0, "stake", to=lambda cents: cents + 50),
    "payment left out": lambda proof: proof["payments"].pop(),
    "award": lambda proof: proof["awards"].append({"n": 9, "meter": 1_000_000}),
    "swapped cards": lambda proof: proof["cards"].reverse(),
    "missing card": lambda proof: proof["cards"].pop(),
    "card too many": lambda proof: proof["cards"].append(proof["cards"][0]),
    "staked": _set("staked", to=lambda cents: cents - 1),
    "paid": _set("paid", to=lambda cents: cents + 1),
    "rules": _set("rules", "surrender", to="any"),
    "rules hash": _set("rules_hash", to="00" * 32),
    "protocol": _set("protocol", to="upcard/0"),
    "client seed": _set("client_seed", to="d"),
    "nonce": _set("nonce", to=2),
    "decks": _set("decks", to=8),
    "game": _set("game", to="ags"),
    "level": _set("level", to="high"),
    "table": _set("table", "dealer", "total", to=lambda total: total + 1),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_proof_is_refused(proof: Proof, name: str) -> None:
    changed = copy.deepcopy(proof)
    CHANGES[name](changed)
    assert changed != proof
    assert _false(changed) != set()


def test_a_changed_award_is_refused(hall: TestHouse, stacked: Stack) -> None:
    """T-85: the meter a win met is part of its proof."""
    stacked("hit", "Kh Kh Kh 5c 6d 7s 8c 9c Tc")
    proof = _proof_of(hall, "top3", "1 main=5.00 progressive=5.00", level="low", client_seed="hit")
    assert [award["meter"] for award in proof["awards"]] == [1_000_085]
    assert _false(proof) == set()
    proof["awards"][0]["meter"] += 100
    assert "payments" in _false(proof)
    proof["awards"].clear()
    assert "round" in _false(proof)


@pytest.mark.parametrize(
    "name", ["protocol", "spots", "server_seed", "cards", "choices", "nonce", "staked", "table"]
)
def test_what_is_no_proof_is_said_to_be_none(proof: Proof, name: str) -> None:
    for broken in (None, True, 1.5, {"x": 1}):
        changed = {**proof, name: broken}
        with pytest.raises(Refused, match="no proof"):
            verify(changed) if not (name == "table" and broken == {"x": 1}) else verify(None)
    without = {key: value for key, value in proof.items() if key != name}
    with pytest.raises(Refused, match=name):
        verify(without)


@pytest.mark.parametrize("document", [None, [], "proof", 3, True])
def test_another_document_is_no_proof(document: Any) -> None:
    with pytest.raises(Refused, match="no proof"):
        verify(document)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("spots", [{"spot": 1}]),
        ("spots", ["1 main"]),
        ("spots", [{"spot": "one", "bets": {"main": 500}}]),
        ("choices", [{"choice": "jump"}]),
        ("choices", [7]),
        ("awards", [{"meter": "all"}]),
        ("payments", ["all"]),
    ],
)
def test_malformed_parts_are_said_to_be_malformed(proof: Proof, name: str, value: Any) -> None:
    with pytest.raises(Refused, match="malformed"):
        verify({**proof, name: value})
