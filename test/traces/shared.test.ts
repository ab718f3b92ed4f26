import { afterEach, beforeEach, expect, it } from "vitest";
import { sharedPage } from "../../src/insight/traces/shared-page.ts";
import { traceToShare } from "../../src/insight/traces/shared-trace.ts";
import { traceOf } from "../../src/insight/traces/trace-of.ts";
import { Veil } from "../../src/insight/traces/veil.ts";
import type { Trace } from "../../src/insight/traces/trace.ts";
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

it.each([true, false])("a shared trace names no person: with texts %s", (texts) => {
  const shared = JSON.stringify(traceToShare(trace, { texts }));
  for (const secret of SECRETS) expect(shared).not.toMatch(new RegExp(`\\b${secret}`, "i"));
  expect(shared).not.toMatch(/"(?:100|200)\/|"(?:100|200)"/);
});

it("equal values have equal replacements, and values that are not secret stay", () => {
  const { headline, items, verdicts, runs } = traceToShare(trace, { texts: true });

  expect(headline).toMatch(
    /^dm\.received from @person-1: help, I am person-1: call \[number \d\] or mail \[mail \d\], order/,
  );
  expect(items).toEqual([
    expect.stringMatching(
      /^reply_dm Hello @person-1, ask @person-\d or write to \[mail \d\]: sent$/,
    ),
  ]);
  expect(verdicts.map(({ ruleId, place }) => `${ruleId} ${place}`)).toEqual(
    trace.verdicts.map(({ ruleId, at }) => `${ruleId} ${at.file}:${at.line}:${at.column}`),
  );
  expect(runs.map(({ owner, status }) => [owner, status])).toEqual([["rule:help", "done"]]);
});

it("without texts, only the lengths of texts remain, in every place", () => {
  const { headline, items, verdicts } = traceToShare(trace);

  expect(headline).toBe(`dm.received from @person-1: [${SAID.length} characters]`);
  expect(items).toEqual([expect.stringMatching(/^reply_dm \[\d+ characters\]: sent$/)]);
  expect(verdicts[1]).toMatchObject({
    wanted: "rules/0.yaml not yet answered",
    actual: "help",
  });
});

it("a failed condition is shown with the length of the actual value", async () => {
  const text = "my shoe size is 38";
  await bot.hears(wire.message({ id: "6", text, at: bot.now }));
  const { verdicts } = traceToShare(await traceOf(bot.needs, "last"));

  expect(verdicts[0]).toMatchObject({
    wanted: "message.text contains_word help",
    actual: `[${text.length} characters]`,
  });
});

it("contains only the listed fields, and no other text of the trace", () => {
  const shared = traceToShare(marked(trace, "") as Trace);

  const places = JSON.stringify(shared).match(/‹[^›]+›/g) ?? [];
  expect([...new Set(places)].toSorted()).toEqual([
    "‹event.source›",
    "‹event.triggers[]›",
    "‹items[].status›",
    "‹items[].type›",
    "‹outcome.word›",
    "‹runs[].owner›",
    "‹runs[].status›",
    "‹runs[].steps[].at.file›",
    "‹runs[].steps[].label›",
    "‹runs[].steps[].state›",
    "‹runs[].steps[].verb›",
    "‹verdicts[].at.file›",
    "‹verdicts[].at.sourceLine›",
    "‹verdicts[].clause.wanted›",
    "‹verdicts[].outcome›",
    "‹verdicts[].reason›",
    "‹verdicts[].ruleId›",
  ]);
});

it.each([
  { text: "call ٠٥٠١٢٣٤٥٦٧ now", shown: "call [number 1] now" },
  { text: "call ０９０−１２３４−５６７８", shown: "call [number 1]" },
  { text: "mail jörg@müller.de or ана@почта.рф", shown: "mail [mail 1] or [mail 2]" },
  { text: "pay to DE89370400440532013000", shown: "pay to [secret 1]" },
  { text: "order AB123456", shown: "order [secret 1]" },
  { text: "see instagram.com/lopez, HTTP://LOPEZ.EXAMPLE", shown: "see [link 1] [link 2]" },
  { text: "www.lopez.example and t.me/lopez", shown: "[link 1] and [link 2]" },
  { text: "＠lopez wrote", shown: "@person-1 wrote" },
  { text: "電話は090-1234-5678です", shown: "電話は[number 1]です" },
  { text: "โทร081-234-5678ครับ", shown: "โทร[number 1]ครับ" },
  { text: "전화는010-1234-5678입니다", shown: "전화는[number 1]입니다" },
  { text: "v1.2.3, 24/7, at 10:30, 3.5 km and/or covid-19", shown: undefined },
])("a shared text has no personal data, in any script and form: $text", ({ text, shown }) => {
  expect(new Veil([], null).text(text)).toBe(shown ?? text);
});

it.each([
  { text: "Hi Ana, or Maria? ANA MARIA LOPEZ", shown: "Hi person-1, or person-1? person-1" },
  { text: "Dear Ms Lopez's dog, Analog", shown: "Dear Ms person-1's dog, Analog" },
  { text: "the bakery de Lopez. Bakery", shown: "the bakery de person-1. person-2" },
  { text: "de la 2 of B", shown: "de la 2 of B" },
  { text: "山田さん and 山田", shown: "person-3さん and person-3" },
  { text: "私は山田太郎です。山のある田", shown: "私はperson-3person-3です。山のある田" },
  { text: "คุณสมชายครับ", shown: "คุณperson-4ครับ" },
  { text: "김민수입니다", shown: "person-5입니다" },
  { text: "ΓΙΩΡΓΟΣ, και γιώργοι", shown: "person-6, και γιώργοι" },
  { text: "يا أَحْمَد", shown: "يا person-7" },
  { text: "IREM'e, irem", shown: "person-8'e, person-8" },
  { text: "Lopezさん, Lopezia", shown: "person-1さん, Lopezia" },
])(
  "a shared text has no part of a name that is written like the name: $text",
  ({ text, shown }) => {
    const people = [
      { id: "1", username: "aml", name: "Ana Maria de la Lopez" },
      { id: "2", username: "bakery2", name: "The Bakery 2 B" },
      { id: "3", username: "yamada", name: "山田 太郎" },
      { id: "1", username: "aml", name: "Ana Maria Lopez" },
      { id: "4", username: "som", name: "สมชาย ใจดี" },
      { id: "5", username: "kim", name: "김민수" },
      { id: "6", username: "gio", name: "Γιώργος Π" },
      { id: "7", username: "ahm", name: "أحمد" },
      { id: "8", username: "ire", name: "İrem" },
    ];

    expect(new Veil(people, null).text(text)).toBe(shown);
  },
);

/** Returns a copy of a JSON value in which each string is replaced by its path, such as `‹verdicts[].reason›`. */
function marked(value: unknown, place: string): unknown {
  if (typeof value === "string") return `‹${place}›`;
  if (Array.isArray(value)) return value.map((one) => marked(one, `${place}[]`));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      marked(one, place === "" ? key : `${place}.${key}`),
    ]),
  );
}

it("as a page it is complete, without scripts and other files", () => {
  const page = sharedPage(traceToShare(trace, { texts: true }));

  expect(page).toContain("<strong>help ran</strong>");
  expect(page).toContain("hours did not run: ");
  expect(page).toContain("rules/0.yaml:");
  expect(page).toContain("&lt;b&gt;key&lt;/b&gt;");
  expect(page).toContain("prefers-color-scheme: dark");
  expect(page).not.toMatch(/<script|<link|<img|src=|url\(|https?:/i);
  for (const secret of SECRETS) expect(page).not.toMatch(new RegExp(`\\b${secret}`, "i"));
});

it("the page says that a rule would run while its event is not decided", () => {
  const page = (undecided?: string): string => {
    const decision = { ...trace.decision, ...(undecided !== undefined && { undecided }) };
    return sharedPage(traceToShare({ ...trace, decision }));
  };

  expect(page()).toContain("<strong>help ran</strong>");
  expect(page("it is not decided yet")).toContain("<strong>help would run</strong>");
});
