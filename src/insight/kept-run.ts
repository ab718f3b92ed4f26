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
import type { Answers } from "../runtime/control/contract.ts";
import { type KeptHandler, openWaits } from "../runtime/runs/handlers/kept-handler.ts";
import { type RunRecord, whose } from "../runtime/store/run.ts";

/** Run in an answer of the journal. */
export type JournalRun = Answers["journal"][number]["runs"][number];
/** Item in an answer of the outbox. */
export type OutboxItem = Answers["outbox"][number];

/** Progress of a run, from its stored record. */
export interface KeptRun {
  /** Results by step label, in the order in which the steps ended. */
  readonly results: Readonly<Record<string, StepResult>>;
  /** Index of the first condition that held, by label of the step. */
  readonly ways?: RunState["ways"];
  /** Position of the current step in the rule. */
  readonly position?: Position;
  /** Attempts to execute the current step, if it may be retried. */
  readonly attempts?: Attempts;
  readonly ended?: RunEnd;
  /** Time of the last answer to a question of the run, in milliseconds since the epoch. */
  readonly heardAt?: number;
  /** Parallel branches that are running. */
  readonly parallel?: OpenBranches;
  /** Branch, if the run is a branch. `results` are then those of the branch's steps. */
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
  return owner.startsWith("rule:") ? whose(owner).slice("rule:".length) : undefined;
}

/** Returns the waits of a bot's run, in the order of its handler's calls. */
export function waitsOf({ body, status }: Pick<RunRecord, "body" | "status">): readonly {
  readonly kind: string;
  readonly name: string;
}[] {
  const state: KeptHandler = JSON.parse(body);
  return status === "waiting" ? openWaits(state) : [];
}
