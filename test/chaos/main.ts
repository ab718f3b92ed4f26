/**
 * Disturbs several processes of one bot on one PostgreSQL store, and compares the answers that people got with those of
 * the rules: `npm run -s chaos -- --rounds 30 [--seed S] [--json] [--rolling] [--control NAME] [--logs FOLDER]`. Exits
 * with 1 if an answer is wrong. `--control` plants a bug, and exits with 1 if no doubled answer reveals it.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundled } from "../support/bundle.ts";
import { CONTROLS, isControl } from "./controls.ts";
import { faultsText, figuresOf } from "./report.ts";
import { PROGRAM } from "./rig.ts";
import { round, type RoundOutcome } from "./round.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "30" },
    seed: { type: "string" },
    rolling: { type: "boolean", default: false },
    control: { type: "string" },
    logs: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const started = performance.now();
const rounds = wholeNumber("rounds", values.rounds);
const first = wholeNumber("seed", values.seed ?? String(Date.now() % 1_000_000));
const control = values.control;
if (control !== undefined && !isControl(control)) {
  refuse(
    `--control is ${JSON.stringify(control)}: write one of ${Object.keys(CONTROLS).join(", ")}`,
  );
}
const say = (line: string): void => void process.stderr.write(`${line}\n`);
say(`seed ${first}`);
const bundle = await bundled([PROGRAM]);
const outcomes: RoundOutcome[] = [];
try {
  for (let n = 0; n < rounds; n += 1) {
    const began = performance.now();
    // Round n uses the seed plus n, so `--seed` with a round's printed seed repeats this round first.
    const seed = first + n;
    const outcome = await round({
      bundle,
      seed,
      control,
      rolling: values.rolling,
      logs: values.logs && join(values.logs, String(seed)),
    });
    outcomes.push(outcome);
    process.stderr.write(faultsText(outcome, seed));
    const { acknowledged, faults, restMs } = outcome;
    const rest = (restMs / 1_000).toFixed(1);
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    say(
      `round ${n + 1}, seed ${seed}: ${acknowledged} acknowledged, ${faults.length} faults (${seconds} s, ${rest} to rest)`,
    );
    if (control !== undefined && figuresOf([outcome], seed, 0).doubled > 0) break;
  }
} finally {
  await bundle.remove();
}
const figures = figuresOf(outcomes, first, (performance.now() - started) / 1_000);
process.stdout.write(`${JSON.stringify(figures, null, values.json ? undefined : 2)}\n`);
// Open connections to killed processes would keep this process alive.
process.exit(verdict());

function verdict(): number {
  const { lost, doubled, muted, out_of_order, unknown, refused } = figures;
  if (control !== undefined) {
    if (doubled > 0) return 0;
    say(`nothing was doubled with ${control}: these rounds are too weak to say anything`);
    return 1;
  }
  const wrong = lost + doubled + muted + out_of_order + unknown + (values.rolling ? refused : 0);
  return wrong === 0 ? 0 : 1;
}

function wholeNumber(name: string, text: string): number {
  if (/^\d+$/u.test(text)) return Number(text);
  return refuse(`--${name} is ${JSON.stringify(text)}: write a whole number, as --${name} 30`);
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
