import type { Entry } from "./entry.ts";

/**
 * `ready`: an effect of it is to be performed, or is under way. `waiting`: for an item or a timer.
 * `done`, `failed`, `stopped`: over.
 */
export type RunStatus = "ready" | "waiting" | "done" | "failed" | "stopped";

/** The id of the run that the entry `seq` started for `owner`. */
export function runId(seq: number, owner: string): string {
  return `${seq}/${owner}`;
}

/** The entry and the owner of a run's id. */
export function runIdParts(id: string): readonly [seq: number, owner: string] {
  const slash = id.indexOf("/");
  return [Number(id.slice(0, slash)), id.slice(slash + 1)];
}

/** The rule or bot of a run's owner: `rule:<id>` or `bot:<name>`. */
export function whose(owner: string): string {
  const [name = owner] = owner.split("#", 1);
  return name;
}

/** One rule or bot handler at work on one entry: the durable unit of the runtime. */
export interface RunRecord {
  /** Unique: see {@link runId}. */
  readonly id: string;
  /** The journal entry that started it. */
  readonly seq: number;
  /** `rule:<id>` or `bot:<name>`; with `#<count>@<number>` behind it where several of a rule may start by one entry. */
  readonly owner: string;
  readonly account: string;
  readonly lane: string;
  /** Revision of the rule that it goes by to its end; `current` for bots. */
  readonly revision: string;
  readonly status: RunStatus;
  /** While it waits: the key of the item or the id of the timer that it waits for. */
  readonly waitsFor?: string;
  /** It takes events of its lane: they are offered to it before they start anything. */
  readonly listens?: boolean;
  /** What only so many runs may hold at once, by its name; kept from the first write on. */
  readonly slot?: string;
  /** It waits for its turn in its slot: its timer falls due when an earlier one has ended. */
  readonly queues?: boolean;
  /** Position, variables, results and end, as JSON text. */
  readonly body: string;
}

/** Tells whether a run has not ended. */
export function isOpenRun({ status }: Pick<RunRecord, "status">): boolean {
  return status === "ready" || status === "waiting";
}

/** A run as the store has it. */
export interface StoredRun extends RunRecord {
  readonly partition: number;
  /** Rises by one with each change: what a change of the run must have read. */
  readonly version: number;
}

/** A run together with the entry that started it. */
export interface RunAndEntry {
  readonly run: StoredRun;
  readonly entry: Entry;
}

/** A run that is not over, as a listing gives it. */
export interface OpenRun extends RunAndEntry {
  /** Rises in the order in which runs were started; never used twice. */
  readonly ordinal: number;
}

/** A new run (`version` 0), or what a run that was read at `version` becomes. */
export interface RunWrite extends RunRecord {
  readonly version: number;
}

/** Something that a run waits for until a time. */
export interface NewTimer {
  /** Unique: run, step label and iteration. */
  readonly id: string;
  readonly run: string;
  readonly lane: string;
  /** By the platform's clock. */
  readonly dueAt: number;
}

/** The text that a rule was compiled from, kept for as long as an open run goes by it. */
export interface RuleSource {
  readonly revision: string;
  readonly ruleId: string;
  /** The rule file's path, as the person wrote it. */
  readonly path: string;
  /** The rule file's whole text. */
  readonly text: string;
  /** What else the rule was compiled from, as JSON text. Absent: nothing. */
  readonly beside?: string;
  /** When it was last kept, by the platform's clock. */
  readonly savedAt: number;
}
