"""How fast the exact solver is, as JSON on stdout: `python benchmarks/solve.py`.

Warm: the best of five runs, each on another shoe (a card or two of the whole decks missing), so
that nothing is remembered; best play of every hand, split and whole game, one core. Cold: the
first answer of a new process, imports included, with an empty compile cache and with a filled one.
Times are wall time in seconds; on a busy machine they mean little, so processor time stands beside.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from upcard.games.super21 import SUPER21
from upcard.maths.best import live_values, solve
from upcard.twentyone.rules import Rules, Split

RUNS = 5
SIX = Rules(decks=6, surrender="first")
EIGHT = Rules(decks=8, dealer_hits_soft_17=True, surrender="first")
GAMES = {
    "6 decks S17 DAS LS, four hands": SIX,
    "8 decks H17 DAS LS, four hands": EIGHT,
    "Super 21": SUPER21.rules,
}
BUDGET = {
    "6 decks S17 DAS LS, four hands": 0.067,
    "8 decks H17 DAS LS, four hands": 0.071,
    "Super 21": 0.2,
}
"""Seconds, warm."""
COLD = """
import json, resource, time
began = time.perf_counter()
from upcard.maths.best import solve
from upcard.twentyone.rules import Rules
ev = solve(Rules(decks=6, surrender="first")).ev
print(json.dumps({
    "seconds": time.perf_counter() - began,
    "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
"""


@dataclass(frozen=True)
class Time:
    wall: float
    processor: float


def shoes(rules: Rules) -> list[list[int]]:
    """The whole decks by value, each time without another card."""
    whole = [4 * rules.decks] * 9 + [16 * rules.decks]
    return [
        [count - (value == missing) for value, count in enumerate(whole)] for missing in range(RUNS)
    ]


def best_time(run: Callable[[list[int]], object], rules: Rules) -> Time:
    """The best of some runs on different shoes, after one that warms up."""
    run([4 * rules.decks] * 9 + [16 * rules.decks])
    walls, processors = [], []
    for shoe in shoes(rules):
        wall, processor = time.perf_counter(), time.process_time()
        run(shoe)
        walls.append(time.perf_counter() - wall)
        processors.append(time.process_time() - processor)
    return Time(round(min(walls), 5), round(min(processors), 5))


def whole_game(rules: Rules) -> Callable[[list[int]], object]:
    def run(shoe: list[int]) -> object:
        found = solve(rules, shoe)
        return found.plan, found.ev, found.mean_stake

    return run


def deviation(rules: Rules) -> Callable[[list[int]], object]:
    return lambda shoe: solve(rules, shoe).sd


def live_hand(rules: Rules) -> Callable[[list[int]], object]:
    return lambda shoe: live_values(rules, shoe, "8 8", "T")


def cold() -> dict[str, dict[str, float]]:
    """First answers of new processes: they must compile; they find compiled code."""
    found = {}
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"NUMBA_CACHE_DIR": cache}
        for name in ("cold, nothing compiled", "cold, compiled"):
            tries = 1 if "nothing" in name else RUNS
            outputs = [
                json.loads(
                    subprocess.run(
                        [sys.executable, "-c", COLD],
                        env=environment,
                        check=True,
                        capture_output=True,
                        text=True,
                    ).stdout
                )
                for _ in range(tries)
            ]
            found[name] = {
                "seconds": round(min(each["seconds"] for each in outputs), 3),
                "peak_mb": round(max(each["peak_mb"] for each in outputs), 1),
            }
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--warm", action="store_true", help="leave the cold starts out")
    asked = parser.parse_args()
    report: dict[str, object] = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python "
        f"{platform.python_version()}, load {os.getloadavg()[0]:.1f}",
        "warm": {
            name: vars(best_time(whole_game(rules), rules)) | {"budget": BUDGET[name]}
            for name, rules in GAMES.items()
        },
        "live hand, 8 8 against T": vars(best_time(live_hand(SIX), SIX)),
        "standard deviation too": {
            name: vars(best_time(deviation(rules), rules)) for name, rules in GAMES.items()
        },
        "by decks": {
            str(decks): vars(best_time(whole_game(rules), rules))
            for decks in range(1, 9)
            for rules in [replace(SIX, decks=decks)]
        },
        "by hands allowed": {
            str(hands): vars(best_time(whole_game(replace(SIX, split=Split(hands_max=hands))), SIX))
            for hands in range(1, 5)
        },
    }
    if not asked.warm:
        report |= cold()
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
