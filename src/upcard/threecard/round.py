"""A round of three cards against three: raise or fold, one frozen state per phase.

The engine asks for cards, choices and meters through `wants` and is answered through `step`; it
draws nothing and knows no balance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, assert_never

from upcard.cards import Card
from upcard.events import (
    BetTaken,
    CardToDealer,
    CardToSpot,
    Chosen,
    Event,
    FaceDownToDealer,
    Paid,
    Revealed,
    Settled,
    Staked,
)
from upcard.money import Odds
from upcard.refused import Refused
from upcard.sidebets import LaidSideBet, SideBet, award, meter_for, settle_side_bets
from upcard.table import (
    FACE_DOWN,
    Choice,
    ChoiceFor,
    ChoiceName,
    DealerView,
    Given,
    HandState,
    HandView,
    Meter,
    NoMore,
    SpotBets,
    SpotView,
    Table,
    Want,
    card_for,
)
from upcard.threecard import hand as hand_rules
from upcard.threecard.hand import Best, Result
from upcard.threecard.rules import Rules

MAIN = "ante"
RAISE = "raise"
CARDS_EACH = 3
EVEN = Odds(1)
DEALER = 0


class Felt(NamedTuple):
    """The one spot's bets and cards, the dealer's, and the cents staked and paid so far."""

    rules: Rules
    side_bets: tuple[SideBet, ...]
    bets: SpotBets
    player: tuple[Card, ...] = ()
    dealer: tuple[Card, ...] = ()
    dealer_is_up: bool = False
    raised: int = 0
    state: HandState = "live"
    staked: int = 0
    paid: int = 0

    @property
    def ante(self) -> int:
        return self.bets.cents(MAIN)

    def best(self, cards: tuple[Card, ...]) -> Best:
        return hand_rules.best(self.rules, [card.value for card in cards])


# Phases


@dataclass(frozen=True, slots=True)
class Dealing:
    """The player's three cards, then the dealer's three (G-02)."""

    felt: Felt


@dataclass(frozen=True, slots=True)
class Deciding:
    """Raise or fold."""

    felt: Felt


@dataclass(frozen=True, slots=True)
class Awarding:
    """The first of these side bets has won a share of its meter."""

    felt: Felt
    laid: tuple[LaidSideBet, ...]


@dataclass(frozen=True, slots=True)
class Over:
    felt: Felt


State = Dealing | Deciding | Awarding | Over


# The five verbs


def start(
    rules: Rules,
    side_bets: tuple[SideBet, ...],
    spots: tuple[SpotBets, ...],
    *,
    ask_insurance: bool = True,
) -> tuple[State, tuple[Event, ...]]:
    """Take the bets of the one spot. There is no insurance to ask for here."""
    (bets,) = spots
    felt = Felt(rules=rules, side_bets=side_bets, bets=bets, staked=bets.total)
    return Dealing(felt), tuple(BetTaken(bets.spot, bet, cents) for bet, cents in bets.bets)


def wants(state: State) -> Want:
    """What the round waits for."""
    match state:
        case Dealing(felt):
            return card_for(felt.bets.spot if len(felt.player) < CARDS_EACH else DEALER)
        case Deciding(felt):
            return ChoiceFor(felt.bets.spot, 0)
        case Awarding(_, laid):
            return meter_for(laid[0])
        case Over():
            return NoMore()
        case _:
            assert_never(state)


def step(state: State, given: Given) -> tuple[State, tuple[Event, ...]]:
    """Go on with what was wanted. Raises Refused (`choice`) for a choice that is not offered."""
    log: list[Event] = []
    match state, given:
        case Dealing(felt), Card():
            after = _deal(felt, given, log)
        case Deciding(felt), str():
            after = _decide(felt, given, log)
        case Awarding(felt, laid), Meter():
            paid = award(laid[0], given, log)
            felt = felt._replace(paid=felt.paid + paid)
            after = _side_bets(felt, laid[1:], log)
        case _:
            raise AssertionError(f"{type(state).__name__} wants {wants(state)}, not {given!r}")
    return after, tuple(log)


def choices(state: State) -> tuple[Choice, ...]:
    """All that `step` accepts now; the raise was set aside at DEAL, so it is always open (C-06)."""
    match state:
        case Deciding(felt):
            spot = felt.bets.spot
            return (
                Choice(choice="raise", spot=spot, hand=0, cost=felt.ante),
                Choice(choice="fold", spot=spot, hand=0),
            )
        case _:
            return ()


def view(state: State) -> Table:
    """What the player may see."""
    felt = state.felt
    shown = felt.dealer if felt.dealer_is_up else felt.dealer[:1]
    player, dealer = _seen(felt, felt.player), _seen(felt, shown)
    hidden = (FACE_DOWN,) * (len(felt.dealer) - len(shown))
    hand = HandView(
        cards=tuple([card.text for card in felt.player]),
        total=player.total,
        soft=player.soft,
        stake=felt.ante + felt.raised,
        state=felt.state,
    )
    spot = SpotView(
        spot=felt.bets.spot,
        bets=dict(felt.bets.bets) | ({RAISE: felt.raised} if felt.raised else {}),
        hands=(hand,),
        active=isinstance(state, Deciding),
    )
    dealer_view = DealerView(
        cards=(*[card.text for card in shown], *hidden), total=dealer.total, soft=dealer.soft
    )
    return Table(dealer=dealer_view, spots=(spot,))


def reserved(state: State) -> int:
    """Cents set aside for choices to come: the raise, until the player decides (C-06)."""
    match state:
        case Dealing(felt) | Deciding(felt):
            return felt.ante
        case _:
            return 0


def main_pays(rules: Rules) -> tuple[tuple[int, Odds], ...]:
    """How main money can pay: 1/part of the initial bet at odds; a bet is exact for all (G-09)."""
    return ((1, EVEN),)


# Dealing, deciding, settling


def _deal(felt: Felt, card: Card, log: list[Event]) -> State:
    if len(felt.player) < CARDS_EACH:
        felt = felt._replace(player=(*felt.player, card))
        seen = _seen(felt, felt.player)
        log.append(CardToSpot(felt.bets.spot, 0, card, seen.total, seen.soft))
        return Dealing(felt)
    felt = felt._replace(dealer=(*felt.dealer, card))
    seen = _seen(felt, felt.dealer[:1])
    is_first = len(felt.dealer) == 1
    log.append(CardToDealer(card, seen.total, seen.soft) if is_first else FaceDownToDealer())
    return Dealing(felt) if len(felt.dealer) < CARDS_EACH else Deciding(felt)


def _decide(felt: Felt, choice: ChoiceName, log: list[Event]) -> State:
    spot = felt.bets.spot
    if choice not in ("raise", "fold"):
        raise Refused("choice", f"{choice} is not offered now; choose raise or fold.")
    log.append(Chosen(spot, 0, choice))
    if choice == "raise":
        log.append(Staked(spot, 0, RAISE, felt.ante))
        felt = felt._replace(raised=felt.ante, staked=felt.staked + felt.ante)
    for shown in range(2, CARDS_EACH + 1):
        seen = _seen(felt, felt.dealer[:shown])
        log.append(Revealed(felt.dealer[shown - 1], seen.total, seen.soft))
    felt = felt._replace(dealer_is_up=True)
    felt = _compare(felt, log) if felt.raised else _fold(felt, log)
    return _side_bets(felt, _laid(felt), log)


def _fold(felt: Felt, log: list[Event]) -> Felt:
    log.append(Paid(felt.bets.spot, 0, MAIN, "lose", felt.ante, 0))
    return felt._replace(state="lost")


def _compare(felt: Felt, log: list[Event]) -> Felt:
    player, dealer = felt.best(felt.player), felt.best(felt.dealer)
    outcome = hand_rules.outcome(felt.rules, player, dealer)
    ante_row = "natural" if outcome.ante == "win" and player.natural else outcome.ante
    payments = (
        (MAIN, ante_row, felt.ante, _paid(outcome.ante, felt.ante)),
        (RAISE, outcome.raise_, felt.raised, _paid(outcome.raise_, felt.raised)),
    )
    for bet, row, stake, paid in payments:
        log.append(Paid(felt.bets.spot, 0, bet, row, stake, paid))
    closed: dict[Result, HandState] = {"win": "won", "push": "push", "lose": "lost"}
    paid_now = sum(paid for *_, paid in payments)
    return felt._replace(state=closed[outcome.ante], paid=felt.paid + paid_now)


def _paid(result: Result, stake: int) -> int:
    return {"win": EVEN.paid(stake), "push": stake, "lose": 0}[result]


def _laid(felt: Felt) -> tuple[LaidSideBet, ...]:
    return tuple(
        LaidSideBet(felt.bets.spot, bet, felt.bets.cents(bet.key), bet.judge(felt.player))
        for bet in felt.side_bets
        if felt.bets.cents(bet.key)
    )


def _side_bets(felt: Felt, laid: tuple[LaidSideBet, ...], log: list[Event]) -> State:
    """Side bets are settled with the round, folded or not (C-07, C-12)."""
    paid, waiting = settle_side_bets(laid, log)
    felt = felt._replace(paid=felt.paid + paid)
    if waiting:
        return Awarding(felt, waiting)
    log.append(Settled(felt.staked, felt.paid))
    return Over(felt)


def _seen(felt: Felt, cards: tuple[Card, ...]) -> Best:
    """The total of the cards that show; fewer than three play as many as they are."""
    if len(cards) == CARDS_EACH:
        return felt.best(cards)
    values = [card.value for card in cards]
    total, soft = hand_rules.total_of(values)
    return Best(total, soft, natural=False)
