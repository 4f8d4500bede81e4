"""The rules page of a game, and what the HTTP contract says of its rules (CONTRACTS section 3)."""

from __future__ import annotations

from typing import Any

from upcard import fields
from upcard.describe.demands import clause_for
from upcard.describe.house import (
    ABANDONED_DAYS,
    Returns,
    changed_section,
    fairness_section,
    mishaps_section,
    readings_sections,
    returns_sections,
)
from upcard.describe.record import Page, Section, Sentence
from upcard.describe.shape import Says, Shape
from upcard.describe.side_bets import progressive_sections, row_title
from upcard.describe.threecard import THREECARD
from upcard.describe.twentyone import TWENTYONE
from upcard.describe.words import sentence_case
from upcard.game import Game, Level
from upcard.paytable import titled
from upcard.sidebets import SideBet
from upcard.threecard.rules import Rules as ThreeCardRules
from upcard.twentyone.rules import Rules as TwentyOneRules


def page(
    game: Game, *, returns: Returns | None = None, abandoned_days: int = ABANDONED_DAYS
) -> Page:
    """The rules page of a game, a variant or a game at a table.

    `returns` maps decks as text to the computed odds of that many decks, as the HTTP contract
    has them; without it the page says nothing of returns. `abandoned_days`: after how many days
    the house finishes a round that was left alone (G-12).
    """
    shape = _shape(game)
    return Page(
        key=game.key,
        title=game.title,
        opening=shape.opening(game),
        sections=(
            *shape.play(game, _says(game, shape)),
            *progressive_sections(game),
            *returns_sections(game, returns, shape.main),
            fairness_section(),
            mishaps_section(finished=shape.abandoned(game), days=abandoned_days),
            *readings_sections(game),
            changed_section(game),
        ),
        changed=game.changed,
    )


def page_document(shown: Page) -> dict[str, Any]:
    """A page as plain JSON, for a client that lays it out itself."""
    return {
        "key": shown.key,
        "title": shown.title,
        "opening": shown.opening,
        "changed": shown.changed,
        "sections": [_section_document(section) for section in shown.sections],
    }


def _section_document(section: Section) -> dict[str, Any]:
    """`sentences` bear their clause where a reader is to see it."""
    return {
        "key": section.key,
        "title": section.title,
        "sentences": [
            {"sentence": said.sentence, "clause": said.clause if section.shows_clauses else None}
            for said in section.sentences
        ],
        "listings": [
            {
                "caption": listing.caption,
                "head": list(listing.head),
                "figures": list(listing.columns_of_figures()),
                "rows": [list(row) for row in listing.rows],
            }
            for listing in section.listings
        ],
        "parts": [_section_document(part) for part in section.parts],
    }


def rules_fields(game: Game) -> list[dict[str, Any]]:
    """Each rule field with its text, what it means, and the clause that demands it."""
    return [
        {
            "field": said.field,
            "value": said.value,
            "sentence": said.sentence,
            "clause": said.clause,
        }
        for said in _says(game, _shape(game)).values()
    ]


def game_document(game: Game) -> dict[str, Any]:
    """`GET /api/games/{key}` without its odds. Amounts are cents, pays are text.

    `side_bets_open` is the number of side bets on the table at once: all of them, or as many as
    the player chooses before the deal. What a table needs to be drawn - `main`, `felt`, `choices`,
    titles and settings - is more than the contract asks.
    """
    shape = _shape(game)
    return {
        "key": game.key,
        "title": game.title,
        "main": {"key": game.main, "title": sentence_case(shape.main)},
        "felt": list(shape.felt(game)),
        "choices": list(shape.choices(game)),
        "later_bets": [{"key": key, "title": titled(key)} for key in shape.later(game)],
        "reserved": list(shape.reserved),
        "decks_offered": list(game.decks_offered),
        "spots_max": game.spots_max,
        "side_bets_open": min(game.side_bets_open_max, len(game.side_bets)),
        "side_bet_alone": game.side_bet_alone,
        "insurance_setting": game.insurance_setting,
        "quick_replay": game.quick_replay,
        "levels": [_level_document(game, level) for level in game.levels],
        "side_bets": [_side_bet_document(side) for side in game.side_bets],
        "rules": rules_fields(game),
    }


def _level_document(game: Game, level: Level) -> dict[str, Any]:
    bets = {
        key: {"min": limit.min, "max": limit.max, "step": limit.step}
        for key in game.bet_keys
        if (limit := level.bets.get(key))
    }
    return {"key": level.key, "title": level.title, "bets": bets}


def _side_bet_document(side: SideBet) -> dict[str, Any]:
    return {
        "key": side.key,
        "title": side.title,
        "short": side.short or side.title,
        "needs": side.needs,
        "pool": side.pool.key if side.pool else None,
        "rows": [
            {"name": row.name, "title": row_title(side, row.name), "pays": str(row.pays)}
            for row in side.pays.rows
        ],
    }


def _shape(game: Game) -> Shape:
    match game.rules:
        case TwentyOneRules():
            return TWENTYONE
        case ThreeCardRules():
            return THREECARD
        case _:
            raise AssertionError(f"{game.key}: {type(game.rules)} has no words in `describe` yet")


def _says(game: Game, shape: Shape) -> Says:
    return {
        name: Sentence(name, text, shape.fields[name](game.rules), clause_for(game, name, text))
        for name, text in fields.texts(game.rules).items()
    }
