import { oneByOne } from "../../loop/one-by-one.ts";
import type { MetaChange } from "../../store/meta.ts";
import type { AdminPort } from "../../store/store.ts";
import type { SendLimit } from "../effects/effect.ts";
import { SharedBudget, type TakenShare } from "./shared-budget.ts";
import {
  afterAnswer,
  availableIn,
  grant,
  givenBack,
  isOfLater,
  type SharedWindow,
  unknownWindow,
  windowAt,
  withoutDead,
} from "./shared-window.ts";

export interface SharedBudgetsNeeds {
  readonly store: Pick<AdminPort, "getMeta" | "changeMetas">;
  /** Name of this worker. No other worker and no earlier process has the same name. */
  readonly worker: string;
  /** Time in milliseconds since the epoch, by the platform's clock. */
  readonly now: () => number;
  /** Called when the store can't be read or written; the next pass tries again. */
  readonly onError: (error: unknown) => void;
}

/** Prefix of the store keys of the limits. */
const PREFIX = "budget:";
/**
 * Maximum number of attempts of one change while other workers change the same limits. After them, the next pass tries
 * again.
 */
const TRIES = 50;
/** Maximum number of requests whose shares are taken from the store in one call. */
const MAX_AT_ONCE = 200;

/**
 * Platform limits that several workers share. The store grants each worker slices of a limit as leases.
 *
 * A request under several limits gets a slice of each limit at once or none, so that no two workers hold what the other
 * one needs.
 */
export class SharedBudgets {
  readonly #needs: SharedBudgetsNeeds;
  readonly #budgets = new Map<string, SharedBudget>();
  readonly #wanted = new Map<string, Wanted>();
  readonly #inTurn = oneByOne();
  readonly #listeners: (() => void)[] = [];
  #isAsking = false;
  #isUrgent = false;
  #isClosed = false;

  constructor(needs: SharedBudgetsNeeds) {
    this.#needs = needs;
  }

  /** Calls `listener` whenever the store has granted a share for which a request waits. */
  onGiven(listener: () => void): void {
    this.#listeners.push(listener);
  }

  budgetAt(place: string, limit: SendLimit): SharedBudget {
    const existing = this.#budgets.get(place);
    if (existing !== undefined) return existing;
    const budget = new SharedBudget(place, limit, () => this.#nowIfIdle(true));
    this.#budgets.set(place, budget);
    return budget;
  }

  /**
   * Registers a request that needs a share of each of these budgets. {@link onGiven} reports when to ask the gate for
   * it again.
   *
   * @param onAsked Called when the store has granted or refused the shares. A granted share is valid in this tick, even
   *   if the clock jumps.
   */
  want(budgets: readonly SharedBudget[], onAsked?: () => void): void {
    const key = keyOf(budgets);
    const pending = this.#wanted.get(key);
    // A share that the store could not grant is requested again by the next pass.
    if (this.#isClosed || pending?.isAsked === true) return onAsked?.();
    const wanted = pending ?? { budgets, isAsked: false, onAsked: [] };
    if (onAsked !== undefined) wanted.onAsked.push(onAsked);
    if (pending !== undefined) return;
    this.#wanted.set(key, wanted);
    this.#nowIfIdle(false);
  }

  /**
   * Returns ended slices to the store, stores what responses reported, and reads other workers' changes of the budgets
   * in use. To be called each second.
   */
  look(): Promise<void> {
    return this.#inTurn(async () => {
      this.#isUrgent = false;
      const now = this.#needs.now();
      const due = [...this.#budgets.values()].filter((budget) => budget.isDue(now));
      const isToChange = (budget: SharedBudget): boolean =>
        budget.answer !== undefined || (budget.hasSlice && budget.isOver(now) && budget.mayEnd());
      // budgets that will be changed are not read here: the change reads them itself
      const over = due.filter((budget) => isToChange(budget));
      const others = due.filter((budget) => !isToChange(budget));
      await Promise.all(
        others.map(async (budget) => {
          const window = budget.read(await this.#needs.store.getMeta(nameOf(budget)));
          budget.see(windowAt(window, budget.limit, now), now);
          if (isToChange(budget) || isOfLater(window, now)) over.push(budget);
        }),
      );
      if (over.length > 0) await this.#change(over);
      const wanted = [...this.#wanted.values()];
      this.#wanted.clear();
      if (wanted.length > 0) await this.#lease(wanted);
    });
  }

  /** Returns all slices to the store, and takes no new slices. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { onAsked } of this.#wanted.values()) for (const done of onAsked.splice(0)) done();
    this.#wanted.clear();
    await this.#inTurn(async () => {
      const held = [...this.#budgets.values()].filter(({ hasSlice }) => hasSlice);
      if (held.length > 0) await this.#change(held, { isEnd: true });
    });
  }

  /** Asks the store at once for the shares that requests wait for, unless such a call is under way already. */
  #nowIfIdle(isUrgent: boolean): void {
    if (isUrgent) this.#isUrgent = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    const work = async (): Promise<void> => {
      // Requests that get no quota stay in the list until the next pass.
      for (let more = this.#notAsked(); more.length > 0; more = this.#notAsked()) {
        await this.#lease(more);
      }
      this.#isAsking = false;
    };
    this.#inTurn(work)
      .then(() => (this.#isUrgent ? this.look() : undefined))
      .catch((error: unknown) => {
        this.#isAsking = false;
        this.#needs.onError(error);
      });
  }

  #notAsked(): readonly Wanted[] {
    return [...this.#wanted.values()].filter(({ isAsked }) => !isAsked).slice(0, MAX_AT_ONCE);
  }

  /** Asks the store once for the shares that all of these requests wait for. */
  async #lease(all: readonly Wanted[]): Promise<void> {
    try {
      const now = this.#needs.now();
      const lacking = all.map(({ budgets }): Group =>
        budgets.filter((budget) => budget.isOver(now)),
      );
      const ready = lacking.filter((group) => group.every((budget) => budget.mayEnd()));
      const groups = ready.filter((group) => group.length > 0);
      const granted = new Set<Group>(ready.filter((group) => group.length === 0));
      if (groups.length > 0) {
        const budgets = [...new Set(groups.flat())];
        for (const group of await this.#change(budgets, { groups })) granted.add(group);
      }
      for (const [at, wanted] of all.entries()) {
        const key = keyOf(wanted.budgets);
        // A later request for the same budgets may wait under this key. The store was not asked for that request yet.
        if (granted.has(lacking[at] ?? []) && this.#wanted.get(key) === wanted) {
          this.#wanted.delete(key);
        }
      }
      if (granted.size > 0) for (const listener of this.#listeners) listener();
    } finally {
      for (const wanted of all) {
        wanted.isAsked = true;
        for (const onAsked of wanted.onAsked.splice(0)) onAsked();
      }
    }
  }

  /**
   * Ends the slices of these budgets that are over, stores what the platform reported, and takes new slices for each of
   * `groups`. A group gets a slice of each of its budgets, or none.
   *
   * @param changed With `isEnd`, all slices end, even if they are not over.
   * @returns Groups that got their slices.
   */
  async #change(
    budgets: readonly SharedBudget[],
    {
      groups = [],
      isEnd = false,
    }: { readonly groups?: readonly Group[]; readonly isEnd?: boolean } = {},
  ): Promise<readonly Group[]> {
    const start = this.#needs.now();
    const own = budgets.map((budget): OwnPart => {
      const { answer } = budget;
      const ends = isEnd || (budget.isOver(start) && budget.mayEnd());
      budget.answer = undefined;
      const held = { unused: budget.leftAt(start), isCounted: false };
      return { budget, answer, ends, ...(ends ? budget.takeLeft() : held) };
    });
    let granted: readonly Group[] | undefined;
    try {
      granted = await this.#store(own, groups);
    } finally {
      if (granted === undefined) for (const part of own) part.budget.putBack(part);
    }
    return granted ?? [];
  }

  /** @returns Groups that got their slices; undefined if other workers changed the limits in every attempt. */
  async #store(
    own: readonly OwnPart[],
    groups: readonly Group[],
  ): Promise<readonly Group[] | undefined> {
    const { store, worker } = this.#needs;
    const budgets = own.map(({ budget }) => budget);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const texts = await Promise.all(budgets.map((budget) => store.getMeta(nameOf(budget))));
      const now = this.#needs.now();
      const windows = own.map(({ budget, answer, ends, unused, isCounted }, at) => {
        const current = windowAt(budget.read(texts[at]), budget.limit, now);
        const ended = ends ? givenBack(current, worker, { unused, isCounted }, now) : current;
        const rest = ends ? 0 : unused;
        const window = withoutDead(
          answer === undefined ? ended : afterAnswer(ended, { ...answer, unused: rest }),
        );
        return [budget, window] as const;
      });
      const slices = slicesFor(groups, new Map(windows), { worker, now });
      const changes = budgets.map((budget, at): MetaChange => {
        const to = JSON.stringify(slices.windows.get(budget));
        return { name: nameOf(budget), was: texts[at], to };
      });
      const changed = changes.filter(({ was, to }) => was !== to);
      if (changed.length > 0 && !(await store.changeMetas(changed))) continue;
      for (const { budget, ends } of own) {
        const slice = slices.grants.get(budget);
        budget.see(slices.windows.get(budget) ?? unknownWindow(budget.limit), now);
        if (ends) budget.hasSlice = slice !== undefined;
        if (slice !== undefined) budget.receive(slice.count, slice.until);
      }
      return slices.groups;
    }
    return undefined;
  }
}

/** Part of a change that concerns one budget: the end of its slice, and the report of the platform. */
interface OwnPart extends TakenShare {
  readonly budget: SharedBudget;
}

/** Budgets that one request needs at once. */
type Group = readonly SharedBudget[];

interface TakenSlice {
  readonly count: number;
  readonly until: number;
  /** Number of groups (requests) that this slice was taken for so far. */
  groups: number;
}

/** Takes slices for one group of budgets after the other. Groups for which no requests remain get none. */
function slicesFor(
  groups: readonly Group[],
  before: ReadonlyMap<SharedBudget, SharedWindow>,
  { worker, now }: { readonly worker: string; readonly now: number },
) {
  const windows = new Map(before);
  const grants = new Map<SharedBudget, TakenSlice>();
  const windowOf = (budget: SharedBudget): SharedWindow =>
    windows.get(budget) ?? unknownWindow(budget.limit);
  const isThere = (budget: SharedBudget): boolean => {
    const slice = grants.get(budget);
    return slice === undefined
      ? availableIn(windowOf(budget), now) > 0
      : slice.groups < slice.count;
  };
  const served = groups.filter((group) => {
    if (!group.every(isThere)) return false;
    for (const budget of group) {
      const slice = grants.get(budget);
      if (slice !== undefined) {
        slice.groups += 1;
        continue;
      }
      const { window, count, until } = grant(windowOf(budget), worker, budget.wanted, now);
      windows.set(budget, window);
      grants.set(budget, { count, until, groups: 1 });
    }
    return true;
  });
  return { windows, grants, groups: served };
}

interface Wanted {
  readonly budgets: readonly SharedBudget[];
  /** Whether the store was asked and granted no share. The next pass asks again. */
  isAsked: boolean;
  readonly onAsked: (() => void)[];
}

const keyOf = (budgets: readonly SharedBudget[]): string =>
  budgets.map(({ place }) => place).join("\n");
const nameOf = ({ place }: SharedBudget): string => PREFIX + place;
