/** The sounding part of it all, fetched when something is first to be heard. */
import { CHANNELS, type Channel } from "./channels.svelte";
import { EFFECTS, type Effect, type Sounding } from "./effects";
import { Music } from "./music";
import { Speaker } from "./speaker";

export interface Desk {
  context: AudioContext;
  gains: Record<Channel, GainNode>;
  music: Music;
  speaker: Speaker;
  effects: Readonly<Record<Effect, Sounding>>;
}

export function opened(): Desk {
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
  const speaker = new Speaker(context, gains.voice);
  return { context, gains, music, speaker, effects: EFFECTS };
}
