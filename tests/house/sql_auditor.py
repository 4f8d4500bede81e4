"""A third opinion on a house: its database alone, by plain SQL, JSON and sums.

It shares no code with Upcard and trusts nothing that the house has added up: what was told of each
step is read as a dealer's note, its money is worked out anew, and everything kept must agree. Each
check yields what is wrong as sentences; `wrong` is all of them.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Protocol

Wrong = Iterator[str]
Row = tuple[Any, ...]

METER, STAKE = "progressive", 500
OWN_TERMS = {"seed": 1_000_000, "share": "17/100", "cap": None}
"""T-85: a meter starts at 10,000.00, and 0.85 of each stake of 5.00 enters it, until an operator
changes that."""
MEANWHILE = 10
"""Seconds in which a bet and a change of terms may have overtaken each other."""
FREE_PLAY = "play_money"
DAY = 24 * 60 * 60


class Database(Protocol):
    """A connection of sqlite3 or apsw."""

    def execute(self, statement: str, /) -> Any: ...


def wrong(db: Database) -> list[str]:
    """Everything that is wrong in this database."""
    books = Books(db)
    checks = (
        books.sums,
        books.names,
        books.money_of_rounds,
        books.escrows,
        books.meter,
        books.seats,
        books.requests,
        books.blocks,
        books.sittings,
        books.own_limits,
        books.voids,
    )
    return [f"{check.__name__}: {each}" for check in checks for each in check()]


class Books:
    """All rows that matter, as they stand."""

    def __init__(self, db: Database) -> None:
        def rows(query: str) -> list[Row]:
            return [tuple(row) for row in db.execute(query)]

        self.transfers = rows(
            "SELECT number, source, seq, n, debit, credit, cents, code FROM transfer "
            "ORDER BY number"
        )
        self.balances: dict[str, int] = dict(rows("SELECT account, cents FROM balance"))
        self.rounds = rows(
            "SELECT id, player, json_extract(inputs, '$.game'), json_extract(inputs, '$.nonce'), "
            "lower(hex(server_seed)), status, seq, opened_at FROM round ORDER BY number"
        )
        steps = rows("SELECT round, seq, at, answer FROM step ORDER BY round, seq")
        self.steps: dict[str, list[tuple[int, int, Any]]] = defaultdict(list)
        for round_, seq, at, answer in steps:
            self.steps[round_].append((seq, at, json.loads(answer)))
        self.seat_rows = rows(
            "SELECT player, game, nonce, lower(hex(server_seed)), open_round FROM seat"
        )
        self.request_rows = rows("SELECT player, key, round FROM request")
        self.award_rows = rows("SELECT epoch, round, cents FROM award")
        self.epochs: dict[str, int] = dict(rows("SELECT key, epoch FROM pool"))
        self.block_rows = rows(
            "SELECT number, previous, first, last, transfers, at, key, signature FROM block "
            "ORDER BY number"
        )
        self.sitting_rows = rows("SELECT player, day, rounds, staked, paid FROM sitting")
        self.limits = rows(
            "SELECT player, kind, period, cents, asked_at, acts_at FROM own_limit ORDER BY number"
        )
        self.exclusions = rows("SELECT player, began, ends FROM exclusion")
        self.void_rows = rows("SELECT round, operator, reason FROM voided")
        self.moved: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
        """What each step did to each account."""
        self.opened: dict[str, int] = {row[0]: row[7] for row in self.rounds}
        self.fed: Counter[str] = Counter()
        """What of each round went into the meter."""
        self.first: dict[tuple[str, int], int] = {}
        """The number of each step's first transfer."""
        for number, source, seq, _, debit, credit, cents, code in self.transfers:
            self.fed[source] += cents * (code == "contribution")
            self.first.setdefault((source, seq), number)
            self.moved[source, seq][debit] -= cents
            self.moved[source, seq][credit] += cents

    # The ledger

    def sums(self) -> Wrong:
        found: Counter[str] = Counter()
        for _, _, _, _, debit, credit, cents, _ in self.transfers:
            if cents <= 0 or debit == credit:
                yield f"{cents} cents from {debit} to {credit}"
            found[debit] -= cents
            found[credit] += cents
        for account in found.keys() | self.balances.keys():
            kept = self.balances.get(account, 0)
            if found[account] != kept:
                yield f"{account} is kept as {kept} and was moved to {found[account]}"
            if kept < 0 and account.split("/")[0] in ("player", "escrow", "pool"):
                yield f"{account} is overdrawn"
        if total := sum(self.balances.values()):
            yield f"all balances add up to {total}"

    def names(self) -> Wrong:
        """Numbers and names of transfers have neither gaps nor doubles."""
        numbers = [row[0] for row in self.transfers]
        if numbers != [*range(1, 1 + len(numbers))]:
            yield "numbers of transfers have gaps"
        of_step: dict[tuple[str, int], list[int]] = defaultdict(list)
        for _, source, seq, n, *_ in self.transfers:
            of_step[source, seq].append(n)
        for step, found in of_step.items():
            if found != [*range(len(found))]:
                yield f"{step} has the transfers {found}"
        known = {row[0] for row in self.rounds}
        for _, source, _, _, debit, _, _, code in self.transfers:
            is_free = (debit, code) == ("issuance", FREE_PLAY)
            is_first_seed = code == "seed" and source.startswith("meter-")
            if source not in known and not is_free and not is_first_seed:
                yield f"a transfer of {source}, which is no round"

    # Rounds

    def money_of_rounds(self) -> Wrong:
        for id_, player, *_, status, seq, _ in self.rounds:
            steps = self.steps[id_]
            if [step for step, _, _ in steps] != [*range(seq + 1)]:
                yield f"{id_} stands at {seq} and has the steps {[step[0] for step in steps]}"
            events: list[Any] = []
            aside = 0
            for step, _, answer in steps:
                if [each["n"] for each in answer["events"]] != [
                    *range(len(events), len(events) + len(answer["events"]))
                ]:
                    yield f"{id_} has gaps among the events of step {step}"
                events += answer["events"]
                antes = sum(each["cents"] for each in events if each.get("bet") == "ante"
                            and each["type"] == "bet")  # fmt: skip
                reserve = antes if answer["status"] == "open" else 0
                due = _won(answer["events"]) + aside - reserve
                aside = reserve
                if (is_ := self.moved[id_, step][f"player/{player}"]) != due:
                    yield f"step {step} of {id_} moved {is_} to its player, told were {due}"
            if status != "void" and (status == "open") != (steps[-1][2]["status"] == "open"):
                yield f"{id_} is {status} and was told to be {steps[-1][2]['status']}"
            if status == "settled" and events[-1] != _closing(events):
                yield f"{id_} closes with {events[-1]}"

    def escrows(self) -> Wrong:
        """C-06 too: an open round holds its stakes and reserve, less what a meter took at once."""
        due: Counter[str] = Counter()
        for id_, *_, status, _, _ in self.rounds:
            if status == "open":
                events = [each for _, _, told in self.steps[id_] for each in told["events"]]
                due[f"escrow/{id_}"] = _waiting(events) - _in_meter(events) * self.fed[id_] // STAKE
        for account, cents in self.balances.items():
            if account.startswith("escrow/") and cents != due[account]:
                yield f"{account} holds {cents}, and {due[account]} wait"

    def meter(self) -> Wrong:
        """T-85: in the order of the ledger, every winner took the meter as it stood, or its cap;
        a round feeds, wins and seeds it by the terms it was dealt under."""
        stands, over, won = 0, 0, list[tuple[str, int]]()
        for _, source, _, _, debit, credit, cents, code in self.transfers:
            stands += cents * (credit.startswith("pool/") - debit.startswith("pool/"))
            terms = self._terms_of(source)
            match code:
                case "overflow":
                    over += cents
                case "award":
                    won.append((source, cents))
                    full, over = cents + over, 0
                    if stands:
                        yield f"{source} won {cents} and left {stands}"
                    if cents not in {min(full, each["cap"] or full) for each in terms}:
                        yield f"{source} won {cents} of {full}"
                case "contribution" if cents not in {_of_a_stake(each) for each in terms}:
                    yield f"{source} put {cents} into the meter"
                case "seed" if cents not in {each["seed"] for each in terms}:
                    yield f"{source} seeds the meter with {cents}"
        yield from self._awards(won)

    def _terms_of(self, source: str) -> list[Any]:
        """The terms of the meter that a round may have been dealt under: those in force then."""
        opened = self.opened.get(source)
        if opened is None:
            return [OWN_TERMS]
        changes = [(at, told) for _, at, told in self.steps["meter/top3"]]
        before = [told for at, told in changes if at < opened - MEANWHILE]
        about = [told for at, told in changes if abs(at - opened) <= MEANWHILE]
        return [before[-1] if before else OWN_TERMS, *about]

    def _awards(self, won: list[tuple[str, int]]) -> Wrong:
        """The journal knows the same wins, in the same order."""
        by_epoch = [(round_, cents) for _, round_, cents in sorted(self.award_rows)]
        if by_epoch != won:
            yield f"paid were {won}, the journal has {by_epoch}"
        if [row[0] for row in sorted(self.award_rows)] != [*range(len(won))]:
            yield f"{len(won)} awards are of the epochs {sorted(row[0] for row in self.award_rows)}"
        if {*self.epochs.values()} - {len(won)}:
            yield f"after {len(won)} awards the meter is in {self.epochs}"

    # Seeds, nonces, keys

    def seats(self) -> Wrong:
        """Every seed is used once and was promised; nonces count a player's rounds of a game."""
        played: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for row in self.rounds:
            played[row[1], row[2]].append(row)
        seeds = Counter([row[4] for row in self.rounds] + [row[3] for row in self.seat_rows])
        if twice := [seed for seed, count in seeds.items() if count > 1]:
            yield f"{len(twice)} seeds are used twice"
        for player, game, nonce, seed, open_ in self.seat_rows:
            rounds = played[player, game]
            if [row[3] for row in rounds] + [nonce] != [*range(1, len(rounds) + 2)]:
                yield f"{player} has the nonces {[row[3] for row in rounds]} and {nonce} at {game}"
            waiting = [row[0] for row in rounds if row[5] == "open"]
            if waiting != ([open_] if open_ else []):
                yield f"{player} has {waiting} open at {game}, and the seat says {open_}"
            coming = [row[4] for row in rounds[1:]] + [seed]
            for row, after in zip(rounds, coming, strict=False):
                yield from self._promised(row, after)

    def _promised(self, row: Row, after: str) -> Wrong:
        id_, _, _, nonce, seed, _, _, _ = row
        told = self.steps[id_][0][2]
        if told["commit"] != _commit(seed):
            yield f"{id_} was dealt from another seed than was promised"
        if told["next"] != {"commit": _commit(after), "nonce": nonce + 1}:
            yield f"after {id_} another seed came than was promised"
        shown = {answer["server_seed"] for _, _, answer in self.steps[id_]} - {None}
        if shown - {seed}:
            yield f"{id_} has shown another seed"

    def requests(self) -> Wrong:
        asked = Counter(row[2] for row in self.request_rows)
        for id_, *_ in self.rounds:
            if asked[id_] != 1:
                yield f"{id_} was asked for {asked[id_]} times"
        owners = {row[0]: row[1] for row in self.rounds}
        for player, key, round_ in self.request_rows:
            if owners.get(round_) != player:
                yield f"{key} of {player} asks for {round_} of {owners.get(round_)}"

    # Blocks

    def blocks(self) -> Wrong:
        """As docs/trust.md says, with nothing but hashlib and json."""
        after, before = 0, "0" * 64
        for number, (found, previous, first, last, hash_, at, key, signature) in enumerate(
            self.block_rows, 1
        ):
            if (found, previous, first) != (number, before, after + 1):
                yield f"block {found} does not follow block {number - 1}"
            lines = "".join(
                json.dumps(list(row), separators=(",", ":"), ensure_ascii=False) + "\n"
                for row in self.transfers[first - 1 : last]
            )
            if hashlib.sha256(lines.encode()).hexdigest() != hash_ or len(lines) == 0:
                yield f"block {found} is of other transfers"
            text = json.dumps(
                {"protocol": "upcard-block/1", "number": found, "previous": previous,
                 "first": first, "last": last, "transfers": hash_, "at": at, "key": key},
                sort_keys=True, separators=(",", ":"), ensure_ascii=False,
            )  # fmt: skip
            if len(signature) != 128:
                yield f"block {found} is not signed"
            after, before = last, hashlib.sha256(text.encode()).hexdigest()
        if after > len(self.transfers):
            yield f"blocks reach to {after}, transfers to {len(self.transfers)}"

    # Players

    def sittings(self) -> Wrong:
        """What is counted of a player is what was told of all his rounds, but void ones."""
        void = {row[0] for row in self.void_rows}
        played: dict[str, Counter[str]] = defaultdict(Counter)
        for id_, player, *_ in self.rounds:
            played[player]["rounds"] += 1
            if id_ in void:
                continue
            for _, _, answer in self.steps[id_]:
                staked, paid = _staked(answer["events"]), _paid(answer["events"])
                played[player] += Counter(staked=staked, paid=paid)
        counted: dict[str, Counter[str]] = defaultdict(Counter)
        for player, _, rounds, staked, paid in self.sitting_rows:
            counted[player] += Counter(rounds=rounds, staked=staked, paid=paid)
        voided = {player for id_, player, *_ in self.rounds if id_ in void}
        for player in played.keys() | counted.keys():
            if player not in voided and played[player] != counted[player]:
                yield f"{player} played {played[player]}, counted are {counted[player]}"

    def own_limits(self) -> Wrong:
        """No bet was taken that a limit of the player, or his exclusion, forbade then."""
        spent: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
        void = {row[0] for row in self.void_rows}
        # In the order in which the ledger has them; a step that moved nothing counts for nothing.
        steps = sorted(
            (self.first[id_, seq], at, seq, id_, player, answer["events"])
            for id_, player, *_ in self.rounds
            if id_ not in void
            for seq, at, answer in self.steps[id_]
            if (id_, seq) in self.first
        )
        for _, at, seq, id_, player, events in steps:
            bet = sum(each["cents"] for each in events if each["type"] == "bet")
            for kind, period, limit in self._in_force(player, at):
                used = sum(
                    cents
                    for day, cents in spent[player, kind].items()
                    if _same_period(period, day, at // DAY)
                )
                if seq == 0 and used + bet > limit:
                    yield f"{id_} stakes {bet} where {limit - used} of a {kind} {period} were left"
            spent[player, "stake"][at // DAY] += _staked(events)
            spent[player, "loss"][at // DAY] += _staked(events) - _paid(events)
            for who, began, ends in self.exclusions:
                if seq == 0 and who == player and began < at < ends:
                    yield f"{id_} was dealt to one who had excluded himself"

    def _in_force(self, player: str, at: int) -> Iterator[tuple[str, str, int]]:
        stands: dict[tuple[str, str], int | None] = {}
        wishes = [row for row in self.limits if row[0] == player and row[4] < at]
        for number, (_, kind, period, cents, asked, acts) in enumerate(wishes):
            overtaken = any(
                later[1:3] == (kind, period) and later[4] < acts for later in wishes[number + 1 :]
            )
            if acts < at and (acts <= asked or not overtaken):
                stands[kind, period] = cents
        for (kind, period), cents in stands.items():
            if cents is not None:
                yield kind, period, cents

    def voids(self) -> Wrong:
        """G-13: a void round has moved nothing on its player's account but what the house bore."""
        status = {row[0]: row[5] for row in self.rounds}
        named = {row[0] for row in self.void_rows}
        if named != {id_ for id_, is_ in status.items() if is_ == "void"}:
            yield "rounds are void without a name, or named and not void"
        for id_ in named:
            moved: Counter[str] = Counter()
            for _, source, _, _, debit, credit, cents, code in self.transfers:
                if source == id_ and code != "void_borne":
                    moved[debit] -= cents
                    moved[credit] += cents
            if left := {account: cents for account, cents in moved.items() if cents}:
                yield f"{id_} is void and moved {left}"


# A dealer's notes


def _staked(events: list[Any]) -> int:
    return sum(each["cents"] for each in events if each["type"] in ("bet", "stake"))


def _paid(events: list[Any]) -> int:
    return sum(each["paid"] for each in events if each["type"] == "pay")


def _won(events: list[Any]) -> int:
    return _paid(events) - _staked(events)


def _closing(events: list[Any]) -> Any:
    return {
        "n": len(events) - 1,
        "type": "settled",
        "staked": _staked(events),
        "paid": _paid(events),
    }


def _waiting(events: list[Any]) -> int:
    """What an open round's stakes come to that are not settled yet, and a raise set aside.

    What a meter took of them at once is still among it.
    """
    settled: int = sum(each["stake"] for each in events if each["type"] == "pay")
    antes: int = sum(e["cents"] for e in events if e["type"] == "bet" and e["bet"] == "ante")
    staked: int = _staked(events)
    return staked - settled + antes


def _in_meter(events: list[Any]) -> int:
    """The stakes of open bets that a meter has its share of."""
    bets = [each for each in events if each.get("bet") == METER]
    open_: int = sum(each["cents"] for each in bets if each["type"] == "bet")
    settled: int = sum(each["stake"] for each in bets if each["type"] == "pay")
    return open_ - settled


def _of_a_stake(terms: Any) -> int:
    """What enters the meter of one bet, in whole cents."""
    of, parts = map(int, terms["share"].split("/"))
    return STAKE * of // parts


def _commit(seed: str) -> str:
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def _same_period(period: str, one: int, other: int) -> bool:
    """Whether two days (since 1970) lie in the same day, week from Monday, or month, in UTC."""
    first, second = (datetime.fromtimestamp(day * DAY, UTC) for day in (one, other))
    match period:
        case "day":
            return one == other
        case "week":
            return first.isocalendar()[:2] == second.isocalendar()[:2]
        case _:
            return (first.year, first.month) == (second.year, second.month)
