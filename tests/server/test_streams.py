"""The event stream: what other tabs are told, how it ends, and what it holds on to."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from tests.server.place import (
    Stream,
    bet,
    bet_body,
    choose,
    finish,
    new_key,
    open_bet,
    open_place,
    stream_of,
)
from tests.server.test_refusals import check_problem
from upcard.house.rounds import Settings
from upcard.server.asking import desk_of
from upcard.server.rates import Limits
from upcard.server.stream import HEARTBEAT, WAITING_MAX, Mailbox

PROGRESSIVE = {"spots": [{"spot": 1, "bets": {"main": 500, "progressive": 500}}]}


def said(stream: Stream) -> list[tuple[str, dict[str, int]]]:
    """The events of a stream: name and body."""
    events = []
    for block in stream.text.split("\n\n"):
        if block.startswith("event: "):
            name, body = block.split("\n")
            assert body.startswith("data: ")
            events.append((name.removeprefix("event: "), json.loads(body[6:])))
    return events


def test_a_second_tab_hears_of_rounds_and_balance(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with (
            open_place(tmp_path) as place,
            place.guest() as client,
            stream_of(place, client) as tab,
        ):
            # Two subjects, told in either order.
            assert sorted(said(tab)) == [
                ("balance", {"balance": 10_000_000}),
                ("meter", {"key": "top3", "amount": 1_000_000, "epoch": 0}),
            ]
            dealt = await open_bet(client, "threecard")
            await tab.until(dealt["round"])
            folded = await choose(client, dealt, "fold")
            await tab.until('"seq":1')
            events = said(tab)
            assert ("round", {"id": dealt["round"], "seq": 0}) in events
            assert events[-2:] == [
                ("round", {"id": dealt["round"], "seq": 1}),
                ("balance", {"balance": folded["balance"]}),
            ]
            heard = len(tab.text)
            await client.post("/api/session/refill")
            await tab.until('"balance":10000000', since=heard)
            assert said(tab)[-1] == ("balance", {"balance": 10_000_000})

    asyncio.run(try_it())


def test_everybody_hears_of_a_meter_and_nobody_of_another_s_round(tmp_path: Path) -> None:
    """T-85: 0.85 of each 5.00 enters the meter at DEAL."""

    async def try_it() -> None:
        async with (
            open_place(tmp_path) as place,
            place.guest() as client,
            place.guest() as neighbour,
            stream_of(place, neighbour) as tab,
        ):
            answer = await bet(client, "top3", **PROGRESSIVE)
            await tab.until('"amount":1000085')
            answer = await finish(client, answer)
            answer = await bet(client, "top3", **PROGRESSIVE)
            await tab.until('"amount":1000170')
            names = [name for name, _ in said(tab)]
            assert names.count("balance") == 1
            assert "round" not in names
            # One who comes later is told how it stands.
            async with stream_of(place, client) as late:
                await late.until('"amount":1000170')

    asyncio.run(try_it())


def test_a_repeated_request_tells_nobody(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with (
            open_place(tmp_path) as place,
            place.guest() as client,
            stream_of(place, client) as tab,
        ):
            key, body = new_key(), bet_body("threecard")
            for _ in range(2):
                await client.post("/api/rounds", json=body, headers=key)
            dealt = await client.get("/api/rounds/open")
            await choose(client, dealt.json()["rounds"][0], "fold")
            await tab.until('"seq":1')
            assert [body["seq"] for name, body in said(tab) if name == "round"] == [0, 1]

    asyncio.run(try_it())


def test_a_silent_stream_beats(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            desk_of(place.app).hub.heartbeat_seconds = 0.01
            async with stream_of(place, client) as tab:
                await tab.until("\n\n:\n\n:\n\n")

    asyncio.run(try_it())


def test_a_stream_that_is_left_is_forgotten(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with (
            open_place(tmp_path, settings=Settings()) as place,
            place.guest() as client,
        ):
            hub = desk_of(place.app).hub
            async with stream_of(place, client), stream_of(place, client):
                assert hub.open_streams == 2
            assert hub.open_streams == 0
            assert not hub._boxes
            await bet(client, "top3", **PROGRESSIVE)

    asyncio.run(try_it())


def test_a_player_has_so_many_streams(tmp_path: Path) -> None:
    async def try_it() -> None:
        limits = Limits(streams_per_player=2)
        async with (
            open_place(tmp_path, limits=limits) as place,
            place.guest() as client,
            place.guest() as neighbour,
        ):
            async with stream_of(place, client), stream_of(place, client):
                check_problem(await client.get("/api/stream"), 429, "rate", "2 streams")
                async with stream_of(place, neighbour):
                    pass
            async with stream_of(place, client):
                pass

    asyncio.run(try_it())


def test_streams_end_when_the_house_stops(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with (
            open_place(tmp_path) as place,
            place.guest() as client,
            stream_of(place, client) as tab,
        ):
            desk = desk_of(place.app)
            desk.hub.close()
            desk.traffic.stop()
            await tab.ended()
            async with asyncio.timeout(10):
                await desk.traffic.empty()
            answer = await client.get("/api/session")
            check_problem(answer, 503, "unavailable")
            assert answer.headers["retry-after"] == "1"

    asyncio.run(try_it())


def test_what_waits_is_bounded() -> None:
    """Of each subject the newest; a reader that lets too many wait is let go."""

    async def try_it() -> None:
        box = Mailbox()
        for number in range(1000):
            box.put("meter/a", f"a{number} ".encode())
            box.put("balance", f"b{number} ".encode())
        box.put_first("balance", b"older ")
        assert await box.take(1) == b"a999 b999 "
        for subject in ("meter/a", "balance", "meter/a"):
            box.put(subject, subject.encode() + b" ")
        assert await box.take(1) == b"balance meter/a "
        box.put_first("meter/a", b"older ")
        assert await box.take(0.01) == HEARTBEAT
        for number in range(WAITING_MAX + 1):
            box.put(f"round/{number}", b"r ")
        assert await box.take(1) == b"r " * (WAITING_MAX + 1)
        assert await box.take(1) is None

    asyncio.run(try_it())
