import { describe, expect, it, test } from "vitest";
import { compile, type SourceFile } from "../../../../src/rules/compile/compile.ts";
import { recompile } from "../../../../src/rules/compile/recompile.ts";
import { decide } from "../../../../src/rules/decide/decide.ts";
import { advance } from "../../../../src/rules/run/advance.ts";
import type { CompiledRule, Ruleset } from "../../../../src/rules/ruleset.ts";
import { openRuleArchive } from "../../../../src/runtime/runs/rule-archive.ts";
import type { RuleSource } from "../../../../src/runtime/store/run.ts";
import { messageReceived } from "../../../support/events.ts";

const GREET = `version: 1
rules:
  - id: greet
    triggers: [dm.received]
    actions:
      - run: goodbye
        with: {name: Ann}
`;
const SHARED = `version: 1
inputs: {mark: {type: string, default: "!"}}
lists: {names: {file: names.txt, match: word}}
rules:
  - id: goodbye
    variables: {name: you}
    actions:
      - reply_dm: bye \${{ vars.name }}\${{ inputs.mark }}
      - wait_for: {trigger: dm.received, conditions: [{text: {in_list: names}}], within: 1h, on_timeout: [stop]}
`;
const shared = (text = SHARED, names = "Bob"): SourceFile => ({
  path: "shared.yaml",
  text,
  named: { "names.txt": { text: names } },
});
const greet = (text = GREET): SourceFile => ({ path: "greet.yaml", text });

function rulesOf(...files: readonly SourceFile[]): Ruleset {
  const { ruleset, problems } = compile(files);
  expect(problems).toEqual([]);
  return ruleset;
}

function ruleOf(...files: readonly SourceFile[]): CompiledRule {
  const rule = rulesOf(...files).byId.get("greet");
  if (rule === undefined) throw new Error("no rule");
  return rule;
}

/** Starts the rule that a message triggers. Returns the first action that its run requests. */
function firstOf(ruleset: Ruleset) {
  const event = messageReceived();
  const [run] = decide(event, ruleset, { now: event.at }).runs;
  const rule = ruleset.byId.get(run?.ruleId ?? "");
  return run && rule && advance(run, rule, { now: event.at }).next;
}

const headlines = (...files: readonly SourceFile[]) =>
  compile(files).problems.map(({ file, line, message }) => `${file}:${line} ${message}`);

describe("variables that a number would change", () => {
  it("are texts in a rule that is run, too", () => {
    const text = `version: 1
rules:
  - id: price
    variables: {code: 007, price: 1.10, count: 3}
    actions: [{reply_dm: "\${{ vars.code }} for \${{ vars.price }}, \${{ vars.count + 1 }} times"}]
`;

    expect(
      firstOf(
        rulesOf(
          greet(GREET.replace("goodbye", "price").replace("        with: {name: Ann}\n", "")),
          shared(text),
        ),
      ),
    ).toMatchObject({ action: { text: "007 for 1.10, 4 times" } });
  });
});

describe("a text as an input", () => {
  it("keeps the zeros of its default", () => {
    const text = `version: 1
inputs: {zip: {type: string, default: 01234}}
rules:
  - {id: greet, triggers: [dm.received], actions: [{reply_dm: "\${{ inputs.zip }}"}]}
`;

    expect(firstOf(rulesOf(greet(text)))).toMatchObject({ action: { text: "01234" } });
  });
});

describe("a rule without triggers", () => {
  it("is started by no event, and is not among the rules that decide", () => {
    const ruleset = rulesOf(greet(), shared());

    expect(ruleset.rules.map(({ id }) => id)).toEqual(["greet"]);
  });

  it("may be in another file, and uses the texts and lists of that file", () => {
    expect(firstOf(rulesOf(greet(), shared()))).toMatchObject({ action: { text: "bye Ann!" } });
  });

  it("counts as an answer, so the rule that runs it joins the group of its file", () => {
    expect(ruleOf(greet(), shared()).group).toBe("greet.yaml");
  });

  it("is preferred to a rule with the same id in another file", () => {
    const used = SHARED.replace("rules:", GREET.slice(GREET.indexOf("  - id"))).replace(
      /^ {2}- id: greet/m,
      "rules:\n  - id: greet",
    );
    const main = {
      path: "main.yaml",
      text: "version: 1\nuse: [{file: shared.yaml, as: spring, with: {mark: '?'}}]\n",
      named: { "shared.yaml": { text: used }, "names.txt": { text: "Bob" } },
    };

    expect(firstOf(rulesOf(main))).toMatchObject({ action: { text: "bye Ann?" } });
  });
});

describe("mistakes in a rule that is run", () => {
  it("are reported at their place, with the rule that runs it", () => {
    expect(headlines(greet(), shared(SHARED.replace("vars.name", "post.text")))).toEqual([
      'shared.yaml:8 "post.text" does not exist on trigger dm.received, where rule "greet" (greet.yaml:6) runs it',
    ]);
  });

  it("name the rule that is started, also through other rules", () => {
    const between = `version: 1
rules:
  - id: between
    actions: [{run: goodbye}]
`;
    const files = [
      greet(GREET.replace("run: goodbye", "run: between").replace("{name: Ann}", "{}")),
      { path: "between.yaml", text: between },
      shared(SHARED.replace("vars.name", "post.text")),
    ];

    expect(headlines(...files)).toEqual([
      'shared.yaml:8 "post.text" does not exist on trigger dm.received, where rule "greet" (greet.yaml:6) runs it',
    ]);
  });

  it("report a circle once, with its path", () => {
    const back = SHARED.replace("      - reply_dm:", "      - run: greet\n      - reply_dm:");

    expect(headlines(greet(), shared(back))).toEqual([
      'greet.yaml:6 a rule can\'t run itself: "goodbye" runs "greet" runs "goodbye"',
    ]);
  });

  it("leave the rule that runs it unchanged", () => {
    const before = rulesOf(greet(), shared());
    const { ruleset, oldRules: keptIds } = compile(
      [greet(), shared(SHARED.replace("reply_dm", "reply_dmm"))],
      before,
    );

    expect(keptIds.map(({ id }) => id)).toEqual(["greet"]);
    expect(ruleset.byId.get("greet")).toBe(before.byId.get("greet"));
  });

  it("are reported if rules run more rules than is reasonable", () => {
    const rules = Array.from({ length: 8 }, (_, index) => {
      const next = index === 7 ? "{reply_dm: hi}" : `{run: r${index + 1}}, {run: r${index + 1}}`;
      return `  - {id: r${index}, actions: [${next}]}`;
    });
    const text = `version: 1\nrules:\n  - {id: a, triggers: [dm.received], actions: [{run: r0}]}\n${rules.join("\n")}\n`;
    const codes = new Set(compile([greet(text)]).problems.map(({ code }) => code));

    expect([...codes]).toEqual(["run-too-often"]);
  });
});

describe("the revision of a rule that runs another rule", () => {
  const revision = (...files: readonly SourceFile[]) => ruleOf(...files).revision;
  const before = revision(greet(), shared());

  test.each([
    { what: "its steps", file: shared(SHARED.replace("bye $", "so long $")) },
    { what: "its variables", file: shared(SHARED.replace("name: you", "name: all")) },
    { what: "an input of its file", file: shared(SHARED.replace('"!"', '"."')) },
    { what: "a list that it asks", file: shared(SHARED, "Eve") },
  ])("changes if $what changed", ({ file }) => {
    expect(revision(greet(), file)).not.toBe(before);
  });

  it("stays the same if another part of that file changed", () => {
    const text = `${SHARED}  - {id: other, triggers: [dm.received], actions: [{log: hi}]}\n`;

    expect(revision(greet(), shared(text))).toBe(before);
  });
});

describe("a run of a rule that runs another rule", () => {
  it("continues with the earlier version if that rule has changed since or was removed", async () => {
    const rule = ruleOf(greet(), shared());
    const sources: RuleSource[] = [];
    const archive = archiveOf(rulesOf(greet(), shared()), sources);
    sources.push(...[archive.toKeep(rule, 0) ?? []].flat());
    const other = rulesOf({
      path: "greet.yaml",
      text: "version: 1\nrules: [{id: x, triggers: [dm.received], actions: [{log: hi}]}]",
    });

    const again = await archiveOf(other, sources).find(rule.revision);

    expect(again?.revision).toBe(rule.revision);
    expect(again?.actions).toMatchObject(
      rule.actions.map(({ label, calls }) => ({ label, calls: { id: calls?.id } })),
    );
    const event = messageReceived();
    expect(decide(event, rulesOf(greet(), shared()), { now: event.at }).runs[0]?.revision).toBe(
      again?.revision,
    );
  });

  it("can't be restored without the file that contains that rule", () => {
    const { id: ruleId, revision, source } = ruleOf(greet(), shared());

    expect(recompile({ ruleId, revision, ...source })).toBeUndefined();
  });
});

function archiveOf(ruleset: Ruleset, sources: readonly RuleSource[]) {
  return openRuleArchive({
    ruleset: () => ruleset,
    store: { ruleSource: async (revision) => sources.find((one) => one.revision === revision) },
  });
}
