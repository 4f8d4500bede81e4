"""The HTTP interface of a house: paths, who may ask, and what is answered."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, FastAPI, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

import upcard
from upcard import describe, reports
from upcard.describe import ABANDONED_DAYS
from upcard.games import CATALOGUE, find
from upcard.house.answers import canonical
from upcard.house.rounds import House, Settings
from upcard.house.store import News, StoreBusy
from upcard.refused import Refused
from upcard.server import openapi, problems, wire
from upcard.server.coach import Coach, best, position
from upcard.server.desk import Desk as Desk
from upcard.server.gate import Gate, Traffic
from upcard.server.lane import Lane
from upcard.server.rates import Limits, Rates
from upcard.server.sessions import Site
from upcard.server.static import serve_client
from upcard.server.stream import EventStream, Hub
from upcard.sidebets import Pool

PAGE_MAX = 100
PAGE = 20
NUMBER_MAX = 2**53


def create_app(
    house: House,
    *,
    public_url: str | None = None,
    session_seconds: int = Settings().session_seconds,
    abandoned_days: int = ABANDONED_DAYS,
    limits: Limits | None = None,
    coach: Coach | None = None,
    news: News | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> FastAPI:
    """The ASGI application of an opened house; needs no lifespan. Its desk is `desk_of(app)`.

    `abandoned_days` is what the rules pages say, `clock` for the rates alone; by `news` the
    processes of a house tell each other what their streams should say. Raises Refused (`field`)
    for a public URL that is none.
    """
    limits = limits or Limits()
    desk = Desk(
        house=house,
        hub=Hub(house, per_player_max=limits.streams_per_player, news=news),
        coach=coach or Coach(),
        rates=Rates(limits, clock),
        site=Site.at(public_url, session_seconds),
        traffic=Traffic(),
        abandoned_days=abandoned_days,
    )
    app = FastAPI(
        title="Upcard",
        summary="A blackjack house you can trust.",
        description=openapi.DESCRIPTION,
        version=upcard.__version__,
        # The stock pages load scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
        exception_handlers={
            Refused: problems.on_refused,
            StoreBusy: problems.on_busy,
            HTTPException: problems.on_http,
            RequestValidationError: problems.on_invalid,
        },
    )
    app.state.desk = desk
    app.include_router(_ROUTER)
    serve_client(app, [game.key for game in CATALOGUE])
    app.add_middleware(Lane, desk=desk)
    app.add_middleware(Gate, site=desk.site, rates=desk.rates, traffic=desk.traffic)
    openapi.complete(app, cookie=desk.site.cookie)
    return app


def desk_of(app: FastAPI) -> Desk:
    desk = app.state.desk
    assert isinstance(desk, Desk)
    return desk


# Who asks, and how it is answered


# Coroutines, because the framework runs plain functions in threads.


async def _desk(request: Request) -> Desk:
    app = request.app
    assert isinstance(app, FastAPI)
    return desk_of(app)


_DeskOf = Annotated[Desk, Depends(_desk)]


async def _player(request: Request, desk: _DeskOf) -> str:
    return await desk.player(request)


async def _key(request: Request) -> str:
    return wire.checked_key(request.headers.getlist(wire.KEY_HEADER))


_PlayerOf = Annotated[str, Depends(_player)]
_Key = Annotated[str, Depends(_key)]
_RoundId = Annotated[str, Path(description="The id of a round of yours.", alias="id")]


def _reply(document: Mapping[str, Any], status: int = 200) -> Response:
    return _send(canonical(document), status)


def _send(text: str, status: int) -> Response:
    """Send a JSON text word for word."""
    return Response(text, status, media_type="application/json")


# Session

_ROUTER = APIRouter()


@_ROUTER.post(
    "/api/session",
    status_code=201,
    responses=openapi.says({201: wire.Session, 200: wire.Session}, "origin"),
    tags=["session"],
)
async def open_session(
    request: Request,
    desk: _DeskOf,
    body: Annotated[wire.Nothing | None, Body(openapi_examples=openapi.NOTHING)] = None,
) -> Response:
    """Open a session with play money (201), or find the one of the cookie (200)."""
    try:
        player = await desk.house.player_of(desk.site.token(request))
    except Refused:
        desk.rates.sessions.take(desk.site.address(request))
        player, token = await desk.house.new_session()
        response = _reply(await desk.house.session(player), 201)
        desk.site.remember(response, token)
        return response
    return _reply(await desk.house.session(player))


@_ROUTER.get(
    "/api/session",
    responses=openapi.says({200: wire.Session}, "no_session"),
    tags=["session"],
)
async def get_session(desk: _DeskOf, player: _PlayerOf) -> Response:
    """The balance, and for each game the next commit and nonce and the open round."""
    return _reply(await desk.house.session(player))


@_ROUTER.post(
    "/api/session/refill",
    responses=openapi.says({200: wire.Session}, "origin", "no_session", "open"),
    tags=["session"],
)
async def refill(
    desk: _DeskOf,
    player: _PlayerOf,
    body: Annotated[wire.Nothing | None, Body(openapi_examples=openapi.NOTHING)] = None,
) -> Response:
    """Restore the play money; only while no round is open."""
    await desk.house.refill(player)
    session = await desk.house.session(player)
    desk.hub.tell_balance(player, session["balance"])
    return _reply(session)


# Rounds


@_ROUTER.post(
    "/api/rounds",
    status_code=201,
    responses=openapi.says(
        {201: wire.Answer}, "json", "origin", "no_session", "round_open", "limit"
    ),
    openapi_extra=openapi.KEY_PARAMETER,
    tags=["rounds"],
)
async def bet(
    desk: _DeskOf,
    player: _PlayerOf,
    key: _Key,
    body: Annotated[wire.Bet, Body(openapi_examples=openapi.BETS)],
) -> Response:
    """Bet and deal. The same key and bet again gets the same answer, whatever came since."""
    answer = await desk.house.bet(player, key, body.request())
    return _send(desk.told(player, answer), 201)


@_ROUTER.get(
    "/api/rounds",
    responses=openapi.says({200: wire.History}, "no_session", "field"),
    tags=["rounds"],
)
async def history(
    desk: _DeskOf,
    player: _PlayerOf,
    before: Annotated[
        int | None, Query(ge=0, le=NUMBER_MAX, description="`next` of the page before.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=PAGE_MAX)] = PAGE,
) -> Response:
    """Your rounds, the newest first."""
    return _reply(await desk.house.history(player, before, limit))


@_ROUTER.get(
    "/api/rounds/open",
    responses=openapi.says({200: wire.OpenRounds}, "no_session"),
    tags=["rounds"],
)
async def open_rounds(desk: _DeskOf, player: _PlayerOf) -> Response:
    """Your open rounds, at most one a game."""
    return _reply({"rounds": await desk.house.open_rounds(player)})


@_ROUTER.get(
    "/api/rounds/{id}",
    responses=openapi.says({200: wire.Answer}, "no_session", "not_found"),
    tags=["rounds"],
)
async def get_round(desk: _DeskOf, player: _PlayerOf, id_: _RoundId) -> Response:
    """A round with all its events."""
    return _reply(await desk.house.look(player, id_))


@_ROUTER.post(
    "/api/rounds/{id}/moves",
    responses=openapi.says(
        {200: wire.Answer}, "json", "origin", "no_session", "not_found", "stale", "choice"
    ),
    tags=["rounds"],
)
async def move(
    desk: _DeskOf,
    player: _PlayerOf,
    id_: _RoundId,
    body: Annotated[wire.Move, Body(openapi_examples=openapi.MOVES)],
) -> Response:
    """Make a choice. The same seq and choice again gets the same answer."""
    answer = await desk.house.move(player, id_, body.seq, body.choice)
    return _send(desk.told(player, answer), 200)


@_ROUTER.get(
    "/api/rounds/{id}/proof",
    responses=openapi.says({200: wire.Proof}, "no_session", "not_found", "open", "void"),
    tags=["rounds"],
)
async def proof(desk: _DeskOf, player: _PlayerOf, id_: _RoundId) -> Response:
    """Everything that a stranger needs to check a settled round."""
    return _reply(await desk.house.proof(player, id_))


@_ROUTER.get(
    "/api/rounds/{id}/receipt",
    responses=openapi.says({200: wire.Receipt}, "no_session", "not_found"),
    tags=["rounds"],
)
async def receipt(desk: _DeskOf, player: _PlayerOf, id_: _RoundId) -> Response:
    """What the house signed when it took the bet of a round."""
    return _reply(await desk.house.receipt(player, id_))


@_ROUTER.get(
    "/api/rounds/{id}/coach",
    responses=openapi.says(
        {200: wire.Coach, 202: wire.Coach}, "no_session", "not_found", "settled"
    ),
    tags=["rounds"],
)
async def coach(desk: _DeskOf, player: _PlayerOf, id_: _RoundId) -> Response:
    """What each choice now is worth, in initial bets; 202 while that is not known: ask again."""
    game = await desk.house.game_of(player, id_)
    answer = await desk.house.look(player, id_)
    if answer["status"] != "open":
        raise Refused("settled", "This round is over; there is nothing left to choose.")
    values = await desk.coach.values(position(game, answer))
    if values is None:
        return _reply({"ready": False, "values": {}, "best": None}, 202)
    return _reply({"ready": True, "values": values, "best": best(values, answer)})


@_ROUTER.get(
    "/api/stream",
    status_code=200,
    response_class=EventStream,
    responses=openapi.STREAM | openapi.says({}, "no_session"),
    tags=["rounds"],
)
async def stream(desk: _DeskOf, player: _PlayerOf) -> Response:
    """What changes, as server-sent events."""
    desk.hub.check_room(player)
    return EventStream(desk.hub, desk.house, player)


# What everybody may know


@_ROUTER.get("/api/games", responses=openapi.says({200: wire.Games}), tags=["house"])
async def games() -> Response:
    """The games, in the order of the lobby."""
    return _reply({"games": [{"key": game.key, "title": game.title} for game in CATALOGUE]})


@_ROUTER.get(
    "/api/games/{key}",
    responses=openapi.says({200: wire.GameDocument}, "not_found"),
    tags=["house"],
)
async def get_game(desk: _DeskOf, key: str) -> Response:
    """Limits, pay tables, rules in words, and odds of a game."""
    _check_game(key)
    return _send(_game_text(key, await desk.house.terms()), 200)


def _check_game(key: str) -> None:
    if key not in [game.key for game in CATALOGUE]:
        raise Refused("not_found", "There is no such game; /api/games lists them.")


@lru_cache(maxsize=256)
def _game_text(key: str, pools: tuple[Pool, ...]) -> str:
    game = find(key).with_pools(pools)
    return canonical({**describe.game_document(game), "odds": reports.stored(key)})


@_ROUTER.get(
    "/api/games/{key}/rules",
    responses=openapi.says({200: wire.RulesPage}, "not_found", "field"),
    tags=["house"],
)
async def get_rules(
    desk: _DeskOf,
    key: str,
    decks: Annotated[int | None, Query(ge=1, description="As the table is set.")] = None,
) -> Response:
    """The rules page of a game: how it is played, pay tables, returns, the date of its change."""
    _check_game(key)
    table = find(key).at_table(decks=decks)
    terms = await desk.house.terms()
    return _send(_rules_text(key, table.rules.decks, desk.abandoned_days, terms), 200)


@lru_cache(maxsize=256)
def _rules_text(key: str, decks: int, days: int, pools: tuple[Pool, ...]) -> str:
    # Not the table, which closes side bets that another table has open.
    game = find(key).with_rule("decks", str(decks)).with_pools(pools)
    page = describe.page(game, returns=reports.stored(key), abandoned_days=days)
    return canonical(describe.page_document(page))


@_ROUTER.get("/api/jackpots", responses=openapi.says({200: wire.Jackpots}), tags=["house"])
async def jackpots(desk: _DeskOf) -> Response:
    """Every progressive meter as it stands."""
    return _reply(await desk.house.jackpots())


@_ROUTER.get("/api/keys", responses=openapi.says({200: wire.Keys}), tags=["house"])
async def keys(desk: _DeskOf) -> Response:
    """The public keys that this house has signed with, the oldest first."""
    return _reply(await desk.house.keys())


@_ROUTER.get("/healthz", responses=openapi.says({200: wire.Health}), tags=["house"])
async def health() -> Response:
    """Whether the house takes requests."""
    return _reply({"ok": True})
