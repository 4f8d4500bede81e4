/** The coach at the table: what each choice is worth, and afterwards what was given away. */
import { HouseProblem, type House } from "../house/connection";
import type { Settings } from "../settings.svelte";
import type { Answer, ChoiceName, EventOf, ReviewedDecision } from "../wire";
import { isRight, type Statistics } from "./statistics.svelte";
import { choiceName, costWords, errorWords, signed } from "./words";

type Values = Partial<Record<ChoiceName, number>>;
interface Advice {
  values: Values;
  best: ChoiceName;
  /** The initial bet of the spot, in cents. */
  stake: number;
}

export interface Surroundings {
  house: House;
  settings: Settings;
  statistics: Statistics;
  say: (words: string) => void;
}

const AGAIN_MS = 700;
export const WARMING = "The coach is warming up; play on, its figures come by themselves.";
export const AWAY = "The coach has no figure for this.";

export class Coach {
  /** What the choices of the hand that is to act are worth; null while that is not known. */
  advice: Advice | null = $state.raw(null);
  /** What is said about the advice, or the choice before it. */
  words = $state("");
  /** What was decided in the round that is over; null until it is known. */
  review: readonly ReviewedDecision[] | null = $state.raw(null);
  #turn = 0;
  /** The answer that was last followed: one choice is judged once. */
  #followed: Answer | null = null;

  constructor(private readonly around: Surroundings) {}

  /** The table has come to an answer: judge the choice before it, and look at what is to choose. */
  async follow(answer: Answer | null): Promise<void> {
    const turn = ++this.#turn;
    const before = this.#followed === answer ? null : this.advice;
    this.#followed = answer;
    this.advice = null;
    this.review = null;
    this.words = "";
    if (answer === null) return;
    const over = answer.status !== "open";
    if (over) this.around.statistics.note(answer);
    if (!this.around.settings.coach) return;
    this.#judge(answer, before);
    if (over) await this.#look(answer, turn);
    else await this.#advise(answer, turn);
  }

  /** What a choice gives away, in words; null where nothing, or where that is not known (T-53). */
  costOf(choice: ChoiceName): string | null {
    const { advice } = this;
    const value = advice?.values[choice];
    if (!advice || value === undefined) return null;
    const bets = (advice.values[advice.best] ?? value) - value;
    return isRight({ given_away: bets })
      ? null
      : `It gives away ${costWords(bets, advice.stake)}; ${choiceName(advice.best)} is best.`;
  }

  /** A choice that was not the best is told once it is made. */
  #judge(answer: Answer, before: Advice | null): void {
    const chosen = answer.events.find(
      (event): event is EventOf<"choice"> => event.type === "choice",
    )?.choice;
    const value = chosen && before?.values[chosen];
    if (!before || chosen === undefined || value === undefined) return;
    const bets = (before.values[before.best] ?? value) - value;
    if (isRight({ given_away: bets })) return;
    this.words = errorWords(chosen, before.best, bets, before.stake);
    this.around.say(this.words);
  }

  async #advise(answer: Answer, turn: number): Promise<void> {
    const judged = this.words;
    const found = await this.#until(turn, () => this.around.house.coach(answer.round));
    if (!found?.best || turn !== this.#turn) return;
    const spot = answer.table.spots.find(({ spot }) => spot === answer.choices[0]?.spot);
    // The main bet stands first in a spot.
    const [stake = 0] = Object.values(spot?.bets ?? {});
    this.advice = { values: found.values, best: found.best, stake };
    const best = `Best: ${choiceName(found.best)}, ${signed(found.values[found.best] ?? 0)}.`;
    this.words = [judged, best].join(" ").trim();
    this.around.say(best);
  }

  async #look(answer: Answer, turn: number): Promise<void> {
    const judged = this.words;
    const found = await this.#until(turn, () => this.around.house.review(answer.round));
    if (!found || turn !== this.#turn) return;
    this.review = found.decisions;
    const bets = found.decisions.reduce((sum, each) => sum + each.given_away * each.stake, 0);
    const wrong = found.decisions.filter((each) => !isRight(each)).length;
    if (wrong > 0)
      this.words = `${wrong} of ${found.decisions.length} choices gave away ${costWords(1, bets)}.`;
    else
      this.words = judged || (found.decisions.length > 0 ? "Every choice was the best one." : "");
    if (this.words && this.words !== judged) this.around.say(this.words);
    await this.around.statistics.judge(this.around.house);
  }

  /** Ask until the coach knows, or the table has gone on. */
  async #until<Found extends { ready: boolean }>(
    turn: number,
    ask: () => Promise<Found>,
  ): Promise<Found | null> {
    const before = this.words;
    try {
      for (;;) {
        const found = await ask();
        if (turn !== this.#turn) return null;
        if (found.ready) {
          this.words = before;
          return found;
        }
        if (this.words === before) {
          this.words = `${before} ${WARMING}`.trim();
          this.around.say(WARMING);
        }
        await this.around.house.pause(AGAIN_MS);
        if (turn !== this.#turn) return null;
      }
    } catch (error) {
      if (!(error instanceof HouseProblem)) throw error;
      if (turn === this.#turn) this.words = error.code === "settled" ? "" : AWAY;
      return null;
    }
  }
}
