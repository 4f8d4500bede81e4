"""What a rules page is made of: sentences, listings, sections, the page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sentence:
    """Something the page says.

    `field` and `value` name the rule field that it puts into words and that field's text, both
    None for what every game of its kind has in common; `clause` is the clause that demands it.
    """

    field: str | None
    value: str | None
    sentence: str
    clause: str | None


def said(sentence: str, clause: str | None = None) -> Sentence:
    """A sentence that hangs on no rule field."""
    return Sentence(None, None, sentence, clause)


FIGURE_LENGTH = len("original bet returned")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A small table: the first cell of each row is the row's title."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def columns_of_figures(self) -> tuple[bool, ...]:
        """Which columns hold amounts, odds or what stands in their place; set to the right."""
        columns = [[row[n] for row in self.rows] for n in range(1, len(self.head))]
        return (False, *map(_is_figures, columns))


def _is_figures(column: list[str]) -> bool:
    short = all(len(cell) <= FIGURE_LENGTH for cell in column)
    return short and any(cell[:1].isdigit() for cell in column)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the page under a title; `key` is unique on the page.

    `shows_clauses`: the clause ids are read here, elsewhere they are only kept.
    """

    key: str
    title: str
    sentences: tuple[Sentence, ...] = ()
    listings: tuple[Listing, ...] = ()
    parts: tuple[Section, ...] = ()
    shows_clauses: bool = False

    def walk(self) -> Iterator[Section]:
        """This section and all parts inside it, in reading order."""
        yield self
        for part in self.parts:
            yield from part.walk()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The rules page of one game; `changed` is the ISO date of its last change."""

    key: str
    title: str
    opening: str
    sections: tuple[Section, ...]
    changed: str

    def sentences(self) -> Iterator[Sentence]:
        for top in self.sections:
            for section in top.walk():
                yield from section.sentences

    def listings(self) -> Iterator[Listing]:
        for top in self.sections:
            for section in top.walk():
                yield from section.listings
