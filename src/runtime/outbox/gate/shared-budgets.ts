import { oneByOne } from "../../loop/one-by-one.ts";
import type { MetaChange } from "../../store/meta.ts";
import type { AdminPort } from "../../store/store.ts";
import type { SendLimit } from "../effects/effect.ts";
import { SharedBudget } from "./shared-budget.ts";
import {
  afterAnswer,
  availableIn,
  given,
  givenBack,
  isOfLater,
  sharedWindow,
  type SharedWindow,
  unknownWindow,
  windowAt,
  withoutDead,
} from "./shared-window.ts";

export interface SharedBudgetsNeeds {
  readonly store: Pick<AdminPort, "getMeta" | "metas" | "changeMetas">;
  /** This worker's name; no other has it, nor has an earlier process. */
  readonly worker: string;
  /** Milliseconds since the epoch, by the platform's clock. */
  readonly now: () => number;
  /** Called when there is something to send with that was waited for. */
  readonly onGiven: () => void;
  /** Called when the store can't be asked; it is asked again at the next look. */
  readonly onError: (error: unknown) => void;
}

/** Begins the name of each limit's value in the store. */
const PREFIX = "budget:";
/** So many others at most are let in first by one call; what is left to do then is done at the next look. */
const TRIES = 50;

/**
 * The limits of the platform as several workers share them: each has slices, which the store gives out.
 *
 * A request that several limits count for gets a slice of each at once or none, so that no two workers hold what the
 * other one needs.
 */
export class SharedBudgets {
  readonly #needs: SharedBudgetsNeeds;
  readonly #budgets = new Map<string, SharedBudget>();
  readonly #wanted = new Map<string, Wanted>();
  readonly #inTurn = oneByOne();
  #isAsking = false;
  #isUrgent = false;
  #isClosed = false;

  constructor(needs: SharedBudgetsNeeds) {
    this.#needs = needs;
  }

  budgetAt(place: string, limit: SendLimit): SharedBudget {
    const found = this.#budgets.get(place);
    if (found !== undefined) return found;
    const made = new SharedBudget(place, limit, () => this.#nowIfIdle(true));
    this.#budgets.set(place, made);
    return made;
  }

  /**
   * A request waits for all of these; {@link SharedBudgetsNeeds.onGiven} tells when it may be asked for again.
   *
   * @param onAsked Called when the store has been asked: what it gave is there in this tick, whatever the clock does then.
   */
  want(budgets: readonly SharedBudget[], onAsked?: () => void): void {
    const key = keyOf(budgets);
    const known = this.#wanted.get(key);
    // what there was too little of is asked for again at the next look
    if (this.#isClosed || known?.isAsked === true) return onAsked?.();
    const wanted = known ?? { budgets, isAsked: false, onAsked: [] };
    if (onAsked !== undefined) wanted.onAsked.push(onAsked);
    if (known !== undefined) return;
    this.#wanted.set(key, wanted);
    this.#nowIfIdle(false);
  }

  /** Gives back what is over, tells what answers said, and sees what others did. To be called each second. */
  look(): Promise<void> {
    return this.#inTurn(async () => {
      this.#isUrgent = false;
      const now = this.#needs.now();
      const kept = await this.#needs.store.metas(PREFIX);
      const over = [...this.#budgets.values()].filter((budget) => {
        const window = readWindow(kept.get(nameOf(budget)), budget.limit);
        budget.seen = windowAt(window, budget.limit, now);
        const isOver = budget.hasSlice && budget.isOver(now) && budget.mayEnd();
        return isOver || budget.answer !== undefined || isOfLater(window, now);
      });
      if (over.length > 0) await this.#change(over, false);
      const wanted = [...this.#wanted.values()];
      this.#wanted.clear();
      for (const one of wanted) await this.#lease(one);
    });
  }

  /** Gives everything back, and takes nothing more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { onAsked } of this.#wanted.values()) for (const done of onAsked.splice(0)) done();
    this.#wanted.clear();
    await this.#inTurn(async () => {
      const held = [...this.#budgets.values()].filter(({ hasSlice }) => hasSlice);
      if (held.length > 0) await this.#change(held, false, true);
    });
  }

  /** Does at once what is waited for, unless that is being done. */
  #nowIfIdle(isUrgent: boolean): void {
    if (isUrgent) this.#isUrgent = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    const work = async (): Promise<void> => {
      // those that get nothing stay in the list until the next look
      for (const one of this.#wanted.values()) if (!one.isAsked) await this.#lease(one);
      this.#isAsking = false;
    };
    this.#inTurn(work)
      .then(() => (this.#isUrgent ? this.look() : undefined))
      .catch((error: unknown) => {
        this.#isAsking = false;
        this.#needs.onError(error);
      });
  }

  async #lease(wanted: Wanted): Promise<void> {
    try {
      if (!(await this.#isGiven(wanted.budgets))) return;
      this.#wanted.delete(keyOf(wanted.budgets));
      this.#needs.onGiven();
    } finally {
      wanted.isAsked = true;
      for (const onAsked of wanted.onAsked.splice(0)) onAsked();
    }
  }

  async #isGiven(budgets: readonly SharedBudget[]): Promise<boolean> {
    const now = this.#needs.now();
    const lacking = budgets.filter((budget) => budget.isOver(now));
    if (lacking.some((budget) => !budget.mayEnd())) return false;
    return lacking.length === 0 || this.#change(lacking, true);
  }

  /**
   * Ends the slices of these budgets that are over and tells what the platform said of them; with `isWanted` takes a
   * new slice of each, or of none.
   *
   * @returns Whether slices were taken.
   */
  async #change(
    budgets: readonly SharedBudget[],
    isWanted: boolean,
    isEnd = false,
  ): Promise<boolean> {
    const { store, worker } = this.#needs;
    const start = this.#needs.now();
    const own = budgets.map((budget) => {
      const { answer } = budget;
      const ends = isEnd || (budget.isOver(start) && budget.mayEnd());
      budget.answer = undefined;
      const held = { unused: budget.leftAt(start), isCounted: false };
      return { budget, answer, ends, ...(ends ? budget.takeLeft() : held) };
    });
    for (let tries = 0; tries < TRIES; tries += 1) {
      const texts = await Promise.all(own.map(({ budget }) => store.getMeta(nameOf(budget))));
      const now = this.#needs.now();
      const told = own.map(({ budget, answer, ends, unused, isCounted }, at) => {
        const known = windowAt(readWindow(texts[at], budget.limit), budget.limit, now);
        const ended = ends ? givenBack(known, worker, { unused, isCounted }, now) : known;
        const rest = ends ? 0 : unused;
        return withoutDead(
          answer === undefined ? ended : afterAnswer(ended, { ...answer, unused: rest }),
        );
      });
      const isThere = isWanted && told.every((window) => availableIn(window, now) > 0);
      const next = told.map((window, at) =>
        isThere
          ? given(window, worker, own[at]?.budget.wanted ?? 1, now)
          : { window, count: 0, until: 0 },
      );
      const changes: MetaChange[] = own.map(({ budget }, at) => {
        const window = next[at]?.window ?? unknownWindow(budget.limit);
        return { name: nameOf(budget), was: texts[at], to: JSON.stringify(window) };
      });
      const isChanged = changes.some(({ was, to }) => was !== to);
      if (isChanged && !(await store.changeMetas(changes))) continue;
      for (const [at, { budget, ends }] of own.entries()) {
        const { window, count, until } = next[at] ?? { count: 0, until: 0 };
        if (window !== undefined) budget.seen = window;
        if (ends) budget.hasSlice = count > 0;
        if (count > 0) budget.receive(count, until);
      }
      return isThere;
    }
    for (const { budget, answer } of own) budget.answer ??= answer;
    return false;
  }
}

interface Wanted {
  readonly budgets: readonly SharedBudget[];
  /** Nothing was to be had. */
  isAsked: boolean;
  readonly onAsked: (() => void)[];
}

const keyOf = (budgets: readonly SharedBudget[]): string =>
  budgets.map(({ place }) => place).join("\n");
const nameOf = ({ place }: SharedBudget): string => PREFIX + place;

function readWindow(text: string | undefined, limit: SendLimit): SharedWindow {
  return text === undefined ? unknownWindow(limit) : sharedWindow.parse(JSON.parse(text));
}
