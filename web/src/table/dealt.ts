/** How a card comes to its place: out of the shoe, face down, and turned over as it lands. */
import type { Attachment } from "svelte/attachments";
import { FLIGHT_MILLISECONDS } from "./pace";
import { airborne, wayFrom } from "./flights";

/** The cards of the round on the table that have come; a split moves them without a flight. */
let lying = { round: "", ids: new Set<number>() };

export function dealt(round: string, id: number, still: boolean): Attachment {
  return (node) => {
    if (lying.round !== round) lying = { round, ids: new Set() };
    const isNew = !lying.ids.has(id);
    lying.ids.add(id);
    if (!isNew || still) return;
    const shoe = document.querySelector("[data-shoe]");
    airborne(
      node.animate(
        { transform: [`${wayFrom(shoe, node)} rotate(24deg)`, "none"] },
        { duration: FLIGHT_MILLISECONDS, easing: "cubic-bezier(0.2, 0.7, 0.3, 1)" },
      ),
    );
    node
      .querySelector("[data-turner]")
      ?.animate(
        { transform: ["rotateY(180deg)", "rotateY(180deg)", "none"], offset: [0, 0.4, 1] },
        { duration: FLIGHT_MILLISECONDS },
      );
  };
}
