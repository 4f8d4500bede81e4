"""Tables with stacked shoes: played in this process, or by a child on a pseudo-terminal."""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import pexpect
import pyte
from rich.console import Console

from upcard.cards import Card, parse_cards
from upcard.fair import Shoe
from upcard.games import find
from upcard.house.audit import audit
from upcard.house.journal import RoundInputs
from upcard.house.rounds import Settings
from upcard.house.store import Books
from upcard.house.store.opening import open_store
from upcard.terminal import house, run
from upcard.terminal.dealer import Dealer
from upcard.terminal.house import HouseDealer
from upcard.terminal.look import Look
from upcard.terminal.play import play
from upcard.terminal.player import Player, Quit
from upcard.terminal.screen import Screen
from upcard.terminal.sitting import Sitting

ROOT = Path(__file__).parents[2]
LOW = ("low", "6")
"""What is typed to sit down at Top 3 with low limits and six decks."""


Shoes = Callable[[RoundInputs], "Shoe | tuple[Card, ...]"]
_honest = RoundInputs.shoe


def stacking(shoes: Sequence[str]) -> Shoes:
    """What to put in place of `RoundInputs.shoe`: the rounds of a game deal these cards in turn.

    Only the order of the cards is arranged, everything else is the house as it is. An empty text
    and all later rounds are honest.
    """
    cards = [parse_cards(shoe) for shoe in shoes]

    def shoe(inputs: RoundInputs) -> Shoe | tuple[Card, ...]:
        place = inputs.nonce - 1
        return (cards[place] if place < len(cards) else ()) or _honest(inputs)

    return shoe


def books_of(path: Path) -> Books:
    """All that a database holds, for an audit."""

    async def books() -> Books:
        store = open_store(str(path), must_exist=True)
        try:
            return await store.books()
        finally:
            await store.close()

    return asyncio.run(books())


def false_checks(path: Path) -> list[str]:
    """What an audit finds wrong with a database."""
    return [check.sentence for check in audit(books_of(path)) if not check.ok]


# In this process


class Lines:
    """Types lines, then has nothing more to type."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)

    def ask(self, prompt: str) -> str:
        line = next(self._lines, None)
        if line is None:
            raise EOFError
        return line


def transcript(
    game: str | None,
    lines: Iterable[str],
    *,
    dealer: Dealer,
    sitting: Sitting | None = None,
    width: int = 200,
) -> list[str]:
    """What is said, line by line, to somebody who types these lines at a plain terminal."""
    out = io.StringIO()
    look = Look(plain=True, colour=False, boxes=None)
    screen = Screen(Console(file=out, width=width, highlight=False, markup=False), look)
    player = Player(sitting or Sitting(dealer=dealer), screen, Lines(lines))
    try:
        play(player, find(game) if game else None)
    except (EOFError, Quit):
        return out.getvalue().splitlines()
    raise AssertionError("a sitting ends in one of these ways only")


# On a pseudo-terminal


class Terminal:
    """A child that plays on a pseudo-terminal, and what its screen shows."""

    def __init__(
        self,
        game: str | None,
        *shoes: str,
        db: Path | None = None,
        width: int = 80,
        height: int = 60,
        purse: int = 10_000_000,
        environ: dict[str, str] | None = None,
        plain: bool = False,
    ) -> None:
        kept = {key: os.environ[key] for key in ("PATH", "HOME", "PYTHONPATH") if key in os.environ}
        usual = {"TERM": "xterm-256color", "LANG": "C.UTF-8"}
        self._own = tempfile.TemporaryDirectory(prefix="upcard-")
        self.db = db or Path(self._own.name) / "upcard.db"
        self.screen = pyte.Screen(width, height)
        self._stream = pyte.Stream(self.screen)
        self.log = ""
        with warnings.catch_warnings():
            # Python 3.12 dislikes a fork beside threads, and a store in this process has some.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.child: pexpect.spawn[str] = pexpect.spawn(
                sys.executable,
                ["-c", f"from tests.terminal.stacked import main; main({_literal(game)}, "
                       f"{json.dumps(shoes)}, {purse}, {plain}, {json.dumps(str(self.db))})"],
                dimensions=(height, width),
                env={**kept, **usual, **(environ or {})},
                cwd=ROOT,
                encoding="utf-8",
                timeout=30,
            )  # fmt: skip
        # Typing waits for nothing: everything is typed at a prompt that was seen.
        self.child.delaybeforesend = None

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.child.close(force=True)
        self._own.cleanup()

    def see(self, text: str) -> str:
        """Wait until this is written; everything that the screen shows then."""
        self.child.expect_exact(text)
        self._feed(f"{self.child.before}{self.child.after}")
        return self.shown

    def type(self, line: str, then: str) -> str:
        """Type a line and wait for what follows it."""
        self.child.sendline(line)
        return self.see(then)

    def ended(self) -> int | None:
        """Wait for the end; the exit code."""
        self.child.expect(pexpect.EOF)
        return self._closed()

    def interrupted(self) -> int | None:
        """Press Ctrl-C and wait for the end; the exit code.

        A signal that comes after Python has written its prompt and before it waits for a key is
        only seen with the next key: then it is pressed again.
        """
        self.child.sendintr()
        if self.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=10) == 1:
            self.child.sendintr()
            self.child.expect(pexpect.EOF)
        return self._closed()

    def _closed(self) -> int | None:
        self._feed(self.child.before or "")
        self.child.close()
        return self.child.exitstatus

    @property
    def shown(self) -> str:
        """The words on the screen without its boxes, and with single spaces."""
        return " ".join(re.sub("[│─╭╮╰╯]", " ", " ".join(self.screen.display)).split())

    def _feed(self, text: str) -> None:
        self.log += text
        self._stream.feed(text)


def _literal(text: str | None) -> str:
    return "None" if text is None else json.dumps(text)


def main(game: str | None, shoes: Sequence[str], purse: int, plain: bool, db: str) -> None:
    """What the child does: `upcard play` with other cards, and perhaps with a smaller purse."""
    RoundInputs.shoe = stacking(shoes)  # type: ignore[method-assign,assignment]
    house.HouseDealer = partial(HouseDealer, settings=Settings(play_money=purse))  # type: ignore[misc,assignment]
    raise SystemExit(run(game, plain=plain, db=db))
