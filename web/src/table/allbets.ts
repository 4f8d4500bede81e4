/** MIN ALL BETS and MAX ALL BETS, as values: what they lay, and where (T-30, T-31). */
import { placeOf, spotAndBet, type Amounts, type Layout, type Place } from "./bets";

export type Extreme = "min" | "max";

/** Every place of the table that its level has, each after what it needs. */
export function everyPlace(layout: Layout): Place[] {
  const bets = [layout.main, ...layout.sides].filter((bet) => layout.limits[bet]);
  return layout.spots.flatMap((spot) => bets.map((bet) => placeOf(spot, bet)));
}

/** The minimum or maximum of each place: of those that carried a bet at the last deal, or of all. */
export function allBets(layout: Layout, last: Amounts | null, extreme: Extreme): Amounts {
  const places = last ? [...last.keys()] : everyPlace(layout);
  return new Map(
    places.flatMap((place): [Place, number][] => {
      const limits = layout.limits[spotAndBet(place)[1]];
      return limits ? [[place, limits[extreme]]] : [];
    }),
  );
}
