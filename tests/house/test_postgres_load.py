"""Many processes on one PostgreSQL: money is conserved, whoever is killed (T-85, G-12)."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.house.kill_house import MortalHouse
from tests.house.kill_player import Player
from tests.house.meter_runner import HITS_EVERY, PLAYERS
from tests.house.test_kills import _add_up, _count, playing
from tests.postgres import Postgres, ask, own_server
from upcard.house.audit import audit
from upcard.house.recover import fault, recorded_round
from upcard.house.store.opening import open_store

SOAK = bool(os.environ.get("UPCARD_SOAK"))
PROCESSES, BETS, VOLLEYS = (4, 250_000, 21) if SOAK else (4, 5_000, 1)
"""Bets of each process, and how often all players of all processes hit the meter at once."""
AUDITED = 10_000 if SOAK else 1_000
"""So many rounds are played again, chosen at random: all would be hours in the long form."""
KILLS = 100 if SOAK else 6
HOUSES, PLAYERS_EACH = 2, 4
SEED, SHARE = 1_000_000, 85
"""T-85: the meter starts at 10,000.00; 0.85 of each 5.00 enters it."""
KINGS = "Kh Kh Kh 5c 6d 7s 8c 9c Tc 2d 2h 2s"


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    """One that may be killed."""
    with own_server() as server:
        yield server


@pytest.fixture
def url(server: Postgres) -> str:
    ask(server.url, "DROP SCHEMA IF EXISTS upcard CASCADE", "SELECT 1")
    return server.url


def test_the_meter_of_several_processes(
    url: str, stacked: Callable[[str, str], None], say: Callable[[str], None]
) -> None:
    """Each contribution is won once or still there, at every instant that is looked at; winners of
    several processes take the meter one after the other, each the next epoch."""
    with _runners(url) as runners:
        for _ in range(VOLLEYS):
            _say("hit", runners)
            assert [_heard(runner) for runner in runners] == ["hit"] * PROCESSES
            _look(url)
        # What they tell is more than a pipe holds: it is read as it comes.
        with ThreadPoolExecutor(PROCESSES) as readers:
            playing = [readers.submit(_told_by, runner) for runner in runners]
            looks = _look_until_over(url, playing)
            told = [each.result() for each in playing]
    _look(url)
    bets = PROCESSES * (BETS + VOLLEYS * PLAYERS)
    assert sum(each["fed"] for each in told) == bets
    awards = sorted((epoch, cents) for each in told for epoch, cents in each["awards"])
    ((forced, all_),) = ask(url, _WINS)
    assert forced == PROCESSES * (len(range(7, BETS, HITS_EVERY)) + VOLLEYS * PLAYERS)
    assert len(awards) == all_, "honest cards win it too, one bet in thirty thousand"
    say(f"{bets} bets of {PROCESSES} processes, {len(awards)} wins of the meter, {looks} looks")
    assert [epoch for epoch, _ in awards] == [*range(len(awards))]
    assert all(cents >= SEED + SHARE for _, cents in awards), "its own contribution is in"
    ((meter,),) = ask(url, "SELECT sum(cents)::bigint FROM upcard.balance WHERE account ~ '^pool'")
    assert meter == SEED * (1 + len(awards)) + bets * SHARE - sum(cents for _, cents in awards)
    for name in [*range(7, BETS, HITS_EVERY), *(f"v{volley}" for volley in range(VOLLEYS))]:
        stacked(f"hit-{name}", KINGS)
    _check_some(url)


def _told_by(runner: subprocess.Popen[str]) -> dict[str, Any]:
    """Let it play; what it was told."""
    told: dict[str, Any] = json.loads(runner.communicate("go\n")[0])
    return told


def _look_until_over(url: str, playing: list[Future[dict[str, Any]]]) -> int:
    """How often, at the least."""
    looks, left = 0, True
    while left:
        began = time.monotonic()
        _look(url)
        looks += 1
        # It adds up the whole ledger: the more there is, the seldomer.
        left = bool(wait(playing, max(0.05, 9 * (time.monotonic() - began))).not_done)
    return looks


def _say(word: str, runners: list[subprocess.Popen[str]]) -> None:
    for runner in runners:
        assert runner.stdin is not None
        runner.stdin.write(f"{word}\n")
        runner.stdin.flush()


def _heard(runner: subprocess.Popen[str]) -> str:
    assert runner.stdout is not None
    return runner.stdout.readline().strip()


@contextmanager
def _runners(url: str) -> Iterator[list[subprocess.Popen[str]]]:
    """The processes, each with its players seated, waiting for a line to begin."""
    runner = str(Path(__file__).with_name("meter_runner.py"))
    with ExitStack() as stack:
        runners = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, runner, url, str(BETS), str(number)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for number in range(PROCESSES)
        ]
        for each in runners:
            stack.callback(each.kill)
        assert [_heard(each) for each in runners] == ["seated"] * PROCESSES
        yield runners


_LOOK = """
WITH moved AS (
    SELECT account, sum(cents) AS cents FROM (
        SELECT credit AS account, cents FROM upcard.transfer
        UNION ALL SELECT debit, -cents FROM upcard.transfer
    ) AS each GROUP BY account
), kept AS (SELECT account, sum(cents) AS cents FROM upcard.balance GROUP BY account)
SELECT (SELECT coalesce(sum(cents), 0)::bigint FROM kept),
       (SELECT count(*) FROM moved FULL JOIN kept USING (account)
        WHERE coalesce(moved.cents, 0) <> coalesce(kept.cents, 0)),
       (SELECT coalesce(sum(cents), 0)::bigint FROM kept WHERE account LIKE 'pool/%'),
       (SELECT count(*) FROM upcard.transfer WHERE code = 'contribution'),
       (SELECT count(*) FROM upcard.award),
       (SELECT coalesce(sum(cents), 0)::bigint FROM upcard.award),
       (SELECT count(*) FROM upcard.award JOIN upcard.transfer ON source = round
        AND code = 'contribution')
"""

_WINS = """
SELECT count(*) FILTER (WHERE inputs::jsonb->>'client_seed' LIKE 'hit-%'), count(*)
FROM upcard.award JOIN upcard.round ON id = round
"""


def _look(url: str) -> None:
    """One instant, by SQL alone: sums are zero, balances are their transfers, the meter is fed."""
    ((total, wrong, meter, fed, wins, won, own),) = ask(url, _LOOK)
    assert (total, wrong) == (0, 0)
    assert meter == SEED * (1 + wins) + SHARE * fed - won
    assert own == wins, "a hit takes its own round's contribution"


def _check_audit(url: str) -> None:
    async def read() -> list[str]:
        store = open_store(url, must_exist=True)
        try:
            return [each.sentence for each in audit(await store.books()) if not each.ok]
        finally:
            await store.close()

    assert asyncio.run(read()) == []


def _check_some(url: str) -> None:
    """Some rounds, played again, are what was told and moved."""
    ids = ask(url, f"SELECT id FROM upcard.round ORDER BY random() LIMIT {AUDITED}")

    async def read() -> list[str | None]:
        store = open_store(url, must_exist=True)
        try:
            found = []
            for (id_,) in ids:
                stored = await store.round(id_)
                assert stored is not None
                recorded = await recorded_round(store, stored)
                found.append(fault(recorded, await store.transfers(id_)))
            return found
        finally:
            await store.close()

    assert asyncio.run(read()) == [None] * AUDITED


# Kills


def test_kills_of_houses_and_of_the_database(
    server: Postgres, url: str, tmp_path: Path, say: Callable[[str], None]
) -> None:
    """G-12: what was answered is there, once, whichever process is killed, the database's too."""
    rng = random.Random(85)
    with ExitStack() as stack:
        houses = [
            stack.enter_context(MortalHouse(tmp_path / f"house{number}.db", url=url))
            for number in range(HOUSES)
        ]
        for house in houses:
            house.start()
        players: list[Player] = []
        with ExitStack() as games:
            for house in houses:
                players += games.enter_context(playing(house, PLAYERS_EACH))
            # What fails a player of one house must not leave those of the other at their tables.
            games.callback(_end_all, houses)
            for kill in range(KILLS):
                least = rng.randint(5, 20)
                before = [house.notes().answered for house in houses]
                for house, then in zip(houses, before, strict=True):
                    house.wait_until(
                        lambda house=house, least=then + least: house.notes().answered >= least  # type: ignore[misc]
                    )
                _kill_one(rng, kill, houses, server)
            for house in houses:
                _wait_for_answers(house, 5)
                house.rest()
        lives = [house.notes(life) for house in houses for life in range(1, house.address.life + 1)]
        say(
            f"{KILLS} kills, of a house, the database and a backend of it in turn; "
            f"{sum(life.answered for life in lives)} answers, all found again"
        )
        for player in players:
            with closing(player.line):
                player.check_history()
        for house in houses:
            house.kill()
            assert [line for line in house.complaints.splitlines() if not _is_news(line)] == []
    _check_audit(url)
    with closing(_copied(url)) as db:
        _add_up(db, players)
        _count(db, players)


def _end_all(houses: list[MortalHouse]) -> None:
    for house in houses:
        house.end()


def _is_news(line: str) -> bool:
    """What a house says that has lost its database, and goes on."""
    news = r"postgresql://.*: the news are interrupted: .*"
    return re.fullmatch(rf"\S+ warning ({news}|transfers are sealed later: .*)", line) is not None


def _wait_for_answers(house: MortalHouse, more: int) -> None:
    least = house.notes().answered + more
    house.wait_until(lambda: house.notes().answered >= least)


def _kill_one(rng: random.Random, kill: int, houses: list[MortalHouse], server: Postgres) -> None:
    """In turn: a house, the whole database, one of its backends, which takes all others along."""
    time.sleep(rng.random() * 0.005)
    if kill % 3 == 0:
        house = rng.choice(houses)
        house.kill()
        house.start()
    elif kill % 3 == 1:
        server.kill()
        server.start()
    else:
        server.kill_a_backend()


def _copied(url: str) -> sqlite3.Connection:
    """The tables that hold money and steps, in a database that has no rules of ours."""
    db = sqlite3.connect(":memory:")
    for name, columns, query in (
        ("transfer", "debit, credit, cents", "SELECT debit, credit, cents FROM upcard.transfer"),
        (
            "balance",
            "account, cents",
            "SELECT account, sum(cents)::bigint FROM upcard.balance GROUP BY account",
        ),
        ("round", "id, player, seq, status", "SELECT id, player, seq, status FROM upcard.round"),
        ("step", "round", "SELECT round FROM upcard.step"),
        ("request", "round", "SELECT round FROM upcard.request"),
    ):
        db.execute(f"CREATE TABLE {name} ({columns})")
        rows: list[Any] = ask(url, query)
        marks = ", ".join("?" * len(columns.split(",")))
        db.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)
    return db
