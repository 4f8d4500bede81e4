/** Where one sits at a game, remembered so that one comes back to the same table. */
import { recall, remember } from "../memory";
import type { GameDocument } from "../wire";

/** The key of a level, and how many decks. */
export interface SeatedAt {
  level: string;
  decks: number;
}

/** The first level and decks of a game, or where one sat last if the game still has that. */
export function lastSeat(game: GameDocument): SeatedAt {
  const first = { level: game.levels[0]?.key ?? "table", decks: game.decks_offered[0] ?? 6 };
  return recall(nameOf(game), (stored) => isOffered(game, stored), first);
}

export function keepSeat(game: GameDocument, { level, decks }: SeatedAt): void {
  remember(nameOf(game), { level, decks });
}

function nameOf({ key }: GameDocument): string {
  return `seat.${key}`;
}

function isOffered(game: GameDocument, stored: unknown): stored is SeatedAt {
  const { level, decks } = (stored ?? {}) as Partial<SeatedAt>;
  return (
    game.levels.some(({ key }) => key === level) &&
    game.decks_offered.some((offered) => offered === decks)
  );
}
