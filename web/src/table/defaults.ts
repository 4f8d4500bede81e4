/** Default bets against what a table takes (C-14), as values. */
import { amount } from "../money";
import type { DefaultBets } from "../preferences.svelte";
import type { Limits } from "../wire";
import { placeOf, problem, type Amounts, type Layout, type Place } from "./bets";

/** The default bets on the places of a table; bets that are not open there are left out. */
export function placed(layout: Layout, { spots, bets }: DefaultBets): Amounts {
  const open = [layout.main, ...layout.sides].filter((bet) => layout.limits[bet] && bets[bet]);
  return new Map(
    layout.spots
      .slice(0, spots)
      .flatMap((spot) => open.map((bet): [Place, number] => [placeOf(spot, bet), bets[bet] ?? 0])),
  );
}

/** Why so much cannot be a default bet, or null; NaN is what is no amount at all. */
export function misfit(title: string, limits: Limits, cents: number): string | null {
  const { min, max, step } = limits;
  if (cents >= min && cents <= max && cents % step === 0) return null;
  if (min === max) return `${title} takes exactly ${amount(min)}.`;
  return `${title} takes ${amount(min)} to ${amount(max)} in steps of ${amount(step)}.`;
}

/** Why these bets do not go together, or null. */
export function discord(layout: Layout, wanted: DefaultBets): string | null {
  const laid = new Map([...placed(layout, wanted)].map(([place, cents]) => [place, [cents]]));
  return laid.size === 0 ? null : problem(layout, { laid, selected: null }, Infinity);
}
