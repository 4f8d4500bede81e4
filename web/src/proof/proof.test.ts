/** Protocol upcard/1 by its published vectors (docs/fairness.md), and proofs with planted changes. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import type { Event, Proof } from "../wire";
import { check } from "./check";
import { commitOf, order, shoe } from "./shuffle";

const SEED = Array.from({ length: 64 }, (_, byte) => byte.toString(16).padStart(2, "0")).join("");
const COMMIT = "fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108";

describe("the published vectors", () => {
  it.each([
    ["player-seed_1", 7, 8, "Th 2h 7c Ts Qh 7d 4d 7d 2c Kc 6c 3c Ad Jc 2c 8c 2h Qh Qc Tc"],
    ["player-seed_1", 8, 6, "Th 7s 6h 2h Td 4d 5d 3d 6c Ac Jc 6d 3d 5c 9c 5c 9d Qc 4c Kc"],
    ["a", 1, 1, "Qc 3s 6h 7d 5d Ac Kc 2c 2h Ad 8s 4s 7c 9c As 9s Qh 9h 6d 5c"],
  ])("of %s, nonce %i, %i decks", (clientSeed, nonce, decks, first) => {
    const cards = shoe(SEED, clientSeed, nonce, decks);
    expect(cards.slice(0, 20).join(" ")).toBe(first);
    expect(cards).toHaveLength(52 * decks);
    const counts = new Map<string, number>();
    for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
    expect([...counts.values()]).toEqual(Array(52).fill(decks));
  });

  // The last column: every number in two bytes, the higher one first.
  it.each([
    ["player-seed_1", 7, 8, "50002b2cce8513e013b7db88669f7f3973d602eae88690de3fa122279d5426ea"],
    ["player-seed_1", 8, 6, "dbc0fdbc2b0ca87a46323b61bff78f15533f88988b0535e47432a2ca56496333"],
    ["a", 1, 1, "6e5854a848a0e9406b42848bec1ac09aec48a9196af45ebf40b1aaae871be9a8"],
  ])("of the whole shoe of %s, nonce %i, %i decks", (clientSeed, nonce, decks, hash) => {
    const bytes = order(SEED, clientSeed, nonce, decks).flatMap((card) => [card >> 8, card & 255]);
    expect(bytesToHex(sha256(Uint8Array.from(bytes)))).toBe(hash);
  });

  it("of the commit", () => {
    expect(commitOf(SEED)).toBe(COMMIT);
  });
});

/** A round of Super 21's shape on the first vector's shoe; its money is made up and adds up. */
const PROOF = {
  protocol: "upcard/1",
  decks: 8,
  client_seed: "player-seed_1",
  nonce: 7,
  commit: COMMIT,
  server_seed: SEED,
  cards: ["Th", "2h", "7c", "Ts", "Qh"],
  payments: [
    { spot: 1, hand: null, bet: "insurance", stake: 250, paid: 0 },
    { spot: 1, hand: 0, bet: "main", stake: 500, paid: 1000 },
  ],
  staked: 750,
  paid: 1000,
} as unknown as Proof;

const EVENTS: Event[] = [
  { n: 0, type: "card", to: "spot", spot: 1, hand: 0, card: "Th", total: 10, soft: false },
  { n: 1, type: "card", to: "dealer", card: "2h", total: 2, soft: false },
  { n: 2, type: "card", to: "spot", spot: 1, hand: 0, card: "7c", total: 17, soft: false },
  { n: 3, type: "card", to: "dealer", card: null },
  { n: 4, type: "reveal", card: "Ts", total: 12, soft: false },
  { n: 5, type: "card", to: "dealer", card: "Qh", total: 22, soft: false },
  { n: 6, type: "pay", spot: 1, bet: "insurance", row: "lose", stake: 250, paid: 0 },
  { n: 7, type: "pay", spot: 1, hand: 0, bet: "main", row: "win", stake: 500, paid: 1000 },
];

/** The names of the checks that are false. */
function wrong(change: Partial<Proof>, shown: string | null = COMMIT, events = EVENTS): string[] {
  const checks = check({ ...PROOF, ...change }, shown, events);
  return checks.filter(({ ok }) => ok === false).map(({ name }) => name);
}

describe("a proof", () => {
  it("that is true passes", () => {
    expect(wrong({})).toEqual([]);
    expect(check(PROOF, COMMIT, EVENTS).map(({ ok }) => ok)).toEqual(Array(6).fill(true));
  });

  it("says that it cannot know a commit it was never shown", () => {
    expect(check(PROOF, null, EVENTS).find(({ name }) => name === "Commit")?.ok).toBeNull();
  });

  it.each<[string, Partial<Proof>, string[]]>([
    ["another protocol", { protocol: "upcard/2" }, ["Protocol"]],
    ["two cards swapped", { cards: ["2h", "Th", "7c", "Ts", "Qh"] }, ["Cards", "Table"]],
    ["a card less", { cards: ["Th", "2h", "7c", "Ts"] }, ["Table"]],
    ["no card", { cards: [] }, ["Cards", "Table"]],
    ["a digit of the seed", { server_seed: `1${SEED.slice(1)}` }, ["Seed", "Cards"]],
    ["another commit", { commit: COMMIT.replace("f", "e") }, ["Seed", "Commit"]],
    ["another nonce", { nonce: 8 }, ["Cards"]],
    ["another client seed", { client_seed: "player-seed_2" }, ["Cards"]],
    ["other decks", { decks: 6 }, ["Cards"]],
    ["a payment changed", { payments: PROOF.payments.slice(0, 1) }, ["Money"]],
    ["another total", { paid: 1001 }, ["Money"]],
    ["a seed that is no hex", { server_seed: "x".repeat(128) }, ["Seed", "Cards"]],
    [
      "a seed of another length that hashes to its commit",
      { server_seed: SEED.slice(2), commit: commitOf(SEED.slice(2)) },
      ["Seed", "Commit", "Cards"],
    ],
    [
      "a payment and its total changed together",
      { payments: PROOF.payments.map((each) => ({ ...each, paid: each.paid * 2 })), paid: 2000 },
      ["Money"],
    ],
    [
      "a stake moved to another spot",
      { payments: PROOF.payments.map((each) => ({ ...each, spot: 2 })) },
      ["Money"],
    ],
  ])("with %s is found out", (_, change, names) => {
    expect(wrong(change)).toEqual(names);
  });

  it("of a house that changed its commit after the bet is found out", () => {
    expect(wrong({}, COMMIT.replace("f", "e"))).toEqual(["Commit"]);
  });

  it("of other cards than the table showed is found out", () => {
    const shown = EVENTS.map((event) =>
      event.type === "reveal" ? { ...event, card: "Td" as const } : event,
    );
    expect(wrong({}, COMMIT, shown)).toEqual(["Table"]);
  });
});
