"""The house as a table's dealer: the purse, meters, nonces, commits, proofs, rounds that wait."""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.terminal.conftest import Stacked
from tests.terminal.stacked import ROOT, false_checks
from upcard import fair
from upcard.events import Awarded, BetTaken, Paid, Settled, Staked
from upcard.games import CATALOGUE, find
from upcard.house.store import StoreRefused, sqlite
from upcard.house.verify import verify
from upcard.refused import Refused
from upcard.table import SpotBets
from upcard.terminal.dealer import Answer, Played
from upcard.terminal.house import HouseDealer
from upcard.terminal.proof import Proof, continued
from upcard.terminal.sitting import Seat

TOP3 = find("top3").at_table()
POOL = TOP3.side_bet("progressive").pool
THREECARD = find("threecard").at_table()


def main(cents: int, **sides: int) -> SpotBets:
    return SpotBets(1, (("main", cents), *sides.items()))


def bet(dealer: HouseDealer, *spots: SpotBets, level: str = "low") -> Answer:
    return dealer.bet(TOP3, level, spots, client_seed="tester")


def test_the_purse_starts_with_a_hundred_thousand(stacked: Stacked) -> None:
    assert stacked().balance == 100_000_00


def test_stakes_leave_at_the_deal_and_a_win_brings_them_back(stacked: Stacked) -> None:
    """G-08, T-60, T-80: 10.00, doubled; 1:1 brings back 40.00."""
    dealer = stacked("5h 6s 6d Td Kc 9c")
    answer = bet(dealer, main(1000))
    assert (dealer.balance, answer.balance, answer.proof) == (9_999_000, 9_999_000, None)
    answer = dealer.move(answer, "double")
    assert dealer.balance == 10_002_000
    assert answer.events[-1] == Settled(2000, 4000)
    assert answer.choices == ()


def test_a_reserved_raise_is_outside_the_balance_and_comes_free_when_folded(
    stacked: Stacked,
) -> None:
    """C-06: a second ante is reserved at the deal and released on FOLD."""
    dealer = stacked("9h 4c 2d Kh Kc 5d")
    ante = SpotBets(1, (("ante", 1000),))
    answer = dealer.bet(THREECARD, "table", [ante], client_seed="tester")
    assert answer.balance == 10_000_000 - 1000 - 1000
    assert [choice.enabled for choice in answer.choices] == [True, True]
    assert dealer.move(answer, "fold").balance == 10_000_000 - 1000


def test_a_deal_needs_the_raise_too(stacked: Stacked) -> None:
    """C-06: two antes and Ace Plus."""
    bets = [SpotBets(1, (("ante", 1000), ("ace_plus", 500)))]
    with pytest.raises(Refused) as refused:
        stacked("", purse=2499).bet(THREECARD, "table", bets, client_seed="tester")
    assert refused.value.sentence == (
        "These bets cost 15.00 and 10.00 set aside for a raise, and the balance is 24.99."
    )
    dealer = stacked("9h 4c 2d Kh Kc 5d", purse=2500)
    answer = dealer.bet(THREECARD, "table", bets, client_seed="tester")
    assert dealer.move(answer, "raise").balance == 0


def test_what_the_balance_does_not_cover_is_closed_with_the_reason(stacked: Stacked) -> None:
    """G-07: never made in part."""
    dealer = stacked("8h 6s 8d Td", purse=1999)
    answer = bet(dealer, main(1000))
    closed = {choice.choice: choice.why for choice in answer.choices if not choice.enabled}
    assert closed == {
        "double": "Double costs 10.00 and the balance is 9.99.",
        "split": "Split costs 10.00 and the balance is 9.99.",
    }
    with pytest.raises(Refused) as refused:
        dealer.move(answer, "split")
    assert (refused.value.code, refused.value.sentence) == ("funds", closed["split"])
    assert dealer.balance == 999


def test_a_refused_bet_uses_up_nothing(stacked: Stacked) -> None:
    """The protocol: a refused bet uses up neither commit nor nonce."""
    dealer = stacked("8h 6s 9d Td")
    before = dealer.offer(TOP3)
    with pytest.raises(Refused, match=r"takes 5\.00 to 50\.00"):
        bet(dealer, main(100))
    with pytest.raises(Refused, match="A client seed is"):
        dealer.bet(TOP3, "low", [main(1000)], client_seed="no spaces")
    with pytest.raises(Refused, match=r"cost 10\.00, and the balance is 5\.00"):
        stacked(purse=500).bet(TOP3, "low", [main(1000)], client_seed="tester")
    assert dealer.offer(TOP3) == before
    assert dealer.balance == 10_000_000


def test_one_round_at_a_time(stacked: Stacked) -> None:
    """G-12."""
    dealer = stacked("8h 6s 9d Td")
    answer = bet(dealer, main(1000))
    with pytest.raises(Refused, match="A round is open") as refused:
        bet(dealer, main(1000))
    assert refused.value.code == "round_open"
    with pytest.raises(Refused, match="rescue is not offered now"):
        dealer.move(answer, "rescue")
    assert dealer.balance == 10_000_000 - 1000


# Seeds


def test_nonces_count_the_rounds_of_each_game_from_1_and_commits_change(stacked: Stacked) -> None:
    """The protocol: per player and game, a fresh seed drawn before the bet."""
    dealer = stacked("Ts 6s 9d Td 8c", "Ts 6s 9d Td 8c")
    shown = [dealer.offer(TOP3)]
    for _ in range(2):
        answer = bet(dealer, main(1000))
        assert answer.nonce == shown[-1].nonce
        answer = dealer.move(answer, "stand")
        assert answer.proof is not None
        seed = bytes.fromhex(answer.proof.document["server_seed"])
        assert fair.commit(seed) == shown[-1].commit
        shown.append(dealer.offer(TOP3))
    assert [offer.nonce for offer in shown] == [1, 2, 3]
    assert len({offer.commit for offer in shown}) == 3
    assert dealer.offer(THREECARD).nonce == 1


def test_the_next_seed_is_drawn_when_a_bet_is_taken(stacked: Stacked) -> None:
    """A server seed that is drawn after the next client seed could be chosen to fit it."""
    drawn: list[bytes] = []

    def entropy(count: int) -> bytes:
        drew = bytes([len(drawn)]) * count
        if count == fair.SERVER_SEED_BYTES:
            drawn.append(drew)
        return drew

    dealer = stacked(entropy=entropy)
    offer, before = dealer.offer(TOP3), len(drawn)
    assert offer.commit in {hashlib.sha256(seed).hexdigest() for seed in drawn}
    bet(dealer, main(1000))
    assert len(drawn) == before + 1
    assert dealer.offer(TOP3).commit == hashlib.sha256(drawn[-1]).hexdigest()
    assert len(drawn) == before + 1


def test_the_shoe_is_that_of_the_published_protocol(stacked: Stacked) -> None:
    """The second published shuffle vector: six decks, nonce 8, seed 00 01 ... 3f."""

    def entropy(count: int) -> bytes:
        seed = count == fair.SERVER_SEED_BYTES
        return bytes(range(count)) if seed else random.randbytes(count)

    dealer = stacked(entropy=entropy)
    answer = None
    for _ in range(8):
        answer = dealer.bet(TOP3, "low", [main(1000)], client_seed="player-seed_1")
        while answer.proof is None:
            names = [choice.choice for choice in answer.choices]
            answer = dealer.move(answer, "no_insurance" if "no_insurance" in names else "stand")
    assert answer is not None
    assert answer.proof is not None
    assert answer.proof.document["cards"][:4] == ["Th", "7s", "6h", "2h"]


# Meters


def progressive(dealer: HouseDealer, *spots: int) -> Answer:
    laid = [SpotBets(spot, (("main", 500), ("progressive", 500))) for spot in spots]
    return dealer.bet(TOP3, "low", laid, client_seed="tester")


def test_85_cents_of_each_progressive_stake_enter_the_meter(stacked: Stacked) -> None:
    """T-85: it starts at 10,000.00 and takes 17 % of each 5.00; one meter for all levels."""
    assert POOL is not None
    dealer = stacked("Ts 9c 6s 9d 9h Td 8c", "Ts 6s 9d Td 8c")
    assert dealer.meter(POOL) == 10_000_00
    answer = progressive(dealer, 1, 2)
    assert dealer.meter(POOL) == 10_001_70
    dealer.move(dealer.move(answer, "stand"), "stand")
    dealer.bet(
        TOP3, "high", [SpotBets(1, (("main", 2500), ("progressive", 500)))], client_seed="tester"
    )
    assert dealer.meter(POOL) == 10_002_55


def test_a_hit_takes_its_own_contribution_and_the_meter_starts_anew(stacked: Stacked) -> None:
    """T-85: three suited kings take the whole meter, the stake is not returned."""
    assert POOL is not None
    dealer = stacked("Kh Kh Kh 9c")
    answer = progressive(dealer, 1)
    awards = [event for event in answer.events if isinstance(event, Awarded)]
    assert [(award.meter, award.paid, award.epoch) for award in awards] == [
        (1_000_085, 1_000_085, 0)
    ]
    assert dealer.balance == 10_000_000 - 1000 + 1_000_085
    assert dealer.meter(POOL) == 10_000_00


def test_two_hits_in_one_round_the_rightmost_first(stacked: Stacked) -> None:
    """T-85: the first takes the meter, the next what stands after the reset."""
    assert POOL is not None
    dealer = stacked("Kh Kh Kh Kh Kh 9c")
    answer = progressive(dealer, 1, 2)
    awards = [event for event in answer.events if isinstance(event, Awarded)]
    assert [(award.spot, award.meter, award.epoch) for award in awards] == [
        (1, 1_000_170, 0), (2, 1_000_000, 1),
    ]  # fmt: skip
    assert dealer.meter(POOL) == 10_000_00


def test_a_row_that_the_house_pays_leaves_the_meter_alone(stacked: Stacked) -> None:
    """T-85: a straight pays 7 for 1, and the meter keeps what it has."""
    assert POOL is not None
    dealer = stacked("7h 8c 9s Td")
    answer = progressive(dealer, 1)
    (paid,) = (event for event in answer.events if isinstance(event, Paid))
    assert (paid.row, paid.paid) == ("straight", 3500)
    assert dealer.meter(POOL) == 10_000_85


# Money and proofs of random rounds


def play_at_random(seed: int, dealer: HouseDealer) -> tuple[Answer, list[Any]]:
    """A random round of a random game with random bets and choices; all its answers' events."""
    chance = random.Random(seed)
    whole = chance.choice(CATALOGUE)
    game = whole.at_table(decks=chance.choice(whole.decks_offered))
    level = chance.choice(game.levels)
    spots = []
    for number in range(1, chance.randint(1, game.spots_max) + 1):
        sides = {side.key for side in game.side_bets if side.key in level.bets}
        laid = {game.main, *(key for key in sides if chance.random() < 0.6)}
        laid -= {s.key for s in game.side_bets if s.needs and s.needs not in laid}
        spots.append(SpotBets(number, tuple((key, level.bets[key].min) for key in sorted(laid))))
    answer = dealer.bet(game, level.key, spots, client_seed=f"s{seed}")
    events = list(answer.events)
    while answer.proof is None:
        choice = chance.choice([choice for choice in answer.choices if choice.enabled])
        answer = dealer.move(answer, choice.choice)
        events += answer.events
    return answer, events


def test_the_purse_changes_by_what_the_events_say(stacked: Stacked) -> None:
    """Conservation: purse after = purse before - staked + paid, and events add up to both."""
    assert POOL is not None
    dealer = stacked()
    for seed in range(60):
        meter, purse = dealer.meter(POOL), dealer.balance
        answer, events = play_at_random(seed, dealer)
        staked = sum(event.cents for event in events if isinstance(event, BetTaken | Staked))
        paid = sum(event.paid for event in events if isinstance(event, Paid))
        assert events[-1] == Settled(staked, paid)
        assert dealer.balance == answer.balance == purse - staked + paid
        assert tuple(events) == answer.round.events
        progressive_bets = sum(
            event.bet == "progressive" for event in events if isinstance(event, BetTaken)
        )
        if not any(isinstance(event, Awarded) for event in events):
            assert dealer.meter(POOL) == meter + 85 * progressive_bets


def test_rounds_of_the_table_verify_and_their_books_hold(stacked: Stacked, tmp_path: Path) -> None:
    """G-12: journalled, proved and audited like any other round of a house."""
    dealer = stacked(db=tmp_path / "upcard.db")
    for seed in range(1_000, 1_025):
        answer, _ = play_at_random(seed, dealer)
        checks = verify(json.loads(str(answer.proof)))
        assert [check.name for check in checks if not check.ok] == []
    dealer.bet(TOP3, "low", [main(1000)], client_seed="open")
    assert false_checks(tmp_path / "upcard.db") == []


def test_a_proof_passes_the_stand_alone_script_and_an_altered_one_does_not(
    stacked: Stacked, tmp_path: Path
) -> None:
    """Protocol upcard/1: the script checks commit and every card."""
    answer, _ = play_at_random(7, stacked())
    assert answer.proof is not None
    script = [sys.executable, str(ROOT / "docs" / "verify_shuffle.py"), str(tmp_path / "proof")]
    (tmp_path / "proof").write_text(str(answer.proof))
    assert subprocess.run(script, check=False).returncode == 0
    altered = answer.proof.document | {"nonce": 99}
    (tmp_path / "proof").write_text(json.dumps(altered))
    assert subprocess.run(script, check=False).returncode == 1


CHECK = Proof({"decks": 6, "nonce": 12, "client_seed": "c" * 64, "server_seed": "0a" * 64})
"""As long as a command to check with can be."""


def test_the_command_to_check_with_fits_any_window() -> None:
    for width in range(20, 300):
        lines = continued(CHECK.check, width)
        assert max(map(len, lines)) <= width
        assert "".join(line.removesuffix("\\") for line in lines).split() == [*CHECK.check]


@pytest.mark.parametrize("width", [20, 40, 80, 120, 300])
def test_the_command_to_check_with_is_one_command_to_a_shell(width: int) -> None:
    """A POSIX shell joins lines that end in a backslash."""
    script = "printf '%s\\n' " + "\n".join(continued(CHECK.check, width))
    echoed = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    assert tuple(echoed.stdout.splitlines()) == CHECK.check


def test_the_command_to_check_with_deals_the_same_cards(stacked: Stacked) -> None:
    """Protocol upcard/1, step 6: by the command that is shown."""
    answer, _ = play_at_random(11, stacked())
    assert answer.proof is not None
    done = subprocess.run(
        [sys.executable, "-m", *answer.proof.check], capture_output=True, text=True, check=True
    )
    dealt = answer.proof.document["cards"]
    assert done.stdout.split()[: len(dealt)] == dealt


# Rounds that wait, and two sittings at once

SIXTEEN = "8h 6s 8d Td 3c Th 9d Kc"


def test_a_round_waits_for_whoever_opens_the_database(stacked: Stacked, tmp_path: Path) -> None:
    """G-12: the same decision, the same cards, the same money."""
    db = tmp_path / "upcard.db"
    first = stacked(SIXTEEN, db=db)
    left = first.move(bet(first, main(1000)), "split")
    again = stacked(SIXTEEN, db=db)
    assert again.waiting() == ("top3",)
    resumed = again.resume(TOP3)
    assert resumed is not None
    assert (resumed.round, resumed.choices, resumed.seq) == (left.round, left.choices, left.seq)
    assert resumed.events == left.round.events
    assert again.balance == left.balance == 10_000_000 - 2000
    answer = again.move(again.move(resumed, "stand"), "stand")
    # The dealer's 6 and ten and a king are 26: both hands win 10.00.
    assert answer.balance == 10_000_000 + 2000
    assert (again.waiting(), again.resume(TOP3)) == ((), None)


def test_a_round_waits_at_the_table_where_it_was_dealt(stacked: Stacked) -> None:
    """T-01, T-14, A-14: level, decks and side bets are the round's own."""
    dealer = stacked(SIXTEEN)
    top3 = find("top3").at_table(decks=8)
    ags = find("ags").at_table(side_bets=("pairs_pay", "in_bet"))
    dealer.bet(top3, "high", [main(2500)], client_seed="tester")
    dealer.bet(ags, "table", [main(1000, in_bet=100)], client_seed="tester")
    seats = [Seat.of(open_.round) for game in (top3, ags) if (open_ := dealer.resume(game))]
    assert seats == [
        Seat(level="high", decks=8, side_bets=("top3", "classic", "progressive")),
        Seat(level="table", decks=6, side_bets=("pairs_pay", "in_bet")),
    ]
    assert dealer.waiting() == ("top3", "ags")


def test_two_sittings_at_one_round(stacked: Stacked, tmp_path: Path) -> None:
    """G-12: the second is told in a sentence that the round went on, and sees where it stands."""
    db = tmp_path / "upcard.db"
    one, two = stacked(SIXTEEN, db=db), stacked(SIXTEEN, db=db)
    dealt = bet(one, main(1000))
    seen = two.resume(TOP3)
    assert seen is not None
    split = one.move(dealt, "split")
    with pytest.raises(Refused, match="played on elsewhere") as refused:
        two.move(seen, "stand")
    assert refused.value.code == "stale"
    looked = two.look(seen)
    assert (looked.round, looked.events, looked.choices) == (
        split.round, split.events, split.choices,
    )  # fmt: skip
    assert two.move(seen, "split").round == split.round  # the same move again is the first one
    one.move(one.move(split, "stand"), "stand")
    with pytest.raises(Refused, match="played on elsewhere"):
        two.move(looked, "hit")
    assert two.look(looked).proof is not None
    assert two.balance == one.balance == 10_000_000 + 2000


def test_an_abandoned_round_is_finished_when_the_table_opens(
    stacked: Stacked, tmp_path: Path
) -> None:
    """G-12: after 30 days its hands stand, and it shows in the history."""
    db, now = tmp_path / "upcard.db", 1_800_000_000.0
    first = stacked("Ts 6s 9d Td 8c", db=db, clock=lambda: now)
    bet(first, main(1000))
    later = stacked("Ts 6s 9d Td 8c", db=db, clock=lambda: now + 30 * 86_400)
    assert later.waiting() == ("top3",)
    late = stacked("Ts 6s 9d Td 8c", db=db, clock=lambda: now + 30 * 86_400 + 1)
    assert late.waiting() == ()
    # 19 stands against a dealer who breaks.
    assert late.history(5) == (
        Played(game="top3", nonce=1, status="settled", staked=1000, paid=2000),
    )


def test_history_is_newest_first_and_the_last_round_is_the_last_settled(stacked: Stacked) -> None:
    """G-12."""
    stand = "Ts 6s 9d Td 8c"
    dealer = stacked(stand, stand, stand)
    assert (dealer.history(5), dealer.last()) == ((), None)
    dealer.move(bet(dealer, main(1000)), "stand")
    dealer.move(bet(dealer, main(2000)), "surrender")
    bet(dealer, main(500))
    assert dealer.history(5) == (
        Played(game="top3", nonce=3, status="open"),
        Played(game="top3", nonce=2, status="settled", staked=2000, paid=1000),
        Played(game="top3", nonce=1, status="settled", staked=1000, paid=2000),
    )
    assert dealer.history(1) == (Played(game="top3", nonce=3, status="open"),)
    last = dealer.last()
    assert last is not None
    assert (last.nonce, last.proof and last.proof.document["staked"]) == (2, 2000)


def test_refill(stacked: Stacked) -> None:
    """Play money is restored when no round is open; a winner keeps what is won."""
    dealer = stacked("Ts 9s 8d Td", "Ts 6s 9d Td 8c", purse=2000)
    answer = bet(dealer, main(1000))
    with pytest.raises(Refused, match="A round is open"):
        dealer.refill()
    dealer.move(answer, "stand")
    assert dealer.balance == 1000
    dealer.refill()
    assert dealer.balance == 2000
    dealer.move(bet(dealer, main(1000)), "stand")
    dealer.refill()
    assert dealer.balance == 3000


# The database


def test_a_database_that_is_held_is_a_sentence_and_nothing_is_lost(
    stacked: Stacked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_MILLISECONDS", 50)
    dealer = stacked("Ts 6s 9d Td 8c", db=tmp_path / "upcard.db")
    offer = dealer.offer(TOP3)
    with holding(tmp_path / "upcard.db"):
        with pytest.raises(Refused, match="Another program holds the database") as refused:
            bet(dealer, main(1000))
        assert refused.value.code == "busy"
        assert (dealer.balance, dealer.offer(TOP3)) == (10_000_000, offer)
    answer = bet(dealer, main(1000))
    with holding(tmp_path / "upcard.db"), pytest.raises(Refused, match="nothing was changed"):
        dealer.move(answer, "stand")
    assert dealer.move(answer, "stand").balance == 10_000_000 + 1000


def test_a_database_that_is_held_cannot_be_opened_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new one and one that is there: a sentence, and no error of the library."""
    monkeypatch.setattr(sqlite, "BUSY_MILLISECONDS", 50)
    path = tmp_path / "upcard.db"
    for _ in ("new", "known"):
        with holding(path), pytest.raises(Refused):
            HouseDealer(str(path))
        HouseDealer(str(path)).close()


@contextmanager
def holding(path: Path) -> Iterator[None]:
    """Another program writes in the database and does not come to an end."""
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.close()


@pytest.mark.parametrize("made", ["a text", "a folder", "nowhere"])
def test_what_is_no_database_of_ours_is_refused(tmp_path: Path, made: str) -> None:
    path = tmp_path / "there"
    if made == "a text":
        path.write_text("not a database, but a text that is long enough to be looked at" * 20)
    elif made == "a folder":
        path.mkdir()
    else:
        path = tmp_path / "none" / "upcard.db"
    with pytest.raises(StoreRefused):
        HouseDealer(str(path))
