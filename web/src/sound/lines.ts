/** What the dealer says (T-54): as words of the recorded voice, and as the caption below it. */
import type { Felt } from "../table/felt";
import { countsBothWays, isOver } from "../table/words";
import type { EventOf } from "../wire";
import places from "./words.json";

export type Word = keyof typeof places;

export interface Line {
  /** A newer total takes the place of one that is not spoken yet; results are all spoken. */
  kind: "total" | "dealer" | "result";
  caption: string;
  words: readonly Word[];
}

/** `You have soft 17`: the hand that is to act, or has just got a card. */
export function handLine(total: number, soft: boolean): Line {
  if (isOver(total)) {
    return {
      kind: "result",
      caption: `${total}: bust`,
      words: [number(total), "bust"],
    };
  }
  return {
    kind: "total",
    caption: `You have ${softly(total, soft)}${total}`,
    words: ["you_have", ...counted(total, soft)],
  };
}

/** `Dealer shows 5` while a card lies face down, then `Dealer has 19`. */
export function dealerLine({ dealer }: Felt, hides: boolean): Line | null {
  const { total, soft } = dealer;
  if (total === null) return null;
  const counts = `${softly(total, soft)}${total}`;
  if (hides) {
    return {
      kind: "dealer",
      caption: `Dealer shows ${counts}`,
      words: ["dealer_shows", ...counted(total, soft)],
    };
  }
  const over = isOver(total);
  return {
    kind: "dealer",
    caption: over ? `Dealer busts with ${total}` : `Dealer has ${counts}`,
    words: [over ? "dealer_busts" : "dealer_has", ...counted(total, soft)],
  };
}

const ENDS: Partial<Record<string, [string, Word]>> = {
  push: ["push", "push"],
  surrender: ["surrendered", "surrender"],
  rescue: ["surrendered", "surrender"],
  natural: ["Blackjack", "blackjack"],
  natural_suited: ["Blackjack", "blackjack"],
};

/** How the main bet of a hand, or its insurance, ended; `many` when there is more than one spot. */
export function resultLine(event: EventOf<"pay">, felt: Felt, many: boolean): Line | null {
  const { main } = felt;
  const won = event.paid > event.stake;
  const place = many ? `Spot ${event.spot}: ` : "";
  const where: Word[] = many ? ["spot", number(event.spot)] : [];
  if (event.bet === "insurance") {
    if (!won) return null;
    return {
      kind: "result",
      caption: sentence(`${place}insurance wins`),
      words: [...where, "insurance", "wins"],
    };
  }
  if (event.bet !== main) return null;
  // That it is bust has been said with its last card.
  const total = felt.spots.get(event.spot)?.hands[event.hand ?? 0]?.total ?? 0;
  if (!won && isOver(total)) return null;
  const ended = ENDS[event.row];
  if (ended) {
    const [text, word] = ended;
    return { kind: "result", caption: sentence(place + text), words: [...where, word] };
  }
  const text = won ? "wins" : "loses";
  if (many) return { kind: "result", caption: place + text, words: [...where, text] };
  return {
    kind: "result",
    caption: won ? "You win" : "Dealer wins",
    words: [won ? "win" : "lose"],
  };
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function softly(total: number, soft: boolean): string {
  return countsBothWays(total, soft) ? "soft " : "";
}

function counted(total: number, soft: boolean): Word[] {
  return countsBothWays(total, soft) ? ["soft", number(total)] : [number(total)];
}

function number(value: number): Word {
  const word = String(value);
  if (!(word in places)) throw new Error(`no word for ${value}`);
  return word as Word;
}
