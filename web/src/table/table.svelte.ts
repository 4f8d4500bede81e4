/** One table: what lies on it, what may be done, what is being done. The only state of the page. */
import { whyVoid } from "../history/words";
import { HouseProblem, type House } from "../house/connection";
import type { Commits } from "../house/commits";
import type { ReadingKey } from "../keys";
import { Live, choiceWords, dealerReading, handsReading, stepWords } from "../live.svelte";
import { amount } from "../money";
import { recall, remember } from "../memory";
import type { PlaySettings } from "../play-settings.svelte";
import type { Preferences } from "../preferences.svelte";
import type { Settings } from "../settings.svelte";
import { handLine } from "../sound/lines";
import { Narrator, type Ears } from "../sound/narrator";
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
import { Asking } from "./asking.svelte";
import {
  amounts,
  centsOn,
  chips,
  layoutOf,
  placeName,
  placeOf,
  spotsOf,
  type Amounts,
  type Bets,
  type Layout,
  type Place,
} from "./bets";
import { placed } from "./defaults";
import { agreed, begun, emptyFelt, feltOf, landed, type Felt } from "./felt";
import type { Motion } from "./flights";
import { Guard } from "./guard.svelte";
import { Laying, type BetAction } from "./laying.svelte";
import { paceOf } from "./pace";
import { Player, type Handlers } from "./player";
import type { Phase, Shown } from "./shown";
import { beforeChoice, beforeMax, beforeStake } from "./questions";
import { keepSeat, lastSeat, type SeatedAt } from "./seats";
import { dealerWords, endsWords, shownWords, unqualified } from "./words";

export interface Surroundings {
  house: House;
  settings: Settings;
  preferences: Preferences;
  commits: Commits;
  /** The system asks for little motion: cards then lie at once. */
  still: () => boolean;
  ears: Ears;
  motion: Motion;
}

const TOO_LATE = "Bets are laid before the deal.";

export class TableState implements Shown {
  readonly chips: readonly number[] = $derived.by(() => chips(this.layout));
  level: GameLevel = $state.raw() as GameLevel;
  decks = $state(0);
  /** The open side bets. */
  sides: readonly string[] = $state.raw([]);
  readonly layout: Layout = $derived.by(() => layoutOf(this.game, this.level, this.sides));

  phase: Phase = $state("betting");
  readonly laying = new Laying(this);
  readonly asking = new Asking();
  readonly guard = new Guard(() => this.around.settings.play.is("guard"));
  felt: Felt = $state.raw() as Felt;
  /** The last answer of the round on the table. */
  answer: Answer | null = $state.raw(null);
  /** The house's balance as far as it has been shown; chips on the felt are still in it. */
  #balance = $state(0);
  /** What the player is told, and a line below it. */
  said = $state("");
  detail = $state("");
  /** What the dealer says, for the eye. */
  caption = $state("");
  /** What is said aloud. */
  readonly live = new Live();
  #refused: string | null = $state(null);
  /** What a choice gives away, where the coach knows that. */
  costOf: (choice: ChoiceName) => string | null = () => null;

  /** Seconds until the house deals again, where it wants time between deals. */
  #waits = $state(0);
  /** Whatever changes now is to be there at once. */
  #hurried = $state(true);
  /** How far the table is on the way from betting to the deal: the house is asked, or has agreed. */
  #opening: "asked" | "agreed" | null = $state(null);
  #player: Player;
  #narrator: Narrator;
  #session: Session = $state.raw() as Session;

  constructor(
    readonly game: GameDocument,
    private readonly around: Surroundings,
    session: Session,
    /** Null: where one sat last. */
    at: SeatedAt | null = null,
  ) {
    this.#session = session;
    const seat = at ?? lastSeat(game);
    this.level = game.levels.find((each) => each.key === seat.level) ?? firstOf(game.levels);
    this.decks = seat.decks;
    this.#keepSeat();
    this.sides = this.#recalledSides();
    this.felt = emptyFelt(game.main.key);
    this.laying.reset();
    this.#narrator = new Narrator(game.spots_max > 1, around.ears, (text) => (this.caption = text));
    this.#player = new Player(
      this.#handlers(),
      (event, next) => {
        const { speed, play, fastPlay } = this.around.settings;
        return paceOf(speed, fastPlay && play.is("speedPay"))(event, next);
      },
      (event) => this.#happened(event),
      around.motion.wait,
    );
    this.#sitDown(session);
    this.layDefaults();
  }

  // What the page shows

  /** The last thing that could not be done; it is said aloud as well. */
  get refused(): string | null {
    return this.#refused;
  }

  set refused(why: string | null) {
    this.#refused = why;
    if (why !== null) this.live.say(why);
  }

  get bets(): Bets {
    return this.laying.bets;
  }

  get chip(): number {
    return this.laying.chip;
  }

  get purse(): number {
    return this.#balance;
  }

  get balance(): number {
    return this.#balance - this.laying.cents;
  }

  get totalBet(): number {
    const { cents } = this.laying;
    // Until a deal begins the chips lie as they were laid.
    const isLaid = this.phase === "betting" || (this.phase === "moving" && cents > 0);
    return isLaid ? cents : this.felt.staked;
  }

  get totalWin(): number {
    return this.phase === "betting" ? 0 : this.felt.won;
  }

  get isBetting(): boolean {
    return this.phase === "betting" || this.phase === "over";
  }

  /** Whether the betting buttons are to be seen, though they may be closed already. */
  get showsBetBar(): boolean {
    return this.isBetting || this.#opening === "asked";
  }

  /** Whether the circles are those one bets with, and what lies there is one's own still. */
  get showsBets(): boolean {
    return this.isBetting || this.#opening !== null;
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
    return this.laying.cents > 0
      ? "Clear the table first; side bets are chosen while no chip lies."
      : null;
  }

  get whyNoDeal(): string | null {
    if (!this.isBetting) return "A round is on the table.";
    if (this.#waits > 0) return `The next round may begin in ${this.#waits} s.`;
    return this.laying.whyNoDeal;
  }

  /** Why a betting button does nothing now, or null; in a round all are closed (T-36). */
  whyNot(action: BetAction): string | null {
    return this.isBetting ? this.laying.whyNot(action) : "A round is on the table.";
  }

  whyClosed(place: Place): string | null {
    return this.laying.whyClosed(place);
  }

  // Laying chips

  /** A click on a place: lay the selected chip there (T-20). */
  layOn(place: Place): void {
    if (this.isBetting) this.#lay(() => this.laying.on(place));
    else this.refused = TOO_LATE;
  }

  /** A click in the tray: select the chip; if it was selected, lay it on the selected place. */
  pick(chip: number): void {
    if (this.guard.closed) return;
    if (chip === this.chip) this.#lay(() => this.laying.onSelected());
    else this.laying.chip = chip;
  }

  /** So much on a place, whatever lay there. */
  put(place: Place, cents: number): void {
    if (this.isBetting) this.#lay(() => this.laying.put(place, cents));
    else this.refused = TOO_LATE;
  }

  /** Select a place without laying anything. */
  select(place: Place): void {
    this.laying.select(place);
  }

  /** A betting button: it does its work or says why not. */
  async press(action: BetAction): Promise<void> {
    if (this.guard.closed) return;
    const why = this.whyNot(action);
    const question = action === "max" ? beforeMax(this.laying.maxCents, this.#habits) : null;
    if (why !== null) this.refused = why;
    else if (await this.#agreed(question)) this.#lay(() => this.laying.press(action));
  }

  /** The player's default bets, for the first round of a sitting (C-14). */
  layDefaults(): void {
    const bets = this.around.preferences.of(this.game.key, this.level.key);
    const isFresh =
      this.phase === "betting" && this.laying.last === null && this.laying.cents === 0;
    if (bets && isFresh) this.refused = this.laying.layAll(placed(this.layout, bets));
  }

  #lay(change: () => string | null): void {
    if (!this.isBetting) return;
    this.#hurried = false;
    if (this.phase === "over") this.#invite();
    const before = this.laying.cents;
    this.refused = change();
    if (this.refused === null) this.live.say(this.#laidWords());
    if (this.laying.cents > before) this.around.ears.play("chip");
  }

  /** What lies on the place that was touched last, and in all. */
  #laidWords(): string {
    const { selected } = this.bets;
    const cents = selected === null ? 0 : centsOn(this.bets, selected);
    const all = `Total bet ${amount(this.laying.cents)}.`;
    if (selected === null || cents === 0) return all;
    return `${placeName(this.layout, selected)}: ${amount(cents)}. ${all}`;
  }

  // Setting the table

  setLevel(key: string): void {
    const level = this.game.levels.find((each) => each.key === key);
    if (!level || this.fixed !== null || level.key === this.level.key) return;
    this.level = level;
    this.#keepSeat();
    this.#emptied();
  }

  setDecks(decks: number): void {
    if (this.fixed !== null || !this.game.decks_offered.includes(decks)) return;
    this.decks = decks;
    this.#keepSeat();
  }

  #keepSeat(): void {
    keepSeat(this.game, { level: this.level.key, decks: this.decks });
  }

  /** Open other side bets; a change forgets the last layout. */
  setSides(keys: readonly string[]): void {
    if (this.sidesFixed !== null || keys.length !== this.game.side_bets_open) return;
    this.sides = this.#inOrder(keys);
    this.laying.forget();
    remember(`sides.${this.game.key}`, this.sides);
    this.#emptied();
  }

  #emptied(): void {
    this.laying.reset();
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

  // Playing

  /** Stake what lies and deal. */
  async deal(): Promise<void> {
    if (this.guard.closed) return;
    const why = this.whyNoDeal;
    if (why !== null) {
      this.refused = why;
      return;
    }
    const laid = amounts(this.bets);
    if (!(await this.#agreed(beforeStake("Deal", this.laying.cents, this.#habits)))) return;
    this.#opening = "asked";
    await this.#ask(
      () => this.around.house.bet(this.#bet(laid)).then((answer) => this.#cleared(answer)),
      "betting",
      () => {
        this.laying.dealt(laid);
        this.laying.lift();
        this.refused = null;
      },
    ).finally(() => (this.#opening = null));
  }

  /**
   * The house has agreed. Buttons, circles and first card change one after the other, each in a frame
   * of its own: together they would hold up the chips that fly.
   */
  async #cleared(answer: Answer): Promise<Answer> {
    const { drawn } = this.around.motion;
    this.#opening = "agreed";
    this.felt = emptyFelt(this.game.main.key);
    if (!this.isInstant) await drawn();
    this.#opening = null;
    if (!this.isInstant) await drawn();
    return answer;
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
    if (!choice || !answer || this.guard.closed) return;
    if (!choice.enabled) {
      this.refused = choice.why;
      return;
    }
    if (!(await this.#agreed(this.#beforeChoice(choice)))) return;
    await this.#ask(() => this.around.house.move(answer.round, answer.seq, name), "choosing");
  }

  /** The question before a choice; a warning names its cost where the coach is ready (T-53). */
  #beforeChoice(choice: Choice): string | null {
    const question = beforeChoice(choice, this.#habits);
    if (question === null || question !== choice.warning) return question;
    return [question, this.costOf(choice.choice)].filter((each) => each !== null).join(" ");
  }

  /** Whether the player says yes, if there is a question at all. */
  #agreed(question: string | null): true | Promise<boolean> {
    return question === null || this.asking.ask(question);
  }

  get #habits(): PlaySettings {
    return this.around.settings.play;
  }

  /** Whatever still moves is there at once. */
  skip(): void {
    if (this.phase !== "moving" || !this.around.settings.fastPlay) return;
    this.#hurried = true;
    this.#player.skip();
    this.around.motion.land();
  }

  /** Whether what comes is there at once: little motion, instant speed, a tap, a reload. */
  get isInstant(): boolean {
    return this.#hurried || this.around.still() || this.around.settings.speed === "instant";
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
      this.guard.changed();
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
    this.said = "";
    this.detail = "";
    this.caption = "";
    this.#hurried = false;
    this.#narrator.begins(answer);
    await this.#player.play(answer.events, this.around.still() ? "instant" : "normal");
    this.#stepped(answer);
    const told = this.#narrator.rests(answer, this.felt);
    if (answer.status !== "open" && told && endsWords(this.felt) === "") {
      this.detail = unqualified(this.game, this.felt.dealer.total) + told;
    }
  }

  #handlers(): Handlers {
    const picture = (event: Event): void => {
      const { answer } = this;
      this.#narrator.begun(event);
      if (answer) this.felt = begun(this.felt, event, answer.table);
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

  /** An event is over: what flew lies, and is counted. */
  #happened(event: Event): void {
    this.felt = landed(this.felt, event);
    this.#narrator.done(event, this.felt);
  }

  /** A step is played: the table is now exactly as the house sees it. */
  #stepped(answer: Answer): void {
    this.asking.withdraw();
    this.guard.changed();
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
    this.live.tell(this.#stepWords(answer));
  }

  /** Where a game has quick replay, the last bets lie again, ready for DEAL (C-13). */
  #repeat(): void {
    if (this.game.quick_replay && this.laying.whyNot("rebet") === null) {
      this.laying.press("rebet");
    }
  }

  #stepWords(answer: Answer): string {
    const split = answer.table.spots.filter(({ hands }) => hands.length > 1);
    const told = stepWords(answer.events, this.game, new Set(split.map(({ spot }) => spot)));
    if (answer.status !== "open") return [...told, `${this.said}.`].join(" ");
    return [...told, `${this.said}, ${this.detail}.`, `${choiceWords(answer.choices)}.`].join(" ");
  }

  #sayTurn(answer: Answer): void {
    const [choice] = answer.choices;
    if (!choice) return;
    const hands = this.felt.spots.get(choice.spot)?.hands ?? [];
    const hand = hands[choice.hand];
    const several = hands.length > 1 ? `hand ${choice.hand + 1} of ${hands.length}` : "";
    const spot = this.game.spots_max > 1 ? `spot ${choice.spot}` : "";
    const which = [spot, several].filter((each) => each !== "").join(", ") || "your hand";
    const asked = { insurance: "Insurance", even_money: "Even money" }[choice.choice as string];
    this.said = asked ? `${asked}: ${which}` : `Your turn: ${which}`;
    const { dealer } = this.felt;
    const mine = hand?.total ? handLine(hand.total, hand.soft).caption : "";
    const shown =
      dealer.total === null ? "" : `dealer shows ${shownWords(dealer.total, dealer.soft)}`;
    this.detail = `${mine}, ${shown}`;
  }

  #sayResult(answer: Answer): void {
    const settled = answer.events.findLast((event) => event.type === "settled");
    const staked = settled?.staked ?? this.felt.staked;
    const paid = settled?.paid ?? 0;
    if (answer.status === "void") this.said = `This round is ${whyVoid(answer)}`;
    else if (paid > staked) this.said = `You win ${amount(paid - staked)}`;
    else if (paid === staked) this.said = "Your bets come back";
    else this.said = paid > 0 ? `${amount(paid)} comes back` : "The house wins";
    const { total: points, soft } = this.felt.dealer;
    const why = unqualified(this.game, points);
    const dealer = points === null ? "" : why + dealerWords(points, soft);
    this.detail = [dealer, endsWords(this.felt)].filter((each) => each !== "").join(". ");
  }

  /** Read something aloud. */
  read(key: ReadingKey): void {
    const words = {
      L: () => this.live.last || this.said,
      U: () => dealerReading(this.felt),
      M: () => handsReading(this.felt, this.game, this.acting),
      B: () => `Balance ${amount(this.balance)}, total bet ${amount(this.totalBet)}.`,
    };
    this.live.say(words[key]());
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
    } else if (this.phase === "betting" && this.laying.cents === 0) await this.resume();
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
    this.#hurried = true;
    this.level = this.game.levels.find((level) => level.key === answer.level) ?? this.level;
    this.decks = answer.decks;
    this.sides = this.choosesSides ? this.#inOrder(answer.side_bets) : this.sides;
    this.answer = answer;
    this.felt = feltOf(this.game.main.key, answer.events, answer.table);
    const laid = answer.events.filter((event) => event.type === "bet");
    this.laying.dealt(new Map(laid.map(({ spot, bet, cents }) => [placeOf(spot, bet), cents])));
    this.laying.reset();
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
    const first = `Press ${this.game.main.title.toUpperCase()}, then DEAL`;
    const later = this.game.spots_max > 1 ? "The rightmost spot plays first" : "";
    this.detail = this.laying.last === null ? first : later;
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
    if (ours || (answer.status === "open" && this.laying.cents === 0)) this.adopt(answer);
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
