"""Settled rounds of a house through both verifiers of strangers: the script and the page's own.

Each is a writing of protocol upcard/1 by itself, the script in Python, the page in TypeScript. Some
of the proofs are altered: a verifier that finds everything good would be no evidence.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.clock import Clock
from tests.fair.test_verify_shuffle import verify_shuffle
from tests.house.conftest import Entropy, TestHouse
from tools import web

ROUNDS = 100_000 if os.environ.get("UPCARD_SOAK") else 300
ALTERED_EVERY = 50
ROOT = Path(__file__).parents[2]
BETS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "top3": (("1 main=5.00 classic=1.00 top3=1.00", "2 main=5.00"), {"level": "low"}),
    "threecard": (("1 ante=5.00 ace_plus=5.00",), {}),
    "super21": (("1 main=1.00",), {}),
    "ags": (("1 main=1.00 trifecta=1.00", "3 match_super=1.00"), {}),
}


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """In memory where there is some: the disk is not what is tested here."""
    root = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=root) as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def rounds(folder: Path) -> Path:
    """A file of settled rounds, a line each: proof, the commit shown before, the events told."""
    path = folder / "rounds.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number, settled in enumerate(_settled(folder / "house.db"), 1):
            if number % ALTERED_EVERY == 0:
                cards = settled["proof"]["cards"]
                cards[0], cards[1] = cards[1], cards[0] if cards[1] != cards[0] else "??"
            file.write(json.dumps(settled) + "\n")
    return path


def _settled(database: Path) -> Iterator[dict[str, Any]]:
    rng = random.Random(6)
    loop = asyncio.new_event_loop()
    house = TestHouse(loop, str(database), Clock(), Entropy())
    guest = house.guest()
    seats = house.run(house.house.session(guest.player))["games"]
    shown = {game: seat["commit"] for game, seat in seats.items()}
    for number in range(ROUNDS):
        game = rng.choice([*BETS])
        bets, more = BETS[game]
        answer = guest.bet(game, *bets, client_seed=f"seed-{number}", **more)
        events, before = answer["events"], shown[game]
        shown[game] = answer["next"]["commit"]
        while answer["status"] == "open":
            answer = guest.move(answer, rng.choice(_enabled(answer)))
            events += answer["events"]
        proof = house.run(house.house.proof(guest.player, answer["round"]))
        yield {"proof": proof, "shown": before, "events": events}
        if number % 100 == 99:
            house.run(house.house.refill(guest.player))
    house.close()
    loop.close()


def _enabled(answer: dict[str, Any]) -> list[str]:
    return [each["choice"] for each in answer["choices"] if each["enabled"]]


def _altered(rounds: Path) -> list[str]:
    with rounds.open(encoding="utf-8") as file:
        return [
            json.loads(line)["proof"]["round"]
            for number, line in enumerate(file, 1)
            if number % ALTERED_EVERY == 0
        ]


def test_the_stand_alone_script_finds_all_that_was_altered_and_nothing_else(
    rounds: Path,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    say: Callable[[str], None],
) -> None:
    """Protocol step 6."""
    proof_file, wrong = folder / "proof.json", []
    with rounds.open(encoding="utf-8") as file:
        for line in file:
            proof = json.loads(line)["proof"]
            proof_file.write_text(json.dumps(proof))
            if verify_shuffle.main(str(proof_file)) != 0:
                wrong.append(proof["round"])
            capsys.readouterr()
    say(f"{ROUNDS} rounds through the script, {len(wrong)} altered ones found")
    assert wrong == _altered(rounds)


def test_the_page_s_own_check_finds_the_same(
    rounds: Path, folder: Path, say: Callable[[str], None]
) -> None:
    """Protocol step 6: what the browser runs, run by Node on the same rounds."""
    assert web.install() == 0
    source, checker, verdicts = (
        ROOT / "tests" / "fair" / "checker.ts",
        folder / "c.mjs",
        "v.json",
    )
    bundle = ("rolldown", str(source), "--file", str(checker), "--platform", "node")
    assert web.npx(*bundle, "--format", "esm", "--log-level", "silent") == 0
    assert web.npx("node", str(checker), str(rounds), str(folder / verdicts)) == 0
    told = json.loads((folder / verdicts).read_text())
    say(f"{told['checked']} rounds through the page's check, {len(told['wrong'])} altered found")
    assert told == {"checked": ROUNDS, "wrong": _altered(rounds)}
