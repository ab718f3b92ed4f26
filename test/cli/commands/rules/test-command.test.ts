import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run, start } from "../../../support/command-line.ts";
import { emptyFolder } from "../../support/running-dev.ts";

const FAILING = `
  - name: a refund is promised <at once> 🙂
    events: [{ dm.received: { from: ana, text: "refund?" } }]
    expect: [{ rule: refund, reply_dm: { text: { contains: "at once" } } }]
`;

describe("answerback test", () => {
  let parent: string;
  let folder: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    ({ folder: parent, remove } = await emptyFolder());
    await run(parent, "init", "bot", "--template", "faq");
    folder = join(parent, "bot");
    // Removes the template's test of a bot module: loading the module takes longer than all tests of rules.
    const file = join(folder, "rules/questions.test.yaml");
    const [before = "", after = ""] = (await readFile(file, "utf8")).split(
      /  - name: the bot looks.*?\n\n/s,
    );
    await writeFile(file, (before + after).replace(/^bot_files.*\n/m, ""));
  });
  afterEach(() => remove());

  it.each(["echo", "faq"])("passes in a new project of the template %s", async (template) => {
    await run(parent, "init", template, "--template", template);

    const { code, out, err } = await run(join(parent, template), "test");

    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^[24] passed, 0 failed\n$/m);
  });

  it("does not read a test file as rules", async () => {
    expect(await run(folder, "check")).toMatchObject({ code: 0, out: "" });
  });

  it("exits with 3 when a test fails, and shows why", async () => {
    const file = join(folder, "failing.test.yaml");
    const head = (await readFile(join(folder, "rules/questions.test.yaml"), "utf8")).replace(
      "questions.yaml",
      "rules/questions.yaml",
    );
    await writeFile(file, head + FAILING);

    const { code, out } = await run(folder, "test", "failing.test.yaml", "--junit", "out.xml");

    expect(code).toBe(3);
    expect(out).toContain("✗ a refund is promised <at once> 🙂");
    expect(out).toContain("3 passed, 1 failed");
    const xml = await readFile(join(folder, "out.xml"), "utf8");
    expect(xml).toContain('tests="4" failures="1"');
    expect(xml).toContain('name="a refund is promised &lt;at once&gt; 🙂"');
  });

  it("runs only the tests that match the filter", async () => {
    const { out } = await run(folder, "test", "--filter", "FOLLOWS AGAIN");

    expect(out).toContain("1 passed, 0 failed");
  });

  it("creates the folder of the JUnit report", async () => {
    const { code, err } = await run(folder, "test", "--junit", "reports/ci/out.xml");

    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(await readFile(join(folder, "reports/ci/out.xml"), "utf8")).toContain("<testsuites>");
  });

  it.each(["rules", "package.json/out.xml"])(
    "refuses a JUnit report that can't be written before it runs a test: %s",
    async (report) => {
      const { code, out, err } = await run(folder, "test", "--junit", report);

      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toMatch(/^error: .*(is no regular file|no folder can be created here)/);
    },
  );

  it.each([
    { filter: "FOLOWS", hint: 'did you mean "who follows again is not welcomed again"?' },
    { filter: "quite another", hint: "tests here: " },
  ])("refuses the filter $filter, which fits no test", async ({ filter, hint }) => {
    const { code, out, err } = await run(folder, "test", "--filter", filter);

    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(`no test has "${filter}" in its name or file`);
    expect(err).toContain(hint);
  });

  it("merges the coverage of a rule file that two test files test", async () => {
    const rule = (id: string): string =>
      `  - { id: ${id}, triggers: [dm.received], conditions: [{ message.text: ${id} }], actions: [{ reply_dm: hi }] }\n`;
    await writeFile(join(folder, "both.yaml"), `version: 1\nrules:\n${rule("one")}${rule("two")}`);
    for (const id of ["one", "two"]) {
      const test = `{ name: a, events: [{ dm.received: { from: ann, text: ${id} } }], expect: [{ reply_dm: {} }] }`;
      const head = 'version: 1\nrule_files: [both.yaml]\nusers: { ann: { id: "1" } }\n';
      await writeFile(join(folder, `${id}.test.yaml`), `${head}tests: [${test}]\n`);
    }
    const files = ["one.test.yaml", "two.test.yaml"];

    const printed = await run(folder, "test", ...files, "--coverage");
    const json = await run(folder, "test", ...files, "--json");

    expect(printed.out).toContain("coverage 2 of 2 rules ran");
    expect(printed.out).not.toContain("never ran");
    expect(json.out.match(/"type":"coverage","rule":"\w+"/g)).toHaveLength(2);
    expect(json.out).not.toContain('"ran":false');
  });

  it("prints one JSON object for each test and each rule", async () => {
    const { out } = await run(folder, "test", "--json");

    const rows = out
      .trim()
      .split("\n")
      .map((line): object => JSON.parse(line));
    expect(rows).toContainEqual(
      expect.objectContaining({
        type: "test",
        name: "who follows again is not welcomed again",
        passed: true,
      }),
    );
    expect(rows).toContainEqual(
      expect.objectContaining({ type: "coverage", rule: "mention", ran: false }),
    );
  });

  it("lists the rules that no test has run", async () => {
    const { out } = await run(folder, "test", "--coverage");

    expect(out).toContain("3 of 6 rules ran");
    expect(out).toContain("never ran refund (rules/questions.yaml:");
  });

  it("shows how to write a test if there are none", async () => {
    const { code, err } = await run(parent, "test");

    expect(code).toBe(2);
    expect(err).toContain("no test file was found beside the rules or bots, or in this folder");
  });

  it("runs the tests beside the bots and in the folder itself, each once", async () => {
    const alone = join(parent, "bots-only");
    await mkdir(join(alone, "bots"), { recursive: true });
    await writeFile(
      join(alone, "answerback.yaml"),
      'version: 1\nrules: []\nbots: ["bots/*.ts", "*.ts"]\n',
    );
    const bot =
      'import { defineBot } from "answerback";\nexport default defineBot({ name: "a", on: { "dm.received": () => {} } });\n';
    await writeFile(join(alone, "bots", "a.ts"), bot);
    const tests =
      'version: 1\nbot_files: [PATH]\nusers: {ann: {id: "1"}}\ntests: [{name: NAME, advance_to: 1h, expect: []}]\n';
    const testsOf = (path: string, name: string): string =>
      tests.replace("PATH", path).replace("NAME", name);
    await writeFile(join(alone, "bots", "a.test.yaml"), testsOf("a.ts", "beside"));
    await writeFile(join(alone, "b.test.yaml"), testsOf("bots/a.ts", "here"));

    const { out, code } = await run(alone, "test");
    expect({ code, out: out.split("\n").filter((line) => line.includes("✓")) }).toEqual({
      code: 0,
      out: [expect.stringContaining("here"), expect.stringContaining("beside")],
    });
  });

  it("runs again when a rule is saved", async () => {
    const running = start(folder, "test", "--watch");
    await running.until("Waiting for changes");

    await appendFile(join(folder, "rules/questions.yaml"), "\n  - id: broken\n");
    await running.until("broken");

    expect((await running.end()).code).toBe(0);
  });

  it.each([
    { what: "the named rules", file: "parts/faq.yaml", text: "version: 2\n" },
    { what: "a bot", file: "parts/echo.ts", text: "export default 1;\n" },
    { what: "a test in the folder", file: "more.test.yaml", text: "version: 2\n" },
    { what: "the first rules of the settings", file: "config/rules/a.yaml", text: "version: 2\n" },
  ])("watches $what, also without folders of the settings", async ({ file, text }) => {
    const project = join(parent, "alone");
    await mkdir(join(project, "parts"), { recursive: true });
    await writeFile(
      join(project, "parts/faq.yaml"),
      "version: 1\nrules: [{id: faq, triggers: [dm.received], actions: [{reply_dm: hi}]}]\n",
    );
    await writeFile(
      join(project, "parts/echo.ts"),
      'import { createBot } from "answerback";\nexport default createBot("echo").on("post.mentioned", () => {});\n',
    );
    await writeFile(
      join(project, "all.test.yaml"),
      'version: 1\nrule_files: [parts/faq.yaml]\nbot_files: [parts/echo.ts]\nusers: {ann: {id: "1"}}\ntests: [{name: first, events: [{dm.received: {from: ann, text: hello}}], expect: [{rule: faq, reply_dm: {text: hi}}]}]\n',
    );
    const running = start(project, "test", "--watch");
    await running.until("1 passed");
    await running.until("Waiting for changes");

    await mkdir(dirname(join(project, file)), { recursive: true });
    await writeFile(join(project, file), text);
    await running.until(/Waiting for changes.*Waiting for changes/s);

    expect((await running.end()).code).toBe(0);
  });
});
