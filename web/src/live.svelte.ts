/**
 * What the table says aloud (X-03): one polite region, one message for each thing that happened,
 * complete in itself. It is said when a step has been played, at whatever speed that was.
 */
import { untrack } from "svelte";
import { amount } from "./money";
import { sentence } from "./history/words";
import { spoken } from "./parts/Card.svelte";
import { FACE_DOWN, type DealtCard, type Felt } from "./table/felt";
import { CHOICE_WORDS } from "./table/words";
import type { Choice, Event, EventOf, GameDocument } from "./wire";

export class Live {
  #text = $state("");
  #count = $state(0);
  #last = $state("");

  /** What is said now. */
  get text(): string {
    return this.#text;
  }

  /** Grows with each message, so that the same words can be said twice. */
  get count(): number {
    return this.#count;
  }

  /** What last happened at the table, to be read again. */
  get last(): string {
    return this.#last;
  }

  /** Say something that does not last: a refusal, a reading. */
  say(text: string): void {
    this.#text = text;
    // An effect that says something does not hang on what was said before.
    this.#count = untrack(() => this.#count) + 1;
  }

  /** Say what has happened. */
  tell(text: string): void {
    this.#last = text;
    this.say(text);
  }
}

/**
 * A step in words: cards hand by hand, then what each bet came to. Bets and choices are left out:
 * they were one's own. `split` tells the spots with several hands.
 */
export function stepWords(
  events: readonly Event[],
  game: GameDocument,
  split: ReadonlySet<number>,
): string[] {
  const told: string[] = [];
  let dealt: EventOf<"card">[] = [];
  const flush = (): void => {
    told.push(...dealWords(dealt, game, split));
    dealt = [];
  };
  for (const event of events) {
    if (event.type === "card") dealt.push(event);
    else if (!["bet", "offer", "choice", "settled"].includes(event.type)) {
      flush();
      told.push(sentence(event, game, split) ?? "");
    }
  }
  flush();
  return told;
}

/** A run of cards by the hand they came to, in the order in which hands got their first. */
function dealWords(
  cards: readonly EventOf<"card">[],
  game: GameDocument,
  split: ReadonlySet<number>,
): string[] {
  const hands = new Map<string, EventOf<"card">[]>();
  for (const card of cards) {
    const spot = card.spot ?? 1;
    const name =
      card.to === "dealer" ? "Dealer" : handWords(game, spot, card.hand, split.has(spot));
    hands.set(name, [...(hands.get(name) ?? []), card]);
  }
  return [...hands].map(([name, dealt]) => {
    const told = dealt.findLast(({ total }) => total !== undefined);
    const sum = told ? `, ${told.soft ? "soft " : ""}${told.total}` : "";
    return `${name}: ${dealt.map(({ card }) => cardWords(card ?? FACE_DOWN)).join(", ")}${sum}.`;
  });
}

function cardWords(card: string): string {
  return card === FACE_DOWN ? "one card face down" : spoken(card);
}

export function handWords(
  game: GameDocument,
  spot: number,
  hand: number | undefined,
  several: boolean,
): string {
  const name = game.spots_max > 1 ? `Spot ${spot}` : "You";
  return several && hand !== undefined ? `${name}, hand ${hand + 1}` : name;
}

/** `Hit, stand or double for $5.00`; what money forbids is left out. */
export function choiceWords(choices: readonly Choice[]): string {
  const names = choices
    .filter(({ enabled }) => enabled)
    .map(({ choice, cost }) => CHOICE_WORDS[choice] + (cost > 0 ? ` for ${amount(cost)}` : ""));
  const lower = names.map((name, at) =>
    at === 0 ? name : name.charAt(0).toLowerCase() + name.slice(1),
  );
  const last = lower.pop() ?? "";
  return lower.length > 0 ? `${lower.join(", ")} or ${last}` : last;
}

// Read at a key

/** `Dealer: nine of spades, one card face down, 9.` */
export function dealerReading(felt: Felt): string {
  const { cards, total, soft } = felt.dealer;
  if (cards.length === 0) return "The dealer has no cards.";
  return `Dealer: ${list(cards)}${total === null ? "" : `, ${soft ? "soft " : ""}${total}`}.`;
}

/** The hand that is to act, or every hand of the player. */
export function handsReading(
  felt: Felt,
  game: GameDocument,
  acting: { spot: number; hand: number } | null,
): string {
  const read: string[] = [];
  for (const { spot, hands } of felt.spots.values()) {
    for (const [index, { cards, total, soft, stake }] of hands.entries()) {
      const asked = acting === null || (acting.spot === spot && acting.hand === index);
      if (!asked || cards.length === 0) continue;
      const name = handWords(game, spot, index, hands.length > 1);
      const sum = total === null ? "" : `, ${soft ? "soft " : ""}${total}`;
      read.push(`${name}: ${list(cards)}${sum}${stake > 0 ? `, bet ${amount(stake)}` : ""}.`);
    }
  }
  return read.join(" ") || "You have no cards.";
}

function list(cards: readonly DealtCard[]): string {
  return cards.map(({ card }) => cardWords(card)).join(", ");
}
