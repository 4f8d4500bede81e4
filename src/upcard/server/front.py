"""The HTTP server: uvicorn's protocol on our own event loop, with the fast lane in front.

uvicorn parses (by httptools) and serves the ASGI application. A bet or a move that the lane takes
is answered without a scope, a cycle and messages; whatever the lane leaves goes on to uvicorn as if
nothing had been. Ours besides: how long a request may take to come, how large its head may be, how
many connections there may be, and an orderly end.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Coroutine
from email.utils import formatdate
from functools import lru_cache
from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.server import ServerState

from upcard.server.app import App
from upcard.server.gate import BODY_BYTES_MAX
from upcard.server.lane import Answered, Header, Lane

BACKLOG = 1_024
CONNECTIONS_MAX = 20_000
HEAD_BYTES_MAX = 65_536
"""More than any browser sends before a body."""
IDLE_SECONDS_MAX = 75.0
"""What a connection gets to send a whole request, from the answer before it or its beginning."""
LOOK_SECONDS = 1.0
CLOSE_SECONDS_MAX = 0.5


class Server:
    """Serves an application at an address until it is stopped. `shared`: other processes too.

    Port 0 takes a free one; `port` then says which.
    """

    port: int

    def __init__(self, app: App, ip: str, port: int, *, shared: bool = False) -> None:
        self._config = Config(
            app,
            interface="asgi3",
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",  # what breaks is noted by the gate
            access_log=False,
            proxy_headers=False,
            timeout_keep_alive=round(IDLE_SECONDS_MAX),
        )
        self._config.load()
        self._lane = app.lane
        self._address = (ip, port)
        self._shared = shared
        self._state = ServerState()
        self._listening: asyncio.Server | None = None
        self._looking: asyncio.TimerHandle | None = None

    @property
    def connections(self) -> list[Connection]:
        return [each for each in self._state.connections if isinstance(each, Connection)]

    async def start(self) -> None:
        """Take connections from now on. Raises OSError."""
        loop = asyncio.get_running_loop()
        self._look()
        ip, port = self._address
        sock = bound(ip, port, shared=self._shared)
        self.port = sock.getsockname()[1]
        self._listening = await loop.create_server(
            lambda: Connection(self._config, self._state, self._lane), sock=sock, backlog=BACKLOG
        )

    async def stop(self) -> None:
        """Take no more, let go of those that wait, and of the others in a moment."""
        assert self._listening is not None
        assert self._looking is not None
        self._listening.close()
        self._looking.cancel()
        for connection in self.connections:
            connection.shutdown()
        deadline = time.monotonic() + CLOSE_SECONDS_MAX
        while self.connections and time.monotonic() < deadline:
            await asyncio.sleep(0.01)
        for connection in self.connections:
            connection.transport.abort()

    def _look(self) -> None:
        """Now and then: what time it is, and who has been silent too long."""
        loop = asyncio.get_running_loop()
        self._looking = loop.call_later(LOOK_SECONDS, self._look)
        self._state.default_headers = [(b"date", formatdate(usegmt=True).encode())]
        latest = loop.time() - IDLE_SECONDS_MAX
        for connection in self.connections:
            if connection.waiting_since < latest:
                connection.transport.abort()


def bound(ip: str, port: int, *, shared: bool) -> socket.socket:
    """A socket at an address; `shared` with other processes, among which the kernel deals.

    Raises OSError.
    """
    family = socket.AF_INET6 if ":" in ip else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        sock.bind((ip, port))
    except OSError:
        sock.close()
        raise
    return sock


class _Wake:
    """An event that nobody waits for."""

    def set(self) -> None:
        """Wake nobody."""


class _InLane:
    """Stands where uvicorn keeps the request that it answers, while the lane does.

    What comes behind it on the same connection waits then, as it would behind one of uvicorn's.
    """

    __slots__ = ("disconnected", "keep_alive", "response_complete")
    message_event = _Wake()

    def __init__(self) -> None:
        self.disconnected = False
        self.keep_alive = True
        self.response_complete = False


NEVER = float("inf")


class Connection(HttpToolsProtocol):
    """One connection. `waiting_since` is when we began to wait for a request of it."""

    def __init__(self, config: Config, state: ServerState, lane: Lane) -> None:
        super().__init__(config, state, {})
        self._lane = lane
        self._in_head = True
        self._head_bytes = self._chunk_bytes = 0
        self._lane_body: bytes | None = None
        self._in_lane = _InLane()
        self._answering: asyncio.Task[None] | None = None
        self.waiting_since = NEVER

    # From the transport

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.waiting_since = self.loop.time()
        if len(self.connections) > CONNECTIONS_MAX:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        self._chunk_bytes = len(data)
        super().data_received(data)
        if self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES_MAX:
                self.transport.abort()

    # From the parser

    def on_message_begin(self) -> None:
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._head_bytes = -self._chunk_bytes  # what of it is of the next one is not counted
        if self._may_be_for_lane():
            self._lane_body = b""
        else:
            super().on_headers_complete()

    def _may_be_for_lane(self) -> bool:
        return (
            (self.cycle is None or self.cycle.response_complete)
            and self.parser.get_method() == b"POST"
            and self._lane.may_take(self.url.decode("latin-1"))
            and not self.expect_100_continue
            and self.parser.get_http_version() == "1.1"
            and self.parser.should_keep_alive()
            and not self.parser.should_upgrade()
        )

    def on_body(self, body: bytes) -> None:
        if self._lane_body is None:
            super().on_body(body)
            return
        self._lane_body += body
        if len(self._lane_body) > BODY_BYTES_MAX:
            self._leave_lane()

    def on_message_complete(self) -> None:
        if self._lane_body is None:
            if not self.cycle.response_complete:
                self.waiting_since = NEVER
            super().on_message_complete()
            return
        self.waiting_since = NEVER
        peer = self.client[0] if self.client else ""
        answering = self._lane.ask(self.url.decode("latin-1"), self.headers, self._lane_body, peer)
        if answering is None:
            self._leave_lane()
            super().on_message_complete()
            return
        self._lane_body = None
        self._in_lane.response_complete = False
        self.cycle = self._in_lane  # type: ignore[assignment]
        self._answering = self.loop.create_task(self._answer(answering))

    def _leave_lane(self) -> None:
        """Go on as if there were no lane."""
        body, self._lane_body = self._lane_body, None
        super().on_headers_complete()
        if body:
            super().on_body(body)

    async def _answer(self, answering: Coroutine[Any, Any, Answered]) -> None:
        status, headers, body = await answering
        if self.flow.write_paused:
            await self.flow.drain()  # who does not read is sent no more, and read no further
        cycle = self._in_lane  # others may stand behind it by now
        cycle.response_complete = True
        if self.transport.is_closing():
            return
        more = self.server_state.default_headers
        length = b"content-length: %d\r\n" % len(body)
        close = b"\r\n" if cycle.keep_alive else b"connection: close\r\n\r\n"
        head = (_head(status, headers), *(b"%b: %b\r\n" % pair for pair in more), length, close)
        self.transport.write(b"".join((*head, body)))
        if not cycle.keep_alive:
            self.transport.close()
        self.on_response_complete()

    def on_response_complete(self) -> None:
        """As uvicorn's, without a timer for each answer: the server looks for the silent ones."""
        if self.transport.is_closing():
            return
        self.waiting_since = self.loop.time()
        self.flow.resume_reading()
        if self.pipeline:
            cycle, app = self.pipeline.pop()
            if not cycle.more_body:
                self.waiting_since = NEVER
            self._start_asgi_task(cycle, app)


@lru_cache(maxsize=64)
def _head(status: int, headers: tuple[Header, ...]) -> bytes:
    return b"".join([STATUS_LINE[status], *(b"%b: %b\r\n" % pair for pair in headers)])
