import { describe, expect, test } from "vitest";
import { compile } from "../../src/rules/compile/compile.ts";
import { failuresOf } from "./support.ts";

/** Names that objects of JavaScript have already, or treat differently. */
const NAMES = ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"] as const;

/** A use of the name NAME in a rule file, in `above` its rules or in the only rule `a`. */
interface NameUse {
  readonly kind: string;
  readonly above?: string;
  /** Keys of the rule `a`. */
  readonly rule: string;
  /** Further rules. */
  readonly rules?: string;
  /** Texts of the person, and the bot's answers. */
  readonly chat: readonly (readonly [text: string, ...answers: string[]])[];
}

const USES: readonly NameUse[] = [
  {
    kind: "a variable",
    rule: `
    variables: { NAME: x, other: "\${{ vars.NAME }}!" }
    conditions: [{ if: vars.NAME == "x" }]
    actions: [{ reply_dm: "\${{ vars.NAME }} \${{ vars.other }}" }]`,
    chat: [["hi", "x x!"]],
  },
  {
    kind: "a variable of a rule that is run",
    rule: `
    actions: [{ run: b, with: { NAME: y } }, { run: b }]`,
    rules: `
  - id: b
    variables: { NAME: x, other: "\${{ vars.NAME }}!" }
    actions: [{ reply_dm: "\${{ vars.NAME }} \${{ vars.other }}" }]`,
    chat: [["hi", "y y!", "x x!"]],
  },
  {
    kind: "a step",
    rule: `
    actions:
      - { id: NAME, ask: { text: "How many?", within: 5m, on_timeout: [stop] } }
      - { id: other, log: x }
      - reply_dm: "\${{ steps.NAME.ok }} \${{ steps.NAME.text }} \${{ steps.other.ok }}"`,
    chat: [
      ["hi", "How many?"],
      ["two", "true two true"],
    ],
  },
  {
    kind: "a skipped step",
    rule: `
    actions:
      - { id: NAME, if: "message.text == 'no'", log: x }
      - reply_dm: "\${{ has(steps.NAME.ok) }}"`,
    chat: [["hi", "false"]],
  },
  {
    kind: "a text",
    above: 'texts: { NAME: [Hi], other: "${{ texts.NAME }}!" }',
    rule: `
    actions: [{ reply_dm: { say: NAME } }, { reply_dm: "\${{ texts.NAME }} \${{ texts.other }}" }]`,
    chat: [["hi", "Hi", "Hi Hi!"]],
  },
  {
    kind: "hours",
    above: 'hours: { NAME: { zone: UTC, open: ["mon-fri 08:00-17:30"] } }',
    rule: `
    conditions: [{ now: { within: NAME } }]
    actions: [{ reply_dm: "\${{ hours.NAME.next_open }}" }]`,
    chat: [["hi", "2026-03-02T09:00:00.000Z"]],
  },
  {
    kind: "a list",
    above: "lists: { NAME: [hi] }",
    rule: `
    conditions: [{ message.text: { in_list: NAME } }]
    actions: [{ reply_dm: listed }]`,
    chat: [["hi", "listed"], ["ho"]],
  },
  ...["sender", "account", "conversation"].map((owner) => ({
    kind: `state of ${owner}`,
    rule: `
    conditions: [{ not: { state.${owner}.NAME: hi } }]
    actions:
      - reply_dm: "\${{ state.${owner}.NAME.orValue('no') }} \${{ has(state.${owner}.NAME) }}"
      - set: { state.${owner}.NAME: "\${{ message.text }}" }
      - reply_dm: "\${{ state.${owner}.NAME.orValue('no') }} \${{ state.${owner}.other.orValue('no') }}"`,
    chat: [["hi", "no false", "hi no"], ["hi"]] as const,
  })),
  {
    kind: "declared state",
    above: "state: { sender.NAME: 1, sender.other: 5 }",
    rule: `
    conditions: [{ state.sender.NAME: { lt: 9 } }]
    actions:
      - increment: state.sender.NAME
      - reply_dm: "\${{ state.sender.NAME }} \${{ state.sender.other }}"`,
    chat: [["hi", "2 5"]],
  },
  {
    kind: "a branch",
    rule: `
    actions:
      - parallel:
          NAME: [{ reply_dm: x }]
          other: [{ delay: 1s }, { reply_dm: y }]
      - reply_dm: z`,
    chat: [["hi", "x", "y", "z"]],
  },
  {
    kind: "a capture",
    rule: `
    conditions: [{ message.text: { matches: '^(?P<NAME>\\w+) (?P<other>\\w+)' } }]
    actions: [{ reply_dm: "\${{ captures.NAME }} \${{ captures.other }}" }]`,
    chat: [["hi you", "hi you"]],
  },
  {
    kind: "a capture without a part in the text",
    rule: `
    conditions: [{ message.text: { matches: '^(?P<NAME>\\d+)?hi' } }]
    actions: [{ reply_dm: "[\${{ captures.NAME }}]" }]`,
    chat: [["hi", "[]"]],
  },
  {
    kind: "a capture of an answer",
    rule: `
    actions:
      - id: q
        ask: { text: "?", expect: { matches: '(?P<NAME>\\w+)' }, within: 5m, on_timeout: [stop] }
      - reply_dm: "\${{ steps.q.captures.NAME }}"`,
    chat: [
      ["hi", "?"],
      ["two", "two"],
    ],
  },
  {
    kind: "a rule",
    rule: `
    actions: [{ run: NAME }]`,
    rules: `
  - id: NAME
    triggers: [dm.received]
    group: none
    mode: single
    cooldown: { per: sender, for: 1s }
    actions: [{ reply_dm: x }]`,
    chat: [["hi", "x", "x"]],
  },
  {
    kind: "a group",
    above: "groups: { NAME: { match: first } }",
    rule: `
    group: NAME
    actions: [{ reply_dm: x }]`,
    rules: `
  - id: b
    group: NAME
    triggers: [dm.received]
    conditions: [{ message.text: hi }]
    actions: [{ reply_dm: y }]`,
    chat: [["hi", "x"]],
  },
  {
    kind: "a count",
    rule: `
    actions:
      - { id: n, count: { name: NAME, per: sender, window: 7d } }
      - reply_dm: "\${{ steps.n.result }}"`,
    rules: `
  - id: b
    triggers: [{ trigger: count.reached, of: NAME, at: 2 }]
    actions: [{ log: reached }, { reply_dm: two }]`,
    chat: [
      ["hi", "1"],
      ["hi", "2", "two"],
    ],
  },
  {
    kind: "a label",
    rule: `
    actions:
      - reply_dm: "\${{ 'NAME' in sender.labels }}"
      - label: { add: [NAME] }
      - reply_dm: "\${{ sender.labels }}"`,
    chat: [["hi", "false", "NAME"]],
  },
  {
    kind: "a trigger",
    rule: `
    triggers: [{ trigger: dm.received, id: NAME }]
    actions: [{ reply_dm: "\${{ trigger.id }}" }]`,
    chat: [["hi", "NAME"]],
  },
];

/** Uses in which `__proto__` can be a name. In all others, `check` refuses it. */
const ANY_NAME = /^(?:state|declared state|a capture|a label)\b/;

const CASES = USES.flatMap((use) => NAMES.map((name) => ({ ...use, name })));
const isUsable = ({ kind, name }: (typeof CASES)[number]) =>
  name !== "__proto__" || ANY_NAME.test(kind);

function rulesOf({ rule, rules = "", name }: (typeof CASES)[number]): string {
  const triggers = rule.includes("triggers:") ? "" : "\n    triggers: [dm.received]";
  return `\n  - id: a${triggers}${rule}${rules}`.replaceAll("NAME", name);
}

function testOf({ chat, name }: (typeof CASES)[number]): string {
  const events = chat.map(
    ([text], at) => `{at: ${at}m, dm.received: {from: ann, text: "${text}"}}`,
  );
  const answers = chat
    .flatMap(([, ...texts]) => texts)
    .map((text) => text.replaceAll("NAME", name));
  const expected = answers.map((text) => `{reply_dm: {text: ${JSON.stringify(text)}}}`);
  return `
    - name: talk
      events: [${events.join(", ")}]
      expect: [${expected.join(", ")}]`;
}

describe("a name that JavaScript uses, too", () => {
  test.each(CASES.filter(isUsable))("works as the name of $kind: $name", async (use) => {
    const above = use.above === undefined ? "" : `${use.above.replaceAll("NAME", use.name)}\n`;

    expect(await failuresOf(rulesOf(use), testOf(use), above)).toEqual([]);
  });

  test.each(CASES.filter((use) => !isUsable(use)))(
    "is refused as the name of $kind: $name",
    (use) => {
      const above = use.above === undefined ? "" : `${use.above.replaceAll("NAME", use.name)}\n`;
      const text = `version: 1\n${above}rules:${rulesOf(use)}\n`;
      const { problems } = compile([{ path: "a.yaml", text }]);
      const faults = problems.filter(({ code }) => code === "invalid-value");

      expect(faults[0]?.severity).toBe("error");
      expect(faults[0]?.sourceLine?.slice(faults[0].column - 1)).toMatch(/^__proto__/);
    },
  );
});
