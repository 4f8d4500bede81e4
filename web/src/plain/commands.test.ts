/** Commands of the plain-text table: what is understood, and what is said of the rest. */
import { describe, expect, it } from "vitest";
import { layoutOf } from "../table/bets";
import type { Choice, ChoiceName, GameDocument } from "../wire";
import { commandWords, parse, type Known } from "./commands";

const LIMIT = { min: 100, max: 5000, step: 50 };
const GAME = {
  key: "top3",
  spots_max: 3,
  side_bets_open: 2,
  side_bet_alone: false,
  later_bets: [],
  reserved: [],
  main: { key: "main", title: "Main bet" },
  choices: ["hit", "stand", "double", "split", "surrender", "insurance", "no_insurance"],
  decks_offered: [6, 8],
  side_bets: [
    { key: "top3", title: "Top 3", short: "Top 3", needs: "classic" },
    { key: "classic", title: "21+3 Classic", short: "21+3", needs: null },
    { key: "in_bet", title: "In Bet", short: "In Bet", needs: null },
  ],
  levels: [
    { key: "low", title: "Low", bets: { main: LIMIT, top3: LIMIT, classic: LIMIT } },
    { key: "high_roller", title: "High Roller", bets: { main: LIMIT } },
  ],
} as unknown as GameDocument;

function known(...choices: ChoiceName[]): Known {
  const [level] = GAME.levels;
  if (!level) throw new Error("no level");
  return {
    game: GAME,
    layout: layoutOf(GAME, level, ["top3", "classic"]),
    choices: choices.map((choice) => ({ choice }) as Choice),
  };
}

describe("a bet", () => {
  it.each([
    ["bet 5", "1.main", 500],
    ["bet 5 on main 1", "1.main", 500],
    ["Bet $2.50 on main bet 3", "3.main", 250],
    ["bet 5 2", "2.main", 500],
    ["bet 5 on spot 2", "2.main", 500],
    ["bet 1 on top 3", "1.top3", 100],
    ["bet 1 top 3 2", "2.top3", 100],
    ["bet 1.5 on 21+3 on spot 2", "2.classic", 150],
    ["bet 1 on 21+3 classic 3", "3.classic", 100],
    ["bet 0 on main 2", "2.main", 0],
  ])("%s puts on %s so many cents: %i", (text, place, cents) => {
    expect(parse(text, known())).toEqual({ do: "bet", place, cents });
  });

  it.each([
    ["bet", "Say how much and where: bet 5 on main 1."],
    ["bet all", "Say how much and where: bet 5 on main 1."],
    ["bet 5.123", "Say how much and where: bet 5 on main 1."],
    ["bet 5 on lucky", "There is no bet lucky here; the bets are Main bet, Top 3, 21+3 Classic."],
    ["bet 5 on main 4", "There is no spot 4; the spots are 1, 2, 3."],
    [
      "bet 5 on in bet 1",
      "There is no bet in bet 1 here; the bets are Main bet, Top 3, 21+3 Classic.",
    ],
  ])("%s is told: %s", (text, unknown) => {
    expect(parse(text, known())).toEqual({ unknown });
  });
});

describe("a choice", () => {
  it.each([
    ["h", "hit"],
    ["HIT", "hit"],
    ["s", "stand"],
    ["d", "double"],
    ["r", "surrender"],
  ] as const)("%s is %s", (text, choice) => {
    expect(parse(text, known("hit", "stand", "double", "surrender"))).toEqual({
      do: "choose",
      choice,
    });
  });

  it.each([
    ["yes", "insurance"],
    ["i", "insurance"],
    ["no", "no_insurance"],
    ["n", "no_insurance"],
  ] as const)("%s to the question is %s", (text, choice) => {
    expect(parse(text, known("insurance", "no_insurance"))).toEqual({ do: "choose", choice });
  });

  it("takes R for what is offered", () => {
    expect(parse("r", known("stand", "rescue"))).toEqual({ do: "choose", choice: "rescue" });
    expect(parse("r", known("raise", "fold"))).toEqual({ do: "choose", choice: "raise" });
  });

  it("that is not offered is told from what is no command", () => {
    expect(parse("split", known("hit", "stand"))).toEqual({
      unknown: "Split is not offered now; you may hit, stand.",
    });
    expect(parse("hit", known())).toEqual({
      unknown: "Hit is not offered now; bet and deal first.",
    });
    expect(parse("dance", known())).toEqual({ unknown: "dance is no command; help lists them." });
    expect(parse("  ", known())).toEqual({ unknown: "Type a command, or help for all of them." });
  });
});

describe("the table", () => {
  it.each([
    ["deal", { do: "deal" }],
    ["?", { do: "help" }],
    ["balance", { do: "read", key: "B" }],
    ["decks 8", { do: "decks", decks: 8 }],
    ["level high roller", { do: "level", key: "high_roller" }],
    ["level x", { unknown: "There is no level x here; the levels are Low, High Roller." }],
    ["sides 21+3, in bet", { do: "sides", keys: ["classic", "in_bet"] }],
    ["sides top 3 and in bet", { do: "sides", keys: ["top3", "in_bet"] }],
    [
      "sides top 3",
      { unknown: "Name 2 side bets, with commas; there are Top 3, 21+3 Classic, In Bet." },
    ],
  ])("%s", (text, command) => {
    expect(parse(text, known())).toEqual(command);
  });

  it("lists every command with an example that is understood", () => {
    const examples = commandWords(GAME).map(([command]) => command);
    for (const example of examples.filter((each) => /^(bet|level|decks|sides)/.test(each))) {
      expect(parse(example, known()), example).not.toHaveProperty("unknown");
    }
    expect(examples.join(" ")).toContain("surrender");
  });
});
