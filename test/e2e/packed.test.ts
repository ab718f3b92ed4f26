// @module-tag registry
import { execFile, spawn } from "node:child_process";
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { glob } from "tinyglobby";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TEMPLATE_NAMES } from "../../src/cli/init/project-template.ts";
import { deadLinks } from "../docs/links.ts";
import { LanguageServer } from "../docs/language-server.ts";
import { LONG_HANG_MS } from "../support/hang-limit.ts";
import { withoutOurs } from "../support/without-ours.ts";
import { FREE_PORTS } from "../support/own-address.ts";

/** Runs a program as a new user would, without environment variables of the toolkit. */
const execute = (
  program: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
) => promisify(execFile)(program, args, { cwd, env: { ...withoutOurs(process.env), ...env } });
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/**
 * Packages that a project installs together with this one. `ours` is the package's folder in this repository, if it has
 * another name.
 */
const OTHERS: readonly (readonly [name: string, ours?: string])[] = [
  ["typescript", "typescript-native"],
  ["@types/node"],
  ["chat"],
  ["ai"],
  ["@ai-sdk/openai-compatible"],
];
const COMPILED = {
  target: "es2023",
  module: "nodenext",
  types: ["node"],
  strict: true,
  noEmit: true,
};
/** Modules that the package exports, as the part of the import after the package's name. */
const ENTRIES = ["", "/client", "/sandbox", "/chat-sdk", "/testing"];

describe.concurrent("the packed package, installed in an empty folder", () => {
  let folder: string;
  let saidByNpx: { readonly stdout: string };
  let packed: PackReport;
  /** Runs a program of the installation, as `npx` does. */
  const installed = (program: string, args: readonly string[], cwd: string) =>
    execute(join(folder, "node_modules/.bin", program), args, { cwd });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "answerback-packed-"));
    await mkdir(join(folder, "bot"));
    // `npm pack` would check the types first, which `npm run check` does.
    await execute("npm", ["run", "build"], { cwd: ROOT });
    const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
    packed = JSON.parse((await execute("npm", pack, { cwd: ROOT })).stdout)[0];
    // npx would leave its installation in the user's cache. The test gives it another cache, which shares only the
    // downloads.
    const cache = join(folder, "npm");
    await mkdir(cache);
    const { stdout } = await execute("npm", ["config", "get", "cache"], { cwd: folder });
    await symlink(join(stdout.trim(), "_cacache"), join(cache, "_cacache"));
    const empty = join(folder, "npx");
    await mkdir(empty);
    const line = "answerback init . --yes && answerback check && answerback test";
    const args = [
      "--yes",
      "--prefer-offline",
      `--package=${join(folder, packed.filename)}`,
      "-c",
      line,
    ];
    saidByNpx = await execute("npx", args, {
      cwd: empty,
      env: { npm_config_cache: cache },
    });
    // Installing takes longest, so the other tests use the installation of npx.
    const [installation = ""] = await readdir(join(cache, "_npx"));
    await rename(join(cache, "_npx", installation, "node_modules"), join(folder, "node_modules"));
    for (const [name, ours = name] of OTHERS) await link(name, ours);
    await symlink("../typescript/bin/tsc", join(folder, "node_modules/.bin/tsc"));
  }, LONG_HANG_MS);
  /** Installs a package of this repository in the folder, too. */
  const link = async (name: string, ours: string): Promise<void> => {
    const path = join(folder, "node_modules", name);
    await mkdir(dirname(path), { recursive: true });
    await symlink(join(ROOT, "node_modules", ours), path, "dir");
  };
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("creates a project whose bot answers by a rule and by TypeScript", async () => {
    const cwd = join(folder, "bot");
    await installed("answerback", ["init", ".", "--template", "echo"], cwd);
    const dev = spawn("npx", ["answerback", "dev"], {
      cwd,
      env: { ...withoutOurs(process.env), ...FREE_PORTS },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    // npx may end first; the pipes close when the last process of the group has ended.
    const ended = new Promise((resolve) => dev.once("close", resolve));
    try {
      let said = "";
      dev.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
      await new Promise<void>((resolve, reject) => {
        createInterface(dev.stdout).on("line", (line) => {
          if (line.includes("Try, in another terminal")) resolve();
        });
        dev.once("exit", (code) => reject(new Error(`dev ended with ${code}: ${said}`)));
      });

      const rule = await installed("answerback", ["send", "@ana", "hello"], cwd);
      const bot = await installed("answerback", ["send", "@ana", "nice weather"], cwd);

      expect(rule.stdout).toContain("Hello Ana! Write me anything");
      expect(bot.stdout).toBe("@hello_bot: You said: nice weather\n");
    } finally {
      endGroup(dev.pid);
      await ended;
    }
  });

  it("runs with npx without an installation", () => {
    // this command runs only if the check has found nothing
    expect(saidByNpx.stdout).toMatch(/\d+ passed, 0 failed/);
  });

  it("exports the same from each module as the sources", async () => {
    const code = `
      const modules = ${JSON.stringify(ENTRIES)}.map((entry) => import("answerback" + entry));
      console.log(JSON.stringify((await Promise.all(modules)).map((one) => Object.keys(one).sort())));`;
    const args = ["--input-type=module", "--eval", code];
    const { stdout } = await execute(process.execPath, args, { cwd: folder });
    const names = ENTRIES.map((entry) => exportedNames(join(ROOT, `src${entry}/index.ts`)));

    expect(JSON.parse(stdout)).toEqual(await Promise.all(names));
  });

  it("has all types of its exports", async () => {
    const cwd = join(folder, "types");
    await mkdir(cwd);
    const lines = ENTRIES.map((entry, at) => `export * as e${at} from "answerback${entry}";`);
    await writeFile(join(cwd, "all.mts"), lines.join("\n"));
    const options = { ...COMPILED, skipLibCheck: false };
    await writeFile(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));

    // Libraries are checked too, so a declaration that imports a missing declaration is an error.
    const { stdout } = await installed("tsc", ["--singleThreaded"], cwd);

    expect(stdout).toBe("");
  });

  it("has the guide, the reference and the examples, without dead links", async () => {
    const root = join(folder, "node_modules/answerback");
    const documents = await glob(["*.md", "{bots,config,examples}/**/*.md"], { cwd: root });
    const { stdout } = await installed("answerback", ["docs", "post at nine", "--json"], folder);

    expect(documents.length).toBeGreaterThan(80);
    expect(await deadLinks(root, documents)).toEqual([]);
    expect(JSON.parse(stdout.split("\n")[0] ?? "").path).toBe(
      "node_modules/answerback/config/guide/rules/post-at-nine.md",
    );
  });

  it("is at most 3 MB in 600 files", () => {
    expect(packed.size).toBeLessThan(3_000_000);
    expect(packed.entryCount).toBeLessThanOrEqual(600);
  });

  it("has only files for which CONTRIBUTING.md gives a reason", async () => {
    const root = join(folder, "node_modules/answerback");
    const rows = await reasonsInTable();
    const groups = await Promise.all(
      rows.map(async ({ patterns, most }) => ({
        most,
        patterns,
        files: await glob([...patterns], { cwd: root, dot: true }),
      })),
    );
    const grouped = groups.flatMap(({ files }) => files);

    expect(grouped.toSorted()).toEqual(packed.files.map(({ path }) => path).toSorted());
    expect(groups.filter(({ files, most }) => files.length > most)).toEqual([]);
    expect(groups.filter(({ files }) => files.length === 0)).toEqual([]);
  });

  it("lets a shell complete commands", async () => {
    const script = [
      "source <(npx answerback completion bash)",
      'COMP_WORDS=(answerback outbox list --status "") COMP_CWORD=4',
      "_answerback",
      'echo "${COMPREPLY[@]}"',
    ];
    const { stdout } = await execute("bash", ["-c", script.join("\n")], { cwd: folder });

    expect(stdout).toContain("pending");
  });

  it("lets an editor complete a rule of a new project", async () => {
    const cwd = join(folder, "edited");
    await mkdir(cwd);
    await installed("answerback", ["init", ".", "--template", "faq"], cwd);
    const file = join(cwd, "rules/questions.yaml");
    const written = `${await readFile(file, "utf8")}\n  - id: mine\n    conditions:\n      - message.text:\n          `;
    const server = await LanguageServer.start();
    try {
      const uri = pathToFileURL(file).href;
      const at = { line: written.split("\n").length - 1, character: 10 };
      void server.open(uri, written);
      const offers = await server.complete(uri, at);

      expect(offers.map(({ label }) => label)).toEqual(
        expect.arrayContaining(["contains_word", "matches", "cased"]),
      );
    } finally {
      await server.stop();
    }
  });

  it("lets the example assistant pass its own tests, with a simulated model", async () => {
    const cwd = join(folder, "assistant");
    await cp(join(ROOT, "examples/assistant"), cwd, { recursive: true });
    // two tests are enough here: examples.test.ts runs all tests of the assistant
    const some = ["--test-name-pattern=an answer", "--test-name-pattern=a tool"];
    const args = ["--import", "tsx", "--test", ...some, "--test-reporter=tap", "assistant.test.ts"];
    const { stdout } = await execute(process.execPath, args, { cwd });

    expect(stdout).toMatch(/^# fail 0$/m);
    expect(stdout).toMatch(/^# pass [1-9]\d*$/m);
  });

  it.each(TEMPLATE_NAMES)(
    "makes a project from the template %s whose check and tests pass, in both module resolutions",
    async (template) => {
      const cwd = join(folder, template);
      await mkdir(cwd);
      await installed("answerback", ["init", ".", "-t", template], cwd);
      await execute("npm", ["run", "check"], { cwd });
      const bundler = ["--module", "esnext", "--moduleResolution", "bundler"];
      await installed("tsc", [...bundler, "--singleThreaded"], cwd);
      const { stdout } = await execute("npm", ["test"], { cwd });

      expect(stdout).toMatch(/^[#ℹ] fail 0$/m);
    },
  );

  it("makes a project whose README links to pages that are installed", async () => {
    const cwd = join(folder, "read");
    await mkdir(cwd);
    await installed("answerback", ["init", "."], cwd);
    await symlink(join(folder, "node_modules"), join(cwd, "node_modules"), "dir");
    const text = await readFile(join(cwd, "README.md"), "utf8");

    expect(text.match(/\]\(node_modules\/answerback\//g)?.length).toBeGreaterThan(5);
    expect(await deadLinks(cwd, ["README.md"])).toEqual([]);
  });
});

/** Report of `npm pack --json` about the package. */
interface PackReport {
  readonly filename: string;
  /** Bytes of the tarball. */
  readonly size: number;
  readonly entryCount: number;
  readonly files: readonly { readonly path: string }[];
}

/** A row of the table in CONTRIBUTING.md about the files of the package. */
interface FileGroup {
  readonly patterns: readonly string[];
  readonly most: number;
}

async function reasonsInTable(): Promise<readonly FileGroup[]> {
  const text = await readFile(join(ROOT, "CONTRIBUTING.md"), "utf8");
  const [, section = ""] = /^## The package\n([\s\S]*?)^## /m.exec(text) ?? [];
  return [...section.matchAll(/^\| (`.+?) \| (\d+) \| \S.* \|$/gm)].map(([, cell = "", most]) => ({
    patterns: [...cell.matchAll(/`([^`]+)`/g)].map(([, pattern = ""]) => pattern),
    most: Number(most),
  }));
}

/** Sorted names of the values that a module exports from other modules. */
async function exportedNames(path: string): Promise<readonly string[]> {
  const source = await readFile(path, "utf8");
  const others = [...source.matchAll(/^export \* from "(.+)";/gm)].map(([, from = ""]) =>
    exportedNames(join(path, "..", from)),
  );
  const lists = [...source.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names = ""]) =>
    names.split(","),
  );
  const own = lists.map((name) => name.trim()).filter((name) => /^\w+$/.test(name));
  return [...new Set([...own, ...(await Promise.all(others)).flat()])].toSorted();
}

/** Kills the processes of a group. A group that has already ended is no error: the test itself reports the reason. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGTERM");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
