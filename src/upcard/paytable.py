"""Pay tables: ordered rows, and the first that fits pays (A-17)."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from dataclasses import dataclass

from upcard.money import Pay
from upcard.refused import Refused, listed


@dataclass(frozen=True, slots=True)
class Row:
    """One row: `name` for programs, how it pays. Its title for people is `titled(name)`."""

    name: str
    pays: Pay

    def __str__(self) -> str:
        return f"{self.name}={self.pays}"


@dataclass(frozen=True, slots=True)
class PayTable:
    """Rows from the highest to the lowest."""

    rows: tuple[Row, ...]

    def __post_init__(self) -> None:
        names = [row.name for row in self.rows]
        if len(set(names)) < len(names):
            raise Refused(
                "field", f"a pay table names each row once, this one has {listed(names, 'and')}."
            )

    def first(self, fitting: Collection[str]) -> Row | None:
        """The first row whose name is among those that fit, or None when the bet misses."""
        return next((row for row in self.rows if row.name in fitting), None)

    def with_pay(self, name: str, pays: Pay, order: tuple[str, ...]) -> PayTable:
        """The table with one row paying otherwise; a row it lacks is put where `order` ranks it.

        `order` lists all outcomes of the bet, highest first. Raises Refused (`field`) for a name
        that is none of them.
        """
        if name not in order:
            raise Refused(
                "field", f"{name!r} is no row of this bet; its rows are {listed(order, 'and')}."
            )
        rows = {row.name: row for row in self.rows} | {name: Row(name, pays)}
        if name in (row.name for row in self.rows):
            return dataclasses.replace(self, rows=tuple(rows.values()))
        return PayTable(tuple(sorted(rows.values(), key=lambda row: order.index(row.name))))


def titled(name: str) -> str:
    """A row's or bet's name for people: `three_of_a_kind` → `Three of a kind`."""
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]
