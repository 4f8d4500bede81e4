"""What the OpenAPI document says beyond the routes' own types: refusals, examples, the cookie."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI
from pydantic import TypeAdapter

from upcard.refused import listed
from upcard.server import wire
from upcard.server.problems import MEDIA_TYPE, STATUSES
from upcard.server.stream import MEDIA_TYPE as STREAM_MEDIA_TYPE

DESCRIPTION = """\
Amounts are whole cents, odds are text (`9:1`). Every refusal is `application/problem+json` with a
`code` for programs and one sentence in `detail`; a refused request has changed nothing.

Open a session (`POST /api/session`) and keep its cookie. Read a game's document for its bets and
limits, bet with `POST /api/rounds` and a new `Idempotency-Key`, then send one of the offered
`choices` with the `seq` last seen to `POST /api/rounds/{id}/moves` until `status` is `settled`.
`GET /api/rounds/{id}/proof` then lets anybody check the shuffle and the payments.
"""

_EVERYWHERE = ("unavailable", "rate", "internal")
_WITH_BODY = ("too_large", "media_type", "json", "field")


def says(models: Mapping[int, type[wire.Exact]], *codes: str) -> dict[int | str, dict[str, Any]]:
    """Response declarations: what a route answers by status, and a problem for each code.

    What can meet any request, or any with a body, need not be named. The types are named only, and
    described when the document is asked for, because describing them takes long.
    """
    everywhere = (*_EVERYWHERE, *_WITH_BODY) if "origin" in codes else _EVERYWHERE
    said: dict[int | str, dict[str, Any]] = {
        status: _response("Done.", "application/json", model.__name__)
        for status, model in models.items()
    }
    for status in sorted({STATUSES[code] for code in (*codes, *everywhere)}):
        these = [code for code, its in STATUSES.items() if its == status]
        said[status] = _response(f"Code: {listed(these)}.", MEDIA_TYPE, wire.Problem.__name__)
    return said


def _response(description: str, media_type: str, model: str) -> dict[str, Any]:
    schema = {"$ref": f"#/components/schemas/{model}"}
    return {"description": description, "content": {media_type: {"schema": schema}}}


STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": (
            "`event: meter` with `{key, amount, epoch}`, ordered by epoch and then amount; "
            "`event: balance` with `{balance}`; `event: round` with `{id, seq}` when a round of "
            "yours went on. Meters and balance come at once, a comment when all is quiet. "
            "A slow reader gets the newest of each alone."
        ),
        "content": {
            STREAM_MEDIA_TYPE: {
                "schema": {"type": "string"},
                "example": 'event: meter\ndata: {"key":"top3","amount":1000085,"epoch":0}\n\n',
            }
        },
    }
}

KEY_PARAMETER: dict[str, Any] = {
    "parameters": [
        {
            "name": wire.KEY_HEADER,
            "in": "header",
            "required": True,
            "description": "A new text for each new bet; sent again, the bet is not made again.",
            "schema": {"type": "string", "pattern": wire.KEY_PATTERN},
            "example": "5f0c9a5e-3f0b-4f0e-9a53-0d1c3f7a8b21",
        }
    ]
}

# Examples, all of which a test sends

NOTHING: Any = {"empty": {"value": {}}}


def _bet(game: str, level: str, *spots: dict[str, int], **more: Any) -> dict[str, Any]:
    laid = [{"spot": spot, "bets": bets} for spot, bets in enumerate(spots, 1)]
    return {
        "value": {"game": game, "level": level, "spots": laid, "client_seed": "lucky-7", **more}
    }


BETS: Any = {
    "top3": _bet(
        "top3",
        "low",
        {"main": 1000, "classic": 100, "top3": 100, "progressive": 500},
        {"main": 500},
        table={"decks": 8},
        ask_insurance=False,
    ),
    "threecard": _bet("threecard", "table", {"ante": 500, "ace_plus": 500}),
    "super21": _bet("super21", "table", {"main": 100}),
    "ags": _bet(
        "ags",
        "table",
        {"main": 100, "in_bet": 100},
        {"pairs_pay": 100},
        table={"side_bets": ["pairs_pay", "in_bet"]},
    ),
}
MOVES: Any = {
    choice: {"value": {"seq": 0, "choice": choice}} for choice in ("stand", "hit", "raise", "fold")
}

SIXTEEN = {"cards": ["Th", "6c"], "up": "Td", "doubled": False, "asked": False}
PRACTICE: Any = {
    "a_hand": {"value": {"game": "super21", "situation": SIXTEEN}},
    "a_pair": {"value": {"game": "top3", "decks": 8, "kind": "pair"}},
}
PRACTISED: Any = {"hit": {"value": {"game": "ags", "situation": SIXTEEN, "choice": "hit"}}}

OWN_LIMITS: Any = {
    "some": {"value": {"loss": {"day": 5_000, "month": 50_000}, "stake": {"week": 100_000}}},
    "none": {"value": {"loss": {"day": None}}},
}
EXCLUSIONS: Any = {"a week": {"value": {"days": 7}}}
ACCOUNTS: Any = {
    "a name": {"value": {"name": "Thorp", "password": "beat the dealer 1962"}},
}
NEW_PASSWORDS: Any = {
    "another": {"value": {"password": "beat the dealer 1962", "new_password": "four queens, 1963"}},
}

# The document


def complete(app: FastAPI, *, cookie: str) -> None:
    """Let the app's document say what its routes cannot."""
    routes_say = app.openapi

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            _complete(routes_say(), cookie)
        assert app.openapi_schema is not None
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]  # the way FastAPI's manual names


def _complete(document: dict[str, Any], cookie: str) -> None:
    document["components"]["securitySchemes"] = {
        "session": {"type": "apiKey", "in": "cookie", "name": cookie}
    }
    schemas = document["components"]["schemas"]
    for of_framework in ("HTTPValidationError", "ValidationError"):
        schemas.pop(of_framework, None)
    schemas |= answer_schemas()
    for operations in document["paths"].values():
        for operation in operations.values():
            _complete_operation(operation)


def answer_schemas() -> dict[str, Any]:
    """Name → JSON Schema of everything that is answered, and of its parts."""
    _, schemas = TypeAdapter.json_schemas(
        [(model.__name__, "serialization", TypeAdapter(model)) for model in wire.ANSWERS],
        ref_template="#/components/schemas/{model}",
    )
    defined: dict[str, Any] = schemas["$defs"]
    return defined


def _complete_operation(operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    # FastAPI declares this of its own accord, in a form that is never sent.
    if "HTTPValidationError" in str(responses.get("422")):
        del responses["422"]
    if "401" in responses:
        operation["security"] = [{"session": []}]
