/** What is heard: one audio context, a gain for each channel, and nothing before a gesture. */
import type { Channels } from "./channels.svelte";
import { CHANNELS } from "./channels.svelte";
import type { Desk } from "./desk";
import type { Effect } from "./effects";
import type { Line } from "./lines";
import type { Ears } from "./narrator";

/** A gesture, by which a browser lets a page sound. */
const GESTURES = ["pointerup", "keydown", "click"] as const;
/** The same sound within this time is heard once: at instant speed all cards come together. */
const APART_SECONDS = 0.05;
/** Volumes are set on a curve: the ear hears doublings, not differences. */
const CURVE = 2;

export class Sound implements Ears {
  #desk: Desk | null = null;
  #opening: Promise<void> | null = null;
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
    desk.effects[effect](desk.context, desk.gains.effects, at + 0.005);
  }

  say(line: Line): void {
    if (this.channels.loudness("voice") > 0) this.#desk?.speaker.say(line);
  }

  hush(): void {
    this.#desk?.speaker.hush();
  }

  /** Fetch what sounds, once; where it does not come the next gesture asks again. */
  #open(): Promise<void> {
    this.#opening ??= import("./desk")
      .then(({ opened }) => {
        this.#desk = opened();
        this.#tune();
      })
      .catch(() => {
        this.#opening = null;
      });
    return this.#opening;
  }

  /** Make what is heard what is set. */
  #tune(): void {
    const isHeard = CHANNELS.some((channel) => this.channels.loudness(channel) > 0);
    const desk = this.#desk;
    if (!desk) {
      if (this.#gestured && isHeard) void this.#open();
      return;
    }
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
