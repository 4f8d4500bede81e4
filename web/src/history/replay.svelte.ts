/** A past round on the felt again, event by event, as it was told. Nothing can be done there. */
import { NO_BETS, layoutOf, type Bets, type Layout } from "../table/bets";
import { after, agreed, emptyFelt, type Felt } from "../table/felt";
import type { Phase, Shown } from "../table/shown";
import type { Answer, Event, GameDocument, GameLevel } from "../wire";
import { sentence, splitSpots } from "./words";

/** How long each event is looked at, in milliseconds. */
const MILLISECONDS: Partial<Record<Event["type"], number>> = {
  bet: 500,
  card: 900,
  choice: 1100,
  stake: 600,
  peek: 1300,
  reveal: 1100,
  pay: 1100,
  award: 1500,
  settled: 0,
};
let shows = 0;

export class Replay implements Shown {
  readonly level: GameLevel;
  readonly layout: Layout;
  readonly sides: readonly string[];
  readonly bets: Bets = NO_BETS;
  readonly isBetting = false;
  readonly showsBets = false;
  /** How many events lie on the felt. */
  #at = $state(0);
  #playing = $state(false);
  /** Each showing deals its cards anew. */
  #show = $state(0);
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly felt: Felt = $derived.by(() => {
    const seen = this.#events.slice(0, this.#at);
    const felt = seen.reduce(
      (before, event) => after(before, event, this.round.table),
      emptyFelt(this.game.main.key),
    );
    return this.isOver ? agreed(felt, this.round.table) : felt;
  });
  readonly answer: Answer = $derived.by(() => ({
    ...this.round,
    round: `${this.round.round} again ${this.#show}`,
  }));
  /** What happened last, in words. */
  readonly said: string = $derived.by(() => {
    const last = this.#events[this.#at - 1];
    if (!last) return "Before the first bet.";
    return sentence(last, this.game, splitSpots(this.#events.slice(0, this.#at))) ?? "";
  });
  /** The hand whose choice comes next. */
  readonly acting: Shown["acting"] = $derived.by(() => {
    const next = this.#events[this.#at];
    return next?.type === "choice" ? { spot: next.spot, hand: next.hand } : null;
  });
  readonly #events: readonly Event[];

  constructor(
    readonly round: Answer,
    readonly game: GameDocument,
    private readonly still: () => boolean = () => true,
  ) {
    // An offer shows nothing on the felt.
    this.#events = round.events.filter((event) => event.type !== "offer");
    this.sides = round.side_bets;
    const level = game.levels.find((each) => each.key === round.level) ?? game.levels[0];
    if (!level) throw new Error(`${game.key} has no level`);
    this.level = level;
    this.layout = layoutOf(game, level, round.side_bets);
    this.#show = ++shows;
  }

  get at(): number {
    return this.#at;
  }

  get length(): number {
    return this.#events.length;
  }

  /** Only what comes by itself flies. */
  get isInstant(): boolean {
    return !this.#playing || this.still();
  }

  get isOver(): boolean {
    return this.#at === this.length;
  }

  get playing(): boolean {
    return this.#playing;
  }

  get phase(): Phase {
    return this.isOver ? "over" : "moving";
  }

  /** Go on by itself, from the start if it has ended. */
  play(): void {
    if (this.isOver) this.restart();
    this.#playing = true;
    this.#goOn();
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.#playing = false;
  }

  /** One event on, or back. */
  step(by: 1 | -1): void {
    this.pause();
    this.#at = Math.min(Math.max(this.#at + by, 0), this.length);
  }

  restart(): void {
    this.pause();
    this.#show = ++shows;
    this.#at = 0;
  }

  toEnd(): void {
    this.pause();
    this.#at = this.length;
  }

  #goOn(): void {
    this.#at += 1;
    const last = this.#events[this.#at - 1];
    if (this.isOver || !last) this.pause();
    else this.#timer = setTimeout(() => this.#goOn(), MILLISECONDS[last.type] ?? 0);
  }

  // The felt of the past takes no chips.

  whyClosed(): string {
    return "This round is over; it is only shown again.";
  }

  layOn(): void {
    this.pause();
  }

  skip(): void {
    // A tap on the felt does nothing here: there are buttons to go on by.
  }
}
