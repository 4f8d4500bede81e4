"""The fast lane: a bet or a move that is plainly right, without the framework's way of reading it.

Only these two are asked for thousands of times a second, and most of what such a request costs is
to find its route, its parts and its form by inspection. What is not as it should be is left to the
routes of `app`, which say what is wrong; what is accepted here is what they accept, by the same
types and functions.
"""

from __future__ import annotations

from typing import TypeVar

import orjson
from pydantic import ValidationError
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from upcard.server import wire
from upcard.server.desk import Desk
from upcard.server.gate import receive_again
from upcard.server.seen import BETS, MOVES

_JSON = (b"content-type", b"application/json")

M = TypeVar("M", bound=wire.Strict)


class Lane:
    """ASGI middleware, behind the gate: bodies are whole, of a fair size, and said to be JSON."""

    def __init__(self, app: ASGIApp, desk: Desk) -> None:
        self._app = app
        self._desk = desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "POST":
            path = scope["path"]
            if path == BETS:
                return await self._bet(scope, receive, send)
            if moves := MOVES.fullmatch(path):
                return await self._move(moves[1], scope, receive, send)
        return await self._app(scope, receive, send)

    async def _bet(self, scope: Scope, receive: Receive, send: Send) -> None:
        whole = await receive()
        bet = _plainly(wire.Bet, whole["body"])
        if bet is None:
            return await self._app(scope, receive_again(whole, receive), send)
        asked = HTTPConnection(scope)
        player = await self._desk.player(asked)
        key = wire.checked_key(asked.headers.getlist(wire.KEY_HEADER))
        answer = await self._desk.bet(player, key, bet.request())
        return await _send(answer, 201, send)

    async def _move(self, round_: str, scope: Scope, receive: Receive, send: Send) -> None:
        whole = await receive()
        move = _plainly(wire.Move, whole["body"])
        if move is None:
            return await self._app(scope, receive_again(whole, receive), send)
        player = await self._desk.player(HTTPConnection(scope))
        answer = await self._desk.move(player, round_, move)
        return await _send(answer, 200, send)


def _plainly(model: type[M], body: bytes) -> M | None:
    """The request that a body is, or None if that is not plain.

    The framework reads with the standard library's json, which takes everything that is taken here
    and finds the same in it, and some more.
    """
    try:
        return model.model_validate(orjson.loads(body))
    except (ValidationError, ValueError):
        return None


async def _send(text: str, status: int, send: Send) -> None:
    body = text.encode()
    headers = [(b"content-length", str(len(body)).encode()), _JSON]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
