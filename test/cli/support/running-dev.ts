import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readSandboxFile, type SandboxFile } from "../../../src/runtime/platform/sandbox-file.ts";
import { ControlClient } from "../../../src/sandbox/index.ts";
import { begin, run, type Ran, type Running } from "../../support/command-line.ts";
import { FREE_PORTS } from "../../support/own-address.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** A project that `init` has created, and in which `dev` is running. */
export interface RunningDev {
  readonly folder: string;
  readonly file: SandboxFile;
  readonly control: ControlClient;
  readonly running: Running;
  /** Runs a command in the project. */
  run(...args: readonly string[]): Promise<Ran>;
  /** Runs a command in the project with `--json`. @returns The JSON object that it prints. */
  json<T>(...args: readonly string[]): Promise<T>;
  /** Runs a command in the project with `--json`. @returns The JSON objects that it prints, one per line. */
  rows<T>(...args: readonly string[]): Promise<T[]>;
  /** Ends `dev` and removes the project. */
  close(): Promise<Ran>;
}

/** Creates an empty folder. A project in it can import this package. */
export async function emptyFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "answerback-cli-"));
  await mkdir(join(folder, "node_modules"));
  await symlink(ROOT, join(folder, "node_modules", "answerback"));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * Creates a project and starts `dev` in it.
 *
 * @param files Texts that replace files of the template, by path.
 */
export async function runningDev(
  template: "echo" | "faq" = "faq",
  files: Readonly<Record<string, string>> = {},
): Promise<RunningDev> {
  const { folder: parent, remove } = await emptyFolder();
  await run(parent, "init", "bot", "--template", template);
  return devIn(join(parent, "bot"), files, remove);
}

/**
 * Starts `dev` in a copy of this repository's own bot.
 *
 * @param files Texts of additional files, by path.
 */
export async function runningCheckout(
  files: Readonly<Record<string, string>>,
): Promise<RunningDev> {
  const { folder, remove } = await emptyFolder();
  for (const name of ["config", "bots"]) {
    await cp(join(ROOT, name), join(folder, name), { recursive: true });
  }
  // bots import this package's source code, which needs no build
  const paths = { answerback: [join(ROOT, "src/index.ts")] };
  const tsconfig = JSON.stringify({ compilerOptions: { paths } });
  return devIn(folder, { "tsconfig.json": tsconfig, ...files }, remove);
}

async function devIn(
  folder: string,
  files: Readonly<Record<string, string>>,
  remove: () => Promise<void>,
): Promise<RunningDev> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const running = begin({ cwd: folder, env: FREE_PORTS }, ["dev"]);
  await running.until("Try, in another terminal");
  const file = await readSandboxFile(join(folder, "data"));
  if (file === undefined) throw new Error("dev wrote no sandbox.json");
  return {
    folder,
    file,
    control: new ControlClient(file.controlUrl, file.controlToken),
    running,
    run: (...args) => run(folder, ...args),
    async json(...args) {
      const { out, err } = await run(folder, ...args, "--json");
      if (out === "") throw new Error(err);
      return JSON.parse(out);
    },
    async rows<T>(...args: readonly string[]) {
      const { out } = await run(folder, ...args, "--json");
      return out
        .split("\n")
        .filter((line) => line !== "")
        .map((line): T => JSON.parse(line));
    },
    async close() {
      const ran = await running.end();
      await remove();
      return ran;
    },
  };
}
