"""Record the dealer's voice: web/public/voice.mp3, and where each word lies in it.

Run it after a change of WORDS and commit what it writes. It needs two programs of Debian, flite
(the speaker "slt") and sox with MP3:

    apt-get install flite sox libsox-fmt-mp3
    python web/art/voice.py

One file holds all words, one after another with silence between: it is fetched once, and only by
those who switch the voice on. The places stand in web/src/sound/words.json, in milliseconds.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

WEB: Final = Path(__file__).parents[1]
VOICE: Final = WEB / "public" / "voice.mp3"
PLACES: Final = WEB / "src" / "sound" / "words.json"

NUMBERS: Final = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty twenty-one twenty-two twenty-three twenty-four "
    "twenty-five twenty-six twenty-seven twenty-eight twenty-nine thirty thirty-one"
)
WORDS: Final = {
    **{str(value): name for value, name in enumerate(NUMBERS.split(), 1)},
    "soft": "soft",
    "you_have": "you have",
    "dealer_shows": "dealer shows",
    "dealer_has": "dealer has",
    "dealer_busts": "dealer busts with",
    "spot": "spot",
    "blackjack": "blackjack",
    "bust": "bust",
    "push": "push",
    "wins": "wins",
    "loses": "loses",
    "win": "you win",
    "lose": "dealer wins",
    "surrender": "surrendered",
    "insurance": "insurance",
    "even_money": "even money",
}

RATE: Final = 22_050
BITS: Final = 32
"""Kilobits a second."""
GAP: Final = 0.12
"""Seconds of silence around each word: an MP3 may be off by a few hundredths."""
PEAK_DB: Final = -3
STRETCH: Final = 0.93
END: Final = "silence 1 0.003 0.2% fade q 0.012"
WARM: Final = "highpass 110 bass +2 220 treble -2 5000 compand 0.01,0.12 -50,-50,-20,-13,0,-6"
EFFECTS: Final = f"{END} reverse {END} reverse {WARM} gain -n {PEAK_DB} pad {GAP / 2} {GAP / 2}"


def record(text: str, made: Path) -> None:
    """One word: spoken, its silences cut, a little warmer, all equally loud."""
    spoken = made.with_suffix(".spoken.wav")
    brisk = ["--setf", f"duration_stretch={STRETCH}"]
    subprocess.run(["flite", "-voice", "slt", *brisk, "-t", f"{text}.", str(spoken)], check=True)
    words = ["sox", "-D", str(spoken), "-r", str(RATE), str(made), *EFFECTS.split()]
    subprocess.run(words, check=True)


def seconds(path: Path) -> float:
    told = subprocess.run(["soxi", "-D", path], check=True, capture_output=True, text=True)
    return float(told.stdout)


def main() -> int:
    with tempfile.TemporaryDirectory() as scratch:
        made: list[Path] = []
        places: dict[str, tuple[int, int]] = {}
        at = 0.0
        for name, text in WORDS.items():
            path = Path(scratch) / f"{re.sub(r'[^a-z0-9]', '-', name)}.wav"
            record(text, path)
            long = seconds(path)
            places[name] = (round(at * 1000), round(long * 1000))
            made.append(path)
            at += long
        subprocess.run(["sox", "-D", *made, "-C", str(BITS), VOICE], check=True)
    lines = ",\n".join(f"  {json.dumps(name)}: {list(where)}" for name, where in places.items())
    PLACES.write_text(f"{{\n{lines}\n}}\n")
    print(f"{len(places)} words, {at:.1f} s, {VOICE.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
