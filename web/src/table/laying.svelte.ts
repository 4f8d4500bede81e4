/** The chips before a deal, and the buttons that lay and lift them: each does its work or says why. */
import { allBets, type Extreme } from "./allbets";
import {
  NO_BETS,
  amounts,
  cancel,
  centsOn,
  closed,
  lay,
  layAll,
  placeOf,
  placeOnSides,
  problem,
  total,
  uncovered,
  undo,
  type Amounts,
  type Bets,
  type Laid,
  type Layout,
  type Place,
} from "./bets";

/** The betting buttons but DEAL. */
export type BetAction = "undo" | "cancel" | "clear" | Extreme | "place" | "rebet";

/** What chips are laid on, and from what. */
export interface Bench {
  readonly layout: Layout;
  /** The house's balance as far as it has been shown; chips on the felt are still in it. */
  readonly purse: number;
  readonly chips: readonly number[];
}

export class Laying {
  bets: Bets = $state.raw(NO_BETS);
  /** The selected chip of the tray. */
  chip = $state(0);
  /** The bets of the last deal, by level. */
  #last: Readonly<Record<string, Amounts>> = $state.raw({});

  constructor(private readonly bench: Bench) {}

  get cents(): number {
    return total(amounts(this.bets));
  }

  get last(): Amounts | null {
    return this.#last[this.bench.layout.level] ?? null;
  }

  // Why not, or null

  get whyNoDeal(): string | null {
    return problem(this.bench.layout, this.bets, this.bench.purse);
  }

  whyClosed(place: Place): string | null {
    return closed(this.bench.layout, this.bets, place);
  }

  whyNot(action: BetAction): string | null {
    switch (action) {
      case "undo":
      case "cancel":
        return this.#whyNothingToLift;
      case "clear":
        return this.cents > 0 ? null : "No chip lies on the table.";
      case "rebet":
        if (this.last === null) return "There is no earlier round at this level to repeat.";
        return this.#uncovered(this.last);
      case "min":
      case "max":
        return this.#uncovered(this.#all(action));
      case "place":
        return null;
    }
  }

  get #whyNothingToLift(): string | null {
    const { selected } = this.bets;
    if (selected === null) return "Select a place on the table first.";
    return centsOn(this.bets, selected) > 0 ? null : "Nothing lies on the selected place.";
  }

  #uncovered(wanted: Amounts): string | null {
    return uncovered(this.bench.layout, wanted, this.bench.purse);
  }

  // Laying and lifting; each says what could not be done

  /** The selected chip on a place (T-20). */
  on(place: Place): string | null {
    const funds = this.bench.purse - this.cents;
    return this.#keep(lay(this.bench.layout, this.bets, place, this.chip, funds));
  }

  /** The selected chip where a click in the tray puts it (T-20). */
  onSelected(): string | null {
    const { spots, main } = this.bench.layout;
    return this.on(this.bets.selected ?? placeOf(spots[0] ?? 1, main));
  }

  /** So much on a place, whatever lay there; nothing changes where that cannot be. */
  put(place: Place, cents: number): string | null {
    const { layout, purse } = this.bench;
    if (cents === 0) {
      return this.#keep({ bets: cancel(layout, { ...this.bets, selected: place }), said: null });
    }
    const laid = new Map(this.bets.laid);
    laid.delete(place);
    const bets = { ...this.bets, laid };
    const put = lay(layout, bets, place, cents, purse - total(amounts(bets)));
    return put.said === null ? this.#keep(put) : put.said;
  }

  /** Select a place without laying anything. */
  select(place: Place): void {
    this.bets = { ...this.bets, selected: place };
  }

  press(action: BetAction): string | null {
    const { layout, purse } = this.bench;
    switch (action) {
      case "undo":
        return this.#keep({ bets: undo(layout, this.bets), said: null });
      case "cancel":
        return this.#keep({ bets: cancel(layout, this.bets), said: null });
      case "clear":
        return this.#keep({ bets: { ...this.bets, laid: new Map() }, said: null });
      case "place":
        return this.#keep(placeOnSides(layout, this.bets, this.chip, purse - this.cents));
      case "min":
      case "max":
        return this.layAll(this.#all(action));
      case "rebet":
        return this.last ? this.layAll(this.last) : null;
    }
  }

  /** These amounts in place of everything, or nothing (G-10). */
  layAll(wanted: Amounts): string | null {
    return this.#keep(layAll(this.bench.layout, this.bets, wanted, this.bench.purse));
  }

  /** MAX ALL BETS would stake this much. */
  get maxCents(): number {
    return total(this.#all("max"));
  }

  #all(extreme: Extreme): Amounts {
    return allBets(this.bench.layout, this.last, extreme);
  }

  #keep({ bets, said }: Laid): string | null {
    this.bets = bets;
    return said;
  }

  // The round takes them

  /** These were dealt: REBET, MIN and MAX ALL BETS go by them from now on. */
  dealt(laid: Amounts): void {
    this.#last = { ...this.#last, [this.bench.layout.level]: laid };
  }

  lift(): void {
    this.bets = { laid: new Map(), selected: this.bets.selected };
  }

  /** The felt is another one: nothing lies and no place is selected. */
  reset(): void {
    this.bets = NO_BETS;
    if (this.bench.chips.includes(this.chip)) return;
    const { limits, main } = this.bench.layout;
    const min = limits[main]?.min ?? 0;
    this.chip = this.bench.chips.findLast((chip) => chip <= min) ?? this.bench.chips[0] ?? 0;
  }

  forget(): void {
    this.#last = {};
  }
}
