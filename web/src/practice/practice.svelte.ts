/** Hands to practise on: which comes next, what was chosen in it, and what that was worth. */
import type { Missed, Statistics } from "../coach/statistics.svelte";
import { isRight } from "../coach/statistics.svelte";
import { HouseProblem, type House } from "../house/connection";
import type { ChoiceName, GameDocument, Judged, PracticeDeal, PracticeHand } from "../wire";

export type From = "missed" | NonNullable<PracticeDeal["kind"]>;

export interface Surroundings {
  house: Pick<House, "practise" | "judge" | "pause">;
  statistics: Statistics;
  game: GameDocument;
  decks: number;
}

const AGAIN_MS = 700;

export class Practice {
  from: From = $state("any");
  hand: PracticeHand | null = $state.raw(null);
  chosen: ChoiceName | null = $state(null);
  verdict: Judged | null = $state.raw(null);
  failed: string | null = $state(null);
  /** The next hand is on its way; the one that lies there is over, whatever is pressed. */
  dealing = $state(false);
  played = $state(0);
  right = $state(0);
  /** The missed hand that is practised, if it is one. */
  #missed: Missed | null = null;
  #turn = 0;

  constructor(private readonly around: Surroundings) {}

  /** The hands of this game that were chosen wrong. */
  get missed(): readonly Missed[] {
    return this.around.statistics.missed.filter(({ game }) => game === this.around.game.key);
  }

  /** Nothing can be chosen now. */
  get isClosed(): boolean {
    return this.hand === null || this.dealing || this.chosen !== null;
  }

  /** Start with what was chosen wrong, where there is anything. */
  begin(): Promise<void> {
    return this.take(this.missed.length > 0 ? "missed" : "any");
  }

  take(from: From): Promise<void> {
    this.from = from;
    return this.deal();
  }

  /** Deal the next hand; of two that were asked for at once the later one is dealt. */
  async deal(): Promise<void> {
    const turn = ++this.#turn;
    const missed = this.from === "missed" ? (this.missed[0] ?? null) : null;
    this.dealing = true;
    this.failed = this.chosen = this.verdict = null;
    try {
      const hand = await this.around.house.practise(this.#wanted(missed));
      if (turn !== this.#turn) return;
      this.hand = hand;
      this.#missed = missed;
    } catch (error) {
      if (!(error instanceof HouseProblem)) throw error;
      if (turn !== this.#turn) return;
      this.hand = null;
      this.failed = error.message;
    } finally {
      if (turn === this.#turn) this.dealing = false;
    }
  }

  /** Choose in the hand that lies there, once; the coach is asked until it knows. */
  async choose(choice: ChoiceName): Promise<void> {
    const { hand } = this;
    if (hand === null || this.isClosed) return;
    const turn = this.#turn;
    this.chosen = choice;
    this.failed = null;
    try {
      const verdict = await this.#judged(hand, choice, turn);
      if (verdict === null) return;
      this.verdict = verdict;
      this.#count(hand, isRight(verdict));
    } catch (error) {
      if (!(error instanceof HouseProblem)) throw error;
      if (turn !== this.#turn) return;
      this.failed = error.message;
      // Nothing was judged, so it may be chosen again.
      this.chosen = null;
    }
  }

  /** The practice is left; nothing is asked any more. */
  leave(): void {
    this.#turn += 1;
  }

  #wanted(missed: Missed | null): PracticeDeal {
    const { game, decks } = this.around;
    if (missed)
      return { game: game.key, decks: missed.decks, kind: "any", situation: missed.situation };
    return { game: game.key, decks, kind: this.from === "missed" ? "any" : this.from };
  }

  /** What the coach says of a choice; null if another hand was asked for meanwhile. */
  async #judged(hand: PracticeHand, choice: ChoiceName, turn: number): Promise<Judged | null> {
    const { game, decks, situation } = hand;
    for (;;) {
      const verdict = await this.around.house.judge({ game, decks, situation, choice });
      if (turn !== this.#turn) return null;
      if (verdict.ready) return verdict;
      await this.around.house.pause(AGAIN_MS);
      if (turn !== this.#turn) return null;
    }
  }

  #count(hand: PracticeHand, good: boolean): void {
    this.played += 1;
    if (good) this.right += 1;
    const { statistics } = this.around;
    const { game, decks, kind, situation } = hand;
    if (this.#missed) statistics.practised(this.#missed, good);
    else if (!good) statistics.miss({ game, decks, kind, situation, right: 0 });
  }
}
