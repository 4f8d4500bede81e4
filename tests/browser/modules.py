"""Single modules of the client in an empty page: what they do is measured there by a test."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path

from playwright.sync_api import Browser, Page, Route

WEB = Path(__file__).resolve().parents[2] / "web"
ORIGIN = "http://modules.test"
TRANSLATE = """
import ts from "typescript";
import { readFileSync } from "node:fs";
const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
const said = process.argv.slice(1).map((path) => [
  path,
  ts.transpileModule(readFileSync(path, "utf8"), { compilerOptions }).outputText,
]);
console.log(JSON.stringify(Object.fromEntries(said)));
"""


@cache
def translated(*paths: str) -> dict[str, str]:
    """TypeScript files of `web/` as JavaScript. They may import one another and nothing else."""
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", TRANSLATE, *paths],
        cwd=WEB,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, str] = json.loads(done.stdout)
    return found


def page_of(browser: Browser, *paths: str) -> Page:
    """An empty page that may `import("/src/...ts")` these files."""
    scripts = translated(*paths)

    def answer(route: Route) -> None:
        asked = route.request.url.removeprefix(f"{ORIGIN}/")
        found = next((text for path, text in scripts.items() if path.startswith(asked)), None)
        if found is None:
            route.fulfill(body="<!doctype html>", content_type="text/html")
        else:
            route.fulfill(body=found, content_type="text/javascript")

    page = browser.new_page()
    page.route("**/*", answer)
    page.goto(f"{ORIGIN}/")
    return page
