"""Faults of the house, each planted in a copy of the source, are found by the ordinary suite.

Each names the test that must find it: where money, seeds, secrets or what was told are wrong, it is
not enough that something somewhere fails.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.planted import Fault, copied, is_found, run_suite


def by(*tests: str) -> tuple[str, ...]:
    """Tests of the house or the server."""
    return tuple(f"tests/{test}" for test in tests)


FAULTS = {
    "a step's transfers all have one number": Fault(
        "house/ledger.py",
        "n = len(self.transfers)",
        "n = 0",
        by(
            "house/test_rounds.py::test_stakes_leave_the_balance_at_deal_and_come_back_at_settlement[file_hall]"
        ),
    ),
    "balances forget what was debited": Fault(
        "house/ledger.py",
        "after[debit] -= cents",
        "after[debit] -= 0",
        by("house/test_ledger.py::test_a_transfer_moves_money_from_one_account_to_another"),
    ),
    "a meter's share of a stake is returned twice": Fault(
        "house/booking.py",
        "in_escrow = event.stake - accounts.contribution(event.bet, event.stake)",
        "in_escrow = event.stake",
        by("house/test_meter.py::test_the_meter_never_falls_but_by_an_award[file_hall]"),
    ),
    "what is set aside for a raise is kept after a fold": Fault(
        "house/booking.py",
        'before - after, "release"',
        '0, "release"',
        by(
            "house/test_rounds.py::test_threecard_deals_only_when_the_raise_is_covered_too[file_hall]"
        ),
    ),
    "a meter that was won is not seeded again": Fault(
        "house/jackpot.py",
        "if share.part == 1 else after",
        "if False else after",
        by(
            "house/test_meter.py::test_a_hit_takes_its_own_contribution_and_resets_the_meter[file_hall]"
        ),
    ),
    "a winner's own stake is not in the meter": Fault(
        "house/step.py",
        ".with_contribution(self._seen.stripe, contributed)",
        ".with_contribution(self._seen.stripe, 0)",
        by(
            "house/test_meter.py::test_a_hit_takes_its_own_contribution_and_resets_the_meter[file_hall]"
        ),
    ),
    "meters that were met are replayed backwards": Fault(
        "house/journal.py",
        "met.pop(0)",
        "met.pop()",
        by("house/test_recent.py::test_a_round_is_the_same_after_a_restart"),
    ),
    "who declined insurance is asked after a restart": Fault(
        "house/journal.py",
        'ask_insurance=body["ask_insurance"],',
        "ask_insurance=True,",
        by("house/test_recent.py::test_a_round_is_the_same_after_a_restart"),
    ),
    "the next seed is the last one again": Fault(
        "house/rounds.py",
        "seat.nonce + 1, next_seed, round_id",
        "seat.nonce + 1, seat.server_seed, round_id",
        by(
            "house/test_rounds.py::test_the_next_commit_comes_with_the_answer_that_takes_the_bet[file_hall]"
        ),
    ),
    "a seed is shown while its round is open": Fault(
        "house/answers.py",
        "inputs.server_seed.hex() if settled else None",
        "inputs.server_seed.hex()",
        by("server/test_hidden_card.py::test_answers_are_the_same_for_every_hole_card"),
    ),
    "a face-down card is told": Fault(
        "twentyone/felt.py",
        "hidden = len(felt.dealer) > 1 and not felt.hole_is_up",
        "hidden = False",
        by("server/test_hidden_card.py::test_answers_are_the_same_for_every_hole_card"),
    ),
    "a bet that is sent again is another bet": Fault(
        "house/rounds.py",
        "            if seen.request:",
        "            if False:",
        by(
            "house/test_rounds.py::test_the_same_key_and_bet_again_is_answered_word_for_word[file_hall]"
        ),
    ),
    "a key is good for any bet": Fault(
        "house/rounds.py",
        "    if request.hash != hash_:",
        "    if False:",
        by("house/test_rounds.py::test_the_same_key_with_another_bet_is_refused[file_hall]"),
    ),
    "a move that is sent again is refused": Fault(
        "house/rounds.py",
        "if step.seq == seq + 1 and step.choice == choice:",
        "if step.seq == seq and step.choice == choice:",
        by(
            "house/test_rounds.py::test_a_move_again_is_answered_word_for_word_and_another_is_stale[file_hall]"
        ),
    ),
    "another's round can be played": Fault(
        "house/rounds.py",
        "if stored is None or stored.player != player:",
        "if stored is None:",
        by("house/test_rounds.py::test_foreign_and_unknown_rounds_look_alike[file_hall]"),
    ),
    "answers leave before their commit": Fault(
        "house/store/sqlite.py",
        '            await self._on_disk("COMMIT")\n',
        '            _ = [told() for told in tell]\n            await self._on_disk("COMMIT")\n',
        by("house/test_simulation.py::test_the_books_of_every_world_are_true"),
        {"UPCARD_SEED": "0"},
    ),
    "bets go on under the terms that a meter had before": Fault(
        "house/rounds.py",
        "pools = other_terms(game, seen.newest)",
        "pools = ()",
        by("house/test_simulation.py::test_the_books_of_every_world_are_true"),
        {"UPCARD_SEED": "35"},
    ),
    "a winner takes what lies above the cap": Fault(
        "house/jackpot.py",
        "left = reading.meter.cents - pool.shown(reading.meter.cents)",
        "left = 0",
        by("house/test_simulation.py::test_the_books_of_every_world_are_true"),
        {"UPCARD_SEED": "39"},
    ),
    "commits do not wait for the disk": Fault(
        "house/store/sqlite.py",
        "PRAGMA synchronous = FULL",
        "PRAGMA synchronous = NORMAL",
        by("house/test_power_cuts.py::test_nothing_acknowledged_is_lost_when_the_power_fails"),
        {"UPCARD_SEED": "0"},
    ),
    "two commands of a player decide on the same sight": Fault(
        "house/store/sqlite.py",
        "            if command.needs.player in players:\n",
        "            if False:\n",
        by("house/test_store.py::test_a_command_sees_the_writes_of_the_one_before_it[file_hall]"),
    ),
    "a batch that clashed is written twice": Fault(
        "house/store/sqlite.py",
        'self._writer.execute("ROLLBACK")\n                self._known.forget()\n'
        "                await self._begin()",
        "pass",
        by("house/test_store.py::test_a_refused_command_leaves_its_neighbours_alone[file_hall]"),
    ),
    "a sealer begins from the start": Fault(
        "house/sealer.py",
        "last.last if last else 0",
        "0",
        by("house/test_sealer.py::test_a_stranger_finds_every_transfer_in_one_block"),
    ),
    "a block does not name the one before it": Fault(
        "house/blocks.py",
        "previous=after.hash if after else NOTHING_BEFORE",
        "previous=NOTHING_BEFORE",
        by("house/test_sealer.py::test_a_block_is_hashed_and_signed_as_the_document_says"),
    ),
    "a signature is believed": Fault(
        "house/keys.py",
        "except (InvalidSignature, ValueError):\n            return False",
        "except (InvalidSignature, ValueError):\n            return True",
        by("house/test_receipts.py::test_a_changed_receipt_is_refused"),
    ),
    "a key file may be anybody's": Fault(
        "house/keys.py",
        "if mode & ~OWNER_ALONE & 0o077:",
        "if False:",
        by("house/test_keys.py::test_a_key_that_others_may_read_or_write_is_refused"),
    ),
    "a receipt names the next commit as its own": Fault(
        "house/receipts.py",
        '"commit": fair.commit(inputs.server_seed),',
        '"commit": next_bet["commit"],',
        by("house/test_receipts.py::test_a_receipt_says_what_was_bet_and_under_which_commits"),
    ),
    "a house opens over rounds that replay otherwise": Fault(
        "house/recover.py",
        "        if why is not None:\n            broken",
        "        if False:\n            broken",
        by("house/test_audit.py::test_a_house_does_not_open_over_rounds_that_replay_otherwise"),
    ),
    "events may replay otherwise": Fault(
        "house/recover.py",
        "if _events(told) != _events(now):",
        "if False:",
        by("house/test_void.py::test_a_void_reverses_every_transfer"),
    ),
    "a void pays once more": Fault(
        "house/void.py",
        "entries.move(transfer.credit, transfer.debit, transfer.cents, VOID)",
        "entries.move(transfer.debit, transfer.credit, transfer.cents, VOID)",
        by("house/test_void.py::test_a_void_reverses_every_transfer"),
    ),
    "a void round keeps its seat": Fault(
        "house/void.py",
        "seat._replace(open_round=None) if seat.open_round == stored.id else seat",
        "seat",
        by("house/test_void.py::test_an_open_round_is_voided_and_the_player_may_bet_again"),
    ),
    "a round that replays can be voided": Fault(
        "house/void.py",
        "    if wrong is None:\n",
        "    if wrong == 0:\n",
        by("house/test_void.py::test_a_round_that_replays_is_never_voided"),
    ),
    "a limit stops the bet that just reaches it": Fault(
        "house/limits.py",
        "            if cents > left:",
        "            if cents >= left:",
        by("house/test_own_limits.py::test_a_win_is_room_for_a_loss[file_hall]"),
    ),
    "a limit is raised at once": Fault(
        "house/limits.py",
        "now + RAISE_SECONDS if looser else now",
        "now",
        by("house/test_own_limits.py::test_lower_acts_at_once_and_higher_after_a_day[file_hall]"),
    ),
    "an exclusion can be made shorter": Fault(
        "house/limits.py",
        "if running is not None and now + days * DAY <= running.ends:",
        "if False:",
        by("house/test_own_limits.py::test_an_exclusion_is_only_made_longer[file_hall]"),
    ),
    "a double is not counted as staked": Fault(
        "house/sittings.py",
        'frozenset({"bet", "stake"})',
        'frozenset({"bet"})',
        by("house/test_own_limits.py::test_a_sitting_counts_time_rounds_and_money[file_hall]"),
    ),
    "an ended session plays on": Fault(
        "house/rounds.py",
        "if named and (seen.session is None or seen.session.player != player):",
        "if False:",
        by("house/test_rounds.py::test_nothing_is_played_in_a_session_that_has_ended[file_hall]"),
    ),
    "a session does not end": Fault(
        "house/rounds.py",
        "if session is None or session.expires <= self._now():",
        "if session is None:",
        by("house/test_rounds.py::test_sessions_end_and_tokens_are_kept_as_hashes"),
    ),
    "tokens are kept as they are": Fault(
        "house/sessions.py",
        "return hashlib.sha256(token.encode()).hexdigest()",
        "return token",
        by("house/test_rounds.py::test_sessions_end_and_tokens_are_kept_as_hashes"),
    ),
    "another password leaves sessions open": Fault(
        "house/accounts.py",
        ", ended_sessions_of=player)",
        ")",
        by("server/test_accounts.py::test_another_password_ends_all_other_sessions"),
    ),
    "a bucket is never empty": Fault(
        "server/rates.py",
        "self._full_at[who] = full_at",
        "self._full_at[who] = now",
        by("server/test_sessions.py::test_a_bucket_fills_again"),
    ),
    "another site's page may bet": Fault(
        "server/sessions.py",
        "return origin.lower() == self._own(host)",
        "return True",
        by("server/test_sessions.py::test_what_another_site_sends_is_refused"),
    ),
    "a restored house goes on with seeds that were shown": Fault(
        "house/store/sqlite.py",
        "            redraw_seeds(db, new_seed)\n",
        "",
        by("house/test_backup.py::test_every_restored_house_draws_new_seeds"),
    ),
    "a backup has no name after a power cut": Fault(
        "house/backup.py",
        "    sync_folder(file.parent)\n",
        "",
        by("house/test_backup.py::test_a_backup_that_was_told_of_outlives_a_power_cut"),
    ),
    "an abandoned hand is hit": Fault(
        "house/step.py",
        '("no_insurance", "no_even_money", "fold", "stand")',
        '("no_insurance", "no_even_money", "fold", "hit", "stand")',
        by(
            "house/test_rounds.py::test_an_abandoned_round_is_finished_after_the_stated_period[file_hall]"
        ),
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_the_house_is_found(name: str, tmp_path: Path) -> None:
    assert is_found(FAULTS[name], tmp_path), f"stayed green over: {name}"


def test_without_a_fault_they_are_all_green(tmp_path: Path) -> None:
    """Else a test that is always red here would pass for one that finds something."""
    tests = dict.fromkeys(test for fault in FAULTS.values() for test in fault.tests)
    outcome = run_suite(copied(tmp_path), *tests, env={"UPCARD_SEED": "0"})
    assert outcome.returncode == 0, outcome.stdout[-2000:]


def test_every_part_of_the_house_has_its_faults() -> None:
    assert {Path(fault.file).stem for fault in FAULTS.values()} >= {
        *("ledger", "journal", "booking", "jackpot", "sealer", "blocks", "keys", "receipts"),
        *("recover", "void", "limits", "sessions", "rates", "rounds", "sqlite", "felt"),
    }
