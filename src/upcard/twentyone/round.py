"""A round of drawing to 21: spots, splits, insurance, peek and dealer, one frozen state per phase.

The order of things is G-03. The engine asks for cards, choices and meters through `wants` and is
answered through `step`; it draws nothing and knows no balance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from upcard.cards import Card
from upcard.events import (
    BetTaken,
    CardToDealer,
    CardToSpot,
    Chosen,
    Event,
    FaceDownToDealer,
    Offered,
    Paid,
    Peeked,
    Revealed,
    Settled,
    Staked,
)
from upcard.money import Odds, half
from upcard.refused import Refused, listed
from upcard.sidebets import LaidSideBet, SideBet, award, meter_for, settle_side_bets
from upcard.table import (
    Choice,
    ChoiceFor,
    ChoiceName,
    Given,
    HandState,
    Meter,
    NoMore,
    SpotBets,
    Table,
    Want,
    card_for,
)
from upcard.twentyone import hand as hand_rules
from upcard.twentyone.felt import INSURANCE, Felt, HeldHand, HeldSpot, felt_view
from upcard.twentyone.felt import MAIN as MAIN
from upcard.twentyone.hand import EVEN, Result
from upcard.twentyone.rules import Rules

DEALER = 0
"""The dealer's number among places for cards; spots count from 1."""


# Phases


@dataclass(frozen=True, slots=True)
class Dealing:
    """The first cards are dealt; `places` still to get one, the next first (G-02)."""

    felt: Felt
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Awarding:
    """The first of these side bets has won a share of its meter."""

    felt: Felt
    laid: tuple[LaidSideBet, ...]


@dataclass(frozen=True, slots=True)
class Insuring:
    """The first of these spots is asked for insurance or even money."""

    felt: Felt
    asked: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Acting:
    """One hand is to choose among `options`."""

    felt: Felt
    spot: int
    hand: int
    options: tuple[ChoiceName, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """Hands of one spot get a card each, the first of these next."""

    felt: Felt
    spot: int
    hands: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DealerDrawing:
    felt: Felt


@dataclass(frozen=True, slots=True)
class Over:
    felt: Felt


State = Dealing | Awarding | Insuring | Acting | Drawing | DealerDrawing | Over


# The five verbs


def start(
    rules: Rules,
    side_bets: tuple[SideBet, ...],
    spots: tuple[SpotBets, ...],
    *,
    ask_insurance: bool = True,
) -> tuple[State, tuple[Event, ...]]:
    """Take the bets of all spots, given from the rightmost."""
    log: list[Event] = [
        BetTaken(spot.spot, bet, cents) for spot in spots for bet, cents in spot.bets
    ]
    felt = Felt(
        rules=rules,
        side_bets=side_bets,
        ask_insurance=ask_insurance,
        spots=tuple(
            HeldSpot(bets=bets, hands=(HeldHand(stake=bets.cents(MAIN)),)) for bets in spots
        ),
        staked=sum(spot.total for spot in spots),
    )
    once = tuple(spot.spot for spot in spots)
    hole = (DEALER,) if rules.hole_card == "peek" else ()
    return Dealing(felt, (*once, DEALER, *once, *hole)), tuple(log)


def wants(state: State) -> Want:
    """What the round waits for."""
    match state:
        case Dealing(_, places):
            return card_for(places[0])
        case Awarding(_, laid):
            return meter_for(laid[0])
        case Insuring(_, asked):
            return ChoiceFor(asked[0], 0)
        case Acting(_, spot, hand, _):
            return ChoiceFor(spot, hand)
        case Drawing(_, spot, hands):
            return card_for(spot, hands[0])
        case DealerDrawing():
            return card_for(DEALER)
        case Over():
            return NoMore()
        case _:
            assert_never(state)


def step(state: State, given: Given) -> tuple[State, tuple[Event, ...]]:
    """Go on with what was wanted. Raises Refused (`choice`) for a choice that is not offered."""
    log: list[Event] = []
    match state, given:
        case Dealing(), Card():
            after = _deal(state, given, log)
        case Awarding(), Meter():
            after = _award(state, given, log)
        case Insuring(), str():
            _check_offered(state, given)
            after = _answer(state, given, log)
        case Acting(), str():
            _check_offered(state, given)
            after = _act(state, given, log)
        case Drawing(), Card():
            after = _draw(state, given, log)
        case DealerDrawing(), Card():
            after = _dealer_draw(state.felt, given, log)
        case _:
            raise AssertionError(f"{type(state).__name__} wants {wants(state)}, not {given!r}")
    return after, tuple(log)


def choices(state: State) -> tuple[Choice, ...]:
    """All that `step` accepts now, with prices; empty unless the round waits for the player."""
    match state:
        case Insuring(felt, asked):
            return _insurance_choices(felt.spot(asked[0]), felt.rules)
        case Acting(felt, spot, index, options):
            return _hand_choices(felt, spot, index, options)
        case _:
            return ()


def view(state: State) -> Table:
    """What the player may see."""
    match state:
        case Insuring(felt, asked):
            return felt_view(felt, asked[0])
        case Acting(felt, spot, _, _) | Drawing(felt, spot, _):
            return felt_view(felt, spot)
        case _:
            return felt_view(state.felt, None)


def reserved(state: State) -> int:
    """Cents set aside for choices to come: none in a drawing game."""
    return 0


def main_pays(rules: Rules) -> tuple[tuple[int, Odds], ...]:
    """How main money can pay: 1/part of the initial bet at odds; a bet is exact for all (G-09)."""
    naturals = [rules.natural] + ([rules.natural_suited.odds] if rules.natural_suited else [])
    whole = (*naturals, *(win.odds for win in rules.auto_wins), EVEN)
    return (*((1, odds) for odds in whole), (2, rules.insurance))


# Dealing and side bets


def _deal(state: Dealing, card: Card, log: list[Event]) -> State:
    place, rest = state.places[0], state.places[1:]
    if place != DEALER:
        felt = _card_to_spot(state.felt, place, 0, card, log)
    elif state.felt.dealer:
        log.append(FaceDownToDealer())
        felt = state.felt.with_dealer(card)
    else:
        felt = _card_to_dealer(state.felt, card, log)
    if rest:
        return Dealing(felt, rest)
    for spot in felt.spots:
        felt = felt.with_state(spot.number, 0, _dealt_state(spot))
    return _side_bets(felt, _laid(felt), log)


def _card_to_spot(felt: Felt, spot: int, index: int, card: Card, log: list[Event]) -> Felt:
    felt, hand = felt.with_card(spot, index, card)
    log.append(CardToSpot(spot, index, card, hand.total, hand.soft))
    return felt


def _card_to_dealer(felt: Felt, card: Card, log: list[Event]) -> Felt:
    felt = felt.with_dealer(card)
    hand = felt.dealer_hand
    log.append(CardToDealer(card, hand.total, hand.soft))
    return felt


def _dealt_state(spot: HeldSpot) -> HandState:
    if hand_rules.is_natural(spot.hands[0].hand):
        return "natural"
    return "live" if spot.main else "stood"


def _laid(felt: Felt) -> tuple[LaidSideBet, ...]:
    """All side bets in the order of their settlement, judged by the first three cards (T-82)."""
    up = felt.dealer[0]
    return tuple(
        [
            LaidSideBet(spot.number, bet, cents, bet.judge((*spot.hands[0].cards, up)))
            for spot in felt.spots
            for bet in felt.side_bets
            if (cents := spot.bets.cents(bet.key))
        ]
    )


def _side_bets(felt: Felt, laid: tuple[LaidSideBet, ...], log: list[Event]) -> State:
    paid, waiting = settle_side_bets(laid, log)
    felt = felt.with_paid(paid)
    return Awarding(felt, waiting) if waiting else _ask_insurance(felt, log)


def _award(state: Awarding, meter: Meter, log: list[Event]) -> State:
    paid = award(state.laid[0], meter, log)
    felt = state.felt.with_paid(paid)
    return _side_bets(felt, state.laid[1:], log)


# Insurance, even money, peek


def _ask_insurance(felt: Felt, log: list[Event]) -> State:
    if not felt.has_main:
        return _finish(felt, log)
    if felt.dealer[0].is_ace and felt.ask_insurance:
        asked = tuple(spot.number for spot in felt.spots if spot.main)
        return _ask(felt, asked, log)
    return _peek(felt, log)


def _ask(felt: Felt, asked: tuple[int, ...], log: list[Event]) -> State:
    if not asked:
        return _peek(felt, log)
    log.append(Offered(asked[0], _insurance_choices(felt.spot(asked[0]), felt.rules)[0].choice))
    return Insuring(felt, asked)


def _insurance_choices(spot: HeldSpot, rules: Rules) -> tuple[Choice, ...]:
    if rules.even_money and spot.has_natural:
        return (
            Choice(choice="even_money", spot=spot.number, hand=0),
            Choice(choice="no_even_money", spot=spot.number, hand=0),
        )
    return (
        Choice(choice="insurance", spot=spot.number, hand=0, cost=half(spot.main)),
        Choice(choice="no_insurance", spot=spot.number, hand=0),
    )


def _answer(state: Insuring, choice: ChoiceName, log: list[Event]) -> State:
    felt, number = state.felt, state.asked[0]
    spot = felt.spot(number)
    log.append(Chosen(number, 0, choice))
    if choice == "insurance":
        stake = half(spot.main)
        felt = felt.with_stake(Staked(number, 0, INSURANCE, stake), log)
        felt = felt.with_spot(spot._replace(insurance=stake))
    elif choice == "even_money":
        felt = _settle(felt, number, 0, "win", EVEN, "won", log)
    return _ask(felt, state.asked[1:], log)


def _peek(felt: Felt, log: list[Event]) -> State:
    if not hand_rules.may_hide_natural(felt.dealer[0]):
        return _next_hand(_settle_naturals(felt, False, log), log)
    if felt.rules.hole_card == "none":
        certain = felt.rules.natural_wins_always
        return _next_hand(_settle_naturals(felt, False, log) if certain else felt, log)
    natural = hand_rules.is_natural(felt.dealer_hand)
    log.append(Peeked(natural))
    if not natural:
        return _next_hand(_dealer_known(felt, False, log), log)
    return _finish(_dealer_natural(_reveal(felt, log), log), log)


def _dealer_known(felt: Felt, natural: bool, log: list[Event]) -> Felt:
    """Settle what hangs on whether the dealer has a natural."""
    return _settle_naturals(_settle_insurance(felt, natural, log), natural, log)


def _dealer_natural(felt: Felt, log: list[Event]) -> Felt:
    """A dealer natural: every hand still in loses, naturals push or win as the game says."""
    felt = _dealer_known(felt, True, log)
    for spot, index, hand in felt.each_hand():
        if hand.stake and hand.state in ("live", "stood"):
            felt = _settle(felt, spot, index, "lose", EVEN, "lost", log)
    return felt


def _settle_insurance(felt: Felt, natural: bool, log: list[Event]) -> Felt:
    for spot in felt.spots:
        if spot.insurance:
            row = "win" if natural else "lose"
            paid = felt.rules.insurance.paid(spot.insurance) if natural else 0
            payment = Paid(spot.number, None, INSURANCE, row, spot.insurance, paid)
            felt = felt.with_spot(spot._replace(insurance=0))
            felt = felt.with_payment(payment, log)
    return felt


def _settle_naturals(felt: Felt, dealer_natural: bool, log: list[Event]) -> Felt:
    result = hand_rules.natural_result(felt.rules, dealer_natural=dealer_natural)
    for spot in felt.spots:
        if not spot.has_natural:
            continue
        suit = hand_rules.common_suit(spot.hands[0].cards)
        odds = hand_rules.natural_odds(felt.rules, suit)
        if result == "push":
            felt = _settle(felt, spot.number, 0, "push", odds, "push", log)
        else:
            suited = felt.rules.natural_suited and felt.rules.natural_suited.suit == suit
            row = "natural_suited" if suited else "natural"
            felt = _settle(felt, spot.number, 0, row, odds, "natural", log)
    return felt


# Playing the hands


def _next_hand(felt: Felt, log: list[Event]) -> State:
    """The next hand that has a choice; those that may only stand, stand by themselves."""
    for spot, index, hand in felt.each_hand():
        if hand.state != "live":
            continue
        options = _options(felt, spot, index)
        if options != ("stand",):
            return Acting(felt, spot, index, options)
        felt = felt.with_state(spot, index, "stood")
    return _dealer(felt, log)


def _options(felt: Felt, spot: int, index: int) -> tuple[ChoiceName, ...]:
    hands = felt.spot(spot).hands
    held = hands[index]
    return hand_rules.options(felt.rules, held.hand, pair=held.is_pair, hands=len(hands))


def _hand_choices(
    felt: Felt, spot: int, index: int, options: tuple[ChoiceName, ...]
) -> tuple[Choice, ...]:
    held = felt.hand(spot, index)
    return tuple(
        [
            Choice(option, spot, index, cost, warning=hand_rules.warning(option, held.hand))
            for option in options
            for cost in (held.stake if option in ("double", "split") else 0,)
        ]
    )


def _check_offered(state: State, choice: ChoiceName) -> None:
    offered = _offered(state)
    if choice not in offered:
        raise Refused("choice", f"{choice} is not offered now; choose {listed(offered)}.")


def _offered(state: State) -> tuple[ChoiceName, ...]:
    if isinstance(state, Acting):
        return state.options
    return tuple(option.choice for option in choices(state))


def _act(state: Acting, choice: ChoiceName, log: list[Event]) -> State:
    felt, spot, index = state.felt, state.spot, state.hand
    held = felt.hand(spot, index)
    log.append(Chosen(spot, index, choice))
    match choice:
        case "hit":
            return Drawing(felt, spot, (index,))
        case "double":
            felt = felt.with_stake(Staked(spot, index, MAIN, held.stake), log)
            return Drawing(felt.with_hands(spot, index, held.twice()), spot, (index,))
        case "split":
            felt = felt.with_stake(Staked(spot, index + 1, MAIN, held.stake), log)
            felt = felt.with_hands(spot, index, *held.halves())
            return Drawing(felt, spot, (index, index + 1))
        case "surrender" | "rescue":
            felt = _give_up(felt, spot, index, choice, log)
        case _:
            felt = felt.with_state(spot, index, "stood")
    return _next_hand(felt, log)


def _give_up(felt: Felt, spot: int, index: int, row: str, log: list[Event]) -> Felt:
    """Surrender (T-67, S-08, A-10) and rescue (S-07): half of the money on the hand comes back."""
    held = felt.hand(spot, index)
    state: HandState = "rescued" if row == "rescue" else "surrendered"
    payment = Paid(spot, index, MAIN, row, held.stake, half(held.stake))
    return felt.with_state(spot, index, state).with_payment(payment, log)


def _draw(state: Drawing, card: Card, log: list[Event]) -> State:
    index, rest = state.hands[0], state.hands[1:]
    felt = _card_to_spot(state.felt, state.spot, index, card, log)
    felt = _close(felt, state.spot, index, log)
    return Drawing(felt, state.spot, rest) if rest else _next_hand(felt, log)


def _close(felt: Felt, spot: int, index: int, log: list[Event]) -> Felt:
    """Settle or stand a hand that its new card has finished (G-03)."""
    hand = felt.hand(spot, index).hand
    if hand.bust:
        return _settle(felt, spot, index, "lose", EVEN, "bust", log)
    if odds := hand_rules.auto_win(felt.rules, hand):
        return _settle(felt, spot, index, "auto_win", odds, "won", log)
    if _options(felt, spot, index) == ("stand",):
        return felt.with_state(spot, index, "stood")
    return felt


# The dealer and the end


def _dealer(felt: Felt, log: list[Event]) -> State:
    """All hands are played: the dealer turns up, draws if a hand waits, and is compared."""
    if len(felt.dealer) == 1:
        waits = any(spot.waits_for_dealer for spot in felt.spots)
        return DealerDrawing(felt) if waits else _finish(felt, log)
    return _dealer_plays(_reveal(felt, log), log)


def _dealer_draw(felt: Felt, card: Card, log: list[Event]) -> State:
    felt = _card_to_dealer(felt, card, log)._replace(hole_is_up=True)
    if len(felt.dealer) > 2:
        return _dealer_plays(felt, log)
    if hand_rules.is_natural(felt.dealer_hand):
        return _finish(_dealer_natural(felt, log), log)
    return _dealer_plays(_dealer_known(felt, False, log), log)


def _dealer_plays(felt: Felt, log: list[Event]) -> State:
    """Draw only if some hand that stood is still unsettled (G-04)."""
    if not any(hand.standing for _, _, hand in felt.each_hand()):
        return _finish(felt, log)
    if hand_rules.dealer_draws(felt.rules, felt.dealer_hand):
        return DealerDrawing(felt)
    return _finish(_compare(felt, log), log)


_CLOSED: dict[Result, HandState] = {"win": "won", "push": "push", "lose": "lost"}


def _compare(felt: Felt, log: list[Event]) -> Felt:
    dealer = felt.dealer_hand
    for spot, index, held in felt.each_hand():
        if held.standing:
            result = hand_rules.compare(held.hand, dealer)
            felt = _settle(felt, spot, index, result, EVEN, _CLOSED[result], log)
    return felt


def _settle(
    felt: Felt, spot: int, index: int, row: str, odds: Odds, state: HandState, log: list[Event]
) -> Felt:
    """Settle the main money of a hand: lost, returned, or paid at odds."""
    held = felt.hand(spot, index)
    paid = {"lose": 0, "push": held.stake}.get(row)
    if paid is None:
        paid = odds.paid(held.stake)
    closed = HeldHand(held.cards, held.hand, held.stake, state, True)
    payment = Paid(spot, index, MAIN, row, held.stake, paid)
    return felt.with_hands(spot, index, closed).with_payment(payment, log)


def _reveal(felt: Felt, log: list[Event]) -> Felt:
    """Turn the hole card up, once."""
    if felt.hole_is_up or len(felt.dealer) < 2:
        return felt
    hand = felt.dealer_hand
    log.append(Revealed(felt.dealer[1], hand.total, hand.soft))
    return felt._replace(hole_is_up=True)


def _finish(felt: Felt, log: list[Event]) -> Over:
    felt = _reveal(felt, log)
    log.append(Settled(felt.staked, felt.paid))
    return Over(felt)
