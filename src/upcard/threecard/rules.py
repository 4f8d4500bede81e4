"""Every way in which one raise-or-fold game with three cards may differ from another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from upcard.fields import FLAG, one_of, ruled, whole

BEST_TOTAL = 21


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One three-card game; the defaults are 3 Card Blackjack."""

    decks: int = ruled(1, whole(1, 8))
    qualifies_at: int = ruled(17, whole(4, BEST_TOTAL))
    best_of: Literal["any", "three"] = ruled("any", one_of("any", "three"))
    dealer_natural_beats_21: bool = ruled(True, FLAG)
    tie: Literal["push", "lose"] = ruled("push", one_of("push", "lose"))
