/**
 * Compares the ledger with the real events of random outages: `npm run -s outages -- [--seeds N] [--from S] [--shape X]
 * [--json]`, or one with `--seed S`. Exits with 1 if the ledger calls time covered although an event is missing
 * (`lied`), a message or mention that reading shows was not received (`lost`), or a person was answered twice
 * (`doubled`).
 */
import { parseArgs } from "node:util";
import { isShape, SHAPE_NAMES } from "./shapes.ts";
import { outageTrial } from "./trial.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "20" },
    from: { type: "string" },
    seed: { type: "string" },
    shape: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const { shape } = values;
if (shape !== undefined && !isShape(shape)) {
  refuse(`no outage is named ${JSON.stringify(shape)}; write one of ${SHAPE_NAMES.join(", ")}`);
}
const first = wholeNumber("from", values.seed ?? values.from ?? String(Date.now() % 1_000_000));
const trials = values.seed === undefined ? wholeNumber("seeds", values.seeds) : 1;
const counts = { lied: 0, lost: 0, doubled: 0 };
const started = performance.now();
let untold = 0;
for (let seed = first; seed < first + trials; seed += 1) {
  const outcome = await outageTrial(seed, { shape });
  untold += outcome.untold;
  const head = `seed ${seed}, ${outcome.shape} by ${outcome.source}`;
  const resultText = `${outcome.done} done, ${outcome.untold} never came`;
  process.stderr.write(`${head}: ${resultText}, ${outcome.faults.length} faults\n`);
  for (const { type, about } of outcome.faults) {
    counts[type] += 1;
    process.stderr.write(`    ${type}: ${about}\n`);
  }
}
const seconds = Math.round((performance.now() - started) / 1_000);
const figures = { trials, ...counts, untold, from: first, seconds };
const lines = Object.entries(figures).map(([name, value]) => `${name.padEnd(8)} ${value}\n`);
process.stdout.write(values.json ? `${JSON.stringify(figures)}\n` : lines.join(""));
process.exit(counts.lied + counts.lost + counts.doubled > 0 ? 1 : 0);

function wholeNumber(name: string, text: string): number {
  if (/^\d+$/u.test(text)) return Number(text);
  return refuse(`--${name} is ${JSON.stringify(text)}: write a whole number, as --${name} 20`);
}

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
}
