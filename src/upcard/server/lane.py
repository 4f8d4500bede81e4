"""The fast lane: a bet or a move that is plainly right, without the framework's way of reading it.

Only these two are asked for thousands of times a second, and most of what such a request costs is
to find its route, its parts and its form by inspection. What is not as it should be is left to the
gate and the routes of `app`, which say what is wrong; what is accepted here is what they accept,
by the same types and functions.
"""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, NamedTuple, TypeVar

import orjson
from pydantic import ValidationError
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from upcard.house.rounds import Visitor
from upcard.refused import Refused
from upcard.server import wire
from upcard.server.desk import Desk
from upcard.server.gate import (
    BODY_BYTES_MAX,
    NO_STORE,
    beyond_doubt,
    receive_again,
    standing_headers,
)
from upcard.server.problems import as_refused, problem
from upcard.server.seen import BETS, ROUTE_OF_MOVES, Seen, Watch

_MOVES = re.compile(rf"{BETS}/([0-9a-f]{{1,64}})/moves")
"""Ids as the house gives them; whatever else stands there is no round."""
_KEY = wire.KEY_HEADER.lower().encode()
_JSON = (b"content-type", b"application/json")

Header = tuple[bytes, bytes]
M = TypeVar("M", bound=wire.Strict)


class Answered(NamedTuple):
    """A response; its length is not yet among the headers."""

    status: int
    headers: tuple[Header, ...]
    body: bytes


class Lane:
    """Answers bets and moves that are plainly right, and knows which are.

    It is also ASGI middleware before the gate, for a server that does not ask it itself.
    """

    def __init__(self, app: ASGIApp, desk: Desk, watches: Sequence[Watch] = ()) -> None:
        self._app = app
        self._desk = desk
        self._watches = watches
        self._headers = (_JSON, *standing_headers(desk.site.is_secure), NO_STORE)

    @staticmethod
    def may_take(path: str) -> bool:
        """Whether a POST to this path could be a bet or a move."""
        return path == BETS or _MOVES.fullmatch(path) is not None

    def ask(
        self, path: str, headers: Sequence[Header], body: bytes, peer: str
    ) -> Coroutine[Any, Any, Answered] | None:
        """What answers a POST, or None where it is not plainly right. Header names are small."""
        named = dict(headers)
        if len(named) < len(headers) or not beyond_doubt(self._desk.site, named):
            return None  # one header twice is for those who read them one by one
        if path == BETS:
            return self._bet(named, body, peer)
        if moves := _MOVES.fullmatch(path):
            return self._move(moves[1], named, body, peer)
        return None

    def _bet(
        self, headers: dict[bytes, bytes], body: bytes, peer: str
    ) -> Coroutine[Any, Any, Answered] | None:
        bet, desk = _plainly(wire.Bet, body), self._desk
        if bet is None:
            return None
        try:
            request, key = bet.request(), wire.checked_key([headers[_KEY].decode("latin-1")])
        except (KeyError, Refused):
            return None
        return self._answered(
            BETS, 201, headers, peer, lambda visitor: desk.bet(visitor, key, request)
        )

    def _move(
        self, round_: str, headers: dict[bytes, bytes], body: bytes, peer: str
    ) -> Coroutine[Any, Any, Answered] | None:
        move, desk = _plainly(wire.Move, body), self._desk
        if move is None:
            return None
        return self._answered(
            ROUTE_OF_MOVES, 200, headers, peer, lambda visitor: desk.move(visitor, round_, move)
        )

    async def _answered(
        self,
        route: str,
        status: int,
        headers: dict[bytes, bytes],
        peer: str,
        act: Callable[[Visitor], Awaitable[str]],
    ) -> Answered:
        began, desk, code = time.perf_counter(), self._desk, None
        try:
            with desk.traffic:
                desk.rates.address.take(desk.site.address_of(peer, headers))
                visitor = await desk.visitor(self._token(headers))
                answered = Answered(status, self._headers, (await act(visitor)).encode())
        except Exception as error:
            no = as_refused(error, "POST", route)
            code = no.code
            said = problem(no)
            more = [pair for pair in said.raw_headers if pair[0] != b"content-length"]
            answered = Answered(said.status_code, (*more, *self._headers[1:]), bytes(said.body))
        for watch in self._watches:
            seconds = time.perf_counter() - began
            watch(Seen("POST", route, answered.status, code, seconds))
        return answered

    def _token(self, headers: dict[bytes, bytes]) -> str | None:
        cookies = headers.get(b"cookie", b"").decode("latin-1")
        return cookie_parser(cookies).get(self._desk.site.cookie)

    # For other servers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_post = scope["type"] == "http" and scope["method"] == "POST"
        if not (is_post and self.may_take(scope["path"])):
            return await self._app(scope, receive, send)
        messages, body = [await receive()], b""
        while messages[-1]["type"] == "http.request":
            body += messages[-1].get("body", b"")
            if not messages[-1].get("more_body", False) or len(body) > BODY_BYTES_MAX:
                break
            messages.append(await receive())
        is_whole = messages[-1]["type"] == "http.request" and len(body) <= BODY_BYTES_MAX
        peer = scope["client"][0] if scope.get("client") else ""
        answering = self.ask(scope["path"], scope["headers"], body, peer) if is_whole else None
        if answering is None:
            return await self._app(scope, receive_again(messages, receive), send)
        status, headers, content = await answering
        length = (b"content-length", str(len(content)).encode())
        started = {"type": "http.response.start", "status": status, "headers": [length, *headers]}
        await send(started)
        await send({"type": "http.response.body", "body": content})


def _plainly(model: type[M], body: bytes) -> M | None:
    """The request that a body is, or None if that is not plain.

    The framework reads with the standard library's json, which takes everything that is taken here
    and finds the same in it, and some more.
    """
    try:
        return model.model_validate(orjson.loads(body))
    except (ValidationError, ValueError):
        return None
