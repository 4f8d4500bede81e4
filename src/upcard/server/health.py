"""Whether the house is alive, and whether it can take what players send."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from starlette.responses import Response

from upcard.refused import Refused
from upcard.server import openapi, wire
from upcard.server.asking import DeskOf, reply

ROUTER = APIRouter(tags=["house"])
READY_SECONDS_MAX = 2.0
"""A house whose disk takes longer is not ready."""


@ROUTER.get("/healthz", responses=openapi.says({200: wire.Health}))
async def health() -> Response:
    """Whether the house takes requests."""
    return reply({"ok": True})


@ROUTER.get("/readyz", responses=openapi.says({200: wire.Health}))
async def ready(desk: DeskOf) -> Response:
    """Whether a command would be made durable now; 503 if not, and while the house stops."""
    try:
        async with asyncio.timeout(READY_SECONDS_MAX):
            await desk.house.beat()
    except TimeoutError:
        raise Refused("unavailable", "The database does not take commands now.") from None
    return reply({"ok": True})
