import { simulate } from "./simulate.ts";
import { tallyOf } from "./tally.ts";

/** Seeds that a child process runs: every `step`-th from `first` up to `last`. */
export interface SeedRange {
  readonly first: number;
  readonly last: number;
  readonly step: number;
}

// Runs one seed after the other, and waits until each result has been sent to the parent process.
process.once("message", (range: SeedRange) => {
  void run(range);
});

async function run({ first, last, step }: SeedRange): Promise<void> {
  for (let seed = first; seed <= last; seed += step) {
    const tally = tallyOf(await simulate({ seed }));
    await new Promise((sent) => process.send?.(tally, sent));
  }
  process.disconnect();
}
