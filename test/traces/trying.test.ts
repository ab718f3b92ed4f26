import { afterEach, expect, it } from "vitest";
import { backtestEdit } from "../../src/insight/traces/backtest-edit.ts";
import { sayAgain } from "../../src/insight/traces/say-again.ts";
import { tryMessage } from "../../src/insight/traces/try-message.ts";
import * as wire from "../support/wire.ts";
import { ruleBot, type RuleBot, rulesetOf, START } from "./world.ts";

const FAQ = `version: 1
rules:
  - id: hours
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hours}}]
    actions: [{reply_dm: "9 to 5, @\${{ sender.username }}"}]
  - id: order
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: order}}]
    actions:
      - call: ./orders.ts#lookup
      - reply_dm: found
`;
const files = [{ path: "rules/faq.yaml", text: FAQ }];
const needs = {
  files: async () => files,
  ruleset: () => rulesetOf(...files),
  account: { id: "100", username: "hello_bot" },
  now: () => START,
};

let bot: RuleBot | undefined;
afterEach(async () => {
  await bot?.close();
  bot = undefined;
});

it("trying a message shows what the rules would do, with each verdict, and sends nothing", async () => {
  const { trace, notAsked } = await tryMessage(needs, { text: "hours?", as: { username: "ann" } });

  expect(trace).toMatchObject({
    outcome: { word: "answered" },
    items: [{ text: "9 to 5, @ann" }],
    verdicts: [
      { ruleId: "hours", outcome: "ran" },
      { ruleId: "order", outcome: "skipped" },
    ],
  });
  expect(notAsked).toEqual([]);
});

it("the sender of a tried message has the fields of a person in a delivery", async () => {
  const text = FAQ.replace(
    "9 to 5, @${{ sender.username }}",
    "${{ sender.name }}, ${{ string(sender.followers_count) }}",
  );
  const tried = (as?: { username: string; name?: string }) =>
    tryMessage(needs, {
      text: "hours",
      rules: { file: "rules/faq.yaml", text },
      ...(as && { as }),
    });
  const said = async (as?: { username: string; name?: string }) =>
    (await tried(as)).trace?.items.map((item) => item.text);

  expect(await said()).toEqual(["somebody, 0"]);
  expect(await said({ username: "ann" })).toEqual(["ann, 0"]);
  expect(await said({ username: "ann", name: "Ann" })).toEqual(["Ann, 0"]);
});

it("a message is tried on unsaved rules, or their mistakes are reported with their places", async () => {
  const edit = (text: string) => ({ file: "rules/faq.yaml", text });
  const good = await tryMessage(needs, { text: "hours", rules: edit(FAQ.replace("9 to", "8 to")) });
  const bad = await tryMessage(needs, { text: "hours", rules: edit(FAQ.replace("_word", "_wrd")) });

  expect(good.trace?.items).toMatchObject([{ text: "8 to 5, @somebody" }]);
  expect(bad.trace).toBeUndefined();
  expect(bad.problems[0]).toMatchObject({ line: 5, code: expect.any(String), severity: "error" });
});

it("modules are not called: the run continues as after a failed step", async () => {
  const { trace, notAsked } = await tryMessage(needs, { text: "order" });

  expect(notAsked).toEqual(["./orders.ts#lookup"]);
  expect(trace?.runs[0]?.steps[0]).toMatchObject({ label: "actions[0]", state: "failed" });
});

it("the last messages of people are sent to changed rules, each separately, beside the earlier answers", async () => {
  const greets = (words: string) => `  - id: greets
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hi}}]
    actions: [{reply_dm: "hi, @\${{ sender.username }}"}${words}]
`;
  bot = await ruleBot([FAQ + greets("")]);
  for (const [id, text] of ["hours?", "hi", "order", "bye"].entries()) {
    await bot.hears(wire.message({ id: String(id + 1), text, at: bot.now }));
  }
  bot.changeRules(FAQ.replace("9 to", "8 to") + greets(", {delay: 1h}, {reply_dm: still there?}"));
  const said = await sayAgain({ ...needs, ...bot.needs }, 5);

  expect(said.map(({ by, text, compared }) => [by, text, compared])).toEqual([
    ["ana", "bye", "same"],
    ["ana", "order", "other"],
    ["ana", "hi", "later"],
    ["ana", "hours?", "other"],
  ]);
  expect(said[3]).toMatchObject({
    before: { word: "answered", says: ["9 to 5, @ana"] },
    after: { word: "answered", says: ["8 to 5, @ana"] },
  });
  expect(said[1]).toMatchObject({ before: { says: ["found"] }, notAsked: ["./orders.ts#lookup"] });
  expect(await sayAgain({ ...needs, ...bot.needs }, 1)).toHaveLength(1);
});

it("mentions and follows are tried, too", async () => {
  const text = `version: 1
rules:
  - {id: thanks, triggers: [user.followed, post.mentioned], actions: [{log: seen}]}
`;
  const rules = { file: "rules/faq.yaml", text };
  for (const trigger of ["user.followed", "post.mentioned"] as const) {
    expect((await tryMessage(needs, { text: "hi", trigger, rules })).trace?.outcome.word).toBe(
      "acted",
    );
  }
});

it("an edit is tried on the latest events, and shows the answers that would change", async () => {
  bot = await ruleBot(files);
  for (const [id, text] of ["hours?", "my hours", "bye"].entries()) {
    await bot.hears(wire.message({ id: String(id + 1), text, at: bot.now }));
  }
  const journal = bot.needs;
  const needsWithNames = {
    ...needs,
    usernames: { "100": "hello_bot" },
    journal: journal.journal.bind(journal),
    entries: journal.journal.bind(journal),
  };
  const text = FAQ.replace("9 to", "8 to");

  const { problems, result } = await backtestEdit(needsWithNames, {
    file: "rules/faq.yaml",
    text,
    events: 50,
  });
  const latest = await backtestEdit(needsWithNames, { file: "rules/faq.yaml", text, events: 2 });
  const broken = await backtestEdit(needsWithNames, {
    file: "rules/faq.yaml",
    text: "rules: 1",
    events: 2,
  });
  const none = { file: "rules/faq.yaml", text, events: 50, signal: AbortSignal.abort() };

  expect(problems).toEqual([]);
  expect(result).toMatchObject({ events: 3, counts: { changed: 2, same: 0 } });
  expect(result?.examples[0]).toMatchObject({
    event: 'dm.received from @ana: "hours?"',
    before: [{ what: "message to 200: 9 to 5, @ana" }],
    after: [{ what: "message to 200: 8 to 5, @ana" }],
  });
  expect(latest.result).toMatchObject({ events: 2, counts: { changed: 1 } });
  expect(broken.result).toBeUndefined();
  expect(broken.problems[0]).toMatchObject({ file: "rules/faq.yaml", line: 1 });
  expect((await backtestEdit(needsWithNames, none)).result).toMatchObject({ events: 0 });
});
