"""Super 21 (clauses S)."""

from __future__ import annotations

from upcard.game import Game, Level, Limit, Reading
from upcard.money import Odds
from upcard.twentyone import round as engine
from upcard.twentyone.rules import AutoWin, Double, Rules, Split, SuitedNatural

SUPER21 = Game(
    key="super21",
    title="Super 21",
    engine=engine,
    rules=Rules(
        decks=8,
        dealer_hits_soft_17=True,
        natural=Odds(1),
        natural_wins_always=True,
        natural_suited=SuitedNatural("diamonds", Odds(2)),
        auto_wins=(AutoWin(6, None, Odds(1)), AutoWin(5, 21, Odds(2))),
        double=Double(cards="any", after_split=True, rescue=True),
        split=Split(hands_max=3, aces="double", resplit_aces=True),
        surrender="any",
        stands_on_21="hard",
    ),
    decks_offered=(8,),
    levels=(Level("table", "Table", {"main": Limit(100, 50_000, 100)}),),
    readings=(
        Reading("G-01", "The cards are shuffled anew before every round; the sheet is silent."),
        Reading(
            "S-05",
            "A natural always wins, even against a dealer natural: the list of rules "
            "prevails over the word push.",
        ),
        Reading("S-06", "A hand is doubled once, for exactly its bet, takes one card and stands."),
        Reading(
            "S-08", "Surrender is late: a dealer natural at the peek takes the whole bet first."
        ),
        Reading("S-11", "Aces may be split again like any pair, to three hands."),
        Reading(
            "S-12",
            "Each split ace gets one card by itself and may then be hit, doubled, "
            "surrendered or stood on.",
        ),
        Reading(
            "S-14",
            "Even money here is only a way of speaking: an insured natural wins its own "
            "bet, and the insurance is a bet "
            "beside it.",
        ),
        Reading(
            "S-15",
            "One spot, bets from 1.00 to 500.00, and the dealer looks for a natural before "
            "anyone plays.",
        ),
    ),
    changed="2026-11-30",
)
