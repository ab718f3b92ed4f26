import { describe, expect, it, test } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";
import { decide, explain } from "../../../src/rules/decide/decide.ts";
import { messageReceived } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";

const RULES = (file: string, rule = "") =>
  `${file}rules: [{id: a, ${rule}triggers: [dm.received], actions: [{reply_dm: hi}]}]`;
/** Event of the account 100, whose handle is hello_bot. */
const event = messageReceived();
const context = { now: event.at, username: "Hello_Bot" };

describe("a rule for one account", () => {
  test.each([
    ["account: hello_bot\n", "", true, "the file's, by its handle"],
    ['account: "@HELLO_bot"\n', "", true, "however that is written"],
    ['account: "＠hello_bot"\n', "", true, "with a full-width sign"],
    ['account: "100"\n', "", true, "by its id"],
    ["account: 100\n", "", true, "without quotes"],
    ["account: shop\n", "", false, "another account"],
    ["account: 101\n", "", false, "another id"],
    ["account: 1\n", "", false, "the beginning of its id"],
    ["", "account: shop, ", false, "the rule's own"],
    ["account: shop\n", "account: hello_bot, ", true, "the rule's own goes before the file's"],
  ])("%s%s answers for it: %s: %s", (file, rule, runs) => {
    const ruleset = rulesetOf(RULES(file, rule));

    expect(decide(event, ruleset, context).runs.length > 0).toBe(runs);
    expect(explain(event, ruleset, context)[0]?.outcome === "ran").toBe(runs);
  });

  it("gives this reason for events of other accounts", () => {
    const ruleset = rulesetOf(RULES("account: shop\n"));

    expect(explain(event, ruleset, context)).toMatchObject([
      {
        outcome: "skipped",
        reason: "other-account",
        clause: { path: "account", wanted: "shop", actual: "Hello_Bot" },
      },
    ]);
  });

  it("is found by the account's id if it has no condition", () => {
    expect(decide(event, rulesetOf(RULES("account: 101\n")), context)).toMatchObject({
      judged: [],
      ruledOut: 1,
    });
  });

  it("does not hide a rule of another account, and does not answer in addition to it", () => {
    const rule = "triggers: [dm.received], actions: [{reply_dm: hi}]";
    const one = `version: 1\naccount: shop\nrules: [{id: a, ${rule}}, {id: b, account: news, ${rule}}]`;
    const other = `version: 1\naccount: blog\nrules: [{id: c, ${rule}}]`;

    expect(
      compile([
        { path: "a.yaml", text: one },
        { path: "b.yaml", text: other },
      ]).problems,
    ).toEqual([]);
  });

  it("has a different revision for a different account", () => {
    const revisionOf = (file: string) => rulesetOf(RULES(file)).rules[0]?.revision;

    expect(revisionOf("account: shop\n")).not.toBe(revisionOf("account: news\n"));
  });

  it("passes its account to the rules of a file that it uses", () => {
    const text = "version: 1\naccount: shop\nuse: [{file: b.yaml, as: b}]";
    const named = { "b.yaml": { text: `version: 1\n${RULES("")}` } };
    const { ruleset, problems } = compile([{ path: "a.yaml", text, named }]);

    expect(problems).toEqual([]);
    expect(ruleset.rules).toMatchObject([{ id: "b.a", account: "shop" }]);
  });
});
