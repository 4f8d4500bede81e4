"""The house itself: sessions, bets, moves, and what became of them, over any store.

Clock, entropy and store are arguments. Any process can serve any round: what is kept of one in
memory is a shortcut (`recent`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import orjson

from upcard import fair
from upcard.describe import ABANDONED_DAYS
from upcard.game import Game, Round
from upcard.games import CATALOGUE
from upcard.house import answers, jackpot, limits, receipts, sessions, sittings
from upcard.house.accounts import Accounts
from upcard.house.care import Care
from upcard.house.jackpot import terms_source
from upcard.house.journal import (
    ENGINE,
    Played,
    ReplayFailed,
    RoundInputs,
    StoredRound,
    StoredStep,
    StoredVoid,
    TableChoice,
    game_at_table,
    replay_stored,
    rules_hash,
)
from upcard.house.keys import SigningKey
from upcard.house.ledger import ISSUANCE, Entries, player_account
from upcard.house.passwords import Passwords
from upcard.house.receipts import SignedSoon
from upcard.house.recent import RecentRounds
from upcard.house.step import Step
from upcard.house.store import (
    Needs,
    PoolWanted,
    Seat,
    Session,
    Snapshot,
    Store,
    StoredRequest,
    Writes,
)
from upcard.house.terms import (
    TermsChange,
    changed,
    in_force,
    journal_of,
    other_terms,
    pool_named,
)
from upcard.refused import Refused
from upcard.sidebets import Pool
from upcard.table import ChoiceName, Meter, SpotBets

OWN_TABLE = TableChoice()
DAY = 24 * 60 * 60
ID_BYTES = 10
TIME_BYTES, CHANCE_BYTES = 6, 8
"""What the id of a round consists of: when it began, in milliseconds, and a number at random."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a house may set. Money in cents, times in seconds."""

    play_money: int = 10_000_000
    session_seconds: int = 365 * DAY
    abandoned_seconds: int = ABANDONED_DAYS * DAY
    round_seconds_min: int = 0
    """How much time must pass between two deals of a player."""
    fast_play: bool = True
    """Whether tables may offer to show cards and results at once."""


class BetRequest(NamedTuple):
    """A bet as it is asked for. `document` is the request itself, for its hash."""

    game: str
    level: str
    spots: tuple[SpotBets, ...]
    client_seed: str
    table: TableChoice = OWN_TABLE
    ask_insurance: bool = True
    document: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A choice that was made, and the answer that left it to the player."""

    seq: int
    choice: ChoiceName
    told: dict[str, Any]


class Visitor(NamedTuple):
    """Whose session a token is of, as it stood of late, and the token's hash.

    Every bet and move of a visitor sees for itself whether the session still stands.
    """

    player: str
    session: str


class Answer(NamedTuple):
    """What was told, as text, and whether it was told before."""

    text: str
    repeated: bool = False


_Moved = tuple[Answer, Played | None]
"""What a move is answered with, and the round after it where it went on."""


class _Dealt(NamedTuple):
    """What a bet is answered with, what it was asked for with, and the round where it is new."""

    answer: Answer
    asked: StoredRequest
    played: Played | None = None
    receipt: SignedSoon | None = None


class RoundOpen(Refused):
    """A round is open at this game; `open` is its answer (G-12)."""

    def __init__(self, open_: dict[str, Any]) -> None:
        super().__init__("round_open", "A round is open at this game; finish it first.")
        self.open = open_


class House:
    """One house over a store. `clock` gives seconds since 1970, `entropy(n)` n random bytes.

    With a `key` every bet is answered with a signed receipt.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], float],
        entropy: Callable[[int], bytes],
        settings: Settings | None = None,
        passwords: Passwords | None = None,
        key: SigningKey | None = None,
    ) -> None:
        self._store = store
        self._key = key
        self._clock = clock
        self._entropy = entropy
        self._settings = settings or Settings()
        self._recent = RecentRounds()
        self.care = Care(store, clock)
        self.accounts = Accounts(
            store=store,
            clock=clock,
            entropy=entropy,
            session_seconds=self._settings.session_seconds,
            passwords=passwords or Passwords(),
        )

    async def open(self) -> None:
        """Found what must exist before the first bet: the seeds of all meters, the key's name.

        Where the database is a backup, every next bet gets a new seed first.
        """
        if await self._store.resume(partial(fair.new_server_seed, self._entropy)):
            log.warning("this database is a backup: every next bet has a new commit")
        if self._key and self._key.id not in [key.id for key in await self._store.keys()]:
            writes = Writes(key=self._key.public(since=self._now()))
            await self._store.run(Needs(player=ISSUANCE), lambda _: (writes, None))
        for game, pool in pools():
            decide = partial(_found, game=game, pool=pool)
            await self._store.run(Needs(player=ISSUANCE), decide)

    def document(self) -> dict[str, Any]:
        """What this house has set for all its tables."""
        return {
            "round_seconds_min": self._settings.round_seconds_min,
            "fast_play": self._settings.fast_play,
        }

    async def beat(self) -> None:
        """Write something, as durably as a bet. Raises what keeps the store from it."""
        writes = Writes(heartbeat=self._now())
        await self._store.run(Needs(player=ISSUANCE), lambda _: (writes, None))

    # Sessions

    async def new_session(self) -> tuple[str, str]:
        """A new guest with play money: (player, token). The token is kept as a hash alone."""
        player = self._entropy(ID_BYTES).hex()
        expires = self._now() + self._settings.session_seconds
        session, token = sessions.opened(self._entropy, player, expires)
        writes = self._welcome(player)._replace(session=session)

        def decide(seen: Snapshot) -> tuple[Writes, None]:
            return Writes() if seen.seat else writes, None

        await self._store.run(Needs(player=player, game=CATALOGUE[0].key), decide)
        return player, token

    async def local_guest(self, name: str) -> str:
        """The guest of this name who plays without a session, made when there is none yet."""
        player = f"local-{name}"
        if not await self._store.seats(player):
            welcome = self._welcome(player)

            def decide(seen: Snapshot) -> tuple[Writes, None]:
                return Writes() if seen.seat else welcome, None

            await self._store.run(Needs(player=player, game=CATALOGUE[0].key), decide)
        return player

    def _welcome(self, player: str) -> Writes:
        """Play money and a seat at every game."""
        entries = Entries.of(f"guest-{player}", 0)
        entries.move(ISSUANCE, player_account(player), self._settings.play_money, "play_money")
        seats = [self._new_seat(player, game.key) for game in CATALOGUE]
        return Writes(transfers=entries.transfers, seats=seats)

    async def player_of(self, token: str | None) -> str:
        """The player of a session token. Raises Refused (`no_session`)."""
        found = await self._store.session(sessions.token_hash(token)) if token else None
        return self._standing(found).player

    async def visitor(self, token: str | None) -> Visitor:
        """The same for a bet or a move, which asks less of the store. Raises likewise."""
        found = await self._store.session_of_late(sessions.token_hash(token)) if token else None
        session = self._standing(found)
        return Visitor(session.player, session.token_hash)

    def _standing(self, session: Session | None) -> Session:
        if session is None or session.expires <= self._now():
            raise _no_session()
        return session

    async def session(self, player: str) -> dict[str, Any]:
        """Player, name, balance, and for each game the next commit and nonce and the open round."""
        seats = {seat.game: seat for seat in await self._store.seats(player)}
        for game in CATALOGUE:
            if game.key not in seats:
                seats[game.key] = await self._seat(player, game.key)
        return {
            "player": player,
            "account": await self.accounts.name_of(player),
            "balance": await self._store.balance(player),
            "games": {
                game.key: {
                    **answers.next_bet(seats[game.key]),
                    "open": seats[game.key].open_round,
                }
                for game in CATALOGUE
            },
        }

    async def balance(self, player: str) -> int:
        """What may be staked now."""
        return await self._store.balance(player)

    async def refill(self, player: str) -> None:
        """Restore the play money. Raises Refused (`open`) while a round is open."""
        source = f"refill-{self._entropy(ID_BYTES).hex()}"

        def decide(seen: Snapshot) -> tuple[Writes, None]:
            if seen.open_rounds:
                raise Refused("open", "A round is open; play money is restored when none is.")
            entries = Entries.of(source, 0)
            missing = max(self._settings.play_money - seen.balance, 0)
            entries.move(ISSUANCE, player_account(player), missing, "play_money")
            return Writes(transfers=entries.transfers), None

        await self._store.run(Needs(player=player), decide)

    # Rounds

    async def bet(
        self, player: str, key: str, request: BetRequest, *, session: str | None = None
    ) -> Answer:
        """Take a bet and deal. The same key and request again is answered as before.

        Raises Refused: what `Game.laid` and `Game.at_table` refuse, `funds`, `key_reused`,
        `excluded`, `pace`, `own_limit`, RoundOpen while a round of this game is open, and
        `no_session` if the session that is named is none of the player's any more.
        """
        game = game_at_table(request.game, request.table)
        fair.check_client_seed(request.client_seed)
        hash_ = answers.request_hash(request.document)
        now_ms = self._now_ms()
        round_id = self._round_id(now_ms)
        next_seed = fair.new_server_seed(self._entropy)
        now = now_ms // 1000

        def decide(seen: Snapshot) -> tuple[Writes, _Dealt]:
            _check_session(seen, player, session)
            if seen.request:
                return Writes(), _Dealt(_repeated(seen.request, hash_), seen.request)
            seat = seen.seat
            assert seat is not None, f"{player} has no seat at {request.game}"
            if seat.open_round:
                raise RoundOpen(current_answer(seen))
            pools = other_terms(game, seen.newest)
            table = request.table._replace(pools=pools) if pools else request.table
            round_ = Round.begin(
                game_at_table(request.game, table),
                request.level,
                request.spots,
                ask_insurance=request.ask_insurance,
            )
            self._check_may_play(seen, round_, now_ms)
            stored = _opened(request, table, round_.spots, seat, round_id, now)
            after = Seat(player, seat.game, seat.nonce + 1, next_seed, round_id)
            step = Step(seen, stored, after, now)
            text = step.bet(round_)
            asked = StoredRequest(player, key, hash_, round_id, text)
            sitting = sittings.dealt(seen.sitting, player, step.transfers, now_ms)
            receipt = self._receipt(stored, asked, after)
            return step.writes(sitting, asked), _Dealt(Answer(text), asked, step.played, receipt)

        journal = journal_of(game)
        needs = Needs(player, request.game, key=key, journal=journal, session=session)
        dealt = await self._store.run(needs, decide)
        if dealt.played:
            self._recent.keep(round_id, 0, dealt.played)
        return await self._with_receipt(dealt)

    def _receipt(self, stored: StoredRound, asked: StoredRequest, seat: Seat) -> SignedSoon | None:
        if self._key is None:
            return None
        content = receipts.content(stored, asked, answers.next_bet(seat))
        return SignedSoon(content, self._key)

    async def _with_receipt(self, dealt: _Dealt) -> Answer:
        if self._key is None:
            return dealt.answer
        if dealt.receipt:
            receipt = dealt.receipt.text()
        else:
            stored = await self._store.round(dealt.asked.round)
            assert stored is not None, f"{dealt.asked.round} was asked for and is not there"
            again = receipts.signed(receipts.of_stored(stored, dealt.asked), self._key)
            receipt = answers.canonical(again)
        answer = dealt.answer
        return Answer(receipts.added(answer.text, receipt), answer.repeated)

    def _check_may_play(self, seen: Snapshot, round_: Round, now_ms: int) -> None:
        """What the player has set for himself, and the pace of the house."""
        now = now_ms // 1000
        limits.check_excluded(seen.exclusions, now)
        sittings.check_pace(seen.sitting, now_ms, self._settings.round_seconds_min)
        cost = sum([spot.total for spot in round_.spots])
        limits.check_bet(seen.limits, seen.days, cost, now)

    async def move(
        self,
        player: str,
        round_: str,
        seq: int,
        choice: ChoiceName,
        *,
        session: str | None = None,
    ) -> Answer:
        """Make a choice in an open round. The same seq and choice again is answered as before.

        Raises Refused: `not_found`, `settled`, `stale`, `choice`, `funds`, `no_session`.
        """
        now = self._now()

        def decide(seen: Snapshot) -> tuple[Writes, _Moved]:
            _check_session(seen, player, session)
            current, seat = _owned(seen.round, player), seen.seat
            assert seat is not None
            if told := _told_before(current, seen.steps, seq, choice):
                return Writes(), (told, None)
            step = Step(seen, current, seat, now, self._recent.find(current))
            text = step.move(choice)
            sitting = sittings.gone_on(seen.sitting, player, step.transfers, now)
            return step.writes(sitting), (Answer(text), step.played)

        needs = Needs(player, round=round_, session=session)
        answer, played = await self._store.run(needs, decide)
        if played:
            self._recent.keep(round_, seq + 1, played)
        return answer

    async def look(self, player: str, round_: str) -> dict[str, Any]:
        """The answer of a round with all its events. Raises Refused (`not_found`)."""
        return await self._look(await self._own(player, round_))

    async def seq(self, player: str, round_: str) -> int:
        """How far a round is. Raises Refused (`not_found`)."""
        return (await self._own(player, round_)).seq

    async def game_of(self, player: str, round_: str) -> Game:
        """The game of a round as its table was set. Raises Refused (`not_found`)."""
        return (await self._own(player, round_)).inputs.game_at_table()

    async def open_rounds(self, player: str) -> list[dict[str, Any]]:
        """The answers of all open rounds of a player."""
        seats = await self._store.seats(player)
        opened = [await self._own(player, seat.open_round) for seat in seats if seat.open_round]
        return [await self._look(stored) for stored in opened]

    async def history(self, player: str, before: int | None, limit: int) -> dict[str, Any]:
        """Rounds of a player, the newest first, each as its answer and when it began.

        `next` continues.
        """
        page = await self._store.page(player, before, limit)
        rounds = [
            {**await self._look(stored), "opened_at": stored.opened_at} for stored in page.rounds
        ]
        return {"rounds": rounds, "next": page.next}

    async def proof(self, player: str, round_: str) -> dict[str, Any]:
        """All that a stranger needs to check a round.

        Raises Refused (`not_found`, `open`, `void`).
        """
        stored = await self._own(player, round_)
        if stored.status == "open":
            raise Refused("open", "This round is open; its proof is shown when it is settled.")
        if stored.status == "void":
            raise Refused("void", "This round is void; it says by whom and why.")
        steps = await self._store.steps(round_)
        awards = await self._store.awards(round_)
        return answers.proof(stored, replay_stored(stored, steps, awards), steps, awards)

    async def decisions(self, player: str, round_: str) -> list[Decision]:
        """Every choice made in a round so far, in order. Raises Refused (`not_found`)."""
        await self._own(player, round_)
        steps = await self._store.steps(round_)
        return [
            Decision(seq=after.seq, choice=after.choice, told=orjson.loads(before.answer))
            for before, after in pairwise(steps)
            if after.choice
        ]

    async def receipt(self, player: str, round_: str) -> dict[str, Any]:
        """The signed receipt of a bet. Raises Refused (`not_found`)."""
        stored = await self._own(player, round_)
        asked = await self._store.request(round_)
        if self._key is None or asked is None:
            raise Refused("not_found", "This house signs no receipts.")
        return receipts.signed(receipts.of_stored(stored, asked), self._key)

    async def keys(self) -> dict[str, Any]:
        """The public keys that this house has signed with, the oldest first."""
        return {"keys": [asdict(key) for key in await self._store.keys()]}

    async def jackpots(self) -> dict[str, Any]:
        """Every meter as it stands."""
        found = []
        for pool in await self.terms():
            reading = await self._store.pool(pool.key)
            assert reading is not None, f"the meter {pool.key} was never founded"
            found.append(
                {
                    "key": pool.key,
                    "amount": pool.shown(reading.meter.cents),
                    "epoch": reading.epoch,
                    "seed": pool.seed,
                    "share": float(pool.share),
                }
            )
        return {"jackpots": found}

    async def terms(self) -> tuple[Pool, ...]:
        """The terms of every meter that are in force."""
        found = []
        for _, pool in pools():
            steps = await self._store.steps(terms_source(pool.key))
            found.append(in_force(pool, steps[-1] if steps else None))
        return tuple(found)

    async def change_terms(self, change: TermsChange) -> Pool:
        """Change the terms of a meter from the next bet on. Raises Refused (`field`)."""
        pool_named(change.key)
        now, source = self._now(), terms_source(change.key)
        seq = len(await self._store.steps(source))
        needs = Needs(player=source, journal=source)
        return await self._store.run(needs, lambda seen: changed(seen, change, seq, now))

    async def finish_abandoned(self) -> list[str]:
        """Finish every round that nobody touched for the stated period (G-12); their ids."""
        now = self._now()
        finished = []
        for stored in await self._store.open_rounds(now - self._settings.abandoned_seconds):
            needs = Needs(player=stored.player, game=stored.inputs.game, round=stored.id)
            decide = partial(_finish, seq=stored.seq, now=now)
            try:
                if await self._store.run(needs, decide):
                    finished.append(stored.id)
            except (ReplayFailed, Refused):  # one that does not replay holds up no other
                log.exception("round %s was not finished", stored.id)
        return finished

    async def _own(self, player: str, round_: str) -> StoredRound:
        return _owned(await self._store.round(round_), player)

    async def _look(self, stored: StoredRound) -> dict[str, Any]:
        needs = Needs(player=stored.player, game=stored.inputs.game, round=stored.id)
        seen = await self._store.see(needs)
        assert seen.round is not None
        if seen.round.status == "open":
            return current_answer(seen)
        void = await self._store.void(stored.id) if seen.round.status == "void" else None
        return closed_answer(seen, void)

    async def _seat(self, player: str, game: str) -> Seat:
        """The seat of a player at a game that is new since the player came."""
        fresh = self._new_seat(player, game)

        def decide(seen: Snapshot) -> tuple[Writes, Seat]:
            return (Writes(), seen.seat) if seen.seat else (Writes(seats=[fresh]), fresh)

        return await self._store.run(Needs(player=player, game=game), decide)

    def _new_seat(self, player: str, game: str) -> Seat:
        seed = fair.new_server_seed(self._entropy)
        return Seat(player=player, game=game, nonce=1, server_seed=seed)

    def _round_id(self, now_ms: int) -> str:
        """The ids of rounds ascend with time, so that a database writes close together what comes
        close together, at the end of each index."""
        return now_ms.to_bytes(TIME_BYTES).hex() + self._entropy(CHANCE_BYTES).hex()

    def _now(self) -> int:
        return int(self._clock())

    def _now_ms(self) -> int:
        return int(self._clock() * 1000)


def _finish(seen: Snapshot, seq: int, now: int) -> tuple[Writes, bool]:
    """Finish an abandoned round, unless somebody touched it meanwhile."""
    assert seen.round is not None
    assert seen.seat is not None
    if seen.round.status != "open" or seen.round.seq != seq:
        return Writes(), False
    step = Step(seen, seen.round, seen.seat, now)
    step.finish()
    return step.writes(sittings.left(seen.sitting, step.transfers)), True


def pools() -> list[tuple[str, Pool]]:
    """Every meter of the catalogue, with the game whose house seeds it."""
    sides = [(game.key, side.pool) for game in CATALOGUE for side in game.side_bets]
    return [(game, pool) for game, pool in sides if pool]


# Deciding


def _found(seen: Snapshot, game: str, pool: Pool) -> tuple[Writes, None]:
    """Seed a meter that was never seeded."""
    reading = seen.pools.get(pool.key)
    if reading is None:
        raise PoolWanted(pool.key)
    if reading.meter != Meter(0, 0):
        return Writes(), None
    entries = Entries.of(f"meter-{pool.key}", 0)
    founded = jackpot.seed(reading, pool=pool, game=game, entries=entries)
    return Writes(transfers=entries.transfers, pools=[founded]), None


def _opened(
    request: BetRequest,
    table: TableChoice,
    laid: tuple[SpotBets, ...],
    seat: Seat,
    id_: str,
    now: int,
) -> StoredRound:
    """The round that a bet opens at a seat, before anything is dealt."""
    inputs = RoundInputs(
        game=request.game,
        level=request.level,
        table=table,
        spots=laid,
        ask_insurance=request.ask_insurance,
        client_seed=request.client_seed,
        nonce=seat.nonce,
        server_seed=seat.server_seed,
    )
    return StoredRound(
        id=id_,
        player=seat.player,
        inputs=inputs,
        # Of the game as it is published: the terms of a meter decide no round that has met it.
        rules_hash=rules_hash(request.game, request.table),
        engine=ENGINE,
        status="open",
        seq=0,
        opened_at=now,
        touched_at=now,
    )


def _no_session() -> Refused:
    return Refused("no_session", "There is no session; POST /api/session opens one.")


def _check_session(seen: Snapshot, player: str, named: str | None) -> None:
    """Raises Refused (`no_session`) if one was named that is not the player's, or not any more."""
    if named and (seen.session is None or seen.session.player != player):
        raise _no_session()


def _owned(stored: StoredRound | None, player: str) -> StoredRound:
    """Raises Refused (`not_found`): what is not theirs is for strangers as if it did not exist."""
    if stored is None or stored.player != player:
        raise Refused("not_found", "There is no such round of yours.")
    return stored


def _repeated(request: StoredRequest, hash_: str) -> Answer:
    if request.hash != hash_:
        sentence = "This key was used for another bet; send a new Idempotency-Key with a new bet."
        raise Refused("key_reused", sentence)
    return Answer(request.answer, repeated=True)


def _told_before(
    stored: StoredRound, steps: Sequence[StoredStep], seq: int, choice: ChoiceName
) -> Answer | None:
    """The answer that this move had already, or None if it is the next one."""
    if seq == stored.seq:
        if stored.status != "open":
            raise Refused("settled", f"This round is {stored.status}; place a new bet.")
        return None
    for step in steps:
        if step.seq == seq + 1 and step.choice == choice:
            return Answer(step.answer, repeated=True)
    raise Refused(
        "stale", f"The round is at seq {stored.seq}, not {seq}; look at it and choose again."
    )


def closed_answer(seen: Snapshot, void: StoredVoid | None) -> dict[str, Any]:
    """The answer of a round that is over, from what was told of it: nothing is played again.

    A round that is void says by whom and why (G-13).
    """
    assert seen.seat is not None
    assert seen.round is not None
    told = [orjson.loads(step.answer) for step in seen.steps]
    answer = {
        **told[-1],
        "status": seen.round.status,
        "events": [event for answer in told for event in answer["events"]],
        "choices": [],
        "balance": seen.balance,
        "next": answers.next_bet(seen.seat),
        "server_seed": seen.round.inputs.server_seed.hex(),
    }
    if void:
        answer["void"] = {"operator": void.operator, "reason": void.reason, "at": void.at}
    return answer


def current_answer(seen: Snapshot) -> dict[str, Any]:
    """The answer of the round that a snapshot shows, with all its events."""
    assert seen.round is not None
    assert seen.seat is not None
    round_ = replay_stored(seen.round, seen.steps, seen.awards)
    return answers.answer(seen.round, round_, told=0, balance=seen.balance, seat=seen.seat)
