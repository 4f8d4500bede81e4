/** The betting buttons as they are drawn: in which order, with what on them. */
import type { IconName } from "../parts/Icon.svelte";
import type { BetAction } from "./laying.svelte";

export interface BetTool {
  action: BetAction;
  label: string;
  /** The rest of its name. */
  rest?: string;
  icon: IconName;
  words: string;
  /** Not in the row of a small screen, but a tap away. */
  rare?: boolean;
}

export const BET_TOOLS: readonly BetTool[] = [
  {
    action: "undo",
    label: "Undo",
    icon: "undo",
    words: "Takes the latest chip off the selected place",
  },
  {
    action: "cancel",
    label: "Cancel bet",
    icon: "cancel",
    words: "Clears the selected place alone",
    rare: true,
  },
  { action: "clear", label: "Clear all", icon: "clear", words: "Takes every chip off the table" },
  {
    action: "min",
    label: "Min all",
    rest: "bets",
    icon: "min",
    words: "The smallest bet on every place, or on those of the last round",
    rare: true,
  },
  {
    action: "max",
    label: "Max all",
    rest: "bets",
    icon: "max",
    words: "The largest bet on every place, or on those of the last round",
    rare: true,
  },
  {
    action: "place",
    label: "Place",
    icon: "place",
    words: "The selected chip on every side bet",
  },
  { action: "rebet", label: "Rebet", icon: "rebet", words: "The bets of the last round again" },
];
