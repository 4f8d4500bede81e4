"""AGS Blackjack with four side bets (clauses A)."""

from __future__ import annotations

from upcard.game import Game, Level, Limit, Reading
from upcard.money import Odds
from upcard.paytable import PayTable, Row
from upcard.sidebets import BETWEEN, MATCH, PAIR, POKER, SideBet
from upcard.twentyone import round as engine
from upcard.twentyone.rules import Double, Rules, Split

LIMIT = Limit(100, 500_000, 100)

AGS = Game(
    key="ags",
    title="AGS Blackjack Side Bets",
    engine=engine,
    rules=Rules(
        decks=6,
        double=Double(cards="2", after_split=True),
        split=Split(hands_max=2, aces="double"),
        surrender="first",
        even_money=True,
    ),
    decks_offered=(6,),
    spots_max=3,
    side_bet_alone=True,
    side_bets_open_max=2,
    side_bets=(
        SideBet(
            key="trifecta",
            title="Trifecta",
            evaluate=POKER,
            pays=PayTable(
                (
                    Row("three_fives", Odds(200)),
                    Row("straight_flush", Odds(30)),
                    Row("three_of_a_kind", Odds(20)),
                    Row("straight", Odds(10)),
                    Row("flush", Odds(5)),
                )
            ),
        ),
        SideBet(
            key="match_super",
            title="Match Super Bonus",
            short="Match Super",
            evaluate=MATCH,
            pays=PayTable(
                (
                    Row("two_suited", Odds(22)),
                    Row("suited_unsuited", Odds(15)),
                    Row("suited", Odds(11)),
                    Row("two_unsuited", Odds(8)),
                    Row("unsuited", Odds(4)),
                )
            ),
        ),
        SideBet(
            key="pairs_pay",
            title="Pairs Pay",
            evaluate=PAIR,
            pays=PayTable((Row("suited", Odds(15)), Row("unsuited", Odds(10)))),
        ),
        SideBet(
            key="in_bet",
            title="In Bet",
            evaluate=BETWEEN,
            pays=PayTable(
                (
                    Row("triple", Odds(30)),
                    Row("one", Odds(10)),
                    Row("two", Odds(6)),
                    Row("three", Odds(4)),
                    Row("more", Odds(1)),
                )
            ),
        ),
    ),
    levels=(
        Level(
            "table",
            "Table",
            {
                "main": LIMIT,
                "trifecta": LIMIT,
                "match_super": LIMIT,
                "pairs_pay": LIMIT,
                "in_bet": LIMIT,
            },
        ),
    ),
    readings=(
        Reading(
            "A-03",
            "Ace and ten-value card after a split are a plain 21; only so does the printed "
            "99.83 % come out.",
        ),
        Reading("A-07", "Each spot may be split once."),
        Reading("A-09", "Split aces may be doubled too, on their first two cards."),
        Reading("A-10", "The dealer looks for a natural before anyone may surrender."),
        Reading(
            "A-14",
            "Trifecta and Match Super Bonus are open at first; choosing others forgets the "
            "last layout.",
        ),
        Reading(
            "A-15",
            "Three spots. A spot with side bets alone is dealt in its place and is not "
            "asked or compared.",
        ),
        Reading(
            "A-16",
            "PLACE skips a circle that the chip would overfill and says so; a balance too small "
            "for all of it lays nothing.",
        ),
        Reading(
            "A-18",
            "Three fives may be of any suits, three of a kind of one suit pays like any "
            "other; A-2-3 and Q-K-A are straights, K-A-2 is none.",
        ),
    ),
    changed="2026-11-30",
)
