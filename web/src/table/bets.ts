/**
 * Chips on the places of a table before the deal, as values: nothing here is a stake yet (G-08).
 * Limits and what needs what come from the game's document; nothing of the game is known here.
 */
import { amount } from "../money";
import type { BetSpot, GameDocument, GameLevel, Limits } from "../wire";

/** A place is a bet of a spot, `2.classic`; spot 1 is the rightmost. */
export type Place = `${number}.${string}`;

/** What of a table binds its bets: the open bets of each spot, their limits and their needs. */
export interface Layout {
  spots: readonly number[];
  main: string;
  /** The open side bets, in the order of their circles. */
  sides: readonly string[];
  /** A bet without limits is closed at this level. */
  limits: Readonly<Record<string, Limits>>;
  needs: Readonly<Record<string, string | null>>;
  titles: Readonly<Record<string, string>>;
  level: string;
  /** Titles of the later bets that DEAL sets aside, each as large as the main bets (C-06). */
  reserved: readonly string[];
  /** Whether a spot may carry side bets alone. */
  sideBetAlone: boolean;
}

/** The additions to each place, in order, so that the latest may be taken back (G-10). */
export interface Bets {
  readonly laid: ReadonlyMap<Place, readonly number[]>;
  /** The place last clicked. */
  readonly selected: Place | null;
}

/** Bets after a change, and what is said of it where something could not be done. */
export interface Laid {
  bets: Bets;
  said: string | null;
}

/** Cents on each place. */
export type Amounts = ReadonlyMap<Place, number>;

export const NO_BETS: Bets = { laid: new Map(), selected: null };
/** What may be bet with (T-20). */
export const TRAY: readonly number[] = [50, 100, 500, 2_500, 10_000, 50_000, 100_000];
/** Those of the tray and those that only show winnings (T-37); each divides the next. */
const DENOMINATIONS = [1, 5, 25, 50, 100, 500, 2_500, 10_000, 50_000, 100_000, 500_000];

export function layoutOf(game: GameDocument, level: GameLevel, open: readonly string[]): Layout {
  const sides = game.side_bets.filter((side) => open.includes(side.key));
  return {
    spots: Array.from({ length: game.spots_max }, (_, index) => index + 1),
    main: game.main.key,
    sides: sides.map((side) => side.key),
    limits: level.bets,
    needs: Object.fromEntries(sides.map((side) => [side.key, side.needs])),
    titles: {
      [game.main.key]: game.main.title,
      ...Object.fromEntries(game.side_bets.map((side) => [side.key, side.title])),
    },
    level: level.title,
    reserved: game.later_bets
      .filter((later) => game.reserved.includes(later.key))
      .map((later) => later.title),
    sideBetAlone: game.side_bet_alone,
  };
}

export function placeOf(spot: number, bet: string): Place {
  return `${spot}.${bet}`;
}

export function spotAndBet(place: Place): [spot: number, bet: string] {
  const dot = place.indexOf(".");
  return [Number(place.slice(0, dot)), place.slice(dot + 1)];
}

/** `Top 3 on spot 2`; where there is one spot, `Ante`. */
export function placeName(layout: Layout, place: Place): string {
  const [spot, bet] = spotAndBet(place);
  const title = layout.titles[bet] ?? bet;
  return layout.spots.length > 1 ? `${title} on spot ${spot}` : title;
}

/** The chips of the tray that this table can take (T-20). */
export function chips(layout: Layout): number[] {
  const limits = Object.values(layout.limits);
  const max = Math.max(...limits.map((limit) => limit.max));
  return TRAY.filter((chip) => chip <= max && limits.some((limit) => chip % limit.step === 0));
}

/** The fewest chips that make an amount, the largest first (T-37). */
export function stack(cents: number): number[] {
  const found: number[] = [];
  for (const chip of DENOMINATIONS.toReversed()) {
    for (; cents >= chip; cents -= chip) found.push(chip);
  }
  return found;
}

export function centsOn(bets: Bets, place: Place): number {
  return sum(bets.laid.get(place) ?? []);
}

export function amounts(bets: Bets): Amounts {
  return new Map([...bets.laid].map(([place, additions]) => [place, sum(additions)]));
}

export function total(laid: Amounts): number {
  return sum([...laid.values()]);
}

/** What the balance must cover for these bets: themselves, and what DEAL sets aside (C-06). */
export function needed(layout: Layout, laid: Amounts): number {
  const main = [...laid].filter(([place]) => spotAndBet(place)[1] === layout.main);
  return total(laid) + layout.reserved.length * total(new Map(main));
}

/** Why a balance does not cover these bets, with both sums, or null. */
export function uncovered(layout: Layout, laid: Amounts, balance: number): string | null {
  const cents = needed(layout, laid);
  if (cents <= balance) return null;
  const aside = layout.reserved.map((title) => ` with the ${title.toLowerCase()} set aside`);
  return `These bets come to ${amount(cents)}${aside.join("")}; your balance is ${amount(balance)}.`;
}

function sum(cents: readonly number[]): number {
  return cents.reduce((before, each) => before + each, 0);
}

/** Why a place takes nothing now, or null (T-21, T-35). */
export function closed(layout: Layout, bets: Bets, place: Place): string | null {
  const [spot, bet] = spotAndBet(place);
  const title = layout.titles[bet] ?? bet;
  if (!layout.limits[bet]) return `${title} is closed at ${layout.level}.`;
  if (bet === layout.main) return null;
  const needed = layout.needs[bet] ?? (layout.sideBetAlone ? null : layout.main);
  if (needed === null || centsOn(bets, placeOf(spot, needed)) > 0) return null;
  const where = layout.spots.length > 1 ? ` on spot ${spot}` : "";
  return `${title} opens once ${layout.titles[needed] ?? needed} lies${where}.`;
}

/** Add a chip to a place, and select the place. `funds`: the balance less what lies already. */
export function lay(layout: Layout, bets: Bets, place: Place, chip: number, funds: number): Laid {
  const selected = { ...bets, selected: place };
  const why = closed(layout, bets, place);
  if (why !== null) return { bets: selected, said: why };
  const limit = limitOf(layout, place);
  const lies = centsOn(bets, place);
  const cents = isFixed(limit) ? limit.min : chip;
  const name = placeName(layout, place);
  if (isFixed(limit) && lies > 0) {
    return { bets: selected, said: `${name} takes exactly ${amount(limit.min)}.` };
  }
  if (cents % limit.step !== 0) {
    return { bets: selected, said: `${name} goes in steps of ${amount(limit.step)}.` };
  }
  if (lies + cents > limit.max) {
    return { bets: selected, said: `${name} takes at most ${amount(limit.max)}.` };
  }
  if (cents > funds) return { bets: selected, said: short(cents, funds) };
  return { bets: { ...added(bets, place, cents), selected: place }, said: null };
}

function limitOf(layout: Layout, place: Place): Limits {
  const limit = layout.limits[spotAndBet(place)[1]];
  if (!limit) throw new Error(`${place} is closed at ${layout.level}`);
  return limit;
}

/** A bet that can only be of one size: any chip lays that (T-38). */
function isFixed(limit: Limits): boolean {
  return limit.min === limit.max;
}

function short(cents: number, funds: number): string {
  return `That takes ${amount(cents)}; your balance has ${amount(funds)} left.`;
}

function added(bets: Bets, place: Place, cents: number): Bets {
  const additions = [...(bets.laid.get(place) ?? []), cents];
  return { ...bets, laid: new Map(bets.laid).set(place, additions) };
}

/** Take back the latest addition to the selected place (G-10). */
export function undo(layout: Layout, bets: Bets): Bets {
  if (bets.selected === null) return bets;
  const additions = (bets.laid.get(bets.selected) ?? []).slice(0, -1);
  return swept(layout, { ...bets, laid: new Map(bets.laid).set(bets.selected, additions) });
}

/** Clear the selected place alone, and what may not lie without it (T-34). */
export function cancel(layout: Layout, bets: Bets): Bets {
  if (bets.selected === null) return bets;
  return swept(layout, { ...bets, laid: new Map(bets.laid).set(bets.selected, []) });
}

/** Without empty places and without bets whose need is gone (T-21). */
function swept(layout: Layout, bets: Bets): Bets {
  const laid = new Map(bets.laid);
  let count: number;
  do {
    count = laid.size;
    for (const [place, additions] of laid) {
      if (additions.length === 0 || closed(layout, { ...bets, laid }, place) !== null) {
        laid.delete(place);
      }
    }
  } while (laid.size < count);
  return { ...bets, laid };
}

/** Lay these amounts in place of everything, or nothing at all (G-10, T-30). */
export function layAll(layout: Layout, bets: Bets, wanted: Amounts, balance: number): Laid {
  const said = uncovered(layout, wanted, balance);
  if (said !== null) return { bets, said };
  const laid = new Map([...wanted].map(([place, each]) => [place, [each]]));
  return { bets: { ...bets, laid }, said: null };
}

/** Add a chip to every side circle; one that it would overfill is skipped and named. */
export function placeOnSides(layout: Layout, bets: Bets, chip: number, funds: number): Laid {
  const open = layout.spots
    .flatMap((spot) => layout.sides.map((bet) => placeOf(spot, bet)))
    .filter((place) => closed(layout, bets, place) === null);
  const full = open.filter((place) => centsOn(bets, place) + chip > limitOf(layout, place).max);
  const takes = open.filter((place) => !full.includes(place));
  const cents = chip * takes.length;
  if (cents > funds) return { bets, said: short(cents, funds) };
  const laid = takes.reduce((before, place) => added(before, place, chip), bets);
  const names = full.map((place) => placeName(layout, place)).join(", ");
  const said = full.length === 0 ? null : `No chip of ${amount(chip)} fits on ${names}.`;
  return { bets: laid, said };
}

/** Why these bets cannot be dealt, or null: a place below its minimum is named. */
export function problem(layout: Layout, bets: Bets, balance: number): string | null {
  if (bets.laid.size === 0) return "Lay a bet to deal.";
  for (const [place, cents] of amounts(bets)) {
    const why = closed(layout, bets, place);
    if (why !== null) return why;
    const { min } = limitOf(layout, place);
    if (cents < min) {
      return `${placeName(layout, place)} needs at least ${amount(min)}; ${amount(cents)} lies there.`;
    }
  }
  return uncovered(layout, amounts(bets), balance);
}

/** The bets as the house takes them. */
export function spotsOf(laid: Amounts): BetSpot[] {
  const spots = new Map<number, Record<string, number>>();
  for (const [place, cents] of laid) {
    const [spot, bet] = spotAndBet(place);
    spots.set(spot, { ...spots.get(spot), [bet]: cents });
  }
  return [...spots].sort(([a], [b]) => a - b).map(([spot, bets]) => ({ spot, bets }));
}
