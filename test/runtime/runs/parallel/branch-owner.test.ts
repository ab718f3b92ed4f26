import { describe, expect, test } from "vitest";
import { ownerOfBranch, trunkOf } from "../../../../src/runtime/runs/parallel/branch-owner.ts";
import { runId, ruleOrBotOf } from "../../../../src/runtime/store/run.ts";

describe("the run of a branch", () => {
  test.each([
    { why: "a rule's", trunk: "rule:order", round: undefined },
    { why: "one in a round", trunk: "rule:order", round: "2.1" },
    { why: "one that a count has started", trunk: "rule:order#rude@2", round: "1" },
    { why: "one of a file that is used", trunk: "rule:spring.order", round: undefined },
  ])("is recognized as part of its run: $why", ({ trunk, round }) => {
    const branch = { path: "actions[0].run(a).actions[1]", name: "one" };
    const owner = ownerOfBranch(trunk, round === undefined ? branch : { ...branch, round });

    expect(ruleOrBotOf(owner)).toBe(ruleOrBotOf(trunk));
    expect(trunkOf(runId(7, owner))).toBe(`7/${trunk}`);
  });

  test.each(["7/rule:order", "7/rule:order#rude@2", "7/bot:a"])("is not %s", (id) => {
    expect(trunkOf(id)).toBeUndefined();
  });
});
