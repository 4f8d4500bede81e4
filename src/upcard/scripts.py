"""Rounds as text: a `.round` file is a test, a bug report and a replay at once.

    # T-63 T-66: aces split once, ten on each is a plain 21
    game top3 decks=6 level=low
    bet 1 main=10.00 classic=1.00
    cards Ah 9c As 7d Th Kd 2c
    do 1.0 split
    pay 1 classic 0.00
    pay 1.0 main 20.00
    pay 1.1 main 20.00

After `#` stands a comment. `game` names the game and, as `name=value`, its level, the two side
bets that are open (`side_bets=trifecta,in_bet`), `ask_insurance=false`, any rule field
(`double.cards=any`) and any pay (`classic.flush=8:1`). `bet` lays a spot's bets; `cards` are all
cards in the order of the deal; `meter SPOT AMOUNT` is a progressive meter as that spot met it; `do
SPOT.HAND CHOICE` are the choices in order; `pay SPOT[.HAND] BET AMOUNT [of STAKE]` is all that
comes back for every bet, in any order, and if it is said what had been put down for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from upcard import fields
from upcard.cards import Card, parse_cards, print_cards
from upcard.events import Awarded, Chosen, Event, Paid
from upcard.game import Game, Round
from upcard.games import ANALYSED, find
from upcard.money import parse_cents, print_cents
from upcard.refused import Refused, listed
from upcard.table import (
    CHOICE_NAMES,
    CardFor,
    ChoiceFor,
    ChoiceName,
    Meter,
    MeterFor,
    SpotBets,
    parse_spot_bets,
)

T = TypeVar("T")


class Differs(Exception):
    """The script was played and something in it is not so. `sentence` says what, with its line."""

    def __init__(self, sentence: str, line: int = 0) -> None:
        super().__init__(sentence, line)
        self.sentence = f"line {line}: {sentence}" if line else sentence

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class Move:
    """One `do` line. `line` counts from 1 in the file, 0 for a script made otherwise."""

    spot: int
    hand: int
    choice: ChoiceName
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"do {self.spot}.{self.hand} {self.choice}"


@dataclass(frozen=True, slots=True)
class Payment:
    """One `pay` line: all that comes back for a bet, and its whole stake where it is claimed."""

    spot: int
    hand: int | None
    bet: str
    cents: int
    stake: int | None = None
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        of_stake = "" if self.stake is None else f" of {print_cents(self.stake)}"
        return f"pay {self.place} {self.bet} {print_cents(self.cents)}{of_stake}"

    @property
    def place(self) -> str:
        return str(self.spot) if self.hand is None else f"{self.spot}.{self.hand}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A round as written: what is needed to play it, and what is claimed of it."""

    comments: tuple[str, ...] = ()
    game_key: str
    options: tuple[tuple[str, str], ...]
    spots: tuple[SpotBets, ...]
    cards: tuple[Card, ...]
    meters: tuple[tuple[int, int], ...] = ()
    moves: tuple[Move, ...] = ()
    payments: tuple[Payment, ...] = ()

    def __str__(self) -> str:
        options = [f"{name}={value.replace(' ', '')}" for name, value in self.options]
        lines = [f"# {comment}".rstrip() for comment in self.comments]
        lines.append(" ".join(["game", self.game_key, *options]))
        lines += [f"bet {spot}" for spot in self.spots]
        lines.append(f"cards {print_cards(self.cards)}".rstrip())
        lines += [f"meter {spot} {print_cents(cents)}" for spot, cents in self.meters]
        lines += [str(line) for line in (*self.moves, *self.payments)]
        return "\n".join(lines) + "\n"


# Text to script

_SPOT = re.compile(r"[0-9]{1,2}")
_PLACE = re.compile(r"([0-9]{1,2})(?:\.([0-9]{1,2}))?")


def parse(text: str) -> Script:
    """A `.round` file → Script. Raises Refused (`field`) with the number of the line."""
    comments: list[str] = []
    script: dict[str, list[tuple[int, str]]] = {word: [] for word in _KEYWORDS}
    for number, line in enumerate(text.splitlines(), 1):
        body, hash_, comment = line.partition("#")
        if hash_ and not body.strip():
            comments.append(comment.removeprefix(" ").rstrip())
        if body.strip():
            keyword, _, rest = body.strip().partition(" ")
            if keyword not in script:
                raise _refused(
                    number, f"{keyword!r} begins no line; lines begin with {listed(_KEYWORDS)}."
                )
            script[keyword].append((number, rest.strip()))
    if not script["game"]:
        raise Refused("field", "a round has one game line, this one has none.")
    if len(script["game"]) > 1:
        raise _refused(script["game"][1][0], "a round has one game line, and this is another.")
    game_key, options, decks = _at(script["game"][0], _parse_game)
    return Script(
        comments=tuple(comments),
        game_key=game_key,
        options=options,
        spots=tuple(_at(line, parse_spot_bets) for line in script["bet"]),
        cards=_parse_cards(script["cards"], decks),
        meters=tuple(_at(line, _parse_meter) for line in script["meter"]),
        moves=tuple(_parse_move(*line) for line in script["do"]),
        payments=tuple(_parse_payment(*line) for line in script["pay"]),
    )


_KEYWORDS = ("game", "bet", "cards", "meter", "do", "pay")


def _refused(line: int, sentence: str) -> Refused:
    return Refused("field", f"line {line}: {sentence}")


def _at(line: tuple[int, str], read: Callable[[str], T]) -> T:
    """Read the rest of a line; what is refused bears the line's number."""
    number, text = line
    try:
        return read(text)
    except Refused as refused:
        raise _refused(number, refused.sentence) from None


def _parse_game(text: str) -> tuple[str, tuple[tuple[str, str], ...], int]:
    """The game's key, the options as written, and the decks they make."""
    key, *words = text.split() or [""]
    game = find(key, ANALYSED)
    options = tuple(_split_option(word) for word in words)
    names = [name for name, _ in options]
    if len(set(names)) < len(names):
        raise Refused("field", f"each option is given once, these are {listed(names, 'and')}.")
    game, _, _ = _table(game, options)
    return key, options, game.rules.decks


def _split_option(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not (name and equals and value):
        raise Refused("field", f"{word!r} is no option; write it like decks=6.")
    return name, value


def _parse_cards(lines: list[tuple[int, str]], decks: int) -> tuple[Card, ...]:
    """All cards, none of them more often than there are decks."""
    cards: list[Card] = []
    for line in lines:
        for card in _at(line, parse_cards):
            cards.append(card)
            if cards.count(card) > decks:
                raise _refused(line[0], f"{card} is dealt {decks + 1} times from {decks} decks.")
    return tuple(cards)


def _parse_meter(text: str) -> tuple[int, int]:
    spot, _, amount = text.partition(" ")
    if not _SPOT.fullmatch(spot):
        raise Refused("field", f"{text!r} is no meter; write it like 'meter 1 10000.00'.")
    return int(spot), parse_cents(amount.strip())


def _place(text: str, line: int) -> tuple[int, int | None]:
    match = _PLACE.fullmatch(text)
    if match is None:
        raise _refused(line, f"{text!r} is no place; write a spot and a hand like 1.0.")
    return int(match[1]), int(match[2]) if match[2] else None


def _parse_move(line: int, text: str) -> Move:
    place, _, word = text.partition(" ")
    spot, hand = _place(place, line)
    for choice in CHOICE_NAMES:
        if choice == word.strip() and hand is not None:
            return Move(spot, hand, choice, line)
    raise _refused(
        line, f"'do {text}' is no move; write it like 'do 1.0 hit', with {listed(CHOICE_NAMES)}."
    )


def _parse_payment(line: int, text: str) -> Payment:
    words = text.split()
    if len(words) != 3 and (len(words) != 5 or words[3] != "of"):
        example = "'pay 1.0 main 20.00', and the stake may follow: 'of 10.00'"
        raise _refused(line, f"'pay {text}' is no payment; write it like {example}.")
    spot, hand = _place(words[0], line)
    cents, *rest = (_at((line, amount), parse_cents) for amount in words[2::2])
    stake = rest[0] if rest else None
    return Payment(spot, hand, words[1], cents, stake, line)


# Script to round


def _table(game: Game, options: tuple[tuple[str, str], ...]) -> tuple[Game, str, bool]:
    """The game at its table, the level, and whether insurance is asked for."""
    level = game.levels[0].key if len(game.levels) == 1 else ""
    asks, side_bets = True, None
    for name, value in options:
        if name == "level":
            level = value
        elif name == "side_bets":
            side_bets = value.split(",")
        elif name == "ask_insurance":
            asks = fields.FLAG.parse(value) if value in fields.FLAG.examples else _no_flag(value)
        elif name.partition(".")[0] in game.bet_keys:
            bet, _, row = name.partition(".")
            game = game.with_pay(bet, row, value)
        else:
            game = game.with_rule(name, value)
    game.level(level)
    return game.at_table(side_bets=side_bets), level, asks


def _no_flag(value: str) -> bool:
    raise Refused(
        "field", f"ask_insurance={value} cannot be; ask_insurance is {fields.FLAG.allowed}."
    )


def play(script: Script) -> Round:
    """Play a script to the end and hold it against what happened.

    Raises Refused for bets that cannot be, and Differs where the round goes another way: a choice
    that is not offered there, cards or choices too few or too many, a payment that is not so.
    """
    game, level, asks = _table(find(script.game_key, ANALYSED), script.options)
    round_ = Round.begin(game, level, script.spots, ask_insurance=asks)
    cards, moves, meters = iter(script.cards), iter(script.moves), iter(script.meters)
    while not round_.is_over:
        match round_.wants:
            case CardFor():
                round_ = round_.give(_next_card(cards))
            case ChoiceFor() as wanted:
                round_ = _choose(round_, wanted, next(moves, None))
            case MeterFor() as met:
                round_ = round_.give(_next_meter(met, meters))
    _check_all_used(cards, moves, meters)
    _check_payments(round_.events, script.payments)
    return round_


def _next_card(cards: Iterator[Card]) -> Card:
    for card in cards:
        return card
    raise Differs("the round needs another card and none is written.")


def _choose(round_: Round, wanted: ChoiceFor, move: Move | None) -> Round:
    offered = listed([choice.choice for choice in round_.choices])
    place = f"{wanted.spot}.{wanted.hand}"
    if move is None:
        raise Differs(f"{place} is to choose ({offered}) and no move is written.")
    if (move.spot, move.hand) != (wanted.spot, wanted.hand):
        raise Differs(f"'{move}' is out of turn; {place} is to choose.", move.line)
    try:
        return round_.give(move.choice)
    except Refused as refused:
        raise Differs(refused.sentence, move.line) from None


def _next_meter(met: MeterFor, meters: Iterator[tuple[int, int]]) -> Meter:
    for spot, cents in meters:
        if spot == met.spot:
            return Meter(cents)
        raise Differs(f"the meter is met by spot {met.spot}, not by spot {spot}.")
    raise Differs(f"spot {met.spot} meets the meter of {met.bet} and no meter line is written.")


def _check_all_used(
    cards: Iterator[Card], moves: Iterator[Move], meters: Iterator[tuple[int, int]]
) -> None:
    if left := print_cards(cards):
        raise Differs(f"the round is over and these cards are left over: {left}.")
    if late := next(moves, None):
        raise Differs(f"the round is over before '{late}'.", late.line)
    if next(meters, None):
        raise Differs("a meter line is written that no bet met.")


def _check_payments(events: tuple[Event, ...], claimed: tuple[Payment, ...]) -> None:
    """Every bet has one claim; a claim without a hand fits a spot's only payment on that bet."""
    payments = [event for event in events if isinstance(event, Paid)]
    unclaimed = list(payments)
    for claim in claimed:
        fitting = [paid for paid in payments if _fits(claim, paid)]
        if len(fitting) != 1 or fitting[0] not in unclaimed:
            what = "more bets than one" if len(fitting) > 1 else "no bet that is still unclaimed"
            raise Differs(f"'{claim}' claims {what}.", claim.line)
        (paid,) = fitting
        unclaimed.remove(paid)
        if claim.cents != paid.paid or claim.stake not in (None, paid.stake):
            of_stake = "" if claim.stake is None else f" of {print_cents(paid.stake)}"
            true = f"{print_cents(paid.paid)}{of_stake} comes back"
            raise Differs(f"'{claim}' is not so: {true}.", claim.line)
    for paid in unclaimed:
        raise Differs(f"'{Payment(paid.spot, paid.hand, paid.bet, paid.paid)}' is missing.")


def _fits(claim: Payment, paid: Paid) -> bool:
    same_hand = claim.hand in (None, paid.hand) or (claim.hand == 0 and paid.hand is None)
    return (claim.spot, claim.bet) == (paid.spot, paid.bet) and same_hand


# Round to script


def script_of(round_: Round, comments: tuple[str, ...] = ()) -> Script:
    """A finished round as a script that plays again to the same end."""
    assert round_.is_over, "a script is written of a finished round"
    events = round_.events
    cards = tuple(given for given in round_.given if isinstance(given, Card))
    awards = [event for event in events if isinstance(event, Awarded)]
    return Script(
        comments=comments,
        game_key=round_.game.key,
        options=_options(round_),
        spots=round_.spots,
        cards=cards,
        meters=tuple((award.spot, award.meter) for award in awards),
        moves=tuple(
            Move(event.spot, event.hand, event.choice)
            for event in events
            if isinstance(event, Chosen)
        ),
        payments=tuple(
            Payment(event.spot, event.hand, event.bet, event.paid)
            for event in events
            if isinstance(event, Paid)
        ),
    )


def _options(round_: Round) -> tuple[tuple[str, str], ...]:
    """The decks and level always, everything else where it is not the game's own."""
    game, own = round_.game, find(round_.game.key, ANALYSED)
    usual = fields.texts(own.rules)
    options = {"decks": str(game.rules.decks), "level": round_.level}
    if game.side_bets_open_max < len(own.side_bets):
        options["side_bets"] = ",".join(side.key for side in game.side_bets)
    if not round_.ask_insurance:
        options["ask_insurance"] = "false"
    for name, text in fields.texts(game.rules).items():
        if text != usual[name]:
            options[name] = text
    for side in game.side_bets:
        known = own.side_bet(side.key).pays.rows
        options |= {
            f"{side.key}.{row.name}": str(row.pays) for row in side.pays.rows if row not in known
        }
    return tuple(options.items())
