"""Bets on the felt: limits, what needs what, undo, and the bets that lay everything at once."""

from __future__ import annotations

import pytest

from upcard.games import find
from upcard.refused import Refused
from upcard.table import SpotBets
from upcard.terminal.layout import AtLimit, Exactly, Layout, More, Order, Place

PURSE = 10_000_000
LOW = Layout.empty(find("top3").at_table(), "low")
MICRO = Layout.empty(find("top3").at_table(), "micro")
AGS = Layout.empty(find("ags").at_table(), "table")


def order(spot: int, bet: str, cents: int) -> Order:
    return Order(spot, bet, Exactly(cents))


def lies(layout: Layout) -> dict[tuple[int, str], int]:
    return {(place.spot, place.bet): layout.lies(place) for place in layout.stacks}


def test_first_the_rightmost_main_place_is_selected_then_the_last_one_laid() -> None:
    """T-20, G-10."""
    assert LOW.selected == Place(1, "main")
    layout = LOW.lay([Order(None, None, Exactly(1000))], PURSE)
    assert lies(layout) == {(1, "main"): 1000}
    layout = layout.lay([order(2, "main", 500), order(2, "classic", 100)], PURSE)
    assert layout.selected == Place(2, "classic")
    assert lies(layout.lay([Order(None, None, More(150))], PURSE))[2, "classic"] == 250


@pytest.mark.parametrize(
    ("orders", "code", "sentence"),
    [
        # T-11: low 5-50, 1-25, 1-25, exactly 5; G-09: steps of 0.50
        ([order(1, "main", 450)], "limit",
         "main on spot 1 takes 5.00 to 50.00 in steps of 0.50, not 4.50."),
        ([order(1, "main", 5050)], "limit",
         "main on spot 1 takes 5.00 to 50.00 in steps of 0.50, not 50.50."),
        ([order(1, "main", 525)], "step",
         "main on spot 1 takes 5.00 to 50.00 in steps of 0.50, not 5.25."),
        ([order(2, "main", 500), order(2, "progressive", 400)], "limit",
         "progressive on spot 2 takes exactly 5.00, not 4.00."),
        # T-21, T-81
        ([order(1, "classic", 500)], "bet_needs",
         "Spot 1 lacks its bet; main must lie on a spot before anything else."),
        ([order(1, "main", 500), order(1, "top3", 100)], "bet_needs",
         "top3 on spot 1 needs classic on the same spot."),
        # T-02
        ([order(4, "main", 500)], "field", "top3 has spots 1 to 3, each given once."),
        ([order(1, "ante", 500)], "field",
         "'ante' is not open here; the bets are main, top3, classic and progressive."),
    ],
)  # fmt: skip
def test_a_refusal_is_the_games_own_sentence_and_changes_nothing(
    orders: list[Order], code: str, sentence: str
) -> None:
    before = LOW.lay([order(3, "main", 700)], PURSE)
    with pytest.raises(Refused) as refused:
        before.lay(orders, PURSE)
    assert (refused.value.code, refused.value.sentence) == (code, sentence)
    assert lies(before) == {(3, "main"): 700}


def test_one_wrong_bet_of_a_line_refuses_the_whole_line() -> None:
    with pytest.raises(Refused, match="top3 on spot 1 needs classic"):
        LOW.lay([order(2, "main", 500), order(1, "main", 500), order(1, "top3", 500)], PURSE)


def test_micro_has_no_progressive() -> None:
    """T-10."""
    with pytest.raises(Refused, match="'progressive' is not open here"):
        MICRO.lay([order(1, "main", 100), order(1, "progressive", 500)], PURSE)
    with pytest.raises(Refused, match="'progressive' is not open here"):
        MICRO.lay([order(1, "main", 100), Order(1, "progressive", AtLimit("max"))], PURSE)


def test_more_than_the_balance_is_refused() -> None:
    """G-10: nothing is clipped."""
    with pytest.raises(Refused, match=r"^These bets come to 12\.00 and the balance is 11\.99\.$"):
        LOW.lay([order(1, "main", 1200)], 1199)


FULL = LOW.lay(
    [order(1, "main", 1000), order(1, "classic", 200), order(1, "top3", 100),
     order(1, "progressive", 500), order(2, "main", 500)], PURSE
)  # fmt: skip


def test_taking_main_away_takes_the_side_bets_of_its_spot() -> None:
    """T-21."""
    assert lies(FULL.without([Place(1, "main")])) == {(2, "main"): 500}
    assert lies(FULL.lay([order(1, "main", 0)], PURSE)) == {(2, "main"): 500}


def test_taking_classic_away_takes_its_top3() -> None:
    """T-21."""
    assert lies(FULL.without([Place(1, "classic")])) == {
        (1, "main"): 1000, (1, "progressive"): 500, (2, "main"): 500,
    }  # fmt: skip


def test_at_ags_side_bets_lie_alone() -> None:
    """A-15."""
    layout = AGS.lay([order(2, "main", 100), order(2, "trifecta", 300)], PURSE)
    assert lies(layout.without([Place(2, "main")])) == {(2, "trifecta"): 300}


def test_undo_goes_back_one_change_of_the_selected_place_until_it_is_empty() -> None:
    """G-10, T-33."""
    layout = LOW
    for cents in (500, 1000, 2500):
        layout = layout.lay([order(1, "main", cents)], PURSE)
    seen = []
    for _ in range(3):
        layout = layout.undone()
        seen.append(layout.total)
    assert seen == [1000, 500, 0]
    with pytest.raises(Refused, match="Nothing lies there"):
        layout.undone()


def test_undo_leaves_other_places_alone() -> None:
    layout = FULL.select(Place(2, "main"))
    assert lies(layout.undone()) == {key: value for key, value in lies(FULL).items() if key[0] == 1}


def test_a_rebet_counts_as_one_change() -> None:
    """G-10."""
    layout = FULL.replaced([SpotBets(1, (("main", 700),))], PURSE)
    assert lies(layout) == {(1, "main"): 700}
    assert lies(layout.select(Place(1, "main")).undone()) == {}


def test_minimum_everywhere_before_the_first_round() -> None:
    """T-30 at low limits: three times 5 + 1 + 1 + 5."""
    layout = FULL.at_bound("min", None, PURSE)
    assert layout.total == 3 * 1200
    assert len(layout.stacks) == 12
    assert layout.at_bound("min", None, PURSE) == layout


def test_maximum_everywhere_before_the_first_round() -> None:
    """T-31 at high-roller limits: three times 2,000 + 1,000 + 1,000 + 5."""
    layout = Layout.empty(LOW.game, "high_roller").at_bound("max", None, PURSE)
    assert layout.total == 3 * 400_500


def test_afterwards_exactly_the_places_that_were_played() -> None:
    """T-30: the minimum on exactly the places that carried a bet at the last deal."""
    played = (SpotBets(2, (("main", 2000), ("classic", 1000))),)
    assert lies(FULL.at_bound("min", played, PURSE)) == {(2, "main"): 500, (2, "classic"): 100}
    assert lies(FULL.at_bound("max", played, PURSE)) == {(2, "main"): 5000, (2, "classic"): 2500}


def test_what_the_balance_does_not_cover_names_both_sums() -> None:
    """T-30: nothing changes and one sentence names sum and balance."""
    with pytest.raises(Refused, match=r"come to 36\.00 and the balance is 20\.00\.$"):
        LOW.at_bound("min", None, 2000)
