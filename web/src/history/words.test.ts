/** A sentence for every kind of event. */
import { describe, expect, it } from "vitest";
import type { Event, GameDocument } from "../wire";
import { sentence, splitSpots, whyVoid } from "./words";

const ONE = {
  spots_max: 1,
  main: { key: "main", title: "Main bet" },
  side_bets: [
    {
      key: "pairs",
      title: "Pairs",
      rows: [{ name: "suited", title: "Suited pair", pays: "15:1" }],
    },
  ],
  later_bets: [{ key: "insurance", title: "Insurance" }],
  reserved: [],
} as unknown as GameDocument;
const MANY = { ...ONE, spots_max: 3 };

const cases: [Event, string | null, string | null][] = [
  [
    { n: 0, type: "bet", spot: 2, bet: "main", cents: 500 },
    "You: Main bet $5.00.",
    "Spot 2: Main bet $5.00.",
  ],
  [
    { n: 0, type: "card", to: "spot", spot: 2, hand: 0, card: "Qh", total: 17, soft: true },
    "You: the queen of hearts, soft 17.",
    "Spot 2: the queen of hearts, soft 17.",
  ],
  [
    { n: 0, type: "card", to: "dealer", card: "As", total: 11, soft: true },
    "The dealer shows the ace of spades: soft 11.",
    "The dealer shows the ace of spades: soft 11.",
  ],
  [
    { n: 0, type: "card", to: "dealer", card: null },
    "The dealer takes a card face down.",
    "The dealer takes a card face down.",
  ],
  [{ n: 0, type: "offer", spot: 2, choice: "insurance" }, null, null],
  [{ n: 0, type: "choice", spot: 2, hand: 0, choice: "hit" }, "You hit.", "Spot 2 hits."],
  [
    { n: 0, type: "choice", spot: 2, hand: 0, choice: "rescue" },
    "You are rescued.",
    "Spot 2 is rescued.",
  ],
  [
    { n: 0, type: "choice", spot: 2, hand: 0, choice: "no_insurance" },
    "You take no insurance.",
    "Spot 2 takes no insurance.",
  ],
  [
    { n: 0, type: "stake", spot: 2, hand: 0, bet: "insurance", cents: 250 },
    "You: $2.50 more on insurance.",
    "Spot 2: $2.50 more on insurance.",
  ],
  [
    { n: 0, type: "peek", natural: false },
    "The dealer looks, and has no blackjack.",
    "The dealer looks, and has no blackjack.",
  ],
  [
    { n: 0, type: "reveal", card: "Td", total: 21, soft: true },
    "The dealer turns up the ten of diamonds: soft 21.",
    "The dealer turns up the ten of diamonds: soft 21.",
  ],
  [
    { n: 0, type: "pay", spot: 2, bet: "pairs", row: "suited", stake: 100, paid: 1600 },
    "You: Pairs, suited pair: $16.00 back.",
    "Spot 2: Pairs, suited pair: $16.00 back.",
  ],
  [
    { n: 0, type: "pay", spot: 2, hand: 0, bet: "main", row: "lose", stake: 100, paid: 0 },
    "You: Main bet, lost: nothing back.",
    "Spot 2: Main bet, lost: nothing back.",
  ],
  [
    { n: 0, type: "award", spot: 2, bet: "pairs", epoch: 0, meter: 1_000_085, paid: 1_000_085 },
    "You meet the progressive at $10,000.85.",
    "Spot 2 meets the progressive at $10,000.85.",
  ],
  [
    { n: 0, type: "settled", staked: 500, paid: 0 },
    "Staked $5.00, returned $0.00.",
    "Staked $5.00, returned $0.00.",
  ],
];

describe("an event in words", () => {
  it.each(cases)("%j", (event, one, many) => {
    expect(sentence(event, ONE)).toBe(one);
    expect(sentence(event, MANY)).toBe(many);
  });

  it("leaves names as they are written", () => {
    const rows = [{ name: "aat", title: "A-A-T", pays: "25:1" }];
    const game = { ...ONE, side_bets: [{ key: "ace_plus", title: "Ace Plus Bonus", rows }] };
    const paid = {
      n: 0,
      type: "pay",
      spot: 1,
      bet: "ace_plus",
      row: "aat",
      stake: 500,
      paid: 13_000,
    };
    expect(sentence(paid as Event, game as unknown as GameDocument)).toBe(
      "You: Ace Plus Bonus, A-A-T: $130.00 back.",
    );
  });

  it("calls a hand of the only spot by its number alone", () => {
    const stand: Event = { n: 1, type: "choice", spot: 1, hand: 1, choice: "stand" };
    expect(sentence(stand, ONE, new Set([1]))).toBe("Hand 2 stands.");
  });

  it("names the hand of a spot that was split", () => {
    const split: Event = { n: 0, type: "choice", spot: 2, hand: 0, choice: "split" };
    const spots = splitSpots([split]);
    expect(sentence({ n: 1, type: "choice", spot: 2, hand: 1, choice: "stand" }, MANY, spots)).toBe(
      "Spot 2, hand 2 stands.",
    );
    expect(sentence({ n: 1, type: "choice", spot: 1, hand: 0, choice: "stand" }, MANY, spots)).toBe(
      "Spot 1 stands.",
    );
  });
});

it("says by whom and why a round was voided (G-13)", () => {
  const at = 1_800_000_000;
  expect(whyVoid({ void: { operator: "Ada L.", reason: "The deck was misread.", at } })).toBe(
    "void: all its bets and wins are undone (Ada L.: The deck was misread.)",
  );
  expect(whyVoid({})).toBe("void: all its bets and wins are undone");
});
