"""Lost connections, reloads, restarts, two tabs: the same table comes back (G-12, X-08)."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Route, expect

from tests.browser.conftest import Place, Sit
from tests.browser.player import Player
from tests.browser.scenes import prefers, seed_where
from upcard.game import Round

START = 10_000_000
OFFLINE = ("Failed to load resource", "net::ERR", "ERR_CONNECTION", "ERR_INCOMPLETE")


def can_hit(round_: Round) -> bool:
    """A round in which the player has a hand to play, and no insurance is asked."""
    return len(round_.given) > 5 and round_.table.dealer.cards[0][0] != "A"


def seated(sit: Sit, **more: Any) -> Player:
    seed = seed_where("top3", "low", [{"main": 1000}], prefers("stand"), can_hit)
    player = sit("top3", level="low", seed=seed, **more)
    player.allowed_complaints = OFFLINE
    player.lay("5.00", "Main bet on spot 1", times=2)
    return player


def shown(player: Player) -> tuple[object, ...]:
    meters = [player.meter(name) for name in ("balance", "total-bet", "total-win")]
    return player.cards(player.dealer), player.cards(player.hands()), meters, player.offered()


def test_a_reload_in_mid_round_restores_the_same_table(sit: Sit) -> None:
    player = seated(sit)
    player.deal()
    before = shown(player)
    player.page.reload()
    expect(player.hands()).to_have_count(1)
    player.rests()
    assert shown(player) == before
    player.finish()
    assert player.meter("balance") == player.balance()


def test_a_reload_takes_back_chips_that_were_no_stake_yet(sit: Sit) -> None:
    """G-08"""
    player = seated(sit)
    player.page.reload()
    expect(player.circle("Main bet on spot 1")).to_be_visible()
    assert player.lies("Main bet on spot 1") == 0
    assert player.meter("balance") == START == player.balance()


def test_until_the_house_answers_a_deal_the_chips_lie_as_they_were_laid(sit: Sit) -> None:
    """T-36, G-08: DEAL shows at once that it was pressed; nothing on the table takes a press."""
    player = seated(sit)
    held: list[Route] = []
    player.page.route("**/api/rounds", lambda route: held.append(route))
    player.button("Deal").click()
    for closed in ("Deal", "Undo", "Clear all"):
        expect(player.button(closed)).to_have_attribute("aria-disabled", "true")
    player.circle("Main bet on spot 1").click()
    expect(player.page.locator("[data-said]")).to_have_text("Bets are laid before the deal.")
    assert player.phase == "moving"
    assert player.lies("Main bet on spot 1") == 1000
    assert (player.meter("total-bet"), player.meter("balance")) == (1000, START - 1000)
    held[0].continue_()
    expect(player.choice("hit")).to_be_enabled()
    assert (player.meter("total-bet"), player.meter("balance")) == (1000, START - 1000)
    expect(player.page.locator("[data-said]")).to_contain_text("Your turn")


def test_a_bet_whose_answer_is_lost_is_made_once(sit: Sit) -> None:
    """The house has the bet, the page never heard: the same key brings the same answer."""
    player = seated(sit)
    keys: list[str] = []

    def lose_the_first(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) > 1:
            route.continue_()
            return
        route.fetch()
        route.abort()

    player.page.route("**/api/rounds", lose_the_first)
    player.button("Deal").click()
    expect(player.hands()).to_have_count(1)
    player.rests()
    assert len(keys) == 2
    assert len(set(keys)) == 1
    assert player.meter("balance") == START - 1000 == player.balance()
    assert len(player.ask("/api/rounds?limit=10")["rounds"]) == 1


def test_a_move_whose_answer_is_lost_is_made_once(sit: Sit) -> None:
    player = seated(sit)
    player.deal()
    lost: list[str] = []

    def lose_the_first(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.request.url)
        route.fetch()
        route.abort()

    player.page.route("**/moves", lose_the_first)
    player.choice("stand").click()
    expect(player.page.locator("[data-phase=over]")).to_be_visible()
    told = player.round()
    assert [it["choice"] for it in told["events"] if it["type"] == "choice"] == ["stand"]
    assert player.meter("balance") == player.balance()


def test_a_restart_of_the_house_in_mid_round(sit: Sit, own_house: Place) -> None:
    """The page waits calmly, goes on by itself, and the round is the same."""
    player = seated(sit, place=own_house)
    player.deal()
    before = shown(player)
    player.place.stop()
    player.choice("stand").click()
    expect(player.page.locator("[data-said]")).to_contain_text("does not answer")
    assert player.cards(player.hands()) == before[1]
    player.place.start()
    expect(player.page.locator("[data-phase=over]")).to_be_visible(timeout=20_000)
    expect(player.page.locator("[data-said]")).not_to_contain_text("does not answer")
    assert [it["choice"] for it in player.round()["events"] if it["type"] == "choice"] == ["stand"]
    assert player.meter("balance") == player.balance()


def test_a_round_that_goes_on_in_another_tab(sit: Sit) -> None:
    player = seated(sit)
    player.deal()
    tab = player.page.context.new_page()
    other = Player(tab, player.place)
    tab.goto(f"{player.place.url}/top3")
    expect(other.hands()).to_have_count(1)
    other.rests()
    assert shown(other) == shown(player)
    other.choose("stand")
    expect(player.page.locator("[data-phase=over]")).to_be_visible()
    assert player.tags() == other.tags()
    assert player.meter("balance") == other.meter("balance") == player.balance()


def test_a_choice_that_the_house_refuses_changes_nothing(sit: Sit) -> None:
    """A stale click - another client was quicker - shows the round as it stands."""
    player = seated(sit)
    player.deal()
    told = player.round()
    answer = player.page.request.post(
        f"{player.place.url}/api/rounds/{told['round']}/moves",
        data={"seq": told["seq"], "choice": "stand"},
        headers={"Origin": player.place.url},
    )
    assert answer.ok
    expect(player.page.locator("[data-phase=over]")).to_be_visible()
    assert player.meter("balance") == player.balance()
