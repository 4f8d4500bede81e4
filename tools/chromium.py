"""Finds a Chromium for the browser tests, or gets one: `python tools/chromium.py` prints its path.

First $CHROMIUM, then the PATH, then Playwright's own; else Playwright downloads one; else Debian's
package manager brings one, where it may.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DOWNLOAD_SECONDS_MAX = 300
PACKAGE_SECONDS_MAX = 600


class Missing(Exception):
    """There is no Chromium, and none can be had; the text says what to do."""


def find() -> str | None:
    """The path of a Chromium that is there."""
    if given := os.environ.get("CHROMIUM"):
        return shutil.which(given)
    on_path = next((path for name in NAMES if (path := shutil.which(name))), None)
    return on_path or playwrights_own()


def playwrights_own() -> str | None:
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).is_file() else None


def get() -> str:
    """The path of a Chromium, brought here if there was none. Raises Missing."""
    if os.environ.get("CHROMIUM") and find() is None:
        raise Missing("$CHROMIUM names no program; correct it, or unset it to have one found")
    for way in (None, [sys.executable, "-m", "playwright", "install", "chromium"], *packages()):
        if way is not None:
            run(way)
        if found := find():
            return found
    raise Missing(
        "no Chromium is here and none could be installed; install the package chromium, "
        "or set $CHROMIUM to one, and run ./check browser again"
    )


def packages() -> list[list[str]]:
    """The commands of the system's package manager, if this user may run it."""
    apt = shutil.which("apt-get")
    if apt is None:
        return []
    sudo: list[str] = []
    if os.geteuid() != 0:
        if (program := shutil.which("sudo")) is None:
            return []
        sudo = [program, "-n"]
    return [
        [*sudo, apt, "update", "-q"],
        [*sudo, apt, "install", "-q", "-y", "--no-install-recommends", "chromium"],
    ]


def run(command: list[str]) -> None:
    """What it says goes to stderr; whether it helped is seen by looking again."""
    print(f"chromium: {' '.join(command)}", file=sys.stderr, flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    seconds = PACKAGE_SECONDS_MAX if "apt-get" in " ".join(command) else DOWNLOAD_SECONDS_MAX
    try:
        subprocess.run(command, stdout=sys.stderr, env=environment, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        print(f"chromium: gave up after {seconds} s", file=sys.stderr)


def main() -> int:
    try:
        print(get())
    except Missing as missing:
        print(f"chromium: {missing}.", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
