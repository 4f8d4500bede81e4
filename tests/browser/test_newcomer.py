"""Somebody who has never been here: from the lobby to the end of a round, by touch or by Tab alone.

They bring what a new browser brings: no settings, no bets, cards dealt one by one, and presses on
buttons that have just changed ignored. They know none of our keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Place
from tests.browser.player import Player

GAMES = {
    "top3": "Main bet on spot 1",
    "threecard": "Ante",
    "super21": "Main bet",
    "ags": "Main bet on spot 1",
}
"""Each game, and the name of the bet with which a round begins."""
STEPS_MAX = 70
"""So many presses of Tab go round any page of ours."""
A_LOOK_MS = 300
"""Longer than presses on a changed row are ignored (T-56); nobody decides sooner."""
WAYS: dict[str, dict[str, Any]] = {
    "touch": {
        "viewport": {"width": 390, "height": 844},
        "has_touch": True,
        "is_mobile": True,
        "device_scale_factor": 1,
    },
    "keyboard": {"viewport": {"width": 1440, "height": 900}},
}
FOCUS = """() => {
  const it = document.activeElement;
  const style = getComputedStyle(it);
  const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  const box = it.getBoundingClientRect();
  return {
    ring: ring || style.boxShadow !== "none" || it === document.body,
    seen: it === document.body || (box.top >= -1 && box.left >= -1 &&
      box.bottom <= innerHeight + 1 && box.right <= innerWidth + 1),
    what: it.outerHTML.slice(0, 120),
  };
}"""

Press = Callable[[Locator], None]


@pytest.fixture(params=WAYS)
def newcomer(
    request: pytest.FixtureRequest, chromium: Browser, house: Place
) -> Iterator[tuple[Player, Press]]:
    way: str = request.param
    page = chromium.new_context(service_workers="block", **WAYS[way]).new_page()
    player = Player(page, house)
    yield player, tapped if way == "touch" else pressed
    page.context.close()
    assert player.complaints == []


def tapped(wanted: Locator) -> None:
    wanted.page.wait_for_timeout(A_LOOK_MS)
    wanted.tap()


def pressed(wanted: Locator) -> None:
    """Go there by Tab, or by arrows within what is one of several, and press Enter or Space."""
    page = wanted.page
    expect(wanted).to_be_visible()
    is_radio = wanted.get_attribute("role") == "radio"
    goal = page.get_by_role("radiogroup").filter(has=wanted).first if is_radio else wanted
    for _ in range(STEPS_MAX):
        if goal.evaluate("it => it.contains(document.activeElement)"):
            break
        page.keyboard.press("Tab")
        focus = page.evaluate(FOCUS)
        assert focus["ring"], f"it shows not where one is: {focus['what']}"
        assert focus["seen"], f"one is where nothing is seen: {focus['what']}"
    else:
        raise AssertionError(f"Tab does not come to {wanted}")
    for _ in range(STEPS_MAX):
        if not is_radio or wanted.get_attribute("aria-checked") == "true":
            break
        page.keyboard.press("ArrowRight")
    if not is_radio:
        page.wait_for_timeout(A_LOOK_MS)
        page.keyboard.press("Enter")


@pytest.mark.parametrize("game", GAMES)
def test_a_first_round(game: str, newcomer: tuple[Player, Press]) -> None:
    """The table says what comes next and takes it by whichever means one has (X-01, X-12)."""
    player, press = newcomer
    page = player.page
    page.goto(player.place.url)
    press(page.locator(f'[data-game="{game}"]').get_by_role("button", name="Sit down"))
    expect(page.locator("[data-said]")).to_contain_text("Place your bets")
    assert fits(page)
    if player.chip("5.00").get_attribute("aria-checked") != "true":
        press(player.chip("5.00"))
    press(player.circle(GAMES[game]))
    assert player.lies(GAMES[game]) == 500
    press(player.button("Deal"))
    chosen = play_on(player, press)
    assert player.phase == "over"
    told = player.round()
    assert (told["game"], told["status"]) == (game, "settled")
    assert [it["cents"] for it in told["events"] if it["type"] == "bet"] == [500]
    assert [it["choice"] for it in told["events"] if it["type"] == "choice"] == chosen
    # C-13: the last bets lie again, and the balance shown is less these chips.
    lies = sum(player.sees().laid.values()) if told["game"] == "threecard" else 0
    assert player.meter("balance") + lies == player.balance()
    assert fits(page)


def play_on(player: Player, press: Press) -> list[str]:
    """Decline, raise, hit once and stand, until the round is over; what was chosen."""
    chosen: list[str] = []
    while decides(player.page):
        offered = player.offered()
        wanted = ["no_insurance", "no_even_money", "raise", "hit", "stand"]
        if "hit" in chosen:
            wanted.remove("hit")
        chosen.append(next(name for name in wanted if name in offered))
        press(player.choice(chosen[-1]))
    return chosen


def decides(page: Page) -> bool:
    """Wait for what the house answers; whether there is something to choose then."""
    page.wait_for_timeout(A_LOOK_MS)
    page.locator("[data-phase=choosing], [data-phase=over]").wait_for()
    page.wait_for_timeout(A_LOOK_MS)
    return page.locator("[data-phase=choosing]").count() > 0


def fits(page: Page) -> bool:
    """Nothing is pushed sideways."""
    fits: bool = page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    return fits
