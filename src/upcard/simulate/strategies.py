"""How the simulated player plays: the best play by total, by composition, or out of a file.

A file is what `upcard strategy GAME --json` prints. It must say something about every hand that the
game can ask about, and nothing that its rules never allow; its `exceptions`, if it has any, are
played too. `insurance` and `even_money` (true or false, else false) say whether they are taken.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from upcard import fields, reports
from upcard.maths import (
    compositions,
    queries,
    shoe,
    strategy,
    threecard,
    threecard_play,
    twentyone_play,
)
from upcard.maths.analysis import Plan
from upcard.maths.best import solve
from upcard.maths.strategy import CODES, GROUPS, LETTERS, PAIR_CODE, Chart
from upcard.maths.tables import (
    DOUBLE,
    FIRST,
    PAIR_SPLIT,
    SURRENDER,
    VALUES,
    exists,
    tables,
)
from upcard.maths.threecard import Values
from upcard.refused import Refused, listed
from upcard.simulate.drawing import Insurance, always_insured, never_insured
from upcard.simulate.threecards import Raises
from upcard.threecard import hand as three_rules
from upcard.threecard.rules import Rules as ThreeCardRules
from upcard.twentyone.hand import ACE_EXTRA
from upcard.twentyone.rules import BEST_TOTAL
from upcard.twentyone.rules import Rules as DrawingRules

TOTAL, COMPOSITION = "total", "composition"
Document = Mapping[str, Any]
UPS: Final = "A23456789T"


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A play of a drawing game."""

    plan: Plan
    insurance: Insurance


def read(path: Path) -> Document:
    """A strategy from a file. Raises Refused (`field`) and OSError."""
    try:
        document = json.loads(path.read_text("utf-8"))
    except ValueError:
        raise Refused("field", f"{path}: this is no JSON; a strategy is one JSON object.") from None
    if not isinstance(document, dict):
        raise Refused("field", f"{path}: this is no strategy; it is one JSON object.")
    return document


# Drawing games


def drawn(rules: DrawingRules, chosen: str | Document) -> Drawn:
    """The play of a drawing game. Raises Refused (`field`)."""
    if chosen == COMPOSITION:
        return Drawn(solve(rules).plan, never_insured())
    if isinstance(chosen, str):
        return Drawn(best_chart(rules).plan(rules), never_insured())
    _check_shape(chosen)
    _check_cells(rules, chosen)
    plan = strategy.parse_chart(chosen).plan(rules)
    for number, exception in enumerate(chosen.get("exceptions", ())):
        _except(rules, plan, exception, f"exceptions[{number}]")
    return Drawn(plan, _insurance(chosen))


def best_chart(rules: DrawingRules) -> Chart:
    """The best chart: a stored one, or else it is worked out, which takes half a second."""
    asked = fields.texts(rules)
    for stored in reports.charts():
        if stored["rules"] == asked:
            return strategy.parse_chart(stored["chart"])
    return twentyone_play.best_chart(rules)


def _insurance(document: Document) -> Insurance:
    for name in ("insurance", "even_money"):
        if not isinstance(document.get(name, False), bool):
            raise _wrong(name, f"{document[name]!r}", "true or false")
    if document.get("insurance", False):
        return always_insured()
    return always_insured(even_money_alone=True) if document.get("even_money") else never_insured()


def _check_shape(document: Document) -> None:
    """Every part is a table of tables of codes."""
    for path, part in _parts(document):
        for name in ("hard", "soft", "pairs"):
            rows = part.get(name, {})
            where = f"{path}{name}"
            if not isinstance(rows, Mapping):
                raise _wrong(where, "something else", "rows by total or rank")
            for row, cells in rows.items():
                if not isinstance(cells, Mapping):
                    raise _wrong(f"{where}.{row}", f"{cells!r}", "codes by up card")
                for up, code in cells.items():
                    if not isinstance(code, str):
                        raise _wrong(f"{where}.{row}.{up}", f"{code!r}", "a code")


def _parts(document: Document) -> Iterator[tuple[str, Document]]:
    yield "", document
    for name in ("by_cards", "rescue"):
        parts = document.get(name, {})
        if isinstance(parts, list):
            parts = {str(number): part for number, part in enumerate(parts)}
        if not isinstance(parts, Mapping):
            raise _wrong(name, "something else", "parts by number of cards")
        for key, part in parts.items():
            if name == "by_cards" and key not in GROUPS:
                raise _wrong(f"{name}.{key}", "no number of cards", listed(GROUPS))
            if not isinstance(part, Mapping):
                raise _wrong(f"{name}.{key}", "something else", "a part with hard and soft")
            yield f"{name}.{key}.", part


def _check_cells(rules: DrawingRules, document: Document) -> None:
    """No hole, and nothing that is never allowed."""
    parts = document.get("by_cards") or {"": document}
    names = ("",) if "" in parts else GROUPS
    for group, key in enumerate(names):
        path = f"by_cards.{key}." if key else ""
        if key not in parts:
            raise _wrong(path[:-1], "missing", "a part for each number of cards")
        part = parts[key]
        for name, total in _totals(group, len(names)):
            allowed = _allowed(rules, name, total, group, len(names))
            row = part.get(name, {}).get(str(total), {})
            for up in UPS:
                _check_cell(f"{path}{name}.{total}.{up}", row.get(up), allowed)
    table = tables(rules)
    for value, rank in enumerate(UPS):
        row = document.get("pairs", {}).get(rank, {})
        for up in UPS:
            cell = f"pairs.{rank}.{up}"
            if up not in row:
                raise _wrong(cell, "missing", "a code for every up card")
            if row[up] == PAIR_CODE and table.hands_max[value] < 2:
                raise _wrong(cell, f"{PAIR_CODE}, but these rules never split that pair", "a code")


def _check_cell(cell: str, code: str | None, allowed: int) -> None:
    if code is None:
        raise _wrong(cell, "missing", "a code for every up card")
    if code not in CODES:
        raise _wrong(cell, f"{code!r}", listed(CODES))
    for letter, choice, verb in (("D", DOUBLE, "double"), ("R", SURRENDER, "surrender")):
        if code[0] == letter and not allowed >> choice & 1:
            raise _wrong(cell, f"{code}, but these rules never {verb} there", "another code")


def _totals(group: int, groups: int) -> Iterator[tuple[str, int]]:
    """The totals that hands in play with so many cards can have."""
    for name in ("hard", "soft"):
        for total in range(4, BEST_TOTAL + 1):
            if any(True for _ in _shapes(name, total, group, groups)):
                yield name, total


def _shapes(name: str, total: int, group: int, groups: int) -> Iterator[tuple[int, int, bool]]:
    """Cards, hard total and ace of the hands of a cell."""
    soft = name == "soft"
    hard = total - ACE_EXTRA if soft else total
    most = BEST_TOTAL if group == groups - 1 else group + 2
    for cards in range(group + 2, most + 1):
        for ace in (True,) if soft else (False, True):
            if ace and not soft and total <= BEST_TOTAL - ACE_EXTRA:
                continue
            if exists(cards=cards, hard=hard, ace=ace):
                yield cards, hard, ace


def _allowed(rules: DrawingRules, name: str, total: int, group: int, groups: int) -> int:
    """The choices that some hand of a cell has, as bits."""
    options, found = tables(rules).options, 0
    for cards, hard, ace in _shapes(name, total, group, groups):
        for origin in range(len(options)):
            found |= int(options[origin, 0, cards, hard, int(ace)])
    return found


def _except(rules: DrawingRules, plan: Plan, exception: Any, where: str) -> None:
    """Play one hand otherwise."""
    try:
        cards, up, code = (str(exception[name]) for name in ("cards", "up", "code"))
    except (KeyError, TypeError):
        raise _wrong(where, f"{exception!r}", "an object with cards, up and code") from None
    letters = {letter: choice for choice, letter in LETTERS.items()}
    values = [UPS.find(word) for word in cards.split()]
    if min(values, default=-1) < 0 or len(values) < 2 or up not in UPS or code not in letters:
        raise _wrong(where, f"{cards!r} against {up!r}: {code!r}", "cards, up card and code")
    number, choice = compositions.number_of(values), letters[code]
    hands, column = compositions.hands(), UPS.index(up)
    if number < 0:
        raise _wrong(where, f"{cards!r}, which is over {BEST_TOTAL}", "a hand in play")
    shape = (int(hands.cards[number]), int(hands.hard[number]), int(hands.ace[number]))
    pair = len(values) == 2 and values[0] == values[1]
    open_ = int(tables(rules).options[(FIRST, 0, *shape)])
    open_ |= (pair and tables(rules).hands_max[values[0]] > 1) << PAIR_SPLIT
    if not open_ >> choice & 1:
        raise _wrong(where, f"{code}, which these rules do not allow with {cards!r}", "a code")
    if pair:
        plan.split[values[0], column] = choice == PAIR_SPLIT
    if choice != PAIR_SPLIT:
        plan.plays[FIRST].choice[number, column] = choice


def _wrong(cell: str, what: str, right: str) -> Refused:
    return Refused("field", f"strategy, {cell}: {what}; it should be {right}.")


# Three cards


def raised(rules: ThreeCardRules, chosen: str | Document) -> Raises:
    """The play of a three-card game. Raises Refused (`field`)."""
    if chosen == COMPOSITION:
        found = threecard.solve(rules).decisions
        best = {(each.hand, each.up): each.raises for each in found.values()}
        return lambda hand, up: best.get((hand, up), False)
    document = threecard_play.strategy(rules) if isinstance(chosen, str) else chosen
    _check_shape(document)
    exceptions = dict(_exceptions(document)) if not isinstance(chosen, str) else {}
    cells = _cells(rules, document)

    def raises(hand: Values, up: int) -> bool:
        best = three_rules.best(rules, hand)
        name = "soft" if best.soft else "hard"
        return exceptions.get((hand, up), cells[name, best.total, up])

    return raises


def _cells(rules: ThreeCardRules, document: Document) -> dict[tuple[str, int, int], bool]:
    """Kind, total and up card → whether to raise, for every hand there is."""
    found = {}
    for hand in threecard.HANDS:
        best = three_rules.best(rules, hand)
        name = "soft" if best.soft else "hard"
        for up in shoe.VALUES:
            cell = f"{name}.{best.total}.{UPS[up - 1]}"
            code = document.get(name, {}).get(str(best.total), {}).get(UPS[up - 1])
            if code not in threecard_play.CODES:
                what = "missing" if code is None else f"{code!r}"
                raise _wrong(cell, what, listed([*threecard_play.CODES]))
            found[name, best.total, up] = code == threecard_play.RAISE_CODE
    return found


def _exceptions(document: Document) -> Iterator[tuple[tuple[Values, int], bool]]:
    for number, exception in enumerate(document.get("exceptions", ())):
        try:
            cards, up, code = (str(exception[name]) for name in ("cards", "up", "code"))
        except (KeyError, TypeError):
            right = "an object with cards, up and code"
            raise _wrong(f"exceptions[{number}]", f"{exception!r}", right) from None
        hand = tuple(sorted(card.value for card in queries.parse_hand(cards, least=3, most=3)))
        if code not in threecard_play.CODES:
            raise _wrong(f"exceptions[{number}]", f"{code!r}", listed([*threecard_play.CODES]))
        yield (hand, queries.parse_up(up).value), code == threecard_play.RAISE_CODE


assert len(UPS) == VALUES
