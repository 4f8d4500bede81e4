"""Upcard in a terminal: in at the door, from the lobby to the tables, and out again."""

from __future__ import annotations

import contextlib
import os
import sys

from upcard.describe import ABANDONED_DAYS
from upcard.describe.words import all_of, amount
from upcard.game import Game
from upcard.games import CATALOGUE, find
from upcard.refused import Refused
from upcard.terminal.dealer import Dealer
from upcard.terminal.keyboard import Keyboard
from upcard.terminal.look import Look, console_for
from upcard.terminal.player import Player, Prompt, Quit, ToLobby
from upcard.terminal.prompts import pick
from upcard.terminal.screen import Screen
from upcard.terminal.sitting import Sitting
from upcard.terminal.tables import AtTable, take_seat

GOOD, BAD, INTERRUPTED = 0, 2, 130


def run(
    game_key: str | None = None,
    *,
    plain: bool = False,
    db: str = "upcard.db",
    dealer: Dealer | None = None,
) -> int:
    """Play until the player leaves; the exit code.

    `game_key` sits down at once, `plain` writes sentences alone, `db` is the path or URL of the
    database, and `dealer` deals instead of the house on it.
    """
    try:
        game = find(game_key) if game_key else None
        with contextlib.ExitStack() as at_the_end:
            if dealer is None:
                from upcard.terminal.house import HouseDealer  # other commands need no database

                dealer = at_the_end.enter_context(contextlib.closing(HouseDealer(db)))
            return _sit(game, plain, dealer)
    except Refused as refused:
        print(f"upcard: {refused.sentence}", file=sys.stderr)
        return BAD


def _sit(game: Game | None, plain: bool, dealer: Dealer) -> int:
    """Raises Refused before the first prompt alone."""
    for stream in (sys.stdin, sys.stdout):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # no byte that is typed may end a sitting
    is_terminal = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
    look = Look.of(os.environ, is_terminal=is_terminal, plain=plain)
    screen = Screen(console_for(look), look)
    player = Player(Sitting(dealer=dealer), screen, Keyboard(screen))
    try:
        return _until_the_door(player, game, newline=is_terminal)
    except BrokenPipeError:
        # Nobody reads any more; without this Python would say so when it flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BAD


def _until_the_door(player: Player, game: Game | None, *, newline: bool) -> int:
    """`newline` ends the line of the prompt that was not answered."""
    code, why, newline_first = GOOD, "", newline
    try:
        play(player, game)
    except Quit:
        why, newline_first = "You leave", False
    except EOFError:
        why = "The input ends"
    except KeyboardInterrupt:
        code, why = INTERRUPTED, "Stopped"
    if newline_first:
        player.screen.say("")
    player.screen.say(farewell(player.sitting.dealer, why))
    return code


def play(player: Player, game: Game | None) -> None:
    """Raises Quit, EOFError or KeyboardInterrupt in the end."""
    game = game or _lobby(player)
    while True:
        try:
            seat = take_seat(player, game)
            while True:
                seat = AtTable(player, game, seat).play()
        except ToLobby:
            game = _lobby(player)


def _lobby(player: Player) -> Game:
    def show() -> None:
        dealer = player.sitting.dealer
        player.screen.lobby(CATALOGUE, dealer.balance, dealer.waiting())

    def read(text: str) -> Game:
        return find(
            pick(text, [game.key for game in CATALOGUE], [game.title for game in CATALOGUE])
        )

    show()
    return player.choose(Prompt(text="Game: ", show=show), read)


def farewell(dealer: Dealer, why: str) -> str:
    """The last line: what becomes of the money, and of rounds that are open (G-12)."""
    waiting = [find(key).title for key in dealer.waiting()]
    kept = f"your balance of {amount(dealer.balance)} is kept"
    if not waiting:
        return f"{why}: {kept}."
    rounds = "a round waits" if len(waiting) == 1 else "rounds wait"
    return (
        f"{why}: {rounds} for you at {all_of(waiting)}, and {kept}. A round that "
        f"nobody plays on is finished after {ABANDONED_DAYS} days: without insurance, hands stand, "
        "three cards fold."
    )
