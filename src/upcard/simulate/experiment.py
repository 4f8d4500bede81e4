"""What is simulated: a game with its bets and a strategy, and the chunks in which it is played."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final

import numpy as np

from upcard.cards import CARDS_PER_DECK, SUITS
from upcard.game import Game, Level
from upcard.refused import Refused, listed
from upcard.simulate import machine
from upcard.simulate.counts import Counts, counted
from upcard.simulate.drawing import drawing
from upcard.simulate.records import (
    EACH,
    LANES,
    NETS_ROOM,
    NOTES,
    QUARTERS,
    ROOM,
    SOURCE,
    TALLY,
    Record,
    Shorts,
    in_place,
    record,
)
from upcard.simulate.sides import Laid, SideBets
from upcard.simulate.strategies import TOTAL, Document, drawn, raised
from upcard.simulate.threecards import threecards
from upcard.table import SpotBets
from upcard.threecard.rules import Rules as ThreeCardRules
from upcard.twentyone.rules import Rules as DrawingRules

CHUNK: Final = 1 << 21
"""Rounds of a chunk, which has a stream of words of its own: a twentieth of a second or so."""
PICK_WAYS: Final = 1 << 16
PLACES_MAX: Final = 8 * CARDS_PER_DECK
AHEAD: Final = 5
"""Cards dealt at once beyond the first ones: as many as most rounds need."""
KEPT_MIN: Final = 0.25
CARDS_OF_THREE: Final = 6
NO_GIVEN: Final[Shorts] = np.zeros((0, 1), np.uint16)


@dataclass(frozen=True)
class Deal:
    """All that a chunk needs to be played, wherever that is."""

    kind: str
    game: Record
    sides: Record
    mains: tuple[int, ...]
    decks: int
    insures: bool
    main_nets: tuple[int, int]
    side_stakes: tuple[int, ...]
    side_nets: tuple[int, int]
    unit: int

    def __setstate__(self, fields: dict[str, Any]) -> None:
        """Where it was sent to."""
        placed = {name: in_place(fields[name]) for name in ("game", "sides")}
        self.__dict__.update(fields | placed)

    @property
    def spots(self) -> int:
        return len(self.mains)

    @property
    def width(self) -> int:
        """Columns of a spot: its main bet, insurance if it is ever taken, its side bets."""
        return 1 + self.insures + len(self.side_stakes)

    @property
    def columns(self) -> int:
        return self.width * self.spots

    def source(self, words: np.random.SeedSequence | None) -> Record:
        """Where the cards of a chunk come from; none of its own if they are given."""
        size = self.decks * CARDS_PER_DECK
        streams = (words or np.random.SeedSequence(0)).generate_state(4 * LANES, np.uint64)
        return record(
            SOURCE,
            state=streams,
            next=QUARTERS,
            size=size if words else 0,
            first=self.first(size),
            bound=PICK_WAYS % size,
            per_rank=factor(len(SUITS) * self.decks),
            per_card=factor(self.decks),
        )

    def first(self, size: int) -> int:
        """How many cards are dealt at once: fewer from a small shoe, where two would often be the
        same."""
        three = self.kind == "three"
        dealt = CARDS_OF_THREE if three else 2 * self.spots + 2
        for wanted in range(dealt if three else dealt + AHEAD, 0, -1):
            first = -(-wanted // EACH) * EACH
            kept = math.prod(1 - place / size for place in range(first))
            if kept >= KEPT_MIN or wanted <= dealt:
                return first
        raise AssertionError(f"no deal of {size} cards")

    def tally(self) -> Record:
        return record(
            TALLY,
            lowest=self.lowest,
            per_cent=1 / self.unit,
            columns=self.columns,
        )

    @property
    def lowest(self) -> int:
        """The least that a round can bring."""
        return self.spots * (self.main_nets[0] + self.side_nets[0])

    def play(
        self,
        source: Record,
        tally: Record,
        notes: Record,
        rounds: int,
        given: Shorts = NO_GIVEN,
    ) -> int:
        """Play rounds until there is no more room for what is noted of them; how many."""
        work = (source, self.game, self.sides, tally, notes, record(ROOM), rounds)
        cards_given = given.shape[1] if len(given) else 0
        if self.kind == "three":
            return machine.call("play_three", *work, given, cards_given)
        mains = np.array(self.mains, np.uint8)
        return machine.call("play_drawing", *work, mains, len(mains), given, cards_given)

    def counts(self, tally: Record, rounds: int) -> Counts:
        """What is counted in a tally of so many rounds."""
        return counted(tally, self.empty(rounds), self.lowest, self.unit)

    def empty(self, rounds: int = 0) -> Counts:
        kinds = int(self.sides.of_cards.max()) + 1
        return Counts(self.columns, self.spots, kinds, rounds)


@cache
def factor(each: int) -> int:
    """What a place of a shoe is multiplied by to find, above 16 bits, its quotient by `each`."""
    found = -(-PICK_WAYS // each)
    assert all(place * found // PICK_WAYS == place // each for place in range(PLACES_MAX))
    return found


def stream(seed: int, chunk: int) -> np.random.SeedSequence:
    """The words of a chunk: independent of those of every other (SeedSequence's promise)."""
    return np.random.SeedSequence(seed, spawn_key=(chunk,))


def play_chunk(deal: Deal, seed: int, chunk: int, rounds: int) -> Counts:
    """The counts of one chunk. Raises Refused (`field`) if a round uses up the shoe."""
    source, counts, done = deal.source(stream(seed, chunk)), deal.empty(), 0
    notes = quiet()
    while done < rounds:
        tally = deal.tally()
        played = deal.play(source, tally, notes, rounds - done)
        more = deal.counts(tally, played)
        counts.add(more)
        counts.hits += [dataclasses.replace(hit, round=hit.round + done) for hit in more.hits]
        done += played
        check_shoe(source)
    return counts


def check_shoe(source: Record) -> None:
    if source.exhausted:
        raise Refused("field", "a round used up the whole shoe; play more decks or fewer spots.")


def quiet() -> Record:
    """Notes of nothing. They are big, but memory that nobody writes to is none."""
    return record(NOTES)


@dataclass(frozen=True)
class Experiment:
    """A game at a table, what lies on each of its spots, and how it is played."""

    game: Game
    level: str
    spots: tuple[SpotBets, ...]
    strategy: str | Document = TOTAL

    @property
    def main(self) -> int:
        """The main bet of a spot in cents."""
        return max(spot.cents(self.game.main) for spot in self.spots)

    @cached_property
    def sides(self) -> SideBets:
        """The side bets, the same on all spots."""
        lies = self.spots[0]
        return SideBets(
            tuple(
                Laid(side, lies.cents(side.key))
                for side in self.game.side_bets
                if lies.cents(side.key)
            )
        )

    @property
    def laid(self) -> int:
        """What lies on the table before a round, in cents."""
        return sum(spot.total for spot in self.spots)

    @cached_property
    def hash(self) -> str:
        """What decides a result but seed and rounds, as one number."""
        played = json.dumps(self.strategy, sort_keys=True)
        spots = "\n".join(map(str, self.spots))
        text = f"{self.game}\n{self.level}\n{spots}\n{played}\n{CHUNK}"
        return hashlib.sha256(text.encode()).hexdigest()

    @cached_property
    def deal(self) -> Deal:
        """The arrays of it all. Raises Refused (`field`) for a strategy that cannot be."""
        insures = False
        match self.game.rules:
            case DrawingRules() as rules:
                found = drawn(rules, self.strategy)
                kind = "drawing"
                game = drawing(rules, found.plan, self.main, found.insurance)
                insures, hands = bool(game.insures), int(game.hands_max.max())
            case ThreeCardRules() as rules:
                kind, hands = "three", 1
                game = threecards(rules, raised(rules, self.strategy), self.main)
            case _:
                raise AssertionError(f"{self.game.key}: {type(self.game.rules)} has no simulator")
        return self.deal_of(kind, game, hands, insures)

    def deal_of(self, kind: str, game: Record, hands: int, insures: bool) -> Deal:
        """The arrays with those of the game given; `hands` is the most that a spot may have."""
        pay = game.pay[: int(game.ends) * int(game.dealer_ends)].tolist()
        side_nets = [self._net(rows) for rows in self.sides.rows]
        low, high = min(hands * min(pay), 0), max(hands * max(pay), 0)
        steps = {*pay, *side_nets}
        if insures:
            stake, won = int(game.insurance_stake), int(game.insured)
            low, high, steps = low - stake, high + won, steps | {stake, won}
        unit = math.gcd(*steps) or 1
        span = len(self.spots) * (high - low + max(side_nets) - min(side_nets))
        # Nets too far apart to be told apart one by one are counted in wider steps.
        unit *= -(-(span // unit + 1) // NETS_ROOM)
        mains = tuple(int(spot.cents(self.game.main) > 0) for spot in self.spots)
        if not all(mains):
            # A spot that is dealt in and not played has no state.
            game.by_hand = 1
        return Deal(
            kind=kind,
            game=game,
            sides=self.sides.arrays(),
            mains=mains,
            decks=self.game.rules.decks,
            insures=insures,
            main_nets=(low, high),
            side_stakes=tuple(laid.cents for laid in self.sides.laid),
            side_nets=(min(side_nets), max(side_nets)),
            unit=unit,
        )

    def _net(self, rows: Sequence[Any]) -> int:
        return sum(laid.net(row) for laid, row in zip(self.sides.laid, rows, strict=True))


def experiment(
    game: Game,
    *,
    spots: int = 1,
    bets: Sequence[str] = (),
    strategy: str | Document = TOTAL,
    bet: int | None = None,
) -> Experiment:
    """A game with its main bet and these side bets on so many spots, at the first level that takes
    them all; side bets at their least. Raises Refused."""
    if not 1 <= spots <= game.spots_max:
        most = f"1 to {game.spots_max} spots" if game.spots_max > 1 else "one spot"
        raise Refused("field", f"--spots {spots} cannot be; {game.key} has {most}.")
    wanted = [game.side_bet(key).key for key in bets]
    if len({*wanted}) < len(wanted):
        raise Refused("field", f"--bets {','.join(bets)} names a bet twice; name each once.")
    if len(wanted) > game.side_bets_open_max:
        most = f"{game.side_bets_open_max} side bets lie on a spot of {game.key}"
        raise Refused("field", f"--bets {','.join(bets)} is too much; at most {most}.")
    sides = tuple(side for side in game.side_bets if side.key in wanted)
    level = _level(game, wanted, bet)
    table = dataclasses.replace(game, side_bets=sides, levels=(level,))
    lies = [(game.main, bet or level.bets[game.main].min)]
    lies += [(side.key, level.bets[side.key].min) for side in sides]
    laid = table.laid(level.key, [SpotBets(spot, tuple(lies)) for spot in range(1, spots + 1)])
    return Experiment(table, level.key, laid, strategy)


def _level(game: Game, wanted: Sequence[str], bet: int | None) -> Level:
    """The first level that takes these bets, and so much on the main bet; its other bets closed."""
    needed = {game.main, *wanted}
    open_ = [level for level in game.levels if needed <= level.bets.keys()]
    if not open_:
        raise Refused("field", f"no level of {game.key} takes {listed(wanted, 'and')} together.")
    fitting = [
        level
        for level in open_
        if bet is None or level.bets[game.main].min <= bet <= level.bets[game.main].max
    ]
    level = (fitting or open_)[0]
    limits = {key: limit for key, limit in level.bets.items() if key in needed}
    return dataclasses.replace(level, bets=limits)
