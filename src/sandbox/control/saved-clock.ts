import { isMissingFile } from "../../system/files/missing-file.ts";
import { readFacts } from "../kernel/world/fact-file.ts";
import { facts, journalHead } from "../kernel/world/fact-journal.ts";
import { journalFile, journalNumbers, storedBeside } from "../kernel/world/load-world.ts";
import { readClock, type WorldHeader } from "../kernel/world/sandbox-world.ts";

/** Clock of a saved world. */
type SavedClock = WorldHeader["clock"];

/**
 * Returns the clock of a sandbox that does not run, as the sandbox will show it at its next start; `undefined` if no
 * world is saved in the file.
 *
 * @param file Path of the saved world.
 * @param machine The machine's time, in milliseconds since the epoch.
 * @throws {Error} if the world is damaged.
 */
export async function savedClock(
  file: string,
  machine: number,
): Promise<Pick<SavedClock, "now" | "offset_ms"> | undefined> {
  const saved = await headerOf(file);
  let clock = saved?.clock;
  const first = saved?.journal ?? 1;
  for (const number of saved?.closed === true ? [] : await journalNumbers(file)) {
    if (number < first) continue;
    const later = await lastClockIn(journalFile(file, number), number === first);
    clock = later ?? clock;
  }
  if (clock === undefined) return undefined;
  const at = clock.frozen ? Date.parse(clock.now) : machine + clock.offset_ms;
  return { now: new Date(at).toISOString(), offset_ms: at - machine };
}

async function headerOf(file: string) {
  try {
    for await (const { value } of readFacts(file)) {
      const { clock, ...beside } = storedBeside.parse(value);
      return { ...beside, clock: readClock(clock) };
    }
  } catch (error) {
    if (!isMissingFile(error)) throw error;
  }
  return undefined;
}

/** Returns the last clock of a journal. @param isFirst Whether the saved world's header has the journal's number. */
async function lastClockIn(file: string, isFirst: boolean): Promise<SavedClock | undefined> {
  let last: unknown;
  for await (const { number: line, value } of readFacts(file)) {
    if (line === 1) {
      const { base, clock } = journalHead.parse(value);
      if (base === "replaced" && !isFirst) return undefined;
      if (base === "nothing") last = clock;
      continue;
    }
    for (const [table, row] of facts.parse(value)) {
      if (table === "" && row !== null && "clock" in row) last = row.clock;
    }
  }
  return last === undefined ? undefined : readClock(last);
}
