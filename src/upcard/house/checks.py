"""What comes of checking something: each check with a sentence on what was found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked, and a sentence on what was found."""

    name: str
    ok: bool
    sentence: str
