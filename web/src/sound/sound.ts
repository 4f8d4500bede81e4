/** What is heard: one audio context, a gain for each channel, and nothing before a gesture. */
import type { Channel, Channels } from "./channels.svelte";
import { CHANNELS } from "./channels.svelte";
import { EFFECTS, type Effect } from "./effects";
import type { Line } from "./lines";
import { Music } from "./music";
import type { Ears } from "./narrator";
import { Speaker } from "./speaker";

/** A gesture, by which a browser lets a page sound. */
const GESTURES = ["pointerup", "keydown", "click"] as const;
/** The same sound within this time is heard once: at instant speed all cards come together. */
const APART_SECONDS = 0.05;
/** Volumes are set on a curve: the ear hears doublings, not differences. */
const CURVE = 2;

interface Desk {
  context: AudioContext;
  gains: Record<Channel, GainNode>;
  music: Music;
  speaker: Speaker;
}

export class Sound implements Ears {
  #desk: Desk | null = null;
  #gestured = false;
  #played = new Map<Effect, number>();

  constructor(private readonly channels: Channels) {
    channels.onchange = () => this.#tune();
  }

  /** From now on a gesture brings the sound; a hidden page is silent. */
  listen(page: Window): void {
    const gesture = (): void => {
      this.#gestured = true;
      this.#tune();
    };
    for (const name of GESTURES) page.addEventListener(name, gesture, { capture: true });
    page.document.addEventListener("visibilitychange", () => this.#tune());
  }

  play(effect: Effect): void {
    const desk = this.#desk;
    if (!desk || desk.context.state !== "running" || this.channels.loudness("effects") === 0)
      return;
    const at = desk.context.currentTime;
    if (at - (this.#played.get(effect) ?? -1) < APART_SECONDS) return;
    this.#played.set(effect, at);
    EFFECTS[effect](desk.context, desk.gains.effects, at + 0.005);
  }

  say(line: Line): void {
    if (this.channels.loudness("voice") > 0) this.#desk?.speaker.say(line);
  }

  hush(): void {
    this.#desk?.speaker.hush();
  }

  /** Make what is heard what is set. */
  #tune(): void {
    const isHeard = CHANNELS.some((channel) => this.channels.loudness(channel) > 0);
    if (!this.#gestured || (!isHeard && !this.#desk)) return;
    const desk = (this.#desk ??= opened());
    const { context, gains, music, speaker } = desk;
    for (const channel of CHANNELS) {
      const gain = this.channels.loudness(channel) ** CURVE;
      gains[channel].gain.setTargetAtTime(gain, context.currentTime, 0.02);
    }
    if (document.hidden || !isHeard) void context.suspend();
    else if (context.state !== "running") void context.resume();
    if (this.channels.loudness("music") > 0 && !document.hidden) music.start();
    else music.stop();
    if (this.channels.loudness("voice") > 0) void speaker.load();
    else speaker.hush();
  }
}

function opened(): Desk {
  const context = new AudioContext({ latencyHint: "interactive" });
  // Whatever comes together, nothing is ever cut off.
  const limiter = context.createDynamicsCompressor();
  limiter.threshold.value = -8;
  limiter.ratio.value = 12;
  limiter.connect(context.destination);
  const gains = {} as Record<Channel, GainNode>;
  for (const channel of CHANNELS) {
    gains[channel] = context.createGain();
    gains[channel].gain.value = 0;
    gains[channel].connect(limiter);
  }
  const music = new Music(context, gains.music);
  return { context, gains, music, speaker: new Speaker(context, gains.voice) };
}
