"""A fifth game, made up in one literal, and rule sets in combinations that no game of ours uses.

What must hold of every game is tried on these too, so that it holds of the next one.
"""

from __future__ import annotations

from fractions import Fraction

from tests.rules import naive
from upcard.game import Game, Level, Limit
from upcard.games import ANALYSED, find
from upcard.money import ForOne, MeterShare, Odds
from upcard.paytable import PayTable, Row
from upcard.sidebets import ACES, BETWEEN, MATCH, PAIR, POKER, Pool, SideBet
from upcard.twentyone import round as twentyone
from upcard.twentyone.rules import AutoWin, Double, Rules, Split, SuitedNatural

FORTNIGHT = Game(
    key="fortnight",
    title="Fortnight 21",
    engine=twentyone,
    rules=Rules(
        decks=2,
        dealer_hits_soft_17=True,
        natural=Odds(6, 5),
        natural_suited=SuitedNatural("hearts", Odds(5, 2)),
        auto_wins=(AutoWin(4, 21, Odds(3, 2)), AutoWin(5, None, Odds(1)), AutoWin(7, 20, Odds(4))),
        double=Double(cards="any", totals=(9, 10, 11, 14), after_split=True, rescue=True),
        split=Split(hands_max=3, aces="hit", resplit_aces=True),
        surrender="any",
        insurance=Odds(5, 2),
        even_money=True,
        stands_on_21="hard",
    ),
    decks_offered=(1, 2),
    spots_max=5,
    side_bet_alone=True,
    insurance_setting=True,
    side_bets_open_max=4,
    side_bets=(
        SideBet(
            key="royal",
            title="Royal Flush of Three",
            evaluate=POKER,
            pool=Pool(key="fortnight", seed=777_700, share=Fraction(1, 4)),
            pays=PayTable(
                (
                    Row("suited_aces_kings", MeterShare()),
                    Row("three_fives", ForOne(55)),
                    Row("straight_flush", MeterShare(10)),
                    Row("flush", Odds(2)),
                )
            ),
        ),
        SideBet(
            key="twins",
            title="Twins",
            evaluate=PAIR,
            needs="royal",
            pays=PayTable((Row("suited", Odds(25)), Row("unsuited", Odds(5)))),
        ),
        SideBet(
            key="aces",
            title="Aces",
            evaluate=ACES,
            pays=PayTable((Row("aaa", Odds(500)), Row("att", ForOne(9)))),
        ),
        SideBet(
            key="meeting",
            title="Meeting",
            evaluate=MATCH,
            pays=PayTable((Row("two_suited", Odds(90)), Row("unsuited", Odds(7, 2)))),
        ),
    ),
    levels=(
        Level(
            "garden",
            "Garden",
            {
                "main": Limit(400, 10_000, 200),
                "royal": Limit(400, 400, 400),
                "twins": Limit(100, 500, 100),
                "aces": Limit(50, 5_000, 50),
                "meeting": Limit(200, 1_000, 200),
            },
        ),
        Level("cellar", "Cellar", {"main": Limit(200, 200, 200), "aces": Limit(100, 100, 100)}),
    ),
    changed="2026-11-30",
)

CROSSING = Game(
    key="crossing",
    title="Crossing",
    engine=twentyone,
    rules=Rules(decks=1, hole_card="none", split=Split(hands_max=1)),
    decks_offered=(1,),
    spots_max=1,
    side_bets_open_max=1,
    side_bets=(
        SideBet(
            key="between",
            title="Between",
            evaluate=BETWEEN,
            pays=PayTable((Row("triple", Odds(50)), Row("one", Odds(12)), Row("more", Odds(1, 2)))),
        ),
    ),
    levels=(Level("table", "T", {"main": Limit(100, 900, 100), "between": Limit(200, 800, 200)}),),
    changed="2026-11-30",
)

ODD_RULES: dict[str, tuple[str, dict[str, str]]] = {
    "no hole card, insurance, even money": (
        "blackjack",
        {"hole_card": "none", "even_money": "true"},
    ),
    "double any, rescue, split aces hit": (
        "blackjack",
        {
            "double.cards": "any",
            "double.rescue": "true",
            "split.aces": "hit",
            "split.resplit_aces": "true",
            "stands_on_21": "hard",
        },
    ),
    "surrender any without a hole card": (
        "blackjack",
        {"surrender": "any", "hole_card": "none", "dealer_hits_soft_17": "true"},
    ),
    "three-card 21 wins at once": (
        "blackjack",
        {"auto_wins": "3/21@3:1,5@1:1", "split.aces": "hit"},
    ),
    "soft 21 plays on, surrender any": (
        "blackjack",
        {"stands_on_21": "hard", "surrender": "any", "auto_wins": "4/21@2:1,8@5:1"},
    ),
    "four hands, aces again, one card each": (
        "blackjack",
        {"split.hands_max": "4", "split.resplit_aces": "true", "split.aces": "stand"},
    ),
    "naturals always win, even money": (
        "blackjack",
        {"natural_wins_always": "true", "even_money": "true", "natural": "6:5"},
    ),
    "double hard 9 to 11, not after a split": (
        "blackjack",
        {"double.totals": "9,10,11", "double.after_split": "false", "surrender": "first"},
    ),
    "suited naturals, no hole card, always win": (
        "blackjack",
        {
            "hole_card": "none",
            "natural_wins_always": "true",
            "natural": "6:5",
            "natural_suited": "spades@5:1",
            "insurance": "3:1",
        },
    ),
    "no split, rescue of doubled 16": (
        "blackjack",
        {"split.hands_max": "1", "double.totals": "5,6,16", "double.rescue": "true"},
    ),
    "three hands, aces double, soft 21 plays on": (
        "blackjack",
        {
            "split.hands_max": "3",
            "split.aces": "double",
            "split.resplit_aces": "true",
            "stands_on_21": "hard",
            "double.cards": "any",
        },
    ),
    "nearly everything": (
        "blackjack",
        {
            "decks": "1",
            "dealer_hits_soft_17": "true",
            "hole_card": "none",
            "even_money": "true",
            "natural_suited": "clubs@4:1",
            "auto_wins": "3/21@3:1,6@1:1",
            "double.cards": "any",
            "double.rescue": "true",
            "split.aces": "double",
            "split.resplit_aces": "true",
            "surrender": "any",
            "insurance": "10:1",
            "stands_on_21": "hard",
        },
    ),
    "eight decks, naturals 1:1, dear insurance": (
        "blackjack",
        {"decks": "8", "natural": "1:1", "insurance": "1:2", "double.totals": "20"},
    ),
    "top3 without a hole card": ("top3", {"hole_card": "none", "auto_wins": "5@2:1"}),
    "ags with aces again and again": (
        "ags",
        {"split.hands_max": "4", "split.resplit_aces": "true", "double.rescue": "true"},
    ),
    "super21 with pushing naturals": (
        "super21",
        {"natural_wins_always": "false", "hole_card": "none", "even_money": "true"},
    ),
    "three cards, all three count, ties lose": (
        "threecard",
        {"best_of": "three", "tie": "lose"},
    ),
    "three cards, qualify at 21": (
        "threecard",
        {"qualifies_at": "21", "dealer_natural_beats_21": "false"},
    ),
    "three cards, anything qualifies": (
        "threecard",
        {"qualifies_at": "4", "best_of": "three", "decks": "2"},
    ),
    "three cards, blackjacks equal": ("threecard", {"dealer_natural_beats_21": "false"}),
}
"""Name → the game it starts from, and its fields as the contract writes them."""


def odd_game(name: str) -> Game:
    """The game of an odd rule set."""
    key, changes = ODD_RULES[name]
    game = find(key, ANALYSED)
    for field, text in changes.items():
        game = game.with_rule(field, text)
    return game


NAIVE_FORTNIGHT = naive.Game(
    "21",
    {
        "decks": "2",
        "dealer_hits_soft_17": "true",
        "hole_card": "peek",
        "natural": "6:5",
        "natural_wins_always": "false",
        "natural_suited": "hearts@5:2",
        "auto_wins": "4/21@3:2,5@1:1,7/20@4:1",
        "double.cards": "any",
        "double.totals": "9,10,11,14",
        "double.after_split": "true",
        "double.rescue": "true",
        "split.hands_max": "3",
        "split.aces": "hit",
        "split.resplit_aces": "true",
        "surrender": "any",
        "insurance": "5:2",
        "even_money": "true",
        "stands_on_21": "hard",
    },
    {
        "royal": (
            "poker",
            "suited_aces_kings meter, three_fives 55 for 1, straight_flush meter/10, flush 2:1",
        ),
        "twins": ("pair", "suited 25:1, unsuited 5:1"),
        "aces": ("aces", "aaa 500:1, att 9 for 1"),
        "meeting": ("match", "two_suited 90:1, unsuited 7:2"),
    },
    {"royal": (777_700, 25)},
)
NAIVE_CROSSING = naive.Game(
    "21",
    naive.BARE | {"decks": "1", "hole_card": "none", "split.hands_max": "1"},
    {"between": ("between", "triple 50:1, one 12:1, more 1:2")},
)


def odd_naive(name: str) -> naive.Game:
    """The same odd rule set for the naive settlement."""
    key, changes = ODD_RULES[name]
    game = naive.GAMES[key]
    assert changes.keys() <= game.rules.keys()
    return naive.Game(game.shape, game.rules | changes, game.sides, game.pools)
