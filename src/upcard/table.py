"""What lies on the table: bets, what a round waits for, priced choices, and the public view."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple

from upcard.cards import Card
from upcard.events import CHOICE_NAMES as CHOICE_NAMES
from upcard.events import ChoiceName as ChoiceName
from upcard.money import MeterShare, parse_cents, print_cents
from upcard.refused import Refused

HandState = Literal[
    "live", "stood", "bust", "natural", "surrendered", "rescued", "won", "lost", "push"
]


@dataclass(frozen=True, slots=True)
class SpotBets:
    """The initial bets of one spot: bet key and cents, in the game's order."""

    spot: int
    bets: tuple[tuple[str, int], ...]

    def cents(self, bet: str) -> int:
        """What lies on a place, 0 if nothing does."""
        for key, cents in self.bets:
            if key == bet:
                return cents
        return 0

    @property
    def total(self) -> int:
        return sum([cents for _, cents in self.bets])

    def __str__(self) -> str:
        return " ".join(
            [str(self.spot), *(f"{bet}={print_cents(cents)}" for bet, cents in self.bets)]
        )


def parse_spot_bets(text: str) -> SpotBets:
    """`1 main=10.00 classic=1.00` → SpotBets. Raises Refused (`field`)."""
    number, *words = text.split()[:50] or [""]
    if not (number.isascii() and number.isdigit() and len(number) < 3):
        raise Refused("field", f"{number!r} is no spot; write bets like '1 main=10.00'.")
    bets: dict[str, int] = {}
    for word in words:
        bet, equals, amount = word.partition("=")
        if not equals or bet in bets:
            raise Refused(
                "field", f"{word!r} is no bet of its own; write it like main=10.00, each bet once."
            )
        bets[bet] = parse_cents(amount)
    return SpotBets(int(number), tuple(bets.items()))


@dataclass(frozen=True, slots=True)
class CardFor:
    """The round waits for the next card of the shoe; `spot` 0 is the dealer."""

    spot: int
    hand: int = 0


@cache
def card_for(spot: int, hand: int = 0) -> CardFor:
    """One of the few that there are."""
    return CardFor(spot, hand)


@dataclass(frozen=True, slots=True)
class ChoiceFor:
    """The round waits for a choice of the player."""

    spot: int
    hand: int


@dataclass(frozen=True, slots=True)
class MeterFor:
    """A bet won a share of its progressive meter; the round waits to be told how it stands."""

    spot: int
    bet: str
    share: MeterShare


@dataclass(frozen=True, slots=True)
class NoMore:
    """The round is over."""


Want = CardFor | ChoiceFor | MeterFor | NoMore


@dataclass(frozen=True, slots=True)
class Meter:
    """A progressive meter as a winner meets it: cents, and how often it had been won before."""

    cents: int
    epoch: int = 0


Given = Card | ChoiceName | Meter
"""What a round can be given: an answer to each of its wants."""


class Choice(NamedTuple):
    """One thing the player may do now.

    `cost` is the money it takes in cents. `enabled` is false only for want of money, and `why`
    then says so; `warning` is a sentence for those who asked to be warned (T-53).
    """

    choice: ChoiceName
    spot: int
    hand: int
    cost: int = 0
    enabled: bool = True
    why: str | None = None
    warning: str | None = None


def afford(choices: tuple[Choice, ...], balance: int) -> tuple[Choice, ...]:
    """The same choices with those disabled that a balance of so many cents cannot cover (G-07)."""
    if all([choice.cost <= balance for choice in choices]):
        return choices
    return tuple(
        choice
        if choice.cost <= balance
        else choice._replace(
            enabled=False,
            why=f"{choice.choice.capitalize()} costs {print_cents(choice.cost)} "
            f"and the balance is {print_cents(balance)}.",
        )
        for choice in choices
    )


FACE_DOWN = "??"


class DealerView(NamedTuple):
    """The dealer's cards as text, face-down ones as `??`; total and soft of those that show."""

    cards: tuple[str, ...]
    total: int
    soft: bool


class HandView(NamedTuple):
    """One hand; `stake` is the main money on it now, in cents."""

    cards: tuple[str, ...]
    total: int
    soft: bool
    stake: int
    state: HandState


class SpotView(NamedTuple):
    """One spot, its bets in cents, insurance and raise included; `active` when it is to act."""

    spot: int
    bets: dict[str, int]
    hands: tuple[HandView, ...]
    active: bool


class Table(NamedTuple):
    """All that a player may see."""

    dealer: DealerView
    spots: tuple[SpotView, ...]


# As the HTTP contract writes them: plain JSON, amounts in cents


def choice_record(choice: Choice) -> dict[str, Any]:
    """A choice that is offered, its price and why it may not be made."""
    name, spot, hand, cost, enabled, why, warning = choice
    return {
        "choice": name,
        "spot": spot,
        "hand": hand,
        "cost": cost,
        "enabled": enabled,
        "why": why,
        "warning": warning,
    }


def table_record(table: Table) -> dict[str, Any]:
    """Dealer and spots, and nothing that is face down."""
    cards, total, soft = table.dealer
    return {
        "dealer": {"cards": cards, "total": total, "soft": soft},
        "spots": [_spot_record(spot) for spot in table.spots],
    }


def _spot_record(view: SpotView) -> dict[str, Any]:
    spot, bets, hands, active = view
    return {
        "spot": spot,
        "bets": bets,
        "hands": [
            {"cards": cards, "total": total, "soft": soft, "stake": stake, "state": state}
            for cards, total, soft, stake, state in hands
        ],
        "active": active,
    }
