"""Accounts over HTTP: a name for a guest, coming back by it, leaving, another password."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Request
from starlette.responses import Response

from upcard.server import openapi, wire
from upcard.server.asking import DeskOf, PlayerOf, reply
from upcard.server.desk import Desk

ROUTER = APIRouter(tags=["account"])


def _check_rates(desk: Desk, request: Request, name: str) -> None:
    """Every guess counts, whether or not there is such a name. Raises Refused (`rate`)."""
    desk.rates.logins.take(desk.site.address(request))
    desk.rates.login_names.take(name.casefold())


async def _told(desk: Desk, player: str, token: str, status: int = 200) -> Response:
    response = reply(await desk.house.session(player), status)
    desk.site.remember(response, token)
    return response


@ROUTER.post(
    "/api/account",
    status_code=201,
    responses=openapi.says({201: wire.Session}, "origin", "no_session", "name_taken"),
)
async def register(
    request: Request,
    desk: DeskOf,
    player: PlayerOf,
    body: Annotated[wire.NameAndPassword, Body(openapi_examples=openapi.ACCOUNTS)],
) -> Response:
    """Give yourself a name and a password; balance, rounds and limits stay yours."""
    _check_rates(desk, request, body.name)
    token = desk.site.token(request)
    assert token is not None, "who has no token is no player"
    fresh = await desk.house.accounts.register(player, token, body.name, body.password)
    return await _told(desk, player, fresh, 201)


@ROUTER.post(
    "/api/account/login",
    responses=openapi.says({200: wire.Session}, "origin", "login"),
)
async def login(
    request: Request,
    desk: DeskOf,
    body: Annotated[wire.NameAndPassword, Body(openapi_examples=openapi.ACCOUNTS)],
) -> Response:
    """Come back by name and password. The session of the cookie ends, a guest is left behind."""
    _check_rates(desk, request, body.name)
    token = desk.site.token(request)
    player, fresh = await desk.house.accounts.login(token, body.name, body.password)
    return await _told(desk, player, fresh)


@ROUTER.post(
    "/api/account/logout",
    responses=openapi.says({200: wire.Left}, "origin", "no_session", "account"),
)
async def logout(
    request: Request,
    desk: DeskOf,
    player: PlayerOf,
    body: Annotated[wire.Nothing | None, Body(openapi_examples=openapi.NOTHING)] = None,
) -> Response:
    """End this session; open rounds wait for you."""
    token = desk.site.token(request)
    assert token is not None, "who has no token is no player"
    await desk.house.accounts.logout(player, token)
    desk.hub.leave(player)
    response = reply({})
    desk.site.forget(response)
    return response


@ROUTER.post(
    "/api/account/password",
    responses=openapi.says({200: wire.Session}, "origin", "no_session", "login", "account"),
)
async def change_password(
    request: Request,
    desk: DeskOf,
    player: PlayerOf,
    body: Annotated[wire.NewPassword, Body(openapi_examples=openapi.NEW_PASSWORDS)],
) -> Response:
    """Set another password; all your other sessions end."""
    _check_rates(desk, request, player)
    fresh = await desk.house.accounts.change_password(player, body.password, body.new_password)
    desk.hub.leave(player)
    return await _told(desk, player, fresh)
