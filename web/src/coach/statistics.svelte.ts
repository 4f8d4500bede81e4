/**
 * How well one plays, by kind of decision: kept in this browser alone. Rounds are noted as
 * they end and judged when the coach is asked; what was chosen wrong is kept to be practised.
 */
import { HouseProblem, type House } from "../house/connection";
import { recall, remember } from "../memory";
import type { Answer, ReviewedDecision, Situation } from "../wire";
import type { Kind } from "./words";

export interface Tally {
  decisions: number;
  right: number;
  /** Given away, in initial bets and in cents. */
  bets: number;
  cents: number;
}

/** A situation that was chosen wrong, and how often it was right since. */
export interface Missed {
  game: string;
  decks: number;
  kind: Kind;
  situation: Situation;
  right: number;
}

interface Noted {
  round: string;
  game: string;
  decks: number;
}

interface Kept {
  tallies: Partial<Record<Kind, Tally>>;
  missed: Missed[];
  noted: Noted[];
}

const NAME = "coach";
const NOTED_MAX = 100;
const MISSED_MAX = 50;
/** So often a missed hand has to be right before it is left. */
export const RIGHT_ENOUGH = 2;
/** What rounding may make of nothing at all, in initial bets. */
const NOTHING = 1e-9;
export const NO_TALLY: Tally = { decisions: 0, right: 0, bets: 0, cents: 0 };

function isKept(stored: unknown): stored is Kept {
  const kept = stored as Partial<Kept> | null;
  return (
    typeof kept === "object" &&
    kept !== null &&
    typeof kept.tallies === "object" &&
    Array.isArray(kept.missed) &&
    Array.isArray(kept.noted)
  );
}

export function isRight(decision: { given_away: number }): boolean {
  return decision.given_away <= NOTHING;
}

/** A tally with one decision more. */
export function counted(tally: Tally, decision: ReviewedDecision): Tally {
  return {
    decisions: tally.decisions + 1,
    right: tally.right + (isRight(decision) ? 1 : 0),
    bets: tally.bets + decision.given_away,
    cents: tally.cents + decision.given_away * decision.stake,
  };
}

export class Statistics {
  #kept: Kept = $state.raw({ tallies: {}, missed: [], noted: [] });
  #judging: Promise<boolean> | null = null;

  constructor() {
    this.#kept = recall(NAME, isKept, this.#kept);
  }

  get tallies(): Partial<Record<Kind, Tally>> {
    return this.#kept.tallies;
  }

  get missed(): readonly Missed[] {
    return this.#kept.missed;
  }

  /** Rounds that are still to be judged. */
  get noted(): number {
    return this.#kept.noted.length;
  }

  get total(): Tally {
    const all = Object.values(this.#kept.tallies);
    return all.reduce(
      (sum, each) => ({
        decisions: sum.decisions + each.decisions,
        right: sum.right + each.right,
        bets: sum.bets + each.bets,
        cents: sum.cents + each.cents,
      }),
      NO_TALLY,
    );
  }

  /** A round is over; it is judged when the coach is next asked. */
  note({ round, game, decks }: Answer): void {
    if (this.#kept.noted.some((each) => each.round === round)) return;
    const noted = [...this.#kept.noted, { round, game, decks }].slice(-NOTED_MAX);
    this.#keep({ ...this.#kept, noted });
  }

  /** Judge what was noted; false if the coach is not there yet. All who ask at once wait for one. */
  judge(house: House): Promise<boolean> {
    this.#judging ??= this.#judge(house).finally(() => {
      this.#judging = null;
    });
    return this.#judging;
  }

  async #judge(house: House): Promise<boolean> {
    for (const noted of this.#kept.noted) {
      const decisions = await reviewed(house, noted.round);
      if (decisions === null) return false;
      this.#count(noted, decisions);
    }
    return true;
  }

  #count(noted: Noted, decisions: readonly ReviewedDecision[]): void {
    const tallies = { ...this.#kept.tallies };
    let missed = this.#kept.missed;
    for (const decision of decisions) {
      const { kind, situation } = decision;
      tallies[kind] = counted(tallies[kind] ?? NO_TALLY, decision);
      if (isRight(decision) || situation === null) continue;
      const { game, decks } = noted;
      missed = added(missed, { game, decks, kind, situation, right: 0 });
    }
    const left = this.#kept.noted.filter(({ round }) => round !== noted.round);
    this.#keep({ tallies, missed, noted: left });
  }

  /** A missed hand was practised. */
  practised(hand: Missed, right: boolean): void {
    const again = { ...hand, right: right ? hand.right + 1 : 0 };
    const others = this.#kept.missed.filter((each) => !isSame(each, hand));
    const missed = again.right < RIGHT_ENOUGH ? [...others, again] : others;
    this.#keep({ ...this.#kept, missed });
  }

  /** A hand that was practised at random and chosen wrong. */
  miss(hand: Missed): void {
    this.#keep({ ...this.#kept, missed: added(this.#kept.missed, hand) });
  }

  reset(): void {
    this.#keep({ tallies: {}, missed: [], noted: [] });
  }

  #keep(kept: Kept): void {
    this.#kept = kept;
    remember(NAME, kept);
  }
}

function added(missed: readonly Missed[], hand: Missed): Missed[] {
  return [...missed.filter((each) => !isSame(each, hand)), hand].slice(-MISSED_MAX);
}

function isSame(one: Missed, other: Missed): boolean {
  return (
    one.game === other.game &&
    one.decks === other.decks &&
    JSON.stringify(one.situation) === JSON.stringify(other.situation)
  );
}

/** The decisions of a round; null while they are not known. One that is gone has none. */
async function reviewed(house: House, round: string): Promise<ReviewedDecision[] | null> {
  try {
    const { ready, decisions } = await house.review(round);
    return ready ? decisions : null;
  } catch (error) {
    if (!(error instanceof HouseProblem)) throw error;
    return [];
  }
}
