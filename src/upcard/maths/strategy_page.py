"""The strategy as charts: a letter and a colour in each cell, exceptions by the cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from upcard.game import Game
from upcard.maths import report
from upcard.maths.markup import TO, document, paragraph, percent, section, table, tiles
from upcard.maths.queries import VALUE_NAMES

Document = Mapping[str, Any]
Chart = Mapping[str, Mapping[str, str]]
Cell = tuple[str, str, str]
"""Chart, row and up card."""
UP_CARDS = (*VALUE_NAMES[1:], VALUE_NAMES[0])
HANDS_SHOWN = 14
FOOT = (
    "Computed by Upcard for the rules named above, over every hand that can be dealt. A star "
    "marks a cell in which some hands are better played otherwise."
)


def strategy_html(game: Game) -> str:
    """`upcard strategy GAME --html FILE`."""
    plan = report.strategy(game)
    main = report.main_odds(game)
    parts = [
        tiles(
            [
                (percent(main["rtp_wagered"]), "return per money wagered, played best"),
                (percent(-main["ev"]), "house edge per initial bet, played best"),
                (percent(-plan["alone"]["ev"]), "house edge by the charts alone"),
            ]
        ),
        paragraph("Rows are your hand, columns the dealer's up card; T is any ten-value card."),
        _legend(plan["codes"]),
        *_charts(plan),
        *_rescues(plan),
        _exceptions(plan),
    ]
    return document(f"{game.title}: best play", game, "\n".join(parts), FOOT)


def _cell(exception: Document) -> Cell:
    return exception["chart"], exception["row"], exception["up"]


def _legend(codes: Mapping[str, str]) -> str:
    items = "".join(
        f'<li><b class="{_colour(words)}">{escape(code)}</b>{escape(words)}</li>'
        for code, words in codes.items()
    )
    return f'<ul class="legend" aria-label="Letters">{items}</ul>'


def _colour(words: str) -> str:
    """The class of a cell: the first thing that its code says to do."""
    return words.partition(",")[0].partition(" ")[0]


# Charts

_TITLES = {"hard": "Hard totals", "soft": "Soft totals"}


def _charts(plan: Document) -> list[str]:
    """All charts side by side; for a plan by number of cards, a set of them for each."""
    codes, starred = plan["codes"], {_cell(each) for each in plan["exceptions"]}

    def drawn(part: Document, cards: str) -> list[str]:
        return [
            _chart(
                f"{title}, {cards} cards" if cards else title,
                _by_total(part[name], f"{cards}/{name}" if cards else name, codes, starred),
            )
            for name, title in _TITLES.items()
            if part[name]
        ]

    pairs = [_chart("Pairs", _by_rank(plan["pairs"], codes, starred))] if plan["pairs"] else []
    if "by_cards" not in plan:
        return [_side_by_side([*drawn(plan, ""), *pairs])]
    sets = [drawn(part, cards) for cards, part in plan["by_cards"].items()]
    return [*map(_side_by_side, sets), _side_by_side(pairs)]


def _rescues(plan: Document) -> list[str]:
    """Charts of doubled hands that may be given up."""
    if "rescue" not in plan:
        return []
    words = {"R": "rescue", "S": "stand"}
    sets = [
        [
            _chart(
                f"Doubled, {title.lower()}, {cards} cards",
                _by_total(part[name], "", words, set()),
            )
            for name, title in _TITLES.items()
        ]
        for cards, part in plan["rescue"].items()
    ]
    return [section("After a double", _legend(words), *map(_side_by_side, sets))]


def _side_by_side(charts: Sequence[str]) -> str:
    return f'<div class="charts">{"".join(charts)}</div>' if charts else ""


def _chart(title: str, rows: Sequence[tuple[str, str]]) -> str:
    head = "".join(f'<th scope="col">{up}</th>' for up in UP_CARDS)
    body = "\n".join(f'<tr><th scope="row">{label}</th>{cells}</tr>' for label, cells in rows)
    return (
        f'<table class="chart"><caption>{title}</caption>'
        f"<thead><tr><td></td>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
    )


def _by_total(
    chart: Chart, key: str, codes: Mapping[str, str], starred: set[Cell]
) -> list[tuple[str, str]]:
    """Rows from the highest total down; neighbours that say the same become one, `17-21`."""
    found: list[tuple[list[int], str]] = []
    for total in sorted(map(int, chart), reverse=True):
        cells = _cells(chart[str(total)], key, str(total), codes, starred)
        if found and found[-1][1] == cells:
            found[-1][0].append(total)
        else:
            found.append(([total], cells))
    return [(_span(totals), cells) for totals, cells in found]


def _span(totals: Sequence[int]) -> str:
    low, high = min(totals), max(totals)
    return str(low) if low == high else f"{low}{TO}{high}"


def _by_rank(chart: Chart, codes: Mapping[str, str], starred: set[Cell]) -> list[tuple[str, str]]:
    """Aces, tens, nines ... twos."""
    return [
        (f"{rank},{rank}", _cells(chart[rank], "pairs", rank, codes, starred))
        for rank in reversed((*VALUE_NAMES[1:], VALUE_NAMES[0]))
        if rank in chart
    ]


def _cells(
    row: Mapping[str, str], key: str, name: str, codes: Mapping[str, str], starred: set[Cell]
) -> str:
    return "".join(_td(row.get(up), codes, (key, name, up) in starred) for up in UP_CARDS)


def _td(code: str | None, codes: Mapping[str, str], star: bool) -> str:
    if code is None:
        return "<td></td>"
    mark = "<sup>*</sup>" if star else ""
    return f'<td class="{_colour(codes[code])}">{escape(code)}{mark}</td>'


# Exceptions


def _exceptions(plan: Document) -> str:
    if not plan["exceptions"]:
        return section("Exceptions", paragraph("None: the charts are the best play of every hand."))
    groups: dict[tuple[str, str, str, str], list[Document]] = {}
    for each in sorted(plan["exceptions"], key=lambda each: -each["gain"]):
        groups.setdefault((*_cell(each), each["code"]), []).append(each)
    rows = [
        (
            f"{_named(chart, row)} against {up}",
            f"<b>{escape(code)}</b> {escape(plan['codes'][code])}",
            _hands(those),
            percent(max(each["gain"] for each in those), 3),
        )
        for (chart, row, up, code), those in groups.items()
    ]
    return section(
        "Exceptions",
        paragraph(
            "Hands whose very cards make another play better than the chart's, with the most that "
            "one of them gains, in per cent of the initial bet."
        ),
        table(("Cell", "Play", "Hands", "Gains up to"), rows, words=(0, 1, 2), long=True),
    )


def _named(chart: str, row: str) -> str:
    cards, _, name = chart.rpartition("/")
    words = f"{row},{row}" if name == "pairs" else f"{name.capitalize()} {row}"
    return f"{words} ({cards} cards)" if cards else words


def _hands(those: Sequence[Document]) -> str:
    few_cards_first = sorted(those, key=lambda each: len(each["cards"]))[:HANDS_SHOWN]
    shown = ", ".join(f"<span>{escape(each['cards'])}</span>" for each in few_cards_first)
    left = len(those) - HANDS_SHOWN
    return f'<span class="hands">{shown}{f" and {left} more" if left > 0 else ""}</span>'
