/** One table: what lies on it, what may be done, what is being done. The only state of the page. */
import { HouseProblem, type House } from "../house/connection";
import type { Commits } from "../house/commits";
import { amount } from "../money";
import { recall, remember } from "../memory";
import type { Settings } from "../settings.svelte";
import type {
  Answer,
  Bet,
  Choice,
  ChoiceName,
  Event,
  GameDocument,
  GameLevel,
  Session,
  StreamEvents,
} from "../wire";
import {
  NO_BETS,
  amounts,
  centsOn,
  chips,
  closed,
  lay,
  layAll,
  layoutOf,
  placeOf,
  placeOnSides,
  problem,
  spotsOf,
  total,
  undo,
  type Amounts,
  type Bets,
  type Laid,
  type Layout,
  type Place,
} from "./bets";
import { after, agreed, emptyFelt, feltOf, type Felt } from "./felt";
import { Player, type Handlers } from "./player";
import { countsBothWays, isOver } from "./words";

/** Chips are laid; events are played; a hand is to choose; the round is over and still lies. */
export type Phase = "betting" | "moving" | "choosing" | "over";

export interface Surroundings {
  house: House;
  settings: Settings;
  commits: Commits;
  /** The system asks for little motion: cards then lie at once. */
  still: () => boolean;
}

const MILLISECONDS: Partial<Record<Event["type"], number>> = {
  card: 300,
  choice: 120,
  stake: 200,
  peek: 600,
  reveal: 560,
  pay: 320,
  award: 900,
};

export class TableState {
  readonly chips: readonly number[] = $derived.by(() => chips(this.layout));
  level: GameLevel = $state.raw() as GameLevel;
  decks = $state(0);
  /** The open side bets. */
  sides: readonly string[] = $state.raw([]);
  readonly layout: Layout = $derived.by(() => layoutOf(this.game, this.level, this.sides));

  phase: Phase = $state("betting");
  bets: Bets = $state.raw(NO_BETS);
  felt: Felt = $state.raw() as Felt;
  /** The last answer of the round on the table. */
  answer: Answer | null = $state.raw(null);
  chip = $state(0);
  /** The house's balance as far as it has been shown; chips on the felt are still in it. */
  #balance = $state(0);
  /** What the player is told, and a line below it. */
  said = $state("");
  detail = $state("");
  /** The last thing that could not be done. */
  refused: string | null = $state(null);

  /** Seconds until the house deals again, where it wants time between deals. */
  #waits = $state(0);
  #player: Player;
  #session: Session = $state.raw() as Session;
  /** The bets of the last deal, by level. */
  #last = $state.raw<Record<string, [Place, number][]>>({});

  constructor(
    readonly game: GameDocument,
    private readonly around: Surroundings,
    session: Session,
    level: string | null = null,
    decks: number | null = null,
  ) {
    this.#session = session;
    this.level = game.levels.find((each) => each.key === level) ?? firstOf(game.levels);
    this.decks =
      decks !== null && game.decks_offered.includes(decks) ? decks : firstOf(game.decks_offered);
    this.sides = this.#recalledSides();
    this.felt = emptyFelt(game.main.key);
    this.chip = this.#firstChip();
    this.#player = new Player(this.#handlers(), (event) => MILLISECONDS[event.type] ?? 0);
    this.#sitDown(session);
  }

  // What the page shows

  get balance(): number {
    return this.isBetting ? this.#balance - this.#laid : this.#balance;
  }

  get totalBet(): number {
    return this.phase === "betting" ? this.#laid : this.felt.staked;
  }

  get totalWin(): number {
    return this.phase === "betting" ? 0 : this.felt.won;
  }

  get isBetting(): boolean {
    return this.phase === "betting" || this.phase === "over";
  }

  get choices(): readonly Choice[] {
    return this.phase === "choosing" ? (this.answer?.choices ?? []) : [];
  }

  /** Spot and hand that are to choose, or null. */
  get acting(): { spot: number; hand: number } | null {
    const [choice] = this.choices;
    return choice ? { spot: choice.spot, hand: choice.hand } : null;
  }

  /** Which two - or however many - of more side bets are open may be chosen. */
  get choosesSides(): boolean {
    return this.game.side_bets.length > this.game.side_bets_open;
  }

  /** Why the level, decks and side bets cannot be changed now, or null. */
  get fixed(): string | null {
    return this.isBetting ? null : "The table can be changed when this round is over.";
  }

  /** Why other side bets cannot be chosen now, or null. */
  get sidesFixed(): string | null {
    if (this.fixed !== null) return this.fixed;
    return this.#laid > 0
      ? "Clear the table first; side bets are chosen while no chip lies."
      : null;
  }

  get whyNoDeal(): string | null {
    if (!this.isBetting) return "A round is on the table.";
    if (this.#waits > 0) return `The next round may begin in ${this.#waits} s.`;
    return problem(this.layout, this.bets);
  }

  get whyNoRebet(): string | null {
    const last = this.#lastBets;
    if (last === null) return "There is no earlier round at this level to repeat.";
    const cents = total(last);
    if (cents <= this.#balance) return null;
    return `The last bets came to ${amount(cents)}; your balance is ${amount(this.#balance)}.`;
  }

  get whyNoUndo(): string | null {
    const { selected } = this.bets;
    if (selected === null) return "Select a place on the table first.";
    return centsOn(this.bets, selected) > 0 ? null : "Nothing lies on the selected place.";
  }

  get whyNoClear(): string | null {
    return this.#laid > 0 ? null : "No chip lies on the table.";
  }

  whyClosed(place: Place): string | null {
    return closed(this.layout, this.bets, place);
  }

  get #laid(): number {
    return total(amounts(this.bets));
  }

  get #lastBets(): Amounts | null {
    const last = this.#last[this.level.key];
    return last ? new Map(last) : null;
  }

  // Laying chips

  /** A click on a place: lay the selected chip there (T-20). */
  layOn(place: Place): void {
    this.#lay(lay(this.layout, this.bets, place, this.chip, this.#balance - this.#laid));
  }

  /** A click in the tray: select the chip; if it was selected, lay it on the selected place. */
  pick(chip: number): void {
    if (chip === this.chip && this.isBetting) {
      this.layOn(this.bets.selected ?? placeOf(firstOf(this.layout.spots), this.layout.main));
    }
    this.chip = chip;
  }

  undo(): void {
    this.#lay({ bets: undo(this.layout, this.bets), said: null });
  }

  clear(): void {
    this.#lay({ bets: { ...this.bets, laid: new Map() }, said: null });
  }

  rebet(): void {
    const last = this.#lastBets;
    if (last) this.#lay(layAll(this.bets, last, this.#balance));
  }

  /** The selected chip on every side circle. */
  placeOnSides(): void {
    const funds = this.#balance - this.#laid;
    this.#lay(placeOnSides(this.layout, this.bets, this.chip, funds));
  }

  #lay({ bets, said }: Laid): void {
    if (!this.isBetting) return;
    if (this.phase === "over") this.#invite();
    this.bets = bets;
    this.refused = said;
  }

  // Setting the table

  setLevel(key: string): void {
    const level = this.game.levels.find((each) => each.key === key);
    if (!level || this.fixed !== null || level.key === this.level.key) return;
    this.level = level;
    this.#emptied();
    this.chip = this.chips.includes(this.chip) ? this.chip : this.#firstChip();
  }

  setDecks(decks: number): void {
    if (this.fixed === null && this.game.decks_offered.includes(decks)) this.decks = decks;
  }

  /** Open other side bets; a change forgets the last layout. */
  setSides(keys: readonly string[]): void {
    if (this.sidesFixed !== null || keys.length !== this.game.side_bets_open) return;
    this.sides = this.#inOrder(keys);
    this.#last = {};
    remember(`sides.${this.game.key}`, this.sides);
    this.#emptied();
  }

  #emptied(): void {
    this.bets = NO_BETS;
    this.#invite();
  }

  #inOrder(keys: readonly string[]): string[] {
    return this.game.side_bets.map((side) => side.key).filter((key) => keys.includes(key));
  }

  #recalledSides(): string[] {
    const first = this.game.side_bets.slice(0, this.game.side_bets_open).map((side) => side.key);
    const kept = this.#inOrder(recall(`sides.${this.game.key}`, areTexts, first));
    return kept.length === first.length ? kept : first;
  }

  #firstChip(): number {
    const { min } = this.level.bets[this.game.main.key] ?? { min: 0 };
    return this.chips.findLast((chip) => chip <= min) ?? firstOf(this.chips);
  }

  // Playing

  /** Stake what lies and deal. */
  async deal(): Promise<void> {
    const why = this.whyNoDeal;
    if (why !== null) {
      this.refused = why;
      return;
    }
    const laid = amounts(this.bets);
    await this.#ask(
      () => this.around.house.bet(this.#bet(laid)),
      "betting",
      () => {
        this.#last = { ...this.#last, [this.level.key]: [...laid] };
        this.bets = { laid: new Map(), selected: this.bets.selected };
        this.felt = emptyFelt(this.game.main.key);
      },
    );
  }

  /** The house wants time between deals: say so, wait, and deal what lies then. */
  async #dealAfter(seconds: number): Promise<void> {
    for (this.#waits = seconds; this.#waits > 0; this.#waits -= 1) {
      this.said = `The next round begins in ${this.#waits} s`;
      this.detail = "This house leaves some time between two rounds";
      await this.around.house.pause(1000);
    }
    if (this.isBetting && this.whyNoDeal === null) await this.deal();
  }

  #bet(laid: Amounts): Bet {
    return {
      game: this.game.key,
      level: this.level.key,
      spots: spotsOf(laid),
      client_seed: this.around.settings.clientSeed,
      table: {
        decks: this.decks,
        ...(this.choosesSides ? { side_bets: [...this.sides] } : {}),
      },
      ...(this.game.insurance_setting ? { ask_insurance: this.around.settings.askInsurance } : {}),
    } as Bet;
  }

  /** Make a choice of the hand that is to act. */
  async choose(name: ChoiceName): Promise<void> {
    const choice = this.choices.find((each) => each.choice === name);
    const { answer } = this;
    if (!choice || !answer) return;
    if (!choice.enabled) {
      this.refused = choice.why;
      return;
    }
    await this.#ask(() => this.around.house.move(answer.round, answer.seq, name), "choosing");
  }

  /** Whatever still moves is there at once. */
  skip(): void {
    if (this.around.settings.fastPlay) this.#player.skip();
  }

  /** Ask the house for a step and play it; where it refuses, all is as before. */
  async #ask(
    request: () => Promise<Answer>,
    before: Phase,
    accepted = (): void => undefined,
  ): Promise<void> {
    this.phase = "moving";
    this.refused = null;
    try {
      const answer = await request();
      accepted();
      await this.#play(answer);
    } catch (error) {
      if (!(error instanceof HouseProblem)) throw error;
      await this.#recover(error, before);
    }
  }

  async #recover(error: HouseProblem, before: Phase): Promise<void> {
    if (error.open) {
      this.adopt(error.open);
    } else if (this.answer && ["stale", "settled"].includes(error.code)) {
      this.adopt(await this.around.house.round(this.answer.round));
    } else if (["no_session", "not_found"].includes(error.code)) {
      await this.resume();
    } else {
      this.phase = before;
    }
    this.refused = error.message;
    if (error.code === "pace") {
      this.refused = null;
      void this.#dealAfter(error.seconds);
    }
  }

  async #play(answer: Answer): Promise<void> {
    const back = answer.events.map((event) => (event.type === "pay" ? event.paid : 0));
    this.#balance = answer.balance - back.reduce((sum, each) => sum + each, 0);
    this.answer = answer;
    const speed = this.around.still() ? "instant" : this.around.settings.speed;
    this.said = "";
    this.detail = "";
    await this.#player.play(answer.events, speed);
    this.#stepped(answer);
  }

  #handlers(): Handlers {
    const picture = (event: Event): void => {
      const { answer } = this;
      if (answer) this.felt = after(this.felt, event, answer.table);
    };
    return {
      bet: picture,
      card: picture,
      choice: picture,
      stake: picture,
      reveal: picture,
      offer: picture,
      settled: picture,
      award: picture,
      peek: (event) => {
        this.said = event.natural ? "Dealer has blackjack" : "Dealer has no blackjack";
      },
      pay: (event) => {
        picture(event);
        this.#balance += event.paid;
      },
    };
  }

  /** A step is played: the table is now exactly as the house sees it. */
  #stepped(answer: Answer): void {
    this.felt = agreed(this.felt, answer.table);
    this.#balance = answer.balance;
    if (answer.next) this.#keepCommit(answer.next.commit, answer.next.nonce);
    if (answer.status === "open") {
      this.phase = "choosing";
      this.#sayTurn(answer);
    } else {
      this.phase = "over";
      this.#sayResult(answer);
      this.#repeat();
    }
  }

  /** Where a game has quick replay, the last bets lie again, ready for DEAL (C-13). */
  #repeat(): void {
    const last = this.#lastBets;
    if (!this.game.quick_replay || !last || total(last) > this.#balance) return;
    this.bets = { ...layAll(this.bets, last, this.#balance).bets, selected: this.bets.selected };
  }

  #sayTurn(answer: Answer): void {
    const [choice] = answer.choices;
    if (!choice) return;
    const hands = this.felt.spots.get(choice.spot)?.hands ?? [];
    const hand = hands[choice.hand];
    const spot = this.game.spots_max > 1 ? `spot ${choice.spot}` : "your hand";
    const which = hands.length > 1 ? `${spot}, hand ${choice.hand + 1} of ${hands.length}` : spot;
    const asked = { insurance: "Insurance", even_money: "Even money" }[choice.choice as string];
    this.said = asked ? `${asked}: ${which}` : `Your turn: ${which}`;
    const soft = hand?.soft ? "soft " : "";
    this.detail = `${soft}${hand?.total ?? ""} against ${this.felt.dealer.total ?? ""}`;
  }

  #sayResult(answer: Answer): void {
    const settled = answer.events.findLast((event) => event.type === "settled");
    const staked = settled?.staked ?? this.felt.staked;
    const paid = settled?.paid ?? 0;
    if (answer.status === "void") this.said = "This round is void; every stake came back";
    else if (paid > staked) this.said = `You win ${amount(paid - staked)}`;
    else if (paid === staked) this.said = "Your bets come back";
    else this.said = paid > 0 ? `${amount(paid)} comes back` : "The house wins";
    const { total: points, soft } = this.felt.dealer;
    this.detail =
      points === null
        ? ""
        : `Dealer ${isOver(points) ? "busts with" : "has"} ${countsBothWays(points, soft) ? "soft " : ""}${points}`;
  }

  // Coming back

  /** The round that waits for this player here, or an empty felt. */
  async resume(): Promise<void> {
    const session = await this.#freshSession();
    const open = session.games[this.game.key]?.open;
    if (open) this.adopt(await this.around.house.round(open));
    else {
      this.felt = emptyFelt(this.game.main.key);
      this.#sitDown(session);
    }
  }

  /** After the house was away: the table as it stands there, if it went on. */
  async catchUp(): Promise<void> {
    const { answer } = this;
    if (this.phase === "choosing" && answer) {
      const now = await this.around.house.round(answer.round);
      if (now.seq !== answer.seq || now.status !== "open") this.adopt(now);
    } else if (this.phase === "betting" && this.#laid === 0) await this.resume();
  }

  async #freshSession(): Promise<Session> {
    try {
      this.#session = await this.around.house.session();
    } catch (error) {
      if (!(error instanceof HouseProblem) || error.code !== "no_session") throw error;
      this.#session = await this.around.house.openSession();
    }
    return this.#session;
  }

  /** Put a round on the table as it stands, at once. */
  adopt(answer: Answer): void {
    this.level = this.game.levels.find((level) => level.key === answer.level) ?? this.level;
    this.decks = answer.decks;
    this.sides = this.choosesSides ? this.#inOrder(answer.side_bets) : this.sides;
    this.answer = answer;
    this.felt = feltOf(this.game.main.key, answer.events, answer.table);
    const laid = answer.events.flatMap((event) =>
      event.type === "bet"
        ? [[placeOf(event.spot, event.bet), event.cents] as [Place, number]]
        : [],
    );
    this.#last = { ...this.#last, [this.level.key]: laid };
    this.bets = NO_BETS;
    this.refused = null;
    this.#stepped(answer);
  }

  #sitDown(session: Session): void {
    this.#balance = session.balance;
    const seat = session.games[this.game.key];
    if (seat) this.#keepCommit(seat.commit, seat.nonce);
    this.#invite();
  }

  /** Invite to bet. */
  #invite(): void {
    this.phase = "betting";
    this.answer = null;
    this.felt = emptyFelt(this.game.main.key);
    this.refused = null;
    this.said = "Place your bets";
    this.detail = this.game.spots_max > 1 ? "The rightmost spot plays first" : "";
  }

  #keepCommit(commit: string, nonce: number): void {
    this.around.commits.keep(this.#session.player, this.game.key, nonce, commit);
  }

  /** The player's name, null for a guest. */
  get account(): string | null {
    return this.#session.account;
  }

  named(session: Session): void {
    this.#session = session;
  }

  get playerId(): string {
    return this.#session.player;
  }

  /** The play money is back where a guest began. */
  async refill(): Promise<void> {
    try {
      this.#session = await this.around.house.refill();
      this.#balance = this.#session.balance;
      this.refused = null;
    } catch (error) {
      if (!(error instanceof HouseProblem)) throw error;
      this.refused = error.message;
    }
  }

  // What the house tells without being asked

  heardBalance({ balance }: StreamEvents["balance"]): void {
    if (this.isBetting) this.#balance = balance;
  }

  /** A round went on elsewhere - in another tab: show it as it stands. */
  async heardRound({ id, seq }: StreamEvents["round"]): Promise<void> {
    if (this.phase === "moving") return;
    const ours = this.answer?.round === id;
    if (ours && seq <= (this.answer?.seq ?? 0)) return;
    const answer = await this.around.house.round(id);
    if (answer.game !== this.game.key || (this.phase as Phase) === "moving") return;
    if (ours || (answer.status === "open" && this.#laid === 0)) this.adopt(answer);
  }
}

function firstOf<Item>(items: readonly Item[]): Item {
  const [first] = items;
  if (first === undefined) throw new Error("nothing to choose from");
  return first;
}

function areTexts(stored: unknown): stored is string[] {
  return Array.isArray(stored) && stored.every((it) => typeof it === "string");
}
