/** What a player has set, kept from visit to visit. */
import { newKey } from "./house/connection";
import { recall, remember } from "./memory";
import { PlaySettings } from "./play-settings.svelte";
import type { Speed } from "./table/player";

interface Stored {
  speed: Speed;
  askInsurance: boolean;
  clientSeed: string;
  coach: boolean;
  plain: boolean;
}

const NAME = "settings";
const CLIENT_SEED = /^[A-Za-z0-9_-]{1,64}$/;

function isStored(value: unknown): value is Partial<Stored> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export class Settings {
  readonly play = new PlaySettings();
  #stored = $state<Stored>({
    speed: "normal",
    askInsurance: true,
    clientSeed: newKey(),
    coach: false,
    plain: false,
  });

  /** Whether the house lets cards and results be shown at once. */
  fastPlay = $state(true);

  constructor() {
    const { speed, askInsurance, clientSeed, coach, plain } = recall(NAME, isStored, {});
    if (speed === "instant") this.#stored.speed = speed;
    if (askInsurance === false) this.#stored.askInsurance = false;
    if (clientSeed !== undefined && isClientSeed(clientSeed)) this.#stored.clientSeed = clientSeed;
    if (coach === true) this.#stored.coach = true;
    if (plain === true) this.#stored.plain = true;
    this.#keep();
  }

  /** Whether the coach tells what each choice is worth; off at first. */
  get coach(): boolean {
    return this.#stored.coach;
  }

  set coach(on: boolean) {
    this.#stored.coach = on;
    this.#keep();
  }

  /** Whether the table is a page of text. */
  get plain(): boolean {
    return this.#stored.plain;
  }

  set plain(plain: boolean) {
    this.#stored.plain = plain;
    this.#keep();
  }

  /** Card deal speed (T-51). */
  get speed(): Speed {
    return this.fastPlay ? this.#stored.speed : "normal";
  }

  set speed(speed: Speed) {
    this.#stored.speed = speed;
    this.#keep();
  }

  /** Whether insurance is offered under an ace, where a game lets one choose (T-50). */
  get askInsurance(): boolean {
    return this.#stored.askInsurance;
  }

  set askInsurance(ask: boolean) {
    this.#stored.askInsurance = ask;
    this.#keep();
  }

  /** The player's own part of every shuffle. */
  get clientSeed(): string {
    return this.#stored.clientSeed;
  }

  set clientSeed(seed: string) {
    if (!isClientSeed(seed)) throw new Error(`not a client seed: ${seed}`);
    this.#stored.clientSeed = seed;
    this.#keep();
  }

  #keep(): void {
    remember(NAME, { ...this.#stored });
  }
}

export function isClientSeed(text: string): boolean {
  return CLIENT_SEED.test(text);
}
