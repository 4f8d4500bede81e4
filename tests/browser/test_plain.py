"""The table as a page of text, played by typing."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import expect

from tests.browser.axe import looked_at
from tests.browser.conftest import SIZES, Sit
from tests.browser.player import Player
from tests.browser.scenes import chosen, prefers, seed_where
from upcard.game import Round

START = 10_000_000
BETS = {
    "top3": ["level low", "bet 5 on main 1", "bet 1 on 21+3 1", "bet 1 on top 3 1", "bet 10 2"],
    "threecard": ["bet 5", "bet 5 on ace plus"],
    "super21": ["bet 5"],
    "ags": ["sides pairs pay, in bet", "bet 5 on main 1", "bet 2 on pairs pay 3"],
}
LAID = {"top3": 1700, "threecard": 1000, "super21": 500, "ags": 700}


def type_(player: Player, *commands: str) -> None:
    line = player.page.get_by_label("Command")
    for command in commands:
        line.fill(command)
        line.press("Enter")
        player.rests()


def to_plain(player: Player) -> None:
    """By the first thing that Tab comes to."""
    player.page.keyboard.press("Tab")
    player.page.keyboard.press("Enter")
    expect(player.page.locator("[data-plain]")).to_be_visible()


@pytest.mark.parametrize("game", BETS)
def test_a_round_of_each_game_in_words(game: str, sit: Sit) -> None:
    """X-05: bets, deal, every choice by typing; the page says what the house says. X-13 too."""
    player = sit(game, size=list(SIZES)[len(game) % 2])
    to_plain(player)
    type_(player, *BETS[game])
    assert player.meter("total-bet") == LAID[game]
    assert looked_at(player) == []
    type_(player, "deal")
    random = Random(game)
    for _ in range(40):
        offered = [it for it in player.offered() if it != "split"]
        if not offered:
            break
        assert player.round()["choices"][0]["spot"] in (1, 2, 3)
        wanted = random.choice(offered)
        type_(player, {"no_insurance": "no", "insurance": "yes"}.get(wanted, wanted[0]))
    assert player.phase == "over"
    round_ = player.round()
    paid = next(it for it in round_["events"] if it["type"] == "settled")
    assert round_["status"] == "settled"
    assert START - paid["staked"] + paid["paid"] == player.balance()
    lies = LAID[game] if game == "threecard" else 0  # C-13: the bets lie again
    assert player.meter("balance") == player.balance() - lies
    dealer = player.page.locator("[data-plain-dealer]")
    expect(dealer).to_have_text(re.compile(rf" {round_['table']['dealer']['total']}\.$"))
    hands = [hand for spot in round_["table"]["spots"] for hand in spot["hands"]]
    expect(player.page.locator("[data-plain-hands] li")).to_have_count(len(hands))
    assert looked_at(player) == []


def test_what_cannot_be_done_is_said(sit: Sit) -> None:
    """X-05, G-09: a sentence for what is unknown, too much, or not now; nothing changes."""

    def happens(round_: Round) -> bool:
        return chosen(round_) == ["stand"]

    seed = seed_where("super21", "table", [{"main": 500}], prefers("stand"), happens)
    player = sit("super21", seed=seed)
    to_plain(player)
    type_(player, "deal")
    assert player.said == "Lay a bet to deal."
    type_(player, "bet 1000000")
    assert player.said.startswith("Main bet takes at most $")
    type_(player, "hit")
    assert player.said == "Hit is not offered now; bet and deal first."
    type_(player, "bet 5", "bet 7", "bet 5", "deal")
    assert player.meter("total-bet") == 500, "a bet is put there, not added"
    type_(player, "bet 5")
    assert player.said == "Bets are laid before the deal."
    log = player.page.locator("[data-plain-log] li").first
    expect(log).to_contain_text(re.compile(r"^You: .*Dealer: .*one card face down"))
    type_(player, "s")
    assert player.phase == "over"
    type_(player, "rebet", "history")
    expect(player.page.get_by_role("dialog", name="History")).to_be_visible()
    player.page.keyboard.press("Escape")
    player.page.reload()
    expect(player.page.locator("[data-plain]")).to_be_visible()
    player.button("The table as a picture").click()
    expect(player.page.locator("[data-spot]")).to_be_visible()
