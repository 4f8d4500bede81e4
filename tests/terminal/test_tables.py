"""A sitting in sentences, without a terminal: what is typed, what is said, what it costs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.terminal.conftest import Stacked
from tests.terminal.stacked import LOW, ROOT, transcript
from upcard import scripts
from upcard.games import find
from upcard.table import ChoiceName, SpotBets
from upcard.terminal.sitting import Sitting

STAND_OFF = "Ts 6s 9d Td 8c"
"""19 against a dealer who breaks: the only decision is to stand."""


def says(said: list[str], *sentences: str) -> None:
    """These sentences are said, in this order."""
    lines = iter(said)
    for sentence in sentences:
        assert any(sentence in line for line in lines), (sentence, said)


def test_the_lobby_lists_the_four_games_and_takes_number_name_or_beginning(
    stacked: Stacked,
) -> None:
    dealer = stacked()
    said = transcript(
        None, ["1", "lobby", "super21", "lobby", "three", "lobby", "ags bl"], dealer=dealer
    )
    says(
        said,
        "1  Top 3 / 21+3 Progressive Blackjack (top3)",
        "2  3 Card Blackjack (threecard)",
        "3  Super 21 (super21)",
        "4  AGS Blackjack Side Bets (ags)",
        "Which limits?",
        "Super 21, eight decks.",
        "3 Card Blackjack, one deck.",
        "Which two side bets are open?",
    )


def test_the_lobby_refuses_in_one_sentence(stacked: Stacked) -> None:
    said = transcript(None, ["poker", "", "rules"], dealer=stacked())
    says(
        said,
        "'poker' is none of these; type top3, threecard, super21 or ags.",
        "An empty line is none of these;",
        "choose a game first.",
    )


def test_the_limits_are_shown_and_chosen(stacked: Stacked) -> None:
    """T-10 to T-14."""
    said = transcript("top3", ["high roller", "8"], dealer=stacked())
    says(
        said,
        "1  Micro: main 1.00 to 10.00, Top 3 0.50 to 5.00, 21+3 Classic 0.50 to 5.00.",
        "2  Low: main 5.00 to 50.00, Top 3 1.00 to 25.00, 21+3 Classic 1.00 to 25.00, "
        "21+3 Progressive exactly 5.00.",
        "3  High: main 25.00 to 500.00, Top 3 2.00 to 250.00, 21+3 Classic 2.00 to 250.00, "
        "21+3 Progressive exactly 5.00.",
        "4  High Roller: main 100.00 to 2,000.00, Top 3 5.00 to 1,000.00, 21+3 Classic 5.00 to "
        "1,000.00, 21+3 Progressive exactly 5.00.",
        "High Roller, eight decks.",
    )


def test_decks_are_chosen_where_the_game_offers_several(stacked: Stacked) -> None:
    """T-01: six by default."""
    said = transcript("top3", ["low", "9", "", "decks 7", "decks five"], dealer=stacked())
    says(
        said,
        "Type 6, 7 or 8; Enter takes 6.",
        "'9' cannot be; type 6, 7 or 8.",
        "six decks.",
        "seven decks.",
        "'five' cannot be; type 6, 7 or 8.",
    )


def test_the_first_round_starts_empty_and_enter_repeats_the_last_bets(stacked: Stacked) -> None:
    """C-13, T-32: the second Enter deals what the first has laid."""
    dealer = stacked(STAND_OFF, STAND_OFF)
    said = transcript("top3", [*LOW, "", "deal", "main 10", "", "s", "", "", "s"], dealer=dealer)
    says(
        said,
        "No bet lies yet;",
        "No bet lies on the table;",
        "Spot 1: main 10.00.",
        "Staked 10.00, returned 20.00: 10.00 up. Balance 100,010.00.",
        "Enter lays your last bets again, 10.00 in all",
        "Spot 1: main 10.00.",
        "Staked 10.00, returned 20.00: 10.00 up. Balance 100,020.00.",
    )


def test_deal_on_an_empty_felt_repeats_the_last_round(stacked: Stacked) -> None:
    """C-13: DEAL after a round repeats the same bets, Ace Plus included."""
    round_ = "9h 4c 2d Kh Kc 5d"
    dealer = stacked(round_, round_)
    transcript("threecard", ["ante 10 ace 5", "d", "f", "deal", "f"], dealer=dealer)
    assert dealer.balance == 10_000_000 - 2 * 1500


def test_rebet_before_a_round_is_refused(stacked: Stacked) -> None:
    """G-10."""
    says(transcript("super21", ["rebet"], dealer=stacked()), "Nothing was bet at this level yet")


def test_rebet_is_refused_when_the_balance_is_too_small(stacked: Stacked) -> None:
    """G-10: nothing is clipped; 10.00 of 15.00 are lost with 17 against 19."""
    dealer = stacked("Ts 9s 7d Th", purse=1500)
    said = transcript("super21", ["10", "d", "s", "rebet"], dealer=dealer)
    says(said, "Balance 5.00.", "These bets come to 10.00 and the balance is 5.00.")


def test_all_min_and_all_max(stacked: Stacked) -> None:
    """T-30, T-31: everywhere at first, afterwards on the places that were played."""
    dealer = stacked(STAND_OFF)
    lines = [*LOW, "all min", "clear", "all max", "clear", "2 main 10", "d", "s", "min all", "all"]
    said = transcript("top3", lines, dealer=dealer)
    says(
        said,
        "On the felt 36.00, balance 99,964.00",
        "On the felt 315.00, balance 99,685.00",
        "Staked 10.00",
        "Spot 2: main 5.00.",
        "On the felt 5.00",
        "Type 'all min' or 'all max'.",
    )


def test_play_money_is_restored_on_request_when_it_is_spent(stacked: Stacked) -> None:
    """The hint comes when not even the cheapest bet is covered: 10.00 at Super 21 are lost with 18
    against 19, and 0.50 do not cover its 1.00."""
    dealer = stacked("Ts 9s 8d Td", purse=1050)
    lines = ["refill", "10", "d", "refill", "s", "1", "refill", "refill"]
    said = transcript("super21", lines, dealer=dealer)
    says(
        said,
        "Nothing is missing; your balance is 10.50.",
        "A round is open; play money is restored when none is.",
        "Balance 0.50.",
        "A round costs 1.00 at least and your balance is 0.50; 'refill' restores your play money.",
        "These bets come to 1.00 and the balance is 0.50.",
        "10.00 of play money are added; your balance is 10.50.",
        "Nothing is missing; your balance is 10.50.",
    )


def test_the_cheapest_round_of_three_cards_is_two_antes(stacked: Stacked) -> None:
    """C-04, C-06: the raise is set aside, so 9.99 do not cover an ante of 5.00."""
    hint = "A round costs 10.00 at least"
    for purse, is_hinted in ((999, True), (1000, False)):
        said = transcript("threecard", [], dealer=stacked(purse=purse))
        assert any(hint in line for line in said) is is_hinted


def test_the_history_tells_the_last_rounds(stacked: Stacked) -> None:
    """G-12: won, surrendered, and the one that is open, the newest first."""
    dealer = stacked(STAND_OFF, STAND_OFF, STAND_OFF)
    lines = ["history", "10", "d", "s", "history", "20", "d", "surrender", "5", "d", "history"]
    said = transcript("super21", lines, dealer=dealer)
    says(
        said,
        "You have played no round yet.",
        "Your last round:",
        "super21, round 1. Staked 10.00, returned 20.00: 10.00 up.",
        "Your last three rounds, the newest first:",
        "super21, round 3. It is open.",
        "super21, round 2. Staked 20.00, returned 10.00: 10.00 down.",
        "super21, round 1. Staked 10.00, returned 20.00: 10.00 up.",
    )


# Rounds that wait


def test_a_round_goes_on_where_it_was_left(stacked: Stacked, tmp_path: Path) -> None:
    """G-12: no level and no decks are asked for; the same hand is to act; REBET knows its bets."""
    db, shoe = tmp_path / "upcard.db", "8h 6s 8d Td 3c Th 9d Kc"
    choices = "Spot 1's first hand, 11 against 6. Type h hit, s stand or d double for 25.00."
    dealt = transcript("top3", ["high", "8", "main 25", "d", "p"], dealer=stacked(shoe, db=db))
    says(dealt, "Spot 1's first hand gets the three of clubs: 11.", choices)
    said = transcript("top3", ["h", "s", "s", "rebet", "lobby"], dealer=stacked(shoe, db=db))
    assert not any("Which limits?" in line or "How many decks?" in line for line in said)
    says(
        said,
        "Top 3 / 21+3 Progressive Blackjack, High, eight decks, round 1.",
        "Spot 1's first hand: the eight of hearts and the three of clubs: 11, to act.",
        "Spot 1's second hand: the eight of diamonds and the ten of hearts: 18, waits.",
        "Bet 50.00, won 0.00, balance 99,950.00",
        "This round is open: it goes on where it was left.",
        choices,
        "Spot 1's first hand gets the nine of diamonds: 20.",
        "Staked 50.00, returned 100.00: 50.00 up. Balance 100,050.00.",
        "Round 2, client seed",
        "Spot 1: main 25.00.",
    )


def test_the_lobby_says_where_a_round_waits(stacked: Stacked, tmp_path: Path) -> None:
    """G-12: one open round per game; another game is free meanwhile."""
    db = tmp_path / "upcard.db"
    transcript("super21", ["10", "d"], dealer=stacked(STAND_OFF, db=db))
    dealer = stacked(STAND_OFF, db=db)
    lines = ["ags", "", "5", "d", "s", "lobby", "super21", "s", "lobby"]
    said = transcript(None, lines, dealer=dealer)
    says(
        said,
        "A round waits for you at Super 21.",
        "Staked 5.00, returned 10.00: 5.00 up. Balance 99,995.00.",
        "A round waits for you at Super 21.",
        "This round is open",
        "Staked 10.00, returned 20.00: 10.00 up. Balance 100,015.00.",
        "Which game?",
    )
    assert sum("waits for you" in line for line in said) == 2


def test_the_last_proof_outlives_the_sitting(stacked: Stacked, tmp_path: Path) -> None:
    db = tmp_path / "upcard.db"
    transcript("super21", ["10", "d", "s"], dealer=stacked(STAND_OFF, db=db))
    dealer = stacked(STAND_OFF, db=db)
    said = transcript("ags", ["proof", f"save {tmp_path}/it.round"], dealer=dealer)
    says(said, '"game": "super21"', "The last round is written to")
    assert "cards Ts 6s 9d Td 8c" in (tmp_path / "it.round").read_text()


class Meanwhile:
    """Lines to type, and what another sitting does between two of them."""

    def __init__(self, *lines: str | Callable[[], object]) -> None:
        self._lines = iter(lines)

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            if isinstance(line, str):
                yield line
            else:
                line()


def test_a_deal_meets_the_round_that_another_sitting_has_open(
    stacked: Stacked, tmp_path: Path
) -> None:
    """G-12: a new deal there answers with the open one, at the table where it was dealt."""
    db, shoe = tmp_path / "upcard.db", "Ts 6s 9d Td 8c"
    other = stacked(shoe, db=db)
    game, bets = find("top3").at_table(decks=7), [SpotBets(2, (("main", 200),))]

    def deals() -> None:
        other.bet(game, "micro", bets, client_seed="other")

    typed = Meanwhile(*LOW, "10", deals, "d", "s")
    said = transcript("top3", typed, dealer=stacked(shoe, db=db))
    says(
        said,
        "Low, six decks.",
        "Spot 1: main 10.00.",
        "Micro, seven decks, round 1.",
        "This round is open: it goes on where it was left.",
        "Staked 2.00, returned 4.00: 2.00 up. Balance 100,002.00.",
    )


def test_no_bet_goes_against_a_commit_that_was_not_shown(stacked: Stacked, tmp_path: Path) -> None:
    """Protocol upcard/1, step 1: another sitting has used up the one that was."""
    db = tmp_path / "upcard.db"
    other = stacked(STAND_OFF, STAND_OFF, db=db)
    game, bets = find("super21").at_table(), [SpotBets(1, (("main", 200),))]

    def plays() -> None:
        other.move(other.bet(game, "table", bets, client_seed="other"), "stand")

    typed = Meanwhile("10", plays, "d", "d", "s")
    dealer = stacked(STAND_OFF, STAND_OFF, db=db)
    said = transcript("super21", typed, dealer=dealer)
    says(
        said,
        "Round 1, client seed",
        "Round 2, client seed",
        "Another sitting played here meanwhile, so the commit above is new;",
        "Staked 10.00, returned 20.00: 10.00 up. Balance 100,012.00.",
    )
    assert [played.staked for played in dealer.history(5)] == [1000, 200]


def test_a_move_in_a_round_that_went_on_elsewhere(stacked: Stacked, tmp_path: Path) -> None:
    """One sentence, and the round as it stands: the other sitting hit, then it stands here."""
    db, shoe = tmp_path / "upcard.db", "5s 6s 6d Td 3c Kc 9h"
    other = stacked(shoe, db=db)
    game = find("super21")

    def moves(choice: ChoiceName) -> Callable[[], object]:
        def do() -> None:
            seen = other.resume(game)
            assert seen is not None
            other.move(seen, choice)

        return do

    typed = Meanwhile("10", "d", moves("hit"), "s", moves("stand"), "h", "history")
    said = transcript("super21", typed, dealer=stacked(shoe, db=db))
    says(
        said,
        "Your hand, 11 against 6.",
        "You get the three of clubs: 14.",
        "Your round was played on elsewhere; it is shown as it stands now.",
        "Your hand, 14 against 6.",
        "You stand.",
        "The dealer draws the king of clubs: 26, bust.",
        "Your round was played on elsewhere;",
        "super21, round 1. Staked 10.00, returned 20.00: 10.00 up.",
    )


def test_undo_and_clear(stacked: Stacked) -> None:
    """T-33 to T-35."""
    lines = [
        *LOW,
        "main 10",
        "main 15",
        "undo",
        "2 main 5 classic 5",
        "clear classic",
        "clear 2",
        "clear",
        "clear",
    ]
    said = transcript("top3", lines, dealer=stacked())
    says(
        said,
        "Spot 1: main 15.00.",
        "Spot 1: main 10.00.",
        "Spot 2: main 5.00 and classic 5.00.",
        "Spot 2: main 5.00.",
        "On the felt 10.00",
        "On the felt 0.00",
        "Nothing lies there",
    )


def test_a_bare_amount_goes_to_the_selected_place_and_says_which(stacked: Stacked) -> None:
    """G-10: the selected place is the one last used."""
    said = transcript("top3", [*LOW, "10", "2 main", "7.50"], dealer=stacked())
    says(
        said,
        "Selected: spot 1 main.",
        "Spot 1: main 10.00.",
        "Selected: spot 2 main.",
        "Spot 2: main 7.50.",
    )


def test_changing_the_level_clears_the_felt_and_keeps_each_levels_last_bets(
    stacked: Stacked,
) -> None:
    """G-10."""
    dealer = stacked(STAND_OFF)
    lines = [*LOW, "main 10", "d", "s", "main 20", "level high", "rebet", "level low", "rebet"]
    said = transcript("top3", lines, dealer=dealer)
    says(
        said,
        "High, six decks.",
        "On the felt 0.00",
        "Nothing was bet at this level yet",
        "Low, six decks.",
        "Spot 1: main 10.00.",
    )


def test_side_bets_of_ags_are_chosen_while_no_chip_lies(stacked: Stacked) -> None:
    """A-14: Trifecta and Match Super Bonus at first; a change forgets the last layout."""
    dealer = stacked("Ts 6s 9d Td 8c", "Ts 6s 9d Td 8c")
    lines = [
        "",
        "main 5 trif 1",
        "d",
        "s",
        "main 5",
        "sides 3 4",
        "clear",
        "sides 3",
        "sides 3 4",
        "rebet",
        "trifecta 5",
        "in bet 5",
    ]
    said = transcript("ags", lines, dealer=dealer)
    says(
        said,
        "Enter takes Trifecta and Match Super Bonus.",
        "Staked 6.00",
        "Side bets are chosen while no chip lies",
        "Exactly 2 different side bets are open",
        "pairs_pay takes 1.00 to 5000.00 in steps of 1.00",
        "Nothing was bet at this level yet",
        "'trifecta 5' is nothing to do here",
        "Spot 1: in_bet 5.00.",
    )


def test_words_at_every_prompt(stacked: Stacked) -> None:
    said = transcript("ags", ["help", "rules", "lobby", "ags", "quit"], dealer=stacked())
    says(
        said,
        "save FILE: write the last round as a .round file.",
        "AGS Blackjack Side Bets",
        "A malfunction voids all pays and plays.",
        "Which game?",
        "Which two side bets",
    )


def test_words_in_a_round_are_followed_by_the_choices(stacked: Stacked) -> None:
    dealer = stacked(STAND_OFF)
    said = transcript("super21", ["10", "d", "?", "table", "client x1", "s"], dealer=dealer)
    choices = "Your hand, 19 against 6. Type h hit, s stand, d double for 10.00 or r surrender."
    says(
        said,
        choices,
        "help (or ?): these words.",
        choices,
        "Dealer: the six of spades, one card face down: 6.",
        choices,
        "Your client seed is x1 from the next round on,",
        choices,
    )


def test_the_lobby_waits_for_the_end_of_the_round(stacked: Stacked) -> None:
    """G-10: closed during a round."""
    dealer = stacked(STAND_OFF)
    said = transcript("top3", [*LOW, "main 10", "d", "lobby", "level high", "s"], dealer=dealer)
    says(
        said,
        "A round is open; play it to its end, or quit.",
        "'level high' is not open;",
        "Staked 10.00",
    )


def test_the_purse_and_the_meter_last_from_table_to_table(stacked: Stacked) -> None:
    """T-85: one meter for all levels and decks; the purse is one for the sitting."""
    dealer = stacked("Ts 6s 9d Td 8c", "Ts 6s 9d Td 8c")
    lines = [*LOW, "main 5 prog 5", "d", "s", "lobby", "top3", "high", "8"]
    said = transcript("top3", lines, dealer=dealer)
    says(
        said,
        "meter 10,000.00",
        "Staked 10.00, returned 10.00: even. Balance 100,000.00.",
        "High, eight decks.",
        "meter 10,000.85",
    )


# Settings


def test_insurance_never(stacked: Stacked) -> None:
    """T-50: the question is skipped, the dealer peeks as usual."""
    dealer = stacked("Ts As 9d Kd")
    said = transcript("top3", [*LOW, "insurance never", "main 10", "d"], dealer=dealer)
    says(
        said,
        "From the next round on you are never asked for insurance.",
        "The dealer looks at the hole card and has blackjack.",
        "10.00 down",
    )
    assert not any("offered" in line for line in said)


def test_insurance_is_a_setting_of_top3_alone(stacked: Stacked) -> None:
    """T-50: for this game only."""
    says(
        transcript("super21", ["insurance never"], dealer=stacked()), "'insurance never' is nothing"
    )


def test_a_warning_asks_once(stacked: Stacked) -> None:
    """T-53: HIT on hard 17 or more; no goes back to the choice, yes goes on."""
    dealer = stacked("Ts 6s 8d Td 3c Kc")
    lines = [*LOW, "warn hit on", "main 10", "d", "h", "maybe", "no", "h", "y", "s"]
    said = transcript("top3", lines, dealer=dealer)
    says(
        said,
        "You are asked before a doubtful hit.",
        "Hit on hard 18?",
        "'maybe' is no answer; type y for yes or n for no.",
        "Spot 1, 18 against 6.",
        "Hit on hard 18?",
        "Spot 1 gets the three of clubs: 21.",
        "10.00 up",
    )


def test_warnings_are_off_at_first_and_off_again(stacked: Stacked) -> None:
    """T-53: a switch each."""
    for lines in ([], ["warn on", "warn hit off"]):
        dealer = stacked("Ts 6s 8d Td 3c Kc")
        said = transcript("top3", [*LOW, *lines, "main 10", "d", "h"], dealer=dealer)
        assert not any("Hit on" in line for line in said)


@pytest.mark.parametrize("line", ["warn", "warn maybe", "warn split on", "warn on off"])
def test_a_warning_that_is_none(line: str, stacked: Stacked) -> None:
    says(
        transcript("super21", [line], dealer=stacked()),
        "Type 'warn on' or 'warn off', or name one of hit, stand or double: 'warn hit on'.",
    )


# Fairness


def test_commit_round_and_client_seed_are_shown_before_the_bet_and_the_check_after(
    stacked: Stacked,
) -> None:
    """Protocol upcard/1, steps 1, 2 and 6: seed 00 01 ... 3f and its published commit."""
    dealer = stacked(entropy=lambda count: bytes(range(count)))
    sitting = Sitting(dealer=dealer, client_seed="player-seed_1", keeps_client_seed=True)
    said = transcript(
        "super21", ["10", "d", "s", "s", "s"], dealer=dealer, sitting=sitting, width=400
    )
    seed = "".join(f"{byte:02x}" for byte in range(64))
    says(
        said,
        "Round 1, client seed player-seed_1, commit:",
        "fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108",
        f"upcard shoe --decks 8 --nonce 1 --client-seed player-seed_1 --server-seed {seed}",
        "Round 2, client seed player-seed_1, commit:",
    )


def test_the_client_seed_is_the_players_to_change(stacked: Stacked) -> None:
    """Protocol upcard/1, step 2: 1 to 64 of A-Z a-z 0-9 _ -."""
    dealer = stacked(STAND_OFF)
    sitting = Sitting(dealer=dealer, client_seed="mine")
    lines = ["client", "client no spaces", "client Lucky-7", "10", "d", "s"]
    lines += ["10", "d", "s", "client new"]
    said = transcript("super21", lines, dealer=dealer, sitting=sitting, width=400)
    says(
        said,
        "Your client seed is mine; 'client NAME' makes it one of your own",
        "A client seed is 1 to 64",
        "Your client seed is Lucky-7 from the next round on,",
        "--client-seed Lucky-7",
        "Round 2, client seed Lucky-7,",
        "--client-seed Lucky-7",
        "Round 3, client seed Lucky-7,",
        "Every round gets a fresh client seed from now on.",
    )
    assert sitting.client_seed not in ("Lucky-7", "new")


def test_a_client_seed_is_fresh_for_every_round_that_is_dealt(stacked: Stacked) -> None:
    """docs/fairness.md: the house has seen the last one when it draws the next server seed."""
    dealer = stacked(STAND_OFF, STAND_OFF)
    said = transcript("super21", ["10", "d", "s", "10", "d", "s"], dealer=dealer, width=400)
    shown = [line.split(",") for line in said if line.startswith("Round ")]
    assert [round_ for round_, *_ in shown] == ["Round 1", "Round 2", "Round 3"]
    seeds = [seed.removeprefix(" client seed ") for _, seed, _ in shown]
    assert len(set(seeds)) == 3
    checks = [line for line in said if line.startswith("upcard shoe")]
    assert len(checks) == 2
    for seed, check in zip(seeds, checks, strict=False):
        assert f"--client-seed {seed} " in check


def test_a_bet_that_is_refused_is_sent_again_with_the_same_client_seed(stacked: Stacked) -> None:
    """docs/fairness.md: or a house could claim an error when it dislikes the cards."""
    sitting = Sitting(dealer=stacked("9h 4c 2d Kh Kc 5d", purse=1500))
    before = sitting.client_seed
    said = transcript("threecard", ["10", "d", "5", "d"], dealer=sitting.dealer, sitting=sitting)
    says(said, "These bets cost 10.00 and 10.00 set aside for a raise")
    assert sitting.opened is not None
    (stored,) = [*sitting.dealer.history(5)]
    assert stored.status == "open"
    assert before != sitting.client_seed
    transcript("threecard", ["f"], dealer=sitting.dealer, sitting=sitting)
    _, proof = sitting.last()
    assert proof.document["client_seed"] == before


def test_a_proof_that_is_written_passes_the_stand_alone_script(
    tmp_path: Path, stacked: Stacked
) -> None:
    """Protocol upcard/1, step 6."""
    file, dealer = tmp_path / "proof.json", stacked()
    lines = ["proof", "10", "d", *["s", "n"] * 3, f"proof {file}", f"proof {file}", "proof"]
    said = transcript("super21", lines, dealer=dealer, width=4000)
    says(
        said,
        "No round has been played to its end yet.",
        "is written to",
        "is there already",
        '"protocol": "upcard/1"',
    )
    script = [sys.executable, str(ROOT / "docs" / "verify_shuffle.py"), str(file)]
    assert subprocess.run(script, check=False).returncode == 0
    assert json.loads(file.read_text())["staked"] == 1000


def test_a_round_that_is_saved_plays_again(tmp_path: Path, stacked: Stacked) -> None:
    """The form of .round files; a file that is there is not touched."""
    file = tmp_path / "my first.round"
    lines = [*LOW, "main 10", "d", "p", "s", "s", "save", f"save {file}", f"save {file}"]
    dealer = stacked("8h 6s 8d Td 3c Th 9d")
    said = transcript("top3", lines, dealer=dealer, width=400)
    says(
        said,
        "'save' needs the name of a new file",
        "The last round is written to",
        "is there already; give a new name.",
    )
    played = scripts.play(scripts.parse(file.read_text()))
    assert [str(move) for move in scripts.script_of(played).moves] == [
        "do 1.0 split",
        "do 1.0 stand",
        "do 1.1 stand",
    ]


def test_what_cannot_be_written_is_one_sentence(tmp_path: Path, stacked: Stacked) -> None:
    lines = ["10", "d", "s", f"save {tmp_path}/none/x", f"save {tmp_path}", "save a\0b"]
    said = transcript("super21", lines, dealer=stacked(STAND_OFF), width=400)
    says(
        said,
        "x' cannot be written: No such file or directory.",
        "is there already",
        r"'a\x00b' cannot be written: embedded null byte.",
    )
