"""The server's process is killed and restarted: same cards, same choices, same money (G-12)."""

from __future__ import annotations

import asyncio
import json
import mmap
import os
import random
import select
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from tests.house.kill_house import SECONDS_MAX, MortalHouse, Over
from tests.house.kill_player import Json, Line, Lost, Player, Request
from upcard import scripts
from upcard.cards import print_cards
from upcard.house import answers
from upcard.house.audit import audit
from upcard.house.store import Books
from upcard.house.store.opening import open_store
from upcard.scripts import Script

SOAK = bool(os.environ.get("UPCARD_SOAK"))
KILLS, PLAYERS = (1_000, 24) if SOAK else (20, 8)
ANSWERS_MAX = 40
"""So many answers, at most, are waited for before a house is killed."""
SHARING = 16
"""Players whose commands shall share a commit."""

ROUNDS = {
    "top3": """
        # Three spots under an ace: insurance, split, double, hit, stand, surrender, a meter won
        game top3 level=low
        bet 1 main=10.00
        bet 2 main=10.00 classic=1.00 top3=1.00
        bet 3 main=10.00 progressive=5.00
        cards 8c Kd Ac Ac 8d 6s Ac 7d 3s 2s Th 5c 4c Th 9d
        meter 3 10000.85
        do 1.0 insurance
        do 2.0 no_insurance
        do 3.0 no_insurance
        do 1.0 split
        do 1.0 double
        do 1.1 hit
        do 1.1 hit
        do 1.1 stand
        do 2.0 surrender
        do 3.0 split
        pay 1 insurance 0.00 of 5.00
        pay 1.0 main 40.00 of 20.00
        pay 1.1 main 20.00 of 10.00
        pay 2 classic 0.00
        pay 2 top3 0.00
        pay 2.0 main 5.00
        pay 3 progressive 10000.85
        pay 3.0 main 20.00
        pay 3.1 main 20.00
        """,
    "raise": """
        game threecard
        bet 1 ante=10.00 ace_plus=5.00
        cards Ah 9d 4c 9s 8c 7d
        do 1.0 raise
        pay 1 ace_plus 10.00
        pay 1 raise 20.00
        pay 1 ante 20.00
        """,
    "fold": """
        game threecard
        bet 1 ante=10.00 ace_plus=5.00
        cards Ah 2d 3c Ks Qc 7d
        do 1.0 fold
        pay 1 ace_plus 10.00
        pay 1 ante 0.00
        """,
    "super21": """
        # Split to three hands: one doubled and rescued, one stood, one won at once with five cards
        game super21
        bet 1 main=10.00
        cards 8h As 8d 6c 8c 3d 2s Kh 5c 2c 3c 5h 4d
        do 1.0 no_insurance
        do 1.0 split
        do 1.0 split
        do 1.0 double
        do 1.0 rescue
        do 1.1 stand
        do 1.2 hit
        do 1.2 hit
        do 1.2 hit
        pay 1.0 main 10.00 of 20.00
        pay 1.1 main 0.00
        pay 1.2 main 30.00
        """,
    "ags": """
        # Even money taken and declined, insurance, split, double, two side bets
        game ags side_bets=trifecta,match_super
        bet 1 main=10.00 trifecta=1.00 match_super=1.00
        bet 2 main=10.00 match_super=1.00
        bet 3 main=10.00 trifecta=1.00
        cards Ah Kd 7h Ac Ks Ad 7s 9d 4d 3c Tc 6d
        do 1.0 even_money
        do 2.0 no_even_money
        do 3.0 insurance
        do 3.0 split
        do 3.0 double
        do 3.1 hit
        do 3.1 stand
        pay 1 trifecta 0.00
        pay 1 match_super 5.00
        pay 1 main 20.00
        pay 2 match_super 5.00
        pay 2 main 25.00
        pay 3 trifecta 0.00
        pay 3 insurance 0.00 of 5.00
        pay 3.0 main 40.00 of 20.00
        pay 3.1 main 0.00
        """,
}
SCRIPTS = {name: scripts.parse(text) for name, text in ROUNDS.items()}
CARDS = {name: print_cards(script.cards) for name, script in SCRIPTS.items()}


def test_a_kill_at_every_decision_of_scripted_rounds(
    tmp_path: Path, stacked: Callable[[str, str], None]
) -> None:
    """All rounds go on in step, a player each. Bets and moves are in flight when the house dies,
    and it dies again while everybody thinks.
    """
    with MortalHouse(tmp_path / "house.db", json.dumps(CARDS)) as house:
        house.start()
        with seated(house, SCRIPTS) as players:
            for turn in range(1 + max(len(script.moves) for script in SCRIPTS.values())):
                pending = _sent(players, turn)
                if turn % 2:
                    # Now that one is answered, the others may be anywhere on their way.
                    select.select([player.line.socket for player in pending], [], [], SECONDS_MAX)
                house.kill()
                house.start()
                for player, request in pending.items():
                    player.make(request, sent=True)
                house.kill()
                house.start()
                for player in players:
                    player.line.close()
                    player.check()
            for player in players:
                player.check_history()
                _check_as_written(player)
            # The longest round has ten choices and a bet.
            assert house.address.life == 1 + 2 * 11
            assert sum(house.notes(life).in_flight for life in range(1, 24)) >= 11
        house.kill()
        assert house.complaints == ""
    for client_seed, cards in CARDS.items():
        stacked(client_seed, cards)
    check_books(house.database, players)


def _sent(players: list[Player], turn: int) -> dict[Player, Request]:
    """The next request of everybody whose round is not over, on its way."""
    pending = {}
    for player in players:
        script = SCRIPTS[player.name]
        if turn == 0:
            pending[player] = player.bet(_bet(player.name, script))
        elif turn <= len(script.moves):
            (round_,) = player.rounds
            pending[player] = player.move(round_, script.moves[turn - 1].choice)
    for player, request in pending.items():
        player.send(request)
    return pending


def _bet(name: str, script: Script) -> Json:
    options = dict(script.options)
    sides = options.get("side_bets")
    return {
        "game": script.game_key,
        "level": options.get("level", "table"),
        "client_seed": name,
        "spots": [{"spot": spot.spot, "bets": dict(spot.bets)} for spot in script.spots],
        **({"table": {"side_bets": sides.split(",")}} if sides else {}),
    }


def _check_as_written(player: Player) -> None:
    """What was told over all those lives is the round as it is written, every payment checked."""
    (told,) = player.rounds.values()
    assert told.events == answers.records(scripts.play(SCRIPTS[player.name]).events)
    assert told.answer["status"] == "settled"


@pytest.mark.parametrize("point", ["during", "before", "after"])
def test_a_kill_while_commands_share_a_commit(point: str, tmp_path: Path) -> None:
    """All of a commit or nothing: it dies while a step is written, before the commit, right after.

    Exactly what was committed is found again, whether or not it was answered.
    """
    least = 6
    with MortalHouse(tmp_path / "house.db") as house:
        house.start(point, str(least))
        with playing(house, SHARING) as players:
            sharing, durable = map(int, house.died().split())
            house.start()
            house.wait_until(lambda: house.notes().checked == SHARING)
            house.rest()
        assert sharing >= least
        first = house.notes(1)
        assert first.kept + first.lost == SHARING
        assert (first.kept if point == "after" else first.lost) >= sharing
        assert first.answered + first.kept == durable
        for player in players:
            with closing(player.line):
                player.check_history()
        house.kill()
        assert house.complaints == ""
    check_books(house.database, players)


def test_nothing_is_told_of_a_bet_before_it_is_durable(tmp_path: Path) -> None:
    """Two tabs deal at once and one is refused with the open round of the other: with its cards.

    If the house dies before the commit that round never was, and its commit and nonce are still to
    come: whoever knew the cards could bet on them.
    """
    tabs = 8
    with MortalHouse(tmp_path / "house.db", json.dumps(CARDS)) as house:
        house.start("before", "1")
        with seated(house, ["player"]) as (player,):
            lines = [Line(house, player.line.cookie) for _ in range(tabs)]
            with closing(sqlite3.connect(house.database)) as db, closing(Line(house)) as stranger:
                # A session waits for the database, and behind it all bets, for one commit.
                db.execute("BEGIN IMMEDIATE")
                stranger.send("POST", "/api/session", {})
                player.check()
                for number, line in enumerate(lines):
                    body = _bet("super21", SCRIPTS["super21"])
                    line.send("POST", "/api/rounds", body, key=f"tab-{number}")
                player.check()
                db.execute("ROLLBACK")
                assert stranger.receive()[0] == 201
            told = [_unless_lost(line) for line in lines]
            assert house.died() == "1 0\n"
            assert told == [None] * tabs
            house.start()
            player.line.close()
            player.check()
        house.kill()
        assert house.complaints == ""
    check_books(house.database, [player])


def _unless_lost(line: Line) -> bytes | None:
    with closing(line):
        try:
            return line.receive()[1]
        except Lost:
            return None


def test_kills_at_random_under_players(tmp_path: Path, say: Callable[[str], None]) -> None:
    """Everybody checks all he was told after every restart; half the kills interrupt a commit."""
    rng = random.Random(20)
    in_commit = 0
    with MortalHouse(tmp_path / "house.db") as house, marked(tmp_path / "mark") as mark:
        house.start("mark", str(tmp_path / "mark"))
        with playing(house, PLAYERS) as players:
            for kill in range(KILLS):
                answers_min = rng.randint(0, ANSWERS_MAX)
                house.wait_until(
                    lambda kill=kill, least=answers_min: (  # type: ignore[misc]
                        house.notes().checked >= (PLAYERS if kill else 0)
                        and house.notes().answered >= least
                    )
                )
                time.sleep(rng.random() * 0.005)
                if kill % 4:
                    wait_for_commit(mark)
                house.kill()
                in_commit += mark[0]
                mark[0] = 0
                house.start("mark", str(tmp_path / "mark"))
            house.wait_until(lambda: house.notes().checked == PLAYERS)
            house.rest()
        lives = [house.notes(life) for life in range(1, KILLS + 1)]
        in_flight = sum(life.in_flight for life in lives)
        kept = sum(life.kept for life in lives)
        say(
            f"{KILLS} kills of a house, {in_commit} in the course of a commit, {in_flight} "
            f"requests in flight; of {KILLS * PLAYERS} that got no answer {kept} had become durable"
        )
        assert in_commit >= KILLS / 2
        assert sum(life.in_flight > 0 for life in lives) >= KILLS / 2
        assert sum(life.kept + life.lost for life in lives) == KILLS * PLAYERS
        for player in players:
            with closing(player.line):
                player.check_history()
        house.kill()
        assert house.complaints == ""
    check_books(house.database, players)


@contextmanager
def marked(file: Path) -> Iterator[mmap.mmap]:
    """A byte that the house keeps at 1 while a commit is under way, and leaves as it was."""
    file.write_bytes(b"\0")
    with file.open("r+b") as opened, mmap.mmap(opened.fileno(), 1) as mark:
        yield mark


def wait_for_commit(mark: mmap.mmap) -> None:
    """Until one begins; or not, where none comes for a while."""
    give_up = time.monotonic() + 1
    while not mark[0] and time.monotonic() < give_up:
        pass


# Players


@contextmanager
def seated(house: MortalHouse, names: Iterable[str]) -> Iterator[list[Player]]:
    players = [Player(house, name) for name in names]
    try:
        for player in players:
            player.sit_down()
        yield players
    finally:
        for player in players:
            player.line.close()


@contextmanager
def playing(house: MortalHouse, count: int) -> Iterator[list[Player]]:
    """So many players, who play at random until the house rests. What fails one fails the test."""
    names = [f"player{number}" for number in range(count)]
    with seated(house, names) as players, ThreadPoolExecutor(count) as threads:
        games = [threads.submit(player.play) for player in players]
        try:
            yield players
        except Over:
            for game in games:
                game.result()
            raise
        except BaseException:
            house.end()
            raise
        for game in games:
            game.result()


# Books


def check_books(database: Path, players: list[Player]) -> None:
    """The house's own audit, and the standard library's sqlite3 with the players' own books."""
    failed = [check.sentence for check in audit(_books(database)) if not check.ok]
    assert not failed
    with closing(sqlite3.connect(database)) as db:
        _add_up(db, players)
        _count(db, players)


def _books(database: Path) -> Books:
    async def read() -> Books:
        store = open_store(str(database), must_exist=True)
        try:
            return await store.books()
        finally:
            await store.close()

    return asyncio.run(read())


def _add_up(db: sqlite3.Connection, players: list[Player]) -> None:
    moved: Counter[str] = Counter()
    for debit, credit, cents in db.execute("SELECT debit, credit, cents FROM transfer"):
        moved[debit] -= cents
        moved[credit] += cents
    balances = dict(db.execute("SELECT account, cents FROM balance"))
    assert {account: cents for account, cents in moved.items() if cents} == {
        account: cents for account, cents in balances.items() if cents
    }
    assert sum(balances.values()) == 0
    for player in players:
        assert balances[f"player/{player.id}"] == player.balance, player.name
    events = list(chain.from_iterable(_events(player) for player in players))
    awards = [event["paid"] for event in events if event["type"] == "award"]
    fed = sum(event["type"] == "bet" and event["bet"] == "progressive" for event in events)
    meter = sum(cents for account, cents in balances.items() if account.startswith("pool/"))
    # T-85: 10,000.00 at first and after each win of it all; 0.85 of each stake of 5.00.
    assert meter == 1_000_000 * (1 + len(awards)) + 85 * fed - sum(awards)


def _events(player: Player) -> Iterator[dict[str, Any]]:
    return chain.from_iterable(told.events for told in player.rounds.values())


def _count(db: sqlite3.Connection, players: list[Player]) -> None:
    """Every round, step and key is one that a player was told of; an escrow waits for open ones."""
    rounds = {id_: (player, seq) for id_, player, seq in _rows(db, "id, player, seq", "round")}
    told = {
        id_: (player.id, round_.answer["seq"])
        for player in players
        for id_, round_ in player.rounds.items()
    }
    assert rounds == told
    assert Counter(id_ for (id_,) in _rows(db, "round", "step")) == {
        id_: seq + 1 for id_, (_, seq) in told.items()
    }
    assert sorted(id_ for (id_,) in _rows(db, "round", "request")) == sorted(told)
    waiting = {
        account.removeprefix("escrow/")
        for account, cents in _rows(db, "account, cents", "balance")
        if account.startswith("escrow/") and cents
    }
    open_ = {id_ for id_, status in _rows(db, "id, status", "round") if status == "open"}
    assert waiting <= open_


def _rows(db: sqlite3.Connection, columns: str, table: str) -> Iterator[tuple[Any, ...]]:
    return iter(db.execute(f"SELECT {columns} FROM {table}"))
