"""A dealer for tests: shoes of many kinds, bets, choices, and the house's meter.

Everything comes from a seeded `random.Random`, so a round is known by its table and its number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, cycle
from random import Random

from tests.rules import made_up, naive
from upcard.cards import CARDS, Card
from upcard.events import Paid, Settled
from upcard.game import Game, Round
from upcard.games import ANALYSED, find
from upcard.table import CardFor, ChoiceFor, ChoiceName, Meter, MeterFor, SpotBets

SHOE_CARDS = 60
"""So many cards are drawn for a round; the rare one that needs more gets them again."""


@dataclass(frozen=True)
class TableUnderTest:
    """A game at a table, the levels to play it at, and the same game told naively."""

    game: Game
    levels: tuple[str, ...]
    naive: naive.Game


def _at(game: Game, told: naive.Game, side_bets: tuple[str, ...] | None = None) -> TableUnderTest:
    levels = tuple(level.key for level in game.levels)
    return TableUnderTest(game.at_table(side_bets=side_bets), levels, told)


GAME_TABLES: dict[str, TableUnderTest] = {
    game.key: _at(game, naive.GAMES[game.key]) for game in ANALYSED
} | {
    "ags, pairs and in": _at(find("ags"), naive.GAMES["ags"], side_bets=("pairs_pay", "in_bet")),
}
ODD_TABLES: dict[str, TableUnderTest] = {
    "fortnight": _at(made_up.FORTNIGHT, made_up.NAIVE_FORTNIGHT),
    "crossing": _at(made_up.CROSSING, made_up.NAIVE_CROSSING),
} | {name: _at(made_up.odd_game(name), made_up.odd_naive(name)) for name in made_up.ODD_RULES}
TABLES = GAME_TABLES | ODD_TABLES


# Playing

Chooser = Callable[[Round], ChoiceName]


class House:
    """The progressive meters of a table: stakes enter at DEAL, hits take their share (T-85)."""

    def __init__(self, round_: Round, cents: int) -> None:
        self.pools = {side.key: side.pool for side in round_.game.side_bets if side.pool}
        self.cents = {key: cents for key in self.pools}
        self.epoch = 0
        for spot in round_.spots:
            for key, pool in self.pools.items():
                self.cents[key] += pool.contribution(spot.cents(key))

    def met(self, want: MeterFor) -> Meter:
        """The meter as this bet meets it; what it wins is gone for the next one."""
        meter = Meter(self.cents[want.bet], self.epoch)
        if want.share.part == 1:
            self.cents[want.bet] = self.pools[want.bet].seed
            self.epoch += 1
        else:
            self.cents[want.bet] -= want.share.of(meter.cents)
        return meter


def play(round_: Round, cards: Sequence[Card], choose: Chooser, meter: int = 1_234_567) -> Round:
    """Play a round that has just begun to its end."""
    shoe, house = chain(cards, cycle(cards)), House(round_, meter)
    while not round_.is_over:
        match round_.wants:
            case CardFor():
                round_ = round_.give(next(shoe))
            case ChoiceFor():
                round_ = round_.give(choose(round_))
            case MeterFor() as want:
                round_ = round_.give(house.met(want))
    return round_


def follow(choices: Iterable[str]) -> Chooser:
    """A player who makes these choices, one after another, and then whatever comes last."""
    written = iter(choices)

    def choose(round_: Round) -> ChoiceName:
        offered: dict[str, ChoiceName] = {choice.choice: choice.choice for choice in round_.choices}
        return offered[next(written, [*offered][-1])]

    return choose


def prefers(*wished: str) -> Chooser:
    """A player who takes the first of these that is offered, else whatever comes last."""

    def choose(round_: Round) -> ChoiceName:
        offered: dict[str, ChoiceName] = {choice.choice: choice.choice for choice in round_.choices}
        return next((offered[wish] for wish in wished if wish in offered), [*offered.values()][-1])

    return choose


def restless(rng: Random) -> Chooser:
    """A player who likes whatever is rare: splits, then cards, then anything."""
    taste = rng.random()

    def choose(round_: Round) -> ChoiceName:
        offered = [choice.choice for choice in round_.choices]
        for rare in ("split", "hit"):
            if rare in offered and rng.random() < taste:
                return next(name for name in offered if name == rare)
        return rng.choice(offered)

    return choose


# Bets and shoes


def random_bets(rng: Random, game: Game, level: str) -> tuple[SpotBets, ...]:
    """Some spots with some bets each, all of them allowed."""
    limits = game.level(level).bets
    numbers = rng.sample(range(1, game.spots_max + 1), rng.randint(1, game.spots_max))
    spots = []
    for number in numbers:
        lies: dict[str, int] = {}
        if not game.side_bet_alone or rng.random() < 0.7:
            lies[game.main] = _amount(rng, game, level, game.main)
        # Backwards, so that a bet that another needs is there before that other.
        for side in reversed(game.side_bets):
            if side.key in limits and rng.random() < 0.6:
                lies[side.key] = _amount(rng, game, level, side.key)
                if side.needs:
                    lies[side.needs] = _amount(rng, game, level, side.needs)
        if not lies:
            lies[game.main] = _amount(rng, game, level, game.main)
        spots.append(SpotBets(number, tuple(lies.items())))
    return tuple(spots)


def _amount(rng: Random, game: Game, level: str, bet: str) -> int:
    limit = game.level(level).bets[bet]
    steps = (limit.max - limit.min) // limit.step
    return limit.min + limit.step * rng.choice((0, rng.randint(0, steps), steps))


def random_shoe(rng: Random, game: Game, spots: int) -> list[Card]:
    """Cards in the order of the deal: honest ones, few ranks, or rare first cards put on top."""
    kind = rng.random()
    if kind < 0.5:
        honest = list(CARDS) * game.rules.decks
        cards = rng.sample(honest, min(len(honest), SHOE_CARDS))
    elif kind < 0.8:
        ranks = rng.sample(range(13), rng.randint(2, 4))
        cards = rng.choices([card for card in CARDS if card.rank in ranks], k=SHOE_CARDS)
    else:
        highest = rng.randint(1, 5)
        cards = rng.choices([card for card in CARDS if card.rank <= highest], k=SHOE_CARDS)
    for _ in range(rng.choice((0, 0, 1, 1, 2, 4))):
        if game.main == "main":
            _put_rare_cards_first(rng, cards, spots)
        else:
            _put_rare_three_cards_first(rng, cards)
    return cards


TENS = [card for card in CARDS if card.is_ten]
ACES = [card for card in CARDS if card.is_ace]


def _put_rare_cards_first(rng: Random, cards: list[Card], spots: int) -> None:
    """Drawing games deal spots, dealer, spots, dealer (G-02); there these places matter."""
    up, hole = spots, 2 * spots + 1
    spot = rng.randrange(spots)
    first, second = spot, spots + 1 + spot
    match rng.randrange(8):
        case 0:
            cards[up], cards[hole] = rng.choice(ACES), rng.choice(TENS)
        case 1:
            cards[up], cards[hole] = rng.choice(TENS), rng.choice(ACES)
        case 2:
            cards[first], cards[second] = rng.choice(ACES), rng.choice(TENS)
        case 3:
            cards[first] = cards[second] = cards[up] = rng.choice(CARDS)
        case 4:
            everybody = rng.choice([card for card in CARDS if card.rank in (0, 4, 12)])
            cards[: 2 * spots + 1] = [everybody] * (2 * spots + 1)
        case 5:
            suit = rng.randrange(4)
            cards[first], cards[second] = Card(0, suit), Card(rng.randint(9, 12), suit)
        case 6:
            cards[first], cards[second] = rng.choice(ACES), rng.choice(ACES)
            cards[hole + 1 : hole + 3] = rng.choice(TENS), rng.choice(CARDS)
        case _:
            low = rng.choice(CARDS)
            run = [CARDS[low.suit * 13 + (low.rank + further) % 13] for further in range(3)]
            rng.shuffle(run)
            cards[first], cards[second], cards[up] = run


def _put_rare_three_cards_first(rng: Random, cards: list[Card]) -> None:
    """Aces and tens for both, or a 21 without them for the player and a blackjack (C-11)."""
    cards[:6] = [rng.choice(rng.choice((ACES, TENS, list(CARDS)))) for _ in range(6)]
    if rng.random() < 0.3:
        values = rng.choice(((7, 7, 7), (6, 7, 8), (9, 8, 4), (5, 9, 7)))
        cards[:3] = [Card(value - 1, rng.randrange(4)) for value in values]
        cards[3], cards[4] = rng.choice(ACES), rng.choice(TENS)


Asked = tuple[int, int, tuple[str, ...]]
"""Who was asked (spot, hand) and what was open, in alphabetical order."""


@dataclass(frozen=True)
class Played:
    """A finished round, who was asked what on the way, and the meter before the bets."""

    round: Round
    asked: list[Asked]
    meter: int

    def naively(self, told: naive.Game) -> naive.Outcome:
        """The same bets, cards and choices settled by the other code."""
        return naive.settle(
            told,
            {spot.spot: dict(spot.bets) for spot in self.round.spots},
            [str(given) for given in self.round.given if isinstance(given, Card)],
            [str(given) for given in self.round.given if isinstance(given, str)],
            meter=self.meter,
            asks=self.round.ask_insurance,
        )


def played(begun: Round, cards: Sequence[Card], choose: Chooser, meter: int) -> Played:
    """Play a round to its end and write down what was offered."""
    asked: list[Asked] = []

    def choose_and_note(round_: Round) -> ChoiceName:
        first = round_.choices[0]
        offered = tuple(sorted(choice.choice for choice in round_.choices))
        asked.append((first.spot, first.hand, offered))
        return choose(round_)

    return Played(play(begun, cards, choose_and_note, meter), asked, meter)


def assert_settled_alike(it: Played, game: naive.Game) -> None:
    """Same questions, same payments bet by bet, same sums, same number of cards."""
    told = it.naively(game)
    round_ = it.round
    paid = {
        (event.spot, event.hand, event.bet): event.paid
        for event in round_.events
        if isinstance(event, Paid)
    }
    where = f"\n{round_.game}\n{round_.spots}\n{round_.given}\n{round_.ask_insurance=}"
    assert it.asked == told.asked, where
    assert paid == told.paid, where
    end = round_.events[-1]
    assert end == Settled(told.staked, told.total), where
    assert len(round_.given) == told.inputs, where


def begin_random(table: str, number: int) -> tuple[Round, list[Card], Random]:
    """Bets and shoe of round `number` of a table of TABLES: always the same ones."""
    under_test = TABLES[table]
    rng = Random(f"{table} {number}")
    game = under_test.game
    level = rng.choice(under_test.levels)
    if game.rules.decks in game.decks_offered:
        sides = [side.key for side in game.side_bets]
        game = game.at_table(decks=rng.choice(game.decks_offered), side_bets=sides)
    spots = random_bets(rng, game, level)
    asks = not game.insurance_setting or rng.random() < 0.8
    cards = random_shoe(rng, game, len(spots))
    return Round.begin(game, level, spots, ask_insurance=asks), cards, rng


def random_round(table: str, number: int) -> Played:
    """Round `number` of a table, played to its end."""
    begun, cards, rng = begin_random(table, number)
    return played(begun, cards, restless(rng), rng.randint(0, 10**9))
