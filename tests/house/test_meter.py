"""The progressive meter as ledger accounts (T-85): fed at DEAL, won, reset, never falling else."""

from __future__ import annotations

from collections.abc import Callable

from tests.house.conftest import Guest, TestHouse
from upcard.house.audit import audit

ON_EACH_STORE = True
SEED = 1_000_000
SHARE = 85
"""0.85 of each stake of 5.00 enters the meter."""

Stack = Callable[[str, str], None]

KINGS = "Kh Kh Kh 5c 6d 7s 8c 9c Tc"
"""One spot: the player's two kings and the dealer's third, all hearts; 5c in the hole."""


def test_the_meter_starts_at_its_seed_from_the_house(hall: TestHouse) -> None:
    assert hall.meter() == SEED
    assert hall.cents("house/top3") == -SEED
    hall.close()
    hall.open()
    assert hall.meter() == SEED, "opening again seeds nothing"


def test_each_progressive_bet_feeds_the_meter_at_deal(hall: TestHouse, stacked: Stack) -> None:
    """T-85: 0.85 of each stake, in the transaction of DEAL; three spots feed it three times."""
    guest = hall.guest()
    stacked("miss", "2c 3d 4h 9s 7c 8d 9h Ts Kc Kd Kh Ks Qc Qd")
    guest.bet(
        "top3",
        "1 main=5.00 progressive=5.00",
        "2 main=5.00 progressive=5.00",
        "3 main=5.00 progressive=5.00",
        level="low",
        client_seed="miss",
    )
    assert hall.meter() == SEED + 3 * SHARE


def _hit(guest: Guest, client_seed: str) -> dict[str, object]:
    """Play the round that deals three kings of hearts, and stand."""
    answer = guest.bet("top3", "1 main=5.00 progressive=5.00", level="low", client_seed=client_seed)
    return guest.move(answer, "stand")


def test_a_hit_takes_its_own_contribution_and_resets_the_meter(
    hall: TestHouse, stacked: Stack
) -> None:
    """T-85: for one, so the stake is not returned; the reset is 10,000.00 from the house."""
    guest = hall.guest()
    stacked("hit", KINGS)
    before = guest.balance
    answer = guest.bet("top3", "1 main=5.00 progressive=5.00", level="low", client_seed="hit")
    events = {event["type"]: event for event in answer["events"]}
    assert events["award"]["meter"] == SEED + SHARE
    assert events["award"]["paid"] == SEED + SHARE
    assert events["pay"]["row"] == "suited_aces_kings"
    assert guest.balance == before - 1000 + SEED + SHARE
    assert hall.meter() == SEED
    assert hall.run(hall.house.jackpots())["jackpots"][0]["epoch"] == 1


def test_two_hits_in_one_round_meet_the_meter_and_then_its_seed(
    hall: TestHouse, stacked: Stack
) -> None:
    """T-85: the rightmost spot takes the meter with both contributions, the next the reset."""
    guest = hall.guest()
    stacked("both", "Kh Kh Kh Kh Kh 5c 9d 9s 8c 8d Tc")
    before = guest.balance
    answer = guest.bet(
        "top3",
        "1 main=5.00 progressive=5.00",
        "2 main=5.00 progressive=5.00",
        level="low",
        client_seed="both",
    )
    awards = [event for event in answer["events"] if event["type"] == "award"]
    assert [(award["spot"], award["paid"]) for award in awards] == [
        (1, SEED + 2 * SHARE),
        (2, SEED),
    ]
    assert [award["epoch"] for award in awards] == [0, 1]
    assert guest.balance == before - 2000 + 2 * SEED + 2 * SHARE
    assert hall.meter() == SEED


def test_two_players_win_in_the_order_of_commit(hall: TestHouse, stacked: Stack) -> None:
    """T-85: the first takes the meter, the next what stands after the reset - in both orders."""
    stacked("hit", KINGS)
    for first, second in [(0, 1), (1, 0)]:
        guests = [hall.guest(), hall.guest()]
        met = hall.meter() + SHARE
        before = [guest.balance for guest in guests]
        for index in (first, second):
            guests[index].bet(
                "top3", "1 main=5.00 progressive=5.00", level="low", client_seed="hit"
            )
        assert guests[first].balance == before[first] - 1000 + met
        assert guests[second].balance == before[second] - 1000 + SEED + SHARE
        assert hall.meter() == SEED


def test_fixed_pays_of_the_progressive_leave_the_meter_alone(
    hall: TestHouse, stacked: Stack
) -> None:
    """T-85: other suited trips pay 125 for 1 from the house."""
    guest = hall.guest()
    stacked("nines", "9h 9h 9h 5c 6d 7s 8c 9c Tc")
    before = guest.balance
    guest.bet("top3", "1 main=5.00 progressive=5.00", level="low", client_seed="nines")
    assert guest.balance == before - 1000 + 125 * 500
    assert hall.meter() == SEED + SHARE


def test_the_meter_never_falls_but_by_an_award(hall: TestHouse, stacked: Stack) -> None:
    """T-85, and the books hold after every round."""
    stacked("hit", KINGS)
    guest, last = hall.guest(), hall.meter()
    for number in range(40):
        seed = "hit" if number % 13 == 12 else f"r{number}"
        answer = guest.bet("top3", "1 main=5.00 progressive=5.00", level="low", client_seed=seed)
        won = sum(event["paid"] for event in answer["events"] if event["type"] == "award")
        meter = hall.meter()
        assert meter == (SEED if won else last + SHARE)
        while answer["status"] == "open":
            answer = guest.move(answer, answer["choices"][-1]["choice"])
        assert hall.meter() == meter, "moves do not touch it"
        last = meter
    assert all(check.ok for check in audit(hall.run(hall.store.books())))
