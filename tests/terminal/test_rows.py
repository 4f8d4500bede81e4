"""What a drawn table shows of a round, as values."""

from __future__ import annotations

from tests.terminal.conftest import Stacked
from tools.picture import PICTURE, draw
from upcard import scripts
from upcard.games import find
from upcard.table import SpotBets
from upcard.terminal.dealer import Answer
from upcard.terminal.rows import BetLine, bet_and_won, dealer_row, hand_rows


def super21(stacked: Stacked, shoe: str, *choices: str) -> Answer:
    dealer = stacked(shoe)
    bets = [SpotBets(1, (("main", 1000),))]
    answer = dealer.bet(find("super21").at_table(), "table", bets, client_seed="tester")
    for choice in choices:
        (chosen,) = (known.choice for known in answer.choices if known.choice == choice)
        answer = dealer.move(answer, chosen)
    return answer


def test_the_hole_card_lies_face_down_until_it_is_turned_up(stacked: Stacked) -> None:
    """G-02, G-04, S-17."""
    assert dealer_row(super21(stacked, "Ts 6s 9d Td 8c")).cards[1] is None
    assert dealer_row(super21(stacked, "Ts 6s 9d Td 8c")).total == "6"
    assert dealer_row(super21(stacked, "Ts As 9d Td 8c")).total == "ace"
    assert dealer_row(super21(stacked, "Ts 6s 9d Td 8c", "stand")).total == "24, bust"


def test_the_hand_to_act_is_marked_in_words(stacked: Stacked) -> None:
    """S-11: three hands, played from the right (G-06)."""
    rows = [*hand_rows(super21(stacked, "8h 6s 8d Td 8c Th 9d 2h", "split", "split", "stand"))]
    assert [(row.name, row.state) for row in rows] == [
        ("Your first hand", "stands"),
        ("Your second hand", "to act"),
        ("Your third hand", "waits"),
    ]
    assert [row.bets for row in rows] == [(BetLine("main 10.00", "open"),)] * 3


def test_a_bet_says_how_it_ended(stacked: Stacked) -> None:
    """S-08, S-16: a win, a push, a loss and a surrender are told apart."""
    ends = {
        "Ts 6s 9d Td 8c": BetLine("main 10.00: win, 20.00 back", "won"),
        "Ts 9s 9d Td": BetLine("main 10.00: push, 10.00 back", "back"),
        "Ts 9s 8d Td": BetLine("main 10.00: lost", "lost"),
    }
    for shoe, line in ends.items():
        (row,) = hand_rows(super21(stacked, shoe, "stand"))
        assert row.bets == (line,)
        assert row.state == ""
    (row,) = hand_rows(super21(stacked, "Ts 9s 6d Td", "surrender"))
    assert row.bets == (BetLine("main 10.00: surrendered, 5.00 back", "back"),)


def test_total_bet_and_total_win(stacked: Stacked) -> None:
    """G-11: doubles, splits, insurance count as bet; pushes and returns are no win."""
    played = scripts.play(
        scripts.parse(
            "game top3 level=low\nbet 1 main=10\nbet 2 main=20\nbet 3 main=10\n"
            "cards Ah 9c 5s As Kd 9d 6h 9h Tc\n"
            "do 1.0 insurance\ndo 2.0 no_insurance\ndo 3.0 no_insurance\n"
            "do 2.0 stand\ndo 3.0 double\n"
            "pay 1 insurance 0\npay 1.0 main 25\npay 2.0 main 0\npay 3.0 main 40"
        )
    )
    assert bet_and_won(played.events) == (5500, 6500)
    pushed = super21(stacked, "Ts 9s 9d Td", "stand").round.events
    surrendered = super21(stacked, "Ts 9s 6d Td", "surrender").round.events
    assert bet_and_won(pushed) == bet_and_won(surrendered) == (1000, 0)


def test_the_picture_in_the_documents_is_what_is_drawn() -> None:
    """`python tools/picture.py` draws it again."""
    assert PICTURE.read_text(encoding="utf-8") == draw()
