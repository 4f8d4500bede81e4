"""How fast the coach answers, as JSON on stdout: `python benchmarks/coach.py`.

Random live positions of all four games - as many spots as the game has, played at random, so that
there are split, long and doubled hands - are asked of a coach in a process of its own, one after
another, as the serving process asks them; and priced once more in this process, where processor
time can be measured. Times in milliseconds; on a busy machine wall time means little.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from upcard.cards import CARDS
from upcard.game import Game, Round
from upcard.games import CATALOGUE
from upcard.maths.coach import Position, price, warm
from upcard.server.coach import Coach
from upcard.table import CardFor, ChoiceFor, SpotBets

POSITIONS = 200
"""Of each game."""
BUDGET_MS = 50.0
"""For the median, warm."""


def positions(game: Game, count: int, draw: random.Random) -> list[Position]:
    """One of each round's decisions."""
    found: list[Position] = []
    while len(found) < count:
        rounds = _decisions(game.at_table(), draw)
        if rounds:
            found.append(Position.of(draw.choice(rounds)))
    return found


def _decisions(game: Game, draw: random.Random) -> list[Round]:
    shoe = list(CARDS) * game.rules.decks
    draw.shuffle(shoe)
    cards = iter(shoe)
    level = game.levels[-1]
    bets = ((game.main, level.bets[game.main].min),)
    spots = [SpotBets(spot, bets) for spot in range(1, game.spots_max + 1)]
    round_, found = Round.begin(game, level.key, spots), []
    while not round_.is_over:
        match round_.wants:
            case CardFor():
                round_ = round_.give(next(cards))
            case ChoiceFor():
                found.append(round_)
                round_ = round_.give(draw.choice(round_.choices).choice)
    return found


async def asked(all_positions: list[Position]) -> tuple[float, list[float]]:
    """Seconds until the coach is warm, and the milliseconds of each answer."""
    with tempfile.TemporaryDirectory() as folder:
        coach = Coach(Path(folder) / "coach.sock")
        began = time.perf_counter()
        first: dict[str, Any] = json.loads(str(all_positions[0]))
        while await coach.values(first) is None:
            await asyncio.sleep(0.01)
        warm_after = time.perf_counter() - began
        times = []
        for position in all_positions:
            document = json.loads(str(position))
            start = time.perf_counter()
            assert await coach.values(document) is not None
            times.append(1000 * (time.perf_counter() - start))
        await coach.close()
    return warm_after, times


def priced(all_positions: list[Position]) -> list[float]:
    """Milliseconds of processor time of each position in this process."""
    warm()
    times = []
    for position in all_positions:
        start = time.process_time()
        price(position)
        times.append(1000 * (time.process_time() - start))
    return times


def spread(times: list[float]) -> dict[str, float]:
    return {
        "median": round(median(times), 2),
        "p95": round(quantiles(times, n=20)[-1], 2),
        "max": round(max(times), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--positions", type=int, default=POSITIONS, help="of each game")
    count = parser.parse_args().positions
    draw = random.Random(50)
    by_game = {game.key: positions(game, count, draw) for game in CATALOGUE}
    mixed = [position for found in by_game.values() for position in found]
    draw.shuffle(mixed)
    warm_after, walls = asyncio.run(asked(mixed))
    processor = priced(mixed)
    keys = [position.game for position in mixed]
    report = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python "
        f"{platform.python_version()}, load {os.getloadavg()[0]:.1f}",
        "positions": len(mixed),
        "warm after seconds": round(warm_after, 2),
        "budget of the median, ms": BUDGET_MS,
        "one call to the process, ms": spread(walls),
        "processor time of one call, ms": spread(processor),
        "by game, one call, ms": {
            key: spread([wall for each, wall in zip(keys, walls, strict=True) if each == key])
            for key in by_game
        },
    }
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
