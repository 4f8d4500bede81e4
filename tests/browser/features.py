"""Features of the table, and how each is switched off: the tests are tested by it.

A feature that is off must be missed by the ordinary tests. `switched_off` builds a client without
one and runs the tests that are to miss it against it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
NOT_SOURCES = ("node_modules", "art")


@dataclass(frozen=True, slots=True)
class Feature:
    """`text` of a file of web/src is replaced by `by`; `missed_by` is a test of this folder."""

    file: str
    text: str
    by: str
    missed_by: str


OFF: dict[str, Feature] = {
    "a chip that is clicked again is laid": Feature(
        "table/table.svelte.ts",
        "if (chip === this.chip) this.#lay(() => this.laying.onSelected());",
        "if (chip === this.chip) return;",
        "test_betting.py::test_the_tray_and_the_two_ways_to_lay_a_chip",
    ),
    "a limit is named": Feature(
        "table/table.svelte.ts",
        "this.refused = change();",
        "change();",
        "test_betting.py::test_a_chip_that_would_pass_the_maximum_or_lies_below_the_minimum",
    ),
    "UNDO": Feature(
        "table/laying.svelte.ts",
        "return this.#keep({ bets: undo(layout, this.bets), said: null });",
        "return null;",
        "test_betting.py::test_undo_clear_all_and_rebet",
    ),
    "CANCEL BET": Feature(
        "table/laying.svelte.ts",
        "return this.#keep({ bets: cancel(layout, this.bets), said: null });\n      case",
        "return null;\n      case",
        "test_buttons.py::test_cancel_bet_clears_the_selected_place_alone",
    ),
    "REBET": Feature(
        "table/laying.svelte.ts",
        "return this.last ? this.layAll(this.last) : null;",
        "return null;",
        "test_betting.py::test_undo_clear_all_and_rebet",
    ),
    "MIN ALL BETS goes by the last deal": Feature(
        "table/allbets.ts",
        "last ? [...last.keys()] : everyPlace(layout)",
        "everyPlace(layout)",
        "test_buttons.py::test_min_all_bets_before_the_first_round_and_after_it",
    ),
    "insurance is never asked": Feature(
        "table/table.svelte.ts",
        "ask_insurance: this.around.settings.askInsurance",
        "ask_insurance: true",
        "test_betting.py::test_insurance_is_never_asked_where_the_player_says_so",
    ),
    "speed pay": Feature(
        "table/pace.ts",
        'return speedPay && next?.type === "pay" ? 0 : RESULT_MILLISECONDS;',
        "return RESULT_MILLISECONDS;",
        "test_play_settings.py::test_speed_pay",
    ),
    "instant speed": Feature(
        "table/pace.ts",
        'if (speed === "instant") return 0;',
        "",
        "test_motion.py::test_nothing_moves_at_instant_speed_or_where_motion_is_unwanted",
    ),
    "little motion": Feature(
        "App.svelte",
        "still: () => littleMotion.current || settings.plain",
        "still: () => settings.plain",
        "test_motion.py::test_nothing_moves_at_instant_speed_or_where_motion_is_unwanted",
    ),
    "a tap ends what moves": Feature(
        "table/table.svelte.ts",
        "this.#player.skip();",
        "",
        "test_motion.py::test_a_tap_lets_the_cards_lie",
    ),
    "chips fly": Feature(
        "table/pile.svelte.ts",
        "const flies = !still && (more > 0 || (more < 0 && told));",
        "const flies = false;",
        "test_motion.py::test_chips_fly_and_a_win_comes_from_the_dealer",
    ),
    "no press on new buttons": Feature(
        "table/guard.svelte.ts",
        "this.closed = this.isOn();",
        "this.closed = false;",
        "test_play_settings.py::test_a_press_just_after_the_buttons_changed_is_ignored",
    ),
    "warnings": Feature(
        "table/questions.ts",
        "if (choice.warning !== null && warned && play.is(warned)) return choice.warning;",
        "void warned;",
        "test_play_settings.py::test_a_warning_asks_once_before_a_choice_that_is_rarely_meant",
    ),
    "a question before a large stake": Feature(
        "table/questions.ts",
        "confirmAbove !== null && cents > confirmAbove",
        "confirmAbove !== null && cents < 0",
        "test_play_settings.py::test_asked_before_surrender_and_before_a_stake_above_an_amount",
    ),
    "a question before MAX ALL BETS": Feature(
        "table/questions.ts",
        'return play.is("confirmMax") ?',
        'return play.is("confirmMax") && cents < 0 ?',
        "test_play_settings.py::test_asked_before_max_all_bets",
    ),
    "keys": Feature(
        "keys.ts",
        "if (button) button.click();",
        "if (button) button.focus();",
        "test_keys.py::test_a_round_by_keys",
    ),
    "keys wait for dialogs": Feature(
        "keys.ts",
        '    document.querySelector("dialog[open]") !== null\n',
        "    false\n",
        "test_keys.py::test_keys_wait",
    ),
    "each step is said aloud": Feature(
        "live.svelte.ts",
        "    this.#last = text;\n    this.say(text);",
        "    this.#last = text;",
        "test_keys.py::test_one_region_says_each_step_once",
    ),
    "reading keys": Feature(
        "keys.ts",
        "else if (name in READING_KEYS) listener.read(name as ReadingKey);",
        "",
        "test_keys.py::test_reading_keys",
    ),
    "a reload brings the round back": Feature(
        "App.svelte",
        "if (open) sat.adopt(await house.round(open));",
        "void open;",
        "test_robust.py::test_a_reload_in_mid_round_restores_the_same_table",
    ),
    "a bet that is sent again has the same key": Feature(
        "house/connection.ts",
        'headers["Idempotency-Key"] = request.key;',
        'headers["Idempotency-Key"] = newKey();',
        "test_robust.py::test_a_bet_whose_answer_is_lost_is_made_once",
    ),
    "another tab's round is shown": Feature(
        "table/table.svelte.ts",
        'if (ours || (answer.status === "open" && this.laying.cents === 0)) this.adopt(answer);',
        "",
        "test_robust.py::test_a_round_that_goes_on_in_another_tab",
    ),
    "a past round is checked": Feature(
        "history/PastRound.svelte",
        "checks = check(proof, commits.shown(player, round.game, round.nonce), round.events);",
        "checks = [];",
        "test_betting.py::test_a_past_round_is_checked_in_the_browser",
    ),
    "sound effects": Feature(
        "sound/narrator.ts",
        "if (effect) this.ears.play(effect);",
        "void effect;",
        "test_sound.py::test_cards_chips_and_results_sound",
    ),
    "the dealer's voice": Feature(
        "sound/narrator.ts",
        "    this.ears.say(line);\n",
        "",
        "test_sound.py::test_the_dealer_says_totals_and_the_result",
    ),
    "four colours": Feature(
        "parts/faces.svelte.ts",
        "if (this.#stored.fourColours) style",
        "if (this.#stored.fourColours && !suit) style",
        "test_faces.py::test_faces_are_chosen_and_stay_chosen",
    ),
    "default bets": Feature(
        "table/table.svelte.ts",
        "    this.#sitDown(session);\n    this.layDefaults();",
        "    this.#sitDown(session);",
        "test_preferences.py::test_default_bets_lie_on_the_felt_for_the_first_round_of_a_sitting",
    ),
    "quick replay": Feature(
        "table/table.svelte.ts",
        'if (this.game.quick_replay && this.laying.whyNot("rebet") === null) {',
        "if (!this.game) {",
        "test_preferences.py::test_quick_replay_or_new_wagers_first",
    ),
    "a win is shown on the felt": Feature(
        "table/Stage.svelte",
        '{#if table.phase === "over" && table.felt.won > 0}',
        '{#if table.phase === "over" && table.felt.won < 0}',
        "test_states.py::test_every_state_looks_as_it_did_and_is_open_to_everybody[threecard-phone]",
    ),
}


def switched_off(feature: Feature, folder: Path) -> str:
    """What the tests that must miss it print; raises AssertionError if they do not."""
    client = built_without(feature, folder)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", f"tests/browser/{feature.missed_by}"),
            *("-q", "-x", "-n", "0", "-p", "no:cacheprovider", "-rf"),
        ],
        cwd=ROOT,
        env={**os.environ, "UPCARD_CLIENT": str(client)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"FAILED tests/browser/{feature.missed_by}" in done.stdout, done.stdout
    return done.stdout


def built_without(feature: Feature, folder: Path) -> Path:
    """A client of these sources without the feature."""
    copy = folder / "web"
    shutil.copytree(WEB, copy, ignore=shutil.ignore_patterns(*NOT_SOURCES))
    (copy / "node_modules").symlink_to(WEB / "node_modules")
    source = copy / "src" / feature.file
    text = source.read_text()
    assert text.count(feature.text) == 1, f"{feature.file} no longer has {feature.text!r} once"
    source.write_text(text.replace(feature.text, feature.by))
    subprocess.run(
        ["node", "node_modules/vite/bin/vite.js", "build", "--logLevel", "error"],
        cwd=copy,
        check=True,
        capture_output=True,
    )
    return folder / "src" / "upcard" / "static"
