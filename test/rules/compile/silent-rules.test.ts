import { describe, expect, it } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";

const HEAD = "version: 1\ngroups: { talk: { match: first } }\nrules:\n";
const problemsOf = (...rules: readonly string[]) =>
  compile([
    { path: "rules.yaml", text: HEAD + rules.map((one) => `  - {${one}}\n`).join("") },
  ]).problems.map(({ line, code, message }) => `${line} ${code}: ${message}`);

const LATER = "id: hello, group: talk, triggers: [dm.received], actions: [{ reply_dm: hi }]";
const ASKS = 'conditions: [{ message.text: { contains: "@" } }]';

describe("a rule that keeps the other rules of its group from answering", () => {
  const first = (over: {
    group?: string;
    actions?: string;
    triggers?: string;
    beside?: string;
  }) => {
    const {
      group = "talk",
      actions = "{ log: mail }",
      triggers = "dm.received",
      beside = "",
    } = over;
    return `id: note, ${group === "" ? "" : `group: ${group}, `}triggers: [${triggers}], ${ASKS}, ${beside} actions: [${actions}]`;
  };

  it("is reported if it only stores something", () => {
    expect(problemsOf(first({}), LATER)).toEqual([
      '4 silencing-rule: this rule sends nothing, and if it matches, rule "hello" of its group does not answer',
    ]);
    const steps = "{ if: sender.is_new, then: [{ increment: state.sender.n }] }, { label: [mail] }";
    expect(problemsOf(first({ actions: steps }), LATER)).toHaveLength(1);
  });

  it.each([
    { why: "it answers", rules: [first({ actions: "{ reply_dm: ok }" }), LATER] },
    {
      why: "it stops, which says that it is meant",
      rules: [first({ actions: "{ log: a }, { stop: spam }" }), LATER],
    },
    {
      why: "it does something else",
      rules: [first({ actions: "{ escalate: { queue: q } }" }), LATER],
    },
    { why: "it names no group", rules: [first({ group: "" }), LATER] },
    { why: "it is in no group", rules: [first({ group: "none" }), LATER] },
    {
      why: "no other comes after it",
      rules: [LATER.replace("actions", `${ASKS}, actions`), first({})],
    },
    { why: "the others listen to something else", rules: [first({ triggers: "dm.sent" }), LATER] },
    { why: "it is switched off", rules: [first({ beside: "enabled: false," }), LATER] },
    { why: "it only shadows", rules: [first({ beside: "stage: shadow," }), LATER] },
  ])("is not reported if $why", ({ rules }) => {
    expect(problemsOf(...rules).filter((one) => one.includes("silencing"))).toEqual([]);
  });
});

describe("a hand-over that pauses the bot", () => {
  const rule = (actions: string, triggers = "dm.received", beside = "") =>
    `id: human, triggers: [${triggers}], ${beside} actions: [${actions}]`;
  const escalate = (pause = "{ for: 12h }") => `{ escalate: { queue: q, pause_bot: ${pause} } }`;

  it("is reported if the person who wrote a message gets no answer", () => {
    expect(problemsOf(rule(escalate()))).toEqual([
      "4 unheard-hand-over: the bot is silent from here on, and no step of this rule tells the person",
    ]);
    expect(
      problemsOf(rule(`{ if: sender.is_new, then: [${escalate("{ until: resolved }")}] }`)),
    ).toHaveLength(1);
  });

  it.each([
    { why: "a step answers", one: rule(`${escalate()}, { reply_dm: ok }`) },
    { why: "another rule answers for it", one: rule(`${escalate()}, { run: tell }`) },
    { why: "the bot goes on", one: rule("{ escalate: { queue: q } }") },
    { why: "nobody in particular is meant", one: rule(escalate("{ per: account, for: 1h }")) },
    { why: "it is about a post", one: rule(escalate(), "post.mentioned") },
  ])("is not reported if $why", ({ one }) => {
    const tell = "id: tell, actions: [{ reply_dm: ok }]";

    expect(problemsOf(one, ...(one.includes("tell") ? [tell] : []))).toEqual([]);
  });
});
