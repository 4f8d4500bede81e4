"""Laying chips and the buttons of the table, by clicking."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Sit
from tests.browser.player import Player
from tests.browser.scenes import chosen, hands_of, prefers, seed_where, up_rank
from upcard.game import Round
from upcard.table import ChoiceName

START = 10_000_000
ONE, TWO = "Main bet on spot 1", "Main bet on spot 2"


def tray(player: Player) -> list[str]:
    chips = player.page.get_by_role("radiogroup", name="Chips").get_by_role("radio").all()
    return [str(chip.get_attribute("aria-label")).removesuffix(" chip") for chip in chips]


def open_table(player: Player) -> None:
    player.page.get_by_role("button", name="This table").click()


def test_the_tray_and_the_two_ways_to_lay_a_chip(sit: Sit) -> None:
    """T-20: the tray as far as the table takes it; a click on a place, or on the selected chip.

    T3-29, T3-30, T3-31, S21-01
    """
    player = sit("top3", level="micro")
    assert tray(player) == ["$0.50", "$1.00", "$5.00"]
    open_table(player)
    player.page.get_by_role("radio", name="High Roller").check()
    player.page.keyboard.press("Escape")
    assert tray(player) == ["$0.50", "$1.00", "$5.00", "$25.00", "$100.00", "$500.00", "$1,000.00"]
    player.chip("25.00").click()
    assert player.lies(ONE) == 0, "selecting lays nothing"
    player.chip("25.00").click()
    assert player.lies(ONE) == 2500, "no place selected: the rightmost main place"
    player.circle(TWO).click()
    player.chip("25.00").click()
    assert [player.lies(ONE), player.lies(TWO)] == [2500, 5000]
    player.chip("500.00").click()
    assert player.lies(TWO) == 5000
    player.chip("500.00").click()
    assert player.lies(TWO) == 55_000


def test_a_chip_that_would_pass_the_maximum_or_lies_below_the_minimum(sit: Sit) -> None:
    """G-09 on the screen: nothing of the chip is added and the limit is named; T-22: DEAL waits.

    T3-24, T3-25, T3-42
    """
    player = sit("top3", level="low")
    player.lay("25.00", ONE, ONE)
    player.lay("1.00", ONE)
    assert player.lies(ONE) == 5000
    assert player.said == "Main bet on spot 1 takes at most $50.00."
    player.lay("1.00", TWO)
    deal = player.button("Deal")
    expect(deal).to_be_disabled()
    deal.click(force=True)
    assert player.said == "Main bet on spot 2 needs at least $5.00; $1.00 lies there."
    assert player.balance() == START


@pytest.mark.parametrize(("game", "first"), [("threecard", "ANTE"), ("super21", "MAIN BET")])
def test_how_a_first_bet_is_laid_is_said(game: str, first: str, sit: Sit) -> None:
    """3C-04, 3C-06, S21-01, S21-02: by the names on the felt and on the button."""
    player = sit(game, size="phone")
    assert f"Press {first}, then DEAL" in player.said


def test_what_is_to_be_done_next_stands_out(sit: Sit) -> None:
    """T3-42, T3-43: DEAL is gold once a bet lies; after the round, with nothing laid, REBET is,
    until it has been pressed."""
    player = sit("top3", level="low", size="phone")
    rebet, undo, deal = (player.button(name) for name in ("Rebet", "Undo", "Deal"))
    assert look(rebet) == look(undo)
    player.lay("5.00", ONE)
    gold = look(deal)
    assert look(rebet) == look(undo) != gold
    player.deal()
    player.finish()
    expect(deal).to_be_disabled()
    assert look(rebet) != look(undo), "only REBET goes on"
    rebet.click()
    assert look(deal) == gold
    assert look(rebet) == look(undo) != gold


def look(button: Locator) -> str:
    """What a button is painted with, whether it is open or shut."""
    painted: str = button.evaluate("it => getComputedStyle(it).color")
    return "gold" if painted == GOLD_INK else "plain"


GOLD_INK = "rgb(36, 24, 2)"
"""The colour of letters on gold."""


def test_undo_clear_all_and_rebet(sit: Sit) -> None:
    """G-10, T-32, T-33, T-35, and G-08 for the balance they leave.

    T3-43, T3-50
    """
    player = sit("top3", level="low")
    for name in ("Undo", "Clear all", "Rebet"):
        expect(player.button(name)).to_be_disabled()
    player.lay("5.00", ONE)
    player.lay("25.00", ONE)
    player.lay("1.00", "21+3 Classic on spot 1", "Top 3 on spot 1")
    player.circle(ONE).click()
    player.button("Undo").click()
    player.button("Undo").click()
    assert player.lies(ONE) == 500
    player.button("Clear all").click()
    assert player.meter("total-bet") == 0
    assert player.meter("balance") == START
    player.lay("5.00", ONE, TWO)
    player.lay("1.00", "21+3 Classic on spot 2")
    player.deal()
    player.finish()
    player.button("Rebet").click()
    assert [player.lies(it) for it in (ONE, TWO, "21+3 Classic on spot 2")] == [500, 500, 100]
    assert player.meter("total-bet") == 1100
    player.circle(TWO).click()
    player.button("Undo").click()
    player.button("Undo").click()
    assert player.meter("total-bet") == 500, "a whole REBET amount counts as one addition"


def test_changing_the_level_clears_the_felt_and_waits_for_the_round(sit: Sit) -> None:
    """G-10: REBET is of this game and level; T-14."""
    player = sit("top3", level="low")
    player.lay("5.00", ONE)
    player.deal()
    player.finish()
    player.lay("5.00", ONE)
    open_table(player)
    player.page.get_by_role("radio", name="High", exact=False).last.check()
    player.page.keyboard.press("Escape")
    assert player.lies(ONE) == 0
    expect(player.button("Rebet")).to_be_disabled()


def test_the_table_is_fixed_during_a_round(sit: Sit) -> None:
    """G-10: refused in a round, in which the buttons for betting are not there.

    T3-27
    """
    player = sit_with_a_hand(sit)
    open_table(player)
    expect(player.page.get_by_role("radio", name="Micro")).to_be_disabled()
    player.page.keyboard.press("Escape")
    for name in ("Undo", "Clear all", "Rebet", "Deal"):
        expect(player.button(name)).to_have_count(0)


def sit_with_a_hand(sit: Sit, **more: Any) -> Player:
    """A pair of eights or so: all five choices are open."""

    def happens(round_: Round) -> bool:
        ((first, second, *_), *_) = hands_of(round_)
        return up_rank(round_) in "23456789" and first[0] == second[0] and first[0] in "6789"

    seed = seed_where("top3", "low", [{"main": 1000}], prefers("stand"), happens)
    player = sit("top3", level="low", seed=seed, **more)
    player.lay("5.00", ONE, ONE)
    player.deal()
    return player


def test_every_choice_is_a_button_with_its_price(sit: Sit) -> None:
    """T-23 HIT, T-24 STAND, T-25 DOUBLE, T-26 SPLIT, T-27 SURRENDER.

    T3-52, T3-56
    """
    player = sit_with_a_hand(sit)
    choices = player.page.get_by_role("group", name="Choices")
    expect(choices.get_by_role("button")).to_have_text(
        ["R Surrender", "P Split $10", "D Double $10", "H Hit", "S Stand"]
    )
    assert player.offered() == ["surrender", "split", "double", "hit", "stand"]
    player.choose("hit")
    if player.phase == "choosing":
        assert player.offered() == ["hit", "stand"], "T-61, T-67: a third card closes the others"
        assert "not offered" in (player.choice("double").get_attribute("title") or "")


@pytest.mark.parametrize("name", ["double", "split", "surrender", "stand"])
def test_each_choice_does_what_it_says(name: ChoiceName, sit: Sit) -> None:
    """T-24 STAND, T-25 DOUBLE, T-26 SPLIT, T-27 SURRENDER: what the house then has of it.

    T3-63, T3-65
    """
    player = sit_with_a_hand(sit)
    player.choose(name)
    events = player.round()["events"]
    assert [it["choice"] for it in events if it["type"] == "choice"] == [name]
    more = {"double": 1000, "split": 1000}.get(name, 0)
    assert sum(it["cents"] for it in events if it["type"] == "stake") == more
    assert player.meter("total-bet") == 1000 + more


def test_insurance_is_never_asked_where_the_player_says_so(sit: Sit) -> None:
    """T-50 NEVER: the question is skipped, the dealer peeks as usual.

    T3-74, T3-75
    """

    def happens(round_: Round) -> bool:
        return up_rank(round_) == "A" and "stand" in chosen(round_)

    seed = seed_where("top3", "low", [{"main": 500}], prefers("stand"), happens)
    player = sit("top3", level="low", seed=seed, ask_insurance=False)
    player.lay("5.00", ONE)
    player.deal()
    assert "stand" in player.offered()
    assert [it["type"] for it in player.round()["events"]].count("peek") == 1


def test_instant_has_every_card_in_its_place_at_once(sit: Sit) -> None:
    """T-51 INSTANT: when the answer is there the cards are, within a frame and without motion."""
    player = sit_with_a_hand(sit)
    moving = "() => document.getAnimations().filter(it => it.playState === 'running').length"
    assert player.page.evaluate(moving) == 0
    assert len(player.cards(player.hands())) == 2


@pytest.mark.parametrize("reduced_motion", [False, True])
def test_cards_are_dealt_one_by_one_unless_little_motion_is_asked(
    reduced_motion: bool, sit: Sit
) -> None:
    """T-51 NORMAL: one card after another. X-10: reduced motion has them at once, a tap skips.

    T3-76
    """
    player = sit("super21", speed="normal", reduced_motion=reduced_motion)
    player.lay("5.00", "Main bet")
    player.page.evaluate(
        """() => {
          window.counts = [];
          const cards = () => document.querySelectorAll('[data-card]').length;
          new MutationObserver(() => window.counts.push(cards()))
            .observe(document.body, {childList: true, subtree: true});
        }"""
    )
    player.button("Deal").click()
    player.rests()
    counts = player.page.evaluate("() => [...new Set(window.counts)]")
    assert ({1, 2, 3} <= {*counts}) is not reduced_motion
    assert 4 in counts


def test_the_logo_opens_the_pay_tables(sit: Sit) -> None:
    """C-15: from the logo on the table; the rules have them too, from the server (G-14)."""
    player = sit("threecard")
    player.page.get_by_role("button", name="Open the pay tables").click()
    dialog = player.page.get_by_role("dialog", name="Rules and pay tables")
    expect(dialog.get_by_role("heading", name="Pay tables", exact=True)).to_be_in_viewport()
    for row in ("A-A-A", "A-A-T", "A-A-x", "A-T-T", "A-T-x", "A-x-x"):
        expect(dialog.get_by_role("rowheader", name=row, exact=True)).to_have_count(1)
    page = player.ask("/api/games/threecard/rules")
    for section in page["sections"]:
        expect(dialog.get_by_role("heading", name=section["title"], exact=True)).to_have_count(1)


def test_a_past_round_is_checked_in_the_browser(sit: Sit) -> None:
    """G-14's promise kept: commit, cards and money of a round hold, and this browser was there."""
    player = sit("super21")
    player.lay("5.00", "Main bet")
    player.deal()
    player.finish()
    player.button("History").click()
    dialog = player.page.get_by_role("dialog", name="History")
    dialog.get_by_role("button", name="Super 21").click()
    dialog.get_by_role("button", name="Check this round").click()
    expect(dialog.locator("[data-verdict=true]")).to_be_visible()
    expect(dialog.get_by_text("this browser was shown before the bet")).to_be_visible()
    proof = player.ask(f"/api/rounds/{player.round()['round']}/proof")
    expect(dialog.get_by_text(proof["server_seed"])).to_be_visible()
    told = player.round()
    cards = [*told["table"]["dealer"]["cards"], *told["table"]["spots"][0]["hands"][0]["cards"]]
    shown = player.cards(dialog.locator(".hands"))
    assert shown == cards
