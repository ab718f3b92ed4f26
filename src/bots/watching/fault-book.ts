import type { BotLogLine } from "../messages.ts";

/** Error in a bot's code, such as an exception of a handler, or the loss of the bot's thread. */
export interface BotFault {
  /** Name of the bot; absent if the cause is unknown. */
  readonly bot?: string;
  /** Key of the event that the bot was handling. */
  readonly key?: string;
  /** Message of the fault. Further lines may follow the first one, such as a stack. */
  readonly message: string;
  /** Place in the author's code, as `file:line:column`, or only the file. */
  readonly place?: string;
}

/** Number of a bot's faults since the start of the process, with the latest fault. */
export interface BotTrouble {
  readonly faults: number;
  /** First line of the latest fault's message. */
  readonly latest: string;
  readonly place?: string;
  /** Time of the latest fault, in milliseconds since the epoch. */
  readonly at: number;
}

/** Counts the faults of bots, and logs them. */
export interface FaultBook {
  /** Records a fault. If the same fault is repeated within {@link AGAIN_AFTER_MS}, it is counted but not logged. */
  note(fault: BotFault): void;
  of(bot: string): BotTrouble | undefined;
}

export interface FaultBookNeeds {
  readonly tell: (line: BotLogLine) => void;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
}

/** Minimum interval in milliseconds between two log lines about the same fault of a bot. */
const AGAIN_AFTER_MS = 60_000;
/**
 * Maximum number of faults that are remembered. With more, all are forgotten, and the next ones are logged like new
 * faults.
 */
const MAX_FAULT_KINDS = 256;

/** Creates a fault book that has no faults. */
export function faultBook({ tell, now }: FaultBookNeeds): FaultBook {
  const loggedFaults = new Map<string, { at: number; since: number }>();
  const troubles = new Map<string, BotTrouble>();

  const times = (fault: BotFault): number => {
    const kind = `${fault.bot ?? ""} ${fault.place ?? ""} ${gistOf(fault.message)}`;
    const before = loggedFaults.get(kind);
    const at = performance.now();
    if (before !== undefined && at - before.at < AGAIN_AFTER_MS) {
      before.since += 1;
      return 0;
    }
    if (loggedFaults.size >= MAX_FAULT_KINDS) loggedFaults.clear();
    loggedFaults.set(kind, { at, since: 0 });
    return 1 + (before?.since ?? 0);
  };

  return {
    note(fault) {
      const { bot, key, message, place } = fault;
      if (bot !== undefined) {
        const faults = 1 + (troubles.get(bot)?.faults ?? 0);
        const latest = firstLine(message);
        troubles.set(bot, { faults, latest, at: now(), ...(place !== undefined && { place }) });
      }
      const count = times(fault);
      if (count === 0) return;
      tell({
        type: "log",
        level: "error",
        ...(bot !== undefined && { bot }),
        ...(key !== undefined && { key }),
        message: withoutStack(message),
        fields: { ...(place !== undefined && { place }), ...(count > 1 && { times: count }) },
      });
    },
    of: (bot) => troubles.get(bot),
  };
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

/** Removes the stack from a message. The place of the fault is a separate field of the log line. */
function withoutStack(text: string): string {
  return text.replace(/(\n\s+at .*)+$/, "");
}

/** Returns the part of a message that stays the same when a fault is repeated: digits are replaced. */
function gistOf(message: string): string {
  return firstLine(message).replaceAll(/\d+/g, "#").slice(0, 200);
}
