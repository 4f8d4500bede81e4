"""Which clause demands what: the values that a sheet asks for, field by field.

A game answers to the sheets that its readings cite (`T`, `C`, `S`, `A`). A variant that plays
otherwise is demanded by no clause, and neither is a game that cites no sheet.
"""

from __future__ import annotations

from dataclasses import dataclass

from upcard.game import Game

EVERY_GAME = "G"


@dataclass(frozen=True, slots=True)
class Demand:
    """`clause` asks that `field` have one of `values`, in games that answer to one of `sheets`."""

    clause: str
    field: str
    values: tuple[str, ...]
    sheets: str


def _demand(clause: str, field: str, *values: str, sheets: str = "") -> Demand:
    return Demand(clause, field, values, sheets or clause[0])


DEMANDS = (
    # Top 3 / 21+3 Progressive Blackjack
    _demand("T-01", "decks", "6", "7", "8"),
    _demand("T-02", "spots_max", "3"),
    _demand("T-04", "natural", "3:2"),
    _demand("T-04", "natural_suited", "none"),
    _demand("T-05", "hole_card", "peek"),
    _demand("T-06", "dealer_hits_soft_17", "false"),
    _demand("T-50", "insurance_setting", "true"),
    _demand("T-60", "double.cards", "2"),
    _demand("T-60", "double.totals", "any"),
    _demand("T-62", "double.after_split", "true"),
    _demand("T-64", "split.hands_max", "2"),
    _demand("T-64", "split.resplit_aces", "false"),
    _demand("T-65", "split.aces", "stand"),
    _demand("T-67", "surrender", "first"),
    _demand("T-67", "double.rescue", "false"),
    _demand("T-69", "insurance", "2:1"),
    _demand("T-70", "natural_wins_always", "false"),
    _demand("T-70", "even_money", "false"),
    _demand("T-21", "side_bet_alone", "false"),
    _demand("G-05", "stands_on_21", "any", sheets="TA"),
    # 3 Card Blackjack
    _demand("C-01", "decks", "1"),
    _demand("C-03", "best_of", "any"),
    _demand("C-08", "qualifies_at", "17"),
    _demand("C-11", "dealer_natural_beats_21", "true"),
    _demand("C-11", "tie", "push"),
    _demand("C-16", "spots_max", "1"),
    # Super 21
    _demand("S-01", "decks", "8"),
    _demand("S-02", "dealer_hits_soft_17", "true"),
    _demand("S-03", "natural", "1:1"),
    _demand("S-04", "natural_suited", "diamonds@2:1"),
    _demand("S-05", "natural_wins_always", "true"),
    _demand("S-06", "double.cards", "any"),
    _demand("S-06", "double.totals", "any"),
    _demand("S-06", "double.after_split", "true"),
    _demand("S-07", "double.rescue", "true"),
    _demand("S-08", "surrender", "any"),
    _demand("S-10", "auto_wins", "6@1:1,5/21@2:1"),
    _demand("S-11", "split.hands_max", "3"),
    _demand("S-11", "split.resplit_aces", "true"),
    _demand("S-12", "split.aces", "double"),
    _demand("S-13", "stands_on_21", "hard"),
    _demand("S-14", "insurance", "2:1"),
    _demand("S-14", "even_money", "false"),
    _demand("S-15", "hole_card", "peek"),
    _demand("S-15", "spots_max", "1"),
    # AGS Blackjack Side Bets
    _demand("A-01", "decks", "6"),
    _demand("A-02", "dealer_hits_soft_17", "false"),
    _demand("A-03", "natural", "3:2"),
    _demand("A-03", "natural_suited", "none"),
    _demand("A-07", "split.hands_max", "2"),
    _demand("A-07", "split.resplit_aces", "false"),
    _demand("A-09", "split.aces", "double"),
    _demand("A-09", "double.cards", "2"),
    _demand("A-09", "double.totals", "any"),
    _demand("A-09", "double.after_split", "true"),
    _demand("A-10", "surrender", "first"),
    _demand("A-10", "double.rescue", "false"),
    _demand("A-10", "hole_card", "peek"),
    _demand("A-11", "even_money", "true"),
    _demand("A-12", "insurance", "2:1"),
    _demand("A-13", "natural_wins_always", "false"),
    _demand("A-14", "side_bets_open_max", "2"),
    _demand("A-15", "spots_max", "3"),
    _demand("A-15", "side_bet_alone", "true"),
)


def sheets_of(game: Game) -> frozenset[str]:
    """The letters of the sheets whose clauses the game's readings cite."""
    return frozenset(reading.clause[0] for reading in game.readings) - {EVERY_GAME}


def clause_for(game: Game, field: str, value: str) -> str | None:
    """The clause that demands this value of this game, or None."""
    sheets = sheets_of(game)
    for demand in DEMANDS:
        if demand.field == field and value in demand.values and sheets & {*demand.sheets}:
            return demand.clause
    return None


def cited(game: Game, *clauses: str) -> str | None:
    """The first of these clauses that the game answers to; those of sheet G bind every game."""
    sheets = sheets_of(game) | {EVERY_GAME}
    return next((clause for clause in clauses if clause[0] in sheets), None)
