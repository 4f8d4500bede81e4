"""What operators see: readiness, logs, metrics, rates, turns. The contract is docs/operate.md."""

from __future__ import annotations

import asyncio
import json
import logging
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.server.place import (
    HERE,
    Place,
    bet_body,
    choose,
    finish,
    new_key,
    open_bet,
    open_place,
    stream_of,
)
from tests.server.test_refusals import check_problem
from upcard.refused import Refused
from upcard.server import logs, turns
from upcard.server.asking import desk_of
from upcard.server.metrics import Metrics
from upcard.server.rates import Rate, TooOften
from upcard.server.seen import Seen
from upcard.server.turns import Turns

HTTPS = "https://cards.example.com"

# Readiness


def test_a_house_is_ready_when_it_can_write(tmp_path: Path, monkeypatch: Any) -> None:
    """Another program that holds the database makes it not ready; it is alive all the while."""
    monkeypatch.setattr("upcard.server.health.READY_SECONDS_MAX", 0.05)

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.browser() as client:
            assert (await client.get("/readyz")).json() == {"ok": True}
            with closing(apsw.Connection(str(tmp_path / "house.db"))) as other:
                assert other.execute("SELECT at FROM heartbeat").get == int(place.clock.now)
                other.execute("BEGIN IMMEDIATE")
                check_problem(await client.get("/readyz"), 503, "unavailable")
                assert (await client.get("/healthz")).status_code == 200
                other.execute("ROLLBACK")
            monkeypatch.undo()
            assert (await client.get("/readyz")).status_code == 200
            desk_of(place.app).traffic.stop()
            check_problem(await client.get("/readyz"), 503, "unavailable", "stopping")

    asyncio.run(try_it())


# Turns


def test_one_command_at_a_time_at_a_round() -> None:
    """In the order they came, other rounds meanwhile; nothing is left when all are through."""
    order: list[str] = []

    async def command(turns_: Turns, where: str, name: str) -> None:
        async with turns_.turn(where):
            order.append(f"{name} in")
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            order.append(f"{name} out")

    async def try_it() -> None:
        here = Turns()
        await asyncio.gather(*(command(here, "round", name) for name in "abc"))
        assert order == ["a in", "a out", "b in", "b out", "c in", "c out"]
        order.clear()
        await asyncio.gather(command(here, "one", "a"), command(here, "other", "b"))
        assert order == ["a in", "b in", "a out", "b out"]
        assert len(here) == 0
        with pytest.raises(ZeroDivisionError):
            async with here.turn("round"):
                _ = 1 // 0
        assert len(here) == 0

    asyncio.run(try_it())


def test_so_many_wait_at_a_round_and_no_more() -> None:
    async def try_it() -> None:
        here, go = Turns(), asyncio.Event()

        async def command() -> None:
            async with here.turn("round"):
                await go.wait()

        waiting = [asyncio.create_task(command()) for _ in range(turns.WAITING_MAX + 1)]
        await asyncio.sleep(0)
        with pytest.raises(TooOften):
            async with here.turn("round"):
                pass
        async with here.turn("another"):
            pass
        go.set()
        await asyncio.gather(*waiting)
        async with here.turn("round"):
            pass

    asyncio.run(try_it())


def test_a_flood_of_moves_reaches_the_store_one_by_one(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            round_ = await open_bet(client, "threecard")
            running, most = 0, 0
            honest = place.house.move

            async def counting(*told: Any, **named: Any) -> Any:
                nonlocal running, most
                running += 1
                most = max(most, running)
                try:
                    return await honest(*told, **named)
                finally:
                    running -= 1

            object.__setattr__(place.house, "move", counting)
            path = f"/api/rounds/{round_['round']}/moves"
            body = {"seq": 0, "choice": "fold"}
            told = await asyncio.gather(*(client.post(path, json=body) for _ in range(20)))
            assert most == 1
            assert {each.status_code for each in told} == {200}
            assert len({each.content for each in told}) == 1

    asyncio.run(try_it())


# Rates and headers


@pytest.mark.parametrize(
    ("text", "rate"),
    [("500/5000", Rate(500, 5000)), ("0.2/20", Rate(0.2, 20)), ("10/1", Rate(10, 1))],
)
def test_rates_are_written_as_they_are_read(text: str, rate: Rate) -> None:
    assert Rate.parse(text) == rate
    assert str(rate) == text


@pytest.mark.parametrize(
    "text", ["", "5", "5/", "/5", "0/5", "5/0", "-1/5", "1e3/5", "5/5/5", "a/b"]
)
def test_a_rate_that_is_none(text: str) -> None:
    with pytest.raises(Refused, match="500/5000"):
        Rate.parse(text)


@pytest.mark.parametrize(("public_url", "secure"), [(None, False), (HTTPS, True)])
def test_only_a_house_behind_https_wants_https_alone(
    public_url: str | None, secure: bool, tmp_path: Path
) -> None:
    """RFC 6797: the header has no meaning on plain http, where a phone at home may be served."""

    async def try_it() -> None:
        async with (
            open_place(tmp_path, public_url=public_url) as place,
            place.browser(HTTPS if secure else HERE) as client,
        ):
            for path in ("/", "/api/games", "/nothing"):
                headers = (await client.get(path)).headers
                wanted = "max-age=31536000" if secure else None
                assert headers.get("strict-transport-security") == wanted

    asyncio.run(try_it())


def test_the_policy_lets_nothing_in_from_elsewhere(tmp_path: Path) -> None:
    """Content security: own files alone, no inline code, no frame around it, no plugin."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.browser() as client:
            policy = (await client.get("/")).headers["content-security-policy"]
            said = dict(part.strip().split(" ", 1) for part in policy.split(";"))
            assert said == {
                "default-src": "'self'",
                "base-uri": "'none'",
                "form-action": "'self'",
                "frame-ancestors": "'none'",
                "object-src": "'none'",
            }
            assert "unsafe" not in policy

    asyncio.run(try_it())


# Logs


@pytest.fixture
def fresh_logging() -> Iterator[None]:
    root, ours = logging.getLogger(), logging.getLogger("upcard")
    before = [*root.handlers], root.level, ours.level, logs.log.level
    yield
    root.handlers[:], level, ours_level, log_level = before
    root.setLevel(level)
    ours.setLevel(ours_level)
    logs.log.setLevel(log_level)


async def _a_visit(place: Place, client: httpx.AsyncClient) -> list[str]:
    """Everything that must not be written down; what breaks carries all of it in its message."""
    known = {"name": "Edward-Oakley", "password": "beat the dealer 1962"}
    assert (await client.post("/api/account", json=known)).status_code == 201
    round_ = await finish(client, await open_bet(client, "ags"))
    seats = await place.store.seats((await client.get("/api/session")).json()["player"])
    seeds = [seat.server_seed for seat in seats] + [bytes.fromhex(round_["server_seed"])]
    token = client.cookies["upcard"]
    secrets = [token, *(seed.hex() for seed in seeds), *map(str, seeds)]

    async def broken(*_: Any) -> None:
        raise RuntimeError(f"a broken {secrets} and {seats}")

    object.__setattr__(place.house, "look", broken)
    looked = await client.get(f"/api/rounds/{round_['round']}?token={token}")
    check_problem(looked, 500, "internal")
    forged = await client.get("/api/%0Aforged", headers={"Cookie": f"upcard={token}"})
    assert forged.status_code == 404
    return [*secrets, *known.values(), "192.0.2.1", "forged"]


@pytest.mark.parametrize("form", ["text", "json"])
def test_logs_hold_no_secret_and_nobody(
    form: logs.Form, tmp_path: Path, capfd: Any, fresh_logging: None
) -> None:
    """Requests by route, status and time; an error by kind and place. No token, seed, name,
    password, address, and no line that a path could forge."""

    async def try_it() -> list[str]:
        logs.begin(form, requests=True)
        async with (
            open_place(tmp_path, watches=[logs.note_request]) as place,
            place.guest() as client,
        ):
            return await _a_visit(place, client)

    secrets = asyncio.run(try_it())
    said = capfd.readouterr().err
    assert [secret for secret in secrets if secret in said] == []
    assert "GET /api/rounds/{id} broke" in said
    assert "RuntimeError" in said
    assert "test_operations.py" in said
    if form == "json":
        lines = [json.loads(line) for line in said.splitlines()]
        requests = [line for line in lines if line["event"] == "request"]
        assert {line["level"] for line in lines} == {"info", "error"}
        assert {"at", "level", "event", "method", "route", "status", "ms"} == requests[0].keys()
        assert [(each["route"], each["status"], each.get("code")) for each in requests[-2:]] == [
            ("/api/rounds/{id}", 500, "internal"),
            ("/api/...", 404, "not_found"),
        ]


def test_single_requests_are_noted_only_where_wanted(capfd: Any, fresh_logging: None) -> None:
    seen = Seen(method="GET", route="/healthz", status=200, code=None, seconds=0.0125)
    logs.begin("json", requests=False)
    logs.note_request(seen)
    assert capfd.readouterr().err == ""
    logs.begin("text", requests=True)
    logs.note_request(seen)
    said = capfd.readouterr().err
    assert said.endswith(" info request method=GET route=/healthz status=200 ms=12.5\n")


# Metrics


def figures(text: str) -> dict[tuple[str, ...], float]:
    """Name and labels → value, read by the library's own parser."""
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_metrics_count_what_happened(tmp_path: Path) -> None:
    async def try_it() -> dict[tuple[str, ...], float]:
        metrics = Metrics()
        async with open_place(tmp_path, watches=[metrics.request], steps=metrics.step) as place:
            place.store.commits = metrics.commit
            async with place.guest() as client:
                round_ = await open_bet(client, "threecard")
                await choose(client, round_, "fold")
                path = f"/api/rounds/{round_['round']}/moves"
                again = {"seq": 0, "choice": "fold"}
                assert (await client.post(path, json=again)).is_success
                await open_bet(client, "threecard")
                refused = {**bet_body("ags"), "level": "no"}
                await client.post("/api/rounds", json=refused, headers=new_key())
                await client.post("/api/rounds", json={}, headers=new_key())
                async with stream_of(place, client):
                    await metrics.look(desk_of(place.app), place.store)
            with metrics.served(0) as address, urllib.request.urlopen(address) as page:
                return figures(page.read().decode())

    found = asyncio.run(try_it())
    moves = "/api/rounds/{id}/moves"
    assert found["upcard_requests_total", "POST", moves, "200"] == 2
    assert found["upcard_requests_total", "POST", "/api/rounds", "201"] == 2
    assert found["upcard_requests_total", "POST", "/api/rounds", "422"] == 2
    assert found["upcard_request_seconds_count", moves] == 2
    assert found["upcard_refused_total", "field"] == 2
    assert found["upcard_steps_total", "bet"] == 2
    assert found["upcard_steps_total", "move"] == 1, "the repeated one made no step"
    assert found["upcard_open_rounds",] == 1
    assert found["upcard_streams",] == 1
    assert found["upcard_commit_commands_count",] == found["upcard_commit_seconds_count",] >= 4
    assert found["process_resident_memory_bytes",] > 0


def test_metrics_are_for_this_machine_and_say_nothing_of_anybody(tmp_path: Path) -> None:
    """Few labels whatever is asked for, or a stranger could fill the memory with them."""
    metrics = Metrics()

    async def try_it() -> None:
        async with (
            open_place(tmp_path, watches=[metrics.request]) as place,
            place.browser() as client,
        ):
            for number in range(50):
                await client.get(f"/api/rounds/{number}")
                await client.get(f"/{number}")
                await client.request(f"X{number}", "/api/games")

    asyncio.run(try_it())
    with metrics.served(0) as address:
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address) as page:
            found = figures(page.read().decode())
    labels = {key[1:] for key in found if key[0] == "upcard_requests_total"}
    assert labels == {
        ("GET", "/api/rounds/{id}", "401"),
        ("GET", "/...", "404"),
        ("other", "/api/games", "405"),
    }


def test_a_metrics_port_that_is_taken() -> None:
    first = Metrics()
    with first.served(0) as address:
        port = int(address.split(":")[2].partition("/")[0])
        with pytest.raises(Refused, match=str(port)), Metrics().served(port):
            pass
