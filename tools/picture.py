"""Draws docs/pictures/terminal.svg: a table in the terminal in the middle of a round.

The round is stacked, so that the picture shows a split, a side bet that won and an insured hand.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
from pathlib import Path
from unittest import mock

from rich import box
from rich.console import Console
from rich.terminal_theme import TerminalTheme

from upcard.cards import parse_cards
from upcard.games import find
from upcard.house.journal import RoundInputs
from upcard.terminal.house import HouseDealer
from upcard.terminal.look import Look
from upcard.terminal.player import Player
from upcard.terminal.screen import Screen
from upcard.terminal.sitting import Seat, Sitting
from upcard.terminal.tables import AtTable

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "pictures" / "terminal.svg"
WIDTH, HEIGHT = 96, 32
SHOE = "8h Kd 6s Ad 8c 9d 5s 6c 3d Th"
LINES = ("1 main 25 classic 5 2 main 25 top3 1 classic 5 3 main 10 progressive 5", "deal",
         "n", "i", "n", "p")  # fmt: skip
THEME = TerminalTheme(
    (22, 24, 27), (222, 226, 222),
    [(0, 0, 0), (192, 28, 40), (46, 194, 126), (255, 215, 102), (42, 123, 222),
     (192, 97, 203), (51, 199, 222), (222, 226, 222)],
)  # fmt: skip
FORMAT = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-family: sans-serif; font-size: 16px; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""
"""Rich's own format fetches a font from elsewhere; a picture in our pages fetches nothing."""


class LastPage(Screen):
    """Keeps what was drawn since the last new page."""

    def fresh(self) -> None:
        self.console.export_text(clear=True)


class Typist:
    """Types the lines, then leaves the last prompt open."""

    def __init__(self, screen: Screen, lines: tuple[str, ...]) -> None:
        self._screen = screen
        self._lines = iter(lines)

    def ask(self, prompt: str) -> str:
        line = next(self._lines, None)
        self._screen.say(f"{prompt}{line or '_'}")
        if line is None:
            raise EOFError
        return line


def draw() -> str:
    """The picture as SVG text."""
    console = Console(
        file=io.StringIO(),
        record=True,
        width=WIDTH,
        height=HEIGHT,
        force_terminal=True,
        color_system="truecolor",
        highlight=False,
        markup=False,
        emoji=False,
    )
    screen = LastPage(console, Look(plain=False, colour=True, boxes=box.ROUNDED))
    play_until_the_lines_end(screen)
    return console.export_svg(
        title="upcard play", theme=THEME, code_format=FORMAT, unique_id="table"
    )


def play_until_the_lines_end(screen: Screen) -> None:
    """At a house on a database of its own, with the order of the cards arranged."""
    seat = Seat(level="low", decks=6, side_bets=("top3", "classic", "progressive"))
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.object(RoundInputs, "shoe", return_value=parse_cards(SHOE)),
        contextlib.closing(HouseDealer(f"{folder}/upcard.db")) as dealer,
        contextlib.suppress(EOFError),
    ):
        player = Player(Sitting(dealer=dealer), screen, Typist(screen, LINES))
        AtTable(player, find("top3"), seat).play()
        raise AssertionError("the round was to stop at a choice")


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(draw(), encoding="utf-8")
