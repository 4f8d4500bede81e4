"""Random rounds by clicking: after every step the screen shows what the house says (X-20, G-11).

The totals are added up here from the house's events, as G-11 says: what winning bets paid.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from tests.browser.conftest import Sit
from tests.browser.player import Player, Seen, cents

ROUNDS = 200 if os.environ.get("UPCARD_SOAK") else 20
UNITS = {"top3": ("5.00", "1.00"), "threecard": ("5.00", "5.00")}
LEVELS = {"top3": "low"}


@pytest.mark.parametrize("game", ["top3", "threecard", "super21", "ags"])
def test_the_screen_is_what_the_house_says(game: str, sit: Sit) -> None:
    rng = random.Random(f"{game} by clicking")
    # The smaller window is drawn sooner; what is read is the same in both.
    player = sit(game, level=LEVELS.get(game), size="phone")
    chosen: set[str] = set()
    for _ in range(ROUNDS):
        lay_something(player, game, rng)
        before = player.balance()
        player.deal()
        while offered := compare(player, before).offered:
            name = rng.choice(offered)
            chosen.add(name)
            player.choice(name).click()
            player.rests()
    assert len(chosen) > 1


def lay_something(player: Player, game: str, rng: random.Random) -> None:
    seen = player.sees()
    if player.button("Rebet").is_enabled() and rng.random() < 0.6:
        player.button("Rebet").click()
        return
    if player.button("Clear all").is_enabled():
        player.button("Clear all").click()
    main, side = UNITS.get(game, ("25.00", "1.00"))
    mains = [name for name in seen.laid if name.startswith(("Main bet", "Ante"))]
    player.lay(main, *rng.sample(mains, rng.randint(1, len(mains))))
    for name in player.sees().open:
        if name not in mains and rng.random() < 0.5:
            player.lay(side, name)


def compare(player: Player, before: int) -> Seen:
    told, seen = player.round(), player.sees()
    compare_table(seen, told["table"])
    compare_money(seen, told)
    assert {*seen.offered} == {it["choice"] for it in told["choices"] if it["enabled"]}
    if told["status"] == "open":
        assert (seen.phase, seen.acting) == ("choosing", str(told["choices"][0]["spot"]))
    else:
        pays = sum(it["paid"] for it in told["events"] if it["type"] == "pay")
        assert seen.phase == "over"
        assert told["balance"] == before - staked(told) + pays == player.balance()
    return seen


def compare_table(seen: Seen, table: dict[str, Any]) -> None:
    assert (seen.dealer[0], total_shown(seen.dealer[1])) == (
        table["dealer"]["cards"],
        table["dealer"]["total"],
    )
    for spot in table["spots"]:
        drawn = [(cards, total_shown(total)) for cards, total in seen.spots[str(spot["spot"])]]
        assert drawn == [(hand["cards"], hand["total"]) for hand in spot["hands"]]


def total_shown(text: str) -> int:
    """`soft 7/17` and `17` are 17; a bust says so beside it."""
    return int(text.upper().replace("SOFT", "").replace("BUST", "").split("/")[-1])


def staked(told: dict[str, Any]) -> int:
    return sum(it["cents"] for it in told["events"] if it["type"] in ("bet", "stake"))


def compare_money(seen: Seen, told: dict[str, Any]) -> None:
    pays = [it for it in told["events"] if it["type"] == "pay"]
    # C-13: where the last bets lie again, the balance shown is less these chips (G-08).
    is_laid_again = told["status"] == "settled" and told["game"] == "threecard"
    again = sum(seen.laid.values()) if is_laid_again else 0
    assert {name: cents(text) for name, text in seen.meters.items()} == {
        "balance": told["balance"] - again,
        "total-bet": staked(told),
        "total-win": sum(it["paid"] for it in pays if it["paid"] > it["stake"]),
    }
