/** A past round shown again: each event in its turn, back and forth, and the end as it was. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Answer, GameDocument } from "../wire";
import { Replay } from "./replay.svelte";

const GAME = {
  key: "super21",
  title: "Super 21",
  spots_max: 1,
  main: { key: "main", title: "Main bet" },
  side_bets: [],
  later_bets: [],
  levels: [{ key: "table", title: "Table", bets: { main: { min: 100, max: 500, step: 100 } } }],
} as unknown as GameDocument;
const ROUND = {
  round: "r",
  level: "table",
  side_bets: [],
  status: "settled",
  events: [
    { n: 0, type: "bet", spot: 1, bet: "main", cents: 500 },
    { n: 1, type: "card", to: "spot", spot: 1, hand: 0, card: "Th", total: 10, soft: false },
    { n: 2, type: "card", to: "dealer", card: "9c", total: 9, soft: false },
    { n: 3, type: "card", to: "spot", spot: 1, hand: 0, card: "6c", total: 16, soft: false },
    { n: 4, type: "card", to: "dealer", card: null },
    { n: 5, type: "offer", spot: 1, choice: "insurance" },
    { n: 6, type: "choice", spot: 1, hand: 0, choice: "stand" },
    { n: 7, type: "reveal", card: "8d", total: 17, soft: false },
    { n: 8, type: "pay", spot: 1, hand: 0, bet: "main", row: "lose", stake: 500, paid: 0 },
    { n: 9, type: "settled", staked: 500, paid: 0 },
  ],
  table: {
    dealer: { cards: ["9c", "8d"], total: 17, soft: false },
    spots: [
      {
        spot: 1,
        bets: { main: 500 },
        hands: [{ cards: ["Th", "6c"], total: 16, soft: false, stake: 500, state: "lost" }],
        active: false,
      },
    ],
  },
} as unknown as Answer;

const hand = (replay: Replay) => replay.felt.spots.get(1)?.hands[0];

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("a replay", () => {
  it("goes step by step, offers left out, and back again", () => {
    const replay = new Replay(ROUND, GAME);
    expect([replay.length, replay.said]).toEqual([9, "Before the first bet."]);
    replay.step(-1);
    for (let step = 0; step < 4; step += 1) replay.step(1);
    expect(hand(replay)?.cards.map(({ card }) => card)).toEqual(["Th", "6c"]);
    expect(replay.said).toBe("You: the six of clubs, 16.");
    replay.step(-1);
    expect(hand(replay)?.cards).toHaveLength(1);
    expect(replay.phase).toBe("moving");
  });

  it("marks the hand whose choice comes next", () => {
    const replay = new Replay(ROUND, GAME);
    for (let step = 0; step < 5; step += 1) replay.step(1);
    expect(replay.acting).toEqual({ spot: 1, hand: 0 });
    replay.step(1);
    expect([replay.acting, replay.said]).toEqual([null, "You stand."]);
  });

  it("plays by itself, halts when told, and ends as the house saw it", () => {
    const replay = new Replay(ROUND, GAME);
    replay.play();
    vi.advanceTimersByTime(1600);
    const at = replay.at;
    expect(at).toBeGreaterThan(1);
    replay.pause();
    vi.advanceTimersByTime(60_000);
    expect(replay.at).toBe(at);
    replay.play();
    vi.advanceTimersByTime(60_000);
    expect([replay.isOver, replay.playing, replay.phase]).toEqual([true, false, "over"]);
    expect(hand(replay)?.state).toBe("lost");
    expect(replay.felt.dealer.total).toBe(17);
  });

  it("deals its cards anew each time it is shown", () => {
    const replay = new Replay(ROUND, GAME);
    const first = replay.answer.round;
    replay.toEnd();
    replay.restart();
    expect(replay.answer.round).not.toBe(first);
    expect(new Replay(ROUND, GAME).answer.round).not.toBe(replay.answer.round);
  });
});
