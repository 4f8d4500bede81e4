"""Every refusal as `application/problem+json`: a status, a code, one sentence."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from upcard.house.rounds import RoundOpen
from upcard.house.sittings import TooSoon
from upcard.house.store import StoreBusy
from upcard.refused import Refused, listed
from upcard.server.rates import TooOften
from upcard.server.seen import REFUSED
from upcard.table import CHOICE_NAMES

MEDIA_TYPE = "application/problem+json"

log = logging.getLogger(__name__)

STATUSES: Mapping[str, int] = {
    "json": 400,
    "key_missing": 400,
    "no_session": 401,
    "excluded": 403,
    "login": 403,
    "origin": 403,
    "not_found": 404,
    "method": 405,
    "stale": 409,
    "round_open": 409,
    "settled": 409,
    "open": 409,
    "void": 409,
    "key_reused": 409,
    "account": 409,
    "name_taken": 409,
    "too_large": 413,
    "media_type": 415,
    "limit": 422,
    "step": 422,
    "funds": 422,
    "bet_needs": 422,
    "choice": 422,
    "own_limit": 422,
    "field": 422,
    "pace": 429,
    "rate": 429,
    "internal": 500,
    "unavailable": 503,
}
"""Code → status."""


def problem(refused: Refused, headers: Mapping[str, str] | None = None) -> Response:
    """The answer that says no."""
    status = STATUSES[refused.code]
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": refused.code,
        "detail": refused.sentence,
    }
    if isinstance(refused, RoundOpen):
        body["open"] = refused.open
    more = dict(headers or {})
    if isinstance(refused, TooOften | TooSoon):
        more["Retry-After"] = str(refused.seconds)
    if refused.code == "unavailable":
        more["Retry-After"] = "1"
    return JSONResponse(body, status, more, MEDIA_TYPE)


def _told(request: Request, refused: Refused, headers: Mapping[str, str] | None = None) -> Response:
    """The answer, and a note of its code for whoever watches."""
    request.scope[REFUSED] = refused.code
    return problem(refused, headers)


async def on_refused(request: Request, refused: Exception) -> Response:
    assert isinstance(refused, Refused)
    return _told(request, refused)


def busy() -> Refused:
    return Refused("unavailable", "The database is busy; send the same again.")


def nothing_here() -> Refused:
    return Refused("not_found", "There is nothing at this path; /openapi.json lists what is.")


async def on_busy(request: Request, error: Exception) -> Response:
    assert isinstance(error, StoreBusy)
    return _told(request, busy())


def broken() -> Refused:
    return Refused("internal", "Something broke here; the house has a note of it.")


def as_refused(error: Exception, method: str, route: str) -> Refused:
    """How what went wrong with a request is told; what nobody foresaw is written down."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, StoreBusy):
        return busy()
    log.error("%s %s broke", method, route, exc_info=error)
    return broken()


async def on_broken(request: Request, error: Exception) -> Response:
    """What a route did not expect; the gate writes it down."""
    return _told(request, broken())


async def on_http(request: Request, error: Exception) -> Response:
    """What the framework itself refuses: no such path, no such method, no JSON."""
    assert isinstance(error, HTTPException)
    allowed = (error.headers or {}).get("Allow", "")
    refusals = {
        400: Refused("json", "The body is no JSON document in UTF-8."),
        404: nothing_here(),
        405: Refused("method", f"This path takes {allowed}, not {request.method[:16]}."),
    }
    return _told(request, refusals[error.status_code], error.headers)


async def on_invalid(request: Request, error: Exception) -> Response:
    """What a strict schema refuses; the first mistake is named."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    empty = first["loc"] == ("body",) and request.headers.get("content-length", "0") == "0"
    if first["type"] == "json_invalid" or empty:
        return _told(request, Refused("json", "The body is no JSON document; send an object."))
    return _told(request, _invalid(first["type"], first["loc"][1:], first.get("ctx", {})))


def _invalid(kind: str, where: Sequence[str | int], allowed: Mapping[str, Any]) -> Refused:
    place = _place(where)
    if kind == "member":
        inside = f"In {place}, " if where else ""
        return Refused("field", f"{inside}{allowed['wrong']}; {allowed['allowed']}.")
    if kind == "literal_error" and place == "choice":
        return Refused(
            "choice", f"There is no such choice; the choices are {listed(CHOICE_NAMES)}."
        )
    if kind in ("less_than_equal", "greater_than_equal") and "bets" in where:
        return Refused("limit", f"{place} is beyond the limits of any table.")
    return Refused("field", f"{place or 'The body'} must be {_wanted(kind, allowed)}.")


def _place(where: Sequence[str | int]) -> str:
    """`spots[0].bets.main`. Names come from the request, so that only their beginning is said."""
    words = [f"[{step}]" if isinstance(step, int) else f".{step[:64]}" for step in where]
    return "".join(words).removeprefix(".").removesuffix(".[key]")


_WANTED = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "string_type": "a text",
    "string_unicode": "a text in Unicode",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "missing": "an object",
    "greater_than_equal": "a whole number, at least {ge}",
    "less_than_equal": "a whole number, at most {le}",
    "string_too_long": "a text of at most {max_length} characters",
    "too_long": "a list of at most {max_length}",
}


def _wanted(kind: str, allowed: Mapping[str, Any]) -> str:
    if allowed.get("ge", 0) < 0:  # far below what is allowed, which begins at 1
        return _WANTED["greater_than_equal"].format(ge=1)
    return _WANTED.get(kind, "as the OpenAPI document says").format_map(allowed)
