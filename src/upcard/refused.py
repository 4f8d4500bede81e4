"""The one way Upcard says no: a code for programs and a sentence for people."""

from __future__ import annotations

from collections.abc import Sequence


class Refused(Exception):
    """A request that cannot be granted. Nothing has changed when it is raised.

    `code` is one of the short words of the HTTP contract (`limit`, `step`, `funds`, `bet_needs`,
    `choice`, `field`, ...); `sentence` says what was wrong and what is allowed.
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(code, sentence)
        self.code = code
        self.sentence = sentence

    def __str__(self) -> str:
        return self.sentence


def listed(words: Sequence[str], last: str = "or") -> str:
    """Words as a person lists them: `a`, `a or b`, `a, b or c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
