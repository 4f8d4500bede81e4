"""What the code of the rules must and must not contain, read from its syntax trees.

Money is never a float, nothing below the catalogue reaches outside, no program compares a game's
key, the numbers of the rules stand in the rules alone, and a function fits a screen.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import upcard
from upcard.games import ANALYSED

ROOT = Path(upcard.__file__).parent
ALL = tuple(sorted(str(path.relative_to(ROOT)) for path in ROOT.rglob("*.py")))
RULES = tuple(
    name
    for name in ALL
    if name.split("/")[0] in ("games", "twentyone", "threecard")
    or name
    in (
        "cards.py",
        "events.py",
        "fields.py",
        "game.py",
        "money.py",
        "paytable.py",
        "refused.py",
        "sidebets.py",
        "table.py",
    )
)
"""Modules at and below `games`."""

each_rules_module = pytest.mark.parametrize("name", RULES)
each_module = pytest.mark.parametrize("name", ALL)


@cache
def tree(name: str) -> ast.Module:
    return ast.parse((ROOT / name).read_text())


def places(nodes: Iterator[ast.AST], name: str) -> list[str]:
    """Where these nodes stand, for a message that can be clicked."""
    return [f"{name}:{getattr(node, 'lineno', 0)}: {ast.unparse(node)[:60]}" for node in nodes]


def test_the_modules_of_the_rules_are_all_looked_at() -> None:
    assert len(RULES) > 20
    assert {"money.py", "games/top3.py", "twentyone/round.py", "threecard/hand.py"} <= {*RULES}


# Money


def inexact(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=float() | complex()):
            return True
        case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
            return True
        case ast.Name(id="float" | "round" | "complex"):
            return True
        case _:
            return False


@each_rules_module
def test_money_is_never_a_float(name: str) -> None:
    """No float literal, no true division, no float() and no round(): cents are whole (G-09)."""
    assert places((node for node in ast.walk(tree(name)) if inexact(node)), name) == []


def test_the_check_for_floats_finds_them() -> None:
    source = "a = 0.5; b = 1 / 2; c = float('1'); d = round(3); e /= 2; f = 7 // 2; g = 1j"
    assert sum(inexact(node) for node in ast.walk(ast.parse(source))) == 6


# What the rules reach for


def imported(name: str) -> set[str]:
    """Top-level names of all imports, those inside functions too."""
    found = set()
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: imports are absolute"
            found.add((node.module or "").split(".")[0])
    return found


EFFECTS = {"random", "secrets", "uuid", "time", "datetime", "os", "sys", "io", "pathlib"}
EFFECTS |= {"tempfile", "socket", "sqlite3", "asyncio", "threading", "subprocess", "logging"}


@each_rules_module
def test_the_rules_draw_nothing_and_know_no_clock(name: str) -> None:
    """Standard library alone, and of it nothing with an effect."""
    assert imported(name) & EFFECTS == set()
    assert imported(name) <= {*sys.stdlib_module_names, "upcard"}


@each_rules_module
def test_the_rules_print_and_read_nothing(name: str) -> None:
    called = {
        node.func.id
        for node in ast.walk(tree(name))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert called & {"print", "input", "open", "eval", "exec", "__import__", "globals"} == set()


# Keys and numbers


def constants(name: str) -> Iterator[ast.Constant]:
    """Constants that are no docstrings."""
    texts = {
        id(node.value)
        for node in ast.walk(tree(name))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Constant) and id(node) not in texts:
            yield node


KEYS = {game.key for game in ANALYSED} - {"blackjack"}
"""`blackjack` is a word of the trade too."""
SHOWS_EXAMPLES = "server/openapi.py"
"""The description of the interface shows a bet of each game; it may not ask for a game either."""


@pytest.mark.parametrize("name", [name for name in ALL if not name.startswith("games/")])
def test_no_program_names_a_game(name: str) -> None:
    """A fifth game is one file."""
    if name != SHOWS_EXAMPLES:
        assert places((node for node in constants(name) if node.value in KEYS), name) == []
    asking = (
        node for node in ast.walk(tree(name)) if isinstance(node, ast.Compare | ast.match_case)
    )
    keys = (it for node in asking for it in ast.walk(node) if isinstance(it, ast.Constant))
    assert places((node for node in keys if node.value in KEYS), name) == []


NUMBERS_MAY_STAND_IN = re.compile(r"games/|(twentyone|threecard)/(rules|hand)\.py")


def is_a_number_of_the_rules(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=int(number)):
            return number in (17, 21)
        case ast.Call(func=ast.Name(id="Odds"), args=[ast.Constant(value=1)]):
            return False
        case ast.Call(func=ast.Name(id="Odds"), args=[ast.Constant(), *_]):
            return True
        case _:
            return False


@pytest.mark.parametrize("name", [name for name in RULES if not NUMBERS_MAY_STAND_IN.match(name)])
def test_the_numbers_of_the_rules_stand_in_the_rules(name: str) -> None:
    """21, 17 and odds like 3:2 are typed in rules, hand and games."""
    found = (node for node in ast.walk(tree(name)) if is_a_number_of_the_rules(node))
    assert places(found, name) == []


def test_the_check_for_numbers_finds_them() -> None:
    source = "a = 21; b = x < 17; c = Odds(3, 2); d = Odds(1); e = Odds(int(x), 2); f = 2"
    assert sum(is_a_number_of_the_rules(node) for node in ast.walk(ast.parse(source))) == 3


# Shape and words


def functions(name: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of the body without its docstring."""
    first, *_ = function.body
    is_docstring = ast.get_docstring(function) is not None
    start = (first.end_lineno or 0) + 1 if is_docstring else first.lineno
    return (function.end_lineno or 0) - start + 1


@each_module
def test_a_function_fits_a_screen(name: str) -> None:
    long = [f"{name}:{it.lineno}: {it.name}" for it in functions(name) if body_lines(it) > 40]
    assert long == []


@each_module
def test_modules_say_what_they_are(name: str) -> None:
    assert not tree(name).body or ast.get_docstring(tree(name))


@each_module
def test_classes_say_what_they_are(name: str) -> None:
    """A record of fields under a good name may leave it at that; a class that does more may not."""
    lacking = [
        f"{name}:{node.lineno}: {node.name}"
        for node in ast.walk(tree(name))
        if isinstance(node, ast.ClassDef)
        and not node.name.startswith("_")
        and any(isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) for part in node.body)
        and not ast.get_docstring(node)
    ]
    assert lacking == []


@each_rules_module
def test_a_longer_public_function_says_what_it_does(name: str) -> None:
    """Four lines or fewer under a good name need no words."""
    lacking = [
        f"{name}:{it.lineno}: {it.name}"
        for it in tree(name).body
        if isinstance(it, ast.FunctionDef)
        and not it.name.startswith("_")
        and body_lines(it) > 4
        and not ast.get_docstring(it)
    ]
    assert lacking == []


@each_rules_module
def test_states_and_records_are_frozen(name: str) -> None:
    """Every dataclass is a value: frozen, with slots."""
    loose = []
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.ClassDef):
            for decorator in node.decorator_list:
                text = ast.unparse(decorator)
                if text.startswith("dataclass") and not (
                    "frozen=True" in text and "slots=True" in text
                ):
                    loose.append(f"{name}: {node.name}")
    assert loose == []
