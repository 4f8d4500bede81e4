/** The bets that lie on the felt when a player sits down, for each game and level (C-14). */
import { recall, remember } from "./memory";

export interface DefaultBets {
  /** On so many spots, from the right. */
  spots: number;
  /** Cents by bet. */
  bets: Readonly<Record<string, number>>;
}

const NAME = "defaults";

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCounting(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isDefault(value: unknown): value is DefaultBets {
  return (
    isRecord(value) &&
    isCounting(value["spots"]) &&
    isRecord(value["bets"]) &&
    Object.values(value["bets"]).every(isCounting)
  );
}

export class Preferences {
  #stored: Readonly<Record<string, DefaultBets>> = $state.raw({});

  constructor() {
    const kept = Object.entries(recall(NAME, isRecord, {}));
    this.#stored = Object.fromEntries(
      kept.filter((each): each is [string, DefaultBets] => isDefault(each[1])),
    );
  }

  of(game: string, level: string): DefaultBets | null {
    return this.#stored[`${game}.${level}`] ?? null;
  }

  set(game: string, level: string, wanted: DefaultBets): void {
    this.#stored = { ...this.#stored, [`${game}.${level}`]: wanted };
    remember(NAME, this.#stored);
  }
}
