/** The progressive meters as they stand, for the lobby and every table. */
import type { StreamEvents } from "../wire";

export class Progressives {
  #told = $state.raw<ReadonlyMap<string, StreamEvents["meter"]>>(new Map());

  /** The cents of a meter, if it was heard of. */
  cents(key: string): number | undefined {
    return this.#told.get(key)?.amount;
  }

  /** Keep the newest: a later epoch, or more in the same one. */
  hear(told: StreamEvents["meter"]): void {
    const known = this.#told.get(told.key);
    const isOlder =
      known &&
      (told.epoch < known.epoch || (told.epoch === known.epoch && told.amount < known.amount));
    if (!isOlder) this.#told = new Map(this.#told).set(told.key, told);
  }
}
