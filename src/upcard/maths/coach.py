"""The coach: what each legal choice of a live hand is worth, from what the player may know.

`advise(round_)` answers in this process. `python -m upcard.maths.coach SOCKET` answers others over
a unix socket, so that whoever serves players need not import the solver. Lines of JSON, one each
way: `{"ready": true}` once it is warm, then a `{"id": 1, "position": {...}}` for a `{"id": 1,
"values": {...}}` or an `{"id": 1, "error": "..."}`. One process serves a socket, whoever started
it first, and ends with its last guest.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import sys
from asyncio import StreamReader, StreamWriter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from upcard import fields
from upcard.cards import Card, parse_card, parse_cards
from upcard.game import Game, Round
from upcard.games import ANALYSED, CATALOGUE, find
from upcard.maths import shoe as shoes
from upcard.maths import threecard
from upcard.maths.best import live_insurance, live_values
from upcard.table import (
    FACE_DOWN,
    CardFor,
    ChoiceName,
    DealerView,
    HandView,
    SpotBets,
    SpotView,
    Table,
    table_record,
)
from upcard.threecard.rules import Rules as ThreeCardRules
from upcard.twentyone import hand as hand_rules
from upcard.twentyone.round import MAIN
from upcard.twentyone.rules import Rules as TwentyOneRules

Advice = dict[ChoiceName, float]

LONELY_SECONDS_MAX = 5.0
"""How long a coach waits for its first guest."""
DONE, MISUSED = 0, 2


# Positions


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A decision as the player sees it: the rules, the table, and the choices of one hand.

    The table is all that may be seen (`Round.table`): no hole card, no order of the shoe.
    """

    game: str
    rules: Any
    table: Table
    spot: int
    hand: int
    choices: tuple[ChoiceName, ...]

    @classmethod
    def of(cls, round_: Round) -> Position:
        """The decision that a round waits for."""
        offered = round_.choices
        assert offered, f"the round waits for {round_.wants}, which is no choice"
        return cls(
            game=round_.game.key,
            rules=round_.game.rules,
            table=round_.table,
            spot=offered[0].spot,
            hand=offered[0].hand,
            choices=tuple(choice.choice for choice in offered),
        )

    @property
    def at(self) -> SpotView:
        return next(spot for spot in self.table.spots if spot.spot == self.spot)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The hand that is to choose."""
        return tuple(map(parse_card, self.at.hands[self.hand].cards))

    @property
    def up(self) -> Card:
        return parse_card(self.table.dealer.cards[0])

    @property
    def elsewhere(self) -> tuple[Card, ...]:
        """The cards of all other hands, finished ones too."""
        return tuple(
            parse_card(card)
            for spot in self.table.spots
            for index, hand in enumerate(spot.hands)
            if (spot.spot, index) != (self.spot, self.hand)
            for card in hand.cards
            if card != FACE_DOWN
        )

    def __str__(self) -> str:
        return json.dumps(
            {
                "game": self.game,
                "rules": fields.texts(self.rules),
                "table": table_record(self.table),
                "spot": self.spot,
                "hand": self.hand,
                "choices": self.choices,
            }
        )


def parse_position(text: str) -> Position:
    """What `str(position)` wrote, of any game that is analysed. Raises Refused (`field`)."""
    return _position(json.loads(text))


def _position(document: Mapping[str, Any]) -> Position:
    rules = find(document["game"], ANALYSED).rules
    for name, value in document["rules"].items():
        rules = fields.replaced(rules, name, value)
    return Position(
        game=document["game"],
        rules=rules,
        table=_table(document["table"]),
        spot=document["spot"],
        hand=document["hand"],
        choices=tuple(document["choices"]),
    )


def _table(document: Mapping[str, Any]) -> Table:
    dealer = DealerView(**document["dealer"] | {"cards": tuple(document["dealer"]["cards"])})
    return Table(dealer=dealer, spots=tuple(map(_spot, document["spots"])))


def _spot(document: Mapping[str, Any]) -> SpotView:
    hands = tuple(HandView(**hand | {"cards": tuple(hand["cards"])}) for hand in document["hands"])
    return SpotView(**{**document, "hands": hands})


# Prices


def advise(round_: Round) -> Advice:
    """The value of each choice that the round offers now: the mean net result of the hand's main
    bet, in initial bets of its spot (three cards: in antes), with best play from here on.

    Known are the rules, the up card, every card of every hand of the player, and that the peek, if
    there was one, found no natural. A split is worth all hands it makes, by the model of
    docs/maths.md, and of hands already split the one to choose is valued alone. `insurance` and
    `no_insurance`, `even_money` and `no_even_money` are worth the whole spot with and without, the
    dealer's natural included. Side bets are no part of it. What a balance covers is not asked.
    """
    return price(Position.of(round_))


def price(position: Position) -> Advice:
    """As `advise`, from what is seen alone."""
    match position.rules:
        case TwentyOneRules() as rules:
            found = _twentyone(rules, position)
        case ThreeCardRules() as rules:
            found = _threecard(rules, position)
        case _:
            raise AssertionError(f"{position.game}: {type(position.rules)} has no maths yet")
    assert found.keys() == {*position.choices}, f"{found} for {position.choices}"
    return {choice: found[choice] for choice in position.choices}


def _threecard(rules: ThreeCardRules, position: Position) -> Advice:
    hand = tuple(card.value for card in position.cards)
    found = threecard.decision(rules, hand, position.up.value, shoes.full(rules.decks))
    return {"raise": float(found.raise_value), "fold": float(threecard.FOLD)}


def _twentyone(rules: TwentyOneRules, position: Position) -> Advice:
    shoe = shoes.less(shoes.full(rules.decks), position.elsewhere)
    spot = position.at
    held = spot.hands[position.hand]
    cards = " ".join(held.cards)
    hands = len(spot.hands)
    found = live_values(
        rules,
        shoe,
        cards,
        str(position.up),
        hands=hands,
        split=hands > 1,
        doubled=held.stake > spot.bets[MAIN],
    )
    if found.keys() & {*position.choices}:
        return found
    asked = live_insurance(rules, shoe, cards)
    if "even_money" in asked:
        return asked
    beside = _unpeeked(rules, position, shoe, max(found.values()))
    return {choice: value + beside for choice, value in asked.items()}


def _unpeeked(rules: TwentyOneRules, position: Position, shoe: shoes.Shoe, played: float) -> float:
    """The value of a hand before the peek; `played`: its value once that found no natural."""
    if rules.hole_card == "none":
        return played
    left = shoes.by_value(shoes.less(shoe, (*position.cards, position.up)))
    natural = left[-1] / sum(left)
    met = -1.0
    if hand_rules.is_natural(hand_rules.hand_of(position.cards)):
        result = hand_rules.natural_result(rules, dealer_natural=True)
        met = played if result == "win" else 0.0
    return (1 - natural) * played + natural * met


# The process

WARMING = ("8c Td 8h 6s 5c 4d", "8c Ad 8h 6s 5c 4d")
"""First cards of a round: where there are pairs, one against a ten and one against an ace."""


def warm() -> None:
    """Price a hand or two of every game, so that the next ones are quick."""
    for game in CATALOGUE:
        for cards in WARMING:
            price(Position.of(_dealt(game.at_table(), cards)))


def _dealt(game: Game, cards: str) -> Round:
    level = game.levels[-1]
    bets = SpotBets(1, ((game.main, level.bets[game.main].min),))
    round_ = Round.begin(game, level.key, [bets])
    for card in parse_cards(cards):
        if isinstance(round_.wants, CardFor):
            round_ = round_.give(card)
    return round_


def answer(line: bytes) -> bytes:
    """The line that answers a line; whatever goes wrong with it is said in it."""
    asked: dict[str, Any] = {}
    try:
        asked = json.loads(line)
        reply = {"id": asked["id"], "values": price(_position(asked["position"]))}
    except Exception as error:
        reply = {"id": asked.get("id"), "error": f"{type(error).__name__}: {error}"}
    return json.dumps(reply).encode() + b"\n"


class Service:
    """One coach at one socket. All pricing is done by one thread, in the order of the asking."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1)
        self._guests = 0
        self._came, self._left = asyncio.Event(), asyncio.Event()
        self._warm: asyncio.Future[Any] = asyncio.get_running_loop().run_in_executor(
            self._thread, warm
        )

    async def serve(self, path: Path) -> None:
        """Until the last guest has left; TimeoutError if none comes."""
        path.unlink(missing_ok=True)
        server = await asyncio.start_unix_server(self._guest, path)
        await asyncio.wait_for(self._came.wait(), LONELY_SECONDS_MAX)
        left: asyncio.Future[Any] = asyncio.create_task(self._left.wait())
        await asyncio.wait([left, self._warm], return_when=asyncio.FIRST_COMPLETED)
        if self._warm.done():
            self._warm.result()
        await left
        server.close()

    async def _guest(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._guests += 1
        self._came.set()
        greeting = asyncio.create_task(self._greet(writer))
        loop = asyncio.get_running_loop()
        with suppress(ConnectionError):
            while line := await reader.readline():
                writer.write(await loop.run_in_executor(self._thread, answer, line))
                await writer.drain()
        greeting.cancel()
        writer.close()
        self._guests -= 1
        if not self._guests:
            self._left.set()

    async def _greet(self, writer: StreamWriter) -> None:
        await asyncio.shield(self._warm)
        writer.write(b'{"ready": true}\n')


def claim(path: Path) -> IO[str] | None:
    """The lock of a socket, to be kept open, with our process id in it; None if another has it."""
    lock = path.with_suffix(".lock").open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    lock.truncate(0)
    lock.write(f"{os.getpid()}\n")
    lock.flush()
    return lock


async def _serve(path: Path) -> None:
    await Service().serve(path)


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m upcard.maths.coach SOCKET", file=sys.stderr)
        return MISUSED
    path = Path(arguments[0])
    lock = claim(path)
    if lock is None:
        return DONE
    with suppress(TimeoutError):
        asyncio.run(_serve(path))
    path.unlink(missing_ok=True)
    return DONE


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    # Not by way of an exit that waits for the thread, which may be compiling for half a minute.
    os._exit(code)
