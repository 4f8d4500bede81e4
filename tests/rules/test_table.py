"""Every line of docs/table.md is held by a browser test that names it, or waits in a list."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

from tests.rules.test_clauses import ROOT

DOCUMENT = ROOT / "docs" / "table.md"
TESTS = ROOT / "tests" / "browser"

WAITING: dict[str, str] = {}
"""Lines without a test, and why. Whoever writes such a test takes its lines off this list."""

ID = re.compile(r"(?<![A-Za-z0-9])((?:T3|3C|S21|AGS|X)-\d\d)(?!\d)")
ITEM = re.compile(r"- \*\*((?:T3|3C|S21|AGS|X)-\d\d)\*\* \S.*\.")


def lines() -> list[str]:
    """The ids of the document, in its order."""
    text = DOCUMENT.read_text(encoding="utf-8").splitlines()
    return [match[1] for line in text if (match := ITEM.fullmatch(line))]


@cache
def named() -> dict[str, set[str]]:
    """Line → the files that name it, in the words of a test or of the whole file."""
    found: dict[str, set[str]] = {}
    for path in sorted(TESTS.glob("test_*.py")):
        for line in ID.findall("\n".join(words(path.read_text(encoding="utf-8")))):
            found.setdefault(line, set()).add(path.name)
    return found


def words(source: str) -> Iterator[str]:
    """The docstrings of a module and of its tests."""
    module = ast.parse(source)
    yield ast.get_docstring(module) or ""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            yield ast.get_docstring(node) or ""


def test_the_document_holds_every_line_once() -> None:
    """The numbers as they were given: no gap, none twice."""
    assert [line for line, count in Counter(lines()).items() if count > 1] == []
    counts = {"T3": 98, "3C": 27, "S21": 28, "AGS": 31, "X": 20}
    expected = [f"{key}-{number:02}" for key in counts for number in range(1, counts[key] + 1)]
    assert lines() == expected


def test_every_item_is_laid_out_as_one() -> None:
    text = DOCUMENT.read_text(encoding="utf-8").splitlines()
    assert [it for it in text if it.startswith("- ") and not ITEM.fullmatch(it)] == []


def test_every_line_is_named_by_a_test_or_waits() -> None:
    assert {*lines()} - {*named()} - {*WAITING} == set()


def test_no_line_both_waits_and_is_named() -> None:
    """A line that a test names comes off the list; here are the files that name it."""
    assert {line: named()[line] for line in WAITING if line in named()} == {}


def test_tests_name_lines_of_the_document() -> None:
    assert {*named()} - {*lines()} == set()
    assert {*WAITING} - {*lines()} == set()
