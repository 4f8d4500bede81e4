/** What is said of several hands at the end, and of what the dealer shows. */
import { describe, expect, it } from "vitest";
import { emptyFelt, type Felt, type HandPicture } from "./felt";
import { endsWords, shownWords, tagOf } from "./words";

const HAND: HandPicture = {
  id: "1.0",
  cards: [],
  total: 20,
  soft: false,
  stake: 500,
  state: "stood",
  told: null,
};

function ended(row: string, state: HandPicture["state"] = "stood"): HandPicture {
  return { ...HAND, state, told: { row, stake: 500, paid: 0 } };
}

function felt(...spots: HandPicture[][]): Felt {
  const pictures = spots.map((hands, at) => ({ spot: at + 1, bets: {}, hands, told: {} }));
  return { ...emptyFelt("main"), spots: new Map(pictures.map((it) => [it.spot, it])) };
}

describe("the end of a round", () => {
  it("tells of every spot, whenever its hand was settled (T-54)", () => {
    const spots = [[ended("natural", "natural")], [ended("win")], [ended("push")]];
    expect(endsWords(felt(...spots))).toBe("Spot 1: blackjack, 2: wins, 3: push");
  });

  it("tells of both hands of a split (G-06), and of a bust by its name", () => {
    const split = [ended("win"), ended("lose", "bust")];
    expect(endsWords(felt(split, [ended("lose")]))).toBe("Spot 1: wins and bust, 2: loses");
    expect(endsWords(felt([...split, ended("surrender")]))).toBe(
      "Hand 1: wins, 2: bust, 3: surrendered",
    );
  });

  it("says nothing of one hand alone, nor of spots with side bets only (A-05)", () => {
    expect(endsWords(felt([ended("win")]))).toBe("");
    expect(endsWords(felt([HAND]))).toBe("");
    expect(endsWords(felt([ended("win")], []))).toBe("");
  });
});

it("calls an ace that the dealer shows an ace, and what several cards count a number", () => {
  expect(shownWords(11, true)).toBe("an ace");
  expect(shownWords(11, false)).toBe("11");
  expect(shownWords(10, false)).toBe("10");
});

it("says on each of several hands what it stakes, until it has ended (T-31)", () => {
  expect(tagOf(HAND)?.text).toBe("Stand");
  expect(tagOf({ ...HAND, state: "live" }, true)?.text).toBe("$5");
  expect(tagOf({ ...HAND, stake: 1000 }, true)?.text).toBe("$10");
  expect(tagOf(ended("push"), true)?.text).toBe("Push");
});
