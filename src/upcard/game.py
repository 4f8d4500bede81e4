"""The Game record: one literal says everything about a game; and a round of it as a value.

A game joins an engine (the shape of its rounds), rules (how it plays), side bets and limits. A
`Round` drives the engine and keeps all events; it is given cards, choices and meters by others.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from upcard import fields
from upcard.cards import Card
from upcard.events import Event
from upcard.money import MeterShare, Odds, parse_pay, print_cents
from upcard.refused import Refused, listed
from upcard.sidebets import Pool, SideBet
from upcard.table import CardFor, Choice, Given, NoMore, SpotBets, Table, Want


class Engine(Protocol):
    """The shape of a round. A module of five verbs; its states are its own."""

    @property
    def MAIN(self) -> str: ...

    def start(
        self,
        rules: Any,
        side_bets: tuple[SideBet, ...],
        spots: tuple[SpotBets, ...],
        *,
        ask_insurance: bool,
    ) -> tuple[Any, tuple[Event, ...]]: ...

    def wants(self, state: Any) -> Want: ...

    def step(self, state: Any, given: Given) -> tuple[Any, tuple[Event, ...]]: ...

    def choices(self, state: Any) -> tuple[Choice, ...]: ...

    def view(self, state: Any) -> Table: ...

    def reserved(self, state: Any) -> int: ...

    def main_pays(self, rules: Any) -> tuple[tuple[int, Odds], ...]: ...


@dataclass(frozen=True, slots=True)
class Limit:
    """What one place takes, in cents: whole steps from `min` to `max`."""

    min: int
    max: int
    step: int

    def __post_init__(self) -> None:
        if (
            not 0 < self.step <= self.min <= self.max
            or self.min % self.step
            or self.max % self.step
        ):
            raise Refused(
                "field", f"{self} is no limit; min and max are whole steps, min the smaller."
            )

    def takes(self, cents: int) -> bool:
        return self.min <= cents <= self.max and cents % self.step == 0

    def __str__(self) -> str:
        if self.min == self.max:
            return f"exactly {print_cents(self.min)}"
        low, high, step = map(print_cents, (self.min, self.max, self.step))
        return f"{low} to {high} in steps of {step}"


@dataclass(frozen=True, slots=True)
class Level:
    """A set of limits the player may choose: bet key → limit; bets left out are closed."""

    key: str
    title: str
    bets: Mapping[str, Limit]


@dataclass(frozen=True, slots=True)
class Reading:
    """How we read a clause that the game's sheet leaves open, for the rules page."""

    clause: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game. Refuses to build if any bet step could make an inexact payment (G-09).

    `side_bets_open_max`: how many side bets lie on the table at once, the first ones unless the
    player chooses (A-14). `side_bet_alone`: a spot may carry a side bet without a main wager
    (A-15). `insurance_setting`: the player may choose never to be asked (T-50).
    `quick_replay`: DEAL repeats the bets of the last round (C-13). `changed`: the day on which
    anything on its rules page last changed.
    """

    key: str
    title: str
    engine: Engine
    rules: Any
    decks_offered: tuple[int, ...]
    levels: tuple[Level, ...]
    side_bets: tuple[SideBet, ...] = ()
    side_bets_open_max: int = 0
    side_bet_alone: bool = False
    spots_max: int = 1
    insurance_setting: bool = False
    quick_replay: bool = False
    readings: tuple[Reading, ...] = ()
    changed: str

    main: str = field(init=False, repr=False, compare=False)
    """The key of the main bet."""
    bet_keys: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """Every bet of the game, the main bet first."""
    pools: Mapping[str, Pool] = field(init=False, repr=False, compare=False)
    """The meters that side bets feed and may win, by the bet."""

    def __post_init__(self) -> None:
        sides = self.side_bets
        object.__setattr__(self, "main", self.engine.MAIN)
        object.__setattr__(self, "bet_keys", (self.main, *(side.key for side in sides)))
        object.__setattr__(self, "pools", {side.key: side.pool for side in sides if side.pool})
        for level in self.levels:
            for bet, limit in level.bets.items():
                self._check_exact(bet, limit)

    def _check_exact(self, bet: str, limit: Limit) -> None:
        if bet == self.main:
            parts = self.engine.main_pays(self.rules)
            exact = all(
                limit.step % part == 0 and odds.is_exact(limit.step // part) for part, odds in parts
            )
        else:
            side = self.side_bet(bet)
            exact = all(row.pays.is_exact(limit.step) for row in side.pays.rows)
            exact = exact and (side.pool is None or side.pool.is_exact(limit.step))
        if not exact:
            raise Refused(
                "field",
                f"{bet} in steps of {print_cents(limit.step)} could pay a broken cent under these "
                "rules; odds must be exact in cents on every step.",
            )

    def side_bet(self, key: str) -> SideBet:
        """Raises Refused (`field`)."""
        for side in self.side_bets:
            if side.key == key:
                return side
        keys = [side.key for side in self.side_bets]
        raise Refused(
            "field",
            f"{key!r} is no side bet of {self.key}; it has {listed(keys, 'and') or 'none'}.",
        )

    def level(self, key: str) -> Level:
        """Raises Refused (`field`)."""
        for level in self.levels:
            if level.key == key:
                return level
        keys = [level.key for level in self.levels]
        raise Refused("field", f"{key!r} is no level of {self.key}; choose {listed(keys)}.")

    # Variants

    def with_rule(self, name: str, text: str) -> Game:
        """The game with one rule field set from text. Raises Refused (`field`)."""
        return dataclasses.replace(self, rules=fields.replaced(self.rules, name, text))

    def with_pay(self, bet: str, row: str, text: str) -> Game:
        """The game with one pay-table row of a side bet set from text. Raises Refused (`field`)."""
        side, pays = self.side_bet(bet), parse_pay(text)
        if isinstance(pays, MeterShare) and side.pool is None:
            raise Refused("field", f"{bet} has no meter to pay from; write odds like 9:1.")
        table = side.pays.with_pay(row, pays, side.evaluate.outcomes)
        changed = dataclasses.replace(side, pays=table)
        sides = tuple(changed if other.key == bet else other for other in self.side_bets)
        return dataclasses.replace(self, side_bets=sides)

    def at_table(self, *, decks: int | None = None, side_bets: Iterable[str] | None = None) -> Game:
        """The game with its decks and its open side bets chosen. Raises Refused (`field`)."""
        rules = self.rules
        if decks is not None:
            if decks not in self.decks_offered:
                offered = listed([str(number) for number in self.decks_offered])
                raise Refused(
                    "field", f"{self.key} is dealt from {offered} decks, not from {decks}."
                )
            rules = dataclasses.replace(rules, decks=decks)
        sides = self._open(side_bets)
        open_keys = {self.main, *(side.key for side in sides)}
        levels = tuple(
            dataclasses.replace(
                level, bets={bet: limit for bet, limit in level.bets.items() if bet in open_keys}
            )
            for level in self.levels
        )
        return dataclasses.replace(self, rules=rules, side_bets=sides, levels=levels)

    def with_pools(self, pools: Iterable[Pool]) -> Game:
        """The game with other terms for its meters, by their keys. Raises Refused (`field`)."""
        terms = {pool.key: pool for pool in pools}
        sides = tuple(
            dataclasses.replace(side, pool=terms.get(side.pool.key, side.pool))
            if side.pool
            else side
            for side in self.side_bets
        )
        return dataclasses.replace(self, side_bets=sides)

    def _open(self, keys: Iterable[str] | None) -> tuple[SideBet, ...]:
        count = self.side_bets_open_max
        if keys is None:
            return self.side_bets[:count]
        chosen = [self.side_bet(key).key for key in keys]
        if len(chosen) != count or len(set(chosen)) != count:
            raise Refused("field", f"exactly {count} different side bets are open at {self.key}.")
        return tuple(side for side in self.side_bets if side.key in chosen)

    # Bets

    def laid(self, level: str, spots: Iterable[SpotBets]) -> tuple[SpotBets, ...]:
        """The bets as they are dealt in, rightmost spot first and bets in the game's order.

        Raises Refused: `field` for a spot, level or bet that does not exist, `limit` and `step`
        for an amount, `bet_needs` for a bet that needs another or for a table without any.
        """
        limits = self.level(level)
        chosen = sorted(spots, key=lambda bets: bets.spot)
        numbers = [bets.spot for bets in chosen]
        if not _are_once_each(numbers, self.spots_max):
            raise Refused("field", f"{self.key} has {self._spot_names()}, each given once.")
        if not chosen:
            raise Refused("bet_needs", f"No bet lies on the table; {self._first_bet_sentence()}")
        return tuple(self._laid_spot(limits, bets) for bets in chosen)

    def _spot_names(self) -> str:
        return f"spots 1 to {self.spots_max}" if self.spots_max > 1 else "one spot, number 1"

    def _first_bet_sentence(self) -> str:
        if self.side_bet_alone:
            return f"{self.main} or a side bet must lie on a spot."
        return f"{self.main} must lie on a spot before anything else."

    def _laid_spot(self, level: Level, bets: SpotBets) -> SpotBets:
        lies = dict(bets.bets)
        for bet, cents in bets.bets:
            self._check_amount(level, bets.spot, bet, cents)
        if not lies or (self.main not in lies and not self.side_bet_alone):
            raise Refused(
                "bet_needs", f"Spot {bets.spot} lacks its bet; {self._first_bet_sentence()}"
            )
        for side in self.side_bets:
            if side.key in lies and side.needs and side.needs not in lies:
                raise Refused(
                    "bet_needs",
                    f"{side.key} on spot {bets.spot} needs {side.needs} on the same spot.",
                )
        return SpotBets(bets.spot, tuple((key, lies[key]) for key in self.bet_keys if key in lies))

    def _check_amount(self, level: Level, spot: int, bet: str, cents: int) -> None:
        limit = level.bets.get(bet)
        if limit is None or bet not in self.bet_keys:
            open_bets = [key for key in self.bet_keys if key in level.bets]
            raise Refused(
                "field", f"{bet!r} is not open here; the bets are {listed(open_bets, 'and')}."
            )
        if limit.takes(cents):
            return
        within = limit.min <= cents <= limit.max
        sentence = f"{bet} on spot {spot} takes {limit}, not {print_cents(cents)}."
        raise Refused("step" if within else "limit", sentence)

    # Text

    def __str__(self) -> str:
        """The rules that decide a round, one `name=value` a line; `rules_hash` seals them."""
        lines = [f"game={self.key}", f"engine={self.engine.MAIN}"]
        lines += [f"{name}={text}" for name, text in fields.texts(self.rules).items()]
        for side in self.side_bets:
            lines += [f"{side.key}.{row}" for row in side.pays.rows]
            lines += [f"{side.key}.needs={side.needs}"] if side.needs else []
            lines += [f"{side.key}.pool={side.pool}"] if side.pool else []
        lines += [f"spots_max={self.spots_max}", f"side_bet_alone={self.side_bet_alone}"]
        for level in self.levels:
            lines += [f"{level.key}.{bet}={limit}" for bet, limit in level.bets.items()]
        return "\n".join(lines)

    @property
    def rules_hash(self) -> str:
        """SHA-256 of the game's text, hex."""
        return hashlib.sha256(str(self).encode()).hexdigest()


def _are_once_each(numbers: Sequence[int], highest: int) -> bool:
    """Whether these, in order, are different numbers from 1 to the highest."""
    before = 0
    for number in numbers:
        if not before < number <= highest:
            return False
        before = number
    return True


class Round(NamedTuple):
    """A round at a table: all its inputs, where it stands, and everything that happened."""

    game: Game
    level: str
    spots: tuple[SpotBets, ...]
    ask_insurance: bool
    given: tuple[Given, ...]
    state: Any
    events: tuple[Event, ...]
    wants: Want

    @classmethod
    def begin(
        cls, game: Game, level: str, spots: Iterable[SpotBets], *, ask_insurance: bool = True
    ) -> Round:
        """Take the bets of a game at a table (`Game.at_table`).

        Raises Refused as `Game.laid` does, and `field` for a setting that the game lacks.
        """
        assert len(game.side_bets) <= game.side_bets_open_max, f"{game.key}: open a table first"
        if not ask_insurance and not game.insurance_setting:
            raise Refused("field", f"ask_insurance is no setting of {game.key}; leave it out.")
        laid = game.laid(level, spots)
        state, events = game.engine.start(
            game.rules, game.side_bets, laid, ask_insurance=ask_insurance
        )
        return cls(
            game=game,
            level=level,
            spots=laid,
            ask_insurance=ask_insurance,
            given=(),
            state=state,
            events=events,
            wants=game.engine.wants(state),
        )

    def give(self, given: Given) -> Round:
        """The round after a card, choice or meter. Raises Refused (`choice`)."""
        game, level, spots, ask_insurance, before, state, events, _ = self
        state, more = game.engine.step(state, given)
        given_so_far, events = (*before, given), events + more
        wants = game.engine.wants(state)
        return Round(game, level, spots, ask_insurance, given_so_far, state, events, wants)

    def dealt(self, shoe: Sequence[Card]) -> Round:
        """The round after every card that it wants before anything else, from its shoe."""
        if not isinstance(self.wants, CardFor):
            return self
        game, level, spots, ask_insurance, before, state, events, wants = self
        cards, log, step = list(before), list(events), game.engine.step
        place = len(self.cards)
        while isinstance(wants, CardFor):
            card = shoe[place]
            state, more = step(state, card)
            cards.append(card)
            log += more
            wants = game.engine.wants(state)
            place += 1
        return Round(game, level, spots, ask_insurance, tuple(cards), state, tuple(log), wants)

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards in the order in which they were dealt."""
        return tuple([given for given in self.given if isinstance(given, Card)])

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What may be chosen now, whatever it costs; `table.afford` weighs the balance."""
        return self.game.engine.choices(self.state)

    @property
    def table(self) -> Table:
        return self.game.engine.view(self.state)

    @property
    def reserved(self) -> int:
        """Cents the player must keep for choices to come (C-06)."""
        return self.game.engine.reserved(self.state)

    @property
    def is_over(self) -> bool:
        return isinstance(self.wants, NoMore)
