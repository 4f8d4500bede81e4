"""The power fails at every kind of write, and the house comes back with everything it told.

A house plays on a simulated disk (`simulated`), and what it asked of that disk is played again up
to many of its operations. There the power goes: each write that was not synced is there, is not, or
is there in part. On what is left a house is opened as ever, and held against the facts: all that
was acknowledged before is there, once; of what was under way either all or nothing; and nothing
else. With `synchronous` lowered the same test must find losses, or it would find none at all.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import pytest

from tests.clock import Clock
from tests.house import sql_auditor
from tests.house.conftest import Entropy, bet_request, fixed_key, told
from tests.house.simulated import Disk, Op, Platter, SimulatedLoop, Waits, simulated_loop
from upcard.house.backup import audit_file
from upcard.house.recover import check_open_rounds
from upcard.house.rounds import BetRequest, House
from upcard.house.sealer import Sealer
from upcard.house.store.sqlite import SqliteStore
from upcard.refused import Refused
from upcard.table import ChoiceName

SOAK = bool(os.environ.get("UPCARD_SOAK"))
SEED = os.environ.get("UPCARD_SEED")
"""One chain of lives that shall be run again."""
CHAINS, LIVES, CUTS_OF_A_LIFE = (250 if SOAK else 10), 4, 10
PLAYERS, TURNS = 4, 14
PAGES_PER_CHECKPOINT = 24
"""So few that in every life pages are written back and the log begins again from its start."""

Say = Callable[[str], None]
Fact = tuple[Any, ...]
FACTS = (
    "SELECT 'step', round, seq, choice, answer FROM step",
    "SELECT 'request', player, key, round FROM request",
    "SELECT 'closed', id FROM round WHERE status <> 'open'",
    "SELECT 'session', player FROM session",
    "SELECT 'limit', player, kind, period, cents FROM own_limit",
    "SELECT 'block', number, first, last, signature FROM block",
)
"""What a house acknowledges, as rows."""


class Bet(NamedTuple):
    player: str
    key: str
    request: BetRequest


class Move(NamedTuple):
    player: str
    round: str
    seq: int
    choice: ChoiceName


class Told(NamedTuple):
    """Facts that were acknowledged, and when they were asked for: positions of the disk."""

    asked: int
    acknowledged: int
    facts: tuple[Fact, ...]
    request: Bet | Move | None = None
    """What is sent again if nobody knows what became of it."""


@dataclass(slots=True)
class Life:
    """A house from its start to its end on one disk, and everything that it told."""

    loop: SimulatedLoop
    folder: Path
    draw: random.Random
    entropy: Entropy
    clock: Clock
    known: frozenset[Fact]
    """What stood there before."""
    pending: list[Bet | Move]
    """What was under way when the power failed."""
    told: list[Told] = field(default_factory=list)
    backups: list[Told] = field(default_factory=list)
    disk: Disk = field(init=False)
    store: SqliteStore = field(init=False)
    house: House = field(init=False)

    def play(self) -> None:
        """Open, bet, choose, seal, set limits, back up, and close in the end."""
        self.disk = Disk(self.folder)
        seconds = Waits(self.loop, lambda: self.draw.choice((0.0, 0.001, 0.01)))
        self.store = SqliteStore(self.folder / "house.db", vfs=self.disk.name, disk=seconds)
        self.house = opened(self.store, self.clock, self.entropy)
        self.loop.until(self.house.open())
        self.loop.until(self._play())
        self.loop.until(self.store.close())
        self.disk.unregister()

    async def _play(self) -> None:
        await asyncio.gather(*map(self._send, self.pending))
        players = sorted({fact[1] for fact in self.known if fact[0] == "session"})
        while len(players) < PLAYERS:
            players.append(await self._come())
        for _ in range(TURNS):
            self.clock.now += self.draw.randrange(1, 600)
            busy = self.draw.sample(players, self.draw.randint(1, PLAYERS))
            await asyncio.gather(*map(self._act, busy), self._act_of_the_house())

    async def _come(self) -> str:
        asked = self.disk.position
        player, _ = await self.house.new_session()
        self._acknowledge(asked, ("session", player))
        return player

    def _acknowledge(self, asked: int, *facts: Fact, request: Bet | Move | None = None) -> None:
        self.told.append(Told(asked, self.disk.position, facts, request))

    # What players do

    async def _act(self, player: str) -> None:
        if self.draw.random() < 0.1:
            await self._limit(player)
            return
        rounds = await self.house.open_rounds(player)
        games = sorted({*BETS} - {each["game"] for each in rounds})
        if rounds and (not games or self.draw.random() < 0.8):
            await self._send(self._move(player, self.draw.choice(rounds)))
        else:
            await self._send(self._bet(player, self.draw.choice(games)))

    def _bet(self, player: str, game: str) -> Bet:
        level, *spots = self.draw.choice(BETS[game])
        seed, key = f"c{self.draw.getrandbits(60)}", f"k{self.draw.getrandbits(60)}"
        return Bet(player, key, bet_request(game, *spots, level=level, client_seed=seed))

    def _move(self, player: str, round_: dict[str, Any]) -> Move:
        choices = [each["choice"] for each in round_["choices"] if each["enabled"]]
        return Move(player, round_["round"], round_["seq"], self.draw.choice(choices))

    async def _send(self, request: Bet | Move) -> None:
        """What the power cut off is answered as it stands, if it does, and else taken now."""
        asked = self.disk.position
        if isinstance(request, Bet):
            answer = await self.house.bet(*request)
            document = told(answer.text)
            facts = [("request", request.player, request.key, document["round"])]
            facts += _step_facts(document, None)
        else:
            answer = await self.house.move(*request)
            facts = _step_facts(told(answer.text), request.choice)
        new = [fact for fact in facts if fact not in self.known]
        assert new == ([] if answer.repeated else facts), "a repeated answer is the first one"
        self._acknowledge(asked, *new, request=request)

    async def _limit(self, player: str) -> None:
        cents = self.draw.randrange(1_000_000, 9_000_000)
        asked = self.disk.position
        before = await self.house.care.standing(player)
        await self.house.care.set_limits(player, {"stake": {"month": cents}})
        if before["limits"]["stake"]["month"]["cents"] != cents:
            self._acknowledge(asked, ("limit", player, "stake", "month", cents))

    # What the house does

    async def _act_of_the_house(self) -> None:
        match self.draw.randrange(6):
            case 0 | 1:
                await self._seal()
            case 2 if len(self.backups) < 1:
                await self._back_up()
            case 3:
                self._checkpoint()
            case _:
                pass

    async def _seal(self) -> None:
        asked = self.disk.position
        sealer = Sealer(self.store, key=fixed_key(1), clock=self.clock, transfers_max=20)
        blocks = await sealer.seal()
        self._acknowledge(
            asked, *(("block", one.number, one.first, one.last, one.signature) for one in blocks)
        )

    async def _back_up(self) -> None:
        """Beside everything else; whoever sees it whole may rely on it."""
        asked = self.disk.position
        await self.store.copy(self.folder / f"backup-{asked}.db")
        self.backups.append(Told(asked, self.disk.position, (("backup", f"backup-{asked}.db"),)))

    def _checkpoint(self) -> None:
        """By another program, as an operator may."""
        with closing(self.disk.connected("house.db")) as db:
            mode = self.draw.choice((apsw.SQLITE_CHECKPOINT_PASSIVE, apsw.SQLITE_CHECKPOINT_FULL))
            db.wal_checkpoint(mode=mode)


BETS: dict[str, list[tuple[str, ...]]] = {
    "top3": [("low", "1 main=5.00 progressive=5.00", "2 main=20.00 classic=1.00 top3=1.00")],
    "threecard": [("table", "1 ante=5.00"), ("table", "1 ante=20.00 ace_plus=5.00")],
    "super21": [("table", "1 main=1.00"), ("table", "1 main=500.00")],
    "ags": [("table", "1 main=3.00", "2 main=1.00 match_super=1.00 trifecta=1.00")],
}


def _step_facts(answer: dict[str, Any], choice: str | None) -> list[Fact]:
    """A step as the journal holds it, without the receipt, which is kept nowhere."""
    answer.pop("receipt", None)
    step = ("step", answer["round"], answer["seq"], choice, _text(answer))
    return [step] if answer["status"] == "open" else [step, ("closed", answer["round"])]


def _text(answer: dict[str, Any]) -> str:
    return json.dumps(answer, separators=(",", ":"), ensure_ascii=False)


def opened(store: SqliteStore, clock: Clock, entropy: Entropy) -> House:
    return House(store, clock=clock, entropy=entropy, key=fixed_key(1))


def _connected(path: Path) -> apsw.Connection:
    return apsw.Connection(str(path))


# Cuts


@dataclass(slots=True)
class Tally:
    """What was cut, and what was missing afterwards."""

    cuts: Counter[str] = field(default_factory=Counter)
    under_way: Counter[str] = field(default_factory=Counter)
    """What was not acknowledged yet: kinds of facts."""
    acknowledged: int = 0
    lost: int = 0
    unreadable: int = 0

    def __str__(self) -> str:
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self.cuts.items()))
        return (
            f"{self.cuts.total()} power cuts ({kinds}); under way were {dict(self.under_way)}; "
            f"of {self.acknowledged} facts acknowledged before, {self.lost} were lost; "
            f"{self.unreadable} databases unreadable"
        )


def kind_of(op: Op) -> str:
    """`write house.db-wal`: what was under way when the power went."""
    name = "backup" if op.name.startswith("backup") else op.name
    return f"{op.kind} {name}"


@dataclass(slots=True)
class Chain:
    """Lives one after the other, each on what a power cut has left of the one before."""

    seed: int
    folder: Path
    tally: Tally
    strict: bool = True
    """Whether a loss fails the test, or is counted."""
    draw: random.Random = field(init=False)
    clock: Clock = field(default_factory=Clock)
    entropy: Entropy = field(init=False)

    def __post_init__(self) -> None:
        self.draw = random.Random(self.seed)
        self.entropy = Entropy(iter(range(self.seed << 32, (self.seed + 1) << 32)))

    def run(self) -> None:
        """The last cut of a life is the one after which the house goes on."""
        files: dict[str, bytes] = {}
        known: frozenset[Fact] = frozenset()
        pending: list[Bet | Move] = []
        for number in range(LIVES if self.strict else 1):
            with simulated_loop() as loop:
                folder = _written(self.folder / f"life-{number}", files)
                life = Life(loop, folder, self.draw, self.entropy, self.clock, known, pending)
                life.play()
            for cut, files in [*self._images(life)]:
                known = self._survey(life, cut, files)
            pending = [
                each.request
                for each in life.told
                if each.request and each.asked <= cut < each.acknowledged
            ]
            self._check_books(files, cut)

    def _images(self, life: Life) -> Iterator[tuple[int, dict[str, bytes]]]:
        """What is left by cuts at some of the operations, every kind of them among them."""
        ops = life.disk.ops
        by_kind: dict[str, list[int]] = {}
        for position, op in enumerate(ops):
            by_kind.setdefault(kind_of(op), []).append(position)
        kinds = sorted(by_kind)
        chosen = [
            self.draw.choice(by_kind[self.draw.choice(kinds)] if even else range(len(ops)))
            for even in [True, False] * (CUTS_OF_A_LIFE // 2)
        ]
        platter = Platter(life.disk.files)
        waiting = sorted(chosen)
        for position, op in enumerate(ops):
            while waiting and waiting[0] == position:
                waiting.pop(0)
                self.tally.cuts[kind_of(op)] += 1
                yield position, platter.left(self.draw, op)
            platter.take(op)

    def _survey(self, life: Life, cut: int, image: dict[str, bytes]) -> frozenset[Fact]:
        """Open a house on what is left, and hold it against the facts; those that stand now."""
        certain = Counter(life.known)
        possible: Counter[Fact] = Counter()
        for each in life.told:
            if each.acknowledged <= cut:
                certain.update(each.facts)
            elif each.asked <= cut:
                possible.update(each.facts)
        self.tally.acknowledged += certain.total()
        self.tally.under_way.update(fact[0] for fact in possible.elements())
        self.tally.under_way.update(
            "backup" for each in life.backups if each.asked <= cut < each.acknowledged
        )
        folder = _written(self.folder / "left", image)
        where = f"UPCARD_SEED={self.seed}, cut at {cut} of {life.disk.position}"
        try:
            found = _reopened(folder / "house.db", self.clock, self.entropy)
        except (apsw.Error, Refused):
            assert not self.strict, where
            self.tally.unreadable += 1
            found = Counter()
        lost = certain - found
        self.tally.lost += lost.total()
        if self.strict:
            assert not lost, f"{where}: lost {sorted(lost)}"
            more = found - certain - possible
            assert not more, f"{where}: {sorted(more, key=str)} came from nowhere"
            wrong = sql_wrong(folder / "house.db")
            assert wrong == [], where
            self._check_backups(life, cut, folder, where)
        return frozenset(found)

    def _check_books(self, files: dict[str, bytes], cut: int) -> None:
        """The house's own audit, which plays every round again."""
        if self.strict:
            path = _written(self.folder / "left", files) / "house.db"
            checks = asyncio.run(audit_file(str(path)))
            wrong = [check.sentence for check in checks if not check.ok]
            assert wrong == [], f"UPCARD_SEED={self.seed}, cut at {cut}"

    def _check_backups(self, life: Life, cut: int, folder: Path, where: str) -> None:
        """A backup that was taken holds at least what was acknowledged before it began."""
        for backup in life.backups:
            if backup.acknowledged <= cut:
                ((_, name),) = backup.facts
                before = [one for one in life.told if one.acknowledged <= backup.asked]
                with closing(_connected(folder / str(name))) as db:
                    found = _facts(db)
                    wrong = sql_auditor.wrong(db)
                assert not Counter(fact for one in before for fact in one.facts) - found, where
                assert wrong == [], where


def _reopened(path: Path, clock: Clock, entropy: Entropy) -> Counter[Fact]:
    """The facts of a house that was opened again, every open round of which goes on as it was."""
    with simulated_loop() as loop:
        store = SqliteStore(path, disk=Waits(loop, lambda: 0.0))
        try:
            house = opened(store, clock, entropy)
            loop.until(house.open())
            with closing(_connected(path)) as db:
                facts = _facts(db)
            loop.until(check_open_rounds(store))
            _look_at_open_rounds(loop, house, facts)
        finally:
            loop.until(store.close())
    return facts


def _facts(db: apsw.Connection) -> Counter[Fact]:
    return Counter(row for query in FACTS for row in db.execute(query))


def _look_at_open_rounds(loop: SimulatedLoop, house: House, facts: Counter[Fact]) -> None:
    """With the cards, the choices and the money that were told of them (G-12)."""
    closed = {fact[1] for fact in facts if fact[0] == "closed"}
    steps = sorted((fact for fact in facts if fact[0] == "step"), key=lambda fact: fact[1:3])
    for _, player, _, round_ in [fact for fact in facts if fact[0] == "request"]:
        if round_ not in closed:
            answers = [json.loads(step[4]) for step in steps if step[1] == round_]
            looks = loop.until(house.look(player, round_))
            assert looks["events"] == [each for one in answers for each in one["events"]]
            assert looks["table"] == answers[-1]["table"]
            told_ = [each["choice"] for each in answers[-1]["choices"]]
            assert [each["choice"] for each in looks["choices"]] == told_


def sql_wrong(path: Path) -> list[str]:
    with closing(_connected(path)) as db:
        return sql_auditor.wrong(db)


def _written(folder: Path, files: dict[str, bytes]) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


# Tests


@contextmanager
def pinned(**pragmas: int | str) -> Iterator[None]:
    """Every connection opened meanwhile has these settings, whatever it asks for later."""

    def pin(db: apsw.Connection) -> None:
        for name, value in pragmas.items():
            db.execute(f"PRAGMA {name} = {value}")

        def allow(action: int, name: str | None, *_: str | None) -> int:
            is_pinned = action == apsw.SQLITE_PRAGMA and name in pragmas
            return apsw.SQLITE_IGNORE if is_pinned else apsw.SQLITE_OK

        db.authorizer = allow

    apsw.connection_hooks.append(pin)
    try:
        yield
    finally:
        apsw.connection_hooks.remove(pin)


@pytest.fixture
def scratch() -> Iterator[Path]:
    """In memory where there is some: the disk is a simulated one."""
    root = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=root) as folder:
        yield Path(folder)


def test_nothing_acknowledged_is_lost_when_the_power_fails(scratch: Path, say: Say) -> None:
    """G-12: 400 cuts, 10,000 in the long form, at every kind of write; 0 facts lost or doubled."""
    tally = Tally()
    with pinned(wal_autocheckpoint=PAGES_PER_CHECKPOINT):
        for seed in [int(SEED)] if SEED else range(CHAINS):
            folder = scratch / str(seed)
            folder.mkdir()
            Chain(seed, folder, tally).run()
            shutil.rmtree(folder)
    say(str(tally))
    assert tally.lost == tally.unreadable == 0
    assert tally.cuts.total() == (1 if SEED else CHAINS) * LIVES * CUTS_OF_A_LIFE
    if not SEED:
        _check_reached(tally)


def _check_reached(tally: Tally) -> None:
    """Every kind of write was cut, and everything that a house does was under way."""
    assert {*tally.cuts} >= {
        "write house.db-wal",
        "sync house.db-wal",
        "write house.db",
        "sync house.db",
        "write house.db-journal",
        "delete house.db-journal",
        "write backup",
    }
    assert {*tally.under_way} >= {"step", "request", "session", "limit", "block", "backup"}
    assert tally.acknowledged > 40 * tally.cuts.total()


@pytest.mark.parametrize("synchronous", ["NORMAL", "OFF"])
def test_a_house_that_does_not_wait_for_the_disk_loses_what_it_told(
    scratch: Path, synchronous: str, say: Say
) -> None:
    """The same test finds losses where there must be some."""
    tally = Tally()
    with pinned(wal_autocheckpoint=PAGES_PER_CHECKPOINT, synchronous=synchronous):
        for seed in range(CHAINS // 4):
            folder = scratch / str(seed)
            folder.mkdir()
            Chain(seed, folder, tally, strict=False).run()
    say(f"with synchronous={synchronous}: {tally}")
    assert tally.lost > 0
