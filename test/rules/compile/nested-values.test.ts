import { expect, it } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";

/** Returns the codes of the errors in a rule file with these lines; `rule` has further keys of its rule. */
function errorsOf({ file = "", rule = "" }: { file?: string; rule?: string }): readonly string[] {
  const actions = rule.includes("actions:") ? "" : "    actions: [{ reply_dm: hi }]\n";
  const text = `version: 1\n${file}\nrules:\n  - id: a\n    triggers: [dm.received]\n${actions}    ${rule}\n`;
  const { problems } = compile([{ path: "a.yaml", text }]);
  return problems.filter(({ severity }) => severity === "error").map(({ code }) => code);
}

it.each([
  { rule: "variables: { roll: [{ a: b }] }" },
  { rule: "enabled: { a: b }" },
  { rule: "cooldown: { per: { a: b }, for: 1h }" },
  { rule: "actions: [{ reply_dm: hi, continue_on_error: { a: b } }]" },
  {
    rule: "actions: [{ id: size, ask: { text: Which?, within: 1h, expect: { in: [[{ a: b }]] } } }]",
  },
  { rule: 'actions: [{ id: who, lookup: { user: "1", fields: [{ a: b }] } }]' },
  { file: "hours: { office: [{ zone: UTC }] }", rule: "name: a" },
  {
    file: "inputs: { n: { type: number, default: 1 } }",
    rule: "enabled: { a: b }",
  },
])("a map where a single value belongs is reported: %j", (one) => {
  expect(errorsOf(one)).not.toEqual([]);
});
