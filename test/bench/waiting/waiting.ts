import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Benchmark } from "../main.ts";
import { quantile, round2, wholeNumber } from "../numbers.ts";

const RUNS = wholeNumber("RUNS", 1_000_000);
const ROUNDS = wholeNumber("ROUNDS", 5);
const FEW = 10;
const FILL = fileURLToPath(new URL("./child-fill.ts", import.meta.url));
const ANSWER = fileURLToPath(new URL("./child-answer.ts", import.meta.url));

interface Answered {
  readonly rss_mb: number;
  readonly open_ms: number;
  readonly decide_ms: number;
}

/**
 * Measures the cost of a million waiting conversations: the memory, and the time until the next message of one is
 * decided. It is compared with a store in which ten conversations wait. Each round is a separate process; the two
 * stores take turns.
 */
export const waiting: Benchmark = {
  name: "waiting",
  about: "1,000,000 conversations that wait (or RUNS=N): memory, and the next message of one",
  async run(say) {
    const folder = await mkdtemp(join(tmpdir(), "answerback-waiting-"));
    try {
      const [few, many] = [join(folder, "few"), join(folder, "many")];
      await run(FILL, many, String(RUNS));
      const rounds: { readonly few: Answered; readonly many: Answered }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const fresh = `${few}-${round}`;
        await run(FILL, fresh, String(FEW));
        const one = {
          few: await answer(fresh, FEW, round),
          many: await answer(many, RUNS, round),
        };
        rounds.push(one);
        say(`round ${round + 1}  ${JSON.stringify(one)}`);
      }
      const median = (of: "few" | "many", figure: keyof Answered): number =>
        quantile(
          rounds.map((one) => one[of][figure]),
          0.5,
        );
      const rss_added_mb = median("many", "rss_mb") - median("few", "rss_mb");
      const decide_ratio = round2(median("many", "decide_ms") / median("few", "decide_ms"));
      const open_ms = median("many", "open_ms");
      const row = (name: string, of: "few" | "many"): readonly string[] => [
        name,
        `${median(of, "rss_mb")} MB`,
        `${median(of, "decide_ms")} ms`,
        `${median(of, "open_ms")} ms`,
      ];
      return {
        figures: { runs: RUNS, rss_added_mb, decide_ratio, open_ms },
        table: [
          ["waiting conversations", "memory", "next message decided", "opened"],
          row(String(FEW), "few"),
          row(String(RUNS), "many"),
        ],
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function answer(folder: string, runs: number, round: number): Promise<Answered> {
  const answered: Answered = JSON.parse(await run(ANSWER, folder, String(runs), String(round)));
  return answered;
}

async function run(script: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...process.execArgv,
    script,
    ...args,
  ]);
  return stdout;
}
