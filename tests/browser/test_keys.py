"""The table by keyboard alone, and what it says aloud."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.player import Player
from tests.browser.scenes import chosen, hands_of, prefers, rows_of, seed_where, up_rank
from upcard.game import Round
from upcard.table import ChoiceName

START = 10_000_000
LISTEN = """() => {
  window.said = [];
  const region = document.querySelector("[data-live]");
  new MutationObserver(() => window.said.push(region.innerText.trim()))
    .observe(region, {childList: true, subtree: true, characterData: true});
}"""


def press(player: Player, *keys: str) -> None:
    for key in keys:
        player.page.keyboard.press(key)
        player.rests()


def said(player: Player) -> list[str]:
    """What the live region has said since it was last asked, at most once each time."""
    told: list[str] = player.page.evaluate("() => window.said.splice(0)")
    return told


def listens(player: Player) -> None:
    player.page.evaluate(LISTEN)


def with_split_and_double(round_: Round) -> bool:
    """Insurance is asked and the pair split, the first hand of it doubled, and both are played."""
    wanted = ["no_insurance", "split", "double", "stand"]
    return up_rank(round_) == "A" and chosen(round_) == wanted


def test_a_round_by_keys(sit: Sit) -> None:
    """X-01: 1-9 chips, arrows, Z, Space, N, P, D, S; each is shown on its button."""
    laid = [{"main": 1000, "classic": 500}]
    policy = prefers("split")

    def once_doubled(round_: Round) -> ChoiceName:
        choice = policy(round_)
        offered = [it.choice for it in round_.choices]
        split_first = len(hands_of(round_)) == 2 and "double" not in chosen(round_)
        return "double" if split_first and "double" in offered else choice

    seed = seed_where("top3", "low", laid, once_doubled, with_split_and_double)
    player = sit("top3", level="low", seed=seed)
    press(player, "ArrowLeft", "3", "3", "3", "ArrowUp", "3", "z")
    assert [player.lies("Main bet on spot 1"), player.lies("21+3 Classic on spot 1")] == [1500, 0]
    press(player, "3", "ArrowDown", "Z")
    assert [player.lies("Main bet on spot 1"), player.lies("21+3 Classic on spot 1")] == [1000, 500]
    expect(player.button("Deal").locator("kbd")).to_have_text("Space")
    press(player, " ")
    assert player.offered() == ["insurance", "no_insurance"]
    for name, key in {"insurance": "I", "no_insurance": "N"}.items():
        expect(player.choice(name).locator("kbd")).to_be_visible()
        assert player.choice(name).get_attribute("aria-keyshortcuts") == key
    press(player, "n")
    for name, key in {"hit": "H", "stand": "S", "double": "D", "split": "P"}.items():
        expect(player.choice(name).locator("kbd")).to_have_text(key)
    press(player, "p", "d", "s")
    assert player.phase == "over"
    moves = [it["choice"] for it in player.round()["events"] if it["type"] == "choice"]
    assert moves == ["no_insurance", "split", "double", "stand"]


def test_space_repeats_the_last_bets_and_deals(sit: Sit) -> None:
    """X-01: Space is rebet while nothing lies, then deal; a click leaves no focus in its way."""
    player = sit("ags")
    player.lay("5.00", "Main bet on spot 1")
    player.deal()
    player.finish()
    expect(player.button("Rebet").locator("kbd")).to_have_text("Space")
    press(player, " ")
    assert player.lies("Main bet on spot 1") == 500
    player.chip("1.00").click()
    press(player, " ")
    assert len(player.ask("/api/rounds")["rounds"]) == 2
    bet = next(it for it in player.round()["events"] if it["type"] == "bet")
    assert bet["cents"] == 500


@pytest.mark.parametrize(("key", "choice"), [("r", "raise"), ("f", "fold")])
def test_three_cards_raise_and_fold(key: str, choice: str, sit: Sit) -> None:
    """X-01: R raises and F folds where there are three cards."""
    player = sit("threecard")
    press(player, "ArrowUp", "3", "3", " ", key)
    assert player.phase == "over"
    moves = [it["choice"] for it in player.round()["events"] if it["type"] == "choice"]
    assert moves == [choice]


def test_rescue_and_surrender_and_hit(sit: Sit) -> None:
    """X-01: after D, R is rescue; H hits."""

    def happens(round_: Round) -> bool:
        return chosen(round_) == ["hit", "double", "rescue"]

    def policy(round_: Round) -> ChoiceName:
        order: tuple[ChoiceName, ...] = (
            ("rescue", "hit") if not chosen(round_) else ("rescue", "double")
        )
        return prefers(*order)(round_)

    seed = seed_where("super21", "table", [{"main": 500}], policy, happens)
    player = sit("super21", seed=seed)
    press(player, "ArrowUp", "2", "2", " ", "h", "d")
    assert player.choice("rescue").get_attribute("aria-keyshortcuts") == "R"
    press(player, "r")
    assert player.meter("balance") == START - 500


def test_even_money(sit: Sit) -> None:
    """X-01: I takes even money."""

    def happens(round_: Round) -> bool:
        return chosen(round_) == ["even_money"]

    seed = seed_where("ags", "table", [{"main": 500}], prefers("even_money"), happens)
    player = sit("ags", seed=seed)
    press(player, "ArrowUp", "2", "2", " ", "i")
    assert player.tags(1) == ["WIN +$5"]


def test_keys_wait(sit: Sit) -> None:
    """X-02: while a dialog is open, while somebody types, and when a key is held down."""
    player = sit("super21")
    page = player.page
    press(player, "ArrowUp", "2", "2", "?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys.get_by_text("Surrender", exact=True)).to_be_visible()
    press(player, "z", "1", "1")
    assert (player.phase, player.lies("Main bet")) == ("betting", 500)
    press(player, "Escape")
    expect(keys).not_to_be_visible()
    player.button("Settings").click()
    seed = page.get_by_label("Your seed")
    seed.fill("")
    seed.press_sequentially("hhz1")
    expect(seed).to_have_value("hhz1")
    press(player, "Escape")
    page.keyboard.down("z")
    page.keyboard.down("z")
    page.keyboard.up("z")
    page.keyboard.press("2")
    page.keyboard.down("2")
    page.keyboard.down("2")
    page.keyboard.up("2")
    assert player.lies("Main bet") == 1000, "one Z took one chip off; two presses laid two"


@pytest.mark.parametrize("speed", ["normal", "instant"])
def test_one_region_says_each_step_once(speed: str, sit: Sit) -> None:
    """X-03: deal, totals, prompt and result in words, at either speed; nothing else speaks."""
    laid = [{"main": 500}, {"main": 500}]

    def happens(round_: Round) -> bool:
        first, second = (hands_of(round_, spot)[0] for spot in (1, 2))
        return (
            len(first) == len(second) == 2
            and rows_of(round_, "main") == ["win", "lose"]
            and up_rank(round_) in "23456"
        )

    seed = seed_where("ags", "table", laid, prefers("stand"), happens)
    player = sit("ags", seed=seed, speed=speed)
    regions = player.page.locator("[aria-live], [role=status], [role=alert], [role=log]")
    expect(regions).to_have_count(1)
    expect(regions).to_have_attribute("aria-live", "polite")
    listens(player)
    player.lay("5.00", "Main bet on spot 1")
    player.lay("5.00", "Main bet on spot 2")
    assert said(player) == [
        "Main bet on spot 1: $5.00. Total bet $5.00.",
        "Main bet on spot 2: $5.00. Total bet $10.00.",
    ]
    player.deal()
    (deal,) = said(player)
    table = player.round()["table"]
    total = table["spots"][0]["hands"][0]["total"]
    up = table["dealer"]["total"]
    assert deal.index("Spot 1: ") < deal.index("Spot 2: ") < deal.index("Your turn: spot 1, ")
    assert f", {total}. " in deal
    assert "one card face down" in deal
    assert f", dealer shows {up}." in deal
    assert ". Hit, stand" in deal
    player.choose("stand")
    (turn,) = said(player)
    assert turn.startswith("Your turn: spot 2, ")
    player.choose("stand")
    (result,) = said(player)
    assert "Dealer" in result
    assert "Spot 1: Main bet, win: $10.00 back." in result
    assert "Spot 2: Main bet, lost: nothing back." in result
    assert result.endswith("Your bets come back.")


def test_reading_keys(sit: Sit) -> None:
    """X-04: L the last event, U the dealer's card, M my hand, B the balance; said, not shown."""

    def happens(round_: Round) -> bool:
        return hands_of(round_)[0][:2] == ("Th", "6c") and up_rank(round_) == "9"

    seed = seed_where("super21", "table", [{"main": 500}], prefers("stand"), happens)
    player = sit("super21", seed=seed)
    press(player, "ArrowUp", "2", "2")
    listens(player)
    press(player, " ")
    (deal,) = said(player)
    press(player, "u", "m", "b", "l")
    dealer, mine, money, last = said(player)
    assert dealer.startswith("Dealer: nine of ")
    assert dealer.endswith(", one card face down, 9.")
    assert mine == "You: ten of hearts, six of clubs, 16, bet $5.00."
    assert money == "Balance $99,995.00, total bet $5.00."
    assert last == deal
