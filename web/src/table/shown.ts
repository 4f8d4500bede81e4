/** What the felt shows: a table that is played at, or a round that was. */
import type { Answer, GameDocument, GameLevel } from "../wire";
import type { Bets, Layout, Place } from "./bets";
import type { Felt } from "./felt";

/** Chips are laid; events are played; a hand is to choose; the round is over and still lies. */
export type Phase = "betting" | "moving" | "choosing" | "over";

export interface Shown {
  readonly game: GameDocument;
  readonly level: GameLevel;
  readonly layout: Layout;
  /** The open side bets. */
  readonly sides: readonly string[];
  readonly phase: Phase;
  readonly felt: Felt;
  readonly said: string;
  readonly answer: Answer | null;
  /** Spot and hand that are to choose, or null. */
  readonly acting: { spot: number; hand: number } | null;
  readonly bets: Bets;
  readonly isBetting: boolean;
  /** Whether the circles are those one bets with. */
  readonly showsBets: boolean;
  /** Whether what comes is there at once. */
  readonly isInstant: boolean;
  whyClosed: (place: Place) => string | null;
  layOn: (place: Place) => void;
  /** Whatever still moves is there at once. */
  skip: () => void;
}
