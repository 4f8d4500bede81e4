"""Sittings, a player's own limits and exclusions: the contract of responsible play.

2027-01-15 08:00 UTC, where the clock stands, is a Friday; the expected days and sums are worked
out by hand from the stacked cards.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.house.conftest import Guest, TestHouse, bet_request
from upcard.house import limits
from upcard.house.audit import audit
from upcard.house.ledger import VOID, Transfer
from upcard.house.limits import OwnLimit
from upcard.house.rounds import Settings
from upcard.house.sittings import DAY, PlayDay, Sitting, TooSoon
from upcard.refused import Refused

HOUR = 3_600
# threecard, 5.00 ante: the dealer has 20 (T-T), the player 12 to 16; a fold loses 5.00.
LOSES = "2h 4d 6s Tc Td 2c"
# The player has a blackjack, and the dealer's 20 qualifies: ante and raise win 1:1 (C-10).
WINS = "Ah Kd 6s Tc Td 2c"
# super21: a pair of eights against a six; each split hand gets a ten, the dealer draws to 21.
SPLITS = "8h 6c 8d Ts Th Kd 5c"


def at(text: str) -> int:
    """`2027-01-15 08:00` UTC in seconds."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


@pytest.fixture
def guest(hall: TestHouse, stacked: Callable[[str, str], None]) -> Guest:
    for name, cards in (("loses", LOSES), ("wins", WINS), ("splits", SPLITS)):
        stacked(name, cards)
    return hall.guest()


def lose(guest: Guest) -> None:
    """One round that costs 5.00."""
    dealt = guest.bet("threecard", "1 ante=5.00", client_seed="loses")
    assert guest.move(dealt, "fold")["status"] == "settled"


def standing(hall: TestHouse, guest: Guest) -> dict[str, Any]:
    found: dict[str, Any] = hall.run(hall.house.care.standing(guest.player))
    return found


def limit(hall: TestHouse, guest: Guest, **wanted: Any) -> None:
    hall.run(hall.house.care.set_limits(guest.player, wanted))  # type: ignore[arg-type]


def refused(code: str, act: Callable[[], Any]) -> str:
    with pytest.raises(Refused) as said:
        act()
    assert said.value.code == code
    return said.value.sentence


# Sittings


def test_a_sitting_counts_time_rounds_and_money(hall: TestHouse, guest: Guest) -> None:
    assert standing(hall, guest)["sitting"] is None
    lose(guest)
    hall.clock.now += 600
    guest.move(guest.bet("threecard", "1 ante=5.00", client_seed="wins"), "raise")
    hall.clock.now += 60
    assert standing(hall, guest)["sitting"] == {
        "began": at("2027-01-15 08:00"),
        "seconds": 660,
        "rounds": 2,
        "staked": 500 + 1_000,
        "paid": 0 + 2_000,
    }


def test_half_an_hour_s_pause_ends_a_sitting(hall: TestHouse, guest: Guest) -> None:
    lose(guest)
    hall.clock.now += 30 * 60
    lose(guest)
    assert standing(hall, guest)["sitting"]["rounds"] == 2
    hall.clock.now += 30 * 60 + 1
    assert standing(hall, guest)["sitting"] is None
    lose(guest)
    sitting = standing(hall, guest)["sitting"]
    assert (sitting["seconds"], sitting["rounds"], sitting["staked"]) == (0, 1, 500)


def test_a_sitting_goes_on_past_midnight(hall: TestHouse, guest: Guest) -> None:
    """Its days are kept apart, for the limits; it is one sitting all the same."""
    hall.clock.now = at("2027-01-15 23:50")
    lose(guest)
    hall.clock.now = at("2027-01-16 00:10")
    lose(guest)
    found = standing(hall, guest)
    assert (found["sitting"]["seconds"], found["sitting"]["rounds"]) == (1_200, 2)
    used = {period: each["used"] for period, each in found["limits"]["stake"].items()}
    assert used == {"day": 500, "week": 1_000, "month": 1_000}


def test_what_is_set_aside_is_not_staked(hall: TestHouse, guest: Guest) -> None:
    """C-06: the raise is reserved at DEAL, and staked by RAISE alone."""
    dealt = guest.bet("threecard", "1 ante=5.00", client_seed="loses")
    assert standing(hall, guest)["sitting"]["staked"] == 500
    guest.move(dealt, "raise")
    assert standing(hall, guest)["sitting"]["staked"] == 1_000


def test_a_split_counts(hall: TestHouse, guest: Guest) -> None:
    dealt = guest.bet("super21", "1 main=5.00", client_seed="splits")
    guest.move(dealt, "split")
    assert standing(hall, guest)["limits"]["stake"]["day"]["used"] == 1_000


def test_sittings_are_what_the_ledger_says(hall: TestHouse, guest: Guest) -> None:
    """A round that its player left counts as well (G-12), and is no sitting of its own."""
    for game, spot in (("ags", "1 main=5.00"), ("threecard", "1 ante=5.00")):
        guest.bet(game, spot)
    hall.clock.now += 40 * DAY
    hall.run(hall.house.finish_abandoned())
    assert standing(hall, guest)["sitting"] is None
    (kept,) = hall.run(hall.store.sittings(guest.player))
    assert kept.staked == 1_000
    assert guest.balance == 10_000_000 - kept.staked + kept.paid


def test_a_void_takes_its_round_out_of_the_result() -> None:
    """G-13: every transfer is reversed, what is set aside and released included."""
    sitting = Sitting(player="p", day=0, began=0, last=0, staked=1_500, paid=400)
    player, escrow, house = "player/p", "escrow/r", "house/threecard"
    reversed_ = [
        (house, player, 1_000), (escrow, player, 500), (player, escrow, 500),
        (player, house, 400), (escrow, player, 500),
    ]  # fmt: skip
    transfers = [
        Transfer(source="r", seq=2, n=n, debit=debit, credit=credit, cents=cents, code=VOID)
        for n, (debit, credit, cents) in enumerate(reversed_)
    ]
    after = sitting.counting(transfers)
    assert after.paid - after.staked == 400 - 1_500 + 1_000 + 500 - 500 - 400 + 500 == 0


# Limits


def test_a_loss_limit_stops_the_bet_that_could_pass_it(hall: TestHouse, guest: Guest) -> None:
    limit(hall, guest, loss={"day": 1_200})
    lose(guest)
    lose(guest)
    before = hall.run(hall.store.books())
    sentence = refused("own_limit", lambda: lose(guest))
    assert "12.00 a day" in sentence
    assert "2.00 are left until 2027-01-16 00:00 UTC" in sentence
    assert hall.run(hall.store.books()) == before
    hall.clock.now = at("2027-01-16 00:00")
    lose(guest)


def test_a_win_is_room_for_a_loss(hall: TestHouse, guest: Guest) -> None:
    limit(hall, guest, loss={"day": 500})
    guest.move(guest.bet("threecard", "1 ante=5.00", client_seed="wins"), "raise")
    assert standing(hall, guest)["limits"]["loss"]["day"]["used"] == -1_000
    for _ in range(3):
        lose(guest)
    refused("own_limit", lambda: lose(guest))


def test_a_stake_limit_knows_no_wins(hall: TestHouse, guest: Guest) -> None:
    limit(hall, guest, stake={"week": 1_400})
    guest.move(guest.bet("threecard", "1 ante=5.00", client_seed="wins"), "raise")
    assert "4.00 are left" in refused("own_limit", lambda: lose(guest))
    # The next Monday.
    hall.clock.now = at("2027-01-18 00:00") - 1
    refused("own_limit", lambda: lose(guest))
    hall.clock.now += 1
    lose(guest)


def test_a_choice_is_never_refused_by_a_limit_and_counts(hall: TestHouse, guest: Guest) -> None:
    limit(hall, guest, stake={"day": 600}, loss={"day": 600})
    dealt = guest.bet("super21", "1 main=5.00", client_seed="splits")
    assert guest.move(dealt, "split")["seq"] == 1
    left = refused("own_limit", lambda: guest.bet("ags", "1 main=1.00"))
    assert "; 0.00 are left" in left


def test_two_tabs_cannot_pass_a_limit_together(hall: TestHouse, guest: Guest) -> None:
    """Each bet alone fits, both do not: they are decided one after the other."""
    limit(hall, guest, stake={"day": 900})

    async def both() -> list[Any]:
        bets = [
            hall.house.bet(guest.player, f"race-{game}", bet_request(game, spot))
            for game, spot in (("ags", "1 main=5.00"), ("super21", "1 main=5.00"))
        ]
        return await asyncio.gather(*bets, return_exceptions=True)

    told = hall.run(both())
    assert [type(each) is Refused for each in told] == [False, True]
    assert len(hall.run(hall.store.books()).rounds) == 1


def test_lower_acts_at_once_and_higher_after_a_day(hall: TestHouse, guest: Guest) -> None:
    limit(hall, guest, loss={"day": 500})
    limit(hall, guest, loss={"day": 2_000})
    stands = standing(hall, guest)["limits"]["loss"]["day"]
    assert (stands["cents"], stands["next"]) == (
        500,
        {"cents": 2_000, "acts_at": at("2027-01-16 08:00")},
    )
    hall.clock.now = at("2027-01-16 08:00") - 1
    lose(guest)
    refused("own_limit", lambda: lose(guest))
    hall.clock.now += 1
    assert standing(hall, guest)["limits"]["loss"]["day"]["cents"] == 2_000
    lose(guest)
    limit(hall, guest, loss={"day": 100})
    assert standing(hall, guest)["limits"]["loss"]["day"]["cents"] == 100
    limit(hall, guest, loss={"day": None})
    stands = standing(hall, guest)["limits"]["loss"]["day"]
    assert (stands["cents"], stands["next"]["cents"]) == (100, None)
    hall.clock.now += DAY
    assert standing(hall, guest)["limits"]["loss"]["day"]["cents"] is None


def asked(*wishes: tuple[int, int | None, int]) -> list[OwnLimit]:
    return [
        OwnLimit(player="p", kind="loss", period="day", cents=cents, asked_at=when, acts_at=acts)
        for when, cents, acts in wishes
    ]


@pytest.mark.parametrize(
    ("wishes", "now", "cents", "coming"),
    [
        ([], 10, None, None),
        ([(0, 100, 0)], 10, 100, None),
        ([(0, 100, 0), (5, 500, 20)], 10, 100, 500),
        ([(0, 100, 0), (5, 500, 20)], 20, 500, None),
        # A lower wish takes the place of a higher one to come, and of one that has come.
        ([(0, 100, 0), (5, 500, 20), (6, 50, 6)], 30, 50, None),
        ([(0, 100, 0), (5, 500, 20), (25, 300, 25)], 30, 300, None),
        # Of two higher ones the later counts, from its own hour on.
        ([(0, 100, 0), (5, 500, 20), (6, 400, 21)], 20, 100, 400),
        ([(0, 100, 0), (5, 500, 20), (6, 400, 21)], 21, 400, None),
    ],
)
def test_what_becomes_of_wishes(
    wishes: list[tuple[int, int | None, int]], now: int, cents: int | None, coming: int | None
) -> None:
    """The contract: lower at once, higher after a day, the last wish counts."""
    stands = limits.standing(asked(*wishes), "loss", "day", now)
    assert (stands.cents, stands.coming and stands.coming.cents) == (cents, coming)


def test_the_same_wish_again_does_not_begin_the_day_anew() -> None:
    wishes = asked((0, 100, 0), (5, 500, DAY))
    assert limits.wish(wishes, "p", "loss", "day", 500, 10) is None
    kept = limits.wish(wishes, "p", "loss", "day", 100, 10)
    assert kept is not None
    assert (kept.cents, kept.acts_at) == (100, 10)
    assert limits.wish([], "p", "loss", "day", None, 10) is None


@pytest.mark.parametrize(
    ("period", "now", "first", "renews"),
    [
        ("day", "2027-01-15 08:00", "2027-01-15", "2027-01-16"),
        # 2027-01-15 is a Friday.
        ("week", "2027-01-15 08:00", "2027-01-11", "2027-01-18"),
        ("week", "2027-01-11 00:00", "2027-01-11", "2027-01-18"),
        ("week", "2027-01-17 23:59", "2027-01-11", "2027-01-18"),
        ("month", "2027-01-31 08:00", "2027-01-01", "2027-02-01"),
        ("month", "2027-02-28 08:00", "2027-02-01", "2027-03-01"),
        ("month", "2028-02-29 08:00", "2028-02-01", "2028-03-01"),
        ("month", "2027-12-31 23:59", "2027-12-01", "2028-01-01"),
    ],
)
def test_periods_are_those_of_the_calendar(
    period: limits.Period, now: str, first: str, renews: str
) -> None:
    assert limits.first_day(period, at(now) // DAY) * DAY == at(first + " 00:00")
    assert limits.renews_at(period, at(now)) == at(renews + " 00:00")


def test_a_period_holds_its_own_days() -> None:
    """The 11th to the 15th of January 2027 are one week, the 10th is another."""
    today = at("2027-01-15 08:00") // DAY
    days = [PlayDay(today - ago, 100, 30) for ago in range(31)]
    now = at("2027-01-15 08:00")
    used = [limits.used(days, "stake", period, now) for period in limits.PERIODS]
    assert used == [100, 500, 1_500]
    assert limits.used(days, "loss", "week", now) == 350


# Exclusions


def test_an_exclusion_stops_bets_and_nothing_else(hall: TestHouse, guest: Guest) -> None:
    dealt = guest.bet("threecard", "1 ante=5.00", client_seed="loses")
    hall.run(hall.house.care.exclude(guest.player, 7))
    before = hall.run(hall.store.books())
    sentence = refused("excluded", lambda: guest.bet("ags", "1 main=5.00"))
    assert "until 2027-01-22 08:00 UTC" in sentence
    assert hall.run(hall.store.books()) == before
    assert guest.move(dealt, "raise")["status"] == "settled"
    hall.clock.now = at("2027-01-22 08:00") - 1
    refused("excluded", lambda: lose(guest))
    hall.clock.now += 1
    lose(guest)
    assert standing(hall, guest)["exclusion"] is None


def test_an_exclusion_is_only_made_longer(hall: TestHouse, guest: Guest) -> None:
    hall.run(hall.house.care.exclude(guest.player, 30))
    for days in (1, 7, 30):
        with pytest.raises(Refused, match="only be made longer"):
            hall.run(hall.house.care.exclude(guest.player, days))
    longer = hall.run(hall.house.care.exclude(guest.player, 182))["exclusion"]
    assert longer == {
        "kind": "self_exclusion",
        "days": 182,
        "began": at("2027-01-15 08:00"),
        "ends": at("2027-01-15 08:00") + 182 * DAY,
    }
    refused("field", lambda: hall.run(hall.house.care.exclude(guest.player, 2)))


def test_a_repeated_bet_is_answered_as_before(hall: TestHouse, guest: Guest) -> None:
    """A lost answer is told again whatever was set since."""
    request = bet_request("threecard", "1 ante=5.00")
    first = hall.run(hall.house.bet(guest.player, "same", request))
    hall.run(hall.house.care.exclude(guest.player, 1))
    limit(hall, guest, stake={"day": 0})
    again = hall.run(hall.house.bet(guest.player, "same", request))
    assert (again.text, again.repeated) == (first.text, True)


# The pace of a house


def test_a_house_may_want_time_between_deals(hall: TestHouse, guest: Guest) -> None:
    """At any table of the player; the refused bet uses up neither nonce nor key."""
    hall.close()
    hall.settings = Settings(round_seconds_min=5)
    hall.open()
    guest.house, guest.store = hall.house, hall.store
    hall.clock.now += 0.9
    lose(guest)
    hall.clock.now += 4.9
    with pytest.raises(TooSoon, match="every 5 s at most; bet again in 1 s"):
        guest.bet("ags", "1 main=5.00")
    hall.clock.now += 0.1
    assert guest.bet("ags", "1 main=5.00")["nonce"] == 1
    neighbour = hall.guest()
    neighbour.bet("ags", "1 main=5.00")
    hall.clock.now += 2 * HOUR
    lose(guest)
    with pytest.raises(TooSoon, match="in 5 s"):
        lose(guest)


# The export


def exported(hall: TestHouse, guest: Guest) -> dict[str, Any]:
    async def whole() -> str:
        return "".join([part async for part in hall.house.care.export(guest.player)])

    document: dict[str, Any] = json.loads(hall.run(whole()))
    return document


def test_an_export_is_the_whole_account(hall: TestHouse, guest: Guest) -> None:
    """Its transfers make the balance to the cent, and its rounds are all there, newest first."""
    neighbour = hall.guest()
    lose(neighbour)
    for _ in range(60):
        lose(guest)
    hall.run(hall.house.refill(guest.player))
    limit(hall, guest, loss={"month": 100_000})
    open_ = guest.bet("threecard", "1 ante=5.00", client_seed="loses")
    hall.run(hall.house.care.exclude(guest.player, 1))
    document = exported(hall, guest)
    rounds = document["rounds"]
    assert (len(rounds), rounds[0]["round"]) == (61, open_["round"])
    assert len({each["round"] for each in rounds}) == 61
    account = f"player/{guest.player}"
    moved = [*document["play_money"], *(one for each in rounds for one in each["transfers"])]
    assert {one["code"] for one in document["play_money"]} == {"play_money"}
    assert document["balance"] == guest.balance
    assert guest.balance == sum(
        one["cents"] if one["credit"] == account else -one["cents"] for one in moved
    )
    assert sum(each["staked"] for each in document["sittings"]) == 61 * 500
    assert [each["cents"] for each in document["limits"]] == [100_000]
    assert [each["days"] for each in document["exclusions"]] == [1]
    assert neighbour.player not in json.dumps(document)
    assert [(each["choice"], each["at"]) for each in rounds[1]["chosen"]] == [
        ("fold", at("2027-01-15 08:00"))
    ]


def test_an_export_tells_no_secret_of_an_open_round(hall: TestHouse, guest: Guest) -> None:
    guest.bet("threecard", "1 ante=5.00")
    text = json.dumps(exported(hall, guest))
    assert json.loads(text)["rounds"][0]["server_seed"] is None
    for stored in hall.run(hall.store.books()).rounds:
        assert stored.inputs.server_seed.hex() not in text
    for seat in hall.run(hall.store.seats(guest.player)):
        assert seat.server_seed.hex() not in text
    assert not [check for check in audit(hall.run(hall.store.books())) if not check.ok]
