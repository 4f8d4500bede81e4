/**
 * Every commit this browser was shown before a bet, so that a proof can be held against it: a house
 * that changed its seed afterwards would show another commit than the one remembered here.
 */
import { recall, remember } from "../memory";

const KEPT_MAX = 2000;
const NAME = "commits";

type Entry = [place: string, commit: string];

function areEntries(stored: unknown): stored is Entry[] {
  return (
    Array.isArray(stored) &&
    stored.every(
      (it) => Array.isArray(it) && it.length === 2 && it.every((x) => typeof x === "string"),
    )
  );
}

function place(player: string, game: string, nonce: number): string {
  return `${player}/${game}/${nonce}`;
}

export class Commits {
  #entries = new Map<string, string>(recall(NAME, areEntries, []));

  /** Keep the commit of a bet to come; the first one shown stays. */
  keep(player: string, game: string, nonce: number, commit: string): void {
    const key = place(player, game, nonce);
    if (this.#entries.has(key)) return;
    this.#entries.set(key, commit);
    remember(NAME, [...this.#entries].slice(-KEPT_MAX));
  }

  /** The commit shown before that bet, or null if this browser was not there. */
  shown(player: string, game: string, nonce: number): string | null {
    return this.#entries.get(place(player, game, nonce)) ?? null;
  }
}
