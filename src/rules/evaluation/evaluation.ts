import type { AccountEvent } from "../../events/event.ts";
import type { FieldType, FieldValue } from "../../events/fields.ts";
import type { Json } from "../../protocol/json.ts";
import type { NumberKind } from "../expression/patterns/number-groups.ts";
import type { Asked } from "./asked.ts";
import { type FieldEvaluation, FOLDED, type ListForm } from "../lists/list-form.ts";
import { fold, tidy } from "../../text/fold.ts";
import { withSeed } from "../expression/seed.ts";
import type { StateUse } from "../schema/state-keys.ts";
import { type ReadState, stateOf, withState } from "./state-view.ts";
import { isoTime, type View, viewOf } from "../expression/view.ts";

const NO_VARS: View = Object.create(null);

/** One event while rules are evaluated: what is worked out once serves them all. */
export class Evaluation implements FieldEvaluation {
  readonly event: AccountEvent;
  /** `vars` of the rule that is asked just now. */
  vars: View = NO_VARS;
  /** Id of that rule: what its expressions draw depends on it. */
  ruleId = "";
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly #folded = new Map<string, string>();
  readonly #tidied = new Map<string, string>();
  readonly #formed = new Map<string, Map<string, string>>();
  #view: Record<string, unknown> | undefined;
  #viewedBy: TriggerName | undefined;
  readonly #read: ReadState;
  #uses: readonly StateUse[] = [];

  /** @param read Reads user state; without it there is none. */
  constructor(event: AccountEvent, now: number, read: ReadState = () => undefined) {
    this.event = event;
    this.now = now;
    this.#read = read;
  }

  /** The value of user state that a rule asks for; a time is kept as text. */
  state(use: StateUse, type: FieldType): FieldValue {
    const value = fieldValue(stateOf(use, this.event, this.#read));
    if (type !== "time" || typeof value !== "string") return value;
    const ms = Date.parse(value);
    return Number.isNaN(ms) ? undefined : ms;
  }

  /** From now on what expressions see holds the values of `uses`, and no others. */
  expose(uses: readonly StateUse[]): void {
    if (uses === this.#uses || (uses.length === 0 && this.#uses.length === 0)) return;
    this.#uses = uses;
    this.#view = undefined;
    this.#viewedBy = undefined;
  }

  /** What expressions have seen of user state was not all read: from now on it is. */
  readAnew(): void {
    this.#uses = [];
    this.#view = undefined;
    this.#viewedBy = undefined;
  }

  /** A text of the event as conditions compare it: folded, no white space around it; worked out once. */
  fold(text: string): string {
    return once(this.#folded, text, fold);
  }

  /** A text of the event as patterns search it: as `fold`, with its case. */
  tidy(text: string): string {
    return once(this.#tidied, text, tidy);
  }

  /** A text of the event as lists of that form compare it. */
  formed(text: string, { name, of }: ListForm): string {
    let known = this.#formed.get(name);
    if (!known) this.#formed.set(name, (known = name === FOLDED.name ? this.#folded : new Map()));
    return once(known, text, of);
  }

  /** What an expression of a rule that `trigger` started can see. */
  view(trigger: TriggerName): View {
    this.#view ??= Object.assign(
      withState(viewOf(this.event), this.#uses, this.event, this.#read),
      { now: isoTime(this.now) },
    );
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

function once(known: Map<string, string>, text: string, work: (text: string) => string): string {
  let worked = known.get(text);
  if (worked === undefined) {
    worked = work(text).trim();
    known.set(text, worked);
  }
  return worked;
}

/** A value of user state as a field: what is neither a scalar nor a list of texts is not there. */
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

/** `trigger` as expressions see it. */
export function triggerView(trigger: TriggerName): View {
  return Object.assign(Object.create(null), { name: trigger.name, id: trigger.id ?? trigger.name });
}

/** A clause that did not hold. */
export interface Failure {
  /** Where it stands in the rule: `conditions[0].any[1]`. */
  readonly path: string;
  /** What it asked for: `message.text contains_word refund`. */
  readonly wanted: string;
  /** What the event has there. Absent when the event doesn't have it. */
  readonly actual?: FieldValue;
  /** Set when the clause could not be evaluated at all; then `not` does not turn it round. */
  readonly error?: string | undefined;
}

/** What the named groups of a condition's patterns hold, once the condition holds. */
export interface ConditionCaptures {
  readonly names: readonly string[];
  /** Those that always hold a number. */
  readonly numbers: ReadonlyMap<string, NumberKind>;
  readonly of: (evaluation: Evaluation, trigger: TriggerName) => Readonly<Record<string, string>>;
}

/** A condition, compiled: gives nothing when it holds, else what failed first. */
export interface CompiledCondition {
  readonly path: string;
  readonly wanted: string;
  readonly asks: Asked;
  /** Only where a pattern in it has named groups. */
  readonly captures?: ConditionCaptures | undefined;
  readonly test: (evaluation: Evaluation, trigger: TriggerName) => Failure | undefined;
}
