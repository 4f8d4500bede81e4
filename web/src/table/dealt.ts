/** How a card comes to its place: from the shoe, once. */
import type { TransitionConfig } from "svelte/transition";

const MILLISECONDS = 260;
const landed = new Set<number | string>();

export interface Way {
  /** Cards of one round and hand never share it with others. */
  id: string;
  still: boolean;
}

/** A Svelte transition: the card slides from the shoe; one that lay before is simply there. */
export function dealt(node: Element, { id, still }: Way): TransitionConfig {
  if (landed.has(id) || still) {
    landed.add(id);
    return { duration: 0 };
  }
  landed.add(id);
  const shoe = document.querySelector("[data-shoe]")?.getBoundingClientRect();
  const place = node.getBoundingClientRect();
  const from = shoe && shoe.width > 0 ? shoe : new DOMRect(innerWidth - 80, 0, 40, 40);
  const x = from.x + from.width / 2 - (place.x + place.width / 2);
  const y = from.y + from.height / 2 - (place.y + place.height / 2);
  return {
    duration: MILLISECONDS,
    easing: (t) => 1 - (1 - t) ** 3,
    css: (t, u) =>
      `transform: translate(${x * u}px, ${y * u}px) rotate(${28 * u}deg); opacity: ${Math.min(1, 0.35 + t)}`,
  };
}
