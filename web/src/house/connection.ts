/**
 * Talking with the house. A request that changes something is sent again - the same one, with the
 * same key - until it is answered, so that a lost answer or a restart costs nothing but time.
 */
import type {
  Answer,
  Bet,
  ChoiceName,
  Coaching,
  GameDocument,
  Games,
  History,
  HouseDocument,
  Jackpots,
  Judged,
  OpenRounds,
  OwnLimits,
  PracticeChoice,
  PracticeDeal,
  PracticeHand,
  Problem,
  Proof,
  Review,
  RulesPage,
  Session,
  Standing,
} from "../wire";

/** The house refused: `code` for us, the message a sentence for the player. */
export class HouseProblem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    sentence: string,
    /** With `round_open`: that round. */
    readonly open: Answer | null = null,
    /** With `pace`: how long to wait before the same bet may come again. */
    readonly seconds = 0,
  ) {
    super(sentence);
  }
}

export interface Surroundings {
  fetch: typeof fetch;
  pause: (milliseconds: number) => Promise<void>;
  newKey: () => string;
  /** Documents that are here already, by the paths they would be asked for at. */
  brought: Readonly<Record<string, unknown>>;
}

const TIMEOUT_MS = 10_000;
const PAUSES_MS = [250, 500, 1000, 2000, 4000];
const BUSY = new Set([429, 502, 503, 504]);

/** 128 random bits as hex; `crypto.randomUUID` is missing where a page is not served securely. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function browserSurroundings(): Surroundings {
  // Read when it is first wanted: who plays is asked while the page is still being read.
  let documents: Record<string, unknown> | null = null;
  return {
    fetch: (...request) => fetch(...request),
    pause: (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
    newKey,
    get brought() {
      return (documents ??= brought());
    },
  };
}

/** What the page brings along of what is asked first, so that a table need not wait for it. */
function brought(): Record<string, unknown> {
  const text = document.getElementById("brought")?.textContent ?? "{}";
  return JSON.parse(text) as Record<string, unknown>;
}

interface Request {
  method?: "GET" | "POST" | "PUT";
  body?: unknown;
  key?: string;
}

/** What came back, whole. */
interface Reply {
  ok: boolean;
  status: number;
  /** How long to wait, where the house says so. */
  seconds: number;
  /** What the body holds as JSON, or null. */
  document: unknown;
}

export class House {
  /** How many requests wait for the house to come back; `onTrouble` hears when that starts or ends. */
  #waiting = 0;
  onTrouble: (troubled: boolean) => void = () => undefined;

  constructor(private readonly around: Surroundings = browserSurroundings()) {}

  openSession(): Promise<Session> {
    return this.#ask("/api/session", { method: "POST", body: {} });
  }

  session(): Promise<Session> {
    return this.#ask("/api/session");
  }

  refill(): Promise<Session> {
    return this.#ask("/api/session/refill", { method: "POST", body: {} });
  }

  /** What this house has set for all its tables. */
  document(): Promise<HouseDocument> {
    return this.#ask("/api/house");
  }

  register(name: string, password: string): Promise<Session> {
    return this.#ask("/api/account", { method: "POST", body: { name, password } });
  }

  login(name: string, password: string): Promise<Session> {
    return this.#ask("/api/account/login", { method: "POST", body: { name, password } });
  }

  async logout(): Promise<void> {
    await this.#ask("/api/account/logout", { method: "POST", body: {} });
  }

  changePassword(password: string, fresh: string): Promise<Session> {
    const body = { password, new_password: fresh };
    return this.#ask("/api/account/password", { method: "POST", body });
  }

  standing(): Promise<Standing> {
    return this.#ask("/api/me/limits");
  }

  setLimits(limits: OwnLimits): Promise<Standing> {
    return this.#ask("/api/me/limits", { method: "PUT", body: limits });
  }

  exclude(days: number): Promise<Standing> {
    return this.#ask("/api/me/exclusion", { method: "POST", body: { days } });
  }

  games(): Promise<Games> {
    return this.#ask("/api/games");
  }

  game(key: string): Promise<GameDocument> {
    return this.#ask(`/api/games/${encodeURIComponent(key)}`);
  }

  rules(key: string, decks: number): Promise<RulesPage> {
    return this.#ask(`/api/games/${encodeURIComponent(key)}/rules?decks=${decks}`);
  }

  jackpots(): Promise<Jackpots> {
    return this.#ask("/api/jackpots");
  }

  /** Bet and deal; the key is made once for all attempts. */
  bet(bet: Bet): Promise<Answer> {
    return this.#ask("/api/rounds", { method: "POST", body: bet, key: this.around.newKey() });
  }

  /** Choose; the house answers a repeated seq and choice with the first answer. */
  move(round: string, seq: number, choice: ChoiceName): Promise<Answer> {
    const body = { seq, choice };
    return this.#ask(`/api/rounds/${encodeURIComponent(round)}/moves`, { method: "POST", body });
  }

  /** A round with all its events. */
  round(id: string): Promise<Answer> {
    return this.#ask(`/api/rounds/${encodeURIComponent(id)}`);
  }

  openRounds(): Promise<OpenRounds> {
    return this.#ask("/api/rounds/open");
  }

  /** A page of past rounds, the newest first; `before` is `next` of the page before. */
  history(before: number | null = null, limit = 20): Promise<History> {
    const page = before === null ? "" : `&before=${before}`;
    return this.#ask(`/api/rounds?limit=${limit}${page}`);
  }

  proof(id: string): Promise<Proof> {
    return this.#ask(`/api/rounds/${encodeURIComponent(id)}/proof`);
  }

  /** What each choice now is worth; not `ready` while the coach warms up. */
  coach(id: string): Promise<Coaching> {
    return this.#ask(`/api/rounds/${encodeURIComponent(id)}/coach`);
  }

  /** What each choice that was made was worth. */
  review(id: string): Promise<Review> {
    return this.#ask(`/api/rounds/${encodeURIComponent(id)}/review`);
  }

  /** A hand to practise on, for no money. */
  practise(body: PracticeDeal): Promise<PracticeHand> {
    return this.#ask("/api/practice", { method: "POST", body });
  }

  judge(body: PracticeChoice): Promise<Judged> {
    return this.#ask("/api/practice/choice", { method: "POST", body });
  }

  pause(milliseconds: number): Promise<void> {
    return this.around.pause(milliseconds);
  }

  async #ask<Body>(path: string, request: Request = {}): Promise<Body> {
    const here = request.method === undefined ? this.around.brought[path] : undefined;
    if (here !== undefined) return here as Body;
    for (let attempt = 0; ; attempt += 1) {
      const reply = await this.#attempt(path, request);
      if (reply && !isBusy(reply)) {
        if (attempt > 0) this.#wait(-1);
        return read<Body>(reply);
      }
      if (attempt === 0) this.#wait(+1);
      await this.around.pause(PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 0);
    }
  }

  /** One attempt; null if there was no answer, or one that broke off. */
  async #attempt(path: string, request: Request): Promise<Reply | null> {
    const headers: Record<string, string> = {};
    if (request.body !== undefined) headers["Content-Type"] = "application/json";
    if (request.key !== undefined) headers["Idempotency-Key"] = request.key;
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), TIMEOUT_MS);
    try {
      const response = await this.around.fetch(path, {
        method: request.method ?? "GET",
        headers,
        body: request.body === undefined ? null : JSON.stringify(request.body),
        signal: patience.signal,
      });
      // The whole body belongs to the attempt: it may break off as well.
      const document = documentIn(await response.text());
      const seconds = Number(response.headers.get("Retry-After") ?? 0);
      return { ok: response.ok, status: response.status, seconds, document };
    } catch {
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  #wait(change: number): void {
    const before = this.#waiting;
    this.#waiting += change;
    if (before === 0 || this.#waiting === 0) this.onTrouble(this.#waiting > 0);
  }
}

/** Whether the same request is to be sent again by and by; a house that wants time says for how long. */
function isBusy({ status, document }: Reply): boolean {
  return BUSY.has(status) && (document as Partial<Problem> | null)?.code !== "pace";
}

function read<Body>({ ok, status, seconds, document }: Reply): Body {
  if (ok && document !== null) return document as Body;
  const problem = (document ?? {}) as Partial<Problem>;
  throw new HouseProblem(
    status,
    problem.code ?? "unknown",
    problem.detail ?? `The house answered ${status} without a reason.`,
    problem.open ?? null,
    seconds,
  );
}

/** Null if it is no JSON. */
function documentIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
