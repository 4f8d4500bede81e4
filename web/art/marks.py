"""Draw Upcard's mark for a home screen: web/public/icon-192.png and icon-512.png.

The mark is web/public/favicon.svg on the felt, with the rim that a phone may cut away. Chromium
turns it into pixels:

    python web/art/marks.py [CHROMIUM]
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

PUBLIC: Final = Path(__file__).parents[1] / "public"
SIZES: Final = (192, 512)
FELT: Final = "radial-gradient(circle at 50% 42%, #1b8a5f, #0b4a32)"
MARK_PERCENT: Final = 76
"""A mask may leave no more than a circle of 80 % of the width."""


def page(mark: str) -> str:
    return (
        "<!doctype html><style>html,body{height:100%;margin:0}"
        f"body{{display:grid;place-items:center;background:{FELT}}}svg{{width:{MARK_PERCENT}vw}}"
        f"</style>{mark}"
    )


def photograph(chromium: str, source: Path, size: int) -> None:
    """Write one icon, out of a window twice as wide: Chromium has a least width for those."""
    command = [
        chromium,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        f"--window-size={2 * size},{2 * size}",
        "--force-device-scale-factor=0.5",
        f"--screenshot={PUBLIC / f'icon-{size}.png'}",
        source.as_uri(),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=60)


def main() -> None:
    chromium = sys.argv[1] if len(sys.argv) > 1 else "chromium"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "mark.html"
        source.write_text(page((PUBLIC / "favicon.svg").read_text()))
        for size in SIZES:
            photograph(chromium, source, size)


if __name__ == "__main__":
    main()
