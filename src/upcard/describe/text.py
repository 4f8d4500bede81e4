"""The rules page as plain text for a terminal: no colour, no drawing, nothing to see but words.

Headings are numbered, so that a screen reader or a search finds its way; tables are columns where
these fit the width and labelled lines where they do not.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from upcard.describe.record import Listing, Page, Section, Sentence

WIDTH_MIN = 20
GAP = 2
COLUMN_MIN = 18
"""A column is wrapped down to this; below it a table is read better line by line."""


def as_text(page: Page, width: int = 80) -> str:
    """The page in lines of at most `width` characters."""
    assert width >= WIDTH_MIN, f"a page needs {WIDTH_MIN} columns, not {width}"
    blocks = [_wrapped(page.title, width), _wrapped(page.opening, width)]
    for number, section in enumerate(page.sections, 1):
        blocks += _section(section, f"{number}.", width)
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _section(section: Section, number: str, width: int) -> Iterator[list[str]]:
    yield _wrapped(f"{number} {section.title}", width)
    if section.sentences:
        yield [
            line
            for sentence in section.sentences
            for line in _bullet(_words(section, sentence), width)
        ]
    for listing in section.listings:
        yield _listing(listing, width)
    for count, part in enumerate(section.parts, 1):
        yield from _section(part, f"{number}{count}", width)


def _words(section: Section, sentence: Sentence) -> str:
    clause = f" [{sentence.clause}]" if section.shows_clauses and sentence.clause else ""
    return f"{sentence.sentence}{clause}"


def _wrapped(text: str, width: int, indent: str = "", first: str | None = None) -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )


def _bullet(text: str, width: int) -> list[str]:
    return _wrapped(text, width, indent="  ", first="- ")


# Tables


def _listing(listing: Listing, width: int) -> list[str]:
    caption = _wrapped(f"{listing.caption}:", width)
    widths = _column_widths(listing, width - GAP)
    if widths is None:
        return [*caption, *_labelled(listing, width)]
    return [*caption, *_columns(listing, widths)]


def _column_widths(listing: Listing, width: int) -> list[int] | None:
    """As wide as the cells need, the widest column wrapped if it must be; None if that fails."""
    cells = [listing.head, *listing.rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(listing.head))]
    over = sum(widths) + GAP * (len(widths) - 1) - width
    while over > 0:
        widest = widths.index(max(widths))
        second = sorted(widths)[-2]
        cut = min(over, max(1, widths[widest] - second))
        if widths[widest] - cut < COLUMN_MIN:
            return None
        widths[widest] -= cut
        over -= cut
    return widths


def _columns(listing: Listing, widths: list[int]) -> list[str]:
    figures = listing.columns_of_figures()
    lines = []
    for row in (listing.head, *listing.rows):
        cells = [textwrap.wrap(cell, size) for cell, size in zip(row, widths, strict=True)]
        for height in range(max(map(len, cells))):
            parts = (
                _set(cell[height : height + 1], size, figure)
                for cell, size, figure in zip(cells, widths, figures, strict=True)
            )
            lines.append((" " * GAP + (" " * GAP).join(parts)).rstrip())
    return lines


def _set(line: list[str], size: int, figure: bool) -> str:
    """One line of a cell, or nothing, in its place."""
    text = "".join(line)
    return text.rjust(size) if figure else text.ljust(size)


def _labelled(listing: Listing, width: int) -> list[str]:
    lines = []
    for title, *cells in listing.rows:
        labels = (
            f"{name.lower()}: {cell}" for name, cell in zip(listing.head[1:], cells, strict=True)
        )
        lines += _bullet(f"{title}; {'; '.join(labels)}", width)
    return lines
