"""Cookies, the Origin rule, expiry and rates, as the HTTP contract has them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.server.place import HERE, bet_body, new_key, open_place
from tests.server.test_refusals import check_problem
from upcard.house.rounds import Settings
from upcard.refused import Refused
from upcard.server.rates import Buckets, Limits, Rate, TooOften
from upcard.server.sessions import Site

HTTPS = "https://cards.example.com"


def test_a_session_is_new_once(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.browser() as client:
            check_problem(await client.get("/api/session"), 401, "no_session", "/api/session")
            for path in ("/api/rounds", "/api/rounds/open", "/api/rounds/x", "/api/stream"):
                check_problem(await client.get(path), 401, "no_session")
            check_problem(await client.post("/api/session/refill"), 401, "no_session")
            refused = await client.post("/api/rounds", json=bet_body("ags"), headers=new_key())
            check_problem(refused, 401, "no_session")
            opened = await client.post("/api/session", json={})
            assert opened.status_code == 201
            again = await client.post("/api/session", json={})
            assert (again.status_code, again.json()) == (200, opened.json())
            assert "set-cookie" not in again.headers
            assert (await client.get("/api/session")).json() == opened.json()

    asyncio.run(try_it())


def test_the_cookie_on_plain_http(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.browser() as client:
            # A body may be left out.
            opened = await client.post("/api/session")
            value, *flags = opened.headers["set-cookie"].split("; ")
            name, token = value.split("=")
            assert name == "upcard"
            assert len(token) >= 32
            assert sorted(flag.lower() for flag in flags) == [
                "httponly",
                "max-age=31536000",
                "path=/",
                "samesite=strict",
            ]
            assert token not in opened.text

    asyncio.run(try_it())


def test_the_cookie_on_https(tmp_path: Path) -> None:
    """`__Host-`: Secure, Path=/ and no Domain, or browsers throw it away."""

    async def try_it() -> None:
        async with (
            open_place(tmp_path, public_url=HTTPS + "/") as place,
            place.browser(HTTPS) as client,
        ):
            opened = await client.post("/api/session")
            value, *flags = opened.headers["set-cookie"].split("; ")
            assert value.startswith("__Host-upcard=")
            assert {"secure", "httponly", "path=/", "samesite=strict"} <= {
                flag.lower() for flag in flags
            }
            assert not [flag for flag in flags if flag.lower().startswith("domain")]
            assert (await client.get("/api/session")).status_code == 200
            document = place.app.openapi()
            scheme = document["components"]["securitySchemes"]["session"]
            assert scheme == {"type": "apiKey", "in": "cookie", "name": "__Host-upcard"}

    asyncio.run(try_it())


@pytest.mark.parametrize("token", ["", "x", "0" * 64, "\N{SNOWMAN}"])
def test_a_forged_cookie(token: str, tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.browser() as client:
            cookie = [(b"Cookie", f"upcard={token}".encode())]
            check_problem(await client.get("/api/session", headers=cookie), 401, "no_session")
            assert (await client.post("/api/session", headers=cookie)).status_code == 201

    asyncio.run(try_it())


def test_a_session_ends_when_its_time_is_over(tmp_path: Path) -> None:
    async def try_it() -> None:
        settings = Settings(session_seconds=3_600)
        async with open_place(tmp_path, settings=settings) as place, place.guest() as client:
            place.clock.now += 3_599
            before = await place.what_moves(client)
            place.clock.now += 1
            response = await client.post("/api/rounds", json=bet_body("ags"), headers=new_key())
            check_problem(response, 401, "no_session")
            check_problem(await client.get("/api/session"), 401, "no_session")
            books = await place.store.books()
            assert (len(books.transfers), len(books.rounds)) == (before[0], 0)
            # Whoever comes back then is a new guest.
            assert (await client.post("/api/session")).status_code == 201

    asyncio.run(try_it())


@pytest.mark.parametrize(
    ("public_url", "host", "origin", "welcome"),
    [
        (None, "cards.test", None, True),
        (None, "cards.test", HERE, True),
        (None, "cards.test:8421", "http://cards.test:8421", True),
        (None, "127.0.0.1:8421", "http://127.0.0.1:8421", True),
        (None, "[::1]:8421", "http://[::1]:8421", True),
        (None, "cards.test", "https://cards.test", False),
        (None, "cards.test", "http://cards.test:8421", False),
        (None, "cards.test", "http://evil.test", False),
        (None, "cards.test", "http://cards.test.evil.test", False),
        (None, "cards.test", "null", False),
        (None, "cards.test", "", False),
        (HTTPS, "cards.example.com", HTTPS, True),
        (HTTPS, "10.0.0.7:8421", HTTPS, True),
        (HTTPS, "10.0.0.7:8421", None, True),
        (HTTPS, "10.0.0.7:8421", "http://10.0.0.7:8421", False),
        (HTTPS, "cards.example.com", "http://cards.example.com", False),
        (HTTPS + ":8443", "cards.example.com", HTTPS + ":8443", True),
        (HTTPS + ":443", "cards.example.com", HTTPS, True),
        (HTTPS + ":8443", "cards.example.com", HTTPS, False),
    ],
)
def test_what_another_site_sends_is_refused(
    public_url: str | None, host: str, origin: str | None, welcome: bool, tmp_path: Path
) -> None:
    async def try_it() -> None:
        async with (
            open_place(tmp_path, public_url=public_url) as place,
            place.browser("https://cards.test" if public_url else HERE) as client,
        ):
            assert (await client.post("/api/session")).status_code == 201
            before = await place.what_moves(client)
            headers = {"Host": host} | ({} if origin is None else {"Origin": origin})
            key = new_key()
            bet = await client.post(
                "/api/rounds", json=bet_body("threecard"), headers=headers | key
            )
            if welcome:
                assert bet.status_code == 201
            else:
                check_problem(bet, 403, "origin")
                check_problem(await client.post("/api/session", headers=headers), 403, "origin")
                assert await place.what_moves(client) == before
            # Looking is free: a page of another site gets no answer to read from its browser.
            looked = await client.get("/api/session", headers=headers)
            assert looked.status_code == 200
            assert not [name for name in looked.headers if name.startswith("access-control-")]

    asyncio.run(try_it())


@pytest.mark.parametrize(
    "url",
    [
        "cards.example.com",
        "ftp://a.test",
        "https://",
        "https://a.test/x",
        "https://a:b@c",
        "http://[x",
    ],
)
def test_a_public_url_that_is_none(url: str) -> None:
    with pytest.raises(Refused, match="public URL"):
        Site.at(url, 1)


def test_every_answer_bears_the_security_headers(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            paths = ("/", "/openapi.json", "/healthz", "/api/session", "/api/nothing", "/nothing")
            answers = [await client.get(path) for path in paths]
            answers.append(await client.post("/api/rounds", content=b" " * 100_000))
            answers.append(await client.delete("/api/games"))
            for answer in answers:
                policy = answer.headers["content-security-policy"]
                assert "default-src 'self'" in policy
                assert "frame-ancestors 'none'" in policy
                assert answer.headers["x-content-type-options"] == "nosniff"
                assert answer.headers["referrer-policy"] == "no-referrer"
                if answer.url.path.startswith("/api"):
                    assert answer.headers["cache-control"] == "no-store"

    asyncio.run(try_it())


# Rates


def test_a_bucket_fills_again() -> None:
    """Two a second and three at once, by arithmetic."""
    now = [100.0]
    bucket = Buckets(Rate(2, 3), lambda: now[0])
    for _ in range(3):
        bucket.take("a")
    with pytest.raises(TooOften) as refused:
        bucket.take("a")
    assert refused.value.seconds == 1
    bucket.take("b")
    now[0] += 0.5
    bucket.take("a")
    with pytest.raises(TooOften):
        bucket.take("a")
    now[0] += 100
    for _ in range(3):
        bucket.take("a")
    with pytest.raises(TooOften):
        bucket.take("a")


def test_buckets_that_are_full_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upcard.server.rates.KNOWN_MAX", 10)
    now = [0.0]
    bucket = Buckets(Rate(1, 1), lambda: now[0])
    for number in range(1000):
        bucket.take(str(number))
        now[0] += 1
    assert len(bucket._full_at) <= 10
    bucket.take("x")
    with pytest.raises(TooOften):
        bucket.take("x")


def test_a_player_who_asks_too_often(tmp_path: Path) -> None:
    async def try_it() -> None:
        limits = Limits(player=Rate(0.5, 5))
        async with (
            open_place(tmp_path, limits=limits) as place,
            place.guest() as client,
            place.guest() as neighbour,
        ):
            answers = [await client.get("/api/session") for _ in range(6)]
            assert [answer.status_code for answer in answers] == [200] * 5 + [429]
            check_problem(answers[5], 429, "rate", "2 s")
            assert answers[5].headers["retry-after"] == "2"
            key, body = new_key(), bet_body("ags")
            check_problem(await client.post("/api/rounds", json=body, headers=key), 429, "rate")
            assert (await neighbour.get("/api/session")).status_code == 200
            place.clock.now += 2
            bet = await client.post("/api/rounds", json=body, headers=key)
            assert (bet.status_code, bet.json()["nonce"]) == (201, 1)

    asyncio.run(try_it())


def test_an_address_that_asks_too_often(tmp_path: Path) -> None:
    async def try_it() -> None:
        limits = Limits(address=Rate(1, 3))
        async with open_place(tmp_path, limits=limits) as place, place.browser() as client:
            # Behind no proxy nobody is believed who says he is another.
            answers = [
                await client.get("/api/games", headers={"X-Forwarded-For": f"10.0.0.{number}"})
                for number in range(4)
            ]
            assert [answer.status_code for answer in answers] == [200] * 3 + [429]
            check_problem(answers[3], 429, "rate")

    asyncio.run(try_it())


def test_behind_a_proxy_the_address_is_the_one_it_saw(tmp_path: Path) -> None:
    async def try_it() -> None:
        limits = Limits(address=Rate(1, 1))
        async with (
            open_place(tmp_path, limits=limits, public_url=HTTPS) as place,
            place.browser(HTTPS) as client,
        ):
            forwarded = ("10.0.0.1", "10.0.0.2", "10.9.9.9, 10.0.0.1")
            answers = [
                await client.get("/api/games", headers={"X-Forwarded-For": each})
                for each in forwarded
            ]
            assert [answer.status_code for answer in answers] == [200, 200, 429]

    asyncio.run(try_it())


def test_an_address_opens_so_many_sessions(tmp_path: Path) -> None:
    async def try_it() -> None:
        limits = Limits(sessions=Rate(1, 2))
        async with open_place(tmp_path, limits=limits) as place:
            for expected in (201, 201, 429):
                async with place.browser() as client:
                    opened = await client.post("/api/session")
                    assert opened.status_code == expected
                    if expected == 201:
                        # One that is known opens nothing.
                        assert (await client.post("/api/session")).status_code == 200
            check_problem(opened, 429, "rate")
            assert (
                len([each for each in (await place.store.books()).balances if "player/" in each])
                == 2
            )

    asyncio.run(try_it())
