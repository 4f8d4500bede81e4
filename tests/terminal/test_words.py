"""Events in words: each kind of event has a sentence, and totals are named as the clauses ask."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from upcard import scripts
from upcard.cards import parse_cards
from upcard.events import Event
from upcard.game import Game
from upcard.games import CATALOGUE, find
from upcard.terminal import tell
from upcard.terminal.words import Teller, row_name, total_name


def told(script: str) -> list[str]:
    played = scripts.play(scripts.parse(script))
    return [*tell(played.game, played.events)]


@pytest.mark.parametrize(
    ("game", "cards", "name"),
    [
        ("top3", "Th 6c", "16"),
        ("top3", "Ah Kc", "blackjack"),  # T-04
        ("top3", "7h 7c 7d", "21"),
        ("top3", "Ah 4c 6d", "21"),  # soft, but it stands by itself (G-05)
        ("top3", "Ah 6c", "soft 17"),
        ("ags", "Ah 6c 9d", "16"),
        ("top3", "Th 6c 9d", "25, bust"),
        ("super21", "Ah 6c", "soft 7/17"),  # S-17: both values
        ("super21", "Ah 4c 6d", "soft 11/21"),  # S-13: it may still be hit
        ("super21", "Ah 6c 9d", "16"),
        ("super21", "Ad Kd", "blackjack"),
        ("threecard", "Ah 6c 3d", "soft 20"),  # C-03, C-16
        ("threecard", "Ah Ac Ad", "soft 13"),  # C-03
        ("threecard", "Ah Kc 5d", "blackjack"),  # C-03: an ace and a ten-value among the three
        ("threecard", "7h 7c 7d", "21"),
        ("threecard", "9h 5c 2d", "16"),
    ],
)
def test_totals_are_named(game: str, cards: str, name: str) -> None:
    assert total_name(find(game).rules, parse_cards(cards)) == name


def test_ace_and_ten_after_a_split_is_21_not_blackjack() -> None:
    """T-66, A-03: never a natural after a split."""
    assert total_name(find("top3").rules, parse_cards("Ah Kc"), from_split=True) == "21"


def test_a_whole_round_of_a_drawing_game() -> None:
    """T-63, T-60, T-83: bets, deal, side bet, split, double, hit, stand, dealer, payments."""
    assert told(
        """
        game top3 decks=6 level=low
        bet 1 main=10.00 classic=1.00
        bet 2 main=20.00
        cards 8h Kc 6s 8d 9c Td 3c 2h Th 9d Qc
        do 1.0 split
        do 1.0 double
        do 1.1 hit
        do 1.1 stand
        do 2.0 stand
        pay 1 classic 0.00
        pay 1.0 main 40.00
        pay 1.1 main 20.00
        pay 2.0 main 40.00
        """
    ) == [
        "Spot 1 bets main 10.00 and 21+3 Classic 1.00.",
        "Spot 2 bets main 20.00.",
        "Spot 1 has the eight of hearts and the eight of diamonds: 16.",
        "Spot 2 has the king of clubs and the nine of clubs: 19.",
        "The dealer shows the six of spades, one card face down.",
        "21+3 Classic on spot 1 loses 1.00.",
        "Spot 1 splits for 10.00.",
        "Spot 1's first hand gets the three of clubs: 11.",
        "Spot 1's second hand gets the two of hearts: 10.",
        "Spot 1's first hand doubles for 10.00.",
        "Spot 1's first hand gets the ten of hearts: 21.",
        "Spot 1's second hand hits.",
        "Spot 1's second hand gets the nine of diamonds: 19.",
        "Spot 1's second hand stands.",
        "Spot 2 stands.",
        "The dealer turns up the ten of diamonds: 16.",
        "The dealer draws the queen of clubs: 26, bust.",
        "Spot 1's first hand wins: 40.00 comes back for 20.00.",
        "Spot 1's second hand wins: 20.00 comes back for 10.00.",
        "Spot 2 wins: 40.00 comes back for 20.00.",
        "Staked 51.00, returned 100.00: 49.00 up.",
    ]


def test_a_whole_round_of_three_cards() -> None:
    """C-06, C-08, C-09, C-12: raise, a dealer who does not qualify, Ace Plus at 25:1."""
    assert told(
        """
        game threecard decks=1 level=table
        bet 1 ante=10.00 ace_plus=5.00
        cards Ah Ac Kd 9h 4c 2d
        do 1.0 raise
        pay 1.0 ante 20.00
        pay 1.0 raise 10.00
        pay 1 ace_plus 130.00
        """
    ) == [
        "You bet ante 10.00 and Ace Plus Bonus 5.00.",
        "You have the ace of hearts, the ace of clubs and the king of diamonds: blackjack.",
        "The dealer shows the nine of hearts, two cards face down.",
        "You raise by 10.00.",
        "The dealer turns up the four of clubs and the two of diamonds: 15, which does not "
        "qualify.",
        "The ante wins (blackjack): 20.00 comes back for 10.00.",
        "The raise pushes, 10.00 comes back.",
        "Ace Plus Bonus wins (A-A-T): 130.00 comes back for 5.00.",
        "Staked 25.00, returned 160.00: 135.00 up.",
    ]


@pytest.mark.parametrize(
    ("script", "sentences"),
    [
        (  # C-07: folding loses the ante; equal money comes back from Ace Plus
            "game threecard\nbet 1 ante=5 ace_plus=5\ncards Ah 9c 4d 9h 4c 5d\ndo 1.0 fold\n"
            "pay 1.0 ante 0\npay 1 ace_plus 10",
            ["You fold.", "The ante loses 5.00.", "Staked 10.00, returned 10.00: even."],
        ),
        (  # S-07: rescue returns the original bet
            "game super21\nbet 1 main=10\ncards 5h 9s 6d 9c 2s\ndo 1.0 double\ndo 1.0 rescue\n"
            "pay 1.0 main 10",
            ["You double for 10.00.", "You give up the doubled hand.",
             "10.00 of 20.00 comes back."],
        ),
        (  # S-08: surrender at any time
            "game super21\nbet 1 main=10\ncards 5h 9s 6d 9c 2s\ndo 1.0 hit\ndo 1.0 surrender\n"
            "pay 1.0 main 5",
            ["You surrender.", "5.00 of 10.00 comes back.",
             "Staked 10.00, returned 5.00: 5.00 down."],
        ),
        (  # S-10: 21 in five cards wins at once 2:1
            "game super21\nbet 1 main=10\ncards 2h 9s 3d 9c 4s 5s 7d\ndo 1.0 hit\ndo 1.0 hit\n"
            "do 1.0 hit\npay 1.0 main 30",
            ["You win at once with 21 in 5 cards: 30.00 comes back for 10.00."],
        ),
        (  # S-09: six cards win at once 1:1
            "game super21\nbet 1 main=10\ncards 2h 9s 2d 9c 2s 3s 3d 4c\ndo 1.0 hit\ndo 1.0 hit\n"
            "do 1.0 hit\ndo 1.0 hit\npay 1.0 main 20",
            ["You win at once with 6 cards: 20.00 comes back for 10.00."],
        ),
        (  # S-04: a natural of two diamonds pays 2:1
            "game super21\nbet 1 main=10\ncards Ad 9s Kd 9c\npay 1.0 main 30",
            ["You win (blackjack in diamonds): 30.00 comes back for 10.00."],
        ),
        (  # S-11: equal values split to three hands
            "game super21\nbet 1 main=10\ncards 8h 6s 8d Td 8c Th 9d 2h Tc\ndo 1.0 split\n"
            "do 1.0 split\ndo 1.0 stand\ndo 1.1 stand\ndo 1.2 stand\n"
            "pay 1.0 main 20\npay 1.1 main 20\npay 1.2 main 20",
            ["Your first hand splits for 10.00.", "Your third hand stands.",
             "Your second hand wins: 20.00 comes back for 10.00."],
        ),
        (  # T-65, T-66: split aces get one card each; ace and ten are a plain 21
            "game top3 level=low\nbet 1 main=10\ncards Ah 9c As 7d Th Kd 2c\ndo 1.0 split\n"
            "pay 1.0 main 20\npay 1.1 main 20",
            ["Spot 1's first hand gets the ten of hearts: 21.",
             "Spot 1's second hand gets the king of diamonds: 21."],
        ),
        (  # T-68, T-69: insurance, paid 2:1 against a dealer natural
            "game top3 level=low\nbet 1 main=10\nbet 2 main=10\ncards Th 9c As Td 9d Kh\n"
            "do 1.0 insurance\ndo 2.0 no_insurance\n"
            "pay 1 insurance 15\npay 1.0 main 0\npay 2.0 main 0",
            ["Insurance is offered for spot 1.", "Spot 1 takes insurance for 5.00.",
             "Spot 2 takes no insurance.", "The dealer looks at the hole card and has blackjack.",
             "The dealer turns up the king of hearts: blackjack.",
             "Insurance on spot 1 wins: 15.00 comes back for 5.00.", "Spot 2 loses 10.00."],
        ),
        (  # T-70: natural against natural
            "game top3 level=low\nbet 1 main=10\ncards Ah As Td Kh\ndo 1.0 insurance\n"
            "pay 1 insurance 15\npay 1.0 main 10",
            ["Spot 1 pushes, 10.00 comes back."],
        ),
        (  # even money, closed before the peek
            "game ags\nbet 1 main=10\ncards Ah As Td Kh\ndo 1.0 even_money\npay 1.0 main 20",
            ["Even money is offered for spot 1.", "Spot 1 takes even money.",
             "Spot 1 wins: 20.00 comes back for 10.00."],
        ),
        (  # declined
            "game ags\nbet 1 main=10\ncards Ah As Td 9h\ndo 1.0 no_even_money\npay 1.0 main 25",
            ["Spot 1 takes no even money.", "The dealer looks at the hole card and has no "
             "blackjack.", "Spot 1 wins (blackjack): 25.00 comes back for 10.00."],
        ),
        (  # T-85: the whole meter, and the house's own row 125 for 1
            "game top3 level=low\nbet 1 main=10 progressive=5\ncards Kh Kh Kh 9c\n"
            "meter 1 10000.85\ndo 1.0 stand\npay 1 progressive 10000.85\npay 1.0 main 20",
            ["The meter stands at 10,000.85. Spot 1 takes all of it.",
             "21+3 Progressive on spot 1 wins (suited aces or kings, three of a kind): "
             "10,000.85 comes back for 5.00."],
        ),
    ],
)  # fmt: skip
def test_what_happened_is_said(script: str, sentences: list[str]) -> None:
    said = told(script)
    for sentence in sentences:
        assert sentence in said


def test_a_round_told_in_portions_is_the_same_story() -> None:
    """A teller remembers its cards from one answer to the next."""
    script = scripts.parse(
        "game top3 level=low\nbet 1 main=10\ncards 8h 6s 8d Td 3c Th 9d Qc\ndo 1.0 split\n"
        "do 1.0 hit\ndo 1.0 stand\ndo 1.1 stand\npay 1.0 main 20\npay 1.1 main 20"
    )
    played = scripts.play(script)
    teller = Teller(played.game)
    halves: Iterable[tuple[Event, ...]] = (played.events[:5], played.events[5:9], played.events[9:])
    # A portion ends where a choice was asked for, so no run of cards is cut.
    assert [said.sentence for half in halves for said in teller.said(half)] == [
        *tell(played.game, played.events)
    ]


@pytest.mark.parametrize("game", CATALOGUE, ids=lambda game: game.key)
def test_every_row_has_a_name_in_plain_ascii(game: Game) -> None:
    names = [
        row_name(game, side.key, row.name) for side in game.side_bets for row in side.pays.rows
    ]
    assert all(name.isascii() and "_" not in name for name in names)
