import type { AccountEvent } from "../../events/event.ts";
import type { FieldValue } from "../../events/fields.ts";
import { fold } from "./fold.ts";
import { isoTime, type View, viewOf } from "./view.ts";

/** One event while rules are evaluated: what is worked out once serves them all. */
export class Evaluation {
  readonly event: AccountEvent;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly #folded = new Map<string, string>();
  #view: Record<string, unknown> | undefined;
  #viewedBy: TriggerName | undefined;

  constructor(event: AccountEvent, now: number) {
    this.event = event;
    this.now = now;
  }

  fold(text: string): string {
    let folded = this.#folded.get(text);
    if (folded === undefined) {
      folded = fold(text);
      this.#folded.set(text, folded);
    }
    return folded;
  }

  /** What an expression of a rule that `trigger` started can see. */
  view(trigger: TriggerName): View {
    this.#view ??= Object.assign(viewOf(this.event), { now: isoTime(this.now) });
    const { name, id } = trigger;
    if (this.#viewedBy?.name !== name || this.#viewedBy.id !== id) {
      this.#view["trigger"] = triggerView(trigger);
      this.#viewedBy = trigger;
    }
    return this.#view;
  }
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
  readonly error?: string;
}

/** A condition, compiled: gives nothing when it holds, else what failed first. */
export interface CompiledCondition {
  readonly path: string;
  readonly wanted: string;
  readonly test: (evaluation: Evaluation, trigger: TriggerName) => Failure | undefined;
}
