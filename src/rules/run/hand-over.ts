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

/** Rules and bots are silent meanwhile: for a time, until a person says that it is resolved, or what comes first. */
export interface BotPause {
  readonly per: (typeof PAUSE_PER)[number];
  /** Milliseconds; absent: until it is resolved. */
  readonly forMs?: number;
  readonly untilResolved: boolean;
}
