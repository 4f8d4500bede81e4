"""A Chromium, a house for each test, and somebody who sits at its table."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.player import Player
from tests.browser.scenes import CLIENT_SEED
from tools.chromium import find
from upcard.games import find as find_game

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
KEEP = """(kept) => {
  localStorage.clear();
  for (const [name, value] of Object.entries(kept)) {
    localStorage.setItem("upcard." + name, JSON.stringify(value));
  }
}"""
SOON_MS = 6_000
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

    def next_guest_gets(self, seed: bytes, *later: bytes) -> None:
        """The next new session has this server seed at every game, and these in later rounds."""
        self._seeds.write_text("\n".join(it.hex() for it in (*[seed] * SEATS, *later)))

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


@pytest.fixture(scope="session")
def poor_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A house where a guest begins with 24.00."""
    place = open_place(tmp_path_factory.mktemp("poor"), play_money=2_400)
    yield place
    place.stop()


class Lounge:
    """One page that tests take in turn: what the last one left is cleared away, so that it is as
    good as a new browser, which takes a second to open. Only one has it at a time."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._page: Page | None = None
        self._is_taken = False

    def page(self) -> Page | None:
        if self._is_taken:
            return None
        self._is_taken = True
        self._page = self._page or new_page(self._browser)
        return self._page

    def back(self, page: Page) -> bool:
        """Take a page back, if it is the one from here."""
        if page is not self._page:
            return False
        self._is_taken = False
        page.unroute_all()
        page.mouse.move(0, 0)
        for other in page.context.pages:
            if other is not page:
                other.close()
        return True

    def close(self) -> None:
        if self._page:
            self._page.context.close()


@pytest.fixture(scope="session")
def lounge(chromium: Browser) -> Iterator[Lounge]:
    lounge = Lounge(chromium)
    yield lounge
    lounge.close()


Sit = Callable[..., Player]


@pytest.fixture
def sit(chromium: Browser, lounge: Lounge, house: Place) -> Iterator[Sit]:
    """`sit("top3", seed=..., size="phone", level="low", ...)`: a guest at a table.

    `kept` is what this browser has kept of earlier visits, by name. Whoever runs a `script` before
    ours or lets service workers in has a browser of their own, and so has a second guest.

    At the end nothing may have gone to another origin, and nothing been said on the console.
    """
    players: list[Player] = []

    def sit_down(
        game: str,
        *,
        seed: bytes | Sequence[bytes] | None = None,
        size: str | tuple[int, int] = "desktop",
        place: Place = house,
        **settings: Any,
    ) -> Player:
        if seed:
            place.next_guest_gets(*([seed] if isinstance(seed, bytes) else seed))
        pixels = SIZES[size] if isinstance(size, str) else size
        page = None if settings.keys() & {"script", "service_workers"} else lounge.page()
        player = seated(chromium, place, game, size=pixels, page=page, **settings)
        players.append(player)
        return player

    yield sit_down
    for player in players:
        player.leaves()
        if not lounge.back(player.page):
            player.page.context.close()
        foreign = [url for url in player.asked if not url.startswith(player.place.url)]
        assert foreign == [], "X-19: nothing leaves the origin"
        assert player.complaints == []


def new_page(
    browser: Browser, script: str = "", service_workers: Literal["allow", "block"] = "block"
) -> Page:
    """Requests that a test answers in the house's place must not pass a service worker."""
    context = browser.new_context(service_workers=service_workers)
    if "UPCARD_CLIENT" in os.environ:
        # Of a client that lacks something: what does not come soon will not come.
        context.set_default_timeout(SOON_MS)
    if script:
        context.add_init_script(script)
    return context.new_page()


def seated(
    browser: Browser,
    place: Place,
    game: str,
    *,
    size: tuple[int, int],
    page: Page | None = None,
    level: str | None = None,
    speed: str = "instant",
    reduced_motion: bool = False,
    ask_insurance: bool = True,
    play: dict[str, Any] | None = None,
    kept: dict[str, Any] | None = None,
    **more: Any,
) -> Player:
    """A new guest of a house at a table, with settings of theirs, in this page or a new one.

    Results come at once and no press is ignored, unless `play` says otherwise. `kept` is what their
    browser has stored.
    """
    page = page or new_page(browser, **more)
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(reduced_motion="reduce" if reduced_motion else "no-preference")
    settings = {"speed": speed, "askInsurance": ask_insurance, "clientSeed": CLIENT_SEED}
    stored = {"settings": settings, "play": {"speedPay": True, "guard": False, **(play or {})}}
    if level:
        stored["seat." + game] = {"level": level, "decks": find_game(game).decks_offered[0]}
    page.context.clear_cookies()
    # A picture of this origin: what lies there can be put in order before the table comes.
    page.goto(f"{place.url}/favicon.svg")
    page.evaluate(KEEP, {**stored, **(kept or {})})
    player = Player(page, place)
    player.sit_at(game)
    return player


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
