/** What the dealer says, as words and as captions (T-54). */
import { describe, expect, it } from "vitest";
import { emptyFelt, type Felt } from "../table/felt";
import type { Answer, Event, EventOf } from "../wire";
import { handLine, resultLine, type Line } from "./lines";
import { Narrator } from "./narrator";

function pay(spot: number, row: string, paid: number): EventOf<"pay"> {
  return { n: 9, type: "pay", spot, hand: 0, bet: "main", row, stake: 500, paid };
}

const FELT: Felt = emptyFelt("main");

describe("a line", () => {
  it("counts an ace both ways, and names what is too much", () => {
    expect(handLine(17, true).caption).toBe("You have soft 17");
    expect(handLine(17, true).words).toEqual(["you_have", "soft", "17"]);
    expect(handLine(21, true).words).toEqual(["you_have", "21"]);
    expect(handLine(24, false).words).toEqual(["24", "bust"]);
  });

  it("tells a result, of its spot where there are more", () => {
    expect(resultLine(pay(1, "win", 1000), FELT, false)?.caption).toBe("You win");
    expect(resultLine(pay(2, "push", 500), FELT, true)?.words).toEqual(["spot", "2", "push"]);
    expect(resultLine(pay(1, "push", 500), FELT, false)?.caption).toBe("Push");
    expect(resultLine(pay(3, "natural", 1250), FELT, true)?.caption).toBe("Spot 3: Blackjack");
    expect(resultLine({ ...pay(1, "flush", 3000), bet: "classic" }, FELT, true)).toBeNull();
  });
});

describe("the narrator", () => {
  it("says of several totals the last, and every result, in one caption", () => {
    const said: Line[] = [];
    const ears = { play: () => undefined, hush: () => undefined, say: (it: Line) => said.push(it) };
    const narrator = new Narrator(true, ears, () => undefined);
    const answer = { status: "settled", choices: [], events: [], round: "r" } as unknown as Answer;
    narrator.begins(answer);
    const dealer = (total: number): Felt => ({
      ...FELT,
      dealer: { cards: [{ id: 1, card: "6c" }], total, soft: false },
    });
    const reveal: Event = { n: 1, type: "reveal", card: "6c", total: 12, soft: false };
    narrator.done(reveal, dealer(12));
    narrator.done(reveal, dealer(17));
    narrator.done(pay(1, "lose", 0), dealer(17));
    narrator.done(pay(2, "win", 1000), dealer(17));
    narrator.done(pay(3, "push", 500), dealer(17));
    expect(narrator.rests(answer, dealer(17))).toBe(
      "Dealer has 17. Spot 1: loses, 2: wins, 3: push",
    );
    expect(said.map(({ caption }) => caption)).toEqual([
      "Dealer has 12",
      "Dealer has 17",
      "Spot 1: loses",
      "Spot 2: wins",
      "Spot 3: push",
    ]);
  });
});
