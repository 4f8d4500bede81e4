"""A result depends on seed and rounds alone (contract): not on workers, a stop, or a cluster."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from upcard.games import find
from upcard.refused import Refused
from upcard.simulate import simulate
from upcard.simulate.experiment import CHUNK, experiment
from upcard.simulate.result import Result
from upcard.simulate.run import Run, Threads, run_chunks

ROUNDS = 3 * CHUNK + 12_345
BETS = ["classic", "progressive"]
BIN = Path(sys.executable).parent


def figures(found: Result) -> dict[str, object]:
    """Everything but the time it took."""
    document = found.document()
    for name in ("seconds", "rounds_per_second"):
        del document[name]
    return document


@pytest.fixture(scope="module")
def alone() -> dict[str, object]:
    return figures(simulate("top3", rounds=ROUNDS, seed=21, bets=BETS, workers=1))


@pytest.mark.parametrize("workers", [2, 7])
def test_the_number_of_workers_does_not_matter(workers: int, alone: dict[str, object]) -> None:
    found = simulate("top3", rounds=ROUNDS, seed=21, bets=BETS, workers=workers)
    assert figures(found) == alone


def test_another_seed_is_another_result(alone: dict[str, object]) -> None:
    assert figures(simulate("top3", rounds=ROUNDS, seed=22, bets=BETS)) != alone


def test_stopped_and_resumed(tmp_path: Path, alone: dict[str, object]) -> None:
    """Ctrl-C after the first chunk keeps what was done; the same call goes on from there."""
    file = tmp_path / "run.json"
    made = experiment(find("top3"), bets=BETS)

    def stop(done: int, rounds: int, seconds: float) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    with Threads(2) as threads:
        run = Run(rounds=ROUNDS, seed=21, checkpoint=file, watch=stop)
        stopped = run_chunks(made, run, threads)
    assert not stopped.complete
    assert stopped.rounds == CHUNK
    resumed = simulate("top3", rounds=ROUNDS, seed=21, bets=BETS, checkpoint=file)
    assert resumed.rounds_now == ROUNDS - CHUNK
    assert figures(resumed) == alone
    with pytest.raises(Refused, match="another simulation"):
        simulate("top3", rounds=ROUNDS, seed=22, bets=BETS, checkpoint=file)
    with pytest.raises(Refused, match="are done already"):
        simulate("top3", rounds=1, seed=21, bets=BETS, checkpoint=file)


def test_fewer_rounds_are_the_first_of_more() -> None:
    """A whole chunk is the same whatever comes after it."""
    less = simulate("threecard", rounds=CHUNK, seed=1)
    more = simulate("threecard", rounds=CHUNK + 1, seed=1)
    assert sum(more.counts.nets.values()) == sum(less.counts.nets.values()) + 1
    assert sum(abs(more.counts.nets[net] - less.counts.nets[net]) for net in more.counts.nets) == 1


# A cluster


@contextmanager
def cluster(workers: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """What docs/simulate.md starts: a scheduler, and workers for it."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = subprocess.Popen(
        [BIN / "dask", "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
         "--scheduler-file", f"/tmp/upcard-dask-{os.getpid()}.json"],
        **quiet,
    )  # type: ignore[call-overload] # fmt: skip
    file = Path(f"/tmp/upcard-dask-{os.getpid()}.json")
    started = []
    try:
        address = _address(file)
        for _ in range(workers):
            command = [BIN / "dask", "worker", address, "--nthreads", "1", "--no-dashboard",
                       "--no-nanny"]  # fmt: skip
            started.append(subprocess.Popen(command, **quiet))  # type: ignore[call-overload]
        yield address, started
    finally:
        for process in (*started, scheduler):
            process.kill()
            process.wait()
        file.unlink(missing_ok=True)


def _address(file: Path) -> str:
    for _ in range(200):
        if file.exists() and file.read_text():
            return str(json.loads(file.read_text())["address"])
        time.sleep(0.1)
    raise AssertionError("the scheduler did not start")


def test_a_cluster_and_a_worker_that_dies(alone: dict[str, object]) -> None:
    with cluster(2) as (address, workers):
        _wait_for_workers(address, 2)
        found = simulate("top3", rounds=ROUNDS, seed=21, bets=BETS, scheduler=address)
        assert figures(found) == alone
        made = experiment(find("top3"), bets=BETS)

        def kill(done: int, rounds: int, seconds: float) -> None:
            workers[0].kill()

        from upcard.simulate.cluster import Cluster

        with Cluster(address) as shared:
            run = Run(rounds=ROUNDS, seed=21, watch=kill)
            assert figures(run_chunks(made, run, shared)) == alone


def _wait_for_workers(address: str, count: int) -> None:
    from upcard.simulate.cluster import Cluster

    for _ in range(200):
        try:
            with Cluster(address) as shared:
                if shared.count == count:
                    return
        except Refused:
            pass
        time.sleep(0.1)
    raise AssertionError("the workers did not start")
