"""The dealer of `upcard play`: the house itself in this process, on a database that stays.

Every command is journalled and durable before it is shown, so that a round goes on after any end
of this process, and is proved and audited like those of a served house.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar

from upcard.game import Game
from upcard.house import answers, recover
from upcard.house.journal import TableChoice, replay_stored
from upcard.house.rounds import BetRequest, House, Settings
from upcard.house.store import Needs, Store, StoreBusy
from upcard.house.store.opening import open_store
from upcard.refused import Refused
from upcard.sidebets import Pool
from upcard.table import Choice, ChoiceName, SpotBets
from upcard.terminal.dealer import Answer, Offer, Played
from upcard.terminal.proof import JsonObject, Proof

T = TypeVar("T")

GUEST = "terminal"
"""Whose purse and rounds these are: every sitting on one database plays as the same guest."""
KEY_BYTES = 16
ROUNDS_LOOKED_THROUGH = 50
"""How far back the last settled round is looked for; at most one round a game is open."""

PLAYED_ELSEWHERE = ("stale", "settled")
"""How the house refuses a move in a round that has gone on since it was seen."""


class HouseDealer:
    """Deals for the guest of one database. Raises Refused if it cannot be opened; close it."""

    def __init__(
        self,
        db: str,
        *,
        clock: Callable[[], float] = time.time,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        settings: Settings | None = None,
    ) -> None:
        self._entropy = entropy
        self._store: Store = open_store(db)
        self._house = House(self._store, clock=clock, entropy=entropy, settings=settings)
        self._runner = asyncio.Runner()
        try:
            self._player = self._run(self._open())
        except BaseException:
            self.close()
            raise

    async def _open(self) -> str:
        """Check, found and tidy as a served house does, and find the guest."""
        await recover.check_open_rounds(self._store)
        await self._house.open()
        await self._house.finish_abandoned()
        return await self._house.local_guest(GUEST)

    def close(self) -> None:
        """Finish what is under way and let go of the database."""
        with self._runner:
            self._runner.run(self._store.close())

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        """One command to its end. Ctrl-C stops the waiting alone: the store finishes or refuses."""
        try:
            return self._runner.run(work)
        except StoreBusy:
            sentence = "Another program holds the database; nothing was changed, so try again."
            raise Refused("busy", sentence) from None

    # Before a bet

    @property
    def balance(self) -> int:
        return self._run(self._store.balance(self._player))

    def offer(self, game: Game) -> Offer:
        seat = self._seats()[game.key]
        return Offer(commit=seat["commit"], nonce=seat["nonce"])

    def meter(self, pool: Pool) -> int:
        jackpots = self._run(self._house.jackpots())["jackpots"]
        (cents,) = (meter["amount"] for meter in jackpots if meter["key"] == pool.key)
        return int(cents)

    def _seats(self) -> dict[str, JsonObject]:
        seats: dict[str, JsonObject] = self._run(self._house.session(self._player))["games"]
        return seats

    # Rounds

    def bet(
        self,
        game: Game,
        level: str,
        spots: Iterable[SpotBets],
        *,
        client_seed: str,
        ask_insurance: bool = True,
    ) -> Answer:
        request = BetRequest(
            game=game.key,
            level=level,
            spots=tuple(spots),
            client_seed=client_seed,
            table=TableChoice(
                decks=game.rules.decks, side_bets=tuple(side.key for side in game.side_bets)
            ),
            ask_insurance=ask_insurance,
        )
        key = self._entropy(KEY_BYTES).hex()
        told = self._run(self._house.bet(self._player, key, request))
        return self._answer(game.key, json.loads(told.text)["round"])

    def move(self, seen: Answer, choice: ChoiceName) -> Answer:
        try:
            self._run(self._house.move(self._player, seen.id, seen.seq, choice))
        except Refused as refused:
            if refused.code not in PLAYED_ELSEWHERE:
                raise
            sentence = "Your round was played on elsewhere; it is shown as it stands now."
            raise Refused(refused.code, sentence) from None
        return self.look(seen)

    def look(self, seen: Answer) -> Answer:
        return self._answer(seen.round.game.key, seen.id, told=len(seen.round.events))

    def resume(self, game: Game) -> Answer | None:
        open_ = self._seats()[game.key]["open"]
        return self._answer(game.key, open_) if open_ else None

    def waiting(self) -> tuple[str, ...]:
        return tuple(key for key, seat in self._seats().items() if seat["open"])

    def _answer(self, game: str, round_: str, *, told: int = 0) -> Answer:
        """A round from the journal; `told` events were told before."""
        needs = Needs(player=self._player, game=game, round=round_)
        seen = self._run(self._store.see(needs))
        assert seen.round is not None, f"{round_} is nowhere"
        assert seen.seat is not None, f"{self._player} has no seat at {game}"
        played = replay_stored(seen.round, seen.steps, seen.awards)
        document = answers.answer(
            seen.round, played, told=told, balance=seen.balance, seat=seen.seat
        )
        is_open = seen.round.status == "open"
        return Answer(
            id=round_,
            seq=document["seq"],
            round=played,
            nonce=document["nonce"],
            events=played.events[told:],
            choices=tuple(Choice(**choice) for choice in document["choices"]),
            balance=document["balance"],
            proof=None if is_open else self._proof(round_),
        )

    def _proof(self, round_: str) -> Proof:
        return Proof(self._run(self._house.proof(self._player, round_)))

    # What was

    def last(self) -> Answer | None:
        page = self._run(self._store.page(self._player, None, ROUNDS_LOOKED_THROUGH))
        settled = [stored for stored in page.rounds if stored.status == "settled"]
        return self._answer(settled[0].inputs.game, settled[0].id) if settled else None

    def history(self, limit: int) -> tuple[Played, ...]:
        page = self._run(self._house.history(self._player, None, limit))
        return tuple(_played(round_) for round_ in page["rounds"])

    def refill(self) -> None:
        self._run(self._house.refill(self._player))


def _played(round_: JsonObject) -> Played:
    game, nonce, status = round_["game"], round_["nonce"], round_["status"]
    if status != "settled":
        return Played(game=game, nonce=nonce, status=status)
    end = round_["events"][-1]
    return Played(game=game, nonce=nonce, status=status, staked=end["staked"], paid=end["paid"])
