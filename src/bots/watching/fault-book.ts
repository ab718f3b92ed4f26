import type { BotLogLine } from "../messages.ts";

/** Something a bot did wrong. */
export interface BotFault {
  /** Absent where it is not known whose fault it was. */
  readonly bot?: string;
  /** Key of the event. */
  readonly key?: string;
  /** What happened; more lines, as of a stack, may follow the first. */
  readonly message: string;
  /** Where in the author's code, as `file:line:column`; less where less is known. */
  readonly place?: string;
}

/** What a bot did wrong since the start. */
export interface BotTrouble {
  readonly faults: number;
  /** The first line of the latest fault. */
  readonly latest: string;
  readonly place?: string;
  /** When that was, in milliseconds since the epoch. */
  readonly at: number;
}

/** Keeps what bots do wrong, and tells the operator of it. */
export interface FaultBook {
  /** Notes a fault. One that was told a short while ago is counted only. */
  note(fault: BotFault): void;
  of(bot: string): BotTrouble | undefined;
}

export interface FaultBookNeeds {
  readonly tell: (line: BotLogLine) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The same fault of the same bot is told so often at most. */
const AGAIN_AFTER_MS = 60_000;
/** Kinds of faults that are remembered; what comes beyond is told as something new. */
const MOST_KINDS = 256;

/** A book with nothing in it. */
export function faultBook({ tell, now }: FaultBookNeeds): FaultBook {
  const told = new Map<string, { at: number; since: number }>();
  const troubles = new Map<string, BotTrouble>();

  const times = (fault: BotFault): number => {
    const kind = `${fault.bot ?? ""} ${fault.place ?? ""} ${gistOf(fault.message)}`;
    const before = told.get(kind);
    const at = performance.now();
    if (before !== undefined && at - before.at < AGAIN_AFTER_MS) {
      before.since += 1;
      return 0;
    }
    if (told.size >= MOST_KINDS) told.clear();
    told.set(kind, { at, since: 0 });
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

/** What happened, in as many lines as its author wrote; where it was is told beside it. */
function withoutStack(text: string): string {
  return text.replace(/(\n\s+at .*)+$/, "");
}

/** What two messages of the same fault have in common. */
function gistOf(message: string): string {
  return firstLine(message).replaceAll(/\d+/g, "#").slice(0, 200);
}
