"""The fast lane answers as the routes do: the contract of bets and moves knows no second way."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.place import bet_body, new_key, open_place
from upcard.server import lane


@contextmanager
def long_way() -> Iterator[None]:
    """Nothing is plainly right, so that the framework's routes answer."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lane, "_plainly", lambda model, body: None)
        yield


async def _asked(client: httpx.AsyncClient, request: dict[str, Any]) -> tuple[Any, ...]:
    response = await client.post(**request)
    headers = {key: value for key, value in response.headers.items() if key != "date"}
    return response.status_code, headers, response.text


async def _both(client: httpx.AsyncClient, request: dict[str, Any]) -> Any:
    """What a repeated request gets by the lane and by the route: the same, word for word."""
    short = await _asked(client, request)
    with long_way():
        assert await _asked(client, request) == short
    return short


async def _deal_and_fold(client: httpx.AsyncClient) -> None:
    for first in (False, True):
        key = new_key()
        dealt: dict[str, Any] = {
            "url": "/api/rounds",
            "json": bet_body("threecard"),
            "headers": key,
        }
        if first:
            with long_way():
                await client.post(**dealt)
        status, _, _ = await _both(client, dealt)
        assert status == 201
        open_ = (await client.get("/api/session")).json()["games"]["threecard"]["open"]
        folded = {"url": f"/api/rounds/{open_}/moves", "json": {"seq": 0, "choice": "fold"}}
        status, _, _ = await _both(client, folded)
        assert status == 200


def test_what_is_accepted_is_answered_alike(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place:
            async with place.guest() as client:
                await _deal_and_fold(client)
            await place.check_books()

    asyncio.run(try_it())


BROKEN: tuple[dict[str, Any], ...] = (
    {"url": "/api/rounds", "json": bet_body("super21")},
    {"url": "/api/rounds", "json": bet_body("super21"), "headers": {"Idempotency-Key": "a b"}},
    {"url": "/api/rounds", "content": b"{", "headers": {"Content-Type": "application/json"}},
    {"url": "/api/rounds", "json": {**bet_body("super21"), "more": 1}, "headers": new_key()},
    {"url": "/api/rounds", "json": {**bet_body("super21"), "level": "no"}, "headers": new_key()},
    {"url": "/api/rounds", "json": {**bet_body("super21"), "spots": "1"}, "headers": new_key()},
    {"url": "/api/rounds"},
    {"url": "/api/rounds/none/moves", "json": {"seq": 0, "choice": "fold"}},
    {"url": "/api/rounds/none/moves", "json": {"seq": 0.0, "choice": "fold"}},
    {"url": "/api/rounds/none/moves", "json": {"seq": 0, "choice": "jump"}},
    {"url": "/api/rounds/a/b/moves", "json": {"seq": 0, "choice": "fold"}},
)


@pytest.mark.parametrize("known", [True, False], ids=["a player", "nobody"])
def test_what_is_refused_is_refused_alike(tmp_path: Path, known: bool) -> None:
    async def try_it() -> None:
        async with (
            open_place(tmp_path) as place,
            place.guest() if known else place.browser() as client,
        ):
            for request in BROKEN:
                status, _, _ = await _both(client, request)
                assert 400 <= status < 500

    asyncio.run(try_it())
