import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Ran, run } from "../../support/command-line.ts";

let top: string;
const at = (name: string): string => join(top, name);
const put = async (name: string, text: string): Promise<void> => {
  await mkdir(dirname(at(name)), { recursive: true });
  await writeFile(at(name), text);
};
/** Lines of `.env` and of a file outside the project, which no message may quote. */
const SECRETS = ["CONSUMER_SECRET=abcdef", "a line: [of outside"];
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), "answerback-boundary-"));
  await put("project/config/answerback.yaml", "version: 1\n");
  await put("project/.env", `${SECRETS[0]}\n`);
  await put("outside/evil.yaml", `${SECRETS[1]}\n`);
  await put("outside/evil.txt", "# \n\u200b CONSUMER_SECRET=abcdef\n\u200b\n");
  // When this module is loaded, it creates the file `loaded`.
  await put(
    "outside/evil.mjs",
    `import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(at("loaded"))}, "");
export function f() {}
export default { name: "evil", on: {} };
`,
  );
});
afterEach(() => rm(top, { recursive: true }));

const rules = (action: string, more = ""): string => `version: 1
${more}
rules:
  - id: one
    triggers: [dm.received]
    actions: [${action}]
`;
const HELLO = "{reply_dm: hello}";

async function refusals(ran: Ran): Promise<string> {
  const shown = `${ran.out}${ran.err}`;
  for (const secret of SECRETS) expect(shown).not.toContain(secret);
  expect(await readdir(top)).not.toContain("loaded");
  expect(ran.code).not.toBe(0);
  return shown;
}

const check = (): Promise<Ran> => run(at("project"), "check");

describe("check refuses, and shows and runs nothing of,", () => {
  it.each([
    { why: "a used file that is hidden", named: "../../.env", what: "is hidden" },
    {
      why: "a used file above the project",
      named: "../../../outside/evil.yaml",
      what: "outside the project",
    },
    { why: "a used file by an absolute path", named: "/etc/hostname", what: "outside the project" },
    { why: "a used file that is a list", named: "words.txt", what: "the wrong file extension" },
  ])("$why", async ({ named, what }) => {
    await put("project/config/rules/words.txt", "a line: [of a list\n");
    await put("project/config/rules/a.yaml", rules(HELLO, `use: [{file: ${named}, as: x}]`));
    const shown = await refusals(await check());
    expect(shown).toContain(what);
    expect(shown).toContain("config/rules/a.yaml:2:");
    expect(shown).not.toContain("a line: [");
  });

  it.each([
    { why: "a list that is hidden", named: "../../.env", what: "is hidden" },
    {
      why: "a list above the project",
      named: "../../../outside/evil.txt",
      what: "outside the project",
    },
    { why: "a list of rules", named: "../answerback.yaml", what: "the wrong file extension" },
  ])("$why", async ({ named, what }) => {
    await put(
      "project/config/rules/a.yaml",
      rules(HELLO).replace(
        "actions",
        `conditions: [{message.text: {in_list: ${named}}}]\n    actions`,
      ),
    );
    expect(await refusals(await check())).toContain(what);
  });

  it.each([
    { why: "a used file", link: "project/config/rules/shared/x.yaml", target: "outside/evil.yaml" },
    { why: "a used file in a folder", link: "project/config/rules/shared", target: "outside" },
  ])("$why that a link has outside", async ({ link, target }) => {
    await mkdir(dirname(at(link)), { recursive: true });
    await symlink(at(target), at(link));
    const named = link.endsWith(".yaml") ? "shared/x.yaml" : "shared/evil.yaml";
    await put("project/config/rules/a.yaml", rules(HELLO, `use: [{file: ${named}, as: x}]`));
    expect(await refusals(await check())).toContain("outside the project");
  });

  it.each([
    {
      why: "above the project",
      target: "../../../outside/evil.mjs#f",
      what: "outside the project",
    },
    { why: "by a link", target: "./linked.mjs#f", what: "outside the project" },
    { why: "that is hidden", target: "../../.hidden/evil.mjs#f", what: "is hidden" },
    {
      why: "of a package",
      target: "../../node_modules/p/evil.mjs#f",
      what: "lies below node_modules",
    },
    { why: "of a package, by a link", target: "./p/evil.mjs#f", what: "lies below node_modules" },
  ])("a called module $why", async ({ target, what }) => {
    await mkdir(at("project/config/rules"), { recursive: true });
    await mkdir(at("project/.hidden"));
    await symlink(at("outside/evil.mjs"), at("project/config/rules/linked.mjs"));
    await put("project/node_modules/p/evil.mjs", "throw new Error('loaded');\n");
    await symlink("../../node_modules/p", at("project/config/rules/p"));
    await put("project/.hidden/evil.mjs", "throw new Error('loaded');\n");
    await put("project/config/rules/a.yaml", rules(`{call: "${target}"}`));
    const shown = await refusals(await check());
    expect(shown).toContain(what);
    expect(shown).toContain("config/rules/a.yaml:6:");
    expect(shown).not.toContain("Error");
  });

  it.each([
    { why: "a rule file", link: "project/config/rules/x.yaml", target: "outside/evil.yaml" },
    {
      why: "a rule file of a hidden one",
      link: "project/config/rules/x.yaml",
      target: "project/.env",
    },
    { why: "a bot module", link: "project/bots/x.ts", target: "outside/evil.mjs" },
  ])("$why that is a link outside", async ({ link, target }) => {
    await mkdir(dirname(at(link)), { recursive: true });
    await symlink(at(target), at(link));
    const shown = await refusals(await check());
    expect(shown).toContain(link.slice("project/".length));
  });
});

describe("check goes on with", () => {
  const LISTED = rules(HELLO, "lists: {words: {file: ../../lists/words.txt, match: word}}").replace(
    "actions",
    "conditions: [{message.text: {in_list: words}}]\n    actions",
  );

  it("lists, used files, modules and bots of the project, and links within it", async () => {
    await put("project/lists/the words (old).txt", "hello\n");
    await symlink("the words (old).txt", at("project/lists/words.txt"));
    await put("project/shared/hours.yaml", rules(HELLO).replace("dm.received", "user.followed"));
    await put("project/lib/codes.mjs", "export function redeem() {}\n");
    await put("project/config/rules/a.yaml", LISTED);
    await put(
      "project/config/rules/b.yaml",
      rules('{call: "../../lib/codes.mjs#redeem"}', "use: [{file: ../../shared/hours.yaml, as: x}]")
        .replace("id: one", "id: two")
        .replace("dm.received", "user.blocked"),
    );
    await put(
      "project/bots/echo.ts",
      'export default { name: "echo", on: { "dm.received": () => {} } };\n',
    );
    expect(await check()).toMatchObject({ code: 0 });
  });

  it.each([
    { why: "a project that is a link", cwd: "linked", flags: [] },
    {
      why: "a project that is not the working folder",
      cwd: "elsewhere",
      flags: ["--config", "../project/config/answerback.yaml"],
    },
  ])("$why", async ({ cwd, flags }) => {
    await symlink("project", at("linked"));
    await mkdir(at("elsewhere"));
    await put("project/lists/words.txt", "hello\n");
    await put("project/config/rules/a.yaml", LISTED);
    expect(await run(at(cwd), "check", ...flags)).toMatchObject({ code: 0 });
  });
});

describe("a file of tests", () => {
  const TESTS = (more: string): string => `version: 1
${more}
start_time: 2026-03-02T09:00:00Z
users: {ann: {id: "1"}}
tests:
  - name: says hello
    events: [{at: 0s, dm.received: {from: ann, text: hi}}]
    expect: [{at: 0s, reply_dm: {to: ann, text: hello}}]
`;

  it.each([
    { why: "rules outside", more: "rule_files: [../../../outside/evil.yaml]" },
    { why: "hidden rules", more: "rule_files: [../../.env]" },
    { why: "bots outside", more: "rule_files: []\nbot_files: [../../../outside/evil.mjs]" },
  ])("names no $why", async ({ more }) => {
    await put("project/config/rules/a.test.yaml", TESTS(more));
    const shown = await refusals(await run(at("project"), "test", "config/rules/a.test.yaml"));
    expect(shown).toContain("config/rules/a.test.yaml names the");
  });

  it("runs with rules of the project", async () => {
    await put("project/config/rules/a.yaml", rules(HELLO));
    await put("project/config/rules/a.test.yaml", TESTS("rule_files: [../rules/a.yaml]"));
    expect(await run(at("project"), "test")).toMatchObject({ code: 0 });
  });
});
