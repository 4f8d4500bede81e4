"""The coach at the table, the count of one's choices, and practice."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.axe import looked_at
from tests.browser.conftest import Sit
from tests.browser.player import Player
from tests.browser.scenes import (
    CLIENT_SEED,
    chosen,
    hands_of,
    prefers,
    rows_of,
    seed_where,
    up_rank,
)
from upcard.game import Round

WARM_MS = 240_000
"""For a machine that must compile first and has much else to do."""


def twenty_against_six(round_: Round) -> bool:
    """Hitting hard twenty against a six: wrong by every published strategy, and bust here."""
    cards = hands_of(round_)[0][:2]
    tens = [card[0] in "TJQK" for card in cards]
    return all(tens) and up_rank(round_) == "6" and rows_of(round_, "main") == ["lose"]


NEXT_AND_STAND = """button => {
  button.click();
  dispatchEvent(new KeyboardEvent("keydown", {key: "s"}));
}"""
"""The press comes before the next hand can: it is for one that is over."""


def open_coach(player: Player) -> None:
    """From the bar, or on a phone from the menu."""
    if player.button("Coach").is_visible():
        player.button("Coach").click()
    else:
        player.button("Menu").click()
        player.page.get_by_role("button", name=re.compile("^Coach")).click()


def test_coach_statistics_and_practice(sit: Sit) -> None:
    """X-16: off at first; on, each choice has its value, the best is marked, an error is told with
    its cost and the round reviewed. X-17: it is counted, and dealt again to practise, for no
    money. X-13: axe has nothing against any of it."""
    seed = seed_where("super21", "table", [{"main": 500}], prefers("hit"), twenty_against_six)
    player = sit("super21", size="phone", seed=seed)
    page = player.page
    player.lay("5.00", "Main bet")
    player.deal()
    assert not [url for url in player.asked if "/coach" in url]
    expect(page.locator("[data-worth]")).to_have_count(0)
    open_coach(player)
    player.button("On").click()
    assert looked_at(player) == []
    page.keyboard.press("Escape")
    expect(player.choice("stand").locator("[data-best]")).to_be_visible(timeout=WARM_MS)
    expect(page.locator("[data-coach]")).to_have_text(re.compile(r"Best: Stand, \+0\.\d\d\."))
    values = player.ask(f"/api/rounds/{player.round()['round']}/coach")["values"]
    assert page.locator("[data-worth]").count() == len(values)
    assert looked_at(player) == []
    player.choose("hit")
    assert player.phase == "over"
    lost = round((values["stand"] - values["hit"]) * 500)
    words = f"1 of 1 choices gave away ${lost / 100:.2f}."
    expect(page.locator("[data-coach]")).to_have_text(words, timeout=WARM_MS)
    open_coach(player)
    review = page.locator("[data-review]")
    expect(review).to_contain_text("You chose Hit; Stand was best.")
    expect(review).to_contain_text(f"It gave away ${lost / 100:.2f}.")
    row = page.locator("[data-statistics] tbody tr")
    bets = f"{values['stand'] - values['hit']:.2f}"
    expect(row).to_have_text(
        re.compile(rf"Pairs\s*1\s*0 %\s*{re.escape(bets)}\s*\${lost / 100:.2f}")
    )
    assert looked_at(player) == []
    balance = player.balance()
    player.button("Practise").click()
    hand = page.locator("[data-practice]")
    expect(hand).to_have_attribute("data-practice", "pair")
    dealt = [it.get_attribute("data-card") for it in hand.locator("[data-card]").all()]
    first = player.round()["table"]
    assert dealt[-2:] == first["spots"][0]["hands"][0]["cards"][:2]
    assert dealt[0] == first["dealer"]["cards"][0]
    for practised in range(2):
        expect(page.get_by_text("What do you do?")).to_be_visible()
        expect(page.get_by_text(f"{practised} of {practised} right")).to_be_visible()
        page.keyboard.press("s")
        expect(page.locator('[data-verdict="right"]')).to_be_visible(timeout=WARM_MS)
        assert looked_at(player) == []
        player.button("Next hand").evaluate(NEXT_AND_STAND)
        expect(page.locator("[data-verdict]")).to_have_count(0)
    expect(player.button("Hands I got wrong (0)")).to_be_disabled()
    assert player.balance() == balance
    assert len(player.ask("/api/rounds")["rounds"]) == 1
    player.button("Back to the coach").click()
    player.button("Start the count again").click()
    expect(page.locator("[data-statistics]")).to_have_count(0)


def test_rounds_without_a_coach_are_counted_when_it_is_asked(sit: Sit) -> None:
    """X-17: with the coach off nothing is asked, until one looks at one's statistics."""

    def happens(round_: Round) -> bool:
        return chosen(round_) == ["fold"]

    seed = seed_where("threecard", "table", [{"ante": 500}], prefers("fold"), happens)
    player = sit("threecard", seed=seed)
    player.lay("5.00", "Ante")
    player.deal()
    player.choose("fold")
    assert not [url for url in player.asked if re.search("coach|review", url)]
    open_coach(player)
    row = player.page.locator("[data-statistics] tbody tr")
    expect(row).to_have_text(re.compile(r"Raise or fold\s*1\s*"), timeout=WARM_MS)


def test_a_warning_names_its_cost(sit: Sit) -> None:
    """X-16, T-53: once the coach is ready, the question before an unwise choice says what it gives
    away and which choice is best; without a coach it is the house's sentence alone."""
    seed = seed_where("super21", "table", [{"main": 500}], prefers("hit"), twenty_against_six)
    settings = {"speed": "instant", "coach": True, "clientSeed": CLIENT_SEED}
    player = sit("super21", seed=seed, play={"warnHit": True}, kept={"settings": settings})
    player.lay("5.00", "Main bet")
    player.deal()
    expect(player.choice("stand").locator("[data-best]")).to_be_visible(timeout=WARM_MS)
    values = player.ask(f"/api/rounds/{player.round()['round']}/coach")["values"]
    warning = next(it["warning"] for it in player.round()["choices"] if it["choice"] == "hit")
    player.choice("hit").click()
    cost = (values["stand"] - values["hit"]) * 5
    question = player.page.locator("[data-question]")
    expect(question).to_have_text(f"{warning} It gives away ${cost:.2f}; Stand is best.")
    player.button("No").click()
    assert player.phase == "choosing"
