import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isExistingFile } from "../system/files/missing-file.ts";

const LAUNCHER = `#!/usr/bin/env node
// Starts the command line from source. \`npm run build\` replaces this file with the built program.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../src/cli/bin.ts", import.meta.url));
const loader = import.meta.resolve("tsx");
const args = ["--conditions=answerback-source", "--import", loader, program, ...process.argv.slice(2)];
// The program ends when the channel closes, however this process ends.
const child = spawn(process.execPath, args, { stdio: ["inherit", "inherit", "inherit", "ipc"] });
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
// A terminal interrupts both processes; a second interrupt would cut the program's end short.
process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
child.once("exit", (code) => (process.exitCode = code ?? 1));
`;

/**
 * Writes the program that package.json names, so that `npx answerback` works in a checkout without a build. Keeps an
 * existing file.
 *
 * @param root Absolute path of the checkout.
 */
export async function writeSourceLauncher(root: string): Promise<void> {
  const folder = join(root, "dist/cli");
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(join(folder, "bin.js"), LAUNCHER, { flag: "wx", mode: 0o755 });
  } catch (error) {
    if (!isExistingFile(error)) throw error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeSourceLauncher(fileURLToPath(new URL("../..", import.meta.url)));
}
