/** Checking a settled round in the player's own browser: what a stranger can see without the rules. */
import { amount } from "../money";
import type { Event, Proof } from "../wire";
import { PROTOCOL, commitOf, shoe } from "./shuffle";

export interface Check {
  name: string;
  /** Null where this browser cannot know. */
  ok: boolean | null;
  sentence: string;
}

/**
 * `shownBefore` is the commit this browser was shown before the bet, `events` what the table showed.
 * Choices and payments need the rules: `upcard verify` replays them.
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
    moneyCheck(proof),
  ];
}

function seedCheck(proof: Proof): Check {
  const ok = commitOf(proof.server_seed) === proof.commit;
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
  const dealt = shoe(proof.server_seed, proof.client_seed, proof.nonce, proof.decks);
  const wrong = proof.cards.findIndex((card, at) => card !== dealt[at]);
  const ok = wrong < 0 && proof.cards.length > 0;
  const sentence = ok
    ? `All ${proof.cards.length} cards are those of the shuffle, in its order.`
    : `Card ${wrong + 1} is not the one the shuffle deals there.`;
  return { name: "Cards", ok, sentence };
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

function moneyCheck(proof: Proof): Check {
  const staked = sum(proof.payments.map((payment) => payment.stake));
  const paid = sum(proof.payments.map((payment) => payment.paid));
  const ok = staked === proof.staked && paid === proof.paid;
  const sentence = ok
    ? `${amount(proof.staked)} was staked and ${amount(proof.paid)} came back, bet by bet.`
    : "The payments do not add up to what was staked and came back.";
  return { name: "Money", ok, sentence };
}

function sum(cents: readonly number[]): number {
  return cents.reduce((before, each) => before + each, 0);
}
