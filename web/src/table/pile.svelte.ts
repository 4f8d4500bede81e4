/** The chips of one circle: what lies there, and what is on its way there or away. */
import { untrack } from "svelte";
import type { Flight } from "./flights";

const TRAY = '[role="radio"][aria-checked="true"]';
const DEALER = "[data-dealer]";
const PURSE = "[data-balance]";

interface Circumstances {
  /** The bet is settled: chips come from the dealer, or go there. */
  told: boolean;
  /** Chips are laid, or taken back, before the deal. */
  betting: boolean;
  /** Nothing flies. */
  still: boolean;
}

let flights = 0;

export class Pile {
  /** What is drawn: chips on their way here are not yet part of it. */
  cents = $state(0);
  flights: readonly Flight[] = $state.raw([]);
  #lies = 0;
  #betting = true;

  become(lies: number, circumstances: Circumstances): void {
    untrack(() => this.#become(lies, circumstances));
  }

  #become(lies: number, { told, betting, still }: Circumstances): void {
    const more = lies - this.#lies;
    this.#lies = lies;
    // The deal is not held up by chips that are still on their way.
    if (still || betting !== this.#betting) this.flights = [];
    this.#betting = betting;
    // Chips that are taken back, or cleared away with their round, are simply gone.
    const flies = !still && (more > 0 || (more < 0 && told));
    if (flies) this.#fly(Math.abs(more), more > 0, told ? DEALER : betting ? TRAY : PURSE);
    if (this.flights.some((flight) => flight.comes)) this.cents = Math.min(this.cents, lies);
    else this.cents = lies;
  }

  #fly(cents: number, comes: boolean, place: string): void {
    flights += 1;
    this.flights = [...this.flights, { id: flights, cents, place, comes }];
  }

  landed({ id }: Flight): void {
    this.flights = this.flights.filter((flight) => flight.id !== id);
    if (!this.flights.some((flight) => flight.comes)) this.cents = this.#lies;
  }
}
