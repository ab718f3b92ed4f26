import type { Json } from "../../protocol/json.ts";
import { millisecondsOf } from "./given-duration.ts";
import { plainValue } from "./plain-value.ts";
import type { AskedHandOver } from "./record.ts";

/** What goes with a hand-over to a person, as the step `escalate` of rules has it. */
export interface HandOverOptions {
  /** Who looks after it: a name of your own of letters, digits, `-` and `_`; the bot's name unless given. */
  readonly queue?: string;
  /** `normal` unless given. */
  readonly priority?: "low" | "normal" | "high" | "urgent";
  /** Values to look at, plain data of 20,000 characters as JSON at most. */
  readonly evidence?: unknown;
  /** Rules and bots are silent meanwhile, but for rules with `interrupts: true`, and for what this handler still says. */
  readonly pauseBot?: {
    /** `sender`, the person, unless given. */
    readonly per?: "sender" | "account";
    /** Longest time of the silence, such as `12h`. Resolving the hand-over ends it sooner. */
    readonly for?: string;
    /** Until a person says that it is done. */
    readonly until?: "resolved";
  };
}

const MOST_NOTE = 2_000;
const MOST_EVIDENCE = 20_000;
const QUEUE = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const PRIORITIES = ["low", "normal", "high", "urgent"] as const;

/**
 * A hand-over as it is kept. Bot modules are not all type-checked, so what they give is checked here.
 *
 * @throws {TypeError}
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
    MOST_EVIDENCE,
  );
  return {
    queue: queue ?? bot,
    priority,
    note: shortened(note.trim()),
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
    ...(lasts !== undefined && { forMs: millisecondsOf(lasts, "the pause of ctx.handOver") }),
  };
}

function shortened(note: string): string {
  return note.length <= MOST_NOTE ? note : `${note.slice(0, MOST_NOTE - 1)}…`;
}
