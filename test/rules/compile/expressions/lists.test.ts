import { describe, expect, it, test } from "vitest";
import { compile } from "../../../../src/rules/compile/compile.ts";
import type { Json } from "../../../../src/protocol/json.ts";
import { messageReceived } from "../../../support/events.ts";
import { rulesetOf } from "../../support/compiling.ts";
import { actionsOf, endOf, play } from "../../support/playing.ts";

/** Returns the reply with the value of `expression`, or why the run failed. `stored` is `state.account.l`. */
function said(expression: string, stored?: Json): string | undefined {
  const ruleset = rulesetOf(
    `rules:\n  - id: a\n    triggers: [dm.received]\n    actions:\n      - reply_dm: ${JSON.stringify(`=\${{ ${expression} }}`)}`,
  );
  const read = (key: string) => (key === "state/100/l" ? stored : undefined);
  const steps = play(messageReceived(), ruleset, undefined, { read });
  const [action] = actionsOf(steps);
  return action?.type === "reply_dm" ? action.text.slice(1) : endOf(steps);
}

const L = "state.account.l.orValue([])";

describe("functions for lists in expressions", () => {
  test.each([
    [`${L}.sort()`, [3, 1, 2], "1, 2, 3"],
    [`${L}.sort_desc()`, [3, 10, 2.5], "10, 3, 2.5"],
    [`${L}.sort()`, ["12 ann", "9 ben", "100 cid"], "9 ben, 12 ann, 100 cid"],
    [
      `${L}.sort_desc()`,
      ["12 ann", "9 ben", "-3 cid", "9.5 dan"],
      "12 ann, 9.5 dan, 9 ben, -3 cid",
    ],
    [`${L}.sort()`, ["b", "a", "7 x", "B"], "7 x, a, b, B"],
    [`${L}.sort()`, ["Zoe", "Ärger", "émile", "adam"], "adam, Ärger, émile, Zoe"],
    [`${L}.sort()`, ["ночь", "Ёж", "ель", "Яна"], "Ёж, ель, ночь, Яна"],
    [`${L}.sort_desc()`, ["Όμηρος", "Ωμέγα", "άλφα"], "Ωμέγα, Όμηρος, άλφα"],
    [`${L}.sort()`, ["さくら", "いぬ", "カメラ", "アイス"], "アイス, いぬ, カメラ, さくら"],
    [`${L}.sort()`, ["9 b", "9 a"], "9 a, 9 b"],
    [`${L}.sort()`, undefined, ""],
    [`${L}.slice(0, 2)`, ["a", "b", "c"], "a, b"],
    [`${L}.slice(1, 99)`, ["a", "b", "c"], "b, c"],
    [`${L}.slice(-2, size(${L}))`, ["a", "b", "c"], "b, c"],
    [`${L}.slice(2, 1)`, ["a", "b", "c"], ""],
    [`${L}.without("b")`, ["a", "b", "c", "b"], "a, c"],
    [`${L}.without(2)`, [1, 2, 3], "1, 3"],
    [`${L}.without("2")`, [1, 2, 3], "1, 2, 3"],
    [`size(${L})`, ["a", "b"], "2"],
    [`${L}.size()`, ["a", "b"], "2"],
    ['["b", "a"].sort()', undefined, "a, b"],
    ["message.hashtags.sort()", undefined, ""],
    [`(${L} + ["5 ann"]).sort_desc().slice(0, 2)`, ["7 ben", "3 cid"], "7 ben, 5 ann"],
    ["[3, 1, 2].sort()[0] + 1", undefined, "2"],
  ])("%s of %j is %j", (expression, stored, text) => {
    expect(said(expression, stored)).toBe(text);
  });

  test.each([
    [`${L}.sort()`, [{ a: 1 }], "only numbers and texts can be sorted"],
    [`${L}.sort()`, [true], "only numbers and texts can be sorted"],
    [`${L}.sort()`, "no list", "no matching overload"],
  ])("%s fails for %j: %s", (expression, stored, error) => {
    expect(said(expression, stored)?.toLowerCase()).toContain(error);
  });

  it("does not sort the list itself", () => {
    expect(said(`size(${L}.sort()) > 0 ? ${L} : []`, [2, 1])).toBe("2, 1");
  });

  it("counts the members it reads: a long list that is sorted again and again fails soon", () => {
    const long = Array.from({ length: 2_000 }, (_, n) => `${(n * 7919) % 2_000} x`);
    const again = `${L}${".sort()".repeat(30)}`;
    const started = performance.now();

    expect(said(`size(${again})`, long)).toContain("characters to look at");
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it("refuses values other than lists at check", () => {
    const text = `version: 1\nrules: [{id: a, triggers: [dm.received], actions: [{log: "\${{ message.text.sort() }}"}]}]`;

    expect(compile([{ path: "a.yaml", text }]).problems.map(({ code }) => code)).toEqual([
      "expr-syntax",
    ]);
  });
});
