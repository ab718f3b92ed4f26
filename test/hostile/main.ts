/**
 * Attacks a bot while the platform delivers to it: `npm run -s hostile -- --requests 200000 [--seed S] [--json]`. Exits
 * with 1 if anything is wrong.
 *
 * Runs commands on hostile projects and backups: `npm run -s hostile -- --files 5000 [--seed S] [--json]`.
 */
import { parseArgs } from "node:util";
import { hostileFiles } from "./files.ts";
import { hostile, type HostileFigures } from "./hostile.ts";

const LOG_BYTES = 2_000;
const LOGGED_EVERY_S = 30;

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "200000" },
    files: { type: "string" },
    seed: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const seed = wholeNumber("seed", values.seed ?? String(Date.now() % 1_000_000));
process.stderr.write(`seed ${seed}\n`);
const say = (line: string): void => void process.stderr.write(`${line}\n`);
if (values.files === undefined) await attackBot();
else await attackCommands(wholeNumber("files", values.files));

async function attackBot(): Promise<void> {
  const figures = await hostile({ requests: wholeNumber("requests", values.requests), seed, say });
  print(figures);
  if (!isUnhurt(figures)) process.exitCode = 1;
}

async function attackCommands(files: number): Promise<void> {
  const figures = await hostileFiles({ files, seed, say });
  print(figures);
  if (figures.escaped + figures.printed + figures.executed > 0) process.exitCode = 1;
}

function print(figures: object): void {
  process.stdout.write(values.json ? `${JSON.stringify(figures)}\n` : tableOf(figures));
}

/** Allowed differences: memory may grow by a tenth, and the log has some lines for each half a minute. */
function isUnhurt(seen: HostileFigures): boolean {
  return (
    seen.journaled === 0 &&
    seen.signed_taken === seen.signed_sent &&
    seen.rss_ratio < 1.1 &&
    seen.log_bytes < LOG_BYTES * (1 + seen.seconds / LOGGED_EVERY_S) &&
    seen.exit_code === 0
  );
}

function tableOf(seen: object): string {
  const rows = Object.entries(seen).map(([name, value]) => `${name.padEnd(14)} ${value}\n`);
  return rows.join("");
}

function wholeNumber(name: string, text: string): number {
  if (/^\d+$/u.test(text)) return Number(text);
  process.stderr.write(
    `--${name} is ${JSON.stringify(text)}: write a whole number, as --${name} 100\n`,
  );
  process.exit(2);
}
