"""At a table: sitting down, bets, and rounds."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from upcard.describe.words import amount, counted, number, sentence_case
from upcard.game import Game
from upcard.refused import Refused, listed
from upcard.table import Choice
from upcard.terminal.dealer import Answer, Offer
from upcard.terminal.layout import Bound, Layout
from upcard.terminal.player import Player, Prompt
from upcard.terminal.prompts import (
    Lay,
    Select,
    Typed,
    bet_help,
    betting_commands,
    cleared_places,
    find_choice,
    find_command,
    offers,
    pick,
    pick_several,
    quoted,
    read_bets,
    round_commands,
)
from upcard.terminal.screen import Around
from upcard.terminal.sitting import Seat
from upcard.terminal.words import Said, Teller

SEEN_ON_TABLE = ("bets", "deal", "pay")
"""What a drawn table shows, so that it need not be said beside it."""


# Sitting down


def take_seat(player: Player, whole: Game) -> Seat:
    """The seat where a round is open; else ask for limits, decks and side bets, where the game
    offers more than one of them."""
    open_ = player.sitting.resume(whole)
    return Seat.of(open_.round) if open_ else _ask_seat(player, whole)


def _ask_seat(player: Player, whole: Game) -> Seat:
    before = player.sitting.seats.get(whole.key)
    level, decks = whole.levels[0].key, whole.decks_offered[0]
    if len(whole.levels) > 1:
        level = _ask_level(player, whole, before)
    if len(whole.decks_offered) > 1:
        decks = _ask_decks(player, whole, before.decks if before else whole.rules.decks)
    sides = tuple(side.key for side in whole.at_table().side_bets)
    if len(whole.side_bets) > whole.side_bets_open_max:
        sides = _ask_sides(player, whole, before.side_bets if before else sides)
    return Seat(level=level, decks=decks, side_bets=sides)


def _ask_level(player: Player, whole: Game, before: Seat | None) -> str:
    def show() -> None:
        player.screen.levels(whole, player.sitting.dealer.balance)
        again = f" Enter takes {whole.level(before.level).title} again." if before else ""
        player.screen.say(f"Type a number or a name.{again}")

    def read(text: str) -> str:
        return before.level if before and not text else read_level(text, whole)

    show()
    return player.choose(Prompt(text="Level: ", show=show, game=whole), read)


def read_level(text: str, whole: Game) -> str:
    """Raises Refused (`field`)."""
    return pick(text, [level.key for level in whole.levels])


def _ask_decks(player: Player, whole: Game, usual: int) -> int:
    def show() -> None:
        player.screen.say(f"How many decks? Type {_decks(whole)}; Enter takes {usual}.")

    def read(text: str) -> int:
        return read_decks(text, whole) if text else usual

    show()
    return player.choose(Prompt(text="Decks: ", show=show, game=whole), read)


def _decks(whole: Game) -> str:
    return listed([str(decks) for decks in whole.decks_offered])


def read_decks(text: str, whole: Game) -> int:
    """Raises Refused (`field`)."""
    if text not in map(str, whole.decks_offered):
        raise Refused("field", f"{quoted(text)} cannot be; type {_decks(whole)}.")
    return int(text)


def _ask_sides(player: Player, whole: Game, usual: tuple[str, ...]) -> tuple[str, ...]:
    def show() -> None:
        count = number(whole.side_bets_open_max)
        player.screen.say(f"Which {count} side bets are open?")
        for place, side in enumerate(whole.side_bets, 1):
            player.screen.say(f"{place}  {side.title} ({side.key})")
        titles = listed([whole.side_bet(key).title for key in usual], "and")
        player.screen.say(f"Type {count} numbers or names, like 1, 3; Enter takes {titles}.")

    def read(text: str) -> tuple[str, ...]:
        return read_sides(text, whole) if text else usual

    show()
    return player.choose(Prompt(text="Side bets: ", show=show, game=whole), read)


def read_sides(text: str, whole: Game) -> tuple[str, ...]:
    """Raises Refused (`field`)."""
    keys = [side.key for side in whole.side_bets]
    chosen = pick_several(text, keys, [side.title for side in whole.side_bets])
    return tuple(side.key for side in whole.at_table(side_bets=chosen).side_bets)


# At the table


class AtTable:
    """One player at one table, from sitting down to changing or leaving it."""

    def __init__(self, player: Player, whole: Game, seat: Seat) -> None:
        self._player = player
        self._screen = player.screen
        self._sitting = player.sitting
        self._whole = whole
        self._seat = seat
        self._game = self._sitting.sit_down(whole, seat)
        self._layout = Layout.empty(self._game, seat.level)
        self._offered: Offer | None = None

    def play(self) -> Seat:
        """Bets and rounds, until the player asks for another seat or a round is open at one; that
        seat. A round that is open here goes on at once.

        Raises ToLobby, Quit, EOFError and KeyboardInterrupt.
        """
        prompt = Prompt(
            text="Bets: ",
            show=self._show_felt,
            commands=betting_commands(self._game, self._whole),
            game=self._game,
        )
        open_ = self._sitting.resume(self._whole)
        if open_ is None:
            self._show_felt()
        elif (seat := Seat.of(open_.round)) != self._seat:
            return seat
        else:
            self._go_on(open_)
        return self._player.ask(prompt, lambda text: self._bet(text, prompt))

    # Bets

    def _bet(self, text: str, prompt: Prompt) -> Seat | None:
        """Do what a line says. Raises Refused."""
        if not text:
            return self._enter()
        match read_bets(text, self._game, self._layout.selected, prompt.commands):
            case Lay(orders):
                self._change(self._layout.lay(orders, self._balance))
            case Select(place):
                self._change(self._layout.select(place))
            case Typed("level" | "decks" | "sides") as typed:
                return self._other_seat(typed)
            case Typed("deal"):
                return self._deal()
            case typed:
                self._do(typed, prompt)
        return None

    def _do(self, typed: Typed, prompt: Prompt) -> None:
        match typed.name:
            case "rebet":
                self._change(self._sitting.rebet(self._layout))
            case "all":
                self._change(self._all(typed.rest))
            case "undo":
                self._change(self._layout.undone())
            case "clear":
                places = cleared_places(typed.rest, self._layout.stacks, self._game)
                self._change(self._layout.without(places))
            case _:
                self._player.do(typed, prompt)

    def _enter(self) -> Seat | None:
        """An empty line goes on: it lays the last bets, and deals what lies."""
        if self._layout.stacks:
            return self._deal()
        if not self._sitting.played(self._layout):
            raise Refused("bet_needs", f"No bet lies yet; {bet_help(self._game)}.")
        self._change(self._sitting.rebet(self._layout))
        return None

    def _all(self, rest: str) -> Layout:
        bounds: dict[str, Bound] = {"min": "min", "max": "max"}
        bound = bounds.get(rest.lower())
        if bound is None:
            raise Refused("field", "Type 'all min' or 'all max'.")
        return self._layout.at_bound(bound, self._sitting.played(self._layout), self._balance)

    def _other_seat(self, typed: Typed) -> Seat:
        """The same seat with something else chosen; sitting down anew clears the felt."""
        if typed.name == "level":
            level = read_level(typed.rest, self._whole)
            return dataclasses.replace(self._seat, level=level)
        if typed.name == "decks":
            decks = read_decks(typed.rest, self._whole)
            return dataclasses.replace(self._seat, decks=decks)
        if self._layout.stacks:
            raise Refused("field", "Side bets are chosen while no chip lies; clear the felt first.")
        return dataclasses.replace(self._seat, side_bets=read_sides(typed.rest, self._whole))

    @property
    def _balance(self) -> int:
        return self._sitting.dealer.balance

    # Showing

    def _change(self, layout: Layout) -> None:
        """Show new bets. Where nothing is drawn, only what is new is said."""
        self._layout = layout
        if self._screen.look.plain:
            self._screen.laid(layout, self._balance)
        else:
            self._show_felt()

    def _show_felt(self) -> None:
        self._screen.felt(self._layout, self._around())
        self._show_fairness()
        self._screen.say(self._hint())

    def _show_fairness(self) -> None:
        self._offered = self._sitting.dealer.offer(self._game)
        self._screen.fairness(self._offered, self._sitting.client_seed)

    def _around(self) -> Around:
        return Around(title=self._title(), balance=self._balance, meter=self._meter())

    def _title(self, *settings: str) -> str:
        """The game and how its table is set, as far as the player could choose."""
        whole, seat = self._whole, self._seat
        named = [whole.title]
        named += [whole.level(seat.level).title] if len(whole.levels) > 1 else []
        named += [counted(self._game.rules.decks, "deck"), *settings]
        return ", ".join(named)

    def _meter(self) -> int | None:
        """How the meter stands that can be played for here, if there is one."""
        limits = self._layout.limits
        pools = [side.pool for side in self._game.side_bets if side.pool and side.key in limits]
        return self._sitting.dealer.meter(pools[0]) if pools else None

    def _hint(self) -> str:
        played = self._sitting.played(self._layout)
        least = self._layout.least
        if self._balance < least:
            return (
                f"A round costs {amount(least)} at least and your balance is "
                f"{amount(self._balance)}; 'refill' restores your play money."
            )
        if self._layout.stacks:
            return "Enter deals. More bets, undo and clear are open; help names every word."
        if played:
            total = amount(sum(bets.total for bets in played))
            return f"Enter lays your last bets again, {total} in all; or type others, or help."
        return f"{sentence_case(bet_help(self._game))}; help names every word."

    # Rounds

    def _deal(self) -> Seat | None:
        """Deal what lies; on an empty felt what lay there last (C-13).

        A round that another sitting has opened here meanwhile is answered with its seat (G-12).
        """
        layout = self._layout
        if not layout.stacks and self._sitting.played(layout):
            layout = self._sitting.rebet(layout)
        try:
            self._check_offer()
            answer = self._sitting.deal(layout)
        except Refused as refused:
            if refused.code != "round_open":
                raise
            return self._seat
        self._layout = dataclasses.replace(layout, stacks={})
        teller = Teller(self._game)
        self._show_round(answer, teller.said(answer.events))
        self._to_the_end(answer, teller)
        return None

    def _check_offer(self) -> None:
        """No bet goes against a commit that the player was not shown. Raises Refused (`stale`)."""
        dealer = self._sitting.dealer
        if dealer.offer(self._game) == self._offered or self._game.key in dealer.waiting():
            return
        self._show_felt()
        raise Refused(
            "stale",
            "Another sitting played here meanwhile, so the commit above is new; deal again to play "
            "against it.",
        )

    def _go_on(self, answer: Answer) -> None:
        """Play on where a round was left (G-12)."""
        teller = Teller(self._game)
        list(teller.said(answer.events))  # it has been told: what matters is on the table
        self._show_table(answer)
        self._screen.say("This round is open: it goes on where it was left.")
        self._to_the_end(answer, teller)

    def _to_the_end(self, answer: Answer, teller: Teller) -> None:
        while answer.proof is None:
            answer = self._step(answer, self._choose(answer), teller)
        self._screen.check(answer.proof)
        self._show_fairness()
        self._screen.say(self._hint())

    def _step(self, seen: Answer, choice: Choice, teller: Teller) -> Answer:
        """Make a choice; if it is refused, say so beside the round as it stands."""
        refusal = ""
        try:
            answer = self._sitting.choose(seen, choice.choice)
        except Refused as refused:
            refusal = refused.sentence
            answer = self._sitting.look(seen)
        self._show_round(answer, teller.said(answer.events))
        if refusal:
            self._screen.refuse(refusal)
        return answer

    def _show_round(self, answer: Answer, said: Iterable[Said]) -> None:
        """What is new, and the table with it where one is drawn."""
        said = [*said]
        if not self._screen.look.plain:
            self._show_table(answer)
            said = [one for one in said if one.kind not in SEEN_ON_TABLE]
        for one in said:
            if one.kind == "settled":
                self._screen.result(f"{one.sentence} Balance {amount(answer.balance)}.")
            else:
                self._screen.say(one.sentence)

    def _show_table(self, answer: Answer) -> None:
        self._screen.table(answer, self._title(f"round {answer.nonce}"), self._meter())

    def _choose(self, answer: Answer) -> Choice:
        """Ask for a choice, and once more where the player wants to be warned (T-53)."""
        prompt = Prompt(
            text="Your choice: ",
            show=lambda: self._show_table(answer),
            commands=round_commands(self._game),
            game=self._game,
        )
        while True:
            self._screen.choices(answer)
            choice = self._player.ask(prompt, lambda text: self._read_choice(text, answer, prompt))
            question = self._sitting.warning(choice)
            if question is None or self._player.confirm(question):
                return choice

    def _read_choice(self, text: str, answer: Answer, prompt: Prompt) -> Choice | None:
        """Raises Refused."""
        choice = find_choice(text, answer.choices)
        if choice is None:
            typed = find_command(text, prompt.commands)
            if typed is None:
                raise Refused(
                    "choice", f"{quoted(text)} is not open; type {offers(answer.choices)}."
                )
            self._player.do(typed, prompt)
            self._screen.choices(answer)
        return choice
