import type { AccountEvent } from "../../events/event.ts";
import type { FieldType, FieldValue } from "../../events/fields.ts";
import type { Json } from "../../protocol/json.ts";
import type { NumberGroup } from "../expression/patterns/number-groups.ts";
import type { Asked } from "./asked.ts";
import { type FieldEvaluation, FOLDED, type ListForm } from "../lists/list-form.ts";
import { fold, tidy } from "../../text/fold.ts";
import { withSeed } from "../expression/seed.ts";
import type { StateUse } from "../schema/state-keys.ts";
import { celOfUse, type ReadState, stateOf, withState } from "./state-view.ts";
import { isoTime, type View, viewOf } from "../expression/view.ts";

const NO_VARS: ReadonlyMap<string, unknown> = new Map();

/** Evaluation of rules for one event. Caches values that several rules need. */
export class Evaluation implements FieldEvaluation {
  readonly event: AccountEvent;
  /** Variables of the current rule. */
  vars = NO_VARS;
  /** Id of the current rule. It is part of the seed of random draws. */
  ruleId = "";
  /** Time of the decision, in milliseconds since the epoch. */
  readonly now: number;
  readonly #folded = new Map<string, string>();
  readonly #tidied = new Map<string, string>();
  readonly #formed = new Map<string, Map<string, string>>();
  /** Values of the event and the time of the decision, which are the same for all rules. */
  #eventView: View | undefined;
  #view: Record<string, unknown> | undefined;
  #viewedBy: TriggerName | undefined;
  readonly #read: ReadState;
  #uses: readonly StateUse[] = [];

  /** @param read Reads user state. Absent: there is no user state. */
  constructor(event: AccountEvent, now: number, read: ReadState = () => undefined) {
    this.event = event;
    this.now = now;
    this.#read = read;
  }

  /**
   * Reads a value of user state for a rule. Times are stored as text, and returned in milliseconds since the epoch. An
   * integer beyond 2^53 is stored as text, and returned as the nearest number if it is read as a number.
   */
  state(use: StateUse, type: FieldType): FieldValue {
    const value = fieldValue(stateOf(use, this.event, this.#read));
    if (typeof value !== "string") return value;
    if (type === "number" && typeof celOfUse(value, use) === "bigint") return Number(value);
    if (type !== "time") return value;
    const ms = Date.parse(value);
    return Number.isNaN(ms) ? undefined : ms;
  }

  /** Returns whether a value of user state is stored or has a default. */
  presence(use: StateUse): ValuePresence {
    const value = stateOf(use, this.event, this.#read);
    if (value === undefined) return "absent";
    return fieldValue(value) === undefined ? "unreadable" : "readable";
  }

  /** Limits the state that expressions can read to the values of `uses`. */
  expose(uses: readonly StateUse[]): void {
    if (uses === this.#uses || (uses.length === 0 && this.#uses.length === 0)) return;
    this.#uses = uses;
    this.#view = undefined;
    this.#viewedBy = undefined;
  }

  /** Drops the cached view, so that the next one contains user state that was loaded in the meantime. */
  readAnew(): void {
    this.#uses = [];
    this.#view = undefined;
    this.#viewedBy = undefined;
  }

  /** Folds a text of the event as conditions compare it, without white space around it. Cached. */
  fold(text: string): string {
    return once(this.#folded, text, fold);
  }

  /** Folds a text of the event as patterns search it: like `fold`, but with its case. Cached. */
  tidy(text: string): string {
    return once(this.#tidied, text, tidy);
  }

  /** Converts a text of the event into the form in which a list compares it. Cached. */
  formed(text: string, { name, of }: ListForm): string {
    let cachedForms = this.#formed.get(name);
    if (!cachedForms)
      this.#formed.set(name, (cachedForms = name === FOLDED.name ? this.#folded : new Map()));
    return once(cachedForms, text, of);
  }

  /** Returns the values that expressions of a rule started by `trigger` can read. */
  view(trigger: TriggerName): View {
    this.#eventView ??= Object.assign(viewOf(this.event), { now: isoTime(this.now) });
    this.#view ??= withState(this.#eventView, this.#uses, this.event, this.#read);
    const { name, id } = trigger;
    if (this.#viewedBy?.name !== name || this.#viewedBy.id !== id) {
      this.#view["trigger"] = triggerView(trigger);
      this.#viewedBy = trigger;
    }
    this.#view["vars"] = this.vars;
    const { accountId, key } = this.event;
    return withSeed(this.#view, `${accountId}/${key}/${this.ruleId}`);
  }
}

/** Whether there is a value of user state. `unreadable`: a map, or a list with other values than texts; no field has it. */
export type ValuePresence = "absent" | "unreadable" | "readable";

function once(
  cachedTexts: Map<string, string>,
  text: string,
  work: (text: string) => string,
): string {
  let worked = cachedTexts.get(text);
  if (worked === undefined) {
    worked = work(text).trim();
    cachedTexts.set(text, worked);
  }
  return worked;
}

/** Converts a value of user state for a field. Only scalars and lists of texts have a field value. */
function fieldValue(value: Json | undefined): FieldValue {
  if (Array.isArray(value)) {
    const texts = value.filter((one) => typeof one === "string");
    return texts.length === value.length ? texts : undefined;
  }
  return typeof value === "object" ? undefined : value;
}

/** The trigger that started a rule, as the rule names it. */
export interface TriggerName {
  readonly name: string;
  readonly id?: string;
}

/** Returns the value of `trigger` in expressions. */
export function triggerView(trigger: TriggerName): View {
  return Object.assign(Object.create(null), { name: trigger.name, id: trigger.id ?? trigger.name });
}

/** Failure of a condition: the clause that did not hold. */
export interface Failure {
  /** Path in the rule: `conditions[0].any[1]`. */
  readonly path: string;
  /** Text of the clause: `message.text contains_word refund`. */
  readonly wanted: string;
  /** Value in the event; absent if the event has no value. */
  readonly actual?: FieldValue;
  /** Error, if the clause could not be evaluated. `not` does not invert such a failure. */
  readonly error?: string | undefined;
}

/** Named groups of a condition's patterns. `of` returns their texts if the condition holds. */
export interface ConditionCaptures {
  readonly names: readonly string[];
  /** Captures that hold a number, if they are not absent. */
  readonly numbers: ReadonlyMap<string, NumberGroup>;
  readonly of: (evaluation: Evaluation, trigger: TriggerName) => Readonly<Record<string, string>>;
}

/** Compiled condition. `test` returns `undefined` if the condition holds, otherwise the first failure. */
export interface CompiledCondition {
  readonly path: string;
  readonly wanted: string;
  readonly asks: Asked;
  /** Captures of the condition's patterns, if any of them has named groups. */
  readonly captures?: ConditionCaptures | undefined;
  readonly test: (evaluation: Evaluation, trigger: TriggerName) => Failure | undefined;
}
