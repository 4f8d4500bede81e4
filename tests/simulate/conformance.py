"""The kernel and the round machine, given the same cards, bets and strategy, side by side.

A strategy is drawn at random from all that the rules allow, so every choice comes up. The kernel
plays each round twice: hand by hand, saying what it was offered, and by its folded states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain, cycle
from random import Random
from typing import Any

import numpy as np

from tests.rules.dealer import TABLES, House, random_shoe
from upcard.cards import CARDS, Card
from upcard.events import Awarded, BetTaken, Chosen, Event, Paid, Staked
from upcard.game import Game, Round
from upcard.maths import compositions
from upcard.maths.analysis import Plan, empty_play
from upcard.maths.strategy import CELLS, ENTRIES, GROUPS, Chart
from upcard.maths.tables import CHOICES, ORIGINS, PAIR_SPLIT, VALUES, tables
from upcard.maths.threecard import HANDS
from upcard.simulate.drawing import Insurance, drawing
from upcard.simulate.experiment import Deal, Experiment, check_shoe
from upcard.simulate.kernel import EVEN_OPEN, INSURANCE_OPEN
from upcard.simulate.records import NOTES, record
from upcard.simulate.sides import place_of
from upcard.simulate.threecards import threecards
from upcard.table import (
    CardFor,
    Choice,
    ChoiceFor,
    ChoiceName,
    Given,
    MeterFor,
    NoMore,
    SpotBets,
)
from upcard.twentyone.rules import BEST_TOTAL

METER = 1_234_567
MANY_CARDS = 120


@dataclass
class Seen:
    """How often things happened."""

    rounds: int = 0
    choices: Counter[str] = field(default_factory=Counter)
    hands: Counter[int] = field(default_factory=Counter)
    rows: Counter[tuple[str, str]] = field(default_factory=Counter)


@dataclass(frozen=True)
class Block:
    """Rounds with the same bets and strategy; their cards as numbers."""

    game: Game
    level: str
    spots: tuple[SpotBets, ...]
    plan: Plan | None
    insurance: Insurance | None
    raises: np.ndarray[Any, Any] | None
    given: np.ndarray[Any, Any]


# Made at random


def random_block(table: str, number: int, rounds: int) -> Block:
    under_test = TABLES[table]
    rng = Random(f"simulate {table} {number}")
    game, level = under_test.game, rng.choice(under_test.levels)
    spots = _random_spots(rng, game, level)
    shoes = [random_shoe(rng, game, len(spots)) for _ in range(rounds)]
    given = np.array([[card.number for card in _first(shoe)] for shoe in shoes], np.uint16)
    words = np.random.default_rng(rng.randrange(1 << 32))
    if game.main != "main":
        raises = words.integers(0, 2, (len(HANDS), VALUES)).astype(bool)
        return Block(game, level, spots, None, None, raises, given)
    plan = random_chart(words).plan(game.rules) if number % 2 else random_plan(words, game.rules)
    asked = not game.insurance_setting or rng.random() < 0.8
    taken = words.integers(0, 2, len(compositions.hands().cards)).astype(np.uint8)
    insurance = Insurance(taken * np.uint8(number % 3 != 0 and asked), asked)
    return Block(game, level, spots, plan, insurance, None, given)


def _first(shoe: list[Card]) -> list[Card]:
    cards = chain(shoe, cycle(shoe))
    return [next(cards) for _ in range(MANY_CARDS)]


def _random_spots(rng: Random, game: Game, level: str) -> tuple[SpotBets, ...]:
    """The same bets on all spots, but some of these perhaps without a main bet."""
    limits = game.level(level).bets
    numbers = sorted(rng.sample(range(1, game.spots_max + 1), rng.randint(1, game.spots_max)))
    lies: dict[str, int] = {}
    for side in reversed(game.side_bets):
        if side.key in limits and rng.random() < 0.75:
            lies[side.key] = _amount(rng, game, level, side.key)
            if side.needs:
                lies[side.needs] = _amount(rng, game, level, side.needs)
    main = _amount(rng, game, level, game.main)
    spots = []
    for number in numbers:
        bare = game.side_bet_alone and lies and rng.random() < 0.2
        bets = lies if bare else {game.main: main, **lies}
        spots.append(SpotBets(number, tuple(bets.items())))
    if not any(spot.cents(game.main) for spot in spots):
        spots[0] = SpotBets(spots[0].spot, ((game.main, main), *lies.items()))
    return game.laid(level, spots)


def _amount(rng: Random, game: Game, level: str, bet: str) -> int:
    limit = game.level(level).bets[bet]
    return limit.min + limit.step * rng.randint(0, (limit.max - limit.min) // limit.step)


def random_plan(words: np.random.Generator, rules: Any) -> Plan:
    """For each hand, origin and up card any choice that is open, a card a little oftener."""
    hands, table = compositions.hands(), tables(rules)
    plays = []
    for origin in ORIGINS:
        play = empty_play(hands, table.auto_win)
        allowed = table.options[origin][:, hands.cards, hands.hard, hands.ace]
        wish = words.random((*play.choice.shape, PAIR_SPLIT + 2))
        wish[..., 1] += 0.3
        open_ = (allowed[0][:, None] >> np.arange(PAIR_SPLIT + 2) & 1).astype(bool)
        play.choice[:] = np.where(open_[:, None, :], wish, -1.0).argmax(axis=-1)
        may_rescue = (allowed[1] >> CHOICES.index("rescue") & 1).astype(bool)
        play.rescue[:] = may_rescue[:, None] & (words.random(play.rescue.shape) < 0.5)
        plays.append(play)
    split = (words.random((VALUES, VALUES)) < 0.8).astype(np.int8)
    return Plan(tuple(plays), split)


def random_chart(words: np.random.Generator) -> Chart:
    entries = words.random((len(ENTRIES), len(GROUPS) * CELLS, VALUES))
    wanted = np.array([0.6, 0.35, 0.25, 0.5])[:, None, None]
    split = (words.random((VALUES, VALUES)) < 0.8).astype(np.int8)
    return Chart(True, (entries < wanted).astype(np.int8), split)


# The kernel

Spoil = Callable[[Deal], None]
"""Plants a fault in the arrays of a game."""


@dataclass(frozen=True)
class Kernel:
    """What the kernel says of each round: cards used, nets by column, what was asked and chosen."""

    deal: Deal
    cards: list[int]
    nets: list[list[int]]
    log: list[list[tuple[int, int, int, int]]]


def by_kernel(block: Block, *, by_hand: bool, spoil: Spoil | None = None) -> Kernel:
    made = Experiment(block.game, block.level, block.spots)
    if block.raises is not None:
        answers = {hand: block.raises[number] for number, hand in enumerate(HANDS)}
        game = threecards(block.game.rules, lambda hand, up: bool(answers[hand][up - 1]), made.main)
        deal = made.deal_of("three", game, 1, False)
    else:
        assert block.plan is not None
        assert block.insurance is not None
        game = drawing(block.game.rules, block.plan, made.main, block.insurance)
        game.by_hand |= by_hand
        deal = made.deal_of("drawing", game, int(game.hands_max.max()), bool(game.insures))
    if spoil is not None:
        spoil(deal)
    source, tally = deal.source(None), deal.tally()
    places = np.array([place_of(card, deal.decks) for card in CARDS], np.uint16)
    notes = record(NOTES, traced=1, logged=by_hand)
    rounds = len(block.given)
    assert deal.play(source, tally, notes, rounds, places[block.given]) == rounds
    check_shoe(source)
    columns = int(tally.columns)
    log: list[list[tuple[int, int, int, int]]] = [[] for _ in range(rounds)]
    for at, *decision in notes.log[: int(notes.log_count)].tolist():
        log[at].append((decision[0], decision[1], decision[2], decision[3]))
    trace = notes.told[:rounds]
    return Kernel(deal, trace[:, 0].tolist(), trace[:, 2 : 2 + columns].tolist(), log)


# The round machine


class Player:
    """Chooses as the block says, and writes down what was offered."""

    def __init__(self, block: Block) -> None:
        self.block, self.log = block, list[tuple[int, int, int, int]]()
        self.places = {spots.spot: place for place, spots in enumerate(block.spots)}

    def choose(self, state: Any, choices: tuple[Choice, ...]) -> ChoiceName:
        offered = [choice.choice for choice in choices]
        spot, hand = choices[0].spot, choices[0].hand
        if self.block.raises is not None:
            return "raise" if self._raises(state) else "fold"
        held = state.felt.hand(spot, hand)
        place = self.places[spot]
        number = compositions.number_of(card.value - 1 for card in held.cards)
        if offered[0] in ("insurance", "even_money"):
            assert self.block.insurance is not None
            taken = int(self.block.insurance.insure[number])
            mask = INSURANCE_OPEN if offered[0] == "insurance" else EVEN_OPEN
            self.log.append((place, 0, mask, taken))
            answer: ChoiceName = offered[1 - taken]
            return answer
        mask = sum(1 << CHOICES.index(name) for name in offered)
        choice = self._hand(state, held, number, offered)
        self.log.append((place, hand, mask, CHOICES.index(choice)))
        return choice

    def _raises(self, state: Any) -> bool:
        hand = tuple(sorted(card.value for card in state.felt.player))
        assert self.block.raises is not None
        return bool(self.block.raises[HANDS.index(hand), state.felt.dealer[0].value - 1])

    def _hand(self, state: Any, held: Any, number: int, offered: list[ChoiceName]) -> ChoiceName:
        plan, up = self.block.plan, state.felt.dealer[0].value - 1
        assert plan is not None
        origin = 2 if held.hand.split_aces else int(held.hand.from_split)
        if held.hand.doubled:
            return "rescue" if plan.plays[origin].rescue[number, up] else "stand"
        if "split" in offered and plan.split[held.cards[0].value - 1, up]:
            return "split"
        chosen: ChoiceName = CHOICES[int(plan.plays[origin].choice[number, up])]
        return chosen


@dataclass(frozen=True)
class Played:
    """A round as the machine played it: its events and how many cards it took."""

    events: tuple[Event, ...]
    cards: int


def by_machine(block: Block, at: int, player: Player) -> Played:
    """Drive the engine itself: a `Round` keeps more than is looked at here."""
    asks = block.insurance is None or block.insurance.asked
    round_ = Round.begin(block.game, block.level, block.spots, ask_insurance=asks)
    engine, state, events = block.game.engine, round_.state, [*round_.events]
    house, dealt, used = House(round_, METER), block.given[at].tolist(), 0
    while not isinstance(want := engine.wants(state), NoMore):
        given: Given
        match want:
            case CardFor():
                given, used = CARDS[dealt[used]], used + 1
            case ChoiceFor():
                given = player.choose(state, engine.choices(state))
            case MeterFor():
                given = house.met(want)
        state, more = engine.step(state, given)
        events += more
    return Played(tuple(events), used)


def nets(block: Block, events: tuple[Event, ...], bets: list[str]) -> list[int]:
    """Net by spot and bet, without what meters paid; a raise is part of the main money."""
    main = block.game.main
    found: Counter[tuple[int, str]] = Counter()
    for event in events:
        match event:
            case BetTaken(spot, bet, cents):
                found[spot, bet] -= cents
            case Staked(spot, _, bet, cents):
                found[spot, main if bet == "raise" else bet] -= cents
            case Paid(spot, _, bet, _, _, paid):
                found[spot, main if bet == "raise" else bet] += paid
            case Awarded(spot, bet, _, _, paid):
                found[spot, bet] -= paid
    return [found[spot.spot, bet] for spot in block.spots for bet in bets]


# Side by side


def compare(block: Block, seen: Seen, spoil: Spoil | None = None) -> None:
    """Play a block on both; every difference is an assertion. `spoil` plants a fault first."""
    plain, folded = (by_kernel(block, by_hand=by_hand, spoil=spoil) for by_hand in (True, False))
    assert folded.cards == plain.cards
    assert folded.nets == plain.nets
    sides = [side.key for side in block.game.side_bets if block.spots[0].cents(side.key)]
    insured = ["insurance"] if plain.deal.insures else []
    bets = [block.game.main, *insured, *sides]
    for at in range(len(block.given)):
        player = Player(block)
        played = by_machine(block, at, player)
        told = (player.log, played.cards, nets(block, played.events, bets))
        kernel_told = (plain.log[at], plain.cards[at], plain.nets[at])
        assert told == kernel_told, f"\n{block.game}\n{block.spots}\n{played.events}"
        _see(seen, block, played)


def _see(seen: Seen, block: Block, played: Played) -> None:
    seen.rounds += 1
    hands: Counter[int] = Counter()
    for event in played.events:
        match event:
            case Chosen(_, _, choice):
                seen.choices[choice] += 1
            case Paid(spot, hand, bet, row):
                seen.rows[bet, row] += 1
                if hand is not None and bet == block.game.main:
                    hands[spot] += 1
    seen.hands.update(hands.values())


def demanded(game: Game, level_bets: set[str]) -> tuple[set[str], set[int], set[tuple[str, str]]]:
    """Choices, numbers of hands and rows that a game's rules allow; all must come up."""
    rows = {
        (side.key, row.name)
        for side in game.side_bets
        if side.key in level_bets
        for row in side.pays.rows
    } | {(side.key, "lose") for side in game.side_bets if side.key in level_bets}
    if game.main != "main":
        ante = {("ante", row) for row in ("lose", "natural")}
        # If only a 21 qualifies, nothing but a blackjack beats it.
        ante |= {("ante", "win")} if game.rules.qualifies_at < BEST_TOTAL else set()
        return {"raise", "fold"}, {1}, rows | ante
    choices, table = {"insurance", "no_insurance"}, tables(game.rules)
    if game.rules.even_money:
        choices |= {"even_money", "no_even_money"}
    masks = np.bitwise_or.reduce(table.options.reshape(-1))
    choices |= {name for bit, name in enumerate(CHOICES) if masks >> bit & 1}
    deepest = max(table.hands_max)
    choices |= {"split"} if deepest > 1 else set()
    main = {"natural", "win", "push", "lose"} | choices & {"surrender", "rescue"}
    main |= {"auto_win"} if game.rules.auto_wins else set()
    main |= {"natural_suited"} if game.rules.natural_suited else set()
    return choices, {*range(1, deepest + 1)}, rows | {("main", row) for row in main}
