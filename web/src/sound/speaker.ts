/** The dealer's voice: words out of one recording, which is fetched when it is first wanted. */
import type { Line } from "./lines";
import places from "./words.json";

const RECORDING = "/voice.mp3";
/** Of the silence around each word this much is left out. */
const TIGHTER_SECONDS = 0.03;

export class Speaker {
  #recording: AudioBuffer | null = null;
  #loading: Promise<void> | null = null;
  #waiting: Line[] = [];
  #isSpeaking = false;
  /** The words of the line being spoken, and when each begins. */
  #words: { source: AudioBufferSourceNode; at: number; until: number }[] = [];

  constructor(
    private readonly context: AudioContext,
    private readonly out: AudioNode,
  ) {}

  /** Fetch the recording, once; where it does not come there are still the captions. */
  load(): Promise<void> {
    this.#loading ??= this.#fetch().catch(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  async #fetch(): Promise<void> {
    const answer = await fetch(RECORDING);
    if (!answer.ok) throw new Error(`${RECORDING}: ${answer.status}`);
    this.#recording = await this.context.decodeAudioData(await answer.arrayBuffer());
  }

  say(line: Line): void {
    if (!this.#recording) return;
    if (line.kind !== "result") {
      this.#waiting = this.#waiting.filter(({ kind }) => kind !== line.kind);
    }
    this.#waiting.push(line);
    if (this.#isSpeaking) return;
    this.#isSpeaking = true;
    // At instant speed many totals come in one moment: only the last is spoken.
    queueMicrotask(() => this.#next());
  }

  /** The word being spoken is finished; nothing else is. */
  hush(): void {
    this.#waiting = [];
    const now = this.context.currentTime;
    for (const { source, at } of this.#words) if (at > now) source.stop();
  }

  #next(): void {
    const line = this.#waiting.shift();
    const recording = this.#recording;
    this.#isSpeaking = line !== undefined;
    if (!line || !recording) return;
    const now = this.context.currentTime;
    const begun = this.#words.filter((word) => word.at <= now).at(-1);
    let at = Math.max(now + 0.02, begun?.until ?? 0);
    this.#words = line.words.map((word) => {
      const [from = 0, long = 0] = places[word];
      const seconds = long / 1000 - 2 * TIGHTER_SECONDS;
      const source = this.context.createBufferSource();
      source.buffer = recording;
      source.connect(this.out);
      source.start(at, from / 1000 + TIGHTER_SECONDS, seconds);
      const spoken = { source, at, until: at + seconds };
      at += seconds;
      return spoken;
    });
    const last = this.#words.at(-1);
    if (last) last.source.onended = () => this.#next();
  }
}
