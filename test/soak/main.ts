/**
 * Runs a bot's day in a minute, with all its disturbances: `npm run -s soak -- --hours 24 [--seed S] [--json]`. `--real
 * 2h --rate 30` instead answers 30 messages a second for two real hours, and prints the growth of each measure. `--only
 * bot-killed,clock-back` limits the disturbances to these, `--log FILE` stores the end of the bot's log. Exits with 1
 * if a person got no answer, or two.
 */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { durationMs } from "../../src/system/duration.ts";
import { isDisturbance } from "./plan.ts";
import { faultLines, figuresOf, tableOf } from "./report.ts";
import { realSoak } from "./real.ts";
import { soak } from "./soak.ts";

const { values } = parseArgs({
  options: {
    hours: { type: "string", default: "24" },
    seed: { type: "string" },
    only: { type: "string" },
    real: { type: "string" },
    rate: { type: "string", default: "30" },
    log: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const startedAt = performance.now();
const hours = wholeNumber("hours", values.hours);
const seed = wholeNumber("seed", values.seed ?? String(Date.now() % 1_000_000));
if (hours < 1) refuse("hours", values.hours);
process.stderr.write(`seed ${seed}\n`);
const say = (line: string): void => void process.stderr.write(`${line}\n`);
if (values.real !== undefined) {
  const rate = wholeNumber("rate", values.rate);
  const { samples: _, ...figures } = await realSoak({
    ms: durationMs(values.real),
    rate,
    seed,
    say,
  });
  process.stdout.write(`${JSON.stringify({ ...figures, real: values.real, rate, seed })}\n`);
  process.exit(figures.answered === figures.messages ? 0 : 1);
}
const only = values.only?.split(",");
const unknown = only?.find((name) => !isDisturbance(name));
if (unknown !== undefined) {
  process.stderr.write(
    `nothing named ${JSON.stringify(unknown)} disturbs a day; see test/soak/plan.ts\n`,
  );
  process.exit(2);
}
const outcome = await soak({ hours, seed, say, ...(only && { only }) });
const seconds = (performance.now() - startedAt) / 1_000;
const figures = figuresOf(outcome, { hours, seed, seconds });
process.stderr.write(faultLines(outcome.faults));
if (values.log !== undefined) await writeFile(values.log, outcome.log);
process.stdout.write(values.json ? `${JSON.stringify(figures)}\n` : tableOf(figures));
if (outcome.faults.length > 0) process.exitCode = 1;

function wholeNumber(name: string, text: string): number {
  if (/^\d+$/u.test(text)) return Number(text);
  return refuse(name, text);
}

function refuse(name: string, text: string): never {
  const quoted = JSON.stringify(text);
  process.stderr.write(`--${name} is ${quoted}: write a whole number, as --${name} 24\n`);
  process.exit(2);
}
