"""What is noted of a request: never whose it was, nor what it carried."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from starlette.types import Scope

BETS = "/api/rounds"
MOVES = re.compile(r"/api/rounds/([^/]+)/moves")
"""Whatever stands for the id: these are noted by name even if the gate refuses them."""
ROUTE_OF_MOVES = f"{BETS}/{{id}}/moves"
METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
REFUSED = "upcard.refused"
"""The member of a request's scope that holds the code it was refused with."""


class Seen(NamedTuple):
    """A request that was answered. `route` is a path of the OpenAPI document, ids left out."""

    method: str
    route: str
    status: int
    code: str | None
    seconds: float


Watch = Callable[[Seen], None]


def route_of(scope: Scope) -> str:
    """The route that a request took: one of few, whatever was asked for."""
    path = getattr(scope.get("route"), "path", None)
    if isinstance(path, str):
        return path
    if scope["method"] == "POST" and scope["path"] == BETS:
        return BETS
    if scope["method"] == "POST" and MOVES.fullmatch(scope["path"]):
        return ROUTE_OF_MOVES
    return "/api/..." if scope["path"].startswith("/api") else "/..."


def method_of(scope: Scope) -> str:
    method: str = scope["method"]
    return method if method in METHODS else "other"
