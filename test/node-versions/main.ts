/**
 * Runs the whole suite under other versions of Node: `npm run -s test:nodes [-- 22 24 26]`.
 *
 * Each version is installed once from the npm registry into a cache folder of this user. All versions are run in any
 * case; exits with 1 if the suite fails under one of them.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

const SUPPORTED = ["20", "22", "24", "26"];

const wanted = process.argv.slice(2);
const versions = wanted.length > 0 ? wanted : SUPPORTED;
const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");

const outcomes: string[] = [];
for (const version of versions) {
  const bin = await installedNode(version);
  // With this PATH, npm and the programs that the tests start use the installed version of Node.
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"]}` };
  const node = join(bin, "node");
  const print = "`Node ${process.versions.node}, SQLite ${process.versions.sqlite}`";
  spawnSync(node, ["-p", print], { stdio: "inherit" });
  const { status } = spawnSync(node, ["node_modules/vitest/vitest.mjs", "run"], {
    stdio: "inherit",
    env,
  });
  outcomes.push(`Node ${version}: ${status === 0 ? "passed" : "failed"}`);
  if (status !== 0) process.exitCode = 1;
}
process.stdout.write(`${outcomes.join("\n")}\n`);

/** Installs a version of Node in the cache unless it is there. Returns the folder of its program. */
async function installedNode(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(cache, "answerback", `node-${version}`);
  const bin = join(folder, "node_modules", name, "bin");
  if (existsSync(join(bin, "node"))) return bin;
  await mkdir(folder, { recursive: true });
  const flags = ["--no-save", "--no-audit", "--no-fund", "--prefix", folder];
  const { status } = spawnSync("npm", ["install", ...flags, `${name}@${version}`], {
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`no Node ${version} from the npm registry: ${name}@${version}`);
  return bin;
}
