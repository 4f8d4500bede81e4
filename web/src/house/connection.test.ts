/** Requests that are lost, repeated and refused (CONTRACTS section 3; G-12). */
import { describe, expect, it } from "vitest";
import type { Bet } from "../wire";
import { House, HouseProblem } from "./connection";

interface Sent {
  path: string;
  method: string;
  key: string | null;
  body: unknown;
}

type Reply = Response | "lost" | "broken";

/** A house that gives these replies in turn; what it was asked, and how long was waited. */
function scene(...replies: Reply[]) {
  return sceneWith({}, ...replies);
}

/** The same in a page that brings these documents along. */
function sceneWith(brought: Record<string, unknown>, ...replies: Reply[]) {
  const sent: Sent[] = [];
  const paused: number[] = [];
  const troubles: boolean[] = [];
  let keys = 0;
  const house = new House({
    fetch: (async (path: string, init: RequestInit) => {
      const headers = new Headers(init.headers);
      const body: unknown = init.body ? JSON.parse(init.body as string) : undefined;
      sent.push({ path, method: init.method ?? "GET", key: headers.get("Idempotency-Key"), body });
      const reply = replies.shift();
      if (reply === undefined) throw new Error("asked more often than expected");
      if (reply === "lost") throw new TypeError("network error");
      if (reply === "broken") {
        return new Response(
          new ReadableStream({ pull: (it) => it.error(new TypeError("broke off")) }),
        );
      }
      return reply;
    }) as typeof fetch,
    pause: async (milliseconds) => void paused.push(milliseconds),
    newKey: () => `key${(keys += 1)}`,
    brought,
  });
  house.onTrouble = (troubled) => troubles.push(troubled);
  return { house, sent, paused, troubles };
}

const reply = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status });
const BET = {
  game: "super21",
  level: "table",
  spots: [{ spot: 1, bets: { main: 100 } }],
  client_seed: "a",
  ask_insurance: true,
} satisfies Bet;

describe("a bet", () => {
  it("is sent again with the same key until it is answered", async () => {
    const { house, sent, paused, troubles } = scene(
      "lost",
      "broken",
      reply({}, 503),
      reply({ round: "7" }, 201),
    );
    expect(await house.bet(BET)).toEqual({ round: "7" });
    expect(sent.map(({ key }) => key)).toEqual(["key1", "key1", "key1", "key1"]);
    expect(new Set(sent.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(paused).toEqual([250, 500, 1000]);
    expect(troubles).toEqual([true, false]);
  });

  it("has a new key the next time", async () => {
    const { house, sent } = scene(reply({}, 201), reply({}, 201));
    await house.bet(BET);
    await house.bet(BET);
    expect(sent.map(({ key }) => key)).toEqual(["key1", "key2"]);
  });

  it("that is refused is not sent again, and says the house's sentence", async () => {
    const problem = {
      type: "about:blank",
      title: "x",
      status: 422,
      code: "limit",
      detail: "Too much.",
    };
    const { house, sent } = scene(reply(problem, 422));
    const refused = await house.bet(BET).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(HouseProblem);
    expect(refused).toMatchObject({ status: 422, code: "limit", message: "Too much.", open: null });
    expect(sent).toHaveLength(1);
  });

  it("with a round open brings that round along", async () => {
    const open = { round: "3" };
    const { house } = scene(reply({ code: "round_open", detail: "Open.", open }, 409));
    await expect(house.bet(BET)).rejects.toMatchObject({ code: "round_open", open });
  });
});

describe("a move", () => {
  it("repeats seq and choice, which the house answers alike", async () => {
    const { house, sent } = scene("lost", reply({ seq: 4 }));
    await house.move("a/b", 3, "hit");
    expect(sent.map(({ path, body }) => [path, body])).toEqual([
      ["/api/rounds/a%2Fb/moves", { seq: 3, choice: "hit" }],
      ["/api/rounds/a%2Fb/moves", { seq: 3, choice: "hit" }],
    ]);
  });
});

describe("trouble", () => {
  it("is told once for all requests that wait", async () => {
    const { house, troubles } = scene("lost", "lost", reply({}), reply({}));
    await Promise.all([house.session(), house.games()]);
    expect(troubles).toEqual([true, false]);
  });

  it("never waits longer than four seconds between attempts", async () => {
    const { house, paused } = scene(...Array<Reply>(7).fill("lost"), reply({}));
    await house.session();
    expect(paused).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000]);
  });

  it("with an answer that is no JSON is a sentence too", async () => {
    const { house } = scene(new Response("<html>", { status: 500 }));
    await expect(house.session()).rejects.toThrow("The house answered 500 without a reason.");
  });
});

describe("a house that wants time between deals", () => {
  it("is no trouble: it says for how long, and the same bet is not sent again by itself", async () => {
    const body = JSON.stringify({ code: "pace", detail: "Bet again in 3 s." });
    const tooSoon = new Response(body, { status: 429, headers: { "Retry-After": "3" } });
    const { house, sent, paused, troubles } = scene(tooSoon);
    const refused = await house.bet(BET).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 429, code: "pace", seconds: 3 });
    expect([sent.length, paused, troubles]).toEqual([1, [], []]);
  });

  it("does not stop other refusals of haste from being sent again", async () => {
    const often = new Response('{"code":"rate"}', { status: 429, headers: { "Retry-After": "1" } });
    const { house, sent, paused } = scene(often, reply({ round: "r" }, 201));
    await house.bet(BET);
    expect([sent.length, paused.length]).toEqual([2, 1]);
  });
});

describe("what the page brings along", () => {
  it("is not asked for, and keeps nothing else from being asked", async () => {
    const games = { games: [{ key: "ags", title: "AGS Blackjack" }] };
    const session = { player: "p" };
    const { house, sent } = sceneWith(
      { "/api/games": games, "/api/session": { player: "somebody else" } },
      reply({ key: "ags" }),
      reply(session, 201),
    );
    expect(await house.games()).toEqual(games);
    expect(await house.game("ags")).toEqual({ key: "ags" });
    expect(await house.openSession()).toEqual(session);
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /api/games/ags",
      "POST /api/session",
    ]);
  });
});
