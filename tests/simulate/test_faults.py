"""Faults planted in a copy of the simulator's tables and kernel are found by its own suite."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.simulate.conformance import Seen, Spoil, compare, random_block
from upcard.maths.tables import DOUBLE, HIT, STAND
from upcard.simulate.experiment import Deal

# Tables

ROUNDS = 400


def field(name: str, *place: Any, plus: int = 0, to: int | None = None) -> Spoil:
    """One place of a table holds something else."""

    def spoil(deal: Deal) -> None:
        room: Any = deal.game[name]
        if not place:
            deal.game[name] = room + plus if to is None else to
            return
        room[place] = room[place] + plus if to is None else to

    return spoil


def swapped(deal: Deal) -> None:
    """A hand of 12 and more by one ten is one of 13 and more."""
    deal.game.after[:, 9], deal.game.after[:, 8] = (
        deal.game.after[:, 8].copy(),
        deal.game.after[:, 9].copy(),
    )


def never(choice: int, instead: int) -> Spoil:
    def spoil(deal: Deal) -> None:
        chosen = deal.game.choice
        chosen[chosen == choice] = instead

    return spoil


def offered(choice: int) -> Spoil:
    def spoil(deal: Deal) -> None:
        deal.game.options[:, 0] &= ~(1 << choice) & 0xFF

    return spoil


def side(deal: Deal) -> None:
    deal.sides.net[0, 0] += 1


SPOILT: dict[str, Spoil] = {
    "a payment": field("pay", slice(None), plus=1),
    "a stake lost for ever": field("bust", 1, to=0),
    "a transition: nines are tens": swapped,
    "a transition of the dealer": field("dealer_step", slice(200, 300), to=0),
    "a state": field("step", slice(400, 1200), to=0),
    "a first state": field("start", slice(None), to=0),
    "an action: nobody doubles": never(DOUBLE, HIT),
    "an action: nobody hits": never(HIT, STAND),
    "an action that is not offered": offered(DOUBLE),
    "splits without end": field("hands_max", slice(None), to=7),
    "no peek": field("peeks", to=0),
    "no card waited for": field("waits", slice(None), to=0),
    "a side bet": side,
}


@pytest.mark.parametrize("name", SPOILT)
def test_a_fault_in_the_tables_is_found(name: str) -> None:
    block = random_block("ags", 1, ROUNDS)
    compare(block, Seen())
    with pytest.raises((AssertionError, IndexError)):
        compare(block, Seen(), SPOILT[name])


# The kernel

ROOT = Path(__file__).resolve().parents[2]
CONFORMANCE = "tests/simulate/test_conformance.py"
CARDS = "tests/simulate/test_cards.py"
SOAK = bool(os.environ.get("UPCARD_SOAK"))
DRAWS: dict[str, tuple[str, str, str]] = {
    "cards come twice": (
        "good += np.int64(bad[np.uint64(column)] == 0)",
        "good += 1",
        "every_card and 1-1",
    ),
    "small remainders are kept": (
        "bad[column] |= np.uint16(_low(word, size) < bound)",
        "bad[column] |= np.uint16(0)",
        "all_sixteen",
    ),
    "half the bits": (
        "word = quarters[start + column]",
        "word = quarters[start + column] & np.uint16(0xFF00)",
        "every_card and 1-1",
    ),
    "another generator": (
        "word = builder.add(turned(builder.add(first, fourth), 23), first)",
        "word = builder.add(turned(builder.add(first, fourth), 24), first)",
        "published",
    ),
}
PLAYS: dict[str, tuple[str, str, str]] = {
    "the left half of a split gets its card first": (
        "    for half in range(2):",
        "    for half in range(1, -1, -1):",
        "ags",
    ),
    "who may be rescued is not": (
        "rescued = mask != STAND_ALONE and game.rescue[origin, number, up] != 0",
        "rescued = mask == STAND_ALONE and game.rescue[origin, number, up] != 0",
        "super21",
    ),
    "a dealer's natural spares naturals": (
        "room.ends[deal, spot, 0] = waits if waits >= 0 else game.lost >> np.int64(4)",
        "room.ends[deal, spot, 0] = game.lost >> np.int64(4)",
        "ags",
    ),
}
ALL = {name: (*fault, CARDS) for name, fault in DRAWS.items()} | {
    name: (*fault, CONFORMANCE) for name, fault in PLAYS.items()
}
FAULTS = ALL if SOAK else {name: ALL[name] for name in ("cards come twice",)}
"""Each is compiled anew, which takes long: all of them in the long form alone."""


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_the_kernel_is_found(name: str, tmp_path: Path) -> None:
    old, new, chosen, tests = FAULTS[name]
    source = tmp_path / "src"
    left_out = shutil.ignore_patterns("__pycache__", "static", "terminal")
    shutil.copytree(ROOT / "src", source, ignore=left_out)
    planted = source / "upcard/simulate/kernel.py"
    text = planted.read_text("utf-8")
    assert text.count(old) == 1, f"no single {old!r}"
    planted.write_text(text.replace(old, new), "utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    outcome = subprocess.run(
        [*command, "-p", "no:xdist", tests, "-k", chosen],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert outcome.returncode == 1, outcome.stdout[-3000:]
    assert "AssertionError" in outcome.stdout, outcome.stdout[-3000:]
