/** What is said aloud of a step: every card, total, result and choice, each once. */
import { describe, expect, it } from "vitest";
import { Live, choiceWords, dealerReading, handsReading, stepWords } from "./live.svelte";
import { feltOf } from "./table/felt";
import type { Choice, Event, GameDocument, Table } from "./wire";

const GAME = {
  spots_max: 3,
  main: { key: "main", title: "Main bet" },
  side_bets: [
    { key: "classic", title: "21+3 Classic", rows: [{ name: "straight", title: "Straight" }] },
  ],
  later_bets: [{ key: "insurance", title: "Insurance" }],
} as unknown as GameDocument;
const ONE = { ...GAME, spots_max: 1 } as GameDocument;

const DEALT: Event[] = [
  { n: 0, type: "bet", spot: 2, bet: "main", cents: 1000 },
  { n: 1, type: "card", to: "spot", spot: 2, hand: 0, card: "Th", total: 10, soft: false },
  { n: 2, type: "card", to: "dealer", card: "Ac", total: 11, soft: true },
  { n: 3, type: "card", to: "spot", spot: 2, hand: 0, card: "6s", total: 16, soft: false },
  { n: 4, type: "card", to: "dealer", card: null },
  { n: 5, type: "offer", spot: 2, choice: "insurance" },
];
const TABLE: Table = {
  dealer: { cards: ["Ac", "??"], total: 11, soft: true },
  spots: [
    {
      spot: 2,
      bets: { main: 1000 },
      hands: [{ cards: ["Th", "6s"], total: 16, soft: false, stake: 1000, state: "live" }],
      active: true,
    },
  ],
};

describe("a step", () => {
  it("is the deal, hand by hand, without the bets", () => {
    expect(stepWords(DEALT, GAME, new Set())).toEqual([
      "Spot 2: ten of hearts, six of spades, 16.",
      "Dealer: ace of clubs, one card face down, soft 11.",
    ]);
  });

  it("is what each bet came to, after the cards before it", () => {
    const events: Event[] = [
      { n: 6, type: "choice", spot: 2, hand: 0, choice: "hit" },
      { n: 7, type: "card", to: "spot", spot: 2, hand: 0, card: "5d", total: 21, soft: false },
      { n: 8, type: "reveal", card: "7d", total: 18, soft: true },
      { n: 9, type: "pay", spot: 2, hand: 0, bet: "main", row: "win", stake: 1000, paid: 2000 },
      { n: 10, type: "settled", staked: 1000, paid: 2000 },
    ];
    expect(stepWords(events, GAME, new Set())).toEqual([
      "Spot 2: five of diamonds, 21.",
      "The dealer turns up the seven of diamonds: soft 18.",
      "Spot 2: Main bet, win: $20.00 back.",
    ]);
  });

  it("names the hands of a split", () => {
    const events: Event[] = [
      { n: 6, type: "card", to: "spot", spot: 1, hand: 0, card: "3d", total: 11, soft: false },
      { n: 7, type: "card", to: "spot", spot: 1, hand: 1, card: "8d", total: 16, soft: false },
    ];
    expect(stepWords(events, ONE, new Set([1]))).toEqual([
      "You, hand 1: three of diamonds, 11.",
      "You, hand 2: eight of diamonds, 16.",
    ]);
  });
});

it("choices are named with their price, those without money left out", () => {
  const choice = (name: string, cost: number, enabled = true) =>
    ({ choice: name, cost, enabled }) as unknown as Choice;
  expect(choiceWords([choice("hit", 0), choice("stand", 0), choice("double", 500)])).toBe(
    "Hit, stand or double for $5.00",
  );
  expect(choiceWords([choice("stand", 0), choice("split", 500, false)])).toBe("Stand");
});

it("cards are read as they lie", () => {
  const felt = feltOf("main", DEALT, TABLE);
  expect(dealerReading(felt)).toBe("Dealer: ace of clubs, one card face down, soft 11.");
  expect(handsReading(felt, GAME, { spot: 2, hand: 0 })).toBe(
    "Spot 2: ten of hearts, six of spades, 16, bet $10.00.",
  );
  expect(handsReading(felt, GAME, { spot: 1, hand: 0 })).toBe("You have no cards.");
});

it("the same words can be said twice, and what happened stays to be read again", () => {
  const live = new Live();
  live.tell("Spot 1: bust.");
  live.say("Balance $5.00.");
  live.say("Balance $5.00.");
  expect([live.text, live.count, live.last]).toEqual(["Balance $5.00.", 3, "Spot 1: bust."]);
});
