"""What is heard: every sound that starts is noted in a real Chromium, and some are measured.

A note's pitch tells the sound: chips ring at 2350 Hz, a win is a chord from middle C, a push a
fifth from D, a turn a knock at 392 Hz; each card lands with a knock at 150 Hz. A word of the dealer
is a piece of the recording, and known by where it begins.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Sit
from tests.browser.modules import page_of
from tests.browser.player import Player
from tests.browser.scenes import prefers, rows_of, seed_where, up_rank
from upcard.game import Round

WORDS: dict[str, list[int]] = json.loads(
    (Path(__file__).resolve().parents[2] / "web/src/sound/words.json").read_text()
)
CHIP, CARD, TURN, WIN, PUSH = 2350, 150, 392, 261.63, 293.66
MUSIC_MAX = 140
"""The bass of the music lies below this, and nothing else does."""
LISTEN = """
window.heard = [];
window.gains = [];
window.contexts = 0;
const note = (it) => window.heard.push(it);
const wave = AudioScheduledSourceNode.prototype.start;
OscillatorNode.prototype.start = function (...given) {
  note({ tone: Math.round(this.frequency.value * 100) / 100 });
  return wave.apply(this, given);
};
const piece = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (...given) {
  note(given.length > 1 ? { from: given[1] } : { noise: true });
  return piece.apply(this, given);
};
const aim = AudioParam.prototype.setTargetAtTime;
AudioParam.prototype.setTargetAtTime = function (value, ...given) {
  window.gains.push(Math.round(value * 1000) / 1000);
  return aim.call(this, value, ...given);
};
const decode = BaseAudioContext.prototype.decodeAudioData;
BaseAudioContext.prototype.decodeAudioData = async function (...given) {
  const made = await decode.apply(this, given);
  setTimeout(() => { window.decoded = true; });
  return made;
};
window.AudioContext = class extends AudioContext {
  constructor(...given) { super(...given); window.contexts += 1; window.context = this; }
};
"""
OFF = {"on": False, "volume": 0.5}
ON = {"on": True, "volume": 0.5}


def heard(player: Player) -> list[dict[str, Any]]:
    """What has begun to sound since it was last asked."""
    return cast(list[dict[str, Any]], player.page.evaluate("() => window.heard.splice(0)"))


def tones(sounds: list[dict[str, Any]]) -> list[float]:
    return [it["tone"] for it in sounds if "tone" in it]


def words(sounds: list[dict[str, Any]]) -> list[str]:
    """What the dealer said: each piece begins in the place of one word."""
    said = [it["from"] * 1000 for it in sounds if "from" in it]
    return [
        next(name for name, (at, long) in WORDS.items() if at <= place < at + long)
        for place in said
    ]


def seated(sit: Sit, row: str, **settings: Any) -> Player:
    """At a table of one hand, whose first round ends in this row by standing."""

    def happens(round_: Round) -> bool:
        total = round_.table.spots[0].hands[0].total
        rows = rows_of(round_, "main")
        return rows == [row] and up_rank(round_) != "A" and 12 <= total < 21

    seed = seed_where("super21", "table", [{"main": 500}], prefers("stand"), happens)
    player = sit("super21", seed=seed, script=LISTEN, **settings)
    return player


def test_nothing_sounds_before_a_gesture(sit: Sit) -> None:
    """X-18: with everything switched on, a table is silent until something is pressed."""
    player = sit(
        "super21", script=LISTEN, kept={"sound": {"effects": ON, "voice": ON, "music": ON}}
    )
    player.page.goto(f"{player.place.url}/super21")
    expect(player.page.locator("[data-spot]")).to_be_visible()
    player.page.wait_for_timeout(100)
    assert player.page.evaluate("() => [window.contexts, window.heard.length]") == [0, 0]
    player.page.keyboard.press("Shift")
    player.page.wait_for_function("() => window.heard.length > 0")
    assert player.page.evaluate("() => window.contexts") == 1


@pytest.mark.parametrize("row", ["win", "push", "lose"])
def test_cards_chips_and_results_sound(row: str, sit: Sit) -> None:
    """T-55: the card-draw sound and the result sound; a loss is not celebrated. T-54: captions are
    shown without the voice, whose recording is not even asked for."""
    player = seated(sit, row)
    player.lay("5.00", "Main bet")
    assert CHIP in tones(heard(player))
    player.deal()
    dealt = tones(heard(player))
    assert CARD in dealt
    assert TURN in dealt
    assert CHIP not in dealt
    (hand,) = player.round()["table"]["spots"][0]["hands"]
    caption = player.page.locator("[data-caption]")
    expect(caption).to_contain_text(str(hand["total"]))
    player.choose("stand")
    expect(caption).to_contain_text({"win": "You win", "push": "Push", "lose": "Dealer wins"}[row])
    assert not any("voice" in url for url in player.asked)
    result = tones(heard(player))
    assert (WIN in result, PUSH in result) == (row == "win", row == "push")
    if row == "lose":
        assert {hertz for hertz in result if hertz != CARD} == set(), "a card, and no more"


def test_sound_effects_are_switched_off_and_stay_off(sit: Sit) -> None:
    """T-55, T3-83, T3-85: the switch, and the volume beside it, are kept from visit to visit."""
    player = seated(sit, "win")
    player.button("Settings").click()
    group = player.page.get_by_role("group", name="Table sound effects")
    slider = group.get_by_role("slider")
    slider.fill("30")
    assert 0.09 in player.page.evaluate("() => window.gains"), "0.3 squared"
    group.get_by_role("button", name="Off").click()
    expect(slider).to_be_disabled()
    player.page.keyboard.press("Escape")
    player.page.reload()
    expect(player.circle("Main bet")).to_be_visible()
    player.lay("5.00", "Main bet")
    player.deal()
    assert heard(player) == []
    assert player.page.evaluate("() => window.contexts") == 0, "no sound, no context"
    player.button("Settings").click()
    expect(slider).to_have_value("30")
    group.get_by_role("button", name="On").click()
    player.page.keyboard.press("Escape")
    player.finish()
    assert WIN in tones(heard(player))


def test_the_dealer_says_totals_and_the_result(sit: Sit) -> None:
    """T-54, T3-82: the hand's total, the dealer's total and the result, with captions."""
    player = seated(sit, "win")
    caption = player.page.locator("[data-caption]")
    player.lay("5.00", "Main bet")
    player.button("Settings").click()
    group = player.page.get_by_role("group", name="Dealer voice")
    with player.page.expect_response("**/voice.mp3") as fetched:
        group.get_by_role("button", name="On").click()
    assert len(fetched.value.body()) < 150_000
    player.page.keyboard.press("Escape")
    player.page.wait_for_function("() => window.decoded")
    player.deal()
    (hand,) = player.round()["table"]["spots"][0]["hands"]
    spoken = ["you_have", *(["soft"] if hand["soft"] else []), str(hand["total"])]
    said = spoken_by(player, len(spoken))
    assert said[: len(spoken)] == spoken
    expect(caption).to_contain_text(" ".join(["You have", *spoken[1:]]))
    player.choose("stand")
    dealer = player.round()["table"]["dealer"]
    busts = dealer["total"] > 21
    said = spoken_by(player, 3)
    assert said == ["dealer_busts" if busts else "dealer_has", str(dealer["total"]), "win"]
    expect(caption).to_contain_text(f"{'busts with' if busts else 'has'} {dealer['total']}")
    expect(caption).to_contain_text("You win")


def spoken_by(player: Player, count: int) -> list[str]:
    """The words that have begun since it was last asked, once there are so many."""
    player.page.wait_for_function(
        "count => window.heard.filter((it) => it.from).length >= count", arg=count
    )
    return words(heard(player))


def test_music_and_the_speaker_button(sit: Sit) -> None:
    """T-56, T3-84: music, a switch, off at first. X-18: one button silences everything."""
    player = sit("super21", script=LISTEN)
    player.lay("5.00", "Main bet")
    assert min(tones(heard(player))) > MUSIC_MAX
    player.button("Settings").click()
    group = player.page.get_by_role("group", name="Music")
    group.get_by_role("button", name="On").click()
    player.page.wait_for_function(
        "most => window.heard.some((it) => it.tone < most)", arg=MUSIC_MAX
    )
    player.page.keyboard.press("Escape")
    player.button("Sound").click()
    player.page.wait_for_function("() => window.context.state === 'suspended'")
    heard(player)
    player.circle("Main bet").click()
    assert heard(player) == []


MEASURE = """async () => {
  const { EFFECTS } = await import("/src/sound/effects.ts");
  const { bar, playBar } = await import("/src/sound/music.ts");
  const rate = 44100;
  const measured = async (seconds, play) => {
    const context = new OfflineAudioContext(1, rate * seconds, rate);
    const told = play(context);
    const samples = (await context.startRendering()).getChannelData(0);
    let peak = 0, last = 0;
    samples.forEach((value, at) => {
      peak = Math.max(peak, Math.abs(value));
      if (Math.abs(value) > 0.001) last = at / rate;
    });
    return { peak, last, told };
  };
  const sounds = {};
  for (const [name, sound] of Object.entries(EFFECTS)) {
    sounds[name] = await measured(3, (context) => sound(context, context.destination, 0));
  }
  let state = 7;
  const chance = () => (state = (state * 16807) % 2147483647) / 2147483647;
  sounds.music = await measured(16, (context) => {
    for (const at of [0, 1, 2, 3]) {
      playBar(context, context.destination, at * 3.6, bar(at, chance));
    }
    return 16;
  });
  return sounds;
}"""


def test_sounds_are_quiet_and_short(chromium: Browser) -> None:
    """Rendered offline: no peak reaches half of full scale (contract), none is silent, and each is
    over when it says."""
    page = page_of(chromium, "src/sound/effects.ts", "src/sound/music.ts")
    sounds = page.evaluate(MEASURE)
    page.close()
    assert sounds.keys() == {"card", "flip", "chip", "turn", "win", "push", "music"}
    for name, it in sounds.items():
        assert 0.02 < it["peak"] < 0.5, (name, it)
        assert it["last"] <= it["told"], (name, it)
    assert sounds["win"]["last"] > 0.8
    assert sounds["card"]["last"] < 0.5
