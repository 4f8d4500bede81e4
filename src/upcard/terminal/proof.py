"""The proof of a settled round, printed: what lets anybody deal it again and count the money."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof as the house gives it. Its text is the same document, a member a line."""

    document: JsonObject

    def __str__(self) -> str:
        members = [f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in self.document.items()]
        return "{\n" + ",\n".join(members) + "\n}\n"

    @property
    def seeds(self) -> tuple[str, ...]:
        """The seeds in words, for the head of a file."""
        of = self.document
        return (
            f"server seed {of['server_seed']}",
            f"client seed {of['client_seed']}, nonce {of['nonce']}",
        )

    @property
    def check(self) -> tuple[str, ...]:
        """The command that deals the shoe again, word by word."""
        of = self.document
        return (
            *("upcard", "shoe", "--decks", str(of["decks"]), "--nonce", str(of["nonce"])),
            *("--client-seed", of["client_seed"], "--server-seed", of["server_seed"]),
        )


def continued(words: tuple[str, ...], width: int) -> list[str]:
    """A command in lines of at most `width` characters, which a shell reads as one command.

    A line that goes on ends in a backslash; a word longer than a line is cut the same way.
    """
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) + 3 <= width:
            lines[-1] += f" {word}"
            continue
        if lines[-1]:
            lines[-1] += " "
            lines.append("")
        while len(word) + 2 > width:
            lines[-1], word = word[: width - 2], word[width - 2 :]
            lines.append("")
        lines[-1] = word
    return [f"{line}\\" for line in lines[:-1]] + lines[-1:]
