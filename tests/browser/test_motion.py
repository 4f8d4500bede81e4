"""What moves, moves truly: nothing is told before it has happened, and a tap, instant speed or a
wish for little motion lets it be there at once (X-10, T-51)."""

from __future__ import annotations

from typing import Any, cast

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.player import Player
from tests.browser.scenes import hands_of, prefers, rows_of, seed_where, up_rank
from upcard.game import Round

LAID = [{"main": 500}] * 3
WATCH = """
window.frames = [];
const watch = () => {
  const flying = (it) => it.getAnimations({ subtree: true }).length > 0;
  const hands = [...document.querySelectorAll("[data-hand]")].map((hand) => ({
    flying: [...hand.querySelectorAll("[data-card]")].map((it) => flying(it.parentElement)),
    total: hand.querySelector("[data-total]")?.textContent.trim() ?? "",
  }));
  const moving = document.querySelector("[data-phase=moving]") !== null;
  window.frames.push({ moving, hands });
  requestAnimationFrame(watch);
};
addEventListener("DOMContentLoaded", watch);
const animate = Element.prototype.animate;
window.animated = [];
Element.prototype.animate = function (frames, options) {
  window.animated.push(...Object.keys(frames).filter((name) => name !== "offset"));
  return animate.call(this, frames, options);
};
const later = window.setTimeout;
window.timers = 0;
window.setTimeout = (done, milliseconds) => {
  // A request that is not answered is given up after longer than this.
  if (milliseconds < 5000) window.timers += 1;
  return later(done, milliseconds);
};
"""
DRAWN = """(name) => {
  const place = document.querySelector(`[data-place="${name}"]`);
  const chips = [...place.querySelectorAll("[data-chip]")];
  const isAloft = (it) => it.closest("[data-flight]") !== null;
  const values = (all) => all.map((it) => it.dataset.chip);
  const stack = chips.filter((it) => !isAloft(it));
  return [Number(place.dataset.cents), values(chips.filter(isAloft)), values(stack)];
}"""
CLICK_THE_CHIP = """document.querySelector('[role=radio][aria-checked=true]').click()"""
MOVING_NOW = """() => document.getAnimations().filter(
  (it) => it.effect.getComputedTiming().endTime !== Infinity && it.playState === "running"
).length"""


def wins(round_: Round) -> bool:
    hands = [hand for spot in (1, 2, 3) for hand in hands_of(round_, spot)]
    long = all(len(hand) == 2 for hand in hands)
    return rows_of(round_, "main") == ["win"] * 3 and up_rank(round_) != "A" and long


def seated(sit: Sit, **settings: Any) -> Player:
    seed = seed_where("top3", "low", LAID, prefers("stand"), wins)
    player = sit("top3", level="low", seed=seed, script=WATCH, **settings)
    player.lay("5.00", *(f"Main bet on spot {spot}" for spot in (1, 2, 3)))
    return player


def frames(player: Player) -> list[dict[str, Any]]:
    return cast(list[dict[str, Any]], player.page.evaluate("() => window.frames.splice(0)"))


def test_a_total_is_shown_when_its_card_lies(sit: Sit) -> None:
    """In every frame of a deal at normal speed: a hand with a card in the air shows the total of
    the cards that lie, or none. Only transform and opacity are animated."""
    player = seated(sit, speed="normal")
    frames(player)
    player.deal()
    seen = frames(player)
    aloft = 0
    finals = [hand["total"] for hand in seen[-1]["hands"]]
    for frame in seen:
        for hand, final in zip(frame["hands"], finals, strict=False):
            if any(hand["flying"]):
                aloft += 1
                still = len(hand["flying"]) - sum(hand["flying"])
                assert still > 0 or hand["total"] == "", hand
                assert len(hand["flying"]) < 2 or hand["total"] != final, hand
    assert aloft > 10, "cards were seen in the air"
    player.finish()
    assert set(player.page.evaluate("() => window.animated")) == {"transform", "opacity"}


def test_a_tap_lets_the_cards_lie(sit: Sit) -> None:
    """X-10: one click on the felt in the middle of the deal ends it, and nothing moves on."""
    player = seated(sit, speed="normal")
    player.button("Deal").click()
    expect(player.page.locator("[data-spot] [data-card]").first).to_be_visible()
    assert player.phase == "moving"
    # Every card of three spots takes longer than this.
    player.page.locator(".stage").click(position={"x": 700, "y": 330}, force=True)
    seen = player.page.evaluate("() => document.querySelectorAll('[data-card]').length")
    assert seen == 8
    assert player.phase == "choosing"
    assert player.page.evaluate(MOVING_NOW) == 0


@pytest.mark.parametrize("settings", [{"speed": "instant"}, {"reduced_motion": True}], ids=str)
def test_nothing_moves_at_instant_speed_or_where_motion_is_unwanted(
    settings: dict[str, Any], sit: Sit
) -> None:
    """T-51: every card in place within one frame, no timers. X-10: prefers-reduced-motion."""
    player = seated(sit, **{"speed": "normal", **settings})
    player.page.wait_for_function("() => document.fonts.status === 'loaded'")
    frames(player)
    player.page.evaluate("() => { window.timers = 0; window.animated = []; }")
    player.deal()
    counts = {
        len([it for hand in frame["hands"] for it in hand["flying"]]) for frame in frames(player)
    }
    assert counts <= {0, 6}, "no frame between an empty table and all cards"
    player.finish()
    assert not any(any(hand["flying"]) for frame in frames(player) for hand in frame["hands"])
    assert player.page.evaluate("() => [window.timers, window.animated]") == [0, []]
    assert player.page.evaluate(MOVING_NOW) == 0


def test_chips_fly_and_a_win_comes_from_the_dealer(sit: Sit) -> None:
    """Chips on their way are no part of the stack yet; a win lies beside the stake: 5 and 5."""
    player = seated(sit, speed="normal")
    flights = player.page.locator("[data-flight]")
    expect(flights).to_have_count(0)
    drawn = player.page.evaluate(
        f"async (name) => {{ {CLICK_THE_CHIP}; await null; await null; return ({DRAWN})(name); }}",
        "Main bet on spot 3",
    )
    assert drawn == [1000, ["500"], ["500"]], "staked, in the air, in the stack"
    expect(flights).to_have_count(0)
    assert player.page.evaluate(DRAWN, "Main bet on spot 3") == [1000, [], ["500", "500"]]
    player.button("Undo").click()
    player.deal()
    for _ in range(3):
        player.choose("stand")
    expect(flights).to_have_count(0)
    for spot in (1, 2, 3):
        assert player.note(f"Main bet on spot {spot}") == "+$5"
        _, _, stack = player.page.evaluate(DRAWN, f"Main bet on spot {spot}")
        assert stack == ["500"]
        won = player.page.locator(f'[data-spot="{spot}"] [data-won] [data-chip]')
        assert [chip.get_attribute("data-chip") for chip in won.all()] == ["500"]
