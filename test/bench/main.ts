import { guardTemporaryFiles } from "../run/guard.ts";
import { answered } from "./answered/answered.ts";
import { answering } from "./answering/answering.ts";
import { backlog } from "./backlog/backlog.ts";
import { backtest } from "./backtest/backtest.ts";
import { badbots } from "./badbots/badbots.ts";
import { bots } from "./bots/bots.ts";
import { catchup } from "./catchup/catchup.ts";
import { consolePage } from "./console/console.ts";
import { help } from "./help/help.ts";
import { hostile } from "./hostile/hostile.ts";
import { ingest } from "./ingest/ingest.ts";
import { latency } from "./latency/latency.ts";
import { lookup } from "./lookup/lookup.ts";
import { open } from "./open/open.ts";
import { order } from "./order/order.ts";
import { peers } from "./peers/peers.ts";
import { rules } from "./rules/rules.ts";
import { scale } from "./scale/scale.ts";
import { start } from "./start/start.ts";
import { stream } from "./stream/stream.ts";
import { waiting } from "./waiting/waiting.ts";
import { world } from "./world/world.ts";

/** A benchmark, which produces figures by name, and a table for readers. */
export interface Benchmark {
  readonly name: string;
  readonly about: string;
  run(say: (line: string) => void, flags: readonly string[]): Promise<Result>;
}

export interface Result {
  /** Figures by name, printed as a line of JSON with `--json`. */
  readonly figures: Readonly<Record<string, number>>;
  /** Rows of the table; the first is the heading. */
  readonly table: readonly (readonly string[])[];
}

const BENCHMARKS: readonly Benchmark[] = [
  ingest,
  latency,
  answered,
  answering,
  order,
  catchup,
  backlog,
  badbots,
  bots,
  open,
  rules,
  backtest,
  hostile,
  peers,
  waiting,
  world,
  stream,
  start,
  lookup,
  scale,
  consolePage,
  help,
];

const [name, ...flags] = process.argv.slice(2);
const wanted = BENCHMARKS.find((benchmark) => benchmark.name === name);
if (wanted === undefined) {
  const list = BENCHMARKS.map(({ name, about }) => `  ${name.padEnd(10)}${about}\n`).join("");
  process.stderr.write(`usage: npm run -s bench -- NAME [--json]\n\n${list}`);
  process.exit(2);
}
const { guard } = await guardTemporaryFiles("ab-bench-");
const { figures, table } = await wanted.run((line) => process.stderr.write(`${line}\n`), flags);
if (flags.includes("--json")) process.stdout.write(`${JSON.stringify(figures)}\n`);
else {
  const widths =
    table[0]?.map((_, i) => Math.max(...table.map((row) => row[i]?.length ?? 0))) ?? [];
  for (const row of table) {
    const cells = row.map((cell, i) =>
      i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
    );
    process.stdout.write(`${cells.join("  ")}\n`);
  }
}
await guard.end();
