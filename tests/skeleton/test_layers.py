"""The import contracts of pyproject.toml hold for a package that keeps them and break otherwise.

Authority: the layers in ARCHITECTURE.md.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.skeleton.scratch import ROOT, surroundings

PRESENT = [
    *("__main__", "cli", "scripts", "fair", "games", "game", "twentyone", "threecard"),
    *("sidebets", "table", "events", "paytable", "fields", "cards", "money", "refused"),
]
OPTIONAL = ["server", "terminal", "house", "simulate", "maths", "describe"]

LAYERS = "Layers, highest first"
SHUFFLE = "The shuffle knows cards and nothing else of ours"
HOUSE = "The house imports neither maths nor simulate"
PURE = "The rules draw nothing, wait for nothing and touch nothing outside"
STANDARD = "The rules need the standard library alone"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package of ours with nothing in its modules."""
    (tmp_path / "tools").mkdir()
    for name in ("pyproject.toml", "tools/contracts.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "upcard").mkdir()
    for name in ["__init__", *PRESENT]:
        (tmp_path / f"upcard/{name}.py").touch()
    return tmp_path


def broken(package: Path, *imports: str) -> set[str]:
    """The contracts broken by imports written `importer: imported`, in the order of pyproject."""
    for line in imports:
        importer, imported = line.split(": ")
        with (package / f"upcard/{importer}.py").open("a") as module:
            module.write(f"import {imported}\n")
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-logo", "--no-cache"],
        cwd=package,
        env=surroundings() | {"COLUMNS": "120"},
        capture_output=True,
        text=True,
        check=False,
    )
    verdicts = [line.rsplit(maxsplit=1) for line in done.stdout.splitlines() if line]
    kept = {words[0] for words in verdicts if words[-1] == "KEPT"}
    failed = {words[0] for words in verdicts if words[-1] == "BROKEN"}
    assert kept | failed == {LAYERS, SHUFFLE, HOUSE, PURE, STANDARD}, done.stdout + done.stderr
    assert done.returncode == (1 if failed else 0)
    return failed


def test_all_hold_as_long_as_imports_go_down(package: Path) -> None:
    assert not broken(
        package,
        "__main__: upcard.cli",
        "cli: upcard.fair",
        "cli: rich",
        "scripts: upcard.games",
        "games: upcard.twentyone",
        "twentyone: upcard.sidebets",
        "sidebets: upcard.table",
        "table: upcard.events",
        "events: upcard.paytable",
        "fair: upcard.cards",
        "fair: secrets",
        "money: upcard.cards",
        "cards: upcard.refused",
        "cards: dataclasses",
    )


def test_all_hold_with_the_optional_modules(package: Path) -> None:
    for name in OPTIONAL:
        (package / f"upcard/{name}.py").touch()
    assert not broken(
        package,
        "server: upcard.house",
        "simulate: upcard.maths",
        "maths: upcard.describe",
        "house: upcard.fair",
        "maths: numpy",
    )


@pytest.mark.parametrize(
    ("line", "contracts"),
    [
        ("refused: upcard.cards", {LAYERS}),
        ("paytable: upcard.table", {LAYERS}),
        ("game: upcard.games", {LAYERS}),
        ("twentyone: upcard.threecard", {LAYERS}),
        ("threecard: upcard.twentyone", {LAYERS}),
        ("scripts: upcard.fair", {LAYERS}),
        ("games: upcard.fair", {LAYERS}),
        ("fair: upcard.money", {SHUFFLE}),
        ("fair: upcard.game", {SHUFFLE}),
        ("house: upcard.maths", {HOUSE}),
        ("house: upcard.simulate", {HOUSE}),
        ("maths: upcard.house", {LAYERS}),
        ("elsewhere: re", {LAYERS, SHUFFLE}),
        ("table: random", {PURE}),
        ("refused: time", {PURE}),
        ("games: asyncio", {PURE}),
        ("fields: os.path", {PURE}),
        ("game: numpy", {PURE, STANDARD}),
        ("sidebets: rich.table", {STANDARD}),
    ],
)
def test_an_import_that_goes_astray_breaks_its_contract(
    package: Path, line: str, contracts: set[str]
) -> None:
    for name in OPTIONAL:
        (package / f"upcard/{name}.py").touch()
    assert broken(package, line) == contracts


def test_what_a_rules_module_reaches_through_another_counts_too(package: Path) -> None:
    (package / "upcard/twentyone.py").unlink()
    (package / "upcard/twentyone").mkdir()
    (package / "upcard/twentyone/__init__.py").touch()
    assert broken(package, "twentyone/round: upcard.cards", "cards: secrets") == {PURE}
