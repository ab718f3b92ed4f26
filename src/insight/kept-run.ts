import {
  blockAt,
  type Position,
  type Step,
  ownResults,
  ownWays,
  type Attempts,
  type Branch,
  type OpenBranches,
  type RunEnd,
  type RunState,
  type StepResult,
} from "../rules/run.ts";
import type { CompiledRule } from "../rules/ruleset.ts";
import { ruleOrBotOf } from "../runtime/records.ts";
import { type DecidedCount, openWaits } from "../runtime/runs.ts";
import type { Answers, KeptHandler, RunRecord } from "../runtime/vocabulary.ts";

/** A run, as the control interface returns it in an entry of the journal. */
export type JournalRun = Answers["journal"][number]["runs"][number];
/** An outbox item, as the control interface returns it. */
export type OutboxItem = Answers["outbox"][number];

/** Progress of a rule's run, parsed from its stored record. */
export interface KeptRun {
  /** Results by step label, in the order in which the steps ended. */
  readonly results: Readonly<Record<string, StepResult>>;
  /** Index of the first condition that was true, by label of the `if` step. */
  readonly ways?: RunState["ways"];
  /** Position of the current step in the rule. */
  readonly position?: Position;
  /** Attempts to execute the current step, if it may be retried. */
  readonly attempts?: Attempts;
  readonly ended?: RunEnd;
  /** Time of the last answer to a question of the run, in milliseconds since the epoch. */
  readonly heardAt?: number;
  /** Counts to which rules listened when a step of the run raised them, in order. */
  readonly reached?: readonly DecidedCount[];
  /** Parallel branches that are running. */
  readonly parallel?: OpenBranches;
  /** Name and origin of the branch, if the run is a branch. `results` then has only the branch's own steps. */
  readonly branch?: Branch;
}

/** Parses the stored state of a rule's run. */
export function keptRun({ body }: Pick<RunRecord, "body">): KeptRun {
  const state: Partial<KeptRun> = JSON.parse(body);
  return {
    ...state,
    results: ownResults({ ...state, results: state.results ?? {} }),
    ...(state.ways !== undefined && { ways: ownWays({ ...state, ways: state.ways }) }),
  };
}

/** Returns the current step of a run; undefined past the last step. */
export function stepAt(rule: CompiledRule, { position }: KeptRun): Step | undefined {
  if (position === undefined) return undefined;
  const { block, index } = blockAt(rule, position);
  return block[index];
}

/** Returns the id of the rule that owns a run; undefined for a bot's run. */
export function ruleOf({ owner }: Pick<RunRecord, "owner">): string | undefined {
  return owner.startsWith("rule:") ? ruleOrBotOf(owner).slice("rule:".length) : undefined;
}

/** Returns what a waiting bot run waits for, in the order of its handler's calls; empty if the run does not wait. */
export function waitsOf({ body, status }: Pick<RunRecord, "body" | "status">): readonly {
  readonly kind: string;
  readonly name: string;
  /** Latest end of the wait, in milliseconds since the epoch; absent before its question has been sent. */
  readonly until?: number;
}[] {
  const state: KeptHandler = JSON.parse(body);
  return status === "waiting" ? openWaits(state) : [];
}
