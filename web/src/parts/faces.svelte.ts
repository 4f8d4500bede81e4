/** The faces of the cards: which of two sheets, and in how many colours; kept by the browser. */
import { recall, remember } from "../memory";

interface Stored {
  large: boolean;
  fourColours: boolean;
}

const NAME = "faces";
/** Diamonds blue and clubs green, as on tables where four suits must not be mistaken. */
const FOUR_COLOURS = { "--suit-diamonds": "#1452b0", "--suit-clubs": "#0d6b34" };

function isStored(value: unknown): value is Partial<Record<keyof Stored, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export class Faces {
  #stored = $state<Stored>({ large: false, fourColours: false });

  constructor() {
    const { large, fourColours } = recall(NAME, isStored, {});
    this.#stored = { large: large === true, fourColours: fourColours === true };
    this.#paint();
  }

  /** Large print: rank and suit fill the card. */
  get large(): boolean {
    return this.#stored.large;
  }

  set large(large: boolean) {
    this.#keep({ large });
  }

  get fourColours(): boolean {
    return this.#stored.fourColours;
  }

  set fourColours(fourColours: boolean) {
    this.#keep({ fourColours });
    this.#paint();
  }

  #keep(change: Partial<Stored>): void {
    this.#stored = { ...this.#stored, ...change };
    remember(NAME, { ...this.#stored });
  }

  #paint(): void {
    const { style } = document.documentElement;
    for (const [suit, colour] of Object.entries(FOUR_COLOURS)) {
      if (this.#stored.fourColours) style.setProperty(suit, colour);
      else style.removeProperty(suit);
    }
  }
}

/** All cards of a page have the same faces. */
export const faces = new Faces();
