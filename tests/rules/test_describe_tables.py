"""What the rules page lists: pay tables from the rows that pay, limits, returns, readings, date.

Authority: CLAUSES, whose tables are typed here; ids in the docstrings.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from tests.rules.made_up import CROSSING, FORTNIGHT
from tests.rules.pages import (
    EVERY,
    ROOMY,
    TRIPTYCH,
    WIDTHS,
    Reader,
    all_words,
    every,
    plain,
    read,
    text_table,
    titles,
)
from upcard.describe import (
    as_html,
    as_text,
    page,
    row_title,
)
from upcard.describe.words import percent
from upcard.game import Game, Level, Limit
from upcard.games import ANALYSED
from upcard.games.ags import AGS
from upcard.games.super21 import SUPER21
from upcard.games.threecard import THREECARD
from upcard.games.top3 import TOP3
from upcard.money import MeterShare, Odds
from upcard.paytable import PayTable, Row

# Pay tables

PAY_TABLES = {
    # T-80
    ("top3", "Main bet and insurance pay"): [
        ("Natural", "3:2"),
        ("Natural against a natural of the dealer", "bet returned"),
        ("Winning hand", "1:1"),
        ("Insurance, if the dealer has a natural", "2:1"),
        ("Push", "bet returned"),
        ("Surrender", "half the bet returned"),
    ],
    # T-84
    ("top3", "Top 3 pays"): [
        ("Suited three of a kind", "270:1"),
        ("Straight flush", "180:1"),
        ("Three of a kind", "90:1"),
    ],
    # T-83
    ("top3", "21+3 Classic pays"): [
        ("Straight flush", "9:1"),
        ("Three of a kind", "9:1"),
        ("Straight", "9:1"),
        ("Flush", "9:1"),
    ],
    # T-85
    ("top3", "21+3 Progressive pays"): [
        ("Suited aces or kings, three of a kind", "the whole meter"),
        ("Suited three of a kind", "125 for 1"),
        ("Straight flush", "25 for 1"),
        ("Three of a kind", "20 for 1"),
        ("Straight", "7 for 1"),
        ("Flush", "3 for 1"),
    ],
    # C-12
    ("threecard", "Ace Plus Bonus pays"): [
        ("A-A-A", "100:1"),
        ("A-A-T", "25:1"),
        ("A-A-x", "15:1"),
        ("A-T-T", "6:1"),
        ("A-T-x", "3:1"),
        ("A-x-x", "1:1"),
    ],
    # S-03, S-04, S-05, S-07 to S-10, S-14, S-16
    ("super21", "Main bet and insurance pay"): [
        ("Natural of two diamonds", "2:1"),
        ("Any other natural", "1:1"),
        ("Natural against a natural of the dealer", "as any natural"),
        ("21 in five cards or more", "2:1"),
        ("Six cards or more not over 21", "1:1"),
        ("Winning hand", "1:1"),
        ("Insurance, if the dealer has a natural", "2:1"),
        ("Push", "bet returned"),
        ("Surrender", "half the bet returned"),
        ("Rescue", "original bet returned"),
    ],
    #
    ("ags", "Main bet and insurance pay"): [
        ("Natural", "3:2"),
        ("Natural against a natural of the dealer", "bet returned"),
        ("Winning hand", "1:1"),
        ("Insurance, if the dealer has a natural", "2:1"),
        ("Even money, if you take it", "1:1"),
        ("Push", "bet returned"),
        ("Surrender", "half the bet returned"),
    ],
    #
    ("ags", "Trifecta pays"): [
        ("Three fives", "200:1"),
        ("Straight flush", "30:1"),
        ("Three of a kind", "20:1"),
        ("Straight", "10:1"),
        ("Flush", "5:1"),
    ],
    #
    ("ags", "Match Super Bonus pays"): [
        ("Two suited matches", "22:1"),
        ("One suited and one unsuited match", "15:1"),
        ("Suited match", "11:1"),
        ("Two unsuited matches", "8:1"),
        ("Unsuited match", "4:1"),
    ],
    #
    ("ags", "Pairs Pay pays"): [("Suited pair", "15:1"), ("Unsuited pair", "10:1")],
    #
    ("ags", "In Bet pays"): [
        ("Three of one rank", "30:1"),
        ("Spread of one", "10:1"),
        ("Spread of two", "6:1"),
        ("Spread of three", "4:1"),
        ("Wider spread", "1:1"),
    ],
}


@pytest.mark.parametrize(
    ("key", "caption", "rows"),
    [(key, caption, rows) for (key, caption), rows in PAY_TABLES.items()],
    ids=[f"{key} {caption}" for key, caption in PAY_TABLES],
)
def test_pay_tables(key: str, caption: str, rows: list[tuple[str, str]]) -> None:
    """T-80, T-83 to T-85, C-12, S-03 to S-10, A-17 to A-21: these rows, in HTML and in text."""
    assert [(row[0], row[-1]) for row in read(EVERY[key]).table(caption)] == rows
    assert [(row[0], row[-1]) for row in text_table(EVERY[key], caption)] == rows


def test_ante_and_raise() -> None:
    """C-09, C-10, C-11: what becomes of the two bets, and of a variant in which ties lose."""
    rows = [
        ("Your blackjack, the dealer qualifies", "1:1", "1:1"),
        ("Your blackjack, the dealer does not qualify", "1:1", "returned"),
        ("No blackjack, the dealer does not qualify", "returned", "returned"),
        ("Higher total than a dealer who qualifies", "1:1", "1:1"),
        ("Equal totals", "returned", "returned"),
        ("Another 21 against a dealer blackjack", "lost", "lost"),
        ("Lower total than a dealer who qualifies", "lost", "lost"),
        ("You fold", "lost", "not laid"),
    ]
    assert read(THREECARD).table("Ante and raise pay") == rows
    assert text_table(THREECARD, "Ante and raise pay") == rows
    tied = read(THREECARD.with_rule("tie", "lose")).table("Ante and raise pay")
    assert tied[4] == ("Equal totals", "lost", "lost")
    at_21 = read(THREECARD.with_rule("qualifies_at", "21")).table("Ante and raise pay")
    assert [row for row in rows if row not in at_21] == [rows[3]]
    plain_21 = read(THREECARD.with_rule("dealer_natural_beats_21", "false"))
    assert plain_21.table("Ante and raise pay")[5][1:] == ("returned", "returned")


@every
def test_side_bet_rows_are_the_rows_that_pay(game: Game) -> None:
    """G-14: as many as the record has, in its order, in HTML, and in the text of every width."""
    reader = read(game)
    for side in game.side_bets:
        rows = reader.table(f"{side.title} pays")
        assert [row[0] for row in rows] == [row_title(side, row.name) for row in side.pays.rows]
        for width in WIDTHS:
            text = plain(as_text(page(game), width))
            after = text[text.index(f"{side.title} pays:") :]
            assert all(pays in after for *_, pays in rows)
        for (*_, shown), row in zip(rows, side.pays.rows, strict=True):
            assert shown == str(row.pays) or "meter" in shown
    assert len(reader.tables) == len(list(page(game).listings()))
    assert sum(" pays" in caption for caption in reader.captions) == len(game.side_bets)


def test_a_pay_set_otherwise_is_a_row_set_otherwise() -> None:
    """G-14: `with_pay` changes the row it names, and puts a new one where it ranks."""
    variant = TOP3.with_pay("classic", "flush", "8:1").with_pay("classic", "suited_three", "40:1")
    rows = [(row[0], row[-1]) for row in read(variant).table("21+3 Classic pays")]
    assert rows == [
        ("Suited three of a kind", "40:1"),
        ("Straight flush", "9:1"),
        ("Three of a kind", "9:1"),
        ("Straight", "9:1"),
        ("Flush", "8:1"),
    ]
    tenth = TOP3.with_pay("progressive", "suited_three", "meter/10")
    assert ("Suited three of a kind", "1/10 of the meter") in [
        (row[0], row[-1]) for row in read(tenth).table("21+3 Progressive pays")
    ]
    assert '"Suited three of a kind" takes 1/10 of the meter; the rest stays in it.' in all_words(
        tenth
    )
    assert "A natural pays 6:5." in all_words(ROOMY.with_rule("natural", "6:5"))


def test_each_outcome_of_our_evaluators_has_a_title() -> None:
    """G-14, C-12: titles for people, none the bare name of a program; each tells rows apart."""
    sides = [side for game in (*ANALYSED, FORTNIGHT, CROSSING) for side in game.side_bets]
    assert row_title(THREECARD.side_bet("ace_plus"), "aat") == "A-A-T"
    assert row_title(AGS.side_bet("trifecta"), "three_of_a_kind") == "Three of a kind"
    for side in sides:
        names = [row_title(side, name) for name in side.evaluate.outcomes]
        assert len(set(names)) == len(names)
        assert all("_" not in name and name[0].isupper() for name in names)


def test_a_side_bet_no_one_described_still_has_its_table() -> None:
    """G-14: an evaluator made elsewhere shows plain titles and the cards it looks at."""
    assert read(TRIPTYCH).table("Colours pays") == [("Black", "7:2"), ("R<e>d", "1:1")]
    assert "Your first two cards decide." in all_words(TRIPTYCH)
    assert "Colours also needs Ante on the same spot" in all_words(TRIPTYCH)


def test_for_one_is_explained_where_it_pays() -> None:
    """T-85: the stake is not returned; only tables that pay so say it."""
    assert "55 for 1 means that 55 times the stake come back, 220.00 on 4.00" in all_words(
        FORTNIGHT
    )
    assert "9 for 1 means that 9 times the stake come back; the" in all_words(FORTNIGHT)
    assert "for 1 means" not in all_words(AGS)


# Progressives


def test_meters() -> None:
    """T-85: only games with a meter speak of one, and theirs by its own record."""
    assert "The 21+3 Progressive meter" in titles(page(TOP3))
    assert not any("meter" in title for title in titles(page(AGS)) + titles(page(THREECARD)))
    words = all_words(FORTNIGHT)
    assert "Royal Flush of Three takes exactly 4.00; 1.00 of it (25 %) enters a meter" in words
    assert "The meter starts at 7,777.00." in words
    assert "One meter serves tables of one and two decks." in words
    wide = dataclasses.replace(
        FORTNIGHT, levels=(Level("table", "T", {"royal": Limit(400, 800, 400)}),)
    )
    assert "Of each stake on Royal Flush of Three, 25 % enters a meter" in all_words(wide)


def test_shares_are_exact() -> None:
    """T-85: 17 %; a share that four decimals cannot say is not rounded but left a fraction."""
    shares = {"17/100": "17 %", "1/40": "2.5 %", "1/1600": "0.0625 %", "1/3": "1/3"}
    for share, words in shares.items():
        assert percent(Fraction(share)) == words


def test_a_meter_alone_and_no_meter_row() -> None:
    """T-85: what the house pays is said only where it pays, and so for the meter."""
    royal = FORTNIGHT.side_bet("royal")
    level = Level("table", "T", {"royal": Limit(400, 400, 400)})

    def with_rows(*rows: Row) -> str:
        side = dataclasses.replace(royal, pays=PayTable(rows))
        alone = dataclasses.replace(
            FORTNIGHT, side_bets=(side,), levels=(level,), decks_offered=(2,)
        )
        return all_words(alone)

    meter = with_rows(Row("flush", MeterShare()))
    assert '"Flush" takes the whole meter' in meter
    assert "paid by the house" not in meter
    assert "One meter serves" not in meter
    house = with_rows(Row("flush", Odds(2)))
    assert "All winning hands are paid by the house" in house
    assert "What the meter pays" not in house


# Limits

LIMITS = {
    # T-10 to T-13; the steps from G-09
    ("top3", "Micro limits"): [
        ("Main bet", "1.00", "10.00", "0.50"),
        ("Top 3", "0.50", "5.00", "0.50"),
        ("21+3 Classic", "0.50", "5.00", "0.50"),
    ],
    ("top3", "Low limits"): [
        ("Main bet", "5.00", "50.00", "0.50"),
        ("Top 3", "1.00", "25.00", "0.50"),
        ("21+3 Classic", "1.00", "25.00", "0.50"),
        ("21+3 Progressive", "5.00", "5.00", "fixed"),
    ],
    ("top3", "High limits"): [
        ("Main bet", "25.00", "500.00", "0.50"),
        ("Top 3", "2.00", "250.00", "0.50"),
        ("21+3 Classic", "2.00", "250.00", "0.50"),
        ("21+3 Progressive", "5.00", "5.00", "fixed"),
    ],
    ("top3", "High Roller limits"): [
        ("Main bet", "100.00", "2,000.00", "0.50"),
        ("Top 3", "5.00", "1,000.00", "0.50"),
        ("21+3 Classic", "5.00", "1,000.00", "0.50"),
        ("21+3 Progressive", "5.00", "5.00", "fixed"),
    ],
    # C-04, C-05
    ("threecard", "Limits"): [
        ("Ante", "5.00", "500.00", "1.00"),
        ("Ace Plus Bonus", "5.00", "100.00", "1.00"),
    ],
    # S-15
    ("super21", "Limits"): [("Main bet", "1.00", "500.00", "1.00")],
    #
    ("ags", "Limits"): [
        ("Main bet", "1.00", "5,000.00", "1.00"),
        ("Trifecta", "1.00", "5,000.00", "1.00"),
        ("Match Super Bonus", "1.00", "5,000.00", "1.00"),
        ("Pairs Pay", "1.00", "5,000.00", "1.00"),
        ("In Bet", "1.00", "5,000.00", "1.00"),
    ],
}


@pytest.mark.parametrize(
    ("key", "caption", "rows"),
    [(key, caption, rows) for (key, caption), rows in LIMITS.items()],
    ids=[f"{key} {caption}" for key, caption in LIMITS],
)
def test_limits(key: str, caption: str, rows: list[tuple[str, ...]]) -> None:
    """T-10 to T-13, C-04, C-05, S-15, A-22, G-09."""
    assert read(EVERY[key]).table(caption) == rows
    assert text_table(EVERY[key], caption) == rows


@every
def test_every_limit_of_every_level(game: Game) -> None:
    """G-14: a table for each level, a row for each bet open there, in cents that read back."""
    reader = read(game)
    captions = [caption for caption in reader.captions if caption.lower().endswith("limits")]
    assert len(captions) == len(game.levels)
    for caption, level in zip(captions, game.levels, strict=True):
        rows = reader.table(caption)
        found = [tuple(round(100 * float(cell.replace(",", ""))) for cell in r[1:3]) for r in rows]
        expected = [level.bets[key] for key in game.bet_keys if key in level.bets]
        assert found == [(limit.min, limit.max) for limit in expected]


def test_a_table_shows_its_own_decks_and_side_bets() -> None:
    """T-01, A-14: a game at a table is described as it lies there."""
    eight = all_words(TOP3.at_table(decks=8))
    assert "eight decks of 52 cards" in eight
    assert "also dealt from six or seven" in eight
    chosen = AGS.at_table(side_bets=["pairs_pay", "in_bet"])
    assert "The table has two side bets: Pairs Pay and In Bet." in all_words(chosen)
    assert "Trifecta pays" not in read(chosen).captions


# Readings and date

READINGS = {
    "top3": "T-01 T-05 T-20 T-27 T-30 T-53 T-81 T-83 T-84 T-85",
    "threecard": "G-01 C-03 C-06 C-11",
    "super21": "G-01 S-05 S-06 S-08 S-11 S-12 S-15",
    "ags": "A-03 A-07 A-09 A-10 A-14 A-15 A-16 A-18",
}
"""The clauses that CLAUSES marks as readings, game by game."""


@pytest.mark.parametrize("key", READINGS)
def test_the_page_owns_up_to_every_reading(key: str) -> None:
    """G-14: each clause that bears the mark **Reading** is named on its game's page."""
    shown = [
        said.clause
        for section in page(EVERY[key]).sections
        if section.key == "readings"
        for said in section.sentences
    ]
    assert set(READINGS[key].split()) - {*shown} == set()


@every
def test_readings_and_their_clauses_are_shown(game: Game) -> None:
    """G-14: in text and HTML, the sentence with its clause behind it; no section without any."""
    text, html = plain(as_text(page(game), 80)), plain(" ".join(read(game).text))
    for reading in game.readings:
        assert plain(f"{reading.sentence} [{reading.clause}]") in text
        assert plain(f"{reading.sentence} {reading.clause}") in html
    has_section = "How we read the rule sheet" in titles(page(game))
    assert has_section == bool(game.readings)


def test_even_money_of_super21_is_explained() -> None:
    """S-14."""
    assert "Even money here is only a way of speaking" in all_words(SUPER21)


@every
def test_the_date_of_the_last_change(game: Game) -> None:
    """T-88, G-14: the page shows the record's date."""
    shown = page(dataclasses.replace(game, changed="2027-03-05"))
    assert shown.changed == "2027-03-05"
    assert "This page was last changed on 5 March 2027." in plain(as_text(shown, 80))
    assert "This page was last changed on 5 March 2027." in as_html(shown)
    assert titles(shown)[-1] == "Last change"


def test_dates_in_words() -> None:
    months = "January February March April May June July August September October November December"
    for number, month in enumerate(months.split(), 1):
        dated = dataclasses.replace(TOP3, changed=f"2030-{number:02d}-28")
        assert f"28 {month} 2030" in all_words(dated)


# Returns

RETURNS: Mapping[str, Mapping[str, Any]] = {
    "6": {
        "main": {"rtp": 0.996157, "rtp_wagered": 0.996612},
        "side_bets": {
            "classic": {"rtp": 0.9676},
            "progressive": {"rtp": 0.8123, "meter": 1_000_000},
        },
    },
    "8": {"main": {"rtp": 0.9956, "rtp_wagered": 0.9961}, "side_bets": {}},
}
"""Figures made up for the form alone, in the shape of CONTRACTS section 4."""


def test_returns_are_shown_when_they_were_computed() -> None:
    """G-14, T-87: per money wagered first, per first bet beside it, for each number of decks."""
    shown = page(TOP3, returns=RETURNS)
    reader = Reader(as_html(shown))
    assert "House returns" in titles(shown)
    assert reader.table("Returns with six decks") == [
        ("Main bet", "99.66 %", "99.62 %"),
        ("21+3 Classic", "96.76 %", "96.76 %"),
        ("21+3 Progressive", "81.23 %", "81.23 %"),
    ]
    assert reader.table("Returns with eight decks") == [("Main bet", "99.61 %", "99.56 %")]
    words = plain(as_text(shown, 80))
    assert "the main bet returns 99.66 % of the money wagered" in words
    assert "21+3 Progressive is given for a meter of 10,000.00" in words


def test_no_headline_for_decks_that_were_not_computed() -> None:
    shown = page(TOP3.at_table(decks=7), returns=RETURNS)
    assert not any("Played as well as possible" in said.sentence for said in shown.sentences())


@every
def test_returns_are_never_made_up(game: Game) -> None:
    """G-14: without computed odds the page has no such section and no figure in per cent."""
    for shown in (page(game), page(game, returns={})):
        assert "House returns" not in titles(shown)
        own = {reading.sentence for reading in game.readings}
        figures = [
            said.sentence
            for said in shown.sentences()
            if "%" in said.sentence and "enters a meter" not in said.sentence
        ]
        assert {*figures} <= own
