"""No answer says anything of the hole card, not even by its length.

The hole card is the dealer's second card (T-03, C-02); what may be told of it before it is turned
is that a peek found no natural, which the rules say aloud (G-03).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.place import Place, bet, choose, open_place
from upcard.cards import CARDS, Card, parse_cards
from upcard.fair import Shoe
from upcard.house.journal import RoundInputs

HOLE = {"top3": 3, "super21": 3, "ags": 3, "threecard": 4}
"""Where in the order of the deal it lies: after two cards of the spot and the dealer's first, or
after three of the player and the first of the dealer."""
TABLES: dict[tuple[str, str], str | None] = {
    # Hard 12 against a six, a ten (the peek has found no ace), and an ace before insurance.
    ("top3", "Th 6c 2d ??"): "hit",
    ("super21", "Th Tc 2d ??"): "hit",
    ("ags", "Th 6c 2d ??"): "hit",
    ("top3", "Th Ac 2d ??"): None,
    ("threecard", "2h 4d 6s Tc ?? 9c"): None,
}
"""Game and cards, and the choice that leaves the hole card down: the next card makes 15."""
MAIN = {
    "top3": {"main": 1000, "classic": 100},
    "super21": {"main": 500},
    "ags": {"main": 500},
    "threecard": {"ante": 500, "ace_plus": 500},
}


def holes(cards: str) -> list[Card]:
    """Every hole card that the table leaves open: under a ten no ace, which ends the round."""
    up = cards.split()[1]
    return [card for card in CARDS if not (up.startswith("T") and str(card).startswith("A"))]


@pytest.fixture
def stacked(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Card], None]:
    """`stacked(cards, hole)`: the next rounds are dealt so; only the order is arranged."""
    decks: list[tuple[Card, ...]] = []
    honest = RoundInputs.shoe

    def shoe(inputs: RoundInputs) -> Shoe | tuple[Card, ...]:
        return decks[-1] if decks else honest(inputs)

    monkeypatch.setattr(RoundInputs, "shoe", shoe)

    def stack(cards: str, hole: Card) -> None:
        decks.append(parse_cards(cards.replace("??", str(hole)) + " 3c 5s 5d 6h 7s 8s 9s"))

    return stack


def blank(text: str, *secrets: str) -> str:
    """The text without what differs from round to round: ids, commits, nonces, the player."""
    for secret in secrets:
        text = text.replace(secret, "_" * len(secret))
    return text


def told_by(receipt: dict[str, Any]) -> str:
    """A receipt's text, without what is of this one bet and known before its cards are dealt; of
    the signature, which rests on those, the length."""
    known = ("round", "player", "commit", "next", "request")
    left = {name: value for name, value in receipt.items() if name not in known}
    return json.dumps({**left, "signature": len(receipt["signature"])})


async def _looks(client: httpx.AsyncClient, answer: dict[str, Any]) -> list[str]:
    """All that a player may ask of his open round, random values of the same length blanked."""
    id_ = answer["round"]
    asked = [f"/api/rounds/{id_}", "/api/rounds/open", "/api/rounds", f"/api/rounds/{id_}/proof"]
    texts = [json.dumps(answer), *[(await client.get(path)).text for path in asked]]
    seen = [id_, answer["commit"], answer["next"]["commit"]]
    return [blank(text, *seen) for text in texts]


@pytest.mark.parametrize(("game", "cards"), [*TABLES])
def test_answers_are_the_same_for_every_hole_card(
    game: str, cards: str, stacked: Callable[[str, Card], None], tmp_path: Path
) -> None:
    """Bet, moves, looks, open rounds, history and the refused proof: byte for byte, whichever of up
    to 52 cards lies there; so is the export, whose times and counts stand still."""
    assert cards.split().index("??") == HOLE[game]

    async def told(hole: Card, place: Place) -> list[str]:
        stacked(cards, hole)
        async with place.guest() as client:
            player = (await client.get("/api/session")).json()["player"]
            answer = await bet(client, game, spots=[{"spot": 1, "bets": MAIN[game]}])
            receipt = answer.pop("receipt")
            texts = [told_by(receipt), *await _looks(client, answer)]
            if choice := TABLES[game, cards]:
                answer = await choose(client, answer, choice)
                texts += await _looks(client, answer)
            assert answer["status"] == "open", (hole, answer)
            export = (await client.get("/api/me/export")).text
            seen = [answer["round"], answer["commit"], answer["next"]["commit"], player]
            return [*texts, blank(export, *seen)]

    async def try_it() -> None:
        async with open_place(tmp_path) as place:
            first, *others = [await told(hole, place) for hole in one_of_each_rank(holes(cards))]
            assert len(others) >= 11
            for texts in others:
                assert texts == first
                assert [len(text) for text in texts] == [len(text) for text in first]

    asyncio.run(try_it())


def one_of_each_rank(cards: list[Card]) -> list[Card]:
    """In suits by turns: no rule of the dealer's looks at suits."""
    ranks: dict[str, list[Card]] = {}
    for card in cards:
        ranks.setdefault(str(card)[0], []).append(card)
    return [same[n % len(same)] for n, same in enumerate(ranks.values())]
