import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkFiles } from "../../../src/cli/check/check-files.ts";
import { toGithub, toSarif } from "../../../src/config/problem-formats.ts";
import { MAX_SHOWN_PROBLEMS } from "../../../src/config/problem.ts";
import { renderProblems } from "../../../src/config/render-problems.ts";
import { compile } from "../../../src/rules/compile/compile.ts";

const RULE = `version: 1
rules:
  - id: faq
    trigers: [dm.received]
    enabled: off
    conditions:
      - sender.username: @support
      - message.text: {matches: "\\border"}
      - sender.followers_count: {gt: 1_000}
      - if: sender.verified and sender.protected
    actions:
      - log: Hours: 9 to 17
        reply_dm: Your order #12 is here
`;

const RIGHT = `version: 1
rules:
  - id: faq
    triggers: [dm.received]
    enabled: false
    conditions:
      - sender.username: "@support"
      - message.text: {matches: '\\border'}
      - sender.followers_count: {gt: 1000}
      - if: sender.verified && sender.protected
    actions:
      - log: "Hours: 9 to 17"
      - reply_dm: "Your order #12 is here"
`;

const CODES = {
  "unknown-key": { about: "The key does not exist here.", why: "It has no effect." },
};

const io = (cwd: string, text = "") => ({
  cwd,
  env: {},
  input: {
    isTerminal: false,
    lines: async function* () {
      yield await Promise.resolve(text);
    },
    text: () => Promise.resolve(text),
  },
});

describe("check", () => {
  it("fixes problems that have exactly one fix", async () => {
    const folder = await mkdtemp(join(tmpdir(), "answerback-check-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "faq.yaml"), `\uFEFF${RULE.replace("version", "verison")}`);

    const { problems, fixed } = await checkFiles(io(folder), ["faq.yaml"], { fix: true });

    expect(await readFile(join(folder, "faq.yaml"), "utf8")).toBe(`\uFEFF${RIGHT}`);
    expect({ problems, fixed }).toEqual({ problems: [], fixed: 10 });
  });

  it("reads rules from stdin", async () => {
    const { problems } = await checkFiles(io("/", RULE), ["-"], {});

    expect(problems[0]).toMatchObject({ file: "-", line: 4, column: 5, code: "unknown-key" });
  });
});

describe("problems for other programs", () => {
  const { problems } = compile([{ path: "rules/faq.yaml", text: RULE }]);

  it("are SARIF, with the fix if there is one", () => {
    expect(toSarif(problems.slice(0, 1), CODES, "1.0.0")).toMatchObject({
      version: "2.1.0",
      runs: [
        {
          tool: {
            driver: {
              name: "answerback",
              rules: [
                {
                  id: "unknown-key",
                  fullDescription: { text: "It has no effect." },
                  help: { text: "answerback explain unknown-key" },
                },
              ],
            },
          },
          results: [
            {
              ruleId: "unknown-key",
              level: "error",
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: "rules/faq.yaml" },
                    region: { startLine: 4, startColumn: 5, endColumn: 12 },
                  },
                },
              ],
              fixes: [
                {
                  artifactChanges: [{ replacements: [{ insertedContent: { text: "triggers" } }] }],
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it.each([
    { file: "rules/c# 50%.yaml", uri: "rules/c%23%2050%25.yaml", why: "# begins a fragment" },
    { file: "rules/why?.yaml", uri: "rules/why%3F.yaml", why: "? begins a query" },
    { file: "a:b/faq.yaml", uri: "a%3Ab/faq.yaml", why: "a: is the scheme of a URL" },
    { file: "rules\\faq.yaml", uri: "rules/faq.yaml", why: "Windows separates by \\" },
  ])("are SARIF, with the encoded path of $file: $why", ({ file, uri }) => {
    const [problem] = problems;
    const run = JSON.stringify(toSarif(problem ? [{ ...problem, file }] : [], CODES, "1.0.0"));

    expect(run.match(/"artifactLocation":\{[^}]*\}/g)).toEqual([
      `"artifactLocation":{"uri":"${uri}"}`,
      `"artifactLocation":{"uri":"${uri}"}`,
    ]);
  });

  it("are annotations of GitHub Actions, also for odd file names", () => {
    const [problem] = problems;
    expect(problem && toGithub({ ...problem, file: "c# 50%,a:b.yaml" })).toContain(
      "file=c# 50%25%2Ca%3Ab.yaml,line=4",
    );
  });

  it("are annotations of GitHub Actions", () => {
    expect(problems.slice(0, 1).map(toGithub)).toEqual([
      '::error file=rules/faq.yaml,line=4,col=5,endColumn=12,title=unknown-key::unknown key "trigers" in rule "faq"%0Ahelp: did you mean "triggers"?%0Amore: answerback explain unknown-key',
    ]);
  });
});

describe("a warning", () => {
  const rule = (end: string) =>
    `version: 1\nrules:\n  - id: faq\n    triggers: [dm.received]\n    actions:\n      - reply_dm: 'Hi {{ name }}'${end}\n`;
  const codesOf = (text: string) =>
    compile([{ path: "a.yaml", text }]).problems.map(({ code }) => code);

  it("is silenced on its line, by its code", () => {
    expect(codesOf(rule(""))).toEqual(["other-template"]);
    expect(codesOf(rule(" # check: ignore other-template"))).toEqual([]);
    expect(codesOf(rule(" # check: ignore reply-loop"))).toEqual(["other-template"]);
  });

  it.each(["|", ">"])("is silenced where a text of several lines begins with %s", (sign) => {
    const block = (end: string) =>
      rule("").replace(/'Hi.*/, `${sign}${end}\n          Hello,\n          {{ name }}!`);

    expect(codesOf(block(""))).toEqual(["other-template"]);
    expect(codesOf(block(" # check: ignore other-template"))).toEqual([]);
    expect(codesOf(block(" # check: ignore reply-loop"))).toEqual(["other-template"]);
  });
});

describe("a flood of mistakes", () => {
  const flood = (count: number) =>
    `version: 1\nrules:\n${'  - {id: "?", trigers: [dm.received], actions: [like]}\n'.repeat(count)}`;

  it("shows fifty, errors first, and counts the rest", () => {
    const { problems } = compile([{ path: "a.yaml", text: flood(60) }]);
    const shown = renderProblems(problems).split("\n\n");

    expect(shown).toHaveLength(MAX_SHOWN_PROBLEMS + 2);
    expect(shown.at(-2)).toBe(`… and ${problems.length - MAX_SHOWN_PROBLEMS} more, not shown`);
    expect(shown.at(-1)).toMatch(new RegExp(`^${problems.length} errors in 1 file\n`));
  });

  it("of a file is not looked for to its end", () => {
    const { problems } = compile([{ path: "a.yaml", text: flood(90) }], undefined, {
      problemsOfFile: 20,
    });

    expect(problems.length).toBeLessThan(30);
  });
});
