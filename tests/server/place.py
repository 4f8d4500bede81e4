"""A house behind its HTTP interface, in this process: what the tests here talk to."""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from argon2 import PasswordHasher
from fastapi import FastAPI
from starlette.types import Message

from tests.clock import Clock
from upcard.house.audit import audit
from upcard.house.keys import key_for
from upcard.house.passwords import Passwords
from upcard.house.rounds import House, Settings
from upcard.house.store import Store
from upcard.house.store.opening import open_news, open_store
from upcard.server.app import create_app
from upcard.server.asking import desk_of
from upcard.server.coach import Coach
from upcard.server.rates import Limits

HERE = "http://cards.test"
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""Argon2 as a test can afford it."""
_KEYS = itertools.count()


@dataclass(slots=True)
class Place:
    store: Store
    house: House
    app: FastAPI
    clock: Clock

    @asynccontextmanager
    async def browser(self, base_url: str = HERE, **more: Any) -> AsyncIterator[httpx.AsyncClient]:
        """Someone who keeps cookies; without a session yet."""
        transport = httpx.ASGITransport(self.app, client=("192.0.2.1", 1234))
        async with httpx.AsyncClient(transport=transport, base_url=base_url, **more) as client:
            yield client

    @asynccontextmanager
    async def guest(self) -> AsyncIterator[httpx.AsyncClient]:
        async with self.browser() as client:
            assert (await client.post("/api/session", json={})).status_code == 201
            yield client

    async def what_moves(self, *clients: httpx.AsyncClient) -> Any:
        """What must be the same after a refusal: transfers, rounds, and each one's next bets."""
        books = await self.store.books()
        sessions = [(await client.get("/api/session")).json() for client in clients]
        return len(books.transfers), [(each.id, each.seq) for each in books.rounds], sessions

    async def check_books(self) -> None:
        found = audit(await self.store.books())
        assert not [check.sentence for check in found if not check.ok]


@asynccontextmanager
async def open_place(
    folder: Path,
    *,
    limits: Limits | None = None,
    public_url: str | None = None,
    settings: Settings | None = None,
    entropy: Callable[[int], bytes] = secrets.token_bytes,
    url: str | None = None,
    **more: Any,
) -> AsyncIterator[Place]:
    """One process of a house: over a file in the folder, or over the database that is named."""
    clock = Clock()
    url = url or str(folder / "house.db")
    store, news = open_store(url), open_news(url)
    coach = Coach(folder / "coach.sock")
    try:
        passwords = Passwords(CHEAP)
        key = key_for(None, folder / "house.db", await store.keys())
        house = House(
            store,
            clock=clock,
            entropy=entropy,
            settings=settings,
            passwords=passwords,
            key=key,
        )
        await house.open()
        app = create_app(
            house,
            public_url=public_url,
            limits=limits,
            coach=coach,
            news=news,
            clock=clock,
            **more,
        )
        desk_of(app).hub.listen()
        yield Place(store, house, app, clock)
    finally:
        if news:
            await news.close()
        await coach.close()
        await store.close()


BETS: dict[str, dict[str, Any]] = {
    "top3": {
        "game": "top3",
        "level": "low",
        "spots": [{"spot": 1, "bets": {"main": 1000, "classic": 100}}],
    },
    "threecard": {
        "game": "threecard",
        "level": "table",
        "spots": [{"spot": 1, "bets": {"ante": 500}}],
    },
    "super21": {
        "game": "super21",
        "level": "table",
        "spots": [{"spot": 1, "bets": {"main": 500}}],
    },
    "ags": {
        "game": "ags",
        "level": "table",
        "spots": [{"spot": 1, "bets": {"main": 500}}],
    },
}
"""A plain bet in each game, but for the client seed."""


def bet_body(game: str, **more: Any) -> dict[str, Any]:
    return {**BETS[game], "client_seed": "seed", **more}


def new_key() -> dict[str, str]:
    return {"Idempotency-Key": f"key-{next(_KEYS)}"}


async def bet(client: httpx.AsyncClient, game: str, **more: Any) -> dict[str, Any]:
    response = await client.post("/api/rounds", json=bet_body(game, **more), headers=new_key())
    assert response.status_code == 201, response.text
    answer: dict[str, Any] = response.json()
    return answer


async def open_bet(client: httpx.AsyncClient, game: str, **more: Any) -> dict[str, Any]:
    """Bet until a round stays open for a choice."""
    while True:
        answer = await bet(client, game, **more)
        if answer["status"] == "open":
            return answer


async def choose(
    client: httpx.AsyncClient, answer: dict[str, Any], choice: str | None = None
) -> dict[str, Any]:
    """Make a choice, by default the first that is offered."""
    body = {"seq": answer["seq"], "choice": choice or answer["choices"][0]["choice"]}
    response = await client.post(f"/api/rounds/{answer['round']}/moves", json=body)
    assert response.status_code == 200, response.text
    moved: dict[str, Any] = response.json()
    return moved


async def finish(client: httpx.AsyncClient, answer: dict[str, Any]) -> dict[str, Any]:
    while answer["status"] == "open":
        answer = await choose(client, answer)
    return answer


@dataclass(slots=True)
class Stream:
    """An open event stream, read as it comes; httpx would wait for its end in this process."""

    app: FastAPI
    cookie: str
    status: int = 0
    text: str = ""
    _task: asyncio.Task[None] | None = None
    _left: asyncio.Event = field(default_factory=asyncio.Event)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def open(self) -> None:
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": "/api/stream",
            "raw_path": b"/api/stream",
            "query_string": b"",
            "root_path": "",
            "headers": [(b"host", b"cards.test"), (b"cookie", self.cookie.encode())],
            "client": ("192.0.2.1", 1234),
            "server": ("cards.test", 80),
        }
        self._task = asyncio.create_task(self.app(scope, self._receive, self._send))

    async def _receive(self) -> Message:
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        self.status = message.get("status", self.status)
        self.text += message.get("body", b"").decode()
        self._news.set()

    async def until(self, text: str, since: int = 0) -> None:
        """Wait until the stream has said so, after its first so many characters."""
        async with asyncio.timeout(30):
            while text not in self.text[since:]:
                self._news.clear()
                await self._news.wait()

    async def close(self) -> None:
        """Leave, and wait until the other side has noticed."""
        self._left.set()
        await self.ended()

    async def ended(self) -> None:
        assert self._task is not None
        async with asyncio.timeout(30):
            await self._task


@asynccontextmanager
async def stream_of(place: Place, client: httpx.AsyncClient) -> AsyncIterator[Stream]:
    """An open stream of the client's player, which has said how things stand."""
    stream = Stream(place.app, f"upcard={client.cookies['upcard']}")
    stream.open()
    try:
        await stream.until("event: balance")
        await stream.until("event: meter")
        yield stream
    finally:
        await stream.close()
