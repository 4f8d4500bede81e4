"""Planting a fault in a copy of the source, and running tests over that copy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

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
    return os.environ | {
        "PYTHONPATH": str(source),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }


def run_suite(
    source: Path, *tests: str, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run tests in order over a copy of the source, until the first one fails."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests],
        cwd=ROOT,
        env=environment(source) | (env or {}),
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )
