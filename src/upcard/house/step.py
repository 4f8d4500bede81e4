"""One command on a round: drive it, book it, and say what to write."""

from __future__ import annotations

from collections.abc import Mapping

from upcard.events import Awarded, Event, Paid, Staked
from upcard.fair import Shoe
from upcard.game import Round
from upcard.house import answers, jackpot
from upcard.house.booking import (
    Accounts,
    book_award,
    book_bets,
    book_event,
    book_reserve,
    meter_share,
)
from upcard.house.jackpot import PoolReading
from upcard.house.journal import (
    Played,
    Status,
    StoredAward,
    StoredRound,
    StoredStep,
    played_stored,
)
from upcard.house.ledger import Entries, Transfer, balances
from upcard.house.sittings import Sitting
from upcard.house.store import PoolWanted, Seat, Snapshot, StoredRequest, Writes
from upcard.money import print_cents
from upcard.refused import Refused
from upcard.table import ChoiceFor, ChoiceName, MeterFor, afford

CALMEST: tuple[ChoiceName, ...] = ("no_insurance", "no_even_money", "fold", "stand")
"""What an abandoned round is finished with (G-12)."""


MONEY = (Staked, Paid, Awarded)
"""The events that move some, the bets of DEAL apart."""

_NOBODY = ChoiceFor(0, 0)
"""Who chose at DEAL."""


class Step:
    """Collects what a command writes while it drives a round. Used once.

    `known` is the round as it stands, where that is known; otherwise it is played again when it is
    needed. `played` is the round after the step, `transfers` what it moves. `bet`, `move` and
    `finish` may raise PoolWanted, and Refused `funds` or `choice`.
    """

    played: Played

    def __init__(
        self,
        seen: Snapshot,
        stored: StoredRound,
        seat: Seat,
        now: int,
        known: Played | None = None,
    ) -> None:
        self._seen = seen
        self._stored = stored
        self._seat = seat
        self._now = now
        game = stored.inputs.game_at_table()
        self._accounts = Accounts(game, stored.player, stored.id, seen.stripe)
        self._balance = seen.balance
        self._escrow = seen.escrow
        self._known = known
        self._contributed: Mapping[str, int] = {}
        self._met: dict[str, PoolReading] = {}
        self._awards: list[StoredAward] = []
        self.transfers: list[Transfer] = []
        self._steps: list[StoredStep] = []

    def bet(self, round_: Round) -> str:
        """Take the bets of a round that has begun with them, and deal on to the first decision.

        The answer.
        """
        inputs = self._stored.inputs
        self._check_funds(round_)
        entries = Entries.of(self._stored.id, 0)
        self._contributed = book_bets(self._accounts, round_.events, entries)
        book_reserve(self._accounts, 0, round_.reserved, entries)
        round_ = self._drive(round_, inputs.shoe(), 0, entries)
        return self._close(round_, 0, entries, told=0)

    def move(self, choice: ChoiceName) -> str:
        """Make one choice; the answer."""
        before = self._before()
        return self._choose(before.round, before.shoe, choice)

    def finish(self) -> None:
        """Finish an abandoned round without insurance; hands stand, three cards fold (G-12)."""
        self.played = self._before()
        while not self.played.round.is_over:
            offered = [choice.choice for choice in self.played.round.choices]
            calmest = next(choice for choice in CALMEST if choice in offered)
            self._choose(self.played.round, self.played.shoe, calmest)

    def _before(self) -> Played:
        if self._known:
            return self._known
        return played_stored(self._stored, self._seen.steps, self._seen.awards)

    def _check_funds(self, round_: Round) -> None:
        cost, reserved = sum(spot.total for spot in round_.spots), round_.reserved
        if cost + reserved > self._seen.balance:
            aside = f" and {print_cents(reserved)} set aside for a raise" if reserved else ""
            raise Refused(
                "funds",
                f"These bets cost {print_cents(cost)}{aside}, and the balance is "
                f"{print_cents(self._seen.balance)}.",
            )

    def _choose(self, round_: Round, shoe: Shoe, choice: ChoiceName) -> str:
        wanted = round_.wants
        after = round_.give(choice)
        assert isinstance(wanted, ChoiceFor), f"{choice} was accepted where {wanted} was wanted"
        self._check_affordable(round_, after, choice)
        seq = self._stored.seq + 1
        entries = Entries.of(self._stored.id, seq)
        book_reserve(self._accounts, round_.reserved, after.reserved, entries)
        told = len(round_.events)
        after = self._drive(after, shoe, told, entries)
        return self._close(after, seq, entries, told=told, choice=choice, wanted=wanted)

    def _check_affordable(self, before: Round, after: Round, choice: ChoiceName) -> None:
        chosen = after.events[len(before.events) :]
        cost = sum([event.cents for event in chosen if isinstance(event, Staked)])
        available = self._balance + before.reserved
        if cost > available:
            weighed = afford(before.choices, available)
            why = next(each.why for each in weighed if each.choice == choice)
            raise Refused("funds", why or "The balance does not cover this choice.")

    def _drive(self, round_: Round, shoe: Shoe, booked: int, entries: Entries) -> Round:
        """Deal on to the next decision and book every event after the first `booked`."""
        while True:
            round_ = round_.dealt(shoe)
            events = round_.events
            for n in range(booked, len(events)):
                if isinstance(events[n], MONEY):
                    self._book(n, events[n], entries)
            booked = len(events)
            wanted = round_.wants
            if not isinstance(wanted, MeterFor):
                self.played = Played(round_, shoe)
                return round_
            round_ = round_.give(self._reading(wanted.bet, entries).meter)

    def _book(self, n: int, event: Event, entries: Entries) -> None:
        if isinstance(event, Awarded):
            key = self._reading(event.bet, entries).key
            self._awards.append(
                StoredAward(
                    round=self._stored.id, n=n, key=key, epoch=event.epoch, cents=event.meter
                )
            )
        elif isinstance(event, Paid) and meter_share(self._accounts, event):
            reading = self._reading(event.bet, entries)
            self._met[reading.key] = book_award(self._accounts, event, reading, entries)
        else:
            book_event(self._accounts, event, entries)

    def _reading(self, bet: str, entries: Entries) -> PoolReading:
        """The meter of a bet as this round meets it, its own contributions included (T-85)."""
        pool = self._accounts.pool(bet)
        assert pool is not None
        if pool.key not in self._met:
            if pool.key not in self._seen.pools:
                raise PoolWanted(pool.key)
            contributed = self._contributed.get(pool.key, 0)
            reading = self._seen.pools[pool.key].with_contribution(self._seen.stripe, contributed)
            self._met[pool.key] = jackpot.capped(reading, pool=pool, entries=entries)
        return self._met[pool.key]

    def _close(
        self,
        round_: Round,
        seq: int,
        entries: Entries,
        *,
        told: int,
        choice: ChoiceName | None = None,
        wanted: ChoiceFor = _NOBODY,
    ) -> str:
        """Write the step down with what is told of it; the answer."""
        self.transfers += entries.transfers
        moved = balances(entries.transfers)
        self._balance += moved[self._accounts.player]
        self._escrow += moved[self._accounts.escrow]
        is_over = round_.is_over
        status: Status = "settled" if is_over else "open"
        self._stored = self._stored.gone_on(seq, status, self._now)
        if is_over:
            self._seat = self._seat._replace(open_round=None)
            assert self._escrow == 0, f"{self._escrow} cents stay in escrow of {self._stored.id}"
        answer = answers.answer_text(
            self._stored, round_, told=told, balance=self._balance, seat=self._seat
        )
        self._steps.append(
            StoredStep(
                round=self._stored.id,
                seq=seq,
                spot=wanted.spot,
                hand=wanted.hand,
                choice=choice,
                at=self._now,
                answer=answer,
            )
        )
        return answer

    def writes(
        self, sitting: Sitting | None = None, request: StoredRequest | None = None
    ) -> Writes:
        """What to write of it, with the player's sitting and what a bet was asked for with."""
        return Writes(
            self.transfers,
            () if self._seat is self._seen.seat else (self._seat,),
            self._stored,
            self._steps,
            self._awards,
            request,
            pools=[*self._met.values()],
            sitting=sitting,
        )
