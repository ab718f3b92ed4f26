import { afterEach, describe, expect, it } from "vitest";
import { traceOf } from "../../src/insight/traces/trace-of.ts";
import * as wire from "../support/wire.ts";
import { ruleBot, type RuleBot } from "./world.ts";

/** Rules that listen to a count: a warning at 1, and two rules that only shadow at 2. */
const LISTENING = `
  - id: warn
    group: none
    triggers: [{trigger: count.reached, of: abuse, at: 1}]
    cooldown: {per: sender, for: 1h}
    actions: [{reply_dm: "Please keep it civil."}]
  - id: block
    group: none
    stage: shadow
    triggers: [{trigger: count.reached, of: abuse, at: 2}]
    conditions: [{not: {sender.verified: true}}]
    actions: [{block: "\${{ sender.id }}"}]
  - id: praise
    group: none
    stage: shadow
    triggers: [{trigger: count.reached, of: praise, at: 2}]
    actions: [{reply_dm: "Thanks!"}]
`;

const COUNT = "count: {name: abuse, per: sender, window: 7d}";

/** Rules in which the rule \`strike\` has these steps. */
const rulesWith = (steps: string): string => `version: 1
rules:
  - id: strike
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: bad}}]
    actions: [${steps}]
${LISTENING}`;

let bot: RuleBot;
afterEach(() => bot.close());

let lastId = 7000;
/** Sends the bot a message. @returns The key of the event. */
async function says(text: string): Promise<string> {
  const id = String((lastId += 1));
  await bot.hears(wire.message({ id, text, from: "200", at: bot.now }));
  return `message:${id}`;
}

const verdictsOf = async (which: string): Promise<readonly string[]> =>
  (await traceOf(bot.needs, which)).verdicts.map(({ inWords }) => inWords);

const SHADOWED = "block did not run: it matches, and only shadows (stage: shadow)";

describe("the verdicts on an event by which a count reaches a number", () => {
  it("contain the rules that listen to this number, with those that only shadow", async () => {
    bot = await ruleBot([rulesWith(`{${COUNT}}`)]);
    const first = await says("bad 1");
    const second = await says("bad 2");
    const third = await says("bad 3");

    expect(await verdictsOf(first)).toEqual(["strike ran", "warn ran"]);
    expect(await verdictsOf(second)).toEqual(["strike ran", SHADOWED]);
    expect(await verdictsOf(third)).toEqual(["strike ran"]);
  });

  it.each([
    ["after an answer is sent", `{reply_dm: "Stop."}, {${COUNT}}`],
    ["before a call", `{${COUNT}}, {call: ./orders.ts#lookup}, {reply_dm: "Stop."}`],
    ["after a pause, and before another one", `{delay: 1m}, {${COUNT}}, {delay: 1m}`],
    ["in a branch", `{parallel: {one: [{${COUNT}}, {delay: 1m}], other: [{delay: 5s}]}}`],
  ])("contain these rules if the count is reached %s", async (_when, steps) => {
    bot = await ruleBot([rulesWith(steps)]);
    const first = await says("bad 1");
    await bot.after(3_600_000);
    const second = await says("bad 2");
    await bot.after(3_600_000);

    expect(await verdictsOf(first)).toEqual(["strike ran", "warn ran"]);
    expect(await verdictsOf(second)).toEqual(["strike ran", SHADOWED]);
  });

  it("contain these rules on the event whose run counts when it takes an answer", async () => {
    bot = await ruleBot([rulesWith(`{ask: {text: "Sure?", within: 1h}}, {${COUNT}}`)]);
    const first = await says("bad 1");
    const second = await says("yes");

    expect(await verdictsOf(first)).toEqual(["strike ran", "warn ran"]);
    expect(await verdictsOf(second)).toEqual([]);
  });

  it("contain a rule once that several numbers start", async () => {
    bot = await ruleBot([
      rulesWith(`{repeat: {count: 2, sequence: [{${COUNT}}]}}`).replace(
        "of: abuse, at: 1}]",
        "of: abuse, at: 1}, {trigger: count.reached, of: abuse, at: 2}]",
      ),
    ]);
    const first = await says("bad 1");

    expect(await verdictsOf(first)).toEqual(["strike ran", "warn ran", SHADOWED]);
  });
});
