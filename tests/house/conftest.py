"""A house over a real database, with a clock that stands still and entropy that repeats."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.clock import Clock
from upcard.cards import Card, parse_cards
from upcard.fair import Shoe
from upcard.house.blocks import Block
from upcard.house.journal import RoundInputs, TableChoice
from upcard.house.keys import SigningKey
from upcard.house.rounds import BetRequest, House, Settings
from upcard.house.sealer import Sealer
from upcard.house.store import Needs, Store, Writes
from upcard.house.store.opening import database_file, open_store
from upcard.table import ChoiceName, parse_spot_bets

T = TypeVar("T")


@dataclass(slots=True)
class Entropy:
    """Bytes that differ at every call and are the same in every run."""

    calls: Iterator[int] = field(default_factory=itertools.count)

    def __call__(self, size: int) -> bytes:
        text = f"entropy {next(self.calls)}".encode()
        return hashlib.shake_256(text).digest(size)


@dataclass(slots=True)
class Guest:
    """One player at a house, who waits for every answer."""

    house: House
    store: Store
    run: Callable[[Coroutine[Any, Any, Any]], Any]
    player: str
    keys: Iterator[int] = field(default_factory=itertools.count)

    def bet(self, game: str, *spots: str, client_seed: str = "c", **more: Any) -> dict[str, Any]:
        """Lay bets like `1 main=10.00` and deal; the answer."""
        request = bet_request(game, *spots, client_seed=client_seed, **more)
        answer = self.run(self.house.bet(self.player, f"key-{next(self.keys)}", request))
        return told(answer.text)

    def move(self, answer: dict[str, Any], choice: ChoiceName | str) -> dict[str, Any]:
        work = self.house.move(self.player, answer["round"], answer["seq"], choice)  # type: ignore[arg-type]
        moved = self.run(work)
        return told(moved.text)

    @property
    def balance(self) -> int:
        cents: int = self.run(self.store.balance(self.player))
        return cents


def fixed_key(number: int) -> SigningKey:
    """A signing key that is the same in every run."""
    return SigningKey(Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32))


def drop_triggers(db: Any) -> None:
    """What a forger does first; `db` is a connection of any library."""
    names = db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for (name,) in names:
        db.execute(f"DROP TRIGGER {name}")


def told(text: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text)
    return document


def bet_request(
    game: str,
    *spots: str,
    level: str = "table",
    client_seed: str = "c",
    decks: int | None = None,
    side_bets: tuple[str, ...] | None = None,
    ask_insurance: bool = True,
) -> BetRequest:
    return BetRequest(
        game=game,
        level=level,
        spots=tuple(parse_spot_bets(spot) for spot in spots),
        client_seed=client_seed,
        table=TableChoice(decks=decks, side_bets=side_bets),
        ask_insurance=ask_insurance,
        document=[game, level, list(spots), client_seed, decks, side_bets, ask_insurance],
    )


@dataclass(slots=True)
class TestHouse:
    """A house, its parts, and guests on demand. Everything runs in one event loop."""

    __test__ = False
    loop: asyncio.AbstractEventLoop
    url: str
    clock: Clock
    entropy: Entropy
    settings: Settings = field(default_factory=Settings)
    key: SigningKey = field(default_factory=lambda: fixed_key(1))
    store: Store = field(init=False)
    house: House = field(init=False)
    sealer: Sealer = field(init=False)

    def __post_init__(self) -> None:
        self.open()

    def open(self) -> None:
        """Start the house on its database, for the first time or again."""
        self.store = open_store(self.url)
        self.house = House(
            self.store,
            clock=self.clock,
            entropy=self.entropy,
            settings=self.settings,
            key=self.key,
        )
        self.sealer = Sealer(self.store, key=self.key, clock=self.clock)
        self.run(self.house.open())

    @property
    def path(self) -> Path:
        """The file of a house that is kept in one."""
        return database_file(self.url)

    @path.setter
    def path(self, path: Path) -> None:
        self.url = str(path)

    def close(self) -> None:
        self.run(self.store.close())

    def seal(self) -> list[Block]:
        return self.run(self.sealer.seal())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)

    def write(self, writes: Writes, player: str = "p") -> None:
        self.run(self.store.run(Needs(player=player), lambda _: (writes, None)))

    def guest(self) -> Guest:
        player, _ = self.run(self.house.new_session())
        return Guest(self.house, self.store, self.run, player)

    def cents(self, account: str) -> int:
        return self.run(self.store.books()).balances.get(account, 0)

    def meter(self) -> int:
        """The one progressive meter of the catalogue, in cents."""
        amount: int = self.run(self.house.jackpots())["jackpots"][0]["amount"]
        return amount


@contextmanager
def opened_house(url: str) -> Iterator[TestHouse]:
    loop = asyncio.new_event_loop()
    house = TestHouse(loop, url, Clock(), Entropy())
    yield house
    house.close()
    loop.close()


@pytest.fixture
def file_hall(tmp_path: Path) -> Iterator[TestHouse]:
    """A house in a file, which is closed when the test is over."""
    with opened_house(str(tmp_path / "house.db")) as house:
        yield house


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A module that says `ON_EACH_STORE = True` has its `hall` over each of them in turn."""
    if "hall" in metafunc.fixturenames and getattr(metafunc.module, "ON_EACH_STORE", False):
        metafunc.parametrize("hall", ["file_hall", "postgres_hall"], indirect=True)


@pytest.fixture
def hall(request: pytest.FixtureRequest) -> TestHouse:
    """The house of most tests, in a file unless its module wants others too."""
    house = request.getfixturevalue(getattr(request, "param", "file_hall"))
    assert isinstance(house, TestHouse)
    return house


@pytest.fixture
def postgres_hall(postgres_url: str) -> Iterator[TestHouse]:
    """A house over PostgreSQL."""
    with opened_house(postgres_url) as house:
        yield house


@pytest.fixture
def stacked(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """`stacked(client_seed, cards)`: rounds with this client seed are dealt these cards.

    Only the order of the cards is arranged; everything else is the house as it is.
    """
    decks: dict[str, tuple[Card, ...]] = {}
    honest = RoundInputs.shoe

    def shoe(inputs: RoundInputs) -> Shoe | tuple[Card, ...]:
        return decks.get(inputs.client_seed) or honest(inputs)

    monkeypatch.setattr(RoundInputs, "shoe", shoe)

    def stack(client_seed: str, cards: str) -> None:
        decks[client_seed] = parse_cards(cards)

    return stack
