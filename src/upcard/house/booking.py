"""From events to transfers: what each step of a round does to the ledger.

Stakes and reserves wait in the round's escrow. When a bet is settled, what comes back goes to the
player - from escrow up to the stake, from the house beyond it - and what does not goes to the
house. A contribution to a meter leaves the escrow at DEAL; the house makes it good when the bet is
settled, so that an escrow always holds exactly the open stakes and reserves less contributions.
"""

from __future__ import annotations

from collections.abc import Iterable

from upcard.events import BetTaken, Event, Paid, Staked
from upcard.game import Game
from upcard.house import jackpot
from upcard.house.jackpot import PoolReading
from upcard.house.ledger import (
    Entries,
    escrow_account,
    house_account,
    player_account,
    pool_account,
)
from upcard.money import MeterShare
from upcard.sidebets import Pool


class Accounts:
    """Whose money a round moves, and which stripe of a meter its contributions go to."""

    def __init__(self, game: Game, player: str, round_: str, stripe: int) -> None:
        self.game = game
        self.player_id = player
        self.stripe = stripe
        self.player = player_account(player)
        self.escrow = escrow_account(round_)
        self.house = house_account(game.key)

    def pool(self, bet: str) -> Pool | None:
        """The meter that a bet feeds and may win."""
        return self.game.pools.get(bet)

    def contribution(self, bet: str, stake: int) -> int:
        pool = self.game.pools.get(bet)
        return pool.contribution(stake) if pool else 0


def book_bets(accounts: Accounts, events: Iterable[Event], entries: Entries) -> dict[str, int]:
    """Take the bets of DEAL; pool key → cents that entered it, before any hit is judged (T-85)."""
    contributed: dict[str, int] = {}
    for event in events:
        if isinstance(event, BetTaken):
            entries.move(accounts.player, accounts.escrow, event.cents, "bet")
            if pool := accounts.pool(event.bet):
                cents = pool.contribution(event.cents)
                account = pool_account(pool.key, accounts.stripe)
                entries.move(accounts.escrow, account, cents, "contribution")
                contributed[pool.key] = contributed.get(pool.key, 0) + cents
    return contributed


def book_reserve(accounts: Accounts, before: int, after: int, entries: Entries) -> None:
    """Set money aside for choices to come, or give back what is set aside no longer (C-06)."""
    if after > before:
        entries.move(accounts.player, accounts.escrow, after - before, "reserve")
    elif before > after:
        entries.move(accounts.escrow, accounts.player, before - after, "release")


def book_event(accounts: Accounts, event: Event, entries: Entries) -> None:
    """What one event after the bets does, wins from a meter apart."""
    match event:
        case Staked():
            entries.move(accounts.player, accounts.escrow, event.cents, "stake")
        case Paid():
            in_escrow = event.stake - accounts.contribution(event.bet, event.stake)
            returned = min(event.paid, in_escrow)
            entries.move(accounts.escrow, accounts.player, returned, "returned")
            entries.move(accounts.house, accounts.player, event.paid - returned, "won")
            entries.move(accounts.escrow, accounts.house, in_escrow - returned, "lost")


def book_award(
    accounts: Accounts, paid: Paid, reading: PoolReading, entries: Entries
) -> PoolReading:
    """A win from a meter that stood as `reading` says; the meter after it."""
    pool, share = accounts.pool(paid.bet), meter_share(accounts, paid)
    assert pool is not None
    assert share is not None
    in_escrow = paid.stake - accounts.contribution(paid.bet, paid.stake)
    entries.move(accounts.escrow, accounts.house, in_escrow, "lost")
    return jackpot.award(
        reading,
        share,
        pool=pool,
        game=accounts.game.key,
        player=accounts.player_id,
        entries=entries,
    )


def meter_share(accounts: Accounts, paid: Paid) -> MeterShare | None:
    """The share of its meter that a payment is, if it is one."""
    if not accounts.pool(paid.bet):
        return None
    for side in accounts.game.side_bets:
        for row in side.pays.rows:
            if (side.key, row.name) == (paid.bet, paid.row) and isinstance(row.pays, MeterShare):
                return row.pays
    return None
