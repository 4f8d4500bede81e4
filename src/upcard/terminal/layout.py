"""The bets on the felt before the deal, as a value: nothing lies there that the game refuses.

Every change makes a new layout or raises Refused with the game's own sentence. An amount replaces
what lies on its place, and each place remembers what lay there before, for `undone` (G-10).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from upcard.describe.words import amount
from upcard.game import Game, Limit, Round
from upcard.refused import Refused
from upcard.table import SpotBets

Bound = Literal["min", "max"]


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a bet can lie."""

    spot: int
    bet: str


@dataclass(frozen=True, slots=True)
class Exactly:
    """So many cents, instead of what lies there."""

    cents: int

    def on(self, lies: int, limit: Limit | None) -> int:
        return self.cents


@dataclass(frozen=True, slots=True)
class More:
    """So many cents, on top of what lies there."""

    cents: int

    def on(self, lies: int, limit: Limit | None) -> int:
        return lies + self.cents


@dataclass(frozen=True, slots=True)
class AtLimit:
    """The least or the most that the place takes."""

    bound: Bound

    def on(self, lies: int, limit: Limit | None) -> int:
        if limit is None:
            return lies
        return limit.min if self.bound == "min" else limit.max


Amount = Exactly | More | AtLimit


@dataclass(frozen=True, slots=True)
class Order:
    """One bet as it was said. What is left out is the selected spot, and its main bet or, with
    neither, the selected place."""

    spot: int | None
    bet: str | None
    amount: Amount


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Bets at a table. A stack is all that ever lay on a place, the last is what lies there now."""

    game: Game
    level: str
    selected: Place
    stacks: Mapping[Place, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def empty(cls, game: Game, level: str) -> Layout:
        """Nothing lies yet; the rightmost main place is selected (T-20)."""
        return cls(game=game, level=level, selected=Place(1, game.main))

    @property
    def limits(self) -> Mapping[str, Limit]:
        return self.game.level(self.level).bets

    @property
    def total(self) -> int:
        return sum(stack[-1] for stack in self.stacks.values())

    @property
    def spots(self) -> tuple[SpotBets, ...]:
        """The bets as a deal takes them."""
        numbers = sorted({place.spot for place in self.stacks})
        return tuple(
            SpotBets(
                number,
                tuple(
                    (place.bet, stack[-1])
                    for place, stack in self.stacks.items()
                    if place.spot == number
                ),
            )
            for number in numbers
        )

    @property
    def least(self) -> int:
        """What the balance must cover for the cheapest round there is, in cents, the money that a
        deal sets aside included (C-06)."""
        alone = self.limits if self.game.side_bet_alone else [self.game.main]
        bets = [SpotBets(1, ((bet, self.limits[bet].min),)) for bet in alone]
        begun = [Round.begin(self.game, self.level, [bet]) for bet in bets]
        return min(round_.spots[0].total + round_.reserved for round_ in begun)

    def lies(self, place: Place) -> int:
        return self.stacks.get(place, (0,))[-1]

    def closed(self, place: Place) -> str | None:
        """Why a place takes no bet yet, or None (T-21)."""
        needs = [] if self.game.side_bet_alone else [self.game.main]
        needs += [side.needs for side in self.game.side_bets if side.key == place.bet if side.needs]
        for needed in needs:
            if needed != place.bet and not self.lies(Place(place.spot, needed)):
                return f"needs {needed}"
        return None

    # Changes

    def select(self, place: Place) -> Layout:
        """Raises Refused (`field`) for a place that is not there."""
        if self.limits.get(place.bet) is None or not 1 <= place.spot <= self.game.spots_max:
            self.game.laid(self.level, [SpotBets(place.spot, ((place.bet, 0),))])
        return dataclasses.replace(self, selected=place)

    def lay(self, orders: Iterable[Order], balance: int) -> Layout:
        """All of these bets, or none. Raises Refused (`field`, `limit`, `step`, `bet_needs`,
        `funds`)."""
        layout = self
        for order in orders:
            layout = layout._put(layout._place(order), order.amount)
        return layout._checked(balance)

    def undone(self) -> Layout:
        """Take back the latest change on the selected place. Raises Refused (`field`)."""
        stack = self.stacks.get(self.selected, ())
        if len(stack) > 1:
            return self._with(self.selected, stack[:-1])
        return self.without([self.selected])

    def without(self, places: Iterable[Place]) -> Layout:
        """Clear places, with the bets that cannot lie without them (T-21). Raises Refused
        (`field`) if nothing lies on any of them."""
        gone = {place for place in places if place in self.stacks}
        if not gone:
            raise Refused("field", "Nothing lies there; 'table' shows what lies where.")
        kept = {place: stack for place, stack in self.stacks.items() if place not in gone}
        layout = dataclasses.replace(self, stacks=kept)
        orphans = [place for place in kept if layout.closed(place)]
        return layout.without(orphans) if orphans else layout

    def replaced(self, spots: Iterable[SpotBets], balance: int) -> Layout:
        """These bets instead of all others; each counts as one change. Raises Refused."""
        stacks = {
            Place(bets.spot, bet): (cents,) for bets in spots for bet, cents in bets.bets if cents
        }
        return dataclasses.replace(self, stacks=stacks)._checked(balance)

    def at_bound(self, bound: Bound, played: tuple[SpotBets, ...] | None, balance: int) -> Layout:
        """The minimum or maximum on every place that carried a bet at the last deal or, before
        there was one, on every place there is (T-30, T-31). Raises Refused."""
        if played is None:
            numbers = range(1, self.game.spots_max + 1)
            places = [Place(number, bet) for number in numbers for bet in self.limits]
        else:
            places = [Place(bets.spot, bet) for bets in played for bet, _ in bets.bets]
        stacks = {place: (AtLimit(bound).on(0, self.limits[place.bet]),) for place in places}
        return dataclasses.replace(self, stacks=stacks)._checked(balance)

    # Steps

    def _place(self, order: Order) -> Place:
        if order.spot is None and order.bet is None:
            return self.selected
        return Place(order.spot or self.selected.spot, order.bet or self.game.main)

    def _put(self, place: Place, said: Amount) -> Layout:
        layout = self.select(place)
        cents = said.on(layout.lies(place), layout.limits.get(place.bet))
        if cents == 0:
            return layout.without([place])
        return layout._with(place, (*layout.stacks.get(place, ()), cents))

    def _with(self, place: Place, stack: tuple[int, ...]) -> Layout:
        return dataclasses.replace(self, stacks={**self.stacks, place: stack})

    def _checked(self, balance: int) -> Layout:
        if self.stacks:
            self.game.laid(self.level, self.spots)
        if self.total > balance:
            raise Refused(
                "funds",
                f"These bets come to {amount(self.total)} and the balance is {amount(balance)}.",
            )
        return self
