import type { Json } from "../../protocol/json.ts";

/** Urgency of an escalation, which people see in the list of escalations. */
export type EscalationPriority = "low" | "normal" | "high" | "urgent";

/** Request that a person takes over a conversation from the bot. */
export interface NewEscalation {
  /** Idempotency key: run, step label and iteration. A second escalation with the same key is dropped. */
  readonly key: string;
  /** Id of the run that escalates, built by `runId`. */
  readonly run: string;
  /** Number (`seq`) of the journal entry that started the run. */
  readonly seq: number;
  readonly account: string;
  readonly lane: string;
  /** Handle of the person in the conversation, without `@`, if it is known. */
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

/** Conversations in which rules and bots are silent, and the time at which they may act again. */
export interface NewSilence {
  /** Lane, or an account id for all lanes of the account. */
  readonly scope: string;
  /** End of the silence, by the platform's clock. Resolving ends it sooner. Absent: only resolving ends it. */
  readonly until?: number;
  /** Whether the rule or bot wrote `until: resolved`. Only part of JSON output: resolving always ends the silence. */
  readonly untilResolved: boolean;
}

/** Stored escalation. */
export interface Escalation extends NewEscalation {
  /** Number of the escalation in the order of creation; never used twice. */
  readonly id: number;
  /** Time of resolution, by the platform's clock. Absent: the escalation is open. */
  readonly resolvedAt?: number;
}

/** Silence of rules and bots in a lane after an escalation. The run that escalated may still act. */
export interface Silence {
  /** Id of the escalation. */
  readonly id: number;
  /** Id of the run that escalated. */
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
  /** Person in the conversation: user id, or handle in any case, with or without `@`. */
  readonly person?: string;
  /** Only escalations with an id below this one, for paging. */
  readonly before?: number;
  readonly limit: number;
}
