"""Checking the proof of one round: commit, cards, rules, choices, payments - from inputs alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from upcard import fair
from upcard.events import Awarded, Chosen, Settled
from upcard.fields import texts
from upcard.game import Round
from upcard.house import answers
from upcard.house.checks import Check
from upcard.house.journal import ReplayFailed, RoundInputs, TableChoice, replay
from upcard.money import print_cents
from upcard.refused import Refused
from upcard.table import CHOICE_NAMES, Meter, SpotBets

_TYPES: dict[str, type] = {
    "protocol": str,
    "game": str,
    "level": str,
    "decks": int,
    "rules": dict,
    "rules_hash": str,
    "spots": list,
    "client_seed": str,
    "nonce": int,
    "commit": str,
    "server_seed": str,
    "choices": list,
    "cards": list,
    "awards": list,
    "payments": list,
    "table": dict,
    "staked": int,
    "paid": int,
}


def verify(proof: Any) -> list[Check]:
    """Check a proof as the house gives it. Raises Refused (`field`) for what is no proof at all."""
    _check_shape(proof)
    inputs = _inputs(proof)
    checks = [_protocol(proof), _commit(proof, inputs)]
    try:
        game = inputs.game_at_table()
        choices = [choice["choice"] for choice in proof["choices"]]
        meters = [Meter(award["meter"]) for award in proof["awards"]]
        round_ = replay(inputs, choices, meters)
    except (Refused, ReplayFailed) as failed:
        return [*checks, Check("round", False, f"The round cannot be played: {failed.sentence}")]
    rules_ok = game.rules_hash == proof["rules_hash"] and texts(game.rules) == proof["rules"]
    return [
        *checks,
        _check(
            "rules", rules_ok, "The rules are those of the game.", "The rules are not the game's."
        ),
        _cards(proof, round_),
        _choices(proof, round_),
        _awards(proof, round_),
        _payments(proof, round_),
        _totals(proof, round_),
        _table(proof, round_),
    ]


def _check(name: str, ok: bool, good: str, bad: str) -> Check:
    return Check(name, ok, good if ok else bad)


def _check_shape(proof: Any) -> None:
    if not isinstance(proof, dict):
        raise Refused("field", "This is no proof; a proof is a JSON object with a protocol.")
    for name, type_ in _TYPES.items():
        if not isinstance(proof.get(name), type_) or isinstance(proof[name], bool):
            raise Refused("field", f"This is no proof; its {name} is missing or of another kind.")


def _inputs(proof: Mapping[str, Any]) -> RoundInputs:
    try:
        spots = tuple(
            SpotBets(
                int(spot["spot"]), tuple((str(bet), int(c)) for bet, c in spot["bets"].items())
            )
            for spot in proof["spots"]
        )
        well_formed = (
            all(choice["choice"] in CHOICE_NAMES for choice in proof["choices"])
            and all(isinstance(award["meter"], int) for award in proof["awards"])
            and all(isinstance(payment, dict) for payment in proof["payments"])
        )
    except (TypeError, KeyError, ValueError, AttributeError):
        well_formed = False
    if not well_formed:
        raise Refused("field", "This is no proof; its spots, choices or awards are malformed.")
    sides = proof.get("side_bets")
    return RoundInputs(
        game=proof["game"],
        level=proof["level"],
        table=TableChoice(decks=proof["decks"], side_bets=tuple(sides) if sides else None),
        spots=spots,
        ask_insurance=bool(proof.get("ask_insurance", True)),
        client_seed=proof["client_seed"],
        nonce=proof["nonce"],
        server_seed=fair.parse_server_seed(proof["server_seed"]),
    )


def _protocol(proof: Mapping[str, Any]) -> Check:
    return _check(
        "protocol",
        proof["protocol"] == fair.PROTOCOL,
        f"The shuffle is {fair.PROTOCOL}.",
        f"The shuffle is {proof['protocol']!r}, which is not {fair.PROTOCOL}.",
    )


def _commit(proof: Mapping[str, Any], inputs: RoundInputs) -> Check:
    return _check(
        "commit",
        fair.commit(inputs.server_seed) == proof["commit"],
        "The server seed is the one whose hash was shown before the bet.",
        "The server seed is not the one whose hash was shown before the bet.",
    )


def _cards(proof: Mapping[str, Any], round_: Round) -> Check:
    dealt = [card.text for card in round_.cards]
    differ = next(
        (
            n
            for n, pair in enumerate(zip(dealt, proof["cards"], strict=False))
            if pair[0] != pair[1]
        ),
        min(len(dealt), len(proof["cards"])),
    )
    return _check(
        "cards",
        dealt == proof["cards"],
        f"{len(dealt)} dealt, those of the shuffle in its order.",
        f"Card {differ + 1} is not the one the shuffle deals there.",
    )


def _choices(proof: Mapping[str, Any], round_: Round) -> Check:
    chosen = [event for event in round_.events if isinstance(event, Chosen)]
    made = [
        {"seq": n, "spot": event.spot, "hand": event.hand, "choice": event.choice}
        for n, event in enumerate(chosen, 1)
    ]
    return _check(
        "choices",
        made == proof["choices"] and round_.is_over,
        f"{len(made)} made, each offered where it was made, and the round ends with them.",
        "The choices are not those of a whole round.",
    )


def _awards(proof: Mapping[str, Any], round_: Round) -> Check:
    met = [
        {"n": n, "meter": event.meter}
        for n, event in enumerate(round_.events)
        if isinstance(event, Awarded)
    ]
    return _check(
        "awards",
        met == proof["awards"],
        f"{len(met)} progressive wins, each of the meter it met." if met else "No meter was met.",
        "The progressive wins are not those of the round.",
    )


def _payments(proof: Mapping[str, Any], round_: Round) -> Check:
    paid = answers.payments(answers.records(round_.events))
    return _check(
        "payments",
        paid == proof["payments"],
        f"{len(paid)} settled, each as the rules say.",
        "The payments are not what the rules make of these cards and choices.",
    )


def _totals(proof: Mapping[str, Any], round_: Round) -> Check:
    closing = round_.events[-1]
    ok = isinstance(closing, Settled) and (closing.staked, closing.paid) == (
        proof["staked"],
        proof["paid"],
    )
    return _check(
        "totals",
        ok,
        f"{print_cents(proof['staked'])} was staked and {print_cents(proof['paid'])} came back.",
        "What was staked and came back does not add up.",
    )


def _table(proof: Mapping[str, Any], round_: Round) -> Check:
    return _check(
        "table",
        answers.plain(round_.table) == proof["table"],
        "The table shows how it ended.",
        "The table ended otherwise.",
    )
