"""The stand-alone verifier: it accepts what the house deals and refuses every altered proof.

It is a second writing of protocol upcard/1 that uses nothing of the first, so their agreement on
random shoes is evidence for both; the proof altered here is the first published vector.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import random
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from upcard.cards import CARDS, parse_cards
from upcard.fair import Shoe

VERIFIER = Path(__file__).parents[2] / "docs" / "verify_shuffle.py"
CLIENT_SEED_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

# The first published vector and the commit published with it.
FIRST_CARDS = "Th 2h 7c Ts Qh 7d 4d 7d 2c Kc 6c 3c Ad Jc 2c 8c 2h Qh Qc Tc"
DEALT = [str(card) for card in parse_cards(FIRST_CARDS)]
GOOD: dict[str, Any] = {
    "protocol": "upcard/1",
    "round": "1",
    "game": "super21",
    "server_seed": bytes(range(64)).hex(),
    "commit": "fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108",
    "client_seed": "player-seed_1",
    "nonce": 7,
    "decks": 8,
    "cards": DEALT,
}


def loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verify_shuffle", VERIFIER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


verify_shuffle = loaded()


@pytest.fixture
def proof_file(tmp_path: Path) -> Path:
    return tmp_path / "proof.json"


def verdict(proof: object, proof_file: Path) -> int:
    proof_file.write_text(json.dumps(proof))
    status = verify_shuffle.main(str(proof_file))
    assert isinstance(status, int)
    return status


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """The script as a stranger runs it: a process of its own that cannot see this package."""
    command = [sys.executable, "-I", "-S", "-W", "error", str(VERIFIER), *arguments]
    return subprocess.run(
        command, input=stdin, capture_output=True, text=True, timeout=60, check=False
    )


def random_shoe(source: random.Random) -> tuple[bytes, str, int, int]:
    client_seed = "".join(source.choices(CLIENT_SEED_CHARACTERS, k=source.randint(1, 64)))
    return source.randbytes(64), client_seed, source.randint(1, 10**6), source.randint(1, 8)


def test_under_60_lines_of_the_standard_library_alone() -> None:
    """Protocol step 6."""
    text = VERIFIER.read_text()
    assert len(text.splitlines()) < 60
    assert max(map(len, text.splitlines())) <= 100
    modules: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            modules.add(str(node.module))
    assert "hmac" in modules
    assert {name.split(".")[0] for name in modules} <= sys.stdlib_module_names
    assert "__import__" not in text
    assert "import_module" not in text


def test_agrees_on_a_thousand_shoes() -> None:
    source = random.Random(1_000)
    for _ in range(1_000):
        arguments = random_shoe(source)
        assert verify_shuffle.shoe(*arguments) == [str(card) for card in Shoe(*arguments)]


def test_agrees_as_a_process_of_its_own(proof_file: Path) -> None:
    source = random.Random(8)
    for _ in range(8):
        server_seed, client_seed, nonce, decks = random_shoe(source)
        shoe = Shoe(server_seed, client_seed, nonce, decks)
        proof = GOOD | {
            "server_seed": server_seed.hex(),
            "commit": shoe.commit,
            "client_seed": client_seed,
            "nonce": nonce,
            "decks": decks,
            "cards": [str(card) for card in shoe[: source.randint(1, 52)]],
        }
        proof_file.write_text(json.dumps(proof))
        assert run(str(proof_file)).returncode == 0


def test_says_one_line_for_each_check(proof_file: Path) -> None:
    proof_file.write_text(json.dumps(GOOD))
    for answer in (run(str(proof_file)), run("-", stdin=json.dumps(GOOD))):
        assert answer.stdout.splitlines() == [
            "good  the protocol is upcard/1",
            "good  the commit is the SHA-256 of the server seed",
            "good  the 20 cards begin the shoe",
        ]
        assert answer.stderr == ""
        assert answer.returncode == 0


def test_names_the_first_wrong_card(proof_file: Path) -> None:
    cards = [*DEALT[:2], "7d", "Th", *DEALT[4:]]
    answer = run("-", stdin=json.dumps(GOOD | {"cards": cards}))
    assert answer.stdout.splitlines() == [
        "good  the protocol is upcard/1",
        "good  the commit is the SHA-256 of the server seed",
        "FALSE the 20 cards begin the shoe; card 3 is wrong",
    ]
    assert answer.stderr == ""
    assert answer.returncode == 1


@pytest.mark.parametrize("length", range(1, 21))
def test_a_round_uses_only_the_beginning_of_its_shoe(proof_file: Path, length: int) -> None:
    assert verdict(GOOD | {"cards": DEALT[:length]}, proof_file) == 0


def test_no_cards_prove_nothing(proof_file: Path) -> None:
    assert verdict(GOOD | {"cards": []}, proof_file) == 1


def test_any_two_cards_exchanged(proof_file: Path) -> None:
    pairs = [(a, b) for a, b in combinations(range(20), 2) if DEALT[a] != DEALT[b]]
    assert len(pairs) == 186  # 190 less four: 2h, 7d, 2c and Qh are dealt twice
    for a, b in pairs:
        cards = list(DEALT)
        cards[a], cards[b] = cards[b], cards[a]
        assert verdict(GOOD | {"cards": cards}, proof_file) == 1, (a, b)


def test_any_card_replaced(proof_file: Path) -> None:
    for place in range(20):
        for card in {str(card) for card in CARDS} - {DEALT[place]}:
            cards = [*DEALT[:place], card, *DEALT[place + 1 :]]
            assert verdict(GOOD | {"cards": cards}, proof_file) == 1, (place, card)


@pytest.mark.parametrize("place", range(19))
def test_a_card_missing_in_the_middle(proof_file: Path, place: int) -> None:
    cards = DEALT[:place] + DEALT[place + 1 :]
    assert verdict(GOOD | {"cards": cards}, proof_file) == 1


@pytest.mark.parametrize("place", range(20))
def test_a_card_repeated(proof_file: Path, place: int) -> None:
    cards = DEALT[: place + 1] + DEALT[place:]
    assert verdict(GOOD | {"cards": cards}, proof_file) == 1


@pytest.mark.parametrize("place", range(20))
def test_a_card_too_many(proof_file: Path, place: int) -> None:
    """The ace of spades is none of the twenty."""
    cards = [*DEALT[:place], "As", *DEALT[place:]]
    assert verdict(GOOD | {"cards": cards}, proof_file) == 1


def test_more_cards_than_the_shoe_holds(proof_file: Path) -> None:
    whole = verify_shuffle.shoe(bytes(range(64)), "a", 1, 1)
    proof = GOOD | {"client_seed": "a", "nonce": 1, "decks": 1}
    assert verdict(proof | {"cards": whole}, proof_file) == 0
    for card in CARDS:
        assert verdict(proof | {"cards": [*whole, str(card)]}, proof_file) == 1
    assert verdict(proof | {"cards": whole * 2}, proof_file) == 1


@pytest.mark.parametrize(
    ("altered", "false_lines"),
    [
        ({"protocol": "upcard/2"}, [0]),
        ({"protocol": "UPCARD/1"}, [0]),
        ({"protocol": ""}, [0]),
        # SHA-256 of 64 zero bytes
        ({"commit": "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"}, [1]),
        ({"commit": GOOD["commit"][:-1]}, [1]),
        ({"commit": ""}, [1]),
        ({"server_seed": "00" * 64}, [1, 2]),
        (
            {
                "server_seed": "00" * 64,
                "commit": "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b",
            },
            [2],
        ),
        ({"client_seed": "player-seed_2"}, [2]),
        ({"nonce": 8}, [2]),
        ({"decks": 7}, [2]),
        ({"cards": ["th", *DEALT[1:]]}, [2]),
        ({"cards": ["10h", *DEALT[1:]]}, [2]),
        ({"cards": ["", *DEALT]}, [2]),
        ({"cards": ["Th 2h", *DEALT[2:]]}, [2]),
        ({"cards": DEALT[::-1]}, [2]),
        ({"protocol": "upcard/0", "commit": "none", "cards": []}, [0, 1, 2]),
    ],
)
def test_anything_altered_is_false(
    proof_file: Path,
    capsys: pytest.CaptureFixture[str],
    altered: dict[str, Any],
    false_lines: list[int],
) -> None:
    assert verdict(GOOD | altered, proof_file) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert [n for n, line in enumerate(lines) if line.startswith("FALSE ")] == false_lines
    assert [n for n, line in enumerate(lines) if not line.startswith("good ")] == false_lines


def assert_unreadable(answer: subprocess.CompletedProcess[str], reason: str) -> None:
    assert answer.returncode == 2
    assert answer.stdout == ""
    (line,) = answer.stderr.splitlines()
    assert line.startswith("This is no readable proof: ")
    assert reason in line
    assert line.endswith(".")


@pytest.mark.parametrize(
    ("field", "value", "form"),
    [
        ("protocol", 1, "a text"),
        ("server_seed", "00" * 63, "128 hex digits, shown once the round is settled"),
        ("server_seed", "00" * 65, "128 hex digits, shown once the round is settled"),
        ("server_seed", "zz" * 64, "128 hex digits, shown once the round is settled"),
        ("server_seed", 0, "128 hex digits, shown once the round is settled"),
        ("commit", ["fd"], "a text"),
        ("client_seed", "", "1 to 64 characters out of A-Z a-z 0-9 _ -"),
        ("client_seed", "a" * 65, "1 to 64 characters out of A-Z a-z 0-9 _ -"),
        ("client_seed", "a|7", "1 to 64 characters out of A-Z a-z 0-9 _ -"),
        ("client_seed", "a\n", "1 to 64 characters out of A-Z a-z 0-9 _ -"),
        ("client_seed", 7, "1 to 64 characters out of A-Z a-z 0-9 _ -"),
        ("nonce", 0, "a whole number from 1"),
        ("nonce", -7, "a whole number from 1"),
        ("nonce", 7.0, "a whole number from 1"),
        ("nonce", "7", "a whole number from 1"),
        ("nonce", True, "a whole number from 1"),
        ("decks", 0, "a whole number from 1 to 8"),
        ("decks", 9, "a whole number from 1 to 8"),
        ("decks", 10**9, "a whole number from 1 to 8"),
        ("decks", "8", "a whole number from 1 to 8"),
        ("cards", FIRST_CARDS, "a list of texts"),
        ("cards", {"0": "Th"}, "a list of texts"),
        ("cards", [None, *DEALT], "a list of texts"),
        ("cards", [9, *DEALT], "a list of texts"),
        ("cards", [DEALT], "a list of texts"),
    ],
)
def test_fields_of_another_form(
    proof_file: Path, capsys: pytest.CaptureFixture[str], field: str, value: object, form: str
) -> None:
    assert verdict(GOOD | {field: value}, proof_file) == 2
    written = capsys.readouterr()
    assert written.out == ""
    assert written.err == f"This is no readable proof: {field} must be {form}.\n"


@pytest.mark.parametrize(
    "field", ["protocol", "server_seed", "commit", "client_seed", "nonce", "decks", "cards"]
)
def test_fields_that_are_missing(
    proof_file: Path, capsys: pytest.CaptureFixture[str], field: str
) -> None:
    """An open round has the seed null."""
    assert verdict(GOOD | {field: None}, proof_file) == 2
    assert verdict({name: GOOD[name] for name in GOOD if name != field}, proof_file) == 2
    written = capsys.readouterr()
    assert written.out == ""
    assert written.err.count(f"This is no readable proof: {field} must be ") == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Expecting value"),
        ("Th 2h 7c", "Expecting value"),
        ('{"protocol": "upcard/1"', "delimiter"),
        ("[]", "not a mapping"),
        ("7", "not a mapping"),
        ("null", "not a mapping"),
        ('"upcard/1"', "not a mapping"),
        ("{}", "protocol must be"),
        ("[" * 100_000, ""),  # each Python says it in words of its own
        ('{"nonce": ' + "7" * 5_000 + "}", "digits"),
    ],
)
def test_texts_that_are_no_proof(text: str, reason: str) -> None:
    assert_unreadable(run("-", stdin=text), reason)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert_unreadable(run(str(tmp_path / "absent.json")), "No such file")
    assert_unreadable(run(str(tmp_path)), "Is a directory")
    assert_unreadable(run(), "No such file")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\xff")
    assert_unreadable(run(str(tmp_path / "picture.png")), "decode")
