"""PAR sheets and strategy charts: whole, self-contained, well-formed, and telling the truth."""

from __future__ import annotations

import math
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from upcard.game import Game
from upcard.games import CATALOGUE, find
from upcard.maths import par, par_page, plots, report, strategy_page
from upcard.maths.shoe import full
from upcard.maths.sidebets import side_bet

PAGES = {
    **{f"{game.key} par": (par_page.par_html, game) for game in CATALOGUE},
    **{f"{game.key} strategy": (strategy_page.strategy_html, game) for game in CATALOGUE},
}


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return {name: make(game) for name, (make, game) in PAGES.items()}


class Reader(HTMLParser):
    """The text of a page, and everything in it that would make a browser fetch or run something."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        outside = [given.get(name) or "" for name in ("src", "href", "action", "data", "srcset")]
        self.fetched += [link for link in outside if link and link != "data:,"]
        self.fetched += [tag] if tag in {"script", "iframe", "object", "embed", "form"} else []
        self.fetched += [name for name in given if name.startswith("on")]

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    return reader


def text(page: str) -> str:
    return " ".join(" ".join(read(page).words).split())


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_well_formed_and_fetch_nothing(pages: dict[str, str], name: str) -> None:
    """Self-contained: no script, no request."""
    page = pages[name]
    ElementTree.fromstring(page.partition("\n")[2].replace("&nbsp;", " "))
    assert read(page).fetched == []
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert style is not None
    assert "url(" not in style[1]
    assert "@import" not in style[1]
    assert "@media print" in style[1]


@pytest.mark.parametrize("game", CATALOGUE, ids=lambda game: game.key)
def test_par_sheets_print_the_odds(pages: dict[str, str], game: Game) -> None:
    """Returns of both kinds, spread, every count and pay, every rule field."""
    told = text(pages[f"{game.key} par"])
    odds = report.odds(game)
    main = odds["main"]
    for figure in (main["rtp"], main["rtp_wagered"]):
        assert f"{100 * figure:.4f} %" in told
    assert f"{main['sd']:.4f}" in told
    for field, value in odds["rules"].items():
        assert f"{field} {value}" in told
    for found in odds["side_bets"].values():
        assert f"exactly {found['rtp_exact']}." in told
        for row in found["rows"]:
            assert f"{row['count']:,}" in told
            assert f"{row['of']:,} equally likely deals" in told


def test_the_progressive_tells_its_meter(pages: dict[str, str]) -> None:
    """T-87: by meter. The break-even meter from the published counts: 67,854.75."""
    assert "return of the bet at a meter of 10,000.00" in text(pages["top3 par"])
    assert "Meter at which the bet breaks even 67,854.75" in text(pages["top3 par"])
    assert "at a meter of 25,000.00" in text(par_page.par_html(find("top3"), 2_500_000))


def test_every_cell_has_its_letter(pages: dict[str, str]) -> None:
    """Colour never alone: each cell of a chart says its code."""
    for name, page in pages.items():
        if name.endswith("strategy"):
            charts = re.findall(r'<table class="chart">.*?</table>', page, re.DOTALL)
            cells = re.findall(r'<td class="(\w+)">(.*?)</td>', "".join(charts))
            assert len(cells) > 60, name
            assert all(re.fullmatch(r"[A-Z][a-z]?(<sup>\*</sup>)?", cell) for _, cell in cells)
            style = page.partition("</style>")[0]
            assert all(f".{colour}" in style for colour, _ in cells)


def test_charts_say_what_the_strategy_says(pages: dict[str, str]) -> None:
    """3 Card Blackjack: each total's row, letter by letter."""
    plan = report.strategy(find("threecard"))
    charts = pages["threecard strategy"].split('<table class="chart">')[1:]
    for chart, name in zip(charts, ("hard", "soft"), strict=True):
        drawn: dict[str, list[str]] = {}
        for label, cells in re.findall(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>', chart):
            low, _, high = label.partition("\N{EN DASH}")
            letters = re.findall(r">([A-Z])<", cells)
            for total in range(int(low), int(high or low) + 1):
                drawn[str(total)] = letters
        assert drawn == {total: list(row.values()) for total, row in plan[name].items()}


@pytest.mark.parametrize("key", ["top3", "super21", "threecard"])
def test_cells_with_exceptions_bear_a_star_and_are_told(pages: dict[str, str], key: str) -> None:
    """The exceptions by the cards stand beside the charts."""
    plan, page = report.strategy(find(key)), pages[f"{key} strategy"]
    cells = {(each["chart"], each["row"], each["up"]) for each in plan["exceptions"]}
    assert page.count("<sup>*</sup>") == len(cells)
    told = text(page)
    for chart, row, up in cells:
        cards, _, name = chart.rpartition("/")
        group = f" ({cards} cards)" if cards else ""
        assert f"{name.capitalize()} {row}{group} against {up}" in told
        there = [
            each for each in plan["exceptions"] if (each["chart"], each["row"]) == (chart, row)
        ]
        shortest = min(there, key=lambda each: len(each["cards"]))
        assert shortest["cards"] in told
        most = max(each["gain"] for each in there if each["up"] == up)
        assert f"{100 * most:.3f} %" in told


# Figures of the sheet


def test_bands_are_those_of_the_normal_law() -> None:
    """z of 90, 95 and 99 %: 1.6449, 1.9600, 2.5758 (any table of the normal law)."""
    assert [round(par.z(level), 4) for level in (0.90, 0.95, 0.99)] == [1.6449, 1.96, 2.5758]
    assert par.half_width(2.0, 10_000, 0.95) == pytest.approx(0.0392, abs=1e-5)
    assert par.volatility_index(1.0) == pytest.approx(1.644854, abs=1e-6)


def test_rounds_until_the_bands_hold() -> None:
    """Thirty hits of the rarest row that brings 1 % of the return.

    Classic at six decks: a straight flush, 10,368 of 5,013,320. Suited matches of two cards, 3,120
    of 15,039,960 at 22:1, bring less than 1 %; one of each, 28,080 at 15:1, brings 3 %.
    """
    classic = side_bet(find("top3").side_bet("classic"), full(6))
    assert par.rounds_min(classic) == math.ceil(30 * 5_013_320 / 10_368)
    match = side_bet(find("ags").side_bet("match_super"), full(6))
    assert par.rounds_min(match) == math.ceil(30 * 15_039_960 / 28_080)
    # 1,040 suited threes at 21:1 bring 0.46 %, more than a hundredth of a return near 38 %.
    poor = find("top3").with_pay("top3", "suited_three", "21:1")
    poor = poor.with_pay("top3", "three_of_a_kind", "0:1")
    found = side_bet(poor.side_bet("top3"), full(6))
    assert par.rounds_min(found) == math.ceil(30 * 5_013_320 / 1_040)


def test_bars_stand_for_their_chances() -> None:
    """The height of a bar over that of another is as their chances."""
    drawn = plots.distribution([(-1.0, 0.5), (0.0, 0.1), (1.5, 0.4)], label="a & b", unit="u")
    heights = [float(found) for found in re.findall(r'<rect[^>]* height="([\d.]+)"', drawn)]
    assert heights[1] / heights[0] == pytest.approx(0.2, abs=0.01)
    assert heights[2] / heights[0] == pytest.approx(0.8, abs=0.01)
    assert 'aria-label="a &amp; b"' in drawn
    assert "+1.5: 40.0 %" in drawn


def test_funnels_narrow_with_the_root_of_the_rounds() -> None:
    """A hundred times the rounds, a tenth of the width."""
    drawn = plots.bands(1.0, 1.0, [(0.9, 1.645)], label="bands")
    match = re.search(r'<polygon[^>]* points="([^"]*)"', drawn)
    assert match is not None
    points = [tuple(map(float, point.split(","))) for point in match[1].split()]
    upper, lower = points[: len(points) // 2], points[len(points) // 2 :][::-1]
    widths = {a: d - b for (a, b), (_, d) in zip(upper, lower, strict=True)}
    first, *_, last = sorted(widths)
    later = min(widths, key=lambda x: abs(x - (first + (last - first) * 2 / 5)))
    assert widths[later] / widths[first] == pytest.approx(0.1, abs=0.01)
