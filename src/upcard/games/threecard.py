"""3 Card Blackjack with Ace Plus (clauses C)."""

from __future__ import annotations

from upcard.game import Game, Level, Limit, Reading
from upcard.money import Odds
from upcard.paytable import PayTable, Row
from upcard.sidebets import ACES, SideBet
from upcard.threecard import round as engine
from upcard.threecard.rules import Rules

THREECARD = Game(
    key="threecard",
    title="3 Card Blackjack",
    engine=engine,
    rules=Rules(decks=1, qualifies_at=17),
    decks_offered=(1,),
    side_bets=(
        SideBet(
            key="ace_plus",
            title="Ace Plus Bonus",
            short="Ace Plus",
            evaluate=ACES,
            pays=PayTable(
                (
                    Row("aaa", Odds(100)),
                    Row("aat", Odds(25)),
                    Row("aax", Odds(15)),
                    Row("att", Odds(6)),
                    Row("atx", Odds(3)),
                    Row("axx", Odds(1)),
                )
            ),
        ),
    ),
    side_bets_open_max=1,
    quick_replay=True,
    levels=(
        Level(
            "table",
            "Table",
            {"ante": Limit(500, 50_000, 100), "ace_plus": Limit(500, 10_000, 100)},
        ),
    ),
    readings=(
        Reading("G-01", "The deck is shuffled anew before every round; the sheet is silent."),
        Reading(
            "C-03",
            "A hand plays the best total not over 21 that any two or all three of its cards make.",
        ),
        Reading(
            "C-06",
            "A second ante is set aside at DEAL, so that everyone dealt in can raise; "
            "folding frees it.",
        ),
        Reading(
            "C-11",
            "Equal totals push both bets; a dealer blackjack beats any other 21 of the player.",
        ),
    ),
    changed="2026-11-30",
)
