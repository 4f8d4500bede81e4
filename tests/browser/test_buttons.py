"""The betting buttons: MIN and MAX ALL BETS, CANCEL BET, and every reason why one is closed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Place, Sit
from tests.browser.player import Player

SPOTS = (1, 2, 3)
MAIN, TOP3 = "Main bet on spot {}", "Top 3 on spot {}"
CLASSIC, PROGRESSIVE = "21+3 Classic on spot {}", "21+3 Progressive on spot {}"


def layout(player: Player) -> dict[str, int]:
    """What lies, by place; empty places left out."""
    return {name: cents for name, cents in player.sees().laid.items() if cents}


def bets_of(player: Player) -> dict[tuple[int, str], int]:
    """What the house took at the last deal."""
    events = player.round()["events"]
    return {(it["spot"], it["bet"]): it["cents"] for it in events if it["type"] == "bet"}


def on_all_spots(**bets: int) -> dict[str, int]:
    return {name.format(spot): cents for name, cents in bets.items() for spot in SPOTS}


def test_min_all_bets_before_the_first_round_and_after_it(sit: Sit) -> None:
    """T-30, T3-44, T3-45: every place of the level, then those of the last deal alone."""
    player = sit("top3", level="low", size="phone")
    player.lay("25.00", MAIN.format(1))
    player.press("Min all bets")
    everything = on_all_spots(**{MAIN: 500, TOP3: 100, CLASSIC: 100, PROGRESSIVE: 500})
    assert layout(player) == everything, "it replaces the layout"
    player.press("Min all bets")
    assert layout(player) == everything, "pressing again changes nothing"
    assert player.meter("total-bet") == 3 * 1_200
    player.press("Clear all")
    player.lay("25.00", MAIN.format(2))
    player.lay("5.00", CLASSIC.format(2), times=2)
    player.deal()
    player.finish()
    player.lay("5.00", MAIN.format(3))
    player.press("Min all bets")
    assert layout(player) == {MAIN.format(2): 500, CLASSIC.format(2): 100}
    player.deal()
    assert bets_of(player) == {(2, "main"): 500, (2, "classic"): 100}


def test_max_all_bets_before_the_first_round_and_after_it(sit: Sit) -> None:
    """T-31, T3-46, T3-47, T3-19: at Micro, which has no progressive; all of it is dealt."""
    player = sit("top3", level="micro")
    player.press("Max all bets")
    assert layout(player) == on_all_spots(**{MAIN: 1_000, TOP3: 500, CLASSIC: 500})
    player.deal()
    assert sorted(bets_of(player).values()) == [500] * 6 + [1_000] * 3
    player.finish()
    player.lay("1.00", MAIN.format(1))
    player.deal()
    player.finish()
    player.press("Max all bets")
    assert layout(player) == {MAIN.format(1): 1_000}


def test_a_new_level_is_a_new_sitting_for_min_all_bets(sit: Sit) -> None:
    """T-30: "before the first round of a sitting at this level"."""
    player = sit("top3", level="micro")
    player.lay("1.00", MAIN.format(1))
    player.deal()
    player.finish()
    player.page.get_by_role("button", name="This table").click()
    player.page.get_by_role("radio", name="High Roller").check()
    player.page.keyboard.press("Escape")
    player.press("Min all bets")
    assert layout(player) == on_all_spots(
        **{MAIN: 10_000, TOP3: 500, CLASSIC: 500, PROGRESSIVE: 500}
    )


def test_what_the_balance_does_not_cover_is_not_laid_in_part(sit: Sit, poor_house: Place) -> None:
    """T-30, T-31, G-10: nothing changes, and one sentence names sum and balance, here 24.00."""
    player = sit("top3", level="low", place=poor_house)
    player.lay("5.00", MAIN.format(1))
    for name, cents in (("Min all bets", "$36.00"), ("Max all bets", "$315.00")):
        sentence = f"These bets come to {cents}; your balance is $24.00."
        expect(player.tool(name)).to_be_disabled()
        assert player.tool(name).get_attribute("title") == sentence
        player.tool(name).click(force=True)
        assert player.said == sentence
        assert layout(player) == {MAIN.format(1): 500}


def test_deal_waits_until_the_raise_is_covered_too(sit: Sit, poor_house: Place) -> None:
    """C-06, 3C-06: two antes and Ace Plus, out of 24.00."""
    player = sit("threecard", place=poor_house)
    player.lay("5.00", "Ante", times=2)
    player.lay("1.00", "Ante")
    deal = player.button("Deal")
    expect(deal).to_be_enabled()
    player.lay("5.00", "Ace Plus Bonus")
    expect(deal).to_be_disabled()
    sentence = "These bets come to $27.00 with the raise set aside; your balance is $24.00."
    assert deal.get_attribute("title") == sentence
    deal.click(force=True)
    assert player.said == sentence
    assert player.balance() == 2_400
    player.press("Cancel bet")
    player.deal()
    assert player.offered() == ["fold", "raise"]


def test_cancel_bet_clears_the_selected_place_alone(sit: Sit) -> None:
    """T-34, T3-49, T3-36: and what may not lie without it, on this spot."""
    player = sit("top3", level="low", size="phone")
    player.press("Min all bets")
    player.lay("1.00", CLASSIC.format(2))
    player.press("Cancel bet")
    without = {CLASSIC.format(2), TOP3.format(2)}
    everything = on_all_spots(**{MAIN: 500, TOP3: 100, CLASSIC: 100, PROGRESSIVE: 500})
    assert layout(player) == {name: it for name, it in everything.items() if name not in without}
    player.lay("1.00", MAIN.format(3))
    player.press("Cancel bet")
    assert {name for name in layout(player) if name.endswith("3")} == set()
    assert len(layout(player)) == 4 + 2


def test_undo_counts_a_whole_min_amount_as_one(sit: Sit) -> None:
    """G-10, T3-48: the latest addition to the selected place, however the stack is drawn."""
    player = sit("top3", level="high")
    player.press("Min all bets")
    player.lay("5.00", MAIN.format(1))
    player.press("Undo")
    assert player.lies(MAIN.format(1)) == 2_500
    player.press("Undo")
    assert player.lies(MAIN.format(1)) == 0
    expect(player.tool("Undo")).to_be_disabled()


REASONS = {
    "Undo": "Select a place on the table first.",
    "Cancel bet": "Select a place on the table first.",
    "Clear all": "No chip lies on the table.",
    "Rebet": "There is no earlier round at this level to repeat.",
}


@pytest.mark.parametrize("game", ["top3", "threecard", "super21", "ags"])
def test_a_closed_button_says_why(game: str, sit: Sit) -> None:
    """T3-48, T3-50, T3-43, T3-25, G-10: at all four tables; by pointer, by tap, by keyboard and to
    a screen reader."""
    player = sit(game)
    for name, sentence in REASONS.items():
        tool = player.tool(name)
        expect(tool).to_be_disabled()
        expect(tool).to_have_accessible_description(sentence)
        assert tool.get_attribute("title") == sentence
        tool.click(force=True)
        assert player.said == sentence
    says_why_on_focus(player, player.tool("Rebet"), REASONS["Rebet"])
    says_why_on_focus(player, player.button("Deal"), "Lay a bet to deal.")


def says_why_on_focus(player: Player, button: Locator, sentence: str) -> None:
    """Somebody who comes by the Tab key sees the reason too."""
    player.page.keyboard.press("Tab")
    button.focus()
    expect(player.page.locator("[data-hint]")).to_have_text(sentence)
    button.blur()
    expect(player.page.locator("[data-hint]")).to_have_count(0)


def test_a_circle_that_is_closed_says_why(sit: Sit) -> None:
    """T3-33, T3-35: the reason is its description, and shown to whoever comes by the keyboard."""
    player = sit("top3", level="low")
    player.lay("5.00", MAIN.format(1))
    circle = player.circle(TOP3.format(1))
    sentence = "Top 3 opens once 21+3 Classic lies on spot 1."
    expect(circle).to_have_accessible_description(sentence)
    says_why_on_focus(player, circle, sentence)


def test_all_betting_buttons_are_closed_in_a_round(sit: Sit) -> None:
    """T-36, T3-51, T3-41: none of them can be pressed, and no circle takes a chip."""
    player = sit("threecard")
    player.lay("5.00", "Ante")
    player.deal()
    assert player.phase == "choosing"
    expect(player.page.get_by_role("group", name="Bets", exact=True)).to_have_count(0)
    for name in ("Deal", *REASONS, "Min all bets", "Max all bets", "More bets"):
        expect(player.button(name)).to_have_count(0)
    expect(player.page.locator("button[data-place]")).to_have_count(0)
    assert layout(player) == {}
    player.finish()
    expect(player.page.get_by_role("group", name="Bets", exact=True)).to_be_visible()
