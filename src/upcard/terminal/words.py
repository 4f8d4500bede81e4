"""What happened, in sentences that somebody at the table would say.

`tell` tells a whole round. A `Teller` remembers the cards, so that a round can be told answer by
answer. Everything is ASCII and nothing depends on colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal

from upcard.cards import SUIT_NAMES, Card
from upcard.describe import row_title
from upcard.describe.words import amount, counted, sentence_case
from upcard.events import (
    Awarded,
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
from upcard.game import Game
from upcard.refused import listed
from upcard.table import ChoiceName
from upcard.terminal.dealer import Played
from upcard.threecard import hand as three_cards
from upcard.threecard.round import CARDS_EACH
from upcard.threecard.rules import Rules as ThreeCardRules
from upcard.twentyone import hand as drawing
from upcard.twentyone.felt import MAIN as MAIN_OF_DRAWING
from upcard.twentyone.rules import BEST_TOTAL
from upcard.twentyone.rules import Rules as DrawingRules

RANK_NAMES = (
    *("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king"),
)
ORDINALS = ("first", "second", "third", "fourth")


def tell(game: Game, events: Iterable[Event]) -> Iterator[str]:
    """A round from its beginning, one sentence a line."""
    return (said.sentence for said in Teller(game).said(events))


# Cards and totals


def card_name(card: Card) -> str:
    return f"{RANK_NAMES[card.rank]} of {SUIT_NAMES[card.suit]}"


def card_names(cards: Iterable[Card]) -> str:
    return listed([f"the {card_name(card)}" for card in cards], "and")


def total_name(rules: Any, cards: Sequence[Card], *, from_split: bool = False) -> str:
    """What some cards count under these rules: `16`, `soft 17`, `blackjack`, `24, bust`.

    Where a soft 21 may go on (S-13), every soft total names both its values: `soft 7/17` (S-17).
    """
    match rules:
        case DrawingRules():
            hand = drawing.hand_of(cards, drawing.Hand(from_split=from_split))
            if drawing.is_natural(hand):
                return "blackjack"
            if hand.soft and rules.stands_on_21 == "hard":
                return f"soft {hand.hard}/{hand.total}"
            if hand.soft and hand.total < BEST_TOTAL:
                return f"soft {hand.total}"
            return f"{hand.total}, bust" if hand.bust else str(hand.total)
        case ThreeCardRules() if len(cards) == CARDS_EACH:
            best = three_cards.best(rules, [card.value for card in cards])
            return "blackjack" if best.natural else f"{'soft ' if best.soft else ''}{best.total}"
        case _:
            total, soft = three_cards.total_of([card.value for card in cards])
            return f"{'soft ' if soft else ''}{total}"


# Bets, rows and choices


def bet_name(game: Game, bet: str) -> str:
    """`main`, `raise`, `21+3 Classic`: how the table calls a bet."""
    titles = {side.key: side.title for side in game.side_bets}
    return titles.get(bet, bet)


_HAND_ROWS = {
    "win": "win",
    "natural": "blackjack",
    "auto_win": "automatic win",
    "push": "push",
    "lose": "lost",
    "surrender": "surrendered",
    "rescue": "given up after doubling",
}


def row_name(game: Game, bet: str, row: str) -> str:
    """How a bet ended, in a few words: `push`, `straight flush`, `lost`."""
    side = next((side for side in game.side_bets if side.key == bet), None)
    if side and row != "lose":
        title = row_title(side, row)
        return title[:1].lower() + title[1:] if title[1:2].islower() else title
    if row == "natural_suited":
        return f"blackjack in {game.rules.natural_suited.suit}"
    return _HAND_ROWS[row]


def choice_name(choice: ChoiceName) -> str:
    return choice.replace("_", " ")


# Places


def spot_name(game: Game, spot: int) -> str:
    """`spot 2`, or `your hand` where there is only one."""
    return f"spot {spot}" if game.spots_max > 1 else "your hand"


def hand_name(game: Game, spot: int, hand: int, hands: int) -> str:
    """`spot 2`, `spot 2's first hand`, `your second hand`."""
    if hands == 1:
        return spot_name(game, spot)
    owner = f"spot {spot}'s" if game.spots_max > 1 else "your"
    return f"{owner} {ORDINALS[hand]} hand"


@dataclass(frozen=True, slots=True)
class Doer:
    """Who does something, as the subject of a sentence."""

    name: str

    def does(self, verb: str, rest: str = "") -> str:
        """`You hit`, `Spot 1 hits`."""
        if self.name != "you":
            verb = {"have": "has", "push": "pushes"}.get(verb, f"{verb}s")
        return sentence_case(" ".join(filter(None, (self.name, verb, rest))))


# Telling

Kind = Literal["bets", "deal", "card", "choice", "dealer", "award", "pay", "settled"]


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence and what it is about, for a screen that shows some of it otherwise."""

    kind: Kind
    sentence: str


_CARDS = (CardToSpot, CardToDealer, FaceDownToDealer)
_CHOSEN = {
    "hit": ("hit", ""),
    "stand": ("stand", ""),
    "surrender": ("surrender", ""),
    "rescue": ("give", "up the doubled hand"),
    "no_insurance": ("take", "no insurance"),
    "even_money": ("take", "even money"),
    "no_even_money": ("take", "no even money"),
    "fold": ("fold", ""),
}
"""Choices that cost nothing; the others are told with the money they take."""
_STAKED = {
    "double": ("double", "for"),
    "split": ("split", "for"),
    "insurance": ("take", "insurance for"),
    "raise": ("raise", "by"),
}


class Teller:
    """Tells one round. Give it the events in order, in as many portions as they come."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._hands: dict[int, list[list[Card]]] = {}
        self._dealer: list[Card] = []
        self._chosen: Chosen | None = None

    def said(self, events: Iterable[Event]) -> Iterator[Said]:
        """The sentences for these events. Cards that come in one go are told hand by hand."""
        for kind, run in groupby(events, _run):
            if kind is BetTaken:
                yield from self._bets([event for event in run if isinstance(event, BetTaken)])
            elif kind is Revealed:
                cards = [event.card for event in run if isinstance(event, Revealed)]
                yield Said("dealer", self._dealer_gets("turns up", cards))
            elif kind is not None:
                yield from self._cards(list(run))
            else:
                for event in run:
                    yield from self._event(event)

    # Bets and cards

    def _bets(self, bets: Sequence[BetTaken]) -> Iterator[Said]:
        for spot, laid in groupby(bets, lambda bet: bet.spot):
            self._hands[spot] = [[]]
            named = [f"{bet_name(self._game, bet.bet)} {amount(bet.cents)}" for bet in laid]
            yield Said("bets", f"{self._spot(spot).does('bet')} {listed(named, 'and')}.")

    def _cards(self, run: Sequence[Event]) -> Iterator[Said]:
        dealt: dict[tuple[int, int], list[Card]] = {}
        for event in run:
            if isinstance(event, CardToSpot):
                dealt.setdefault((event.spot, event.hand), []).append(event.card)
        for (spot, hand), cards in dealt.items():
            yield self._hand_gets(spot, hand, cards)
        up = [event.card for event in run if isinstance(event, CardToDealer)]
        if self._dealer and up:
            yield Said("dealer", self._dealer_gets("draws", up))
        elif up:
            self._dealer = up
            down = sum(isinstance(event, FaceDownToDealer) for event in run)
            yield Said("deal", f"The dealer shows {card_names(up)}{_face_down(down)}.")

    def _hand_gets(self, spot: int, hand: int, cards: list[Card]) -> Said:
        held = self._hands[spot][hand]
        kind: Kind = "card" if held else "deal"
        verb = "get" if held else "have"
        held += cards
        from_split = len(self._hands[spot]) > 1
        total = total_name(self._game.rules, held, from_split=from_split)
        return Said(kind, f"{self._doer(spot, hand).does(verb, card_names(cards))}: {total}.")

    def _dealer_gets(self, verb: str, cards: list[Card]) -> str:
        self._dealer += cards
        total = total_name(self._game.rules, self._dealer)
        return f"The dealer {verb} {card_names(cards)}: {total}{self._qualifying()}."

    def _qualifying(self) -> str:
        """What a three-card dealer's whole hand is worth beside its total (C-08)."""
        rules = self._game.rules
        if not isinstance(rules, ThreeCardRules):
            return ""
        best = three_cards.best(rules, [card.value for card in self._dealer])
        return "" if three_cards.qualifies(rules, best) else ", which does not qualify"

    # Everything else

    def _event(self, event: Event) -> Iterator[Said]:
        match event:
            case Offered(spot, choice):
                whose = f" for {spot_name(self._game, spot)}" if self._game.spots_max > 1 else ""
                yield Said("choice", f"{sentence_case(choice_name(choice))} is offered{whose}.")
            case Chosen(spot, hand, choice):
                self._chosen = event
                if choice in _CHOSEN:
                    yield Said("choice", f"{self._doer(spot, hand).does(*_CHOSEN[choice])}.")
            case Staked():
                yield Said("choice", self._staked(event))
            case Peeked(natural):
                found = "and has blackjack" if natural else "and has no blackjack"
                yield Said("dealer", f"The dealer looks at the hole card {found}.")
            case Awarded(spot, _, _, meter, paid):
                part = "all of it" if paid == meter else f"{amount(paid)} of it"
                takes = self._spot(spot).does("take", part)
                yield Said("award", f"The meter stands at {amount(meter)}. {takes}.")
            case Paid():
                yield Said("pay", f"{sentence_case(self._paid(event))}.")
            case Settled(staked, paid):
                yield Said("settled", result_sentence(staked, paid))

    def _staked(self, event: Staked) -> str:
        assert self._chosen is not None, f"{event} was not chosen"
        chosen = self._chosen
        verb, rest = _STAKED[chosen.choice]
        doer = self._doer(chosen.spot, chosen.hand)
        if chosen.choice == "split":
            hands = self._hands[chosen.spot]
            hands[chosen.hand : chosen.hand + 1] = [[card] for card in hands[chosen.hand]]
        return f"{doer.does(verb, rest)} {amount(event.cents)}."

    def _paid(self, event: Paid) -> str:
        stake, paid = amount(event.stake), amount(event.paid)
        back = f"{paid} comes back for {stake}"
        match event.row:
            case "lose":
                return f"{self._bettor(event).does('lose')} {stake}"
            case "push":
                return f"{self._bettor(event).does('push')}, {paid} comes back"
            case "surrender" | "rescue":
                return f"{paid} of {stake} comes back"
            case "win":
                return f"{self._bettor(event).does('win')}: {back}"
            case "auto_win":
                return f"{self._bettor(event).does('win')} at once{self._at_once(event)}: {back}"
            case _:
                named = row_name(self._game, event.bet, event.row)
                return f"{self._bettor(event).does('win')} ({named}): {back}"

    def _at_once(self, event: Paid) -> str:
        """Why a hand won by itself: so many cards, or 21 in so many (S-09, S-10)."""
        cards = self._hands[event.spot][event.hand or 0]
        hand = drawing.hand_of(cards)
        is_21 = hand.total == BEST_TOTAL
        return f" with {'21 in ' if is_21 else ''}{hand.cards} cards"

    # Who

    def _spot(self, spot: int) -> Doer:
        return Doer(f"spot {spot}" if self._game.spots_max > 1 else "you")

    def _doer(self, spot: int, hand: int) -> Doer:
        hands = len(self._hands[spot])
        if hands == 1:
            return self._spot(spot)
        return Doer(hand_name(self._game, spot, hand, hands))

    def _bettor(self, event: Paid) -> Doer:
        """The hand for a drawing game's main bet, else the bet by its name."""
        if event.bet == MAIN_OF_DRAWING and event.hand is not None:
            return self._doer(event.spot, event.hand)
        where = f" on spot {event.spot}" if self._game.spots_max > 1 else ""
        name = bet_name(self._game, event.bet)
        own = event.hand is not None  # of the hand, so with an article: the ante, the raise
        return Doer(f"{'the ' if own else ''}{name}{where}")


def result_sentence(staked: int, paid: int) -> str:
    """`Staked 20.00, returned 15.00: 5.00 down.`"""
    net = paid - staked
    ending = f"{amount(abs(net))} {'up' if net > 0 else 'down'}" if net else "even"
    return f"Staked {amount(staked)}, returned {amount(paid)}: {ending}."


def played_sentence(played: Played) -> str:
    """`super21, round 7. Staked 20.00, returned 15.00: 5.00 down.`"""
    match played.status:
        case "settled":
            end = result_sentence(played.staked, played.paid)
        case "open":
            end = "It is open."
        case "void":
            end = "It is void: every bet and payment was taken back."
    return f"{played.game}, round {played.nonce}. {end}"


def _run(event: Event) -> type[Event] | None:
    """What events are told together: bets, cards, and cards turned up; None for all others."""
    if isinstance(event, _CARDS):
        return CardToSpot
    return type(event) if isinstance(event, BetTaken | Revealed) else None


def _face_down(cards: int) -> str:
    return f", {counted(cards, 'card')} face down" if cards else ""
