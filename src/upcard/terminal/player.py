"""One player at one terminal: asking, and the words that hold at every prompt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from upcard.describe.words import amount, counted, sentence_case
from upcard.game import Game
from upcard.refused import Refused, listed
from upcard.scripts import script_of
from upcard.terminal.files import write_new
from upcard.terminal.keyboard import Asks
from upcard.terminal.prompts import (
    ALWAYS,
    Command,
    Typed,
    bet_help,
    find_command,
    yes_or_no,
)
from upcard.terminal.screen import Screen
from upcard.terminal.sitting import WARNED, Sitting
from upcard.terminal.words import played_sentence

T = TypeVar("T")

ROUNDS_SHOWN = 10
NEW = "new"
"""Instead of a client seed: a fresh one for every round."""


class ToLobby(Exception):
    """The player leaves the table."""


class Quit(Exception):
    """The player ends the sitting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """Where the player is asked: the words that hold there, how to show the place again, and the
    game whose rules may be read."""

    text: str
    show: Callable[[], None]
    commands: Sequence[Command] = ALWAYS
    game: Game | None = None


class Player:
    """What a player brings along, and the terminal to talk with."""

    def __init__(self, sitting: Sitting, screen: Screen, keyboard: Asks) -> None:
        self.sitting = sitting
        self.screen = screen
        self.keyboard = keyboard

    def ask(self, prompt: Prompt, read: Callable[[str], T | None]) -> T:
        """Ask until `read` makes something of the answer.

        It returns None when it has done all there was to do, and the prompt comes again. Raises
        ToLobby, Quit, EOFError and KeyboardInterrupt.
        """
        while True:
            text = self.keyboard.ask(prompt.text)
            try:
                answer = read(text)
            except Refused as refused:
                self.screen.refuse(refused.sentence)
                continue
            if answer is not None:
                return answer

    def choose(self, prompt: Prompt, read: Callable[[str], T]) -> T:
        """Ask until `read` takes the answer, or the answer is a word for every prompt."""
        return self.ask(prompt, lambda text: self._word_or(prompt, read, text))

    def _word_or(self, prompt: Prompt, read: Callable[[str], T], text: str) -> T | None:
        typed = find_command(text, prompt.commands, whole=True)
        if typed is None:
            try:
                return read(text)
            except Refused:
                typed = find_command(text, prompt.commands)
                if typed is None:
                    raise
        self.do(typed, prompt)
        return None

    def confirm(self, question: str) -> bool:
        """Ask one question, yes or no."""
        self.screen.say(f"{question} Type y for yes or n for no.")
        return self.ask(Prompt(text="Yes or no: ", show=lambda: None, commands=()), yes_or_no)

    # Words for every prompt

    def do(self, typed: Typed, prompt: Prompt) -> None:
        """Do what a word says. Raises Refused, ToLobby and Quit."""
        match typed.name:
            case "table":
                prompt.show()
            case "rules":
                self._rules(prompt.game)
            case "help":
                self._help(prompt)
            case "lobby":
                self._leave()
            case "quit":
                raise Quit
            case "proof":
                self._proof(typed.rest)
            case "save":
                self._save(typed.rest)
            case "history":
                self._history()
            case "refill":
                self._refill()
            case _:
                self._set(typed)

    def _rules(self, game: Game | None) -> None:
        if game is None:
            raise Refused("field", "Each game has rules of its own; choose a game first.")
        for left, page in self.screen.rules(game):
            self.screen.raw(page)
            if left and self.keyboard.ask("Enter goes on, any letter stops: "):
                return

    def _help(self, prompt: Prompt) -> None:
        opening = []
        if prompt.game:
            opening.append(f"{sentence_case(bet_help(prompt.game))}.")
            opening.append("The amounts min and max do as well, and +5 adds to what lies.")
            if prompt.game.spots_max > 1:
                opening.append("Spot 1 is the rightmost and acts first.")
        opening.append("Words may be shortened while they stay clear.")
        self.screen.help(opening, prompt.commands)

    def _leave(self) -> None:
        if self.sitting.opened:
            raise Refused("round_open", "A round is open; play it to its end, or quit.")
        raise ToLobby

    # Settings

    def _set(self, typed: Typed) -> None:
        match typed.name:
            case "warn":
                self._warn(typed.rest.lower().split())
            case "insurance":
                self._insurance(typed.rest.lower())
            case "client":
                self._client(typed.rest)
            case _:
                raise AssertionError(f"{typed.name} is a word that does nothing")

    def _warn(self, words: Sequence[str]) -> None:
        chosen = {name for name in WARNED if name in words[:-1]} if len(words) > 1 else {*WARNED}
        if not words or words[-1] not in ("on", "off") or not {*words[:-1]} <= chosen:
            raise Refused(
                "field",
                f"Type 'warn on' or 'warn off', or name one of {listed(WARNED)}: 'warn hit on'.",
            )
        if words[-1] == "on":
            self.sitting.warns |= chosen
        else:
            self.sitting.warns -= chosen
        on = listed([name for name in WARNED if name in self.sitting.warns])
        self.screen.say(f"You are asked before a doubtful {on}." if on else "You are not warned.")

    def _insurance(self, word: str) -> None:
        if word not in ("always", "never"):
            raise Refused("field", "Type 'insurance always' or 'insurance never'.")
        self.sitting.asks_insurance = word == "always"
        self.screen.say(f"From the next round on you are {word} asked for insurance.")

    def _client(self, seed: str) -> None:
        if not seed:
            raise Refused(
                "field",
                f"Your client seed is {self.sitting.client_seed}; 'client NAME' makes it one of "
                "your own, 'client new' a fresh one for every round.",
            )
        if seed == NEW:
            self.sitting.renew_client_seed()
            self.screen.say("Every round gets a fresh client seed from now on.")
            return
        self.sitting.set_client_seed(seed)
        self.screen.say(
            f"Your client seed is {seed} from the next round on, until 'client new' makes a fresh "
            "one for every round."
        )

    # Money and rounds that are kept

    def _refill(self) -> None:
        dealer = self.sitting.dealer
        before = dealer.balance
        dealer.refill()
        restored = dealer.balance - before
        what = f"{amount(restored)} of play money are added" if restored else "Nothing is missing"
        self.screen.say(f"{what}; your balance is {amount(dealer.balance)}.")

    def _history(self) -> None:
        rounds = self.sitting.dealer.history(ROUNDS_SHOWN)
        if not rounds:
            raise Refused("field", "You have played no round yet.")
        several = f"{counted(len(rounds), 'round')}, the newest first"
        self.screen.say(f"Your last {several if len(rounds) > 1 else 'round'}:")
        self.screen.say(*(played_sentence(played) for played in rounds))

    def _proof(self, path: str) -> None:
        _, proof = self.sitting.last()
        if path:
            write_new(path, str(proof))
            self.screen.say(f"The proof of the last round is written to {path!a}.")
        else:
            self.screen.raw(str(proof))

    def _save(self, path: str) -> None:
        played, proof = self.sitting.last()
        if not path:
            raise Refused("field", "'save' needs the name of a new file, like 'save lucky.round'.")
        write_new(path, str(script_of(played, proof.seeds)))
        self.screen.say(f"The last round is written to {path!a}.")
