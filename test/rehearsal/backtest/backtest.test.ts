import { describe, expect, it, onTestFinished } from "vitest";
import { backtest, type BacktestResult } from "../../../src/insight/rehearsal/backtest/backtest.ts";
import { sideInThread } from "../../../src/insight/rehearsal/backtest/side.ts";
import { compile } from "../../../src/rules/compile/compile.ts";
import type { Entry } from "../../../src/runtime/store/entry.ts";
import { ACCOUNT, entriesOf, type Said } from "./journal.ts";

const HEAD = `version: 1
hours:
  office: {zone: Europe/Berlin, open: ["mon-fri 09:00-17:00"]}
rules:
`;

/** Returns a rule that answers messages with a word. `more` has further lines of the rule. */
function rule(word: string, actions: string, ...more: readonly string[]): string {
  const lines = [
    `triggers: [dm.received]`,
    ...more.filter((line) => !line.startsWith("- ")),
    `conditions:`,
    `  - message.text: {contains_word: ${word}}`,
    ...more.filter((line) => line.startsWith("- ")).map((line) => `  ${line}`),
    `actions: ${actions}`,
  ];
  return `  - id: ${word}\n    group: none\n${lines.map((line) => `    ${line}\n`).join("")}`;
}

const ASKS = `
      - id: no
        ask:
          text: Which number?
          expect: {matches: '\\b(?P<no>[A-Z]\\d+)\\b'}
          retries: 2
          reprompt: Like A1, please.
          within: 15m
          on_timeout: [{reply_dm: Too late.}]
      - reply_dm: "\${{ steps.no.captures.no }} is on its way."`;

/** Rules that the bot uses, by the word in a message that starts the rule. */
const BASE: Readonly<Record<string, string>> = {
  hours: rule("hours", "[{reply_dm: 9 to 5}]"),
  thanks: rule("thanks", "[{reply_dm: Welcome.}]"),
  promo: rule("promo", "[{reply_dm: 10 percent}]", "cooldown: {per: sender, for: 5m}"),
  sale: rule("sale", "[{reply_dm: Soon.}]", "limit: {per: rule, max: 9, in: 1h, overflow: drop}"),
  ticket: rule("ticket", "[{delay: 10m}, {reply_dm: Your ticket is done.}]"),
  vip: rule("vip", "[{reply_dm: Hello again.}]"),
  call: rule("call", "[{reply_dm: We call you.}]"),
  name: rule("name", "[{set: {state.sender.known: true}}, {reply_dm: Noted.}]"),
  secret: rule("secret", "[{reply_dm: It is 42.}]"),
  order: rule("order", ASKS),
};

const SAID: readonly Said[] = [
  [0, "201", "hours?"], // 1
  [10, "202", "thanks"], // 2
  [20, "201", "promo"], // 3
  [400, "201", "promo again"], // 4
  [410, "202", "promo"], // 5
  [420, "201", "sale"], // 6
  [430, "202", "sale"], // 7
  [500, "201", "ticket one"], // 8
  [600, "201", "ticket two"], // 9
  [700, "202", "vip"], // 10
  [710, "203", "vip"], // 11
  [720, "201", "call me"], // 12, at 08:12
  [4_000, "201", "call me"], // 13, at 09:06
  [4_010, "201", "secret"], // 14
  [4_020, "202", "my name"], // 15
  [4_030, "202", "secret"], // 16
  [5_000, "201", "order"], // 17
  [5_010, "201", "dunno"], // 18
  [5_020, "201", "it is B7"], // 19
  [6_000, "202", "order"], // 20, never answered
  [9_000, "203", "human"], // 21
];

interface Planted {
  readonly difference: string;
  /** New text of a rule, by the word that starts the rule; `undefined` removes the rule. */
  readonly edit: Readonly<Record<string, string | undefined>>;
  readonly finds: readonly (readonly [kind: string, seq: number])[];
  readonly why: string;
}

const PLANTED: readonly Planted[] = [
  {
    difference: "another text",
    edit: { hours: rule("hours", "[{reply_dm: 9 to 6}]") },
    finds: [["changed", 1]],
    why: "who asked gets another answer",
  },
  {
    difference: "a new rule",
    edit: { human: rule("human", "[{reply_dm: A person comes.}]") },
    finds: [["new", 21]],
    why: "who was not answered is",
  },
  {
    difference: "a rule less",
    edit: { thanks: undefined },
    finds: [["gone", 2]],
    why: "who was answered is not",
  },
  {
    difference: "a longer cooldown",
    edit: { promo: rule("promo", "[{reply_dm: 10 percent}]", "cooldown: {per: sender, for: 1h}") },
    finds: [["gone", 4]],
    why: "380 seconds are over 5 minutes, and not an hour; another person has a cooldown of their own",
  },
  {
    difference: "a cooldown that all share",
    edit: { promo: rule("promo", "[{reply_dm: 10 percent}]", "cooldown: {per: rule, for: 5m}") },
    finds: [["gone", 5]],
    why: "it ran ten seconds ago, for another person",
  },
  {
    difference: "a smaller limit",
    edit: {
      sale: rule(
        "sale",
        "[{reply_dm: Soon.}]",
        "limit: {per: rule, max: 1, in: 1h, overflow: drop}",
      ),
    },
    finds: [["gone", 7]],
    why: "it is counted across people",
  },
  {
    difference: "a limit that queues",
    edit: {
      sale: rule(
        "sale",
        "[{reply_dm: Soon.}]",
        "limit: {per: rule, max: 1, in: 1h, overflow: queue, expires: 2h}",
      ),
    },
    finds: [["changed", 7]],
    why: "it goes out an hour later",
  },
  {
    difference: "mode single",
    edit: {
      ticket: rule("ticket", "[{delay: 10m}, {reply_dm: Your ticket is done.}]", "mode: single"),
    },
    finds: [["gone", 9]],
    why: "the first is still under way",
  },
  {
    difference: "mode restart",
    edit: {
      ticket: rule("ticket", "[{delay: 10m}, {reply_dm: Your ticket is done.}]", "mode: restart"),
    },
    finds: [["gone", 8]],
    why: "the second takes the place of the first",
  },
  {
    difference: "mode queued",
    edit: {
      ticket: rule("ticket", "[{delay: 10m}, {reply_dm: Your ticket is done.}]", "mode: queued"),
    },
    finds: [["changed", 9]],
    why: "it begins when the first is over, so it is done later",
  },
  {
    difference: "a condition on handles",
    edit: { vip: rule("vip", "[{reply_dm: Hello again.}]", "- sender.username: user_203") },
    finds: [["gone", 10]],
    why: "the other person has another handle",
  },
  {
    difference: "another account",
    edit: { vip: rule("vip", "[{reply_dm: Hello again.}]", "account: other_bot") },
    finds: [
      ["gone", 10],
      ["gone", 11],
    ],
    why: "it is not the handle of this one",
  },
  {
    difference: "this account",
    edit: { vip: rule("vip", "[{reply_dm: Hello again.}]", "account: hello_bot") },
    finds: [],
    why: "it answers for it as before",
  },
  {
    difference: "a condition on the time of day",
    edit: { call: rule("call", "[{reply_dm: We call you.}]", "- now: {within: office}") },
    finds: [["gone", 12]],
    why: "one came before the office opens, one after",
  },
  {
    difference: "a condition on state",
    edit: { secret: rule("secret", "[{reply_dm: It is 42.}]", "- state.sender.known: true") },
    finds: [["gone", 14]],
    why: "another rule has kept it of one person only",
  },
  {
    difference: "another question",
    edit: { order: rule("order", ASKS.replace("Like A1", "A letter and digits")) },
    finds: [["changed", 18]],
    why: "it is put again where the answer was none",
  },
  {
    difference: "an answer that is taken otherwise",
    edit: { order: rule("order", ASKS.replace("[A-Z]\\d+", "[A-Z]?\\d+|dunno")) },
    finds: [
      ["changed", 18],
      ["gone", 19],
    ],
    why: "the first answer is taken, so the next one answers nothing",
  },
  {
    difference: "less time to answer",
    edit: { order: rule("order", ASKS.replace("within: 15m", "within: 5m")) },
    finds: [["changed", 20]],
    why: "who never answers is told earlier",
  },
];

async function through(
  edit: Planted["edit"],
  {
    threads = false,
    said = SAID,
    keepAll = false,
  }: { threads?: boolean; said?: readonly Said[]; keepAll?: boolean } = {},
): Promise<BacktestResult> {
  const usernames = { [ACCOUNT.id]: ACCOUNT.username };
  return backtest(pagesOf(entriesOf(said), 4), {
    before: { files: [textOf(BASE)], usernames },
    after: { files: [textOf({ ...BASE, ...edit })], usernames },
    threads,
    keepAll,
  });
}

function textOf(rules: Readonly<Record<string, string | undefined>>) {
  const text = HEAD + Object.values(rules).join("");
  const { problems } = compile([{ path: "rules.yaml", text }]);
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  return { path: "rules.yaml", text };
}

async function* pagesOf(entries: readonly Entry[], size: number) {
  for (let at = 0; at < entries.length; at += size) yield entries.slice(at, at + size);
}

const placesIn = ({ examples }: BacktestResult) =>
  examples.map(({ kind, seq }) => [kind, seq]).sort((a, b) => Number(a[1]) - Number(b[1]));

describe("a backtest", () => {
  it("finds no difference between equal rules", async () => {
    const { counts, events, examples } = await through({});

    expect({ counts, events, examples }).toEqual({
      events: 21,
      counts: { same: 20, changed: 0, new: 0, gone: 0 },
      examples: [],
    });
  });

  it.each(PLANTED)("finds $difference exactly where it is: $why", async ({ edit, finds }) => {
    const result = await through(edit);

    expect(placesIn(result)).toEqual(finds);
  });

  it("finds several differences at once, each with its kind", async () => {
    const all = { ...PLANTED[0]?.edit, ...PLANTED[1]?.edit, ...PLANTED[2]?.edit };
    const edit = { ...all, ...PLANTED[3]?.edit, ...PLANTED[7]?.edit, ...PLANTED[10]?.edit };

    const { counts } = await through(edit);

    expect(counts).toEqual({ same: 15, changed: 1, new: 1, gone: 4 });
  });

  it("shows each output, and its delay after the event", async () => {
    const { examples } = await through(PLANTED[9]?.edit ?? {});

    const [{ before, after } = {}] = examples;
    const what = "message to 201: Your ticket is done.";
    const place = { rule: "ticket", what, step: "actions[1]", to: "201" };
    expect(before).toEqual([{ ...place, after_ms: 600_000 }]);
    expect(after).toEqual([{ ...place, after_ms: 1_100_000 }]);
  });

  it("names the step of an output without its rounds, also in nested repeats", async () => {
    const inner = "{repeat: {count: 2, sequence: [{delay: 1s}, {reply_dm: Now}]}}";
    const hours = rule("hours", `[{repeat: {count: 2, sequence: [${inner}]}}]`);

    const { examples } = await through({ hours });

    const step = "actions[0].repeat.sequence[0].repeat.sequence[1]";
    expect(examples[0]?.after?.map((output) => output.step)).toEqual([step, step, step, step]);
  });

  it("finds the same differences in two threads", async () => {
    const edit = { ...PLANTED[0]?.edit, ...PLANTED[4]?.edit, ...PLANTED[16]?.edit };

    expect(await through(edit, { threads: true })).toEqual(await through(edit));
  });

  it("fails once if a thread dies, although the end was requested of it, too", async () => {
    const rejections: unknown[] = [];
    const note = (reason: unknown): void => void rejections.push(reason);
    process.on("unhandledRejection", note);
    onTestFinished(() => void process.off("unhandledRejection", note));
    const usernames = { [ACCOUNT.id]: ACCOUNT.username };
    const before = { files: [textOf(BASE)], usernames };
    // a thread that can't read its rules ends with an error
    const after = { files: [{ path: "rules.yaml", text: Object(1) }], usernames };

    await expect(
      backtest(pagesOf(entriesOf(SAID), 30), { before, after, threads: true }),
    ).rejects.toThrow("is not a function");
    await new Promise((resolve) => setImmediate(resolve));
    expect(rejections).toEqual([]);
  });

  it("waits for no answer of a thread that has died", async () => {
    const side = sideInThread({ files: [{ path: "rules.yaml", text: Object(1) }], usernames: {} });
    await expect(side.finish()).rejects.toThrow("is not a function");

    await expect(side.finish()).rejects.toThrow("is not a function");
    await side.close();
  });

  it("follows a run until it calls a service, with both sets of rules", async () => {
    const asks = rule(
      "hours",
      '[{http: {method: GET, url: "https://hours.example.test/now"}}, {reply_dm: "5"}]',
    );

    const { counts, left: remaining, examples } = await through({ hours: asks });

    expect({ counts, remaining }).toEqual({
      counts: { same: 19, changed: 1, new: 0, gone: 0 },
      remaining: 1,
    });
    expect(examples[0]?.after).toEqual([
      { rule: "hours", what: "http GET https://hours.example.test/now" },
    ]);
  });

  it("keeps the first examples of each kind", async () => {
    const many = Array.from({ length: 50 }, (_, n): Said => [n, String(300 + n), "thanks"]);

    const { counts, examples } = await through({ thanks: undefined }, { said: many });

    expect(counts.gone).toBe(50);
    expect(examples.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it("keeps every example on request", async () => {
    const many = Array.from({ length: 50 }, (_, n): Said => [n, String(300 + n), "thanks"]);

    const { examples } = await through({ thanks: undefined }, { said: many, keepAll: true });

    expect(examples).toHaveLength(50);
  });

  it("groups events by the rules and steps that differ, the largest group first", async () => {
    const many = Array.from({ length: 50 }, (_, n): Said => {
      return [n, String(300 + n), n % 5 === 0 ? "hours" : "thanks"];
    });
    const edit = {
      hours: rule("hours", '[{reply_dm: "9 to 6, ${{ sender.id }}"}]'),
      thanks: rule("thanks", "[{reply_dm: You are welcome.}]"),
    };

    const { groups } = await through(edit, { said: many });

    expect(groups).toMatchObject([
      {
        kind: "changed",
        count: 40,
        before: [{ rule: "thanks", what: "message to 301: Welcome." }],
      },
      {
        kind: "changed",
        count: 10,
        after: [{ rule: "hours", what: "message to 300: 9 to 6, 300" }],
      },
    ]);
    expect(groups[0]?.seqs).toEqual([2, 3, 4, 5, 7, 8, 9, 10, 12, 13]);
  });

  it("distinguishes the outputs of two steps of a rule", async () => {
    const asks = ASKS.replace("Too late.", "Bye.").replace("is on its way", "is coming");

    const { groups } = await through({ order: rule("order", asks) });

    expect(groups.map(({ count, seqs }) => [count, seqs])).toEqual([
      [1, [19]],
      [1, [20]],
    ]);
  });
});
