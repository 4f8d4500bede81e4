"""A bare 21 table for analysis and comparison: the rules' defaults, nothing beside them."""

from __future__ import annotations

from upcard.game import Game, Level, Limit
from upcard.twentyone import round as engine
from upcard.twentyone.rules import Rules

BLACKJACK = Game(
    key="blackjack",
    title="Blackjack",
    engine=engine,
    rules=Rules(),
    decks_offered=(1, 2, 3, 4, 5, 6, 7, 8),
    spots_max=3,
    insurance_setting=True,
    levels=(Level("table", "Table", {"main": Limit(100, 50_000, 100)}),),
    changed="2026-11-30",
)
