"""Past rounds again on the felt."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import looked_at
from tests.browser.conftest import SIZES, Sit
from tests.browser.player import SEE, Player
from tests.browser.scenes import chosen, prefers, seed_where
from upcard.game import Round


def shown(page: Page) -> list[str]:
    """The cards on the felt of the replay: the dealer's, then the hands' from the right."""
    cards = page.locator("dialog[data-replay] [data-card]")
    return [str(it.get_attribute("data-card")) for it in cards.all()]


def at(player: Player) -> int:
    return int(str(player.page.locator("dialog[data-replay]").get_attribute("data-replay")))


@pytest.mark.parametrize("size", SIZES)
def test_a_round_is_shown_again_step_by_step(size: str, sit: Sit) -> None:
    """X-09: marked as a replay, by itself, paused, forward and back card by card, to the same end;
    the proof is a click away; the table below has not changed. X-13: axe finds nothing."""

    def happens(round_: Round) -> bool:
        return chosen(round_)[:1] == ["split"] and len(chosen(round_)) == 3

    seed = seed_where("ags", "table", [{"main": 500}], prefers("split"), happens)
    player = sit("ags", size=size, seed=seed)
    page = player.page
    player.lay("5.00", "Main bet on spot 1")
    player.deal()
    player.choose("split", "stand", "stand")
    below = player.sees()
    events = [it for it in player.round()["events"] if it["type"] != "offer"]
    player.button("History").click()
    page.locator("[data-round] > button").click()
    player.button("Replay").click()
    dialog = page.get_by_role("dialog", name="Replay of AGS")
    expect(dialog.get_by_text("Replay", exact=True)).to_be_visible()
    page.wait_for_function("() => document.querySelector('dialog[data-replay]').dataset.replay > 1")
    player.button("Pause").click()
    stopped = at(player)
    player.button("From the start").click()
    assert (at(player), shown(page)) == (0, [])
    lies = []
    for number, event in enumerate(events, 1):
        player.button("One step on").click()
        assert at(player) == number
        lies += [event["card"] or "??"] if event["type"] == "card" else []
        if event["type"] == "choice":
            break
        assert sorted(shown(page)) == sorted(lies)
    assert looked_at(player) == []
    player.page.keyboard.press("ArrowLeft")
    assert at(player) == number - 1
    player.page.keyboard.press("ArrowRight")
    player.button("To the end").click()
    assert at(player) == len(events) > stopped
    end = player.round()["table"]
    hands = [card for hand in end["spots"][0]["hands"] for card in hand["cards"]]
    assert sorted(shown(page)) == sorted([*end["dealer"]["cards"], *hands])
    expect(dialog.locator("[data-tag]:visible")).to_have_count(2)
    assert looked_at(player) == []
    dialog.get_by_role("button", name="Check this round").click()
    expect(page.locator('[data-verdict="true"]')).to_be_visible()
    player.page.keyboard.press("Escape")
    assert player.sees() == below
    assert page.evaluate(SEE)["phase"] == "over"
