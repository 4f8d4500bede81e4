"""The game's menu, default bets, chips and what they show."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Sit
from tests.browser.player import Player
from tests.browser.scenes import hands_of, prefers, seed_where
from upcard.game import Round

MAIN = "Main bet on spot 1"


def preferences(player: Player) -> Locator:
    player.button("Menu").click()
    menu = player.page.get_by_role("dialog", name="Menu")
    menu.get_by_role("button", name="Preferences", exact=True).click()
    return player.page.get_by_role("dialog", name="Preferences")


def write(dialog: Locator, bet: str, units: str) -> None:
    field = dialog.get_by_role("textbox", name=bet)
    field.fill(units)
    field.press("Tab")


def test_default_bets_lie_on_the_felt_for_the_first_round_of_a_sitting(sit: Sit) -> None:
    """C-14, 3C-11, 3C-12, 3C-13: in the game's menu, for any game, within the limits."""
    player = sit("threecard")
    dialog = preferences(player)
    write(dialog, "Ante", "501")
    expect(dialog.get_by_role("status")).to_contain_text(
        "Ante takes $5.00 to $500.00 in steps of $1.00."
    )
    write(dialog, "Ante", "25")
    write(dialog, "Ace Plus Bonus", "5")
    expect(dialog.get_by_role("status")).to_have_text("")
    write(dialog, "Ante", "4")
    dialog.get_by_label("Game").select_option("top3")
    dialog.get_by_label("Limits").select_option("low")
    dialog.get_by_role("radio", name="2").check()
    write(dialog, "Main bet", "10")
    write(dialog, "Top 3", "2")
    expect(dialog.get_by_role("status")).to_contain_text("Top 3 opens once 21+3 Classic lies")
    write(dialog, "21+3 Classic", "2.50")
    player.page.keyboard.press("Escape")
    ante = player.page.locator('[data-place="Ante"]')
    expect(ante).to_have_attribute("data-cents", "2500")
    assert player.lies("Ace Plus Bonus") == 500
    player.deal()
    bets = [it for it in player.round()["events"] if it["type"] == "bet"]
    assert {it["bet"]: it["cents"] for it in bets} == {"ante": 2500, "ace_plus": 500}
    player.choose("fold")
    player.button("Clear all").click()
    player.lay("5.00", "Ante")
    player.deal()
    player.choose("fold")
    assert player.lies("Ante") == 500, "C-13 from the second round on"
    player.sit_down("top3", "low")
    spots = {"Main bet": 1000, "21+3 Classic": 250, "Top 3": 200, "21+3 Progressive": 0}
    for bet, cents in spots.items():
        assert [player.lies(f"{bet} on spot {spot}") for spot in (1, 2, 3)] == [cents, cents, 0]
    player.deal()
    assert len([it for it in player.round()["events"] if it["type"] == "bet"]) == 6


def test_quick_replay_or_new_wagers_first(sit: Sit) -> None:
    """3C-16, 3C-17, C-13: DEAL repeats the bets as they lie; changed ones are dealt as changed."""
    player = sit("threecard")
    player.lay("5.00", "Ante", "Ace Plus Bonus")
    player.deal()
    player.choose("fold")
    player.deal()
    player.choose("fold")
    player.lay("25.00", "Ante")
    player.deal()
    bets = [it for it in player.round()["events"] if it["type"] == "bet"]
    assert [(it["bet"], it["cents"]) for it in bets] == [("ante", 3000), ("ace_plus", 500)]


def test_the_title_opens_the_pay_tables_on_the_smallest_screen(sit: Sit) -> None:
    """C-15, 3C-14: where the felt has no room for its print, the game's title does the same."""
    player = sit("threecard", size=(360, 640))
    for name in ("3 Card Blackjack", "Open the pay tables"):
        player.page.get_by_role("button", name=name).click()
        dialog = player.page.get_by_role("dialog", name="Rules and pay tables")
        expect(dialog.get_by_role("heading", name="Pay tables", exact=True)).to_be_in_viewport()
        player.page.keyboard.press("Escape")


def chips_in(where: Locator) -> list[int]:
    chips = where.locator("[data-chip]").all()
    return [int(str(chip.get_attribute("data-chip"))) for chip in chips]


def test_stacks_regroup_and_small_chips_show_winnings_alone(sit: Sit) -> None:
    """T-37, T3-38, T3-39: five of 1.00 lie as one 5.00; 3:2 on 1.50 is paid with a chip of 0.25."""

    def happens(round_: Round) -> bool:
        return [hand.state for hand in round_.table.spots[0].hands] == ["natural"]

    seed = seed_where("top3", "micro", [{"main": 150}], prefers("stand"), happens)
    player = sit("top3", level="micro", seed=seed)
    place = player.page.locator(f'[data-place="{MAIN}"]')
    player.lay("1.00", MAIN, times=5)
    assert chips_in(place) == [500]
    player.button("Undo").click()
    assert chips_in(place) == [100] * 4
    player.button("Clear all").click()
    player.lay("0.50", MAIN, times=3)
    assert chips_in(place) == [100, 50]
    player.deal()
    won = player.page.get_by_role("img", name="Won on spot 1: $2.25")
    assert chips_in(won) == [100, 100, 25]
    assert player.meter("total-win") == 375, "G-11, T3-13, T3-86: the bet and its payout"


def test_a_chip_of_5000_shows_a_large_win(sit: Sit) -> None:
    """T-37: 10:1 on a pair of 500.00 (A-20) is one chip; the largest in the tray is 1,000."""

    def happens(round_: Round) -> bool:
        ((first, second),) = hands_of(round_)
        return first[0] == second[0] and first[1] != second[1]

    seed = seed_where("ags", "table", [{"main": 100}], prefers("stand"), happens)
    player = sit("ags", seed=seed)
    player.page.get_by_role("button", name="This table").click()
    player.page.get_by_role("checkbox", name="Pairs Pay").check()
    player.page.get_by_role("checkbox", name="In Bet").check()
    player.page.keyboard.press("Escape")
    player.lay("500.00", "Pairs Pay on spot 1")
    player.deal()
    won = player.page.get_by_role("img", name="Won on spot 1: $5,000")
    assert chips_in(won) == [500_000]


def test_chip_info_says_what_the_chips_are_for(sit: Sit) -> None:
    """T-37, T3-40, T3-28: the tray of this table, and the chips that are never in it."""
    player = sit("top3", level="high_roller", size="phone")
    tray = player.page.get_by_role("radiogroup", name="Chips").get_by_role("radio")
    names = [str(chip.get_attribute("aria-label")).removesuffix(" chip") for chip in tray.all()]
    assert names == ["$0.50", "$1.00", "$5.00", "$25.00", "$100.00", "$500.00", "$1,000.00"]
    player.tool("Chip info").click()
    dialog = player.page.get_by_role("dialog", name="Chip info")
    for kind, chips in (("tray", names), ("winnings", ["$0.01", "$0.05", "$0.25", "$5,000.00"])):
        shown = dialog.locator(f"[data-chips={kind}] li")
        expect(shown).to_have_count(len(chips))
        assert [text.split("\n")[-1].strip() for text in shown.all_inner_texts()] == chips
    expect(dialog).to_contain_text("the fewest chips")
