"""A player's own limits, breaks and name at the table, by clicking (the contract of `/api/me` and
`/api/account`), with nothing for axe to find in their dialogs (X-13)."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.axe import looked_at
from tests.browser.conftest import Sit
from tests.browser.player import Player

STATUS = "Failed to load resource"
"""What Chromium says on its console of every refusal."""


def open_from_menu(player: Player, title: str) -> None:
    player.page.get_by_role("button", name="Menu").first.click()
    player.page.get_by_role("dialog").get_by_role("button", name=re.compile(f"^{title}")).click()


def test_a_limit_and_a_break_at_the_table(sit: Sit) -> None:
    player = sit("threecard", size="phone")
    player.allowed_complaints = (STATUS,)
    page = player.page
    open_from_menu(player, "Your play")
    page.get_by_label("Stake limit a day").fill("7.5")
    player.button("Keep these limits").click()
    expect(page.get_by_text("Your limits are kept.")).to_be_visible()
    assert looked_at(player) == []
    page.keyboard.press("Escape")
    player.lay("5.00", "Ante", times=2)
    before = player.balance()
    player.button("Deal").click()
    said = page.locator("[data-said]")
    expect(said).to_contain_text("stake limit of 7.50 a day")
    assert player.balance() == before
    assert player.lies("Ante") == 1_000, "the chips still lie"
    player.press("Clear all")
    player.lay("5.00", "Ante")
    player.deal()
    player.finish()
    expect(page.locator("[data-sitting]")).to_contain_text("0 min")
    open_from_menu(player, "Your play")
    player.button("Take a break").click()
    player.button("Yes, no play for 1 day").click()
    expect(page.locator("[data-excluded]")).to_be_visible()
    page.keyboard.press("Escape")
    player.lay("5.00", "Ante")
    player.button("Deal").click()
    expect(said).to_contain_text("You have excluded yourself from play until")


def test_a_name_brings_back_the_same_player(sit: Sit) -> None:
    player = sit("ags")
    player.allowed_complaints = (STATUS,)
    page, known = player.page, ("Oakley", "a bridge too far")
    id_ = player.ask("/api/session")["player"]
    open_from_menu(player, "Account")
    for name, password in ((known[0], "short"), known):
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("Password").fill(password)
        player.button("Take this name").click()
        if password == "short":
            expect(page.get_by_role("alert")).to_contain_text("10 to 128 characters")
    expect(page.get_by_text("You are Oakley.")).to_be_visible()
    assert looked_at(player) == []
    player.button("Log out").click()
    expect(page.get_by_text("You are Oakley.")).to_be_hidden()
    expect(page.locator("[data-spot]").first).to_be_visible()
    assert player.ask("/api/session")["player"] != id_
    open_from_menu(player, "Account")
    page.get_by_role("group", name="What to do").get_by_role("button", name="Log in").click()
    page.get_by_label("Name", exact=True).fill(known[0])
    page.get_by_label("Password").fill(known[1])
    page.locator("form").get_by_role("button", name="Log in").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("[data-spot]").first).to_be_visible()
    assert player.ask("/api/session")["player"] == id_
