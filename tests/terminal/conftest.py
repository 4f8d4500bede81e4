"""Dealers over databases of their own, closed when the test is over."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Protocol

import pytest

from tests.terminal.stacked import stacking
from upcard.house.journal import RoundInputs
from upcard.house.rounds import Settings
from upcard.terminal.house import HouseDealer


class Stacked(Protocol):
    """`stacked("Ts 6s 9d Td")`: a dealer whose rounds of a game deal these cards in turn.

    `purse` is the play money in cents; `db` names a database, a new one unless it is given.
    """

    def __call__(
        self, *shoes: str, purse: int = 10_000_000, db: Path | None = None, **more: Any
    ) -> HouseDealer: ...


@pytest.fixture
def stacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stacked]:
    numbers = itertools.count()
    with ExitStack() as at_the_end:

        def deal(
            *shoes: str, purse: int = 10_000_000, db: Path | None = None, **more: Any
        ) -> HouseDealer:
            monkeypatch.setattr(RoundInputs, "shoe", stacking(shoes))
            path = db or tmp_path / f"{next(numbers)}.db"
            dealer = HouseDealer(str(path), settings=Settings(play_money=purse), **more)
            return at_the_end.enter_context(closing(dealer))

        yield deal
