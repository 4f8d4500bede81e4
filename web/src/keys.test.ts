/** The keys of the table: names, what they leave alone, and the way of arrows. */
import { afterEach, describe, expect, it } from "vitest";
import { isForOthers, keyName, listenToKeys, towards, type Listener } from "./keys";

function press(
  key: string,
  init: KeyboardEventInit = {},
  on: EventTarget = document.body,
): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });
  on.dispatchEvent(event);
  return event;
}

let stop: (() => void) | undefined;
afterEach(() => {
  stop?.();
  stop = undefined;
  document.body.replaceChildren();
});

function listening(over: Partial<Listener> = {}): string[] {
  const done: string[] = [];
  stop = listenToKeys({
    read: (key) => done.push(`read ${key}`),
    help: () => done.push("help"),
    skip: () => done.push("skip"),
    selected: () => null,
    select: (place) => done.push(place),
    ...over,
  });
  return done;
}

function button(keys: string, done: string[]): HTMLButtonElement {
  const made = document.createElement("button");
  made.setAttribute("aria-keyshortcuts", keys);
  made.addEventListener("click", () => done.push(keys));
  document.body.append(made);
  return made;
}

describe("a key's name", () => {
  it.each([
    ["h", "", "H"],
    ["H", "", "H"],
    [" ", "Space", "Space"],
    ["?", "Slash", "?"],
    ["7", "Digit7", "7"],
    ["ArrowLeft", "ArrowLeft", "ArrowLeft"],
    ["р", "KeyH", "H"],
    ["0", "Digit0", null],
    ["Enter", "Enter", null],
    ["F5", "F5", null],
  ])("%s at %s is %s", (key, code, name) => {
    expect(keyName(new KeyboardEvent("keydown", { key, code }))).toBe(name);
  });

  it("is none with Ctrl, Alt or Meta", () => {
    for (const held of ["ctrlKey", "altKey", "metaKey"]) {
      expect(keyName(new KeyboardEvent("keydown", { key: "r", [held]: true }))).toBeNull();
    }
  });
});

describe("a press", () => {
  it("clicks the button that bears the key, and is then used up", () => {
    const done = listening();
    button("H", done);
    expect(press("h").defaultPrevented).toBe(true);
    expect(press("s").defaultPrevented).toBe(false);
    expect(done).toEqual(["H"]);
  });

  it("is left alone when held down, while typing, and under a dialog", () => {
    const done = listening();
    button("H", done);
    press("h", { repeat: true });
    const field = document.body.appendChild(document.createElement("input"));
    press("h", {}, field);
    const dialog = document.body.appendChild(document.createElement("dialog"));
    dialog.setAttribute("open", "");
    press("h");
    expect(isForOthers(new KeyboardEvent("keydown", { key: "h" }))).toBe(true);
    expect(done).toEqual([]);
    dialog.remove();
    press("h");
    expect(done).toEqual(["H"]);
  });

  it("reads, helps, and lets cards be there at once", () => {
    const done = listening();
    for (const key of ["l", "u", "m", "b", "?", " "]) press(key);
    expect(done).toEqual(["read L", "read U", "read M", "read B", "help", "skip"]);
  });

  it("of Space is for a button that Tab came to, and for DEAL where a click left the focus", () => {
    const done = listening();
    button("Space", done);
    const other = button("X", done);
    press("Tab", {}, other);
    expect(press(" ", {}, other).defaultPrevented).toBe(false);
    dispatchEvent(new Event("pointerdown"));
    expect(press(" ", {}, other).defaultPrevented).toBe(true);
    expect(done).toEqual(["Space"]);
  });
});

describe("on the chips", () => {
  function tray(): { done: string[]; chips: HTMLButtonElement[] } {
    const done = listening();
    const chips = ["1", "2", "3"].map((keys) => button(keys, done));
    for (const chip of chips) chip.dataset["chip"] = "100";
    const place = button("Enter", done);
    Object.assign(place.dataset, { place: "Main bet", key: "1.main", main: "true" });
    return { done, chips };
  }

  it("that Tab came to, left and right take the one beside, up to the ends", () => {
    const { done, chips } = tray();
    press("Tab", {}, chips[0]);
    press("ArrowRight", {}, chips[0]);
    expect(document.activeElement).toBe(chips[1]);
    press("ArrowRight", {}, chips[1]);
    press("ArrowRight", {}, chips[2]);
    press("ArrowLeft", {}, chips[2]);
    expect(done).toEqual(["2", "3", "2"]);
  });

  it("up and down go to the places, and so do all after a click", () => {
    const { done, chips } = tray();
    press("ArrowUp", {}, chips[0]);
    dispatchEvent(new Event("pointerdown"));
    press("ArrowRight", {}, chips[0]);
    expect(done).toEqual(["1.main", "1.main"]);
  });
});

describe("arrows", () => {
  const boxes = [
    [0, 0],
    [100, 0],
    [200, 10],
    [105, 80],
  ].map(([left = 0, top = 0]) => ({ left, top, width: 40, height: 40 }));

  it.each([
    [0, "ArrowRight", 1],
    [1, "ArrowRight", 2],
    [2, "ArrowRight", -1],
    [2, "ArrowLeft", 1],
    [1, "ArrowDown", 3],
    [3, "ArrowUp", 1],
    [0, "ArrowUp", -1],
  ] as const)("from %i by %s come to %i", (from, arrow, to) => {
    expect(towards(from, boxes, arrow)).toBe(to);
  });
});
