/** The picture that events make: splits (G-06), pays (G-11), the hole card (G-04). */
import { describe, expect, it } from "vitest";
import type { Event, Table } from "../wire";
import { after, agreed, emptyFelt, feltOf, type Felt } from "./felt";

const NOTHING: Table = { dealer: { cards: [], total: 0, soft: false }, spots: [] };

function play(events: Event[], table: Table = NOTHING): Felt {
  return events.reduce((felt, event) => after(felt, event, table), emptyFelt("main"));
}

const DEALT: Event[] = [
  { n: 0, type: "bet", spot: 1, bet: "main", cents: 1000 },
  { n: 1, type: "card", to: "spot", spot: 1, hand: 0, card: "8h", total: 8, soft: false },
  { n: 2, type: "card", to: "dealer", card: "6c", total: 6, soft: false },
  { n: 3, type: "card", to: "spot", spot: 1, hand: 0, card: "8s", total: 16, soft: false },
  { n: 4, type: "card", to: "dealer", card: null },
];

const SPLIT: Event[] = [
  ...DEALT,
  { n: 5, type: "choice", spot: 1, hand: 0, choice: "split" },
  { n: 6, type: "stake", spot: 1, hand: 1, bet: "main", cents: 1000 },
  { n: 7, type: "card", to: "spot", spot: 1, hand: 0, card: "3d", total: 11, soft: false },
  { n: 8, type: "card", to: "spot", spot: 1, hand: 1, card: "8d", total: 16, soft: false },
];

const cards = (felt: Felt, spot = 1): string[] =>
  (felt.spots.get(spot)?.hands ?? []).map((hand) => hand.cards.map(({ card }) => card).join(" "));

describe("the deal", () => {
  it("shows cards, totals and stakes as they come", () => {
    const felt = play(DEALT);
    expect(cards(felt)).toEqual(["8h 8s"]);
    expect(felt.spots.get(1)?.hands[0]).toMatchObject({ total: 16, stake: 1000 });
    expect(felt.dealer.cards.map(({ card }) => card)).toEqual(["6c", "??"]);
    expect(felt.dealer.total).toBe(6);
    expect(felt.staked).toBe(1000);
  });

  it("turns the face-down card up where it lies", () => {
    const felt = play([...DEALT, { n: 5, type: "reveal", card: "Td", total: 16, soft: false }]);
    expect(felt.dealer.cards.map(({ id, card }) => [id, card])).toEqual([
      [2, "6c"],
      [4, "Td"],
    ]);
    expect(felt.dealer.total).toBe(16);
  });
});

describe("a split", () => {
  it("moves the second card to a new hand on the left, which keeps it (G-06)", () => {
    const felt = play(SPLIT);
    expect(cards(felt)).toEqual(["8h 3d", "8s 8d"]);
    expect(felt.spots.get(1)?.hands.map(({ stake }) => stake)).toEqual([1000, 1000]);
    expect(felt.spots.get(1)?.hands[1]?.cards[0]?.id).toBe(3);
    expect(felt.staked).toBe(2000);
  });

  it("again renumbers the hands to its left, never those to its right", () => {
    const felt = play([
      ...SPLIT,
      { n: 9, type: "choice", spot: 1, hand: 1, choice: "split" },
      { n: 10, type: "stake", spot: 1, hand: 2, bet: "main", cents: 1000 },
      { n: 11, type: "card", to: "spot", spot: 1, hand: 1, card: "2c", total: 10, soft: false },
      { n: 12, type: "card", to: "spot", spot: 1, hand: 2, card: "Kc", total: 18, soft: false },
    ]);
    expect(cards(felt)).toEqual(["8h 3d", "8s 2c", "8d Kc"]);
    const ids = felt.spots.get(1)?.hands.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(3);
  });
});

describe("money", () => {
  it("doubles on the hand, insures beside it (T-60, T-68)", () => {
    const felt = play([
      ...DEALT,
      { n: 5, type: "stake", spot: 1, hand: 0, bet: "insurance", cents: 500 },
      { n: 6, type: "stake", spot: 1, hand: 0, bet: "main", cents: 1000 },
    ]);
    expect(felt.spots.get(1)?.hands[0]?.stake).toBe(2000);
    expect(felt.spots.get(1)?.bets).toEqual({ main: 1000, insurance: 500 });
    expect(felt.staked).toBe(2500);
  });

  it("counts as won what winning bets pay, their stakes included; nothing that only comes back (G-11)", () => {
    const pay = (n: number, bet: string, row: string, stake: number, paid: number): Event => ({
      n,
      type: "pay",
      spot: 1,
      bet,
      row,
      stake,
      paid,
      ...(bet === "main" ? { hand: 0 } : {}),
    });
    expect(play([...DEALT, pay(5, "classic", "flush", 100, 1000)]).won).toBe(1000);
    expect(play([...DEALT, pay(5, "main", "push", 1000, 1000)]).won).toBe(0);
    expect(play([...DEALT, pay(5, "main", "surrender", 1000, 500)]).won).toBe(0);
    expect(play([...DEALT, pay(5, "main", "lose", 1000, 0)]).won).toBe(0);
    const both = play([
      ...DEALT,
      pay(5, "classic", "flush", 100, 1000),
      pay(6, "main", "win", 1000, 2000),
    ]);
    expect(both.won).toBe(3000);
    expect(both.spots.get(1)?.told["classic"]).toEqual({ row: "flush", stake: 100, paid: 1000 });
    expect(both.spots.get(1)?.hands[0]?.told).toEqual({ row: "win", stake: 1000, paid: 2000 });
  });
});

describe("the house's own view", () => {
  const table: Table = {
    dealer: { cards: ["6c", "??"], total: 6, soft: false },
    spots: [
      {
        spot: 1,
        bets: { main: 1000 },
        active: true,
        hands: [{ cards: ["8h", "8s"], total: 16, soft: false, stake: 1000, state: "stood" }],
      },
    ],
  };

  it("has the last word on states, and cards keep their ids where they agree", () => {
    const felt = feltOf("main", DEALT, table);
    expect(felt.spots.get(1)?.hands[0]?.state).toBe("stood");
    expect(felt.spots.get(1)?.hands[0]?.cards.map(({ id }) => id)).toEqual([1, 3]);
  });

  it("has the last word on cards too", () => {
    const felt = agreed(play(DEALT.slice(0, 4)), table);
    expect(felt.dealer.cards.map(({ card }) => card)).toEqual(["6c", "??"]);
  });

  it("says what became of a hand as soon as it is paid", () => {
    const bust: Table = {
      ...table,
      spots: table.spots.map((it) => ({
        ...it,
        hands: it.hands.map((hand) => ({ ...hand, state: "bust" as const })),
      })),
    };
    const paid: Event = {
      n: 5,
      type: "pay",
      spot: 1,
      hand: 0,
      bet: "main",
      row: "lose",
      stake: 1000,
      paid: 0,
    };
    expect(play([...DEALT, paid], bust).spots.get(1)?.hands[0]?.state).toBe("bust");
  });
});
