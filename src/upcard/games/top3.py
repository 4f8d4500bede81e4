"""Top 3 / 21+3 Progressive Blackjack (clauses T)."""

from __future__ import annotations

from fractions import Fraction

from upcard.game import Game, Level, Limit, Reading
from upcard.money import ForOne, MeterShare, Odds
from upcard.paytable import PayTable, Row
from upcard.sidebets import POKER, Pool, SideBet
from upcard.twentyone import round as engine
from upcard.twentyone.rules import Double, Rules, Split

STEP = 50
PROGRESSIVE = Limit(500, 500, 500)

TOP3 = Game(
    key="top3",
    title="Top 3 / 21+3 Progressive Blackjack",
    engine=engine,
    rules=Rules(
        decks=6,
        double=Double(cards="2", after_split=True),
        split=Split(hands_max=2, aces="stand"),
        surrender="first",
    ),
    decks_offered=(6, 7, 8),
    spots_max=3,
    insurance_setting=True,
    side_bets=(
        SideBet(
            key="top3",
            title="Top 3",
            evaluate=POKER,
            needs="classic",
            pays=PayTable(
                (
                    Row("suited_three", Odds(270)),
                    Row("straight_flush", Odds(180)),
                    Row("three_of_a_kind", Odds(90)),
                )
            ),
        ),
        SideBet(
            key="classic",
            title="21+3 Classic",
            short="21+3",
            evaluate=POKER,
            pays=PayTable(
                tuple(
                    Row(name, Odds(9))
                    for name in ("straight_flush", "three_of_a_kind", "straight", "flush")
                )
            ),
        ),
        SideBet(
            key="progressive",
            title="21+3 Progressive",
            short="Prog",
            evaluate=POKER,
            pool=Pool(key="top3", seed=1_000_000, share=Fraction(17, 100)),
            pays=PayTable(
                (
                    Row("suited_aces_kings", MeterShare()),
                    Row("suited_three", ForOne(125)),
                    Row("straight_flush", ForOne(25)),
                    Row("three_of_a_kind", ForOne(20)),
                    Row("straight", ForOne(7)),
                    Row("flush", ForOne(3)),
                )
            ),
        ),
    ),
    side_bets_open_max=3,
    levels=(
        Level(
            "micro",
            "Micro",
            {
                "main": Limit(100, 1_000, STEP),
                "top3": Limit(50, 500, STEP),
                "classic": Limit(50, 500, STEP),
            },
        ),
        Level(
            "low",
            "Low",
            {
                "main": Limit(500, 5_000, STEP),
                "top3": Limit(100, 2_500, STEP),
                "classic": Limit(100, 2_500, STEP),
                "progressive": PROGRESSIVE,
            },
        ),
        Level(
            "high",
            "High",
            {
                "main": Limit(2_500, 50_000, STEP),
                "top3": Limit(200, 25_000, STEP),
                "classic": Limit(200, 25_000, STEP),
                "progressive": PROGRESSIVE,
            },
        ),
        Level(
            "high_roller",
            "High Roller",
            {
                "main": Limit(10_000, 200_000, STEP),
                "top3": Limit(500, 100_000, STEP),
                "classic": Limit(500, 100_000, STEP),
                "progressive": PROGRESSIVE,
            },
        ),
    ),
    readings=(
        Reading(
            "T-01",
            "Six decks unless the table is set to seven or eight; the odds are published for each.",
        ),
        Reading(
            "T-05",
            "Under an ace, insurance is offered first, then the dealer looks at the hole card.",
        ),
        Reading(
            "T-20",
            "Chips of 0.50, 1, 5, 25, 100, 500 and 1,000, as far as the table takes them; with no "
            "place selected, a chip goes to the main bet furthest to the right.",
        ),
        Reading("T-27", "Surrender has a button although the list of buttons leaves it out."),
        Reading(
            "T-30",
            "MIN ALL BETS and MAX ALL BETS lay every place of the table before the first round of "
            "a sitting, and afterwards the places that carried a bet at the last deal; a balance "
            "too small for all of it lays nothing.",
        ),
        Reading(
            "T-53",
            "A warning, where you asked for it, comes on a hit with hard 17 or soft 19 and more, "
            "on a stand with hard 11 or soft 17 and less, on a double with hard 12 or soft 19 and "
            "more.",
        ),
        Reading(
            "T-81", "Side bets may be of any size within their limits, whatever the main bet is."
        ),
        Reading(
            "T-83",
            "The sheet gives no pay table for 21+3 Classic; ours pays 9:1 for each of its "
            "four hands.",
        ),
        Reading(
            "T-84",
            "The sheet gives no pay table for Top 3; ours pays 90:1, 180:1 and 270:1, the "
            "highest only.",
        ),
        Reading(
            "T-85",
            "The sheet gives no pay table for 21+3 Progressive; ours is the first table of "
            "Pennsylvania's rule for it. "
            "The meter starts at 10,000.00, takes 0.85 of each 5.00, and falls only when it "
            "is won whole.",
        ),
        Reading("T-86", "An ace is low in A-2-3 and high in Q-K-A; K-A-2 is no straight."),
    ),
    changed="2026-11-30",
)
