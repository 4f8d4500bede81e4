/** What flies over the table: where it comes from, and how it is there at once. */

/** All that moves on the page is where it goes. */
export function land(): void {
  for (const animation of document.getAnimations()) {
    const { endTime } = animation.effect?.getComputedTiming() ?? {};
    if (endTime !== Infinity) animation.finish();
  }
}
