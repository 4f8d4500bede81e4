/** The titles of the rows that bets end in. */
import type { GameDocument } from "../wire";

export const MAIN_ROWS: Record<string, string> = {
  win: "Win",
  natural: "Blackjack",
  natural_suited: "Suited blackjack",
  auto_win: "Automatic win",
  push: "Push",
  lose: "Lost",
  surrender: "Surrendered",
  rescue: "Rescued",
};

/** A row of a side bet by its title in the pay table, others in plain words. */
export function rowTitle(game: GameDocument, bet: string, row: string): string {
  const side = game.side_bets.find((each) => each.key === bet);
  return side?.rows.find((each) => each.name === row)?.title ?? MAIN_ROWS[row] ?? row;
}
