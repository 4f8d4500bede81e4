"""A Chromium, a house for each test, and somebody who sits at its table."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.player import Player
from tests.browser.scenes import CLIENT_SEED
from tools.chromium import find

SERVE = Path(__file__).parent / "serve.py"
SIZES = {"desktop": (1440, 900), "phone": (390, 844)}
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--num-raster-threads=1",
    "--in-process-gpu",
]
SEATS = 4
"""Each new session draws so many seeds, one a game."""


@dataclass(slots=True)
class Place:
    """A served house, which a test may stop and start again."""

    folder: Path
    port: int
    play_money: int = 10_000_000
    """What a guest begins with, in cents."""
    process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def _seeds(self) -> Path:
        return self.folder / "seeds"

    def start(self) -> None:
        database = str(self.folder / "house.db")
        self.process = subprocess.Popen(
            [
                sys.executable,
                str(SERVE),
                str(self.port),
                database,
                str(self._seeds),
                str(self.play_money),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        ready = self.process.stdout.readline()
        assert re.fullmatch(r"Upcard is open at \S+\n", ready), ready

    def next_guest_gets(self, seed: bytes) -> None:
        """The next new session has this server seed at every game."""
        self._seeds.write_text("\n".join([seed.hex()] * SEATS))

    def stop(self) -> None:
        if self.process:
            self.process.terminate()
            self.process.communicate(timeout=30)
        self.process = None


def open_place(folder: Path, **more: Any) -> Place:
    place = Place(folder, free_port(), **more)
    place.start()
    return place


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = find()
    assert path, "no Chromium; ./check browser gets one"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """The house of all tests that do not need one of their own: each has a guest of its own."""
    place = open_place(tmp_path_factory.mktemp("house"))
    yield place
    place.stop()


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[Place]:
    """A house that this test may stop, or that nobody else has fed a meter in."""
    place = open_place(tmp_path)
    yield place
    place.stop()


@pytest.fixture
def poor_house(tmp_path: Path) -> Iterator[Place]:
    """A house where a guest begins with 24.00."""
    place = open_place(tmp_path, play_money=2_400)
    yield place
    place.stop()


Sit = Callable[..., Player]


@pytest.fixture
def sit(chromium: Browser, house: Place) -> Iterator[Sit]:
    """`sit("top3", seed=..., size="phone", level="low", ...)`: a guest at a table.

    `kept` is what this browser has kept of earlier visits, by name.

    At the end nothing may have gone to another origin, and nothing been said on the console.
    """
    players: list[Player] = []

    def sit_down(
        game: str,
        *,
        seed: bytes | None = None,
        size: str | tuple[int, int] = "desktop",
        level: str | None = None,
        place: Place = house,
        **settings: Any,
    ) -> Player:
        if seed:
            place.next_guest_gets(seed)
        pixels = SIZES[size] if isinstance(size, str) else size
        player = seated(chromium, place, game, size=pixels, level=level, **settings)
        players.append(player)
        return player

    yield sit_down
    for player in players:
        player.page.context.close()
        foreign = [url for url in player.asked if not url.startswith(player.place.url)]
        assert foreign == [], "X-19: nothing leaves the origin"
        assert player.complaints == []


def seated(
    browser: Browser,
    place: Place,
    game: str,
    *,
    size: tuple[int, int],
    level: str | None = None,
    speed: str = "instant",
    reduced_motion: bool = False,
    ask_insurance: bool = True,
    play: dict[str, Any] | None = None,
    kept: dict[str, Any] | None = None,
    script: str = "",
    service_workers: Literal["allow", "block"] = "block",
) -> Player:
    """A new guest of a house at a table, with settings of theirs.

    Results come at once and no press is ignored, unless `play` says otherwise. `kept` is what their
    browser has stored, `script` runs before ours. Requests that a test answers in the house's place
    must not pass through a service worker.
    """
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        reduced_motion="reduce" if reduced_motion else "no-preference",
        service_workers=service_workers,
    )
    settings = {"speed": speed, "askInsurance": ask_insurance, "clientSeed": CLIENT_SEED}
    stored = {"settings": settings, "play": {"speedPay": True, "guard": False, **(play or {})}}
    for name, value in {**stored, **(kept or {})}.items():
        key = f"'upcard.{name}'"
        context.add_init_script(
            f"if (!localStorage.getItem({key})) "
            f"localStorage.setItem({key}, {json.dumps(json.dumps(value))})"
        )
    if script:
        context.add_init_script(script)
    player = Player(context.new_page(), place)
    player.sit_down(game, level)
    return player


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
