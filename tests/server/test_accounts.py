"""Names and passwords: what they keep, whom they let in, and what they never say.

The authority is the contract of `/api/account` and OWASP's cheat sheets on authentication and
session management, of which each docstring names the demand that it holds.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest
from argon2 import PasswordHasher
from argon2.profiles import RFC_9106_LOW_MEMORY

from tests.server.place import (
    CHEAP,
    Place,
    bet,
    bet_body,
    choose,
    finish,
    new_key,
    open_bet,
    open_place,
    stream_of,
)
from tests.server.schemas import Schemas
from tests.server.test_refusals import check_problem
from upcard.house import passwords
from upcard.house.passwords import Passwords
from upcard.refused import Refused
from upcard.server.rates import Limits, Rate

NAME, PASSWORD = "Thorp", "beat the dealer 1962"
KNOWN = {"name": NAME, "password": PASSWORD}
OTHER = "four queens, 1963"


async def register(client: httpx.AsyncClient, **more: str) -> httpx.Response:
    response = await client.post("/api/account", json={**KNOWN, **more})
    assert response.status_code == 201, response.text
    return response


async def login(client: httpx.AsyncClient, **more: str) -> httpx.Response:
    return await client.post("/api/account/login", json={**KNOWN, **more})


def test_a_guest_keeps_everything_and_comes_back_elsewhere(tmp_path: Path) -> None:
    """Player and session are separate: balance, rounds, seats and limits are the player's."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            schemas = Schemas(place.app.openapi())
            settled = await finish(client, await bet(client, "ags"))
            open_ = await open_bet(client, "threecard")
            await client.put("/api/me/limits", json={"loss": {"day": 50_000}})
            before = (await client.get("/api/session")).json()
            assert before["account"] is None
            told = await register(client)
            schemas.check("POST", "/api/account", told)
            assert told.json() == {**before, "account": NAME}
            async with place.guest() as elsewhere:
                back = await login(elsewhere, name="THORP")
                schemas.check("POST", "/api/account/login", back)
                assert back.json() == told.json()
                history = (await elsewhere.get("/api/rounds")).json()["rounds"]
                assert [each["round"] for each in history] == [open_["round"], settled["round"]]
                limits = (await elsewhere.get("/api/me/limits")).json()["limits"]
                assert limits["loss"]["day"]["cents"] == 50_000
                await choose(elsewhere, open_, "fold")
            await place.check_books()

    asyncio.run(try_it())


def test_every_change_of_rights_changes_the_token(tmp_path: Path) -> None:
    """Session management: a token is renewed at login, and the old one is worth nothing."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            tokens = [client.cookies["upcard"]]
            await register(client)
            tokens.append(client.cookies["upcard"])
            await login(client)
            tokens.append(client.cookies["upcard"])
            changed = {"password": PASSWORD, "new_password": OTHER}
            assert (await client.post("/api/account/password", json=changed)).is_success
            tokens.append(client.cookies["upcard"])
            left = await client.post("/api/account/logout")
            assert (left.status_code, left.json()) == (200, {})
            assert "upcard" not in client.cookies
            assert len({*tokens}) == 4
            for token in tokens:
                async with place.browser(cookies={"upcard": token}) as thief:
                    check_problem(await thief.get("/api/session"), 401, "no_session")

    asyncio.run(try_it())


def test_tokens_are_256_bits_and_kept_as_hashes(tmp_path: Path) -> None:
    """Session management: enough entropy; no token, name key apart no password in the database."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            await register(client)
            token = client.cookies["upcard"]
            assert len(bytes.fromhex(token)) == 32
        with closing(apsw.Connection(str(tmp_path / "house.db"))) as db:
            hash_ = db.execute("SELECT password FROM account").get
            assert hash_.startswith("$argon2id$")
        everything = (tmp_path / "house.db").read_bytes()
        for secret in (token, PASSWORD):
            assert secret.encode() not in everything

    asyncio.run(try_it())


def test_an_unknown_name_is_told_from_a_wrong_password_by_nothing(tmp_path: Path) -> None:
    """Authentication: the same answer, and the same work - one check of a hash of the same cost."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            await register(client)
            checked: list[str] = []
            honest = CHEAP.verify

            def counting(stored: str, password: str) -> bool:
                checked.append(stored)
                return honest(stored, password)

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(PasswordHasher, "verify", lambda _, *told: counting(*told))
                wrong = await login(client, password="something else")
                nobody = await login(client, name="Nobody", password="something else")
                unheard = await login(client, name="\N{SNOWMAN}" * 3, password=PASSWORD)
            check_problem(wrong, 403, "login")
            assert wrong.content == nobody.content == unheard.content
            assert len(checked) == 3
            costs = {stored.rpartition("$")[0].rpartition("$")[0] for stored in checked}
            assert len(costs) == 1, "another cost would take another time"

    asyncio.run(try_it())


def test_nobody_s_password_lets_nobody_in(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.browser() as client:
            check_problem(await login(client, password=passwords.NOBODY), 403, "login")

    asyncio.run(try_it())


def test_a_name_is_one_player_s(tmp_path: Path) -> None:
    """Whatever the case of its letters, and however many ask at once."""

    async def try_it() -> None:
        async with (
            open_place(tmp_path) as place,
            place.guest() as first,
            place.guest() as second,
            place.guest() as third,
        ):
            guests = {"Thorp": first, "tHORP": second, "thorp": third}
            asked = [
                client.post("/api/account", json={**KNOWN, "name": name})
                for name, client in guests.items()
            ]
            told = dict(zip(guests, await asyncio.gather(*asked), strict=True))
            (winner,) = [name for name, each in told.items() if each.status_code == 201]
            for name, each in told.items():
                if name != winner:
                    check_problem(each, 409, "name_taken", name)
            again = await guests[winner].post("/api/account", json=KNOWN | {"name": "Another"})
            check_problem(again, 409, "account", winner)

    asyncio.run(try_it())


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"name": "ab"}, "3 to 32"),
        ({"name": "a" * 33}, "3 to 32"),
        ({"name": "-abc"}, "begins with"),
        ({"name": "a b c"}, "letters"),
        ({"name": "th\N{CYRILLIC SMALL LETTER O}rp"}, "letters"),
        ({"name": "abc\n"}, "letters"),
        ({"password": "short"}, "10 to 128"),
        ({"password": "x" * 129}, "10 to 128"),
        ({"password": "x" * 300}, "password must be a text of at most"),
        ({"password": "my name is thorp"}, "contain the name"),
        ({"password": 1234567890}, "password must be a text"),
    ],
)
def test_a_name_or_password_that_is_none(
    change: dict[str, Any], named: str, tmp_path: Path
) -> None:
    """Authentication: long passwords of any characters; no rule of composition. A refusal never
    repeats a password."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            refused = await client.post("/api/account", json=KNOWN | change)
            check_problem(refused, 422, "field", named)
            assert str(change.get("password", PASSWORD)) not in refused.text
            assert (await client.get("/api/session")).json()["account"] is None

    asyncio.run(try_it())


def test_a_password_is_the_same_however_it_is_composed(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            await register(client, password="caf\N{LATIN SMALL LETTER E WITH ACUTE} noir 62")
            decomposed = "cafe\N{COMBINING ACUTE ACCENT} noir 62"
            assert (await login(client, password=decomposed)).is_success

    asyncio.run(try_it())


def test_another_password_ends_all_other_sessions(tmp_path: Path) -> None:
    """Authentication: the old password is worth nothing, and whoever was in is out."""

    async def try_it() -> None:
        async with (
            open_place(tmp_path) as place,
            place.guest() as client,
            place.browser() as elsewhere,
            place.guest() as guest,
        ):
            change = {"password": PASSWORD, "new_password": OTHER}
            refused = await guest.post("/api/account/password", json=change)
            check_problem(refused, 409, "account")
            await register(client)
            assert (await login(elsewhere)).is_success
            async with stream_of(place, elsewhere) as watched:
                wrong = {"password": OTHER, "new_password": PASSWORD + "!"}
                refused = await client.post("/api/account/password", json=wrong)
                check_problem(refused, 403, "login")
                short = {"password": PASSWORD, "new_password": "short"}
                refused = await client.post("/api/account/password", json=short)
                check_problem(refused, 422, "field")
                assert (await elsewhere.get("/api/session")).is_success
                told = await client.post("/api/account/password", json=change)
                Schemas(place.app.openapi()).check("POST", "/api/account/password", told)
                await watched.ended()
            assert (await client.get("/api/session")).is_success
            check_problem(await elsewhere.get("/api/session"), 401, "no_session")
            check_problem(await login(elsewhere), 403, "login")
            assert (await login(elsewhere, password=OTHER)).is_success
            assert (await guest.get("/api/session")).is_success

    asyncio.run(try_it())


def test_a_login_that_a_change_overtakes_is_refused(tmp_path: Path) -> None:
    """The old password was right when it was checked, and is not any more."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            await register(client)
            honest = Passwords.fit

            async def overtaken(self: Passwords, stored: str | None, password: str) -> bool:
                fits = await honest(self, stored, password)
                patch.undo()
                change = {"password": PASSWORD, "new_password": OTHER}
                assert (await client.post("/api/account/password", json=change)).is_success
                return fits

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(Passwords, "fit", overtaken)
                async with place.browser() as elsewhere:
                    check_problem(await login(elsewhere), 403, "login")
                    check_problem(await elsewhere.get("/api/session"), 401, "no_session")

    asyncio.run(try_it())


def test_a_guest_is_not_logged_out(tmp_path: Path) -> None:
    """He could not come back to his balance."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            check_problem(await client.post("/api/account/logout"), 409, "account")
            assert (await client.get("/api/session")).is_success

    asyncio.run(try_it())


async def _tried(place: Place, name: str, count: int) -> list[int]:
    async with place.browser() as client:
        return [(await login(client, name=name)).status_code for _ in range(count)]


def test_guesses_are_counted_by_name_and_by_address(tmp_path: Path) -> None:
    """Authentication: throttled for names that exist and for those that do not alike; the right
    password does not come through either."""

    async def try_it() -> None:
        limits = Limits(login_names=Rate(0.1, 3), logins=Rate(1, 8))
        async with open_place(tmp_path, limits=limits) as place, place.guest() as client:
            await register(client)
            place.clock.now += 100
            assert await _tried(place, "nobody", 4) == [403, 403, 403, 429]
            assert await _tried(place, "Nobody", 1) == [429]
            assert await _tried(place, NAME, 2) == [200, 200]
            assert await _tried(place, "another", 2) == [403, 429], "the address has tried 8"
            place.clock.now += 100
            assert await _tried(place, NAME, 4) == [200, 200, 200, 429]

    asyncio.run(try_it())


# The threads


def test_two_hashes_at_once_and_so_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Argon2 never runs in the event loop, and its memory is bounded."""
    running, most = 0, 0
    here, lock, go = threading.get_ident(), threading.Lock(), threading.Event()

    class Slow(PasswordHasher):
        def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
            nonlocal running, most
            assert threading.get_ident() != here
            with lock:
                running += 1
                most = max(most, running)
            go.wait(10)
            with lock:
                running -= 1
            return "hash"

    async def try_it() -> None:
        kept = Passwords(Slow())
        asked = [asyncio.create_task(kept.hashed("x")) for _ in range(passwords.WAITING_MAX)]
        await asyncio.sleep(0.05)
        with pytest.raises(Refused) as refused:
            await kept.hashed("x")
        assert refused.value.code == "unavailable"
        go.set()
        await asyncio.gather(*asked)
        await kept.hashed("x")

    asyncio.run(try_it())
    assert most == 2


def test_hashes_cost_what_rfc_9106_says(tmp_path: Path) -> None:
    """Its second recommended option: Argon2id, 3 passes over 64 MiB, 4 lanes. A hash that cost
    less is made again when its password is at hand."""
    assert RFC_9106_LOW_MEMORY.memory_cost == 65_536

    async def try_it() -> None:
        dear = Passwords()
        hash_ = await dear.hashed(PASSWORD)
        assert hash_.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
        assert await dear.fit(hash_, PASSWORD)
        async with open_place(tmp_path) as place, place.guest() as client:
            await register(client)
            object.__setattr__(place.house.accounts, "passwords", dear)
            assert (await login(client)).is_success
            account = await place.store.account(NAME.casefold())
            assert account is not None
            assert "m=65536" in account.password
            assert (await login(client)).is_success

    asyncio.run(try_it())


def test_an_account_bets_as_a_guest_does(tmp_path: Path) -> None:
    """A session opened by name is a session: the cookie's rules are the same (contract)."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            told = await register(client)
            flags = sorted(told.headers["set-cookie"].split("; ")[1:])
            assert flags == ["HttpOnly", "Max-Age=31536000", "Path=/", "SameSite=strict"]
            made = await client.post("/api/rounds", json=bet_body("ags"), headers=new_key())
            assert made.status_code == 201
            known = await client.post("/api/session", json={})
            assert (known.status_code, known.json()["account"]) == (200, NAME)

    asyncio.run(try_it())
