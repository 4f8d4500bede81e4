/**
 * Quiet music without an end and without a recording: an electric piano over a soft bass, the chords
 * of a lounge in an order that is drawn anew, bar by bar.
 */
import { filter, noise, silent, tone } from "./effects";

export const BAR_SECONDS = 3.6;
const AHEAD_SECONDS = 0.6;
const LOOK_MILLISECONDS = 200;

/** A chord: its root, and its notes as semitones above it. */
interface Chord {
  root: number;
  above: readonly number[];
}

const MINOR_9 = [3, 7, 10, 14];
const MAJOR_9 = [4, 7, 11, 14];
const DOMINANT_13 = [4, 10, 14, 21];

/** Semitones from C; each turn comes home to C, or leads on to the next. */
const TURNS: readonly (readonly Chord[])[] = [
  [chord(2, MINOR_9), chord(7, DOMINANT_13), chord(0, MAJOR_9), chord(9, MINOR_9)],
  [chord(5, MAJOR_9), chord(7, DOMINANT_13), chord(4, MINOR_9), chord(9, MINOR_9)],
  [chord(2, MINOR_9), chord(7, DOMINANT_13), chord(4, MINOR_9), chord(9, DOMINANT_13)],
  [chord(0, MAJOR_9), chord(9, MINOR_9), chord(5, MAJOR_9), chord(7, DOMINANT_13)],
];

function chord(root: number, above: readonly number[]): Chord {
  return { root, above };
}

export interface Note {
  /** Seconds from the beginning of its bar. */
  at: number;
  /** Semitones above the C below middle C. */
  pitch: number;
  seconds: number;
  peak: number;
}

/** The notes of bar `number`; `chance` gives numbers from 0 up to 1. */
export function bar(number: number, chance: () => number): Note[] {
  const turn = TURNS[Math.floor(number / 4) % TURNS.length] ?? [];
  const { root, above } = turn[number % 4] ?? chord(0, MAJOR_9);
  const beat = BAR_SECONDS / 4;
  const bass: Note[] = [
    { at: 0, pitch: root - 12, seconds: 1.7, peak: 0.09 },
    { at: 2 * beat, pitch: root - 12 + (above[1] ?? 7), seconds: 1.4, peak: 0.06 },
  ];
  const late = chance() < 0.5 ? 0 : beat / 3;
  const keys = above.map((step, index) => ({
    at: late + index * 0.035,
    pitch: root + step,
    seconds: 2.6 + chance(),
    peak: 0.032,
  }));
  const sings = chance() < 0.55;
  const melody = sings
    ? [1, 2, 3].flatMap((on) =>
        chance() < 0.6
          ? [
              {
                at: on * beat + (chance() < 0.4 ? beat / 2 : 0),
                pitch: root + 12 + (above[Math.floor(chance() * above.length)] ?? 4),
                seconds: 1.3,
                peak: 0.026,
              },
            ]
          : [],
      )
    : [];
  return [...bass, ...keys, ...melody];
}

export function hertzOf(pitch: number): number {
  return 130.8128 * 2 ** (pitch / 12);
}

/** Put one bar into `out`, from `at` on. */
export function playBar(
  context: BaseAudioContext,
  out: AudioNode,
  at: number,
  notes: readonly Note[],
): void {
  for (const { at: later, pitch, seconds, peak } of notes) {
    const start = at + later;
    const hertz = hertzOf(pitch);
    tone(context, out, { at: start, hertz, peak, seconds });
    // The tine of an electric piano, which fades sooner.
    tone(context, out, { at: start, hertz: hertz * 2.001, peak: peak * 0.3, seconds: seconds / 3 });
  }
  for (const beat of [1, 3]) brush(context, out, at + (beat * BAR_SECONDS) / 4);
}

function brush(context: BaseAudioContext, out: AudioNode, at: number): void {
  const gain = silent(context);
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(0.012, at + 0.03);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.2);
  noise(context, at, 0.22)
    .connect(filter(context, "bandpass", 5200, 0.6))
    .connect(gain)
    .connect(out);
}

/** Plays bars one after another until it is stopped. */
export class Music {
  #timer: ReturnType<typeof setInterval> | null = null;
  #next = 0;
  #bar = 0;

  constructor(
    private readonly context: BaseAudioContext,
    private readonly out: AudioNode,
    private readonly chance: () => number = Math.random,
  ) {}

  get isPlaying(): boolean {
    return this.#timer !== null;
  }

  start(): void {
    if (this.#timer !== null) return;
    this.#next = this.context.currentTime + 0.1;
    this.#timer = setInterval(() => this.#look(), LOOK_MILLISECONDS);
    this.#look();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** The browser's timers are not to be played by: whole bars are laid out ahead of time. */
  #look(): void {
    const now = this.context.currentTime;
    // A page that slept has missed bars; it does not make up for them.
    if (this.#next < now) this.#next = now + 0.1;
    while (this.#next < now + AHEAD_SECONDS) {
      playBar(this.context, this.out, this.#next, bar(this.#bar, this.chance));
      this.#bar += 1;
      this.#next += BAR_SECONDS;
    }
  }
}
