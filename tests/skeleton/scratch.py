"""A scratch copy of this checkout, with little in it, on a PATH of our choosing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = Path(os.path.realpath(sys.executable))
"""The interpreter that .venv was made from: what another checkout would find."""

COMMANDS = ["sh", "cat", "cksum", "grep", "mkdir", "rm", "sleep", "tail"]
"""All that ./play and ./check need of a machine besides Python."""

FILES = [
    "LICENSE",
    "NOTICE",
    "check",
    "constraints.txt",
    "hatch_build.py",
    "play",
    "pyproject.toml",
    "tools",
]
"""All that they need of the checkout besides our source."""

CLI = """\
import json, os, sys

def main() -> int:
    print(json.dumps([os.getcwd(), *sys.argv[1:]]))
    return 0
"""


ONCE = {"PIP_COMPILE": "0"}
"""What is installed here is hardly run: compiling it would take pip as long as all the rest."""


def surroundings() -> dict[str, str]:
    """Our environment less what tells of the run we are in."""
    ours = ("COV", "PYTEST", "PYTHON", "UPCARD", "VIRTUAL_ENV")
    return {key: value for key, value in os.environ.items() if not key.startswith(ours)}


@dataclass(frozen=True, slots=True)
class Checkout:
    """`path` is its whole PATH: the commands it needs, and what a test puts beside them."""

    root: Path
    path: Path

    def write(self, name: str, text: str) -> None:
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def link(self, name: str, program: Path) -> None:
        """Put a program on the path."""
        (self.path / name).symlink_to(program)

    def script(self, name: str, text: str) -> None:
        """Put a shell script on the path."""
        (self.path / name).write_text(f"#!/bin/sh\n{text}\n")
        (self.path / name).chmod(0o755)

    def start(
        self, *words: str, cwd: Path | None = None, env: Mapping[str, str] | None = None
    ) -> subprocess.Popen[str]:
        """`check` or `play` with its arguments, in a process group of its own."""
        return subprocess.Popen(
            [str(self.root / words[0]), *words[1:]],
            cwd=cwd or self.root,
            env=surroundings() | ONCE | {"PATH": str(self.path)} | dict(env or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(
        self, *words: str, cwd: Path | None = None, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        process = self.start(*words, cwd=cwd, env=env)
        out, err = process.communicate(timeout=240)
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def python(self, code: str) -> subprocess.CompletedProcess[str]:
        """Run some code in its .venv."""
        command = [str(self.root / ".venv/bin/python"), "-c", code]
        return subprocess.run(command, capture_output=True, text=True, check=False)


def checkout(folder: Path) -> Checkout:
    """A checkout in a folder with a space in its name, and a path without Python and uv."""
    made = Checkout(folder / "up card", folder / "bin")
    made.root.mkdir()
    made.path.mkdir()
    for name in FILES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        copy(ROOT / name, made.root / name)
    for name in COMMANDS:
        program = shutil.which(name)
        assert program is not None, f"no {name} on this machine"
        made.link(name, Path(program))
    made.write("src/upcard/__init__.py", '__version__ = "0"\n')
    made.write("src/upcard/cli.py", CLI)
    made.write("tests/cli/test_one.py", "def test_one(): pass\n")
    return made
