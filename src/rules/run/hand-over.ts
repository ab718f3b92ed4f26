import type { Json } from "../../protocol/json.ts";

/** How urgent it is that a person looks. */
export const PRIORITIES = ["low", "normal", "high", "urgent"] as const;

/** What bots can be silent for together. */
export const PAUSE_PER = ["sender", "conversation", "account"] as const;

/** A person is to take over. */
export interface HandOver {
  /** Who looks after it: a name of the operator's own. */
  readonly queue: string;
  readonly priority: (typeof PRIORITIES)[number];
  readonly note?: string;
  readonly evidence?: Json;
  readonly pause?: BotPause;
}

/** Silence of rules and bots during a hand-over. It ends when a person resolves the hand-over, or sooner by its time. */
export interface BotPause {
  readonly per: (typeof PAUSE_PER)[number];
  /** Milliseconds; absent: until it is resolved. */
  readonly forMs?: number;
  /** The rule or bot wrote `until: resolved`. Resolving ends the silence either way. */
  readonly untilResolved: boolean;
}
