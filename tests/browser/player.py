"""Somebody at the table: finds things by role and name, clicks, and reads what the page says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from playwright.sync_api import ConsoleMessage, Error, Locator, Page, Request, expect

if TYPE_CHECKING:
    from tests.browser.conftest import Place

Answer = dict[str, Any]
BLOCKED = "Service Worker registration blocked by Playwright"


def cents(text: str) -> int:
    """`$1,234.50` → 123450."""
    found = re.fullmatch(r"(\u2212?)\$([\d,]+)\.(\d\d)", text.strip())
    assert found, text
    value = int(found[2].replace(",", "")) * 100 + int(found[3])
    return -value if found[1] else value


SEE = """() => {
  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const text = (selector, root = document) => one(selector, root)?.innerText ?? "";
  const cards = root => all("[data-card]", root).map(it => it.dataset.card);
  return {
    phase: one("[data-phase]").dataset.phase,
    dealer: [cards(one("[data-dealer]")), text("[data-dealer] [data-total]")],
    spots: Object.fromEntries(all("[data-spot]").map(spot => [spot.dataset.spot,
      all("[data-hand]", spot).map(hand => [cards(hand), text("[data-total]", hand)]).reverse()])),
    acting: one("[data-spot].acting")?.dataset.spot ?? null,
    offered: all("[data-choice]:not([aria-disabled=true])").map(it => it.dataset.choice),
    meters: Object.fromEntries(["balance", "total-bet", "total-win"].map(
      name => [name, text(`[data-${name}]`)])),
    laid: Object.fromEntries(all("button[data-place]").map(
      it => [it.dataset.place, Number(it.dataset.cents)])),
    open: all("button[data-place][aria-disabled=false]").map(it => it.dataset.place),
  };
}"""


@dataclass(frozen=True, slots=True)
class Seen:
    """A hand is its cards and its total as text; hands in playing order, from the right."""

    phase: str
    dealer: tuple[list[str], str]
    spots: dict[str, list[tuple[list[str], str]]]
    acting: str | None
    offered: list[str]
    meters: dict[str, str]
    laid: dict[str, int]
    open: list[str]


class Player:
    def __init__(self, page: Page, place: Place) -> None:
        self.page = page
        self.place = place
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self.allowed_complaints: tuple[str, ...] = ()
        page.on("request", self._asks)
        page.on("pageerror", self._fails)
        page.on("console", self._heard)

    def leaves(self) -> None:
        """Hear no more of this page, which somebody else may sit down at."""
        self.page.remove_listener("request", self._asks)
        self.page.remove_listener("pageerror", self._fails)
        self.page.remove_listener("console", self._heard)

    def _asks(self, request: Request) -> None:
        self.asked.append(request.url)

    def _fails(self, error: Error) -> None:
        self.complaints.append(str(error))

    def _heard(self, message: ConsoleMessage) -> None:
        # A browser looks for this where a page is nothing but a picture; see conftest.
        is_icon = message.location["url"].endswith("/favicon.ico")
        is_bad = message.type in ("error", "warning") and not is_icon
        allowed = (BLOCKED, *self.allowed_complaints)
        if is_bad and not any(it in message.text for it in allowed):
            self.complaints.append(message.text)

    def sit_at(self, game: str) -> None:
        """By the path of the game, where one sat last."""
        self.page.goto(f"{self.place.url}/{game}", wait_until="commit")
        expect(self.page.locator("[data-spot]").first).to_be_visible()

    def sit_down(self, game: str, level: str | None = None) -> None:
        """From the lobby."""
        self.page.goto(self.place.url)
        sign = self.page.locator(f'[data-game="{game}"]')
        if level:
            sign.get_by_label("Limits").select_option(level)
        sign.get_by_role("button", name=re.compile("Sit down|Back to your round")).click()
        expect(self.page.locator("[data-spot]").first).to_be_visible()

    # Betting

    def circle(self, name: str) -> Locator:
        """A place by its name: `Top 3 on spot 2`, `Ante`."""
        return self.page.get_by_role("button", name=re.compile(f"^{re.escape(name)}:"))

    def chip(self, units: str) -> Locator:
        return self.page.get_by_role("radio", name=f"${units} chip")

    def lay(self, units: str, *names: str, times: int = 1) -> None:
        """Select a chip and click it on places."""
        chip = self.chip(units)
        if chip.get_attribute("aria-checked") != "true":
            chip.click()
        for name in names:
            for _ in range(times):
                self.circle(name).click()

    def lies(self, name: str) -> int:
        place = self.page.locator(f'[data-place="{name}"]')
        return int(cast(str, place.get_attribute("data-cents")))

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def tool(self, name: str) -> Locator:
        """A betting button, from behind More where it has no room in the row."""
        if name == "Chip info" and self.button(name).count():
            return self.button(name)
        row = self.page.get_by_role("group", name="Bets", exact=True)
        if (tool := row.get_by_role("button", name=name, exact=True)).count() == 0:
            row.get_by_role("button", name="More bets").click()
            tool = self.page.get_by_role("dialog").get_by_role("button", name=name, exact=True)
        return tool

    def press(self, *names: str) -> None:
        for name in names:
            self.tool(name).click()

    def deal(self) -> None:
        self.button("Deal").click()
        self.rests()

    # Playing

    def choice(self, name: str) -> Locator:
        return self.page.locator(f'[data-choice="{name}"]')

    def choose(self, *names: str) -> None:
        for name in names:
            expect(self.choice(name)).to_be_enabled()
            self.choice(name).click()
            self.rests()

    def offered(self) -> list[str]:
        """What may be clicked now."""
        open_ = self.page.locator('[data-choice]:not([aria-disabled="true"])')
        return [cast(str, it.get_attribute("data-choice")) for it in open_.all()]

    def rests(self) -> None:
        """Wait until the table waits for the player."""
        self.page.wait_for_function(
            "() => !document.querySelector('[data-phase=moving]')", timeout=20_000
        )

    def finish(self) -> None:
        """Stand, or fold, until the round is over."""
        for _ in range(40):
            offered = self.offered()
            if not offered:
                return
            wanted = ("no_insurance", "no_even_money", "stand", "fold")
            self.choose(next(name for name in wanted if name in offered))
        raise AssertionError("the round does not end")

    # Reading

    @property
    def phase(self) -> str:
        return cast(str, self.page.locator("[data-phase]").get_attribute("data-phase"))

    @property
    def said(self) -> str:
        return self.page.locator("[data-said]").inner_text()

    def meter(self, name: str) -> int:
        """`balance`, `total-bet` or `total-win`."""
        return cents(self.page.locator(f"[data-{name}]").inner_text())

    def hands(self, spot: int = 1) -> Locator:
        """The hands of a spot as they are drawn, left to right."""
        return self.page.locator(f'[data-spot="{spot}"] [data-hand]')

    def tags(self, spot: int = 1) -> list[str]:
        """The results of a spot's hands in playing order, right to left."""
        texts = [hand.locator("[data-tag]").inner_text() for hand in self.hands(spot).all()]
        return texts[::-1]

    def cards(self, where: Locator) -> list[str]:
        return [
            cast(str, it.get_attribute("data-card")) for it in where.locator("[data-card]").all()
        ]

    @property
    def dealer(self) -> Locator:
        return self.page.locator("[data-dealer]")

    def note(self, name: str) -> str:
        """What a place says below its circle."""
        return self.page.locator(f'[data-place="{name}"] .note').inner_text()

    def sees(self) -> Seen:
        """All of the table that a round can change, read at once."""
        return Seen(**self.page.evaluate(SEE))

    # The house's own word, asked with the page's own cookie

    def ask(self, path: str) -> Any:
        response = self.page.request.get(f"{self.place.url}{path}")
        assert response.ok, (path, response.status)
        return response.json()

    def round(self) -> Answer:
        """The latest round, with all its events."""
        (latest,) = self.ask("/api/rounds?limit=1")["rounds"]
        return cast(Answer, self.ask(f"/api/rounds/{latest['round']}"))

    def balance(self) -> int:
        return cast(int, self.ask("/api/session")["balance"])
