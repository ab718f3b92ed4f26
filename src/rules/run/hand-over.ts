import type { Json } from "../../protocol/json.ts";

/** Urgency of a hand-over to a person, lowest first. */
export const PRIORITIES = ["low", "normal", "high", "urgent"] as const;

/** Scopes in which an escalation can silence rules and bots. */
export const PAUSE_PER = ["sender", "conversation", "account"] as const;

/** Request for a person to take over. */
export interface HandOver {
  /** Queue of people: a name that the operator chooses. */
  readonly queue: string;
  readonly priority: (typeof PRIORITIES)[number];
  readonly note?: string;
  readonly evidence?: Json;
  readonly pause?: BotPause;
}

/** Silence of rules and bots during a hand-over. It ends when a person resolves the hand-over, or after `forMs`. */
export interface BotPause {
  readonly per: (typeof PAUSE_PER)[number];
  /** Duration in milliseconds; absent: until the hand-over is resolved. */
  readonly forMs?: number;
  /** Whether the rule or bot wrote `until: resolved`. Resolving ends the silence in any case. */
  readonly untilResolved: boolean;
}
