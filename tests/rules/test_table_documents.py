"""A table and what may be chosen, as they are sent (contract: HTTP)."""

from __future__ import annotations

from upcard.table import (
    Choice,
    DealerView,
    HandView,
    SpotView,
    Table,
    afford,
    choice_record,
    table_record,
)


def test_a_table_is_written_as_the_contract_says() -> None:
    """Cards as two letters, amounts in cents, and of a card face down nothing but that it lies."""
    hand = HandView(("8s", "8h"), 16, False, 500, "live")
    spot = SpotView(2, {"main": 500, "classic": 100}, (hand,), True)
    assert table_record(Table(DealerView(("Ah", "??"), 11, True), (spot,))) == {
        "dealer": {"cards": ("Ah", "??"), "total": 11, "soft": True},
        "spots": [
            {
                "spot": 2,
                "bets": {"main": 500, "classic": 100},
                "hands": [
                    {
                        "cards": ("8s", "8h"),
                        "total": 16,
                        "soft": False,
                        "stake": 500,
                        "state": "live",
                    }
                ],
                "active": True,
            }
        ],
    }


def test_a_choice_says_what_it_costs_and_why_it_is_closed() -> None:
    """G-07."""
    (split,) = afford((Choice("split", 2, 0, cost=500),), 499)
    assert choice_record(split) == {
        "choice": "split",
        "spot": 2,
        "hand": 0,
        "cost": 500,
        "enabled": False,
        "why": "Split costs 5.00 and the balance is 4.99.",
        "warning": None,
    }
