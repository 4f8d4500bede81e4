/** The house's words, by their own names. The types are generated from its OpenAPI document. */
import type { components } from "./generated/api";

type Schemas = components["schemas"];

export type Answer = Schemas["Answer"];
/** A round of the history, and when it began. */
export type PastRound = Schemas["PastRound"];
export type Bet = Schemas["Bet"];
export type BetSpot = Schemas["BetSpot"];
export type Choice = Schemas["Choice"];
export type ChoiceName = Choice["choice"];
export type Coaching = Schemas["Coach"];
export type Event = Answer["events"][number];
export type EventOf<Type extends Event["type"]> = Extract<Event, { type: Type }>;
export type GameDocument = Schemas["GameDocument"];
export type GameLevel = Schemas["GameLevel"];
export type Games = Schemas["Games"];
export type HandState = Schemas["Hand"]["state"];
export type History = Schemas["History"];
export type HouseDocument = Schemas["House"];
export type Jackpot = Schemas["Jackpot"];
export type Judged = Schemas["Judged"];
export type Jackpots = Schemas["Jackpots"];
export type Limits = Schemas["Limits"];
export type Move = Schemas["Move"];
export type OpenRounds = Schemas["OpenRounds"];
export type OwnLimits = Schemas["OwnLimits"];
export type PracticeChoice = Schemas["PracticeChoice"];
export type PracticeDeal = Schemas["PracticeDeal"];
export type PracticeHand = Schemas["PracticeHand"];
export type Problem = Schemas["Problem"];
export type Proof = Schemas["Proof"];
export type Review = Schemas["Review"];
export type ReviewedDecision = Schemas["ReviewedDecision"];
export type RulesPage = Schemas["RulesPage"];
export type RulesSection = Schemas["RulesSection"];
export type Session = Schemas["Session"];
export type Situation = Schemas["Situation"];
export type SideBet = Schemas["GameSideBet"];
export type Standing = Schemas["Standing"];
export type Table = Schemas["Table"];

/** What `/api/stream` tells. Meters are ordered by epoch, then amount. */
export interface StreamEvents {
  meter: { key: string; amount: number; epoch: number };
  balance: { balance: number };
  round: { id: string; seq: number };
}
