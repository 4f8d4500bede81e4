"""axe finds nothing in any state of the table (X-13), at both sizes."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SIZES, Sit
from tests.browser.player import Player
from tests.browser.scenes import hands_of, prefers, seed_where, up_rank
from upcard.game import Round

AXE = Path(__file__).resolve().parents[2] / "web/node_modules/axe-core/axe.min.js"
RUN = """async () => {
  const found = await axe.run(document, { resultTypes: ["violations"] });
  return found.violations.map((it) => `${it.id}: ${it.nodes.map((n) => n.html).join(" | ")}`);
}"""

both_sizes = pytest.mark.parametrize("size", SIZES)


def looked_at(player: Player) -> list[str]:
    """What axe has against the page as it stands, once nothing moves any more."""
    player.page.wait_for_timeout(400)
    if not player.page.evaluate("() => 'axe' in window"):
        player.page.evaluate(AXE.read_text())
    found: list[str] = player.page.evaluate(RUN)
    return found


def with_insurance(round_: Round) -> bool:
    """An ace up over no natural, and a hand left to play."""
    is_long = len(round_.table.dealer.cards) > 1 and len(hands_of(round_)[0]) == 2
    return up_rank(round_) == "A" and is_long and "Peeked(natural=False)" in str(round_.events)


@both_sizes
def test_every_state_of_a_table(size: str, sit: Sit) -> None:
    laid = [{"main": 1000, "classic": 100}]
    seed = seed_where("top3", "low", laid, prefers("stand"), with_insurance)
    player = sit("top3", level="low", size=size, seed=seed)
    assert looked_at(player) == [], "bet"
    player.lay("5.00", "Main bet on spot 1", times=2)
    player.lay("1.00", "21+3 Classic on spot 1")
    assert looked_at(player) == [], "bet, with chips"
    player.deal()
    expect(player.page.get_by_role("group", name="Insurance")).to_be_visible()
    assert looked_at(player) == [], "insure"
    player.choose("no_insurance")
    assert looked_at(player) == [], "play"
    player.finish()
    assert looked_at(player) == [], "result"
    player.button("Rules and pay tables").click()
    expect(player.page.locator("[data-rules] table").first).to_be_visible()
    assert looked_at(player) == [], "rules"
    player.page.keyboard.press("Escape")
    player.button("History").click()
    player.page.locator("[data-round] > button").first.click()
    player.button("Check this round").click()
    expect(player.page.locator("[data-verdict]")).to_be_visible()
    assert looked_at(player) == [], "history"
    player.page.keyboard.press("Escape")
    player.button("Settings").click()
    assert looked_at(player) == [], "settings"


@both_sizes
@pytest.mark.parametrize("game", ["threecard", "super21", "ags"])
def test_bet_play_and_result_of_every_other_game(game: str, size: str, sit: Sit) -> None:
    player = sit(game, size=size)
    player.page.get_by_role("button", name="This table").click()
    assert looked_at(player) == [], "table"
    player.page.keyboard.press("Escape")
    main = {"threecard": "Ante", "super21": "Main bet"}.get(game, "Main bet on spot 2")
    player.lay("5.00", main)
    player.deal()
    assert looked_at(player) == [], "play"
    player.finish()
    assert looked_at(player) == [], "result"


@both_sizes
def test_menu_preferences_chips_and_questions(size: str, sit: Sit) -> None:
    """X-07, T3-40, 3C-11, 3C-12 for everybody."""
    player = sit("top3", level="low", size=size, play={"confirmMax": True})
    player.button("Menu").click()
    assert looked_at(player) == [], "menu"
    menu = player.page.get_by_role("dialog", name="Menu")
    menu.get_by_role("button", name="Preferences", exact=True).click()
    player.page.get_by_role("textbox", name="Main bet").fill("1")
    assert looked_at(player) == [], "preferences"
    player.page.keyboard.press("Escape")
    player.tool("Chip info").click()
    assert looked_at(player) == [], "chip info"
    player.page.keyboard.press("Escape")
    player.press("Max all bets")
    assert looked_at(player) == [], "question"


@both_sizes
def test_the_lobby(size: str, sit: Sit) -> None:
    player = sit("super21", size=size)
    player.page.get_by_role("button", name="Upcard: all games").click()
    expect(player.page.locator("[data-game]")).to_have_count(4)
    assert looked_at(player) == []
