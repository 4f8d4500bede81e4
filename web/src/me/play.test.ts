/** The clock of a sitting, and its words (the contract of responsible play). */
import { describe, expect, it } from "vitest";
import type { House } from "../house/connection";
import type { Standing } from "../wire";
import { duration, net, Play } from "./play.svelte";

describe("a sitting", () => {
  it("counts on by the browser's clock from what the house told", async () => {
    let now = 5_000;
    const sitting = { began: 0, seconds: 59 * 60, rounds: 3, staked: 1500, paid: 1000 };
    const house = { standing: async () => ({ sitting }) as Standing } as unknown as House;
    const play = new Play(house, () => now);
    expect([play.time, play.net]).toEqual([null, 0]);
    await play.refresh();
    expect([play.time, play.net, play.rounds]).toEqual(["59 min", -500, 3]);
    now += 6 * 60_000;
    play.tick();
    expect(play.time).toBe("1 h 05 min");
  });
});

describe("words", () => {
  it("says durations in minutes and hours", () => {
    expect([0, 59, 60, 3599, 3600, 36_000].map(duration)).toEqual([
      "0 min",
      "0 min",
      "1 min",
      "59 min",
      "1 h 00 min",
      "10 h 00 min",
    ]);
  });

  it("shows which way the money went", () => {
    expect([500, 0, -500].map(net)).toEqual(["+$5.00", "$0.00", "−$5.00"]);
  });
});
