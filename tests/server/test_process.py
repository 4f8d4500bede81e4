"""The served process itself: how it begins, what it keeps, and how it ends."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest

from tests.server.place import bet_body, new_key
from upcard.house.audit import audit
from upcard.house.rounds import DAY, Settings
from upcard.house.store import Books
from upcard.house.store.opening import open_store
from upcard.server.service import Service

GAMES = ("top3", "threecard", "super21", "ags")
START_SECONDS_MAX = 60
"""For a machine that has much else to do."""
STOP_SECONDS_MAX = 12
"""Three are promised, on a machine with nothing else to do; who waits for a stream's next heartbeat
takes fifteen."""

SERVE = (
    "import sys; from pathlib import PosixPath; from upcard.server.rates import Limits, Rate; "
    "from upcard.house.rounds import Settings; from upcard.server.run import serve; "
    "from upcard.server.service import Service; "
    "sys.exit(serve({arguments}))"
)


def start(folder: Path, **more: Any) -> subprocess.Popen[str]:
    """Serve the house in a folder; on a free port, unless one is given."""
    given = {"host": "127.0.0.1", "port": 0, "db_url": str(folder / "house.db"), **more}
    arguments = ", ".join(f"{name}={value!r}" for name, value in given.items())
    return subprocess.Popen(
        [sys.executable, "-c", SERVE.format(arguments=arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def served(folder: Path, **more: Any) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process that is ready, and its address; it is gone afterwards."""
    with start(folder, **more) as process, ready(process) as address:
        yield process, address


@contextmanager
def ready(process: subprocess.Popen[str]) -> Iterator[str]:
    """The address that it says it is open at; it is killed afterwards."""
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        told = re.fullmatch(r"Upcard is open at (http://127\.0\.0\.1:\d+)/\n", line)
        assert told, (line, process.stderr and process.stderr.read())
        yield told[1]
    finally:
        process.kill()


def stopped(process: subprocess.Popen[str], number: signal.Signals = signal.SIGTERM) -> str:
    """Ask it to stop; whatever it had to say besides its ready line."""
    began = time.monotonic()
    process.send_signal(number)
    process.wait(START_SECONDS_MAX)
    assert time.monotonic() - began < STOP_SECONDS_MAX
    return process.communicate()[0] + process.communicate()[1]


def played(client: httpx.Client, game: str) -> dict[str, Any]:
    """One round, by the first choice that is offered."""
    response = client.post("/api/rounds", json=bet_body(game), headers=new_key())
    answer: dict[str, Any] = response.json()
    assert response.status_code == 201, answer
    while answer["status"] == "open":
        move = {"seq": answer["seq"], "choice": answer["choices"][0]["choice"]}
        answer = client.post(f"/api/rounds/{answer['round']}/moves", json=move).json()
    return answer


def opened(client: httpx.Client, game: str) -> dict[str, Any]:
    """A round that waits for a choice."""
    while True:
        response = client.post("/api/rounds", json=bet_body(game), headers=new_key())
        answer: dict[str, Any] = response.json()
        if answer["status"] == "open":
            return answer


def books(folder: Path) -> Books:
    async def read() -> Books:
        store = open_store(str(folder / "house.db"), must_exist=True)
        try:
            return await store.books()
        finally:
            await store.close()

    found = asyncio.run(read())
    assert not [check.sentence for check in audit(found) if not check.ok]
    return found


def test_one_round_of_each_game_over_the_network(tmp_path: Path) -> None:
    """One line says it is ready; nothing else is said, least of all a secret."""
    with served(tmp_path) as (process, url), httpx.Client(base_url=url) as client:
        assert client.post("/api/session").status_code == 201
        for game in GAMES:
            answer = played(client, game)
            assert client.get(f"/api/rounds/{answer['round']}").json()["seq"] == answer["seq"]
            assert client.get(f"/api/rounds/{answer['round']}/proof").json()["cards"]
        large = client.post("/api/rounds", content=b" " * 1_048_576, headers=new_key())
        assert large.status_code == 413
        assert client.post("/api/rounds", json=[1] * 100_000, headers=new_key()).status_code == 413
        assert client.get("/openapi.json").json()["paths"]
        assert client.get("/api/nothing").json()["code"] == "not_found"
        # A connection is still open here, with nobody waiting on it.
        assert stopped(process) == ""
        assert process.returncode == 0
    assert len(books(tmp_path).rounds) == 4


def test_a_hundred_streams_and_a_command_in_flight(tmp_path: Path) -> None:
    """The streams end, the command that waits for the disk is answered, the process is gone."""

    async def watch(client: httpx.AsyncClient, ready: asyncio.Semaphore) -> str:
        text = ""
        async with client.stream("GET", "/api/stream") as response:
            async for chunk in response.aiter_text():
                if not text:
                    ready.release()
                text += chunk
        return text

    async def try_it(process: subprocess.Popen[str], url: str) -> None:
        limits = httpx.Limits(max_connections=200)
        async with httpx.AsyncClient(base_url=url, limits=limits, timeout=60) as client:
            assert (await client.post("/api/session")).status_code == 201
            ready = asyncio.Semaphore(0)
            streams = [asyncio.create_task(watch(client, ready)) for _ in range(100)]
            for _ in streams:
                await ready.acquire()
            with closing(apsw.Connection(str(tmp_path / "house.db"))) as other:
                other.execute("BEGIN IMMEDIATE")
                bet = asyncio.create_task(
                    client.post("/api/rounds", json=bet_body("threecard"), headers=new_key())
                )
                await asyncio.sleep(0.3)
                assert not bet.done()
                began = time.monotonic()
                process.send_signal(signal.SIGTERM)
                for text in await asyncio.gather(*streams):
                    assert "event: meter" in text
                await asyncio.sleep(1)
                assert not bet.done()
                other.execute("ROLLBACK")
            answer = await bet
            assert answer.status_code == 201
            while process.poll() is None:
                await asyncio.sleep(0.01)
            assert time.monotonic() - began < STOP_SECONDS_MAX
            assert process.returncode == 0

    with served(tmp_path) as (process, url):
        asyncio.run(try_it(process, url))
        assert process.communicate() == ("", "")
    assert [stored.status for stored in books(tmp_path).rounds] == ["open"]


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_an_open_round_outlives_the_process(end: signal.Signals, tmp_path: Path) -> None:
    """G-12: a restart is no malfunction; the round waits at the same decision."""
    with ExitStack() as stack:
        process, url = stack.enter_context(served(tmp_path))
        client = stack.enter_context(httpx.Client(base_url=url))
        client.post("/api/session")
        waiting = [opened(client, game) for game in GAMES]
        before = client.get("/api/rounds/open").json()
        assert {each["round"] for each in before["rounds"]} == {each["round"] for each in waiting}
        process.send_signal(end)
        process.wait(START_SECONDS_MAX)
        _, url = stack.enter_context(served(tmp_path))
        client.base_url = httpx.URL(url)
        assert client.get("/api/rounds/open").json() == before
        for answer in waiting:
            choice = answer["choices"][0]["choice"]
            move = {"seq": answer["seq"], "choice": choice}
            moved = client.post(f"/api/rounds/{answer['round']}/moves", json=move)
            assert (moved.status_code, moved.json()["seq"]) == (200, answer["seq"] + 1)


def test_ctrl_c_is_130(tmp_path: Path) -> None:
    with served(tmp_path) as (process, _):
        assert stopped(process, signal.SIGINT) == ""
        assert process.returncode == 130


def _refused(folder: Path, **more: Any) -> str:
    """It ends with 2 and one line, which is returned, and has said nothing else."""
    with start(folder, **more) as process:
        try:
            out, error = process.communicate(timeout=START_SECONDS_MAX)
        finally:
            process.kill()
    assert (process.returncode, out) == (2, "")
    assert re.fullmatch(r"upcard: .*\.\n", error)
    return error


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f":{port}/ is in use" in _refused(tmp_path, port=port)


def test_a_second_house_on_the_same_port(tmp_path: Path) -> None:
    """granian alone would let two share it."""
    with served(tmp_path) as (_, url):
        port = int(url.rpartition(":")[2])
        other = tmp_path / "other"
        other.mkdir()
        assert f":{port}/ is in use" in _refused(other, port=port)


def test_a_second_house_on_the_same_database(tmp_path: Path) -> None:
    """Contract "Two commands", a second start: refused with the address of the first, until that is
    gone in whatever way; who asks for the table to be opened gets the one that is open."""
    with served(tmp_path) as (process, url):
        said = _refused(tmp_path)
        assert f"Another house serves {tmp_path / 'house.db'} at {url}/" in said
        with start(tmp_path, open_browser=True) as second:
            assert second.communicate(timeout=START_SECONDS_MAX) == (
                f"Upcard is open at {url}/\n",
                "",
            )
            assert second.returncode == 0
        process.kill()
        process.wait()
        with served(tmp_path) as (again, _):
            assert stopped(again) == ""
        assert not (tmp_path / "house.db.serving").exists(), "nothing is left of an orderly end"


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ({"db_url": "/nowhere/house.db"}, "/nowhere"),
        ({"db_url": "postgres://x"}, "postgres://x"),
        ({"db_url": __file__}, "no SQLite database"),
        ({"service": Service(public_url="cards.example.com")}, "public URL"),
        ({"host": "no.such.host.invalid"}, "no.such.host.invalid"),
        ({"port": 99_999}, "99999"),
    ],
)
def test_what_cannot_be_served(what: dict[str, Any], says: str, tmp_path: Path) -> None:
    assert says in _refused(tmp_path, **what)


def test_an_open_round_that_would_go_another_way(tmp_path: Path) -> None:
    """An upgrade refuses to start over it and names it."""
    with served(tmp_path) as (process, url), httpx.Client(base_url=url) as client:
        client.post("/api/session")
        round_ = opened(client, "super21")
        stopped(process)
    with closing(apsw.Connection(str(tmp_path / "house.db"))) as db:
        changed = json.dumps({**round_, "events": round_["events"][:-1]})
        db.execute("DROP TRIGGER step_unedited")
        db.execute("UPDATE step SET answer = ?", (changed,))
    assert round_["round"] in _refused(tmp_path)


def test_what_breaks_is_noted_without_a_secret(tmp_path: Path) -> None:
    """A broken database: the player hears a sentence, the log gets the place, nobody a seed."""
    with served(tmp_path) as (process, url), httpx.Client(base_url=url) as client:
        token = client.post("/api/session").cookies["upcard"]
        with closing(apsw.Connection(str(tmp_path / "house.db"))) as db:
            seeds = [seed for (seed,) in db.execute("SELECT server_seed FROM seat")]
            db.execute("DROP TABLE step")
        broken = client.post("/api/rounds", json=bet_body("ags"), headers=new_key())
        assert (broken.status_code, broken.json()["code"]) == (500, "internal")
        said = stopped(process)
        assert "POST /api/rounds broke" in said
        for secret in [seed.hex() for seed in seeds] + [
            base64.b64encode(seed).decode() for seed in seeds
        ]:
            assert secret not in said
        assert token not in said


def test_a_browser_is_opened_where_it_was_asked_for(tmp_path: Path) -> None:
    told = tmp_path / "told"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {told}.new && mv {told}.new {told}\n')
    browser.chmod(0o755)
    os.environ["BROWSER"] = f"{browser} %s"
    try:
        with served(tmp_path, open_browser=True) as (_, url):
            deadline = time.monotonic() + START_SECONDS_MAX
            while not told.exists() and time.monotonic() < deadline:
                time.sleep(0.02)
            assert told.read_text() == f"{url}/\n"
    finally:
        del os.environ["BROWSER"]


def test_what_is_served_is_sealed_and_signed_by_the_key_beside_the_database(tmp_path: Path) -> None:
    """While it serves and, to the last transfer, when it has stopped; the key stays the same."""
    with served(tmp_path) as (process, url), httpx.Client(base_url=url) as client:
        client.post("/api/session")
        round_ = played(client, "ags")["round"]
        (key,) = client.get("/api/keys").json()["keys"]
        receipt = client.get(f"/api/rounds/{round_}/receipt").json()
        assert receipt["key"] == key["id"]
        deadline = time.monotonic() + START_SECONDS_MAX
        while not books(tmp_path).blocks:
            assert time.monotonic() < deadline, "nothing was ever sealed"
            time.sleep(0.05)
        played(client, "super21")
        stopped(process)
    at_rest = books(tmp_path)
    assert at_rest.blocks[-1].last == at_rest.numbers[-1]
    assert {block.key for block in at_rest.blocks} == {key["id"]}
    assert (tmp_path / "house.db.key").stat().st_mode & 0o777 == 0o600
    with served(tmp_path) as (_, url), httpx.Client(base_url=url) as client:
        assert client.get("/api/keys").json()["keys"] == [key]


def test_a_key_that_may_not_be_used_is_said_in_one_sentence(tmp_path: Path) -> None:
    key = tmp_path / "note"
    key.write_text("not a key")
    key.chmod(0o644)
    for sentence in ("chmod 600", "no Ed25519 key"):
        with start(tmp_path, key=key) as process:
            out, err = process.communicate(timeout=START_SECONDS_MAX)
        assert (process.returncode, out) == (2, "")
        assert err.startswith("upcard: ")
        assert err.count("\n") == 1
        assert sentence in err
        key.chmod(0o600)


def test_how_long_a_round_may_be_left_alone_is_set_and_said(tmp_path: Path) -> None:
    """G-12: after a period the house states, and states on its rules pages."""
    with (
        served(tmp_path, settings=Settings(abandoned_seconds=7 * DAY)) as (_, url),
        httpx.Client(base_url=url) as client,
    ):
        client.post("/api/session")
        round_ = opened(client, "threecard")["round"]
        rules = client.get("/api/games/threecard/rules").text
        assert "seven days" in rules
        assert "30 days" not in rules
    with closing(apsw.Connection(str(tmp_path / "house.db"))) as db:
        db.execute("UPDATE round SET touched_at = ?", (int(time.time()) - 8 * 86_400,))
    with served(tmp_path, settings=Settings(abandoned_seconds=7 * DAY)):
        deadline = time.monotonic() + START_SECONDS_MAX
        while books(tmp_path).rounds[-1].status == "open":
            assert time.monotonic() < deadline, "it was never finished"
            time.sleep(0.05)
    (stored,) = books(tmp_path).rounds
    assert (stored.id, stored.status) == (round_, "settled")
