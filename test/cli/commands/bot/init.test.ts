import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run } from "../../../support/command-line.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

/** Numbers of rules and of bot modules that `check` reports. */
function counts(text: string): readonly number[] {
  return [/(\d+) rules?\b/, /(\d+) bot modules?/].map((one) => Number(one.exec(text)?.[1] ?? 0));
}

describe("init", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "answerback-init-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it.each(["echo", "faq", "conversation", "typescript"])(
    "creates a project from the template %s that passes check",
    async (template) => {
      const created = await run(folder, "init", "bot", "--template", template);
      const checked = await run(join(folder, "bot"), "check");

      expect(created.out.split("\n")).toContain("bot/config/answerback.yaml");
      expect(created.err).toContain("cd bot && npx answerback dev");
      expect(checked).toMatchObject({ code: 0, out: "" });
      expect(checked.err).toMatch(
        /^1 settings file, \d+ rules?(, \d bot modules?)?(, \d called modules?)?: no problems\.$/m,
      );
    },
  );

  it.each(["echo", "faq", "conversation", "typescript"])(
    "creates a project from the template %s that loads rules and bots that are added later",
    async (template) => {
      await run(folder, "init", "bot", "--template", template);
      const before = await run(join(folder, "bot"), "check");
      await mkdir(join(folder, "bot/rules"), { recursive: true });
      await mkdir(join(folder, "bot/bots"), { recursive: true });
      await writeFile(
        join(folder, "bot/rules/later.yaml"),
        "version: 1\nrules: [{ id: later, group: none, triggers: [user.followed], actions: [{ reply_dm: hi }] }]\n",
      );
      await writeFile(
        join(folder, "bot/bots/later.ts"),
        'export default { name: "later", on: { "user.followed": async () => {} } };\n',
      );
      const after = await run(join(folder, "bot"), "check");

      expect(after).toMatchObject({ code: 0, out: "" });
      expect(counts(after.err)).toEqual(counts(before.err).map((count) => count + 1));
    },
  );

  it("keeps the secrets and backups that the guide creates out of version control", async () => {
    await run(folder, "init", "bot", "--template", "echo");
    const bot = join(folder, "bot");
    const secrets = [".env", "bot.env", "key.env", "answerback-2026.backup", "data.live/key"];
    const git = (...args: readonly string[]) => promisify(execFile)("git", [...args], { cwd: bot });
    await git("init", "--quiet");
    const { stdout } = await git("check-ignore", ...secrets);

    expect(stdout.trim().split("\n")).toEqual(secrets);
  });

  it.each(["echo", "faq", "conversation"])(
    "creates a project from the template %s whose rule tests pass",
    async (template) => {
      await run(folder, "init", "bot", "--template", template);

      expect(await run(join(folder, "bot"), "test")).toMatchObject({ code: 0 });
    },
  );

  it.each(["echo", "faq", "conversation", "typescript"])(
    "leads coding assistants of the template %s to commands, documentation on disk and the MCP server",
    async (template) => {
      await run(folder, "init", "bot", "--template", template);

      const page = await readFile(join(folder, "bot/AGENTS.md"), "utf8");
      const commands = [...page.matchAll(/^\| `npx answerback (\w+)/gm)].map(([, name]) => name);
      expect(commands).toEqual(["check", "test", "explain", "why", "docs"]);
      for (const [, path = ""] of page.matchAll(/`node_modules\/answerback\/(\S+)`/g)) {
        await expect(stat(join(ROOT, path)), path).resolves.toBeDefined();
      }
      const [, entry = ""] = /^```json\n([^]*?)^```$/m.exec(page) ?? [];
      expect(JSON.parse(entry)).toEqual({
        mcpServers: { answerback: { command: "npx", args: ["answerback", "mcp"] } },
      });
    },
  );

  it("--list names each template with one line, and creates nothing", async () => {
    const listed = await run(folder, "init", "--list");
    const rows = await run(folder, "init", "--list", "--json");

    expect(listed.out).toMatch(
      /^echo +greets by a rule, and repeats other messages in TypeScript$/m,
    );
    expect(
      rows.out.split("\n").flatMap((row) => (row === "" ? [] : [JSON.parse(row).name])),
    ).toEqual(["echo", "faq", "conversation", "typescript"]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("names the template that it used by default, and the others", async () => {
    const byDefault = await run(folder, "init", "first");
    const named = await run(folder, "init", "second", "-t", "faq");

    expect(byDefault.err).toContain(
      "Template: echo. Others: faq, conversation, typescript (see init --list).",
    );
    expect(named.err).not.toContain("Others:");
  });

  it("refuses an unknown template with the list, and writes nothing", async () => {
    const { code, err } = await run(folder, "init", "bot", "-t", "quiz");

    expect(code).toBe(2);
    expect(err).toContain("echo, faq, conversation, typescript");
    expect(await readdir(folder)).toEqual([]);
  });

  it("refuses a folder that is not empty, and writes nothing", async () => {
    await writeFile(join(folder, "notes.txt"), "mine");

    const { code, err } = await run(folder, "init");

    expect(code).toBe(2);
    expect(err).toContain("is not empty");
    await expect(readFile(join(folder, "package.json"))).rejects.toThrow("ENOENT");
  });

  it("with --force keeps existing files", async () => {
    await writeFile(join(folder, "README.md"), "mine");

    const { code, err } = await run(folder, "init", "--force");

    expect(code).toBe(0);
    expect(err).toContain("Kept existing files: README.md");
    expect(await readFile(join(folder, "README.md"), "utf8")).toBe("mine");
    expect(await readFile(join(folder, "package.json"), "utf8")).toContain('"type": "module"');
    expect(err).not.toContain("Add to");
  });

  it("with --force names what a kept package.json and .gitignore lack", async () => {
    await writeFile(join(folder, "package.json"), '{ "name": "shop" }');
    await writeFile(join(folder, ".gitignore"), "dist/\n");

    const { err } = await run(folder, "init", "--force");

    expect(err).toMatch(/^Add to package\.json: answerback@\^\S+; for development: tsx@/m);
    expect(err).toContain("Add to .gitignore: data/, data.*/, .env, *.env and *.backup\n");
  });
});
