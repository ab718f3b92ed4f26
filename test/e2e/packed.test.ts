// @module-tag registry
import { execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LanguageServer } from "../docs/language-server.ts";

const execute = promisify(execFile);
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

describe.concurrent("the packed package, installed in an empty folder", () => {
  let folder: string;
  let tarball: string;
  const installed = (...args: readonly string[]) =>
    execute("npx", ["answerback", ...args], { cwd: join(folder, "bot") });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "answerback-packed-"));
    await mkdir(join(folder, "bot"));
    // Packing would look for mistakes of types first, as `npm test` has done before.
    await execute("npm", ["run", "build"], { cwd: ROOT });
    const pack = ["pack", "--ignore-scripts", "--pack-destination", folder];
    await execute("npm", pack, { cwd: ROOT });
    tarball = join(folder, (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? "");
    const flags = ["--prefer-offline", "--no-audit", "--no-fund"];
    const { devDependencies: known } = JSON.parse(
      await readFile(join(ROOT, "package.json"), "utf8"),
    );
    const tools = ["typescript", "@types/node"].map((name) => `${name}@${known[name]}`);
    await execute("npm", ["install", tarball, ...tools, ...flags], { cwd: folder });
  }, 180_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("makes a project whose bot answers by a rule and by TypeScript", async () => {
    await installed("init", ".", "--template", "echo");
    const dev = spawn("npx", ["answerback", "dev"], {
      cwd: join(folder, "bot"),
      env: { ...process.env, ANSWERBACK_WEBHOOK_LISTEN: "127.0.0.1:0" },
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

      const rule = await installed("send", "@ana", "hello");
      const bot = await installed("send", "@ana", "nice weather");

      expect(rule.stdout).toContain("Hello Ana! Write me anything");
      expect(bot.stdout).toBe("@hello_bot: You said: nice weather\n");
    } finally {
      if (dev.pid !== undefined) process.kill(-dev.pid, "SIGTERM");
      await ended;
    }
  }, 120_000);

  it("runs by npx where nothing is installed", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "answerback-npx-"));
    try {
      const line = "answerback init . --yes && answerback check && answerback test";
      const args = ["--yes", "--prefer-offline", "--package", tarball, "-c", line];
      const { stdout } = await execute("npx", args, { cwd });

      // it is reached only where the check has found nothing
      expect(stdout).toMatch(/\d+ passed, 0 failed/);
    } finally {
      await rm(cwd, { recursive: true });
    }
  }, 120_000);

  it("has a shell complete commands", async () => {
    const script = [
      "source <(npx answerback completion bash)",
      'COMP_WORDS=(answerback outbox list --status "") COMP_CWORD=4',
      "_answerback",
      'echo "${COMPREPLY[@]}"',
    ];
    const { stdout } = await execute("bash", ["-c", script.join("\n")], { cwd: folder });

    expect(stdout).toContain("pending");
  });

  it("has an editor complete a rule of a project that it made", async () => {
    const cwd = join(folder, "edited");
    await mkdir(cwd);
    await execute("npx", ["answerback", "init", ".", "--template", "faq"], { cwd });
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

  it("has the example assistant pass its own tests, against a stand-in for the model", async () => {
    const cwd = join(folder, "assistant");
    await cp(join(ROOT, "examples/assistant"), cwd, { recursive: true });
    const args = ["--import", "tsx", "--test", "assistant.test.js"];
    const { stdout } = await execute(process.execPath, args, { cwd, timeout: 80_000 });

    expect(stdout).toContain("# pass 3");
  }, 90_000);

  it.each(["conversation", "typescript"])(
    "makes a project from the template %s whose check and tests pass, in both module resolutions",
    async (template) => {
      const cwd = join(folder, template);
      await mkdir(cwd);
      await execute("npx", ["answerback", "init", ".", "--template", template], { cwd });
      await execute("npm", ["run", "check"], { cwd });
      await execute("npx", ["tsc", "--module", "esnext", "--moduleResolution", "bundler"], { cwd });
      const { stdout } = await execute("npm", ["test"], { cwd });

      expect(stdout).toMatch(/^# fail 0$/m);
    },
    120_000,
  );
});
