"""Requests made from the OpenAPI document by schemathesis, right ones and wrong ones by its types.

What it makes is sent in this process, as somebody without a session, with a false one, or as a
player with a round open in every game and one that is over. Whatever comes: no 5xx, an answer that
the document describes, and neither money nor rounds move (contract: `/openapi.json`).
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.core.transport import Response
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.server.place import BETS, HERE, Place, bet, finish, open_bet, open_place
from tests.server.test_fuzz import FREE, Sent, Told, ask, money_and_journal
from upcard.server.app import create_app
from upcard.server.coach import Coach
from upcard.server.rates import Limits, Rate

SOAK = bool(os.environ.get("UPCARD_SOAK"))
EXAMPLES = 400 if SOAK else 5
"""Of each operation, right ones and wrong ones each."""
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
NEVER_TRUE = ("/api/rounds/{id}/moves", "/api/account")
"""What might be right where a true id or session is filled in, and then moves something."""


@dataclass(slots=True)
class Hall:
    """A place with a player who has rounds, in an event loop of its own."""

    loop: asyncio.AbstractEventLoop
    place: Place
    cookie: str
    rounds: list[str]
    sent: Counter[int] = field(default_factory=Counter)

    def send(self, case: Case[Any]) -> Response | None:
        """A request as it would be on the wire, None for one that cannot be."""
        kwargs = case.as_transport_kwargs(base_url=HERE)
        try:
            prepared = requests.Request(**kwargs).prepare()
            sent = _sent(prepared)
        except (requests.RequestException, UnicodeError):
            return None
        told: Told = self.loop.run_until_complete(ask(self.place.app, sent))
        self.sent[told.status] += 1
        return Response(
            status_code=told.status,
            headers={"content-type": [told.media_type]},
            content=told.body,
            request=prepared,
            elapsed=0.0,
            verify=False,
        )


def _sent(prepared: requests.PreparedRequest) -> Sent:
    assert prepared.url is not None
    assert prepared.method is not None
    url = urlsplit(prepared.url)
    body = prepared.body or b""
    assert isinstance(body, str | bytes), body
    return Sent(
        method=prepared.method,
        path=unquote(url.path),
        query=url.query,
        headers=tuple(
            (_bytes(name).lower(), _bytes(value)) for name, value in prepared.headers.items()
        ),
        body=body.encode() if isinstance(body, str) else body,
    )


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("latin-1")


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    loop = asyncio.new_event_loop()
    limits = Limits(
        player=FREE,
        address=FREE,
        export=FREE,
        logins=FREE,
        login_names=FREE,
        sessions=Rate(1e-6, 1),
    )

    async def enter(stack: AsyncExitStack) -> Hall:
        folder = tmp_path_factory.mktemp("schema")
        place = await stack.enter_async_context(open_place(folder, limits=limits))
        client = await stack.enter_async_context(place.guest())
        over = await finish(client, await bet(client, "ags"))
        rounds = [over["round"], *[(await open_bet(client, game))["round"] for game in BETS]]
        return Hall(loop, place, client.cookies["upcard"], rounds)

    stack = AsyncExitStack()
    yield loop.run_until_complete(enter(stack))
    loop.run_until_complete(stack.aclose())
    loop.close()


def operations() -> list[tuple[str, str, GenerationMode]]:
    """Everything that the document describes, wrong as well where something can be wrong in it."""
    found = []
    for path, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            found.append((path, method.upper(), GenerationMode.POSITIVE))
            if {"security", "requestBody"} & operation.keys():
                found.append((path, method.upper(), GenerationMode.NEGATIVE))
    return found


class _NoHouse:
    """In the place of a house where an application is made for its document alone."""


DOCUMENT: dict[str, Any] = create_app(_NoHouse()).openapi()  # type: ignore[arg-type]
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)


def true_parts(path: str) -> st.SearchStrategy[tuple[bool, int]]:
    """Whether a true session is shown, and which true round, if any, is named."""
    if path.startswith(NEVER_TRUE):
        return st.just((False, 0))
    return st.tuples(st.booleans(), st.integers(0, 1 + len(BETS)))


@pytest.mark.parametrize(("path", "method", "mode"), operations())
def test_whatever_is_asked_is_answered_as_the_document_says(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, path: str, method: str, mode: GenerationMode
) -> None:
    async def warming(self: Coach, asked: Any) -> None:
        return None

    monkeypatch.setattr(Coach, "values", warming)
    operation = SCHEMA[path][method]

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(generation_mode=mode), true_parts(path))
    def send(case: Case[Any], true: tuple[bool, int]) -> None:
        is_player, round_ = true
        if is_player:
            case.cookies = {"upcard": hall.cookie}
        if round_ and "{id}" in path:
            case.path_parameters = {"id": hall.rounds[round_ - 1]}
        if response := hall.send(case):
            # Of a stream the document says no more than that it is text.
            case.validate_response(response, checks=CHECKS[: -1 if path == "/api/stream" else None])

    before = hall.loop.run_until_complete(money_and_journal(hall.place))
    send()
    assert hall.loop.run_until_complete(money_and_journal(hall.place)) == before


def test_it_reached_both_what_is_right_and_what_is_wrong(
    hall: Hall, say: Callable[[str], None]
) -> None:
    """After all others: they were no requests that nobody would look at."""
    say(f"{hall.sent.total()} requests made from the document: {dict(hall.sent)}")
    if hall.sent.total() > 100:
        assert hall.sent.keys() >= {200, 401, 404, 422}
