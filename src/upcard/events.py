"""What happened in a round, as frozen records: the spine that play, history and ledger share.

`record(n, event)` is the event as the HTTP contract writes it: plain JSON, amounts in cents.
Spots count from 1 at the right; hands of a spot from 0 in the order in which they are played.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, assert_never, get_args

from upcard.cards import Card

ChoiceName = Literal[
    "hit",
    "stand",
    "double",
    "split",
    "surrender",
    "rescue",
    "insurance",
    "no_insurance",
    "even_money",
    "no_even_money",
    "raise",
    "fold",
]
CHOICE_NAMES: tuple[ChoiceName, ...] = get_args(ChoiceName)


@dataclass(frozen=True, slots=True)
class BetTaken:
    """A bet of so many cents left the player's balance at DEAL."""

    spot: int
    bet: str
    cents: int


@dataclass(frozen=True, slots=True)
class CardToSpot:
    """A card dealt to a hand, and what the hand comes to with it."""

    spot: int
    hand: int
    card: Card
    total: int
    soft: bool


@dataclass(frozen=True, slots=True)
class CardToDealer:
    """A card dealt face up to the dealer, and what the dealer's cards that show come to."""

    card: Card
    total: int
    soft: bool


@dataclass(frozen=True, slots=True)
class FaceDownToDealer:
    """A card dealt face down; `Revealed` turns it up."""


@dataclass(frozen=True, slots=True)
class Offered:
    """Insurance or even money is asked of a spot."""

    spot: int
    choice: ChoiceName


@dataclass(frozen=True, slots=True)
class Chosen:
    spot: int
    hand: int
    choice: ChoiceName


@dataclass(frozen=True, slots=True)
class Staked:
    """More money for a choice: double, split, insurance or raise."""

    spot: int
    hand: int
    bet: str
    cents: int


@dataclass(frozen=True, slots=True)
class Peeked:
    """The dealer looked for a natural under an ace or a ten-value card."""

    natural: bool


@dataclass(frozen=True, slots=True)
class Revealed:
    """The dealer's face-down cards turn up one by one, in the order they were dealt."""

    card: Card
    total: int
    soft: bool


@dataclass(frozen=True, slots=True)
class Paid:
    """A bet is settled. `paid` is all that comes back, the stake included; 0 for a lost bet.

    `hand` is None for a bet of the whole spot (side bets, insurance).
    """

    spot: int
    hand: int | None
    bet: str
    row: str
    stake: int
    paid: int


@dataclass(frozen=True, slots=True)
class Awarded:
    """A progressive meter was met: how it stood, in which epoch, and what of it was won.

    The `Paid` of the same bet follows and carries the same money; this record says whence.
    """

    spot: int
    bet: str
    epoch: int
    meter: int
    paid: int


@dataclass(frozen=True, slots=True)
class Settled:
    """The round is over: all that was staked and all that came back, in cents."""

    staked: int
    paid: int


Event = (
    BetTaken
    | CardToSpot
    | CardToDealer
    | FaceDownToDealer
    | Offered
    | Chosen
    | Staked
    | Peeked
    | Revealed
    | Paid
    | Awarded
    | Settled
)


def record(n: int, event: Event) -> dict[str, Any]:
    """The n-th event of a round as plain JSON."""
    match event:
        case CardToSpot(spot, hand, card, total, soft):
            return {
                "n": n,
                "type": "card",
                "to": "spot",
                "spot": spot,
                "hand": hand,
                "card": card.text,
                "total": total,
                "soft": soft,
            }
        case CardToDealer(card, total, soft):
            return _showing({"n": n, "type": "card", "to": "dealer"}, card, total, soft)
        case Revealed(card, total, soft):
            return _showing({"n": n, "type": "reveal"}, card, total, soft)
        case FaceDownToDealer():
            return {"n": n, "type": "card", "to": "dealer", "card": None}
        case _:
            return _told(n, event)


def _showing(place: dict[str, Any], card: Card, total: int, soft: bool) -> dict[str, Any]:
    """A card that shows, and what the cards that show come to with it."""
    place["card"] = card.text
    place["total"] = total
    place["soft"] = soft
    return place


def _told(
    n: int, event: BetTaken | Offered | Chosen | Staked | Peeked | Paid | Awarded | Settled
) -> dict[str, Any]:
    match event:
        case BetTaken(spot, bet, cents):
            return {"n": n, "type": "bet", "spot": spot, "bet": bet, "cents": cents}
        case Offered(spot, choice):
            return {"n": n, "type": "offer", "spot": spot, "choice": choice}
        case Chosen(spot, hand, choice):
            return {"n": n, "type": "choice", "spot": spot, "hand": hand, "choice": choice}
        case Staked(spot, hand, bet, cents):
            return {
                "n": n,
                "type": "stake",
                "spot": spot,
                "hand": hand,
                "bet": bet,
                "cents": cents,
            }
        case Peeked(natural):
            return {"n": n, "type": "peek", "natural": natural}
        case Settled(staked, paid):
            return {"n": n, "type": "settled", "staked": staked, "paid": paid}
        case Paid() | Awarded():
            return _paid_out(n, event)
        case _:
            assert_never(event)


def _paid_out(n: int, event: Paid | Awarded) -> dict[str, Any]:
    match event:
        case Paid(spot, hand, bet, row, stake, paid):
            told: dict[str, Any] = {"n": n, "type": "pay", "spot": spot}
            if hand is not None:
                told["hand"] = hand
            told["bet"] = bet
            told["row"] = row
            told["stake"] = stake
            told["paid"] = paid
            return told
        case Awarded(spot, bet, epoch, meter, paid):
            return {
                "n": n,
                "type": "award",
                "spot": spot,
                "bet": bet,
                "epoch": epoch,
                "meter": meter,
                "paid": paid,
            }
        case _:
            assert_never(event)
