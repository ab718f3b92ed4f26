import { describe, expect, it } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";

const file = (path: string, ...rules: readonly string[]) => ({
  path,
  text: `version: 1\nrules:\n${rules.map((rule) => `  - ${rule}\n`).join("")}`,
});
const codesOf = (...files: readonly ReturnType<typeof file>[]) =>
  compile(files).problems.map(({ code, file: where, line }) => `${where}:${line} ${code}`);
const HI = "actions: [{reply_dm: hi}]";
const ON_MESSAGES = `triggers: [dm.received], ${HI}`;
const HOURS = "conditions: [{text: {contains_word: hours}}]";

describe("a rule hidden by an earlier rule", () => {
  const hidden = (earlier: string, later: string) =>
    codesOf(file("a.yaml", `{id: one, ${earlier}}`, `{id: two, ${later}}`)).length > 0;

  it.each([
    [`cooldown: {per: sender, for: 1h}, ${ON_MESSAGES}`, ON_MESSAGES, "it answers again later"],
    [`limit: {max: 5, in: 1h}, ${ON_MESSAGES}`, ON_MESSAGES, "it answers more"],
    [`active: {to: "2030-01-01T00:00:00Z"}, ${ON_MESSAGES}`, ON_MESSAGES, "it answers afterwards"],
    [`max_age: 1h, ${ON_MESSAGES}`, `max_age: 2h, ${ON_MESSAGES}`, "it answers older ones"],
    [`stage: shadow, ${ON_MESSAGES}`, ON_MESSAGES, "the other one is not in force"],
    [`enabled: false, ${ON_MESSAGES}`, ON_MESSAGES, "the other one is not in force"],
    [`group: none, ${ON_MESSAGES}`, ON_MESSAGES, "both answer"],
    [`${HOURS}, ${ON_MESSAGES}`, ON_MESSAGES, "it answers everything else"],
    [
      `conditions: [{text: {contains_word: hours, cased: true}}], ${ON_MESSAGES}`,
      `${HOURS}, ${ON_MESSAGES}`,
      "case counts above only",
    ],
    [
      `variables: {a: one}, conditions: [{if: 'text == vars.a'}], ${ON_MESSAGES}`,
      `variables: {a: two}, conditions: [{if: 'text == vars.a'}], ${ON_MESSAGES}`,
      "the variable is another",
    ],
    [
      `variables: {a: "\${{ chance(0.5) }}"}, conditions: [{if: vars.a}], ${ON_MESSAGES}`,
      `variables: {a: "\${{ chance(0.5) }}"}, conditions: [{if: vars.a}], ${ON_MESSAGES}`,
      "each rule draws its own variable",
    ],
    [
      `conditions: [{if: 'trigger.id == "b"'}], triggers: [{trigger: dm.received, id: a}], ${HI}`,
      `conditions: [{if: 'trigger.id == "b"'}], triggers: [{trigger: dm.received, id: b}], ${HI}`,
      "its trigger has another id",
    ],
    [
      `conditions: [{text: {contains: " no"}}], ${ON_MESSAGES}`,
      `conditions: [{text: {contains_word: " no"}}], ${ON_MESSAGES}`,
      "the space counts above only",
    ],
    [
      `conditions: [{text: {contains: "no "}}], ${ON_MESSAGES}`,
      `conditions: [{text: {ends_with: "no "}}], ${ON_MESSAGES}`,
      "the space at the end counts above only",
    ],
    [
      `conditions: [{text: 0123}], ${ON_MESSAGES}`,
      `conditions: [{text: 123}], ${ON_MESSAGES}`,
      "a number is compared as written",
    ],
    [
      `conditions: [{text: {in: [1.0, 7]}}], ${ON_MESSAGES}`,
      `conditions: [{text: 1}], ${ON_MESSAGES}`,
      "a number in a list is compared as written",
    ],
    [
      ON_MESSAGES,
      "triggers: [dm.received, post.mentioned], actions: [{reply: hi}]",
      "it listens to more",
    ],
  ])("is not reported if %s is above %s: %s", (earlier, later) => {
    expect(hidden(earlier, later)).toBe(false);
  });

  it.each([
    [
      `variables: {a: one}, conditions: [{if: 'text == vars.a'}], ${ON_MESSAGES}`,
      `variables: {a: one}, conditions: [{if: 'text == vars.a'}], ${ON_MESSAGES}`,
      "the variables are equal",
    ],
    [
      `conditions: [{if: 'trigger.id == "a"'}], triggers: [{trigger: dm.received, id: a}], ${HI}`,
      `conditions: [{if: 'trigger.id == "a"'}], triggers: [{trigger: dm.received, id: a}], ${HI}`,
      "the triggers are equal",
    ],
    [
      `triggers: [{trigger: dm.received, id: a}], ${HI}`,
      `triggers: [{trigger: dm.received, id: b}], ${HI}`,
      "no condition reads the id of the trigger",
    ],
    [
      `conditions: [{text: {contains: "no"}}], ${ON_MESSAGES}`,
      `conditions: [{text: {contains_word: "no"}}], ${ON_MESSAGES}`,
      "no space counts",
    ],
    [
      `conditions: [{text: {in: [0123, 7]}}], ${ON_MESSAGES}`,
      `conditions: [{text: "0123"}], ${ON_MESSAGES}`,
      "the numbers have the same characters",
    ],
  ])("is reported: %s hides %s, since %s", (earlier, later) => {
    expect(hidden(earlier, later)).toBe(true);
  });

  it("is reported for the group, not for the file", () => {
    const group = "group: answers";
    const groups = "{version: 1, groups: {answers: {match: first}}, rules: [";
    const one = `${groups}{id: one, ${group}, ${ON_MESSAGES}}]}`;
    const two = `{version: 1, rules: [{id: two, ${group}, ${HOURS}, ${ON_MESSAGES}}]}`;

    const { problems } = compile([
      { path: "a.yaml", text: one },
      { path: "b.yaml", text: two },
    ]);

    expect(problems).toMatchObject([
      { file: "b.yaml", code: "unreachable-rule", message: expect.stringContaining("a.yaml:1") },
    ]);
  });

  it("is found among ten thousand rules without comparing all pairs", () => {
    const rules = Array.from(
      { length: 10_000 },
      (_, n) =>
        `{id: r${n}, conditions: [{text: {contains_word: word${n % 9_999}}}], ${ON_MESSAGES}}`,
    );

    expect(codesOf(file("a.yaml", ...rules))).toEqual(["a.yaml:10002 unreachable-rule"]);
  });
});

describe("rules of two files that answer the same event", () => {
  const both = (one: string, two: string) =>
    codesOf(file("a.yaml", `{id: one, ${one}}`), file("b.yaml", `{id: two, ${two}}`));

  it("are reported once for the two files", () => {
    const first = file("a.yaml", `{id: one, ${HOURS}, ${ON_MESSAGES}}`);
    const second = file(
      "b.yaml",
      `{id: two, ${HOURS}, ${ON_MESSAGES}}`,
      `{id: three, fallback: true, ${ON_MESSAGES}}`,
    );

    expect(codesOf(first, second)).toEqual(["b.yaml:3 two-files-answer"]);
  });

  it.each([
    ["triggers: [{trigger: dm.received, in: any}], actions: [{reply_dm: hi}]", ON_MESSAGES],
    [
      "triggers: [{trigger: dm.received, in: any}], actions: [{reply_dm: hi}]",
      "triggers: [{trigger: dm.received, in: group}], actions: [{reply_dm: hi}]",
    ],
    [
      "triggers: [{trigger: post.found, query: tea}], actions: [{reply: hi}]",
      "triggers: [{trigger: post.found, query: tea}], actions: [{reply: hi}]",
    ],
  ])("are reported if %s and %s match the same events", (one, two) => {
    expect(both(one, two)).toEqual(["b.yaml:3 two-files-answer"]);
  });

  it("are not reported if one is a fallback, which is silent if the other file answers", () => {
    const first = file("a.yaml", `{id: one, ${HOURS}, ${ON_MESSAGES}}`);
    const refund = "conditions: [{text: {contains_word: refund}}]";
    const second = file(
      "b.yaml",
      `{id: two, ${refund}, ${ON_MESSAGES}}`,
      `{id: three, fallback: true, ${ON_MESSAGES}}`,
    );

    expect(codesOf(first, second)).toEqual([]);
  });

  it.each([
    [`group: none, ${ON_MESSAGES}`, ON_MESSAGES, "one of them is in no group"],
    [`interrupts: true, ${ON_MESSAGES}`, ON_MESSAGES, "one of them interrupts"],
    [
      "triggers: [post.mentioned], actions: [{reply_post: hi}]",
      ON_MESSAGES,
      "they listen to different events",
    ],
    [
      "triggers: [{trigger: dm.received, in: group}], actions: [{reply_dm: hi}]",
      ON_MESSAGES,
      "one listens in groups, one in private",
    ],
    [
      "triggers: [{trigger: post.found, query: tea}], actions: [{reply: hi}]",
      "triggers: [{trigger: post.found, query: coffee}], actions: [{reply: hi}]",
      "they search for different posts",
    ],
    ["triggers: [dm.received], actions: [{log: hi}]", ON_MESSAGES, "one of them answers nobody"],
    [
      `${HOURS}, ${ON_MESSAGES}`,
      `conditions: [{text: {contains_word: refund}}], ${ON_MESSAGES}`,
      "they ask for different words",
    ],
  ])("are not reported if %s and %s: %s", (one, two) => {
    expect(both(one, two)).toEqual([]);
  });
});

describe("a private text in a post", () => {
  const codes = (rule: string) => codesOf(file("a.yaml", `{id: one, ${rule}}`));

  it("is accepted if the rule states the intent", () => {
    const actions = 'actions: [{create_post: "${{ message.text.truncate(100) }}"}]';

    expect(codes(`triggers: [dm.received], ${actions}`)).toEqual(["a.yaml:3 private-to-public"]);
    expect(codes(`triggers: [dm.received], allow: [private-to-public], ${actions}`)).toEqual([]);
  });

  it("is not reported if the text was public, or is only tested", () => {
    expect(
      codes(
        'triggers: [post.mentioned], actions: [{create_post: {text: "${{ text.truncate(100) }}", third_parties: inert}}]',
      ),
    ).toEqual([]);
    expect(
      codes(`triggers: [dm.received], actions: [{create_post: "message.text is what you said"}]`),
    ).toEqual([]);
    expect(
      codes(
        `triggers: [dm.received], actions: [{create_post: '\${{ "message.text " + sender.username }}'}]`,
      ),
    ).toEqual([]);
  });
});
