"""Running an experiment: chunks in parallel, added in order, until all are done or it is stopped.

`simulate` is the interface for programs and notebooks. Every chunk has a stream of words of its
own, named by seed and number; chunks are added in the order of their numbers. So a result depends
on seed and rounds alone - not on workers, machines, order, or where a run was stopped and resumed.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Protocol

from upcard.game import Game
from upcard.games import ANALYSED, find
from upcard.refused import Refused
from upcard.simulate import checkpoint
from upcard.simulate.checkpoint import Progress
from upcard.simulate.counts import Counts
from upcard.simulate.experiment import CHUNK, Deal, Experiment, experiment, play_chunk
from upcard.simulate.meters import meters, pay
from upcard.simulate.result import Result, mean_and_error
from upcard.simulate.strategies import TOTAL, Document

SEED: Final = 0
ROUNDS: Final = 10_000_000
AHEAD_EACH: Final = 3
"""Chunks that are under way or waiting for each worker."""
SAVE_SECONDS: Final = 10.0
PATH_STEP: Final = 1.05
"""The mean is noted whenever there are so many times more rounds: few points, however long."""


class Answer(Protocol):
    """A chunk under way."""

    def result(self) -> Counts: ...

    def cancel(self) -> object: ...


class Workers(AbstractContextManager["Workers"], Protocol):
    """Those who play chunks. Leaving waits for what is under way and drops the rest."""

    count: int

    def submit(self, deal: Deal, seed: int, chunk: int, rounds: int) -> Answer: ...


class Threads(AbstractContextManager["Threads"]):
    """The cores of this machine; compiled code runs beside other threads."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.pool = ThreadPoolExecutor(count, "upcard-simulate")

    def submit(self, deal: Deal, seed: int, chunk: int, rounds: int) -> Future[Counts]:
        return self.pool.submit(play_chunk, deal, seed, chunk, rounds)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.pool.shutdown(wait=True, cancel_futures=True)


Watch = Callable[[int, int, float], None]
"""Told after every chunk: rounds done, rounds in all, seconds so far."""
Keep = Callable[[int, Counts], None]
"""Given every chunk by its number, in order, its hits paid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """How an experiment is run. `checkpoint`: a file to go on from and to save to."""

    rounds: int
    seed: int = SEED
    meter: int | None = None
    checkpoint: Path | None = None
    watch: Watch | None = None
    keep: Keep | None = None


def simulate(
    game: Game | str,
    *,
    rounds: float = ROUNDS,
    seed: int = SEED,
    strategy: str | Document = TOTAL,
    spots: int = 1,
    bets: Sequence[str] = (),
    bet: int | None = None,
    meter: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    checkpoint: str | Path | None = None,
) -> Result:
    """Play a game at random and count what comes back.

    `strategy`: `total` (the best play by total), `composition` (by the cards), or a strategy as
    `upcard strategy --json` prints it. `bets`: side bets on every spot; `bet`: the main bet in
    cents; `meter`: how a progressive meter stands at first. By default all cores of this machine
    play; `scheduler` is the address of a Dask cluster. Raises Refused for what cannot be.
    """
    found = find(game, ANALYSED) if isinstance(game, str) else game
    made = experiment(found, spots=spots, bets=bets, strategy=strategy, bet=bet)
    file = Path(checkpoint) if checkpoint is not None else None
    run = Run(rounds=whole_rounds(rounds), seed=seed, meter=meter, checkpoint=file)
    return run_on(made, run, workers=workers, scheduler=scheduler)


def whole_rounds(rounds: float) -> int:
    """Raises Refused (`field`)."""
    if rounds != int(rounds) or rounds < 1:
        raise Refused("field", f"--rounds {rounds:g} cannot be; at least one round is played.")
    return int(rounds)


def run_on(
    made: Experiment, run: Run, *, workers: int | None = None, scheduler: str | None = None
) -> Result:
    """Run on the cores of this machine or on a cluster. Raises Refused (`field`)."""
    if run.seed < 0:
        raise Refused("field", f"--seed {run.seed} cannot be; a seed is 0 or a number above it.")
    check_meter(made, run.meter)
    if scheduler is not None:
        from upcard.simulate.cluster import Cluster

        with Cluster(scheduler) as cluster:
            return run_chunks(made, run, cluster)
    with Threads(workers or os.cpu_count() or 1) as threads:
        return run_chunks(made, run, threads)


def check_meter(made: Experiment, meter: int | None) -> None:
    if meter is not None and all(laid.bet.pool is None for laid in made.sides.laid):
        raise Refused("field", "--meter: no bet that lies has a meter; add one with --bets.")
    if meter is not None and meter < 0:
        raise Refused("field", f"--meter {meter} cannot be; a meter holds 0 cents or more.")


def run_chunks(made: Experiment, run: Run, workers: Workers) -> Result:
    """Play all chunks that are still to be played. Ctrl-C ends it with what was done."""
    progress = _progress(made, run)
    with _stopping() as stop:
        _save(made, run, progress)
        # Compiled code is made or fetched before the clock starts.
        play_chunk(made.deal, run.seed, 0, 1)
        before, began, saved = progress.counts.rounds, time.perf_counter(), time.monotonic()
        for counts in _in_order(made, run, workers, progress.chunks):
            _take_in(made, run, progress, counts)
            if run.watch is not None:
                run.watch(progress.counts.rounds, run.rounds, time.perf_counter() - began)
            if time.monotonic() - saved > SAVE_SECONDS:
                _save(made, run, progress)
                saved = time.monotonic()
            if stop.is_set():
                break
    seconds = time.perf_counter() - began
    _save(made, run, progress)
    return Result(
        experiment=made,
        seed=run.seed,
        counts=progress.counts,
        meters=progress.meters,
        path=tuple(progress.path),
        seconds=seconds,
        rounds_now=progress.counts.rounds - before,
        complete=progress.counts.rounds == run.rounds,
    )


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets, so that no chunk is counted by half; a second one is an error."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def on_signal(number: int, frame: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    previous = signal.signal(signal.SIGINT, on_signal)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, previous)


def _progress(made: Experiment, run: Run) -> Progress:
    """Where the run begins. Raises Refused (`field`)."""
    found = checkpoint.load(run.checkpoint, made, run.seed) if run.checkpoint else None
    if found is None:
        held = meters(made.sides, len(made.spots), run.meter)
        return Progress(0, made.deal.empty(), held, [])
    if found.counts.rounds > run.rounds:
        raise Refused(
            "field",
            f"{run.checkpoint}: {found.counts.rounds} rounds are done already; ask for more with "
            "--rounds.",
        )
    return found


def _save(made: Experiment, run: Run, progress: Progress) -> None:
    """Save, unless a chunk is in it that is not whole and could not be gone on from."""
    if run.checkpoint is not None and progress.counts.rounds == progress.chunks * CHUNK:
        checkpoint.save(run.checkpoint, made, run.seed, progress)


def _in_order(made: Experiment, run: Run, workers: Workers, first: int) -> Iterator[Counts]:
    """The counts of chunk after chunk; some are played ahead, few are kept."""
    waiting: deque[Answer] = deque()
    sizes = _sizes(run.rounds, first)
    try:
        for chunk, rounds in sizes:
            waiting.append(workers.submit(made.deal, run.seed, chunk, rounds))
            if len(waiting) >= AHEAD_EACH * workers.count:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for answer in waiting:
            answer.cancel()


def _sizes(rounds: int, first: int) -> Iterator[tuple[int, int]]:
    for chunk in range(first, -(-rounds // CHUNK)):
        yield chunk, min(CHUNK, rounds - chunk * CHUNK)


def _take_in(made: Experiment, run: Run, progress: Progress, counts: Counts) -> None:
    """Add a chunk."""
    if counts.rounds < CHUNK:
        _save(made, run, progress)
    pay(counts, counts.hits, progress.counts.rounds, progress.meters, made.sides)
    if run.keep is not None:
        run.keep(progress.chunks, counts)
    progress.counts.add(counts)
    progress.chunks += 1
    if not progress.path or progress.counts.rounds >= PATH_STEP * progress.path[-1][0]:
        mean, error = mean_and_error(made, progress.counts)
        progress.path.append((progress.counts.rounds, mean, error))
