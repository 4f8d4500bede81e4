/** What the coach knows, in words. Values are in initial bets, as the house tells them. */
import { amount } from "../money";
import { CHOICE_WORDS } from "../table/words";
import type { ChoiceName, ReviewedDecision } from "../wire";

export type Kind = ReviewedDecision["kind"];

export const KIND_WORDS: Record<Kind, string> = {
  hard: "Hard totals",
  soft: "Soft totals",
  pair: "Pairs",
  surrender: "Surrender",
  insurance: "Insurance",
  even_money: "Even money",
  rescue: "Rescue",
  three_cards: "Raise or fold",
};

/** `Yes` and `No` say nothing without their question. */
const IN_FULL: Partial<Record<ChoiceName, string>> = {
  insurance: "Insurance",
  no_insurance: "No insurance",
  even_money: "Even money",
  no_even_money: "No even money",
};

export function choiceName(choice: ChoiceName): string {
  return IN_FULL[choice] ?? CHOICE_WORDS[choice];
}

/** `+0.46`, `−0.50`: a value in initial bets. */
export function signed(value: number): string {
  const text = Math.abs(value).toFixed(2);
  return `${value < 0 && text !== "0.00" ? "−" : "+"}${text}`;
}

/** Cents to the nearest whole one; less than half a cent is still not nothing. */
export function costWords(bets: number, stake: number): string {
  const cents = Math.round(bets * stake);
  return cents === 0 ? "less than a cent" : amount(cents);
}

/** `Hit gave away $0.43; stand was best.` */
export function errorWords(
  choice: ChoiceName,
  best: ChoiceName,
  bets: number,
  stake: number,
): string {
  const better = choiceName(best);
  return `${choiceName(choice)} gave away ${costWords(bets, stake)}; ${better.charAt(0).toLowerCase()}${better.slice(1)} was best.`;
}
