"""The rules page as one HTML file: no script, nothing loaded from anywhere, good XML too."""

from __future__ import annotations

from html import escape
from importlib.resources import files

from upcard.describe.record import Listing, Page, Section, Sentence

_SPADE = (
    '<svg class="mark" viewBox="0 0 48 48" aria-hidden="true">'
    '<circle cx="24" cy="24" r="22" fill="#7c1524" stroke="#e3bf6e" stroke-width="2"/>'
    '<path fill="#f6e2ac" d="M24 9c4 6 12 9 12 16a6 6 0 0 1-10.500 4c.2 3.500 1.500 5.500 3.500 '
    '8h-10c2-2.500 3.300-4.500 3.500-8A6 6 0 0 1 12 25c0-7 8-10 12-16z"/></svg>'
)


def as_html(page: Page) -> str:
    """The page as a self-contained document; everything that comes from a record is escaped."""
    title = escape(page.title)
    css = files("upcard.describe").joinpath("page.css").read_text(encoding="utf-8")
    contents = "".join(
        f'<li><a href="#{_id(section)}">{escape(section.title)}</a></li>'
        for section in page.sections
    )
    sections = "\n".join(_section(section, 2) for section in page.sections)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="theme-color" content="#06231a"/>
<meta name="dcterms.modified" content="{escape(page.changed)}"/>
<link rel="icon" href="data:,"/>
<title>{title}: rules and pay tables</title>
<style>
{css}</style>
</head>
<body>
<header>
{_SPADE}
<h1>{title}</h1>
<p class="opening">{escape(page.opening)}</p>
</header>
<nav aria-label="Contents"><ul>{contents}</ul></nav>
<main>
{sections}
</main>
</body>
</html>
"""


def _id(section: Section) -> str:
    return escape(section.key)


def _section(section: Section, level: int) -> str:
    top = ' class="top"' if level == 2 else ""
    key = _id(section)
    body = [
        f'<h{level} id="{key}">{escape(section.title)}</h{level}>',
        _sentences(section),
        *(_listing(listing) for listing in section.listings),
        *(_section(part, level + 1) for part in section.parts),
    ]
    inner = "\n".join(part for part in body if part)
    return f'<section{top} aria-labelledby="{key}">\n{inner}\n</section>'


def _sentences(section: Section) -> str:
    if not section.sentences:
        return ""
    items = "\n".join(_sentence(sentence, section) for sentence in section.sentences)
    return f'<ul class="said">\n{items}\n</ul>'


def _sentence(said: Sentence, section: Section) -> str:
    field = f' data-field="{escape(said.field)}"' if said.field else ""
    clause = f' data-clause="{escape(said.clause)}"' if said.clause else ""
    shown = ""
    if section.shows_clauses and said.clause:
        shown = f' <span class="clause">{escape(said.clause)}</span>'
    return f"<li{field}{clause}>{escape(said.sentence)}{shown}</li>"


def _listing(listing: Listing) -> str:
    """A table whose first column heads the rows; columns of figures are set to the right."""
    figures = listing.columns_of_figures()
    head = "".join(
        f'<th scope="col"{_class(figure)}>{escape(name)}</th>'
        for name, figure in zip(listing.head, figures, strict=True)
    )
    rows = "\n".join(_row(row, figures) for row in listing.rows)
    kind = ' class="figures"' if len(figures) > 2 and all(figures[1:]) else ""
    return (
        f"<table{kind}>\n<caption>{escape(listing.caption)}</caption>\n"
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"
    )


def _class(figure: bool) -> str:
    return ' class="figure"' if figure else ""


def _row(row: tuple[str, ...], figures: tuple[bool, ...]) -> str:
    title, *cells = row
    body = "".join(
        f"<td{_class(figure)}>{escape(cell)}</td>"
        for cell, figure in zip(cells, figures[1:], strict=True)
    )
    return f'<tr><th scope="row">{escape(title)}</th>{body}</tr>'
