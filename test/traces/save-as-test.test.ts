import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { runFiles } from "../../src/insight/tests/run-files.ts";
import { saveAsTest } from "../../src/insight/traces/as-test/save-as-test.ts";
import { traceRows } from "../../src/insight/traces/rows.ts";
import { traceOf } from "../../src/insight/traces/trace-of.ts";
import * as wire from "../support/wire.ts";
import { ruleBot, type RuleBot } from "./world.ts";

const ROOT = process.cwd();
const HOUR = 3_600_000;

let bot: RuleBot;
let id = 0;
afterEach(() => bot.close());

async function start(...paths: readonly string[]): Promise<void> {
  const files = paths.map(async (path) => ({ path, text: await readFile(path, "utf8") }));
  bot = await ruleBot(await Promise.all(files));
}

const says = (text: string): Promise<void> =>
  bot.hears(wire.message({ id: String((id += 1)), text, at: bot.now }));

/** Saves an event as a test, by default the newest one, and runs this test like `answerback test`. */
async function saved(which: number | "last" = "last") {
  const trace = await traceOf(bot.needs, which);
  const path = "config/rules/saved.test.yaml";
  const test = await saveAsTest(bot.needs, trace, { path });
  const [outcome] = await runFiles([{ path, text: test.text }], { base: ROOT });
  expect(outcome?.problems).toEqual([]);
  expect(outcome?.tests.map(({ passed }) => passed)).toEqual([true]);
  return test;
}

describe("a trace saved as a test passes", () => {
  it("for an answered message, with the rules of the template", async () => {
    await start("config/rules/faq.yaml");
    await says("What are your hours?");

    const { text, events, anyText } = await saved();

    expect({ events, anyText }).toEqual({ events: 1, anyText: false });
    expect(text).toContain("rule_files:\n  - faq.yaml\n");
    expect(text).toContain("from: ana");
    expect(text).toContain("rule: faq-hours");
  });

  it("for a rule in its cooldown, with the earlier events", async () => {
    await start("config/rules/faq.yaml");
    await says("thanks");
    await bot.after(HOUR / 2);
    await says("thanks");

    const { text, events } = await saved();

    expect(events).toBe(2);
    expect(text).toContain("because: cooldown");
  });

  it("for a second message in the same second", async () => {
    await start("config/rules/faq.yaml");
    await says("thanks");
    await says("thanks");

    expect((await saved()).text).toContain("because: cooldown");
  });

  it("for a follow and for a mention", async () => {
    await start("config/rules/welcome.yaml", "config/rules/mentions.yaml");
    await bot.hears(wire.relation("follow_events", "follow", { at: bot.now }));
    expect((await saved()).text).toContain("user.followed:");
    await bot.hears(
      wire.post({ id: "9002", text: "@hello_bot hello", mentions: ["100"], at: bot.now }),
    );
    expect((await saved()).text).toContain("post.mentioned:");
  });

  it("for an event that no rule answers", async () => {
    await start("config/rules/faq.yaml");
    await says("qwertz");
    expect((await saved()).text).toContain("expect: []");
  });
});

const TALK = `version: 1
rules:
  - id: order
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: order}}]
    actions:
      - id: number
        ask: {text: "Which order?", within: 15m, retries: 1, reprompt: "A number, please.", expect: {matches: '\\d+'}}
      - set: {state.sender.order: "\${{ steps.number.text }}"}
      - delay: 10m
      - reply_dm: "It is \${{ steps.number.text }}"
  - id: which
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: which}}]
    actions: [{reply_dm: "\${{ state.sender.order.orValue('') }}"}]
  - id: asks
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: shipped}}]
    actions: [{call: "./orders.ts#lookup"}, {reply_dm: yes}]
`;

describe("a conversation saved as a test", () => {
  const path = "rules/talk.yaml";
  const begin = async (): Promise<void> => {
    bot = await ruleBot([{ path, text: TALK }]);
    await says("my order");
    await bot.after(60_000);
    await says("dunno");
    await says("12");
    await bot.after(HOUR);
  };
  const save = async (which: number | "last" = "last") =>
    saveAsTest(bot.needs, await traceOf(bot.needs, which), { path: "tests/talk.test.yaml" });

  it("contains all messages of the person, whichever of them it is created from", async () => {
    await begin();

    const whole = await save(1);
    const answer = await save("last");

    expect(whole).toMatchObject({ events: 3, anyText: false });
    expect(whole.text).toContain("../rules/talk.yaml");
    expect(whole.text).toContain("It is 12");
    expect(answer.events).toBe(3);
  });

  it("contains earlier events if an answer depends on stored state", async () => {
    await begin();
    await says("which?");

    const { text, events } = await save();

    expect(events).toBeGreaterThan(1);
    expect(text).toMatch(/reply_dm:\n +to: ana\n +text: "12"/);
  });

  it("goes on until the time for the answer has passed, if the person did not answer", async () => {
    const text = TALK.replace("within: 15m", "within: 15m, on_timeout: [{reply_dm: Too late}]");
    bot = await ruleBot([{ path, text }]);
    await says("my order");
    await bot.after(HOUR);

    const saved = await save();

    expect(saved.text).toContain("Too late");
    expect(saved.text).toContain("advance_to: 15m");
  });

  it("expects a run to fail that failed before", async () => {
    bot = await ruleBot([{ path, text: TALK }]);
    for (const text of ["my order", "dunno", "no idea"]) await says(text);

    const { text } = await save();

    expect(text).toContain("expect_failed_runs:\n      - rule: order\n");
  });

  it("is refused with the reason if the answer depends on a module", async () => {
    await begin();
    await says("shipped?");

    await expect(save()).rejects.toThrow(/can't be made a test: the answer rests on a module/);
  });

  it("is refused if the rules answer differently now, and shows the new answer", async () => {
    await begin();
    bot.changeRules(
      TALK.replace("Which order?", "Hm?").replace("contains_word: order", "contains_word: nothing"),
    );

    await expect(save(1)).rejects.toThrow(/no test can repeat event 1: /);
  });

  it("is refused for an action of the account itself", async () => {
    await begin();
    await bot.hears(wire.message({ id: "77", from: "100", to: "200", text: "me" }));
    const { rows } = await traceRows(bot.needs);

    await expect(save(rows[0]?.seq)).rejects.toThrow(/the account itself did it/);
  });
});
