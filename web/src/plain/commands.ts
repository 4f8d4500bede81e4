/** Commands in words, as a player types them at the plain-text table (X-05), read into values. */
import { CHOICE_KEYS, type ReadingKey } from "../keys";
import { placeOf, type Layout, type Place } from "../table/bets";
import { CHOICE_WORDS } from "../table/words";
import type { Choice, ChoiceName, GameDocument } from "../wire";

export type Command =
  | { do: "bet"; place: Place; cents: number }
  | { do: "choose"; choice: ChoiceName }
  | { do: "level"; key: string }
  | { do: "decks"; decks: number }
  | { do: "sides"; keys: string[] }
  | { do: "read"; key: ReadingKey }
  | { do: Simple };
type Simple = (typeof SIMPLE)[number];

/** What could not be understood, in a sentence. */
export interface Unknown {
  unknown: string;
}

export interface Known {
  game: GameDocument;
  layout: Layout;
  choices: readonly Choice[];
}

const SIMPLE = [
  "deal",
  "undo",
  "clear",
  "rebet",
  "refill",
  "help",
  "rules",
  "history",
  "coach",
  "settings",
  "lobby",
] as const;
const READINGS: Record<string, ReadingKey> = {
  last: "L",
  dealer: "U",
  hand: "M",
  hands: "M",
  balance: "B",
};
/** The choices by all their words; what is not offered is told apart below. */
const WORDS: Record<ChoiceName, string[]> = {
  hit: ["hit"],
  stand: ["stand"],
  double: ["double"],
  split: ["split"],
  surrender: ["surrender"],
  rescue: ["rescue"],
  insurance: ["yes", "insurance"],
  no_insurance: ["no", "no insurance"],
  even_money: ["yes", "even money"],
  no_even_money: ["no", "no even money"],
  raise: ["raise"],
  fold: ["fold"],
};

/** The commands in words, for the page that lists them. */
export function commandWords(game: GameDocument): [command: string, what: string][] {
  const first = game.side_bets[0]?.short.toLowerCase() ?? "";
  const many = game.spots_max > 1;
  const commands: [string, string][] = [
    [many ? "bet 5 on main 2" : "bet 5", `put $5.00 on the main bet${many ? " of spot 2" : ""}`],
    [`bet 2.50 on ${first}${many ? " 1" : ""}`, "put an amount on a side bet"],
    [many ? "bet 0 on main 2" : "bet 0", "take a bet off"],
    ["clear, rebet, undo", "take every bet off; the last bets again; the latest addition back"],
    ["deal", "deal"],
    [
      game.choices.map((name) => WORDS[name].at(-1)).join(", "),
      `play; in short ${game.choices.map((name) => CHOICE_KEYS[name].toLowerCase()).join(", ")}`,
    ],
    ["last, dealer, hand, balance", "read that aloud"],
    ["rules, history, coach, settings, lobby", "go there"],
  ];
  if (game.levels.length > 1) {
    commands.push([`level ${game.levels[0]?.key ?? ""}`, "other limits, between rounds"]);
  }
  if (game.decks_offered.length > 1) commands.push(["decks 8", "another number of decks"]);
  if (game.side_bets.length > game.side_bets_open) {
    const two = game.side_bets.slice(-game.side_bets_open).map((side) => side.title.toLowerCase());
    commands.push([`sides ${two.join(", ")}`, "open other side bets"]);
  }
  return commands;
}

export function parse(text: string, known: Known): Command | Unknown {
  const words = text.trim().toLowerCase().replace(/\s+/g, " ");
  const [first = "", ...others] = words.split(" ");
  const rest = others.join(" ");
  const simple = SIMPLE.find((each) => each === words);
  if (words === "") return { unknown: "Type a command, or help for all of them." };
  if (simple) return { do: simple };
  if (words === "?") return { do: "help" };
  const reading = READINGS[words];
  if (reading) return { do: "read", key: reading };
  switch (first) {
    case "bet":
      return bet(rest, known);
    case "level":
      return level(rest, known.game);
    case "decks":
      return /^\d+$/.test(rest)
        ? { do: "decks", decks: Number(rest) }
        : { unknown: `Say decks and a number: ${known.game.decks_offered.join(" or ")}.` };
    case "sides":
      return sides(rest, known.game);
  }
  return choice(words, known);
}

function choice(words: string, { choices, game }: Known): Command | Unknown {
  const fits = (name: ChoiceName): boolean =>
    words === CHOICE_KEYS[name].toLowerCase() || WORDS[name].includes(words);
  const offered = choices.find((each) => fits(each.choice));
  if (offered) return { do: "choose", choice: offered.choice };
  const known = game.choices.find(fits);
  if (known) {
    const now = choices.map((each) => CHOICE_WORDS[each.choice].toLowerCase()).join(", ");
    return {
      unknown: `${CHOICE_WORDS[known]} is not offered now; ${now ? `you may ${now}` : "bet and deal first"}.`,
    };
  }
  return { unknown: `${words} is no command; help lists them.` };
}

const AMOUNT = /^\$?(\d{1,9})(?:\.(\d{1,2}))?(?:\s+(?:on\s+)?(.+))?$/;

function bet(text: string, { layout, game }: Known): Command | Unknown {
  const found = AMOUNT.exec(text);
  if (!found) return { unknown: "Say how much and where: bet 5 on main 1." };
  const [, units = "0", cents = "", where = ""] = found;
  const named = placed(where, names(layout, game));
  if (named === null) {
    const all = [layout.main, ...layout.sides].map((key) => layout.titles[key] ?? key);
    return { unknown: `There is no bet ${where} here; the bets are ${all.join(", ")}.` };
  }
  const { key, spot } = named;
  if (!layout.spots.includes(spot)) {
    return { unknown: `There is no spot ${spot}; the spots are ${layout.spots.join(", ")}.` };
  }
  const amount = Number(units) * 100 + Number(cents.padEnd(2, "0") || "0");
  return { do: "bet", place: placeOf(spot, key), cents: amount };
}

/** Every name of each open bet, in small letters. */
function names(layout: Layout, game: GameDocument): Map<string, string> {
  const open = [layout.main, ...layout.sides];
  const known = new Map<string, string>([["main", layout.main]]);
  for (const key of open) {
    const short = game.side_bets.find((side) => side.key === key)?.short ?? key;
    for (const name of [key, key.replaceAll("_", " "), short, layout.titles[key] ?? key]) {
      known.set(name.toLowerCase(), key);
    }
  }
  return known;
}

/** `top 3`, `top 3 2`, `top 3 on spot 2`, `2`, nothing: spot 1 and the main bet where not said. */
function placed(
  where: string,
  known: ReadonlyMap<string, string>,
): { key: string; spot: number } | null {
  const main = known.get("main") ?? "";
  if (where === "") return { key: main, spot: 1 };
  const whole = known.get(where);
  if (whole !== undefined) return { key: whole, spot: 1 };
  const spot = /^(?:spot )?(\d+)$/.exec(where);
  if (spot) return { key: main, spot: Number(spot[1]) };
  const found = /^(.+?)\s+(?:on\s+)?(?:spot\s+)?(\d+)$/.exec(where);
  const key = known.get(found?.[1] ?? "");
  return found && key !== undefined ? { key, spot: Number(found[2]) } : null;
}

function level(text: string, game: GameDocument): Command | Unknown {
  const found = game.levels.find((each) =>
    [each.key, each.key.replaceAll("_", " "), each.title.toLowerCase()].includes(text),
  );
  const titles = game.levels.map((each) => each.title).join(", ");
  return found
    ? { do: "level", key: found.key }
    : { unknown: `There is no level ${text} here; the levels are ${titles}.` };
}

function sides(text: string, game: GameDocument): Command | Unknown {
  const titles = game.side_bets.map((side) => side.title);
  const keys = text.split(/\s*(?:,|\band\b)\s*/).map((name) => {
    const side = game.side_bets.find((each) =>
      [each.key, each.short.toLowerCase(), each.title.toLowerCase()].includes(name),
    );
    return side?.key ?? null;
  });
  const named = keys.filter((key) => key !== null);
  if (named.length < keys.length || new Set(named).size !== game.side_bets_open) {
    return {
      unknown: `Name ${game.side_bets_open} side bets, with commas; there are ${titles.join(", ")}.`,
    };
  }
  return { do: "sides", keys: named };
}
