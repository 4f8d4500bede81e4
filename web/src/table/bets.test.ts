/** Laying chips (G-08 - G-10, T-20 - T-38, A-14 - A-16); limits are those of T-11, T-10 and A-22. */
import { describe, expect, it } from "vitest";
import {
  NO_BETS,
  amounts,
  cancel,
  centsOn,
  chips,
  closed,
  lay,
  layAll,
  placeName,
  placeOnSides,
  problem,
  spotAndBet,
  spotsOf,
  stack,
  total,
  undo,
  type Bets,
  type Layout,
  type Place,
} from "./bets";
import { LOW, MICRO } from "./layouts";

const RICH = 10_000_000;

const WHOLE = { min: 100, max: 500_000, step: 100 };
const AGS: Layout = {
  spots: [1, 2, 3],
  main: "main",
  sides: ["trifecta", "match_super"],
  limits: { main: WHOLE, trifecta: WHOLE, match_super: WHOLE },
  needs: { trifecta: null, match_super: null },
  titles: { main: "Main bet", trifecta: "Trifecta", match_super: "Match Super Bonus" },
  level: "Table",
  reserved: [],
  sideBetAlone: true,
};
const THREECARD: Layout = {
  spots: [1],
  main: "ante",
  sides: ["ace_plus"],
  limits: {
    ante: { min: 500, max: 50_000, step: 100 },
    ace_plus: { min: 500, max: 10_000, step: 100 },
  },
  needs: { ace_plus: null },
  titles: { ante: "Ante", ace_plus: "Ace Plus Bonus" },
  level: "Table",
  reserved: ["Raise"],
  sideBetAlone: false,
};

/** Lay chips one after another; every one must be taken. */
function laid(layout: Layout, ...additions: [Place, number][]): Bets {
  return additions.reduce((bets, [place, chip]) => {
    const { bets: after, said } = lay(layout, bets, place, chip, RICH);
    expect(said).toBeNull();
    return after;
  }, NO_BETS);
}

describe("a click on a place", () => {
  it("adds exactly the selected chip and selects the place (T-20)", () => {
    const bets = laid(LOW, ["2.main", 500], ["2.main", 2_500]);
    expect(centsOn(bets, "2.main")).toBe(3_000);
    expect(bets.selected).toBe("2.main");
  });

  it("never adds a part of a chip that would pass the maximum, and names it (G-09)", () => {
    const full = laid(LOW, ["1.main", 2_500], ["1.main", 2_000]);
    const { bets, said } = lay(LOW, full, "1.main", 1_000, RICH);
    expect(centsOn(bets, "1.main")).toBe(4_500);
    expect(said).toBe("Main bet on spot 1 takes at most $50.00.");
    expect(centsOn(lay(LOW, full, "1.main", 500, RICH).bets, "1.main")).toBe(5_000);
  });

  it("takes no chip that is no whole number of steps (G-09)", () => {
    const { bets, said } = lay(AGS, NO_BETS, "1.main", 50, RICH);
    expect(total(amounts(bets))).toBe(0);
    expect(said).toBe("Main bet on spot 1 goes in steps of $1.00.");
  });

  it("takes no chip that the balance does not cover, but all of it (G-07)", () => {
    expect(lay(LOW, NO_BETS, "1.main", 500, 499).said).toBe(
      "That takes $5.00; your balance has $4.99 left.",
    );
    expect(centsOn(lay(LOW, NO_BETS, "1.main", 500, 500).bets, "1.main")).toBe(500);
  });

  it("opens side places once the main bet lies, Top 3 once Classic lies (T-21, T-81)", () => {
    expect(closed(LOW, NO_BETS, "1.classic")).toBe(
      "21+3 Classic opens once Main bet lies on spot 1.",
    );
    const main = laid(LOW, ["1.main", 500]);
    expect(closed(LOW, main, "1.classic")).toBeNull();
    expect(closed(LOW, main, "1.top3")).toBe("Top 3 opens once 21+3 Classic lies on spot 1.");
    expect(
      closed(LOW, laid(LOW, ["1.main", 500], ["2.main", 500], ["2.classic", 100]), "1.top3"),
    ).not.toBeNull();
    expect(closed(LOW, laid(LOW, ["1.main", 500], ["1.classic", 100]), "1.top3")).toBeNull();
  });

  it("lays nothing on a bet that is closed at the level (T-10)", () => {
    const main = laid(MICRO, ["1.main", 100]);
    const { bets, said } = lay(MICRO, main, "1.progressive", 500, RICH);
    expect(said).toBe("21+3 Progressive is closed at Micro.");
    expect(total(amounts(bets))).toBe(100);
  });

  it("lays exactly 5.00 on the progressive, once, whatever the chip (T-38)", () => {
    for (const chip of [50, 100, 500, 100_000]) {
      const main = laid(LOW, ["1.main", 500], ["1.progressive", chip]);
      expect(centsOn(main, "1.progressive")).toBe(500);
      const again = lay(LOW, main, "1.progressive", chip, RICH);
      expect(centsOn(again.bets, "1.progressive")).toBe(500);
      expect(again.said).toBe("21+3 Progressive on spot 1 takes exactly $5.00.");
      expect(centsOn(undo(LOW, again.bets), "1.progressive")).toBe(0);
    }
  });

  it("lets a side bet lie alone where the game does (A-15)", () => {
    expect(problem(AGS, laid(AGS, ["3.trifecta", 100]), RICH)).toBeNull();
  });
});

describe("taking back", () => {
  it("takes the latest addition to the selected place, until it is empty (G-10)", () => {
    let bets = laid(LOW, ["1.main", 500], ["2.main", 500], ["2.main", 100], ["2.main", 50]);
    bets = undo(LOW, bets);
    expect(centsOn(bets, "2.main")).toBe(600);
    bets = undo(LOW, undo(LOW, undo(LOW, bets)));
    expect(amounts(bets)).toEqual(new Map([["1.main", 500]]));
  });

  it("counts a whole REBET as one addition (G-10)", () => {
    const { bets } = layAll(
      LOW,
      { ...NO_BETS, selected: "1.main" },
      new Map([["1.main", 3_550]]),
      RICH,
    );
    expect(undo(LOW, bets).laid.size).toBe(0);
  });

  it("takes along what may not lie without it (T-21, T-34)", () => {
    const all: [Place, number][] = [
      ["1.main", 500],
      ["1.classic", 100],
      ["1.top3", 100],
      ["1.progressive", 500],
      ["2.main", 500],
    ];
    const bets = laid(LOW, ...all);
    const noClassic = cancel(LOW, { ...bets, selected: "1.classic" });
    expect([...amounts(noClassic).keys()]).toEqual(["1.main", "1.progressive", "2.main"]);
    const noMain = cancel(LOW, { ...bets, selected: "1.main" });
    expect([...amounts(noMain).keys()]).toEqual(["2.main"]);
    expect(cancel(LOW, { ...bets, selected: null })).toEqual({ ...bets, selected: null });
  });
});

describe("whole layouts", () => {
  it("lays all or, where the balance is too small, nothing (G-10, T-30)", () => {
    const before = laid(LOW, ["3.main", 500]);
    const wanted = new Map<Place, number>([
      ["1.main", 5_000],
      ["2.main", 5_000],
    ]);
    expect(layAll(LOW, before, wanted, 9_999)).toEqual({
      bets: before,
      said: "These bets come to $100.00; your balance is $99.99.",
    });
    expect(amounts(layAll(LOW, before, wanted, 10_000).bets)).toEqual(wanted);
  });

  it("PLACE adds the chip to all six circles (A-16)", () => {
    const { bets, said } = placeOnSides(AGS, NO_BETS, 2_500, RICH);
    expect(said).toBeNull();
    expect([...amounts(bets)].toSorted()).toEqual(
      [
        "1.match_super",
        "1.trifecta",
        "2.match_super",
        "2.trifecta",
        "3.match_super",
        "3.trifecta",
      ].map((place) => [place, 2_500]),
    );
  });

  it("PLACE skips a circle that it would overfill and says so (A-16)", () => {
    const full = laid(
      AGS,
      ...Array.from({ length: 5 }, (): [Place, number] => ["2.trifecta", 100_000]),
    );
    const { bets, said } = placeOnSides(AGS, full, 100, RICH);
    expect(centsOn(bets, "2.trifecta")).toBe(500_000);
    expect(total(amounts(bets))).toBe(500_500);
    expect(said).toBe("No chip of $1.00 fits on Trifecta on spot 2.");
  });

  it("PLACE lays nothing where the balance does not cover it all (A-16)", () => {
    const { bets, said } = placeOnSides(AGS, NO_BETS, 100, 599);
    expect(bets).toEqual(NO_BETS);
    expect(said).toBe("That takes $6.00; your balance has $5.99 left.");
    expect(total(amounts(placeOnSides(AGS, NO_BETS, 100, 600).bets))).toBe(600);
  });
});

describe("the deal", () => {
  it("needs a bet, and every place at its minimum (T-22, G-09)", () => {
    expect(problem(LOW, NO_BETS, RICH)).toBe("Lay a bet to deal.");
    expect(problem(LOW, laid(LOW, ["1.main", 500], ["2.main", 100]), RICH)).toBe(
      "Main bet on spot 2 needs at least $5.00; $1.00 lies there.",
    );
    expect(problem(LOW, laid(LOW, ["1.main", 500]), RICH)).toBeNull();
  });

  it("needs a balance that covers the bets, and the raise that DEAL sets aside (C-06)", () => {
    const bets = laid(LOW, ["1.main", 500], ["1.classic", 100]);
    expect(problem(LOW, bets, 600)).toBeNull();
    expect(problem(LOW, bets, 599)).toBe("These bets come to $6.00; your balance is $5.99.");
    const ante = laid(THREECARD, ["1.ante", 1_000], ["1.ace_plus", 500]);
    expect(problem(THREECARD, ante, 2_500)).toBeNull();
    expect(problem(THREECARD, ante, 2_499)).toBe(
      "These bets come to $25.00 with the raise set aside; your balance is $24.99.",
    );
  });

  it("sends spots from the right with their bets (CONTRACTS, POST /api/rounds)", () => {
    const bets = laid(LOW, ["3.main", 500], ["1.main", 500], ["1.classic", 100]);
    expect(spotsOf(amounts(bets))).toEqual([
      { spot: 1, bets: { main: 500, classic: 100 } },
      { spot: 3, bets: { main: 500 } },
    ]);
  });
});

describe("chips", () => {
  it("are those of the sheet, as far as the table takes them (T-20)", () => {
    expect(chips(MICRO)).toEqual([50, 100, 500]);
    expect(chips(LOW)).toEqual([50, 100, 500, 2_500]);
    expect(chips(AGS)).toEqual([100, 500, 2_500, 10_000, 50_000, 100_000]);
  });

  it("stack to the fewest (T-37)", () => {
    expect(stack(500_000)).toEqual([500_000]);
    expect(stack(3_550)).toEqual([2_500, 500, 500, 50]);
    expect(stack(31)).toEqual([25, 5, 1]);
    // No other choice of these chips makes the amount with fewer: by counting all amounts up.
    const values = [1, 5, 25, 50, 100, 500, 2_500];
    const fewest = [0];
    for (let cents = 1; cents <= 6_000; cents += 1) {
      fewest.push(
        1 + Math.min(...values.filter((it) => it <= cents).map((it) => fewest[cents - it] ?? 0)),
      );
      expect(stack(cents)).toHaveLength(fewest[cents] ?? -1);
    }
  });
});

describe("names", () => {
  it("are for people, and places parse back", () => {
    expect(placeName(LOW, "2.top3")).toBe("Top 3 on spot 2");
    expect(placeName({ ...LOW, spots: [1] }, "1.main")).toBe("Main bet");
    expect(spotAndBet("3.match_super")).toEqual([3, "match_super"]);
  });
});
