/** What is asked before something is done, for those who want to be asked. */
import { amount } from "../money";
import type { PlaySettings, Switch } from "../play-settings.svelte";
import type { Choice, ChoiceName } from "../wire";
import { CHOICE_WORDS } from "./words";

type Asked = Pick<PlaySettings, "is" | "confirmAbove">;

const WARNED: Partial<Record<ChoiceName, Switch>> = {
  hit: "warnHit",
  stand: "warnStand",
  double: "warnDouble",
};

/** The sentence to ask before a choice, or null. Whether it is unwise, the house says (T-53). */
export function beforeChoice(choice: Choice, play: Asked): string | null {
  const warned = WARNED[choice.choice];
  if (choice.warning !== null && warned && play.is(warned)) return choice.warning;
  const gives = choice.choice === "surrender" || choice.choice === "rescue";
  if (gives && play.is("confirmSurrender")) {
    return `${CHOICE_WORDS[choice.choice]}: give this hand up?`;
  }
  return beforeStake(CHOICE_WORDS[choice.choice], choice.cost, play);
}

export function beforeStake(what: string, cents: number, play: Asked): string | null {
  const { confirmAbove } = play;
  return confirmAbove !== null && cents > confirmAbove ? `${what} for ${amount(cents)}?` : null;
}

export function beforeMax(cents: number, play: Asked): string | null {
  return play.is("confirmMax") ? `Lay the maximum everywhere, ${amount(cents)}?` : null;
}
