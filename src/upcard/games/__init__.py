"""The catalogue: one file and one literal a game."""

from __future__ import annotations

from upcard.game import Game
from upcard.games.ags import AGS
from upcard.games.blackjack import BLACKJACK
from upcard.games.super21 import SUPER21
from upcard.games.threecard import THREECARD
from upcard.games.top3 import TOP3
from upcard.refused import Refused, listed

CATALOGUE: tuple[Game, ...] = (TOP3, THREECARD, SUPER21, AGS)
"""The games that are served, in the order of the lobby."""

ANALYSED: tuple[Game, ...] = (*CATALOGUE, BLACKJACK)
"""Those, and the bare table for odds, strategies and scripts."""


def find(key: str, among: tuple[Game, ...] = CATALOGUE) -> Game:
    """The game of this key. Raises Refused (`field`)."""
    for game in among:
        if game.key == key:
            return game
    keys = [game.key for game in among]
    raise Refused("field", f"There is no game {key!r}; the games are {listed(keys, 'and')}.")
