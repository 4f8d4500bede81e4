/** What flies over the table: from where, to where, and how it is there at once. */
import type { Attachment } from "svelte/attachments";
import { painted } from "../painted";
import { FLIGHT_MILLISECONDS } from "./pace";

const aloft = new Set<Animation>();
/** Flights that begin with the next frame. */
const due = new Set<() => void>();

export interface Motion {
  /** Call `done` after this time, once what is in the air lies; the returned function calls it off. */
  wait(milliseconds: number, done: () => void): () => void;
  /** All that moves on the page is where it goes. */
  land(): void;
  /** Resolves once what has changed is to be seen. */
  drawn(): Promise<void>;
}

export const MOTION: Motion = {
  wait(milliseconds, done) {
    const ends = (): void => {
      if (aloft.size === 0 || document.hidden) done();
      else void landing().then(then);
    };
    // A flight ends within the making of a frame, which is not to be held up by what follows.
    const then = (): void => {
      if (!calledOff) timer = setTimeout(done);
    };
    let calledOff = false;
    let timer = setTimeout(ends, milliseconds);
    return () => {
      calledOff = true;
      clearTimeout(timer);
    };
  },
  land() {
    for (const begin of due) begin();
    for (const animation of document.getAnimations()) {
      const { endTime } = animation.effect?.getComputedTiming() ?? {};
      if (endTime !== Infinity) animation.finish();
    }
  },
  drawn: painted,
};

/** Until all lies that flies - or nobody looks: a hidden page's animations may not end. */
function landing(): Promise<unknown> {
  const hidden = new Promise((done) =>
    document.addEventListener("visibilitychange", done, { once: true }),
  );
  return Promise.race([
    hidden,
    Promise.allSettled([...aloft].map((animation) => animation.finished)),
  ]);
}

/** A flight that is waited for. */
export function airborne(animation: Animation): Animation {
  aloft.add(animation);
  const lands = (): void => void aloft.delete(animation);
  animation.finished.then(lands, lands);
  return animation;
}

/** The translation that puts `node` over the middle of `from`. */
export function wayFrom(from: Element | null, node: Element): string {
  const start = from?.getBoundingClientRect();
  const end = node.getBoundingClientRect();
  // What is not drawn at this size lies beyond the upper right corner.
  const seen = start && start.width > 0 ? start : new DOMRect(innerWidth - 80, 0, 40, 40);
  const x = seen.x + seen.width / 2 - (end.x + end.width / 2);
  const y = seen.y + seen.height / 2 - (end.y + end.height / 2);
  return `translate(${x}px, ${y}px)`;
}

/** Chips that come from a place, or go there, and then are part of a stack or gone. */
export interface Flight {
  id: number;
  cents: number;
  /** A selector of the other end. */
  place: string;
  comes: boolean;
}

/** Do it in the next frame, or at once where there may be none; it can be called off. */
function inFrame(act: () => void): () => void {
  const begin = (): void => {
    end();
    act();
  };
  const end = (): void => {
    due.delete(begin);
    cancelAnimationFrame(frame);
  };
  const frame = requestAnimationFrame(begin);
  due.add(begin);
  if (document.hidden) begin();
  return end;
}

/** Where it flies from is measured in the frame, which lays out the page anyway, not before it. */
export function flown(flight: Flight, done: () => void): Attachment {
  return (node) => {
    let animation: Animation | null = null;
    const callOff = inFrame(() => {
      animation = flying(flight, node);
      animation.onfinish = done;
    });
    return () => {
      callOff();
      animation?.cancel();
    };
  };
}

function flying(flight: Flight, node: Element): Animation {
  const away = wayFrom(document.querySelector(flight.place), node);
  const way = flight.comes ? [away, "none"] : ["none", away];
  return node.animate(
    { transform: way, opacity: flight.comes ? [0.6, 1, 1] : [1, 1, 0] },
    { duration: FLIGHT_MILLISECONDS, easing: "cubic-bezier(0.3, 0.6, 0.3, 1)", fill: "both" },
  );
}
