"""The odds and charts of the games that are served, computed by `upcard.maths.report` and kept as
JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any


def stored(key: str) -> dict[str, Any]:
    """Decks as text → the odds of a game, as `upcard odds` answers; empty for a game without."""
    place = files("upcard.reports") / f"{key}.json"
    if not place.is_file():
        return {}
    found: dict[str, Any] = json.loads(place.read_text("utf-8"))
    return found


def charts() -> Iterator[dict[str, Any]]:
    """The best chart of every game that draws, for all decks it is offered with: `rules` as text
    and `chart` as `upcard.maths.strategy.Chart` writes itself."""
    for line in (files("upcard.reports") / "charts.jsonl").read_text("utf-8").splitlines():
        yield json.loads(line)
