"""What a choice that was made is worth beside the best one, in words and figures of the coach."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from upcard.house.rounds import Decision
from upcard.server.coach import Values, best

Kind = Literal[
    "hard", "soft", "pair", "surrender", "insurance", "even_money", "rescue", "three_cards"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
_ASKED: Mapping[str, Kind] = {
    "insurance": "insurance",
    "even_money": "even_money",
    "rescue": "rescue",
    "raise": "three_cards",
    "split": "pair",
}
"""A decision that offers this is of this kind; the first that fits."""


def kind_of(told: Mapping[str, Any]) -> Kind:
    """The kind of the decision that an answer leaves to the player, by what it offers."""
    offered = {each["choice"] for each in told["choices"]}
    asked = next((kind for choice, kind in _ASKED.items() if choice in offered), None)
    return asked or ("soft" if _hand(told)["soft"] else "hard")


def judged(decision: Decision, values: Values) -> dict[str, Any]:
    """A decision with the value of each choice; `given_away` and values are in initial bets."""
    told, choice = decision.told, decision.choice
    best_ = best(values, told)
    kind = kind_of(told)
    if "surrender" in (choice, best_):
        kind = "surrender"
    hand, spot = _hand(told), _spot(told)
    # The main bet stands first in a spot.
    stake = next(iter(spot["bets"].values()))
    return {
        "seq": decision.seq,
        "spot": spot["spot"],
        "hand": told["choices"][0]["hand"],
        "kind": kind,
        "cards": hand["cards"],
        "total": hand["total"],
        "soft": hand["soft"],
        "up": told["table"]["dealer"]["cards"][0],
        "stake": stake,
        "choice": choice,
        "values": values,
        "best": best_,
        "given_away": values[best_] - values[choice] if values[best_] > values[choice] else 0.0,
        "situation": _situation(told),
    }


def _spot(told: Mapping[str, Any]) -> Mapping[str, Any]:
    number = told["choices"][0]["spot"]
    found: Mapping[str, Any] = next(
        spot for spot in told["table"]["spots"] if spot["spot"] == number
    )
    return found


def _hand(told: Mapping[str, Any]) -> Mapping[str, Any]:
    hand: Mapping[str, Any] = _spot(told)["hands"][told["choices"][0]["hand"]]
    return hand


def _situation(told: Mapping[str, Any]) -> dict[str, Any] | None:
    """The same decision for a practice hand, or None where other hands of the spot matter."""
    offered = {each["choice"] for each in told["choices"]}
    if len(_spot(told)["hands"]) > 1:
        return None
    return {
        "cards": _hand(told)["cards"],
        "up": told["table"]["dealer"]["cards"][0],
        "doubled": "rescue" in offered,
        "asked": bool(offered & {"insurance", "even_money"}),
    }
