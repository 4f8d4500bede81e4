"""Outlines that every card is put together from: the ranks, out of a font, and the four pips."""

from pathlib import Path
from typing import Final

from fontTools.pens.boundsPen import BoundsPen  # type: ignore[import-untyped]
from fontTools.pens.svgPathPen import SVGPathPen  # type: ignore[import-untyped]
from fontTools.pens.transformPen import TransformPen  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

FONT: Final = (
    Path(__file__).parents[1]
    / "node_modules/@fontsource/barlow-condensed/files/barlow-condensed-latin-700-normal.woff"
)
"""Barlow Condensed Bold (SIL Open Font License 1.1), which the client installs anyway."""

PIPS: Final = {
    "s": "M0-50C9-29 47-10 47 16A22 22 0 0 1 7 28C8 38 12 44 21 49H-21C-12 44-8 38-7 28"
    "A22 22 0 0 1-47 16C-47-10-9-29 0-50z",
    "h": "M0 49C-9 29-47 9-47-19A24.5 24.5 0 0 1 0-31 24.5 24.5 0 0 1 47-19C47 9 9 29 0 49z",
    "d": "M0-52C9-31 23-12 39 0 23 12 9 31 0 52-9 31-23 12-39 0-23-12-9-31 0-52z",
    "c": "M0-50A21.5 21.5 0 0 1 15.5-13 22.5 22.5 0 1 1 7 23.500C8 36 12 43 21 49H-21"
    "C-12 43-8 36-7 23.500A22.5 22.5 0 1 1-15.5-13 21.5 21.5 0 0 1 0-50z",
}
"""Suits in a box of 100 by 108 around the origin."""


def number(value: float) -> str:
    """A coordinate, as short as one decimal can be written."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


class Lettering:
    """Ranks as paths, standing on a line and centred on x = 0."""

    def __init__(self, font: Path) -> None:
        self._font = TTFont(font)
        self._glyphs = self._font.getGlyphSet()
        self._names = self._font.getBestCmap()

    def path(self, text: str, height: float, width_max: float, *, tracking: float = -0.05) -> str:
        """`text` with capitals `height` tall, narrowed where it would be wider than allowed."""
        scale = height / self._font["OS/2"].sCapHeight
        left, right = self._ink(text, tracking * height / scale)
        across = scale * min(1.0, width_max / (scale * (right - left)))
        pen = SVGPathPen(self._glyphs, ntos=number)
        x = -across * (left + right) / 2
        for name in (self._names[ord(letter)] for letter in text):
            self._glyphs[name].draw(TransformPen(pen, (across, 0, 0, -scale, x, 0)))
            x += across * (self._glyphs[name].width + tracking * height / scale)
        return str(pen.getCommands())

    def _ink(self, text: str, tracking: float) -> tuple[float, float]:
        """Where the drawn part of `text` begins and ends, in the font's units."""
        at, left, right = 0.0, 0.0, 0.0
        for index, name in enumerate(self._names[ord(letter)] for letter in text):
            pen = BoundsPen(self._glyphs)
            self._glyphs[name].draw(pen)
            x_min, _, x_max, _ = pen.bounds
            left = at + x_min if index == 0 else left
            right = at + x_max
            at += self._glyphs[name].width + tracking
        return left, right
