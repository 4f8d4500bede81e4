"""How many durable steps a house takes, as JSON on stdout: `python benchmarks/house.py`.

A step is one accepted POST of a bet or a move, over HTTP, by players who choose at random among
what they are offered, in all four games. The server has a core of its own and so has the load; the
load's share of its core says whether it held the server back. A disk that is asked to be certain
sets the pace, so that its rate in the same minute and folder stands beside: single appends of 4 kB,
each with its fsync.

With `--db postgresql://...` the house is kept there, and `--workers` processes serve it: name an
empty database of its own, which is played into. What the database's processes take of a processor
stands beside, and if there is a pgbench (`--pgbench`, or on the path) what it does in the same
minute with the rows of a mean step: a transaction for each, and sixteen in one.

With `--rounds-stored 1000000` also how long a house with so many rounds in its SQLite database
takes to answer after it was started, and how long a page of history takes there; with
`--sessions 10000` how much memory the process has with so many sessions, each with a connection
and an open round.

With `--profile` also where the processor time of a step goes: a house in this process, with
`--profile-players` at once, without HTTP, part by part; then the same behind its ASGI application.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import json
import os
import platform
import random
import re
import resource
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import stored_rounds

Json = dict[str, Any]

SERVER_CORE, LOAD_CORE = 0, 1
WARM_SECONDS = 1.0
FSYNC_SECONDS = 1.0
APPEND_BYTES = 4_096
SERVE = """
import os, sys
os.sched_setaffinity(0, {cores})
from upcard.house.rounds import Settings
from upcard.server.rates import Limits, Rate
from upcard.server.run import serve
from upcard.server.service import Service
settings = Settings(play_money=10**13)
# All players come from one address here.
service = Service(limits=Limits(address=Rate(1e6, 10**6), sessions=Rate(1e6, 10**6)))
asked = dict(settings=settings, service=service, workers={workers})
sys.exit(serve("127.0.0.1", 0, {database!r}, **asked))
"""
RESTARTS = 3
PAGES = 4
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


# Players

GAMES = ("top3", "threecard", "super21", "ags")
SIDES: dict[str, dict[str, int]] = {
    "top3": {"classic": 100, "top3": 150, "progressive": 500},
    "threecard": {"ace_plus": 500},
    "super21": {},
    "ags": {"trifecta": 100, "match_super": 200},
}


def some_bet(rng: random.Random) -> Json:
    """A bet on one to three spots of some game, with some of its side bets."""
    game = rng.choice(GAMES)
    spots = rng.randint(1, 3 if game in ("top3", "ags") else 1)
    return {
        "game": game,
        "level": "low" if game == "top3" else "table",
        "client_seed": f"{rng.getrandbits(64):016x}",
        "spots": [{"spot": spot, "bets": some_bets(game, rng)} for spot in range(1, 1 + spots)],
    }


def some_bets(game: str, rng: random.Random) -> dict[str, int]:
    bets = {"ante" if game == "threecard" else "main": 100 * rng.randint(5, 20)}
    for side, cents in SIDES[game].items():
        if rng.random() < 0.5 and (side != "top3" or "classic" in bets):
            bets[side] = cents
    return bets


Post = Callable[[str, Json, str | None], Awaitable[Json]]
"""Path, body and idempotency key → the answer, which says it was accepted."""


async def plays(post: Post, rng: random.Random, another: Callable[[], bool] = lambda: True) -> None:
    """One round after another, as long as there is another."""
    for number in count():
        if not another():
            return
        answer = await post("/api/rounds", some_bet(rng), f"{number}-{rng.getrandbits(32)}")
        while answer["choices"]:
            choice = rng.choice([each["choice"] for each in answer["choices"] if each["enabled"]])
            move = {"seq": answer["seq"], "choice": choice}
            answer = await post(f"/api/rounds/{answer['round']}/moves", move, None)


# Load


class Database(NamedTuple):
    """Processor seconds of a PostgreSQL on this machine so far, and transactions that wrote."""

    seconds: float
    commits: int


@dataclass(slots=True)
class Line(asyncio.Protocol):
    """A keep-alive connection that has one request out at a time; knows just enough of HTTP."""

    cookie: str = ""
    _transport: asyncio.Transport = field(init=False)
    _heard: bytes = b""
    _answer: asyncio.Future[bytes] = field(init=False)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        if not self._answer.done():
            self._answer.set_exception(error or ConnectionError("The server hung up."))

    def data_received(self, chunk: bytes) -> None:
        self._heard += chunk
        head, found, body = self._heard.partition(b"\r\n\r\n")
        if found and len(body) >= _length(head):
            self._heard = b""
            if not self._answer.done():
                self._answer.set_result(head + found + body)

    async def post(self, path: str, body: Json, key: str | None = None) -> Json:
        content = json.dumps(body)
        lines = [
            f"POST {path} HTTP/1.1\r\nHost: house\r\nContent-Type: application/json\r\n",
            f"Content-Length: {len(content)}\r\nCookie: {self.cookie}\r\n",
            f"Idempotency-Key: {key}\r\n" if key else "",
            f"\r\n{content}",
        ]
        return await self._ask("".join(lines))

    async def get(self, path: str) -> Json:
        head = f"GET {path} HTTP/1.1\r\nHost: house\r\n"
        return await self._ask(f"{head}Cookie: {self.cookie}\r\n\r\n")

    async def _ask(self, request: str) -> Json:
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request.encode())
        head, _, text = (await self._answer).partition(b"\r\n\r\n")
        if head[9:11] != b"20":
            raise SystemExit(f"{request!r} was refused: {head!r} {text!r}")
        if not self.cookie and b"\r\nset-cookie:" in head.lower():
            self.cookie = _header(head, b"set-cookie").partition(b";")[0].decode()
        answer: Json = json.loads(text)
        return answer

    def hang_up(self) -> None:
        self._transport.abort()


def _header(head: bytes, name: bytes) -> bytes:
    return head[head.lower().index(b"\r\n" + name + b":") :].split(b"\r\n")[1].partition(b":")[2]


def _length(head: bytes) -> int:
    return int(_header(head, b"content-length"))


async def load(
    port: int, pid: int, players: int, seconds: float, look: Callable[[], Awaitable[Database]]
) -> Json:
    """So many players at once; what they were served, and what that cost the database too."""
    loop = asyncio.get_running_loop()
    times: list[float] = []
    lines = []
    for _ in range(players):
        _, line = await loop.create_connection(Line, "127.0.0.1", port)
        await line.post("/api/session", {})
        lines.append(line)
    games = [
        asyncio.create_task(plays(_timed_post(line, times), random.Random(number)))
        for number, line in enumerate(lines)
    ]
    await asyncio.wait(games, timeout=WARM_SECONDS, return_when=asyncio.FIRST_EXCEPTION)
    times.clear()
    began, load_cpu, server_cpu = time.perf_counter(), time.process_time(), family_seconds(pid)
    database = await look()
    await asyncio.wait(games, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    passed = time.perf_counter() - began
    load_cpu, server_cpu = time.process_time() - load_cpu, family_seconds(pid) - server_cpu
    after = await look()
    served = sorted(times)
    for game in games:
        game.cancel()
    outcomes = await asyncio.gather(*games, return_exceptions=True)
    for line in lines:
        line.hang_up()
    for outcome in outcomes:
        if not isinstance(outcome, asyncio.CancelledError):
            raise SystemExit(f"A player was lost: {outcome!r}")
    return {
        "players": players,
        "steps_per_second": round(len(served) / passed, 1),
        "p50_ms": _milliseconds(served[len(served) // 2]),
        "p99_ms": _milliseconds(served[len(served) * 99 // 100]),
        "steps": len(served),
        "server_core_share": round(server_cpu / passed, 3),
        "server_cpu_ms_per_step": _milliseconds(server_cpu / len(served)),
        "database_cpu_ms_per_step": _milliseconds((after.seconds - database.seconds) / len(served)),
        "commits_per_step": round((after.commits - database.commits) / len(served), 3),
        "load_core_share": round(load_cpu / passed, 3),
    }


def _timed_post(line: Line, times: list[float]) -> Post:
    async def post(path: str, body: Json, key: str | None) -> Json:
        began = time.perf_counter()
        answer = await line.post(path, body, key)
        times.append(time.perf_counter() - began)
        return answer

    return post


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1_000, 3)


def family_seconds(pid: int) -> float:
    """What a process and its children have used of all processors, those that ended too."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except FileNotFoundError:
        return 0.0
    own = sum(map(int, fields[11:15])) / TICKS_A_SECOND
    return own + sum(family_seconds(int(child)) for child in children)


# Server and disk


@contextmanager
def served(database: str, workers: int) -> Iterator[tuple[int, int]]:
    """Port and process id of a house, one process on its own core; it is gone afterwards."""
    cores = {SERVER_CORE} if workers == 1 else os.sched_getaffinity(os.getppid())
    code = SERVE.format(cores=cores, database=database, workers=workers)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    with process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline().strip(" /\n").rpartition(":")[2]), process.pid
        finally:
            # Politely: killed, it would leave its workers to find out by themselves.
            process.terminate()
            process.wait()


def fsyncs_per_second(folder: Path) -> float:
    """Appends of 4 kB that the disk says it has, one after the other."""
    path = folder / "appends"
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        began, done = time.perf_counter(), 0
        while time.perf_counter() - began < FSYNC_SECONDS:
            os.write(file, bytes(APPEND_BYTES))
            os.fsync(file)
            done += 1
        return round(done / (time.perf_counter() - began), 1)
    finally:
        os.close(file)
        path.unlink()


def measured(
    folder: Path, levels: list[int], seconds: float, db: str | None, workers: int
) -> list[Json]:
    found = []
    server = asyncio.run(server_of(db)) if db else None

    async def look() -> Database:
        return Database(
            family_seconds(server) if server else 0.0, await commits_of(db) if db else 0
        )

    for players in levels:
        home = folder / f"players-{players}"
        home.mkdir()
        with served(db or str(home / "house.db"), workers) as (port, pid):
            before = fsyncs_per_second(home)
            result = asyncio.run(load(port, pid, players, seconds, look))
            after = fsyncs_per_second(home)
        found.append({**result, "fsyncs_per_second": {"before": before, "after": after}})
    return found


# At rest


def rested(path: Path, rounds: int) -> Json:
    """A house with so many rounds in its database: starting it again, and pages of its history."""
    tokens_file = path.with_suffix(".tokens")
    if not path.exists():
        tokens_file.write_text(json.dumps(stored_rounds.make(path, rounds, _plays_in_process)))
    tokens = json.loads(tokens_file.read_text())
    seconds, pages, resident = [], [], 0.0
    for _ in range(RESTARTS):
        began = time.perf_counter()
        with served(str(path), 1) as (port, pid):
            asyncio.run(_ask_house_once(port))
            seconds.append(round(time.perf_counter() - began, 3))
            pages = sorted(asyncio.run(_leaf_through(port, tokens)))
            resident = _resident_megabytes(pid)
    return {
        "rounds_stored": rounds,
        "database_megabytes": round(path.stat().st_size / 1e6),
        "restart_to_first_answer_seconds": seconds,
        "history_page_p50_ms": _milliseconds(pages[len(pages) // 2]),
        "history_page_p99_ms": _milliseconds(pages[len(pages) * 99 // 100]),
        "resident_megabytes": resident,
    }


async def _plays_in_process(
    house: Any, player: str, rng: random.Random, another: Callable[[], bool]
) -> None:
    ask = functools.partial(_ask_house, house, player)
    await plays(ask, rng, another)


async def _ask_house_once(port: int) -> None:
    _, line = await asyncio.get_running_loop().create_connection(Line, "127.0.0.1", port)
    await line.get("/api/house")
    line.hang_up()


async def _leaf_through(port: int, tokens: list[str]) -> list[float]:
    """Seconds of each page: the first ones of each player, and one further back."""
    _, line = await asyncio.get_running_loop().create_connection(Line, "127.0.0.1", port)
    times = []
    for number, token in enumerate(tokens):
        line.cookie = f"upcard={token}"
        path = "/api/rounds?limit=20"
        for page in range(PAGES):
            began = time.perf_counter()
            answer = await line.get(path)
            times.append(time.perf_counter() - began)
            # As somebody who leafs on, and at last far back.
            before = answer["next"] or 1
            back = before if page < PAGES - 2 else before // (2 + number % 9)
            path = f"/api/rounds?limit=20&before={back}"
    line.hang_up()
    return times


def crowded(folder: Path, sessions: int) -> Json:
    """A house with so many sessions, each with a connection of its own and an open round."""

    async def come(port: int) -> None:
        loop = asyncio.get_running_loop()
        lines = []
        for number in range(sessions):
            _, line = await loop.create_connection(Line, "127.0.0.1", port)
            lines.append(line)
            await line.post("/api/session", {})
            await line.post("/api/rounds", some_bet(random.Random(number)), f"{number}")
        found["resident_megabytes"] = _resident_megabytes(pid)
        for line in lines:
            line.hang_up()

    found: Json = {"sessions": sessions}
    with served(str(folder / "crowded.db"), 1) as (port, pid):
        asyncio.run(come(port))
    return found


def _resident_megabytes(pid: int) -> float:
    resident = next(line for line in _lines(f"/proc/{pid}/status") if line.startswith("VmRSS"))
    return round(int(resident.split()[1]) / 1024, 1)


# PostgreSQL


async def server_of(url: str) -> int | None:
    """The process id of the database server if it runs on this machine."""
    import asyncpg

    db = await asyncpg.connect(url)
    try:
        backend = db.get_server_pid()
        status = Path(f"/proc/{backend}/status")
        if not status.exists() or "postgres" not in status.read_text():
            return None
        return int(Path(f"/proc/{backend}/stat").read_text().rpartition(")")[2].split()[1])
    finally:
        await db.close()


async def commits_of(url: str) -> int:
    """How many transactions wrote something and were committed so far, by their numbers."""
    import asyncpg

    db = await asyncpg.connect(url)
    try:
        return int(await db.fetchval("SELECT pg_snapshot_xmax(pg_current_snapshot())::text"))
    finally:
        await db.close()


PGBENCH_CLIENTS = 16
PGBENCH_ROWS = """
\\set step random(1, 2000000000)
{begin}
{steps}
{end}
"""
PGBENCH_STEP = """
INSERT INTO bench.transfer (source, seq, n, debit, credit, cents, code)
    SELECT :client_id || '-{n}-' || :step, 0, t,
    'player/1234567890abcdef', 'escrow/1234567890abcdef', 500, 'lost' FROM generate_series(1, 2) t;
INSERT INTO bench.step
    VALUES (:client_id || '-{n}-' || :step, 0, 1, 0, 'stand', 0, repeat('x', 1200));
UPDATE bench.balance SET cents = cents + 1 WHERE account = 'player/' || (100 * :client_id + {n});
UPDATE bench.round SET seq = seq + 1 WHERE id = 'round/' || (100 * :client_id + {n});
"""
PGBENCH_TABLES = """
DROP SCHEMA IF EXISTS bench CASCADE;
CREATE SCHEMA bench;
CREATE TABLE bench.transfer (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, source text,
    seq integer, n integer, debit text, credit text, cents bigint, code text,
    UNIQUE (source, seq, n));
CREATE TABLE bench.step (round text, seq integer, spot integer, hand integer, choice text,
    at bigint, answer text, PRIMARY KEY (round, seq));
CREATE TABLE bench.balance (account text PRIMARY KEY, cents bigint) WITH (fillfactor = 70);
CREATE TABLE bench.round (id text PRIMARY KEY, seq integer) WITH (fillfactor = 70);
INSERT INTO bench.balance SELECT 'player/' || n, 0 FROM generate_series(0, 1999) n;
INSERT INTO bench.round SELECT 'round/' || n, 0 FROM generate_series(0, 1999) n;
"""


def pgbenched(folder: Path, url: str, program: str | None, seconds: float) -> Json:
    """The rows of a mean step by pgbench: two transfers, a step, a balance and a round."""
    import asyncpg

    found = program or shutil.which("pgbench")
    if not found:
        return {"missing": "there is no pgbench on the path; --pgbench names one"}

    async def run(statements: str) -> None:
        db = await asyncpg.connect(url)
        try:
            await db.execute(statements)
        finally:
            await db.close()

    asyncio.run(run(PGBENCH_TABLES))
    try:
        return {
            "clients": PGBENCH_CLIENTS,
            "steps_per_second_one_each": _pgbench(folder, url, found, seconds, steps=1),
            "steps_per_second_sixteen_together": _pgbench(folder, url, found, seconds, steps=16),
        }
    finally:
        asyncio.run(run("DROP SCHEMA bench CASCADE"))


def _pgbench(folder: Path, url: str, program: str, seconds: float, steps: int) -> float:
    script = folder / f"step-{steps}.sql"
    each = "".join(PGBENCH_STEP.format(n=n) for n in range(steps))
    script.write_text(PGBENCH_ROWS.format(begin="BEGIN;", steps=each, end="COMMIT;"))
    command = [
        *(program, "--no-vacuum", "--protocol=prepared", f"--client={PGBENCH_CLIENTS}"),
        *("--jobs=1", f"--time={max(1, round(seconds))}", f"--file={script}", url),
    ]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    tps = re.search(r"tps = ([\d.]+)", output)
    if not tps:
        raise SystemExit(f"pgbench said nothing of its rate: {output}")
    return round(float(tps[1]) * steps, 1)


def machine() -> Json:
    import apsw

    import upcard

    model = [line for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    return {
        "processor": model[0].partition(":")[2].strip() if model else platform.machine(),
        "cores": os.cpu_count(),
        "load_before": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        "sqlite": apsw.sqlite_lib_version(),
        "upcard": upcard.__version__,
    }


def _lines(path: str) -> list[str]:
    return Path(path).read_text().splitlines() if Path(path).exists() else []


# Profile


class Parts:
    """Processor time by part, each without what the parts inside it took."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.calls: Counter[str] = Counter()
        self._here = threading.local()

    def forget(self) -> None:
        self.seconds.clear()
        self.calls.clear()

    def timed(self, part: str, owner: Any, *names: str, unless_in: str = "") -> None:
        """Time functions of a module or class; inside `unless_in` they belong to that part."""
        for name in names:
            setattr(owner, name, self._wrapped(part, getattr(owner, name), unless_in))

    def _wrapped(self, part: str, timed: Callable[..., Any], unless_in: str) -> Callable[..., Any]:
        @functools.wraps(timed)
        def wrapper(*given: Any, **named: Any) -> Any:
            stack = self._stack
            if unless_in and stack and stack[-1] == unless_in:
                return timed(*given, **named)
            self._turn(stack[-1] if stack else None)
            self.calls[part] += 1
            stack.append(part)
            try:
                return timed(*given, **named)
            finally:
                self._turn(stack.pop())

        return wrapper

    @property
    def _stack(self) -> list[str]:
        if not hasattr(self._here, "stack"):
            self._here.stack = []
        stack: list[str] = self._here.stack
        return stack

    def _turn(self, ending: str | None) -> None:
        """The time since the last turn was spent on `ending`."""
        now = time.thread_time()
        if ending is not None:
            self.seconds[ending] += now - self._here.since
        self._here.since = now


def parts_of_a_step() -> Parts:
    """Put timers around the parts of the house, in this process, for good."""
    from upcard import fair, game
    from upcard.house import answers, journal, receipts, step
    from upcard.house.store import postgres_rows, sqlite, sqlite_rows

    parts = Parts()
    parts.timed("replay", step, "played_stored")
    parts.timed("engine, the new step", game.Round, "give", "dealt", unless_in="replay")
    parts.timed("engine, the new step", game.Round, "begin", unless_in="replay")
    parts.timed("shuffle", fair.Shoe, "__init__", "__getitem__")
    parts.timed("table and limits", game.Game, "at_table", "laid")
    parts.timed("book", step, "book_bets", "book_reserve", "book_event", "book_award", "balances")
    parts.timed("answer", answers, "answer_text")
    parts.timed("receipt", receipts, "content", "signed")
    parts.timed("answer to text", answers, "canonical")
    parts.timed("sqlite, see", sqlite, "snapshot")
    parts.timed("sqlite, write", sqlite, "write_all")
    parts.timed("deciding, the rest", sqlite.SqliteStore, "_run_together")
    parts.timed("journal texts", journal, "inputs_of", "inputs_text")
    parts.timed("journal texts", sqlite_rows, "inputs_of")
    parts.timed("postgres, rows seen", postgres_rows.Seen, "snapshot")
    parts.timed("postgres, rows to write", postgres_rows, "columns")
    parts.timed("journal texts", postgres_rows, "inputs_of")
    return parts


async def profiled(folder: Path, seconds: float, db: str | None, players: int) -> Json:
    """Where the processor time of a step goes, in milliseconds."""
    plain, _ = await _steps_in_process(db or str(folder / "plain.db"), seconds, players)
    behind, _ = await _steps_in_process(
        db or str(folder / "asgi.db"), seconds, players, over_http=True
    )
    parts = parts_of_a_step()
    timed, steps = await _steps_in_process(
        db or str(folder / "timed.db"), seconds, players, warm=parts.forget
    )
    by_part = {
        part: {
            "ms": _milliseconds(spent / steps),
            "calls": round(parts.calls[part] / steps, 1),
        }
        for part, spent in sorted(parts.seconds.items(), key=lambda item: -item[1])
    }
    rest = timed - sum(parts.seconds.values()) / steps
    return {
        "house_ms_per_step": _milliseconds(plain),
        "asgi_ms_per_step": _milliseconds(behind),
        "http_ms_per_step": _milliseconds(behind - plain),
        "timed_ms_per_step": _milliseconds(timed),
        "parts": {**by_part, "rest: loop, commit, futures": {"ms": _milliseconds(rest)}},
    }


async def _steps_in_process(
    database: str,
    seconds: float,
    players: int,
    *,
    over_http: bool = False,
    warm: Callable[[], None] = lambda: None,
) -> tuple[float, int]:
    """Processor seconds a step, and how many steps were made."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from upcard.house.keys import SigningKey
    from upcard.house.rounds import House, Settings
    from upcard.house.store.opening import open_store
    from upcard.server.app import create_app
    from upcard.server.rates import Limits, Rate
    from upcard.server.run import spare_collector

    store = open_store(database)
    settings = Settings(play_money=10**13)
    key = SigningKey(Ed25519PrivateKey.generate())
    house = House(store, clock=time.time, entropy=secrets.token_bytes, settings=settings, key=key)
    await house.open()
    spare_collector()
    made = 0

    async def count_steps(step: Awaitable[Json]) -> Json:
        nonlocal made
        made += 1
        return await step

    free = Rate(1e9, 10**9)
    app = create_app(house, limits=Limits(player=free, address=free, sessions=free))

    async def play(number: int) -> None:
        player, token = await house.new_session()
        ask = (
            functools.partial(_ask_asgi, app, token)
            if over_http
            else functools.partial(_ask_house, house, player)
        )
        await plays(
            lambda path, body, key: count_steps(ask(path, body, key)), random.Random(number)
        )

    games = [asyncio.create_task(play(number)) for number in range(players)]
    await asyncio.wait(games, timeout=WARM_SECONDS, return_when=asyncio.FIRST_EXCEPTION)
    warm()
    made, began = 0, time.process_time()
    await asyncio.wait(games, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    spent, steps = time.process_time() - began, made
    for game in games:
        game.cancel()
    outcomes = await asyncio.gather(*games, return_exceptions=True)
    await store.close()
    for outcome in outcomes:
        if not isinstance(outcome, asyncio.CancelledError):
            raise SystemExit(f"A player was lost: {outcome!r}")
    return spent / steps, steps


async def _ask_house(house: Any, player: str, path: str, body: Json, key: str | None) -> Json:
    from upcard.server.wire import Bet

    if key:
        told = await house.bet(player, key, Bet.model_validate(body).request())
    else:
        told = await house.move(player, path.split("/")[3], body["seq"], body["choice"])
    answer: Json = json.loads(told.text)
    return answer


async def _ask_asgi(app: Any, token: str, path: str, body: Json, key: str | None) -> Json:
    headers = [(b"content-type", b"application/json"), (b"cookie", f"upcard={token}".encode())]
    headers += [(b"idempotency-key", key.encode())] if key else []
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 1),
    }
    sent: list[Json] = []

    async def receive() -> Json:
        return {"type": "http.request", "body": json.dumps(body).encode(), "more_body": False}

    async def send(message: Json) -> None:
        sent.append(message)

    await app(scope, receive, send)
    answer: Json = json.loads(b"".join(each.get("body", b"") for each in sent))
    if sent[0]["status"] not in (200, 201):
        raise SystemExit(f"{path} {body} was refused: {answer}")
    return answer


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--players", default="1,16,256", help="players at once, by commas")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each is measured")
    parser.add_argument("--folder", help="where the databases are; otherwise where temporary is")
    parser.add_argument("--profile", action="store_true", help="also where the time of a step goes")
    parser.add_argument("--db", help="a PostgreSQL database of its own, by its URL")
    parser.add_argument("--workers", type=int, default=1, help="processes that serve it")
    parser.add_argument("--pgbench", help="where that program is")
    parser.add_argument(
        "--profile-players", type=int, default=1, help="players at once while profiling"
    )
    parser.add_argument(
        "--rounds-stored", type=int, help="also a database of so many rounds: restart and history"
    )
    parser.add_argument("--stored-in", help="the file of that database; made once, then kept")
    parser.add_argument(
        "--sessions", type=int, help="also so many sessions at once: the memory they take"
    )
    asked = parser.parse_args()
    cores = os.sched_getaffinity(0)
    if not {SERVER_CORE, LOAD_CORE} <= cores:
        raise SystemExit(f"Cores {SERVER_CORE} and {LOAD_CORE} are needed; there are {cores}.")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    os.sched_setaffinity(0, {LOAD_CORE})
    with tempfile.TemporaryDirectory(prefix="upcard-bench-", dir=asked.folder) as scratch:
        folder = Path(scratch)
        levels = [int(players) for players in asked.players.split(",") if players]
        report: Json = {"machine": machine(), "seconds": asked.seconds}
        report["levels"] = measured(folder, levels, asked.seconds, asked.db, asked.workers)
        if asked.db:
            report["pgbench"] = pgbenched(folder, asked.db, asked.pgbench, asked.seconds)
        if asked.rounds_stored:
            kept = Path(asked.stored_in) if asked.stored_in else folder / "stored.db"
            report["at_rest"] = rested(kept, asked.rounds_stored)
        if asked.sessions:
            report["crowd"] = crowded(folder, asked.sessions)
        if asked.profile:
            report["profile"] = asyncio.run(
                profiled(folder, asked.seconds, asked.db, asked.profile_players)
            )
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
