import type { Action } from "../../../actions/actions.ts";
import { contentHash } from "../../../system/content-hash.ts";
import type { AnswerLimit } from "../answer-limit.ts";
import type { ItemStatus, NewItem } from "../item.ts";
import type { StateValue, StateWrite } from "../transition.ts";
import type { Afterwards } from "./afterwards.ts";
import type { RowOf } from "../tables/columns.ts";
import type { ItemRow } from "../tables/rows.ts";
import type { ITEMS } from "../tables/tables.ts";

/** One answer of a lane. */
interface Answer {
  readonly at: number;
  /** Its text, or what stands for a long one. */
  readonly text: string;
  /** Hash of the text that it answers; `""` where it answers none. */
  readonly heard: string;
}

/** An answer as its item tells it: one that has no `counted_at` counts against no limit. */
export type KeptAnswer = Pick<RowOf<typeof ITEMS>, "action" | "counted_at" | "heard">;

/** What the items of a lane tell of answers. */
export interface AnswersKept {
  /** The last items of the lane, at most so many, the latest first. */
  latest(lane: string, most: number): readonly KeptAnswer[];
  /** The last items of the lane, at most so many, count no longer. */
  discount(lane: string, most: number): void;
}

/** User state, as far as this transaction reaches. */
export interface StateInReach {
  load(keys: readonly string[]): ReadonlyMap<string, StateValue>;
  /** Whatever version is there. */
  write(change: StateWrite): void;
}

/** Lanes whose answers are remembered at once; those of others are read again when they are needed. */
const MOST_LANES = 10_000;
/** As many times what a limit lets through are remembered of a lane: late events are not in order. */
const SPARE = 4;
/** A longer text is remembered by its hash. */
const SHORT = 120;
/** Items of a lane that stop counting when it begins anew. */
const MOST_ANEW = 1_000;

/**
 * How many answers there were lately: what limits compare with.
 *
 * The items themselves tell it of a lane, so that nothing is written beside them; they are read once, and
 * remembered. Equal posts are many lanes', so each has a value of user state.
 */
export class AnswerCounts {
  readonly #past: AnswersKept;
  readonly #state: StateInReach;
  readonly #afterwards: Pick<Afterwards, "elseUndo">;
  /** Answers of a lane by time; lanes that were needed last come last. */
  readonly #lanes = new Map<string, Answer[]>();
  /** The text that was looked at last: it is looked at again when its item is counted. */
  #looked: { readonly action: Action; readonly text: string } | undefined;

  constructor(past: AnswersKept, state: StateInReach, afterwards: Pick<Afterwards, "elseUndo">) {
    this.#past = past;
    this.#state = state;
    this.#afterwards = afterwards;
  }

  /** Lanes of these items whose answers are not remembered, and how many of each are needed at most. */
  unknown(items: readonly NewItem[]): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    for (const { lane, counted } of items) {
      if (counted === undefined) continue;
      const known = this.#lanes.get(lane);
      const most = Math.max(found.get(lane) ?? 0, mostOf(counted.limits));
      if (known === undefined) found.set(lane, most);
      else {
        this.#lanes.delete(lane);
        this.#lanes.set(lane, known);
      }
    }
    return found;
  }

  /** Keys of user state that these items go by. */
  stateKeys(items: readonly NewItem[]): readonly string[] {
    return items
      .filter(({ counted }) => counted?.limits.some(({ of }) => of === "equal-posts"))
      .map(({ account, action }) => this.#postKey(account, action));
  }

  /** The key of user state that counts posts with the text of this action. */
  stateKey(account: string, action: Action): string {
    return this.#postKey(account, action);
  }

  /** What is remembered of these lanes may not be so any more. */
  drop(isMeant: (lane: string) => boolean): void {
    for (const lane of this.#lanes.keys()) if (isMeant(lane)) this.#lanes.delete(lane);
  }

  /** Why the item is to be held; `undefined` when it may go. */
  reached(item: NewItem): string | undefined {
    const { counted } = item;
    return counted?.limits.find((limit) => {
      const answers = limit.of === "equal-posts" ? this.#posts(item) : this.#answersOf(item);
      const equal =
        limit.of === "equal-answers"
          ? { text: this.#textOf(item.action), heard: counted.heard ?? "" }
          : undefined;
      return countOf(answers, counted.at - limit.inMs, counted.at, equal) >= limit.max;
    })?.reason;
  }

  /** The item is queued in this state. */
  count(item: NewItem, status: ItemStatus): void {
    const { lane, counted } = item;
    if (counted === undefined) return;
    const answer = { at: counted.at, text: this.#textOf(item.action), heard: counted.heard ?? "" };
    for (const limit of counted.limits) {
      if (limit.of === "equal-posts" && status !== "held") this.#posted(item, counted.at, limit);
    }
    const answers = this.#lanes.get(lane);
    if (answers === undefined) return;
    const place = answers.findLastIndex(({ at }) => at <= answer.at);
    answers.splice(place + 1, 0, answer);
    if (answers.length > mostOf(counted.limits)) answers.shift();
    // The rest of this transaction has to know; without it, the lane is read again.
    this.#afterwards.elseUndo(() => this.#lanes.delete(lane));
  }

  /** The operator lets the item go: its lane and its text begin to count anew. */
  beginAnew({ account, lane, action }: Pick<ItemRow, "account" | "lane" | "action">): void {
    const parsed: Action = JSON.parse(action);
    this.#state.write({ key: this.#postKey(account, parsed), value: null, version: 0 });
    const answers = this.#lanes.get(lane);
    if (answers?.length === 0) return;
    this.#past.discount(lane, MOST_ANEW);
    this.#remember(lane, []);
    this.#afterwards.elseUndo(() => this.#lanes.delete(lane));
  }

  #answersOf({ lane, counted }: NewItem): readonly Answer[] {
    const known = this.#lanes.get(lane);
    if (known !== undefined) this.#lanes.delete(lane);
    const answers = known ?? this.#read(lane, mostOf(counted?.limits ?? []));
    this.#remember(lane, answers);
    return answers;
  }

  #read(lane: string, most: number): Answer[] {
    return this.#past
      .latest(lane, most)
      .flatMap(({ action, counted_at: at, heard }) => {
        if (at === null) return [];
        const parsed: Action = JSON.parse(action);
        return [{ at, text: this.#textOf(parsed), heard: heard ?? "" }];
      })
      .sort((a, b) => a.at - b.at);
  }

  #remember(lane: string, answers: Answer[]): void {
    this.#lanes.set(lane, answers);
    if (this.#lanes.size <= MOST_LANES) return;
    for (const oldest of this.#lanes.keys()) {
      this.#lanes.delete(oldest);
      return;
    }
  }

  #posts({ account, action }: Pick<NewItem, "account" | "action">): readonly Answer[] {
    const key = this.#postKey(account, action);
    const value = this.#state.load([key]).get(key)?.value;
    const times: number[] = value === undefined ? [] : JSON.parse(value);
    return times.map((at) => ({ at, text: "", heard: "" }));
  }

  #posted(item: NewItem, at: number, { max, inMs }: AnswerLimit): void {
    const key = this.#postKey(item.account, item.action);
    const times = [...this.#posts(item).map((one) => one.at), at].toSorted((a, b) => a - b);
    const value = JSON.stringify(times.slice(-SPARE * max));
    this.#state.write({ key, value, version: 0, expiresAt: (times.at(-1) ?? at) + inMs });
  }

  #postKey(account: string, action: Action): string {
    return `equal-posts/${account}/${contentHash(this.#textOf(action))}`;
  }

  #textOf(action: Action): string {
    if (this.#looked?.action !== action) {
      const text = "text" in action ? action.text.normalize("NFC").trim() : "";
      this.#looked = { action, text: text.length > SHORT ? contentHash(text) : text };
    }
    return this.#looked.text;
  }
}

/** Counts the answers after `after` and not after `until`: all, or those equal to `equal`. */
function countOf(
  answers: readonly Answer[],
  after: number,
  until: number,
  equal: Pick<Answer, "text" | "heard"> | undefined,
): number {
  let count = 0;
  for (let place = answers.length - 1; place >= 0; place -= 1) {
    const answer = answers[place];
    if (answer === undefined || answer.at <= after) break;
    const isEqual =
      equal === undefined || (answer.text === equal.text && answer.heard === equal.heard);
    if (answer.at <= until && isEqual) count += 1;
  }
  return count;
}

function mostOf(limits: readonly AnswerLimit[]): number {
  return SPARE * Math.max(1, ...limits.map(({ max }) => max));
}
