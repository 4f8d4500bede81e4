"""A house that is to be killed: `kill_runner.py DATABASE [CARDS] [POINT STEPS | mark FILE]`.

It is served as ever on a free port. CARDS is a JSON object, client seed → cards: rounds with that
seed are dealt them. With a POINT the process kills itself there, the first time that at least so
many STEPS share a commit: `during` the writing of the step that makes them so many, `before` the
commit, which takes its time and does not come about, or `after` it, when nobody has been told yet.
Its last line says how many steps shared the
commit, and how many were durable by then, in all.

With `mark` it writes a byte into a FILE that outlives it: 1 while a commit is under way, 0 else.
"""

from __future__ import annotations

import json
import mmap
import os
import signal
import sys
import time
from dataclasses import dataclass
from typing import Any

import apsw

from upcard.cards import Card, parse_cards
from upcard.fair import Shoe
from upcard.house.journal import RoundInputs
from upcard.server.run import serve

POINTS = ("during", "before", "after")
COMMIT_SECONDS = 0.3
"""Long enough for everything that is told too early to reach whom it is told."""


def stack(cards: dict[str, str]) -> None:
    """Only the order of the cards is arranged; everything else is the house as it is."""
    decks = {client_seed: parse_cards(text) for client_seed, text in cards.items()}
    honest = RoundInputs.shoe

    def shoe(inputs: RoundInputs) -> Shoe | tuple[Card, ...]:
        return decks.get(inputs.client_seed) or honest(inputs)

    RoundInputs.shoe = shoe  # type: ignore[method-assign,assignment]


@dataclass(slots=True)
class Death:
    """Hears every statement of one connection begin and end, and waits for the point."""

    point: str
    steps_min: int
    steps: int = 0
    durable: int = 0

    def hear(self, event: dict[str, Any]) -> None:
        begins, sql = event["code"] == apsw.SQLITE_TRACE_STMT, event["sql"]
        if begins and sql == "BEGIN IMMEDIATE":
            self.steps = 0
        elif begins and sql.startswith("INSERT INTO step "):
            self.steps += 1
            self._die_if(self.point == "during")
        elif sql == "COMMIT":
            self.durable += 0 if begins else self.steps
            self._die_if(self.point == ("before" if begins else "after"))

    def _die_if(self, is_the_point: bool) -> None:
        if is_the_point and self.steps >= self.steps_min:
            if self.point == "before":
                time.sleep(COMMIT_SECONDS)
            os.write(sys.stdout.fileno(), f"{self.steps} {self.durable}\n".encode())
            os.kill(os.getpid(), signal.SIGKILL)


def die_at(point: str, steps_min: int) -> None:
    assert point in POINTS, point

    def listen(db: apsw.Connection) -> None:
        death = Death(point, steps_min)
        db.trace_v2(apsw.SQLITE_TRACE_STMT | apsw.SQLITE_TRACE_PROFILE, death.hear)

    apsw.connection_hooks.append(listen)


def mark_commits(file: str) -> None:
    """The writer's commits alone: a reader rolls back."""
    with open(file, "r+b") as opened:
        mark = mmap.mmap(opened.fileno(), 1)

    def hear(event: dict[str, Any]) -> None:
        if event["sql"] == "COMMIT":
            mark[0] = event["code"] == apsw.SQLITE_TRACE_STMT

    def listen(db: apsw.Connection) -> None:
        db.trace_v2(apsw.SQLITE_TRACE_STMT | apsw.SQLITE_TRACE_PROFILE, hear)

    apsw.connection_hooks.append(listen)


def main(database: str, cards: str = "{}", *death: str) -> int:
    stack(json.loads(cards))
    if death[:1] == ("mark",):
        mark_commits(death[1])
    elif death:
        point, steps_min = death
        die_at(point, int(steps_min))
    return serve("127.0.0.1", 0, database)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
