"""Drawing with Rich. Nothing here decides anything, and all of it is said in words as well.

Three ways: boxes on a felt where there is room, lines where there is not, and sentences alone
(`plain`) for screen readers, pipes and dumb terminals. Escape codes are written only where colour
is wanted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from upcard import describe
from upcard.cards import Card
from upcard.describe.words import all_of, amount, counted, number, sentence_case
from upcard.game import Game, Level, Limit
from upcard.refused import listed
from upcard.table import FACE_DOWN, Choice, SpotBets
from upcard.terminal.dealer import Answer, Offer
from upcard.terminal.layout import Layout, Place
from upcard.terminal.look import (
    CARD,
    CARD_BACK,
    FELT,
    GOLD,
    KEY,
    QUIET,
    RED_CARD,
    REFUSAL,
    Flow,
    Look,
)
from upcard.terminal.prompts import Command, choice_key, offers
from upcard.terminal.proof import Proof, continued
from upcard.terminal.rows import Outcome, Row, bet_and_won, dealer_row, hand_rows
from upcard.terminal.words import bet_name, card_names, choice_name, hand_name, spot_name
from upcard.twentyone.rules import Rules as DrawingRules

BOXED_WIDTH_MIN = 72
BOXED_WIDTH_MAX = 110
TEXT_WIDTH_MAX = 100
WIDTH_MIN = 20
ROOMY_HEIGHT_MIN = 30
CARDS_WIDTH_MAX = 29
"""Six cards side by side."""
OUTCOME: Mapping[Outcome, str] = {"open": "", "lost": QUIET, "back": "", "won": GOLD}
RED_SUITS = "dh"


class Screen:
    """One terminal."""

    def __init__(self, console: Console, look: Look) -> None:
        self.console = console
        self.look = look

    @property
    def width(self) -> int:
        return max(WIDTH_MIN, self.console.width)

    @property
    def is_boxed(self) -> bool:
        return self.look.boxes is not None and self.width >= BOXED_WIDTH_MIN

    def fresh(self) -> None:
        """Begin a new page where the terminal can; else an empty line sets it off."""
        if self.look.colour:
            self.console.clear()
        else:
            self.console.print()

    def say(self, *sentences: str, style: str = "") -> None:
        for sentence in sentences:
            self._print(Text(sentence, style=style, overflow="fold"))

    def refuse(self, sentence: str) -> None:
        """Say no."""
        self.say(sentence_case(sentence), style=REFUSAL)

    def raw(self, text: str) -> None:
        """A text for other programs: lines as they are, however long."""
        self.console.print(Text(text.rstrip("\n")), soft_wrap=True)

    def _print(self, *things: RenderableType) -> None:
        for thing in things:
            self.console.print(thing)

    # Lobby

    def lobby(self, games: Sequence[Game], balance: int, waiting: Sequence[str]) -> None:
        """The games, and at which of them, by their keys, a round waits to be played on."""
        self.fresh()
        if not self.is_boxed:
            self.say(f"Upcard: play money, balance {amount(balance)}.", style=KEY)
            for place, game in enumerate(games, 1):
                self.say(f"{place}  {game.title} ({game.key})", style=KEY)
                self.say(about(game))
        else:
            grid = Table.grid(padding=(0, 2, 1, 0), expand=True)
            grid.add_column(width=2)
            grid.add_column(ratio=1)
            for place, game in enumerate(games, 1):
                title = Text.assemble((game.title, KEY), (f"  {game.key}", QUIET))
                words = Text(about(game), style=QUIET)
                grid.add_row(Text(str(place), style=GOLD), Group(title, words))
            self._panel(grid, title="Upcard", subtitle=f"play money, balance {amount(balance)}")
        for game in games:
            if game.key in waiting:
                self.say(f"A round waits for you at {game.title}.", style=KEY)
        self.say("Which game? Type its number or name; quit ends the sitting.")

    def levels(self, game: Game, balance: int) -> None:
        """The limits one may choose."""
        self.fresh()
        self.say(f"{game.title}. Balance {amount(balance)}. Which limits?", style=KEY)
        for place, level in enumerate(game.levels, 1):
            self.say(f"{place}  {level.title}: {level_words(game, level)}.")

    # Bets

    def felt(self, layout: Layout, around: Around) -> None:
        """The places, their limits and what lies there."""
        self.fresh()
        money = [_money(layout, around.balance)]
        money += [f"meter {amount(around.meter)}"] if around.meter is not None else []
        if self.is_boxed:
            self._panel(self._places(layout), title=around.title, subtitle=", ".join(money))
        else:
            self.say(f"{around.title}.", style=KEY)
            self.say(f"{sentence_case(', '.join(money))}.")
            self._place_lines(layout)
        if len(layout.limits) * layout.game.spots_max > 1:
            self.say(_selected(layout))

    def laid(self, layout: Layout, balance: int) -> None:
        """What lies now, in sentences."""
        for bets in layout.spots:
            self.say(_lying(layout.game, bets))
        self.say(f"{sentence_case(_money(layout, balance))}. {_selected(layout)}")

    def fairness(self, offer: Offer, client_seed: str) -> None:
        """What is shown before a bet, so that the shuffle can be checked after it."""
        self.say(
            f"Round {offer.nonce}, client seed {client_seed}, commit:",
            offer.commit,
            style=QUIET,
        )

    def _places(self, layout: Layout) -> Table:
        grid = Table.grid(padding=(0, 2, 0, 0), expand=True)
        grid.add_column(no_wrap=True)
        bets = _open_bets(layout)
        for _ in bets:
            grid.add_column(ratio=1)
        heads = [
            (bet, bet_name(layout.game, bet), *_limit_words(layout.limits[bet])) for bet in bets
        ]
        for line, style in enumerate((KEY, QUIET, QUIET, QUIET)):
            cells = [Text(head[line] if head[line] != head[0] or line == 0 else "", style=style)
                     for head in heads]  # fmt: skip
            if any(cell.plain for cell in cells):
                grid.add_row(Text(""), *cells)
        grid.add_row()
        for spot in range(1, layout.game.spots_max + 1):
            places = [Place(spot, bet) for bet in bets]
            name = sentence_case(spot_name(layout.game, spot))
            grid.add_row(Text(name), *(self._lies(layout, place) for place in places))
        return grid

    def _lies(self, layout: Layout, place: Place) -> Text:
        lies, closed = layout.lies(place), layout.closed(place)
        mark = "> " if place == layout.selected else "  "
        if lies:
            return Text.assemble(mark, (amount(lies), GOLD))
        return Text(f"{mark}{closed or '-'}", style=QUIET if closed else "")

    def _place_lines(self, layout: Layout) -> None:
        for bets in layout.spots:
            self.say(_lying(layout.game, bets))
        limits = [f"{bet} takes {layout.limits[bet]}" for bet in _open_bets(layout)]
        self.say(f"{sentence_case('; '.join(limits))}.")

    # The round

    def table(self, answer: Answer, title: str, meter: int | None) -> None:
        """The dealer's cards, every hand, and the money on it."""
        self.fresh()
        bet, won = bet_and_won(answer.round.events)
        money = [f"bet {amount(bet)}", f"won {amount(won)}", f"balance {amount(answer.balance)}"]
        money += [f"meter {amount(meter)}"] if meter is not None else []
        dealer, hands = dealer_row(answer), [*hand_rows(answer)]
        if self.is_boxed:
            self._panel(self._hands(dealer, hands), title=title, subtitle=", ".join(money))
            return
        self.say(f"{title}.", style=KEY)
        for row in (dealer, *hands):
            self._hand_lines(row)
        self.say(f"{sentence_case(', '.join(money))}.")

    def _hands(self, dealer: Row, hands: Sequence[Row]) -> Table:
        grid = Table.grid(padding=(0, 2, 0, 0), expand=True)
        grid.add_column(max_width=16)
        grid.add_column(max_width=CARDS_WIDTH_MAX)
        grid.add_column(no_wrap=True)
        grid.add_column(ratio=1)
        some_wait = any(row.state for row in hands)
        if some_wait:
            grid.add_column(no_wrap=True)
        for place, row in enumerate((dealer, *hands)):
            style = GOLD if row.acts else ""
            cells: list[RenderableType] = [
                Text(row.name.replace("'s ", "'s\n"), style=style),
                self._cards(row.cards),
                Text(row.total, style=style or KEY),
                Text("\n").join(Text(bet.words, style=OUTCOME[bet.outcome]) for bet in row.bets),
            ]
            if some_wait:
                cells.append(Text(row.state, style=style or QUIET))
            grid.add_row(*cells)
            if place < len(hands):
                grid.add_row()
        return grid

    def _cards(self, cards: Iterable[Card | None]) -> Flow:
        return Flow([self._card(card) for card in cards], gap=1)

    def _card(self, card: Card | None) -> Text:
        face = str(card) if card else FACE_DOWN
        if not self.look.colour:
            return Text(f"[{face}]")
        style = CARD_BACK if card is None else RED_CARD if face[1] in RED_SUITS else CARD
        return Text(f" {face} ", style=style)

    def _hand_lines(self, row: Row) -> None:
        up = [card for card in row.cards if card]
        down = len(row.cards) - len(up)
        cards = card_names(up) if self.look.plain else " ".join(map(str, up))
        if down:
            cards += f", {counted(down, 'card')} face down"
        self.say(f"{row.name}: {cards}: {row.total}{f', {row.state}' if row.state else ''}.",
                 style=KEY if row.acts else "")  # fmt: skip
        if row.bets:
            self.say(f"  {'; '.join(bet.words for bet in row.bets)}.")

    def choices(self, answer: Answer) -> None:
        """Every choice with its key and price, and why some are closed."""
        choices = answer.choices
        if self.look.plain:
            self.say(f"{self.whose(answer)}. Type {offers(choices)}.")
        else:
            open_ = [self._choice(choice) for choice in choices if choice.enabled]
            self._print(Flow([Text(f"{self.whose(answer)}:", style=KEY), *open_], gap=3))
        for choice in choices:
            if choice.why:
                self.say(f"{choice_key(choice.choice)} {choice_name(choice.choice)} is closed: "
                         f"{choice.why}", style=QUIET)  # fmt: skip

    def _choice(self, choice: Choice) -> Text:
        cost = f" {amount(choice.cost)}" if choice.cost else ""
        key = choice_key(choice.choice)
        return Text.assemble((f"[{key}]", KEY), f" {choice_name(choice.choice)}{cost}")

    def whose(self, answer: Answer) -> str:
        """Who is to choose, and with what."""
        choice = answer.choices[0]
        spots = {spot.spot: len(spot.hands) for spot in answer.round.table.spots}
        name = hand_name(answer.round.game, choice.spot, choice.hand, spots[choice.spot])
        (acting,) = (row for row in hand_rows(answer) if row.acts)
        up = dealer_row(answer).total
        return f"{sentence_case(name)}, {acting.total} against {'an ace' if up == 'ace' else up}"

    # After the round

    def result(self, sentence: str) -> None:
        """What the whole round brought."""
        self.say(sentence, style=KEY)

    def check(self, proof: Proof) -> None:
        """The command that deals the shoe again, with the server seed that is shown now."""
        self.say("The server seed is shown now; check the shuffle yourself:", style=QUIET)
        self.say(*continued(proof.check, self.width), style=QUIET)

    # Pages

    def rules(self, game: Game) -> Iterator[tuple[int, str]]:
        """The rules page in portions that fit the window, and how many lines are left after each.

        Where nothing is drawn, all of it is one portion.
        """
        self.fresh()
        lines = describe.as_text(describe.page(game), min(self.width, TEXT_WIDTH_MAX)).splitlines()
        height = len(lines) if self.look.plain else max(1, self.console.height - 1)
        for start in range(0, len(lines), height):
            yield len(lines[start + height :]), "\n".join(lines[start : start + height])

    def help(self, opening: Sequence[str], commands: Sequence[Command]) -> None:
        self.fresh()
        self.say(*opening)
        if not self.is_boxed:
            self.say(*(f"{command.usage}: {command.does}." for command in commands))
            return
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(no_wrap=True)
        grid.add_column()
        for command in commands:
            grid.add_row(Text(command.usage, style=KEY), Text(command.does))
        self._print(grid)

    def _panel(self, content: RenderableType, *, title: str, subtitle: str) -> None:
        assert self.look.boxes is not None
        self._print(
            Panel(
                content,
                box=self.look.boxes,
                title=Text(title, style=KEY),
                title_align="left",
                subtitle=Text(subtitle),
                subtitle_align="right",
                padding=(1 if self.console.height >= ROOMY_HEIGHT_MIN else 0, 2),
                width=min(self.width, BOXED_WIDTH_MAX),
                style=FELT,
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What is shown around the bets."""

    title: str
    balance: int
    meter: int | None


# Words of the screen


def about(game: Game) -> str:
    """A game in two or three short sentences."""
    spots = "One spot" if game.spots_max == 1 else f"Up to {number(game.spots_max)} spots"
    decks = listed([number(decks) for decks in game.decks_offered])
    sentences = [f"{spots}, {decks} deck{'' if decks == 'one' else 's'}.", house_words(game.rules)]
    if game.side_bets:
        some = f"{number(game.side_bets_open_max)} of "
        some = some if game.side_bets_open_max < len(game.side_bets) else ""
        sentences.append(f"Side bets: {some}{all_of(side.title for side in game.side_bets)}.")
    return " ".join(sentences)


def house_words(rules: Any) -> str:
    """What one wants to know of the rules before sitting down."""
    match rules:
        case DrawingRules():
            suited = rules.natural_suited
            more = f", in {suited.suit} {suited.odds}" if suited else ""
            on_17 = "hits" if rules.dealer_hits_soft_17 else "stands on"
            return f"Blackjack pays {rules.natural}{more}; the dealer {on_17} soft 17."
        case _:
            return f"Three cards each, raise or fold; the dealer needs {rules.qualifies_at}."


def level_words(game: Game, level: Level) -> str:
    """`main 5.00 to 50.00, 21+3 Progressive exactly 5.00`."""
    return ", ".join(
        f"{bet_name(game, bet)} {' '.join(_limit_words(level.bets[bet])[:1])}"
        for bet in game.bet_keys
        if bet in level.bets
    )


def _limit_words(limit: Limit) -> tuple[str, str]:
    if limit.min == limit.max:
        return f"exactly {amount(limit.min)}", ""
    return f"{amount(limit.min)} to {amount(limit.max)}", f"steps of {amount(limit.step)}"


def place_name(game: Game, place: Place) -> str:
    """`spot 2 classic`, or `ante` where there is only one spot."""
    return f"spot {place.spot} {place.bet}" if game.spots_max > 1 else place.bet


def _selected(layout: Layout) -> str:
    return f"Selected: {place_name(layout.game, layout.selected)}."


def _money(layout: Layout, balance: int) -> str:
    """Chips on the felt are no stake yet, but they are off the balance (G-08)."""
    return f"on the felt {amount(layout.total)}, balance {amount(balance - layout.total)}"


def _lying(game: Game, bets: SpotBets) -> str:
    named = [f"{bet} {amount(cents)}" for bet, cents in bets.bets]
    return f"{sentence_case(spot_name(game, bets.spot))}: {all_of(named)}."


def _open_bets(layout: Layout) -> list[str]:
    return [bet for bet in layout.game.bet_keys if bet in layout.limits]
