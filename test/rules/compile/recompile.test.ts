import { describe, expect, it, test } from "vitest";
import { compile, type SourceFile } from "../../../src/rules/compile/compile.ts";
import { recompile, type PinnedRule } from "../../../src/rules/compile/recompile.ts";
import type { CompiledRule } from "../../../src/rules/ruleset.ts";
import { decide } from "../../../src/rules/decide/decide.ts";
import { advance } from "../../../src/rules/run/advance.ts";
import { messageReceived } from "../../support/events.ts";

const A: SourceFile = {
  path: "a.yaml",
  text: `version: 1
groups: {faq: {match: first}}
rules:
  - {id: one, triggers: [dm.received], actions: [{reply_dm: one}]}
  - {id: two, group: faq, triggers: [dm.received], actions: [{reply_dm: 'two \${{ sender.name }}'}]}
`,
};
const B: SourceFile = {
  path: "b.yaml",
  text: `version: 1
rules:
  - {id: three, group: faq, triggers: [dm.received], actions: [{reply_dm: three}]}
`,
};
const { ruleset } = compile([A, B]);
const rule = (id: string): CompiledRule => {
  const compiledRule = ruleset.byId.get(id);
  if (!compiledRule) throw new Error(`no rule ${id}`);
  return compiledRule;
};
/** Returns the id, revision and source of a rule, which a runtime stores with the rule's open runs. */
const pinned = ({ id, revision, source }: CompiledRule): PinnedRule => ({
  ruleId: id,
  revision,
  ...source,
});

describe("a rule's source", () => {
  it("is the whole file, in one object for all its rules", () => {
    expect(rule("one").source).toEqual(A);
    expect(rule("two").source).toBe(rule("one").source);
    expect(rule("three").source).toEqual(B);
  });
});

describe("a rule that is compiled again from its source", () => {
  test.each(["one", "two", "three"])("is unchanged: %s", (id) => {
    const again = recompile(pinned(rule(id)));

    expect(again?.revision).toBe(rule(id).revision);
    expect(again).toMatchObject({ id, file: rule(id).file, line: rule(id).line });
    expect(again?.group).toBe(rule(id).group);
  });

  it("continues a run of the first compilation", () => {
    const event = messageReceived();
    const run = decide(event, ruleset, { now: event.at }).runs.find(
      ({ ruleId }) => ruleId === "two",
    );
    const again = recompile(pinned(rule("two")));
    if (!run || !again) throw new Error("no run");

    expect(advance(run, again, { now: event.at })).toEqual(
      advance(run, rule("two"), { now: event.at }),
    );
  });

  it("does not depend on a mistake elsewhere in the file", () => {
    const text = A.text.replace("{reply_dm: one}", "{reply_dmm: one}");

    expect(recompile({ ...pinned(rule("two")), text })?.id).toBe("two");
    expect(recompile({ ...pinned(rule("one")), text })).toBeUndefined();
  });

  test.each([
    { why: "the rule has changed", text: A.text.replace("reply_dm: one", "reply_dm: 1") },
    { why: "the rule is gone", text: B.text },
    { why: "the text is not YAML", text: "a: [" },
    { why: "the text has no rules", text: "version: 1\nrules: soon" },
  ])("is undefined if $why", ({ text }) => {
    expect(recompile({ ...pinned(rule("one")), text })).toBeUndefined();
  });
});
