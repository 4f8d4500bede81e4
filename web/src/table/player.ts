/** Plays the events of a step one after another: each type has a handler and a pace. */
import type { Event, EventOf } from "../wire";

export type Handlers = { [Type in Event["type"]]: (event: EventOf<Type>) => void };

/** How long each event is looked at before the next, in milliseconds, at normal speed. */
export type Pace = (event: Event, next: Event | undefined) => number;

export type Speed = "normal" | "instant";

export class Player {
  #skip: (() => void) | null = null;
  #skipped = false;

  constructor(
    private readonly handlers: Handlers,
    private readonly pace: Pace,
    /** Called when an event is over: its card lies, its time has passed. */
    private readonly done: (event: Event) => void,
    /** Calls back after so many milliseconds, unless the returned function is called. */
    private readonly wait: (milliseconds: number, done: () => void) => () => void,
  ) {}

  /** At instant speed everything happens in this very call, without a timer (T-51). */
  async play(events: readonly Event[], speed: Speed): Promise<void> {
    this.#skipped = speed === "instant";
    for (const [at, event] of events.entries()) {
      this.#handle(event);
      const milliseconds = this.#skipped ? 0 : this.pace(event, events[at + 1]);
      if (milliseconds > 0) await this.#pause(milliseconds);
      this.done(event);
    }
  }

  /** Whatever still moves is there at once. */
  skip(): void {
    this.#skipped = true;
    this.#skip?.();
  }

  #handle<Type extends Event["type"]>(event: EventOf<Type>): void {
    (this.handlers[event.type] as (event: EventOf<Type>) => void)(event);
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#skip = null;
        resolve();
      };
      const cancel = this.wait(milliseconds, done);
      this.#skip = () => {
        cancel();
        done();
      };
    });
  }
}
