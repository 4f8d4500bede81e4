/** How long things take, as at the hands of a good dealer. */
import type { Event } from "../wire";
import type { Pace, Speed } from "./player";

/** From the shoe, or the tray, to its place. */
export const FLIGHT_MILLISECONDS = 260;

/** How long each event is looked at before the next. No card leaves before the last one lies. */
const MILLISECONDS: Partial<Record<Event["type"], number>> = {
  card: 300,
  choice: 120,
  stake: 280,
  peek: 600,
  reveal: 560,
  award: 900,
};
const RESULT_MILLISECONDS = 320;

/**
 * Cards go by the deal speed (T-51), results by speed pay: on, what is paid together is shown in one
 * step; off, one after another as the house pays, from the rightmost spot (T-52).
 */
export function paceOf(speed: Speed, speedPay: boolean): Pace {
  return (event, next) => {
    if (event.type === "pay") {
      return speedPay && (speed === "instant" || next?.type === "pay") ? 0 : RESULT_MILLISECONDS;
    }
    return speed === "instant" ? 0 : (MILLISECONDS[event.type] ?? 0);
  };
}
