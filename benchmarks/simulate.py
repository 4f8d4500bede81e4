"""How fast the simulator plays: million rounds a second, warm, as JSON.

python benchmarks/simulate.py [--rounds N] [--times N]

Every figure is the median of `times` runs on one core (`two_cores`: on two), and the best of them;
between the runs a plain compiled loop (`reference_loop.py`) is timed on the same core, and `ratio`
is the median of the quotients of neighbours; `times_one_reference` is what two cores are to one for
that loop. Then: the wall time of a new process up to its first
result with a compile cache, and the most memory it had for few and for many rounds.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from upcard.games import find
from upcard.maths.strategy import cell_of
from upcard.simulate import simulate
from upcard.simulate.strategies import best_chart

sys.path.insert(0, str(Path(__file__).parent))
from reference_loop import plain_rounds

RUNS: dict[str, dict[str, Any]] = {
    "top3": {"game": "top3"},
    "ags": {"game": "ags"},
    "super21": {"game": "super21"},
    "top3_two_side_bets": {"game": "top3", "bets": ["top3", "classic"]},
    "top3_three_spots": {"game": "top3", "spots": 3},
    "threecard": {"game": "threecard"},
}
FIRST = ["-m", "upcard", "simulate", "top3", "--rounds", "1000", "--seed", "1", "--json"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=float, default=2e7)
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    rounds = int(options.rounds)
    found: dict[str, Any] = {"machine": machine(), "rounds": rounds, "times": options.times}
    found |= {name: measured(run, rounds, options.times) for name, run in RUNS.items()}
    two = [speed(RUNS["top3"], 4 * rounds, workers=2) for _ in range(options.times)]
    found["top3_two_cores"] = {
        "median": statistics.median(two) / 1e6,
        "best": max(two) / 1e6,
        "times_one": max(two) / 1e6 / found["top3"]["best"],
        "times_one_reference": reference_on_two(rounds) / max(reference(rounds), reference(rounds)),
    }
    found["first_result_seconds"] = first_result()
    found["memory_megabytes"] = {f"{count:.0e}": memory(count) for count in (1e6, 1e8)}
    print(json.dumps(found, indent=1))


def machine() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
    return names[0].partition(": ")[2] if names else platform.processor()


def measured(run: dict[str, Any], rounds: int, times: int) -> dict[str, float]:
    speed(run, rounds // 10, workers=1)
    speeds, paces = [], []
    for _ in range(times):
        paces.append(reference(rounds // 2))
        speeds.append(speed(run, rounds, workers=1))
    return {
        "median": statistics.median(speeds) / 1e6,
        "best": max(speeds) / 1e6,
        "reference": statistics.median(paces) / 1e6,
        "ratio": statistics.median(a / b for a, b in zip(speeds, paces, strict=True)),
        "best_ratio": max(speeds) / max(paces),
    }


def speed(run: dict[str, Any], rounds: int, workers: int) -> float:
    found = simulate(**run, rounds=rounds, seed=1, workers=workers)
    return found.rounds_now / found.seconds


def reference(rounds: int) -> float:
    chart = best_chart(find("top3").rules).entries
    tables = np.zeros((2, 2, 32, 11), np.bool_)
    for soft in range(2):
        for total in range(22):
            cell = cell_of(soft=bool(soft), total=total, group=0)
            tables[:, soft, total, 1:] = chart[:2, cell]
    hits, doubles = tables
    plain_rounds(10, np.uint64(88172645463325252), hits, doubles)
    began = time.perf_counter()
    plain_rounds(rounds, np.uint64(88172645463325252), hits, doubles)
    return rounds / (time.perf_counter() - began)


def reference_on_two(rounds: int) -> float:
    """How much of a second core the machine itself gives: the best of three."""

    def both(pool: ThreadPoolExecutor) -> float:
        began = time.perf_counter()
        list(pool.map(reference, [rounds, rounds]))
        return 2 * rounds / (time.perf_counter() - began)

    with ThreadPoolExecutor(2) as pool:
        return max(both(pool) for _ in range(3))


def first_result() -> dict[str, float]:
    seconds = []
    for _ in range(5):
        began = time.perf_counter()
        subprocess.run([sys.executable, *FIRST], check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - began)
    return {"median": statistics.median(seconds), "best": min(seconds)}


def memory(rounds: float) -> float:
    """The most memory of a process of its own, in megabytes."""
    program = (
        "import resource; from upcard.simulate import simulate;"
        f"simulate('top3', rounds={rounds}, seed=1, workers=1);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    return int(found.stdout) / 1024


if __name__ == "__main__":
    main()
