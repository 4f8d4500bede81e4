"""What axe-core has against a page: rules for accessibility that are not ours."""

from __future__ import annotations

from pathlib import Path

from tests.browser.likeness import SETTLED
from tests.browser.player import Player

AXE = Path(__file__).resolve().parents[2] / "web/node_modules/axe-core/axe.min.js"
RUN = """async () => {
  const found = await axe.run(document, { resultTypes: ["violations"] });
  return found.violations.map((it) => `${it.id}: ${it.nodes.map((n) => n.html).join(" | ")}`);
}"""


def looked_at(player: Player) -> list[str]:
    """What it has against the page as it stands, once nothing moves any more."""
    player.page.wait_for_function(SETTLED)
    if not player.page.evaluate("() => 'axe' in window"):
        player.page.evaluate(AXE.read_text())
    found: list[str] = player.page.evaluate(RUN)
    return found
