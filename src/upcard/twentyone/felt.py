"""The cards and money of a round of drawing to 21, as a value; nothing here decides anything.

Its parts are named tuples, the quickest of all values to make from one another: a round makes some
fifty of them, and every step of a house plays its round.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from upcard.cards import Card
from upcard.events import Event, Paid, Staked
from upcard.sidebets import SideBet
from upcard.table import (
    FACE_DOWN,
    DealerView,
    HandState,
    HandView,
    SpotBets,
    SpotView,
    Table,
)
from upcard.twentyone.hand import NOTHING, Hand, hand_of
from upcard.twentyone.rules import Rules

MAIN = "main"
INSURANCE = "insurance"


class HeldHand(NamedTuple):
    """One hand as it lies: its cards, what the rules may know of them, the main money on it in
    cents, and what became of it.

    `settled` tells a natural that was paid from one that still waits for the dealer.
    """

    cards: tuple[Card, ...] = ()
    hand: Hand = NOTHING
    stake: int = 0
    state: HandState = "live"
    settled: bool = False

    def plus(self, card: Card) -> HeldHand:
        """The hand with one more card."""
        cards, hand, stake, state, settled = self
        return HeldHand((*cards, card), hand.plus(card.value), stake, state, settled)

    def become(self, state: HandState) -> HeldHand:
        """The hand in another state."""
        return HeldHand(self.cards, self.hand, self.stake, state, self.settled)

    @property
    def is_pair(self) -> bool:
        """Two cards of the same value, K-Q too (T-63, S-11, A-07)."""
        return len(self.cards) == 2 and self.cards[0].value == self.cards[1].value

    @property
    def standing(self) -> bool:
        """Whether it waits to be compared with the dealer."""
        return self.state == "stood" and self.stake > 0

    def halves(self) -> tuple[HeldHand, HeldHand]:
        """The two hands of a split, one card each: the right one, then the left one (G-06)."""
        first, second = (
            self._replace(cards=(), hand=Hand(from_split=True, split_aces=card.is_ace)).plus(card)
            for card in self.cards
        )
        return first, second

    def twice(self) -> HeldHand:
        """The hand doubled: twice the money, and one card to come."""
        return self._replace(stake=2 * self.stake, hand=self.hand._replace(doubled=True))


class HeldSpot(NamedTuple):
    """One spot: its initial bets, its hands in playing order, and its insurance in cents."""

    bets: SpotBets
    hands: tuple[HeldHand, ...]
    insurance: int = 0

    @property
    def number(self) -> int:
        return self.bets.spot

    @property
    def main(self) -> int:
        return self.bets.cents(MAIN)

    @property
    def has_natural(self) -> bool:
        """Whether an unpaid natural lies here."""
        first = self.hands[0]
        return first.state == "natural" and self.main > 0 and not first.settled

    @property
    def waits_for_dealer(self) -> bool:
        """Whether some bet here hangs on the dealer's next card."""
        return bool(self.insurance) or self.has_natural or any(hand.standing for hand in self.hands)


class Felt(NamedTuple):
    """The whole table of one round, and the cents staked and paid so far."""

    rules: Rules
    side_bets: tuple[SideBet, ...]
    ask_insurance: bool
    spots: tuple[HeldSpot, ...]
    dealer: tuple[Card, ...] = ()
    hole_is_up: bool = False
    staked: int = 0
    paid: int = 0

    @property
    def dealer_hand(self) -> Hand:
        return hand_of(self.dealer)

    @property
    def has_main(self) -> bool:
        return any(spot.main for spot in self.spots)

    def spot(self, number: int) -> HeldSpot:
        index = 0
        while self.spots[index].bets.spot != number:
            index += 1
        return self.spots[index]

    def hand(self, spot: int, index: int) -> HeldHand:
        return self.spot(spot).hands[index]

    def each_hand(self) -> Iterator[tuple[int, int, HeldHand]]:
        """Spot number, hand index and hand, in acting order."""
        for spot in self.spots:
            for index, hand in enumerate(spot.hands):
                yield spot.number, index, hand

    def with_spot(self, changed: HeldSpot) -> Felt:
        rules, sides, ask, before, dealer, up, staked, paid = self
        number = changed.bets.spot
        spots = tuple([changed if spot.bets.spot == number else spot for spot in before])
        return Felt(rules, sides, ask, spots, dealer, up, staked, paid)

    def with_dealer(self, card: Card) -> Felt:
        """One more card of the dealer."""
        rules, sides, ask, spots, dealer, up, staked, paid = self
        return Felt(rules, sides, ask, spots, (*dealer, card), up, staked, paid)

    def with_hands(self, number: int, index: int, *hands: HeldHand) -> Felt:
        """The felt with the hand at `index` of a spot replaced by one hand or, in a split, two."""
        bets, held, insurance = self.spot(number)
        kept_right, kept_left = held[:index], held[index + 1 :]
        return self.with_spot(HeldSpot(bets, (*kept_right, *hands, *kept_left), insurance))

    def with_card(self, number: int, index: int, card: Card) -> tuple[Felt, Hand]:
        """The felt with one more card on a hand, and that hand."""
        rules, sides, ask, before, dealer, up, staked, paid = self
        spots, place = list(before), 0
        while spots[place].bets.spot != number:
            place += 1
        bets, hands, insurance = spots[place]
        held = hands[index].plus(card)
        hands = (*hands[:index], held, *hands[index + 1 :])
        spots[place] = HeldSpot(bets, hands, insurance)
        return Felt(rules, sides, ask, tuple(spots), dealer, up, staked, paid), held.hand

    def with_state(self, number: int, index: int, state: HandState) -> Felt:
        held = self.hand(number, index)
        return self if held.state == state else self.with_hands(number, index, held.become(state))

    def with_stake(self, staked: Staked, log: list[Event]) -> Felt:
        """More money taken from the player for a choice."""
        log.append(staked)
        rules, sides, ask, spots, dealer, up, before, paid = self
        return Felt(rules, sides, ask, spots, dealer, up, before + staked.cents, paid)

    def with_payment(self, payment: Paid, log: list[Event]) -> Felt:
        """A bet settled, whatever comes back."""
        log.append(payment)
        return self.with_paid(payment.paid)

    def with_paid(self, cents: int) -> Felt:
        """So many cents more paid."""
        rules, sides, ask, spots, dealer, up, staked, paid = self
        return Felt(rules, sides, ask, spots, dealer, up, staked, paid + cents)


def felt_view(felt: Felt, acting: int | None) -> Table:
    """What the player may see; `acting` is the spot that is to choose."""
    hidden = len(felt.dealer) > 1 and not felt.hole_is_up
    shown = felt.dealer[:1] if hidden else felt.dealer
    hand = hand_of(shown)
    cards = [card.text for card in shown]
    if hidden:
        cards.append(FACE_DOWN)
    dealer = DealerView(tuple(cards), hand.total, hand.soft)
    spots = tuple([_spot_view(spot, spot.bets.spot == acting) for spot in felt.spots])
    return Table(dealer, spots)


def _spot_view(spot: HeldSpot, active: bool) -> SpotView:
    bets = dict(spot.bets.bets)
    if spot.insurance:
        bets[INSURANCE] = spot.insurance
    return SpotView(spot.bets.spot, bets, tuple(map(_hand_view, spot.hands)), active)


def _hand_view(held: HeldHand) -> HandView:
    cards, hand, stake, state, _ = held
    return HandView(tuple([card.text for card in cards]), hand.total, hand.soft, stake, state)
