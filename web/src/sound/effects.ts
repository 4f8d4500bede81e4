/**
 * The sounds of a table, made of noise and sine waves: no recordings. Each function puts one sound
 * into `out`, beginning at `at` seconds of the context's clock, and gives the seconds it lasts. It
 * works in an OfflineAudioContext too, where a test measures how loud and how long it is.
 */

export type Effect = "card" | "flip" | "chip" | "turn" | "win" | "push";

export type Sounding = (context: BaseAudioContext, out: AudioNode, at: number) => number;

/** A card flies this long from the shoe to its place, as `table/pace.ts` has it, and is heard to land. */
const FLIGHT_SECONDS = 0.26;

export const EFFECTS: Record<Effect, Sounding> = {
  /** Slides out of the shoe, and snaps down. */
  card(context, out, at) {
    const swish = noise(context, at, FLIGHT_SECONDS);
    const sweep = filter(context, "bandpass", 1500, 0.9);
    sweep.frequency.setValueAtTime(1500, at);
    sweep.frequency.exponentialRampToValueAtTime(4200, at + FLIGHT_SECONDS);
    swish
      .connect(sweep)
      .connect(swell(context, at, 0.1, FLIGHT_SECONDS))
      .connect(out);
    snap(context, out, at + FLIGHT_SECONDS, 0.3);
    return FLIGHT_SECONDS + 0.12;
  },
  /** A card is turned over: lifted, and laid down flat. */
  flip(context, out, at) {
    snap(context, out, at, 0.12);
    const turn = noise(context, at, 0.16);
    const soft = filter(context, "bandpass", 2600, 0.7);
    turn
      .connect(soft)
      .connect(swell(context, at + 0.02, 0.07, 0.14))
      .connect(out);
    snap(context, out, at + 0.18, 0.26);
    return 0.3;
  },
  /** Clay on clay: a few partials that are no harmonics, twice, a moment apart. */
  chip(context, out, at) {
    clink(context, out, at, 2350, 0.1);
    clink(context, out, at + 0.042, 2610, 0.07);
    return 0.16;
  },
  /** It is your turn: a knuckle on wood. */
  turn(context, out, at) {
    tone(context, out, { at, hertz: 392, peak: 0.09, seconds: 0.16 });
    tone(context, out, { at, hertz: 588, peak: 0.035, seconds: 0.1 });
    return 0.2;
  },
  /** A warm chord, its notes one after another, from below. */
  win(context, out, at) {
    const warm = filter(context, "lowpass", 2100, 0.4);
    warm.connect(out);
    const notes = [261.63, 329.63, 392, 493.88, 587.33];
    notes.forEach((hertz, step) => {
      const start = at + step * 0.07;
      tone(context, warm, { at: start, hertz, peak: 0.075, seconds: 1.1 });
      tone(context, warm, { at: start, hertz: hertz * 2, peak: 0.018, seconds: 0.5 });
    });
    return 1.5;
  },
  /** Neither won nor lost: an open fifth, and gone. */
  push(context, out, at) {
    tone(context, out, { at, hertz: 293.66, peak: 0.08, seconds: 0.32 });
    tone(context, out, { at: at + 0.09, hertz: 440, peak: 0.06, seconds: 0.36 });
    return 0.5;
  },
};

// What they are made of

interface Tone {
  at: number;
  hertz: number;
  peak: number;
  /** Until it is a thousandth of its peak. */
  seconds: number;
}

/** A struck sine wave. */
export function tone(context: BaseAudioContext, out: AudioNode, it: Tone): void {
  const wave = context.createOscillator();
  wave.frequency.value = it.hertz;
  const gain = silent(context);
  gain.gain.setValueAtTime(0, it.at);
  gain.gain.linearRampToValueAtTime(it.peak, it.at + 0.008);
  gain.gain.exponentialRampToValueAtTime(it.peak / 1000, it.at + it.seconds);
  wave.connect(gain).connect(out);
  wave.start(it.at);
  wave.stop(it.at + it.seconds + 0.02);
}

function clink(
  context: BaseAudioContext,
  out: AudioNode,
  at: number,
  base: number,
  peak: number,
): void {
  const partials: [number, number, number][] = [
    [1, 1, 0.075],
    [1.47, 0.6, 0.055],
    [2.09, 0.45, 0.04],
    [2.56, 0.3, 0.03],
  ];
  for (const [ratio, share, seconds] of partials) {
    tone(context, out, { at, hertz: base * ratio, peak: peak * share, seconds });
  }
}

/** Pasteboard meets felt: a click of high noise, and a little of the table below it. */
function snap(context: BaseAudioContext, out: AudioNode, at: number, peak: number): void {
  const click = noise(context, at, 0.06);
  const gain = silent(context);
  gain.gain.setValueAtTime(peak, at);
  gain.gain.exponentialRampToValueAtTime(peak / 1000, at + 0.055);
  click
    .connect(filter(context, "highpass", 1900, 0.5))
    .connect(gain)
    .connect(out);
  tone(context, out, { at, hertz: 150, peak: peak * 0.3, seconds: 0.07 });
}

const noises = new WeakMap<BaseAudioContext, AudioBuffer>();

/** White noise that is the same each time: half a second of it, made once for a context. */
export function noise(
  context: BaseAudioContext,
  at: number,
  seconds: number,
): AudioBufferSourceNode {
  let buffer = noises.get(context);
  if (!buffer) {
    buffer = context.createBuffer(1, Math.ceil(context.sampleRate / 2), context.sampleRate);
    const samples = buffer.getChannelData(0);
    let state = 1;
    for (let at = 0; at < samples.length; at += 1) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      samples[at] = state / 2 ** 31;
    }
    noises.set(context, buffer);
  }
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.start(at);
  source.stop(at + seconds);
  return source;
}

export function filter(
  context: BaseAudioContext,
  type: BiquadFilterType,
  hertz: number,
  quality: number,
): BiquadFilterNode {
  const node = context.createBiquadFilter();
  node.type = type;
  node.frequency.value = hertz;
  node.Q.value = quality;
  return node;
}

/** A gain that lets nothing through until it is told to. */
export function silent(context: BaseAudioContext): GainNode {
  const gain = context.createGain();
  gain.gain.value = 0;
  return gain;
}

/** Comes and goes. */
function swell(context: BaseAudioContext, at: number, peak: number, seconds: number): GainNode {
  const gain = silent(context);
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(peak, at + seconds * 0.6);
  gain.gain.linearRampToValueAtTime(0, at + seconds);
  return gain;
}
