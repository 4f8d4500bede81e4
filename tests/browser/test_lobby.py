"""Sitting down from the lobby, and coming back to where one sat."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.browser.conftest import Sit
from upcard.games import CATALOGUE


def test_one_sits_down_where_one_says_and_comes_back_there(sit: Sit) -> None:
    """G-10, T3-23: the limits and the decks of the sign; the same at the next visit, by the
    lobby or by the address."""
    player = sit("top3")
    page = player.page
    page.goto(player.place.url)
    expect(page.locator("[data-game]")).to_have_count(len(CATALOGUE))
    sign = page.locator('[data-game="top3"]')
    sign.get_by_label("Limits").select_option("high")
    sign.get_by_label("Decks").select_option("8")
    sign.get_by_role("button", name=re.compile("Sit down")).click()
    pill = page.get_by_role("button", name="This table")
    expect(pill).to_have_text("This table: High $25 \u2013 $500")
    expect(page.locator("header")).to_contain_text("8 decks")
    page.goto(f"{player.place.url}/top3")
    expect(pill).to_have_text("This table: High $25 \u2013 $500")
    expect(page.locator("header")).to_contain_text("8 decks")
    player.button("Upcard: all games").click()
    expect(sign.get_by_label("Limits")).to_have_value("high")
    expect(sign.get_by_label("Decks")).to_have_value("8")


def test_every_sign_leads_to_its_table(sit: Sit) -> None:
    player = sit("ags", size="phone")
    for game in CATALOGUE:
        player.sit_down(game.key)
        expect(player.page.get_by_role("heading", level=1)).to_have_text(game.title)


def test_a_table_waits_for_one_answer(sit: Sit) -> None:
    """Its page has brought what is alike for everybody; nothing of that is asked for again."""
    player = sit("top3")
    asked = [urlsplit(url).path for url in player.asked]
    api = [path for path in asked if path.startswith("/api/")]
    assert api[0] == "/api/session"
    assert not {"/api/house", "/api/games", "/api/games/top3"} & {*api}
