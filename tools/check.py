"""The stages of ./check: runs them, times them, counts them. Standard library only.

./check                every stage
./check STAGE ...      these alone
./check --soak ...     the long forms: the tests see UPCARD_SOAK=1
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
SOAK_FACTOR = 20
"""How much longer the long forms may take."""
GRACE_SECONDS = 5
"""What a stage gets to tidy up in after it is told to stop."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command of .venv/bin. It counts as one check, `pytest` as one for each of its tests."""

    words: tuple[str, ...]

    @property
    def is_pytest(self) -> bool:
        return self.words[0] == "pytest"


@dataclass(frozen=True, slots=True)
class Stage:
    """Commands in order, each run even if one before it fails, and the seconds they all get."""

    seconds_max: int
    commands: tuple[Command, ...]


def stage(seconds_max: int, *lines: str) -> Stage:
    return Stage(seconds_max, tuple(Command(tuple(line.split())) for line in lines))


STAGES = {
    "lint": stage(120, "ruff check .", "ruff format --check ."),
    "types": stage(300, "mypy"),
    "layers": stage(120, "lint-imports --no-logo"),
    "rules": stage(600, "pytest tests/rules -n 2 --cov --cov-report= --cov-fail-under=0",
                   "coverage report"),
    "fair": stage(300, "pytest tests/fair -n 2"),
    "cli": stage(120, "pytest tests/cli"),
    "house": stage(600, "pytest tests/house -n 2"),
    "server": stage(600, "pytest tests/server -n 2"),
    "maths": stage(600, "pytest tests/maths -n 2"),
    "simulate": stage(600, "pytest tests/simulate -n 2"),
    "web": stage(300, "python tools/web.py install", "python tools/web.py types",
                 "python tools/web.py units", "python tools/web.py svelte",
                 "python tools/web.py format"),
    "browser": stage(900, "python tools/chromium.py", "pytest tests/browser -n 2"),
    "terminal": stage(300, "pytest tests/terminal"),
    "faults": stage(600, "pytest tests/faults -n 2"),
    "skeleton": stage(600, "pytest tests/skeleton -n 2 --dist loadgroup"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Outcome:
    passed: int
    failed: int
    skipped: int = 0
    output: str = ""

    def __add__(self, other: Outcome) -> Outcome:
        return Outcome(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
            self.output + other.output,
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
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        # As an exception it passes the `finally` that ends the running stage.
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    total = Outcome(0, 0)
    for name in asked or STAGES:
        total += run_stage(name, STAGES[name], is_soak=is_soak)
    print(f"{total.passed} passed, {total.failed} failed", flush=True)
    return 1 if total.failed else 0


def run_stage(name: str, stage: Stage, *, is_soak: bool) -> Outcome:
    """Runs a stage and prints its line; what a failing one had to say comes before the verdict."""
    print(f"{name:<10}", end="", flush=True)
    began = time.monotonic()
    deadline = began + stage.seconds_max * (SOAK_FACTOR if is_soak else 1)
    outcome = Outcome(0, 0)
    with tempfile.TemporaryDirectory(prefix="upcard-check-") as scratch:
        for command in stage.commands:
            outcome += run(command, Path(scratch), deadline, is_soak=is_soak)
    if outcome.failed:
        print(f"\n{outcome.output.rstrip()}\n{name:<10}", end="")
    print(f"{time.monotonic() - began:7.1f} s   {outcome}", flush=True)
    return outcome


def run(command: Command, scratch: Path, deadline: float, *, is_soak: bool) -> Outcome:
    """Runs one command in a process group of its own, of which nothing is left afterwards."""
    output, junit = scratch / "output", scratch / "junit.xml"
    words = [str(BIN / command.words[0]), *command.words[1:]]
    words += [f"--junitxml={junit}"] if command.is_pytest else []
    with output.open("wb") as sink:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env=environment(scratch, is_soak=is_soak),
        )
        try:
            status: int | None = process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            status = None
        finally:
            end(process)
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
    others = {key: value for key, value in os.environ.items() if key != "UPCARD_SOAK"}
    return others | ours


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends the process group: politely while its leader lives, then what is left of it."""
    try:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(GRACE_SECONDS)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def counted(command: Command, status: int | None, junit: Path, text: str) -> Outcome:
    """`status` is None if the command was stopped; a test run that ran no test has failed."""
    if not command.is_pytest:
        return Outcome(1, 0, 0, text) if status == 0 else Outcome(0, 1, 0, text)
    passed = failed = skipped = 0
    if junit.exists():
        for suite in ElementTree.parse(junit).iter("testsuite"):
            bad = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
            failed += bad
            skipped += int(suite.get("skipped", 0))
            passed += int(suite.get("tests", 0)) - bad - int(suite.get("skipped", 0))
    if passed + failed == 0:
        return Outcome(0, 1, skipped, text + "no test was run\n")
    if status is None or (status != 0 and not failed):
        failed += 1
    return Outcome(passed, failed, skipped, text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
