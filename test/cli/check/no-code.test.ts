import { access, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run } from "../../support/command-line.ts";

let folder: string;
const at = (name: string): string => join(folder, name);
const MARKS = `import { writeFileSync } from "node:fs";\n`;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "answerback-no-code-"));
  await mkdir(at("config/rules"), { recursive: true });
  await mkdir(at("bots"));
  await writeFile(at("config/answerback.yaml"), "version: 1\n");
  await writeFile(at("bots/bot.mjs"), `${MARKS}writeFileSync(${JSON.stringify(at("ran"))}, "");\n`);
  await writeFile(
    at("config/rules/lib.mjs"),
    `${MARKS}writeFileSync(${JSON.stringify(at("ran"))}, "");\nexport function f() {}\n`,
  );
  await rules("./lib.mjs#f");
});
afterEach(() => rm(folder, { recursive: true }));

const rules = (call: string, more = ""): Promise<void> =>
  writeFile(
    at("config/rules/a.yaml"),
    `version: 1\nrules: [{id: one, triggers: [dm.received], actions: [{call: "${call}"}, {reply_dm: hello}]}]\n${more}`,
  );
const hasRun = (): Promise<boolean> =>
  access(at("ran")).then(
    () => true,
    () => false,
  );

describe("check --no-code", () => {
  it("loads no module, which check does", async () => {
    expect(await run(folder, "check", "--no-code")).toMatchObject({
      code: 0,
      err: expect.stringContaining("No module was loaded."),
    });
    expect(await hasRun()).toBe(false);
    await run(folder, "check");
    expect(await hasRun()).toBe(true);
  });

  it("loads no module of a named file, either", async () => {
    expect(await run(folder, "check", "--no-code", "config/rules/a.yaml")).toMatchObject({
      code: 0,
    });
    expect(await hasRun()).toBe(false);
  });

  it.each([
    { why: "is not there", call: "./none.mjs#f", says: "there is no module ./none.mjs" },
    { why: "lies outside", call: "../../../evil.mjs#f", says: "lies outside the project" },
  ])("names a called module that $why", async ({ call, says }) => {
    await rules(call);
    expect(await run(folder, "check", "--no-code")).toMatchObject({
      code: 3,
      out: expect.stringContaining(says),
    });
    expect(await hasRun()).toBe(false);
  });

  it("reports problems of the rules", async () => {
    await rules("./lib.mjs#f", "rulse: []\n");
    expect(await run(folder, "check", "--no-code")).toMatchObject({
      code: 3,
      out: expect.stringContaining("rulse"),
    });
  });
});
