"""Nothing lies over anything else (X-11), targets are large enough (X-12), boxes compared."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pytest

from tests.browser.conftest import Sit
from tests.browser.player import Player
from tests.browser.scenes import Policy, prefers, seed_where
from upcard.game import Round
from upcard.table import ChoiceName

SIZES = [
    (360, 640),
    (390, 844),
    (844, 390),
    (768, 1024),
    (1024, 768),
    (1440, 900),
    (1920, 1080),
    (720, 450),
]
"""The last is a window of 1440 by 900 at 200 % zoom."""
Box = tuple[str, float, float, float, float]
"""Name, left, top, right and bottom."""

THREE = [{"main": 500, "classic": 100, "top3": 100, "progressive": 500}] * 3
"""Every place of three spots."""


def six_cards_and_a_split(round_: Round) -> bool:
    hands = [[len(hand.cards) for hand in spot.hands] for spot in round_.table.spots]
    split = [sizes for sizes in hands if len(sizes) > 1]
    return any(max(sizes) >= 6 for sizes in split) and max(map(max, hands)) >= 6


def hits_on() -> Policy:
    """Split what may be split, and hit everything as long as it lives."""
    prefer = prefers("split", "hit")

    def policy(round_: Round) -> ChoiceName:
        return prefer(round_)

    return policy


@pytest.fixture(scope="module")
def crowded() -> bytes:
    return seed_where("top3", "low", THREE, hits_on(), six_cards_and_a_split)


@pytest.fixture(scope="module")
def three_hands() -> bytes:
    """S-11: three hands of one spot, one of them with six cards or more - or busted on the way."""

    def happens(round_: Round) -> bool:
        sizes = [len(hand.cards) for hand in round_.table.spots[0].hands]
        return len(sizes) == 3 and max(sizes) >= 5

    return seed_where("super21", "table", [{"main": 500}], hits_on(), happens)


def test_three_spots_with_a_split_and_six_cards(crowded: bytes, sit: Sit) -> None:
    player = sit("top3", level="low", size=SIZES[0], seed=crowded)
    assert apart(player) == []
    mains = [f"Main bet on spot {spot}" for spot in (1, 2, 3)]
    player.lay("5.00", *mains)
    player.lay("1.00", *(f"21+3 Classic on spot {spot}" for spot in (1, 2, 3)))
    player.lay("1.00", *(f"Top 3 on spot {spot}" for spot in (1, 2, 3)))
    player.lay("1.00", *(f"21+3 Progressive on spot {spot}" for spot in (1, 2, 3)))
    assert apart(player) == [], "with chips on every place"
    player.deal()
    assert apart(player) == [], "dealt"
    play_on(player)
    sizes = [len(player.cards(hand)) for hand in player.page.locator("[data-hand]").all()]
    assert len(sizes) > 3
    assert max(sizes) >= 6


def test_three_hands_of_one_spot(three_hands: bytes, sit: Sit) -> None:
    """S21-08, S21-09"""
    player = sit("super21", size=SIZES[0], seed=three_hands)
    player.lay("5.00", "Main bet")
    player.deal()
    play_on(player)
    assert player.hands().count() == 3


@pytest.mark.parametrize("game", ["threecard", "ags"])
def test_other_tables(game: str, sit: Sit) -> None:
    player = sit(game, size=SIZES[0])
    assert apart(player) == []
    places = player.page.locator("button[data-place]").all()
    names = [str(it.get_attribute("data-place")) for it in places]
    # What other bets need lies first.
    player.lay("5.00", *sorted(names, key=lambda name: not name.startswith(("Ante", "Main bet"))))
    player.deal()
    assert apart(player) == []
    while offered := player.offered():
        player.choose(offered[-1])
        assert apart(player) == [], offered


def play_on(player: Player) -> None:
    """At every other size after one step, at those between after the next; at all at the end."""
    for step in range(60):
        offered = player.offered()
        if not offered:
            break
        wanted = ("no_insurance", "split", "hit", "stand")
        player.choose(next(name for name in wanted if name in offered))
        assert apart(player, SIZES[step % 2 :: 2]) == []
    assert player.phase == "over"
    assert apart(player) == []


THINGS = (
    "header, footer .say, .jackpot, .meters, .controls button, .controls p, "
    "[data-dealer] .cards, [data-dealer] .label, [data-hand] .cards, [data-hand] .total, "
    "[data-hand] .tag, [data-place], .logo > :not(.sr)"
)
BUTTONS = "button:not(.skip)"
"""The way to the plain table shows itself to the keyboard alone."""
CHOICES = "button[data-choice]"
BOXES = """async (lists) => {
  // A change of the window is answered by the next frame.
  const frame = () => new Promise(done => requestAnimationFrame(done));
  await frame();
  await frame();
  return lists.map(things => [...document.querySelectorAll(things)].flatMap(it => {
    if (!it.checkVisibility({visibilityProperty: true, opacityProperty: true})) return [];
    const {left, top, right, bottom} = it.getBoundingClientRect();
    const name = it.dataset.place ?? it.dataset.choice ?? it.ariaLabel ?? it.getAttribute("class");
    return [[`${name} (${it.tagName.toLowerCase()})`, left, top, right, bottom]];
  }));
}"""


UNFRAMED = """() => [...document.querySelectorAll("[data-spot].acting")].flatMap(seat => {
  const frame = parseFloat(getComputedStyle(seat, "::before").width) / 2;
  const {left, right} = seat.getBoundingClientRect();
  const middle = (left + right) / 2;
  return [...seat.querySelectorAll("[data-hand] .cards")].filter(cards => {
    const box = cards.getBoundingClientRect();
    return box.left < middle - frame - 1 || box.right > middle + frame + 1;
  }).map(() => "a hand beyond the frame of its spot");
})"""
"""T3-04: the frame of the spot that is to act goes round all its hands."""


def apart(player: Player, sizes: Sequence[tuple[int, int]] = SIZES) -> list[str]:
    """What is wrong with the table as it stands, at each size the window may have."""
    found: list[str] = []
    for width, height in sizes:
        player.page.set_viewport_size({"width": width, "height": height})
        found += [f"{width} x {height}: {it}" for it in flaws(player, width, height)]
    return found


def flaws(player: Player, width: int, height: int) -> list[str]:
    """Pairs of things that lie over one another, things outside the window, targets too small."""
    boxes, buttons, choices = seen(player)
    found = [
        f"{name} outside: {box}"
        for name, *box in boxes
        if min(box) < -1 or box[2] > width + 1 or box[3] > height + 1
    ]
    found += [
        f"{one[0]} over {other[0]}" for one, other in combinations(boxes, 2) if overlap(one, other)
    ]
    found += player.page.evaluate(UNFRAMED)
    return found + small(buttons, 24) + small(choices, 44)


def seen(player: Player) -> list[list[Box]]:
    boxes: list[list[Box]] = player.page.evaluate(BOXES, [THINGS, BUTTONS, CHOICES])
    return boxes


def small(boxes: list[Box], pixels: float) -> list[str]:
    """X-12: the targets that are less than so many pixels each way."""
    return [
        f"small: {name} {right - left:.0f} x {bottom - top:.0f}"
        for name, left, top, right, bottom in boxes
        if min(right - left, bottom - top) < pixels - 0.5
    ]


def overlap(one: Box, other: Box) -> bool:
    """By more than a pixel each way."""
    across = min(one[3], other[3]) - max(one[1], other[1])
    down = min(one[4], other[4]) - max(one[2], other[2])
    return across > 1 and down > 1
