"""The kernel plays card for card as the round machine does (contract: `upcard simulate`).

On random legal choices over the catalogue, the made-up games and the odd rule sets: the same
choices are offered, the same cards used and the same money paid, side bets included.
"""

from __future__ import annotations

import os

import pytest

from tests.rules.dealer import TABLES
from tests.simulate.conformance import Seen, compare, demanded, random_block

SOAK = bool(os.environ.get("UPCARD_SOAK"))
ROUNDS, BLOCKS = (1_000_000, 100) if SOAK else (10_000, 5)
"""Of each table, and in how many blocks of the same bets and strategy."""


@pytest.mark.parametrize("table", TABLES)
def test_the_kernel_plays_as_the_round_machine(table: str) -> None:
    seen = Seen()
    for number in range(BLOCKS):
        compare(random_block(table, number, ROUNDS // BLOCKS), seen)
    print(f"\n{table}: {seen.rounds} rounds, {dict(seen.choices)}, hands {dict(seen.hands)}")
    print({f"{bet}.{row}": count for (bet, row), count in sorted(seen.rows.items())})
    under_test = TABLES[table]
    bets = {bet for level in under_test.levels for bet in under_test.game.level(level).bets}
    choices, hands, rows = demanded(under_test.game, bets)
    assert seen.rounds == ROUNDS
    assert choices - seen.choices.keys() == set()
    assert hands - seen.hands.keys() == set()
    assert rows - seen.rows.keys() == set()
