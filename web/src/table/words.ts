/** Labels of hands, bets and choices: what the house says, in the words of the table. */
import { short } from "../money";
import type { ChoiceName, GameDocument, HandState } from "../wire";
import type { Felt, HandPicture, SpotPicture, Told } from "./felt";
import { MAIN_ROWS } from "./rows";

export type Tone = "win" | "lose" | "push" | "plain";

export interface Tag {
  text: string;
  tone: Tone;
}

export const CHOICE_WORDS: Record<ChoiceName, string> = {
  hit: "Hit",
  stand: "Stand",
  double: "Double",
  split: "Split",
  surrender: "Surrender",
  rescue: "Rescue",
  insurance: "Yes",
  no_insurance: "No",
  even_money: "Yes",
  no_even_money: "No",
  raise: "Raise",
  fold: "Fold",
};

const STATE_WORDS: Partial<Record<HandState, string>> = {
  natural: "Blackjack",
  stood: "Stand",
};

/** What became of a hand, or null while that is open; of several, until then, what each stakes. */
export function tagOf(hand: HandPicture, several = false): Tag | null {
  if (hand.told) return resultOf(hand.told, hand.state);
  if (hand.stake === 0) return null;
  const text = several ? short(hand.stake) : STATE_WORDS[hand.state];
  return text === undefined ? null : { text, tone: "plain" };
}

function resultOf(told: Told, state: HandState): Tag {
  switch (told.row) {
    case "push":
      return { text: "Push", tone: "push" };
    case "lose":
      return { text: state === "bust" ? "Bust" : "Lose", tone: "lose" };
    case "surrender":
      return { text: `Surrender ${short(told.paid)} back`, tone: "push" };
    case "rescue":
      return { text: `Rescue ${short(told.paid)} back`, tone: "push" };
    default: {
      const won = MAIN_ROWS[told.row] ?? told.row;
      return { text: `${won} +${short(told.paid - told.stake)}`, tone: "win" };
    }
  }
}

/** How a bet ended, in money: what came back, whatever it was. */
export function toneOf(told: Told): Tone {
  if (told.paid > told.stake) return "win";
  return told.paid > 0 ? "push" : "lose";
}

/** What a bet won: beside its stake, or in place of it where a pay is "for one" (T-85). */
export function gain({ stake, paid }: Told, forOne: boolean): number {
  return Math.max(0, forOne ? paid : paid - stake);
}

/** What the bets of a spot won together; `forOne` are the keys of those that are paid so. */
export function winnings(spot: SpotPicture, forOne: ReadonlySet<string>): number {
  const whole = Object.entries(spot.told).map(([bet, told]) => gain(told, forOne.has(bet)));
  const hands = spot.hands.map(({ told }) => (told ? gain(told, false) : 0));
  return [...whole, ...hands].reduce((sum, each) => sum + each, 0);
}

/** What the words of a total turn on; who wins and what may be done is the house's to say. */
const BEST_TOTAL = 21;
/** What an ace alone is counted as. */
const ACE = 11;

/** Whether an ace in this total may yet be counted either way (S-17, C-16). */
export function countsBothWays(total: number, soft: boolean): boolean {
  return soft && total < BEST_TOTAL;
}

export function isOver(total: number): boolean {
  return total > BEST_TOTAL;
}

/** Said of a dealer who does not qualify, where one must; how much it takes is the game's rule. */
export function unqualified(game: GameDocument, total: number | null): string {
  const rule = game.rules.find((each) => each.field === "qualifies_at");
  return rule && total !== null && total < Number(rule.value) ? "Dealer does not qualify. " : "";
}

/** `Dealer has soft 18`. */
export function dealerWords(total: number, soft: boolean): string {
  const verb = isOver(total) ? "busts with" : "has";
  return `Dealer ${verb} ${countsBothWays(total, soft) ? "soft " : ""}${total}`;
}

const ENDS: Partial<Record<string, string>> = {
  push: "push",
  natural: "blackjack",
  natural_suited: "blackjack",
  surrender: "surrendered",
  rescue: "rescued",
};

function endOf(row: string, state: HandState): string {
  const lost = state === "bust" ? "bust" : "loses";
  return ENDS[row] ?? (row === "lose" ? lost : "wins");
}

/** `Spot 1: blackjack, 2: wins and bust`, `Hand 1: wins, 2: bust`; nothing of one hand alone. */
export function endsWords(felt: Felt): string {
  const spots = [...felt.spots.values()]
    .map(({ spot, hands }) => ({
      spot,
      ends: hands.flatMap(({ told, state }) => (told ? [endOf(told.row, state)] : [])),
    }))
    .filter(({ ends }) => ends.length > 0);
  const [first] = spots;
  if (!first || (spots.length === 1 && first.ends.length === 1)) return "";
  if (felt.spots.size === 1) {
    return `Hand ${first.ends.map((end, at) => `${at + 1}: ${end}`).join(", ")}`;
  }
  return `Spot ${spots.map(({ spot, ends }) => `${spot}: ${ends.join(" and ")}`).join(", ")}`;
}

/** `Dealer shows an ace`, for one open card; else a total. */
export function shownWords(total: number, soft: boolean): string {
  return soft && total === ACE ? "an ace" : String(total);
}

/** `16`; `7/17` while the hand is open and its ace may still count either way. */
export function totalWords(total: number, soft: boolean, open: boolean): string {
  return open && countsBothWays(total, soft) ? `${total - 10}/${total}` : String(total);
}
