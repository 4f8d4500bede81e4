"""tools/check.py counts what it runs, shows what failed, and leaves nothing running.

Authority: "Two commands" in CONTRIBUTING.md.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.skeleton.scratch import ROOT, surroundings

HANG = """
import os, pathlib, signal, subprocess, time

def test_hang():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    child = subprocess.Popen(["sleep", "60"])
    pathlib.Path(f"{os.getpid()}.new").write_text(f"{os.getpid()} {child.pid}")
    pathlib.Path(f"{os.getpid()}.new").rename(f"{os.getpid()}.pids")
    time.sleep(60)
"""

MEET = """
import pathlib, time

def test_meet():
    pathlib.Path("is here: {here}").touch()
    for _ in range(600):
        if len([*pathlib.Path().glob("is here: *")]) == {stages}:
            break
        time.sleep(0.1)
    else:
        raise AssertionError("some did not begin")
"""
"""The test of a stage that passes when so many of them run at the same time."""


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """The runner and its settings; the commands it runs are those of our own .venv."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "tests/cli").mkdir(parents=True)
    (tmp_path / "tools").mkdir()
    # Two seconds are enough to see that a stage is stopped.
    runner = ROOT / "tools/check.py"
    hasty = runner.read_text().replace("GRACE_SECONDS = 5", "GRACE_SECONDS = 1")
    hasty = hasty.replace('"terminal": stage(300, ', '"terminal": stage(2, ')
    (tmp_path / "tools/check.py").write_text(hasty)
    assert "GRACE_SECONDS = 1" in hasty
    assert '"terminal": stage(2, ' in hasty
    return tmp_path


def plant(scratch: Path, name: str, text: str) -> None:
    (scratch / name).parent.mkdir(parents=True, exist_ok=True)
    (scratch / name).write_text(text)


def command(scratch: Path, *words: str) -> list[str]:
    return [sys.executable, str(scratch / "tools/check.py"), *words]


def check(
    scratch: Path, *words: str, env: Mapping[str, str] | None = None
) -> tuple[int, list[str]]:
    """Exit code and lines."""
    done = subprocess.run(
        command(scratch, *words),
        cwd=scratch,
        env=surroundings() | dict(env or {}),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def is_running(pid: int) -> bool:
    """A process that has ended but whose parent has not asked for it is not running."""
    try:
        os.kill(pid, 0)
        stat = Path(f"/proc/{pid}/stat")
        return not stat.exists() or " Z " not in stat.read_text()
    except (ProcessLookupError, FileNotFoundError):
        return False


def is_gone(scratch: Path) -> bool:
    """Whether the planted tests that came to run have ended, and their children with them."""
    numbers = [int(word) for pids in scratch.glob("*.pids") for word in pids.read_text().split()]
    for _ in range(100):
        if not any(map(is_running, numbers)):
            return True
        time.sleep(0.1)
    return False


def test_a_passing_stage_is_one_line(scratch: Path) -> None:
    plant(scratch, "tests/cli/test_it.py", "def test_a(): pass\ndef test_b(): pass\n")
    code, lines = check(scratch, "cli")
    assert code == 0
    assert re.fullmatch(r"cli +\d+\.\d s   2 passed", lines[0])
    assert lines[1:] == ["2 passed, 0 failed"]


def test_a_failing_stage_shows_its_output_and_all_are_counted(scratch: Path) -> None:
    plant(
        scratch,
        "tests/cli/test_it.py",
        "import pytest\n"
        "@pytest.fixture\n"
        "def broken(): raise OSError\n"
        "def test_pass(): pass\n"
        "def test_fail(): assert 'heads' == 'tails'\n"
        "def test_error(broken): pass\n"
        "@pytest.mark.skip\n"
        "def test_skip(): pass\n"
        "@pytest.mark.xfail\n"
        "def test_xfail(): assert False\n"
        "@pytest.mark.xfail\n"
        "def test_xpass(): pass\n",
    )
    code, lines = check(scratch, "cli")
    assert code == 1
    assert any("'heads' == 'tails'" in line for line in lines)
    assert lines[-2].endswith("1 passed, 3 failed, 2 skipped")
    assert lines[-1] == "1 passed, 3 failed"


@pytest.mark.parametrize(
    "planted",
    [None, "", "import pytest\n@pytest.mark.skip\ndef test_skip(): pass\n"],
    ids=["no folder", "no test", "all skipped"],
)
def test_a_stage_that_ran_no_test_has_failed(scratch: Path, planted: str | None) -> None:
    if planted is None:
        (scratch / "tests/cli").rmdir()
    else:
        plant(scratch, "tests/cli/test_it.py", planted)
    code, lines = check(scratch, "cli")
    assert (code, lines[-1]) == (1, "0 passed, 1 failed")
    assert "no test was run" in lines


def test_a_file_that_cannot_be_imported_fails(scratch: Path) -> None:
    plant(scratch, "tests/cli/test_it.py", "def test_a(): pass\n")
    plant(scratch, "tests/cli/test_that.py", "import nothing_of_that_name\n")
    code, lines = check(scratch, "cli")
    assert code == 1
    assert any("nothing_of_that_name" in line for line in lines)


def test_a_warning_fails(scratch: Path) -> None:
    plant(
        scratch,
        "tests/cli/test_it.py",
        "import warnings\ndef test_a(): warnings.warn('look out')\n",
    )
    assert check(scratch, "cli")[1][-1] == "0 passed, 1 failed"


def test_each_lint_command_counts_as_one(scratch: Path) -> None:
    plant(scratch, "tests/cli/test_it.py", "import os\n")
    code, lines = check(scratch, "lint")
    assert (code, lines[-1]) == (1, "1 passed, 1 failed")
    assert any("`os` imported but unused" in line for line in lines)


def test_two_stages_are_added_up(scratch: Path) -> None:
    plant(scratch, "tests/fair/test_it.py", "def test_a():\n    pass\n")
    code, lines = check(scratch, "lint", "fair", "lint")
    assert code == 0
    assert {line.split()[0] for line in lines[:2]} == {"lint", "fair"}, "each once, as it ends"
    assert lines[2:] == ["3 passed, 0 failed"]


def test_three_stages_run_at_a_time_and_a_fourth_waits(scratch: Path) -> None:
    # Half a second in which a fourth, were it let in, would find that no stage is over.
    leave = (
        "import pathlib, time\n"
        "def test_leave(): time.sleep(0.5); pathlib.Path('first is over').touch()\n"
    )
    for name in ("fair", "cli", "maths"):
        plant(scratch, f"tests/{name}/test_it.py", MEET.format(here=name, stages=3))
        plant(scratch, f"tests/{name}/test_that.py", leave)
    late = "import pathlib\ndef test_late(): assert pathlib.Path('first is over').exists()\n"
    plant(scratch, "tests/house/test_it.py", late)
    code, lines = check(scratch, "fair", "cli", "maths", "house")
    assert (code, lines[-1]) == (0, "7 passed, 0 failed")


def test_what_two_failing_stages_said_is_not_mixed_up(scratch: Path) -> None:
    for here in ("fair", "cli"):
        text = MEET.format(here=here, stages=2)
        plant(scratch, f"tests/{here}/test_it.py", f"{text}    assert not 'a fault in {here}'\n")
    code, lines = check(scratch, "fair", "cli")
    assert (code, lines[-1]) == (1, "0 passed, 2 failed")
    told = [re.match(r"\$ pytest tests/(\w+)|(\w+) .* s   0 passed, 1 failed", it) for it in lines]
    names = [found[1] or found[2] for found in told if found]
    assert names in (["fair", "fair", "cli", "cli"], ["cli", "cli", "fair", "fair"])
    assert {"fair", "cli"} == {it for it in names if any(f"fault in {it}" in ln for ln in lines)}


@pytest.mark.parametrize("beside", [[], ["lint"]], ids=["alone", "beside another"])
def test_stages_that_run_at_a_time_share_the_cores(scratch: Path, beside: list[str]) -> None:
    workers = len(os.sched_getaffinity(0)) // (len(beside) + 1)
    expected = str(workers) if workers > 1 else None
    plant(
        scratch,
        "tests/fair/test_it.py",
        "import os\n"
        f"def test_a(): assert os.environ.get('PYTEST_XDIST_WORKER_COUNT') == {expected!r}\n",
    )
    assert any(re.match(r"fair .* s   1 passed$", it) for it in check(scratch, "fair", *beside)[1])


def test_compiled_source_is_kept_whatever_the_surroundings_say(scratch: Path) -> None:
    """Else every start of Python would compile all of it again."""
    plant(scratch, "tests/cli/test_it.py", "import tools.kept\ndef test_a(): pass\n")
    plant(scratch, "tools/kept.py", "")
    assert check(scratch, "cli", env={"PYTHONDONTWRITEBYTECODE": "1"})[0] == 0
    assert [*scratch.glob("tools/__pycache__/kept.*.pyc")]


def test_the_long_forms_say_what_they_counted(scratch: Path) -> None:
    """Below the line of their stage; a passing stage of the short ones is one line."""
    shutil.copy(ROOT / "tests/conftest.py", scratch / "tests")
    shutil.copy(ROOT / "tests/postgres.py", scratch / "tests")
    plant(scratch, "tests/cli/test_it.py", "def test_it(say): say('7 cuts, 0 lost')")
    assert len(check(scratch, "cli")[1]) == 2
    code, (stage, said, total) = check(scratch, "cli", "--soak")
    assert (code, said.strip(), total) == (0, "7 cuts, 0 lost", "1 passed, 0 failed")
    assert stage.startswith("cli ")


@pytest.mark.parametrize("soak", [[], ["--soak"]])
def test_soak_is_told_to_the_tests(scratch: Path, soak: list[str]) -> None:
    expected = "1" if soak else None
    plant(
        scratch,
        "tests/cli/test_it.py",
        f"import os\ndef test_a(): assert os.environ.get('UPCARD_SOAK') == {expected!r}\n",
    )
    assert check(scratch, "cli", *soak)[1][-1] == "1 passed, 0 failed"


def test_a_stage_out_of_time_is_stopped_with_its_children(scratch: Path) -> None:
    plant(scratch, "tests/terminal/test_it.py", HANG)
    code, lines = check(scratch, "terminal")
    assert (code, lines[-1]) == (1, "0 passed, 1 failed")
    assert "stopped: the stage has used up its time" in lines
    assert is_gone(scratch)


def test_what_a_passing_test_leaves_behind_is_ended(scratch: Path) -> None:
    quick = HANG.replace("    time.sleep(60)\n", "    child.returncode = 0\n")
    plant(scratch, "tests/cli/test_it.py", quick)
    code, _ = check(scratch, "cli")
    assert code == 0
    assert is_gone(scratch)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_everything(scratch: Path, number: int, code: int) -> None:
    words = ("fair", "cli", "house", "lint")
    for name in words[:3]:
        plant(scratch, f"tests/{name}/test_it.py", HANG)
    with subprocess.Popen(
        command(scratch, *words), cwd=scratch, env=surroundings(), stdout=subprocess.PIPE
    ) as running:
        try:
            while len([*scratch.glob("*.pids")]) < 3:
                assert running.poll() is None
                time.sleep(0.05)
            running.send_signal(number)
            out, _ = running.communicate(timeout=30)
        finally:
            running.kill()
    assert running.returncode == code
    assert b"passed" not in out
    assert is_gone(scratch)
