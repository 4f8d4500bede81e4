"""The table on a pseudo-terminal: whole rounds as they are seen, and every way out of a prompt.

The shoes are stacked; every amount is worked out from the clauses that the test names.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pexpect
import pytest

from tests.terminal.stacked import LOW, Terminal, books_of, false_checks, stacking
from upcard.house.audit import audit
from upcard.house.journal import RoundInputs
from upcard.house.verify import verify
from upcard.terminal.look import Look

BETS, CHOICE, LEVEL, DECKS, SIDES, GAME = (
    "Bets: ", "Your choice: ", "Level: ", "Decks: ", "Side bets: ", "Game: ",
)  # fmt: skip


def at_top3(terminal: Terminal) -> None:
    terminal.see(LEVEL)
    terminal.type(LOW[0], DECKS)
    terminal.type(LOW[1], BETS)


# Whole rounds


def test_a_round_of_top3_from_the_lobby() -> None:
    """T-82, T-83, T-60, T-28: 21+3 Classic 1.00 lost; 11 doubled to 21 wins 40.00 for 20.00."""
    with Terminal(None, "5h 6s 6c Td Kc 9c") as terminal:
        assert "Upcard" in terminal.see(GAME)
        terminal.type("1", LEVEL)
        terminal.type("2", DECKS)
        shown = terminal.type("", BETS)
        assert "Low, six decks" in shown
        assert "Selected: spot 1 main." in shown
        assert "meter 10,000.00" in shown
        shown = terminal.type("1 main 10 classic 1", BETS)
        assert "on the felt 11.00, balance 99,989.00" in shown
        shown = terminal.type("deal", CHOICE)
        assert "Dealer 6s ?? 6" in shown
        assert "Spot 1 5h 6c 11 main 10.00 to act" in shown
        assert "21+3 Classic 1.00: lost" in shown
        assert "[h] hit [s] stand [d] double 10.00 [r] surrender" in shown
        shown = terminal.type("d", BETS)
        assert "Dealer 6s Td 9c 25, bust" in shown
        assert "Spot 1 5h 6c Kc 21 main 20.00: win, 40.00 back" in shown
        assert "Staked 21.00, returned 40.00: 19.00 up. Balance 100,019.00." in shown
        assert "upcard shoe --decks 6 --nonce 1 --client-seed" in shown
        terminal.child.sendline("quit")
        assert terminal.ended() == 0
        assert "You leave: your balance of 100,019.00 is kept." in terminal.shown


def test_a_split() -> None:
    """T-63, T-66, T-61: two hands, each with its bet; both win against a dealer who breaks."""
    with Terminal("top3", "8h 6s 8d Td 3c Th 9d Kc") as terminal:
        at_top3(terminal)
        terminal.type("10", BETS)
        assert "[p] split 10.00" in terminal.type("d", CHOICE)
        shown = terminal.type("p", CHOICE)
        assert "Spot 1's first hand, 11 against 6: [h] hit [s] stand [d] double 10.00" in shown
        assert "split 10.00" not in shown  # T-64
        shown = terminal.type("h", CHOICE)
        assert "Spot 1's first hand, 20 against 6: [h] hit [s] stand" in shown
        assert "double" not in shown  # T-61
        assert "Spot 1's second hand, 18" in terminal.type("s", CHOICE)
        shown = terminal.type("stand", BETS)
        assert shown.count("main 10.00: win, 20.00 back") == 2
        assert "Staked 20.00, returned 40.00: 20.00 up. Balance 100,020.00." in shown


def test_a_fold() -> None:
    """C-06, C-07, C-12: the ante is lost, Ace Plus with one ace pays 1:1."""
    with Terminal("threecard", "Ah 5c 2d 9h 4c 5d") as terminal:
        terminal.see(BETS)
        terminal.type("ante 10", BETS)
        shown = terminal.type("ace 5", BETS)
        assert "on the felt 15.00, balance 99,985.00" in shown
        shown = terminal.type("", CHOICE)
        assert "bet 15.00, won 0.00, balance 99,975.00" in shown  # the raise is set aside
        assert "Your hand, soft 18 against 9: [r] raise 10.00 [f] fold" in shown
        shown = terminal.type("f", BETS)
        assert "Dealer 9h 4c 5d 18" in shown
        assert "ante 10.00: lost Ace Plus Bonus 5.00: A-x-x, 10.00 back" in shown
        assert "Staked 15.00, returned 10.00: 5.00 down. Balance 99,995.00." in shown


def test_a_raise_against_a_dealer_who_does_not_qualify() -> None:
    """C-09: a player blackjack wins the ante 1:1, the raise pushes."""
    with Terminal("threecard", "Ah Kc 2d 9h 4c 2c") as terminal:
        terminal.see(BETS)
        terminal.type("10", BETS)
        assert "Your hand Ah Kc 2d blackjack" in terminal.type("d", CHOICE)
        shown = terminal.type("r", BETS)
        assert "15, which does not qualify." in shown
        assert "ante 10.00: blackjack, 20.00 back raise 10.00: push, 10.00 back" in shown
        assert "Staked 20.00, returned 30.00: 10.00 up. Balance 100,010.00." in shown


def test_a_rescue() -> None:
    """S-07: after the double the original bet can be had back; the doubled part is lost."""
    with Terminal("super21", "5h 9s 6d 9c 2s") as terminal:
        terminal.see(BETS)
        terminal.type("10", BETS)
        terminal.type("d", CHOICE)
        assert "Your hand, 13 against 9: [s] stand [r] rescue" in terminal.type("d", CHOICE)
        shown = terminal.type("r", BETS)
        assert "main 20.00: given up after doubling, 10.00 back" in shown
        assert "Staked 20.00, returned 10.00: 10.00 down. Balance 99,990.00." in shown


def test_insurance_on_two_spots() -> None:
    """T-68, T-69, T-05: each spot is asked, the rightmost first; 5.00 pays 15.00 back."""
    with Terminal("top3", "Ts 9c As 9d 8c Kd") as terminal:
        at_top3(terminal)
        terminal.type("1 main 10 2 main 20", BETS)
        shown = terminal.type("deal", CHOICE)
        assert "Spot 1, 19 against an ace: [i] insurance 5.00 [n] no insurance" in shown
        shown = terminal.type("i", CHOICE)
        assert "Spot 2, 17 against an ace: [i] insurance 10.00 [n] no insurance" in shown
        shown = terminal.type("no insurance", BETS)
        assert "The dealer looks at the hole card and has blackjack." in shown
        assert "main 10.00: lost insurance 5.00: win, 15.00 back" in shown
        assert "Staked 35.00, returned 15.00: 20.00 down. Balance 99,980.00." in shown


def test_even_money() -> None:
    """A-11: 1:1 at once, closed before the peek, whatever the dealer has."""
    with Terminal("ags", "Ks Ah Ad Kc") as terminal:
        terminal.see(SIDES)
        terminal.type("", BETS)
        terminal.type("10", BETS)
        shown = terminal.type("d", CHOICE)
        assert "Spot 1, blackjack against an ace: [e] even money [n] no even money" in shown
        shown = terminal.type("e", BETS)
        assert "main 10.00: win, 20.00 back" in shown
        assert "Staked 10.00, returned 20.00: 10.00 up. Balance 100,010.00." in shown


def test_a_side_bet_alone_at_ags() -> None:
    """A-15, A-18: three fives pay 200:1; the spot is not asked, the hole card is shown."""
    with Terminal("ags", "5s 5h 5d Kc") as terminal:
        terminal.see(SIDES)
        terminal.type("trifecta, in bet", BETS)
        terminal.type("2 trifecta 5", BETS)
        shown = terminal.type("deal", BETS)
        assert "Dealer 5h Kc 15" in shown
        assert "Spot 2 5s 5d 10 Trifecta 5.00: three fives, 1,005.00 back" in shown
        assert "Staked 5.00, returned 1,005.00: 1,000.00 up. Balance 101,000.00." in shown


def test_a_refused_bet_changes_nothing() -> None:
    """G-09, T-11."""
    with Terminal("top3") as terminal:
        at_top3(terminal)
        terminal.type("main 10", BETS)
        shown = terminal.type("main 5.25", BETS)
        assert "Main on spot 1 takes 5.00 to 50.00 in steps of 0.50, not 5.25." in shown
        assert "on the felt 10.00, balance 99,990.00" in terminal.type("table", BETS)


def test_choices_that_the_balance_does_not_cover() -> None:
    """G-07: shown closed with the reason, refused with it."""
    with Terminal("top3", "8h 6s 8d Td Kc", purse=1500) as terminal:
        at_top3(terminal)
        terminal.type("10", BETS)
        shown = terminal.type("d", CHOICE)
        assert "Spot 1, 16 against 6: [h] hit [s] stand [r] surrender" in shown
        assert "p split is closed: Split costs 10.00 and the balance is 5.00." in shown
        assert "Split costs 10.00 and the balance is 5.00. Type" in terminal.type("p", CHOICE)


# Ways out

PROMPTS: dict[str, tuple[str | None, str, Sequence[tuple[str, str]]]] = {
    "lobby": (None, "", [("", GAME)]),
    "level": ("top3", "", [("", LEVEL)]),
    "decks": ("top3", "", [("", LEVEL), ("low", DECKS)]),
    "side bets": ("ags", "", [("", SIDES)]),
    "bets": ("super21", "", [("", BETS), ("10", BETS)]),
    "choice": ("super21", "Ts 6s 9d Td", [("", BETS), ("10", BETS), ("d", CHOICE)]),
    "insurance": ("super21", "Ts As 9d Td", [("", BETS), ("10", BETS), ("d", CHOICE)]),
    "warning": (
        "super21",
        "Ts 6s 9d Td",
        [("", BETS), ("warn on", BETS), ("10", BETS), ("d", CHOICE), ("h", "Yes or no: ")],
    ),
    "page": ("super21", "", [("", BETS), ("rules", "letter stops: ")]),
}
OPEN = {"choice", "insurance", "warning"}


@pytest.mark.parametrize(("word", "code"), [("Stopped", 130), ("The input ends", 0)])
@pytest.mark.parametrize("prompt", PROMPTS)
def test_every_prompt_can_be_left(prompt: str, word: str, code: int) -> None:
    """Exit codes of the command line: Ctrl-C is one line and 130, the end of input one and 0."""
    game, shoe, steps = PROMPTS[prompt]
    with Terminal(game, *([shoe] if shoe else []), height=24) as terminal:
        for line, then in steps:
            if line:
                terminal.child.sendline(line)
            terminal.see(then)
        if word == "Stopped":
            assert terminal.interrupted() == code
        else:
            terminal.child.sendeof()
            assert terminal.ended() == code
        lines = [line.rstrip() for line in terminal.screen.display if line.strip()]
        last = " ".join(lines[-3:]).partition(word)
        waits = (
            f"{word}: a round waits for you at Super 21, and your balance of 99,990.00 is kept. A "
            "round that nobody plays on is finished after 30 days: without insurance, hands stand, "
            "three cards fold."
        )
        over = f"{word}: your balance of 100,000.00 is kept."
        assert last[1] + last[2] == (waits if prompt in OPEN else over)
        assert "Traceback" not in terminal.log


# Rounds that wait


@pytest.mark.parametrize("end", ["Ctrl-C", "end of input", "kill -9"])
def test_a_round_goes_on_after_any_end(end: str, tmp_path: Path) -> None:
    """G-12: the same decision with the same cards, and the same money; nobody is asked again for
    level and decks. Then T-63, T-66: two hands of 10.00 win against a dealer who breaks."""
    shoe, db = "8h 6s 8d Td 3c Th 9d Kc", tmp_path / "upcard.db"
    with Terminal("top3", shoe, db=db) as terminal:
        at_top3(terminal)
        terminal.type("10", BETS)
        terminal.type("d", CHOICE)
        before = terminal.type("p", CHOICE)
        if end == "Ctrl-C":
            assert terminal.interrupted() == 130
        elif end == "end of input":
            terminal.child.sendeof()
            assert terminal.ended() == 0
        else:
            terminal.child.kill(signal.SIGKILL)
            terminal.child.expect(pexpect.EOF)
    with Terminal("top3", shoe, db=db) as terminal:
        after = terminal.see(CHOICE)
        assert "This round is open: it goes on where it was left." in after
        table, _, _ = before.partition("meter 10,000.00")
        assert "Spot 1's 8h 3c 11 main 10.00 to act first hand" in table
        assert "balance 99,980.00" in table
        assert after.startswith(table)
        terminal.type("h", CHOICE)
        terminal.type("s", CHOICE)
        shown = terminal.type("s", BETS)
        assert "Staked 20.00, returned 40.00: 20.00 up. Balance 100,020.00." in shown
        terminal.child.sendline("quit")
        assert terminal.ended() == 0


def test_a_killed_table_resumes_the_cards_of_its_shuffle(tmp_path: Path) -> None:
    """G-12, C-06: with nothing arranged. Afterwards the proof verifies and the books hold."""
    db, proof = tmp_path / "upcard.db", tmp_path / "proof.json"
    with Terminal("threecard", db=db) as terminal:
        terminal.see(BETS)
        terminal.type("10", BETS)
        dealt = terminal.type("d", CHOICE)
        terminal.child.kill(signal.SIGKILL)
        terminal.child.expect(pexpect.EOF)
    with Terminal("threecard", db=db) as terminal:
        waits = terminal.see(CHOICE)
        waits = waits.replace("This round is open: it goes on where it was left. ", "")
        assert waits == dealt
        terminal.type("f", BETS)
        terminal.type(f"proof {proof}", BETS)
        terminal.child.sendline("quit")
        assert terminal.ended() == 0
        assert "your balance of 99,990.00 is kept" in terminal.shown
    checks = verify(json.loads(proof.read_text()))
    assert [check.name for check in checks if not check.ok] == []
    assert false_checks(db) == []


def test_the_purse_is_kept_between_sittings(tmp_path: Path) -> None:
    """S-16: 10.00 won in the first is there in the second, and in the lobby."""
    db = tmp_path / "upcard.db"
    with Terminal("super21", "Ts 6s 9d Td 8c", db=db) as terminal:
        terminal.see(BETS)
        for line, then in (("10", BETS), ("d", CHOICE), ("s", BETS)):
            terminal.type(line, then)
        terminal.child.sendline("quit")
        assert terminal.ended() == 0
    with Terminal(None, db=db) as terminal:
        assert "balance 100,010.00" in terminal.see(GAME)


def test_a_progressive_win_is_in_the_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-85: 0.85 of 5.00 enter the meter, three suited kings take all of it, it is seeded anew."""
    db, shoe = tmp_path / "upcard.db", "Kh Kh Kh 9c"
    with Terminal("top3", shoe, db=db) as terminal:
        at_top3(terminal)
        terminal.type("main 5 prog 5", BETS)
        shown = terminal.type("d", CHOICE)
        assert "The meter stands at 10,000.85. Spot 1 takes all of it." in shown
        assert "meter 10,000.00" in shown
        terminal.child.sendline("quit")
        assert terminal.ended() == 0
    monkeypatch.setattr(RoundInputs, "shoe", stacking([shoe]))
    books = books_of(db)
    moved = [
        (one.code, one.cents)
        for one in books.transfers
        if "pool/" in one.debit or "pool/" in one.credit
    ]
    assert moved == [
        ("seed", 1_000_000), ("contribution", 85), ("award", 1_000_085), ("seed", 1_000_000),
    ]  # fmt: skip
    assert [check.sentence for check in audit(books) if not check.ok] == []


def test_two_tables_open_on_one_new_database(tmp_path: Path) -> None:
    """Both play as the same guest, who got the play money once."""
    db = tmp_path / "upcard.db"
    with Terminal("super21", db=db) as one, Terminal("super21", db=db) as two:
        for terminal in (one, two):
            assert "balance 100,000.00" in terminal.see(BETS)
            terminal.child.sendline("quit")
            assert terminal.ended() == 0
    assert false_checks(db) == []


# Other terminals


def typed_through(terminal: Terminal, *, pages: bool = True) -> None:
    """A round with a refusal, a warning, help and rules, to the end."""
    terminal.see(BETS)
    for line, then in (
        ("50", BETS), ("warn on", BETS), ("nonsense", BETS), ("d", CHOICE), ("h", "Yes or no: "),
        ("n", CHOICE), ("s", BETS), ("help", BETS),
    ):  # fmt: skip
        terminal.type(line, then)
    if pages:
        terminal.type("rules", "letter stops: ")
        terminal.type("x", BETS)
    else:
        terminal.type("rules", BETS)
    terminal.type("lobby", GAME)
    terminal.child.sendline("quit")
    assert terminal.ended() == 0


SOFT_ROUND = "Ts 6s 9d Td 8c"


def test_without_colour_there_is_no_escape_code() -> None:
    """NO_COLOR; the hand to act is marked in words."""
    with Terminal("super21", SOFT_ROUND, environ={"NO_COLOR": "1"}) as terminal:
        typed_through(terminal)
        assert "\x1b" not in terminal.log
        assert "to act" in terminal.log
        assert "╭" in terminal.log


def test_with_colour_there_are_escape_codes() -> None:
    """So the test above can fail."""
    with Terminal("super21", SOFT_ROUND) as terminal:
        typed_through(terminal)
        assert "\x1b[" in terminal.log


@pytest.mark.parametrize("environ", [{"TERM": "dumb"}, {"TERM": "unknown"}])
def test_a_dumb_terminal_gets_sentences(environ: dict[str, str]) -> None:
    with Terminal("super21", SOFT_ROUND, environ=environ) as terminal:
        typed_through(terminal, pages=False)
        assert "\x1b" not in terminal.log
        assert "You have the ten of spades and the nine of diamonds: 19." in terminal.log
        assert terminal.log.isascii()


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"LANG": "C"}, {"LANG": ""}])
def test_an_ascii_terminal_gets_ascii(locale: dict[str, str]) -> None:
    """Boxes and all."""
    with Terminal("super21", SOFT_ROUND, environ=locale) as terminal:
        typed_through(terminal)
        assert terminal.log.isascii()
        assert "+-" in terminal.log


@pytest.mark.parametrize("environ", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_wider_than_the_window(width: int, environ: dict[str, str]) -> None:
    with Terminal("super21", SOFT_ROUND, environ=environ, width=width) as terminal:
        typed_through(terminal, pages="TERM" not in environ)
        assert max(len(line) for line in terminal.log.splitlines()) <= width


def test_plain_on_a_terminal() -> None:
    """`--plain`: sentences, no boxes, no cursor that moves."""
    with Terminal("super21", SOFT_ROUND, plain=True) as terminal:
        typed_through(terminal, pages=False)
        assert "\x1b" not in terminal.log
        assert terminal.log.isascii()


RUN = "run('super21')"
Pipe = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def piped(tmp_path: Path) -> Pipe:
    """Runs a table in a folder of its own, without a terminal."""

    def pipe(typed: str | bytes, code: str = RUN) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-c", f"from upcard.terminal import run; raise SystemExit({code})"],
            input=typed.encode() if isinstance(typed, str) else typed,
            capture_output=True,
            check=False,
            cwd=tmp_path,
            env={**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8:strict"},
            timeout=60,
        )

    return pipe


def test_without_a_terminal_lines_are_plain_and_repeat_what_was_read(piped: Pipe) -> None:
    done = piped("10\nhelp\nfoo\n")
    out = done.stdout.decode("ascii")
    assert done.returncode == 0
    assert "\x1b" not in out
    assert "Bets: 10\n" in out
    assert "Your hand: main 10.00." in out
    assert out.endswith("The input ends: your balance of 100,000.00 is kept.\n")
    assert done.stderr == b""


@pytest.mark.parametrize("typed", [b"", b"\xff\xfe\x00\n\n", b"\x1b[2J\n", b"a" * 5000 + b"\n"])
def test_no_input_breaks_it(piped: Pipe, typed: bytes) -> None:
    """No traceback, and nothing typed reaches the screen as a control code."""
    done = piped(typed)
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"\x1b" not in done.stdout


def test_an_unknown_game_is_one_line(piped: Pipe, tmp_path: Path) -> None:
    """The exit codes of the command line: 2 is bad input. No database is made for it."""
    done = piped("", "run('poker')")
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr == (
        b"upcard: There is no game 'poker'; the games are top3, threecard, super21 and ags.\n"
    )
    assert [*tmp_path.iterdir()] == []


def test_a_database_that_cannot_be_used_is_one_line(piped: Pipe, tmp_path: Path) -> None:
    """The exit codes of the command line: 2 is bad environment."""
    (tmp_path / "letter.db").write_text("Dear reader, this is no database at all. " * 40)
    for name in ("letter.db", "nowhere/upcard.db"):
        done = piped("", f"run('super21', db={name!r})")
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.startswith(b"upcard: ")
        assert done.stderr.count(b"\n") == 1


def test_a_reader_that_goes_away_is_no_traceback(tmp_path: Path) -> None:
    code = "import os; from upcard.terminal import run; raise SystemExit(run('super21'))"
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-c", code], input=b"10\n", stdout=write, stderr=subprocess.PIPE,
        check=False, cwd=tmp_path, timeout=60,
    )  # fmt: skip
    os.close(write)
    assert done.stderr == b""
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("environ", "plain", "colour", "unicode"),
    [
        ({"TERM": "xterm", "LANG": "en_GB.UTF-8"}, False, True, True),
        ({"TERM": "xterm", "LANG": "C.UTF-8", "LC_CTYPE": "C.UTF-8"}, False, True, True),
        ({"TERM": "xterm", "LC_CTYPE": "UTF-8"}, False, True, True),
        ({"TERM": "xterm", "LANG": "C", "LC_CTYPE": "C.UTF-8"}, False, True, False),
        ({"TERM": "xterm", "LANG": "en_GB.UTF-8", "LC_ALL": "POSIX"}, False, True, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False, False, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, False, True, False),
        ({"TERM": "dumb", "LANG": "en_GB.UTF-8"}, True, False, False),
        ({}, True, False, False),
    ],
)
def test_how_to_draw(environ: dict[str, str], plain: bool, colour: bool, unicode: bool) -> None:
    """C.UTF-8 as LC_CTYPE beside LANG=C is Python's own doing (PEP 538), not the user's."""
    look = Look.of(environ, is_terminal=True)
    is_unicode = look.boxes is not None and not look.boxes.top_left.isascii()
    assert (look.plain, look.colour, is_unicode) == (plain, colour, unicode)
    assert Look.of(environ, is_terminal=False).plain
    assert Look.of(environ, is_terminal=True, plain=True).plain
