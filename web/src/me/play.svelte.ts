/** How long this sitting has lasted and what it came to, limits and exclusion, as the house has them. */
import type { House } from "../house/connection";
import { amount } from "../money";
import type { OwnLimits, Standing } from "../wire";

export type Kind = keyof Standing["limits"];
export type Period = keyof Standing["limits"]["loss"];
export const KINDS: readonly Kind[] = ["loss", "stake"];
export const PERIODS: readonly Period[] = ["day", "week", "month"];

export class Play {
  standing: Standing | null = $state.raw(null);
  /** Seconds since the house told how things stand, by this browser's clock. */
  #since = $state(0);
  #told = 0;

  constructor(
    private readonly house: House,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** Ask again; whoever cannot be told now is told later. */
  async refresh(): Promise<void> {
    this.#take(await this.house.standing());
  }

  async setLimits(limits: OwnLimits): Promise<void> {
    this.#take(await this.house.setLimits(limits));
  }

  async exclude(days: number): Promise<void> {
    this.#take(await this.house.exclude(days));
  }

  /** Let the clock go on. */
  tick(): void {
    this.#since = Math.floor((this.clock() - this.#told) / 1000);
  }

  /** `12 min`, or null while nothing is played. */
  get time(): string | null {
    const { sitting } = this.standing ?? {};
    return sitting ? duration(sitting.seconds + this.#since) : null;
  }

  /** What this sitting has won, in cents; lost below zero. */
  get net(): number {
    const { sitting } = this.standing ?? {};
    return sitting ? sitting.paid - sitting.staked : 0;
  }

  get rounds(): number {
    return this.standing?.sitting?.rounds ?? 0;
  }

  #take(standing: Standing): void {
    this.standing = standing;
    this.#told = this.clock();
    this.#since = 0;
  }
}

/** `45 min`, `1 h 05 min`: whole minutes. */
export function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

/** `+$5.00`, `−$5.00`, `$0.00`. */
export function net(cents: number): string {
  return cents > 0 ? `+${amount(cents)}` : amount(cents);
}

/** `2027-01-15 08:00` in the player's own time. */
export function when(seconds: number): string {
  return new Date(seconds * 1000).toLocaleString(undefined, {
    dateStyle: "medium",
    timeStyle: "short",
  });
}
