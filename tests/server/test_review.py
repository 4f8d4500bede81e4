"""Choices judged after they were made, and hands to practise on."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from tests.server.place import choose, finish, open_bet, open_place
from tests.server.schemas import Schemas
from tests.server.test_coach import WARM_SECONDS_MAX, advised, pid_at
from upcard.games import CATALOGUE, find
from upcard.refused import Refused
from upcard.server.practice import WANTED, Situation, dealt, drawn, told
from upcard.server.review import KINDS, kind_of


async def until_ready(client: httpx.AsyncClient, method: str, path: str, body: Any = None) -> Any:
    async with asyncio.timeout(WARM_SECONDS_MAX):
        while True:
            response = await client.request(method, path, json=body)
            if response.status_code == 200:
                return response.json()
            assert response.status_code == 202
            assert response.json()["ready"] is False
            await asyncio.sleep(0.05)


def test_a_review_says_what_the_coach_said_before_each_choice(tmp_path: Path) -> None:
    """X-16: for every decision of a round of each game, also while the round is open; what was
    given away is the best value less that of the choice, and nothing when the best was chosen."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            schemas = Schemas(place.app.openapi())
            for number, game in enumerate(CATALOGUE):
                answer = await open_bet(client, game.key)
                said = []
                while answer["status"] == "open":
                    coach = await advised(client, answer["round"])
                    offered = [choice["choice"] for choice in answer["choices"]]
                    mine = coach["best"] if number % 2 else offered[-1]
                    said.append((answer["choices"][0], mine, coach))
                    answer = await choose(client, answer, mine)
                path = f"/api/rounds/{answer['round']}/review"
                found = await until_ready(client, "GET", path)
                schemas.check("GET", "/api/rounds/{id}/review", await client.get(path))
                assert len(found["decisions"]) == len(said)
                for at, (asked, mine, coach) in zip(found["decisions"], said, strict=True):
                    assert (at["spot"], at["hand"]) == (asked["spot"], asked["hand"])
                    assert (at["choice"], at["best"]) == (mine, coach["best"])
                    assert at["values"] == coach["values"]
                    lost = coach["values"][coach["best"]] - coach["values"][mine]
                    assert at["given_away"] == pytest.approx(lost)
                    assert (at["given_away"] == 0) is (lost == 0)
                    assert at["kind"] in KINDS

    asyncio.run(try_it())


def test_who_may_ask_for_a_review(tmp_path: Path) -> None:
    """404 foreign and unknown alike; a round without a choice is reviewed without a coach."""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client, place.guest() as other:
            answer = await open_bet(client, "threecard")
            path = f"/api/rounds/{answer['round']}/review"
            foreign = await other.get(path)
            unknown = await other.get("/api/rounds/nothing/review")
            assert (foreign.status_code, foreign.json()["code"]) == (404, "not_found")
            assert foreign.content == unknown.content
            assert (await client.get(path)).json() == {"ready": True, "decisions": []}
            assert pid_at(tmp_path / "coach.sock") == 0

    asyncio.run(try_it())


# Hands to practise on


SITUATIONS = [
    ("top3", Situation(cards=("8h", "8s"), up="Tc"), "pair", ["hit", "stand", "double", "split"]),
    ("top3", Situation(cards=("Ah", "6s"), up="3c"), "soft", ["hit", "stand", "double"]),
    ("top3", Situation(cards=("Th", "2s", "4d"), up="Ac"), "hard", ["hit", "stand"]),
    ("top3", Situation(cards=("Th", "6s"), up="Ac", asked=True), "insurance", ["insurance"]),
    ("ags", Situation(cards=("Th", "As"), up="Ac", asked=True), "even_money", ["even_money"]),
    ("super21", Situation(cards=("6h", "5s", "2d"), up="9c", doubled=True), "rescue", ["rescue"]),
    ("super21", Situation(cards=("2h", "2s", "2d", "3c"), up="9c"), "hard", ["hit", "double"]),
    ("threecard", Situation(cards=("Ah", "9s", "5d"), up="4c"), "three_cards", ["raise", "fold"]),
]
"""Games, hands, and by their clauses (T-60, S-03, A-11, C-07) some of what each is offered."""


@pytest.mark.parametrize(("key", "situation", "kind", "offered"), SITUATIONS, ids=str)
def test_a_situation_is_dealt_as_it_is_asked_for(
    key: str, situation: Situation, kind: str, offered: list[str]
) -> None:
    """X-17: with the very cards, at the very choice, whatever the dealer's hole card may be."""
    for seed in range(5):
        round_ = dealt(find(key).at_table(), situation, Random(seed))
        document = told(round_)
        assert document["table"]["spots"][0]["hands"][0]["cards"] == [*situation.cards]
        assert document["table"]["dealer"]["cards"][0] == situation.up
        assert kind_of(document) == kind
        assert {*offered} <= {choice["choice"] for choice in document["choices"]}


@pytest.mark.parametrize("wanted", WANTED)
@pytest.mark.parametrize("key", [game.key for game in CATALOGUE])
def test_a_hand_of_a_kind_is_drawn_and_dealt_again_the_same(key: str, wanted: str) -> None:
    """X-17. Three cards know no kinds; any hand of theirs will do."""
    game = find(key).at_table()
    for seed in range(4):
        situation = drawn(game, wanted, Random(seed))  # type: ignore[arg-type]  # one of WANTED
        found = kind_of(told(dealt(game, situation, Random(seed + 1))))
        assert wanted in ("any", found) or found == "three_cards"


@pytest.mark.parametrize(
    ("key", "situation"),
    [
        ("top3", Situation(cards=("8h", "8s"), up="1c")),
        ("top3", Situation(cards=("8h", "8s", "Th"), up="Tc")),
        ("top3", Situation(cards=("Ah", "Ks"), up="9c")),
        ("top3", Situation(cards=("Th", "6s"), up="9c", asked=True)),
        ("top3", Situation(cards=("Th",), up="9c")),
        ("top3", Situation(cards=("2h", "2s", "2d"), up="9c", doubled=True)),
        ("threecard", Situation(cards=("Ah", "Ah", "5d"), up="4c")),
        ("threecard", Situation(cards=("Ah", "2h", "5d", "9c"), up="4c")),
    ],
    ids=str,
)
def test_what_leads_to_no_choice_is_refused(key: str, situation: Situation) -> None:
    """No such card, bust, a natural, nothing to insure, too few, a doubled hand that is closed."""
    with pytest.raises(Refused) as refused:
        dealt(find(key).at_table(), situation, Random(1))
    assert refused.value.code == "field"


def test_practice_is_judged_and_leaves_no_trace(tmp_path: Path) -> None:
    """X-17: no round, no transfer, no seed used up. A double on eleven against six is best and a
    hit gives away; what is not offered is refused in words. (Published basic strategy.)"""

    async def try_it() -> None:
        async with open_place(tmp_path) as place, place.guest() as client:
            schemas = Schemas(place.app.openapi())
            before = await place.what_moves(client)
            eleven = {"cards": ["6h", "5c"], "up": "6d", "doubled": False, "asked": False}
            body = {"game": "top3", "decks": 8, "situation": eleven}
            response = await client.post("/api/practice", json=body)
            schemas.check("POST", "/api/practice", response)
            assert (response.json()["decks"], response.json()["kind"]) == (8, "hard")
            path = "/api/practice/choice"
            hit = await until_ready(client, "POST", path, {**body, "choice": "hit"})
            double = await until_ready(client, "POST", path, {**body, "choice": "double"})
            assert hit["best"] == double["best"] == "double"
            assert double["given_away"] == 0 < hit["given_away"]
            refused = await client.post(path, json={**body, "choice": "split"})
            assert (refused.status_code, refused.json()["code"]) == (422, "choice")
            assert refused.json()["detail"].startswith("split is not offered here; hit")
            drawn_ = await client.post("/api/practice", json={"game": "super21"})
            assert drawn_.json()["choices"]
            unknown = await client.post("/api/practice", json={"game": "blackjack"})
            assert unknown.status_code == 404
            assert await place.what_moves(client) == before
            await finish(client, await open_bet(client, "top3"))

    asyncio.run(try_it())
