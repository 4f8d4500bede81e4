"""The faces of the cards: classic, large print and four colours (X-14), drawn by us (X-15)."""

from __future__ import annotations

import base64
import re
from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Sit
from tests.browser.player import Player
from tests.browser.scenes import chosen, prefers, seed_where

WEB = Path(__file__).resolve().parents[2] / "web"
UNICODE_SUITS = re.compile("[\u2660-\u2667\U0001f0a0-\U0001f0ff]")


def red_and_blue(player: Player, card: Locator) -> tuple[bool, bool]:
    """Whether a card shows much red, and much blue: its picture is looked at, pixel by pixel."""
    picture = base64.b64encode(card.screenshot()).decode()
    red, blue = player.page.evaluate(
        """async (picture) => {
          const bytes = Uint8Array.from(atob(picture), (it) => it.charCodeAt(0));
          const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
          const canvas = new OffscreenCanvas(image.width, image.height);
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0);
          const { data } = context.getImageData(0, 0, image.width, image.height);
          let red = 0, blue = 0;
          for (let at = 0; at < data.length; at += 4) {
            if (data[at] > data[at + 2] + 80) red += 1;
            if (data[at + 2] > data[at] + 80) blue += 1;
          }
          return [red * 400 / data.length, blue * 400 / data.length];
        }""",
        picture,
    )
    return red > 2, blue > 2


def test_faces_are_chosen_and_stay_chosen(sit: Sit) -> None:
    """X-14: large print and four colours, on the table at once and at the next visit."""
    # The hand lies there until something is chosen.
    seed = seed_where(
        "super21", "table", [{"main": 500}], prefers("stand"), lambda it: bool(chosen(it))
    )
    player = sit("super21", seed=seed, size="phone")
    player.lay("5.00", "Main bet")
    player.deal()
    table = player.page.locator("[data-hand] [data-card] use").first
    assert (table.get_attribute("href") or "").startswith("#classic-c")
    player.button("Settings").click()
    diamonds = player.page.locator(".sample [data-card='9d']")
    diamonds.scroll_into_view_if_needed()
    assert red_and_blue(player, diamonds) == (True, False)
    player.button("Four").click()
    player.page.wait_for_timeout(50)
    assert red_and_blue(player, diamonds) == (False, True)
    player.button("Large print").click()
    assert (table.get_attribute("href") or "").startswith("#large-c")
    player.page.keyboard.press("Escape")
    player.page.reload()
    expect(table).to_have_attribute("href", re.compile("^#large-c"))
    player.button("Settings").click()
    expect(player.button("Four")).to_have_attribute("aria-pressed", "true")
    diamonds.scroll_into_view_if_needed()
    assert red_and_blue(player, diamonds) == (False, True)


def test_no_suit_is_a_character() -> None:
    """X-15: some systems draw them as pictures of their own."""
    sources = [*WEB.glob("src/**/*.svelte"), *WEB.glob("src/**/*.ts"), *WEB.glob("public/*.svg")]
    assert len(sources) > 40
    found = [path.name for path in sources if UNICODE_SUITS.search(path.read_text("utf-8"))]
    assert found == []
