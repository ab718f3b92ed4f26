import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { begin } from "../../support/command-line.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "answerback-exit-code-"));
});
afterEach(() => rm(folder, { recursive: true }));

const rule = (text: string) =>
  `version: 1\nrules:\n  - {id: a, triggers: [dm.received], actions: [{reply_dm: "${text}"}]}\n`;
const FINE = rule("hi");
const WARNED = rule("hi {{ sender.name }}");
const WRONG = rule("hi ${{ sender.nme }}");

describe("check", () => {
  it.each([
    { why: "no problem", text: FINE, code: 0, strict: 0 },
    { why: "a warning", text: WARNED, code: 0, strict: 3 },
    { why: "an error", text: WRONG, code: 3, strict: 3 },
    { why: "an error and a warning", text: WRONG + WARNED.split("\n")[2], code: 3, strict: 3 },
  ])("exits with $code where there is $why, and with $strict if it is strict", async (project) => {
    await writeFile(
      join(folder, "a.yaml"),
      project.text.replace(/id: a(?=.*sender\.name)/, "id: b"),
    );
    const run = (...flags: string[]) =>
      begin({ cwd: folder, env: {}, input: "" }, ["check", "a.yaml", ...flags]).ended;

    expect((await run()).code).toBe(project.code);
    expect((await run("--strict")).code).toBe(project.strict);
    expect((await run("--json")).code).toBe(project.code);
  });

  it("shows a warning, and does not print that there are no problems", async () => {
    await writeFile(join(folder, "a.yaml"), WARNED);
    const { out, err } = await begin({ cwd: folder, env: {}, input: "" }, ["check", "a.yaml"])
      .ended;

    expect(out).toContain("warning: ");
    expect(err).not.toContain("no problems");
  });

  it("reports that a folder has no rules, unless files are named", async () => {
    const check = (...files: string[]) =>
      begin({ cwd: folder, env: {}, input: "" }, ["check", ...files]).ended;

    const { code, err } = await check();
    expect([code, err]).toEqual([0, expect.stringContaining("No rules and no bots were found")]);
    await mkdir(join(folder, "rules"));
    await writeFile(join(folder, "rules/a.yaml"), FINE);
    expect((await check()).out).toContain("warning: rules: rules/a.yaml is not loaded");
    expect((await check("rules/a.yaml")).err).toBe("0 settings files, 1 rule: no problems.\n");
  });

  it("checks the rules of config/rules, with both endings of YAML files", async () => {
    await mkdir(join(folder, "config/rules"), { recursive: true });
    await writeFile(join(folder, "config/answerback.yaml"), "version: 1\n");
    const check = () => begin({ cwd: folder, env: {}, input: "" }, ["check"]).ended;

    await writeFile(join(folder, "config/rules/a.yml"), FINE);
    expect((await check()).err).toContain("1 rule: no problems.");
    await writeFile(join(folder, "config/rules/b.yaml"), FINE);
    expect((await check()).out).toContain("[duplicate-id]");
  });

  it("leaves out the tests of rules that a shell's pattern names, too", async () => {
    await writeFile(join(folder, "a.yaml"), FINE);
    await writeFile(join(folder, "a.test.yaml"), "version: 1\nrule_files: [a.yaml]\ntests: []\n");
    const check = (...files: string[]) =>
      begin({ cwd: folder, env: {}, input: "" }, ["check", ...files]).ended;

    expect((await check("a.test.yaml", "a.yaml")).code).toBe(0);
    const { code, err } = await check("a.test.yaml");
    expect(code).toBe(2);
    expect(err).toContain("answerback test a.test.yaml");
  });
});
