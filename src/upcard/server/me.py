"""What a player sees and sets of his own: the sitting, limits, exclusion, and all that is kept."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body
from starlette.responses import Response, StreamingResponse

from upcard.server import openapi, wire
from upcard.server.asking import DeskOf, PlayerOf, reply

ROUTER = APIRouter(tags=["me"])


@ROUTER.get(
    "/api/me/limits",
    responses=openapi.says({200: wire.Standing}, "no_session"),
)
async def get_limits(desk: DeskOf, player: PlayerOf) -> Response:
    """How long this sitting has lasted and what it came to, your limits, your exclusion."""
    return reply(await desk.house.care.standing(player))


@ROUTER.put(
    "/api/me/limits",
    responses=openapi.says({200: wire.Standing}, "origin", "no_session"),
)
async def set_limits(
    desk: DeskOf,
    player: PlayerOf,
    body: Annotated[wire.OwnLimits, Body(openapi_examples=openapi.OWN_LIMITS)],
) -> Response:
    """Set limits of loss and stake by day, week and month; null takes one away.

    Lower ones act at once, higher ones after 24 hours; what is left out stays. They bind bets
    before the deal; choices in an open round are never refused by them, and count.
    """
    return reply(await desk.house.care.set_limits(player, body.wanted()))


@ROUTER.post(
    "/api/me/exclusion",
    status_code=201,
    responses=openapi.says({201: wire.Standing}, "origin", "no_session"),
)
async def exclude(
    desk: DeskOf,
    player: PlayerOf,
    body: Annotated[wire.Exclude, Body(openapi_examples=openapi.EXCLUSIONS)],
) -> Response:
    """Exclude yourself from play for so many days; nothing shortens it. Open rounds go on."""
    return reply(await desk.house.care.exclude(player, body.days), 201)


@ROUTER.get(
    "/api/me/export",
    responses=openapi.says({200: wire.Export}, "no_session"),
)
async def export(desk: DeskOf, player: PlayerOf) -> Response:
    """All that is kept of you, as one document: limits, sittings, rounds and transfers."""
    desk.rates.export.take(player)
    headers = {"Content-Disposition": f'attachment; filename="upcard-{player}.json"'}
    parts = desk.house.care.export(player)
    return StreamingResponse(parts, headers=headers, media_type="application/json")
