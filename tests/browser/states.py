"""The states that a table can be looked at in: each game is led through its own, one by one.

A walk is a generator that names each state as the table stands in it. The shuffles of its
rounds are found beforehand, the next always under the next nonce, so that a walk ends as it always
ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from playwright.sync_api import expect

from tests.browser.player import Player
from tests.browser.scenes import (
    Laid,
    Policy,
    chosen,
    hands_of,
    prefers,
    rows_of,
    seed_where,
    up_rank,
)
from upcard.game import Round

Walk = Callable[[Player], Iterator[str]]
STANDS = prefers("stand")


@dataclass(frozen=True, slots=True)
class Planned:
    """A round that a walk plays: what lies, how it is played, and what must happen."""

    laid: Laid
    policy: Policy
    happens: Callable[[Round], bool]


@dataclass(frozen=True, slots=True)
class Tour:
    level: str
    rounds: tuple[Planned, ...]
    walk: Walk


@cache
def seeds_of(game: str) -> list[bytes]:
    tour = TOURS[game]
    return [
        seed_where(game, tour.level, it.laid, it.policy, it.happens, nonce=nonce)
        for nonce, it in enumerate(tour.rounds, 1)
    ]


def mains(*spots: int) -> list[str]:
    return [f"Main bet on spot {spot}" for spot in spots]


def states(round_: Round) -> list[str]:
    return [hand.state for spot in round_.table.spots for hand in spot.hands]


# Top 3 / 21+3 Progressive

EVERYTHING = [{"main": 2500, "classic": 500, "top3": 500, "progressive": 500}] * 3
SIDES = ("21+3 Classic", "Top 3", "21+3 Progressive")


def insured_and_lost(round_: Round) -> bool:
    rows = rows_of(round_, "main")
    return up_rank(round_) == "A" and rows == ["lose"] * 3 and chosen(round_).count("stand") == 3


def pair_with_side_win(round_: Round) -> bool:
    """Three of a kind with the dealer's card, and the pair of it is split."""
    is_three = rows_of(round_, "classic") == ["three_of_a_kind"]
    return is_three and len(hands_of(round_)) == 2 and up_rank(round_) in "23456"


def natural_win_push(round_: Round) -> bool:
    return states(round_) == ["natural", "won", "push"] and up_rank(round_) != "A"


def top3(player: Player) -> Iterator[str]:
    yield "betting"
    player.lay("25.00", *mains(1, 2, 3))
    player.lay("5.00", *(f"{bet} on spot {spot}" for spot in (1, 2, 3) for bet in SIDES))
    yield "chips"
    player.deal()
    expect(player.page.get_by_role("group", name="Insurance")).to_be_visible()
    yield "insurance"
    player.choose(*["no_insurance"] * 3)
    yield "play"
    player.finish()
    yield "loss"
    player.lay("25.00", *mains(1))
    player.lay("5.00", *(f"{bet} on spot 1" for bet in SIDES[::2]))
    player.deal()
    player.choose("split")
    yield "split-side-win"
    player.finish()
    player.lay("25.00", *mains(1, 2, 3))
    player.deal()
    player.finish()
    yield "win-push-blackjack"
    yield from dialogs(player)


def is_open(player: Player) -> None:
    expect(player.page.locator("dialog[open] .body")).to_be_visible()


def dialogs(player: Player) -> Iterator[str]:
    """What opens over a table, and the table as text."""
    page = player.page
    for name, button in {
        "table": "This table",
        "settings": "Settings",
        "rules": "Rules and pay tables",
        "menu": "Menu",
    }.items():
        page.get_by_role("button", name=button).click()
        is_open(player)
        if name == "rules":
            expect(page.locator("[data-rules] table").first).to_be_visible()
        yield name
        page.keyboard.press("Escape")
    for name in ("Coach", "Preferences", "Your play", "Account"):
        player.button("Menu").click()
        menu = page.get_by_role("dialog", name="Menu")
        menu.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("dialog", name=name)).to_be_visible()
        yield name.lower().replace(" ", "-")
        page.keyboard.press("Escape")
    page.keyboard.press("?")
    is_open(player)
    yield "keys"
    page.keyboard.press("Escape")
    player.tool("Chip info").click()
    is_open(player)
    yield "chip-info"
    page.keyboard.press("Escape")
    player.press("Max all bets")
    expect(page.get_by_role("dialog", name="Are you sure?")).to_be_visible()
    yield "question"
    page.keyboard.press("Escape")
    player.button("History").click()
    page.locator("[data-round] > button").first.click()
    player.button("Check this round").click()
    expect(page.locator("[data-verdict]")).to_be_visible()
    page.locator("[data-round] time").evaluate_all(
        "times => times.forEach(time => time.textContent = 'Jan 15, 2027, 8:00 AM')"
    )
    yield "history"
    page.keyboard.press("Escape")
    player.button("The table as plain text").dispatch_event("click")
    expect(page.locator("[data-plain]")).to_be_visible()
    yield "plain"
    page.goto(player.place.url)
    expect(page.locator("[data-game]")).to_have_count(4)
    yield "lobby"


# 3 Card Blackjack

ANTE = [{"ante": 2500, "ace_plus": 500}]


def raised(*rows: str, side: bool) -> Callable[[Round], bool]:
    def happens(round_: Round) -> bool:
        is_side = rows_of(round_, "ace_plus") != ["lose"]
        return (*rows_of(round_, "ante"), *rows_of(round_, "raise")) == rows and is_side == side

    return happens


def threecard(player: Player) -> Iterator[str]:
    yield "betting"
    player.lay("25.00", "Ante")
    player.lay("5.00", "Ace Plus Bonus")
    yield "chips"
    player.deal()
    yield "play"
    player.choose("raise")
    yield "win"
    # The bets lie again, ready for DEAL (C-13).
    player.deal()
    player.choose("raise")
    yield "loss"
    player.deal()
    player.choose("raise")
    yield "push"


# Super 21

HUNDRED = [{"main": 10_000}]


def six_cards(round_: Round) -> bool:
    return len(hands_of(round_)[0]) == 6 and rows_of(round_, "main") == ["auto_win"]


def three_hands(round_: Round) -> bool:
    return len(hands_of(round_)) == 3 and up_rank(round_) != "A" and "natural" not in states(round_)


def rescue_asked(round_: Round) -> bool:
    return rows_of(round_, "main") == ["rescue"] and up_rank(round_) != "A"


def bust(round_: Round) -> bool:
    return rows_of(round_, "main") == ["lose"] and states(round_) == ["bust"]


def super21(player: Player) -> Iterator[str]:
    yield "betting"
    player.lay("100.00", "Main bet")
    yield "chips"
    player.deal()
    while "hit" in player.offered():
        player.choose("hit")
    yield "six-cards-win"
    player.press("Rebet")
    player.deal()
    while "split" in player.offered():
        player.choose("split")
    yield "split"
    player.finish()
    player.press("Rebet")
    player.deal()
    yield "play"
    player.choose("double")
    yield "rescue"
    player.choose("rescue")
    player.press("Rebet")
    player.deal()
    while "hit" in player.offered():
        player.choose("hit")
    yield "loss"


# AGS Blackjack

PLACED = [{"main": 10_000, "trifecta": 500, "match_super": 500}] * 3


def even_money_asked(round_: Round) -> bool:
    return up_rank(round_) == "A" and chosen(round_)[:1] == ["even_money"]


def two_side_wins(round_: Round) -> bool:
    sides = [*rows_of(round_, "trifecta"), *rows_of(round_, "match_super")]
    won = sum(row != "lose" for row in sides)
    return won >= 2 and rows_of(round_, "main") == ["win"] * 3 and up_rank(round_) != "A"


def ags(player: Player) -> Iterator[str]:
    yield "betting"
    player.lay("100.00", *mains(1, 2, 3))
    player.lay("5.00")
    player.button("Place").click()
    yield "chips"
    player.deal()
    yield "even-money"
    player.choose("even_money")
    player.finish()
    player.press("Rebet")
    player.deal()
    yield "play-side-wins"
    player.finish()
    yield "win"
    # Which side bets are open is chosen here.
    player.page.get_by_role("button", name="This table").click()
    is_open(player)
    yield "table"


TOURS = {
    "top3": Tour(
        "low",
        (
            Planned(EVERYTHING, STANDS, insured_and_lost),
            Planned(
                [{"main": 2500, "classic": 500, "progressive": 500}],
                prefers("split"),
                pair_with_side_win,
            ),
            Planned([{"main": 2500}] * 3, STANDS, natural_win_push),
        ),
        top3,
    ),
    "threecard": Tour(
        "table",
        (
            Planned(ANTE, prefers("raise"), raised("win", "win", side=True)),
            Planned(ANTE, prefers("raise"), raised("lose", "lose", side=False)),
            Planned(ANTE, prefers("raise"), raised("push", "push", side=False)),
        ),
        threecard,
    ),
    "super21": Tour(
        "table",
        (
            Planned(HUNDRED, prefers("hit"), six_cards),
            Planned(HUNDRED, prefers("split"), three_hands),
            Planned(HUNDRED, prefers("rescue", "double"), rescue_asked),
            Planned(HUNDRED, prefers("hit"), bust),
        ),
        super21,
    ),
    "ags": Tour(
        "table",
        (
            Planned(PLACED, prefers("even_money"), even_money_asked),
            Planned(PLACED, STANDS, two_side_wins),
        ),
        ags,
    ),
}
