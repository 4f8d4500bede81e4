"""What the routes share: who asks, and how he is answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request
from starlette.responses import Response

from upcard.house.answers import canonical
from upcard.house.rounds import Visitor
from upcard.server.desk import Desk


def desk_of(app: FastAPI) -> Desk:
    desk = app.state.desk
    assert isinstance(desk, Desk)
    return desk


# Coroutines, because the framework runs plain functions in threads.


async def _desk(request: Request) -> Desk:
    app = request.app
    assert isinstance(app, FastAPI)
    return desk_of(app)


DeskOf = Annotated[Desk, Depends(_desk)]


async def _player(request: Request, desk: DeskOf) -> str:
    return await desk.player(desk.site.token(request))


PlayerOf = Annotated[str, Depends(_player)]


async def _visitor(request: Request, desk: DeskOf) -> Visitor:
    return await desk.visitor(desk.site.token(request))


VisitorOf = Annotated[Visitor, Depends(_visitor)]


def reply(document: Mapping[str, Any], status: int = 200) -> Response:
    return send(canonical(document), status)


def send(text: str, status: int) -> Response:
    """Send a JSON text word for word."""
    return Response(text, status, media_type="application/json")
