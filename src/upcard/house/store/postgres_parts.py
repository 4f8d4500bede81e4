"""The one statement that writes what several commands changed: a part of it for each table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from upcard.house.store import Writes


@dataclass(frozen=True, slots=True)
class Batch:
    """What several commands of different players changed."""

    several: Sequence[Writes]
    stripe: int


Rows = Sequence[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of the one statement, what they are made from, and what is done with them."""

    name: str
    columns: dict[str, str]
    actions: tuple[str, ...]
    rows: Callable[[Batch], Rows]


def insert(table: str, columns: dict[str, str], more: str = "") -> str:
    names = ", ".join(columns)
    return f"INSERT INTO {table} ({names}) SELECT {names} FROM {table}_rows {more}"


def added(table: str, columns: dict[str, str], rows: Callable[[Writes], Rows]) -> Part:
    """Rows that are added and never change."""

    def of_all(batch: Batch) -> Rows:
        return [row for writes in batch.several for row in rows(writes)]

    return Part(table, columns, (insert(table, columns),), of_all)


def put(table: str, columns: dict[str, str], change: str, rows: Callable[[Writes], Rows]) -> Part:
    """Rows that take the place of their older selves."""
    part = added(table, columns, rows)
    return replace(part, actions=(insert(table, columns, f"ON CONFLICT {change}"),))


def write_statement(parts: Sequence[Part]) -> str:
    """All parts as one statement; the parameters are their columns, in order."""
    texts: list[str] = []
    first = 1
    for part in parts:
        types = part.columns.values()
        given = ", ".join(f"${n}::{kind}[]" for n, kind in enumerate(types, first))
        first += len(types)
        names = ", ".join(part.columns)
        texts.append(f"{part.name}_rows ({names}) AS (SELECT * FROM unnest({given}))")
        texts += [f"{part.name}_{n} AS ({action})" for n, action in enumerate(part.actions)]
    return f"WITH {', '.join(texts)} SELECT"
