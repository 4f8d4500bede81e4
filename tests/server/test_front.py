"""The HTTP server over real sockets: the fast lane in front, and what uvicorn does not see to."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT

from tests.server.place import Place, bet_body, open_place
from upcard.server import front
from upcard.server.front import Server
from upcard.server.gate import BODY_BYTES_MAX, SECURITY_HEADERS

UNREAD = 500
"""So many answers are more than sockets and streams have room for."""
Come = Callable[[], Awaitable["Wire"]]
Told = tuple[int, dict[str, str], bytes]


class Wire:
    """One connection, spoken to in bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.cookie = ""

    def send(
        self, method: str, path: str, body: bytes = b"", version: str = "1.1", **more: str
    ) -> None:
        named = {"host": "cards.test", "cookie": self.cookie, "content-length": str(len(body))}
        named |= {name.replace("_", "-"): value for name, value in more.items()}
        if body:
            named.setdefault("content-type", "application/json")
        head = "".join(f"{name}: {value}\r\n" for name, value in named.items() if value)
        self.writer.write(f"{method} {path} HTTP/{version}\r\n{head}\r\n".encode() + body)

    async def heard(self) -> Told:
        async with asyncio.timeout(30):
            line, *lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
            headers = dict(each.split(": ", 1) for each in lines)
            assert len(headers) == len(lines), "a header is sent once"
            body = await self.reader.readexactly(int(headers.get("content-length", "0")))
        return int(line.split()[1]), headers, body

    async def ended(self) -> bool:
        async with asyncio.timeout(30):
            try:
                return await self.reader.read(1) == b""
            except ConnectionResetError:
                return True

    async def asked(self, *request: Any, **more: Any) -> Told:
        self.send(*request, **more)
        return await self.heard()


def bet(**more: Any) -> bytes:
    return json.dumps(bet_body("threecard", **more)).encode()


@asynccontextmanager
async def fronted(
    folder: Path,
) -> AsyncIterator[tuple[Place, Server, Come]]:
    """A house behind its server, and how to come to it as a new guest."""
    async with open_place(folder) as place:
        server = Server(place.app, "127.0.0.1", 0)
        await server.start()
        wires: list[Wire] = []

        async def come() -> Wire:
            wire = Wire(*await asyncio.open_connection("127.0.0.1", server.port))
            wires.append(wire)
            status, headers, _ = await wire.asked("POST", "/api/session", b"{}")
            assert status == 201
            wire.cookie = headers["set-cookie"].partition(";")[0]
            return wire

        try:
            yield place, server, come
        finally:
            await server.stop()
            for wire in wires:
                wire.writer.close()


Try = Callable[[Place, Server, Come], Awaitable[None]]


def tried(folder: Path, try_it: Try) -> None:
    async def run() -> None:
        async with fronted(folder) as given:
            await try_it(*given)
            await given[0].check_books()

    asyncio.run(run())


def test_a_round_by_the_lane_bears_every_header(tmp_path: Path) -> None:
    """Each answer bears the security headers (docs/threats.md) and a length (RFC 9110, 8.6)."""

    async def try_it(place: Place, server: Server, come: Come) -> None:
        wire = await come()
        status, headers, body = await wire.asked("POST", "/api/rounds", bet(), idempotency_key="a")
        assert (status, headers["content-type"]) == (201, "application/json")
        assert {name.lower(): value for name, value in SECURITY_HEADERS.items()}.items() <= (
            headers.items()
        )
        assert (headers["cache-control"], "date" in headers) == ("no-store", True)
        round_ = json.loads(body)["round"]
        fold = b'{"seq": 0, "choice": "fold"}'
        status, _, body = await wire.asked("POST", f"/api/rounds/{round_}/moves", fold)
        assert (status, json.loads(body)["status"]) == (200, "settled")
        again = await wire.asked("POST", f"/api/rounds/{round_}/moves", fold)
        assert (again[0], again[2]) == (200, body)
        assert (await wire.asked("GET", f"/api/rounds/{round_}"))[0] == 200

    tried(tmp_path, try_it)


def test_requests_sent_at_once_are_answered_in_order(tmp_path: Path) -> None:
    """RFC 9112, 9.3.2: responses come in the order of their requests, by whatever way they went."""

    async def try_it(place: Place, server: Server, come: Come) -> None:
        wire = await come()
        wire.send("POST", "/api/rounds", bet(), idempotency_key="a")
        wire.send("GET", "/healthz")
        wire.send("POST", "/api/rounds", bet(), idempotency_key="a")
        wire.send("POST", "/api/rounds", b"{", idempotency_key="b")
        wire.send("POST", "/api/rounds", bet(), idempotency_key="a")
        told = [await wire.heard() for _ in range(5)]
        assert [status for status, _, _ in told] == [201, 200, 201, 400, 201]
        assert told[0][2] == told[2][2] == told[4][2]

    tried(tmp_path, try_it)


@pytest.mark.parametrize(
    ("more", "version"),
    [({"connection": "close"}, "1.1"), ({}, "1.0")],
    ids=["asked to close", "HTTP/1.0"],
)
def test_a_connection_ends_that_shall_not_stay(
    tmp_path: Path, more: dict[str, str], version: str
) -> None:
    """RFC 9112, 9.3 and 9.6."""

    async def try_it(place: Place, server: Server, come: Come) -> None:
        wire = await come()
        wire.send("POST", "/api/rounds", bet(), version, idempotency_key="a", **more)
        assert (await wire.heard())[0] == 201
        assert await wire.ended()

    tried(tmp_path, try_it)


def test_a_body_in_chunks_and_one_that_waits_to_be_asked_for(tmp_path: Path) -> None:
    """RFC 9112, 7.1, and RFC 9110, 10.1.1."""

    async def try_it(place: Place, server: Server, come: Come) -> None:
        wire = await come()
        told = await wire.asked("POST", "/api/rounds", bet(), idempotency_key="a")
        chunks = b"%x\r\n%b\r\n0\r\n\r\n" % (len(bet()), bet())
        wire.send(
            "POST",
            "/api/rounds",
            chunks,
            idempotency_key="a",
            content_length="",
            transfer_encoding="chunked",
        )
        assert (await wire.heard())[2] == told[2]
        wire.send(
            "POST",
            "/api/rounds",
            content_length=str(len(bet())),
            content_type="application/json",
            idempotency_key="a",
            expect="100-continue",
        )
        assert (await wire.heard())[0] == 100
        wire.writer.write(bet())
        assert (await wire.heard())[2] == told[2]

    tried(tmp_path, try_it)


def test_a_bet_that_comes_in_pieces(tmp_path: Path) -> None:
    async def try_it(place: Place, server: Server, come: Come) -> None:
        wire = await come()
        sent: list[bytes] = []
        writer, wire.writer = wire.writer, _Kept(sent)  # type: ignore[assignment]
        wire.send("POST", "/api/rounds", bet(), idempotency_key="a")
        wire.writer = writer
        for at in range(0, len(sent[0]), 50):
            writer.write(sent[0][at : at + 50])
            await writer.drain()
            await asyncio.sleep(0)
        assert (await wire.heard())[0] == 201

    tried(tmp_path, try_it)


class _Kept:
    def __init__(self, sent: list[bytes]) -> None:
        self.write = sent.append


def test_a_bet_that_is_too_large_is_told_so(tmp_path: Path) -> None:
    async def try_it(place: Place, server: Server, come: Come) -> None:
        wire = await come()
        large = b" " * (BODY_BYTES_MAX + 1)
        status, _, body = await wire.asked("POST", "/api/rounds", large, idempotency_key="a")
        assert (status, json.loads(body)["code"]) == (413, "too_large")
        assert (await wire.asked("GET", "/healthz"))[0] == 200

    tried(tmp_path, try_it)


def test_a_head_without_an_end_is_not_kept(tmp_path: Path) -> None:
    """docs/threats.md: what somebody sends without an end fills no memory."""

    async def try_it(place: Place, server: Server, come: Come) -> None:
        wire = await come()
        wire.writer.write(b"GET / HTTP/1.1\r\nx: ")
        for _ in range(front.HEAD_BYTES_MAX // 1_000 + 1):
            wire.writer.write(b"x" * 1_000)
        assert await wire.ended()
        assert (await (await come()).asked("GET", "/healthz"))[0] == 200

    tried(tmp_path, try_it)


def test_who_is_silent_too_long_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """docs/threats.md: between two requests, and in the middle of one; who is answered may wait."""
    monkeypatch.setattr(front, "LOOK_SECONDS", 0.05)

    async def try_it(place: Place, server: Server, come: Come) -> None:
        between, within, behind, watching = [await come() for _ in range(4)]
        behind.send("GET", "/healthz")
        behind.send("POST", "/api/rounds", content_length="9", content_type="application/json")
        within.writer.write(b"GET /healthz HTTP/1.1\r\nHost:")
        watching.send("GET", "/api/stream")
        await watching.reader.readuntil(b"\r\n\r\n")
        monkeypatch.setattr(front, "IDLE_SECONDS_MAX", 0.1)
        assert await between.ended()
        assert await within.ended()
        assert (await behind.heard())[0] == 200
        assert await behind.ended()
        assert not watching.reader.at_eof()
        place.app.state.desk.hub.close()

    tried(tmp_path, try_it)


@pytest.mark.parametrize(
    "sent",
    [
        b"\0\0\0",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api/rounds HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/rounds HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        b"POST /api/rounds HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
)
def test_what_is_no_http_is_refused_and_ends_the_connection(tmp_path: Path, sent: bytes) -> None:
    """RFC 9112, 6.3: a length that is in doubt is how one request is hidden in another."""

    async def try_it(place: Place, server: Server, come: Come) -> None:
        wire = await come()
        wire.writer.write(sent)
        assert (await wire.heard())[0] == 400
        assert await wire.ended()
        assert (await (await come()).asked("GET", "/healthz"))[0] == 200

    tried(tmp_path, try_it)


@pytest.mark.parametrize("protocol", ["websocket", "h2c"])
def test_who_asks_for_another_protocol_is_answered_in_this_one(
    tmp_path: Path, protocol: str
) -> None:
    """RFC 9110, 7.8: a server may ignore it."""

    async def try_it(place: Place, server: Server, come: Come) -> None:
        wire = await come()
        told = await wire.asked("GET", "/healthz", upgrade=protocol, connection="Upgrade")
        assert told[0] == 200

    tried(tmp_path, try_it)


def test_who_does_not_read_is_answered_no_further(tmp_path: Path) -> None:
    """docs/threats.md: answers that nobody fetches fill no memory; they wait, and none is lost."""

    async def try_it(place: Place, server: Server, come: Come) -> None:
        wire = await come()
        (connection,) = server.connections
        sock = connection.transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_096)
        largest = 0
        for _ in range(UNREAD):
            wire.send("POST", "/api/rounds", bet(), idempotency_key="a")
            await asyncio.sleep(0.002)
            largest = max(largest, connection.transport.get_write_buffer_size())
        assert connection.flow.write_paused, "more was sent than the sockets have room for"
        told = [await wire.heard() for _ in range(UNREAD)]
        assert {status for status, _, _ in told} <= {201, 429}
        assert largest < HIGH_WATER_LIMIT + 2 * max(len(body) for _, _, body in told)

    tried(tmp_path, try_it)


def test_no_more_connections_than_there_is_room_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front, "CONNECTIONS_MAX", 2)

    async def try_it(place: Place, server: Server, come: Come) -> None:
        first, _ = await come(), await come()
        third = Wire(*await asyncio.open_connection("127.0.0.1", server.port))
        assert await third.ended()
        third.writer.close()
        assert (await first.asked("GET", "/healthz"))[0] == 200

    tried(tmp_path, try_it)


def test_a_server_that_stops_answers_what_is_under_way(tmp_path: Path) -> None:
    async def try_it(place: Place, server: Server, come: Come) -> None:
        waiting, asking = await come(), await come()
        asking.send("POST", "/api/rounds", bet(), idempotency_key="a")
        await asyncio.sleep(0.05)
        await server.stop()
        assert await waiting.ended()
        assert (await asking.heard())[0] == 201
        assert await asking.ended()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", server.port)

    tried(tmp_path, try_it)
