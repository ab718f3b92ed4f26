import type { Entry } from "./entry.ts";

/**
 * `ready`: the run's next effect (such as a request or a call) has to be performed or is being performed. `waiting`:
 * the run waits for an item or a timer. `done`, `failed`, `stopped`: the run has ended.
 */
export type RunStatus = "ready" | "waiting" | "done" | "failed" | "stopped";

/** Returns the id of the run that the entry `seq` started for `owner`. */
export function runId(seq: number, owner: string): string {
  return `${seq}/${owner}`;
}

/** Splits a run's id into entry and owner. */
export function runIdParts(id: string): readonly [seq: number, owner: string] {
  const slash = id.indexOf("/");
  return [Number(id.slice(0, slash)), id.slice(slash + 1)];
}

/** Returns the rule or bot from a run's owner, without the part after `#`: `rule:<id>` or `bot:<name>`. */
export function ruleOrBotOf(owner: string): string {
  const [name = owner] = owner.split("#", 1);
  return name;
}

/** Execution of one rule or bot handler for one entry: the durable unit of the runtime. */
export interface RunRecord {
  /** Unique id, built by {@link runId}. */
  readonly id: string;
  /** Journal entry that started the run. */
  readonly seq: number;
  /**
   * `rule:<id>` or `bot:<name>`. One entry may start several runs of a rule. A suffix distinguishes them:
   * `#<count>@<number>` for a run that a count started, `#/<step>.parallel.<branch>` for a parallel branch.
   */
  readonly owner: string;
  readonly account: string;
  readonly lane: string;
  /** Revision of the rule that the run executes to its end; `current` for bots. */
  readonly revision: string;
  readonly status: RunStatus;
  /** Key of the item or id of the timer for which the run waits. Absent: the run does not wait. */
  readonly waitsFor?: string;
  /** Whether new events of the lane are offered to this run before they may start other runs. */
  readonly listens?: boolean;
  /** Name of the run's slot: a lock that a limited number of runs may hold at once. Later writes can't change it. */
  readonly slot?: string;
  /** Whether the run queues for its slot. Its timer falls due when an earlier run of the slot ends. */
  readonly queues?: boolean;
  /** State of the run as JSON text: position in its rule or handler, variables, results of steps, and the end. */
  readonly body: string;
}

export function isOpenRun({ status }: Pick<RunRecord, "status">): boolean {
  return status === "ready" || status === "waiting";
}

/** Stored run, with its partition and version. */
export interface StoredRun extends RunRecord {
  readonly partition: number;
  /** Number that rises by one with each change. A change of the run must have read the current version. */
  readonly version: number;
}

/** A run together with the entry that started it. */
export interface RunAndEntry {
  readonly run: StoredRun;
  readonly entry: Entry;
}

/** Unfinished run, as listings return it. */
export interface OpenRun extends RunAndEntry {
  /** Number of the run in the order in which runs were started; never used twice. */
  readonly ordinal: number;
}

/** New run (`version` 0), or the new content of a run that was read at `version`. */
export interface RunWrite extends RunRecord {
  readonly version: number;
}

/** Timer of a waiting run. */
export interface NewTimer {
  /** Unique id, built from run, step label and iteration. */
  readonly id: string;
  readonly run: string;
  readonly lane: string;
  /** Time at which the timer is due, by the platform's clock. */
  readonly dueAt: number;
}

/** Source text from which a rule was compiled. Kept while an open run executes it. */
export interface RuleSource {
  readonly revision: string;
  readonly ruleId: string;
  /** Path of the rule file, as the author wrote it. */
  readonly path: string;
  /** Text of the whole rule file. */
  readonly text: string;
  /** Other files that the rule needs, such as lists and called rules, as JSON text. Absent: none. */
  readonly beside?: string;
  /** Time of the last save, by the platform's clock. */
  readonly savedAt: number;
}
