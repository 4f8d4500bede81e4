"""Every state of every game at both sizes: it looks as it did, and axe finds nothing (X-13).

`python -m tests.browser.pictures looks` takes the pictures anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from tests.browser import likeness
from tests.browser.axe import looked_at
from tests.browser.conftest import SIZES, Place, Sit
from tests.browser.states import TOURS, seeds_of

both_sizes = pytest.mark.parametrize("size", SIZES)


@both_sizes
@pytest.mark.parametrize("game", TOURS)
def test_every_state_looks_as_it_did_and_is_open_to_everybody(
    game: str,
    size: str,
    sit: Sit,
    own_house: Place,
    tmp_path: Path,
) -> None:
    """X-13, X-14"""
    tour = TOURS[game]
    player = sit(
        game,
        level=tour.level,
        size=size,
        place=own_house,
        seed=seeds_of(game),
        play={"confirmMax": True},
    )
    found: list[str] = []
    for state in tour.walk(player):
        name = f"{game}-{state}-{size}"
        complaint = likeness.complaint(likeness.picture_of(player.page), name, tmp_path)
        found += [complaint] if complaint else []
        found += [f"{name}: {it}" for it in looked_at(player)]
    assert found == []


@pytest.mark.parametrize(("share", "is_found"), [(0.004, False), (0.006, True)])
def test_a_picture_may_differ_in_half_a_percent_of_its_pixels(
    share: float, is_found: bool, tmp_path: Path
) -> None:
    """Whatever differs by more is found, and shown in two pictures."""
    name = "top3-betting-phone"
    with Image.open(likeness.FOLDER / f"{name}.png") as kept:
        picture = kept.convert("RGB")
    width, height = picture.size
    rows = round(share * height)
    ImageDraw.Draw(picture).rectangle((0, 0, width, rows - 1), fill="white")
    complaint = likeness.complaint(picture, name, tmp_path)
    assert (complaint is not None) == is_found
    assert sorted(it.name for it in tmp_path.iterdir()) == (
        [f"{name}.difference.png", f"{name}.png"] if is_found else []
    )
    assert all(str(it) in (complaint or "") for it in tmp_path.iterdir())
