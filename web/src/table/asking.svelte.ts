/** A question to the player, answered by yes or no; one at a time. */
export class Asking {
  question: string | null = $state(null);
  #answer: (yes: boolean) => void = () => undefined;

  ask(question: string): Promise<boolean> {
    this.withdraw();
    this.question = question;
    return new Promise((resolve) => (this.#answer = resolve));
  }

  answer(yes: boolean): void {
    this.question = null;
    this.#answer(yes);
  }

  /** What was asked about is no longer to be had. */
  withdraw(): void {
    if (this.question !== null) this.answer(false);
  }
}
