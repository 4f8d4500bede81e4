"""A player whose house dies now and then, with books of his own.

Knows the HTTP contract and nothing of Upcard's code. After every restart all that he was told must
still be there. A request that was not answered was taken whole or left no trace; sent again it has
one answer, the same however often it is sent.
"""

from __future__ import annotations

import http.client
import json
import random
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

from tests.house.kill_house import NOWHERE, SECONDS_MAX, Address, MortalHouse, Over

Json = dict[str, Any]

START = 10_000_000
"""What a guest starts with, in cents."""
PAGE_MAX = 100
TIME_DIGITS = 12
"""The id of a round begins with when it began, in milliseconds."""


class Lost(Exception):
    """No answer came. `in_flight` if the request had gone out whole before the house was killed."""

    def __init__(self, life: int, *, in_flight: bool) -> None:
        super().__init__(life, in_flight)
        self.life = life
        self.in_flight = in_flight


class Request(NamedTuple):
    """A bet, or a move in `round`; sent again it is the same one."""

    path: str
    body: Json
    key: str | None = None
    round: str | None = None


class Told(NamedTuple):
    """What was told of a round: the newest answer, and all events so far."""

    answer: Json
    events: list[Json]

    def now(self, **changed: Any) -> Json:
        """The answer with all events, which is how the round looks; its receipt is given once."""
        kept = {name: value for name, value in self.answer.items() if name != "receipt"}
        return {**kept, "events": self.events, **changed}


@dataclass(slots=True)
class Line:
    """The player's connection to the house that lives now, with his cookie."""

    house: MortalHouse
    cookie: str = ""
    address: Address = NOWHERE
    _connection: http.client.HTTPConnection | None = None
    _sent_at: float = 0.0

    def ask(
        self, method: str, path: str, body: Json | None = None, key: str | None = None
    ) -> tuple[int, bytes]:
        """Status and body. Raises Lost."""
        self.send(method, path, body, key)
        return self.receive()

    def send(
        self, method: str, path: str, body: Json | None = None, key: str | None = None
    ) -> None:
        """Send a request whole. Raises Lost."""
        headers = {"Cookie": self.cookie, "Content-Type": "application/json"}
        headers |= {"Idempotency-Key": key} if key else {}
        content = None if body is None else json.dumps(body).encode()
        try:
            self._connected().request(method, path, content, headers)
        except (OSError, http.client.HTTPException):
            self.close()
            raise Lost(self.address.life, in_flight=False) from None
        self._sent_at = time.monotonic()

    def receive(self) -> tuple[int, bytes]:
        """Status and body of the answer. Raises Lost."""
        try:
            response = self._connected().getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException):
            self.close()
            in_flight = self._sent_at < self.house.killed_at
            raise Lost(self.address.life, in_flight=in_flight) from None
        if cookie := response.getheader("Set-Cookie"):
            self.cookie = cookie.partition(";")[0]
        return response.status, content

    def _connected(self) -> http.client.HTTPConnection:
        if self._connection is None:
            self.address = self.house.address
            self._connection = http.client.HTTPConnection(
                "127.0.0.1", self.address.port, timeout=SECONDS_MAX
            )
            self._connection.connect()
            self._connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._connection

    @property
    def socket(self) -> socket.socket:
        sock: socket.socket = self._connected().sock
        return sock

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


@dataclass(slots=True, eq=False)
class Player:
    """Has up to one round open in each game. `name` seeds what he does when he plays at random."""

    house: MortalHouse
    name: str
    line: Line = field(init=False)
    id: str = ""
    balance: int = START
    """What may be staked, by these books."""
    rounds: dict[str, Told] = field(default_factory=dict)
    next: dict[str, Json] = field(default_factory=dict)
    """Game → commit and nonce of the next bet."""
    _rng: random.Random = field(init=False)
    _keys: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self.line = Line(self.house)
        self._rng = random.Random(self.name)

    def sit_down(self) -> None:
        status, content = self.line.ask("POST", "/api/session", {})
        assert status == 201, content
        session = json.loads(content)
        assert session["balance"] == START
        self.id = session["player"]
        self.next = {game: self._without_open(its) for game, its in session["games"].items()}

    def play(self) -> None:
        """Play at random until the house rests."""
        try:
            while self.house.goes_on:
                self.make(self._some_request())
        except Over:
            return
        except BaseException:
            # Nobody need wait for this player.
            self.house.end()
            raise
        finally:
            self.line.close()

    # Requests

    def bet(self, body: Json) -> Request:
        return Request("/api/rounds", body, key=f"{self.name}-{next(self._keys)}")

    def move(self, round_: str, choice: str) -> Request:
        body = {"seq": self.rounds[round_].answer["seq"], "choice": choice}
        return Request(f"/api/rounds/{round_}/moves", body, round=round_)

    def send(self, request: Request) -> None:
        """Raises Lost."""
        self.line.send("POST", request.path, request.body, request.key)

    def make(self, request: Request, *, sent: bool = False) -> None:
        """Make a request, or one that was `sent` already, until it is answered. Raises Over."""
        try:
            if not sent:
                self.send(request)
            self._book(request, self._received(request))
        except Lost as lost:
            self._make_again(request, lost)

    def _make_again(self, request: Request, lost: Lost) -> None:
        """After a restart: see that everything is there, and send the request again. The same where
        a connection broke and nobody had died."""
        first = lost
        while True:
            self.house.wait_for_life(lost.life + 1)
            try:
                found = self.check(request)
                self.send(request)
                answer = self._received(request)
                self.send(request)
                assert self._received(request) == answer, "one answer, word for word"
            except Lost as again:
                lost = again
                continue
            if found:
                self._check_found(request, found, _without_receipt(answer))
            life = self.line.address.life
            has_died = life > first.life
            if has_died:
                kept = found is not None
                self.house.note_unanswered(first.life, kept=kept, in_flight=first.in_flight)
            self._book(request, answer)
            self.house.note(life, checked=int(has_died))
            return

    def _received(self, request: Request) -> bytes:
        status, content = self.line.receive()
        assert status == (200 if request.round else 201), (self.name, request, content)
        return content

    # Books

    def _book(self, request: Request, content: bytes) -> None:
        answer = _without_receipt(content)
        assert (len(json.loads(content)) > len(answer)) == (request.round is None), (
            "a bet's receipt"
        )
        id_, events = answer["round"], answer["events"]
        before = self.rounds.get(id_) or Told({"seq": -1, "status": "open"}, [])
        assert (request.round or id_) == id_
        assert (id_ in self.rounds) == (request.round is not None)
        assert before.answer["status"] == "open"
        assert answer["seq"] == before.answer["seq"] + 1
        if request.round is None:
            promised = self.next[request.body["game"]]
            assert {name: answer[name] for name in promised} == promised
        told = Told(answer, before.events + events)
        assert [event["n"] for event in told.events] == [*range(len(told.events))]
        self.balance += _aside(before) - _aside(told)
        self.balance += sum(event["paid"] for event in events if event["type"] == "pay")
        self.balance -= sum(e["cents"] for e in events if e["type"] in ("bet", "stake"))
        assert answer["balance"] == self.balance, (self.name, request, answer)
        self.rounds[id_] = told
        self.next[answer["game"]] = answer["next"]
        self.house.note(self.line.address.life, answered=1)

    def check(self, pending: Request | None = None) -> Json | None:
        """Hold what the house says against what was told before.

        Whether or not a `pending` request was taken; how the round looks if it was. Raises Lost.
        """
        found = self._taken(pending) if pending else None
        moved = {found["round"] if found else None, pending.round if pending else None}
        session = self._get("/api/session")
        open_ = {each["round"]: each for each in self._get("/api/rounds/open")["rounds"]}
        told_open = {id_ for id_, told in self.rounds.items() if told.answer["status"] == "open"}
        assert told_open - moved == open_.keys() - moved, (self.name, told_open, open_)
        for id_ in told_open - moved:
            told = self.rounds[id_].now(balance=session["balance"])
            assert open_[id_] == told, (self.name, open_[id_], told)
        if found is None:
            assert session["balance"] == self.balance, (self.name, pending, session)
        for game, its in session["games"].items():
            is_new = found is not None and found["round"] not in self.rounds
            promised = found["next"] if found and is_new and found["game"] == game else None
            assert self._without_open(its) == (promised or self.next[game]), (self.name, session)
        return found

    def _taken(self, pending: Request) -> Json | None:
        """How the round of a request looks that was not answered, None if it was not taken."""
        if pending.round is None:
            newest = self._page("limit=1")["rounds"]
            taken = [each for each in newest if each["round"] not in self.rounds]
            return taken[0] if taken else None
        told, looks = self.rounds[pending.round], self._get(f"/api/rounds/{pending.round}")
        if looks["seq"] == told.answer["seq"]:
            assert looks == told.now(balance=self.balance), (self.name, pending, looks, told)
            return None
        assert looks["seq"] == told.answer["seq"] + 1, (self.name, pending, looks)
        assert looks["events"][: len(told.events)] == told.events, (looks, told)
        return looks

    def _check_found(self, request: Request, found: Json, answer: Json) -> None:
        """The answer that comes late is the one that the round had already."""
        before = self.rounds[request.round].events if request.round else []
        assert Told(answer, before + answer["events"]).now() == found, (self.name, request, found)

    def check_history(self) -> None:
        """Every round ever told is there as it was told, in order, and no other."""
        looks: list[Json] = []
        before = ""
        while True:
            page = self._page(f"limit={PAGE_MAX}{before}")
            looks += page["rounds"]
            if page["next"] is None:
                break
            before = f"&before={page['next']}"
        told = [
            told.now(balance=self.balance, next=self.next[told.answer["game"]])
            for told in self.rounds.values()
        ]
        assert looks == told[::-1]

    def _page(self, query: str) -> Json:
        """Rounds of the history as they look, after a check of when they began."""
        page = self._get(f"/api/rounds?{query}")
        for past in page["rounds"]:
            milliseconds = int(past["round"][:TIME_DIGITS], 16)
            assert past.pop("opened_at") == milliseconds // 1000
        return page

    def _get(self, path: str) -> Json:
        status, content = self.line.ask("GET", path)
        assert status == 200, content
        document: Json = json.loads(content)
        return document

    @staticmethod
    def _without_open(its: Json) -> Json:
        return {"commit": its["commit"], "nonce": its["nonce"]}

    # At random

    def _some_request(self) -> Request:
        rng = self._rng
        open_ = {
            told.answer["game"]: told.answer
            for told in self.rounds.values()
            if told.answer["status"] == "open"
        }
        free = sorted(self.next.keys() - open_.keys())
        if free and (not open_ or rng.random() < 0.3):
            return self.bet(self._some_bet(rng.choice(free)))
        answer = rng.choice(sorted(open_.values(), key=lambda answer: str(answer["game"])))
        offered = [each["choice"] for each in answer["choices"] if each["enabled"]]
        return self.move(answer["round"], rng.choice(offered))

    def _some_bet(self, game: str) -> Json:
        rng = self._rng
        spots = rng.randint(1, 3 if game in ("top3", "ags") else 1)
        return {
            "game": game,
            "level": "low" if game == "top3" else "table",
            "client_seed": f"{self.name}-{rng.getrandbits(64)}",
            "spots": [
                {"spot": spot, "bets": self._some_bets(game)} for spot in range(1, 1 + spots)
            ],
        }

    def _some_bets(self, game: str) -> Json:
        main = "ante" if game == "threecard" else "main"
        bets = {main: 100 * self._rng.randint(5, 20)}
        for side, cents in _SIDES[game].items():
            if self._rng.random() < 0.5 and (side != "top3" or "classic" in bets):
                bets[side] = cents
        return bets


_SIDES: dict[str, dict[str, int]] = {
    "top3": {"classic": 100, "top3": 150, "progressive": 500},
    "threecard": {"ace_plus": 500},
    "super21": {},
    "ags": {"trifecta": 100, "match_super": 200},
}


def _without_receipt(content: bytes) -> Json:
    """An answer as its round looks; the receipt of a bet is given with its answer alone."""
    answer: Json = json.loads(content)
    answer.pop("receipt", None)
    return answer


def _aside(told: Told) -> int:
    """C-06: what three cards set aside until the player decides."""
    if told.answer["status"] != "open":
        return 0
    return sum(e["cents"] for e in told.events if e["type"] == "bet" and e["bet"] == "ante")
