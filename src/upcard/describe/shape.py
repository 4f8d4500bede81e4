"""What a shape of game must put into words so that its games have a rules page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from upcard.describe.record import Section, Sentence
from upcard.game import Game
from upcard.table import ChoiceName

Says = Mapping[str, Sentence]
"""Rule field → what the page says of its value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One engine's words: a sentence for each rule field, the way to play, the pay tables.

    `felt` gives the few lines that are printed on the table itself, the largest first; `choices`
    all that a player may ever be offered, `later` the bets that come after the deal, `reserved`
    those of them that DEAL sets aside, each as large as the main bet.
    """

    fields: Mapping[str, Callable[[Any], str]]
    main: str
    opening: Callable[[Game], str]
    felt: Callable[[Game], tuple[str, ...]]
    choices: Callable[[Game], tuple[ChoiceName, ...]]
    later: Callable[[Game], tuple[str, ...]]
    reserved: tuple[str, ...]
    play: Callable[[Game, Says], tuple[Section, ...]]
    abandoned: Callable[[Game], str]
