"""Machine code is kept between processes, and never survives an edit of what it was made of."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import upcard
from upcard.games import find
from upcard.simulate import machine, records, simulate
from upcard.simulate.experiment import experiment, play_chunk
from upcard.simulate.records import record

PACKAGE = Path(upcard.__file__).parent
PLAYS = """
import sys
from upcard.simulate import simulate
print(simulate("threecard", rounds=1000, seed=1, workers=1).counts.sums, "numba" in sys.modules)
"""
NAMES = "from upcard.simulate import machine; print(machine._made_of())"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package in a place of its own, where nothing was compiled yet."""
    left_out = shutil.ignore_patterns("__pycache__", "house", "server", "terminal", "static")
    shutil.copytree(PACKAGE, tmp_path / "upcard", ignore=left_out)
    return tmp_path


def _run(copy: Path, program: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    return subprocess.run(
        [sys.executable, "-c", program],
        env=environment | {"PYTHONPATH": str(copy), "HOME": str(copy / "home")},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()


def test_the_second_process_needs_no_compiler(copy: Path) -> None:
    """Both play alike, and as code does that was made long before."""
    sums = simulate("threecard", rounds=1000, seed=1, workers=1).counts.sums
    assert _run(copy, PLAYS) == f"{sums} True"
    assert _run(copy, PLAYS) == f"{sums} False"


def test_what_was_sent_elsewhere_is_played_alike() -> None:
    """A deal that was pickled, as for a cluster (contract: bit for bit the same)."""
    deal = experiment(find("threecard")).deal
    sent = pickle.loads(pickle.dumps(deal))
    assert play_chunk(sent, 1, 0, 1000) == play_chunk(deal, 1, 0, 1000)


def test_a_record_that_lies_nowhere_is_not_given_away() -> None:
    lost = pickle.loads(pickle.dumps(record(records.ROOM)))
    with pytest.raises(AssertionError, match="lies nowhere"):
        machine._as_word(lost)
    assert machine._as_word(records.in_place(lost))


@pytest.mark.parametrize("name", machine.SOURCES)
def test_an_edit_is_noticed(copy: Path, name: str) -> None:
    before = _run(copy, NAMES)
    assert _run(copy, NAMES) == before
    with (copy / "upcard/simulate" / name).open("a") as source:
        source.write("\n")
    assert _run(copy, NAMES) != before


def test_what_the_kernel_imports_of_ours_is_an_edit_too() -> None:
    """An edit of another module would not be noticed."""
    text = (PACKAGE / "simulate/kernel.py").read_text("utf-8")
    ours = {line.split()[1] for line in text.splitlines() if line.startswith("from upcard")}
    assert ours == {"upcard.simulate.records"}
    assert "from upcard" not in (PACKAGE / "simulate/records.py").read_text("utf-8")


def test_a_file_that_is_not_whole_is_not_loaded(tmp_path: Path) -> None:
    path = tmp_path / "made" / "kernel.o"
    assert machine._read(path) is None
    assert machine._write(path, "symbol", b"machine\ncode")
    assert machine._read(path) == ("symbol", b"machine\ncode")
    whole = path.read_bytes()
    for spoilt in (b"", whole[:-1], whole.replace(b"code", b"c0de")):
        path.write_bytes(spoilt)
        assert machine._read(path) is None
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_where_nothing_can_be_written_it_is_made_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not machine._write(tmp_path / "file" / "kernel.o", "symbol", b"code")
