"""Random rounds by clicking: after every step the screen shows what the house says (X-20, G-11).

The totals are added up here from the house's events, as G-11 says: what winning bets paid.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from tests.browser.conftest import SIZES, Sit
from tests.browser.player import Player

ROUNDS = 200 if os.environ.get("UPCARD_SOAK") else 20
UNITS = {"top3": ("5.00", "1.00"), "threecard": ("5.00", "5.00")}
LEVELS = {"top3": "low"}


@pytest.mark.parametrize("game", ["top3", "threecard", "super21", "ags"])
def test_the_screen_is_what_the_house_says(game: str, sit: Sit) -> None:
    rng = random.Random(f"{game} by clicking")
    player = sit(game, level=LEVELS.get(game), size=rng.choice(list(SIZES)))
    seen: set[str] = set()
    for _ in range(ROUNDS):
        lay_something(player, game, rng)
        before = player.balance()
        player.deal()
        compare(player, before)
        while offered := player.offered():
            name = rng.choice(offered)
            seen.add(name)
            player.choose(name)
            compare(player, before)
    assert len(seen) > 1


def lay_something(player: Player, game: str, rng: random.Random) -> None:
    player.button("Clear all").click(force=True)
    main, side = UNITS.get(game, ("25.00", "1.00"))
    places = player.page.locator("button[data-place]")
    names = [str(it.get_attribute("data-place")) for it in places.all()]
    mains = [name for name in names if name.startswith(("Main bet", "Ante"))]
    for name in rng.sample(mains, rng.randint(1, len(mains))):
        player.lay(main, name)
    for name in names:
        is_side = name not in mains
        is_open = player.circle(name).get_attribute("aria-disabled") == "false"
        if is_side and is_open and rng.random() < 0.5:
            player.lay(side, name)


def compare(player: Player, before: int) -> None:
    told = player.round()
    compare_table(player, told["table"])
    compare_money(player, told, before)
    offered = {it["choice"] for it in told["choices"] if it["enabled"]}
    assert set(player.offered()) == offered
    is_open = told["status"] == "open"
    assert player.phase == ("choosing" if is_open else "over")
    if is_open:
        acting = player.page.locator("[data-spot].acting")
        assert acting.get_attribute("data-spot") == str(told["choices"][0]["spot"])


def compare_table(player: Player, table: dict[str, Any]) -> None:
    assert player.cards(player.dealer) == table["dealer"]["cards"]
    assert (
        total_shown(player.dealer.locator("[data-total]").inner_text()) == table["dealer"]["total"]
    )
    for spot in table["spots"]:
        drawn = player.hands(spot["spot"]).all()[::-1]
        assert len(drawn) == len(spot["hands"])
        for hand, said in zip(drawn, spot["hands"], strict=True):
            assert player.cards(hand) == said["cards"]
            assert total_shown(hand.locator("[data-total]").inner_text()) == said["total"]


def total_shown(text: str) -> int:
    """`soft 7/17` and `17` are 17; a bust says so beside it."""
    return int(text.upper().replace("SOFT", "").replace("BUST", "").split("/")[-1])


def compare_money(player: Player, told: dict[str, Any], before: int) -> None:
    events = told["events"]
    staked = sum(it["cents"] for it in events if it["type"] in ("bet", "stake"))
    pays = [it for it in events if it["type"] == "pay"]
    won = sum(it["paid"] for it in pays if it["paid"] > it["stake"])
    assert player.meter("total-bet") == staked
    assert player.meter("total-win") == won
    # C-13: where the last bets lie again, the balance shown is less these chips (G-08).
    again = sum(player.lies(str(it.get_attribute("data-place"))) for it in repeated(player, told))
    assert player.meter("balance") == told["balance"] - again
    if told["status"] == "settled":
        assert told["balance"] == before - staked + sum(it["paid"] for it in pays)
        assert player.balance() == told["balance"]


def repeated(player: Player, told: dict[str, Any]) -> list[Any]:
    is_over = told["status"] == "settled"
    return (
        player.page.locator("button[data-place]").all()
        if is_over and told["game"] == "threecard"
        else []
    )
