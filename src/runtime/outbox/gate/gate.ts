import { DAY_MS, type SendLimit } from "../effects/effect.ts";
import type { RateLimit, RateLimits } from "../../../client/client.ts";
import { Budget, type LimitBudget } from "./budget.ts";
import { Circuit, type Way } from "./circuit.ts";
import { type Permission, strictest } from "./permission.ts";
import type { SharedBudget } from "./shared-budget.ts";
import type { SharedBudgets } from "./shared-budgets.ts";

/** Request to be sent: its account and endpoint, and the platform's limits that apply to it. */
export interface Use {
  readonly account: string;
  /** Endpoint template, such as `POST /2/posts`. */
  readonly endpoint: string;
  readonly limits: readonly SendLimit[];
}

/** Outcome of a request, which decides whether later requests may go. */
export interface Ending {
  /**
   * `answered`: the platform works and accepts this account. `unavailable`: no response, or the platform can't respond
   * now. `refused`: a refusal that every request of this account would get. `untried`: nothing was sent.
   */
  readonly kind: "answered" | "unavailable" | "refused" | "untried";
  /** Reason if the request was not answered. */
  readonly reason: string;
  /** Remedy, if known. */
  readonly fix?: string;
  /** Rate limits as reported in the response's headers. */
  readonly reportedLimits?: RateLimits;
}

/** Problem that blocks requests until the operator solves it or it passes. */
export interface Trouble {
  /** Account whose requests are blocked; absent: all accounts. */
  readonly account?: string;
  readonly endpoint: string;
  readonly reason: string;
  readonly fix?: string;
}

/** Remaining requests of a limit in its window. */
export interface BudgetLeft {
  readonly endpoint: string;
  /** User id of the account; absent for a limit of the app. */
  readonly account?: string;
  readonly windowMs: number;
  readonly limit: number;
  readonly remaining: number;
}

/**
 * State of a circuit. While the circuit is open, only a probe may go. An endpoint's circuit is not open any more if no
 * request has followed for a minute after its wait.
 */
export interface CircuitState {
  readonly endpoint: string;
  /** User id of the account; absent for a circuit of all accounts. */
  readonly account?: string;
  readonly isOpen: boolean;
}

/** Used-up limit, to store for the next process. */
export interface SpentLimit {
  readonly place: string;
  readonly left: RateLimit;
}

export interface GateNeeds {
  /** Time in milliseconds since the epoch, by the platform's clock. */
  readonly now: () => number;
  /** Whether the account is linked, so that requests can be sent for it. Absent: always. */
  readonly mayAct?: (account: string) => boolean;
  readonly onTrouble: (trouble: Trouble) => void;
  readonly onSolved: (trouble: Trouble) => void;
  /** Limits that this process shares with other processes; absent: only this process sends requests. */
  readonly shared?: Pick<SharedBudgets, "budgetAt" | "want"> | undefined;
  /** Called whenever a response has reported a used-up limit, with all limits that are used up now. */
  readonly onSpent?: (spent: readonly SpentLimit[]) => void;
}

/** Milliseconds before the gate is asked again about a request for an account that is not linked. */
const NOT_LINKED_MS = 60_000;

/** Circuit of an endpoint that does not respond, for the requests of all accounts. */
const UNAVAILABLE = { failures: 5, firstMs: 5_000, longestMs: 60_000 };
/**
 * Circuit of an account that is refused. It opens at the first refusal, because a second request would be refused, too.
 */
const REFUSED = { failures: 1, firstMs: 2_000, longestMs: 60_000 };

/**
 * Milliseconds without a request after the wait of an endpoint's circuit, after which no request is waiting for it.
 * Waiting items ask again some seconds after the wait.
 */
const UNUSED_MS = 60_000;

/**
 * Gate for all requests of the runtime's own work. It stops requests that can't succeed: a limit of the endpoint (for
 * the account or for the app) is used up, the endpoint does not respond, or the account is refused.
 */
export class Gate {
  readonly #needs: GateNeeds;
  readonly #budgets = new Map<string, LimitBudget>();
  readonly #circuits = new Map<string, Circuit>();
  readonly #troubles = new Map<string, Trouble>();
  readonly #remembered = new Map<string, RateLimit>();

  constructor(needs: GateNeeds) {
    this.#needs = needs;
  }

  ask(use: Use): Permission {
    return this.#ask(use, (budgets) => this.#needs.shared?.want(budgets));
  }

  /**
   * Returns the permission like {@link ask}. If only a share of the limits that several processes use together is
   * missing, waits until the store has granted or refused the share.
   */
  async askForShare(use: Use): Promise<Permission> {
    let asking: Promise<void> | undefined;
    const permission = this.#ask(use, (budgets) => {
      asking = new Promise((onAsked) => this.#needs.shared?.want(budgets, onAsked));
    });
    if (asking === undefined) return permission;
    await asking;
    return this.ask(use);
  }

  /** @param wantShare Called with the request's budgets if only shares of them, granted by the store, are missing. */
  #ask(use: Use, wantShare: (budgets: readonly SharedBudget[]) => void): Permission {
    const now = this.#needs.now();
    if (this.#needs.mayAct?.(use.account) === false) {
      const reason = `account ${use.account} is not linked`;
      return { kind: "wait", until: now + NOT_LINKED_MS, reason };
    }
    const { everybody, own } = this.#circuitsOf(use);
    const permissions = [everybody.ask(now), own.ask(now)];
    const isOpen = strictest(permissions).kind === "go";
    for (const budget of this.#budgetsOf(use)) permissions.push(budget.ask(now));
    const permission = strictest(permissions);
    const { shared } = this.#needs;
    if (isOpen && permission.kind === "busy" && shared !== undefined) {
      wantShare(use.limits.map((limit) => shared.budgetAt(placeOf(use, limit), limit)));
    }
    return permission.kind === "wait"
      ? { ...permission, reason: `${use.endpoint}: ${permission.reason}` }
      : permission;
  }

  /** Records that a request is sent. @returns a function to be called exactly once, with the end of the request. */
  begin(use: Use): (ending: Ending) => void {
    const { everybody, own } = this.#circuitsOf(use);
    const budgets = this.#budgetsOf(use);
    for (const circuit of [everybody, own]) circuit.began();
    const begunAt = this.#needs.now();
    const withdrawals = budgets.map((budget) => budget.began(begunAt));
    return (ending) => {
      const now = this.#needs.now();
      const { kind, reason, reportedLimits } = ending;
      everybody.ended(WAYS[kind].everybody, { begunAt, now }, reason);
      own.ended(WAYS[kind].own, { begunAt, now }, reason);
      this.#compare(use.endpoint, everybody, { endpoint: use.endpoint, ...why(ending) });
      this.#compare(ownPlace(use), own, {
        account: use.account,
        endpoint: use.endpoint,
        ...why(ending),
      });
      if (kind === "untried") {
        for (const withdraw of withdrawals) withdraw();
        return;
      }
      const answered = kind === "answered" || kind === "refused";
      use.limits.forEach((limit, at) =>
        budgets[at]?.ended(
          answered ? { rateLimit: toldOf(limit, reportedLimits) } : undefined,
          begunAt,
        ),
      );
      if (budgets.some(({ reportedLimit }) => reportedLimit?.remaining === 0))
        this.#needs.onSpent?.(this.spent());
    };
  }

  /** Returns the problems that block requests now, without those of {@link circuits} that are not open. */
  troubles(): readonly Trouble[] {
    return [...this.#troubles]
      .filter(([place]) => this.#isOpen(place))
      .map(([, trouble]) => trouble);
  }

  /**
   * Closes the circuits of an account's own refusals, because its tokens have changed. Its next request goes at once.
   * Requests under way that began before have no effect on the new circuits.
   *
   * @returns The problems that are over thereby; they are not reported as solved.
   */
  forgetRefusals(account: string): readonly Trouble[] {
    const own = [...this.#circuits.keys()].filter((place) => ownerOf(place).account === account);
    const ended = own.flatMap((place) => this.#troubles.get(place) ?? []);
    for (const place of own) {
      this.#circuits.delete(place);
      this.#troubles.delete(place);
    }
    return ended;
  }

  /** Returns the remaining requests of each limit for which a response has come, whether reported or counted here. */
  budgets(): readonly BudgetLeft[] {
    const now = this.#needs.now();
    return [...this.#budgets].flatMap(([place, budget]) => {
      const quota = budget.remaining(now);
      const [method = "", path = "", account = "", windowMs = ""] = place.split(" ");
      if (quota === undefined) return [];
      const { limit, remaining } = quota;
      const owner = account === "" ? {} : { account };
      const whose = { endpoint: `${method} ${path}`, ...owner, windowMs: Number(windowMs) };
      return [{ ...whose, limit, remaining }];
    });
  }

  /** Returns the state of each circuit, for all endpoints and accounts that have been used. */
  circuits(): readonly CircuitState[] {
    return [...this.#circuits.keys()].map((place) => ({
      ...ownerOf(place),
      isOpen: this.#isOpen(place),
    }));
  }

  /** Corrects all budgets and circuits for a clock that was set back by `by` milliseconds. */
  setBack(by: number): void {
    for (const each of [...this.#budgets.values(), ...this.#circuits.values()]) each.setBack(by);
  }

  /** Returns the limits that are used up now. */
  spent(): readonly SpentLimit[] {
    return [...this.#budgets].flatMap(([place, { reportedLimit }]) =>
      reportedLimit?.remaining === 0 ? [{ place, left: reportedLimit }] : [],
    );
  }

  /** Restores the limits that an earlier process had used up. */
  remember(spent: readonly SpentLimit[]): void {
    for (const { place, left: rateLimit } of spent) this.#remembered.set(place, rateLimit);
  }

  /**
   * Whether the circuit holds requests back. After its wait, the circuit of an endpoint does so only while requests
   * follow: without a request, nothing would show that the endpoint answers again.
   */
  #isOpen(place: string): boolean {
    const until = this.#circuits.get(place)?.opened?.until;
    if (until === undefined) return false;
    const isOfAll = ownerOf(place).account === undefined;
    return !isOfAll || this.#needs.now() < until + UNUSED_MS;
  }

  #compare(place: string, circuit: Circuit, trouble: Trouble): void {
    if (this.#circuits.get(place) !== circuit) return;
    const earlier = this.#troubles.get(place);
    if (circuit.isOpen && earlier === undefined) {
      this.#troubles.set(place, trouble);
      this.#needs.onTrouble(trouble);
    }
    if (circuit.isOpen || earlier === undefined) return;
    this.#troubles.delete(place);
    this.#needs.onSolved(earlier);
  }

  #circuitsOf(use: Use): { readonly everybody: Circuit; readonly own: Circuit } {
    const everybody = this.#circuitAt(use.endpoint, UNAVAILABLE);
    return { everybody, own: this.#circuitAt(ownPlace(use), REFUSED) };
  }

  #circuitAt(place: string, options: typeof UNAVAILABLE): Circuit {
    const circuit = this.#circuits.get(place) ?? new Circuit(options);
    this.#circuits.set(place, circuit);
    return circuit;
  }

  #budgetsOf(use: Use): readonly LimitBudget[] {
    return use.limits.map((limit) => {
      const place = placeOf(use, limit);
      const existing = this.#budgets.get(place);
      if (existing !== undefined) return existing;
      const budget = this.#needs.shared?.budgetAt(place, limit) ?? new Budget(limit);
      const remembered = this.#remembered.get(place);
      if (remembered !== undefined) budget.remember(remembered);
      this.#budgets.set(place, budget);
      return budget;
    });
  }
}

const WAYS: Record<Ending["kind"], { readonly everybody: Way; readonly own: Way }> = {
  answered: { everybody: "open", own: "open" },
  unavailable: { everybody: "shut", own: "untried" },
  refused: { everybody: "open", own: "shut" },
  untried: { everybody: "untried", own: "untried" },
};

function placeOf({ account, endpoint }: Use, { per, windowMs }: SendLimit): string {
  return `${endpoint} ${per === "app" ? "" : account} ${windowMs}`;
}

const ownPlace = ({ account, endpoint }: Use): string => `${endpoint} ${account}`;

/** Returns the endpoint of a circuit's place, and its account unless the circuit is one of all accounts. */
function ownerOf(place: string): Pick<CircuitState, "endpoint" | "account"> {
  const [method = "", path = "", account] = place.split(" ");
  const endpoint = `${method} ${path}`;
  return account === undefined ? { endpoint } : { endpoint, account };
}

function why({ reason, fix }: Ending): Pick<Trouble, "reason" | "fix"> {
  return fix === undefined ? { reason } : { reason, fix };
}

/** Returns the limit in the response's headers with this scope and window; undefined if there is none. */
function toldOf(
  { per, windowMs }: SendLimit,
  reportedLimits: RateLimits | undefined,
): RateLimit | undefined {
  if (windowMs < DAY_MS) return reportedLimits?.window;
  return per === "app" ? reportedLimits?.appDay : reportedLimits?.userDay;
}
