"""A whole house in a simulation: its process, its network, its players, its operator, and crashes.

`World(seed, folder).run()` is one run: players bet, choose, lie, repeat themselves and set limits
over a network that loses, doubles, delays and overtakes; the process is killed or loses its power
at its worst moments and is started again on what is left; days pass; an operator voids what was
damaged. The same seed is the same run. Whatever goes wrong raises AssertionError.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import closing
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from tests.house import sql_auditor
from tests.house.conftest import Entropy, bet_request, fixed_key
from tests.house.simulated import Disk, Op, Platter, SimulatedLoop, Waits
from upcard.house.recover import check_open_rounds
from upcard.house.rounds import DAY, BetRequest, House, RoundOpen, Settings
from upcard.house.sealer import Sealer
from upcard.house.store import StoreRefused
from upcard.house.store.sqlite import SqliteStore
from upcard.house.terms import TermsChange
from upcard.house.void import void_round
from upcard.refused import Refused
from upcard.sidebets import Pool

CLIENTS, ACTIONS, CRASHES_MAX = 4, 11, 4
LOST, DOUBLED = 0.08, 0.15
"""How often a message does not arrive, and how often it arrives twice."""
SESSION_DAYS, ABANDONED_DAYS = 25, 30
PAGES_PER_CHECKPOINT = 64

MOMENTS = ("before a commit", "in a commit", "after a commit", "in between")
"""When a process dies, besides its recovery."""

BETS: dict[str, tuple[tuple[str, ...], ...]] = {
    "top3": (
        ("low", "1 main=5.00 progressive=5.00"),
        ("low", "1 main=20.00 classic=1.00 top3=1.00", "3 main=5.00"),
    ),
    "threecard": (("table", "1 ante=5.00"), ("table", "1 ante=500.00 ace_plus=5.00")),
    "super21": (("table", "1 main=1.00"), ("table", "1 main=500.00")),
    "ags": (("table", "1 main=3.00", "2 trifecta=2.00"), ("table", "1 main=1.00 trifecta=1.00")),
}
Json = dict[str, Any]


class Request(NamedTuple):
    """What a player's program sends, the same again until it is answered."""

    token: str
    kind: str
    given: tuple[Any, ...]


class Reply(NamedTuple):
    """What it is answered with: a text, or the code of a refusal."""

    text: str = ""
    code: str = ""


# The process


class Process:
    """One life of the house's program over one disk."""

    def __init__(self, world: World, folder: Path) -> None:
        self._world = world
        self.dead = False
        self.tasks: set[asyncio.Task[Any]] = set()
        self.disk = Disk(folder)
        self._work = Waits(world.loop, lambda: world.draw.choice((0.0, 0.002, 0.02)))
        self._work.before, self._work.after = self._before_commit, self._after_commit
        self._committing = 0
        self.store = SqliteStore(folder / "house.db", vfs=self.disk.name, disk=self._work)
        self.house = House(
            self.store,
            clock=world.clock,
            entropy=world.entropy,
            settings=world.settings,
            key=fixed_key(1),
        )
        self._sealer = Sealer(
            self.store,
            key=fixed_key(1),
            clock=world.clock,
            transfers_max=world.draw.choice((7, 90)),
        )

    async def open(self) -> None:
        """As `upcard serve` does. Raises StoreRefused over a round that does not replay."""
        await check_open_rounds(self.store)
        await self.house.open()
        self.start(self._sealer.keep_sealing())

    def start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Something that ends with the process."""
        task = self._world.loop.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def outcome(self, work: Coroutine[Any, Any, Any]) -> Any:
        """What becomes of a work of this process: its result, or what ended it."""
        return (await asyncio.gather(self.start(work), return_exceptions=True))[0]

    def _before_commit(self) -> None:
        self._committing = self.disk.position
        self._world.moment("before a commit", self.disk.position)

    def _after_commit(self) -> None:
        inside = self._world.draw.randint(self._committing, self.disk.position)
        self._world.moment("in a commit", inside)
        self._world.moment("after a commit", self.disk.position)

    async def end(self) -> None:
        """Close it as it should be, or tidy up behind a dead one."""
        if not self.dead:
            self._sealer.stop()
        else:
            for task in [*self.tasks]:
                task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.store.close()
        self.disk.unregister()

    def left(self, cut: int, draw: random.Random | None) -> dict[str, bytes]:
        """The files after it died: all that was written, or what a power cut left of it."""
        platter = Platter(self.disk.files)
        for op in self.disk.ops[:cut]:
            platter.take(op)
        nothing = Op("sync folder", "", -1)
        after = self.disk.ops[cut] if draw and cut < self.disk.position else nothing
        return platter.left(draw or _KeepsAll(), after)

    async def handle(self, request: Request) -> Reply:
        """Serve one request as the server does: first who it is, then what he wants."""
        try:
            player = await self.house.player_of(request.token)
            served = _SERVED[request.kind]
            return Reply(text=await served(self.house, player, *request.given))
        except RoundOpen as refused:
            return Reply(text=json.dumps(refused.open), code=refused.code)
        except Refused as refused:
            return Reply(code=refused.code)


class _KeepsAll(random.Random):
    """A process that was killed leaves everything that it had written."""

    def choice(self, seq: Any) -> Any:
        return seq[0]

    def random(self) -> float:
        return 0.0


async def _bet(house: House, player: str, key: str, request: BetRequest) -> str:
    return (await house.bet(player, key, request)).text


async def _move(house: House, player: str, round_: str, seq: int, choice: Any) -> str:
    return (await house.move(player, round_, seq, choice)).text


async def _look(house: House, player: str, round_: str) -> str:
    return json.dumps(await house.look(player, round_))


async def _refill(house: House, player: str) -> str:
    await house.refill(player)
    return ""


async def _limit(house: House, player: str, kind: Any, period: Any, cents: int | None) -> str:
    return json.dumps(await house.care.set_limits(player, {kind: {period: cents}}))


async def _exclude(house: House, player: str, days: int) -> str:
    return json.dumps(await house.care.exclude(player, days))


_SERVED: dict[str, Callable[..., Coroutine[Any, Any, str]]] = {
    "bet": _bet,
    "move": _move,
    "look": _look,
    "refill": _refill,
    "limit": _limit,
    "exclude": _exclude,
}


# The world around it


@dataclass(slots=True)
class World:
    """One run of everything. `counted` says what happened in it."""

    seed: int
    folder: Path
    counted: Counter[str] = field(default_factory=Counter)
    loop: SimulatedLoop = field(default_factory=SimulatedLoop)
    told: dict[Request, str] = field(default_factory=dict)
    """What left the house in answer to bets and moves."""
    damaged: set[str] = field(default_factory=set)
    """Rounds whose stored answers were spoiled."""
    draw: random.Random = field(init=False)
    entropy: Entropy = field(default_factory=Entropy)
    settings: Settings = field(init=False)
    process: Process | None = None
    _lives: int = 0
    _passed: float = 1_800_000_000.0
    _doom: str = ""
    _doom_after: int = 0
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _wound: tuple[int, Process] | None = None
    """Who has died, and how much of what it wrote counts."""
    _over: bool = False
    _messages: set[asyncio.Task[None]] = field(default_factory=set)
    """Those that are on their way."""

    def __post_init__(self) -> None:
        self.draw = random.Random(self.seed)
        self.settings = Settings(
            play_money=self.draw.choice((20_000, 10_000_000)),
            session_seconds=SESSION_DAYS * DAY,
            abandoned_seconds=ABANDONED_DAYS * DAY,
            round_seconds_min=self.draw.choice((0, 0, 1)),
        )

    def clock(self) -> float:
        return self._passed + self.loop.time()

    def run(self) -> str:
        """The whole run; its digest, the same whenever it is run again."""
        try:
            return self.loop.run_until_complete(self._run())
        finally:
            self.loop.close()

    async def _run(self) -> str:
        await self._start({})
        clients = [self.loop.create_task(Client(self).play()) for _ in range(CLIENTS)]
        fate = self.loop.create_task(self._fate())
        await asyncio.gather(*clients)
        self._over = True
        self._news.set()
        await asyncio.gather(fate, *self._messages)
        return await self._close()

    # Lives

    async def _start(self, files: dict[str, bytes]) -> None:
        """Start a process on these files; it may die while it does so, and is started again."""
        folder = self.folder / f"life-{self._lives}"
        folder.mkdir()
        for name, content in files.items():
            (folder / name).write_bytes(content)
        self._lives += 1
        if self._lives > 1 and self.draw.random() < 0.15:
            self._damage(folder / "house.db")
        process = Process(self, folder)
        try:
            await process.open()
        except StoreRefused:
            await self._void_damaged(process)
            await process.open()
        await self._void_damaged(process)
        if self._lives > 1 and self.draw.random() < 0.3:
            self.counted["died in recovery"] += 1
            await self._bury(process, self.draw.randint(0, process.disk.position))
            return
        self._check_told(process)
        self.process = process

    async def _bury(self, process: Process, cut: int) -> None:
        """What it leaves is what the next one finds."""
        process.dead = True
        loses_power = self.draw.random() < 0.5
        self.counted["lost power" if loses_power else "was killed"] += 1
        files = process.left(cut, self.draw if loses_power else None)
        await process.end()
        await self._start(files)

    def moment(self, moment: str, cut: int) -> None:
        """A process is at a point where it may have to die, having written so much."""
        process = self.process
        if self._doom != moment or process is None or process.dead:
            return
        self._doom_after -= 1
        if self._doom_after <= 0:
            self.counted[f"died {moment}"] += 1
            process.dead = True
            self.process = None
            self._wound = cut, process
            self._doom = ""
            self._news.set()

    async def _fate(self) -> None:
        """Kill the process now and then, let days pass, let the operator do what he does."""
        for _ in range(self.draw.randint(1, CRASHES_MAX)):
            self._news.clear()
            self._doom = self.draw.choice(MOMENTS)
            self._doom_after = self.draw.randint(1, 12)
            if self._doom == "in between":
                await asyncio.sleep(self.draw.random() * 4)
                assert self.process is not None
                self._doom_after = 0
                self.moment("in between", self.process.disk.position)
            if not self._over:
                await self._news.wait()
            if self._wound is not None:
                await asyncio.sleep(self.draw.random())
                (cut, process), self._wound = self._wound, None
                await self._bury(process, cut)
            self._doom = ""
            if self.draw.random() < 0.3:
                await self._change_terms()
            if self.draw.random() < 0.5:
                await self._days_pass()

    async def _days_pass(self) -> None:
        self._passed += self.draw.choice((0.2, 1, 8, 31)) * DAY
        self.counted["days passed"] += 1
        if self.process and not self.process.dead:
            process = self.process
            finished = await process.start(process.house.finish_abandoned())
            self.counted["rounds finished for who left"] += len(finished)

    # The operator

    async def _change_terms(self) -> None:
        """Other terms for the meter (T-85), told again until the house has answered."""
        change = TermsChange(
            key="top3",
            operator="Ada",
            reason="Another sum on the sign.",
            command=f"terms {self.draw.getrandbits(60)}",
            seed=self.draw.choice((None, 500_000, 1_000_000)),
            share=self.draw.choice((None, Fraction(1, 5), Fraction(17, 100))),
            cap=self.draw.choice((None, 1_000_100)),
            no_cap=self.draw.random() < 0.3,
        )
        while self.process is not None and not self.process.dead:
            process = self.process
            told = await process.outcome(process.house.change_terms(change))
            if process.dead:
                return
            assert isinstance(told, Pool | Refused), (self.seed, change, told)
            self.counted["terms refused" if isinstance(told, Refused) else "terms changed"] += 1
            if self.draw.random() >= LOST:
                return

    async def _void_damaged(self, process: Process) -> None:
        """What is not what its inputs make is void, and nothing else can be (G-13)."""
        for round_ in sorted(self.damaged):
            stored = await process.store.round(round_)
            if stored and stored.status != "void":
                now = int(self.clock())
                await void_round(process.store, round_, operator="Ada", reason="Damaged.", now=now)
                self.counted["rounds voided"] += 1

    def _damage(self, path: Path) -> None:
        """Somebody spoils what was told of a round, past the trigger that refuses it."""
        with closing(apsw.Connection(str(path))) as db:
            if not db.execute("SELECT count(*) FROM sqlite_master").get:
                return
            ids = [id_ for (id_,) in db.execute("SELECT id FROM round WHERE status <> 'void'")]
            if not ids:
                return
            round_ = self.draw.choice(ids)
            trigger = db.execute("SELECT sql FROM sqlite_master WHERE name = 'step_unedited'").get
            with db:
                db.execute("DROP TRIGGER step_unedited")
                db.execute(
                    """UPDATE step SET answer = replace(answer, '"card":"', '"card":"?')
                    WHERE round = ? AND seq = 0""",
                    (round_,),
                )
                db.execute(trigger)
        self.damaged.add(round_)

    # The network

    async def deliver(self, request: Request) -> Reply | None:
        """Send a request once or twice; its first answer, or None where none comes in time."""
        answered: asyncio.Future[Reply] = self.loop.create_future()
        for _ in range(2 if self.draw.random() < DOUBLED else 1):
            message = self.loop.create_task(self._carry(request, answered))
            self._messages.add(message)
            message.add_done_callback(self._messages.discard)
        try:
            async with asyncio.timeout(self.draw.choice((0.2, 1.0, 3.0))):
                return await asyncio.shield(answered)
        except TimeoutError:
            self.counted["requests without an answer"] += 1
            return None

    async def _carry(self, request: Request, answered: asyncio.Future[Reply]) -> None:
        await asyncio.sleep(self.draw.expovariate(10))
        process = self.process
        if process is None or process.dead or self.draw.random() < LOST:
            return
        served = await process.outcome(process.handle(request))
        if process.dead:
            return
        assert isinstance(served, Reply), (self.seed, request, served)
        self._note(request, served)
        await asyncio.sleep(self.draw.expovariate(10))
        if self.draw.random() >= LOST and not answered.done():
            answered.set_result(served)

    def _note(self, request: Request, reply: Reply) -> None:
        """What leaves the house is true for ever, and the same when it is asked for again."""
        self.counted[f"{request.kind}s answered" if not reply.code else reply.code] += 1
        if request.kind in ("bet", "move") and not reply.code:
            known = self.told.setdefault(request, reply.text)
            if json.loads(reply.text)["round"] not in self.damaged:
                assert known == reply.text, f"seed {self.seed}: {request} was answered otherwise"

    def _check_told(self, process: Process) -> None:
        """Everything that ever left the house is there."""
        with closing(process.disk.connected("house.db")) as db:
            query = "SELECT round, seq, answer FROM step"
            steps = {(round_, seq): answer for round_, seq, answer in db.execute(query)}
        for request, text in self.told.items():
            answer = json.loads(text)
            answer.pop("receipt", None)
            if answer["round"] not in self.damaged:
                kept = steps.get((answer["round"], answer["seq"]))
                assert kept is not None, f"seed {self.seed}: {request} was answered and is lost"
                assert json.loads(kept) == answer, f"seed {self.seed}: {request}"

    # The end

    async def _close(self) -> str:
        """Everything comes to its end, and the books are read by somebody else."""
        process = self.process
        assert process is not None
        self._passed += (ABANDONED_DAYS + 1) * DAY
        await process.house.finish_abandoned()
        assert await process.store.open_count() == 0
        self._check_told(process)
        books = await process.store.books()
        await process.end()
        with closing(apsw.Connection(str(process.disk.folder / "house.db"))) as db:
            wrong = sql_auditor.wrong(db)
            overflows = db.execute("SELECT count(*) FROM transfer WHERE code = 'overflow'").get
        assert wrong == [], f"seed {self.seed}: {wrong[:5]}"
        self.counted["rounds"] += len(books.rounds)
        self.counted["meters won"] += sum(map(len, books.awards.values()))
        self.counted["meters won above their cap"] += overflows
        self.counted["blocks"] += len(books.blocks)
        return hashlib.sha256(repr((books, self.told, self.counted)).encode()).hexdigest()


# Players


class Client:
    """A player's program: one thing at a time, again until it is answered."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._draw = world.draw
        self._token = ""
        self._open: dict[str, Json] = {}
        """The last answer of each round that is open, by game."""
        self._sent: list[Request] = []

    async def play(self) -> None:
        await self._come()
        for _ in range(ACTIONS):
            await asyncio.sleep(self._draw.expovariate(3))
            await self._act()

    async def _come(self) -> None:
        """A session, however often it takes: whose answer got lost left a guest behind."""
        self._open.clear()
        while True:
            await asyncio.sleep(self._draw.random())
            process = self._world.process
            if process is None or process.dead:
                continue
            came = await process.outcome(process.house.new_session())
            if not process.dead and self._draw.random() >= LOST:
                _, self._token = came
                return

    async def _ask(self, kind: str, *given: Any) -> Reply:
        request = Request(self._token, kind, given)
        self._sent.append(request)
        return await self._ask_until_answered(request)

    async def _ask_until_answered(self, request: Request) -> Reply:
        while True:
            reply = await self._world.deliver(request)
            if reply is not None:
                return reply
            await asyncio.sleep(self._draw.random())

    async def _act(self) -> None:
        draw = self._draw.random()
        if draw < 0.5 and self._open:
            await self._move()
        elif draw < 0.84:
            await self._bet()
        elif draw < 0.89:
            await self._lie()
        elif draw < 0.92 and self._sent:
            self._heard(await self._ask_until_answered(self._draw.choice(self._sent)))
        elif draw < 0.95:
            assert (await self._ask("refill")).code in ("", "open", "no_session")
        elif draw < 0.985:
            kind = self._draw.choice(("loss", "stake"))
            period = self._draw.choice(("day", "week", "month"))
            cents = self._draw.choice((None, 5_000, 60_000, 900_000))
            await self._ask("limit", kind, period, cents)
        else:
            await self._ask("exclude", 1)

    async def _bet(self) -> None:
        games = [game for game in sorted(BETS) if game not in self._open]
        if not games:
            return
        game = self._draw.choice(games)
        level, *spots = self._draw.choice(BETS[game])
        seed = f"c{self._draw.getrandbits(60)}"
        if game == "top3" and self._draw.random() < 0.2:
            spots, seed = ["1 main=5.00 progressive=5.00"], f"hit-{seed}"
        request = bet_request(game, *spots, level=level, client_seed=seed)
        request = replace(request, document=f"{game} {level} {spots} {seed}")
        reply = await self._ask("bet", f"k{self._draw.getrandbits(60)}", request)
        allowed = ("", "funds", "round_open", "own_limit", "excluded", "pace", "no_session")
        assert reply.code in allowed, (self._world.seed, reply)
        await self._heard_and_seen(reply)

    async def _move(self) -> None:
        game = self._draw.choice(sorted(self._open))
        answer = self._open[game]
        offered = [each["choice"] for each in answer["choices"] if each["enabled"]]
        choice = self._draw.choice(offered)
        reply = await self._ask("move", answer["round"], answer["seq"], choice)
        allowed = ("", "stale", "settled", "funds", "choice", "no_session")
        assert reply.code in allowed, (self._world.seed, reply)
        await self._heard_and_seen(reply, answer)

    async def _lie(self) -> None:
        """What is not his, not now or not at all is refused, unless it was true once."""
        rounds = [json.loads(text)["round"] for text in self._world.told.values()]
        keys = [sent.given[0] for sent in self._sent if sent.kind == "bet"]
        if keys and self._draw.random() < 0.4:
            request = replace(bet_request("ags", "1 main=9.00"), document="something else")
            self._heard(await self._ask("bet", self._draw.choice(keys), request))
        elif rounds:
            choice = self._draw.choice(("hit", "stand", "fold", "rescue", "no_insurance"))
            seq = self._draw.randrange(-1, 4)
            self._heard(await self._ask("move", self._draw.choice(rounds), seq, choice))

    async def _heard_and_seen(self, reply: Reply, before: Json | None = None) -> None:
        """What an answer makes of what he knows; where he was overtaken, he looks."""
        if reply.code == "no_session":
            await self._come()
        elif reply.code in ("stale", "settled", "choice") and before is not None:
            seen = await self._ask("look", before["round"])
            if seen.code == "no_session":
                await self._come()
            else:
                self._open.pop(before["game"], None)
                self._heard(seen)
        else:
            self._heard(reply)

    def _heard(self, reply: Reply) -> None:
        if not reply.text or (reply.code and reply.code != "round_open"):
            return
        answer = json.loads(reply.text)
        if "round" not in answer:
            return
        known = self._open.get(answer["game"])
        if known and known["round"] == answer["round"] and known["seq"] > answer["seq"]:
            return  # an older answer, told again
        if answer["status"] == "open":
            self._open[answer["game"]] = answer
        else:
            self._open.pop(answer["game"], None)
