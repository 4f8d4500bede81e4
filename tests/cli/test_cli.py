"""The commands as other programs call them: answers on stdout, one line on stderr, exit codes.

0 good, 1 checked and false, 2 bad input or environment.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import pytest

from upcard import cli
from upcard.house.journal import TableChoice
from upcard.house.keys import make_key
from upcard.house.rounds import BetRequest, House
from upcard.house.store.opening import open_store
from upcard.table import SpotBets

SEED = bytes(range(64)).hex()
SHOE = ["shoe", "--server-seed", SEED, "--client-seed", "a", "--nonce", "1", "--decks", "1"]
"""The published vector `a`, 1, one deck."""
FIRST_TWENTY = "Qc 3s 6h 7d 5d Ac Kc 2c 2h Ad 8s 4s 7c 9c As 9s Qh 9h 6d 5c"

GOOD_ROUND = """\
game top3 decks=6 level=low
bet 1 main=10.00
cards Th 7c Td Ts
do 1.0 stand
pay 1.0 main 20.00
"""


class Told(NamedTuple):
    code: int
    out: str
    err: str


def run(capsys: pytest.CaptureFixture[str], *words: str) -> Told:
    code = cli.main(list(words))
    out, err = capsys.readouterr()
    return Told(code, out, err)


def test_games_lists_the_four_that_are_served(capsys: pytest.CaptureFixture[str]) -> None:
    told = run(capsys, "games")
    assert told.code == 0
    assert [line.split()[0] for line in told.out.splitlines()] == [
        "top3",
        "threecard",
        "super21",
        "ags",
    ]
    document = json.loads(run(capsys, "games", "--json").out)
    assert document["games"][3] == {"key": "ags", "title": "AGS Blackjack Side Bets"}


def test_shoe_deals_the_published_vector(capsys: pytest.CaptureFixture[str]) -> None:
    """Protocol upcard/1, published vector."""
    assert run(capsys, *SHOE, "--cards", "20") == Told(0, FIRST_TWENTY + "\n", "")
    whole = run(capsys, *SHOE).out.split()
    assert len(whole) == 52
    assert whole[:20] == FIRST_TWENTY.split()
    document = json.loads(run(capsys, *SHOE, "--cards", "3", "--json").out)
    assert document == {
        "cards": ["Qc", "3s", "6h"],
        "commit": "fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108",
    }


def test_rules_print_a_page_a_document_and_a_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """G-14, S-02: the page says what the rules are."""
    page = run(capsys, "rules", "super21")
    assert page.code == 0
    assert "soft 17" in page.out
    document = json.loads(run(capsys, "rules", "super21", "--json").out)
    fields = {rule["field"]: rule["value"] for rule in document["rules"]}
    assert fields["decks"] == "8"
    assert fields["auto_wins"] == "6@1:1,5/21@2:1"
    target = tmp_path / "rules.html"
    assert run(capsys, "rules", "super21", "--html", str(target)) == Told(0, "", "")
    assert target.read_text().startswith("<!DOCTYPE html>") or "<html" in target.read_text()


def test_rules_of_a_variant_are_those_of_the_variant(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["rules", "top3", "--json", "--set", "natural=6:5", "--pays", "classic.flush=8:1"]
    document = json.loads(run(capsys, *words).out)
    assert {"natural": "6:5"}.items() <= {r["field"]: r["value"] for r in document["rules"]}.items()
    classic = next(side for side in document["side_bets"] if side["key"] == "classic")
    assert {"name": "flush", "pays": "8:1"}.items() <= classic["rows"][-1].items()


def test_replay_plays_a_round(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = tmp_path / "good.round"
    script.write_text(GOOD_ROUND)
    told = run(capsys, "replay", str(script))
    assert (told.code, told.err) == (0, "")
    assert "20.00" in told.out


def test_replay_of_a_false_payment_is_checked_and_false(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    script = tmp_path / "false.round"
    script.write_text(GOOD_ROUND.replace("20.00", "25.00"))
    told = run(capsys, "replay", str(script))
    assert (told.code, told.out) == (1, "")
    assert told.err == ("upcard: line 5: 'pay 1.0 main 25.00' is not so: 20.00 comes back.\n")


def test_verify_tells_true_proofs_from_false_ones(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    proof = tmp_path / "proof.json"
    proof.write_text("{}")
    assert run(capsys, "verify", str(proof)).code == 2
    proof.write_text("not json")
    assert "no JSON" in run(capsys, "verify", str(proof)).err


def test_a_receipt_is_verified_with_the_keys_of_its_house(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    key = make_key(tmp_path / "k")
    receipt, keys = tmp_path / "receipt.json", tmp_path / "keys.json"
    body = {"protocol": "upcard-receipt/1", "round": "r", "commit": "c", "key": key.id}
    signature = key.sign(json.dumps(body, sort_keys=True, separators=(",", ":")))
    receipt.write_text(json.dumps({**body, "signature": signature}))
    keys.write_text(json.dumps({"keys": [asdict(key.public(since=0))]}))
    good = run(capsys, "verify", str(receipt), "--keys", str(keys))
    assert (good.code, good.err, good.out.count("good ")) == (0, "", 2)
    assert "--keys" in run(capsys, "verify", str(receipt)).err
    assert run(capsys, "verify", str(receipt), "--keys", str(receipt)).code == 2
    receipt.write_text(json.dumps({**body, "commit": "d", "signature": signature}))
    false = run(capsys, "verify", str(receipt), "--keys", str(keys), "--json")
    assert false.code == 1
    assert [check["ok"] for check in json.loads(false.out)["checks"]] == [True, False]


def test_an_audit_needs_a_database_that_exists(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    told = run(capsys, "audit", "--db", str(tmp_path / "none.db"))
    assert told.code == 2
    assert "does not exist" in told.err
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def database(tmp_path: Path) -> tuple[Path, str]:
    """A house's database with one settled round, and the id of that round."""
    path = tmp_path / "house.db"

    async def play() -> str:
        store = open_store(str(path))
        house = House(store, clock=lambda: 1.8e9, entropy=secrets.token_bytes)
        await house.open()
        player, _ = await house.new_session()
        bets = (SpotBets(1, (("pairs_pay", 500),)),)
        table = TableChoice(side_bets=("pairs_pay", "in_bet"))
        bet = BetRequest(game="ags", level="table", spots=bets, client_seed="a", table=table)
        answer = await house.bet(player, "k", bet)
        await store.close()
        return str(json.loads(answer.text)["round"])

    return path, asyncio.run(play())


def _damage(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TRIGGER step_unedited")
        db.execute(statement)


def test_an_audit_tells_true_books_from_false_ones(
    capsys: pytest.CaptureFixture[str], database: tuple[Path, str]
) -> None:
    path, round_ = database
    good = run(capsys, "audit", "--db", str(path))
    assert (good.code, good.err) == (0, "")
    assert {line.split()[0] for line in good.out.splitlines()} == {"good"}
    assert run(capsys, "audit", "--db", str(path), "--block", "0" * 64).code == 1
    _damage(path, "UPDATE step SET answer = '{}'")
    false = run(capsys, "audit", "--db", str(path), "--json")
    (wrong,) = [check for check in json.loads(false.out)["checks"] if not check["ok"]]
    assert (false.code, wrong["name"]) == (1, "rounds")
    assert round_ in wrong["sentence"]
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TRIGGER round_inputs_unedited")
        db.execute("UPDATE round SET inputs = ''")
    unreadable = run(capsys, "audit", "--db", str(path))
    assert (unreadable.code, unreadable.err) == (1, "")
    assert unreadable.out == f"FALSE books: Round {round_} has inputs that cannot be read.\n"


def test_a_void_is_for_what_does_not_replay(
    capsys: pytest.CaptureFixture[str], database: tuple[Path, str]
) -> None:
    """G-13: refused in one line otherwise, and nothing is changed."""
    path, round_ = database
    words = ["--reason", "damaged", "--operator", "Ada", "--db", str(path)]
    refused = run(capsys, "void", round_, *words)
    assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert run(capsys, "void", "nowhere", *words).code == 2
    assert run(capsys, "void", round_, "--reason", "damaged", "--db", str(path)).code == 2
    _damage(path, "UPDATE step SET answer = replace(answer, '\"total\"', '\"sum\"')")
    done = run(capsys, "void", round_, *words)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"Round {round_} is void: ")
    assert run(capsys, "audit", "--db", str(path)).code == 0


def test_a_backup_is_made_once_and_audited(
    capsys: pytest.CaptureFixture[str], database: tuple[Path, str], tmp_path: Path
) -> None:
    path, _ = database
    copy = str(tmp_path / "copy.db")
    made = run(capsys, "backup", copy, "--db", str(path))
    assert (made.code, made.err) == (0, "")
    assert run(capsys, "audit", "--db", copy).out == made.out
    again = run(capsys, "backup", copy, "--db", str(path))
    assert (again.code, again.out) == (2, "")
    assert "exists" in again.err
    assert run(capsys, "backup", str(tmp_path / "no" / "copy.db"), "--db", str(path)).code == 2


ROUND_FILES = {
    "keyword": ("game ags\nwager 1 main=5.00\n", "line 2"),
    "card": ("game ags\nbet 1 main=5.00\ncards Th 7c Xx Ts\n", "line 3"),
    "amount": ("game ags\nbet 1 main=five\n", "line 2"),
    "game": ("game poker\n", "line 1"),
    "option": ("game ags decks=99\n", "line 1"),
    "level": ("game top3 level=huge\n", "line 1"),
    "move": ("game ags\nbet 1 main=5.00\ncards\ndo 1.0 jump\n", "line 4"),
    "impossible bet": ("game ags\nbet 1 main=0.10\ncards\n", "1.00 to 5000.00"),
    "empty": ("", "game line"),
}


@pytest.mark.parametrize("name", ROUND_FILES)
def test_a_malformed_round_is_one_line_with_its_number(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    text, part = ROUND_FILES[name]
    script = tmp_path / "bad.round"
    script.write_text(text)
    _one_line(run(capsys, "replay", str(script)), part)


BAD = {
    "unknown command": (["frob"], "frob"),
    "unknown game": (["rules", "poker"], "top3, threecard, super21, ags"),
    "unknown option": (["games", "--loud"], "--loud"),
    "missing game": (["rules"], "GAME"),
    "no decks": (["rules", "top3", "--decks", "0"], "1 to 8"),
    "decks twice": (["rules", "top3", "--decks", "6", "--set", "decks=8"], "more than once"),
    "a field twice": (
        ["rules", "top3", "--set", "natural=3:2", "--set", "natural=6:5"],
        "more than once",
    ),
    "unknown field": (["rules", "top3", "--set", "jokers=2"], "jokers"),
    "impossible value": (["rules", "top3", "--set", "double.cards=3"], "2 or any"),
    "field without value": (["rules", "top3", "--set", "decks"], "decks=8"),
    "automatic win twice": (
        ["rules", "top3", "--set", "auto_wins=6@1:1,6@2:1"],
        "each once",
    ),
    "impossible automatic win": (["rules", "top3", "--set", "auto_wins=6/3@1:1"], "3 to 11 cards"),
    "broken cents": (["rules", "top3", "--set", "natural=7:3"], "broken cent"),
    "unknown row": (["rules", "ags", "--pays", "pairs_pay.triple=3:1"], "suited and unsuited"),
    "no odds": (["rules", "ags", "--pays", "pairs_pay.suited=lots"], "9:1"),
    "meter without one": (["rules", "ags", "--pays", "pairs_pay.suited=meter"], "no meter"),
    "unknown bet": (["rules", "ags", "--pays", "top3.flush=3:1"], "no side bet"),
    "three cards' field": (["rules", "threecard", "--set", "surrender=any"], "qualifies_at"),
    "short seed": (["shoe", *SHOE[1:2], "00", *SHOE[3:]], "128 hex digits"),
    "client seed": ([*SHOE[:4], "a b", *SHOE[5:]], "A-Z"),
    "nonce": ([*SHOE[:6], "0", *SHOE[7:]], "nonce"),
    "decks of a shoe": ([*SHOE[:8], "9"], "8"),
    "too many cards": ([*SHOE, "--cards", "53"], "1 to 52"),
    "missing file": (["replay", "/nonexistent/x.round"], "No such file"),
    "folder": (["replay", "/"], "/"),
    "unwritable page": (["rules", "top3", "--html", "/nonexistent/x.html"], "No such file"),
    "two workers on SQLite": (["serve", "--workers", "2"], "PostgreSQL"),
    "a port that is none": (["serve", "--port", "99999"], "port"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_and_exit_2(capsys: pytest.CaptureFixture[str], name: str) -> None:
    words, part = BAD[name]
    _one_line(run(capsys, *words), part)


def _one_line(told: Told, part: str) -> None:
    assert told.code == 2
    assert told.out == ""
    assert told.err.startswith("upcard: ")
    assert told.err.count("\n") == 1
    assert part in told.err


def test_a_file_that_is_no_text_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    script = tmp_path / "x.round"
    script.write_bytes(b"\xff\xfe\x00game")
    _one_line(run(capsys, "replay", str(script)), "UTF-8")


def test_without_a_command_it_helps(capsys: pytest.CaptureFixture[str]) -> None:
    told = run(capsys)
    assert told.code == 0
    assert "replay" in told.out


def test_the_installed_command_and_the_module_are_the_same() -> None:
    for command in (
        [str(Path(sys.executable).with_name("upcard"))],
        [sys.executable, "-m", "upcard"],
    ):
        done = subprocess.run(
            [*command, *SHOE, "--cards", "20"], capture_output=True, text=True, check=True
        )
        assert done.stdout == FIRST_TWENTY + "\n"


def test_a_round_is_read_from_standard_input() -> None:
    command = [sys.executable, "-m", "upcard", "replay", "-"]
    done = subprocess.run(command, input=GOOD_ROUND, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_reader_that_goes_away_gets_no_traceback() -> None:
    line = f"{shlex.quote(sys.executable)} -m upcard {shlex.join(SHOE)} | head -c 1"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert done.stderr == ""
