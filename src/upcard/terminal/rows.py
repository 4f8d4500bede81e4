"""What a table shows of a round, as plain values: one row for the dealer and one for each hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from upcard.cards import Card, parse_card
from upcard.describe.words import amount, sentence_case
from upcard.events import BetTaken, Event, Paid, Staked
from upcard.table import FACE_DOWN, HandView, SpotView
from upcard.terminal.dealer import Answer
from upcard.terminal.words import bet_name, hand_name, row_name, total_name
from upcard.twentyone.felt import MAIN as MAIN_OF_DRAWING

Outcome = Literal["open", "lost", "back", "won"]


@dataclass(frozen=True, slots=True)
class BetLine:
    """A bet in words, and whether it is lost, came back in part or whole, or won."""

    words: str
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One hand. `cards` has None for a card that lies face down."""

    name: str
    cards: tuple[Card | None, ...]
    total: str
    bets: tuple[BetLine, ...] = ()
    state: str = ""
    acts: bool = False


def dealer_row(answer: Answer) -> Row:
    cards = _cards(answer.round.table.dealer.cards)
    shown = [card for card in cards if card]
    lone_ace = len(shown) == 1 and shown[0].is_ace
    total = "ace" if lone_ace else total_name(answer.round.game.rules, shown)
    return Row(name="Dealer", cards=cards, total=total)


def hand_rows(answer: Answer) -> Iterator[Row]:
    """Every hand in the order of play, the rightmost spot first."""
    for spot in answer.round.table.spots:
        for index, hand in enumerate(spot.hands):
            yield _hand_row(answer, spot, index, hand)


def _hand_row(answer: Answer, spot: SpotView, index: int, hand: HandView) -> Row:
    game = answer.round.game
    acts = any((choice.spot, choice.hand) == (spot.spot, index) for choice in answer.choices)
    cards = _cards(hand.cards)
    return Row(
        name=sentence_case(hand_name(game, spot.spot, index, len(spot.hands))),
        cards=cards,
        total=total_name(
            game.rules, [card for card in cards if card], from_split=len(spot.hands) > 1
        ),
        bets=tuple(_bets(answer, spot.spot, index, hand)),
        state=_state(answer, spot, index, hand, acts=acts),
        acts=acts,
    )


def _cards(texts: Iterable[str]) -> tuple[Card | None, ...]:
    return tuple(None if text == FACE_DOWN else parse_card(text) for text in texts)


def _state(answer: Answer, spot: SpotView, index: int, hand: HandView, *, acts: bool) -> str:
    """What a hand does that still waits for something; how it ended is said with its bets."""
    if acts:
        return "to act"
    main = answer.round.game.main
    if answer.proof or _paid(answer.round.events, spot.spot, index, main):
        return ""
    if main not in spot.bets:
        return "side bets"
    return {"stood": "stands", "natural": "waits", "live": "waits"}.get(hand.state, "")


def _bets(answer: Answer, spot: int, index: int, hand: HandView) -> Iterator[BetLine]:
    """The hand's money; beside the first hand also the bets of the whole spot."""
    game, events = answer.round.game, answer.round.events
    is_drawing = game.main == MAIN_OF_DRAWING
    if is_drawing and hand.stake:
        yield _bet(answer, spot, index, game.main, hand.stake)
    if index > 0:
        return
    for event in events:
        match event:
            case BetTaken(number, bet, cents) if number == spot:
                if not (is_drawing and bet == game.main):
                    yield _bet(answer, spot, 0, bet, cents)
            case Staked(number, _, bet, cents) if number == spot and bet != game.main:
                yield _bet(answer, spot, 0, bet, cents)


def _bet(answer: Answer, spot: int, index: int, bet: str, cents: int) -> BetLine:
    game = answer.round.game
    words = f"{bet_name(game, bet)} {amount(cents)}"
    paid = _paid(answer.round.events, spot, index, bet)
    if paid is None:
        return BetLine(words, "open")
    words = f"{words}: {row_name(game, bet, paid.row)}"
    if paid.paid == 0:
        return BetLine(words, "lost")
    return BetLine(
        f"{words}, {amount(paid.paid)} back", "won" if paid.paid > paid.stake else "back"
    )


def _paid(events: Iterable[Event], spot: int, index: int, bet: str) -> Paid | None:
    for event in events:
        if isinstance(event, Paid) and (event.spot, event.bet) == (spot, bet):
            of_spot = event.hand is None
            if of_spot or event.hand == index:
                return event
    return None


NOT_WON = ("lose", "push", "surrender", "rescue")


def bet_and_won(events: Iterable[Event]) -> tuple[int, int]:
    """All money bet so far, and all that came back on winning bets, in cents (G-11)."""
    bet = won = 0
    for event in events:
        if isinstance(event, BetTaken | Staked):
            bet += event.cents
        elif isinstance(event, Paid) and event.row not in NOT_WON:
            won += event.paid
    return bet, won
