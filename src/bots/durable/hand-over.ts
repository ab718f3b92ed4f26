import type { Json } from "../../protocol/json.ts";
import { lifetimeOf } from "./given-duration.ts";
import { plainValue } from "./plain-value.ts";
import type { AskedHandOver } from "./record.ts";

/** Options of a hand-over to a person, as for the step `escalate` of rules. */
export interface HandOverOptions {
  /** Name of the queue: letters, digits, `-` and `_`; default: the bot's name. */
  readonly queue?: string;
  /** Urgency; default `normal`. */
  readonly priority?: "low" | "normal" | "high" | "urgent";
  /** Values for the person who takes over: plain data of up to 20,000 characters as JSON. */
  readonly evidence?: unknown;
  /**
   * Keeps rules and bots from answering. Exceptions: rules with `interrupts: true`, and further answers of this
   * handler.
   */
  readonly pauseBot?: {
    /**
     * Scope of the pause: `sender` (the default) for this person only, `account` for all people who write to the
     * account.
     */
    readonly per?: "sender" | "account";
    /** Maximum duration of the pause, such as `12h`. If the hand-over is resolved earlier, the pause ends then. */
    readonly for?: string;
    /** Makes the pause last until a person resolves the hand-over. */
    readonly until?: "resolved";
  };
}

const MAX_NOTE_CHARACTERS = 2_000;
const MAX_EVIDENCE_CHARACTERS = 20_000;
const QUEUE = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const PRIORITIES = ["low", "normal", "high", "urgent"] as const;

/**
 * Returns a hand-over in its stored form. Arguments are checked, because bot modules may be untyped.
 *
 * @throws {TypeError} if an option is invalid.
 */
export function handOverOf(
  note: string,
  { queue, priority = "normal", evidence, pauseBot }: HandOverOptions = {},
  bot: string,
): AskedHandOver {
  if (typeof note !== "string" || note.trim() === "") {
    throw new TypeError(
      `ctx.handOver takes what a person should know, got ${JSON.stringify(note)}`,
    );
  }
  if (queue !== undefined && !(typeof queue === "string" && QUEUE.test(queue))) {
    throw new TypeError(
      `the queue of ctx.handOver is up to 64 letters, digits, "-" or "_" and begins with a letter, got ${JSON.stringify(queue)}`,
    );
  }
  if (!PRIORITIES.includes(priority)) {
    throw new TypeError(
      `the priority of ctx.handOver is one of ${PRIORITIES.join(", ")}, got ${JSON.stringify(priority)}`,
    );
  }
  const shown: Json | undefined = plainValue(
    evidence,
    "the evidence of ctx.handOver",
    MAX_EVIDENCE_CHARACTERS,
  );
  return {
    queue: queue ?? bot,
    priority,
    // PostgreSQL stores no text with a NUL character, which a person's message may contain.
    note: shortened(note.trim().replaceAll("\0", "\uFFFD")),
    ...(shown !== undefined && { evidence: shown }),
    ...(pauseBot && { pause: pauseOf(pauseBot) }),
  };
}

function pauseOf({
  per = "sender",
  for: lasts,
  until,
}: NonNullable<HandOverOptions["pauseBot"]>): AskedHandOver["pause"] & {} {
  if (per !== "sender" && per !== "account") {
    throw new TypeError(`pauseBot is per "sender" or "account", got ${JSON.stringify(per)}`);
  }
  if (lasts === undefined && until !== "resolved") {
    throw new TypeError(
      'pauseBot does not say how long: write { for: "12h", until: "resolved" }, or one of the two',
    );
  }
  return {
    per,
    untilResolved: until === "resolved",
    ...(lasts !== undefined && { forMs: lifetimeOf(lasts, "the pause of ctx.handOver") }),
  };
}

function shortened(note: string): string {
  return note.length <= MAX_NOTE_CHARACTERS ? note : `${note.slice(0, MAX_NOTE_CHARACTERS - 1)}…`;
}
