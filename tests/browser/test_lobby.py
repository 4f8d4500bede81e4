"""Sitting down from the lobby, and coming back to where one sat."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
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


def test_a_sign_says_what_is_played_for(sit: Sit) -> None:
    """T3-19, T3-32, 3C-05, AGS-16: at Micro no one plays for the meter; the sign says from which
    limits on one does. Each sign names the side bets of its game."""
    player = sit("top3")
    page = player.page
    page.goto(player.place.url)
    sign = page.locator('[data-game="top3"]')
    sign.get_by_label("Limits").select_option("micro")
    expect(sign).to_contain_text("Progressive, from Low")
    sign.get_by_label("Limits").select_option("low")
    expect(sign).not_to_contain_text("from Low")
    expect(sign).to_contain_text("$5 \u2013 $50 on up to 3 spots")
    for game in CATALOGUE:
        sign = page.locator(f'[data-game="{game.key}"]')
        for side in game.side_bets:
            expect(sign).to_contain_text(side.title)
    cloths = {sign.get_attribute("data-cloth") for sign in page.locator("[data-game]").all()}
    assert len(cloths) == len(CATALOGUE), "no two tables look alike"


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (844, 390), (1440, 900)])
def test_the_limits_are_to_be_seen_at_every_size(size: tuple[int, int], sit: Sit) -> None:
    """T3-23: with the level's name, and none of it cut off."""
    player = sit("top3", level="high_roller", size=size)
    pill = player.page.get_by_role("button", name="This table")
    for text in ("High Roller", "$100 \u2013 $2,000"):
        expect(pill.get_by_text(text)).to_be_visible()
    assert pill.evaluate("it => it.scrollWidth <= it.clientWidth")


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
