"""The rules page of a game, made from the very records that decide its rounds.

`page(game)` is the page as a value, `as_text` and `as_html` print it and `page_document` sends it;
`rules_fields` and `game_document` are what programs get of the same records.
"""

from __future__ import annotations

from upcard.describe.house import ABANDONED_DAYS, Returns
from upcard.describe.html import as_html
from upcard.describe.page import game_document, page, page_document, rules_fields
from upcard.describe.record import Listing, Page, Section, Sentence
from upcard.describe.side_bets import row_title
from upcard.describe.text import as_text

__all__ = [
    "ABANDONED_DAYS",
    "Listing",
    "Page",
    "Returns",
    "Section",
    "Sentence",
    "as_html",
    "as_text",
    "game_document",
    "page",
    "page_document",
    "row_title",
    "rules_fields",
]
