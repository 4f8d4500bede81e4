"""The table as an installed application, and a page without a connection (G-12, X-08, X-19)."""

from __future__ import annotations

from typing import Any, cast

from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.player import Player

OFFLINE = ("Failed to load resource", "net::ERR", "ERR_INTERNET_DISCONNECTED")
KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    for (const request of await (await caches.open(name)).keys()) {
      found.push(new URL(request.url).pathname);
    }
  }
  return found.sort();
}"""


def seated(sit: Sit) -> Player:
    player = sit("super21", service_workers="allow")
    player.allowed_complaints = OFFLINE
    player.page.evaluate("() => navigator.serviceWorker.ready")
    player.page.wait_for_function("() => navigator.serviceWorker.controller")
    return player


def test_a_page_without_a_connection_says_so_and_the_same_hand_comes_back(sit: Sit) -> None:
    """X-08: reloaded without a network, the page is calm; with one, the round is as it was."""
    player = seated(sit)
    page = player.page
    player.lay("25.00", "Main bet")
    player.deal()
    cards = player.cards(player.hands())
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", name="No connection to the house")).to_be_visible()
    expect(page.locator("body")).to_have_css("text-align", "center")
    assert page.evaluate("() => document.querySelector('img').naturalWidth > 0")
    assert page.evaluate(KEPT) == ["/favicon.svg", "/offline.css", "/offline.html"], (
        "no answer of the house is ever kept"
    )
    page.context.set_offline(False)
    # It goes on trying by itself.
    expect(player.hands()).to_have_count(1, timeout=20_000)
    assert player.cards(player.hands()) == cards
    player.finish()
    assert player.meter("balance") == player.balance()


def test_a_browser_would_install_it(sit: Sit) -> None:
    """Chromium's own opinion of the manifest and its icons; a private window alone is no reason."""
    player = seated(sit)
    devtools = player.page.context.new_cdp_session(player.page)
    found: dict[str, Any] = devtools.send("Page.getInstallabilityErrors")
    errors = [it["errorId"] for it in cast(list[dict[str, Any]], found["installabilityErrors"])]
    assert set(errors) <= {"in-incognito"}
    manifest = devtools.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"] == f"{player.place.url}/manifest.webmanifest"
    assert player.ask("/manifest.webmanifest")["display"] == "standalone"
