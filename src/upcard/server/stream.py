"""Server-sent events: what a player's open tabs are told without asking.

A stream says how things stand, not how they came: of each subject - a meter, the balance, a round -
only the newest event waits for a slow reader, so that what waits is bounded.
"""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import orjson
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from upcard.house.rounds import House
from upcard.house.store import LEFT, News, StoreBusy, Told
from upcard.refused import Refused

HEARTBEAT_SECONDS = 15.0
"""A comment goes out after so long a silence, which tells both ends that the other is there."""
WAITING_MAX = 64
"""A reader that lets more subjects wait than this is let go; it may come back and look."""
HEARTBEAT = b":\n\n"
MEDIA_TYPE = "text/event-stream"


class Mailbox:
    """What one stream has yet to be told."""

    def __init__(self) -> None:
        self._waiting: dict[str, bytes] = {}
        self._subjects: set[str] = set()
        self._wake = asyncio.Event()
        self._closed = False

    def put(self, subject: str, chunk: bytes) -> None:
        """A newer event takes the place of an older one of the same subject, at the end."""
        self._waiting.pop(subject, None)
        self._waiting[subject] = chunk
        self._subjects.add(subject)
        self._wake.set()
        if len(self._waiting) > WAITING_MAX:
            self.close()

    def put_first(self, subject: str, chunk: bytes) -> None:
        """Only if this stream was told nothing of the subject yet."""
        if subject not in self._subjects:
            self.put(subject, chunk)

    def close(self) -> None:
        """Let the stream end when it has told what waits."""
        self._closed = True
        self._wake.set()

    async def take(self, seconds: float) -> bytes | None:
        """All that waits; a heartbeat after so many seconds of silence; None at the end."""
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            return HEARTBEAT
        chunk = b"".join(self._waiting.values())
        self._waiting.clear()
        if not self._closed:
            self._wake.clear()
        return chunk or None


class Hub:
    """All open streams of one process."""

    def __init__(
        self,
        house: House,
        *,
        per_player_max: int,
        heartbeat_seconds: float = HEARTBEAT_SECONDS,
        news: News | None = None,
    ) -> None:
        self._house = house
        self._per_player_max = per_player_max
        self.heartbeat_seconds = heartbeat_seconds
        self._boxes: defaultdict[str, set[Mailbox]] = defaultdict(set)
        self._meters: dict[str, tuple[int, int]] = {}
        self._moved = False
        self._look: asyncio.Task[None] | None = None
        self._closed = False
        self._news = news
        self._heard: dict[str, set[str]] = {}
        """Players with streams here of whom other processes told, and their rounds."""
        self._looking: asyncio.Task[None] | None = None

    def listen(self) -> None:
        """Hear from now on what other processes of this house tell."""
        if self._news:
            # Where something may have been missed, whoever comes back is told how things stand.
            self._news.listen(self._hear, self._end_streams)

    @property
    def open_streams(self) -> int:
        return sum(map(len, self._boxes.values()))

    @contextmanager
    def mailbox(self, player: str) -> Iterator[Mailbox]:
        """A new mailbox of a player, for as long as its stream is open."""
        box = Mailbox()
        for key, (epoch, amount) in self._meters.items():
            box.put(f"meter/{key}", _meter(key, epoch, amount))
        self._boxes[player].add(box)
        if self._closed:
            box.close()
        try:
            self.look_at_meters()
            yield box
        finally:
            self._boxes[player].discard(box)
            if not self._boxes[player]:
                del self._boxes[player]

    def check_room(self, player: str) -> None:
        """Raises Refused (`rate`) if the player has as many streams open as one may."""
        if len(self._boxes.get(player, ())) >= self._per_player_max:
            raise Refused(
                "rate", f"A player may have {self._per_player_max} streams open; close one first."
            )

    def tell_round(self, player: str, answer: str) -> None:
        """Tell a player's tabs what a bet or move did; `answer` is its answer as text."""
        if player in self._boxes or self._news:
            told = orjson.loads(answer)
            self._tell(player, f"round/{told['round']}", _round(told["round"], told["seq"]))
            self._told_here(player, told["balance"], told["round"])
        self.look_at_meters()

    def tell_balance(self, player: str, balance: int) -> None:
        """Tell a player's tabs what may be staked now."""
        self._told_here(player, balance)

    def _told_here(self, player: str, balance: int, round_: str = "") -> None:
        self._tell(player, "balance", _balance(balance))
        if self._news:
            self._news.tell(player, round_)
        if self._looking and not self._looking.done() and player in self._boxes:
            # What is being read there may be older than this.
            self._heard.setdefault(player, set())

    def _hear(self, told: list[Told]) -> None:
        """Other processes played; look at what those see who watch it here."""
        for player, round_ in told:
            if round_ == LEFT:
                self._leave(player)
            elif player in self._boxes:
                self._heard.setdefault(player, set()).update({round_} - {""})
        if self._heard and (self._looking is None or self._looking.done()):
            self._looking = asyncio.create_task(self._tell_heard())
        self.look_at_meters()

    async def _tell_heard(self) -> None:
        """How things stand now, whatever came in which order."""
        try:
            while self._heard:
                player, rounds = self._heard.popitem()
                for round_ in rounds:
                    seq = await self._house.seq(player, round_)
                    self._tell(player, f"round/{round_}", _round(round_, seq))
                balance = await self._house.balance(player)
                if player not in self._heard:
                    self._tell(player, "balance", _balance(balance))
        except StoreBusy:
            self._end_streams()

    def look_at_meters(self) -> None:
        """Read the meters soon and tell all streams those that moved; close calls are one look."""
        self._moved = bool(self._boxes)
        if self._moved and (self._look is None or self._look.done()):
            self._look = asyncio.create_task(self._tell_meters())

    async def _tell_meters(self) -> None:
        while self._moved:
            self._moved = False
            for meter in (await self._house.jackpots())["jackpots"]:
                self._tell_meter(meter["key"], meter["epoch"], meter["amount"])

    def _tell_meter(self, key: str, epoch: int, amount: int) -> None:
        if (epoch, amount) <= self._meters.get(key, (0, 0)):
            return
        self._meters[key] = (epoch, amount)
        chunk = _meter(key, epoch, amount)
        for boxes in self._boxes.values():
            for box in boxes:
                box.put(f"meter/{key}", chunk)

    def _tell(self, player: str, subject: str, chunk: bytes) -> None:
        for box in self._boxes.get(player, ()):
            box.put(subject, chunk)

    def leave(self, player: str) -> None:
        """End a player's streams, in all processes: whose session goes on comes back by itself."""
        self._leave(player)
        if self._news:
            self._news.tell(player, LEFT)

    def _leave(self, player: str) -> None:
        for box in self._boxes.get(player, ()):
            box.close()

    def close(self) -> None:
        """End every stream, and those that open later at once."""
        self._closed = True
        self._end_streams()

    def _end_streams(self) -> None:
        for boxes in self._boxes.values():
            for box in boxes:
                box.close()


class EventStream(Response):
    """The response of one stream: first how things stand, then what changes, until either ends."""

    def __init__(self, hub: Hub, house: House, player: str) -> None:
        super().__init__(media_type=MEDIA_TYPE)
        self._hub = hub
        self._house = house
        self._player = player

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", MEDIA_TYPE.encode()), (b"x-accel-buffering", b"no")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        with self._hub.mailbox(self._player) as box:
            watch = asyncio.create_task(_close_when_gone(receive, box))
            try:
                session = await self._house.session(self._player)
                box.put_first("balance", _balance(session["balance"]))
                while chunk := await box.take(self._hub.heartbeat_seconds):
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
            finally:
                watch.cancel()
        await send({"type": "http.response.body", "body": b""})


async def _close_when_gone(receive: Receive, box: Mailbox) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    box.close()


# Wire form


def _event(name: str, body: dict[str, Any]) -> bytes:
    return f"event: {name}\ndata: {json.dumps(body, separators=(',', ':'))}\n\n".encode()


def _meter(key: str, epoch: int, amount: int) -> bytes:
    return _event("meter", {"key": key, "amount": amount, "epoch": epoch})


def _balance(balance: int) -> bytes:
    return _event("balance", {"balance": balance})


def _round(id_: str, seq: int) -> bytes:
    return _event("round", {"id": id_, "seq": seq})
