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
 * At instant speed nothing is waited for (T-51). Else results go by speed pay: on, what is paid
 * together is shown in one step; off, one after another as the house pays, from the rightmost spot
 * (T-52).
 */
export function paceOf(speed: Speed, speedPay: boolean): Pace {
  return (event, next) => {
    if (speed === "instant") return 0;
    if (event.type !== "pay") return MILLISECONDS[event.type] ?? 0;
    return speedPay && next?.type === "pay" ? 0 : RESULT_MILLISECONDS;
  };
}
