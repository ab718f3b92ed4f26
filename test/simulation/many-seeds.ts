import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { SeedRange } from "./child-seeds.ts";
import { NO_SEEDS, sum, type Tally } from "./tally.ts";

const CHILD = fileURLToPath(new URL("./child-seeds.ts", import.meta.url));

/**
 * Runs seeds in parallel processes, divided among them in turn.
 *
 * @param onSeed Called after each seed with the figures so far.
 * @throws if a process ends before its seeds do.
 */
export async function manySeeds(
  { first, last }: Omit<SeedRange, "step">,
  processes: number,
  onSeed: (tally: Tally) => void,
): Promise<Tally> {
  let all = NO_SEEDS;
  const ranges = Array.from({ length: processes }, (_, n): SeedRange => ({
    first: first + n,
    last,
    step: processes,
  }));
  await Promise.all(
    ranges.map((range) =>
      inChild(range, (tally) => {
        all = sum(all, tally);
        onSeed(all);
      }),
    ),
  );
  return { ...all, failed_seeds: [...all.failed_seeds].sort((a, b) => a - b) };
}

function inChild(range: SeedRange, onTally: (tally: Tally) => void): Promise<void> {
  const wanted = Math.max(0, Math.floor((range.last - range.first) / range.step) + 1);
  return new Promise((resolve, reject) => {
    const child = fork(CHILD, { execArgv: process.execArgv });
    let got = 0;
    child.on("message", (tally: Tally) => {
      got += 1;
      onTally(tally);
    });
    child.on("error", reject);
    child.on("exit", (code) => {
      if (got === wanted) resolve();
      else reject(new Error(`seed ${range.first + got * range.step} ended its process (${code})`));
    });
    child.send(range);
  });
}
