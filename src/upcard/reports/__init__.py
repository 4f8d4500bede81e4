"""The odds of the games that are served, computed by `upcard.maths.report` and kept as JSON."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def stored(key: str) -> dict[str, Any]:
    """Decks as text → the odds of a game, as `upcard odds` answers; empty for a game without."""
    place = files("upcard.reports") / f"{key}.json"
    if not place.is_file():
        return {}
    found: dict[str, Any] = json.loads(place.read_text("utf-8"))
    return found
