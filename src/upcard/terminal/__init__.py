"""A blackjack table in the terminal (`upcard play`), and rounds told in words (`upcard replay`)."""

from __future__ import annotations

from upcard.terminal.play import run
from upcard.terminal.words import tell

__all__ = ["run", "tell"]
