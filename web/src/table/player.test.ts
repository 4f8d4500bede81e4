/** The order and pace of what is played (T-51, X-10). */
import { describe, expect, it } from "vitest";
import type { Event } from "../wire";
import { Player, type Handlers } from "./player";

const EVENTS: Event[] = [
  { n: 0, type: "bet", spot: 1, bet: "main", cents: 500 },
  { n: 1, type: "card", to: "spot", spot: 1, hand: 0, card: "Th", total: 10, soft: false },
  { n: 2, type: "card", to: "dealer", card: null },
  { n: 3, type: "settled", staked: 500, paid: 0 },
];

/** A player whose pauses a test ends; what was played, by number. */
function scene(pace = (event: Event) => (event.type === "card" ? 300 : 0)) {
  const played: number[] = [];
  const over: number[] = [];
  const waits: { milliseconds: number; done: () => void }[] = [];
  let cancelled = 0;
  const note = (event: Event): void => void played.push(event.n);
  const types: Event["type"][] = [
    "bet",
    "card",
    "offer",
    "choice",
    "stake",
    "peek",
    "reveal",
    "pay",
    "award",
    "settled",
  ];
  const handlers = Object.fromEntries(types.map((type) => [type, note])) as unknown as Handlers;
  const wait = (milliseconds: number, done: () => void) => {
    waits.push({ milliseconds, done });
    return () => (cancelled += 1);
  };
  const player = new Player(handlers, pace, (event) => over.push(event.n), wait);
  return { player, played, over, waits, cancelled: () => cancelled };
}

const settle = (): Promise<void> => new Promise((done) => setTimeout(done, 0));

describe("the player", () => {
  it("plays one after another, each at its pace", async () => {
    const { player, played, over, waits } = scene();
    const end = player.play(EVENTS, "normal");
    expect(played).toEqual([0, 1]);
    expect(over).toEqual([0]);
    expect(waits.map(({ milliseconds }) => milliseconds)).toEqual([300]);
    waits[0]?.done();
    await settle();
    expect(played).toEqual([0, 1, 2]);
    expect(over).toEqual([0, 1]);
    waits[1]?.done();
    await end;
    expect(played).toEqual([0, 1, 2, 3]);
    expect(over).toEqual([0, 1, 2, 3]);
  });

  it("has played everything before it returns at instant speed, without a timer (T-51)", () => {
    const { player, played, over, waits } = scene();
    void player.play(EVENTS, "instant");
    expect(played).toEqual([0, 1, 2, 3]);
    expect(over).toEqual([0, 1, 2, 3]);
    expect(waits).toEqual([]);
  });

  it("skips what still moves, and only that (X-10)", async () => {
    const { player, played, waits, cancelled } = scene();
    const end = player.play(EVENTS, "normal");
    player.skip();
    await end;
    expect(played).toEqual([0, 1, 2, 3]);
    expect([waits.length, cancelled()]).toEqual([1, 1]);
    void player.play(EVENTS, "normal");
    expect(waits).toHaveLength(2);
  });
});
