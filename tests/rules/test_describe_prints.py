"""The rules page as HTML, as text and as documents.

Authorities: the HTML standard and WCAG for the markup, CONTRACTS section 3 for the documents.
"""

from __future__ import annotations

import dataclasses
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

import pytest

from tests.rules.pages import (
    GAMES,
    TRIPTYCH,
    WIDTHS,
    Reader,
    every,
    plain,
    read,
    says,
    sections,
)
from upcard.describe import (
    as_html,
    as_text,
    game_document,
    page,
    page_document,
    rules_fields,
)
from upcard.game import Game, Level, Round
from upcard.games.ags import AGS
from upcard.games.super21 import SUPER21
from upcard.games.threecard import THREECARD
from upcard.games.top3 import TOP3
from upcard.table import SpotBets

# HTML


@every
def test_html_is_one_sound_file(game: Game) -> None:
    """HTML standard: tags nest, ids are unique and found, no script, nothing from elsewhere."""
    document = as_html(page(game))
    reader = Reader(document)
    ET.fromstring(document.removeprefix("<!DOCTYPE html>"))
    assert document.startswith("<!DOCTYPE html>")
    names = {name for name, _ in reader.tags}
    assert not names & {"script", "iframe", "object", "embed", "img", "form"}
    for outside in ("http://", "https://", "//", "url(", "@import", "javascript:"):
        assert outside not in document.replace("<!DOCTYPE html>", "")
    handlers = [name for _, attributes in reader.tags for name in attributes if name[:2] == "on"]
    assert handlers == []
    ids = [attributes["id"] for _, attributes in reader.tags if "id" in attributes]
    assert len(set(ids)) == len(ids)
    links = [attributes["href"] for attributes in reader.all("a")]
    assert {*links} <= {f"#{one}" for one in ids}
    assert len(links) == len(page(game).sections)
    labels = [a["aria-labelledby"] for _, a in reader.tags if "aria-labelledby" in a]
    assert {*labels} <= {*ids}


@every
def test_html_says_what_it_is(game: Game) -> None:
    """HTML standard, WCAG 1.3.1, 2.4.2, 2.4.6, 3.1.1: language, title, headings, table headers."""
    reader = read(game)
    assert reader.all("html") == [{"lang": "en"}]
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in reader.all(
        "meta"
    )
    assert len(reader.all("title")) == len(reader.all("main")) == len(reader.all("h1")) == 1
    levels = [int(tag[1]) for tag, _ in reader.tags if re.fullmatch(r"h[1-6]", tag)]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert set(levels) <= {1, 2, 3}
    for table in reader.tables:
        assert len({len(row) for row in table}) == 1
    assert len(reader.captions) == len(reader.tables)
    scopes = [attributes.get("scope") for attributes in reader.all("th")]
    columns = sum(len(table[0]) for table in reader.tables)
    rows = sum(len(table) - 1 for table in reader.tables)
    assert scopes.count("col") == columns
    assert scopes.count("row") == rows
    assert len(scopes) == columns + rows


def test_html_sets_figures_to_the_right() -> None:
    """Amounts and pays are marked as figures; titles, explanations and long words are not."""
    document = as_html(page(TOP3))
    assert '<td class="figure">270:1</td>' in document
    assert '<td class="figure">2,000.00</td>' in document
    assert '<td class="figure">half the bet returned</td>' in document
    assert '<th scope="col">What it is</th>' in document
    assert "<td>three cards of one rank and one suit</td>" in document
    assert '<th scope="row">21+3 Classic</th>' in document


def test_html_prints_light() -> None:
    assert "@media print" in as_html(page(TOP3))
    assert "prefers-reduced-motion" in as_html(page(TOP3))


def test_html_escapes_all_that_a_record_brings() -> None:
    """A title, a bet, a level and a reading full of markup are text and nothing else."""
    document = as_html(page(TRIPTYCH))
    reader = Reader(document)
    assert not {"b", "i", "one", "tag", "e"} & {name for name, _ in reader.tags}
    text = plain(" ".join(reader.text))
    for kept in ('Triptych <b>&"Ace\'s"</b>', "Meet & <i>Greet</i>", 'A <tag> & a "quote".'):
        assert kept in text
    assert "Meet & <i>Greet</i> is closed at Only <one>." in text


def test_empty_tables_are_printed_too() -> None:
    """A level without bets is odd and no error."""
    bare = dataclasses.replace(TRIPTYCH, levels=(*TRIPTYCH.levels, Level("b", "Shut", {})))
    assert read(bare).table("Shut limits") == []
    assert "Shut limits:" in as_text(page(bare), 40)


# Text


@every
@pytest.mark.parametrize("width", WIDTHS)
def test_text_fits_the_width_and_needs_no_drawing(game: Game, width: int) -> None:
    """No line longer than asked, no colour, no box drawing, no trailing space, no tab."""
    text = as_text(page(game), width)
    assert max(map(len, text.splitlines())) <= width
    assert re.search("[\x00-\x09\x0b-\x1f\x7f\u2500-\u259f]", text) is None
    assert all(line == line.rstrip() for line in text.splitlines())
    assert text.endswith("\n")


@every
@pytest.mark.parametrize("width", WIDTHS)
def test_text_says_all_that_the_page_says(game: Game, width: int) -> None:
    """Each sentence, heading, caption and cell, whatever the width."""
    shown = page(game)
    text = plain(as_text(shown, width))
    assert text.startswith(plain(f"{shown.title} {shown.opening}"))
    for said in shown.sentences():
        assert plain(said.sentence) in text
    for section in sections(shown):
        assert section.title in text
    cells = {word for listing in shown.listings() for row in listing.rows for word in row}
    assert all(word in text for cell in cells for word in cell.split())


@every
def test_html_says_all_that_the_page_says(game: Game) -> None:
    shown = page(game)
    text = plain(" ".join(read(game).text))
    for said in shown.sentences():
        assert plain(said.sentence) in text
    for section in sections(shown):
        assert section.title in text
    assert plain(shown.opening) in text


def test_narrow_tables_are_read_line_by_line() -> None:
    """At 40 columns a table that does not fit is lines that name their columns."""
    text = plain(as_text(page(TOP3), 40))
    assert (
        "- Suited aces or kings, three of a kind; what it is: three aces or three kings of one "
        "suit; pays: the whole meter" in text
    )


def test_a_page_needs_room() -> None:
    with pytest.raises(AssertionError, match="a page needs 20 columns, not 12"):
        as_text(page(TOP3), 12)


# Documents


def test_game_document() -> None:
    """CONTRACTS section 3, `GET /api/games/{key}`, with its keys typed from there; C-04, C-05."""
    document = game_document(THREECARD)
    assert list(document) == [
        "key",
        "title",
        "main",
        "felt",
        "choices",
        "later_bets",
        "reserved",
        "decks_offered",
        "spots_max",
        "side_bets_open",
        "side_bet_alone",
        "insurance_setting",
        "quick_replay",
        "levels",
        "side_bets",
        "rules",
    ]
    assert document["key"] == "threecard"
    assert document["decks_offered"] == [1]
    assert document["spots_max"] == document["side_bets_open"] == 1
    (level,) = document["levels"]
    assert level["key"] == "table"
    assert level["bets"] == {
        "ante": {"min": 500, "max": 50_000, "step": 100},
        "ace_plus": {"min": 500, "max": 10_000, "step": 100},
    }
    (side,) = document["side_bets"]
    assert (side["key"], side["needs"]) == ("ace_plus", None)
    assert {"name": "aat", "pays": "25:1"}.items() <= side["rows"][1].items()
    assert document["rules"] == rules_fields(THREECARD)


def test_what_the_felt_has_printed_on_it() -> None:
    """T-06, T-80, S-03, S-02, S-14, A-02, A-13, C-08: typed from the clauses."""
    assert {game.key: game_document(game)["felt"] for game in (TOP3, SUPER21, AGS, THREECARD)} == {
        "top3": [
            "Blackjack pays 3 to 2",
            "Dealer stands on all 17s · Insurance pays 2 to 1",
        ],
        "super21": [
            "Blackjack pays even money",
            "Dealer must hit soft 17 · Insurance pays 2 to 1",
        ],
        "ags": [
            "Blackjack pays 3 to 2",
            "Dealer stands on all 17s · Insurance pays 2 to 1",
        ],
        "threecard": [
            "Dealer qualifies with 17",
            "Ante and raise push if the dealer does not qualify",
        ],
    }


def test_what_a_table_is_drawn_from() -> None:
    """C-04 (ante), T-50 (the insurance setting is for one game), A-15 (side bets alone), T-85."""
    documents = {game.key: game_document(game) for game in (TOP3, SUPER21, AGS, THREECARD)}
    assert documents["threecard"]["main"] == {"key": "ante", "title": "Ante"}
    assert documents["ags"]["main"] == {"key": "main", "title": "Main bet"}
    assert [key for key, it in documents.items() if it["insurance_setting"]] == ["top3"]
    assert [key for key, it in documents.items() if it["quick_replay"]] == ["threecard"]
    assert [key for key, it in documents.items() if it["side_bet_alone"]] == ["ags"]
    assert documents["threecard"]["choices"] == ["raise", "fold"]
    assert documents["threecard"]["later_bets"] == [{"key": "raise", "title": "Raise"}]
    assert [key for key, it in documents.items() if "rescue" in it["choices"]] == ["super21"]
    assert [key for key, it in documents.items() if "even_money" in it["choices"]] == ["ags"]
    assert all("surrender" in documents[key]["choices"] for key in ("top3", "super21", "ags"))
    sides = [side for document in documents.values() for side in document["side_bets"]]
    assert [side["key"] for side in sides if side["pool"]] == ["progressive"]
    assert all(len(side["short"]) <= len("Match Super") for side in sides)


@every
def test_what_deal_sets_aside_is_as_the_engine_sets_it_aside(game: Game) -> None:
    """C-06: the raise, as large as the ante; a drawing game has no such bet."""
    document = game_document(game)
    assert document["reserved"] == (["raise"] if game.engine is THREECARD.engine else [])
    assert {*document["reserved"]} <= {bet["key"] for bet in document["later_bets"]}
    stake = game.levels[0].bets[game.main].max
    spots = [SpotBets(1, ((game.main, stake),))]
    begun = Round.begin(game.at_table(), game.levels[0].key, spots)
    assert begun.reserved == stake * len(document["reserved"])


@every
def test_the_page_document_says_what_the_page_says(game: Game) -> None:
    """G-14: the page that is sent loses no sentence, pay table or date."""
    shown = page(game)
    document = page_document(shown)
    assert json.loads(json.dumps(document)) == document
    assert document["changed"] == shown.changed

    def walk(sections: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for section in sections:
            yield section
            yield from walk(section["parts"])

    sections = [*walk(document["sections"])]
    sentences = [said["sentence"] for section in sections for said in section["sentences"]]
    assert sentences == [said.sentence for said in shown.sentences()]
    rows = [row for section in sections for it in section["listings"] for row in it["rows"]]
    assert rows == [list(row) for listing in shown.listings() for row in listing.rows]


def test_a_shape_without_words_is_a_mistake_of_ours() -> None:
    """A new kind of rules must be put into words before its games have a page."""
    wordless = dataclasses.replace(SUPER21, rules=object(), levels=())
    with pytest.raises(AssertionError, match="has no words"):
        page(wordless)


def test_side_bets_open() -> None:
    """A-14, CONTRACTS section 3: how many side bets lie on the table at once."""
    opened = {game.key: game_document(game)["side_bets_open"] for game in GAMES}
    assert opened["top3"] == 3
    assert opened["ags"] == 2
    assert opened["super21"] == 0
    assert opened["fortnight"] == 4
    assert len(game_document(AGS)["side_bets"]) == 4
    assert game_document(AGS.at_table())["side_bets_open"] == 2
    assert game_document(TOP3)["side_bets"][0]["needs"] == "classic"


@every
def test_documents_are_json(game: Game) -> None:
    document = game_document(game)
    assert json.loads(json.dumps(document)) == document
    bets = [list(level["bets"]) for level in document["levels"]]
    assert bets == [[key for key in game.bet_keys if key in level.bets] for level in game.levels]
    assert [[row["pays"] for row in side["rows"]] for side in document["side_bets"]] == [
        [str(row.pays) for row in side.pays.rows] for side in game.side_bets
    ]


@every
def test_section_keys_and_sentences_are_not_repeated(game: Game) -> None:
    shown = page(game)
    keys = [section.key for section in sections(shown)]
    assert len(set(keys)) == len(keys)
    for section in sections(shown):
        words = [said.sentence for said in section.sentences]
        assert len(set(words)) == len(words)
        assert section.sentences or section.listings or section.parts


@every
def test_sentences_are_sentences(game: Game) -> None:
    """STYLE: each begins large, ends with a stop, and holds no slot that was not filled."""
    for said in all_sentences(game):
        assert re.match(r"[A-Z0-9\"]", said), said
        assert said.endswith("."), said
        assert not re.search(r"[{}]|None|  | ,| \.|\.\.", said), said


def all_sentences(game: Game) -> Iterator[str]:
    shown = page(game)
    yield shown.opening
    own = {reading.sentence for reading in game.readings}
    yield from (said.sentence for said in shown.sentences() if said.sentence not in own)


def test_clause_examples_are_unlike() -> None:
    """No two fields of a game say the same."""
    for game in GAMES:
        assert all(a != b for a, b in combinations(says(game).values(), 2))
