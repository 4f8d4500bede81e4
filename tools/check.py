"""The stages of ./check: runs them three at a time, times them, counts them. Standard library only.

./check                every stage
./check STAGE ...      these alone
./check --soak ...     the long forms: the tests see UPCARD_SOAK=1
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
SLOTS = 3
"""How many stages run at a time: where one waits, another computes. They share the cores."""
SOAK_FACTOR = 20
"""How much longer the long forms may take."""
GRACE_SECONDS = 5
"""What a stage gets to tidy up in after it is told to stop."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command of .venv/bin. It counts as one check, `pytest` as one for each of its tests.

    WORKERS among its words becomes the number of cores that the stage has to itself.
    """

    words: tuple[str, ...]

    @property
    def is_pytest(self) -> bool:
        return self.words[0] == "pytest"

    def given(self, workers: int) -> Command:
        # With one worker the tests run in the command itself.
        number = str(workers) if workers > 1 else "0"
        return Command(tuple(number if word == WORKERS else word for word in self.words))


WORKERS = "WORKERS"


@dataclass(frozen=True, slots=True)
class Stage:
    """Commands in order, each run even if one before it fails, and the seconds they all get."""

    seconds_max: int
    commands: tuple[Command, ...]


def stage(seconds_max: int, *lines: str) -> Stage:
    return Stage(seconds_max, tuple(Command(tuple(line.split())) for line in lines))


STAGES = {
    "lint": stage(120, "ruff check .", "ruff format --check ."),
    "layers": stage(120, "lint-imports --no-logo"),
    "types": stage(300, "mypy"),
    "browser": stage(900, "python tools/chromium.py", "pytest tests/browser -n WORKERS"),
    "rules": stage(900, "pytest tests/rules -n WORKERS --cov --cov-report= --cov-fail-under=0",
                   "coverage report"),
    "simulate": stage(900, "pytest tests/simulate -n WORKERS"),
    "skeleton": stage(600, "pytest tests/skeleton -n WORKERS --dist loadgroup"),
    "server": stage(600, "pytest tests/server -n WORKERS"),
    "maths": stage(900, "pytest tests/maths -n WORKERS"),
    "house": stage(600, "pytest tests/house -n WORKERS"),
    "faults": stage(600, "pytest tests/faults -n WORKERS"),
    "terminal": stage(300, "pytest tests/terminal"),
    "web": stage(300, "python tools/web.py install", "python tools/web.py types",
                 "python tools/web.py units", "python tools/web.py svelte",
                 "python tools/web.py format"),
    "fair": stage(300, "pytest tests/fair -n WORKERS"),
    "cli": stage(120, "pytest tests/cli"),
}  # fmt: skip
"""In the order in which they begin: what is known at once, then the longest, so that no core is
idle at the end."""


@dataclass(frozen=True, slots=True)
class Outcome:
    passed: int
    failed: int
    skipped: int = 0
    output: str = ""
    said: tuple[str, ...] = ()
    """What tests told of themselves, a line each."""

    def __add__(self, other: Outcome) -> Outcome:
        return Outcome(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
            self.output + other.output,
            self.said + other.said,
        )

    def __str__(self) -> str:
        words = [f"{self.passed} passed"]
        words += [f"{self.failed} failed"] if self.failed else []
        words += [f"{self.skipped} skipped"] if self.skipped else []
        return ", ".join(words)


def main(arguments: list[str]) -> int:
    understand_only = arguments[:1] == ["--understand"]
    words = arguments[understand_only:]
    is_soak = "--soak" in words
    asked = [word for word in words if word != "--soak"]
    for word in asked:
        if word not in STAGES:
            print(
                f"./check: {word!r} is no stage; it is ./check [--soak] [STAGE ...], "
                f"and the stages are {', '.join(STAGES)}",
                file=sys.stderr,
            )
            return 2
    if understand_only:
        return 0
    os.chdir(ROOT)
    return asyncio.run(run_stages(dict.fromkeys(asked or STAGES), is_soak=is_soak))


async def run_stages(names: Iterable[str], *, is_soak: bool) -> int:
    """Runs stages in their turn and gives the exit code; a signal ends all that is running."""
    signals: list[int] = []
    loop, everything = asyncio.get_running_loop(), asyncio.current_task()
    assert everything is not None

    def stop(number: int) -> None:
        signals.append(number)
        # Each running command is ended on the way out of the stage it is of.
        everything.cancel()

    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop, number)
    queue = Queue([*names], is_soak=is_soak)
    try:
        async with asyncio.TaskGroup() as slots:
            for _ in range(queue.slots):
                slots.create_task(queue.work_off())
    except asyncio.CancelledError:
        return 128 + signals[0]
    print(f"{queue.total.passed} passed, {queue.total.failed} failed", flush=True)
    return 1 if queue.total.failed else 0


class Queue:
    """Stages that wait for a slot, those that run, and what all that are over came to."""

    def __init__(self, names: list[str], *, is_soak: bool) -> None:
        self.waiting = names
        self.is_soak = is_soak
        self.slots = min(SLOTS, len(names))
        self.workers = max(1, cores() // self.slots)
        self.running: list[str] = []
        self.total = Outcome(0, 0)

    async def work_off(self) -> None:
        """What one slot does: a stage at a time, its line printed when it is over."""
        while self.waiting:
            name = self.waiting.pop(0)
            self.running.append(name)
            self.show_running()
            began = time.monotonic()
            outcome = await run_stage(STAGES[name], self.workers, is_soak=self.is_soak)
            self.running.remove(name)
            self.total += outcome
            output = f"{outcome.output.rstrip()}\n" if outcome.failed else ""
            said = "".join(f"          {line}\n" for line in outcome.said) if self.is_soak else ""
            self.show(f"{output}{name:<10}{time.monotonic() - began:7.1f} s   {outcome}\n{said}")
            self.show_running()

    def show_running(self) -> None:
        """On a terminal, until the next line takes its place."""
        if sys.stdout.isatty() and self.running:
            self.show(f"... {', '.join(self.running)}")

    def show(self, text: str) -> None:
        start_of_line = "\r\x1b[K" if sys.stdout.isatty() else ""
        print(f"{start_of_line}{text}", end="", flush=True)


def cores() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


async def run_stage(stage: Stage, workers: int, *, is_soak: bool) -> Outcome:
    deadline = time.monotonic() + stage.seconds_max * (SOAK_FACTOR if is_soak else 1)
    outcome = Outcome(0, 0)
    with tempfile.TemporaryDirectory(prefix="upcard-check-") as scratch:
        for command in stage.commands:
            given = command.given(workers)
            outcome += await run(given, Path(scratch), deadline, is_soak=is_soak)
    return outcome


async def run(command: Command, scratch: Path, deadline: float, *, is_soak: bool) -> Outcome:
    """Runs one command in a process group of its own, of which nothing is left afterwards."""
    output, junit = scratch / "output", scratch / "junit.xml"
    words = [str(BIN / command.words[0]), *command.words[1:]]
    words += [f"--junitxml={junit}"] if command.is_pytest else []
    with output.open("wb") as sink:
        process = await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=sink,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
            env=environment(scratch, is_soak=is_soak),
        )
        try:
            async with asyncio.timeout(deadline - time.monotonic()):
                status: int | None = await process.wait()
        except TimeoutError:
            status = None
        finally:
            await end(process)
    text = f"$ {' '.join(command.words)}\n{output.read_text(errors='replace')}\n"
    if status is None:
        text += "stopped: the stage has used up its time\n"
    return counted(command, status, junit, text)


def environment(scratch: Path, *, is_soak: bool) -> dict[str, str]:
    ours = {
        "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        # Out of the checkout, where a second ./check would meet it.
        "COVERAGE_FILE": str(scratch / "coverage"),
    }
    if is_soak:
        ours["UPCARD_SOAK"] = "1"
    # Python is started some hundreds of times: it must not compile our source each time.
    unwanted = ("UPCARD_SOAK", "PYTHONDONTWRITEBYTECODE")
    others = {key: value for key, value in os.environ.items() if key not in unwanted}
    return others | ours


async def end(process: asyncio.subprocess.Process) -> None:
    """Ends the process group: politely while its leader lives, then what is left of it."""
    try:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError, TimeoutError):
                os.killpg(process.pid, signal.SIGINT)
                async with asyncio.timeout(GRACE_SECONDS):
                    await process.wait()
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


def counted(command: Command, status: int | None, junit: Path, text: str) -> Outcome:
    """`status` is None if the command was stopped; a test run that ran no test has failed."""
    if not command.is_pytest:
        return Outcome(1, 0, 0, text) if status == 0 else Outcome(0, 1, 0, text)
    passed = failed = skipped = 0
    said: list[str] = []
    if junit.exists():
        suites = ElementTree.parse(junit)
        said = [
            each.get("value", "") for each in suites.iter("property") if each.get("name") == "said"
        ]
        for suite in suites.iter("testsuite"):
            bad = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
            failed += bad
            skipped += int(suite.get("skipped", 0))
            passed += int(suite.get("tests", 0)) - bad - int(suite.get("skipped", 0))
    if passed + failed == 0:
        return Outcome(0, 1, skipped, text + "no test was run\n")
    if status is None or (status != 0 and not failed):
        failed += 1
    return Outcome(passed, failed, skipped, text, tuple(said))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
