/**
 * The picture of a round, event by event, as values. It is drawn from what the house says alone:
 * totals come with the cards, states with the house's own view of the table.
 */
import type { Event, EventOf, HandState, Table } from "../wire";

export const FACE_DOWN = "??";

/** A card keeps its id for as long as it lies, wherever it is moved. */
export interface DealtCard {
  id: number;
  card: string;
}

/** How a bet ended: its row of the pay table, what was staked, and all that came back. */
export interface Told {
  row: string;
  stake: number;
  paid: number;
}

export interface HandPicture {
  id: string;
  cards: readonly DealtCard[];
  /** Null before the first card. */
  total: number | null;
  soft: boolean;
  /** The main money on this hand. */
  stake: number;
  state: HandState;
  told: Told | null;
}

export interface SpotPicture {
  spot: number;
  /** All bets of the spot but the main one's later parts, in cents. */
  bets: Readonly<Record<string, number>>;
  hands: readonly HandPicture[];
  /** How the bets of the whole spot ended. */
  told: Readonly<Record<string, Told>>;
}

export interface DealerPicture {
  cards: readonly DealtCard[];
  total: number | null;
  soft: boolean;
}

export interface Felt {
  main: string;
  dealer: DealerPicture;
  spots: ReadonlyMap<number, SpotPicture>;
  /** Everything staked, and everything paid on bets that won (G-11). */
  staked: number;
  won: number;
}

export function emptyFelt(main: string): Felt {
  return {
    main,
    dealer: { cards: [], total: null, soft: false },
    spots: new Map(),
    staked: 0,
    won: 0,
  };
}

/** The felt after an event. `table` is how the house sees it at the end of this step. */
export function after(felt: Felt, event: Event, table: Table): Felt {
  return landed(begun(felt, event, table), event);
}

/** The felt while an event happens: a card is on its way, and not counted yet. */
export function begun(felt: Felt, event: Event, table: Table): Felt {
  switch (event.type) {
    case "bet":
      return {
        ...onSpot(felt, event.spot, (it) => withBet(it, felt.main, event)),
        staked: felt.staked + event.cents,
      };
    case "card":
      return event.to === "dealer" ? dealerCard(felt, event) : spotCard(felt, event);
    case "reveal":
      return revealed(felt, event);
    case "choice":
      return chosen(felt, event);
    case "stake":
      return {
        ...onSpot(felt, event.spot, (it) => withStake(it, felt.main, event)),
        staked: felt.staked + event.cents,
      };
    case "pay":
      return paid(felt, event, table);
    case "offer":
    case "peek":
    case "award":
    case "settled":
      return felt;
  }
}

/** The felt when what was on its way has come to rest: now its hand is counted. */
export function landed(felt: Felt, event: Event): Felt {
  if (event.type === "reveal") {
    return { ...felt, dealer: { ...felt.dealer, total: event.total, soft: event.soft } };
  }
  if (event.type !== "card" || event.total === undefined) return felt;
  const { total, soft = false } = event;
  if (event.to === "dealer") return { ...felt, dealer: { ...felt.dealer, total, soft } };
  return onSpot(felt, event.spot ?? 1, (spot) =>
    onHand(spot, event.hand ?? 0, (hand) => ({ ...hand, total, soft })),
  );
}

/** A whole round at once, as it stands. */
export function feltOf(main: string, events: readonly Event[], table: Table): Felt {
  const felt = events.reduce((before, event) => after(before, event, table), emptyFelt(main));
  return agreed(felt, table);
}

/** The felt with totals and states as the house sees them; its cards are the house's in any case. */
export function agreed(felt: Felt, table: Table): Felt {
  const spots = new Map(felt.spots);
  for (const seen of table.spots) {
    const spot = spots.get(seen.spot);
    if (!spot) continue;
    const hands = seen.hands.map((hand, index) => {
      const drawn = spot.hands[index] ?? newHand(seen.spot, `late${index}`, hand.stake);
      const { total, soft, state } = hand;
      return { ...drawn, cards: sameCards(drawn.cards, hand.cards), total, soft, state };
    });
    spots.set(seen.spot, { ...spot, hands });
  }
  const { total, soft } = table.dealer;
  const cards = sameCards(felt.dealer.cards, table.dealer.cards);
  return { ...felt, spots, dealer: { cards, total: cards.length ? total : null, soft } };
}

function sameCards(drawn: readonly DealtCard[], seen: readonly string[]): readonly DealtCard[] {
  const same = drawn.length === seen.length && drawn.every(({ card }, at) => card === seen[at]);
  return same ? drawn : seen.map((card, at) => ({ id: drawn[at]?.id ?? -1 - at, card }));
}

function newHand(spot: number, id: string, stake: number): HandPicture {
  return {
    id: `${spot}/${id}`,
    cards: [],
    total: null,
    soft: false,
    stake,
    state: "live",
    told: null,
  };
}

function onSpot(felt: Felt, number: number, change: (spot: SpotPicture) => SpotPicture): Felt {
  const spot = felt.spots.get(number) ?? {
    spot: number,
    bets: {},
    hands: [newHand(number, "0", 0)],
    told: {},
  };
  return { ...felt, spots: new Map(felt.spots).set(number, change(spot)) };
}

function onHand(
  spot: SpotPicture,
  index: number,
  change: (hand: HandPicture) => HandPicture,
): SpotPicture {
  return { ...spot, hands: spot.hands.map((hand, at) => (at === index ? change(hand) : hand)) };
}

function withBet(spot: SpotPicture, main: string, event: EventOf<"bet">): SpotPicture {
  const bets = { ...spot.bets, [event.bet]: event.cents };
  const laid = { ...spot, bets };
  return event.bet === main ? onHand(laid, 0, (hand) => ({ ...hand, stake: event.cents })) : laid;
}

function withStake(spot: SpotPicture, main: string, event: EventOf<"stake">): SpotPicture {
  if (event.bet === main) {
    return onHand(spot, event.hand, (hand) => ({ ...hand, stake: hand.stake + event.cents }));
  }
  const cents = (spot.bets[event.bet] ?? 0) + event.cents;
  return { ...spot, bets: { ...spot.bets, [event.bet]: cents } };
}

function spotCard(felt: Felt, event: EventOf<"card">): Felt {
  const card = { id: event.n, card: event.card ?? FACE_DOWN };
  return onSpot(felt, event.spot ?? 1, (spot) =>
    onHand(spot, event.hand ?? 0, (hand) => ({
      ...hand,
      cards: [...hand.cards, card],
    })),
  );
}

function dealerCard(felt: Felt, event: EventOf<"card">): Felt {
  const { dealer } = felt;
  return {
    ...felt,
    dealer: {
      ...dealer,
      cards: [...dealer.cards, { id: event.n, card: event.card ?? FACE_DOWN }],
    },
  };
}

function revealed(felt: Felt, event: EventOf<"reveal">): Felt {
  const down = felt.dealer.cards.findIndex(({ card }) => card === FACE_DOWN);
  const cards = felt.dealer.cards.map((it, at) => (at === down ? { ...it, card: event.card } : it));
  return { ...felt, dealer: { ...felt.dealer, cards } };
}

/** In a split the second card moves to a new hand, which lies left of its sister (G-06). */
function chosen(felt: Felt, event: EventOf<"choice">): Felt {
  if (event.choice !== "split") return felt;
  return onSpot(felt, event.spot, (spot) => {
    const hand = spot.hands[event.hand];
    const moved = hand?.cards[1];
    if (!hand || !moved) return spot;
    const right = { ...hand, cards: hand.cards.slice(0, 1), total: null, soft: false };
    const left = { ...newHand(spot.spot, String(event.n), 0), cards: [moved] };
    return { ...spot, hands: spot.hands.toSpliced(event.hand, 1, right, left) };
  });
}

function paid(felt: Felt, event: EventOf<"pay">, table: Table): Felt {
  const { row, stake, hand: index } = event;
  const told = { row, stake, paid: event.paid };
  const seen = table.spots.find((spot) => spot.spot === event.spot)?.hands;
  const settled = onSpot(felt, event.spot, (spot) => {
    if (index === undefined || event.bet !== felt.main) {
      return { ...spot, told: { ...spot.told, [event.bet]: told } };
    }
    return onHand(spot, index, (hand) => ({
      ...hand,
      told,
      state: seen?.[index]?.state ?? hand.state,
    }));
  });
  return { ...settled, won: felt.won + (event.paid > stake ? event.paid : 0) };
}
