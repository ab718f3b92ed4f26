import type { Json } from "../../protocol/json.ts";

/** Urgency of an escalation, which people see in the list of escalations. */
export type EscalationPriority = "low" | "normal" | "high" | "urgent";

/** Request that a person takes over a conversation from the bot. */
export interface NewEscalation {
  /** Idempotency key: run, step label and iteration. A second escalation with the same key is dropped. */
  readonly key: string;
  /** Run that escalates: see `runId`. */
  readonly run: string;
  /** The journal entry that started that run. */
  readonly seq: number;
  readonly account: string;
  readonly lane: string;
  /** Handle of the person with whom the account deals, without `@`, if it is known. */
  readonly username?: string;
  readonly queue: string;
  readonly priority: EscalationPriority;
  readonly note?: string;
  readonly evidence?: Json;
  /** Current time, by the platform's clock. */
  readonly at: number;
  /** Silences rules and bots until the escalation is resolved or a time is reached. */
  readonly silences?: NewSilence;
}

/** Scope in which rules and bots are silent, and the end of the silence. */
export interface NewSilence {
  /** A lane, or an account, which stands for all its lanes. */
  readonly scope: string;
  /** End of the silence, by the platform's clock. Resolving ends it sooner. Absent: only resolving ends it. */
  readonly until?: number;
  /** Whether the rule or bot wrote `until: resolved`. Resolving ends the silence in any case. */
  readonly untilResolved: boolean;
}

/** Escalation as the store has it, with its id and the time of its resolution. */
export interface Escalation extends NewEscalation {
  /** Rises in the order of creation; never used twice. */
  readonly id: number;
  /** Time of resolution, by the platform's clock. Absent: the escalation is open. */
  readonly resolvedAt?: number;
}

/** Silence of rules and bots in a lane. It does not apply to the run that escalated. */
export interface Silence {
  /** Id of the escalation. */
  readonly id: number;
  /** The run that escalated. */
  readonly run: string;
  /** End of the silence, by the platform's clock. Absent: the silence lasts until the escalation is resolved. */
  readonly until?: number;
}

/** Filter for a listing of escalations, newest first. */
export interface EscalationQuery {
  readonly id?: number;
  /** Selects only open escalations (true) or only resolved ones (false). */
  readonly open?: boolean;
  readonly queue?: string;
  readonly account?: string;
  /** Person with whom the account deals: user id, or handle in any case, with or without `@`. */
  readonly person?: string;
  /** Only escalations with a smaller id. */
  readonly before?: number;
  readonly limit: number;
}
