"""One-line faults, each planted in a copy of the source, are found by the ordinary suite.

What is tested here is the tests: a suite that stays green over a wrong payment proves nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.planted import SCRIPTS, Fault, copied, environment, is_found, run_suite

VECTORS = "tests/fair/test_shuffle_vectors.py"
SIDE_BET_TESTS = ("tests/rules/test_side_bets.py",)
FAIR_TESTS = (VECTORS, "tests/fair")

HAND, ROUND = "twentyone/hand.py", "twentyone/round.py"
FELT = "twentyone/felt.py"
THREE_HAND, THREE_ROUND = "threecard/hand.py", "threecard/round.py"
SIDE, FAIR = "sidebets.py", "fair.py"

FAULTS = {
    "the dealer stands on 16": Fault(HAND, "DEALER_STANDS_FROM = 17", "DEALER_STANDS_FROM = 16"),
    "the dealer draws to every soft 17": Fault(
        HAND, "return rules.dealer_hits_soft_17", "return True"
    ),
    "a natural is asked to play": Fault(
        ROUND, '        return "natural"\n', '        return "live"\n'
    ),
    "a suited natural pays like any": Fault(
        HAND, "return rules.natural_suited.odds", "return rules.natural"
    ),
    "a doubled hand wins at once": Fault(HAND, "if hand.doubled or hand.bust:", "if hand.bust:"),
    "six cards win only above six": Fault(
        HAND, "if hand.cards >= win.cards", "if hand.cards > win.cards"
    ),
    "the worst automatic win pays": Fault(HAND, "return max(fitting", "return min(fitting"),
    "a doubled 21 is asked for rescue": Fault(
        HAND, "rules.double.rescue and hand.total != BEST_TOTAL", "rules.double.rescue"
    ),
    "a soft 21 stands where only hard ones do": Fault(
        HAND, '(rules.stands_on_21 == "any" or not hand.soft)', "True"
    ),
    "double after a third card": Fault(HAND, '(double.cards == "any" or hand.cards == 2)', "True"),
    "split without end": Fault(HAND, "and hands < rules.split.hands_max", "and hands < 9"),
    "surrender after a split": Fault(
        HAND,
        "return hand.cards == 2 and not hand.from_split\n    return",
        "return hand.cards == 2\n    return",
    ),
    "a dealer natural spares the hands that stood": Fault(
        ROUND, 'if hand.stake and hand.state in ("live", "stood"):', 'if hand.state == "live":'
    ),
    "equal totals lose": Fault(
        HAND,
        'return "push" if hand.total == dealer.total else "win"',
        'return "lose" if hand.total == dealer.total else "win"',
    ),
    "a natural never pushes": Fault(
        HAND,
        'return "push" if dealer_natural and not rules.natural_wins_always else "win"',
        'return "win"',
    ),
    "insurance costs the whole bet": Fault(ROUND, "stake = half(spot.main)", "stake = spot.main"),
    "insurance pays without a dealer natural": Fault(
        ROUND,
        "paid = felt.rules.insurance.paid(spot.insurance) if natural else 0",
        "paid = felt.rules.insurance.paid(spot.insurance)",
    ),
    "no peek under a ten": Fault(HAND, "return up.is_ace or up.is_ten", "return up.is_ace"),
    "even money is not closed before the peek": Fault(
        ROUND, 'felt = _settle(felt, number, 0, "win", EVEN, "won", log)', "pass"
    ),
    "the left hand of a split gets its card first": Fault(
        ROUND,
        "return Drawing(felt, spot, (index, index + 1))",
        "return Drawing(felt, spot, (index + 1, index))",
    ),
    "a double stakes nothing": Fault(
        FELT,
        "self._replace(stake=2 * self.stake, hand=self.hand._replace(doubled=True))",
        "self._replace(hand=self.hand._replace(doubled=True))",
    ),
    "surrender gives everything back": Fault(
        ROUND, "held.stake, half(held.stake))", "held.stake, held.stake)"
    ),
    "the dealer draws though no hand waits": Fault(
        ROUND, "if not any(hand.standing for _, _, hand in felt.each_hand()):", "if False:"
    ),
    "the hole card stays down": Fault(
        ROUND,
        "return _dealer_plays(_reveal(felt, log), log)",
        "return _dealer_plays(felt, log)",
        ("tests/rules/test_scripts.py::test_things_happen_in_their_order",),
    ),
    "three cards count only their sum": Fault(
        THREE_HAND, 'sizes = (2, 3) if rules.best_of == "any" else (3,)', "sizes = (3,)"
    ),
    "a dealer blackjack beats the player's": Fault(
        THREE_HAND, '    if player.natural:\n        return "win"\n', ""
    ),
    "the raise wins against an unqualified dealer": Fault(
        THREE_HAND,
        'return Outcome("win" if player.natural else "push", "push")',
        'return Outcome("win" if player.natural else "push", "win")',
    ),
    "folding loses Ace Plus": Fault(
        THREE_ROUND,
        "return _side_bets(felt, _laid(felt), log)",
        "return _side_bets(felt, _laid(felt) if felt.raised else (), log)",
    ),
    "K-A-2 is a straight": Fault(
        SIDE, "for low in range(len(RANKS) - 1)", "for low in range(len(RANKS))", SIDE_BET_TESTS
    ),
    "queens take the meter": Fault(
        SIDE, 'if RANKS[rank] in "AK":', 'if RANKS[rank] in "AKQ":', SIDE_BET_TESTS
    ),
    "an ace is low between": Fault(
        SIDE, "return card.rank or len(RANKS)", "return card.rank", SIDE_BET_TESTS
    ),
    "a flush of two suits": Fault(
        SIDE,
        "flush = len({card.suit for card in cards}) == 1",
        "flush = len({card.suit for card in cards}) <= 2",
        SIDE_BET_TESTS,
    ),
    "the spread counts one too many": Fault(
        SIDE, ".get(high - low - 1,", ".get(high - low,", SIDE_BET_TESTS
    ),
    "a biased choice of cards": Fault(FAIR, "while word >= limit:", "while False:", FAIR_TESTS),
    "a word at the limit is taken": Fault(
        FAIR, "while word >= limit:", "while word > limit:", FAIR_TESTS
    ),
    "the naive shuffle": Fault(
        FAIR, "chosen = place + word % left", "chosen = word % size", FAIR_TESTS
    ),
    "words the other way round": Fault(FAIR, '">16H"', '"<16H"', FAIR_TESTS),
    "the nonce does not matter": Fault(
        FAIR, "|{client_seed}|{nonce}|{number}", "|{client_seed}|1|{number}", FAIR_TESTS
    ),
    "the commit is of other bytes": Fault(
        FAIR, "hashlib.sha256(server_seed)", "hashlib.sha256(server_seed[:32])", FAIR_TESTS
    ),
}


def test_there_are_at_least_twenty_faults_in_every_kind_of_file() -> None:
    assert len(FAULTS) >= 20
    assert {fault.file for fault in FAULTS.values()} >= {HAND, ROUND, SIDE, FAIR}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(name: str, tmp_path: Path) -> None:
    assert is_found(FAULTS[name], tmp_path), f"stayed green over: {name}"


def test_the_source_without_a_fault_is_green(tmp_path: Path) -> None:
    """Else a suite that is always red would pass for one that finds everything."""
    source = copied(tmp_path)
    outcome = run_suite(source, SCRIPTS, *SIDE_BET_TESTS, VECTORS)
    assert outcome.returncode == 0, outcome.stdout[-2000:]
    where = [sys.executable, "-c", "import upcard; print(upcard.__file__)"]
    imported = subprocess.run(
        where,
        env=os.environ | environment(source),
        capture_output=True,
        text=True,
        check=True,
    )
    assert imported.stdout.startswith(str(source)), "the copy is what the suite tests"
