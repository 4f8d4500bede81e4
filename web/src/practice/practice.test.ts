/** The practice with a house that is made up, slow answers and presses in between. */
import { beforeEach, describe, expect, it } from "vitest";
import { Statistics } from "../coach/statistics.svelte";
import { HouseProblem } from "../house/connection";
import type { ChoiceName, GameDocument, Judged, PracticeDeal, PracticeHand } from "../wire";
import { Practice } from "./practice.svelte";

const SITUATION = { cards: ["Td", "Kd"], up: "6h", doubled: false, asked: false };
const MISSED = {
  game: "super21",
  decks: 6,
  kind: "pair" as const,
  situation: SITUATION,
  right: 0,
};
const RIGHT = { ready: true, values: { stand: 0.6 }, best: "stand", given_away: 0 } as Judged;
const NOT_YET = { ready: false, values: {}, best: null, given_away: 0 } as Judged;

/** A house whose answers come when the test lets them. */
class SlowHouse {
  readonly deals: { body: PracticeDeal; done: (hand: PracticeHand | Error) => void }[] = [];
  readonly asked: ChoiceName[] = [];
  verdicts: (Judged | Error)[] = [];

  practise(body: PracticeDeal): Promise<PracticeHand> {
    return new Promise((given, refused) => {
      const done = (hand: PracticeHand | Error): void =>
        hand instanceof Error ? refused(hand) : given(hand);
      this.deals.push({ body, done });
    });
  }

  pause(): Promise<void> {
    return Promise.resolve();
  }

  judge({ choice }: { choice: ChoiceName }): Promise<Judged> {
    this.asked.push(choice);
    const verdict = this.verdicts.shift() ?? RIGHT;
    return verdict instanceof Error ? Promise.reject(verdict) : Promise.resolve(verdict);
  }
}

function made(missed = true) {
  const statistics = new Statistics();
  if (missed) statistics.miss(MISSED);
  const house = new SlowHouse();
  const practice = new Practice({
    house,
    statistics,
    game: { key: "super21" } as GameDocument,
    decks: 6,
  });
  return { practice, statistics, house };
}

function hand(kind = "pair"): PracticeHand {
  return { game: "super21", decks: 6, kind, situation: SITUATION } as PracticeHand;
}

function problem(message: string): HouseProblem {
  return new HouseProblem(429, "too_often", message);
}

beforeEach(() => localStorage.clear());

describe("the practice", () => {
  it("begins with what was chosen wrong, and leaves it once it was right twice", async () => {
    const { practice, statistics, house } = made();
    for (const left of [1, 0]) {
      const begun = practice.begin();
      house.deals.at(-1)?.done(hand());
      await begun;
      expect(house.deals.at(-1)?.body.situation).toEqual(SITUATION);
      await practice.choose("stand");
      expect(practice.verdict).toEqual(RIGHT);
      expect(statistics.missed).toHaveLength(left);
    }
    expect([practice.played, practice.right]).toEqual([2, 2]);
  });

  it("asks again while the coach is warming up", async () => {
    const { practice, house } = made();
    const begun = practice.begin();
    house.deals[0]?.done(hand());
    await begun;
    house.verdicts = [NOT_YET, NOT_YET];
    await practice.choose("stand");
    expect(house.asked).toEqual(["stand", "stand", "stand"]);
    expect(practice.verdict).toEqual(RIGHT);
  });

  it("takes no press for the hand that is over while the next one comes", async () => {
    const { practice, house } = made();
    const begun = practice.begin();
    house.deals[0]?.done(hand());
    await begun;
    await practice.choose("stand");
    const next = practice.deal();
    await practice.choose("stand");
    expect([practice.isClosed, practice.chosen, house.asked]).toEqual([true, null, ["stand"]]);
    house.deals[1]?.done(hand());
    await next;
    expect(practice.isClosed).toBe(false);
    await practice.choose("stand");
    expect(practice.verdict).toEqual(RIGHT);
  });

  it("deals the hand that was asked for last, in whatever order they come", async () => {
    const { practice, house } = made(false);
    const both = [practice.take("soft"), practice.take("hard")];
    house.deals[1]?.done(hand("hard"));
    house.deals[0]?.done(hand("soft"));
    await Promise.all(both);
    expect([practice.hand?.kind, practice.isClosed]).toEqual(["hard", false]);
  });

  it("says what went wrong, and the hand can be chosen again", async () => {
    const { practice, house } = made();
    const begun = practice.begin();
    house.deals[0]?.done(hand());
    await begun;
    house.verdicts = [problem("Wait a second.")];
    await practice.choose("stand");
    expect([practice.failed, practice.isClosed]).toEqual(["Wait a second.", false]);
    await practice.choose("stand");
    expect([practice.failed, practice.verdict]).toEqual([null, RIGHT]);
  });

  it("says that no hand came, and asks nothing once it is left", async () => {
    const { practice, house } = made(false);
    const begun = practice.begin();
    house.deals[0]?.done(problem("Wait a second."));
    await begun;
    expect([practice.failed, practice.hand, practice.isClosed]).toEqual([
      "Wait a second.",
      null,
      true,
    ]);
    const again = practice.deal();
    house.deals[1]?.done(hand());
    await again;
    house.verdicts = [NOT_YET];
    const choosing = practice.choose("stand");
    practice.leave();
    await choosing;
    expect([house.asked, practice.verdict]).toEqual([["stand"], null]);
  });
});
