/** T-30, T-31; the limits are those of T-10 and T-11. */
import { describe, expect, it } from "vitest";
import { allBets, everyPlace } from "./allbets";
import { problem, total } from "./bets";
import { LOW, MICRO } from "./layouts";

describe("before the first round of a sitting", () => {
  it("covers all three spots and every side bet the level has", () => {
    expect(everyPlace(LOW)).toHaveLength(12);
    expect(everyPlace(MICRO)).toHaveLength(9);
    expect(everyPlace(MICRO)).not.toContain("1.progressive");
    expect(total(allBets(LOW, null, "min"))).toBe(3 * (500 + 100 + 100 + 500));
    expect(total(allBets(LOW, null, "max"))).toBe(3 * (5_000 + 2_500 + 2_500 + 500));
  });

  it("lays what can be dealt as it lies", () => {
    const laid = new Map([...allBets(LOW, null, "min")].map(([place, cents]) => [place, [cents]]));
    expect(problem(LOW, { laid, selected: null }, 1_000_000)).toBeNull();
  });
});

describe("afterwards", () => {
  it("covers exactly the places that carried a bet at the last deal", () => {
    const last = new Map([
      ["2.main", 2_550],
      ["2.classic", 300],
    ] as const);
    expect(allBets(LOW, last, "min")).toEqual(
      new Map([
        ["2.main", 500],
        ["2.classic", 100],
      ]),
    );
    expect(allBets(LOW, last, "max")).toEqual(
      new Map([
        ["2.main", 5_000],
        ["2.classic", 2_500],
      ]),
    );
  });
});
