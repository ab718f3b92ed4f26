import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Benchmark } from "../main.ts";

const ENTRIES = 10_000_000;
const ROUNDS = 9;
/**
 * Program that opens a store once. It is a separate process, because the lock on a store's file ends with its process.
 */
const OPEN = fileURLToPath(new URL("./child-open.ts", import.meta.url));
const FILL = fileURLToPath(new URL("./child-fill.ts", import.meta.url));

/**
 * Measures the time from opening the store to the first stored event, with an empty journal and with a long one of
 * decided entries, each followed by a sent item.
 *
 * Each opening is a separate process; the two stores take turns.
 */
export const open: Benchmark = {
  name: "open",
  about: "milliseconds to open a store of 10,000,000 entries (or --entries N), beside an empty one",
  async run(say, flags) {
    const flagIndex = flags.indexOf("--entries");
    const entries = flagIndex === -1 ? ENTRIES : Number(flags[flagIndex + 1]);
    const folder = await mkdtemp(join(tmpdir(), "answerback-open-"));
    try {
      const empty = join(folder, "empty");
      const full = join(folder, "full");
      await run(FILL, empty, "0");
      await run(FILL, full, String(entries));
      const file_mb = Math.round((await stat(join(full, "store.db"))).size / 1_000_000);
      say(`${entries} entries in ${file_mb} MB`);
      const times: Record<"empty" | "full", number[]> = { empty: [], full: [] };
      for (let round = 0; round < ROUNDS; round += 1) {
        times.empty.push(await openOnce(empty));
        times.full.push(await openOnce(full));
        say(`round ${round + 1}  ${times.empty.at(-1)} ms  ${times.full.at(-1)} ms`);
      }
      const empty_ms = median(times.empty);
      const full_ms = median(times.full);
      const ratio = Math.round((full_ms / empty_ms) * 100) / 100;
      return {
        figures: { entries, file_mb, empty_ms, full_ms, ratio },
        table: [
          ["entries in the journal", "opened in (median)"],
          ["none", `${empty_ms} ms`],
          [`${entries}`, `${full_ms} ms`],
          ["ratio", `${ratio}`],
        ],
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function openOnce(folder: string): Promise<number> {
  return Math.round(Number(await run(OPEN, folder)));
}

async function run(script: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...process.execArgv,
    script,
    ...args,
  ]);
  return stdout;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
