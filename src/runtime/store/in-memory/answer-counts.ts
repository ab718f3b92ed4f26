import type { Action } from "../../../actions/actions.ts";
import { contentHash } from "../../../system/content-hash.ts";
import type { AnswerLimit } from "../answer-limit.ts";
import type { ItemStatus, NewItem } from "../item.ts";
import type { StateValue, StateWrite } from "../transition.ts";
import type { Afterwards } from "./afterwards.ts";
import type { RowOf } from "../tables/columns.ts";
import type { ItemRow } from "../tables/rows.ts";
import type { ITEMS } from "../tables/tables.ts";

/** Answer that was queued in a lane, with the values that limits compare. */
interface Answer {
  readonly at: number;
  /** Text of the answer, or the hash of a long text. */
  readonly text: string;
  /** Hash of the incoming text that is answered; `""` if there is no such text. */
  readonly heard: string;
}

/** Answers to one person in a lane, in the order of time. The lane of a group conversation has several people. */
interface PersonAnswers {
  readonly lane: string;
  readonly answers: Answer[];
}

/** Lane and person whose answers are counted together. */
export interface AnsweredPerson {
  readonly lane: string;
  /** Id of the person, as in the actions of the items. */
  readonly to: string;
}

/** Columns of an item that limits use. An item without `counted_at` counts against no limit. */
export type KeptAnswer = Pick<RowOf<typeof ITEMS>, "action" | "counted_at" | "heard">;

/** Reads and resets the stored answers of a lane, which are items of the outbox. */
export interface AnswersKept {
  /** Returns the last counted answers to the person, at most `most`, newest first. */
  latest(person: AnsweredPerson, most: number): readonly KeptAnswer[];
  /** Excludes the last items of the lane, at most `most`, from the counts that limits compare. */
  discount(lane: string, most: number): void;
}

/** User state, as this transaction sees it. */
export interface StateInReach {
  load(keys: readonly string[]): ReadonlyMap<string, StateValue>;
  /** Writes the value whatever its stored version is. */
  write(change: StateWrite): void;
}

/** Maximum number of people whose answers are cached. Answers to other people are read again when they are needed. */
const MAX_PEOPLE = 10_000;
/**
 * Number of answers cached for a person, as a multiple of the largest limit. More than the limit itself, because events
 * that arrive late are out of order.
 */
const SPARE = 4;
/** Longest text, in characters, that is cached as text. A longer text is cached as its hash. */
const SHORT = 120;
/** Maximum number of items that stop counting when a lane's count is reset. */
const MAX_RESET = 1_000;

/**
 * Counts recent answers, for comparison with limits.
 *
 * The counts of a person come from the stored items, which are read once and cached. Equal posts span many lanes, so user
 * state has one value for each posted text: the times of its posts.
 */
export class AnswerCounts {
  readonly #past: AnswersKept;
  readonly #state: StateInReach;
  readonly #afterwards: Pick<Afterwards, "elseUndo">;
  /** Cached answers by lane and person. The most recently used person is last. */
  readonly #people = new Map<string, PersonAnswers>();
  /** Number of answers that are read and cached for each person. Grows with the largest limit of all items so far. */
  #most = SPARE;
  /** Last normalized text. Cached, because `reached` and `count` both need it for an item. */
  #looked: { readonly action: Action; readonly text: string } | undefined;

  constructor(past: AnswersKept, state: StateInReach, afterwards: Pick<Afterwards, "elseUndo">) {
    this.#past = past;
    this.#state = state;
    this.#afterwards = afterwards;
  }

  /** Returns the people whose answers are needed for these items and are not cached, and the number to read for each. */
  unknown(items: readonly NewItem[]): { people: readonly AnsweredPerson[]; most: number } {
    const people = new Map<string, AnsweredPerson>();
    for (const { counted } of items) this.#widen(counted?.limits ?? []);
    for (const item of items) {
      if (item.counted === undefined) continue;
      const person = personOf(item);
      const key = keyOf(person);
      const cached = this.#people.get(key);
      if (cached === undefined) people.set(key, person);
      else {
        this.#people.delete(key);
        this.#people.set(key, cached);
      }
    }
    return { people: [...people.values()], most: this.#most };
  }

  /** Returns the keys of user state that are needed to check the limits of these items. */
  stateKeys(items: readonly NewItem[]): readonly string[] {
    return items
      .filter(({ counted }) => counted?.limits.some(({ of }) => of === "equal-posts"))
      .map(({ account, action }) => this.#postKey(account, action));
  }

  /** Returns the key of user state that holds the times of the account's posts with this action's text. */
  stateKey(account: string, action: Action): string {
    return this.#postKey(account, action);
  }

  /** Removes lanes from the cache. Called when their answers may have changed. */
  drop(isMeant: (lane: string) => boolean): void {
    for (const [key, { lane }] of this.#people) if (isMeant(lane)) this.#people.delete(key);
    this.#looked = undefined;
  }

  /** Empties the cache after a person was forgotten: they may have been answered in several lanes, such as groups. */
  dropAll(): void {
    this.drop(() => true);
  }

  /** Returns the reason to hold the item; `undefined` if the item may be sent. */
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

  /** Counts an item that is queued with this status. */
  count(item: NewItem, status: ItemStatus): void {
    const { counted } = item;
    if (counted === undefined) return;
    const text = this.#textOf(item.action);
    const answer = { at: counted.at, text, heard: counted.heard ?? "" };
    for (const limit of counted.limits) {
      if (limit.of === "equal-posts" && status !== "held") this.#posted(item, counted.at, limit);
    }
    const key = keyOf(personOf(item));
    const answers = this.#people.get(key)?.answers;
    if (answers === undefined) return;
    const place = answers.findLastIndex(({ at }) => at <= answer.at);
    answers.splice(place + 1, 0, answer);
    if (answers.length > this.#most) answers.shift();
    // Later steps of this transaction need the count. After a rollback the answers are read again.
    this.#afterwards.elseUndo(() => this.#people.delete(key));
  }

  /** Resets the counts of an item's lane and text. Called when the operator releases a held item. */
  beginAnew({ account, lane, action }: Pick<ItemRow, "account" | "lane" | "action">): void {
    const parsed: Action = JSON.parse(action);
    this.#state.write({ key: this.#postKey(account, parsed), value: null, version: 0 });
    const key = keyOf({ lane, to: parsed.to });
    if (this.#people.get(key)?.answers.length === 0) return;
    this.#past.discount(lane, MAX_RESET);
    this.drop((one) => one === lane);
    this.#remember(key, { lane, answers: [] });
    this.#afterwards.elseUndo(() => this.#people.delete(key));
  }

  #answersOf(item: NewItem): readonly Answer[] {
    this.#widen(item.counted?.limits ?? []);
    const person = personOf(item);
    const key = keyOf(person);
    const cached = this.#people.get(key);
    if (cached !== undefined) this.#people.delete(key);
    const latest = cached ?? { lane: person.lane, answers: this.#read(person) };
    this.#remember(key, latest);
    return latest.answers;
  }

  /** Raises the number of cached answers for larger limits. Cached answers were read for smaller limits: drops them. */
  #widen(limits: readonly AnswerLimit[]): void {
    const most = SPARE * Math.max(0, ...limits.map(({ max }) => max));
    if (most <= this.#most) return;
    this.#most = most;
    this.dropAll();
  }

  #read(person: AnsweredPerson): Answer[] {
    return this.#past
      .latest(person, this.#most)
      .flatMap(({ action, counted_at: at, heard }) =>
        at === null ? [] : [{ at, text: this.#textOf(JSON.parse(action)), heard: heard ?? "" }],
      )
      .sort((a, b) => a.at - b.at);
  }

  #remember(key: string, latest: PersonAnswers): void {
    this.#people.set(key, latest);
    if (this.#people.size <= MAX_PEOPLE) return;
    for (const oldest of this.#people.keys()) {
      this.#people.delete(oldest);
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

/** Counts the answers later than `after` and not later than `until`; with `equal`, only answers that equal it. */
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

function personOf({ lane, action }: Pick<NewItem, "lane" | "action">): AnsweredPerson {
  return { lane, to: action.to };
}

/**
 * Returns the part of an action's stored JSON that has the receiver. Only this part is searched for: PostgreSQL can't
 * read JSON whose texts contain zero characters.
 */
export function receiverIn(to: string): string {
  return `"to":${JSON.stringify(to)}`;
}

function keyOf({ lane, to }: AnsweredPerson): string {
  return `${lane} ${to}`;
}
