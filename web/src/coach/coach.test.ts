/** The coach at the table and the count of choices, with a house that is made up. */
import { beforeEach, describe, expect, it } from "vitest";
import { HouseProblem, type House } from "../house/connection";
import type { Settings } from "../settings.svelte";
import type { Answer, ReviewedDecision, Situation } from "../wire";
import { AWAY, Coach, WARMING } from "./coach.svelte";
import { Statistics } from "./statistics.svelte";
import { costWords, errorWords, signed } from "./words";

const SIXTEEN: Situation = { cards: ["Th", "6c"], up: "Td", doubled: false, asked: false };
const WRONG: ReviewedDecision = {
  seq: 1,
  spot: 1,
  hand: 0,
  kind: "hard",
  cards: ["Th", "6c"],
  total: 16,
  soft: false,
  up: "Td",
  stake: 1000,
  choice: "hit",
  values: { hit: -0.54, surrender: -0.5 },
  best: "surrender",
  given_away: 0.04,
  situation: SIXTEEN,
};
const RIGHT: ReviewedDecision = { ...WRONG, choice: "surrender", given_away: 0 };

function answer(over: Partial<Answer> = {}): Answer {
  return {
    round: "r",
    game: "top3",
    decks: 6,
    status: "open",
    seq: 0,
    events: [],
    choices: [{ choice: "hit", spot: 1, hand: 0 }],
    table: {
      dealer: { cards: [], total: 0, soft: false },
      spots: [{ spot: 1, bets: { main: 1000 } }],
    },
    ...over,
  } as unknown as Answer;
}
const HIT = answer({ seq: 1, events: [{ n: 5, type: "choice", spot: 1, hand: 0, choice: "hit" }] });
const OVER = { ...HIT, status: "settled", choices: [] } as Answer;
const ADVICE = {
  ready: true,
  values: { hit: -0.54, stand: -0.6, surrender: -0.5 },
  best: "surrender",
};
const NOT_YET = { ready: false, values: {}, best: null };

function made(over: Partial<Record<"coach" | "review", () => Promise<unknown>>> = {}, on = true) {
  const said: string[] = [];
  const settings = { coach: on } as Settings;
  const statistics = new Statistics();
  const house = {
    coach: () => Promise.resolve(ADVICE),
    review: () => Promise.resolve({ ready: true, decisions: [WRONG] }),
    pause: () => Promise.resolve(),
    ...over,
  } as unknown as House;
  const coach = new Coach({
    house,
    settings,
    statistics,
    say: (words) => said.push(words),
  });
  return { coach, said, settings, statistics, house };
}

beforeEach(() => localStorage.clear());

describe("the coach", () => {
  it("asks nothing while it is off, but notes the rounds", async () => {
    let asked = 0;
    const count = (): Promise<unknown> => Promise.resolve((asked += 1));
    const { coach, statistics } = made({ coach: count, review: count }, false);
    await coach.follow(answer());
    await coach.follow(OVER);
    expect([asked, statistics.noted, coach.words]).toEqual([0, 1, ""]);
  });

  it("tells the best choice, and the cost of another one after it was made", async () => {
    const { coach, said } = made();
    await coach.follow(answer());
    expect(coach.words).toBe("Best: Surrender, −0.50.");
    expect(coach.costOf("hit")).toBe("It gives away $0.40; Surrender is best.");
    expect(coach.costOf("surrender")).toBeNull();
    await coach.follow(HIT);
    expect(said).toEqual([
      "Best: Surrender, −0.50.",
      "Hit gave away $0.40; surrender was best.",
      "Best: Surrender, −0.50.",
    ]);
  });

  it("judges a choice once, also when it is switched off and on", async () => {
    const { coach, said, settings } = made();
    const now = answer();
    await coach.follow(now);
    await coach.follow(HIT);
    settings.coach = false;
    await coach.follow(HIT);
    expect([coach.words, coach.advice]).toEqual(["", null]);
    settings.coach = true;
    await coach.follow(HIT);
    expect(said.filter((words) => words.startsWith("Hit gave"))).toHaveLength(1);
  });

  it("says calmly that it is warming up, once, and then knows", async () => {
    const answers = [NOT_YET, NOT_YET, ADVICE];
    const { coach, said } = made({ coach: () => Promise.resolve(answers.shift()) });
    await coach.follow(answer());
    expect(said).toEqual([WARMING, "Best: Surrender, −0.50."]);
    expect(coach.words).toBe("Best: Surrender, −0.50.");
  });

  it("leaves an old question behind when the table has gone on", async () => {
    let tell: (advice: unknown) => void = () => undefined;
    const { coach } = made({ coach: () => new Promise((done) => (tell = done)) });
    const asked = coach.follow(answer());
    await coach.follow(null);
    tell(ADVICE);
    await asked;
    expect([coach.advice, coach.words]).toEqual([null, ""]);
  });

  it("does without where the house has no figure", async () => {
    const broken = (): Promise<unknown> =>
      Promise.reject(new HouseProblem(500, "internal", "It broke."));
    const { coach } = made({ coach: broken });
    await coach.follow(answer());
    expect(coach.words).toBe(AWAY);
  });

  it("reviews a round that is over, and counts it", async () => {
    const { coach, statistics } = made();
    await coach.follow(OVER);
    expect(coach.words).toBe("1 of 1 choices gave away $0.40.");
    expect(coach.review).toEqual([WRONG]);
    expect(statistics.noted).toBe(0);
    expect(statistics.tallies.hard).toEqual({ decisions: 1, right: 0, bets: 0.04, cents: 40 });
  });
});

describe("the statistics", () => {
  it("count each round once, by kind, and are kept", async () => {
    const { statistics, house } = made();
    statistics.note(OVER);
    statistics.note(OVER);
    await statistics.judge(house);
    const { total } = new Statistics();
    expect([total.decisions, total.right, total.bets]).toEqual([1, 0, 0.04]);
  });

  it("wait while the coach is warming up", async () => {
    const { statistics, house } = made({
      review: () => Promise.resolve({ ready: false, decisions: [] }),
    });
    statistics.note(OVER);
    expect(await statistics.judge(house)).toBe(false);
    expect(statistics.noted).toBe(1);
  });

  it("are judged once, however many ask at once, and tell all of them the same", async () => {
    let asked = 0;
    const { statistics, house } = made({
      review: () => Promise.resolve({ ready: (asked += 1) > 1, decisions: [WRONG] }),
    });
    statistics.note(OVER);
    const both = Promise.all([statistics.judge(house), statistics.judge(house)]);
    expect([await both, asked]).toEqual([[false, false], 1]);
    expect(await statistics.judge(house)).toBe(true);
    expect(statistics.total.decisions).toBe(1);
  });

  it("keep what was wrong until it was right twice running", async () => {
    const { statistics, house } = made();
    statistics.note(OVER);
    await statistics.judge(house);
    const practise = (right: boolean): void => {
      const [missed] = statistics.missed;
      if (missed) statistics.practised(missed, right);
    };
    practise(true);
    practise(false);
    practise(true);
    expect(statistics.missed).toHaveLength(1);
    practise(true);
    expect(statistics.missed).toEqual([]);
  });

  it("keep nothing of a right choice to practise, and are reset", async () => {
    const { statistics, house } = made({
      review: () => Promise.resolve({ ready: true, decisions: [RIGHT] }),
    });
    statistics.note(OVER);
    await statistics.judge(house);
    expect(statistics.missed).toEqual([]);
    expect(statistics.total.right).toBe(1);
    statistics.reset();
    expect(new Statistics().total.decisions).toBe(0);
  });
});

it.each([
  [0.456, "+0.46"],
  [-0.5, "−0.50"],
  [-0.001, "+0.00"],
])("%f is shown as %s", (value, text) => {
  expect(signed(value)).toBe(text);
});

it("costs are told to the cent", () => {
  expect(costWords(0.0001, 1000)).toBe("less than a cent");
  expect(errorWords("no_insurance", "insurance", 0.02, 500)).toBe(
    "No insurance gave away $0.10; insurance was best.",
  );
});
