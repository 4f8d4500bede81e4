"""Requests that nobody should send: each is answered with a sentence or does no harm.

The player has a round open in every game, so that no bet can be right, and no move names the seq it
stands at: whatever is accepted, balances and journal stay as they are (contract: a refused request
has changed nothing, and every refusal has its code and sentence).
"""

from __future__ import annotations

import asyncio
import copy
import json
import os
import random
import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.types import Message

from tests.server.place import BETS, Place, bet_body, open_bet, open_place
from upcard.server.problems import STATUSES
from upcard.server.rates import Limits, Rate

SOAK = bool(os.environ.get("UPCARD_SOAK"))
REQUESTS = 1_000_000 if SOAK else 50_000
REQUESTS_OF_A_PLACE = 10_000
"""So few that what a player sets for himself does not pile up."""
PLACES = REQUESTS // REQUESTS_OF_A_PLACE
SEED = int(os.environ.get("UPCARD_SEED", secrets.randbits(32) if SOAK else 20_270_115))
FREE = Rate(1e6, 10**6)
SECONDS_MAX = 60
"""How long one answer is waited for, on a machine that has much else to do."""

ODD: tuple[Any, ...] = (
    None, True, False, 1, -1, 7, 2**31, 2**53, 2**63, 2**64, 10**30, -(10**30), 0.5, 1e308, -1e-9,
    "", " ", "0", "x", "main", "top3", "é", "\x00", "\ud800", "\U0001f0a1", "{}", "%s%n", "{0}",
    "' OR 1=1 --", "../../etc/passwd", "<script>", "a" * 65, "a" * 20_000,
    [], {}, [[]], [None], {"": None}, {"main": 500}, [1] * 200, {"__proto__": {}},
)  # fmt: skip
WORDS = ("stand", "hit", "fold", "raise", "insurance", "surrender", "HIT", "stand ", "")
TYPES = ("application/json", "application/json; charset=utf-16", "text/plain", "", "a/b;c", "\xff")
PATHS = (
    "/api/rounds", "/api/rounds/{id}/moves", "/api/rounds/{id}", "/api/rounds/{id}/proof",
    "/api/rounds/open", "/api/rounds/x/coach", "/api/session", "/api/session/refill",
    "/api/stream", "/api/games", "/api/games/top3", "/api/games/ags/rules", "/api/jackpots",
    "/api/keys", "/api/house", "/api/me/limits", "/api/me/exclusion", "/api/me/export",
    "/api/account", "/api/account/login", "/api/account/password", "/healthz", "/openapi.json",
    "/", "/top3", "/assets/x", "/favicon.svg", "/..%2f..", "//", "/api//rounds", "/api/rounds/",
)  # fmt: skip
EVENTS = b"text/event-stream"
QUERIES = (
    "",
    "limit=5",
    "limit=-1",
    "before=x",
    "before=1e9",
    "decks=6",
    "decks=%00",
    "a=b&a",
    "=&=",
)
METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "get", "")


@dataclass(frozen=True, slots=True)
class Sent:
    method: str
    path: str
    query: str
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


@dataclass(frozen=True, slots=True)
class Told:
    status: int
    media_type: str
    body: bytes


async def ask(app: FastAPI, sent: Sent) -> Told:
    """One request past everything but the application: what arrives, arrives as it was sent."""
    status, headers, body = 0, {}, b""
    left = asyncio.Event()
    waiting: list[Message] = [
        {"type": "http.request", "body": sent.body, "more_body": False},
    ]

    async def receive() -> Message:
        if waiting:
            return waiting.pop()
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        nonlocal status, headers, body
        if message["type"] == "http.response.start":
            status, headers = message["status"], dict(message["headers"])
            if headers.get(b"content-type", b"").startswith(EVENTS):
                left.set()  # else the answer would have no end; all others are waited for
        body += message.get("body", b"")

    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": sent.method,
        "scheme": "http",
        "path": sent.path,
        "raw_path": sent.path.encode("utf-8", "replace"),
        "query_string": sent.query.encode(),
        "root_path": "",
        "headers": [(b"host", b"cards.test"), *sent.headers],
        "client": ("192.0.2.1", 1234),
        "server": ("cards.test", 80),
    }
    async with asyncio.timeout(SECONDS_MAX):
        await app(scope, receive, send)
    return Told(status, headers.get(b"content-type", b"").decode(), body)


class Sender:
    """Makes requests that are nearly right, from one random number generator."""

    def __init__(self, draw: random.Random, cookie: str, rounds: list[str]) -> None:
        self._draw = draw
        self._cookie = f"upcard={cookie}".encode("latin-1")
        self._rounds = rounds

    def request(self) -> Sent:
        draw = self._draw
        kind = draw.random()
        if kind < 0.4:
            sent = self._post("/api/rounds", self._bent(bet_body(draw.choice([*BETS]))))
        elif kind < 0.7:
            sent = self._post(f"/api/rounds/{draw.choice(self._rounds)}/moves", self._move())
        else:
            path = draw.choice(PATHS).replace("{id}", draw.choice(self._rounds))
            sent = self._post(path, draw.choice(ODD))
            sent = replace(sent, method=draw.choice(METHODS), query=draw.choice(QUERIES))
        return self._broken(sent) if draw.random() < 0.4 else sent

    def _post(self, path: str, document: Any) -> Sent:
        key = f"fuzz-{self._draw.getrandbits(40)}".encode()
        headers = (
            (b"content-type", b"application/json"),
            (b"cookie", self._cookie),
            (b"idempotency-key", key),
        )
        return Sent("POST", path, "", headers, json.dumps(document).encode())

    def _move(self) -> Any:
        draw = self._draw
        seq = draw.choice([odd for odd in ODD if odd != 0])
        move = {"seq": seq, "choice": draw.choice([*WORDS, *ODD])}
        if draw.random() < 0.2:
            move[str(draw.choice(WORDS))] = draw.choice(ODD)
        return move

    def _bent(self, document: Any) -> Any:
        """The document with up to three places changed, taken out, or added to."""
        bent = copy.deepcopy(document)
        for _ in range(self._draw.randrange(4)):
            inside = [part for part in parts(bent) if part]
            holder = self._draw.choice(inside)
            if isinstance(holder, dict):
                place: Any = self._draw.choice([*holder, "more"])
            else:
                place = self._draw.randrange(len(holder))
            if self._draw.random() < 0.2:
                holder.pop(place, None) if isinstance(holder, dict) else holder.pop(place)
            else:
                holder[place] = copy.deepcopy(self._draw.choice(ODD))
        return bent

    def _broken(self, sent: Sent) -> Sent:
        """Bytes of the body, a header or the path that are not as they should be."""
        draw = self._draw
        match draw.randrange(5):
            case 0:
                at = draw.randrange(len(sent.body) + 1)
                return replace(sent, body=sent.body[:at] + draw.randbytes(2) + sent.body[at + 1 :])
            case 1:
                return replace(sent, body=sent.body[: draw.randrange(len(sent.body) + 1)])
            case 2:
                at = draw.randrange(len(sent.headers))
                name, value = sent.headers[at]
                new = draw.choice([b"", b"x" * 300, b"\xff\xfe", value + value, draw.randbytes(9)])
                headers = (*sent.headers[:at], (name, new), *sent.headers[at + 1 :])
                return replace(sent, headers=headers)
            case 3:
                more = draw.choice(
                    [
                        (b"origin", draw.choice([b"http://evil.test", b"null", b"http://"])),
                        (b"idempotency-key", b"another"),
                        (b"content-type", draw.choice(TYPES).encode("latin-1")),
                        (b"x-forwarded-for", b"1.2.3.4, \xff"),
                        (b"content-length", b"-1"),
                    ]
                )
                return replace(sent, headers=(*sent.headers, more))
            case _:
                at = draw.randrange(len(sent.path) + 1)
                odd = draw.choice(["%", "/", "\x00", "..", "é", "\ud800", "?", "a" * 3_000, "\n"])
                return replace(sent, path=sent.path[:at] + odd + sent.path[at:])


def parts(document: Any) -> list[Any]:
    """Every object and list in a document."""
    found = []
    if isinstance(document, dict | list):
        found.append(document)
        for part in document.values() if isinstance(document, dict) else document:
            found += parts(part)
    return found


def check(sent: Sent, told: Told) -> None:
    where = (SEED, sent, told)
    assert 200 <= told.status < 500, where
    if told.status >= 400 and sent.method != "HEAD":
        assert told.media_type == "application/problem+json", where
        problem = json.loads(told.body)
        assert STATUSES[problem["code"]] == problem["status"] == told.status, where
        assert problem["detail"].endswith("."), where
        assert "\n" not in problem["detail"], where


async def money_and_journal(place: Place) -> Any:
    books = await place.store.books()
    return books.transfers, books.balances, books.rounds, books.steps, books.pools


async def fuzz(folder: Path, draw: random.Random, count: int) -> Counter[int]:
    """Send so many; how often each status was the answer."""
    limits = Limits(
        player=FREE, address=FREE, sessions=Rate(1e-6, 1), logins=FREE, login_names=FREE
    )
    statuses: Counter[int] = Counter()
    async with open_place(folder, limits=limits) as place, place.guest() as client:
        rounds = [(await open_bet(client, game))["round"] for game in BETS]
        sender = Sender(draw, client.cookies["upcard"], rounds)
        before = await money_and_journal(place)
        for _ in range(count):
            sent = sender.request()
            told = await ask(place.app, sent)
            check(sent, told)
            statuses[told.status] += 1
        assert await money_and_journal(place) == before, SEED
        await place.check_books()
    return statuses


def test_a_path_that_is_no_unicode_is_no_path(tmp_path: Path) -> None:
    """A lone surrogate is in no URL; whatever lets one through, no database is asked for it."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            cookie = (b"cookie", f"upcard={client.cookies['upcard']}".encode())
            for path in ("/api/rounds/\ud800", "/api/games/\ud800", "/\ud800"):
                told = await ask(place.app, Sent("GET", path, "", (cookie,), b""))
                assert told.status == 404
                check(Sent("GET", path, "", (cookie,), b""), told)

    asyncio.run(try_it())


@pytest.mark.parametrize("place", range(PLACES))
def test_bad_requests_are_refused_and_move_nothing(
    tmp_path: Path, place: int, say: Callable[[str], None]
) -> None:
    """A million of them in the long form, fifty thousand in the short one."""
    print(f"UPCARD_SEED={SEED} runs it again")
    statuses = asyncio.run(fuzz(tmp_path, random.Random(f"{SEED}/{place}"), REQUESTS_OF_A_PLACE))
    say(f"{REQUESTS_OF_A_PLACE} bad requests, answered with {dict(statuses)}")
    # Every kind of refusal was met, so that the requests reached where they should.
    assert statuses.keys() >= {200, 400, 401, 403, 404, 405, 409, 413, 415, 422}
