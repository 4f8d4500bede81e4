"""`upcard simulate`: its options checked, its progress shown, its answer printed."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from upcard.game import Game
from upcard.refused import Refused
from upcard.simulate import strategies
from upcard.simulate.bankroll import Sitting, Sittings, play_sittings, summed
from upcard.simulate.experiment import Experiment, experiment
from upcard.simulate.parquet import Parquet
from upcard.simulate.result import Result
from upcard.simulate.run import Run, Watch, check_meter, run_on, whole_rounds
from upcard.simulate.strategies import COMPOSITION, TOTAL, Document

GOOD: Final = 0
INTERRUPTED: Final = 130
SHOWN_EACH: Final = 0.2
"""Seconds between two lines of progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What was asked for on the command line."""

    rounds: str
    seed: int | None
    spots: int
    bets: str | None
    strategy: str | None
    bet: int | None
    meter: int | None
    workers: int | None
    scheduler: str | None
    checkpoint: Path | None
    parquet: Path | None
    bankroll: int | None
    sitting: int
    as_json: bool


def run(game: Game, options: Options) -> int:
    """Run and print; the exit code. Raises Refused and OSError."""
    made = experiment(
        game,
        spots=options.spots,
        bets=[bet for bet in (options.bets or "").split(",") if bet],
        strategy=_strategy(options.strategy),
        bet=options.bet,
    )
    rounds = _rounds(options.rounds)
    if options.workers is not None and options.workers < 1:
        raise Refused("field", f"--workers {options.workers} cannot be; it is one or more.")
    if options.workers is not None and options.scheduler is not None:
        raise Refused("field", "--workers and --scheduler exclude each other; give one of them.")
    seed = options.seed if options.seed is not None else int.from_bytes(os.urandom(6), "big")
    if seed < 0:
        raise Refused("field", f"--seed {seed} cannot be; a seed is 0 or a number above it.")
    if options.bankroll is not None:
        return _sittings(made, options, rounds, seed)
    return _simulate(made, options, rounds, seed)


def _strategy(text: str | None) -> str | Document:
    if text in (None, TOTAL, COMPOSITION):
        return text or TOTAL
    return strategies.read(Path(str(text)))


def _rounds(text: str) -> int:
    """`1e9`, `1000` → a count. Raises Refused (`field`)."""
    try:
        count = int(text) if text.isdigit() else float(text)
        return whole_rounds(count)
    except (ValueError, OverflowError):
        raise Refused(
            "field", f"--rounds {text!r} is no count; write it like 1000000 or 1e9."
        ) from None


# One long run


def _simulate(made: Experiment, options: Options, rounds: int, seed: int) -> int:
    with ExitStack() as open_:
        keep = None
        if options.parquet is not None:
            if options.checkpoint is not None:
                raise Refused("field", "--parquet and --checkpoint exclude each other; give one.")
            bets = bets_of(made)
            keep = open_.enter_context(Parquet(options.parquet, bets)).keep
        shown = _Progress()
        open_.callback(shown.clear)
        plan = Run(
            rounds=rounds,
            seed=seed,
            meter=options.meter,
            checkpoint=options.checkpoint,
            watch=shown.watch(),
            keep=keep,
        )
        result = run_on(made, plan, workers=options.workers, scheduler=options.scheduler)
    if result.rounds:
        print(json.dumps(result.document()) if options.as_json else _text(result))
    return GOOD if result.complete else INTERRUPTED


def bets_of(made: Experiment) -> list[str]:
    """The columns of a spot by name."""
    insured = ["insurance"] if made.deal.insures else []
    return ["main", *insured, *(laid.bet.key for laid in made.sides.laid)]


class _Progress:
    """Rounds done, their rate and the time left, on one line of stderr if that is a terminal."""

    def __init__(self) -> None:
        self.is_shown = sys.stderr.isatty()
        self.last = 0.0
        self.first: int | None = None

    def watch(self) -> Watch | None:
        return self.show if self.is_shown else None

    def show(self, done: int, rounds: int, seconds: float) -> None:
        self.first = done if self.first is None else self.first
        now = time.monotonic()
        if now - self.last < SHOWN_EACH:
            return
        self.last = now
        rate = max(done - self.first, 1) / max(seconds, 1e-9)
        left = (rounds - done) / rate
        line = f"{done:,} of {rounds:,} rounds, {rate / 1e6:.1f} M/s, {left:.0f} s left"
        print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.is_shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _text(result: Result) -> str:
    """For people: percent; the exact figures are in the JSON."""
    made = result.experiment
    lines = [
        f"{made.game.key}, {made.game.rules.decks} decks, {len(made.spots)} spot"
        f"{'s' if len(made.spots) > 1 else ''}, seed {result.seed}: {result.rounds:,} rounds"
        + ("" if result.complete else ", stopped"),
        f"main bet: {100 * result.ev:+.4f} % of the first bet, within {100 * result.se:.4f} "
        f"(deviation {result.sd:.4f}, mean stake {result.mean_stake:.5f})",
    ]
    for laid in made.sides.laid:
        found = result.side_bet(laid.bet.key)
        lines.append(
            f"{laid.bet.key}: returns {100 * found['rtp']:.4f} %, within {100 * found['se']:.4f}, "
            f"hits {100 * found['hit']:.4f} %"
        )
    insured = result.insurance()
    if insured:
        lines.append(
            f"insurance: returns {100 * insured['rtp']:.4f} %, within {100 * insured['se']:.4f}"
        )
    for key, meter in result.progressive().items():
        gap = meter["rounds_between"]
        between = "" if gap is None else f", one in {gap:,.0f} rounds"
        lines.append(f"{key}: the meter was won {meter['wins']} times{between}")
    if result.seconds and result.rounds_now:
        rate = result.rounds_now / result.seconds
        lines.append(f"{result.seconds:.2f} s, {rate / 1e6:.1f} million rounds a second")
    return "\n".join(lines)


# Sittings


def _sittings(made: Experiment, options: Options, rounds: int, seed: int) -> int:
    for name in ("checkpoint", "parquet", "scheduler"):
        if getattr(options, name) is not None:
            raise Refused("field", f"--bankroll goes without --{name}; leave that out.")
    assert options.bankroll is not None
    sitting = Sitting(options.bankroll, options.sitting)
    sitting.check(made)
    check_meter(made, options.meter)
    shown = _Progress()
    parts: list[Sittings] = []
    began, stopped = time.perf_counter(), False
    try:
        for part in _parts(made, sitting, options, rounds, seed):
            parts.append(part)
            watch = shown.watch()
            if watch:
                done = sum(each.count for each in parts) * sitting.length
                watch(done, rounds, time.perf_counter() - began)
    except KeyboardInterrupt:
        stopped = True
    shown.clear()
    if parts:
        _print_sittings(summed(made, sitting, parts), options.as_json)
    return INTERRUPTED if stopped else GOOD


def _parts(
    made: Experiment, sitting: Sitting, options: Options, rounds: int, seed: int
) -> Iterator[Sittings]:
    """Chunk after chunk, in order; some are played ahead."""
    counts = sitting.chunks(rounds)
    pool = ThreadPoolExecutor(options.workers or os.cpu_count() or 1)
    play: Callable[[int], Sittings] = lambda chunk: play_sittings(  # noqa: E731
        made, sitting, seed, chunk, counts[chunk], options.meter
    )
    # Its arrays are made once, before threads ask for them.
    assert made.deal
    try:
        yield from pool.map(play, range(len(counts)))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _print_sittings(found: Sittings, as_json: bool) -> None:
    document: dict[str, Any] = found.document()
    if as_json:
        print(json.dumps(document))
        return
    final = ", ".join(f"{q}: {cents}" for q, cents in document["final_quantiles"].items())
    falls = ", ".join(f"{q}: {cents}" for q, cents in document["drawdown_quantiles"].items())
    print(
        f"{found.count:,} sittings of {found.length:,} rounds with {found.bankroll} cents\n"
        f"ruined: {100 * document['risk_of_ruin']:.3f} %, "
        f"within {100 * document['risk_of_ruin_se']:.3f}\n"
        f"bankroll at the end, quantiles in cents: {final}\n"
        f"deepest fall from a peak, quantiles in cents: {falls}"
    )
