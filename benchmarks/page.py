"""How light and how quick the table in the browser is: python benchmarks/page.py

It starts a house, opens its table in a Chromium without a graphics card, and prints JSON:

script_gzip_bytes    the scripts that a table begins with, and those that it fetches later
first_view           what the first visit to a table brings over the wire, and from other origins
interactive_ms       from the navigation until chips can be laid: median of VISITS, cache empty
drawn_ms             from the navigation until that table has been drawn
deal                 three spots laid and dealt at normal speed: frames, the longest task, and from
                     a click to the first frame that answers it

`phone` is a window of 390 by 844 with the processor slowed down four times.

What is timed runs without the instruments of a test: a tool that listens to the network has the
browser read every script twice, and one that looks for a button before it clicks does so in the
page. So a visit is a bare tab, asked when it is over, and a click is one of the mouse.
"""

from __future__ import annotations

import json
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import (  # noqa: E402
    Browser,
    CDPSession,
    Locator,
    Page,
    sync_playwright,
)

from tests.browser.conftest import ARGUMENTS, Place, open_place  # noqa: E402
from tests.browser.player import Player  # noqa: E402
from tools.chromium import get  # noqa: E402
from upcard.server.static import built_client  # noqa: E402

VISITS = 5
DEALS = 3
VISIT_SECONDS = 1.5
"""Until a visit is asked how long it took."""
REST_MS = 400
"""Between two clicks, so that each is answered by itself."""
DEVICES = {"desktop": ((1440, 900), 1), "phone": ((390, 844), 4)}
"""The window, and how many times slower the processor is."""
MAINS = [f"Main bet on spot {spot}" for spot in (1, 2, 3)]

OPENED = """
new MutationObserver((_, observer) => {
  if (!document.querySelector("button[data-place]")) return;
  observer.disconnect();
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    window.interactive = performance.now();
    channel.port1.onmessage = () => { window.drawn = performance.now(); };
    channel.port2.postMessage(null);
  });
}).observe(document, { childList: true, subtree: true });
"""
MEASURES = """
window.frames = [];
window.tasks = [];
window.answers = [];
let last = null;
const frame = (now) => {
  if (last !== null) window.frames.push(now - last);
  last = now;
  requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) window.tasks.push(task.duration);
}).observe({ entryTypes: ["longtask"] });
addEventListener("click", (event) => {
  const observer = new MutationObserver(() => {
    observer.disconnect();
    requestAnimationFrame(() => window.answers.push(performance.now() - event.timeStamp));
  });
  observer.observe(document.body, { childList: true, subtree: true, attributes: true });
}, { capture: true });
"""


@contextmanager
def visit(browser: Browser, device: str, script: str) -> Iterator[tuple[Page, CDPSession]]:
    """A new guest with an empty cache."""
    (width, height), slower = DEVICES[device]
    context = browser.new_context(viewport={"width": width, "height": height})
    context.add_init_script(
        "localStorage.setItem('upcard.play', '{\"speedPay\": true, \"guard\": false}')"
    )
    context.add_init_script(script)
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    yield page, devtools
    context.close()


def sent_bytes(file: Path) -> int:
    """The smallest files lie there only as they are."""
    compressed = file.with_name(f"{file.name}.gz")
    return (compressed if compressed.exists() else file).stat().st_size


def script_bytes() -> dict[str, int]:
    """A page names its first script; what that imports by name at its top comes with it."""
    folder = built_client()
    size = {path.name: sent_bytes(path) for path in folder.glob("assets/*.js")}
    html = (folder / "index.html").read_text()
    first = {name for name in size if name in html}
    for name in tuple(first):
        text = (folder / "assets" / name).read_text()
        first |= set(re.findall(r'(?:from|import)\s*"\./([^"]+\.js)"', text))
    begin = sum(size[name] for name in first)
    return {"begin": begin, "later": sum(size.values()) - begin}


def first_view(browser: Browser, place: Place) -> dict[str, Any]:
    with visit(browser, "desktop", "") as (page, devtools):
        asked: list[str] = []
        received: list[float] = []
        devtools.send("Network.enable")
        devtools.on("Network.requestWillBeSent", lambda it: asked.append(it["request"]["url"]))
        devtools.on("Network.loadingFinished", lambda it: received.append(it["encodedDataLength"]))
        page.goto(f"{place.url}/top3")
        page.locator("button[data-place]").first.wait_for()
        page.wait_for_timeout(500)
        foreign = {urlsplit(url).netloc for url in asked} - {urlsplit(place.url).netloc}
        return {
            "bytes": round(sum(received)),
            "requests": len(asked),
            "other_origins": sorted(foreign),
        }


class Tab:
    """A tab of a new guest with an empty cache that no other tool looks into."""

    def __init__(self, browser: Browser, device: str) -> None:
        (width, height), slower = DEVICES[device]
        self._browser = browser.new_browser_cdp_session()
        self._context = self._browser.send("Target.createBrowserContext")["browserContextId"]
        size = {"width": width, "height": height}
        made = {"url": "about:blank", "browserContextId": self._context, **size}
        target = {"targetId": self._browser.send("Target.createTarget", made)["targetId"]}
        attached = self._browser.send("Target.attachToTarget", {**target, "flatten": False})
        self._session = attached["sessionId"]
        self._answers: dict[int, dict[str, Any]] = {}
        self._browser.on("Target.receivedMessageFromTarget", self._hear)
        screen = {**size, "deviceScaleFactor": 1, "mobile": False}
        self.ask("Emulation.setDeviceMetricsOverride", **screen)
        self.ask("Emulation.setCPUThrottlingRate", rate=slower)
        self.ask("Page.enable")

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        number = len(self._answers) + 1
        message = json.dumps({"id": number, "method": method, "params": params})
        sent = {"sessionId": self._session, "message": message}
        self._browser.send("Target.sendMessageToTarget", sent)
        while number not in self._answers:
            # Any answer of the browser brings what the tab has said as well.
            self._browser.send("Browser.getVersion")
        return self._answers[number]

    def _hear(self, told: dict[str, Any]) -> None:
        message = json.loads(told["message"])
        if "id" in message:
            self._answers[message["id"]] = message["result"]

    def close(self) -> None:
        self._browser.send("Target.disposeBrowserContext", {"browserContextId": self._context})
        self._browser.detach()


def opening_ms(browser: Browser, place: Place, device: str) -> dict[str, int]:
    """Medians of when a table is interactive, and drawn."""
    times: dict[str, list[float]] = {"interactive": [], "drawn": []}
    for _ in range(VISITS):
        tab = Tab(browser, device)
        tab.ask("Page.addScriptToEvaluateOnNewDocument", source=OPENED)
        tab.ask("Page.navigate", url=f"{place.url}/top3")
        time.sleep(VISIT_SECONDS)
        for name, found in times.items():
            told = tab.ask("Runtime.evaluate", expression=f"window.{name}")
            found.append(told["result"]["value"])
        tab.close()
    return {name: round(statistics.median(found)) for name, found in times.items()}


def opening(browser: Browser, place: Place) -> dict[str, dict[str, int]]:
    told = {name: opening_ms(browser, place, name) for name in DEVICES}
    return {
        f"{moment}_ms": {name: told[name][moment] for name in DEVICES}
        for moment in ("interactive", "drawn")
    }


def deal(browser: Browser, place: Place, device: str) -> dict[str, Any]:
    frames: list[float] = []
    tasks: list[float] = []
    answers: list[float] = []
    with visit(browser, device, MEASURES) as (page, _devtools):
        player = Player(page, place)
        player.sit_down("top3", "low")
        player.lay("5.00", *MAINS)
        page.wait_for_timeout(3000)
        for _ in range(DEALS):
            spots = [middle(player.circle(name)) for name in MAINS]
            button = middle(player.button("Deal"))
            page.wait_for_timeout(REST_MS)
            page.evaluate("() => { frames.length = tasks.length = answers.length = 0; }")
            for at in (*spots, button):
                page.mouse.click(*at)
                page.wait_for_timeout(REST_MS)
            while player.phase == "moving":
                page.wait_for_timeout(REST_MS)
            frames += page.evaluate("() => frames")
            tasks += page.evaluate("() => tasks")
            answers += page.evaluate("() => answers")
            player.finish()
    return {
        "frames": len(frames),
        "frame_ms_median": round(statistics.median(frames), 1),
        "frame_ms_p95": round(statistics.quantiles(frames, n=20)[18], 1),
        "longest_task_ms": round(max(tasks, default=0)),
        "answer_ms_median": round(statistics.median(answers)),
        "answer_ms_max": round(max(answers)),
    }


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def main() -> int:
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=get(), args=ARGUMENTS)
        place = open_place(Path(folder))
        figures = {
            "script_gzip_bytes": script_bytes(),
            "first_view": first_view(browser, place),
            **opening(browser, place),
            "deal": {name: deal(browser, place, name) for name in DEVICES},
        }
        browser.close()
        place.stop()
    print(json.dumps(figures, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
