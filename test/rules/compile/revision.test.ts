import { describe, expect, it } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";

const FILE = `version: 1
rules:
  - id: a
    triggers: [dm.received]
    conditions: [{message.text: 0123}]
    actions: [{call: ./codes.ts#redeem}]
  - id: b
    triggers: [dm.received]
    actions: [{log: hi}]
`;
const revisions = (text: string, path = "rules/a.yaml") => {
  const { ruleset, problems } = compile([{ path, text }]);
  expect(problems).toEqual([]);
  return ruleset.rules.map(({ revision }) => revision);
};

describe("the revision of a rule", () => {
  it("depends on its text, path and language only", () => {
    expect(revisions(FILE)).toEqual(revisions(FILE));
    expect(new Set(revisions(FILE)).size).toBe(2);
  });

  it("changes with every significant character: 0123 is not 123", () => {
    const [a, b] = revisions(FILE);
    const [changed, other] = revisions(FILE.replace("0123", "123"));

    expect(changed).not.toBe(a);
    expect(other).toBe(b);
  });

  it("differs in another folder, from which its calls are resolved", () => {
    expect(revisions(FILE, "other/a.yaml")[0]).not.toBe(revisions(FILE)[0]);
  });

  it("does not change when the rule moves within its file", () => {
    expect(revisions(FILE.replace("rules:\n", "# a line\n\nrules:\n"))).toEqual(revisions(FILE));
  });

  it("has 256 bits", () => {
    expect(revisions(FILE)[0]).toMatch(/^[\w-]{43}$/);
  });
});
