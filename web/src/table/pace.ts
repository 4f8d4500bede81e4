/** How long things take at normal speed, as at the hands of a good dealer. */
import type { Event } from "../wire";

/** From the shoe, or the tray, to its place. */
export const FLIGHT_MILLISECONDS = 260;

/** How long each event is looked at before the next. No card leaves before the last one lies. */
export const MILLISECONDS: Partial<Record<Event["type"], number>> = {
  card: 300,
  choice: 120,
  stake: 280,
  peek: 600,
  reveal: 560,
  pay: 320,
  award: 900,
};
