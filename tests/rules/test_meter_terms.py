"""A meter under other terms than its game's own: seed, share and cap (T-85)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from upcard import describe
from upcard.games import find
from upcard.refused import Refused
from upcard.sidebets import Pool

OWN = Pool(key="top3", seed=1_000_000, share=Fraction(17, 100))
"""T-85: starts at 10,000.00; 17 % of each stake enters it."""


def test_a_meter_with_a_cap_never_shows_more() -> None:
    assert OWN.shown(123_456_789) == 123_456_789
    capped = replace(OWN, cap=2_000_000)
    assert [capped.shown(cents) for cents in (0, 2_000_000, 2_000_001)] == [0, 2_000_000, 2_000_000]


def test_the_cap_is_part_of_what_the_rules_hash_seals() -> None:
    game = find("top3")
    assert "progressive.pool=top3, 17/100 of each stake from 1000000\n" in str(game)
    capped = game.with_pools([replace(OWN, cap=2_000_000)])
    assert "17/100 of each stake from 1000000 up to 2000000\n" in str(capped)
    assert capped.rules_hash != game.rules_hash


def test_terms_are_for_the_meter_they_name() -> None:
    game = find("top3")
    assert game.with_pools([OWN]) == game
    assert game.with_pools([replace(OWN, key="other", seed=1)]) == game
    assert find("ags").with_pools([replace(OWN, seed=1)]) == find("ags")
    richer = game.with_pools([replace(OWN, seed=5_000_000)])
    assert richer.side_bet("progressive").pool == replace(OWN, seed=5_000_000)


def test_a_share_that_breaks_a_cent_builds_no_game() -> None:
    """G-09: a third of 5.00 is no whole number of cents."""
    with pytest.raises(Refused, match="broken cent"):
        find("top3").with_pools([replace(OWN, share=Fraction(1, 3))])


def test_the_rules_page_says_the_terms_in_force() -> None:
    terms = Pool(key="top3", seed=5_000_000, share=Fraction(1, 5), cap=9_000_000)
    page = describe.as_text(describe.page(find("top3").with_pools([terms])), 200)
    assert "The meter starts at 50,000.00." in page
    assert "It never shows more than 90,000.00." in page
    assert "1.00 of it (20 %)" in page
    assert "never shows more" not in describe.as_text(describe.page(find("top3")), 200)
