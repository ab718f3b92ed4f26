import { blockAt, type Position, type Step } from "../rules/run/step.ts";
import { ownResults, ownWays } from "../rules/run/parallel.ts";
import type {
  Attempts,
  Branch,
  OpenBranches,
  RunEnd,
  RunState,
  StepResult,
} from "../rules/run/run-state.ts";
import type { CompiledRule } from "../rules/ruleset.ts";
import type { Answers } from "../runtime/control/contract.ts";
import { type KeptHandler, openWaits } from "../runtime/runs/handlers/kept-handler.ts";
import { type RunRecord, whose } from "../runtime/store/run.ts";

/** A run as the journal lists it. */
export type JournalRun = Answers["journal"][number]["runs"][number];
/** An item as the outbox lists it. */
export type OutboxItem = Answers["outbox"][number];

/** What a run's record tells of its course so far. */
export interface KeptRun {
  /** By step label, in the order in which the steps ended. */
  readonly results: Readonly<Record<string, StepResult>>;
  /** Index of the first condition that held, by label of the step. */
  readonly ways?: RunState["ways"];
  /** Where it stands. */
  readonly position?: Position;
  /** Of the step under way, where it may be tried again. */
  readonly attempts?: Attempts;
  readonly ended?: RunEnd;
  /** Time of the last answer to a question of the run, in milliseconds since the epoch. */
  readonly heardAt?: number;
  /** Its branches that are under way. */
  readonly parallel?: OpenBranches;
  /** It is a branch; its results are those of the steps in it. */
  readonly branch?: Branch;
}

/** The state of a rule's run, as the store keeps it. */
export function keptRun({ body }: Pick<RunRecord, "body">): KeptRun {
  const kept: Partial<KeptRun> = JSON.parse(body);
  return {
    ...kept,
    results: ownResults({ ...kept, results: kept.results ?? {} }),
    ...(kept.ways !== undefined && { ways: ownWays({ ...kept, ways: kept.ways }) }),
  };
}

/** The step at which a run stands; undefined past the last one. */
export function stepAt(rule: CompiledRule, { position }: KeptRun): Step | undefined {
  if (position === undefined) return undefined;
  const { block, index } = blockAt(rule, position);
  return block[index];
}

/** The id of the rule that owns a run; undefined where a bot does. */
export function ruleOf({ owner }: Pick<RunRecord, "owner">): string | undefined {
  return owner.startsWith("rule:") ? whose(owner).slice("rule:".length) : undefined;
}

/** What a bot's run waits for, in the order of its handler's calls. */
export function waitsOf({ body, status }: Pick<RunRecord, "body" | "status">): readonly {
  readonly kind: string;
  readonly name: string;
}[] {
  const kept: KeptHandler = JSON.parse(body);
  return status === "waiting" ? openWaits(kept) : [];
}
