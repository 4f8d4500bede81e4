"""The gate around every request: rate, Origin, body, headers, and who is still inside."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from upcard.refused import Refused
from upcard.server.problems import as_refused, nothing_here, problem
from upcard.server.rates import Rates
from upcard.server.seen import REFUSED, Seen, Watch, method_of, route_of
from upcard.server.sessions import SAFE_METHODS, Site

BODY_BYTES_MAX = 16_384
DISCARDED_BYTES_MAX = 4_194_304
SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        "object-src 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Origin-Agent-Cluster": "?1",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Permitted-Cross-Domain-Policies": "none",
}

_SECURITY = tuple(
    (name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()
)
_HTTPS_ALONE = (b"strict-transport-security", b"max-age=31536000")
"""Of a house that is reached by https: browsers never ask it otherwise again."""
NO_STORE = (b"cache-control", b"no-store")
_NO_CACHE = (b"cache-control", b"no-cache")


def standing_headers(is_secure: bool) -> tuple[tuple[bytes, bytes], ...]:
    """What every answer bears, besides how long it may be kept."""
    return (*_SECURITY, _HTTPS_ALONE) if is_secure else _SECURITY


class Traffic:
    """Who is inside, so that a house which stops lets them finish and nobody else in.

    `with traffic:` is being inside. Raises Refused (`unavailable`) once the house stops.
    """

    def __init__(self) -> None:
        self._inside = 0
        self._stopping = False
        self._empty = asyncio.Event()
        self._empty.set()

    def __enter__(self) -> None:
        if self._stopping:
            raise Refused("unavailable", "The house is stopping; try again in a moment.")
        self._inside += 1
        self._empty.clear()

    def __exit__(self, *error: object) -> None:
        self._inside -= 1
        if not self._inside:
            self._empty.set()

    def stop(self) -> None:
        self._stopping = True

    async def empty(self) -> None:
        """Wait until nobody is inside."""
        await self._empty.wait()


class _Gone(Exception):
    """The other end left before its request was whole."""


@dataclass(frozen=True, slots=True)
class Gate:
    """ASGI middleware. Also answers for whatever breaks inside, without saying what it was."""

    app: ASGIApp
    site: Site
    rates: Rates
    traffic: Traffic
    watches: Sequence[Watch] = ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        began = time.perf_counter()
        is_api = scope["path"].startswith("/api")
        answer = _Answer(send, is_api=is_api, is_secure=self.site.is_secure)
        try:
            await self._pass(scope, receive, answer)
        finally:
            if self.watches and answer.status:
                self._tell(scope, answer.status, time.perf_counter() - began)

    async def _pass(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        try:
            with self.traffic:
                receive = await self._checked(scope, receive)
                await self.app(scope, receive, answer.send)
        except _Gone:
            return
        except Exception as error:
            refused = as_refused(error, method_of(scope), route_of(scope))
            scope[REFUSED] = refused.code
            if not answer.status:
                await problem(refused)(scope, receive, answer.send)

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        seen = Seen(
            method=method_of(scope),
            route=route_of(scope),
            status=status,
            code=scope.get(REFUSED),
            seconds=seconds,
        )
        for watch in self.watches:
            watch(seen)

    async def _checked(self, scope: Scope, receive: Receive) -> Receive:
        """What the request may be read from. Raises Refused and _Gone."""
        if not _is_unicode(scope["path"]):
            raise nothing_here()
        asked = HTTPConnection(scope)
        headers = asked.headers
        self.rates.address.take(self.site.address(asked))
        self.site.check_origin(scope["method"], headers)
        if scope["method"] in SAFE_METHODS:
            return receive
        body = await _body(receive)
        if body and _media_type(headers) != "application/json":
            raise Refused(
                "media_type", "The body must be JSON; say Content-Type: application/json."
            )
        whole = {"type": "http.request", "body": body, "more_body": False}
        return receive_again([whole], receive)


class _Answer:
    """Passes an answer on with the headers that every answer bears."""

    def __init__(self, send: Send, *, is_api: bool, is_secure: bool) -> None:
        self._send = send
        self._is_api = is_api
        self._is_secure = is_secure
        self.status = 0

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = [*message["headers"], *standing_headers(self._is_secure)]
            if not any(name.lower() == b"cache-control" for name, _ in message["headers"]):
                headers.append(NO_STORE if self._is_api else _NO_CACHE)
            message["headers"] = headers
        await self._send(message)


async def _body(receive: Receive) -> bytes:
    """The whole body. Raises Refused (`too_large`), and _Gone.

    What is too much is read, so that the other end gets to hear why, but not kept.
    """
    body, size, is_whole = b"", 0, False
    while not is_whole and size <= DISCARDED_BYTES_MAX:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _Gone
        part = message.get("body", b"")
        size += len(part)
        body = body + part if size <= BODY_BYTES_MAX else b""
        is_whole = not message.get("more_body", False)
    if size > BODY_BYTES_MAX:
        raise Refused("too_large", f"A body may have {BODY_BYTES_MAX} bytes; this has more.")
    return body


def _is_unicode(path: str) -> bool:
    """A server that reads paths leniently leaves surrogates in one, and no database takes them."""
    if path.isascii():
        return True
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _media_type(headers: Headers) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def beyond_doubt(site: Site, headers: Mapping[bytes, bytes]) -> bool:
    """Whether a POST with these headers, each once, passes the gate whatever its JSON says."""
    media_type = headers.get(b"content-type", b"")
    if media_type != b"application/json" or b"transfer-encoding" in headers:
        return False
    origin = headers.get(b"origin")
    return origin is None or site.is_own(origin.decode("latin-1"), _host(headers))


def _host(headers: Mapping[bytes, bytes]) -> str:
    return headers.get(b"host", b"").decode("latin-1")


def receive_again(messages: Sequence[Message], receive: Receive) -> Receive:
    """Give messages that were read once more, then whatever comes."""
    read = list(reversed(messages))

    async def again() -> Message:
        return read.pop() if read else await receive()

    return again
