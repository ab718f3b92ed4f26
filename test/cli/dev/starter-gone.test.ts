import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { isAnswering, readSandboxFile } from "../../../src/runtime/platform/sandbox-file.ts";
import { isAlive } from "../../../src/system/is-alive.ts";
import { FREE_PORTS } from "../../support/own-address.ts";
import { when } from "../../support/when.ts";
import { emptyFolder } from "../support/running-dev.ts";

const BIN = fileURLToPath(new URL("../../../src/cli/bin.ts", import.meta.url));
const TSX = import.meta.resolve("tsx");

/** Starts `dev` with `npm start` in a new folder, and waits until it is ready. */
async function startedByNpm() {
  const { folder, remove } = await emptyFolder();
  const start = `node --conditions=answerback-source --import ${TSX} "${BIN}" dev`;
  await writeFile(join(folder, "package.json"), JSON.stringify({ scripts: { start } }));
  await mkdir(join(folder, "rules"));
  const npm = spawn("npm", ["start"], {
    cwd: folder,
    env: { ...process.env, ...FREE_PORTS },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    npm.once("exit", (code) => reject(new Error(`npm ended with ${code}`)));
    let printed = "";
    npm.stdout.on("data", (text) => {
      printed += String(text);
      if (printed.includes("Ctrl-C ends both")) resolve();
    });
  });
  const file = await readSandboxFile(join(folder, "data"));
  if (file === undefined) throw new Error("dev wrote no sandbox.json");
  return { npm, file, remove };
}

it("dev ends when the npm that started it ends", async () => {
  const { npm, file, remove } = await startedByNpm();
  expect(await isAnswering(file)).toBe(true);

  npm.kill("SIGTERM");

  // Until the process has ended, it may still write into the folder.
  const ended = await when(() => (isAlive(file.pid) ? undefined : true));
  expect(ended).toBe(true);
  await remove();
});
