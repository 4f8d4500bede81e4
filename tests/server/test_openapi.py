"""The OpenAPI document: nothing left out, every example good, and every refusal in it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from jsonschema import ValidationError

from tests.server.place import Place, finish, open_bet, open_place
from tests.server.schemas import Schemas
from upcard.server.app import ROUTERS
from upcard.server.openapi import ACCOUNTS
from upcard.server.problems import STATUSES
from upcard.server.wire import KEY_HEADER

METHODS = ("get", "post", "put", "patch", "delete")


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method, path, said)
        for path, methods in document["paths"].items()
        for method, said in methods.items()
        if method in METHODS
    ]


def examples(operation: dict[str, Any]) -> dict[str, Any]:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    return {name: example["value"] for name, example in body.get("examples", {}).items()}


def test_the_contract_s_paths_are_all_there_and_no_others(tmp_path: Path) -> None:
    """The list is the HTTP contract's."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.browser() as client:
            document = (await client.get("/openapi.json")).json()
            assert document["openapi"].startswith("3.1")
            found = {f"{method} {path}" for method, path, _ in operations(document)}
            assert found == {
                "post /api/session",
                "get /api/session",
                "post /api/session/refill",
                "post /api/rounds",
                "get /api/rounds",
                "get /api/rounds/open",
                "get /api/rounds/{id}",
                "post /api/rounds/{id}/moves",
                "get /api/rounds/{id}/proof",
                "get /api/rounds/{id}/receipt",
                "get /api/rounds/{id}/coach",
                "get /api/rounds/{id}/review",
                "post /api/practice",
                "post /api/practice/choice",
                "get /api/stream",
                "get /api/games",
                "get /api/games/{key}",
                "get /api/games/{key}/rules",
                "get /api/jackpots",
                "get /api/keys",
                "get /api/house",
                "get /api/me/limits",
                "put /api/me/limits",
                "post /api/me/exclusion",
                "get /api/me/export",
                "post /api/account",
                "post /api/account/login",
                "post /api/account/logout",
                "post /api/account/password",
                "get /healthz",
                "get /readyz",
            }

    asyncio.run(try_it())


def test_every_route_is_documented(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place:
            document = place.app.openapi()
            served = {
                (method.lower(), route.path)
                for router in ROUTERS
                for route in router.routes
                if isinstance(route, APIRoute)
                for method in route.methods or ()
            }
            said = {(method, path) for method, path, _ in operations(document)}
            assert served == said
            for _, path, operation in operations(document):
                in_path = [name for name in ("id", "key") if f"{{{name}}}" in path]
                names = [each["name"] for each in operation.get("parameters", [])]
                assert [name for name in names if name in ("id", "key")] == in_path
                assert operation["summary"]
                assert operation["description"]

    asyncio.run(try_it())


def test_references_lead_somewhere_and_names_are_of_use(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place:
            document = place.app.openapi()
            text = json.dumps(document)
            schemas = document["components"]["schemas"]
            used = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}
            assert used == schemas.keys()
            mapping = schemas["Answer"]["properties"]["events"]["items"]["discriminator"]
            # The contract's list of event types.
            assert mapping["propertyName"] == "type"
            assert sorted(mapping["mapping"]) == [
                "award",
                "bet",
                "card",
                "choice",
                "offer",
                "pay",
                "peek",
                "reveal",
                "settled",
                "stake",
            ]
            assert "://" not in text
            assert set(schemas["Problem"]["properties"]["code"]["enum"]) == STATUSES.keys()

    asyncio.run(try_it())


def test_every_operation_names_what_it_may_refuse(tmp_path: Path) -> None:
    """A body can be bad in six ways; a cookie and an Origin in one each."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place:
            for method, path, operation in operations(place.app.openapi()):
                responses = operation["responses"]
                refusals = {status for status in responses if status >= "400"}
                for status in refusals:
                    assert [*responses[status]["content"]] == ["application/problem+json"]
                if method in ("post", "put"):
                    assert refusals >= {"400", "403", "413", "415", "422", "429", "503"}
                if "{id}" in path:
                    assert refusals >= {"401", "404"}
                assert ("401" in refusals) is ("security" in operation)

    asyncio.run(try_it())


def test_every_example_is_sent_and_answered_as_the_document_says(tmp_path: Path) -> None:
    async def try_it() -> None:
        async with open_place(tmp_path) as place:
            schemas = Schemas(place.app.openapi())
            sent = 0
            for method, path, operation in operations(schemas.document):
                for example in examples(operation).values():
                    schema = operation["requestBody"]["content"]["application/json"]["schema"]
                    _check_request(schemas, schema, example)
                    await _send(place, schemas, method, path, operation, example)
                    sent += 1
            assert sent >= 10
            for _, path, operation in operations(schemas.document):
                if not examples(operation) and path != "/api/stream":
                    await _look(place, schemas, path)

    asyncio.run(try_it())


def _check_request(schemas: Schemas, schema: dict[str, Any], example: Any) -> None:
    for each in schema.get("anyOf", [schema]):
        if "$ref" in each:
            schemas.validate(each, example)
            return
    raise AssertionError(schema)


async def _send(
    place: Place,
    schemas: Schemas,
    method: str,
    path: str,
    operation: dict[str, Any],
    example: Any,
) -> None:
    async with place.guest() as client:
        headers = {
            parameter["name"]: parameter["example"]
            for parameter in operation.get("parameters", [])
            if parameter["in"] == "header"
        }
        if path.startswith("/api/account/"):
            known = ACCOUNTS["a name"]["value"]
            assert (await client.post("/api/account/login", json=known)).is_success
        if path != "/api/rounds/{id}/moves":
            response = await client.request(method, path, json=example, headers=headers)
            assert response.is_success, response.text
            schemas.check(method, path, response)
            return
        game = "threecard" if example["choice"] in ("raise", "fold") else "super21"
        while True:
            round_ = await open_bet(client, game)
            offered = [choice["choice"] for choice in round_["choices"]]
            if round_["seq"] == example["seq"] and example["choice"] in offered:
                break
            await finish(client, round_)
        url = path.replace("{id}", round_["round"])
        response = await client.request(method, url, json=example)
        assert response.is_success, response.text
        schemas.check(method, path, response)


async def _look(place: Place, schemas: Schemas, path: str) -> None:
    """A request without a body: before a session, and for a settled and an open round."""
    async with place.guest() as client:
        for game in ("ags", "threecard", "super21", "top3"):
            settled = await finish(client, await open_bet(client, game))
            url = path.replace("{id}", settled["round"]).replace("{key}", game)
            response = await client.get(url)
            assert response.is_success or response.json()["code"] == "settled"
            schemas.check("GET", path, response)
            if "{id}" not in path and "{key}" not in path:
                break
        url = path.replace("{id}", (await open_bet(client, "ags"))["round"]).replace("{key}", "ags")
        schemas.check("GET", path, await client.get(url))
    async with place.browser() as nobody:
        schemas.check("GET", path, await nobody.get(path))


@pytest.mark.parametrize("game", ["top3", "threecard", "super21", "ags"])
def test_a_round_by_what_the_document_says_alone(game: str, tmp_path: Path) -> None:
    """An example as the bet, and the first choice offered, until it is settled."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            schemas = Schemas(place.app.openapi())
            bets = schemas.document["paths"]["/api/rounds"]["post"]
            body = examples(bets)[game]
            assert body["game"] == game
            response = await client.post("/api/rounds", json=body, headers={KEY_HEADER: "k"})
            schemas.check("POST", "/api/rounds", response)
            again = await client.post("/api/rounds", json=body, headers={KEY_HEADER: "l"})
            schemas.check("POST", "/api/rounds", again)
            answer = response.json()
            while answer["status"] == "open":
                move = {"seq": answer["seq"], "choice": answer["choices"][0]["choice"]}
                response = await client.post(f"/api/rounds/{answer['round']}/moves", json=move)
                schemas.check("POST", "/api/rounds/{id}/moves", response)
                answer = response.json()
            assert (await client.get(f"/api/rounds/{answer['round']}/proof")).is_success

    asyncio.run(try_it())


@pytest.mark.parametrize("member", ["seq", "events", "table", "choices", "balance"])
def test_the_schemas_can_refuse(member: str, tmp_path: Path) -> None:
    """An answer that lacks a member, has one too many or another type does not fit."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            schemas = Schemas(place.app.openapi())
            ref = {"$ref": "#/components/schemas/Answer"}
            answer = await open_bet(client, "ags")
            schemas.validate(ref, answer)
            lacking = {name: value for name, value in answer.items() if name != member}
            events = [{**event, "extra": 1} for event in answer["events"]]
            for bad in (lacking, {**answer, member: "x"}, {**answer, "events": events}):
                with pytest.raises(ValidationError):
                    schemas.validate(ref, bad)

    asyncio.run(try_it())
