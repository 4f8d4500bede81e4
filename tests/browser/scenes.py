"""Shuffles in which something happens: found by playing rounds until one has it.

The rules' own engine is asked only which seed to take; what a test then expects is typed from the
clauses.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from itertools import count

from upcard.events import Chosen, Paid
from upcard.fair import Shoe
from upcard.game import Round
from upcard.games import find
from upcard.table import CardFor, ChoiceFor, ChoiceName, Meter, MeterFor, SpotBets

CLIENT_SEED = "scene"
SEARCHED_MAX = 200_000

Laid = Sequence[dict[str, int]]
"""The bets of spots 1, 2, ..., in cents."""
Policy = Callable[[Round], ChoiceName]


def seed_where(
    game: str,
    level: str,
    laid: Laid,
    policy: Policy,
    happens: Callable[[Round], bool],
    *,
    nonce: int = 1,
) -> bytes:
    """A server seed whose shuffle, played by `policy`, ends in a round where it happens."""
    for number in count():
        assert number < SEARCHED_MAX, f"{game}: no such round among {SEARCHED_MAX}"
        seed = hashlib.sha512(f"{game} {number}".encode()).digest()
        if happens(played(game, level, laid, policy, seed, nonce)):
            return seed
    raise AssertionError


def played(game: str, level: str, laid: Laid, policy: Policy, seed: bytes, nonce: int = 1) -> Round:
    table = find(game).at_table()
    spots = tuple(
        SpotBets(number, tuple(bets.items())) for number, bets in enumerate(laid, 1) if bets
    )
    shoe = Shoe(seed, CLIENT_SEED, nonce, table.rules.decks)
    round_ = Round.begin(table, level, spots)
    dealt = 0
    while not round_.is_over:
        match round_.wants:
            case CardFor():
                round_, dealt = round_.give(shoe[dealt]), dealt + 1
            case MeterFor():
                round_ = round_.give(Meter(1_000_000, 0))
            case ChoiceFor():
                round_ = round_.give(policy(round_))
    return round_


def prefers(*order: ChoiceName) -> Policy:
    """Take the first of these that is offered, else stand or fold."""

    def policy(round_: Round) -> ChoiceName:
        offered = [choice.choice for choice in round_.choices]
        wanted = [choice for choice in (*order, "no_insurance", "no_even_money", "stand", "fold")]
        return next(choice for choice in wanted if choice in offered)

    return policy


def up_rank(round_: Round) -> str:
    return round_.table.dealer.cards[0][0]


def hands_of(round_: Round, spot: int = 1) -> list[tuple[str, ...]]:
    view = next(view for view in round_.table.spots if view.spot == spot)
    return [hand.cards for hand in view.hands]


def rows_of(round_: Round, bet: str) -> list[str]:
    """The rows in which the bets of a kind ended."""
    return [event.row for event in round_.events if isinstance(event, Paid) and event.bet == bet]


def chosen(round_: Round) -> list[str]:
    return [event.choice for event in round_.events if isinstance(event, Chosen)]
