"""Compiled code is kept on disk between runs, and never survives an edit of what it calls."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import upcard
from upcard.maths import kernel

PACKAGE = Path(upcard.__file__).parent
PROGRAM = """
import numpy as np
from upcard.maths import kernel
live, hidden = np.empty((1, 10)), np.empty((1, 10))
kernel.chances(np.full((1, 10), 4.0), False, live, hidden)
print(live[0, 0], sum(kernel.chances.stats.cache_hits.values()))
"""


def _run(copy: Path) -> tuple[float, int]:
    """What the copy computes, and how many compiled functions it found on disk."""
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    output = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment | {"PYTHONPATH": str(copy)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    return float(output[0]), int(output[1])


def test_an_edit_of_a_callee_is_noticed(tmp_path: Path) -> None:
    """`chances` is unchanged; `_chances`, which it calls, is not."""
    shutil.copytree(
        PACKAGE, tmp_path / "upcard", ignore=shutil.ignore_patterns("__pycache__", "house")
    )
    assert _run(tmp_path) == (0.1, 0)
    assert _run(tmp_path) == (0.1, 1)
    source = tmp_path / "upcard/maths/kernel.py"
    text = source.read_text()
    edited = text.replace("live[u] = deck[u] / size if", "live[u] = 3 * deck[u] / size if")
    assert edited != text
    source.write_text(edited)
    value, found = _run(tmp_path)
    assert round(value, 12) == 0.3
    assert found == 0


def test_with_nowhere_to_keep_it_code_is_compiled_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_place(*args: object, **kwargs: object) -> None:
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr("numba.core.dispatcher.FunctionCache", no_place)
    assert kernel.compiled(lambda number: number + 1)(20) == 21


def test_all_compiled_code_is_in_one_file() -> None:
    """The cache looks at the file of a function, and at none that it calls into."""
    users = {
        path.name
        for path in (PACKAGE / "maths").glob("*.py")
        if "import numba" in path.read_text() or "from numba" in path.read_text()
    }
    assert users == {"kernel.py"}
