/** Follows a step of a round and says what a dealer would: totals, results, and what is heard. */
import type { Felt } from "../table/felt";
import { FACE_DOWN } from "../table/felt";
import type { Answer, Event } from "../wire";
import type { Effect } from "./effects";
import { dealerLine, handLine, resultLine, type Line } from "./lines";

/** Whoever hears the table. */
export interface Ears {
  play(effect: Effect): void;
  say(line: Line): void;
  /** What waits to be said is out of date: the player went on. */
  hush(): void;
}

export const DEAF: Ears = {
  play: () => undefined,
  say: () => undefined,
  hush: () => undefined,
};

export class Narrator {
  /** What has been said last, and all of this step, as text. */
  #captions: string[] = [];
  #dealing = false;
  #turn = "";

  constructor(
    private readonly many: boolean,
    private readonly ears: Ears,
    private readonly caption: (text: string) => void,
  ) {}

  /** A step begins to be played. */
  begins(answer: Answer): void {
    this.ears.hush();
    this.#captions = [];
    this.#dealing = answer.events.some((event) => event.type === "bet");
    if (this.#dealing) this.#turn = "";
  }

  /** An event begins: a card leaves the shoe, a chip moves. */
  begun(event: Event): void {
    const effect = this.#effectOf(event);
    if (effect) this.ears.play(effect);
  }

  /** An event is done: the card lies, the bet is paid. `felt` is the picture after it. */
  done(event: Event, felt: Felt): void {
    if (event.type === "card" && event.to === "spot" && !this.#dealing) {
      const hand = felt.spots.get(event.spot ?? 1)?.hands[event.hand ?? 0];
      if (hand?.total) this.#say(handLine(hand.total, hand.soft));
    }
    if (event.type === "reveal" || (event.type === "card" && event.to === "dealer")) {
      if (!this.#dealing || event.type === "reveal") this.#say(dealerLine(felt, hides(felt)));
    }
    if (event.type === "pay") this.#say(resultLine(event, felt, this.many));
  }

  /** The step is played: a hand is to act, or the round is over. Gives all that was said in it. */
  rests(answer: Answer, felt: Felt): string {
    const [choice] = answer.choices;
    if (answer.status !== "open" || !choice) return told(this.#captions);
    const turn = `${answer.round} ${choice.spot}.${choice.hand}`;
    if (turn === this.#turn) return told(this.#captions);
    const isFirst = this.#turn === "";
    this.#turn = turn;
    this.ears.play("turn");
    const hand = felt.spots.get(choice.spot)?.hands[choice.hand];
    if (hand?.total) this.#say(handLine(hand.total, hand.soft));
    if (isFirst) this.#say(dealerLine(felt, hides(felt)));
    return told(this.#captions);
  }

  #say(line: Line | null): void {
    if (!line || this.#captions.at(-1) === line.caption) return;
    // Of totals the latest counts; it takes the place of the one before.
    if (line.kind !== "result") {
      this.#captions = this.#captions.filter((text) => !isTotalOf(line, text));
    }
    this.#captions.push(line.caption);
    this.caption(line.caption);
    this.ears.say(line);
  }

  #effectOf(event: Event): Effect | null {
    switch (event.type) {
      case "card":
        return "card";
      case "reveal":
        return "flip";
      case "stake":
        return "chip";
      case "pay":
        if (event.row === "push") return "push";
        return event.paid > event.stake ? "chip" : null;
      case "award":
        return "win";
      case "settled":
        // A round that lost is not celebrated, whatever a part of it won.
        return event.paid > event.staked ? "win" : null;
      default:
        return null;
    }
  }
}

/** `Dealer has 17. Spot 1: loses, 2: wins` */
function told(captions: readonly string[]): string {
  return captions.join(". ").replaceAll(/(?<=Spot \d:.*)\. Spot /g, ", ");
}

function hides(felt: Felt): boolean {
  return felt.dealer.cards.some(({ card }) => card === FACE_DOWN);
}

/** Whether a caption told an earlier total of the same hand. */
function isTotalOf(line: Line, text: string): boolean {
  const begins = line.kind === "dealer" ? /^Dealer (shows|has|busts)/ : /^You have/;
  return begins.test(text);
}
