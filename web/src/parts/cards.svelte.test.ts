/** What is drawn: the deck of 52 (contract: ranks A23456789TJQK, suits shdc), chips and icons. */
import { readFileSync } from "node:fs";
import { mount, unmount, flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import Card, { spoken } from "./Card.svelte";
import Chip, { DENOMINATIONS } from "./Chip.svelte";
import Icon, { ICON_NAMES } from "./Icon.svelte";

const DECK = [..."shdc"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit));

let shown: Record<string, unknown> | undefined;

beforeEach(() => {
  // The sheets as the house serves them.
  vi.stubGlobal("fetch", async (path: string) => new Response(readFileSync(`public${path}`)));
});

afterEach(async () => {
  if (shown) await unmount(shown);
  shown = undefined;
  document.body.replaceChildren();
});

function faces(file: string): Document {
  return new DOMParser().parseFromString(readFileSync(`public/${file}`, "utf8"), "text/xml");
}

describe.each(["cards.svg", "cards-large.svg"])("%s", (file) => {
  const sprite = faces(file);
  const ids = [...sprite.querySelectorAll("[id]")].map((element) => element.id);

  it("holds each of the 52 faces once and no other", () => {
    const cards = [...sprite.querySelectorAll("symbol")].map((symbol) => symbol.id);
    expect(cards.filter((id) => /^c../.test(id)).sort()).toEqual(DECK.map((c) => `c${c}`).sort());
  });

  it("gives no name twice and uses none it lacks", () => {
    expect(new Set(ids).size).toBe(ids.length);
    const used = [...sprite.querySelectorAll("use")].map((use) => use.getAttribute("href"));
    expect(used.filter((href) => !ids.includes(href?.slice(1) ?? ""))).toEqual([]);
  });

  it("asks for nothing that the content policy or another file's reader forbids", () => {
    expect(readFileSync(`public/${file}`, "utf8")).not.toMatch(/style=|<style|url\(|data:|filter/);
  });
});

describe("a card", () => {
  it.each([
    ["Ah", "ace of hearts"],
    ["Tc", "ten of clubs"],
    ["??", "face-down card"],
  ])("%s is said as %s", (card, words) => {
    shown = mount(Card, { target: document.body, props: { card } });
    expect(document.querySelector(".card")?.getAttribute("aria-label")).toBe(words);
    expect(document.querySelector(".card")?.getAttribute("role")).toBe("img");
  });

  it("shows its face from the deck that is asked for, and none while it lies face down", () => {
    const face = () => document.querySelector("use")?.getAttribute("href");
    const props = $state({ card: "??", large: false });
    shown = mount(Card, { target: document.body, props });
    expect(face()).toBeUndefined();
    props.card = "Qd";
    flushSync();
    expect(face()).toBe("#classic-cQd");
    props.large = true;
    flushSync();
    expect(face()).toBe("#large-cQd");
  });

  it.each([
    ["Qd", false, "classic"],
    ["Qd", true, "large"],
    ["7s", false, "classic"],
  ])("%s is drawn in the page with all that it is made of", async (card, large, sheet) => {
    shown = mount(Card, { target: document.body, props: { card, large } });
    await vi.waitFor(() => expect(document.getElementById(`${sheet}-c${card}`)).not.toBeNull());
    const used = [...document.querySelectorAll("use")].map((use) => use.getAttribute("href") ?? "");
    expect(used.length).toBeGreaterThan(1);
    expect(used.filter((href) => !document.querySelector(`[id="${href.slice(1)}"]`))).toEqual([]);
    const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("is refused when there is no such card", () => {
    expect(() => spoken("1h")).toThrow("not a card: 1h");
  });
});

describe("a chip", () => {
  it("exists for each value of the house", () => {
    expect(DENOMINATIONS).toEqual([
      1, 5, 25, 50, 100, 500, 2_500, 10_000, 50_000, 100_000, 500_000,
    ]);
  });

  it.each([
    [1, "1¢"],
    [50, "50¢"],
    [2_500, "25"],
    [500_000, "5K"],
  ])("of %i cents says %s to the eye alone", (cents, words) => {
    shown = mount(Chip, { target: document.body, props: { cents } });
    expect(document.querySelector("text")?.textContent.trim()).toBe(words);
    expect(document.querySelector("svg")?.getAttribute("aria-hidden")).toBe("true");
    expect(document.querySelector("[style]")).toBeNull();
  });
});

describe("an icon", () => {
  it.each(ICON_NAMES)("%s is a drawing of its own, hidden from speech", (name) => {
    shown = mount(Icon, { target: document.body, props: { name } });
    expect(document.querySelector("svg")?.getAttribute("aria-hidden")).toBe("true");
    expect(document.querySelector("path")?.getAttribute("d")).toMatch(/^M/);
  });
});
