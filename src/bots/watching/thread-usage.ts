import { readFileSync } from "node:fs";

/** What a thread does with the processor. */
export interface ThreadUsage {
  /** Processor time that it has had so far. Milliseconds, in steps of ten. */
  readonly cpuMs: number;
  /** It has something to do: it runs, or would if it were let. Else it waits for something. */
  readonly isRunnable: boolean;
}

/** Linux counts processor time in hundredths of a second for whoever reads it here. */
const TICK_MS = 10;

/** What a thread of this process does; undefined where the system does not tell, or the thread has ended. */
export function threadUsage(systemId: number | undefined): ThreadUsage | undefined {
  if (systemId === undefined) return undefined;
  try {
    const stat = readFileSync(`/proc/self/task/${systemId}/stat`, "latin1");
    // The thread's name may hold anything, also blanks and brackets.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[10]) + Number(fields[11]);
    return Number.isFinite(ticks)
      ? { cpuMs: ticks * TICK_MS, isRunnable: state === "R" }
      : undefined;
  } catch {
    return undefined;
  }
}
