/** C-14: default bets are refused outside the limits of the sheet - T-11, T-38, C-04, C-05. */
import { describe, expect, it } from "vitest";
import type { Layout } from "./bets";
import { discord, misfit, placed } from "./defaults";

const LOW: Layout = {
  spots: [1, 2, 3],
  main: "main",
  sides: ["top3", "classic"],
  limits: {
    main: { min: 500, max: 5_000, step: 50 },
    top3: { min: 100, max: 2_500, step: 50 },
    classic: { min: 100, max: 2_500, step: 50 },
  },
  needs: { top3: "classic", classic: null },
  titles: { main: "Main bet", top3: "Top 3", classic: "21+3 Classic" },
  level: "Low",
  reserved: [],
  sideBetAlone: false,
};
const ANTE = { min: 500, max: 50_000, step: 100 };

describe("a default bet", () => {
  it("is within the limits, in whole steps", () => {
    expect(misfit("Ante", ANTE, 500)).toBeNull();
    expect(misfit("Ante", ANTE, 50_000)).toBeNull();
    for (const cents of [400, 50_100, 550, NaN]) {
      expect(misfit("Ante", ANTE, cents)).toBe("Ante takes $5.00 to $500.00 in steps of $1.00.");
    }
    expect(misfit("Progressive", { min: 500, max: 500, step: 500 }, 600)).toBe(
      "Progressive takes exactly $5.00.",
    );
  });

  it("lies on so many spots from the right, where it is open", () => {
    const bets = { main: 500, classic: 200, progressive: 500 };
    expect(placed(LOW, { spots: 2, bets })).toEqual(
      new Map([
        ["1.main", 500],
        ["1.classic", 200],
        ["2.main", 500],
        ["2.classic", 200],
      ]),
    );
  });

  it("needs what the bet needs on the table (T-21, T-81)", () => {
    expect(discord(LOW, { spots: 1, bets: {} })).toBeNull();
    expect(discord(LOW, { spots: 1, bets: { main: 500, classic: 100, top3: 100 } })).toBeNull();
    expect(discord(LOW, { spots: 1, bets: { main: 500, top3: 100 } })).toBe(
      "Top 3 opens once 21+3 Classic lies on spot 1.",
    );
    expect(discord(LOW, { spots: 1, bets: { classic: 100 } })).toBe(
      "21+3 Classic opens once Main bet lies on spot 1.",
    );
  });
});
