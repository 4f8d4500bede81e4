"""What `docs/fairness.md` tells a stranger is true: its example, its commands and its vectors."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from upcard import fair
from upcard.cards import numbered, print_cards

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "fairness.md").read_text(encoding="utf-8")
SEED = bytes(range(64))


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def rows(columns: int) -> list[list[str]]:
    """The rows of the page's one table with so many columns, its head left out."""
    lines = [line.strip("|").split("|") for line in PAGE.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line] for line in lines if len(line) == columns][2:]


def test_the_example_is_a_good_proof(tmp_path: Path) -> None:
    (proof,) = blocks("json")
    (tmp_path / "proof.json").write_text(proof)
    (run,) = blocks("sh")
    (answer,) = blocks("text")
    script, file = run.split()[1:]
    command = [sys.executable, str(DOCS / script), str(tmp_path / file)]
    verifier = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert verifier.stdout == answer


def test_the_steps_lead_to_the_cards_of_the_example() -> None:
    """Each row is worked out again from the words of block 0 and the exchanges above it."""
    words = list(islice(fair.words(SEED, "a", 1), 6))
    lying = list(range(52))
    expected = []
    for place, word in enumerate(words):
        left = 52 - place
        limit = left * (65_536 // left)
        other = place + word % left
        lying[place], lying[other] = lying[other], lying[place]
        number = lying[place]
        expected.append(
            [
                *map(str, (place, left, limit)),
                f"{word:04x}",
                *map(str, (word, word % left, other, number)),
                str(numbered(number)),
            ]
        )
        assert word < limit
    assert rows(9) == expected
    assert [row[-1] for row in expected] == json.loads(blocks("json")[0])["cards"]


def test_the_vectors_are_dealt() -> None:
    vectors = rows(5)
    assert len(vectors) == 3
    for client_seed, nonce, decks, first_cards, whole_shoe in vectors:
        words = fair.words(SEED, client_seed, int(nonce))
        numbers = list(fair.shuffled(52 * int(decks), words))
        assert print_cards(map(numbered, numbers[:20])) == first_cards
        as_bytes = b"".join(number.to_bytes(2, "big") for number in numbers)
        assert hashlib.sha256(as_bytes).hexdigest() == whole_shoe


@pytest.mark.skipif(
    not (shutil.which("openssl") and shutil.which("python3")),
    reason="the page's commands need openssl and python3 on the path",
)
def test_the_commands_print_what_the_page_says(tmp_path: Path) -> None:
    lines = "".join(blocks("console")).splitlines()
    script = "\n".join(line.removeprefix("$ ") for line in lines if line.startswith("$ "))
    printed = [line for line in lines if not line.startswith("$ ")]
    assert len(printed) == 6
    shell = subprocess.run(
        ["sh", "-eu", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert shell.stdout.splitlines() == printed


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", PAGE)
    assert "verify_shuffle.py" in links
    assert all((DOCS / link).is_file() for link in links)
