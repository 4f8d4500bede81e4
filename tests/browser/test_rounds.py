"""What each game has that no other has, by clicking, on a desktop or on a phone.

That everything has its place at every size is test_layout's, how it looks there test_states'.

The shuffles are searched for the situation; what must come of it is typed from the clauses.
"""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Place, Sit
from tests.browser.scenes import (
    chosen,
    hands_of,
    prefers,
    rows_of,
    seed_where,
    up_rank,
)
from upcard.game import Round
from upcard.table import ChoiceName

START = 10_000_000
"""What a guest begins with (contract, session)."""


def test_top3_opens_only_beside_classic_and_the_progressive_takes_5(
    sit: Sit, own_house: Place
) -> None:
    """T-21, T-81: Top 3 is locked until Classic lies. T-38: exactly 5.00 whatever the chip.

    T3-32, T3-34, T3-37, T3-87, T3-89
    """
    player = sit("top3", level="low", size="phone", place=own_house)
    top3, classic = player.circle("Top 3 on spot 1"), player.circle("21+3 Classic on spot 1")
    expect(classic).to_be_disabled()
    expect(top3).to_be_disabled()
    player.lay("5.00", "Main bet on spot 1")
    expect(classic).to_be_enabled()
    expect(top3).to_be_disabled()
    assert "21+3 Classic" in (top3.get_attribute("title") or "")
    top3.click(force=True)
    assert player.lies("Top 3 on spot 1") == 0
    assert "21+3 Classic" in player.said
    player.lay("1.00", "21+3 Classic on spot 1")
    expect(top3).to_be_enabled()
    player.lay("1.00", "Top 3 on spot 1", "21+3 Progressive on spot 1")
    player.circle("21+3 Progressive on spot 1").click()
    assert player.lies("21+3 Progressive on spot 1") == 500
    assert player.meter("total-bet") == 500 + 100 + 100 + 500
    assert player.meter("balance") == START - 1200, "G-08: the account less the chips laid"
    assert player.balance() == START, "G-08: chips on the felt are no stake yet"
    player.button("Undo").click()
    assert player.lies("21+3 Progressive on spot 1") == 0
    player.lay("1.00", "21+3 Classic on spot 1")
    player.button("Undo").click()
    player.button("Undo").click()
    assert [player.lies(f"{it} on spot 1") for it in ("21+3 Classic", "Top 3")] == [0, 0], "T-21"
    player.lay("5.00", "21+3 Progressive on spot 1")
    player.deal()
    player.finish()
    told = player.round()
    assert {"type": "bet", "spot": 1, "bet": "progressive", "cents": 500, "n": 1} in told["events"]
    meter = player.page.locator("[data-meter]")
    expect(meter).to_have_text("$10,000.85")  # T-85: 0.85 of each stake


def test_three_spots_with_insurance_and_a_split(sit: Sit) -> None:
    """T-02, T-68, T-69, G-06: insurance is asked spot by spot from the right; then a split.

    T3-68, T3-70, T3-72, T3-88
    """

    def happens(round_: Round) -> bool:
        return (
            up_rank(round_) == "A"
            and "split" in chosen(round_)
            and rows_of(round_, "insurance") == ["lose"]
            and len(hands_of(round_, 2)) == 2
        )

    laid = [{"main": 2000}] * 3

    def policy(round_: Round) -> ChoiceName:
        first = round_.choices[0]
        if first.choice == "insurance":
            return "insurance" if first.spot == 2 else "no_insurance"
        return prefers("split")(round_) if first.spot == 2 else prefers("stand")(round_)

    seed = seed_where("top3", "low", laid, policy, happens)
    player = sit("top3", level="low", size="phone", seed=seed)
    player.lay("5.00", *(f"Main bet on spot {spot}" for spot in (1, 2, 3)), times=4)
    player.deal()
    for spot in (1, 2, 3):
        group = player.page.get_by_role("group", name="Insurance")
        expect(group).to_contain_text(f"Spot {spot}")
        expect(player.choice("insurance")).to_contain_text("$10")  # T-68: half of 20.00
        player.choose("insurance" if spot == 2 else "no_insurance")
    assert player.meter("total-bet") == 3 * 2000 + 1000
    while "split" not in player.offered():
        player.choose("stand")
    expect(player.choice("split")).to_contain_text("$20")
    player.choose("split")
    expect(player.hands(2)).to_have_count(2)
    assert player.meter("total-bet") == 4 * 2000 + 1000
    player.finish()
    pays = [it for it in player.round()["events"] if it["type"] == "pay"]
    insured = [it for it in pays if it["bet"] == "insurance"]
    assert [(it["spot"], it["row"], it["stake"], it["paid"]) for it in insured] == [
        (2, "lose", 1000, 0)
    ]
    assert player.meter("balance") == player.balance()


def test_threecard_fold_with_ace_plus_paid(sit: Sit) -> None:
    """C-06, C-07, C-12: after FOLD the ante is lost and Ace Plus pays, one ace 1:1. C-13, G-11.

    3C-09, 3C-10
    """

    def happens(round_: Round) -> bool:
        return rows_of(round_, "ace_plus") == ["axx"]

    laid = [{"ante": 1000, "ace_plus": 500}]
    seed = seed_where("threecard", "table", laid, prefers("fold"), happens)
    player = sit("threecard", seed=seed)
    player.lay("5.00", "Ante", times=2)
    player.lay("5.00", "Ace Plus Bonus")
    player.deal()
    assert player.offered() == ["fold", "raise"]
    assert player.meter("balance") == START - 1500 - 1000, "C-06: the second ante is reserved"
    expect(player.choice("raise")).to_contain_text("$10")
    player.choose("fold")
    assert player.tags() == ["LOSE"]
    assert player.note("Ace Plus Bonus") == "+$5"
    assert player.balance() == START - 1500 + 1000
    assert player.meter("total-win") == 1000, "G-11: the winning bet's stake included"
    assert len(player.cards(player.dealer)) == 3
    assert "??" not in player.cards(player.dealer), "C-02: shown after FOLD"
    # C-13: DEAL repeats the same bets.
    assert [player.lies(it) for it in ("Ante", "Ace Plus Bonus")] == [1000, 500]
    assert player.meter("balance") == START - 500 - 1500, "G-08: less the chips that lie again"
    player.deal()
    assert player.meter("balance") == START - 500 - 1500 - 1000
    player.choose("raise")
    assert player.round()["events"][0] == {
        "n": 0,
        "type": "bet",
        "spot": 1,
        "bet": "ante",
        "cents": 1000,
    }


def test_super21_rescue_after_a_double(sit: Sit) -> None:
    """S-07: a doubled hand is given up, the doubled part is lost and the original bet returns.

    S21-13, S21-14, S21-02
    """

    def happens(round_: Round) -> bool:
        return rows_of(round_, "main") == ["rescue"]

    laid = [{"main": 2500}]
    seed = seed_where("super21", "table", laid, prefers("rescue", "double"), happens)
    player = sit("super21", size="phone", seed=seed)
    player.lay("25.00", "Main bet")
    player.deal()
    player.choose(*(["no_insurance"] if "no_insurance" in player.offered() else []))
    expect(player.choice("double")).to_contain_text("$25")
    player.choose("double")
    assert sorted(player.offered()) == ["rescue", "stand"]
    assert player.meter("total-bet") == 5000
    player.choose("rescue")
    assert player.tags() == ["RESCUE $25 BACK"]
    assert player.meter("balance") == START - 2500 == player.balance()
    assert player.meter("total-win") == 0, "G-11: a rescue is returned, not won"


def test_super21_six_cards_win_at_once(sit: Sit) -> None:
    """S-09: six cards not over 21, not doubled, win 1:1 at once.

    S21-18
    """

    def happens(round_: Round) -> bool:
        (hand,) = hands_of(round_)
        total = round_.table.spots[0].hands[0].total
        return len(hand) == 6 and total < 21 and rows_of(round_, "main") == ["auto_win"]

    seed = seed_where("super21", "table", [{"main": 500}], prefers("hit"), happens)
    player = sit("super21", seed=seed)
    player.lay("5.00", "Main bet")
    player.deal()
    player.choose(*(["no_insurance"] if "no_insurance" in player.offered() else []))
    player.choose(*["hit"] * 4)
    assert player.phase == "over"
    assert len(player.cards(player.hands())) == 6
    assert player.tags() == ["AUTOMATIC WIN +$5"]
    assert player.meter("balance") == START + 500 == player.balance()
    assert player.meter("total-win") == 1000


def test_ags_side_bet_alone_and_two_of_four(sit: Sit) -> None:
    """A-14, A-15, A-20: any two of four side bets; a spot with one of them alone is dealt, settled
    and not asked.

    AGS-02, AGS-16, AGS-17, AGS-29
    """

    def happens(round_: Round) -> bool:
        ((first, second),) = hands_of(round_)
        return first[0] == second[0] and first[1] != second[1]

    seed = seed_where("ags", "table", [{"main": 100}], prefers("stand"), happens)
    player = sit("ags", size="phone", seed=seed)
    expect(player.circle("Trifecta on spot 1")).to_be_visible()
    expect(player.circle("Match Super Bonus on spot 1")).to_be_visible()
    player.lay("1.00", "Trifecta on spot 1")
    player.page.get_by_role("button", name="This table").click()
    expect(player.page.get_by_role("checkbox", name="Pairs Pay")).to_be_disabled()  # AGS-17
    player.page.keyboard.press("Escape")
    player.button("Clear all").click()
    player.page.get_by_role("button", name="This table").click()
    player.page.get_by_role("checkbox", name="Pairs Pay").check()
    player.page.get_by_role("checkbox", name="In Bet").check()
    player.page.keyboard.press("Escape")
    expect(player.circle("Trifecta on spot 1")).to_have_count(0)
    player.lay("25.00", "Pairs Pay on spot 1")
    player.deal()
    assert player.phase == "over", "A-15: deal, settle, show the hole card, end"
    assert len(player.cards(player.hands(1))) == 2
    assert player.note("Pairs Pay on spot 1") == "+$250"
    assert player.meter("balance") == START + 25_000 == player.balance()
    assert "??" not in player.cards(player.dealer)


def test_ags_place_on_all_six_circles(sit: Sit) -> None:
    """A-16: the selected chip on every side circle of every spot; the deal takes all of them.

    AGS-20
    """
    player = sit("ags")
    player.lay("1.00")
    player.button("Place").click()
    names = [
        f"{side} on spot {spot}" for side in ("Trifecta", "Match Super Bonus") for spot in (1, 2, 3)
    ]
    assert [player.lies(name) for name in names] == [100] * 6
    player.deal()
    bets = [it for it in player.round()["events"] if it["type"] == "bet"]
    assert sorted((it["spot"], it["bet"], it["cents"]) for it in bets) == [
        (spot, bet, 100) for spot in (1, 2, 3) for bet in ("match_super", "trifecta")
    ]


def test_ags_even_money(sit: Sit) -> None:
    """A-11: a natural under an ace is offered even money; accepted, it pays 1:1 at once.

    AGS-12
    """

    def happens(round_: Round) -> bool:
        return "even_money" in chosen(round_)

    seed = seed_where("ags", "table", [{"main": 10_000}], prefers("even_money"), happens)
    player = sit("ags", size="phone", seed=seed)
    player.lay("100.00", "Main bet on spot 1")
    player.deal()
    expect(player.page.get_by_role("group", name="Even money")).to_be_visible()
    player.choose("even_money")
    assert player.phase == "over"
    assert player.tags() == ["WIN +$100"]
    assert player.meter("balance") == START + 10_000 == player.balance()


def test_top3_a_natural_and_a_surrender(sit: Sit) -> None:
    """T-04: 3:2, labelled BLACKJACK. T-67: surrender gives half the bet back and is no win.

    T3-09, T3-13
    """

    def happens(round_: Round) -> bool:
        hands = [hand.state for spot in round_.table.spots for hand in spot.hands]
        return hands == ["natural", "surrendered"] and up_rank(round_) != "A"

    laid = [{"main": 1000}, {"main": 1000}]
    seed = seed_where("top3", "low", laid, prefers("surrender"), happens)
    player = sit("top3", level="low", seed=seed)
    player.lay("5.00", "Main bet on spot 1", "Main bet on spot 2", times=2)
    player.deal()
    assert player.tags(1) == ["BLACKJACK +$15"]
    player.choose("surrender")
    assert player.tags(2) == ["SURRENDER $5 BACK"]
    assert player.meter("balance") == START - 2000 + 2500 + 500 == player.balance()
    assert player.meter("total-win") == 2500
