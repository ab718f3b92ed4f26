/**
 * Kills a bot repeatedly, and compares the answers that people got with the answers of the rules: `npm run -s crash --
 * --kills 1000 [--seed S] [--bots N] [--store postgres] [--json]`. Exits with 1 if anything is wrong. `--bugs` plants
 * bugs instead, and exits with 1 if one is not found.
 */
import { parseArgs } from "node:util";
import { undetectedBugs } from "./controls.ts";
import { crash } from "./crash.ts";
import type { Engine } from "./outcome.ts";
import { builtProgram } from "./program.ts";
import { figuresOf, isClean, tableOf } from "./report.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "1000" },
    seed: { type: "string" },
    bots: { type: "string", default: "2" },
    store: { type: "string", default: "sqlite" },
    bugs: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const engine = values.store;
if (engine !== "sqlite" && engine !== "postgres") {
  refuse(`--store is ${JSON.stringify(engine)}: write sqlite or postgres`);
}
const started = performance.now();
const seed = wholeNumber("seed", values.seed ?? String(Date.now() % 1_000_000));
process.stderr.write(`seed ${seed}\n`);
const program = await builtProgram();
try {
  await (values.bugs ? runControls() : runCampaign(engine));
} finally {
  await program.remove();
}

async function runControls(): Promise<void> {
  const undetected = await undetectedBugs(program, seed, (line) =>
    process.stdout.write(`${line}\n`),
  );
  if (undetected.length > 0) process.exitCode = 1;
}

async function runCampaign(store: Engine): Promise<void> {
  const outcome = await crash({
    program,
    kills: wholeNumber("kills", values.kills),
    bots: Math.max(1, wholeNumber("bots", values.bots)),
    seed,
    engine: store,
    say: (line) => void process.stderr.write(`${line}\n`),
  });
  const figures = figuresOf(outcome, seed, (performance.now() - started) / 1_000);
  for (const point of outcome.missed) process.stderr.write(`never reached: ${point}\n`);
  process.stdout.write(values.json ? `${JSON.stringify(figures)}\n` : tableOf(figures));
  if (!isClean(outcome)) process.exitCode = 1;
}

function wholeNumber(name: string, text: string): number {
  if (/^\d+$/u.test(text)) return Number(text);
  return refuse(`--${name} is ${JSON.stringify(text)}: write a whole number, as --${name} 100`);
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
