"""How to draw: what a terminal can show, the styles, and things laid out in a line."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

FELT = "#eef5ef on #0d4a33"
CARD = "bold #1a1a1a on #f7f7f2"
RED_CARD = "bold #c01c28 on #f7f7f2"
CARD_BACK = "bold #f7f7f2 on #9c2f2f"
GOLD = "bold #ffd766"
KEY = "bold"
QUIET = "dim"
REFUSAL = "bold red"
"""Gold stands on the felt alone, whose background we know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How to draw. `boxes` is None where only lines will do."""

    plain: bool
    colour: bool
    boxes: box.Box | None

    @classmethod
    def of(cls, environ: Mapping[str, str], *, is_terminal: bool, plain: bool = False) -> Look:
        """What the environment asks for (`NO_COLOR`, `TERM`, the locale)."""
        plain = plain or not is_terminal or environ.get("TERM", "") in ("", "dumb", "unknown")
        if plain:
            return cls(plain=True, colour=False, boxes=None)
        return cls(
            plain=False,
            colour=environ.get("NO_COLOR", "") == "",
            boxes=box.ROUNDED if _says_utf8(environ) else box.ASCII,
        )


def _says_utf8(environ: Mapping[str, str]) -> bool:
    """Whether the locale asks for UTF-8. Python itself puts C.UTF-8 in LC_CTYPE (PEP 538)."""
    ctype = environ.get("LC_CTYPE", "").replace("C.UTF-8", "")
    return "utf" in (environ.get("LC_ALL") or ctype or environ.get("LANG", "")).lower()


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Nobody reads any more. Rich would leave with an exit code of its own."""
        raise BrokenPipeError


def console_for(look: Look) -> Console:
    """Standard output; without colour it is no terminal to Rich, so that no escape code appears."""
    return _Console(
        file=sys.stdout or open(os.devnull, "w"),  # it is written to until the end
        force_terminal=None if look.colour else False,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=False,
    )


@dataclass(frozen=True, slots=True)
class Flow:
    """Things side by side, as many in a line as there is room for; none of them is broken."""

    items: Sequence[Text]
    gap: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        line = Text()
        for item in self.items:
            if line and line.cell_len + self.gap + item.cell_len > options.max_width:
                yield line
                line = Text()
            line.append(" " * self.gap if line else "").append_text(item)
        yield line

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widths = [item.cell_len for item in self.items] or [0]
        whole = sum(widths) + self.gap * (len(widths) - 1)
        return Measurement(max(widths), whole).with_maximum(options.max_width)
