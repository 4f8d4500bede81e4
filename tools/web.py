"""What is checked of the browser client's sources: `python tools/web.py STEP`.

install   node_modules as the lock file says
types     the types are those of the OpenAPI document; `types --write` makes them so
units     vitest
svelte    svelte-check: types and accessibility of every component
format    prettier
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import hatch_build  # noqa: E402  # it lies beside this folder, not in a package

WEB = ROOT / "web"
TYPES = WEB / "src" / "generated" / "api.d.ts"
INSTALLED = WEB / "node_modules" / ".package-lock.json"
LOCK = WEB / "package-lock.json"


def npx(*words: str) -> int:
    return hatch_build.npm(("exec", "--offline", "--", *words), WEB)


def install() -> int:
    if INSTALLED.is_file() and INSTALLED.stat().st_mtime >= LOCK.stat().st_mtime:
        return 0
    return hatch_build.npm(hatch_build.NPM_CI, WEB)


def types(*, write: bool = False) -> int:
    """The types of the document are made anew and held against those that are committed."""
    with tempfile.TemporaryDirectory() as scratch:
        document, made = Path(scratch) / "openapi.json", Path(scratch) / "api.d.ts"
        document.write_text(json.dumps(openapi()))
        if code := npx("openapi-typescript", str(document), "-o", str(made)):
            return code
        if write:
            TYPES.write_text(made.read_text())
        elif made.read_text() != TYPES.read_text():
            print(
                f"{TYPES.relative_to(ROOT)} is not of the OpenAPI document; "
                "run .venv/bin/python tools/web.py types --write"
            )
            return 1
    return 0


def openapi() -> dict[str, Any]:
    from upcard.house.rounds import House
    from upcard.server.app import create_app

    # The document is of the routes alone; no house need be open.
    return create_app(cast(House, None)).openapi()


STEPS: dict[str, Callable[[], int]] = {
    "install": install,
    "types": types,
    "units": lambda: npx("vitest", "run"),
    "svelte": lambda: npx("svelte-check", "--tsconfig", "./tsconfig.json", "--fail-on-warnings"),
    "format": lambda: npx("prettier", "--check", "."),
}


def main(arguments: list[str]) -> int:
    if arguments == ["types", "--write"]:
        return types(write=True)
    if len(arguments) != 1 or arguments[0] not in STEPS:
        print(f"tools/web.py: name one of {', '.join(STEPS)}", file=sys.stderr)
        return 2
    try:
        return STEPS[arguments[0]]()
    except (RuntimeError, subprocess.SubprocessError) as error:
        print(f"tools/web.py: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
