"""The journal: what is stored of a round, and the round that its inputs make.

A round is its seed, its bets and its choices - and, for each progressive win, the meter it met.
Everything else is computed from them again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import orjson

from upcard.fair import Shoe
from upcard.game import Game, Round
from upcard.games import find
from upcard.sidebets import Pool
from upcard.table import ChoiceFor, ChoiceName, Meter, MeterFor, SpotBets

ENGINE = "2"
"""The version of the engines. It changes when some round would replay to other events."""

Status = Literal["open", "settled", "void"]


class TableChoice(NamedTuple):
    """How a table was set: the decks, and the side bets that are open, None for the game's own.

    `pools` are the terms of its meters where they are others than the game's own.
    """

    decks: int | None = None
    side_bets: tuple[str, ...] | None = None
    pools: tuple[Pool, ...] = ()


class RoundInputs(NamedTuple):
    """What decides a round, choices and meters aside."""

    game: str
    level: str
    table: TableChoice
    spots: tuple[SpotBets, ...]
    ask_insurance: bool
    client_seed: str
    nonce: int
    server_seed: bytes

    def game_at_table(self) -> Game:
        return game_at_table(self.game, self.table)

    def begun(self) -> Round:
        """The round with its bets, before anything is dealt. Raises Refused as `Round.begin`."""
        return Round.begin(
            self.game_at_table(), self.level, self.spots, ask_insurance=self.ask_insurance
        )

    def shoe(self) -> Shoe:
        decks = self.game_at_table().rules.decks
        return Shoe(self.server_seed, self.client_seed, self.nonce, decks)


class StoredRound(NamedTuple):
    """A round as the store keeps it. Times are seconds since 1970, UTC."""

    id: str
    player: str
    inputs: RoundInputs
    rules_hash: str
    engine: str
    status: Status
    seq: int
    opened_at: int
    touched_at: int

    def gone_on(self, seq: int, status: Status, now: int) -> StoredRound:
        """The same after a step."""
        id_, player, inputs, hash_, engine, _, _, opened_at, _ = self
        return StoredRound(id_, player, inputs, hash_, engine, status, seq, opened_at, now)


class StoredStep(NamedTuple):
    """One accepted step: the bet as seq 0, then a choice each. `answer` is what was told."""

    round: str
    seq: int
    spot: int
    hand: int
    choice: ChoiceName | None
    at: int
    answer: str


class StoredAward(NamedTuple):
    """A meter that a round met, journalled as an input: event number, meter and epoch."""

    round: str
    n: int
    key: str
    epoch: int
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredVoid:
    """Who voided a round, and why (G-13)."""

    round: str
    operator: str
    reason: str
    at: int


@lru_cache(maxsize=256)
def game_at_table(key: str, table: TableChoice) -> Game:
    """The game at one of its tables. There are few of them, and every step asks for one."""
    game = find(key).at_table(decks=table.decks, side_bets=table.side_bets)
    return game.with_pools(table.pools) if table.pools else game


@lru_cache(maxsize=256)
def rules_hash(key: str, table: TableChoice) -> str:
    """The hash of the rules at one of the tables."""
    return game_at_table(key, table).rules_hash


class Played(NamedTuple):
    """A round as it has been played so far, and the shoe that its next cards come from."""

    round: Round
    shoe: Shoe


class ReplayFailed(Exception):
    """Stored inputs do not make a round any more. `sentence` says where they fail."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def replay(inputs: RoundInputs, choices: Sequence[ChoiceName], meters: Sequence[Meter]) -> Round:
    """The round that these inputs make so far. Raises Refused or ReplayFailed if they make none."""
    return _replay(inputs, inputs.shoe(), choices, meters)


def _replay(
    inputs: RoundInputs, shoe: Shoe, choices: Sequence[ChoiceName], meters: Sequence[Meter]
) -> Round:
    round_ = inputs.begun()
    left, met = list(choices), list(meters)
    while True:
        round_ = round_.dealt(shoe)
        if isinstance(round_.wants, MeterFor):
            if not met:
                raise ReplayFailed("a meter was met that the journal does not know.")
            round_ = round_.give(met.pop(0))
        elif isinstance(round_.wants, ChoiceFor) and left:
            round_ = round_.give(left.pop(0))
        else:
            break
    if left or met:
        raise ReplayFailed(f"the round is over before {len(left)} choices and {len(met)} meters.")
    return round_


def replay_stored(
    stored: StoredRound, steps: Sequence[StoredStep], awards: Sequence[StoredAward]
) -> Round:
    """The round that the journal's inputs make so far."""
    return played_stored(stored, steps, awards).round


def played_stored(
    stored: StoredRound, steps: Sequence[StoredStep], awards: Sequence[StoredAward]
) -> Played:
    """The same, with its shoe, for going on."""
    choices = [step.choice for step in steps if step.choice]
    meters = [Meter(award.cents, award.epoch) for award in awards]
    shoe = stored.inputs.shoe()
    return Played(_replay(stored.inputs, shoe, choices, meters), shoe)


# Text forms for the store


def inputs_text(inputs: RoundInputs) -> str:
    """All inputs but the server seed, as one JSON text."""
    body: dict[str, Any] = {
        "game": inputs.game,
        "level": inputs.level,
        "decks": inputs.table.decks,
        "side_bets": inputs.table.side_bets,
        "spots": [[spot.spot, dict(spot.bets)] for spot in inputs.spots],
        "ask_insurance": inputs.ask_insurance,
        "client_seed": inputs.client_seed,
        "nonce": inputs.nonce,
    }
    if inputs.table.pools:
        body["pools"] = [pool_terms(pool) for pool in inputs.table.pools]
    return orjson.dumps(body).decode()


def round_row(round_: StoredRound) -> tuple[Any, ...]:
    """A round as both stores write it, column by column."""
    return (
        round_.id,
        round_.player,
        inputs_text(round_.inputs),
        round_.inputs.server_seed,
        round_.rules_hash,
        round_.engine,
        round_.status,
        round_.seq,
        round_.opened_at,
        round_.touched_at,
    )


def pool_terms(pool: Pool) -> dict[str, Any]:
    """The terms of a meter as a JSON document."""
    return {"key": pool.key, "seed": pool.seed, "share": str(pool.share), "cap": pool.cap}


def pool_of(terms: Mapping[str, Any]) -> Pool:
    """The meter whose terms `pool_terms` made a document of."""
    return Pool(
        key=terms["key"], seed=terms["seed"], share=Fraction(terms["share"]), cap=terms["cap"]
    )


@lru_cache(maxsize=4_096)
def inputs_of(text: str, server_seed: bytes) -> RoundInputs:
    """The inputs that `inputs_text` wrote, with their seed."""
    body = orjson.loads(text)
    sides = body["side_bets"]
    return RoundInputs(
        game=body["game"],
        level=body["level"],
        table=TableChoice(
            decks=body["decks"],
            side_bets=None if sides is None else tuple(sides),
            pools=tuple(map(pool_of, body.get("pools", ()))),
        ),
        spots=tuple(SpotBets(spot, tuple(bets.items())) for spot, bets in body["spots"]),
        ask_insurance=body["ask_insurance"],
        client_seed=body["client_seed"],
        nonce=body["nonce"],
        server_seed=server_seed,
    )
