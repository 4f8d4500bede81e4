/** What happened at the table, a sentence an event. */
import { amount } from "../money";
import { spoken } from "../parts/Card.svelte";
import { rowTitle } from "../table/rows";
import type { Answer, ChoiceName, Event, GameDocument } from "../wire";

const CHOSEN: Record<ChoiceName, string> = {
  hit: "hits",
  stand: "stands",
  double: "doubles",
  split: "splits",
  surrender: "surrenders",
  rescue: "is rescued",
  insurance: "takes insurance",
  no_insurance: "takes no insurance",
  even_money: "takes even money",
  no_even_money: "takes no even money",
  raise: "raises",
  fold: "folds",
};

/** What is said of a round that is void: that nothing of it counts, why, and who decided it. */
export function whyVoid({ void: voided }: Pick<Answer, "void">): string {
  const why = voided ? ` (${voided.operator}: ${voided.reason})` : "";
  return `void: all its bets and wins are undone${why}`;
}

/** A sentence of an event, or null for what needs none. `split` tells spots with several hands. */
export function sentence(
  event: Event,
  game: GameDocument,
  split: ReadonlySet<number> = new Set(),
): string | null {
  const spot = (number: number): string => (game.spots_max > 1 ? `Spot ${number}` : "You");
  const hand = (number: number, index: number | undefined): string =>
    split.has(number) && index !== undefined ? `${spot(number)}, hand ${index + 1}` : spot(number);
  const one = game.spots_max === 1;
  switch (event.type) {
    case "bet":
      return `${spot(event.spot)}: ${betTitle(game, event.bet)} ${amount(event.cents)}.`;
    case "card":
      if (event.to === "dealer") {
        return event.card === null
          ? "The dealer takes a card face down."
          : `The dealer shows the ${spoken(event.card)}: ${points(event.total, event.soft)}.`;
      }
      return `${hand(event.spot ?? 1, event.hand)}: the ${spoken(event.card ?? "??")}, ${points(event.total, event.soft)}.`;
    case "offer":
      return null;
    case "choice": {
      const who = hand(event.spot, event.hand);
      // Only `You` alone is spoken to: `You, hand 2` reads as a name, so it goes without.
      if (who === "You") return `You ${asYou(CHOSEN[event.choice])}.`;
      return `${one ? `Hand ${event.hand + 1}` : who} ${CHOSEN[event.choice]}.`;
    }
    case "stake":
      return `${hand(event.spot, event.hand)}: ${amount(event.cents)} more on ${inSentence(betTitle(game, event.bet))}.`;
    case "peek":
      return event.natural
        ? "The dealer looks, and has blackjack."
        : "The dealer looks, and has no blackjack.";
    case "reveal":
      return `The dealer turns up the ${spoken(event.card)}: ${points(event.total, event.soft)}.`;
    case "award":
      return `${spot(event.spot)} ${one ? "meet" : "meets"} the progressive at ${amount(event.meter)}.`;
    case "pay":
      return `${hand(event.spot, event.hand)}: ${betTitle(game, event.bet)}, ${inSentence(rowTitle(game, event.bet, event.row))}: ${event.paid > 0 ? `${amount(event.paid)} back` : "nothing back"}.`;
    case "settled":
      return `Staked ${amount(event.staked)}, returned ${amount(event.paid)}.`;
  }
}

/** `Suited pair` → `suited pair`; `A-A-T` and `21+3 Classic` are names and stay. */
function inSentence(title: string): string {
  return /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}

/** `takes insurance` → `take insurance`: the first word as it goes with `You`. */
function asYou(words: string): string {
  return words.replace(/^is\b/, "are").replace(/^(\w+?)s\b/, "$1");
}

/** The spots that were split among these events. */
export function splitSpots(events: readonly Event[]): Set<number> {
  return new Set(
    events.flatMap((event) =>
      event.type === "choice" && event.choice === "split" ? [event.spot] : [],
    ),
  );
}

export function betTitle(game: GameDocument, bet: string): string {
  if (bet === game.main.key) return game.main.title;
  const known = [...game.side_bets, ...game.later_bets].find((each) => each.key === bet);
  return known?.title ?? bet;
}

function points(total: number | undefined, soft: boolean | undefined): string {
  return total === undefined ? "" : `${soft ? "soft " : ""}${total}`;
}
