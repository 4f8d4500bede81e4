"""A malfunction voids all pays and plays (G-13), and only a malfunction does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import apsw
import pytest

from tests.house.conftest import Guest, TestHouse, drop_triggers
from upcard.house.audit import audit
from upcard.house.recover import check_open_rounds
from upcard.house.store import StoreRefused
from upcard.house.void import Voided, void_round
from upcard.refused import Refused

Stack = Callable[[str, str], None]
Json = dict[str, Any]

TWENTY = "Th 7c Td Ts 5c 5d"
"""Ten-ten against a seven with ten in the hole: the player stands and wins."""
KINGS = "Kh Kh Kh 5c 6d 7s 8c 9c Tc"
"""Suited kings trips: the whole meter (T-85), then two cards to play on with."""
START = 10_000_000
METER = 1_000_000


def _break(hall: TestHouse, round_: str) -> None:
    """Damage what was told, so that the round does not replay to it any more."""
    with apsw.Connection(str(hall.path)) as db:
        db.execute("DROP TRIGGER step_unedited")
        db.execute(
            'UPDATE step SET answer = replace(answer, \'"row":"win"\', \'"row":"push"\') '
            "WHERE round = ?1 AND seq = (SELECT max(seq) FROM step WHERE round = ?1)",
            (round_,),
        )
        db.execute(
            "UPDATE step SET answer = replace(answer, '\"card\"', '\"cart\"') "
            "WHERE round = ? AND seq = 0",
            (round_,),
        )
        db.execute(
            "CREATE TRIGGER step_unedited BEFORE UPDATE ON step "
            "BEGIN SELECT RAISE(ABORT, 'a step is never edited'); END"
        )


def _void(hall: TestHouse, round_: str, **more: str) -> Voided:
    words = {"operator": "Ada L.", "reason": "The deck was misread.", **more}
    return hall.run(void_round(hall.store, round_, now=int(hall.clock.now) + 60, **words))


def _false(hall: TestHouse) -> list[str]:
    found = audit(hall.run(hall.store.books()))
    return [check.sentence for check in found if not check.ok]


def _won(hall: TestHouse, stacked: Stack) -> tuple[Guest, Json]:
    stacked("20", TWENTY)
    guest = hall.guest()
    dealt = guest.bet("top3", "1 main=10.00 progressive=5.00", level="low", client_seed="20")
    return guest, guest.move(dealt, "stand")


def test_a_round_that_replays_is_never_voided(hall: TestHouse, stacked: Stack) -> None:
    """G-13: only a round that cannot be replayed to its stored events."""
    guest, answer = _won(hall, stacked)
    before = hall.run(hall.store.books())
    with pytest.raises(Refused, match="only one that does not may be voided"):
        _void(hall, answer["round"])
    open_ = guest.bet("threecard", "1 ante=5.00")
    with pytest.raises(Refused, match="only one that does not may be voided"):
        _void(hall, open_["round"])
    assert hall.run(hall.store.books()).transfers[: len(before.transfers)] == before.transfers
    assert {stored.status for stored in hall.run(hall.store.books()).rounds} == {"settled", "open"}


def test_a_void_reverses_every_transfer(hall: TestHouse, stacked: Stack) -> None:
    """G-13: bet, contribution, win; player, house and meter have what they had before the round."""
    guest, answer = _won(hall, stacked)
    assert guest.balance == START + 1_000 - 500
    _break(hall, answer["round"])
    done = _void(hall, answer["round"])
    assert (guest.balance, hall.meter()) == (START, METER)
    assert hall.cents("house/top3") == -METER
    assert hall.cents(f"escrow/{answer['round']}") == 0
    assert (done.player, done.borne) == (-500, 0)
    transfers = hall.run(hall.store.transfers(answer["round"]))
    assert len(transfers) == 2 * done.reversed
    assert {each.seq for each in transfers[done.reversed :]} == {answer["seq"] + 1}
    hall.seal()
    assert _false(hall) == []


def test_the_player_is_shown_who_voided_a_round_and_why(hall: TestHouse, stacked: Stack) -> None:
    """G-13: journalled and shown: in the round itself and in the history."""
    guest, answer = _won(hall, stacked)
    _break(hall, answer["round"])
    _void(hall, answer["round"], operator="  Ada   L. ", reason="The deck\nwas misread.")
    looked = hall.run(hall.house.look(guest.player, answer["round"]))
    assert looked["status"] == "void"
    assert looked["void"] == {
        "operator": "Ada L.",
        "reason": "The deck was misread.",
        "at": 1_800_000_060,
    }
    assert (looked["choices"], looked["balance"]) == ([], START)
    history = hall.run(hall.house.history(guest.player, None, 10))
    assert history["rounds"] == [{**looked, "opened_at": 1_800_000_000}]
    with pytest.raises(Refused) as refused:
        hall.run(hall.house.proof(guest.player, answer["round"]))
    assert refused.value.code == "void"


def test_a_meter_win_is_taken_back_too(hall: TestHouse, stacked: Stack) -> None:
    """G-13, T-85: the meter stands again as the win met it, less the stake that is given back."""
    stacked("kings", KINGS)
    stacked("other", KINGS)
    guest, second = hall.guest(), hall.guest()
    won = guest.bet("top3", "1 main=10.00 progressive=5.00", level="low", client_seed="kings")
    while won["status"] == "open":
        won = guest.move(won, "stand")
    assert hall.meter() == METER
    second.bet("threecard", "1 ante=5.00")
    _break(hall, won["round"])
    _void(hall, won["round"])
    assert guest.balance == START
    assert hall.meter() == METER
    assert hall.cents("house/top3") == -METER
    assert _false(hall) == []


def test_what_the_player_no_longer_has_is_borne_by_the_house(
    hall: TestHouse, stacked: Stack
) -> None:
    """G-13: no balance goes below zero."""
    hall.settings = hall.settings.__class__(play_money=1_000)
    hall.close()
    hall.open()
    stacked("20", TWENTY)
    stacked("lost", "Th 7c 6d Ts Kc 5d")
    guest = hall.guest()
    won = guest.move(guest.bet("top3", "1 main=10.00", level="low", client_seed="20"), "stand")
    assert guest.balance == 2_000
    lost = guest.bet("top3", "1 main=15.00", level="low", client_seed="lost")
    assert guest.move(lost, "hit")["events"][-1]["paid"] == 0
    assert guest.balance == 500
    _break(hall, won["round"])
    done = _void(hall, won["round"])
    assert (done.player, done.borne) == (-500, 500)
    assert guest.balance == 0
    assert hall.cents("house/top3") == -METER - 500 + 1_500
    assert _false(hall) == []


def test_a_contribution_comes_back_from_a_meter_that_was_won_since(
    hall: TestHouse, stacked: Stack
) -> None:
    """G-13: what is reversed leaves the meter as it stands now; nobody else's win is touched."""
    stacked("20", TWENTY)
    stacked("kings", KINGS)
    guest, winner = hall.guest(), hall.guest()
    answer = guest.bet("top3", "1 main=10.00 progressive=5.00", level="low", client_seed="20")
    answer = guest.move(answer, "stand")
    won = winner.bet("top3", "1 main=10.00 progressive=5.00", level="low", client_seed="kings")
    assert next(e["paid"] for e in won["events"] if e["type"] == "award") == METER + 85 + 85
    _break(hall, answer["round"])
    _void(hall, answer["round"])
    assert guest.balance == START
    assert hall.meter() == METER - 85
    assert winner.balance == START - 1_500 + METER + 85 + 85, "both stakes of it still lie there"
    assert _false(hall) == []


def test_an_open_round_is_voided_and_the_player_may_bet_again(
    hall: TestHouse, stacked: Stack
) -> None:
    """G-13, G-12: its stakes and what it kept aside come back, and its seed is shown."""
    guest = hall.guest()
    open_ = guest.bet("threecard", "1 ante=5.00 ace_plus=5.00")
    assert guest.balance == START - 1_500
    _break(hall, open_["round"])
    with pytest.raises(StoreRefused, match=open_["round"]):
        hall.run(check_open_rounds(hall.store))
    _void(hall, open_["round"])
    hall.run(check_open_rounds(hall.store))
    assert guest.balance == START
    looked = hall.run(hall.house.look(guest.player, open_["round"]))
    assert (looked["status"], looked["choices"]) == ("void", [])
    assert len(bytes.fromhex(looked["server_seed"])) == 64
    with pytest.raises(Refused, match="This round is void") as refused:
        guest.move(open_, "fold")
    assert refused.value.code == "settled"
    assert guest.bet("threecard", "1 ante=5.00")["nonce"] == 2
    assert _false(hall) == []


def test_a_round_is_voided_once(hall: TestHouse, stacked: Stack) -> None:
    _, answer = _won(hall, stacked)
    _break(hall, answer["round"])
    _void(hall, answer["round"])
    before = hall.run(hall.store.books())
    with pytest.raises(Refused, match="void already"):
        _void(hall, answer["round"])
    assert hall.run(hall.store.books()) == before


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"operator": " "}, "--operator"),
        ({"operator": "A" * 101}, "--operator"),
        ({"reason": "\n"}, "--reason"),
        ({"reason": "A" * 501}, "--reason"),
    ],
)
def test_who_and_why_must_be_said(
    hall: TestHouse, stacked: Stack, more: dict[str, str], sentence: str
) -> None:
    _, answer = _won(hall, stacked)
    _break(hall, answer["round"])
    with pytest.raises(Refused, match=sentence):
        _void(hall, answer["round"], **more)


def test_a_round_that_is_not_there_is_not_voided(hall: TestHouse) -> None:
    with pytest.raises(Refused, match="no round nowhere") as refused:
        _void(hall, "nowhere")
    assert refused.value.code == "not_found"


FORGED_VOIDS = {
    "a reversal left out": "DELETE FROM transfer WHERE number = (SELECT max(number) FROM transfer)",
    "a reversal that grew": "UPDATE transfer SET cents = cents + 1 "
    "WHERE number = (SELECT max(number) FROM transfer)",
    "borne by somebody else": "UPDATE transfer SET code = 'void_borne', debit = 'player/x' "
    "WHERE number = (SELECT max(number) FROM transfer)",
    "by nobody": "DELETE FROM voided",
}


@pytest.mark.parametrize("name", FORGED_VOIDS)
def test_a_forged_void_is_found(hall: TestHouse, stacked: Stack, name: str) -> None:
    _, answer = _won(hall, stacked)
    _break(hall, answer["round"])
    _void(hall, answer["round"])
    with apsw.Connection(str(hall.path)) as db:
        drop_triggers(db)
        db.execute(FORGED_VOIDS[name])
    found = {check.name for check in audit(hall.run(hall.store.books())) if not check.ok}
    assert "voids" in found


def test_one_round_that_does_not_replay_does_not_hold_up_the_finishing_of_others(
    hall: TestHouse, caplog: pytest.LogCaptureFixture
) -> None:
    """G-12: abandoned rounds are finished, each for itself."""
    guest, other = hall.guest(), hall.guest()
    broken = guest.bet("threecard", "1 ante=5.00")["round"]
    good = other.bet("threecard", "1 ante=5.00")["round"]
    with apsw.Connection(str(hall.path)) as db:
        drop_triggers(db)
        db.execute(
            "UPDATE round SET inputs = replace(inputs, '\"ante\"', '\"aunt\"') WHERE id = ?",
            (broken,),
        )
    hall.clock.now += 31 * 24 * 60 * 60
    assert hall.run(hall.house.finish_abandoned()) == [good]
    assert broken in caplog.text
