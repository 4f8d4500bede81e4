/** How a player likes to play: what is asked before, what is ignored, how results come. */
import { recall, remember } from "./memory";

/** Each with what it is until it is switched. */
const SWITCHES = {
  /** All results in one step, not spot by spot (T-52). */
  speedPay: false,
  /** A press just after the buttons have changed is ignored. */
  guard: true,
  /** Asked before a choice that is rarely meant (T-53). */
  warnHit: false,
  warnStand: false,
  warnDouble: false,
  confirmSurrender: false,
  confirmMax: false,
};

export type Switch = keyof typeof SWITCHES;

interface Stored extends Record<Switch, boolean> {
  confirmAbove: number | null;
}

const NAME = "play";

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export class PlaySettings {
  #stored = $state<Stored>({ ...SWITCHES, confirmAbove: null });

  constructor() {
    const kept = recall(NAME, isRecord, {});
    for (const name of Object.keys(SWITCHES) as Switch[]) {
      const on = kept[name];
      if (typeof on === "boolean") this.#stored[name] = on;
    }
    const above = kept["confirmAbove"];
    if (Number.isSafeInteger(above) && (above as number) > 0) {
      this.#stored.confirmAbove = above as number;
    }
  }

  is(name: Switch): boolean {
    return this.#stored[name];
  }

  set(name: Switch, on: boolean): void {
    this.#stored[name] = on;
    this.#keep();
  }

  /** Stakes above so many cents are asked about first, or null. */
  get confirmAbove(): number | null {
    return this.#stored.confirmAbove;
  }

  set confirmAbove(cents: number | null) {
    this.#stored.confirmAbove = cents;
    this.#keep();
  }

  #keep(): void {
    remember(NAME, { ...this.#stored });
  }
}
