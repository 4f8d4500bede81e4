"""What the player types, read into values. Nothing here asks, draws or changes anything.

Every refusal is one sentence that says what may be typed instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from upcard.describe.words import amount
from upcard.game import Game
from upcard.money import parse_cents
from upcard.refused import Refused, listed
from upcard.table import Choice, ChoiceName
from upcard.terminal.layout import Amount, AtLimit, Exactly, More, Order, Place
from upcard.terminal.words import choice_name

LINE_CHARACTERS_MAX = 200
_THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+(\.\d{1,2})?")


# Words


def quoted(text: str) -> str:
    """What was typed, short and with nothing in it that could move a cursor."""
    shown = text if len(text) <= 40 else f"{text[:40]}..."
    return ascii(shown) if text else "an empty line"


def folded(text: str) -> str:
    """Words for comparing: small letters, `_` and `-` as spaces, one space between."""
    return " ".join(re.sub(r"[_-]", " ", text.lower()).split())


def _fitting(text: str, names: Iterable[str]) -> list[str]:
    """The name that this is, or else all names that begin with it."""
    wanted = folded(text)
    known = {name: folded(name) for name in names}
    exact = [name for name, fold in known.items() if fold == wanted]
    return exact or [name for name, fold in known.items() if wanted and fold.startswith(wanted)]


def pick(text: str, names: Sequence[str], titles: Sequence[str] = ()) -> str:
    """One of `names`, said as its number in the list, its beginning or its title's beginning.

    Names that are numbers themselves are said as such. Raises Refused (`field`).
    """
    fitting = _fitting(text, names)
    for title in _fitting(text, titles) if not fitting else ():
        fitting.append(names[titles.index(title)])
    counted = {str(number): name for number, name in enumerate(names, 1)}
    if not fitting and not any(name.isdigit() for name in names) and text.strip() in counted:
        return counted[text.strip()]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise Refused("field", f"{quoted(text)} could be {listed(fitting)}; type more of it.")
    raise Refused("field", f"{quoted(text)} is none of these; type {listed(names)}.")


def pick_several(text: str, names: Sequence[str], titles: Sequence[str]) -> tuple[str, ...]:
    """Names or numbers: words, or with commas between them more than words.

    Raises Refused (`field`).
    """
    said = text.split(",") if "," in text else text.split()
    return tuple(pick(one.strip(), names, titles) for one in said)


def yes_or_no(text: str) -> bool:
    """Raises Refused (`field`)."""
    fitting = _fitting(text, ("yes", "no"))
    if len(fitting) != 1:
        raise Refused("field", f"{quoted(text)} is no answer; type y for yes or n for no.")
    return fitting == ["yes"]


# Choices

CHOICE_KEYS: dict[ChoiceName, tuple[str, ...]] = {
    "hit": ("h",),
    "stand": ("s",),
    "double": ("d",),
    "split": ("p",),
    "surrender": ("r",),
    "rescue": ("r",),
    "insurance": ("i", "y", "yes"),
    "no_insurance": ("n", "no"),
    "even_money": ("e", "i", "y", "yes"),
    "no_even_money": ("n", "no"),
    "raise": ("r",),
    "fold": ("f",),
}
"""What may be typed for a choice beside its name; the first key is the one that is shown."""


def choice_key(choice: ChoiceName) -> str:
    return CHOICE_KEYS[choice][0]


def priced(choice: Choice) -> str:
    """`h hit`, `d double for 10.00`."""
    cost = f" for {amount(choice.cost)}" if choice.cost else ""
    return f"{choice_key(choice.choice)} {choice_name(choice.choice)}{cost}"


def offers(choices: Collection[Choice]) -> str:
    """What may be typed, as the end of a sentence."""
    return listed([priced(choice) for choice in choices if choice.enabled])


def find_choice(text: str, choices: Sequence[Choice]) -> Choice | None:
    """The choice that is meant, by key, name or its beginning; None if it is none of these.

    Raises Refused (`funds`) for a choice that the balance does not cover.
    """
    wanted = folded(text)
    found = [choice for choice in choices if wanted in CHOICE_KEYS[choice.choice]]
    if not found:
        fitting = _fitting(text, [choice.choice for choice in choices])
        found = [choice for choice in choices if fitting == [choice.choice]]
    if not found:
        return None
    if found[0].why:
        raise Refused("funds", f"{found[0].why} Type {offers(choices)}.")
    return found[0]


# Commands


@dataclass(frozen=True, slots=True)
class Command:
    """One word that may be typed at a prompt, and what it does."""

    name: str
    usage: str
    does: str


ALWAYS = (
    Command("table", "table", "show the table again"),
    Command("rules", "rules", "the rules, limits and pay tables of this game"),
    Command("warn", "warn [hit|stand|double] on|off", "ask before a doubtful choice"),
    Command("client", "client NAME|new", "your part of the shuffle: your own, or new every round"),
    Command("history", "history", "your last rounds and what they brought"),
    Command("refill", "refill", "restore your play money"),
    Command("proof", "proof [FILE]", "show or write the proof of the last round"),
    Command("save", "save FILE", "write the last round as a .round file"),
    Command("help", "help (or ?)", "these words"),
    Command("lobby", "lobby", "leave the table"),
    Command("quit", "quit", "end the sitting"),
)
"""Words for every prompt."""

INSURANCE_SETTING = Command(
    "insurance", "insurance always|never", "whether you are asked for insurance"
)
BETTING = (
    Command("deal", "deal (or d, or Enter)", "deal; on an empty felt the last bets are laid first"),
    Command("rebet", "rebet", "lay the bets of the last deal again"),
    Command("all", "all min, all max", "the least or most on all places you played last"),
    Command("undo", "undo (or z)", "take back the latest change on the selected place"),
    Command("clear", "clear [SPOT] [BET]", "take everything, a spot or one bet off"),
)
LEVEL = Command("level", "level [NAME]", "change the limits")
DECKS = Command("decks", "decks NUMBER", "change the number of decks")
SIDES = Command("sides", "sides BET BET", "change the side bets that are open")


def betting_commands(game: Game, whole: Game) -> tuple[Command, ...]:
    """What may be typed before a deal; `whole` is the game before its table was chosen."""
    settings = []
    settings += [LEVEL] if len(whole.levels) > 1 else []
    settings += [DECKS] if len(whole.decks_offered) > 1 else []
    settings += [SIDES] if len(whole.side_bets) > whole.side_bets_open_max else []
    return (*BETTING, *settings, *round_commands(game))


def round_commands(game: Game) -> tuple[Command, ...]:
    """What may be typed at a table at any time."""
    return (*([INSURANCE_SETTING] if game.insurance_setting else []), *ALWAYS)


@dataclass(frozen=True, slots=True)
class Typed:
    """A command with the words after it."""

    name: str
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Lay:
    """Bets in the order in which they were typed."""

    orders: tuple[Order, ...]


@dataclass(frozen=True, slots=True)
class Select:
    place: Place


_KEYS = {"?": "help", "z": "undo", "d": "deal"}
"""Commands by one key; their names may be shortened too."""


def find_command(text: str, commands: Iterable[Command], *, whole: bool = False) -> Typed | None:
    """The command that a line begins with, or None. `whole`: no mere beginnings of its name.

    Raises Refused (`field`) for a beginning of more than one.
    """
    word, _, rest = text.strip().partition(" ")
    names = [command.name for command in commands]
    name = _KEYS.get(word.lower(), word.lower())
    if name in names or whole:
        return Typed(name, rest.strip()) if name in names else None
    fitting = _fitting(word, names)
    if len(fitting) > 1:
        raise Refused("field", f"{quoted(word)} could be {listed(fitting)}; type more of it.")
    return Typed(fitting[0], rest.strip()) if fitting else None


# Bets


def read_bets(
    text: str, game: Game, selected: Place, commands: Sequence[Command]
) -> Typed | Lay | Select:
    """A line typed before the deal. Raises Refused (`field`).

    `10`, `main 10`, `2 main 25`, `2 25`, `main 10 classic 5`, `main min`, `main +5` lay bets,
    `2 main` selects a place; everything else is a command.
    """
    words = text.split()
    if folded(text) in ("min all", "max all"):
        return Typed("all", words[0].lower())
    if found := find_command(text, commands, whole=True):
        return found
    if _is_bet_line(words, game, commands):
        return _BetLine(words, game, selected).read()
    if found := find_command(text, commands):
        return found
    raise Refused(
        "field",
        f"{quoted(text)} is nothing to do here; type a bet like '{game.main} 10', or help.",
    )


def _is_bet_line(words: Sequence[str], game: Game, commands: Sequence[Command]) -> bool:
    """Whether a line begins like a bet. Raises Refused (`field`) where it is a command as well."""
    first = words[0]
    if _amount(first) is not None or (first.isascii() and first.isdigit()):
        return True
    bets, names = _fitting(first, game.bet_keys), [command.name for command in commands]
    others = [] if first.lower() in game.bet_keys else _fitting(first, names)
    if bets and others:
        raise Refused("field", f"{quoted(first)} could be {listed([*bets, *others])}; type more.")
    return bool(bets)


class _BetLine:
    """Reads one line of bets from the left."""

    def __init__(self, words: Sequence[str], game: Game, selected: Place) -> None:
        self._words = list(words)
        self._game = game
        self._selected = selected

    def read(self) -> Lay | Select:
        spot = self._spot()
        orders: list[Order] = []
        if _amount(self._words[0]) is not None:
            orders.append(Order(spot, None, self._next_amount("")))
        while self._words:
            spot = self._spot() or spot
            bet = self._bet()
            if not self._words and not orders:
                return Select(Place(spot or self._selected.spot, bet))
            orders.append(Order(spot, bet, self._next_amount(bet)))
        return Lay(tuple(orders))

    def _spot(self) -> int | None:
        """A small whole number with something after it is a spot; alone it is an amount."""
        first = self._words[0]
        if len(self._words) == 1 or len(first) > 2 or not (first.isascii() and first.isdigit()):
            return None
        if self._game.spots_max == 1 and first != "1":
            return None
        return int(self._words.pop(0))

    def _bet(self) -> str:
        """One bet, in one word or in the two of its whole name (`ace plus`)."""
        both = " ".join(self._words[:2])
        if folded(both) in map(folded, self._game.bet_keys):
            del self._words[:2]
            return pick_bet(both, self._game)
        return pick_bet(self._words.pop(0), self._game)

    def _next_amount(self, bet: str) -> Amount:
        if not self._words:
            raise self._refused(f"{bet} lacks its amount")
        word = self._words.pop(0)
        said = _amount(word)
        if said is None:
            raise self._refused(f"{quoted(word)} is no amount")
        return said

    def _refused(self, wrong: str) -> Refused:
        return Refused("field", f"{wrong[:1].upper()}{wrong[1:]}; {bet_help(self._game)}.")


def bet_help(game: Game) -> str:
    """How bets are typed, as the end of a sentence."""
    spot = "a spot, " if game.spots_max > 1 else ""
    like = f"'2 {game.main} 25'" if game.spots_max > 1 else f"'{game.main} 25'"
    return f"type {spot}a bet and an amount with at most two decimals, like {like}"


def pick_bet(word: str, game: Game) -> str:
    """A bet by its key or the beginning of it. Raises Refused (`field`)."""
    fitting = _fitting(word, game.bet_keys)
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise Refused("field", f"{quoted(word)} could be {listed(fitting)}; type more of it.")
    raise Refused(
        "field", f"{quoted(word)} is no bet here; the bets are {listed(game.bet_keys, 'and')}."
    )


def _amount(word: str) -> Amount | None:
    if word.lower() in ("min", "max"):
        return AtLimit("min" if word.lower() == "min" else "max")
    more = word.startswith("+")
    digits = word[1:] if more else word
    if _THOUSANDS.fullmatch(digits):
        digits = digits.replace(",", "")
    try:
        cents = parse_cents(digits)
    except Refused:
        return None
    return More(cents) if more else Exactly(cents)


def cleared_places(text: str, places: Iterable[Place], game: Game) -> list[Place]:
    """What `clear`, `clear 2`, `clear classic` and `clear 2 classic` mean, out of these places.

    Raises Refused (`field`).
    """
    tests: list[Callable[[Place], bool]] = []
    words = text.split()
    if words and words[0].isascii() and words[0].isdigit():
        number = int(words.pop(0)[:3])
        tests.append(lambda place: place.spot == number)
    if words:
        bet = pick_bet(words.pop(0), game)
        tests.append(lambda place: place.bet == bet)
    if words:
        raise Refused("field", f"{quoted(text)} is no place; type clear, 'clear 2' or 'clear 2 "
                      f"{game.main}'.")  # fmt: skip
    return [place for place in places if all(test(place) for test in tests)]
