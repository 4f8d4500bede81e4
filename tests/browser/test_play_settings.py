"""What is asked before, what is ignored and how results come, as the player has set it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Sit
from tests.browser.player import Player
from tests.browser.scenes import Policy, hands_of, prefers, seed_where, up_rank
from upcard.game import Round
from upcard.table import ChoiceName

MAIN = "Main bet on spot 1"
STANDS = prefers("stand")


def dealt(*ranks: str) -> bytes:
    """A first shuffle that deals spot 1 these two ranks, in any order, against no ace."""

    def happens(round_: Round) -> bool:
        ((first, second, *_), *_) = hands_of(round_)
        return {first[0], second[0]} == {*ranks} and up_rank(round_) in "23456"

    return seed_where("top3", "low", [{"main": 1000}], STANDS, happens)


def seated(sit: Sit, seed: bytes, **more: Any) -> Player:
    player = sit("top3", level="low", seed=seed, **more)
    player.lay("5.00", MAIN, times=2)
    player.deal()
    return player


def choices_of(player: Player) -> list[str]:
    return [it["choice"] for it in player.round()["events"] if it["type"] == "choice"]


def question(player: Player) -> Locator:
    return player.page.get_by_role("dialog", name="Are you sure?")


def switch(player: Player, name: str) -> None:
    player.button("Settings").click()
    player.page.get_by_role("switch", name=name).click()
    player.page.keyboard.press("Escape")


WARNINGS: dict[ChoiceName, tuple[tuple[str, str], str, str]] = {
    "hit": (("T", "7"), "Warn me before Hit", "Hit on hard 17?"),
    "stand": (("5", "6"), "Warn me before Stand", "Stand on hard 11?"),
    "double": (("7", "5"), "Warn me before Double", "Double on hard 12?"),
}


@pytest.mark.parametrize("name", WARNINGS)
def test_a_warning_asks_once_before_a_choice_that_is_rarely_meant(
    name: ChoiceName, sit: Sit
) -> None:
    """T-53, T3-79, T3-80, T3-81: a switch each; NO leaves the hand as it is, YES goes on.

    T3-85
    """
    ranks, title, sentence = WARNINGS[name]
    player = seated(sit, dealt(*ranks))
    switch(player, title)
    player.choice(name).click()
    expect(question(player).locator("[data-question]")).to_have_text(sentence)
    question(player).get_by_role("button", name="No").click()
    expect(question(player)).to_be_hidden()
    assert choices_of(player) == []
    player.page.reload()  # T3-85: what is set stays
    player.rests()
    player.choice(name).click()
    question(player).get_by_role("button", name="Yes").click()
    expect(question(player)).to_be_hidden()
    player.rests()
    assert choices_of(player) == [name]


@pytest.mark.parametrize("name", WARNINGS)
def test_each_warning_is_a_switch_of_its_own(name: ChoiceName, sit: Sit) -> None:
    """T-53: with the two others on, this choice is made without a question."""
    on = {f"warn{other.capitalize()}": other != name for other in WARNINGS}
    player = seated(sit, dealt(*WARNINGS[name][0]), play=on)
    player.choose(name)
    assert choices_of(player) == [name]


WATCH = """() => {
  window.steps = [];
  const look = () => [...document.querySelectorAll('[data-spot]')].filter(
    it => /lose|push|win/i.test(it.querySelector('[data-tag]')?.textContent ?? '')
  ).map(it => it.dataset.spot).sort().join('');
  new MutationObserver(() => {
    const now = look();
    if (now !== window.steps.at(-1)) window.steps.push(now);
  }).observe(document.body, {subtree: true, childList: true, characterData: true});
}"""


@pytest.mark.parametrize(
    ("speed", "on", "steps"),
    [
        ("normal", True, ["", "123"]),
        ("normal", False, ["", "1", "12", "123"]),
        ("instant", False, ["", "123"]),
    ],
)
def test_speed_pay(speed: str, on: bool, steps: list[str], sit: Sit) -> None:
    """T-52, T3-77, T3-78: ON, all results in one step; OFF, one by one from the rightmost spot.

    T-51: INSTANT waits for nothing.
    """
    laid = [{"main": 500}] * 3

    def happens(round_: Round) -> bool:
        hands = [hand for spot in round_.table.spots for hand in spot.hands]
        return all(hand.state in ("won", "lost", "push") for hand in hands) and (
            up_rank(round_) in "6789" and all(hand.total < 21 for hand in hands)
        )

    seed = seed_where("top3", "low", laid, STANDS, happens)
    player = sit("top3", level="low", seed=seed, play={"speedPay": not on}, speed=speed)
    switch(player, "Speed pay")
    player.lay("5.00", *(f"Main bet on spot {spot}" for spot in (1, 2, 3)))
    player.deal()
    player.choose("stand", "stand")
    player.page.evaluate(WATCH)
    player.choice("stand").click()
    expect(player.page.locator("[data-phase=over]")).to_be_visible()
    assert player.page.evaluate("() => window.steps") == steps


PRESS_AT_ONCE = """() => {
  const page = document.querySelector('[data-phase]');
  window.pressed = 0;
  new MutationObserver(() => {
    if (page.dataset.phase !== 'choosing' || window.pressed) return;
    window.pressed = 1;
    document.querySelector('[data-choice=hit]').click();
  }).observe(page, {attributeFilter: ['data-phase']});
}"""


def hits_twice() -> bytes:
    """A hand that may be hit twice."""

    def happens(round_: Round) -> bool:
        return len(hands_of(round_)[0]) == 4 and up_rank(round_) != "A"

    return seed_where("top3", "low", [{"main": 1000}], two_hits(), happens)


def two_hits() -> Policy:
    def policy(round_: Round) -> ChoiceName:
        is_early = len(hands_of(round_)[0]) < 4
        return prefers("hit")(round_) if is_early else STANDS(round_)

    return policy


@pytest.mark.parametrize(("guard", "hits"), [(True, 1), (False, 2)])
def test_a_press_just_after_the_buttons_changed_is_ignored(
    guard: bool, hits: int, sit: Sit
) -> None:
    """X-06: within 250 ms of the row changing; a press after that counts."""
    player = seated(sit, hits_twice(), play={"guard": guard})
    player.page.evaluate(PRESS_AT_ONCE)
    player.choice("hit").click()
    player.page.wait_for_function("() => window.pressed")
    expect(player.choice("stand")).to_be_enabled()
    player.rests()
    assert choices_of(player) == ["hit"] * hits
    player.choice("stand").click()
    player.rests()
    assert choices_of(player) == [*["hit"] * hits, "stand"]


def test_asked_before_surrender_and_before_a_stake_above_an_amount(sit: Sit) -> None:
    """X-07: each as the player has set it; NO changes nothing at the house."""
    player = sit("top3", level="low", seed=dealt("7", "5"))
    switch(player, "Ask before Surrender")
    player.button("Settings").click()
    player.page.get_by_role("textbox", name="Ask before a stake above").fill("9.99")
    player.page.get_by_role("textbox", name="Ask before a stake above").press("Tab")
    player.page.keyboard.press("Escape")
    player.lay("5.00", MAIN, times=2)
    player.button("Deal").click()
    expect(question(player)).to_contain_text("Deal for $10.00?")
    question(player).get_by_role("button", name="No").click()
    assert player.ask("/api/rounds?limit=1")["rounds"] == []
    assert player.lies(MAIN) == 1000
    player.button("Deal").click()
    question(player).get_by_role("button", name="Yes").click()
    expect(player.choice("surrender")).to_be_enabled()
    player.choice("double").click()
    expect(question(player)).to_contain_text("Double for $10.00?")
    player.page.keyboard.press("Escape")
    player.choice("surrender").click()
    expect(question(player)).to_contain_text("Surrender: give this hand up?")
    question(player).get_by_role("button", name="Yes").click()
    expect(player.page.locator("[data-phase=over]")).to_be_visible()
    assert choices_of(player) == ["surrender"]


def test_asked_before_max_all_bets(sit: Sit) -> None:
    """X-07: names the sum; NO leaves what lies."""
    player = sit("top3", level="micro", play={"confirmMax": True})
    player.lay("1.00", MAIN)
    player.press("Max all bets")
    expect(question(player)).to_contain_text("$60.00")  # 3 spots of 10.00, 5.00 and 5.00
    question(player).get_by_role("button", name="No").click()
    assert player.meter("total-bet") == 100
    player.press("Max all bets")
    question(player).get_by_role("button", name="Yes").click()
    assert player.meter("total-bet") == 6_000


def test_a_question_falls_when_the_round_goes_on_elsewhere(sit: Sit) -> None:
    """X-06: what was asked about is no longer to be had; the table shows the round as it is."""
    player = seated(sit, dealt("7", "5"), play={"warnDouble": True})
    told = player.round()
    player.choice("double").click()
    expect(question(player)).to_be_visible()
    answer = player.page.request.post(
        f"{player.place.url}/api/rounds/{told['round']}/moves",
        data={"seq": told["seq"], "choice": "stand"},
        headers={"Origin": player.place.url},
    )
    assert answer.ok
    expect(player.page.locator("[data-phase=over]")).to_be_visible()
    expect(question(player)).to_be_hidden()
    assert choices_of(player) == ["stand"]
