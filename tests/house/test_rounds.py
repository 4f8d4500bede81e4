"""The house by its commands: repeats, races, refusals, reserves, refill, history, sessions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from tests.house.conftest import Guest, TestHouse, bet_request, told
from upcard.house.audit import audit
from upcard.house.journal import StoredRound
from upcard.house.recover import check_open_rounds
from upcard.house.rounds import DAY, RoundOpen
from upcard.house.store import Session, Writes
from upcard.refused import Refused

ON_EACH_STORE = True
Stack = Callable[[str, str], None]

TWENTY = "Th 7c Td Ts 5c 5d"
"""One spot: ten-ten against a seven, seventeen in the hand of the dealer."""


def _ledger(hall: TestHouse) -> tuple[int, list[int]]:
    """What must not change when something is refused: transfers and nonces."""
    books = hall.run(hall.store.books())
    return len(books.transfers), [stored.seq for stored in books.rounds]


def _nonce(hall: TestHouse, guest: Guest, game: str) -> int:
    nonce: int = hall.run(hall.house.session(guest.player))["games"][game]["nonce"]
    return nonce


def test_a_guest_starts_with_play_money_and_a_commit_for_every_game(hall: TestHouse) -> None:
    session = hall.run(hall.house.session(hall.guest().player))
    assert session["balance"] == 10_000_000
    assert list(session["games"]) == ["top3", "threecard", "super21", "ags"]
    commits = {game["commit"] for game in session["games"].values()}
    assert len(commits) == 4
    assert all(game["nonce"] == 1 and game["open"] is None for game in session["games"].values())


def test_stakes_leave_the_balance_at_deal_and_come_back_at_settlement(
    hall: TestHouse, stacked: Stack
) -> None:
    """G-08, T-80: a win returns the stake too; balance = before - staked + paid."""
    stacked("20", TWENTY)
    guest = hall.guest()
    dealt = guest.bet("top3", "1 main=10.00", level="low", client_seed="20")
    assert (dealt["balance"], guest.balance) == (9_999_000, 9_999_000)
    assert dealt["server_seed"] is None
    ended = guest.move(dealt, "stand")
    assert ended["status"] == "settled"
    assert ended["events"][-1] == {"n": 8, "type": "settled", "staked": 1000, "paid": 2000}
    assert (ended["balance"], guest.balance) == (10_001_000, 10_001_000)
    assert len(bytes.fromhex(ended["server_seed"])) == 64


def test_the_same_key_and_bet_again_is_answered_word_for_word(hall: TestHouse) -> None:
    guest = hall.guest()
    request = bet_request("ags", "1 main=5.00")
    first = hall.run(hall.house.bet(guest.player, "k", request))
    before = _ledger(hall)
    again = hall.run(hall.house.bet(guest.player, "k", request))
    assert again.text == first.text
    assert again.repeated
    assert not first.repeated
    assert _ledger(hall) == before


def test_the_same_key_with_another_bet_is_refused(hall: TestHouse) -> None:
    guest = hall.guest()
    hall.run(hall.house.bet(guest.player, "k", bet_request("ags", "1 main=5.00")))
    before = _ledger(hall)
    with pytest.raises(Refused) as refused:
        hall.run(hall.house.bet(guest.player, "k", bet_request("ags", "1 main=6.00")))
    assert refused.value.code == "key_reused"
    assert _ledger(hall) == before


def test_a_key_is_a_players_own(hall: TestHouse) -> None:
    for guest in (hall.guest(), hall.guest()):
        hall.run(hall.house.bet(guest.player, "k", bet_request("ags", "1 main=5.00")))
        assert guest.balance <= 10_000_000


def test_one_open_round_per_player_and_game(hall: TestHouse, stacked: Stack) -> None:
    """G-12: a new deal answers with the open round; another game is free."""
    stacked("20", TWENTY)
    guest = hall.guest()
    open_ = guest.bet("top3", "1 main=10.00", level="low", client_seed="20")
    before = _ledger(hall)
    with pytest.raises(RoundOpen) as refused:
        guest.bet("top3", "1 main=10.00", level="low")
    assert refused.value.code == "round_open"
    assert refused.value.open["round"] == open_["round"]
    assert refused.value.open["events"] == open_["events"]
    assert _ledger(hall) == before
    guest.bet("super21", "1 main=10.00")


def test_a_refused_bet_uses_up_neither_nonce_nor_key(hall: TestHouse) -> None:
    """G-08: all bets in one step or none."""
    guest = hall.guest()
    for spots, code in [
        (["1 main=10.00", "2 main=5001.00"], "limit"),
        (["1 main=10.50"], "step"),
        ([], "bet_needs"),
        (["1 main=10.00", "4 main=10.00"], "field"),
        (["1 raise=10.00"], "field"),
    ]:
        before = _ledger(hall)
        with pytest.raises(Refused) as refused:
            hall.run(hall.house.bet(guest.player, "k", bet_request("ags", *spots)))
        assert refused.value.code == code
        assert _ledger(hall) == before
        assert _nonce(hall, guest, "ags") == 1
    hall.run(hall.house.bet(guest.player, "k", bet_request("ags", "1 main=10.00")))
    assert _nonce(hall, guest, "ags") == 2


def test_bets_above_the_balance_are_refused_whole(hall: TestHouse) -> None:
    hall.settings = hall.settings.__class__(play_money=100_000)
    hall.close()
    hall.open()
    guest = hall.guest()
    with pytest.raises(Refused, match=r"cost 1000\.01|cost 1500\.00") as refused:
        guest.bet("ags", "1 main=500.00", "2 main=500.00", "3 main=500.00")
    assert refused.value.code == "funds"
    assert guest.balance == 100_000


def test_threecard_deals_only_when_the_raise_is_covered_too(hall: TestHouse) -> None:
    """C-06: two antes and Ace Plus; the second ante is set aside, and released on FOLD."""
    hall.settings = hall.settings.__class__(play_money=10_000)
    hall.close()
    hall.open()
    guest = hall.guest()
    with pytest.raises(Refused, match="set aside") as refused:
        guest.bet("threecard", "1 ante=48.00 ace_plus=5.00")
    assert refused.value.code == "funds"
    dealt = guest.bet("threecard", "1 ante=45.00 ace_plus=10.00")
    assert dealt["balance"] == 0
    assert [(choice["choice"], choice["enabled"]) for choice in dealt["choices"]] == [
        ("raise", True),
        ("fold", True),
    ]
    folded = guest.move(dealt, "fold")
    ace_plus = next(e["paid"] for e in folded["events"] if e.get("bet") == "ace_plus")
    assert folded["balance"] == 4_500 + ace_plus


def test_a_choice_beyond_the_balance_is_shown_disabled_and_refused(
    hall: TestHouse, stacked: Stack
) -> None:
    """G-07: needs its whole amount; disabled with the reason, never made in part."""
    hall.settings = hall.settings.__class__(play_money=1_500)
    hall.close()
    hall.open()
    guest = hall.guest()
    stacked("11", "6h 7c 5d Ts 9c 5d")
    dealt = guest.bet("ags", "1 main=10.00", client_seed="11")
    double = next(choice for choice in dealt["choices"] if choice["choice"] == "double")
    assert (double["cost"], double["enabled"]) == (1000, False)
    assert "5.00" in double["why"]
    before = _ledger(hall)
    with pytest.raises(Refused) as refused:
        guest.move(dealt, "double")
    assert refused.value.code == "funds"
    assert _ledger(hall) == before


def test_wins_paid_earlier_in_the_round_count_as_balance(hall: TestHouse, stacked: Stack) -> None:
    """G-07: 9.00 is left after the bets, Pairs Pay brings 11.00 back, and the double is open."""
    hall.settings = hall.settings.__class__(play_money=2_000)
    hall.close()
    hall.open()
    guest = hall.guest()
    stacked("pair", "5h 7c 5d Ts 9c 5d")
    dealt = guest.bet(
        "ags", "1 main=10.00 pairs_pay=1.00", side_bets=("pairs_pay", "in_bet"), client_seed="pair"
    )
    assert dealt["balance"] == 900 + 1_100
    double = next(choice for choice in dealt["choices"] if choice["choice"] == "double")
    assert double["enabled"]


def test_a_move_again_is_answered_word_for_word_and_another_is_stale(
    hall: TestHouse, stacked: Stack
) -> None:
    stacked("hits", "2h 7c 3d Ts 2c 2d 2s 9h 9d")
    guest = hall.guest()
    dealt = guest.bet("ags", "1 main=10.00", client_seed="hits")
    first = hall.run(hall.house.move(guest.player, dealt["round"], 0, "hit"))
    before = _ledger(hall)
    again = hall.run(hall.house.move(guest.player, dealt["round"], 0, "hit"))
    assert again.text == first.text
    for seq, choice in [(0, "stand"), (5, "hit"), (-1, "hit")]:
        with pytest.raises(Refused) as refused:
            hall.run(hall.house.move(guest.player, dealt["round"], seq, choice))  # type: ignore[arg-type]
        assert refused.value.code == "stale"
    assert _ledger(hall) == before


def test_two_tabs_racing_make_one_move(hall: TestHouse, stacked: Stack) -> None:
    stacked("hits", "2h 7c 3d Ts 2c 2d 2s 9h 9d")
    guest = hall.guest()
    dealt = guest.bet("ags", "1 main=10.00", client_seed="hits")

    async def race() -> list[object]:
        moves = [hall.house.move(guest.player, dealt["round"], 0, "hit") for _ in range(8)]
        other = hall.house.move(guest.player, dealt["round"], 0, "stand")
        return await asyncio.gather(*moves, other, return_exceptions=True)

    *hits, stand = hall.run(race())
    assert len({answer.text for answer in hits}) == 1  # type: ignore[attr-defined]
    assert isinstance(stand, Refused)
    assert stand.code == "stale"
    assert hall.run(hall.house.look(guest.player, dealt["round"]))["seq"] == 1


def test_a_choice_that_is_not_offered_is_refused(hall: TestHouse, stacked: Stack) -> None:
    stacked("20", TWENTY)
    guest = hall.guest()
    dealt = guest.bet("top3", "1 main=10.00", level="low", client_seed="20")
    before = _ledger(hall)
    for choice in ("rescue", "insurance", "raise"):
        with pytest.raises(Refused, match="hit, stand") as refused:
            guest.move(dealt, choice)
        assert refused.value.code == "choice"
    assert _ledger(hall) == before


def test_a_settled_round_takes_no_move(hall: TestHouse, stacked: Stack) -> None:
    stacked("20", TWENTY)
    guest = hall.guest()
    ended = guest.move(guest.bet("top3", "1 main=5.00", level="low", client_seed="20"), "stand")
    with pytest.raises(Refused) as refused:
        guest.move(ended, "hit")
    assert refused.value.code == "settled"


def test_foreign_and_unknown_rounds_look_alike(hall: TestHouse) -> None:
    owner, other = hall.guest(), hall.guest()
    answer = owner.bet("ags", "1 main=5.00")
    sentences = set()
    for round_ in (answer["round"], "0123456789"):
        for work in (
            hall.house.look(other.player, round_),
            hall.house.proof(other.player, round_),
            hall.house.move(other.player, round_, 0, "hit"),
        ):
            with pytest.raises(Refused) as refused:
                hall.run(work)
            assert refused.value.code == "not_found"
            sentences.add(refused.value.sentence)
    assert len(sentences) == 1


def test_the_proof_waits_for_the_end(hall: TestHouse, stacked: Stack) -> None:
    stacked("20", TWENTY)
    guest = hall.guest()
    dealt = guest.bet("top3", "1 main=5.00", level="low", client_seed="20")
    with pytest.raises(Refused) as refused:
        hall.run(hall.house.proof(guest.player, dealt["round"]))
    assert refused.value.code == "open"


def test_refill_restores_play_money_when_no_round_is_open(hall: TestHouse, stacked: Stack) -> None:
    stacked("bust", "Th 7c 6d Ts Kc 5d")
    guest = hall.guest()
    dealt = guest.bet("top3", "1 main=50.00", level="low", client_seed="bust")
    with pytest.raises(Refused) as refused:
        hall.run(hall.house.refill(guest.player))
    assert refused.value.code == "open"
    guest.move(dealt, "hit")
    assert guest.balance == 10_000_000 - 5_000
    hall.run(hall.house.refill(guest.player))
    hall.run(hall.house.refill(guest.player))
    assert guest.balance == 10_000_000


def test_refill_takes_nothing_from_a_winner(hall: TestHouse, stacked: Stack) -> None:
    stacked("20", TWENTY)
    guest = hall.guest()
    guest.move(guest.bet("top3", "1 main=50.00", level="low", client_seed="20"), "stand")
    hall.run(hall.house.refill(guest.player))
    assert guest.balance == 10_005_000


def test_sessions_end_and_tokens_are_kept_as_hashes(file_hall: TestHouse) -> None:
    player, token = file_hall.run(file_hall.house.new_session())
    assert file_hall.run(file_hall.house.player_of(token)) == player
    for wrong in (None, "", "forged", token.upper()):
        with pytest.raises(Refused) as refused:
            file_hall.run(file_hall.house.player_of(wrong))
        assert refused.value.code == "no_session"
    written = [file.read_bytes() for file in file_hall.path.parent.glob("house.db*")]
    assert any(player.encode() in content for content in written), "it is in the log, not the file"
    assert not any(token.encode() in content for content in written)
    file_hall.clock.now += 365 * DAY + 1
    with pytest.raises(Refused, match="session"):
        file_hall.run(file_hall.house.player_of(token))


def test_nothing_is_played_in_a_session_that_has_ended(hall: TestHouse) -> None:
    """Though it stood when its player came: the bet or move itself looks again. Nor does another
    player's session serve."""
    guest = hall.guest()
    session = Session(token_hash="mine", player=guest.player, expires=int(hall.clock.now) + DAY)
    theirs = Session(token_hash="theirs", player=hall.guest().player, expires=session.expires)
    for one in (session, theirs):
        hall.write(Writes(session=one), one.player)
    bets = (bet_request("threecard", "1 ante=5.00"), bet_request("ags", "1 main=5.00"))
    work = hall.house.bet(guest.player, "first", bets[0], session="mine")
    answer = told(hall.run(work).text)
    hall.write(Writes(ended_sessions=["mine"]), guest.player)
    balance = guest.balance
    for named in ("mine", "theirs", "unknown"):
        move = hall.house.move(guest.player, answer["round"], 0, "fold", session=named)
        bet = hall.house.bet(guest.player, "second", bets[1], session=named)
        for work in (move, bet):
            with pytest.raises(Refused) as refused:
                hall.run(work)
            assert refused.value.code == "no_session"
    assert guest.balance == balance
    assert len(hall.run(hall.store.steps(answer["round"]))) == 1


def test_history_pages_through_every_round_newest_first(hall: TestHouse) -> None:
    guest = hall.guest()
    played = []
    for _ in range(7):
        answer = guest.bet("ags", "1 trifecta=1.00")
        assert answer["status"] == "settled", "a side bet alone asks nothing (A-15)"
        played.append((answer["round"], hall.clock.now))
        hall.clock.now += 60
    seen, before = [], None
    for _ in range(4):
        page = hall.run(hall.house.history(guest.player, before, 2))
        seen += [(round_["round"], round_["opened_at"]) for round_ in page["rounds"]]
        before = page["next"]
    assert seen == played[::-1]
    assert before is None


def test_an_abandoned_round_is_finished_after_the_stated_period(
    hall: TestHouse, stacked: Stack
) -> None:
    """G-12: without insurance, hands stand, three cards fold, and it shows in the history."""
    stacked("ace", "Th 8d Ac 6s 9h 7c")
    stacked("three", "2c 3d 9h Kd 7s Qc")
    guest = hall.guest()
    asked = guest.bet("top3", "1 main=10.00", "2 main=10.00", level="low", client_seed="ace")
    assert asked["choices"][0]["choice"] == "insurance"
    three = guest.bet("threecard", "1 ante=10.00", client_seed="three")
    hall.clock.now += 30 * DAY
    assert hall.run(hall.house.finish_abandoned()) == []
    hall.clock.now += 1
    finished = hall.run(hall.house.finish_abandoned())
    assert set(finished) == {asked["round"], three["round"]}
    ended = hall.run(hall.house.look(guest.player, asked["round"]))
    chosen = [(e["spot"], e["choice"]) for e in ended["events"] if e["type"] == "choice"]
    assert chosen == [(1, "no_insurance"), (2, "no_insurance"), (1, "stand"), (2, "stand")]
    folded = hall.run(hall.house.look(guest.player, three["round"]))
    assert [e["choice"] for e in folded["events"] if e["type"] == "choice"] == ["fold"]
    assert hall.run(hall.house.finish_abandoned()) == []
    assert all(check.ok for check in audit(hall.run(hall.store.books())))


def test_a_look_equals_what_was_told_step_by_step(hall: TestHouse) -> None:
    guest = hall.guest()
    for number in range(30):
        answer = guest.bet("super21", "1 main=5.00", client_seed=f"s{number}")
        events = list(answer["events"])
        while answer["status"] == "open":
            answer = guest.move(
                answer, answer["choices"][number % len(answer["choices"])]["choice"]
            )
            events += answer["events"]
        looked = hall.run(hall.house.look(guest.player, answer["round"]))
        answer.pop("receipt", None)  # which the answer of a bet has
        assert looked == {**answer, "events": events}


def test_the_next_commit_comes_with_the_answer_that_takes_the_bet(hall: TestHouse) -> None:
    """Protocol upcard/1, step 1: every commit was shown before its bet."""
    guest = hall.guest()
    shown = hall.run(hall.house.session(guest.player))["games"]["ags"]
    commits = {shown["commit"]}
    for nonce in range(1, 6):
        answer = guest.bet("ags", "1 pairs_pay=1.00", side_bets=("pairs_pay", "in_bet"))
        assert (answer["commit"], answer["nonce"]) == (shown["commit"], nonce)
        shown = answer["next"]
        commits.add(shown["commit"])
    assert len(commits) == 6, "a seed that was shown is never used again"


def test_a_table_of_decks_and_side_bets_is_kept_with_the_round(hall: TestHouse) -> None:
    guest = hall.guest()
    answer = guest.bet("top3", "1 main=5.00", level="low", decks=8)
    while answer["status"] == "open":
        answer = guest.move(
            answer, "stand" if answer["choices"][1]["choice"] == "stand" else "no_insurance"
        )
    assert hall.run(hall.house.proof(guest.player, answer["round"]))["decks"] == 8
    with pytest.raises(Refused, match="6, 7 or 8"):
        guest.bet("top3", "1 main=5.00", level="low", decks=5)


def test_a_local_guest_is_made_once_and_known_by_name(hall: TestHouse) -> None:
    """G-12: purse and open rounds wait for whoever plays without a session, restart or not."""
    player = hall.run(hall.house.local_guest("table"))
    guest = Guest(hall.house, hall.store, hall.run, player)
    guest.bet("ags", "1 trifecta=1.00")
    before, balance = _ledger(hall), guest.balance
    hall.close()
    hall.open()
    assert hall.run(hall.house.local_guest("table")) == player
    assert hall.run(hall.house.local_guest("other")) != player
    guest = Guest(hall.house, hall.store, hall.run, player)
    assert (guest.balance, _nonce(hall, guest, "ags")) == (balance, 2)
    assert _ledger(hall)[0] == before[0] + 1, "the other guest's play money alone"
    assert all(check.ok for check in audit(hall.run(hall.store.books())))


def test_local_guests_that_race_get_their_play_money_once(hall: TestHouse) -> None:
    async def race() -> list[str]:
        return await asyncio.gather(*(hall.house.local_guest("table") for _ in range(4)))

    (player,) = set(hall.run(race()))
    assert hall.cents(f"player/{player}") == 10_000_000
    session = hall.run(hall.house.session(player))
    assert [game["nonce"] for game in session["games"].values()] == [1, 1, 1, 1]


def test_open_rounds_are_looked_at_while_another_process_goes_on(
    hall: TestHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A house that begins beside others meets rounds that have moved since it began to read."""
    guest = hall.guest()
    answer = guest.bet("threecard", "1 ante=5.00")
    before = hall.run(hall.store.open_rounds())
    guest.move(answer, "fold")

    async def as_before(touched_before: int | None = None) -> tuple[StoredRound, ...]:
        return before

    monkeypatch.setattr(hall.store, "open_rounds", as_before)
    hall.run(check_open_rounds(hall.store))
