"""Rounds of a client that knows the contract alone: its books, the proofs and the ledger agree."""

from __future__ import annotations

import asyncio
import base64
import importlib.util
import os
import random
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import pytest

from tests.server.place import Place, open_place, stream_of
from tests.server.schemas import Schemas
from tests.server.stranger import GAMES, Shoe, Stranger
from upcard.house.rounds import Settings
from upcard.house.verify import verify

ROOT = Path(__file__).resolve().parents[2]
SOAK = bool(os.environ.get("UPCARD_SOAK"))
PLAY_MONEY = (10_000_000, 60_000, 300_000, 1_000_000, 150_000)
"""By batch: rich enough for everything, and too poor for much of it."""
STRANGERS = 5
TURNS = 400 if SOAK else 40
"""Rounds that each stranger of each batch plays: 1,000 in all, 10,000 in the long form."""
TURNS_PER_AUDIT = 100 if SOAK else 20
VALIDATED = 1 / 20


def _stand_alone_shoe() -> Shoe:
    """The shuffle of the script that we give to players, which shares no code with us."""
    spec = importlib.util.spec_from_file_location("stand_alone", ROOT / "docs/verify_shuffle.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    shoe: Shoe = module.shoe
    return shoe


class Listener:
    """Keeps all bytes, and holds every twentieth answer against the OpenAPI document."""

    def __init__(self, place: Place, rng: random.Random) -> None:
        self._schemas = Schemas(place.app.openapi())
        self._rng = rng
        self.heard: list[bytes] = []

    def __call__(self, method: str, path: str, response: httpx.Response) -> None:
        self.heard += [value for _, value in response.headers.raw]
        self.heard.append(response.content)
        if self._rng.random() < VALIDATED:
            self._schemas.check(method, path, response)


@pytest.mark.parametrize("batch", range(len(PLAY_MONEY)))
def test_what_a_stranger_is_told_adds_up(batch: int, tmp_path: Path) -> None:
    """One after another and with repeating entropy, so that every run meets the same cards."""

    async def play() -> None:
        settings = Settings(play_money=PLAY_MONEY[batch])
        entropy = random.Random(f"entropy {batch}").randbytes
        async with _strangers(tmp_path, str(batch), settings, entropy) as (place, strangers):
            for turn in range(1, TURNS + 1):
                for stranger in strangers:
                    await stranger.play(1)
                if turn % TURNS_PER_AUDIT == 0:
                    await _check(place, strangers)
            _check_worth(set().union(*(stranger.seen for stranger in strangers)), batch)

    asyncio.run(play())


def test_strangers_may_play_at_the_same_time(tmp_path: Path) -> None:
    async def play() -> None:
        async with _strangers(tmp_path, "all at once") as (place, strangers):
            await asyncio.gather(*(stranger.play(10) for stranger in strangers))
            await _check(place, strangers)

    asyncio.run(play())


@asynccontextmanager
async def _strangers(
    folder: Path,
    seed: str,
    settings: Settings | None = None,
    entropy: Callable[[int], bytes] = secrets.token_bytes,
) -> AsyncIterator[tuple[Place, list[Stranger]]]:
    """Strangers at one house, each listening to the event stream of its player as well."""
    async with (
        open_place(folder, settings=settings, entropy=entropy) as place,
        AsyncExitStack() as stack,
    ):
        listen, shoe = Listener(place, random.Random(seed)), _stand_alone_shoe()
        strangers, streams = [], []
        for number in range(STRANGERS):
            client = await stack.enter_async_context(place.browser())
            stranger = Stranger(client, random.Random(f"{seed} {number}"), shoe, listen)
            await stranger.sit_down()
            strangers.append(stranger)
            streams.append(await stack.enter_async_context(stream_of(place, client)))
        yield place, strangers
        heard = b"".join(listen.heard) + "".join(stream.text for stream in streams).encode()
        await _check_seeds_kept(place, strangers, heard)


async def _check(place: Place, strangers: list[Stranger]) -> None:
    await place.check_books()
    for stranger in strangers:
        for proof in stranger.proofs:
            assert [check.name for check in verify(proof) if not check.ok] == []
        stranger.proofs.clear()


async def _check_seeds_kept(place: Place, strangers: list[Stranger], heard: bytes) -> None:
    """The seeds of bets to come were sent to nobody, in no form."""
    books = await place.store.books()
    players = {stored.player for stored in books.rounds}
    assert len(players) == len(strangers)
    for player in players:
        seats = await place.store.seats(player)
        assert {seat.game for seat in seats} == {*GAMES}
        for seat in seats:
            seed = seat.server_seed
            for secret in (seed, seed.hex().encode(), base64.b64encode(seed)):
                assert secret not in heard
    shown = [stored for stored in books.rounds if stored.status == "settled"]
    # The same search finds what has been shown, so it can find something.
    assert all(stored.inputs.server_seed.hex().encode() in heard for stored in shown)


def _check_worth(seen: set[str], batch: int) -> None:
    """The rounds were of every kind; else this test would prove little."""
    choices = {"hit", "stand", "double", "split", "surrender", "rescue", "raise", "fold"}
    choices |= {"insurance", "no_insurance"}
    rows = {"main.win", "main.lose", "main.push", "main.natural", "main.surrender", "main.rescue"}
    rows |= {"insurance.lose", "raise.win", "raise.push"}
    rows |= {"classic.flush", "progressive.flush", "match_super.unsuited"}
    # These are rare: the first batch has them, and its seeds are fixed like all the others'.
    rows |= set() if batch else {"insurance.win", "ante.natural"}
    assert choices | rows | {"secret"} <= seen
    assert batch == 0 or {"refused", "dear"} <= seen
