import { afterEach, beforeEach, expect, it } from "vitest";
import { redacted } from "../../src/traces/redacted.ts";
import { sharedPage } from "../../src/traces/shared-page.ts";
import { traceOf } from "../../src/traces/trace-of.ts";
import type { Trace } from "../../src/traces/trace.ts";
import * as wire from "../support/wire.ts";
import { ruleBot, type RuleBot } from "./world.ts";

const RULES = `version: 1
rules:
  - id: help
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: help}}]
    actions:
      - set: {state.sender.last: "\${{ message.text }}"}
      - escalate: {queue: support, note: "\${{ sender.username }} wrote \${{ message.text }}"}
      - reply_dm: "Hello @\${{ sender.username }}, ask @ben or write to shop@example.org"
  - id: hours
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hours}}]
    actions: [{reply_dm: "9 to 5"}]
`;

const SAID =
  "help, I am ana: call +49 170 1234567 or mail ana@example.com, order 778899, <b>key</b> AbCdEfGh1234567890abcdefgh";

let bot: RuleBot;
let trace: Trace;
beforeEach(async () => {
  bot = await ruleBot([RULES]);
  await bot.hears(wire.message({ id: "51234567890", text: SAID, at: bot.now }));
  trace = await traceOf(bot.needs, "last");
});
afterEach(() => bot.close());

const SECRETS = [
  "ana",
  "ben",
  "hello_bot",
  "1234567",
  "778899",
  "51234567890",
  "example.com",
  "example.org",
  "AbCdEfGh",
];

it("a trace to share names nobody, with texts and without", () => {
  for (const texts of [true, false]) {
    const shared = JSON.stringify(redacted(trace, { texts }));
    for (const secret of SECRETS) expect(shared).not.toMatch(new RegExp(`\\b${secret}`, "i"));
    expect(shared).not.toMatch(/"(?:100|200)\/|"(?:100|200)"/);
  }
});

it("the same is replaced by the same, and what is no secret stays", () => {
  const { event, items, verdicts, runs, times } = redacted(trace, { texts: true });

  expect(event.person).toMatchObject({ id: "id-1", username: "person-1" });
  expect(event.text).toMatch(/^help, I am person-1: call \[number \d\] or mail \[mail \d\], order/);
  expect(items[0]?.text).toMatch(/^Hello @person-1, ask @person-\d or write to \[mail \d\]$/);
  expect(event.lane).toContain("/id-1");
  expect(verdicts.map(({ ruleId, at }) => [ruleId, at.file])).toEqual(
    trace.verdicts.map(({ ruleId, at }) => [ruleId, at.file]),
  );
  expect(runs[0]?.id).toBe("1/rule:help");
  expect(times).toEqual(trace.times);
});

it("without texts only their lengths are left, wherever they stand", () => {
  const { event, items, escalations, raw } = redacted(trace);

  expect(event.text).toBe(`[${SAID.length} characters]`);
  expect(items[0]?.inWords).toMatch(/^message to @person-1: \[\d+ characters\]$/);
  expect(escalations[0]?.note).toMatch(/^\[\d+ characters\]$/);
  expect(JSON.stringify(raw)).not.toContain("call");
});

it("without texts a word of the profile leaves nothing of a message in the headline", () => {
  const profile = { description: "order", location: "call" };
  const { raw, ...rest } = trace;
  const { event } = redacted({ raw: { profile, event: raw }, ...rest });

  expect(event.inWords).toContain(`[${SAID.length} characters]`);
  expect(event.inWords).not.toMatch(/help|order|call|key/);
});

it("as a page it has all of it, and needs no script and nothing from elsewhere", () => {
  const page = sharedPage(redacted(trace, { texts: true }));

  expect(page).toContain("<strong>help ran</strong>");
  expect(page).toContain("hours did not run: ");
  expect(page).toContain("rules/0.yaml:");
  expect(page).toContain("&lt;b&gt;key&lt;/b&gt;");
  expect(page).toContain("prefers-color-scheme: dark");
  expect(page).not.toMatch(/<script|<link|<img|src=|url\(|https?:/i);
  for (const secret of SECRETS) expect(page).not.toMatch(new RegExp(`\\b${secret}`, "i"));
});
