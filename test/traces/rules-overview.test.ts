import { afterEach, beforeEach, expect, it } from "vitest";
import { compile } from "../../src/rules/compile/compile.ts";
import { rulesOverview } from "../../src/insight/traces/rules-overview.ts";
import * as wire from "../support/wire.ts";
import { ruleBot, type RuleBot, START } from "./world.ts";

const FILE = {
  path: "rules/shop.yaml",
  text: `version: 1
rules:
  - id: hours
    triggers: [dm.received]
    conditions:
      - message.text: {contains_word: hours}
      - not: {message.text: {contains_word: never}}
    actions:
      - log: asked
      - reply_dm: "9 to 5"
  - id: hidden
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hours}}, {not: {message.text: {contains_word: never}}}]
    actions: [{reply_dm: hidden}]
  - id: refused
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: refuse}}]
    actions: [{reply_dm: bad}]
`,
};

let bot: RuleBot;
let id = 0;
beforeEach(async () => {
  bot = await ruleBot([FILE], (text) => (text === "bad" ? "was refused with 403: no" : undefined));
  for (const text of ["hours", "my hours", "never hours", "hello", "refuse"]) {
    await bot.hears(wire.message({ id: String((id += 1)), text, at: bot.now }));
    await bot.after(1_000);
  }
});
afterEach(() => bot.close());

const overview = (since = START) =>
  rulesOverview(
    {
      ...bot.needs,
      journal: (query) => bot.needs.journal(query),
      problems: () => compile([FILE]).problems,
      now: () => bot.now,
    },
    { since },
  );

it("contains the place of each rule, how often and when it ran, and its last error", async () => {
  const { rules, events, isWhole, judged } = await overview();

  expect({ events, isWhole, judged }).toEqual({ events: 5, isWhole: true, judged: 5 });
  const [hours, hidden, refused] = rules;
  expect(hours).toMatchObject({ id: "hours", lines: [3, 10], triggers: ["dm.received"], runs: 2 });
  expect(hours?.lastRun).toBe(START + 1_000);
  expect(hours?.points).toHaveLength(60);
  expect([hours?.points[0], hours?.points[12]]).toEqual([1, 1]);
  expect(hidden).toMatchObject({ runs: 0, hidden: [{ code: "unreachable-rule" }] });
  expect(hidden).not.toHaveProperty("lastRun");
  expect(refused?.lastError).toMatchObject({
    at: START + 4_000,
    reason: expect.stringContaining("no"),
  });
});

it("counts by line: runs, steps, and conditions up to the one that did not hold", async () => {
  const [file] = (await overview()).files;

  expect(file).toMatchObject({ path: "rules/shop.yaml", text: FILE.text });
  expect(file?.lines[3]).toMatchObject({ ran: 2 });
  expect(file?.lines[6]).toMatchObject({ held: 3, missed: 2 });
  expect(file?.lines[7]).toMatchObject({ held: 2, missed: 1 });
  expect(file?.lines[9]).toMatchObject({ ran: 2 });
  expect(file?.lines[18]).toMatchObject({ ran: 0, failed: 1 });
  expect(file?.problems.map(({ code }) => code)).toContain("unreachable-rule");
});

it("counts only events since a time", async () => {
  expect((await overview(START + 1_000)).rules[0]?.runs).toBe(1);
});
