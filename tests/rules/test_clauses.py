"""Every clause is claimed by a test or waits in a list; docs/clauses.md is the whole of them.

A clause is claimed where its id stands in the first comment of a `.round` script, or in the name,
the docstring or a decorator of a test, anywhere under tests/. A test of the rules page shows that a
clause is said and not that it is kept, so it claims those alone that are about the page; and what
the browser's table owes is claimed by no test that has no browser, though it may keep a part of it.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from upcard.games import CATALOGUE

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "clauses.md"
ROUNDS = Path(__file__).parent / "rounds"
SCRIPTS = tuple(sorted(ROUNDS.rglob("*.round")))

BROWSER = "table in the browser"

CLAIMED_LATER: dict[str, str] = {}
"""Clauses without a test as yet, and the part of Upcard whose tests will claim them. Whoever
writes such a test takes its clauses off this list."""

SHOWN_BY_SCRIPTS = """
G-02 G-03 G-04 G-05 G-06 G-07 G-15
T-02 T-03 T-04 T-05 T-06 T-10 T-11 T-12 T-13 T-14 T-28 T-50
T-60 T-61 T-62 T-63 T-64 T-65 T-66 T-67 T-68 T-69 T-70 T-80 T-81 T-82 T-83 T-84 T-85 T-86
C-02 C-03 C-04 C-05 C-06 C-07 C-08 C-09 C-10 C-11 C-12
S-01 S-02 S-03 S-04 S-05 S-06 S-07 S-08 S-09 S-10 S-11 S-12 S-13 S-14 S-15 S-16
A-02 A-03 A-05 A-06 A-07 A-08 A-09 A-10 A-11 A-12 A-13 A-15 A-17 A-18 A-19 A-20 A-21 A-22
"""
"""The clauses about cards, bets, choices and payments: a `.round` script can show each."""

TESTS_OF_THE_RULES_PAGE = "tests/rules/test_describe"
TESTS_WITHOUT_A_BROWSER = (
    "tests/fair/",
    "tests/faults/",
    "tests/house/",
    "tests/maths/",
    "tests/rules/",
    "tests/server/",
    "tests/terminal/",
)
"""So the paths of their files begin."""

ABOUT_THE_RULES_PAGE = {"G-14", "T-87", "T-88"}

# Reading ids

ID = re.compile(r"(?<![A-Za-z0-9])([GTCSA]-\d\d)(?!\d)")
ID_IN_A_NAME = re.compile(r"(?<![A-Za-z0-9])([GTCSA])_(\d\d)(?!\d)")
ITEM = re.compile(r"- \*\*([GTCSA]-\d\d)\*\* (\S.*)")


@cache
def clauses() -> tuple[tuple[str, str], ...]:
    """The items of the document: id and demand."""
    lines = DOCUMENT.read_text(encoding="utf-8").splitlines()
    return tuple((match[1], match[2]) for line in lines if (match := ITEM.fullmatch(line)))


def known() -> set[str]:
    return {clause for clause, _ in clauses()}


def claims_of_script(text: str) -> set[str]:
    """The ids in the first line of a script, if it is a comment."""
    first, *_ = text.splitlines()
    return {*ID.findall(first)} if first.startswith("#") else set()


def claims_of_tests(source: str) -> set[str]:
    """The ids in names, docstrings and decorators of the tests of a Python file."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and (
            node.name.lower().startswith("test")
        ):
            found |= {f"{letter}-{number}" for letter, number in ID_IN_A_NAME.findall(node.name)}
            found |= {*ID.findall(ast.get_docstring(node) or "")}
            found |= {*ID.findall(" ".join(_strings(node.decorator_list)))}
    return found


def _strings(nodes: list[ast.expr]) -> Iterator[str]:
    for node in nodes:
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.value


@cache
def claimed() -> dict[str, set[str]]:
    """Clause → the files that claim it."""
    found: dict[str, set[str]] = {}
    for path in sorted((ROOT / "tests").rglob("*")):
        name = path.relative_to(ROOT).as_posix()
        claims: set[str] = set()
        if path.suffix == ".round":
            claims = claims_of_script(path.read_text(encoding="utf-8"))
        elif path.suffix == ".py" and path.name.startswith("test_"):
            claims = claims_of_tests(path.read_text(encoding="utf-8"))
        for clause in claims:
            if counts(name, clause, CLAIMED_LATER):
                found.setdefault(clause, set()).add(name)
    return found


def counts(file: str, clause: str, waiting: Mapping[str, str]) -> bool:
    """Whether tests of this file can claim this clause at all."""
    if file.startswith(TESTS_OF_THE_RULES_PAGE):
        return clause in ABOUT_THE_RULES_PAGE
    return not (file.startswith(TESTS_WITHOUT_A_BROWSER) and waiting.get(clause) == BROWSER)


# The document


def test_the_document_holds_every_clause_once() -> None:
    """The numbers of the clauses as they were given; no letter has gaps but those of T."""
    counts = Counter(clause for clause, _ in clauses())
    assert [clause for clause, count in counts.items() if count > 1] == []
    numbers = {
        "G": [*range(1, 16)],
        "T": [
            *range(1, 7),
            *range(10, 15),
            *range(20, 29),
            *range(30, 39),
            *range(50, 57),
            *range(60, 71),
            *range(80, 89),
        ],
        "C": [*range(1, 17)],
        "S": [*range(1, 18)],
        "A": [*range(1, 25)],
    }
    expected = [f"{letter}-{number:02}" for letter in numbers for number in numbers[letter]]
    assert [clause for clause, _ in clauses()] == expected


def test_every_id_named_in_the_document_is_a_clause_of_it() -> None:
    assert {*ID.findall(DOCUMENT.read_text(encoding="utf-8"))} - known() == set()


def test_no_item_is_laid_out_otherwise() -> None:
    """A line that begins like an item is one, and no demand runs on to a second line."""
    lines = DOCUMENT.read_text(encoding="utf-8").splitlines()
    assert [
        line for line in lines if re.match(r"\W*[GTCSA]-\d", line) and not ITEM.match(line)
    ] == []
    assert [line for line in lines if line.startswith(" ")] == []


def test_every_reading_is_told_by_its_game() -> None:
    """What the sheets leave open stands in the records of the games, for their rules pages."""
    marked = {clause for clause, demand in clauses() if re.search(r"\*\*reading", demand, re.I)}
    told = {reading.clause for game in CATALOGUE for reading in game.readings}
    assert marked - told == set()
    assert told - known() == set()


# The account


def test_every_clause_is_claimed_or_listed() -> None:
    assert known() - {*claimed()} - {*CLAIMED_LATER} == set()


def test_no_clause_is_both_claimed_and_listed() -> None:
    """A claimed clause comes off the list; here are the files that claim it."""
    assert {clause: claimed()[clause] for clause in CLAIMED_LATER if clause in claimed()} == {}


def test_the_list_names_clauses_of_the_document() -> None:
    assert {*CLAIMED_LATER} - known() == set()
    assert {*SHOWN_BY_SCRIPTS.split()} - known() == set()


TEXTS = (".py", ".round", ".md", ".sql", ".html", ".css", ".ts", ".svelte", ".toml", ".json")


def unknown_ids(text: str) -> set[str]:
    return {*ID.findall(text)} - known()


@pytest.mark.parametrize("folder", ["src", "tests", "docs"])
def test_no_clause_is_named_that_does_not_exist(folder: str) -> None:
    unknown = {
        path.relative_to(ROOT).as_posix(): ids
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in TEXTS and (ids := unknown_ids(path.read_text(encoding="utf-8")))
    }
    assert unknown == {}


@pytest.mark.parametrize("clause", SHOWN_BY_SCRIPTS.split())
def test_a_clause_about_play_is_shown_by_a_script(clause: str) -> None:
    assert any(file.endswith(".round") for file in claimed().get(clause, ()))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_says_what_it_shows(path: Path) -> None:
    """Its first line begins with ids and goes on with a sentence; its name bears some of them."""
    first = path.read_text(encoding="utf-8").splitlines()[0]
    head = re.fullmatch(r"# ((?:[GTCSA]-\d\d )*[GTCSA]-\d\d): \S.{10,}", first)
    assert head is not None
    name = re.fullmatch(r"((?:[GTCSA]-\d\d_)+)[a-z0-9_]+", path.stem)
    assert name is not None
    listed = head[1].split()
    assert {*name[1].split("_")} - {""} <= {*listed}
    assert len(set(listed)) == len(listed)
    assert len(first) <= 110


# The account of the account


def test_claims_are_read_where_they_stand() -> None:
    """From names, docstrings and decorators of tests and from first comments, nowhere else."""
    source = '''
"""A module's own words claim nothing: T-01."""

CASES = ["T-02"]

def helper():
    """T-03"""

def test_T_04_by_name(): ...

@pytest.mark.parametrize("case", ["T-05 ten up", other("T-06")])
async def test_by_decorator(case):
    """T-10: by docstring, and (S-16) too; SHA-25 and T-101 are none."""
    "T-11"  # T-12

class TestByClass:
    """T-13"""
'''
    assert claims_of_tests(source) == {"T-04", "T-05", "T-06", "T-10", "S-16", "T-13"}
    assert claims_of_script("# T-63 T-66: split\n# T-64\n") == {"T-63", "T-66"}
    assert claims_of_script("game top3 # T-63\n") == set()


def test_some_tests_cannot_claim_some_clauses() -> None:
    """Saying is not doing, and the terminal is no browser."""
    waiting = {"T-37": BROWSER, "G-13": "house"}
    assert counts("tests/rules/test_describe_tables.py", "G-14", waiting)
    assert not counts("tests/rules/test_describe.py", "S-11", waiting)
    assert counts("tests/terminal/test_layout.py", "T-80", waiting)
    assert counts("tests/terminal/test_layout.py", "G-13", waiting)
    assert not counts("tests/terminal/test_layout.py", "T-37", waiting)
    assert counts("tests/terminal/test_layout.py", "T-37", {})
    assert counts("tests/browser/test_chips.py", "T-37", waiting)


def test_an_unknown_id_is_seen() -> None:
    missing = f"T-{99}"
    assert unknown_ids(f"see {missing}, T-63_{missing}.round and T-63") == {missing}
    assert unknown_ids(f"x{missing} and {missing}9") == set()
