"""Asking for a line of text, on a terminal or from a pipe."""

from __future__ import annotations

import contextlib
import sys
from typing import Protocol

from upcard.terminal.prompts import LINE_CHARACTERS_MAX
from upcard.terminal.screen import Screen


class Asks(Protocol):
    """Gives the next line typed, without spaces around it. Raises EOFError when there is none."""

    def ask(self, prompt: str) -> str: ...


class Keyboard:
    """Standard input. On a terminal with colours its lines can be edited and called back."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._is_typed = sys.stdin is not None and sys.stdin.isatty()
        if self._is_typed and screen.look.colour:
            _edit_lines()

    def ask(self, prompt: str) -> str:
        while True:
            line = self._line(prompt)
            if len(line) <= LINE_CHARACTERS_MAX:
                return line.strip()
            self._screen.refuse(f"A line has at most {LINE_CHARACTERS_MAX} characters.")

    def _line(self, prompt: str) -> str:
        if self._is_typed:
            return input(prompt)
        # No terminal shows what was typed, so the line is repeated where the answer goes.
        line = sys.stdin.readline() if sys.stdin else ""
        if not line:
            raise EOFError
        self._screen.say(f"{prompt}{printable(line.strip()[:LINE_CHARACTERS_MAX])}")
        return line


def printable(text: str) -> str:
    """The text without anything that could move a cursor."""
    return "".join(character if character.isprintable() else "?" for character in text)


def _edit_lines() -> None:
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # `input` uses it once it is there
