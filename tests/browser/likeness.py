"""Pictures of the table beside those that were taken of it before, pixel by pixel."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image
from playwright.sync_api import Locator, Page

FOLDER = Path(__file__).parent / "looks"
COLOURS = 112
"""A picture is kept in so many colours; that is a fifth of its size."""
ALIKE_MAX = 32
"""How far a pixel may be off in red, green or blue, of 255: fewer colours are kept, and
another machine smooths the edges of letters otherwise."""
DIFFERENT_MAX = 0.005
"""The share of pixels that may be further off."""
SETTLED = """() => document.fonts.status === "loaded" && document.getAnimations().every(
  (it) => it.playState !== "running" || it.effect.getComputedTiming().endTime === Infinity
) && [...document.images].every((it) => it.complete)"""

Pixels = npt.NDArray[np.uint8]


def picture_of(page: Page) -> Image.Image:
    """What is to be seen, once nothing moves on it: a dialog alone, if one is open."""
    page.wait_for_function(SETTLED)
    dialog = page.locator("dialog[open]")
    seen: Page | Locator = dialog if dialog.count() else page
    taken = seen.screenshot(animations="disabled", caret="hide", scale="css")
    return Image.open(io.BytesIO(taken)).convert("RGB")


def keep(picture: Image.Image, name: str) -> Path:
    """Keep it as what the table looks like from now on."""
    FOLDER.mkdir(exist_ok=True)
    few = picture.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    assert not far_off(picture, few).any(), f"{name}: too few colours"
    path = FOLDER / f"{name}.png"
    few.save(path, optimize=True)
    return path


def far_off(one: Image.Image, other: Image.Image) -> npt.NDArray[np.bool_]:
    """Which pixels differ by more than may be."""
    first, second = (np.asarray(it.convert("RGB"), dtype=np.int16) for it in (one, other))
    off: npt.NDArray[np.bool_] = np.abs(first - second).max(axis=2) > ALIKE_MAX
    return off


def complaint(picture: Image.Image, name: str, folder: Path) -> str | None:
    """What is wrong if it is not as it was: where the new picture lies, and what differs in it."""
    path = FOLDER / f"{name}.png"
    if not path.is_file():
        return f"there is no {path}; python -m tests.browser.pictures looks takes it"
    with Image.open(path) as kept:
        if kept.size != picture.size:
            return f"{name} is {picture.size}, was {kept.size}"
        off = far_off(picture, kept)
    if off.mean() <= DIFFERENT_MAX:
        return None
    new, difference = folder / f"{name}.png", folder / f"{name}.difference.png"
    picture.save(new)
    marked = np.asarray(picture.convert("L").convert("RGB")).copy() // 3
    marked[off] = (255, 0, 80)
    Image.fromarray(marked).save(difference)
    return f"{100 * off.mean():.2f} % of {name} differ: {new} and {difference} beside {path}"
