"""The HTTP interface of a house: paths, who may ask, and what is answered."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import SystemRandom
from typing import Annotated

from fastapi import APIRouter, Body, Depends, FastAPI, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

import upcard
from upcard import describe, reports
from upcard.describe import ABANDONED_DAYS
from upcard.game import Game
from upcard.games import CATALOGUE, find
from upcard.house.answers import canonical
from upcard.house.rounds import House, Settings
from upcard.house.store import News, StoreBusy
from upcard.refused import Refused, listed
from upcard.server import accounts, health, me, openapi, practice, problems, wire
from upcard.server.asking import DeskOf, PlayerOf, VisitorOf, reply, send
from upcard.server.coach import Coach, best, position
from upcard.server.desk import Desk
from upcard.server.encodings import Packed
from upcard.server.gate import Gate, Traffic
from upcard.server.lane import Lane
from upcard.server.rates import Limits, Rates
from upcard.server.review import judged, kind_of
from upcard.server.seen import Watch
from upcard.server.sessions import Site
from upcard.server.static import serve_client
from upcard.server.stream import EventStream, Hub
from upcard.sidebets import Pool

PAGE_MAX = 100
PAGE = 20
NUMBER_MAX = 2**53
_RANDOM = SystemRandom()
"""For practice hands alone; what is played for comes from the house's seeds."""
_GAMES = {"games": [{"key": game.key, "title": game.title} for game in CATALOGUE]}


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
    watches: Sequence[Watch] = (),
    steps: Callable[[str], None] = lambda kind: None,
) -> App:
    """The ASGI application of an opened house; needs no lifespan. Its desk is `desk_of(app)`.

    `clock` is for the rates alone, `abandoned_days` is what the rules pages say; by `news` the
    processes of a house tell each other what their streams should say; `watches` are told of each
    request, `steps` of each bet and move that was made. Raises Refused (`field`) for a public URL
    that is none.
    """
    limits = limits or Limits()
    desk = Desk(
        house=house,
        hub=Hub(house, per_player_max=limits.streams_per_player, news=news),
        coach=coach or Coach(),
        rates=Rates(limits, clock),
        site=Site.at(public_url, session_seconds),
        traffic=Traffic(),
        steps=steps,
        abandoned_days=abandoned_days,
    )
    app = App(
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
            Exception: problems.on_broken,
            Refused: problems.on_refused,
            StoreBusy: problems.on_busy,
            HTTPException: problems.on_http,
            RequestValidationError: problems.on_invalid,
        },
    )
    app.state.desk = desk
    for router in ROUTERS:
        app.include_router(router)
    serve_client(app, [game.key for game in CATALOGUE], brings=lambda key: _first_asked(desk, key))
    gate = Gate(app.framework, desk.site, desk.rates, desk.traffic, watches)
    app.lane = Lane(gate, desk, watches)
    openapi.complete(app, cookie=desk.site.cookie)
    return app


class App(FastAPI):
    """Its lane is outermost of all, so that a bet goes past the gate's and framework's layers."""

    lane: Lane

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.lane(scope, receive, send)

    async def framework(self, scope: Scope, receive: Receive, send: Send) -> None:
        await super().__call__(scope, receive, send)


# Who asks, and how it is answered


async def _key(request: Request) -> str:
    return wire.checked_key(request.headers.getlist(wire.KEY_HEADER))


_Key = Annotated[str, Depends(_key)]
_RoundId = Annotated[str, Path(description="The id of a round of yours.", alias="id")]


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
    desk: DeskOf,
    body: Annotated[wire.Nothing | None, Body(openapi_examples=openapi.NOTHING)] = None,
) -> Response:
    """Open a session with play money (201), or find the one of the cookie (200)."""
    try:
        player = await desk.house.player_of(desk.site.token(request))
    except Refused:
        desk.rates.sessions.take(desk.site.address(request))
        player, token = await desk.house.new_session()
        response = reply(await desk.house.session(player), 201)
        desk.site.remember(response, token)
        return response
    return reply(await desk.house.session(player))


@_ROUTER.get(
    "/api/session",
    responses=openapi.says({200: wire.Session}, "no_session"),
    tags=["session"],
)
async def get_session(desk: DeskOf, player: PlayerOf) -> Response:
    """The balance, and for each game the next commit and nonce and the open round."""
    return reply(await desk.house.session(player))


@_ROUTER.post(
    "/api/session/refill",
    responses=openapi.says({200: wire.Session}, "origin", "no_session", "open"),
    tags=["session"],
)
async def refill(
    desk: DeskOf,
    player: PlayerOf,
    body: Annotated[wire.Nothing | None, Body(openapi_examples=openapi.NOTHING)] = None,
) -> Response:
    """Restore the play money; only while no round is open."""
    await desk.house.refill(player)
    session = await desk.house.session(player)
    desk.hub.tell_balance(player, session["balance"])
    return reply(session)


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
    desk: DeskOf,
    visitor: VisitorOf,
    key: _Key,
    body: Annotated[wire.Bet, Body(openapi_examples=openapi.BETS)],
) -> Response:
    """Bet and deal. The same key and bet again gets the same answer, whatever came since."""
    return send(await desk.bet(visitor, key, body.request()), 201)


@_ROUTER.get(
    "/api/rounds",
    responses=openapi.says({200: wire.History}, "no_session", "field"),
    tags=["rounds"],
)
async def history(
    desk: DeskOf,
    player: PlayerOf,
    before: Annotated[
        int | None, Query(ge=0, le=NUMBER_MAX, description="`next` of the page before.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=PAGE_MAX)] = PAGE,
) -> Response:
    """Your rounds, the newest first."""
    return reply(await desk.house.history(player, before, limit))


@_ROUTER.get(
    "/api/rounds/open",
    responses=openapi.says({200: wire.OpenRounds}, "no_session"),
    tags=["rounds"],
)
async def open_rounds(desk: DeskOf, player: PlayerOf) -> Response:
    """Your open rounds, at most one a game."""
    return reply({"rounds": await desk.house.open_rounds(player)})


@_ROUTER.get(
    "/api/rounds/{id}",
    responses=openapi.says({200: wire.Answer}, "no_session", "not_found"),
    tags=["rounds"],
)
async def get_round(desk: DeskOf, player: PlayerOf, id_: _RoundId) -> Response:
    """A round with all its events."""
    return reply(await desk.house.look(player, id_))


@_ROUTER.post(
    "/api/rounds/{id}/moves",
    responses=openapi.says(
        {200: wire.Answer}, "json", "origin", "no_session", "not_found", "stale", "choice"
    ),
    tags=["rounds"],
)
async def move(
    desk: DeskOf,
    visitor: VisitorOf,
    id_: _RoundId,
    body: Annotated[wire.Move, Body(openapi_examples=openapi.MOVES)],
) -> Response:
    """Make a choice. The same seq and choice again gets the same answer."""
    return send(await desk.move(visitor, id_, body), 200)


@_ROUTER.get(
    "/api/rounds/{id}/proof",
    responses=openapi.says({200: wire.Proof}, "no_session", "not_found", "open", "void"),
    tags=["rounds"],
)
async def proof(desk: DeskOf, player: PlayerOf, id_: _RoundId) -> Response:
    """Everything that a stranger needs to check a settled round."""
    return reply(await desk.house.proof(player, id_))


@_ROUTER.get(
    "/api/rounds/{id}/receipt",
    responses=openapi.says({200: wire.Receipt}, "no_session", "not_found"),
    tags=["rounds"],
)
async def receipt(desk: DeskOf, player: PlayerOf, id_: _RoundId) -> Response:
    """What the house signed when it took the bet of a round."""
    return reply(await desk.house.receipt(player, id_))


@_ROUTER.get(
    "/api/rounds/{id}/coach",
    responses=openapi.says(
        {200: wire.Coach, 202: wire.Coach}, "no_session", "not_found", "settled"
    ),
    tags=["rounds"],
)
async def coach(desk: DeskOf, player: PlayerOf, id_: _RoundId) -> Response:
    """What each choice now is worth, in initial bets; 202 while that is not known: ask again."""
    game = await desk.house.game_of(player, id_)
    answer = await desk.house.look(player, id_)
    if answer["status"] != "open":
        raise Refused("settled", "This round is over; there is nothing left to choose.")
    values = await desk.coach.values(position(game, answer))
    if values is None:
        return reply({"ready": False, "values": {}, "best": None}, 202)
    return reply({"ready": True, "values": values, "best": best(values, answer)})


@_ROUTER.get(
    "/api/rounds/{id}/review",
    responses=openapi.says({200: wire.Review, 202: wire.Review}, "no_session", "not_found"),
    tags=["rounds"],
)
async def review(desk: DeskOf, player: PlayerOf, id_: _RoundId) -> Response:
    """What each choice of a round was worth beside the best one; 202 while that is not known."""
    game = await desk.house.game_of(player, id_)
    decisions = []
    for decision in await desk.house.decisions(player, id_):
        values = await desk.coach.values(position(game, decision.told))
        if values is None:
            return reply({"ready": False, "decisions": []}, 202)
        decisions.append(judged(decision, values))
    return reply({"ready": True, "decisions": decisions})


# Practice: nothing of it is kept, and there is no money in it


@_ROUTER.post(
    "/api/practice",
    responses=openapi.says({200: wire.PracticeHand}, "origin", "no_session", "not_found", "choice"),
    tags=["practice"],
)
async def practise(
    desk: DeskOf,
    player: PlayerOf,
    body: Annotated[wire.PracticeDeal, Body(openapi_examples=openapi.PRACTICE)],
) -> Response:
    """Deal a hand to practise on, for no money: a situation, or one at random."""
    game = _practised(body.game, body.decks)
    asked = body.situation.situation() if body.situation else None
    situation = asked or practice.drawn(game, body.kind, _RANDOM)
    told = practice.told(practice.dealt(game, situation, _RANDOM))
    return reply(
        {
            "game": game.key,
            "decks": game.rules.decks,
            "kind": kind_of(told),
            "situation": situation,
            **told,
        }
    )


@_ROUTER.post(
    "/api/practice/choice",
    responses=openapi.says(
        {200: wire.Judged, 202: wire.Judged}, "origin", "no_session", "not_found", "choice"
    ),
    tags=["practice"],
)
async def judge(
    desk: DeskOf,
    player: PlayerOf,
    body: Annotated[wire.PracticeChoice, Body(openapi_examples=openapi.PRACTISED)],
) -> Response:
    """What a choice in a practice hand is worth beside the best; 202 while that is not known."""
    game = _practised(body.game, body.decks)
    told = practice.told(practice.dealt(game, body.situation.situation(), _RANDOM))
    offered = [each["choice"] for each in told["choices"]]
    if body.choice not in offered:
        raise Refused("choice", f"{body.choice} is not offered here; {listed(offered)} is.")
    values = await desk.coach.values(position(game, told))
    if values is None:
        return reply({"ready": False, "values": {}, "best": None, "given_away": 0.0}, 202)
    best_ = best(values, told)
    given_away = values[best_] - values[body.choice]
    return reply({"ready": True, "values": values, "best": best_, "given_away": given_away})


def _practised(key: str, decks: int | None) -> Game:
    _check_game(key)
    return find(key).at_table(decks=decks)


@_ROUTER.get(
    "/api/stream",
    status_code=200,
    response_class=EventStream,
    responses=openapi.STREAM | openapi.says({}, "no_session"),
    tags=["rounds"],
)
async def stream(desk: DeskOf, player: PlayerOf) -> Response:
    """What changes, as server-sent events."""
    desk.hub.check_room(player)
    return EventStream(desk.hub, desk.house, player)


# What everybody may know


@_ROUTER.get("/api/house", responses=openapi.says({200: wire.House}), tags=["house"])
async def get_house(desk: DeskOf) -> Response:
    """What this house has set for all its tables."""
    return reply(desk.house.document())


@_ROUTER.get("/api/games", responses=openapi.says({200: wire.Games}), tags=["house"])
async def games() -> Response:
    """The games, in the order of the lobby."""
    return reply(_GAMES)


@_ROUTER.get(
    "/api/games/{key}",
    responses=openapi.says({200: wire.GameDocument}, "not_found"),
    tags=["house"],
)
async def get_game(request: Request, desk: DeskOf, key: str) -> Response:
    """Limits, pay tables, rules in words, and odds of a game."""
    _check_game(key)
    return _game_text(key, await desk.house.terms()).answer(request.headers)


async def _first_asked(desk: Desk, key: str | None) -> dict[str, str]:
    """What the client asks first at a table, or in the lobby, and is alike for everybody."""
    terms = await desk.house.terms()
    shown = [game.key for game in CATALOGUE if key in (game.key, None)]
    return {
        "/api/house": canonical(desk.house.document()),
        "/api/games": canonical(_GAMES),
        **{f"/api/games/{each}": _game_text(each, terms).text for each in shown},
    }


def _check_game(key: str) -> None:
    if key not in [game.key for game in CATALOGUE]:
        raise Refused("not_found", "There is no such game; /api/games lists them.")


@lru_cache(maxsize=256)
def _game_text(key: str, pools: tuple[Pool, ...]) -> Packed:
    game = find(key).with_pools(pools)
    return Packed(canonical({**describe.game_document(game), "odds": reports.stored(key)}))


@_ROUTER.get(
    "/api/games/{key}/rules",
    responses=openapi.says({200: wire.RulesPage}, "not_found", "field"),
    tags=["house"],
)
async def get_rules(
    request: Request,
    desk: DeskOf,
    key: str,
    decks: Annotated[int | None, Query(ge=1, description="As the table is set.")] = None,
) -> Response:
    """The rules page of a game: how it is played, pay tables, returns, the date of its change."""
    _check_game(key)
    table = find(key).at_table(decks=decks)
    terms = await desk.house.terms()
    text = _rules_text(key, table.rules.decks, desk.abandoned_days, terms)
    return text.answer(request.headers)


@lru_cache(maxsize=256)
def _rules_text(key: str, decks: int, days: int, pools: tuple[Pool, ...]) -> Packed:
    # Not the table, which closes side bets that another table has open.
    game = find(key).with_rule("decks", str(decks)).with_pools(pools)
    page = describe.page(game, returns=reports.stored(key), abandoned_days=days)
    return Packed(canonical(describe.page_document(page)))


@_ROUTER.get("/api/jackpots", responses=openapi.says({200: wire.Jackpots}), tags=["house"])
async def jackpots(desk: DeskOf) -> Response:
    """Every progressive meter as it stands."""
    return reply(await desk.house.jackpots())


@_ROUTER.get("/api/keys", responses=openapi.says({200: wire.Keys}), tags=["house"])
async def keys(desk: DeskOf) -> Response:
    """The public keys that this house has signed with, the oldest first."""
    return reply(await desk.house.keys())


ROUTERS = (_ROUTER, me.ROUTER, accounts.ROUTER, health.ROUTER)
