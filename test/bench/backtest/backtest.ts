import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Benchmark } from "../main.ts";
import { round2, wholeNumber } from "../numbers.ts";

const EVENTS = wholeNumber("EVENTS", 1_000_000);
const RULES = wholeNumber("RULES", 200);
const FILL = fileURLToPath(new URL("./child-fill.ts", import.meta.url));
const BACKTEST = fileURLToPath(new URL("./child-backtest.ts", import.meta.url));

interface Took {
  readonly code: number;
  readonly s: number;
  readonly cpu_s: number;
  readonly rss_mb: number;
  readonly summary: Readonly<Record<"events" | "same" | "changed" | "new" | "gone", number>>;
}

/**
 * Measures the time and memory of a backtest: the journal of a busy day runs through two sets of rules, which answer
 * half of its messages.
 */
export const backtest: Benchmark = {
  name: "backtest",
  about: "1,000,000 messages (or EVENTS=N) through 200 rules (RULES=N) and their edited copy",
  async run(say) {
    const folder = await mkdtemp(join(tmpdir(), "answerback-backtest-"));
    try {
      await run(FILL, folder, String(EVENTS), String(RULES));
      say(`${EVENTS} messages are in the journal`);
      const { code, s, cpu_s, rss_mb, summary }: Took = JSON.parse(await run(BACKTEST, folder));
      if (code !== 3 || summary.events !== EVENTS) {
        throw new Error(`it ended with ${code}: ${JSON.stringify(summary)}`);
      }
      const figures = {
        events: EVENTS,
        rules: RULES,
        seconds: round2(s),
        cpu_seconds: round2(cpu_s),
        events_per_s: Math.round(EVENTS / s),
        cpu_us_per_event: round2((cpu_s * 1e6) / EVENTS),
        peak_rss_mb: rss_mb,
        answered: summary.same + summary.changed + summary.new + summary.gone,
        differences: summary.changed + summary.new + summary.gone,
      };
      const table = Object.entries(figures).map(([name, value]) => [name, String(value)]);
      return { figures, table: [["", "backtest"], ...table] };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function run(script: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...process.execArgv,
    script,
    ...args,
  ]);
  return stdout;
}
