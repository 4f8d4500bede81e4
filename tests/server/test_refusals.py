"""What is refused over HTTP: with which status, code and sentence - and that nothing moved.

The codes and statuses are those of the HTTP contract.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.place import Place, bet, bet_body, choose, finish, new_key, open_bet, open_place
from upcard.house.rounds import Settings
from upcard.server.gate import BODY_BYTES_MAX, DISCARDED_BYTES_MAX

JSON = {"Content-Type": "application/json"}
HUGE = 10**30


def check_problem(response: httpx.Response, status: int, code: str, named: str = "") -> None:
    """The contract's form, and one sentence that says what is wrong where."""
    body = response.json()
    assert (response.status_code, body["code"]) == (status, code), response.text
    assert body["status"] == status
    assert response.headers["content-type"] == "application/problem+json"
    sentence = body["detail"]
    assert sentence.endswith(".")
    assert len(sentence) < 300
    assert "\n" not in sentence
    assert named in sentence, sentence


def spots(**bets: Any) -> dict[str, Any]:
    return {"spots": [{"spot": 1, "bets": bets}]}


def spot(number: Any) -> dict[str, Any]:
    return {"spots": [{"spot": number, "bets": {"main": 1000}}]}


ADDED: dict[str, tuple[str, dict[str, Any], int, str, str]] = {
    # Amounts: `main` is 5.00 to 50.00 in steps of 0.50 at this level.
    "negative": ("top3", spots(main=-500), 422, "limit", "5.00 to 50.00"),
    "zero": ("top3", spots(main=0), 422, "limit", "5.00 to 50.00"),
    "below": ("top3", spots(main=450), 422, "limit", "5.00 to 50.00"),
    "above": ("top3", spots(main=5050), 422, "limit", "5.00 to 50.00"),
    "hugely negative": ("top3", spots(main=-HUGE), 422, "limit", "spots[0].bets.main"),
    "huge": ("top3", spots(main=HUGE), 422, "limit", "spots[0].bets.main"),
    "broken step": ("top3", spots(main=1001), 422, "step", "steps of 0.50"),
    "fractional": ("top3", spots(main=1000.5), 422, "field", "spots[0].bets.main"),
    "whole float": ("top3", spots(main=1000.0), 422, "field", "a whole number"),
    "boolean": ("top3", spots(main=True), 422, "field", "a whole number"),
    "text": ("top3", spots(main="1000"), 422, "field", "a whole number"),
    "null": ("top3", spots(main=None), 422, "field", "a whole number"),
    "list": ("top3", spots(main=[1000]), 422, "field", "a whole number"),
    # T-38, T-10: the progressive is exactly 5.00, and not at Micro.
    "progressive not 5": ("top3", spots(main=500, progressive=550), 422, "limit", "exactly 5.00"),
    "progressive at micro": (
        "top3",
        {"level": "micro", **spots(main=500, progressive=500)},
        422,
        "field",
        "progressive",
    ),
    # T-81, T-21, A-05, A-15
    "top3 without classic": ("top3", spots(main=500, top3=100), 422, "bet_needs", "classic"),
    "side bet alone": ("top3", spots(classic=100), 422, "bet_needs", "main"),
    "no spots": ("ags", {"spots": []}, 422, "bet_needs", "side bet"),
    "no bets": ("ags", spots(), 422, "bet_needs", "side bet"),
    "ace plus alone": ("threecard", spots(ace_plus=500), 422, "bet_needs", "ante"),
    # Places
    "spot 0": ("top3", spot(0), 422, "field", "1 to 3"),
    "spot 4": ("top3", spot(4), 422, "field", "1 to 3"),
    "spot -1": ("top3", spot(-1), 422, "field", "1 to 3"),
    "spot 2 of one": ("super21", spot(2), 422, "field", "one spot"),
    "spot text": ("top3", spot("1"), 422, "field", "spots[0].spot"),
    "spot true": ("top3", spot(True), 422, "field", "spots[0].spot"),
    "spot huge": ("top3", spot(HUGE), 422, "field", "spots[0].spot"),
    "spot hugely negative": ("top3", spot(-HUGE), 422, "field", "spots[0].spot must be a whole"),
    "spot twice": ("top3", {"spots": spot(1)["spots"] * 2}, 422, "field", "once"),
    "spots null": ("top3", {"spots": None}, 422, "field", "spots must be a list"),
    "spots object": ("top3", {"spots": {}}, 422, "field", "spots must be a list"),
    "spot no object": ("top3", {"spots": [1]}, 422, "field", "spots[0] must be an object"),
    "many spots": ("top3", {"spots": spot(1)["spots"] * 101}, 422, "field", "at most 100"),
    "bets null": ("top3", {"spots": [{"spot": 1, "bets": None}]}, 422, "field", "an object"),
    "other bet": ("top3", spots(main=500, lucky=100), 422, "field", "lucky"),
    "long bet": ("top3", spots(**{"x" * 65: 100}), 422, "field", "at most 64"),
    # Game, level, table
    "no game": ("top3", {"game": "poker"}, 422, "field", "poker"),
    "not served": ("top3", {"game": "blackjack"}, 422, "field", "blackjack"),
    "game number": ("top3", {"game": 3}, 422, "field", "game must be a text"),
    "game surrogate": ("top3", {"game": "\ud800"}, 422, "field", "game must be"),
    "no level": ("top3", {"level": "vip"}, 422, "field", "high_roller"),
    "other's level": ("ags", {"level": "low"}, 422, "field", "table"),
    "level null": ("top3", {"level": None}, 422, "field", "level must be a text"),
    "decks 5": ("top3", {"table": {"decks": 5}}, 422, "field", "6, 7 or 8"),
    "decks 2 of one": ("threecard", {"table": {"decks": 2}}, 422, "field", "decks"),
    "decks text": ("top3", {"table": {"decks": "6"}}, 422, "field", "table.decks"),
    "decks true": ("top3", {"table": {"decks": True}}, 422, "field", "table.decks"),
    "decks hugely negative": ("top3", {"table": {"decks": -HUGE}}, 422, "field", "at least 1"),
    "table text": ("top3", {"table": "green"}, 422, "field", "table must be an object"),
    #
    "one side bet": ("ags", {"table": {"side_bets": ["trifecta"]}}, 422, "field", "2"),
    "three side bets": (
        "ags",
        {"table": {"side_bets": ["trifecta", "in_bet", "pairs_pay"]}},
        422,
        "field",
        "2",
    ),
    "same side bet": ("ags", {"table": {"side_bets": ["in_bet", "in_bet"]}}, 422, "field", "once"),
    "pair and one twice": (
        "ags",
        {"table": {"side_bets": ["in_bet", "trifecta", "in_bet"]}},
        422,
        "field",
        "once",
    ),
    "other side bet": ("ags", {"table": {"side_bets": ["top3", "in_bet"]}}, 422, "field", "top3"),
    "closed side bet": ("ags", spots(main=500, in_bet=100), 422, "field", "in_bet"),
    # T-50
    "insurance elsewhere": ("ags", {"ask_insurance": False}, 422, "field", "ask_insurance"),
    "insurance text": ("top3", {"ask_insurance": "no"}, 422, "field", "true or false"),
    "insurance number": ("top3", {"ask_insurance": 1}, 422, "field", "true or false"),
    "insurance null": ("top3", {"ask_insurance": None}, 422, "field", "true or false"),
    # The shuffle
    "seed empty": ("top3", {"client_seed": ""}, 422, "field", "1 to 64"),
    "seed long": ("top3", {"client_seed": "a" * 65}, 422, "field", "1 to 64"),
    "seed space": ("top3", {"client_seed": "a b"}, 422, "field", "A-Z"),
    "seed line": ("top3", {"client_seed": "a\n"}, 422, "field", "A-Z"),
    "seed number": ("top3", {"client_seed": 7}, 422, "field", "client_seed must be a text"),
    # Unknown members
    "unknown": ("top3", {"colour": "red"}, 422, "field", "'colour'"),
    "unknown braces": ("top3", {"{colour}": "red"}, 422, "field", "'{colour}'"),
    "unknown in spot": (
        "top3",
        {"spots": [{"spot": 1, "bets": {"main": 500}, "hand": 0}]},
        422,
        "field",
        "spots[0]",
    ),
    "unknown in table": ("top3", {"table": {"chairs": 3}}, 422, "field", "table"),
}
"""Name → game, what is changed about a good bet, status, code, what the sentence names."""


@pytest.mark.parametrize("case", ADDED)
def test_a_bad_bet_moves_nothing_and_uses_up_neither_nonce_nor_key(
    case: str, tmp_path: Path
) -> None:
    game, change, status, code, named = ADDED[case]

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            before = await place.what_moves(client)
            key = new_key()
            # httpx would refuse a lone surrogate that JSON can write.
            content = json.dumps({**bet_body(game), **change}).encode()
            response = await client.post("/api/rounds", content=content, headers=key | JSON)
            check_problem(response, status, code, named)
            assert await place.what_moves(client) == before
            good = await client.post("/api/rounds", json=bet_body(game), headers=key)
            assert (good.status_code, good.json()["nonce"]) == (201, 1)
            await place.check_books()

    asyncio.run(try_it())


@pytest.mark.parametrize("missing", ["game", "level", "spots", "client_seed"])
def test_a_bet_lacks_a_member(missing: str, tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            body = {name: value for name, value in bet_body("top3").items() if name != missing}
            response = await client.post("/api/rounds", json=body, headers=new_key())
            check_problem(response, 422, "field", f"{missing} is missing")

    asyncio.run(try_it())


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "json"),
        (b"{", 400, "json"),
        (b"{'game': 'top3'}", 400, "json"),
        (b'{"game": "\xff"}', 400, "json"),
        (b"[" * 10_000, 400, "json"),
        (b'{"game": ' + b"9" * 5_000 + b"}", 400, "json"),
        (b"null", 422, "field"),
        (b"[]", 422, "field"),
        (b"3", 422, "field"),
        (b'"bet"', 422, "field"),
    ],
)
def test_a_body_that_is_no_object(body: bytes, status: int, code: str, tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            round_ = await open_bet(client, "top3")
            before = await place.what_moves(client)
            for path in ("/api/rounds", f"/api/rounds/{round_['round']}/moves"):
                response = await client.post(path, content=body, headers=new_key() | JSON)
                check_problem(response, status, code)
            assert await place.what_moves(client) == before

    asyncio.run(try_it())


@pytest.mark.parametrize(
    "media_type",
    ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "text/json", None],
)
def test_a_body_of_another_type(media_type: str | None, tmp_path: Path) -> None:
    """Also what keeps another site's plain form out."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            content = json.dumps(bet_body("top3")).encode()
            headers = new_key() | ({"Content-Type": media_type} if media_type else {})
            before = await place.what_moves(client)
            response = await client.post("/api/rounds", content=content, headers=headers)
            check_problem(response, 415, "media_type", "application/json")
            assert await place.what_moves(client) == before
            good = await client.post(
                "/api/rounds",
                content=content,
                headers=new_key() | {"Content-Type": "Application/JSON; charset=utf-8"},
            )
            assert good.status_code == 201

    asyncio.run(try_it())


async def _in_parts(size: int) -> AsyncIterator[bytes]:
    for _ in range(size // 1000):
        yield b" " * 1000


@pytest.mark.parametrize("size", [BODY_BYTES_MAX + 1_000, 1_048_576, DISCARDED_BYTES_MAX * 2])
def test_a_body_that_is_too_large(size: int, tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            before = await place.what_moves(client)
            for content in (b" " * size, _in_parts(size)):
                response = await client.post(
                    "/api/rounds", content=content, headers=new_key() | JSON
                )
                check_problem(response, 413, "too_large", str(BODY_BYTES_MAX))
            assert await place.what_moves(client) == before

    asyncio.run(try_it())


@pytest.mark.parametrize(
    ("keys", "status", "code"),
    [
        ([], 400, "key_missing"),
        ([b""], 400, "key_missing"),
        ([b"k" * 201], 422, "field"),
        ([b"a b"], 422, "field"),
        ([b"\xe9"], 422, "field"),
        ([b"one", b"two"], 422, "field"),
    ],
)
def test_a_key_that_is_none(keys: list[bytes], status: int, code: str, tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            before = await place.what_moves(client)
            headers = [(b"Idempotency-Key", key) for key in keys]
            response = await client.post("/api/rounds", json=bet_body("top3"), headers=headers)
            check_problem(response, status, code, "Idempotency-Key")
            assert await place.what_moves(client) == before

    asyncio.run(try_it())


@pytest.mark.parametrize("game", ["top3", "threecard"])
def test_a_bet_above_the_balance(game: str, tmp_path: Path) -> None:
    """C-06: at threecard the raise must be covered as well."""

    async def try_it() -> None:
        settings = Settings(play_money=900)
        async with open_place(tmp_path, settings=settings) as place, place.guest() as client:
            before = await place.what_moves(client)
            key = new_key()
            response = await client.post("/api/rounds", json=bet_body(game), headers=key)
            check_problem(response, 422, "funds", "9.00")
            assert await place.what_moves(client) == before
            if game == "top3":
                good = bet_body(game, **spots(main=900))
                assert (await client.post("/api/rounds", json=good, headers=key)).is_success

    asyncio.run(try_it())


def test_a_deal_with_a_round_open_is_answered_with_it(tmp_path: Path) -> None:
    """G-12: one open round per player and game."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            round_ = await open_bet(client, "super21")
            before = await place.what_moves(client)
            response = await client.post("/api/rounds", json=bet_body("super21"), headers=new_key())
            check_problem(response, 409, "round_open")
            looked = await client.get(f"/api/rounds/{round_['round']}")
            assert response.json()["open"] == looked.json()
            assert await place.what_moves(client) == before
            await open_bet(client, "ags")

    asyncio.run(try_it())


def test_a_key_is_good_for_one_bet(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            key, body = new_key(), bet_body("ags")
            first = await client.post("/api/rounds", json=body, headers=key)
            await finish(client, first.json())
            before = await place.what_moves(client)
            again = await client.post("/api/rounds", json=body, headers=key)
            assert (again.status_code, again.content) == (201, first.content)
            turned = {name: body[name] for name in reversed(body)}
            again = await client.post("/api/rounds", json=turned, headers=key)
            assert (again.status_code, again.content) == (201, first.content)
            for change in (spots(main=600), {"client_seed": "other"}, {"table": {"decks": 6}}):
                other = await client.post("/api/rounds", json=body | change, headers=key)
                check_problem(other, 409, "key_reused")
            assert await place.what_moves(client) == before
            async with place.guest() as neighbour:
                own = await neighbour.post("/api/rounds", json=body, headers=key)
                assert own.json()["round"] != first.json()["round"]

    asyncio.run(try_it())


MOVES: dict[str, tuple[dict[str, Any], int, str, str]] = {
    "seq text": ({"seq": "0"}, 422, "field", "seq must be"),
    "seq float": ({"seq": 0.0}, 422, "field", "seq must be"),
    "seq false": ({"seq": False}, 422, "field", "seq must be"),
    "seq null": ({"seq": None}, 422, "field", "seq must be"),
    "seq negative": ({"seq": -1}, 422, "field", "at least 0"),
    "seq huge": ({"seq": HUGE}, 422, "field", "seq must be"),
    "seq to come": ({"seq": 1}, 409, "stale", "seq 0"),
    "not offered": ({"choice": "raise"}, 422, "choice", "raise"),
    "no choice": ({"choice": "fly"}, 422, "choice", "surrender"),
    "choice in capitals": ({"choice": "HIT"}, 422, "choice", "hit"),
    "choice null": ({"choice": None}, 422, "choice", "hit"),
    "unknown": ({"amount": 500}, 422, "field", "'amount'"),
    "spot": ({"spot": 1}, 422, "field", "'spot'"),
}


@pytest.mark.parametrize("case", MOVES)
def test_a_bad_move_moves_nothing(case: str, tmp_path: Path) -> None:
    change, status, code, named = MOVES[case]

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            round_ = await open_bet(client, "super21")
            path = f"/api/rounds/{round_['round']}/moves"
            before = await place.what_moves(client)
            body = {"seq": 0, "choice": "stand", **change}
            check_problem(await client.post(path, json=body), status, code, named)
            assert await place.what_moves(client) == before
            assert (await choose(client, round_))["seq"] == 1

    asyncio.run(try_it())


@pytest.mark.parametrize("missing", ["seq", "choice"])
def test_a_move_lacks_a_member(missing: str, tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            round_ = await open_bet(client, "super21")
            body = {"seq": 0, "choice": "stand"}
            del body[missing]
            response = await client.post(f"/api/rounds/{round_['round']}/moves", json=body)
            check_problem(response, 422, "field", f"{missing} is missing")

    asyncio.run(try_it())


def test_a_move_that_comes_again_or_too_late(tmp_path: Path) -> None:
    """Same seq and choice again: the stored answer word for word; otherwise `stale`."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            body, late = {"seq": 0, "choice": "hit"}, {"seq": 1, "choice": "hit"}
            while True:
                round_ = await open_bet(client, "super21")
                path = f"/api/rounds/{round_['round']}/moves"
                if "hit" not in [each["choice"] for each in round_["choices"]]:
                    await finish(client, round_)
                    continue
                first = await client.post(path, json=body)
                if first.json()["status"] == "open":
                    break
                check_problem(await client.post(path, json=late), 409, "settled")
            before = await place.what_moves(client)
            assert (await client.post(path, json=body)).content == first.content
            check_problem(await client.post(path, json=body | {"choice": "stand"}), 409, "stale")
            assert await place.what_moves(client) == before
            ended = await finish(client, first.json())
            before = await place.what_moves(client)
            assert (await client.post(path, json=body)).content == first.content
            late = {"seq": ended["seq"], "choice": "hit"}
            check_problem(await client.post(path, json=late), 409, "settled")
            assert await place.what_moves(client) == before

    asyncio.run(try_it())


def test_a_choice_that_the_balance_cannot_cover(tmp_path: Path) -> None:
    """G-07: shown disabled with the reason, and refused in the same words."""

    async def try_it() -> None:
        async with open_place(tmp_path, settings=Settings(play_money=700)) as place:
            # A guest each, because all but the first bet would be made with another balance.
            while not await dear_double_refused(place):
                pass

    async def dear_double_refused(place: Place) -> bool:
        async with place.guest() as client:
            round_ = await bet(client, "super21")
            dear = [each for each in round_["choices"] if each["choice"] == "double"]
            if not dear:
                return False
            assert (dear[0]["enabled"], dear[0]["cost"]) == (False, 500)
            before = await place.what_moves(client)
            path = f"/api/rounds/{round_['round']}/moves"
            response = await client.post(path, json={"seq": round_["seq"], "choice": "double"})
            check_problem(response, 422, "funds", "2.00")
            assert response.json()["detail"] == dear[0]["why"]
            assert await place.what_moves(client) == before
            return True

    asyncio.run(try_it())


def test_another_player_s_round_is_like_none(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with (
            open_place(tmp_path) as place,
            place.guest() as client,
            place.guest() as stranger,
        ):
            theirs = (await open_bet(client, "top3"))["round"]
            before = await place.what_moves(client, stranger)
            for method, path in (
                ("GET", "/api/rounds/{}"),
                ("GET", "/api/rounds/{}/proof"),
                ("GET", "/api/rounds/{}/coach"),
                ("POST", "/api/rounds/{}/moves"),
            ):
                body = {"seq": 0, "choice": "stand"} if method == "POST" else None
                foreign = await stranger.request(method, path.format(theirs), json=body)
                unknown = await stranger.request(method, path.format("0" * 20), json=body)
                check_problem(foreign, 404, "not_found")
                assert foreign.content == unknown.content
            assert (await stranger.get("/api/rounds")).json() == {"rounds": [], "next": None}
            assert await place.what_moves(client, stranger) == before

    asyncio.run(try_it())


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/nothing", 404, "not_found"),
        ("GET", "/api/rounds/", 404, "not_found"),
        ("GET", "/docs", 404, "not_found"),
        ("GET", "/redoc", 404, "not_found"),
        ("GET", "/api/games/blackjack", 404, "not_found"),
        ("GET", "/api/games/blackjack/rules", 404, "not_found"),
        ("GET", "/api/games/top3/rules?decks=5", 422, "field"),
        ("GET", "/api/games/top3/rules?decks=x", 422, "field"),
        ("GET", "/api/games/..%2f..%2fcli", 404, "not_found"),
        ("DELETE", "/api/rounds/open", 405, "method"),
        ("PUT", "/api/session", 405, "method"),
        ("GET", "/api/session/refill", 405, "method"),
        ("GET", "/api/rounds?limit=0", 422, "field"),
        ("GET", "/api/rounds?limit=101", 422, "field"),
        ("GET", "/api/rounds?limit=x", 422, "field"),
        ("GET", "/api/rounds?before=-1", 422, "field"),
        ("GET", "/api/rounds?before=99999999999999999999", 422, "field"),
    ],
)
def test_paths_methods_and_queries(
    method: str, path: str, status: int, code: str, tmp_path: Path
) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            check_problem(await client.request(method, path), status, code)

    asyncio.run(try_it())


def test_refill_waits_for_open_rounds(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            round_ = await open_bet(client, "threecard")
            check_problem(await client.post("/api/session/refill"), 409, "open")
            check_problem(await client.get(f"/api/rounds/{round_['round']}/proof"), 409, "open")
            await choose(client, round_, "fold")
            refilled = await client.post("/api/session/refill", json={})
            assert (refilled.status_code, refilled.json()["balance"]) == (200, 10_000_000)
            check_problem(
                await client.post("/api/session/refill", json={"cents": 1}), 422, "field", "cents"
            )

    asyncio.run(try_it())


def test_two_tabs_race(tmp_path: Path) -> None:
    """The same bet and the same move at once, many times: made once, told alike."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            key, body = new_key(), bet_body("threecard")
            asked = [client.post("/api/rounds", json=body, headers=key) for _ in range(8)]
            answers = await asyncio.gather(*asked)
            assert {answer.status_code for answer in answers} == {201}
            assert len({answer.content for answer in answers}) == 1
            round_ = answers[0].json()
            path = f"/api/rounds/{round_['round']}/moves"
            both = [{"seq": 0, "choice": choice} for choice in ("raise", "fold") * 4]
            told = await asyncio.gather(*(client.post(path, json=each) for each in both))
            made = [answer for answer in told if answer.status_code == 200]
            late = [answer for answer in told if answer.status_code == 409]
            assert (len(made), len(late)) == (4, 4)
            assert len({answer.content for answer in made}) == 1
            assert {answer.json()["code"] for answer in late} == {"stale"}
            seats = await client.get("/api/session")
            assert seats.json()["games"]["threecard"]["nonce"] == 2
            books = await place.store.books()
            assert [(stored.seq, stored.status) for stored in books.rounds] == [(1, "settled")]
            await place.check_books()

    asyncio.run(try_it())


def test_two_bets_at_once_open_one_round(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            body = bet_body("threecard")
            asked = [client.post("/api/rounds", json=body, headers=new_key()) for _ in range(8)]
            answers = await asyncio.gather(*asked)
            taken = [answer for answer in answers if answer.status_code == 201]
            assert len(taken) == 1
            for answer in answers:
                if answer is not taken[0]:
                    check_problem(answer, 409, "round_open")
                    assert answer.json()["open"]["round"] == taken[0].json()["round"]
            await place.check_books()

    asyncio.run(try_it())


def test_the_history_ends_where_it_began(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            played = [await finish(client, await bet(client, "ags")) for _ in range(5)]
            seen, before = [], ""
            while True:
                page = (await client.get(f"/api/rounds?limit=2{before}")).json()
                seen += [each["round"] for each in page["rounds"]]
                if page["next"] is None:
                    break
                before = f"&before={page['next']}"
            assert seen == [each["round"] for each in reversed(played)]

    asyncio.run(try_it())
