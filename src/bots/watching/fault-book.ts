import type { BotLogLine } from "../messages.ts";

/** Fault of a bot. */
export interface BotFault {
  /** Name of the bot; absent if the cause is unknown. */
  readonly bot?: string;
  /** Key of the event that was being handled. */
  readonly key?: string;
  /** Message; further lines, such as a stack, may follow the first. */
  readonly message: string;
  /** Place in the author's code, as `file:line:column` or only the file. */
  readonly place?: string;
}

/** Summary of a bot's faults since the start. */
export interface BotTrouble {
  readonly faults: number;
  /** The first line of the latest fault. */
  readonly latest: string;
  readonly place?: string;
  /** Time of the latest fault, in milliseconds since the epoch. */
  readonly at: number;
}

/** Counts the faults of bots, and logs them for the operator. */
export interface FaultBook {
  /** Records a fault. A repetition within {@link AGAIN_AFTER_MS} is counted without being logged. */
  note(fault: BotFault): void;
  of(bot: string): BotTrouble | undefined;
}

export interface FaultBookNeeds {
  readonly tell: (line: BotLogLine) => void;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
}

/** Minimum interval between log lines of the same fault of a bot. */
const AGAIN_AFTER_MS = 60_000;
/** Limit of remembered faults. Beyond it all are forgotten, so the next ones are logged as new. */
const MAX_FAULT_KINDS = 256;

/** Creates a fault book without faults. */
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

/** Removes the stack from a message; the place is logged in a separate field. */
function withoutStack(text: string): string {
  return text.replace(/(\n\s+at .*)+$/, "");
}

/** Part of a message that is the same in repetitions of a fault. */
function gistOf(message: string): string {
  return firstLine(message).replaceAll(/\d+/g, "#").slice(0, 200);
}
