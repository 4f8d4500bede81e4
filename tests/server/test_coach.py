"""The coach behind HTTP: a process of its own that starts late, may die, and leaves with us."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.place import Place, choose, finish, open_bet, open_place
from tests.server.schemas import Schemas
from tests.server.test_process import opened, served, stopped
from upcard.games import CATALOGUE
from upcard.house.journal import replay_stored
from upcard.maths.coach import Position, advise, parse_position
from upcard.server.coach import Coach, CoachFailed, best, position, usual_socket

WARM_SECONDS_MAX = 240
"""For a machine that must compile first and has much else to do."""
STOP_SECONDS_MAX = 8
"""Less than an answer may take, so that no stop waits for one; much for a busy machine."""
NOT_YET = {"ready": False, "values": {}, "best": None}
WITHOUT_MATHS = """
import asyncio, sys
from pathlib import Path
from tests.server.place import open_bet, open_place
import upcard.server.run

async def main():
    async with open_place(Path(sys.argv[1])) as place, place.guest() as client:
        round_ = await open_bet(client, "top3")
        for _ in range(5):
            await client.get(f"/api/rounds/{round_['round']}/coach")
            await asyncio.sleep(0.1)

asyncio.run(main())
print(sorted({"numba", "numpy", "upcard.maths", "upcard.simulate"} & sys.modules.keys()))
"""


async def until(true: Callable[[], bool], seconds: float = WARM_SECONDS_MAX) -> None:
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.02)


async def advised(client: httpx.AsyncClient, round_: str) -> dict[str, Any]:
    """What the coach says once it is warm."""
    async with asyncio.timeout(WARM_SECONDS_MAX):
        while True:
            response = await client.get(f"/api/rounds/{round_}/coach")
            if response.status_code == 200:
                found: dict[str, Any] = response.json()
                return found
            assert (response.status_code, response.json()) == (202, NOT_YET)
            await asyncio.sleep(0.05)


def pid_at(socket: Path) -> int:
    """The process that has the lock of a socket, 0 if none ever had."""
    lock = socket.with_suffix(".lock")
    return int(lock.read_text() or 0) if lock.exists() else 0


def runs(pid: int) -> bool:
    """Whether a process is more than a memory of its parent."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


@asynccontextmanager
async def coached(folder: Path) -> AsyncIterator[tuple[Place, httpx.AsyncClient]]:
    async with open_place(folder) as place, place.guest() as client:
        yield place, client


async def truth(place: Place, round_: str) -> Mapping[str, float]:
    """The advice of the very round that the house keeps, hole card and all."""
    stored = await place.store.round(round_)
    assert stored is not None
    steps, awards = await place.store.steps(round_), await place.store.awards(round_)
    return dict[str, float](advise(replay_stored(stored, steps, awards)).items())


def test_every_decision_of_some_rounds_of_every_game(tmp_path: Path) -> None:
    """The same figures as in this process, for each choice offered; best is the greatest."""

    async def try_it() -> None:
        async with coached(tmp_path) as (place, client):
            schemas = Schemas(place.app.openapi())
            path = "/api/rounds/{id}/coach"
            for game in CATALOGUE:
                for _ in range(4):
                    answer = await open_bet(client, game.key)
                    while answer["status"] == "open":
                        found = await advised(client, answer["round"])
                        offered = [choice["choice"] for choice in answer["choices"]]
                        assert [*found["values"]] == offered
                        assert found["values"] == await truth(place, answer["round"])
                        assert found["best"] == max(offered, key=lambda c: found["values"][c])
                        response = await client.get(path.replace("{id}", answer["round"]))
                        schemas.check("GET", path, response)
                        answer = await choose(client, answer, found["best"])

    asyncio.run(try_it())


def test_other_decks_are_counted(tmp_path: Path) -> None:
    """T-01: the answer does not say the decks; the coach knows them all the same."""

    async def try_it() -> None:
        async with coached(tmp_path) as (place, client):
            answer = await open_bet(client, "top3", table={"decks": 8})
            stored = await place.house.game_of(
                (await client.get("/api/session")).json()["player"], answer["round"]
            )
            asked = parse_position(json.dumps(position(stored, answer)))
            assert asked.rules.decks == 8
            found = await advised(client, answer["round"])
            assert found["values"] == await truth(place, answer["round"])

    asyncio.run(try_it())


def test_the_position_is_what_the_player_was_told_and_no_more(tmp_path: Path) -> None:
    """No seed, no hole card: the text of the position that the player's own view makes."""

    async def try_it() -> None:
        async with coached(tmp_path) as (place, client):
            player = (await client.get("/api/session")).json()["player"]
            for game in CATALOGUE:
                answer = await open_bet(client, game.key)
                stored = await place.store.round(answer["round"])
                assert stored is not None
                round_ = replay_stored(stored, await place.store.steps(stored.id), ())
                asked = position(await place.house.game_of(player, stored.id), answer)
                assert parse_position(json.dumps(asked)) == Position.of(round_)
                text = json.dumps(asked)
                assert stored.inputs.server_seed.hex() not in text
                assert stored.inputs.client_seed not in text
                shown = sum(
                    len(hand["cards"]) for s in answer["table"]["spots"] for hand in s["hands"]
                )
                cards = [part for part in text.split('"') if len(part) == 2 and part[1] in "cdhs"]
                assert len(cards) == shown + 1, "the hands and the up card"
                await finish(client, answer)

    asyncio.run(try_it())


def test_who_may_ask_and_when(tmp_path: Path) -> None:
    """404 foreign and unknown alike, 409 once the round is over; neither starts a process."""

    async def try_it() -> None:
        async with coached(tmp_path) as (place, client), place.guest() as stranger:
            answer = await open_bet(client, "ags")
            url = f"/api/rounds/{answer['round']}/coach"
            foreign = await stranger.get(url)
            unknown = await stranger.get("/api/rounds/nothing/coach")
            assert (foreign.status_code, foreign.json()["code"]) == (404, "not_found")
            assert foreign.content == unknown.content
            await finish(client, answer)
            over = await client.get(url)
            assert (over.status_code, over.json()["code"]) == (409, "settled")
            await asyncio.sleep(0.2)
            assert pid_at(tmp_path / "coach.sock") == 0

    asyncio.run(try_it())


def test_it_is_started_again_when_it_died(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with coached(tmp_path) as (_, client):
            answer = await open_bet(client, "threecard")
            before = await advised(client, answer["round"])
            pid = pid_at(tmp_path / "coach.sock")
            os.kill(pid, signal.SIGKILL)
            await until(lambda: not runs(pid))
            assert await advised(client, answer["round"]) == before
            assert pid_at(tmp_path / "coach.sock") != pid

    asyncio.run(try_it())


async def warm_coach(socket: Path, asked: dict[str, Any]) -> Coach:
    coach = Coach(socket)
    async with asyncio.timeout(WARM_SECONDS_MAX):
        while await coach.values(asked) is None:
            await asyncio.sleep(0.02)
    return coach


async def some_position(place: Place, client: httpx.AsyncClient) -> dict[str, Any]:
    player = (await client.get("/api/session")).json()["player"]
    answer = await open_bet(client, "super21")
    return position(await place.house.game_of(player, answer["round"]), answer)


def test_one_process_for_all_houses_of_a_host(tmp_path: Path) -> None:
    """It stays for the other when the one that started it leaves, and ends with the last."""

    async def try_it() -> None:
        async with coached(tmp_path) as (place, client):
            asked = await some_position(place, client)
            socket = tmp_path / "shared.sock"
            first = await warm_coach(socket, asked)
            pid = pid_at(socket)
            second = await warm_coach(socket, asked)
            assert pid_at(socket) == pid
            await first.close()
            assert await first.values(asked) is None
            assert await second.values(asked)
            began = time.monotonic()
            await second.close()
            await until(lambda: not runs(pid), STOP_SECONDS_MAX)
            assert time.monotonic() - began < STOP_SECONDS_MAX
            assert not socket.exists()
            await first.close()

    asyncio.run(try_it())


def test_a_queue_has_an_end_and_nonsense_breaks_nothing(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with coached(tmp_path) as (place, client):
            asked = await some_position(place, client)
            coach = await warm_coach(tmp_path / "one.sock", asked)
            try:
                found = await asyncio.gather(*(coach.values(asked) for _ in range(100)))
                assert found.count(None) == 100 - 32
                with pytest.raises(CoachFailed, match="KeyError"):
                    await coach.values({})
                assert await coach.values(asked) in found
            finally:
                await coach.close()

    asyncio.run(try_it())


def test_one_that_does_not_answer_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("upcard.server.coach.ANSWER_SECONDS_MAX", 2.0)

    async def try_it() -> None:
        async with coached(tmp_path) as (place, client):
            asked = await some_position(place, client)
            coach = await warm_coach(tmp_path / "hung.sock", asked)
            try:
                pid = pid_at(tmp_path / "hung.sock")
                os.kill(pid, signal.SIGSTOP)
                assert await coach.values(asked) is None
                await until(lambda: not runs(pid))
                assert "did not answer" in caplog.text
            finally:
                await coach.close()

    asyncio.run(try_it())


def test_one_that_cannot_be_started_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nor is it tried at every question: it would cost the house a process each time."""
    monkeypatch.setattr("upcard.server.coach.MODULE", "upcard.maths.nothing")
    monkeypatch.setattr("upcard.server.coach.OPEN_SECONDS_MAX", 3.0)

    async def try_it() -> None:
        coach = Coach(tmp_path / "never.sock")
        assert await coach.values({}) is None
        await until(lambda: "does not listen" in caplog.text)
        assert "upcard.maths.nothing" in (tmp_path / "never.log").read_text()
        monkeypatch.setattr("upcard.server.coach._started", None)
        assert await coach.values({}) is None
        await asyncio.sleep(0.3)
        await coach.close()

    asyncio.run(try_it())
    assert "NoneType" not in caplog.text


def test_the_best_choice_is_one_that_the_balance_covers() -> None:
    offered = [{"choice": name, "enabled": name != "double"} for name in ("hit", "stand", "double")]
    values = {"hit": 0.2, "stand": 0.2, "double": 0.4}
    assert best(values, {"choices": offered}) == "hit", "of equals the one offered first"


def test_the_usual_socket_is_ours_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    socket = usual_socket()
    assert socket == usual_socket()
    assert socket.parent.parent == tmp_path
    assert socket.parent.stat().st_mode & 0o777 == 0o700
    socket.parent.chmod(0o755)
    elsewhere = usual_socket()
    assert elsewhere.parent != socket.parent
    assert elsewhere.parent.stat().st_mode & 0o777 == 0o700
    elsewhere.parent.rmdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    socket.parent.chmod(0o700)
    assert usual_socket() == socket


def test_the_serving_process_never_loads_the_solver(tmp_path: Path) -> None:
    """It imports neither numba nor numpy nor maths, not even while it is asked for advice."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_MATHS, str(tmp_path)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=WARM_SECONDS_MAX,
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_it_ends_with_the_house(
    end: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Warm or still warming, it is gone within the seconds that stopping may take."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    socket = usual_socket()
    for wait in (False, True):
        with served(tmp_path) as (process, url), httpx.Client(base_url=url) as client:
            client.post("/api/session")
            round_ = client.get("/api/rounds/open").json()["rounds"]
            round_ = round_[0] if round_ else opened(client, "ags")
            path = f"/api/rounds/{round_['round']}/coach"
            before = pid_at(socket)
            response = client.get(path)
            assert (response.status_code, response.json()) == (202, NOT_YET)
            deadline = time.monotonic() + WARM_SECONDS_MAX
            while (response.status_code == 202 if wait else pid_at(socket) in (0, before)) and (
                time.monotonic() < deadline
            ):
                time.sleep(0.05)
                response = client.get(path)
            pid = pid_at(socket)
            if wait:
                assert response.json()["best"] in response.json()["values"]
            time.sleep(0.3)
            if end == signal.SIGTERM:
                assert stopped(process) == ""
            else:
                process.kill()
                process.wait(STOP_SECONDS_MAX)
            deadline = time.monotonic() + STOP_SECONDS_MAX
            while runs(pid) and time.monotonic() < deadline:
                time.sleep(0.02)
            assert not runs(pid)


def test_who_waits_for_advice_is_answered_when_the_house_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even when the coach hangs: not yet known, at once, and the house is gone in time."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    socket = usual_socket()

    async def try_it(process: subprocess.Popen[str], url: str) -> None:
        async with httpx.AsyncClient(base_url=url, timeout=30) as client:
            await client.post("/api/session")
            round_ = (await open_bet(client, "ags"))["round"]
            await advised(client, round_)
            os.kill(pid_at(socket), signal.SIGSTOP)
            try:
                waiting = asyncio.create_task(client.get(f"/api/rounds/{round_}/coach"))
                await asyncio.sleep(0.5)
                assert not waiting.done()
                said = await asyncio.to_thread(stopped, process)
                response = await waiting
                assert (response.status_code, response.json()) == (202, NOT_YET)
                assert (said, process.returncode) == ("", 0)
            finally:
                os.kill(pid_at(socket), signal.SIGKILL)

    with served(tmp_path) as (process, url):
        asyncio.run(try_it(process, url))
