/**
 * Keeps a press that was meant for the buttons of a moment ago from the ones that have come in
 * their place: for a quarter of a second after the row has changed it takes none.
 */
export const GUARD_MILLISECONDS = 250;

export class Guard {
  /** Whether the row has just changed. */
  closed = $state(false);
  #cancel = (): void => undefined;

  constructor(
    private readonly isOn: () => boolean,
    private readonly wait = (milliseconds: number, done: () => void): (() => void) => {
      const timer = setTimeout(done, milliseconds);
      return () => clearTimeout(timer);
    },
  ) {}

  changed(): void {
    this.#cancel();
    this.closed = this.isOn();
    if (this.closed) this.#cancel = this.wait(GUARD_MILLISECONDS, () => (this.closed = false));
  }
}
