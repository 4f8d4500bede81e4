"""Rules pages to test: the games they are made of, and readers of what was printed."""

from __future__ import annotations

import dataclasses
import re
from html.parser import HTMLParser

import pytest

from tests.rules.made_up import CROSSING, FORTNIGHT, ODD_RULES, odd_game
from upcard.describe import (
    Page,
    Section,
    as_html,
    as_text,
    page,
    rules_fields,
)
from upcard.game import Game, Level, Limit, Reading
from upcard.games import ANALYSED
from upcard.games.blackjack import BLACKJACK
from upcard.games.top3 import TOP3
from upcard.money import Odds
from upcard.paytable import PayTable, Row
from upcard.sidebets import MATCH, Evaluator, SideBet
from upcard.threecard import round as threecard
from upcard.threecard.rules import Rules as ThreeCardRules

ROOMY = dataclasses.replace(
    BLACKJACK,
    key="roomy",
    title="Roomy",
    levels=(Level("table", "Table", {"main": Limit(400, 40_000, 400)}),),
)
"""A table whose step is exact for every example of every field."""

BARE_SHOE = Evaluator(("black", "r<e>d"), "two", lambda cards: frozenset())
"""A side bet that no one has put into words."""

TRIPTYCH = Game(
    key="triptych",
    title='Triptych <b>&"Ace\'s"</b>',
    engine=threecard,
    rules=ThreeCardRules(
        decks=2, qualifies_at=21, best_of="three", dealer_natural_beats_21=False, tie="lose"
    ),
    decks_offered=(2, 4, 5),
    side_bets_open_max=2,
    side_bets=(
        SideBet(
            key="meet",
            title="Meet & <i>Greet</i>",
            evaluate=MATCH,
            pays=PayTable((Row("suited", Odds(3)), Row("unsuited", Odds(0)))),
        ),
        SideBet(
            key="colours",
            title="Colours",
            evaluate=BARE_SHOE,
            needs="ante",
            pays=PayTable((Row("black", Odds(7, 2)), Row("r<e>d", Odds(1)))),
        ),
    ),
    levels=(
        Level(
            "only",
            "Only <one>",
            {"ante": Limit(200, 1_234_600, 200), "colours": Limit(200, 200, 200)},
        ),
    ),
    readings=(Reading("Z-99", 'A <tag> & a "quote".'),),
    changed="2031-02-09",
)

GAMES = (*ANALYSED, FORTNIGHT, CROSSING, ROOMY, TRIPTYCH)
TABLES = (*(game.at_table() for game in ANALYSED), TOP3.at_table(decks=8))
EVERY = {game.key: game for game in GAMES}
EVERY |= {f"{game.key} at a table of {game.rules.decks}": game for game in TABLES}
EVERY |= {name: odd_game(name) for name in ODD_RULES}
every = pytest.mark.parametrize("game", EVERY.values(), ids=EVERY.keys())
WIDTHS = (40, 80, 120)


def plain(text: str) -> str:
    """Text with every run of white space one space."""
    return " ".join(text.split())


def all_words(game: Game) -> str:
    shown = page(game)
    return plain(" ".join([shown.opening, *(said.sentence for said in shown.sentences())]))


def says(game: Game) -> dict[str, str]:
    return {rule["field"]: rule["sentence"] for rule in rules_fields(game)}


def sections(shown: Page) -> list[Section]:
    return [section for top in shown.sections for section in top.walk()]


def titles(shown: Page) -> list[str]:
    return [section.title for section in shown.sections]


# An HTML reader that trusts nothing

VOID = {"meta", "link", "br", "hr", "img", "input", "circle", "path"}


class Reader(HTMLParser):
    """Checks that tags nest; keeps tags, attributes, tables and text as a browser has them."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.tables: list[list[list[str]]] = []
        self.captions: list[str] = []
        self.text: list[str] = []
        self.feed(document)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"<{tag}> repeats an attribute"
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("td", "th"):
            self.tables[-1][-1].append("")
        if tag == "caption":
            self.captions.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] == "style":
            return
        self.text.append(data)
        if self.open[-1] in ("td", "th"):
            self.tables[-1][-1][-1] += data
        if self.open[-1] == "caption":
            self.captions[-1] += data

    def table(self, caption: str) -> list[tuple[str, ...]]:
        """The body rows of the table with this caption."""
        (index,) = [n for n, found in enumerate(self.captions) if found == caption]
        return [tuple(row) for row in self.tables[index][1:]]

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def read(game: Game) -> Reader:
    return Reader(as_html(page(game)))


def text_table(game: Game, caption: str, width: int = 120) -> list[tuple[str, ...]]:
    """The body rows of a table in the text, read by its columns."""
    lines = as_text(page(game), width).splitlines()
    start = lines.index(f"{caption}:") + 2
    end = lines.index("", start)
    return [tuple(re.split(r" {2,}", line.strip())) for line in lines[start:end]]
