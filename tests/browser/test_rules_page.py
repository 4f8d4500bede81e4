"""What the rules of each game say, as the table shows them; typed from the clauses."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Sit

SAID = {
    "top3": (
        "six decks of 52 cards",
        "seven or eight",
        "shuffled anew before every round",
        "stands on every 17",
        "A malfunction voids all pays and plays.",
        "last changed on",
        *("Hit", "Stand", "Double", "Split", "Surrender", "Insurance", "Side bets"),
        *("Undo", "Cancel bet", "Clear all", "Min all bets", "Max all bets", "Rebet", "Chip info"),
        *("Ask for insurance", "Card deal speed", "Speed pay", "Player warning"),
    ),
    "threecard": (
        "one deck of 52 cards",
        "No more cards are dealt",
        "Ante and raise pay",
        "the dealer does not qualify",
        "Preferences",
    ),
    "super21": (
        "hits every total up to 16 and a soft 17 too",
        "there is no even money to choose",
        *("Hit", "Stand", "Split", "Double", "Surrender", "Insurance", "Deal", "Chips"),
    ),
    "ags": (
        "six decks",
        "Fisher-Yates",
        "shuffled anew before every round",
        "99.83 %",
        "stands on every 17",
        "A malfunction voids all pays and plays.",
        "Place",
    ),
}
PAID = {
    "top3": {
        "Winning hand": "1:1",
        "Insurance, if the dealer has a natural": "2:1",
        "Natural": "3:2",
        "Push": "bet returned",
    },
    "threecard": {
        "A-A-A": "100:1",
        "A-A-T": "25:1",
        "A-A-x": "15:1",
        "A-T-T": "6:1",
        "A-T-x": "3:1",
        "A-x-x": "1:1",
    },
    "super21": {
        "Natural of two diamonds": "2:1",
        "21 in five cards or more": "2:1",
        "Six cards or more not over 21": "1:1",
    },
    "ags": {
        "Three fives": "200:1",
        "Straight flush": "30:1",
        "Three of a kind": "20:1",
        "Two suited matches": "22:1",
        "Suited pair": "15:1",
        "Unsuited pair": "10:1",
    },
}
ROWS = {
    "top3": {"21+3 Classic": 4, "Top 3": 3, "21+3 Progressive": 6},
    "threecard": {"Ace Plus Bonus": 6},
    "super21": {},
    "ags": {"Trifecta": 5, "Match Super Bonus": 5, "Pairs Pay": 2, "In Bet": 5},
}


@pytest.mark.parametrize("game", SAID)
def test_the_rules_of_a_game_say_and_pay_what_its_sheet_does(game: str, sit: Sit) -> None:
    """T3-14, T3-15, T3-16, T3-94, T3-95, T3-96, T3-97, T3-98; 3C-15, 3C-25, 3C-26, 3C-27;
    S21-17, S21-27, S21-28; AGS-15, AGS-24, AGS-25, AGS-26, AGS-27, AGS-30, AGS-31.
    """
    player = sit(game)
    player.button("Rules and pay tables").click()
    dialog = player.page.get_by_role("dialog", name="Rules and pay tables")
    expect(dialog.get_by_role("heading", name="Pay tables", exact=True)).to_be_visible()
    text = dialog.inner_text()
    assert [sentence for sentence in SAID[game] if sentence not in text] == []
    assert "House returns" in text
    for row, pays in PAID[game].items():
        header = dialog.get_by_role("rowheader", name=row, exact=True).first
        assert pays in header.locator("xpath=..").inner_text()
    for bet, count in ROWS[game].items():
        table = dialog.get_by_role("table", name=f"{bet} pays")
        expect(table.locator("tbody tr")).to_have_count(count)
