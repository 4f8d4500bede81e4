"""A player's own limits, exclusion and export over HTTP, and what a house sets for all its tables:
the contract of `/api/me` and `/api/house`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.server.place import bet, bet_body, choose, finish, new_key, open_bet, open_place
from tests.server.schemas import Schemas
from tests.server.test_refusals import check_problem
from upcard.house.rounds import Settings
from upcard.server.rates import Limits, Rate

HUGE = 10**30


def test_limits_are_set_and_kept(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            schemas = Schemas(place.app.openapi())
            body = {"loss": {"day": 500}, "stake": {"week": 2_000, "month": None}}
            told = await client.put("/api/me/limits", json=body)
            schemas.check("PUT", "/api/me/limits", told)
            again = await client.get("/api/me/limits")
            assert again.json() == told.json()
            limits = told.json()["limits"]
            assert limits["loss"]["day"]["cents"] == 500
            assert limits["stake"]["week"]["cents"] == 2_000
            assert limits["stake"]["month"]["cents"] is None
            refused = await client.post("/api/rounds", json=bet_body("top3"), headers=new_key())
            check_problem(refused, 422, "own_limit", "5.00 a day")
            assert (await bet(client, "threecard"))["nonce"] == 1

    asyncio.run(try_it())


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"loss": {"day": -1}}, "loss.day must be a whole number, at least 0"),
        ({"loss": {"day": HUGE}}, "loss.day"),
        ({"loss": {"day": 1.5}}, "a whole number"),
        ({"loss": {"day": True}}, "a whole number"),
        ({"loss": {"day": "500"}}, "a whole number"),
        ({"loss": {"year": 500}}, "day, week and month"),
        ({"loss": 500}, "loss must be an object"),
        ({"wins": {"day": 500}}, "loss and stake"),
        ([], "an object"),
    ],
)
def test_limits_that_are_none(body: Any, named: str, tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            before = (await client.get("/api/me/limits")).json()
            check_problem(await client.put("/api/me/limits", json=body), 422, "field", named)
            assert (await client.get("/api/me/limits")).json() == before

    asyncio.run(try_it())


@pytest.mark.parametrize(
    ("days", "named"),
    [
        *((days, "1, 7, 30, 182, 365 or 1825") for days in (0, 2, -1, HUGE)),
        *((days, "a whole number") for days in (1.0, True, "7", None)),
    ],
)
def test_an_exclusion_that_is_not_offered(days: Any, named: str, tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            response = await client.post("/api/me/exclusion", json={"days": days})
            check_problem(response, 422, "field", named)
            assert (await client.get("/api/me/limits")).json()["exclusion"] is None

    asyncio.run(try_it())


def test_an_excluded_player_finishes_his_rounds_and_bets_no_more(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            round_ = await open_bet(client, "threecard")
            told = await client.post("/api/me/exclusion", json={"days": 1})
            assert told.status_code == 201
            assert told.json()["exclusion"]["kind"] == "cool_off"
            key, before = new_key(), await place.what_moves(client)
            refused = await client.post("/api/rounds", json=bet_body("ags"), headers=key)
            check_problem(refused, 403, "excluded", "until 2027-01-16 08:00 UTC")
            assert await place.what_moves(client) == before
            await finish(client, await choose(client, round_))
            shorter = await client.post("/api/me/exclusion", json={"days": 1})
            check_problem(shorter, 422, "field", "longer")
            place.clock.now += 24 * 60 * 60
            accepted = await client.post("/api/rounds", json=bet_body("ags"), headers=key)
            assert accepted.status_code == 201
            await place.check_books()

    asyncio.run(try_it())


def test_the_export_is_a_file_of_all_rounds(tmp_path: Path) -> None:
    async def try_it() -> None:
        limits = Limits(export=Rate(1, 2))
        async with open_place(tmp_path, limits=limits) as place, place.guest() as client:
            played = [await finish(client, await bet(client, "ags")) for _ in range(3)]
            told = await client.get("/api/me/export")
            player = (await client.get("/api/session")).json()["player"]
            named = f'attachment; filename="upcard-{player}.json"'
            assert told.headers["content-disposition"] == named
            Schemas(place.app.openapi()).check("GET", "/api/me/export", told)
            document = told.json()
            assert [each["round"] for each in document["rounds"]] == [
                each["round"] for each in reversed(played)
            ]
            assert document["balance"] == played[-1]["balance"]
            assert (await client.get("/api/me/export")).is_success
            check_problem(await client.get("/api/me/export"), 429, "rate")

    asyncio.run(try_it())


def test_a_house_says_what_it_wants_of_all_tables(tmp_path: Path) -> None:
    """Settings of strict jurisdictions; a bet too soon is refused with the seconds to wait."""

    async def try_it() -> None:
        settings = Settings(round_seconds_min=5, fast_play=False)
        async with open_place(tmp_path, settings=settings) as place, place.guest() as client:
            said = await client.get("/api/house")
            Schemas(place.app.openapi()).check("GET", "/api/house", said)
            assert said.json() == {"round_seconds_min": 5, "fast_play": False}
            await bet(client, "threecard")
            place.clock.now += 2.5
            before, key = await place.what_moves(client), new_key()
            refused = await client.post("/api/rounds", json=bet_body("ags"), headers=key)
            check_problem(refused, 429, "pace", "in 3 s")
            assert refused.headers["retry-after"] == "3"
            assert await place.what_moves(client) == before
            place.clock.now += 2.5
            accepted = await client.post("/api/rounds", json=bet_body("ags"), headers=key)
            assert (accepted.status_code, accepted.json()["nonce"]) == (201, 1)

    asyncio.run(try_it())
