"""Planting a fault in a copy of the source, and running tests over that copy."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = "tests/rules/test_scripts.py::test_a_script_plays_as_it_is_written"
ROUND_TESTS = (SCRIPTS, "tests/rules/test_random_rounds.py", "tests/rules/test_scripts.py")
SECONDS_MAX = 240


@dataclass(frozen=True, slots=True)
class Fault:
    """`old` stands once in `file`; `new` is wrong there. One of `tests` must notice.

    They are asked in turn, so that those which are quick and see most come first.
    """

    file: str
    old: str
    new: str
    tests: tuple[str, ...] = ROUND_TESTS
    env: dict[str, str] = field(default_factory=dict)


class Outcome(NamedTuple):
    returncode: int
    stdout: str


def copied(folder: Path) -> Path:
    """A copy of the source."""
    source = folder / "src"
    shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__", "static"))
    return source


def is_found(fault: Fault, folder: Path) -> bool:
    """Whether some test fails over a copy of the source with this fault in it."""
    source = copied(folder)
    planted = source / "upcard" / fault.file
    text = planted.read_text("utf-8")
    assert text.count(fault.old) == 1, f"{fault.file} has no single {fault.old!r}"
    planted.write_text(text.replace(fault.old, fault.new), "utf-8")
    outcomes = (run_suite(source, tests, env=fault.env) for tests in fault.tests)
    return any(outcome.returncode == 1 for outcome in outcomes)


def environment(source: Path) -> dict[str, str]:
    """Where the copy is what is imported, and no plugin is that these tests do not need."""
    return {
        "PYTHONPATH": str(source),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }


def run_suite(source: Path, *tests: str, env: dict[str, str] | None = None) -> Outcome:
    """Run tests in order over a copy of the source, until the first one fails."""
    nursery, output = _nursery(), source.with_name("output")
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    request = {
        "source": str(source),
        "tests": tests,
        "env": environment(source) | (env or {}),
        "output": str(output),
    }
    nursery.stdin.write(f"{json.dumps(request)}\n")
    nursery.stdin.flush()
    answered, _, _ = select.select([nursery.stdout], [], [], SECONDS_MAX)
    assert answered, f"{tests} took longer than {SECONDS_MAX} s"
    return Outcome(int(nursery.stdout.readline()), output.read_text("utf-8", "replace"))


@cache
def _nursery() -> subprocess.Popen[str]:
    """One for all tests of this process; it ends with its stdin."""
    return subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("nursery.py"))],
        cwd=ROOT,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
