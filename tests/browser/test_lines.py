"""Lines of docs/table.md that rounds show: each plays one found for it, by clicking.

After each of them nothing has been asked of another origin (X-19; `sit` sees to it).
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Place, Sit
from tests.browser.player import Player
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
ONE, TWO, THREE = (f"Main bet on spot {spot}" for spot in (1, 2, 3))
TENS = "TJQK"
STANDS = prefers("stand")


def states(round_: Round) -> list[str]:
    return [hand.state for spot in round_.table.spots for hand in spot.hands]


def result(player: Player, spot: int = 1) -> str:
    """The first word of a spot's first result."""
    return player.tags(spot)[0].split()[0]


def test_the_levels_and_their_limits(sit: Sit) -> None:
    """T3-17, T3-18, T3-20, T3-21, T3-22, T3-23: the four of the sheet, and no other."""
    player = sit("top3", level="micro")
    pill = player.page.get_by_role("button", name="This table")
    expect(pill).to_have_text("This table: Micro $1 \u2013 $10")
    pill.click()
    options = player.page.get_by_role("group", name="Limits").locator("label")
    sides = ("Top 3 {0}", "21+3 Classic {0}", "21+3 Progressive $5")
    limits = [
        ("Micro", "$1 \u2013 $10", "$0.50 \u2013 $5"),
        ("Low", "$5 \u2013 $50", "$1 \u2013 $25"),
        ("High", "$25 \u2013 $500", "$2 \u2013 $250"),
        ("High Roller", "$100 \u2013 $2,000", "$5 \u2013 $1,000"),
    ]
    expected = [
        [title, f"Main bet {main}", *(it.format(side) for it in sides)]
        for title, main, side in limits
    ]
    del expected[0][-1]  # no progressive at Micro
    expect(options).to_have_count(4)
    shown = [option.inner_text().split("\n") for option in options.all()]
    assert [[cell.strip() for cell in cells if cell.strip()] for cells in shown] == expected


WATCH = """() => {
  window.order = [];
  new MutationObserver(() => {
    const where = ['[data-spot="1"]', '[data-spot="2"]', '[data-spot="3"]', '[data-dealer]'];
    const now = where.map(it => document.querySelectorAll(it + ' [data-card]').length).join('');
    if (now !== window.order.at(-1)) window.order.push(now);
  }).observe(document.body, {subtree: true, childList: true});
}"""


def test_two_of_three_spots_are_dealt_and_played_from_the_right(sit: Sit) -> None:
    """T3-01, T3-02, T3-03, T3-04, T3-05, T3-06, T3-08, T3-53, X-15: one by one, clockwise."""

    def happens(round_: Round) -> bool:
        return states(round_).count("natural") == 0 and up_rank(round_) in "23456"

    laid = [{"main": 500}, {}, {"main": 500}]
    seed = seed_where("top3", "low", laid, STANDS, happens)
    player = sit("top3", level="low", seed=seed, speed="normal")
    player.lay("5.00", ONE, THREE)
    player.page.evaluate(WATCH)
    player.deal()
    order = player.page.evaluate("() => window.order")
    assert order[-6:] == ["1000", "1010", "1011", "2011", "2021", "2022"]
    assert player.sees().acting == "1"
    assert player.cards(player.dealer)[1] == "??"
    player.choice("stand").click()
    player.rests()
    assert player.sees().acting == "3"
    assert player.cards(player.dealer)[1] == "??"
    player.choice("stand").click()
    player.rests()
    assert {*player.page.locator("body").inner_text()} & {*"\u2660\u2663\u2665\u2666"} == set()
    seen, table = player.sees(), player.round()["table"]
    assert "??" not in seen.dealer[0]
    assert len(seen.dealer[0]) > 2
    assert seen.dealer[1].split()[0] == str(table["dealer"]["total"])
    for spot in table["spots"]:
        shown = [total.split("/")[-1] for _, total in seen.spots[str(spot["spot"])]]
        assert shown == [str(hand["total"]) for hand in spot["hands"]]


def test_a_dealer_blackjack_under_a_ten_ends_the_round_at_once(sit: Sit) -> None:
    """T3-07, T3-64: nothing is offered, surrender included; the first stake is lost (T-05)."""

    def happens(round_: Round) -> bool:
        cards = round_.table.dealer.cards
        return up_rank(round_) in TENS and cards[1][0] == "A" and states(round_) == ["lost"]

    seed = seed_where("top3", "low", [{"main": 500}], STANDS, happens)
    player = sit("top3", level="low", seed=seed)
    player.lay("5.00", ONE)
    player.deal()
    assert (player.phase, player.offered()) == ("over", [])
    assert result(player) == "LOSE"
    assert player.meter("balance") == START - 500


def test_insurance_under_a_dealer_blackjack(sit: Sit) -> None:
    """T3-67, T3-69, T3-71, T3-73: paid 2:1 whatever the hand; natural against natural pushes.

    T3-86
    """

    def happens(round_: Round) -> bool:
        is_natural = up_rank(round_) == "A" and round_.table.dealer.cards[1][0] in TENS
        return is_natural and states(round_) == ["push", "lost"]

    policy = prefers("insurance")
    seed = seed_where("top3", "low", [{"main": 1000}] * 2, policy, happens)
    player = sit("top3", level="low", seed=seed)
    player.lay("5.00", ONE, TWO, times=2)
    player.deal()
    player.choose("insurance")
    assert player.lies("Insurance on spot 1") == 500, "half the bet, a stack of its own"
    player.choose("insurance")
    assert [result(player, spot) for spot in (1, 2)] == ["PUSH", "LOSE"]
    assert [player.note(f"Insurance on spot {spot}") for spot in (1, 2)] == ["+$10", "+$10"]
    assert player.meter("balance") == START - 1000 + 2 * 1000
    assert player.meter("total-win") == 3000, "T3-86, T3-88: two of 5.00 at 2:1, stakes included"
    assert player.meter("total-bet") == 3000


def test_split_aces_get_one_card_each_and_21_is_no_blackjack(sit: Sit) -> None:
    """T3-10, T3-57, T3-61: A-A, then a ten on one of them; no choice after the split."""

    def happens(round_: Round) -> bool:
        hands = hands_of(round_)
        if [hand[0][0] for hand in hands] != ["A", "A"]:
            return False
        return any(hand[1][0] in TENS for hand in hands) and up_rank(round_) in "23456"

    seed = seed_where("top3", "low", [{"main": 500}], prefers("split"), happens)
    player = sit("top3", level="low", seed=seed)
    player.lay("5.00", ONE)
    player.deal()
    player.choose("split")
    assert player.phase == "over", "both hands are closed"
    assert [len(player.cards(hand)) for hand in player.hands().all()] == [2, 2]
    assert "BLACKJACK" not in " ".join(player.tags())


def test_a_split_hand_may_be_doubled_but_not_split_again(sit: Sit) -> None:
    """T3-57, T3-58, T3-59, T3-60, T3-62, T3-54, T3-55: a king and a queen are a pair too."""

    def happens(round_: Round) -> bool:
        first, *rest = hands_of(round_)
        return (
            len(rest) == 1
            and {first[0][0], rest[0][0][0]} == {"K", "Q"}
            and first[1][0] in "23456"
            and rest[0][1][0] in TENS
            and up_rank(round_) in "23456"
            and states(round_)[0] != "bust"
        )

    seed = seed_where("top3", "low", [{"main": 500}], prefers("split", "double"), happens)
    player = sit("top3", level="low", seed=seed)
    player.lay("5.00", ONE)
    player.deal()
    player.choose("split")
    assert player.offered() == ["double", "hit", "stand"]
    assert player.tags() == ["$5", "$5"], "T3-59: each hand says what it stakes"
    player.choose("double")
    assert player.tags() == ["$10", "$5"]
    right = player.hands().last
    assert len(player.cards(right)) == 3
    assert player.meter("total-bet") == 1500
    assert player.offered() == ["double", "hit", "stand"], "the left hand, ten and ten"
    expect(player.choice("split")).to_be_disabled()
    player.choose("stand")
    assert len(player.tags()) == 2


def test_a_bust_is_closed_at_once_and_equal_totals_push(sit: Sit) -> None:
    """T3-11, T3-12: BUST while the next spot still plays; PUSH returns the bet."""

    def happens(round_: Round) -> bool:
        return states(round_) == ["bust", "push"] and up_rank(round_) != "A"

    def policy(round_: Round) -> ChoiceName:
        return prefers("hit")(round_) if round_.choices[0].spot == 1 else STANDS(round_)

    seed = seed_where("top3", "low", [{"main": 500}] * 2, policy, happens)
    player = sit("top3", level="low", seed=seed)
    player.lay("5.00", ONE, TWO)
    player.deal()
    while player.sees().acting == "1":
        player.choose("hit")
    assert result(player) == "BUST"
    player.finish()
    assert result(player, 2) == "PUSH"
    assert "Spot 1: bust, 2: push" in player.said, "of all spots, whenever they were settled"
    assert player.meter("balance") == START - 500
    assert player.meter("total-win") == 0, "G-11: a push is returned, not won"


def test_side_bets_are_decided_at_the_deal_whatever_follows(sit: Sit) -> None:
    """T3-90, T3-91, T3-92, T3-93: Classic 9:1 and the progressive flush, 3 for 1; then a bust."""

    def happens(round_: Round) -> bool:
        rows = rows_of(round_, "classic") + rows_of(round_, "progressive")
        return rows == ["flush", "flush"] and states(round_) == ["bust"] and up_rank(round_) != "A"

    laid = [{"main": 500, "classic": 100, "progressive": 500}]
    seed = seed_where("top3", "low", laid, prefers("hit"), happens)
    player = sit("top3", level="low", seed=seed)
    player.lay("5.00", ONE)
    player.lay("1.00", "21+3 Classic on spot 1", "21+3 Progressive on spot 1")
    player.deal()
    sides = ("21+3 Classic on spot 1", "21+3 Progressive on spot 1")
    assert player.phase == "choosing"
    assert [player.note(it) for it in sides] == ["+$9", "$15"]
    while player.phase == "choosing":
        player.choose("hit")
    assert result(player) == "BUST"
    assert [player.note(it) for it in sides] == ["+$9", "$15"]
    assert player.meter("balance") == START - 500 + 900 + 1000


def test_choices_at_the_maximum_and_beyond_the_balance(sit: Sit, poor_house: Place) -> None:
    """T3-26, T3-66: SPLIT and DOUBLE at the maximum bet; closed with a reason without the money."""

    def happens(round_: Round) -> bool:
        ((first, second, *_), *_) = hands_of(round_)
        return first[0] == second[0] == "8" and up_rank(round_) in "23456"

    seed = seed_where("top3", "micro", [{"main": 1000}], STANDS, happens)
    player = sit("top3", level="micro", seed=seed)
    player.lay("5.00", ONE, times=2)
    player.deal()
    assert {"split", "double"} <= {*player.offered()}
    player.finish()
    poor = sit("top3", level="low", seed=seed, place=poor_house)
    poor.lay("5.00", ONE, times=4)
    poor.deal()
    for name in ("split", "double"):
        expect(poor.choice(name)).to_be_disabled()
        assert "4.00" in str(poor.choice(name).get_attribute("title"))
    assert poor.offered() == ["surrender", "hit", "stand"]


def test_super21_a_blackjack_of_diamonds(sit: Sit) -> None:
    """S21-20, S21-21, S21-22, S21-26: two diamonds are paid 2:1; even money is on the felt."""

    def happens(round_: Round) -> bool:
        (hand,) = hands_of(round_)
        return states(round_) == ["natural"] and {card[1] for card in hand} == {"d"}

    seed = seed_where("super21", "table", [{"main": 500}], STANDS, happens)
    player = sit("super21", seed=seed)
    logo = player.page.get_by_role("button", name="Open the pay tables")
    expect(logo).to_contain_text("Blackjack pays even money")
    expect(logo).to_contain_text("Dealer must hit soft 17")
    expect(player.page.get_by_text("8 decks")).to_be_visible()
    player.lay("5.00", "Main bet")
    player.deal()
    player.finish()
    assert player.tags() == ["SUITED BLACKJACK +$10"]
    assert player.meter("balance") == START + 1000


def test_super21_21_in_five_cards_and_a_soft_total(sit: Sit) -> None:
    """S21-04, S21-19, S21-23: 2:1 at once; a total with an ace shows both its values."""

    def happens(round_: Round) -> bool:
        (hand,) = hands_of(round_)
        is_five = len(hand) == 5 and round_.table.spots[0].hands[0].total == 21
        small = {hand[0][0], hand[1][0]} == {"A", "2"}
        return is_five and small and up_rank(round_) != "A"

    seed = seed_where("super21", "table", [{"main": 500}], prefers("hit"), happens)
    player = sit("super21", seed=seed)
    player.lay("5.00", "Main bet")
    player.deal()
    assert "3/13" in player.hands().first.locator("[data-total]").inner_text()
    player.choose("hit", "hit", "hit")
    assert player.phase == "over"
    assert player.meter("balance") == START + 1000


@pytest.mark.parametrize("hits", [0, 1])
def test_super21_surrender_with_any_number_of_cards(hits: int, sit: Sit) -> None:
    """S21-03, S21-15: half the bet comes back, before a hit and after it."""

    def happens(round_: Round) -> bool:
        (hand,) = round_.table.spots[0].hands
        return len(hand.cards) == 3 and hand.total < 21 and up_rank(round_) in "23456"

    def policy(round_: Round) -> ChoiceName:
        return prefers("hit")(round_) if "hit" not in chosen(round_) else STANDS(round_)

    seed = seed_where("super21", "table", [{"main": 2500}], policy, happens)
    player = sit("super21", seed=seed)
    player.lay("25.00", "Main bet")
    player.deal()
    assert [len(player.cards(it)) for it in (player.hands(), player.dealer)] == [2, 2]
    assert [card == "??" for card in player.cards(player.dealer)] == [False, True]
    player.choose(*["hit"] * hits, "surrender")
    assert player.tags() == ["SURRENDER $12.50 BACK"]
    assert player.meter("balance") == START - 1250


def qualifies(round_: Round) -> bool:
    return round_.table.dealer.total >= 17  # C-08


@pytest.mark.parametrize("case", ["no", "blackjack"])
def test_threecard_against_a_dealer_who_does_not_qualify(case: str, sit: Sit) -> None:
    """3C-18, 3C-19, 3C-20, 3C-01, 3C-07, 3C-08: both push; with a blackjack the ante pays 1:1."""

    def happens(round_: Round) -> bool:
        natural = states(round_) == ["natural"] or rows_of(round_, "ante") != ["push"]
        return not qualifies(round_) and natural is (case == "blackjack")

    seed = seed_where("threecard", "table", [{"ante": 500}], prefers("raise"), happens)
    player = sit("threecard", seed=seed)
    player.lay("5.00", "Ante")
    player.deal()
    assert player.offered() == ["fold", "raise"]
    player.choose("raise")
    assert player.lies("Raise") == 500
    assert "does not qualify" in player.said
    assert player.meter("balance") == START + (500 if case == "blackjack" else 0) - 500
    assert player.balance() == START + (500 if case == "blackjack" else 0)


def test_threecard_the_higher_total_is_paid_on_both_bets(sit: Sit) -> None:
    """3C-22, 3C-02, 3C-03, 3C-23, 3C-24: three cards open against one; the best total is named."""

    def happens(round_: Round) -> bool:
        (hand,) = round_.table.spots[0].hands
        return qualifies(round_) and rows_of(round_, "ante") == ["win"] and hand.soft

    seed = seed_where("threecard", "table", [{"ante": 500}], prefers("raise"), happens)
    player = sit("threecard", seed=seed)
    player.lay("5.00", "Ante")
    player.deal()
    assert len(player.cards(player.hands())) == 3
    assert [card == "??" for card in player.cards(player.dealer)] == [False, True, True]
    assert "soft" in player.hands().first.locator("[data-total]").inner_text().lower()
    player.choose("raise")
    assert player.balance() == START + 1000


def test_threecard_bets_within_their_limits(sit: Sit) -> None:
    """3C-04, 3C-05, T3-24: the ante 5 to 500, Ace Plus 5 to 100, which may be left out."""
    player = sit("threecard")
    player.lay("1.00", "Ante", times=4)
    assert "at least $5.00" in str(player.button("Deal").get_attribute("title"))
    player.press("Max all bets")
    assert [player.lies(it) for it in ("Ante", "Ace Plus Bonus")] == [50_000, 10_000]
    player.lay("1.00", "Ante")
    assert player.said == "Ante takes at most $500.00."
    player.lay("1.00", "Ace Plus Bonus")
    assert player.said == "Ace Plus Bonus takes at most $100.00."
    player.press("Cancel bet")
    expect(player.button("Deal")).to_be_enabled()


def test_ags_circles_up_to_5000(sit: Sit) -> None:
    """AGS-01, AGS-18, AGS-19, AGS-21, AGS-22, AGS-23: all nine; PLACE skips full ones."""
    player = sit("ags")
    player.press("Max all bets")
    laid = player.sees().laid
    bets = ("Main bet", "Trifecta", "Match Super Bonus")
    assert laid == {f"{bet} on spot {spot}": 500_000 for bet in bets for spot in (1, 2, 3)}
    player.lay("1.00", "Main bet on spot 1")
    assert player.said == "Main bet on spot 1 takes at most $5,000.00."
    player.press("Place")
    assert "No chip of $1.00 fits on Trifecta on spot 1" in player.said
    assert player.sees().laid == laid


def first_ranks(round_: Round) -> list[str]:
    """The first two ranks of each hand of spot 1, as text."""
    return ["".join(card[0] for card in hand[:2]) for hand in hands_of(round_)]


def test_super21_split_aces_may_act(sit: Sit) -> None:
    """S21-08, S21-10, S21-11: a card each, then any choice; 21 is no blackjack."""

    def happens(round_: Round) -> bool:
        ranks = first_ranks(round_)
        both = len(ranks) == 2 and all(it[0] == "A" for it in ranks)
        return both and ranks[0][1] in TENS and ranks[1][1] in "2345" and up_rank(round_) in "23456"

    seed = seed_where("super21", "table", [{"main": 500}], prefers("split"), happens)
    player = sit("super21", seed=seed)
    player.lay("5.00", "Main bet")
    player.deal()
    player.choose("split")
    assert player.offered() == ["surrender", "double", "hit", "stand"], "a soft 21"
    player.choose("stand")
    assert player.offered() == ["surrender", "double", "hit", "stand"]
    player.choose("stand")
    assert "BLACKJACK" not in " ".join(player.tags())
    assert player.meter("total-bet") == 1000


def test_super21_double_on_three_cards(sit: Sit) -> None:
    """S21-05, S21-07, S21-12: one card more, then the hand stands or is rescued."""

    def policy(round_: Round) -> ChoiceName:
        return prefers(*[it for it in ("hit", "double") if it not in chosen(round_)][:1])(round_)

    def happens(round_: Round) -> bool:
        return chosen(round_) == ["hit", "double", "stand"]

    seed = seed_where("super21", "table", [{"main": 500}], policy, happens)
    player = sit("super21", seed=seed)
    player.lay("5.00", "Main bet")
    player.deal()
    player.choose("hit", "double")
    assert len(player.cards(player.hands())) == 4
    assert player.offered() == ["rescue", "stand"]
    player.choose("stand")
    assert player.phase == "over"


@pytest.mark.parametrize("soft", [False, True])
def test_super21_a_hard_21_stands_and_a_soft_one_may_act(soft: bool, sit: Sit) -> None:
    """S21-06, with three cards."""
    played = ["hit", "stand"] if soft else ["hit"]

    def policy(round_: Round) -> ChoiceName:
        return STANDS(round_) if "hit" in chosen(round_) else prefers("hit")(round_)

    def happens(round_: Round) -> bool:
        (hand,) = round_.table.spots[0].hands
        return hand.total == 21 and hand.soft is soft and chosen(round_) == played

    seed = seed_where("super21", "table", [{"main": 500}], policy, happens)
    player = sit("super21", seed=seed)
    player.lay("5.00", "Main bet")
    player.deal()
    player.choose("hit")
    assert ("hit" in player.offered()) is soft
    assert player.phase == ("choosing" if soft else "over")


def test_super21_insurance_is_lost_and_equal_totals_push(sit: Sit) -> None:
    """S21-16, S21-25: half of 10.00 is gone, and the bet comes back."""

    def happens(round_: Round) -> bool:
        return up_rank(round_) == "A" and states(round_) == ["push"]

    seed = seed_where("super21", "table", [{"main": 1000}], prefers("insurance"), happens)
    player = sit("super21", seed=seed)
    player.lay("5.00", "Main bet", times=2)
    player.deal()
    player.choose("insurance")
    assert player.note("Insurance") == "lost"
    player.choose("stand")
    assert result(player) == "PUSH"
    assert player.meter("balance") == START - 500


def test_super21_the_dealer_busts(sit: Sit) -> None:
    """S21-24: and pays every hand still in."""

    def happens(round_: Round) -> bool:
        return round_.table.dealer.total > 21 and states(round_) == ["won"]

    seed = seed_where("super21", "table", [{"main": 500}], STANDS, happens)
    player = sit("super21", seed=seed)
    player.lay("5.00", "Main bet")
    player.deal()
    player.finish()
    assert player.tags() == ["WIN +$5"]
    assert "busts" in player.said


def test_ags_split_aces_may_be_hit_and_doubled(sit: Sit) -> None:
    """AGS-07, AGS-08, AGS-09, AGS-11: and not surrendered."""

    def happens(round_: Round) -> bool:
        ranks = first_ranks(round_)
        return len(ranks) == 2 and all(it[0] == "A" and it[1] in "234" for it in ranks)

    seed = seed_where("ags", "table", [{"main": 500}], prefers("split"), happens)
    player = sit("ags", seed=seed)
    player.lay("5.00", ONE)
    player.deal()
    if "no_insurance" in player.offered():
        player.choose("no_insurance")
    player.choose("split")
    assert player.offered() == ["double", "hit", "stand"]
    player.choose("hit")
    while "double" not in player.offered():
        player.choose("stand")
    player.choose("double")
    assert player.phase == "over"
    assert sorted(len(player.cards(hand)) for hand in player.hands().all()) == [3, 3]


def test_ags_three_spots_go_three_ways(sit: Sit) -> None:
    """AGS-03, AGS-04, AGS-05, AGS-06, AGS-10, AGS-14: surrendered, busted, stood and won."""
    wanted = {1: "surrender", 2: "hit", 3: "stand"}

    def policy(round_: Round) -> ChoiceName:
        return prefers(wanted[round_.choices[0].spot])(round_)  # type: ignore[arg-type]

    def happens(round_: Round) -> bool:
        return states(round_) == ["surrendered", "bust", "won"] and up_rank(round_) != "A"

    seed = seed_where("ags", "table", [{"main": 1000}] * 3, policy, happens)
    player = sit("ags", seed=seed)
    player.lay("5.00", ONE, TWO, THREE, times=2)
    player.deal()
    assert [card == "??" for card in player.cards(player.dealer)] == [False, True]
    player.choose("surrender")
    while player.sees().acting == "2":
        assert {"hit", "stand"} <= {*player.offered()}
        player.choose("hit")
    assert result(player, 2) == "BUST"
    player.choose("stand")
    assert [player.tags(spot) for spot in (1, 2, 3)] == [
        ["SURRENDER $5 BACK"],
        ["BUST"],
        ["WIN +$10"],
    ]
    assert player.meter("balance") == START - 500 - 1000 + 1000


def test_ags_insurance_and_the_highest_row_alone(sit: Sit) -> None:
    """AGS-13, AGS-28: half the bet under an ace; a straight flush is paid once, 30:1."""

    def happens(round_: Round) -> bool:
        is_asked = up_rank(round_) == "A" and "insurance" in chosen(round_)
        return is_asked and rows_of(round_, "trifecta") == ["straight_flush"]

    laid = [{"main": 1000, "trifecta": 100}]
    seed = seed_where("ags", "table", laid, prefers("insurance"), happens)
    player = sit("ags", seed=seed)
    player.lay("5.00", ONE, times=2)
    player.lay("1.00", "Trifecta on spot 1")
    player.deal()
    assert player.note("Trifecta on spot 1") == "+$30"
    expect(player.choice("insurance")).to_contain_text("$5")
    player.choose("insurance")
    assert player.lies("Insurance on spot 1") == 500
    pays = [it for it in player.round()["events"] if it["type"] == "pay"]
    assert [it["paid"] for it in pays if it["bet"] == "trifecta"] == [3100]


def test_threecard_a_blackjack_beats_a_dealer_blackjack(sit: Sit) -> None:
    """3C-21: an ace and a ten-value card on both sides; ante and raise are paid 1:1."""

    def is_blackjack(cards: Sequence[str]) -> bool:
        ranks = {card[0] for card in cards}
        return "A" in ranks and not ranks.isdisjoint(TENS)

    def happens(round_: Round) -> bool:
        return all(map(is_blackjack, (round_.table.dealer.cards, hands_of(round_)[0])))

    seed = seed_where("threecard", "table", [{"ante": 500}], prefers("raise"), happens)
    player = sit("threecard", seed=seed)
    player.lay("5.00", "Ante")
    player.deal()
    player.choose("raise")
    assert player.balance() == START + 1000
