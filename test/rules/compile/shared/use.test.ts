import { describe, expect, it, test } from "vitest";
import { compile } from "../../../../src/rules/compile/compile.ts";
import { recompile } from "../../../../src/rules/compile/recompile.ts";
import { withNamedFiles } from "../../../../src/rules/compile/with-named-files.ts";
import { decide } from "../../../../src/rules/decide/decide.ts";
import type { CompiledRule } from "../../../../src/rules/ruleset.ts";
import { messageReceived } from "../../../support/events.ts";
import { actionsOf, play } from "../../support/playing.ts";

/** Compiles the files `globs` of a project, with the files that these files name. */
async function compiled(project: Readonly<Record<string, string>>, globs: readonly string[]) {
  const files = globs.map((path) => ({ path, text: `version: 1\n${project[path]}` }));
  return compile(
    await withNamedFiles(files, async (path) => {
      const text = project[path];
      if (text === undefined) return { refused: "missing" };
      return { text: path.endsWith(".yaml") ? `version: 1\n${text}` : text };
    }),
  );
}
const shown = (problems: Awaited<ReturnType<typeof compiled>>["problems"]) =>
  problems.map(
    ({ file, line, column, code, message }) => `${file}:${line}:${column} ${code}: ${message}`,
  );

const SPRING = `inputs:
  code_pattern: {type: regex, default: '\\bSPRING-(?P<code>[A-Z0-9]{4,8})\\b'}
  app_id: {type: string, required: true}
  percent: {type: number, default: 15}
  wait: {type: duration, default: 1h}
  words: {type: list, default: [sale]}
  on: {type: boolean, default: true}
rules:
  - id: code
    enabled: \${{ inputs.on }}
    triggers: [dm.received]
    conditions: [{message.text: {matches: "\${{ inputs.code_pattern }}"}}]
    cooldown: {per: sender, for: "\${{ inputs.wait }}"}
    actions:
      - reply_dm: "\${{ captures.code }} of \${{ inputs.app_id }}: \${{ inputs.percent * 2 }}"
  - id: words
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: "\${{ inputs.words }}"}}, {if: inputs.percent > 10}]
    actions: [{reply_dm: "\${{ inputs.app_id }}"}]
`;
const USES = (more = "", inputs = '{app_id: "7"}') => `use:
  - {file: shared/spring.yaml, as: spring, with: ${inputs}}${more}
rules:
  - {id: own, triggers: [dm.received], conditions: [{text: hi}], actions: [{reply_dm: hi}]}
`;
const project = { "campaign.yaml": USES(), "shared/spring.yaml": SPRING };
const SECOND =
  "\n  - {file: shared/spring.yaml, as: autumn, with: {app_id: '8', code_pattern: '\\bFALL-(?P<code>\\d)\\b', percent: 5}}";

function said(rules: readonly CompiledRule[], ruleset: Parameters<typeof play>[1], text: string) {
  expect(rules.length).toBeGreaterThan(0);
  return actionsOf(play(messageReceived({ text }), ruleset)).map((action) =>
    "text" in action ? action.text : action.type,
  );
}

describe("a file that another file uses", () => {
  it("adds its rules below those of the other file, with the name of the use before their ids", async () => {
    const { ruleset, problems } = await compiled(project, ["campaign.yaml"]);

    expect(shown(problems)).toEqual([]);
    expect(ruleset.rules.map(({ id }) => id)).toEqual(["own", "spring.code", "spring.words"]);
    expect(new Set(ruleset.rules.map(({ group }) => group))).toEqual(new Set(["campaign.yaml"]));
    expect(ruleset.byId.get("spring.code")).toMatchObject({
      file: "shared/spring.yaml",
      cooldown: { forMs: 3_600_000 },
    });
  });

  it("adds them once for each use, each time with its inputs", async () => {
    const both = { ...project, "campaign.yaml": USES(SECOND) };
    const { ruleset, problems } = await compiled(both, ["campaign.yaml"]);

    expect(shown(problems)).toEqual([]);
    expect(said(ruleset.rules, ruleset, "SPRING-AB12")).toEqual(["AB12 of 7: 30"]);
    expect(said(ruleset.rules, ruleset, "the sale")).toEqual(["7"]);
    expect(decide(messageReceived({ text: "FALL-1" }), ruleset, { now: 0 }).runs).toMatchObject([
      { ruleId: "autumn.code" },
    ]);
  });

  it("adds no rules of its own even if the globs match it", async () => {
    const { ruleset, problems } = await compiled(project, Object.keys(project));

    expect(shown(problems)).toEqual([]);
    expect(ruleset.rules.map(({ id }) => id)).toEqual(["own", "spring.code", "spring.words"]);
  });

  it("may use other files, and lists beside it", async () => {
    const nested = {
      "a.yaml": "use: [{file: shared/b.yaml, as: b, with: {list: people}}]\n",
      "shared/b.yaml": `inputs: {list: {type: string, required: true}}
use: [{file: deep/c.yaml, as: c, with: {name: "\${{ inputs.list }}"}}]
`,
      "shared/deep/c.yaml": `inputs: {name: {type: string, required: true}}
lists: {people: {file: ../people.txt}}
rules: [{id: r, triggers: [dm.received], conditions: [{sender.username: {in_list: "\${{ inputs.name }}"}}], actions: [follow]}]
`,
      "shared/people.txt": "ana\n",
    };
    const { ruleset, problems } = await compiled(nested, ["a.yaml"]);

    expect(shown(problems)).toEqual([]);
    expect(decide(messageReceived(), ruleset, { now: 0 }).runs).toMatchObject([
      { ruleId: "b.c.r" },
    ]);
  });

  it("is compiled again for an open run from its stored text", async () => {
    const { ruleset } = await compiled(project, ["campaign.yaml"]);
    const rule = ruleset.byId.get("spring.code");
    if (!rule) throw new Error("no rule");
    const source: CompiledRule["source"] = JSON.parse(JSON.stringify(rule.source));
    const again = recompile({ ...source, ruleId: rule.id, revision: rule.revision });

    expect(again).toMatchObject({ id: "spring.code", group: "campaign.yaml" });
  });

  it("has other revisions with other inputs, or under another name", async () => {
    const revisionOf = async (uses: string) =>
      (await compiled({ ...project, "campaign.yaml": uses }, ["campaign.yaml"])).ruleset.rules[1]
        ?.revision;
    const revision = await revisionOf(USES());

    expect(await revisionOf(USES("", '{app_id: "8"}'))).not.toBe(revision);
    expect(await revisionOf(USES().replace("as: spring", "as: summer"))).not.toBe(revision);
    expect(await revisionOf(USES().replace("own", "mine"))).toBe(revision);
  });
});

describe("inputs", () => {
  it("have their defaults if the file stands alone", async () => {
    const alone = { "a.yaml": SPRING.replace("required: true", "default: '9'") };
    const { ruleset, problems } = await compiled(alone, ["a.yaml"]);

    expect(shown(problems)).toEqual([]);
    expect(said(ruleset.rules, ruleset, "a sale")).toEqual(["9"]);
  });

  it("that are required are reported if no file uses the file", async () => {
    const { ruleset, problems } = await compiled(project, ["shared/spring.yaml"]);

    expect(shown(problems)).toEqual([
      'shared/spring.yaml:4:3 input-missing: the input "app_id" has no value: no other file uses this file, so its rules don\'t run',
    ]);
    expect(problems[0]?.severity).toBe("warning");
    expect(problems[0]?.help).toContain(
      "use: [{file: shared/spring.yaml, as: NAME, with: {app_id: …}}]",
    );
    expect(ruleset.rules).toEqual([]);
  });

  test.each([
    ["{}", '3:5 input-missing: shared/spring.yaml needs the input "app_id"'],
    ["{app_id: x, persent: 1}", '3:62 unknown-input: shared/spring.yaml has no input "persent"'],
    ["{app_id: x, percent: many}", "3:71 input-type: this input is a number, without quotes"],
    ["{app_id: x, wait: soon}", "3:68 input-type: this input is a duration, as 10m, 24h or 180d"],
    [
      "{app_id: '${{ sender.id }}'}",
      "3:59 no-expression-here: an input is a constant: expressions are not supported here",
    ],
    ["{app_id: x, code_pattern: '(?=x)'}", "3:77 regex-lookaround"],
  ])("given as %s are reported at the use", async (inputs, message) => {
    const uses = { ...project, "campaign.yaml": USES("", inputs) };
    const { ruleset, problems } = await compiled(uses, ["campaign.yaml"]);

    expect(shown(problems)).toEqual([expect.stringContaining(`campaign.yaml:${message}`)]);
    // the rules that the file itself contains still run; only the use of the shared file fails
    expect(ruleset.byId.has("own")).toBe(true);
  });
});

describe("an input with the name of a member that every object inherits", () => {
  const NAMES = ["constructor", "toString", "valueOf", "hasOwnProperty"];

  it.each(NAMES)("has its value: %s", async (name) => {
    const shared = `inputs: {${name}: {type: string, default: Acme}}
rules: [{id: r, triggers: [dm.received], actions: [{reply_dm: "\${{ inputs.${name} }}"}]}]
`;
    const use = (more: string) => `use: [{file: b.yaml, as: b${more}}]\nrules: []\n`;
    for (const [more, text] of [
      ["", "Acme"],
      [`, with: {${name}: Own}`, "Own"],
    ] as const) {
      const uses = { "a.yaml": use(more), "b.yaml": shared };
      const { ruleset, problems } = await compiled(uses, ["a.yaml"]);

      expect(shown(problems)).toEqual([]);
      expect(said(ruleset.rules, ruleset, "hi")).toEqual([text]);
    }
  });

  it.each(NAMES)("is reported if the file has no such input: %s", async (name) => {
    const rules = `rules: [{id: r, triggers: [dm.received], actions: [{reply_dm: "\${{ inputs.${name} }}"}]}]`;
    const alone = { "a.yaml": `inputs: {shop: {type: string, default: A}}\n${rules}\n` };
    const { problems } = await compiled(alone, ["a.yaml"]);

    expect(shown(problems)).toEqual([expect.stringContaining(`inputs has no field "${name}"`)]);
  });
});

describe("a mistake", () => {
  it("in a used file is reported there, with the use", async () => {
    const wrong = {
      ...project,
      "shared/spring.yaml": SPRING.replace("contains_word", "contains_wrd"),
    };
    const { ruleset, problems } = await compiled(wrong, ["campaign.yaml"]);

    expect(shown(problems)).toEqual([
      'shared/spring.yaml:19:34 unknown-key: unknown key "contains_wrd" among the operators, used as "spring" by campaign.yaml:3',
    ]);
    expect(ruleset.rules.map(({ id }) => id)).toEqual(["own", "spring.code"]);
  });

  test.each([
    ["use: [{file: gone.yaml, as: x}]", "2:14 named-file: the file gone.yaml is not there"],
    ["use: {file: b.yaml}", "2:6 wrong-type: use: is a list"],
    ["use: [{file: b.yaml}]", '2:7 missing-key: "as" is missing under use'],
    [
      "use: [{file: b.yaml, as: x}, {file: b.yaml, as: x}]",
      '2:49 duplicate-id: "x" is used twice: rules of both would have the same ids',
    ],
    [
      "use: [{file: a.yaml, as: x}]",
      "2:14 use-in-a-circle: a file can't use itself: a.yaml uses a.yaml",
    ],
  ])("in a use is reported there: %s", async (text, message) => {
    const { problems } = await compiled({ "a.yaml": text, "b.yaml": "rules: []" }, ["a.yaml"]);

    expect(shown(problems)[0]).toBe(`a.yaml:${message}`);
  });

  it("is a circle of uses, also if each file is used by another", async () => {
    const round = {
      "a.yaml": "use: [{file: b.yaml, as: b}]",
      "b.yaml": "use: [{file: a.yaml, as: a}]",
    };
    const { problems } = await compiled(round, ["a.yaml", "b.yaml"]);

    expect(problems.map(({ code }) => code)).toContain("use-in-a-circle");
  });

  it("keeps the earlier rules of a used file", async () => {
    const before = (await compiled(project, ["campaign.yaml"])).ruleset;
    const text = `version: 1\n${USES("", "{}")}`;
    const files = [{ path: "campaign.yaml", text }];
    const now = await withNamedFiles(files, async () => ({ text: `version: 1\n${SPRING}` }));
    const { ruleset, oldRules: keptIds } = compile(now, before);

    expect(keptIds.map(({ id }) => id)).toEqual(["spring.code", "spring.words"]);
    expect(ruleset.rules.map(({ id }) => id)).toEqual(["own", "spring.code", "spring.words"]);
  });
});
