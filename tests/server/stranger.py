"""A client that knows the HTTP contract and nothing of Upcard's code; it keeps its own books.

Everything it checks, it checks against what it was told before, or against arithmetic of its own.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import httpx
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Json = dict[str, Any]
Shoe = Callable[[bytes, str, int, int], list[str]]
"""Server seed, client seed, nonce, decks → cards."""
Look = Callable[[str, str, httpx.Response], None]
"""Method, path as the contract writes it, response."""

PAIRS = ("trifecta", "match_super", "pairs_pay", "in_bet")
GAMES = ("top3", "threecard", "super21", "ags")
# What each choice costs, of the stake of its hand.
COSTS = {"double": 1, "split": 1, "raise": 1}


class Heard(NamedTuple):
    """One response: headers and body as bytes, and the body read."""

    raw: bytes
    body: Any


class Stranger:
    """One browser. `look` sees every response."""

    def __init__(
        self, client: httpx.AsyncClient, rng: random.Random, shoe: Shoe, look: Look
    ) -> None:
        self._client = client
        self._rng = rng
        self._shoe = shoe
        self._look = look
        self._documents: dict[str, Json] = {}
        self._next: dict[str, Json] = {}
        self._balance = 0
        self._keys = 0
        self._heard: list[Heard] = []
        self.proofs: list[Json] = []
        self.seen: set[str] = set()
        """Choices, rows, bets and refusals met, so that a test sees what the rounds were worth."""

    async def sit_down(self) -> None:
        session = (await self._ask("POST", "/api/session", 201, json={})).json()
        assert session == (await self._ask("GET", "/api/session", 200)).json()
        self._balance = session["balance"]
        self._next = {game: {**its} for game, its in session["games"].items()}
        assert all(its.pop("open") is None for its in self._next.values())
        listed = (await self._ask("GET", "/api/games", 200)).json()["games"]
        assert tuple(game["key"] for game in listed) == GAMES
        for game in GAMES:
            document = await self._ask("GET", "/api/games/{key}", 200, key=game)
            self._documents[game] = document.json()
            for decks in document.json()["decks_offered"]:
                page = await self._ask(
                    "GET", "/api/games/{key}/rules", 200, key=game, params={"decks": decks}
                )
                assert page.json()["title"] == document.json()["title"]

    async def play(self, rounds: int) -> None:
        for _ in range(rounds):
            self._heard.clear()
            while not await self._plays_round():
                pass

    # One round

    async def _plays_round(self) -> bool:
        """Play one, unless there was too little money for it."""
        body = self._laid(self._rng.choice(GAMES))
        cost = sum(cents for spot in body["spots"] for cents in spot["bets"].values())
        reserved = sum(spot["bets"].get("ante", 0) for spot in body["spots"])
        if cost + reserved > self._balance:
            await self._broke(body)
            return False
        key = self._key()
        response = await self._ask("POST", "/api/rounds", 201, json=body, headers=key)
        answer = response.json()
        again = await self._ask("POST", "/api/rounds", 201, json=body, headers=key)
        assert again.content == response.content
        await self._check_receipt(body, key, answer)
        await self._through(body, answer)
        return True

    async def _broke(self, body: Json) -> None:
        """Too little money: the bet is refused, and play money can be had."""
        refused = await self._ask("POST", "/api/rounds", 422, json=body, headers=self._key())
        assert refused.json()["code"] == "funds"
        self.seen.add("refused")
        session = (await self._ask("POST", "/api/session/refill", 200, json={})).json()
        assert session["balance"] >= self._balance
        self._balance = session["balance"]
        for game, its in session["games"].items():
            assert {**self._next[game], "open": None} == its

    async def _through(self, body: Json, answer: Json) -> None:
        before, told = self._balance, []
        assert (answer["commit"], answer["nonce"]) == (
            self._next[body["game"]]["commit"],
            self._next[body["game"]]["nonce"],
        )
        self._next[body["game"]] = answer["next"]
        assert answer["next"]["nonce"] == answer["nonce"] + 1
        made: list[Json] = []
        while True:
            told += answer["events"]
            self._check_answer(body, answer, told, before, len(made))
            if self._rng.random() < 0.25 or answer["status"] != "open":
                await self._check_look(answer, told)
            if answer["status"] != "open":
                break
            answer = await self._move(answer, made)
        self._balance = answer["balance"]
        await self._check_proof(body, answer, told, made)

    async def _move(self, answer: Json, made: list[Json]) -> Json:
        chosen = self._rng.choice([each for each in answer["choices"] if each["enabled"]])
        if dear := [each for each in answer["choices"] if not each["enabled"]]:
            await self._check_dear(answer, dear[0])
        self.seen.add(chosen["choice"])
        body = {"seq": answer["seq"], "choice": chosen["choice"]}
        path, id_ = "/api/rounds/{id}/moves", answer["round"]
        moved = await self._ask("POST", path, 200, id=id_, json=body)
        if self._rng.random() < 0.1:
            again = await self._ask("POST", path, 200, id=id_, json=body)
            assert again.content == moved.content
        made.append(
            {
                "seq": answer["seq"] + 1,
                "spot": chosen["spot"],
                "hand": chosen["hand"],
                "choice": chosen["choice"],
            }
        )
        document: Json = moved.json()
        return document

    async def _check_dear(self, answer: Json, dear: Json) -> None:
        """G-07: what the balance cannot cover is shown with the reason, and refused."""
        assert dear["cost"] > answer["balance"]
        assert dear["why"]
        self.seen.add("dear")
        body = {"seq": answer["seq"], "choice": dear["choice"]}
        path = "/api/rounds/{id}/moves"
        refused = await self._ask("POST", path, 422, id=answer["round"], json=body)
        assert refused.json()["code"] == "funds"

    # Checks

    def _check_answer(
        self, body: Json, answer: Json, told: list[Json], before: int, seq: int
    ) -> None:
        assert [event["n"] for event in told] == list(range(len(told)))
        assert (answer["game"], answer["level"]) == (body["game"], body["level"])
        assert answer["seq"] == seq
        assert answer["next"] == self._next[body["game"]]
        bets = [event for event in told if event["type"] == "bet"]
        laid: dict[int, Json] = {}
        for event in bets:
            laid.setdefault(event["spot"], {})[event["bet"]] = event["cents"]
        assert laid == {spot["spot"]: spot["bets"] for spot in body["spots"]}
        staked = sum(event["cents"] for event in told if event["type"] in ("bet", "stake"))
        paid = sum(event["paid"] for event in told if event["type"] == "pay")
        is_open = answer["status"] == "open"
        reserved = sum(spot["bets"].get("ante", 0) for spot in body["spots"]) if is_open else 0
        assert answer["balance"] == before - staked + paid - reserved
        self.seen |= {f"{event['bet']}.{event['row']}" for event in told if event["type"] == "pay"}
        if is_open:
            self._check_open(body, answer, told)
        else:
            self._check_settled(answer, told, staked, paid)

    def _check_open(self, body: Json, answer: Json, told: list[Json]) -> None:
        assert answer["server_seed"] is None
        assert answer["choices"]
        assert len({(each["spot"], each["hand"]) for each in answer["choices"]}) == 1
        acting = answer["choices"][0]
        spots = {spot["spot"]: spot for spot in answer["table"]["spots"]}
        assert [spot["spot"] for spot in spots.values() if spot["active"]] == [acting["spot"]]
        stake = spots[acting["spot"]]["hands"][acting["hand"]]["stake"]
        for each in answer["choices"]:
            cost = COSTS.get(each["choice"], 0) * stake
            if each["choice"] == "insurance":
                cost, rest = divmod(stake, 2)
                assert rest == 0
            assert each["cost"] == cost, each
            # The raise was set aside at DEAL (C-06), everything else is weighed.
            assert each["enabled"] is (each["choice"] == "raise" or cost <= answer["balance"])
            assert (each["why"] is None) is each["enabled"]
        if not [event for event in told if event["type"] == "reveal"]:
            face_up = [
                event["card"]
                for event in told
                if event["type"] == "card" and event["to"] == "dealer"
            ]
            shown = ["??" if card is None else card for card in face_up]
            assert answer["table"]["dealer"]["cards"] == shown
            assert "??" in shown

    def _check_settled(self, answer: Json, told: list[Json], staked: int, paid: int) -> None:
        assert told[-1] == {
            "n": len(told) - 1,
            "type": "settled",
            "staked": staked,
            "paid": paid,
        }
        assert answer["choices"] == []
        seed = bytes.fromhex(answer["server_seed"])
        assert hashlib.sha256(seed).hexdigest() == answer["commit"]
        assert "??" not in answer["table"]["dealer"]["cards"]
        self._check_kept_secret(answer, told, seed)

    def _check_kept_secret(self, answer: Json, told: list[Json], seed: bytes) -> None:
        """No byte of this round before its last answer knew the seed or a card that lay face down.

        A face-down card of several decks may have a twin in sight; then its name proves nothing.
        """
        ended = next(n for n, heard in enumerate(self._heard) if heard.body == answer)
        before_end = b"\n".join(heard.raw for heard in self._heard[:ended])
        for secret in (seed.hex().encode(), base64.b64encode(seed), seed):
            assert secret not in before_end
        in_sight = {event["card"] for event in told if event["type"] == "card"}
        revealed = [event["card"] for event in told if event["type"] == "reveal"]
        if answer["events"] and any(event["type"] == "reveal" for event in answer["events"]):
            for card in set(revealed) - in_sight:
                assert f'"{card}"'.encode() not in before_end
                self.seen.add("secret")

    async def _check_receipt(self, body: Json, key: Json, answer: Json) -> None:
        """The house has signed what was bet, and the commits it was bet under."""
        receipt = answer["receipt"]
        kept = await self._ask("GET", "/api/rounds/{id}/receipt", 200, id=answer["round"])
        assert kept.json() == receipt
        assert receipt["spots"] == sorted(body["spots"], key=lambda spot: int(spot["spot"]))
        for name in ("game", "level", "client_seed"):
            assert receipt[name] == body[name], name
        for name in ("round", "decks", "side_bets", "commit", "nonce", "next"):
            assert receipt[name] == answer[name], name
        assert receipt["request"] == key["Idempotency-Key"]
        listed = (await self._ask("GET", "/api/keys", 200)).json()["keys"]
        public = {each["id"]: bytes.fromhex(each["public_key"]) for each in listed}[receipt["key"]]
        signed = {name: value for name, value in receipt.items() if name != "signature"}
        text = json.dumps(signed, sort_keys=True, separators=(",", ":")).encode()
        signature = bytes.fromhex(receipt["signature"])
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text)

    async def _check_look(self, answer: Json, told: list[Json]) -> None:
        looked = await self._ask("GET", "/api/rounds/{id}", 200, id=answer["round"])
        shown = {name: value for name, value in answer.items() if name != "receipt"}
        assert looked.json() == {**shown, "events": told}
        page = await self._ask("GET", "/api/rounds/open", 200)
        open_ = [looked.json()] if answer["status"] == "open" else []
        assert page.json() == {"rounds": open_}
        if open_:
            proof = await self._ask("GET", "/api/rounds/{id}/proof", 409, id=answer["round"])
            assert proof.json()["code"] == "open"
            refill = await self._ask("POST", "/api/session/refill", 409, json={})
            assert refill.json()["code"] == "open"

    async def _check_proof(
        self, body: Json, answer: Json, told: list[Json], made: list[Json]
    ) -> None:
        proof = (await self._ask("GET", "/api/rounds/{id}/proof", 200, id=answer["round"])).json()
        for name in ("round", "game", "level", "table", "commit", "nonce", "server_seed"):
            assert proof[name] == answer[name], name
        assert proof["client_seed"] == body["client_seed"]
        assert proof["choices"] == made
        assert [
            {"spot": each["spot"], "hand": each["hand"], "bet": each["bet"]}
            | {"stake": each["stake"], "paid": each["paid"]}
            for each in proof["payments"]
        ] == [
            {"spot": event["spot"], "hand": event.get("hand"), "bet": event["bet"]}
            | {"stake": event["stake"], "paid": event["paid"]}
            for event in told
            if event["type"] == "pay"
        ]
        assert proof["awards"] == [
            {"n": event["n"], "meter": event["meter"]} for event in told if event["type"] == "award"
        ]
        assert (proof["staked"], proof["paid"]) == (told[-1]["staked"], told[-1]["paid"])
        cards = self._cards_in_order(told)
        seed = bytes.fromhex(proof["server_seed"])
        shoe = self._shoe(seed, proof["client_seed"], proof["nonce"], proof["decks"])
        assert cards == proof["cards"] == shoe[: len(cards)]
        self.proofs.append(proof)

    def _cards_in_order(self, told: list[Json]) -> list[str]:
        """What lay face down has its place in the deal and its name from when it was turned up."""
        revealed = iter([event["card"] for event in told if event["type"] == "reveal"])
        dealt = [event["card"] for event in told if event["type"] == "card"]
        cards = [next(revealed) if card is None else card for card in dealt]
        assert not list(revealed)
        return cards

    # Bets

    def _laid(self, game: str) -> Json:
        document, rng = self._documents[game], self._rng
        level = rng.choice(document["levels"])
        body: Json = {"game": game, "level": level["key"], "client_seed": self._client_seed()}
        sides = [side["key"] for side in document["side_bets"]]
        if game == "ags":
            sides = rng.sample(PAIRS, 2)
            body["table"] = {"side_bets": sides}
        if len(document["decks_offered"]) > 1 and rng.random() < 0.5:
            body.setdefault("table", {})["decks"] = rng.choice(document["decks_offered"])
        if game == "top3" and rng.random() < 0.3:
            body["ask_insurance"] = rng.random() < 0.5
        count = rng.randint(1, document["spots_max"])
        numbers = rng.sample(range(1, document["spots_max"] + 1), count)
        body["spots"] = [
            {"spot": number, "bets": self._spot(game, level["bets"], sides)} for number in numbers
        ]
        return body

    def _spot(self, game: str, limits: Json, sides: list[str]) -> Json:
        main = "ante" if game == "threecard" else "main"
        wanted = [side for side in sides if side in limits and self._rng.random() < 0.6]
        if "top3" in wanted and "classic" not in wanted:
            wanted.append("classic")
        if game != "ags" or not wanted or self._rng.random() < 0.8:
            wanted.append(main)
        return {bet: self._amount(limits[bet]) for bet in wanted}

    def _amount(self, limit: Json) -> int:
        steps: int = (limit["max"] - limit["min"]) // limit["step"]
        # Mostly small: three spots at their maxima would be broke at once.
        most = steps if self._rng.random() < 0.1 else min(steps, 20)
        cents: int = limit["min"] + limit["step"] * self._rng.randint(0, most)
        return cents

    def _client_seed(self) -> str:
        letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
        return "".join(self._rng.choices(letters, k=self._rng.randint(1, 64)))

    def _key(self) -> dict[str, str]:
        self._keys += 1
        return {"Idempotency-Key": f"stranger-{self._keys}"}

    async def _ask(
        self,
        method: str,
        path: str,
        status: int,
        *,
        id: str = "",
        key: str = "",
        **more: Any,
    ) -> httpx.Response:
        url = path.format(id=id, key=key)
        response = await self._client.request(method, url, **more)
        assert response.status_code == status, (method, url, more, response.text)
        raw = b"\n".join([*(b": ".join(pair) for pair in response.headers.raw), response.content])
        self._heard.append(Heard(raw, response.json()))
        self._look(method, path, response)
        return response
