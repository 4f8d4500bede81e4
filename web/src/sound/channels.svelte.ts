/** What may be heard, and how loud (T-54, T-55, T-56): kept from visit to visit. */
import { recall, remember } from "../memory";

export type Channel = "effects" | "voice" | "music";

export interface Level {
  on: boolean;
  /** From 0 to 1, as the player sets it. */
  volume: number;
}

type Stored = Record<Channel, Level> & { muted: boolean };

const NAME = "sound";
export const CHANNELS: readonly Channel[] = ["effects", "voice", "music"];
const FIRST: Readonly<Record<Channel, Level>> = {
  effects: { on: true, volume: 0.6 },
  voice: { on: false, volume: 0.8 },
  music: { on: false, volume: 0.35 },
};

function isStored(value: unknown): value is Partial<Record<keyof Stored, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isLevel(value: unknown): value is Level {
  if (typeof value !== "object" || value === null) return false;
  const { on, volume } = value as Partial<Level>;
  return typeof on === "boolean" && typeof volume === "number" && volume >= 0 && volume <= 1;
}

export class Channels {
  #stored = $state<Stored>({
    effects: { ...FIRST.effects },
    voice: { ...FIRST.voice },
    music: { ...FIRST.music },
    muted: false,
  });
  /** Whoever makes the sounds is told of every change. */
  onchange: () => void = () => undefined;

  constructor() {
    const kept = recall(NAME, isStored, {});
    for (const channel of CHANNELS) {
      const level = kept[channel];
      if (isLevel(level)) this.#stored[channel] = { on: level.on, volume: level.volume };
    }
    this.#stored.muted = kept.muted === true;
  }

  level(channel: Channel): Readonly<Level> {
    return this.#stored[channel];
  }

  /** How much of a channel is heard: nothing while it is off, or all is silent. */
  loudness(channel: Channel): number {
    const { on, volume } = this.#stored[channel];
    return on && !this.#stored.muted ? volume : 0;
  }

  /** All is silent, whatever is on. */
  get muted(): boolean {
    return this.#stored.muted;
  }

  set muted(muted: boolean) {
    this.#stored.muted = muted;
    this.#keep();
  }

  set(channel: Channel, change: Partial<Level>): void {
    this.#stored[channel] = { ...this.#stored[channel], ...change };
    this.#keep();
  }

  #keep(): void {
    remember(NAME, $state.snapshot(this.#stored));
    this.onchange();
  }
}
