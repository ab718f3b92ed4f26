import { afterEach, describe, expect, it } from "vitest";
import { traceOf } from "../../src/insight/traces/trace-of.ts";
import { traceToShare } from "../../src/insight/traces/shared-trace.ts";
import * as wire from "../support/wire.ts";
import { ruleBot, type RuleBot } from "./world.ts";

let bot: RuleBot;
afterEach(() => bot.close());

let lastId = 8000;
const says = (text: string): Promise<void> =>
  bot.hears(wire.message({ id: String((lastId += 1)), text, from: "200", at: bot.now }));

/** Returns the conditions that the first run of the first event has evaluated, in words. */
async function conditions(): Promise<readonly string[]> {
  const { runs } = await traceOf(bot.needs, 1);
  return runs.flatMap((run) => run.conditions.map(({ label, inWords }) => `${label} ${inWords}`));
}

const rule = (actions: string): string => `version: 1
rules:
  - id: order
    triggers: [dm.received]
    variables: { limit: "\${{ 5 }}" }
    actions:
${actions}`;

const ASK = `      - id: sure
        ask: { text: "Sure?", within: 15m }
`;

describe("the conditions of a run's steps", () => {
  it("are shown with the values that they read, whether they held or not", async () => {
    bot = await ruleBot([
      rule(`${ASK}      - if: steps.sure.text == "yes"
        then: [{ reply_dm: Done. }]
        else_if:
          - if: steps.sure.text.size() > vars.limit
            then: [{ log: long }]
          - if: sender.is_new
            then: [{ log: new }]
        else: [{ log: other }]
      - log: seen
        if: has(sender.name) && steps.sure.ok
`),
    ]);
    await says("order");
    await says("Yes, please");

    expect(await conditions()).toEqual([
      'actions[1] if steps.sure.text == "yes": false (steps.sure.text = "Yes, please")',
      'actions[1].else_if[0] else_if steps.sure.text.size() > vars.limit: true (steps.sure.text = "Yes, please", vars.limit = 5)',
      'actions[2] if has(sender.name) && steps.sure.ok: true (sender.name = "ana", steps.sure.ok = true)',
    ]);
  });

  it("are all shown if none held", async () => {
    bot = await ruleBot([
      rule(`      - if: message.text.has_word("no")
        then: [{ log: no }]
        else_if: [{ if: 'sender.location.orValue("") == "x"', then: [{ log: x }] }]
`),
    ]);
    await says("order");

    expect(await conditions()).toEqual([
      'actions[0] if message.text.has_word("no"): false (message.text = "order")',
      'actions[0].else_if[0] else_if sender.location.orValue("") == "x": false (sender.location = nothing)',
    ]);
  });

  it("are only the conditions that were evaluated", async () => {
    bot = await ruleBot([rule(`${ASK}      - log: later\n        if: steps.sure.text == "1"\n`)]);
    await says("order");

    expect(await conditions()).toEqual([]);
  });

  it("show no values that are not stored: state, the time, and rounds", async () => {
    bot = await ruleBot([
      rule(`      - if: state.sender.n.orValue(0) < 3 && message.text != ""
        then: [{ increment: state.sender.n }]
      - repeat:
          count: 2
          sequence:
            - id: tries
              increment: state.sender.tries
            - if: repeat.index == 1 && steps.tries.result > 0
              then: [{ log: first }]
`),
    ]);
    await says("order");

    expect(await conditions()).toEqual([
      'actions[0] if state.sender.n.orValue(0) < 3 && message.text != "": true (message.text = "order"; not kept as it was: state.sender.n)',
      "actions[1].repeat.sequence[1] if repeat.index == 1 && steps.tries.result > 0: false in the last round (not kept as it was: repeat.index, steps.tries.result)",
    ]);
  });

  it("are reported without their text if the rule has changed since", async () => {
    const actions = `      - if: message.text.has_word("no")\n        then: [{ log: no }]\n`;
    bot = await ruleBot([rule(actions)]);
    await says("order");
    bot.changeRules(rule(`      - log: before\n${actions}`));

    expect(await conditions()).toEqual([
      "actions[0] if: false (the rule has changed since: its text is not kept)",
    ]);
  });

  it("include conditions of called rules and of branches", async () => {
    bot = await ruleBot([
      `version: 1
rules:
  - id: greet
    variables: { name: you }
    actions:
      - if: vars.name == "Ben"
        then: [{ log: ben }]
  - id: order
    triggers: [dm.received]
    actions:
      - run: greet
        with: { name: "\${{ sender.name }}" }
      - parallel:
          a: [{ if: 'sender.id == "7"', then: [{ log: a }] }]
          b: [{ log: b }]
`,
    ]);
    await says("order");
    const shown = await conditions();

    expect(shown).toContainEqual(
      expect.stringMatching(
        /^actions\[0\]\.run\S*\.actions\[0\] if vars\.name == "Ben": false \(not kept as it was: vars\.name\)$/,
      ),
    );
    expect(
      shown.filter((one) => one.includes('if sender.id == "7": false (sender.id = "200")')),
    ).not.toEqual([]);
  });

  it("are shared without a person's words", async () => {
    bot = await ruleBot([rule(`      - log: hm\n        if: message.text == "secret plan"\n`)]);
    await says("secret Plan");

    const { runs } = traceToShare(await traceOf(bot.needs, 1));

    expect(runs[0]?.steps).toContain(
      'actions[0] if message.text == "secret plan": false (message.text = [11 characters])',
    );
  });

  it("cost a run few bytes", async () => {
    const steps = Array.from(
      { length: 10 },
      (_, n) => `      - log: x\n        if: sender.id == '${n}'\n`,
    );
    bot = await ruleBot([rule(steps.join(""))]);
    await says("order");
    const [row] = await bot.needs.journal({ limit: 1 });
    const { ways } = JSON.parse(row?.runs[0]?.body ?? "{}");

    expect(Object.keys(ways)).toHaveLength(10);
    expect(JSON.stringify({ ways }).length).toBeLessThan(10 * 16 + 12);
  });
});
