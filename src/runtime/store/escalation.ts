import type { Json } from "../../protocol/json.ts";

/** How urgent it is that a person looks. */
export type EscalationPriority = "low" | "normal" | "high" | "urgent";

/** A person is asked to take over. */
export interface NewEscalation {
  /** Run, step label and iteration: a second one with a known key is dropped. */
  readonly key: string;
  /** The run that asks for it: see `runId`. */
  readonly run: string;
  /** The journal entry that started that run. */
  readonly seq: number;
  readonly account: string;
  readonly lane: string;
  /** The handle of whom the account deals with, without `@`, where it is known. */
  readonly username?: string;
  readonly queue: string;
  readonly priority: EscalationPriority;
  readonly note?: string;
  readonly evidence?: Json;
  /** Now, by the platform's clock. */
  readonly at: number;
  /** Rules and bots are silent meanwhile. */
  readonly silences?: NewSilence;
}

/** Where rules and bots are silent, and until when. */
export interface NewSilence {
  /** A lane, or an account: all its lanes. */
  readonly scope: string;
  /** End by the platform's clock; resolving the escalation ends it sooner. Absent: only resolving ends it. */
  readonly until?: number;
  /** The rule or bot wrote `until: resolved`. Resolving ends the silence either way. */
  readonly untilResolved: boolean;
}

/** An escalation as the store has it. */
export interface Escalation extends NewEscalation {
  /** Rises in the order in which they were made; never used twice. */
  readonly id: number;
  /** By the platform's clock; open, where absent. */
  readonly resolvedAt?: number;
}

/** Rules and bots are silent in a lane, but for the run that said so. */
export interface Silence {
  /** Of the escalation. */
  readonly id: number;
  /** The run that escalated. */
  readonly run: string;
  /** By the platform's clock; for as long as it is listed, where absent. */
  readonly until?: number;
}

/** Which escalations, newest first. */
export interface EscalationQuery {
  readonly id?: number;
  /** Only those that are open, or only those that are resolved. */
  readonly open?: boolean;
  readonly queue?: string;
  readonly account?: string;
  /** The person whom the account deals with: user id, or handle in any case, with or without `@`. */
  readonly person?: string;
  /** Those with a smaller id only. */
  readonly before?: number;
  readonly limit: number;
}
