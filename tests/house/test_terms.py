"""The terms of a meter change by a journalled command alone, and every round keeps its own (T-85).

Stakes are 5.00. At first 0.85 of each enters a meter that starts at 10,000.00.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import apsw
import pytest

from tests.house.conftest import Guest, TestHouse, drop_triggers
from upcard.cli import main
from upcard.house.audit import audit
from upcard.house.journal import StoredStep
from upcard.house.rounds import House
from upcard.house.store.opening import open_store
from upcard.house.terms import TermsChange
from upcard.refused import Refused
from upcard.sidebets import Pool

ON_EACH_STORE = True
KINGS = "Kh Kh Kh 5c 6d 7s 8c 9c Tc"
"""The player's two kings and the dealer's third, all hearts: the whole meter."""
LOSS = "2h 7d Kh 5c 6d Th 8c 9c Tc 4d"
"""Nothing that a meter or its house pays for."""
Stack = Callable[[str, str], None]


def _change(command: str = "c1", **terms: object) -> TermsChange:
    change = TermsChange(key="top3", operator="Ada", reason="a test", command=command)
    return replace(change, **terms)  # type: ignore[arg-type]


def _play(guest: Guest, client_seed: str) -> None:
    answer = guest.bet("top3", "1 main=5.00 progressive=5.00", level="low", client_seed=client_seed)
    while answer["status"] == "open":
        answer = guest.move(answer, "stand")


def _audited(hall: TestHouse) -> list[str]:
    return [each.sentence for each in audit(hall.run(hall.store.books())) if not each.ok]


@pytest.fixture
def guest(hall: TestHouse, stacked: Stack) -> Guest:
    stacked("kings", KINGS)
    stacked("loss", LOSS)
    return hall.guest()


def test_another_share_counts_from_the_next_bet_on(hall: TestHouse, guest: Guest) -> None:
    """What was dealt before replays as it was: 0.85 of the first stake, 1.00 of the second."""
    _play(guest, "loss")
    assert hall.meter() == 1_000_085
    hall.run(hall.house.change_terms(_change(share=Fraction(1, 5))))
    _play(guest, "loss")
    assert hall.meter() == 1_000_185
    (jackpot,) = hall.run(hall.house.jackpots())["jackpots"]
    assert (jackpot["share"], jackpot["seed"]) == (0.2, 1_000_000)
    assert _audited(hall) == []


def test_another_seed_counts_from_the_next_win_on(hall: TestHouse, guest: Guest) -> None:
    hall.run(hall.house.change_terms(_change(seed=2_000_000)))
    assert hall.meter() == 1_000_000, "a change moves no money"
    _play(guest, "kings")
    assert hall.meter() == 2_000_000
    # The house gave both seeds; its twenty-one won 5.00, and of the side bet it kept 4.15.
    assert hall.cents("house/top3") == -1_000_000 - 2_000_000 + 500 + 415
    assert _audited(hall) == []


def test_what_is_above_the_cap_is_put_aside_when_the_meter_is_won(
    hall: TestHouse, guest: Guest
) -> None:
    """Three contributions of 0.85 under a cap of 1.00 above the seed: 1.00 is won, 1.55 is not."""
    hall.run(hall.house.change_terms(_change(cap=1_000_100)))
    _play(guest, "loss")
    assert hall.meter() == 1_000_085
    _play(guest, "loss")
    assert hall.meter() == 1_000_100
    before = guest.balance
    answer = guest.bet("top3", "1 main=5.00 progressive=5.00", level="low", client_seed="kings")
    (award,) = [event for event in answer["events"] if event["type"] == "award"]
    assert (award["meter"], award["paid"]) == (1_000_100, 1_000_100)
    assert guest.balance <= before - 1_000 + 1_000_100 + 1_000
    assert hall.meter() == 1_000_000
    assert hall.cents("reserve/top3") == 3 * 85 - 100
    assert _audited(hall) == []


def test_a_cap_can_be_lifted(hall: TestHouse, guest: Guest) -> None:
    hall.run(hall.house.change_terms(_change(cap=1_000_010)))
    _play(guest, "loss")
    assert hall.meter() == 1_000_010
    hall.run(hall.house.change_terms(_change("c2", no_cap=True)))
    assert hall.meter() == 1_000_085
    assert _audited(hall) == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_change(share=Fraction(1, 3)), "broken cent"),
        (_change(share=Fraction(1)), "less than 1"),
        (_change(seed=0), "more than 0"),
        (_change(cap=999_999), "not less than the seed"),
        (_change(cap=1_000_084), "stands at 10000.85"),
        (_change(seed=1_000_000), "already"),
        (replace(_change(seed=5), key="moon"), "'moon' is no meter; there is top3"),
    ],
)
def test_what_cannot_be_changed_is_refused_and_not_journalled(
    hall: TestHouse, guest: Guest, change: TermsChange, says: str
) -> None:
    _play(guest, "loss")
    with pytest.raises(Refused, match=says):
        hall.run(hall.house.change_terms(change))
    assert hall.run(hall.store.steps("meter/top3")) == ()


def test_a_change_that_is_sent_again_is_made_once(
    hall: TestHouse, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a lost connection; and of two operators at once one is told to look again."""
    looks, all_have_looked = itertools.count(1), asyncio.Event()
    honest = hall.store.steps

    async def seen_together(source: str) -> tuple[StoredStep, ...]:
        found = await honest(source)
        if next(looks) == 3:
            all_have_looked.set()
        await all_have_looked.wait()
        return found

    async def all_at_once() -> list[object]:
        changes = [_change("c1", seed=1_100_000), _change("c2", cap=2_000_000)]
        work = [hall.house.change_terms(change) for change in (*changes, changes[0])]
        return await asyncio.gather(*work, return_exceptions=True)

    with monkeypatch.context() as patched:
        patched.setattr(hall.store, "steps", seen_together)
        first, second, first_again = hall.run(all_at_once())
    # Either may be the first to be written, where several connections write.
    late = second if isinstance(first, Pool) else first
    assert isinstance(late, Refused)
    assert "meanwhile" in late.sentence
    assert str(first) == str(first_again)
    (terms,) = hall.run(hall.house.terms())
    assert terms == (first if isinstance(first, Pool) else second)
    assert (terms.seed, terms.cap) in [(1_100_000, None), (1_000_000, 2_000_000)]
    steps = hall.run(hall.store.steps("meter/top3"))
    assert [step.seq for step in steps] == [0]
    assert '"operator":"Ada"' in steps[0].answer
    assert guest.balance == 10_000_000


def test_the_audit_finds_a_round_under_terms_that_nobody_journalled(
    file_hall: TestHouse, stacked: Stack
) -> None:
    stacked("loss", LOSS)
    file_hall.run(file_hall.house.change_terms(_change(share=Fraction(1, 5))))
    _play(file_hall.guest(), "loss")
    assert _audited(file_hall) == []
    with closing(apsw.Connection(str(file_hall.path))) as db:
        drop_triggers(db)
        db.execute("DELETE FROM step WHERE round = 'meter/top3'")
    assert any("nobody journalled" in sentence for sentence in _audited(file_hall))


def test_an_operator_changes_and_reads_the_terms(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Contract: an answer on stdout, a refusal as one line with exit code 2."""
    path = tmp_path / "house.db"
    change = ["jackpot", "set", "top3", "--db", str(path), "--operator", "Ada", "--reason", "xmas"]
    assert main([*change, "--seed", "2000000"]) == 2
    assert "does not exist" in capsys.readouterr().err

    async def found() -> None:
        store = open_store(str(path))
        await House(store, clock=lambda: 0.0, entropy=bytes).open()
        await store.close()

    asyncio.run(found())
    assert main([*change, "--seed", "2000000", "--share", "0.2", "--cap", "9000000"]) == 0
    assert capsys.readouterr().out == (
        "top3: 10000.00 after 0 wins; seed 20000.00, share 1/5, cap 90000.00\n"
    )
    for wrong in (["--share", "a lot"], ["--cap", "5", "--no-cap"], ["--share", "1/3"], []):
        assert main([*change, *wrong]) == 2
        out, error = capsys.readouterr()
        assert (out, error.count("\n")) == ("", 1)
    assert main(["jackpot", "show", "--db", str(path), "--json"]) == 0
    assert '"cap": 9000000' in capsys.readouterr().out
