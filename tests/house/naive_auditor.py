"""A second opinion on the house: knows the HTTP contract and SQL, and nothing of Upcard's code.

It keeps its own books of what players were told, and reads the database with the standard
library's sqlite3 to add up the ledger for itself.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

START = 10_000_000
METER_SEED = 1_000_000
CONTRIBUTION = 85
"""0.85 of each progressive stake of 5.00 (T-85)."""


class Auditor:
    def __init__(self, database: Path) -> None:
        self.database = database
        self.balances: dict[str, int] = {}
        self.rounds: dict[str, dict[str, Any]] = {}
        self.aside: dict[str, dict[str, int]] = {}
        """C-06: what three cards set aside until the player decides; player → round → cents."""
        self.meter = METER_SEED
        self.epoch = 0

    def guest(self, player: str) -> None:
        self.balances[player] = START
        self.aside[player] = {}

    def refilled(self, player: str) -> None:
        self.balances[player] = max(self.balances[player], START)

    def told(self, player: str, answer: dict[str, Any]) -> None:
        """Book one answer that was not told before, and hold it against these books."""
        self.booked(player, answer)
        assert answer["balance"] == self.available(player), "the balance adds up"

    def booked(self, player: str, answer: dict[str, Any]) -> None:
        """Book one answer whose balance is that of a later instant."""
        seen = self.rounds.setdefault(answer["round"], {"events": [], "staked": 0, "paid": 0})
        assert [event["n"] for event in answer["events"]] == [
            *range(len(seen["events"]), len(seen["events"]) + len(answer["events"]))
        ], "events are numbered without a gap"
        seen["events"] += answer["events"]
        for event in answer["events"]:
            self._event(player, event, seen)
        self._settlement(answer, seen)
        antes = [e["cents"] for e in seen["events"] if e["type"] == "bet" and e["bet"] == "ante"]
        self.aside[player][answer["round"]] = sum(antes) if answer["status"] == "open" else 0

    def available(self, player: str) -> int:
        """What the player may stake now."""
        return self.balances[player] - sum(self.aside[player].values())

    def _event(self, player: str, event: dict[str, Any], seen: dict[str, Any]) -> None:
        kind = event["type"]
        if kind in ("bet", "stake"):
            assert event["cents"] > 0
            self.balances[player] -= event["cents"]
            seen["staked"] += event["cents"]
            if event["bet"] == "progressive":
                self.meter += CONTRIBUTION
        elif kind == "pay":
            assert event["paid"] >= 0
            self.balances[player] += event["paid"]
            seen["paid"] += event["paid"]
        elif kind == "award":
            assert (event["meter"], event["epoch"]) == (self.meter, self.epoch)
            assert event["paid"] == self.meter, "the whole meter is won"
            self.meter, self.epoch = METER_SEED, self.epoch + 1

    def _settlement(self, answer: dict[str, Any], seen: dict[str, Any]) -> None:
        last = seen["events"][-1]
        if answer["status"] == "open":
            assert answer["server_seed"] is None
            assert answer["choices"]
            return
        assert last == {
            "n": len(seen["events"]) - 1,
            "type": "settled",
            "staked": seen["staked"],
            "paid": seen["paid"],
        }
        assert answer["choices"] == []

    def check_ledger(self) -> None:
        """Add the whole ledger up again."""
        with sqlite3.connect(self.database) as db:
            moved: dict[str, int] = {}
            for debit, credit, cents in db.execute("SELECT debit, credit, cents FROM transfer"):
                moved[debit] = moved.get(debit, 0) - cents
                moved[credit] = moved.get(credit, 0) + cents
            kept = dict(db.execute("SELECT account, cents FROM balance"))
            open_ = {id_ for (id_,) in db.execute("SELECT id FROM round WHERE status = 'open'")}
        assert {account: cents for account, cents in moved.items() if cents} == {
            account: cents for account, cents in kept.items() if cents
        }
        assert sum(moved.values()) == 0
        for player in self.balances:
            assert kept[f"player/{player}"] == self.available(player)
        for account, cents in kept.items():
            if account.startswith("escrow/") and cents:
                assert account.removeprefix("escrow/") in open_
        assert sum(cents for account, cents in kept.items() if "pool/" in account) == self.meter
