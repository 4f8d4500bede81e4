"""Several processes of one house over PostgreSQL: one port, one cookie, one event stream."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.postgres import ask
from tests.server.place import (
    bet,
    bet_body,
    choose,
    new_key,
    open_bet,
    open_place,
    stream_of,
)
from tests.server.test_process import START_SECONDS_MAX, STOP_SECONDS_MAX, played, ready
from tests.server.test_refusals import check_problem
from upcard.house.audit import audit
from upcard.house.rounds import Settings
from upcard.house.store.opening import open_store
from upcard.refused import Refused
from upcard.server.rates import Limits, Rate
from upcard.server.service import Asked, Service

WORKERS = 2
CONNECTIONS = 24
"""So many that two workers who share them have some each; all with one is once in millions."""
ACCOUNT = {"name": "Thorp", "password": "beat the dealer 1962"}
CHANGE = {"password": ACCOUNT["password"], "new_password": "four queens, 1963"}
PROGRESSIVE = {"spots": [{"spot": 1, "bets": {"main": 500, "progressive": 500}}]}


# What processes tell each other


def test_a_tab_hears_what_its_player_does_in_another_process(
    tmp_path: Path, postgres_url: str
) -> None:
    """The same cookie at both; the tab is told how things stand after each step there."""

    async def try_it() -> None:
        async with (
            open_place(tmp_path, url=postgres_url) as here,
            open_place(tmp_path, url=postgres_url) as there,
            here.guest() as client,
            there.browser(cookies={"upcard": client.cookies["upcard"]}) as elsewhere,
            stream_of(here, client) as tab,
        ):
            dealt = await open_bet(elsewhere, "threecard")
            await tab.until(f'{{"id":"{dealt["round"]}","seq":0}}')
            await tab.until(f'{{"balance":{dealt["balance"]}}}')
            folded = await choose(elsewhere, dealt, "fold")
            await tab.until(f'{{"id":"{dealt["round"]}","seq":1}}')
            await tab.until(f'{{"balance":{folded["balance"]}}}')
            await elsewhere.post("/api/session/refill")
            heard = len(tab.text)
            await tab.until('{"balance":10000000}', since=min(heard, tab.text.rfind("seq")))

    asyncio.run(try_it())


def test_everybody_hears_of_a_meter_that_is_fed_in_another_process(
    tmp_path: Path, postgres_url: str
) -> None:
    """T-85: 0.85 of each 5.00 enters the one meter, whichever process deals."""

    async def try_it() -> None:
        async with (
            open_place(tmp_path, url=postgres_url) as here,
            open_place(tmp_path, url=postgres_url) as there,
            here.guest() as watching,
            there.guest() as client,
            stream_of(here, watching) as tab,
        ):
            answer = await bet(client, "top3", **PROGRESSIVE)
            await tab.until('{"key":"top3","amount":1000085,"epoch":0}')
            assert answer["round"] not in tab.text

    asyncio.run(try_it())


def test_streams_end_where_news_may_be_lost(tmp_path: Path, postgres_url: str) -> None:
    """A tab whose stream ends comes back, and is told how things stand."""

    async def try_it() -> None:
        async with open_place(tmp_path, url=postgres_url) as here, here.guest() as client:
            async with stream_of(here, client) as tab:
                await asyncio.to_thread(
                    ask,
                    postgres_url,
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE application_name = 'upcard' AND datname = current_database()",
                )
                await tab.ended()
            async with stream_of(here, client) as tab:
                assert '{"balance":10000000}' in tab.text

    asyncio.run(try_it())


async def _come_twice(here: httpx.AsyncClient, elsewhere: httpx.AsyncClient) -> None:
    """One player, a session in each of two browsers."""
    assert (await here.post("/api/account", json=ACCOUNT)).status_code == 201
    assert (await elsewhere.post("/api/account/login", json=ACCOUNT)).status_code == 200


def test_streams_end_with_their_session_in_another_process(
    tmp_path: Path, postgres_url: str
) -> None:
    """Contract of `/api/account/password`: all sessions of the player end, and nobody else's."""

    async def try_it() -> None:
        async with (
            open_place(tmp_path, url=postgres_url) as here,
            open_place(tmp_path, url=postgres_url) as there,
            here.guest() as client,
            here.guest() as other,
            there.browser() as elsewhere,
            stream_of(here, other) as others,
        ):
            await _come_twice(client, elsewhere)
            async with stream_of(here, client) as tab:
                changed = await elsewhere.post("/api/account/password", json=CHANGE)
                assert changed.status_code == 200
                await tab.ended()
            assert (await client.get("/api/session")).status_code == 401
            await open_bet(other, "threecard")
            await others.until('"seq":0}')

    asyncio.run(try_it())


def test_a_session_that_ended_in_another_process_plays_no_more(
    tmp_path: Path, postgres_url: str
) -> None:
    """Contract of `/api/account/password`, in a process that has just served a bet of the session
    and remembers it. Nothing is moved."""

    async def try_it() -> None:
        async with (
            open_place(tmp_path, url=postgres_url) as here,
            open_place(tmp_path, url=postgres_url) as there,
            here.guest() as client,
            there.browser() as elsewhere,
        ):
            await _come_twice(client, elsewhere)
            dealt = await open_bet(client, "threecard")
            changed = await elsewhere.post("/api/account/password", json=CHANGE)
            assert changed.status_code == 200
            move = {"seq": dealt["seq"], "choice": "fold"}
            moves = f"/api/rounds/{dealt['round']}/moves"
            check_problem(await client.post(moves, json=move), 401, "no_session")
            bet = client.post("/api/rounds", json=bet_body("ags"), headers=new_key())
            check_problem(await bet, 401, "no_session")

    asyncio.run(try_it())
    # The one bet, and none after it.
    assert ask(postgres_url, "SELECT count(*), max(seq) FROM upcard.step") == [(1, 0)]


# Processes


@contextmanager
def served(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`upcard serve` with these arguments on a free port, ready; its workers go with it.

    The key that it makes is in the folder.
    """
    command = [sys.executable, "-m", "upcard", "serve", "--port", "0", *arguments]
    with (
        subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process,
        ready(process) as address,
    ):
        yield process, address


def children(process: subprocess.Popen[str]) -> set[int]:
    path = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return {int(pid) for pid in path.read_text().split()}


def wait_until_gone(pids: set[int]) -> None:
    deadline = time.monotonic() + START_SECONDS_MAX
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        assert time.monotonic() < deadline, pids
        time.sleep(0.02)


def test_a_worker_is_killed_under_players_and_replaced(tmp_path: Path, postgres_url: str) -> None:
    """Connections of the dead one break, those of the other do not notice; a cookie goes on."""
    with served(tmp_path, "--workers", str(WORKERS), "--db", postgres_url) as (process, url):
        workers = children(process)
        assert len(workers) == WORKERS
        with httpx.Client(base_url=url) as client:
            assert client.post("/api/session", json={}).status_code == 201
            cookie = f"upcard={client.cookies['upcard']}"
            for game in ("top3", "threecard", "super21", "ags"):
                played(client, game)
        lines = [_Line(url, cookie) for _ in range(CONNECTIONS)]
        assert all(line.asks() for line in lines)
        os.kill(min(workers), signal.SIGKILL)
        wait_until_gone({min(workers)})
        alive = [line for line in lines if line.asks()]
        assert 0 < len(alive) < CONNECTIONS, "both had connections"
        while len(children(process) - workers) == 0:
            time.sleep(0.02)
        with httpx.Client(base_url=url, cookies={"upcard": cookie[7:]}) as client:
            played(client, "threecard")
            stream = _Line(url, cookie)
            stream.connection.request("GET", "/api/stream", headers={"Cookie": cookie})
            assert stream.connection.getresponse().read(7) == b"event: "
            began = time.monotonic()
            process.send_signal(signal.SIGTERM)
            assert process.wait(START_SECONDS_MAX) == 0
            assert time.monotonic() - began < STOP_SECONDS_MAX
            stream.connection.close()
        for line in lines:
            line.connection.close()
        assert process.stderr is not None
        said = "error a worker ended with -9; another one takes its place\n"
        assert process.stderr.read().partition(" ")[2] == said
    _check_books(postgres_url, rounds=5)


class _Line:
    """A connection that stays with the worker that took it."""

    def __init__(self, url: str, cookie: str) -> None:
        self._cookie = cookie
        self.connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=60)
        self.connection.connect()

    def asks(self) -> bool:
        """Whether the session is known there, over this very connection."""
        if self.connection.sock is None:
            return False
        try:
            self.connection.request("GET", "/api/session", headers={"Cookie": self._cookie})
            response = self.connection.getresponse()
            body = json.loads(response.read())
        except (OSError, http.client.HTTPException):
            self.connection.close()
            return False
        assert (response.status, "balance" in body) == (200, True), body
        return True


def _check_books(url: str, rounds: int) -> None:
    async def read() -> None:
        store = open_store(url, must_exist=True)
        try:
            books = await store.books()
        finally:
            await store.close()
        assert not [check.sentence for check in audit(books) if not check.ok]
        assert len(books.rounds) == rounds

    asyncio.run(read())


def test_each_worker_serves_as_it_was_asked(tmp_path: Path, postgres_url: str) -> None:
    """Contract (docs/operate.md): settings, rates and logs are for all, figures for each."""
    asked = "--metrics-port 0 --log json --log-requests --session-rate 0.001/1 --round-seconds 7"
    workers = ("--workers", str(WORKERS), "--db", postgres_url)
    with served(tmp_path, *workers, *asked.split()) as (process, url):
        lines = _logged(process)
        events = [next(lines) for _ in range(2 * WORKERS)]
        assert Counter(line["event"] for line in events) == {"metrics": WORKERS, "open": WORKERS}
        figures = {line["url"] for line in events if line["event"] == "metrics"}
        assert len(figures) == WORKERS
        with httpx.Client(base_url=url) as client:  # one connection, so one worker
            assert client.get("/api/house").json()["round_seconds_min"] == 7
            assert client.post("/api/session", json={}).status_code == 201
            client.cookies.clear()
            assert client.post("/api/session", json={}).status_code == 429
        noted = [next(lines) for _ in range(3)]
        assert [(line["event"], line["status"]) for line in noted] == [
            ("request", 200), ("request", 201), ("request", 429)
        ]  # fmt: skip
        opened = 'upcard_requests_total{method="POST",route="/api/session",status="201"} 1.0'
        assert sum(opened in httpx.get(page).text for page in figures) == 1


def _logged(process: subprocess.Popen[str]) -> Iterator[dict[str, Any]]:
    assert process.stderr is not None
    yield from map(json.loads, process.stderr)


def test_the_figures_of_workers_have_ports_that_follow_each_other(tmp_path: Path) -> None:
    """Contract (docs/operate.md). A worker is told the rest as the house was asked."""
    service = Service(
        public_url="https://cards.example.com",
        limits=Limits(player=Rate(0.5, 3), streams_per_player=2),
        log="json",
        log_requests=True,
        metrics_port=9_100,
    )
    asked = Asked("postgresql://cards", Settings(fast_play=False), service, tmp_path / "key")
    assert Asked.of(asked.text()) == asked == asked.of_worker(0, 1)
    shared = replace(service, limits=service.limits.among(4))
    assert asked.of_worker(3, 4) == replace(asked, service=replace(shared, metrics_port=9_103))
    for unnumbered in (None, 0):
        same = replace(asked, service=replace(shared, metrics_port=unnumbered))
        assert (
            replace(same, service=replace(same.service, limits=service.limits)).of_worker(3, 4)
            == same
        )
    last = replace(asked, service=replace(service, metrics_port=65_534))
    assert last.of_worker(1, 3).service.metrics_port == 65_535
    with pytest.raises(Refused, match="none above 65535"):
        last.of_worker(2, 3)


def test_workers_share_what_might_be_guessed_or_hoarded() -> None:
    """Contract (docs/scale.md): an Nth each, at once five at least; requests are for each alone."""
    asked, each = Limits(), Limits().among(8)
    assert each.logins == Rate(0.2 / 8, 5)
    assert each.login_names == Rate(1 / 30 / 8, 5)
    assert each.export == Rate(0.1 / 8, 5)
    assert each.sessions == Rate(10 / 8, 125)
    assert (each.player, each.address) == (asked.player, asked.address)
    assert asked.among(1) == asked
    assert Rate(1, 3).among(2) == Rate(0.5, 3)


def test_workers_stop_when_their_parent_is_killed(tmp_path: Path, postgres_url: str) -> None:
    with served(tmp_path, "--workers", str(WORKERS), "--db", postgres_url) as (process, url):
        workers = children(process)
        process.kill()
        process.wait()
        wait_until_gone(workers)
        port = int(url.rpartition(":")[2])
        with socket.create_server(("127.0.0.1", port)):
            pass  # it is free again


def test_workers_need_postgresql(tmp_path: Path) -> None:
    """Contract: --workers above 1 with SQLite is refused, before anything is written."""
    command = [sys.executable, "-m", "upcard", "serve", "--workers", "2"]
    found = subprocess.run(
        [*command, "--db", str(tmp_path / "house.db")], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == ("upcard: --workers above 1 needs PostgreSQL; SQLite has one process.\n")
    assert list(tmp_path.iterdir()) == []


def test_a_house_that_cannot_begin_starts_no_worker(tmp_path: Path, postgres_url: str) -> None:
    ask(postgres_url, "CREATE SCHEMA upcard", "CREATE TABLE upcard.theirs (x int)", "SELECT 1")
    command = [sys.executable, "-m", "upcard", "serve", "--workers", "2", "--port", "0"]
    found = subprocess.run(
        [*command, "--db", postgres_url], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stdout) == (2, "")
    assert re.fullmatch(r"upcard: .* of another program; name another database\.\n", found.stderr)
