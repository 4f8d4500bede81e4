/** Checking a settled round in the player's own browser: what a stranger can see without the rules. */
import { amount } from "../money";
import type { Event, EventOf, Proof } from "../wire";
import { PROTOCOL, commitOf, isSeed, shoe } from "./shuffle";

export interface Check {
  name: string;
  /** Null where this browser cannot know. */
  ok: boolean | null;
  sentence: string;
}

/**
 * `shownBefore` is the commit this browser was shown before the bet, `events` what the table showed.
 * Whether choices and payments are right needs the rules: `upcard verify` replays them.
 */
export function check(proof: Proof, shownBefore: string | null, events: readonly Event[]): Check[] {
  return [
    {
      name: "Protocol",
      ok: proof.protocol === PROTOCOL,
      sentence: `The shuffle is ${proof.protocol}; this page checks ${PROTOCOL}.`,
    },
    seedCheck(proof),
    shownCheck(proof, shownBefore),
    shoeCheck(proof),
    tableCheck(proof, events),
    moneyCheck(proof, events),
  ];
}

function seedCheck(proof: Proof): Check {
  const ok = isSeed(proof.server_seed) && commitOf(proof.server_seed) === proof.commit;
  const sentence = ok
    ? "The server seed hashes to the commit."
    : "The server seed does not hash to the commit.";
  return { name: "Seed", ok, sentence };
}

function shownCheck(proof: Proof, shownBefore: string | null): Check {
  if (shownBefore === null) {
    const sentence = "This browser was not there before the bet; compare the commit you noted.";
    return { name: "Commit", ok: null, sentence };
  }
  const ok = shownBefore === proof.commit;
  const sentence = ok
    ? "The commit is the one this browser was shown before the bet."
    : "The commit is another than the one this browser was shown before the bet.";
  return { name: "Commit", ok, sentence };
}

function shoeCheck(proof: Proof): Check {
  const name = "Cards";
  if (!isSeed(proof.server_seed)) {
    return {
      name,
      ok: false,
      sentence: "The server seed is not 128 hex digits; it deals no shoe.",
    };
  }
  if (proof.cards.length === 0) return { name, ok: false, sentence: "The proof lists no cards." };
  const dealt = shoe(proof.server_seed, proof.client_seed, proof.nonce, proof.decks);
  const wrong = proof.cards.findIndex((card, at) => card !== dealt[at]);
  const sentence =
    wrong < 0
      ? `All ${proof.cards.length} cards are those of the shuffle, in its order.`
      : `Card ${wrong + 1} is not the one the shuffle deals there.`;
  return { name, ok: wrong < 0, sentence };
}

/** The cards the table showed, in the order of the deal, the face-down ones as they turned up. */
function tableCheck(proof: Proof, events: readonly Event[]): Check {
  const seen: (string | null)[] = [];
  for (const event of events) {
    if (event.type === "card") seen.push(event.card);
    else if (event.type === "reveal") seen[seen.indexOf(null)] = event.card;
  }
  const wrong = proof.cards.findIndex((card, at) => card !== seen[at]);
  const ok = wrong < 0 && seen.length === proof.cards.length;
  const sentence = ok
    ? "The table showed these cards, one by one."
    : "The table showed other cards than those of the proof.";
  return { name: "Table", ok, sentence };
}

/** The payments add up, and are those the table showed. */
function moneyCheck(proof: Proof, events: readonly Event[]): Check {
  const name = "Money";
  const staked = sum(proof.payments.map((payment) => payment.stake));
  const paid = sum(proof.payments.map((payment) => payment.paid));
  if (staked !== proof.staked || paid !== proof.paid) {
    const sentence = "The payments do not add up to what was staked and came back.";
    return { name, ok: false, sentence };
  }
  const shown = events.filter((event): event is EventOf<"pay"> => event.type === "pay");
  const ok = lines(proof.payments) === lines(shown);
  const sentence = ok
    ? `${amount(staked)} was staked and ${amount(paid)} came back, bet by bet as the table showed.`
    : "The table showed other payments than those of the proof.";
  return { name, ok, sentence };
}

interface Paid {
  spot: number;
  hand?: number | null;
  bet: string;
  stake: number;
  paid: number;
}

function lines(payments: readonly Paid[]): string {
  return JSON.stringify(
    payments.map((each) => [each.spot, each.hand ?? null, each.bet, each.stake, each.paid]),
  );
}

function sum(cents: readonly number[]): number {
  return cents.reduce((before, each) => before + each, 0);
}
