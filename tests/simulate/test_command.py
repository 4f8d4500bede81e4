"""`upcard simulate` (contract, section 4): its answer, its files, a line for what cannot be."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet  # type: ignore[import-untyped]
import pytest

from upcard.cli import main
from upcard.games import ANALYSED, find
from upcard.maths import report
from upcard.simulate import simulate
from upcard.simulate.strategies import best_chart

Capture = pytest.CaptureFixture[str]
FEW = ["--rounds", "20000", "--seed", "1"]


def answer(capsys: Capture, *words: str) -> Any:
    assert main(["simulate", *words, "--json"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    return json.loads(told.out)


def refused(capsys: Capture, *words: str) -> str:
    assert main(["simulate", *words]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    return told.err


@pytest.mark.parametrize("key", [game.key for game in ANALYSED])
def test_the_contract_s_fields(key: str, capsys: Capture) -> None:
    game = find(key, ANALYSED)
    bets = [side.key for side in game.side_bets][: game.side_bets_open_max]
    words = ["--bets", ",".join(bets)] if bets else []
    found = answer(capsys, key, *FEW, *words)
    assert {*found} >= {"rounds", "ev", "se", "sd", "mean_stake", "side_bets", "seconds",
                        "rounds_per_second"}  # fmt: skip
    assert found["rounds"] == 20000
    assert {*found["side_bets"]} == {*bets}
    for side in found["side_bets"].values():
        assert {"rtp", "se", "hit"} <= {*side}
    assert sum(found["nets"]["count"]) == 20000
    assert found["se"] == pytest.approx(found["sd"] / math.sqrt(20000), rel=1e-6)


def test_counts_accept_1e4_and_variants_are_played(capsys: Capture) -> None:
    """`--set`, `--pays` and `--decks` change what is played."""
    plain = answer(capsys, "top3", "--rounds", "1e4", "--seed", "1", "--bets", "classic")
    assert plain["rounds"] == 10_000
    words = ["--set", "natural=1:1", "--pays", "classic.flush=8:1", "--decks", "8"]
    other = answer(capsys, "top3", "--rounds", "1e4", "--seed", "1", "--bets", "classic", *words)
    assert other["ev"] < plain["ev"]


def test_without_json_it_is_told_in_words(capsys: Capture) -> None:
    words = ["--bets", "progressive", "--set", "decks=7"]
    assert main(["simulate", "top3", *FEW, *words]) == 0
    told = capsys.readouterr().out
    assert "seed 1: 20,000 rounds" in told
    assert "progressive: returns" in told


def test_bankrolls(capsys: Capture) -> None:
    """A bankroll of one bet and a sitting of one round: ruined by whatever is lost (and by a
    surrender); the quantiles are in order."""
    words = ["--bankroll", "100", "--sitting", "1", "--rounds", "200000", "--seed", "3"]
    found = answer(capsys, "blackjack", *words)
    nets = simulate("blackjack", rounds=200_000, seed=3).table("nets")
    lost = sum(n for net, n in zip(nets["net"], nets["count"], strict=True) if net < 0)
    assert found["sittings"] == 200_000
    error = math.sqrt(2 * 0.25 / 200_000)
    assert found["risk_of_ruin"] == pytest.approx(lost / 200_000, abs=4 * error)
    words = ["--bankroll", "5000", "--sitting", "500", "--rounds", "1e6", "--seed", "3"]
    found = answer(capsys, "top3", *words, "--bets", "classic,progressive")
    quantiles = [*found["final_quantiles"].values()]
    assert quantiles == sorted(quantiles)
    assert 0 < found["risk_of_ruin"] < 1
    assert (
        answer(capsys, "top3", *words, "--bets", "classic,progressive", "--workers", "1") == found
    )


def test_ruin_of_an_even_game(capsys: Capture) -> None:
    """The gambler's ruin, by a theorem for a walk of steps with mean m and variance v: with a
    bankroll far above one bet the chance of ever being ruined is exp(2 m b / v), m being positive;
    of many long sittings nearly so many are."""
    words = ["--set", "natural=3:1", "--bankroll", "2000", "--sitting", "20000", "--seed", "5"]
    found = answer(capsys, "blackjack", *words, "--rounds", "4e7")
    game = find("blackjack", ANALYSED).with_rule("natural", "3:1")
    odds = report.odds(game)["main"]
    expected = math.exp(-2 * odds["ev"] * 20 / odds["sd"] ** 2)
    # Overshoot: ruin comes a little before the bankroll is quite gone, and by a double beyond it.
    assert found["risk_of_ruin"] == pytest.approx(expected, abs=4 * found["risk_of_ruin_se"] + 0.03)


def test_parquet_has_a_row_for_each_chunk(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "chunks.parquet"
    found = answer(capsys, "top3", "--rounds", "3e6", "--seed", "1", "--parquet", str(file))
    rows = pyarrow.parquet.read_table(file).to_pydict()
    assert rows["chunk"] == [0, 1]
    assert sum(rows["rounds"]) == 3_000_000
    assert sum(rows["1_main_net"]) / 3e6 / 100 == pytest.approx(found["ev"])
    assert [*tmp_path.iterdir()] == [file]


def test_ctrl_c_ends_it_with_what_was_done(tmp_path: Path) -> None:
    """Exit 130, an answer, and a checkpoint to go on from."""
    file = tmp_path / "run.json"
    command = [sys.executable, "-m", "upcard", "simulate", "threecard", "--rounds", "1e12",
               "--seed", "1", "--json", "--checkpoint", str(file)]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not file.exists():
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == b""
    found = json.loads(out)
    assert not found["complete"]
    assert found["rounds"] == json.loads(file.read_text())["rounds"] > 0


# What cannot be


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["top3", "--rounds", "0"], "--rounds 0"),
        (["top3", "--rounds", "1.5"], "--rounds 1.5"),
        (["top3", "--rounds", "many"], "'many'"),
        (["top3", "--rounds", "1e999"], "'1e999'"),
        (["top3", "--seed", "-1"], "--seed -1"),
        (["top3", "--spots", "4"], "--spots 4"),
        (["super21", "--spots", "2"], "one spot"),
        (["top3", "--bets", "top3"], "classic"),
        (["top3", "--bets", "classic,classic"], "twice"),
        (["ags", "--bets", "trifecta,pairs_pay,in_bet"], "at most 2"),
        (["top3", "--bets", "nothing"], "'nothing'"),
        (["top3", "--meter", "5"], "--meter"),
        (["top3", "--bets", "progressive", "--meter", "-5"], "--meter -5"),
        (["top3", "--workers", "0"], "--workers 0"),
        (["top3", "--bet", "7"], "7"),
        (["top3", "--bankroll", "99"], "--bankroll 99 is below one bet"),
        (["top3", "--bankroll", "500", "--sitting", "0"], "--sitting 0"),
        (["top3", "--scheduler", "tcp://127.0.0.1:1"], "tcp://127.0.0.1:1"),
        (["top3", "--scheduler", "nonsense://x"], "nonsense://x"),
        (["top3", "--strategy", "/nowhere/x.json"], "/nowhere/x.json"),
        (["top3", "--parquet", "/nowhere/x.parquet"], "/nowhere"),
        (["top3", "--checkpoint", "/nowhere/x.json"], "/nowhere"),
    ],
)
def test_bad_input_is_one_line(words: list[str], named: str, capsys: Capture) -> None:
    assert named in refused(capsys, *words)


def test_an_unwritable_place_keeps_what_is_there(tmp_path: Path, capsys: Capture) -> None:
    """A directory of that name, and a file that is no checkpoint."""
    (tmp_path / "there").mkdir()
    for option in ("--parquet", "--checkpoint"):
        assert "there" in refused(capsys, "top3", *FEW, option, str(tmp_path / "there"))
    other = tmp_path / "notes.txt"
    other.write_text("mine")
    assert "no checkpoint" in refused(capsys, "top3", *FEW, "--checkpoint", str(other))
    assert other.read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} == {"there", "notes.txt"}


# Strategies out of files


def chart_of(key: str, **rules: str) -> dict[str, Any]:
    game = find(key, ANALYSED)
    for name, text in rules.items():
        game = game.with_rule(name, text)
    document: dict[str, Any] = json.loads(json.dumps(report.strategy(game)))
    return document


@pytest.mark.parametrize("key", [game.key for game in ANALYSED])
def test_the_strategy_command_s_answer_is_a_strategy(key: str) -> None:
    """Without its exceptions it is the play by total itself."""
    document = chart_of(key) | {"exceptions": []}
    found = simulate(key, rounds=300_000, seed=9, strategy=document)
    assert found.counts == simulate(key, rounds=300_000, seed=9).counts
    simulate(key, rounds=1000, strategy=chart_of(key))


def test_exceptions_are_played() -> None:
    """A pair of tens that hits a hard 20 loses more."""
    document = best_chart(find("top3").rules).as_dict()
    always = [{"cards": "T T", "up": up, "code": "H", "gain": 0} for up in "A23456789T"]
    worse = simulate("top3", rounds=300_000, seed=9, strategy=document | {"exceptions": always})
    assert worse.ev < simulate("top3", rounds=300_000, seed=9).ev - 0.05


BROKEN: dict[str, tuple[str, tuple[str, ...], Any]] = {
    "hard.16.T": ("top3", ("hard", "16", "T"), None),
    "soft.18.A: 'X'": ("top3", ("soft", "18", "A"), "X"),
    "pairs.8.T": ("top3", ("pairs", "8", "T"), None),
    "hard.12.2: R, but these rules never surrender": ("blackjack", ("hard", "12", "2"), "R"),
    "hard.21.5: D, but these rules never double": ("top3", ("hard", "21", "5"), "D"),
    "by_cards.3.hard.13.6": ("super21", ("by_cards", "3", "hard", "13", "6"), None),
    "hard.17.A": ("threecard", ("hard", "17", "A"), None),
    "hard.17.A: 'H'": ("threecard", ("hard", "17", "A"), "H"),
    "hard.16: 7": ("top3", ("hard", "16"), 7),
    "insurance: 'yes'": ("top3", ("insurance",), "yes"),
    "exceptions[0]": ("top3", ("exceptions",), [{"cards": "T T", "up": "A"}]),
}


@pytest.mark.parametrize("named", BROKEN)
def test_a_broken_strategy_names_its_cell(named: str, tmp_path: Path, capsys: Capture) -> None:
    key, place, value = BROKEN[named]
    document = chart_of(key)
    part: Any = document
    for name in place[:-1]:
        part = part[name]
    if value is None:
        del part[place[-1]]
    else:
        part[place[-1]] = value
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(document))
    assert named in refused(capsys, key, *FEW, "--strategy", str(file))


def test_a_pair_that_is_never_split(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(chart_of("top3") | {"exceptions": []}))
    words = ["--strategy", str(file), "--set", "split.hands_max=1"]
    assert "never split that pair" in refused(capsys, "top3", *FEW, *words)
    file.write_text("[]")
    assert "one JSON object" in refused(capsys, "top3", *FEW, "--strategy", str(file))
    file.write_text("{")
    assert "no JSON" in refused(capsys, "top3", *FEW, "--strategy", str(file))


# For programs


def test_tables_are_tidy_and_plots_stand_by_themselves() -> None:
    found = simulate("ags", rounds=100_000, seed=1, spots=2, bets=["pairs_pay", "in_bet"])
    for table in found.tables().values():
        assert len({len(column) for column in table.values()}) == 1
    assert len(found.table("covariance")["covariance"]) == 6 * 7 // 2
    for picture in (found.convergence_svg(), found.distribution_svg()):
        assert picture.startswith("<svg")
        assert "http://www.w3.org/2000/svg" in picture
    assert found._repr_html_()
