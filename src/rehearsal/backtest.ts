import type { AccountEvent } from "../events/event.ts";
import type { Ruleset } from "../rules/ruleset.ts";
import { type Moment, type Outgoing, RulesInPassing } from "./outgoing.ts";

/** How what goes out for an event differs. */
export type BacktestKind = "same" | "changed" | "new" | "gone";

/** One event for which other things would go out. */
export interface BacktestExample {
  readonly kind: Exclude<BacktestKind, "same">;
  readonly seq: number;
  readonly event: AccountEvent;
  readonly before: readonly Outgoing[];
  readonly after: readonly Outgoing[];
}

/** What a backtest has found so far. */
export interface BacktestFindings {
  readonly events: number;
  /** Events by how what goes out for them differs; those that nothing goes out for are in none. */
  readonly counts: Readonly<Record<BacktestKind, number>>;
  /** The first of each kind. */
  readonly examples: readonly BacktestExample[];
}

/** Examples that are kept of each kind. */
const EXAMPLES_OF_EACH = 10;

/** Compares what two sets of rules would let out, event by event, in the order of the journal. */
export class Backtest {
  readonly #before: RulesInPassing;
  readonly #after: RulesInPassing;
  readonly #counts: Record<BacktestKind, number> = { same: 0, changed: 0, new: 0, gone: 0 };
  readonly #examples: BacktestExample[] = [];
  #events = 0;

  constructor(before: Ruleset, after: Ruleset) {
    this.#before = new RulesInPassing(before);
    this.#after = new RulesInPassing(after);
  }

  /** @param seq Number of the event in the journal. */
  take(seq: number, event: AccountEvent, moment: Moment): void {
    this.#events += 1;
    const [one, other] = [this.#before.answer(event, moment), this.#after.answer(event, moment)];
    if (one.runs === "" && other.runs === "") return;
    if (one.runs === other.runs) {
      // Equal revisions do the same: only whether anything goes out has to be known.
      if (one.outgoing().length > 0) this.#counts.same += 1;
      return;
    }
    const [before, after] = [one.outgoing(), other.outgoing()];
    const kind = kindOf(before, after);
    if (kind === undefined) return;
    this.#counts[kind] += 1;
    if (kind !== "same" && this.#counts[kind] <= EXAMPLES_OF_EACH) {
      this.#examples.push({ kind, seq, event, before, after });
    }
  }

  findings(): BacktestFindings {
    return { events: this.#events, counts: { ...this.#counts }, examples: [...this.#examples] };
  }
}

/** Who says it makes no difference: a rule may have been renamed, or cut in two. */
function kindOf(before: readonly Outgoing[], after: readonly Outgoing[]): BacktestKind | undefined {
  if (before.length === 0 && after.length === 0) return undefined;
  if (before.length === 0) return "new";
  if (after.length === 0) return "gone";
  const same =
    before.length === after.length && before.every(({ what }, at) => what === after[at]?.what);
  return same ? "same" : "changed";
}
