import { describeAction } from "../actions/actions.ts";
import type { AccountEvent } from "../events/event.ts";
import type { Json } from "../protocol/json.ts";
import { decide } from "../rules/decide/decide.ts";
import type { StateChange } from "../rules/decide/decision.ts";
import { advance, type Next, settle } from "../rules/run/advance.ts";
import type { RunState } from "../rules/run/run-state.ts";
import type { CompiledRule, Ruleset } from "../rules/ruleset.ts";

/** Something that a rule would let out. */
export interface Outgoing {
  readonly rule: string;
  /** The action, or that a module is called, in one line. */
  readonly what: string;
}

/** When an event is decided on. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** It came late, by replay or backfill. */
  readonly replayed: boolean;
}

/** What rules make of one event. */
export interface Answered {
  /** The runs that start, by rule and revision: equal names, equal course. */
  readonly runs: string;
  /** Walks them and gives what goes out. */
  outgoing(): readonly Outgoing[];
}

/** A run that goes round in a circle is left after so many steps. */
const MOST_STEPS = 1_000;

/**
 * Rules over events in their order, with nothing kept but when each ran last.
 *
 * Each run is walked through at once: what it sends is taken by the platform, what it waits for is over, and it
 * ends where something from outside decides how it goes on.
 */
export class RulesInPassing {
  readonly #ruleset: Ruleset;
  readonly #state = new Map<string, StateChange>();

  constructor(ruleset: Ruleset) {
    this.#ruleset = ruleset;
  }

  answer(event: AccountEvent, { now, replayed }: Moment): Answered {
    const read = (key: string): Json | undefined => {
      const found = this.#state.get(key);
      return found !== undefined && found.expiresAt > now ? found.value : undefined;
    };
    const { runs, changes } = decide(event, this.#ruleset, { now, replayed, read });
    for (const change of changes) this.#state.set(change.key, change);
    return {
      runs: runs.length === 0 ? "" : runs.map((run) => `${run.ruleId}@${run.revision}`).join(" "),
      outgoing: () =>
        runs.flatMap((run) => {
          const rule = this.#ruleset.byId.get(run.ruleId);
          return rule === undefined ? [] : walk(run, rule, now);
        }),
    };
  }
}

function walk(from: RunState, rule: CompiledRule, startedAt: number): readonly Outgoing[] {
  const found: Outgoing[] = [];
  const secrets = Object.fromEntries(rule.secrets.map(({ name }) => [name, `secrets.${name}`]));
  let [state, now] = [from, startedAt];
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const { run, next } = advance(state, rule, { now, secrets });
    const what = inWords(next);
    if (what !== undefined) found.push({ rule: rule.id, what });
    if (next.kind === "timer") now += next.delayMs;
    if (!GOES_ON.has(next.kind)) break;
    state = settle(run, rule, { ok: true, result: null });
  }
  return found;
}

/** What goes on by itself; how the others end is not known here. */
const GOES_ON: ReadonlySet<string> = new Set([
  "action",
  "timer",
  "log",
  "escalate",
] satisfies Next["kind"][]);

function inWords(next: Next): string | undefined {
  if (next.kind === "action") return describeAction(next.action);
  if (next.kind === "escalate") return `escalate to ${next.handOver.queue}`;
  return next.kind === "call" ? `call ${next.module}#${next.export}` : undefined;
}
