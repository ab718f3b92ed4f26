/**
 * Runs the store's tests under a newer Node, which brings `node:sqlite`: on Node 20 they run with
 * libsql. The newer Node comes from the npm registry into a cache folder of this user, once.
 *
 * `npm run -s test:newer-node [-- 22]`
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

const version = process.argv[2] ?? "24";
const name = `node-${process.platform}-${process.arch}`;
const cache = join(
  process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
  "answerback",
  `node-${version}`,
);
const node = join(cache, "node_modules", name, "bin", "node");

if (!existsSync(node)) {
  await mkdir(cache, { recursive: true });
  const wanted = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", cache];
  must(spawnSync("npm", [...wanted, `${name}@${version}`], { stdio: "inherit" }));
}
must(
  spawnSync(node, ["-p", "`Node ${process.versions.node}, SQLite ${process.versions.sqlite}`"], {
    stdio: "inherit",
  }),
);
const tests = ["sqlite", "model", "migration", "waiting"].map(
  (test) => `test/runtime/store/${test}.test.ts`,
);
must(spawnSync(node, ["node_modules/vitest/vitest.mjs", "run", ...tests], { stdio: "inherit" }));

function must({ status }: { readonly status: number | null }): void {
  if (status !== 0) process.exit(status ?? 1);
}
