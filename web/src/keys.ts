/**
 * The keys of the table. A button that has a key says so in `aria-keyshortcuts`, and the key
 * does what a click on that button does: what is shown, what is declared and what works are one.
 */
import type { ChoiceName } from "./wire";

export const CHOICE_KEYS: Record<ChoiceName, string> = {
  hit: "H",
  stand: "S",
  double: "D",
  split: "P",
  surrender: "R",
  rescue: "R",
  insurance: "I",
  no_insurance: "N",
  even_money: "I",
  no_even_money: "N",
  raise: "R",
  fold: "F",
};

export const DEAL_KEY = "Space";
export const UNDO_KEY = "Z";
/** The chips of the tray, from the left. */
export const CHIP_KEYS = [..."123456789"];

/** What is read aloud at a key, and by which. */
export const READING_KEYS = {
  L: "what happened last",
  U: "the dealer's cards",
  M: "my hand",
  B: "balance and bets",
} as const;
export type ReadingKey = keyof typeof READING_KEYS;

const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
} as const;
type Arrow = keyof typeof ARROWS;

export interface Listener {
  read: (key: ReadingKey) => void;
  help: () => void;
  /** Space while cards are moving. */
  skip: () => void;
  /** The selected place, from which arrows go; null: none is selected yet. */
  selected: () => string | null;
  select: (place: string) => void;
}

/** The name of a pressed key as buttons have it, or null if it is none of the table's. */
export function keyName(event: KeyboardEvent): string | null {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return null;
  if (event.key === " ") return DEAL_KEY;
  if (/^[a-z]$/i.test(event.key)) return event.key.toUpperCase();
  if (/^[1-9?]$/.test(event.key) || event.key in ARROWS) return event.key;
  // A keyboard of another alphabet: by where the key lies.
  return /^\p{L}$/u.test(event.key) ? (/^Key([A-Z])$/.exec(event.code)?.[1] ?? null) : null;
}

/** Whether a press is meant for something else: a dialog, a field, or it is held down. */
export function isForOthers(event: KeyboardEvent): boolean {
  const { target } = event;
  const typing = target instanceof Element && target.closest("input, select, textarea") !== null;
  return (
    event.repeat ||
    event.defaultPrevented ||
    typing ||
    document.querySelector("dialog[open]") !== null
  );
}

/** Listen on the page until the returned function is called. */
export function listenToKeys(listener: Listener): () => void {
  /** A button that a click has left the focus on does not keep Space from the table. */
  let pointed = false;
  const point = (): void => {
    pointed = true;
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Tab") pointed = false;
    const name = keyName(event);
    if (name === null || isForOthers(event)) return;
    if (name === DEAL_KEY && isNative(event.target, pointed)) return;
    if ((!pointed && isAlongChips(name, event.target)) || act(name, listener)) {
      if (name === DEAL_KEY) blur();
      if (name in ARROWS) pointed = false;
      event.preventDefault();
    }
  };
  addEventListener("pointerdown", point, true);
  addEventListener("keydown", press);
  return () => {
    removeEventListener("pointerdown", point, true);
    removeEventListener("keydown", press);
  };
}

/** Space works the button that was reached by Tab; on chips and places Enter does, Space deals. */
function isNative(target: EventTarget | null, pointed: boolean): boolean {
  if (pointed || !(target instanceof Element)) return false;
  return target.closest("button, a, summary, [role=radio]") !== null && !isLaying(target);
}

function isLaying(target: Element): boolean {
  return target.closest("[data-place], [data-chip]") !== null;
}

/** A focused button would be clicked when Space comes up again. */
function blur(): void {
  const focused = document.activeElement;
  if (focused instanceof HTMLElement && focused.matches("button")) focused.blur();
}

/** Whether the key did anything. */
function act(name: string, listener: Listener): boolean {
  if (name in ARROWS) return goTo(name as Arrow, listener);
  if (name === "?") listener.help();
  else if (name in READING_KEYS) listener.read(name as ReadingKey);
  else {
    const button = document.querySelector<HTMLElement>(`[aria-keyshortcuts="${name}"]`);
    if (button) button.click();
    else if (name === DEAL_KEY) listener.skip();
    else return false;
  }
  return true;
}

/** Left and right on the chips, reached by Tab: the one beside is taken, as among any radio buttons. */
function isAlongChips(name: string, target: EventTarget | null): boolean {
  if (name !== "ArrowLeft" && name !== "ArrowRight") return false;
  const chips = [...document.querySelectorAll<HTMLElement>("[data-chip]")];
  const at = chips.findIndex((chip) => chip === target);
  if (at < 0) return false;
  const beside = chips[at + ARROWS[name][0]];
  beside?.focus();
  beside?.click();
  return true;
}

function goTo(arrow: Arrow, listener: Listener): boolean {
  const places = [...document.querySelectorAll<HTMLElement>("button[data-place]")];
  const boxes = places.map((place) => place.getBoundingClientRect());
  const from = places.findIndex((place) => place.dataset["key"] === listener.selected());
  const to =
    from < 0 ? places.findIndex((place) => place.dataset["main"]) : towards(from, boxes, arrow);
  const place = places[to];
  if (!place) return places.length > 0;
  place.focus();
  listener.select(place.dataset["key"] ?? "");
  return true;
}

/** The index of the box to go to from one of them, or -1 at the edge: nearest, straight ahead first. */
export function towards(
  from: number,
  boxes: readonly { left: number; top: number; width: number; height: number }[],
  arrow: Arrow,
): number {
  const centres = boxes.map(
    ({ left, top, width, height }) => [left + width / 2, top + height / 2] as const,
  );
  const [x, y] = centres[from] ?? [0, 0];
  const [dx, dy] = ARROWS[arrow];
  let best = -1;
  let least = Infinity;
  for (const [at, [cx, cy]] of centres.entries()) {
    const along = (cx - x) * dx + (cy - y) * dy;
    const aside = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
    // More aside than ahead is another direction.
    if (at === from || along < 1 || aside > 2 * along) continue;
    const distance = along + 2 * aside;
    if (distance < least) [best, least] = [at, distance];
  }
  return best;
}
