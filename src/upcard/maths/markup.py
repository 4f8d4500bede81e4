"""HTML that our sheets share: the shell and tables. No script, nothing loaded from anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from upcard.describe.words import counted, day, sentence_case
from upcard.game import Game

MINUS = "\N{MINUS SIGN}"
TO = "\N{EN DASH}"
PER_CENT = "\N{NO-BREAK SPACE}%"


def document(title: str, game: Game, body: str, foot: str) -> str:
    """A whole page about a game as it is dealt."""
    css = files("upcard.maths").joinpath("sheet.css").read_text(encoding="utf-8")
    under = (
        f"{sentence_case(counted(game.rules.decks, 'deck'))} · rules of {day(game.changed)} · "
        f"rules hash {game.rules_hash[:12]}"
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<link rel="icon" href="data:,"/>
<title>{escape(title)}</title>
<style>
{css}</style>
</head>
<body>
<header>
<h1>{escape(title)}</h1>
<p class="under">{escape(under)}</p>
</header>
<main>
{body}
</main>
<footer>{escape(foot)}</footer>
</body>
</html>
"""


def section(title: str, *parts: str) -> str:
    inner = "\n".join(part for part in parts if part)
    return f"<section>\n<h2>{escape(title)}</h2>\n{inner}\n</section>"


def paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    caption: str = "",
    foot: Sequence[str] = (),
    words: Sequence[int] = (0,),
    long: bool = False,
) -> str:
    """Rows of HTML cells, the first of each its title; columns not in `words` hold figures.

    A `long` one may be broken between pages.
    """
    columns = [column in words for column in range(len(head))]
    top = "".join(
        f'<th scope="col"{_class(is_words)}>{cell}</th>'
        for cell, is_words in zip(head, columns, strict=True)
    )
    body = "\n".join(_row(row, columns) for row in rows)
    return (
        f'<div class="wide{" long" if long else ""}"><table>'
        + (f"<caption>{escape(caption)}</caption>" if caption else "")
        + f"<thead><tr>{top}</tr></thead>\n<tbody>\n{body}\n</tbody>\n"
        + (f"<tfoot>{_row(foot, columns)}</tfoot>\n" if foot else "")
        + "</table></div>"
    )


def _row(cells: Sequence[str], columns: Sequence[bool]) -> str:
    title, *others = cells
    rest = "".join(
        f"<td{_class(is_words)}>{cell}</td>"
        for cell, is_words in zip(others, columns[1:], strict=True)
    )
    return f'<tr><th scope="row">{title}</th>{rest}</tr>'


def _class(is_words: bool) -> str:
    return "" if is_words else ' class="n"'


def tiles(figures: Iterable[tuple[str, str]]) -> str:
    """Figure and what it is, side by side."""
    items = "".join(
        f"<li><b>{escape(figure)}</b><span>{escape(what)}</span></li>" for figure, what in figures
    )
    return f'<ul class="tiles">{items}</ul>'


def percent(part: float, digits: int = 4) -> str:
    """`99.8031 %`; a negative one with a minus as wide as a plus."""
    return f"{part * 100:.{digits}f}{PER_CENT}".replace("-", MINUS)


def signed(part: float, digits: int = 4) -> str:
    """`+0.0408`."""
    return f"{part:+.{digits}f}".replace("-", MINUS)
