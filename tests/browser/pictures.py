"""Takes pictures of the table: python -m tests.browser.pictures [NAME ...], or [looks [GAME ...]].

The README's, by name, or all of them: each is a real round in a real Chromium; the shuffles are
searched for something to look at. `looks` takes those that test_states.py compares with.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser import likeness
from tests.browser.conftest import ARGUMENTS, SIZES, open_place, seated
from tests.browser.player import Player
from tests.browser.scenes import chosen, hands_of, prefers, rows_of, seed_where, up_rank
from tests.browser.states import TOURS, seeds_of
from tools.chromium import get
from upcard.game import Round

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
QUALITY = 82
Scene = Callable[[Browser, Path], Player]


def lobby(browser: Browser, folder: Path) -> Player:
    player = sit(browser, folder, "super21", "desktop", None)
    player.page.get_by_role("button", name="Upcard: all games").click()
    return player


def top3_desktop(browser: Browser, folder: Path) -> Player:
    """Three spots, one of them split, a side bet won."""

    def happens(round_: Round) -> bool:
        won = [row for row in rows_of(round_, "classic") if row != "lose"]
        return up_rank(round_) in "3456" and len(hands_of(round_, 2)) == 2 and len(won) == 1

    laid = [{"main": 2500, "classic": 500, "top3": 500, "progressive": 500}] * 3
    seed = seed_where("top3", "low", laid, prefers("split"), happens)
    player = sit(browser, folder, "top3", "desktop", seed, "low")
    spots = (1, 2, 3)
    player.lay("25.00", *(f"Main bet on spot {n}" for n in spots))
    player.lay("5.00", *(f"{bet} on spot {n}" for n in spots for bet in SIDES))
    player.deal()
    while "split" not in player.offered():
        player.choose("stand")
    player.choose("split")
    return player


SIDES = ("21+3 Classic", "Top 3", "21+3 Progressive")


def top3_phone(browser: Browser, folder: Path) -> Player:
    """The end of a round: a natural, a win and a bust."""

    def happens(round_: Round) -> bool:
        states = [hand.state for spot in round_.table.spots for hand in spot.hands]
        return states == ["natural", "won", "push"] and up_rank(round_) != "A"

    laid = [{"main": 2500}] * 3
    seed = seed_where("top3", "low", laid, prefers("stand"), happens)
    player = sit(browser, folder, "top3", "phone", seed, "low")
    player.lay("25.00", *(f"Main bet on spot {n}" for n in (1, 2, 3)))
    player.deal()
    player.finish()
    return player


def super21_phone(browser: Browser, folder: Path) -> Player:
    """Six cards win by themselves."""

    def happens(round_: Round) -> bool:
        return len(hands_of(round_)[0]) == 6 and rows_of(round_, "main") == ["auto_win"]

    seed = seed_where("super21", "table", [{"main": 10_000}], prefers("hit"), happens)
    player = sit(browser, folder, "super21", "phone", seed)
    player.lay("100.00", "Main bet")
    player.deal()
    while "hit" in player.offered():
        player.choose("hit")
    return player


def ags_desktop(browser: Browser, folder: Path) -> Player:
    """Insurance, asked spot by spot."""

    def happens(round_: Round) -> bool:
        return up_rank(round_) == "A" and "even_money" not in chosen(round_)

    laid = [{"main": 10_000, "trifecta": 500, "match_super": 500}] * 3
    seed = seed_where("ags", "table", laid, prefers("stand"), happens)
    player = sit(browser, folder, "ags", "desktop", seed)
    player.lay("100.00", *(f"Main bet on spot {n}" for n in (1, 2, 3)))
    player.lay("5.00")
    player.button("Place").click()
    player.deal()
    return player


def proof_phone(browser: Browser, folder: Path) -> Player:
    """A past round, checked."""
    player = sit(browser, folder, "threecard", "phone", None)
    player.lay("25.00", "Ante")
    player.lay("5.00", "Ace Plus Bonus")
    player.deal()
    player.choose("raise")
    player.button("History").click()
    player.page.locator("[data-round] > button").first.click()
    player.button("Check this round").click()
    player.page.locator("[data-verdict]").scroll_into_view_if_needed()
    return player


SCENES: dict[str, Scene] = {
    "lobby": lobby,
    "top3-desktop": top3_desktop,
    "ags-desktop": ags_desktop,
    "top3-phone": top3_phone,
    "super21-phone": super21_phone,
    "proof-phone": proof_phone,
}


def sit(
    browser: Browser,
    folder: Path,
    game: str,
    size: str,
    seed: bytes | None,
    level: str | None = None,
) -> Player:
    place = open_place(folder)
    if seed:
        place.next_guest_gets(seed)
    return seated(browser, place, game, size=SIZES[size], level=level)


def take_scene(browser: Browser, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        player = SCENES[name](browser, Path(folder))
        player.page.wait_for_timeout(700)
        path = FOLDER / f"{name}.jpg"
        player.page.screenshot(path=path, type="jpeg", quality=QUALITY)
        player.page.context.close()
        player.place.stop()
        print(path)


def take_looks(browser: Browser, game: str, size: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = open_place(Path(folder))
        place.next_guest_gets(*seeds_of(game))
        tour, play = TOURS[game], {"confirmMax": True}
        player = seated(browser, place, game, size=SIZES[size], level=tour.level, play=play)
        for state in tour.walk(player):
            print(likeness.keep(likeness.picture_of(player.page), f"{game}-{state}-{size}"))
        player.page.context.close()
        place.stop()


def main(names: list[str]) -> int:
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=get(), args=ARGUMENTS)
        if names[:1] == ["looks"]:
            for game, size in product(names[1:] or TOURS, SIZES):
                take_looks(browser, game, size)
        else:
            for name in names or SCENES:
                take_scene(browser, name)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
