"""Hands to practise on: dealt by the rules' own engine, for no money and into no book.

A practice hand is a value: it is dealt, shown and judged, and nobody keeps it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any, Literal, get_args

from upcard.cards import CARDS, CARDS_PER_DECK, Card, numbered, parse_card
from upcard.game import Game, Round
from upcard.house.answers import choices, plain, records
from upcard.refused import Refused
from upcard.server.review import kind_of
from upcard.table import CardFor, ChoiceFor, ChoiceName, SpotBets

Wanted = Literal["any", "hard", "soft", "pair"]
WANTED: tuple[Wanted, ...] = get_args(Wanted)
DEALS_MAX = 200
"""So many hands are dealt in search of one of the kind that is wanted, and then any is taken."""
HOLES_MAX = 100
"""So many hole cards are tried for one with which the dealer has no natural."""
DEALER_CARDS = 3
PLENTY = 1 << 60
DECLINED: dict[str, ChoiceName] = {"insurance": "no_insurance", "even_money": "no_even_money"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """One hand against an up card. `doubled`: its last card came by a double; `asked`: insurance
    or even money is the question, not the play."""

    cards: tuple[str, ...]
    up: str
    doubled: bool = False
    asked: bool = False


def drawn(game: Game, wanted: Wanted, random: Random) -> Situation:
    """The first decision of a fresh shuffle, of the kind that is wanted where a game has it."""
    found: Situation | None = None
    for _ in range(DEALS_MAX):
        round_ = _first_decision(game, random)
        if round_ is None:
            continue
        table = round_.table
        found = Situation(
            cards=table.spots[0].hands[0].cards,
            up=table.dealer.cards[0],
            asked=_declining(round_) is not None,
        )
        kind = kind_of(told(round_))
        if wanted in ("any", kind) or kind == "three_cards":
            return found
    assert found, f"{game.key} asks nothing in {DEALS_MAX} rounds"
    return found


def _first_decision(game: Game, random: Random) -> Round | None:
    shoe = iter(random.sample(range(CARDS_PER_DECK * game.rules.decks), CARDS_PER_DECK // 2))
    round_ = _begun(game)
    while isinstance(round_.wants, CardFor):
        round_ = round_.give(numbered(next(shoe)))
    return round_ if isinstance(round_.wants, ChoiceFor) else None


def _begun(game: Game) -> Round:
    level = game.levels[0]
    return Round.begin(game, level.key, [SpotBets(1, ((game.main, level.bets[game.main].min),))])


def dealt(game: Game, situation: Situation, random: Random) -> Round:
    """The round of a situation, at its decision. Raises Refused (`field`)."""
    cards, up = [parse_card(text) for text in situation.cards], parse_card(situation.up)
    left = Counter({card: game.rules.decks for card in CARDS})
    left.subtract([*cards, up])
    if min(left.values()) < 0:
        raise Refused("field", f"These cards are more of a kind than {game.key} is dealt from.")
    unseen = [*left.elements()]
    for _ in range(HOLES_MAX):
        dealer = [up, *random.sample(unseen, DEALER_CARDS - 1)]
        round_ = _led(_begun(game), situation, [*cards], dealer)
        if round_ is not None:
            return round_
    raise Refused(
        "field", "These cards lead to no such choice; name a hand that is still to be played."
    )


def _led(
    round_: Round, situation: Situation, cards: list[Card], dealer: list[Card]
) -> Round | None:
    """The round led to the decision of a situation; None if it never comes there."""
    while True:
        match round_.wants:
            case CardFor(spot=spot):
                supply = cards if spot else dealer
                if not supply:
                    return None
                round_ = round_.give(supply.pop(0))
            case ChoiceFor():
                choice = _on(round_, situation, len(cards))
                if choice is None:
                    return round_ if _is_there(round_, situation, len(cards)) else None
                if choice not in {offered.choice for offered in round_.choices}:
                    return None
                round_ = round_.give(choice)
            case _:
                return None


def _declining(round_: Round) -> ChoiceName | None:
    """The choice that declines insurance or even money, where that is the question."""
    offered = [choice.choice for choice in round_.choices]
    return next((no for yes, no in DECLINED.items() if yes in offered), None)


def _on(round_: Round, situation: Situation, to_come: int) -> ChoiceName | None:
    """The choice that leads on, or None where there is nothing more to lead to."""
    declining = _declining(round_)
    if declining is not None:
        return None if situation.asked else declining
    if to_come == 0:
        return None
    return "double" if situation.doubled and to_come == 1 else "hit"


def _is_there(round_: Round, situation: Situation, to_come: int) -> bool:
    is_asked = _declining(round_) is not None
    return to_come == 0 and is_asked == situation.asked


def told(round_: Round) -> dict[str, Any]:
    """Table, choices and events as a player is told of them, whose balance covers everything."""
    return {
        "table": plain(round_.table),
        "choices": choices(round_, PLENTY),
        "events": records(round_.events),
    }
