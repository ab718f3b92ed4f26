import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { compile } from "../../../src/rules/compile/compile.ts";

/** Returns the messages about a rule file with one rule. */
function problemsOf(rule: Readonly<Record<string, unknown>>): readonly string[] {
  const whole = { id: "r", triggers: ["dm.received"], actions: ["stop"], ...rule };
  const text = JSON.stringify({ version: 1, rules: [whole] });
  return compile([{ path: "a.yaml", text }]).problems.map(({ code, help }) => `${code}: ${help}`);
}

it("a handle with a full-width sign is looked up", () => {
  const actions = [{ id: "who", lookup: { username: "＠ana" } }, "stop"];

  expect(problemsOf({ actions })).toEqual([]);
});

describe("an operand that looks like one of another tool but is correct", () => {
  it.each([
    { why: "a phrase with a comma", test: { contains_word: "yes, please" } },
    { why: "a phrase with commas in a list", test: { contains_word: ["ready, set, go", "hi!"] } },
    { why: "shares", test: { contains_word: ["50/50", "24/7", "1.5", "(c)", "e.g."] } },
    { why: "a price", test: { contains: "$5" } },
    { why: "a currency", test: { contains: "US$" } },
    { why: "a percentage", test: { contains: "100%" } },
    { why: "a star alone", test: { contains: "*" } },
    { why: "names of languages", test: { in: ["c++", "c#", ".net"] } },
    { why: "a question", test: { equals: "what?" } },
    { why: "words of expressions", test: { equals: "yes or no" } },
    { why: "a command", test: { starts_with: ["/start", "!roll", ".help"] } },
  ])("is not reported: $why", ({ test }) => {
    expect(problemsOf({ conditions: [{ "message.text": test }] })).toEqual([]);
  });

  it.each([
    { why: "no blanks", text: "hi,hello" },
    { why: "three words", text: "hi, hello, hey" },
  ])("is reported if it is certainly a list, with a way to write the text: $why", ({ text }) => {
    const [first] = problemsOf({ conditions: [{ "message.text": { contains_word: text } }] });
    const words = text.split(/, ?/).join(", ");

    expect(first).toBe(
      `pattern-elsewhere: write  message.text: { contains_word: [${words}] }  or, for this very text,  contains_word: ["${text}"]`,
    );
    expect(problemsOf({ conditions: [{ "message.text": { contains_word: [text] } }] })).toEqual([]);
  });
});

describe("a text that looks like one of another tool but is correct", () => {
  it.each([
    "That is $5, or 100% of $10.",
    "20 %off, %20 and 5% to 7%",
    "Use the code {SAVE10}",
    "Say (help), [menu] or <start>",
    "2 * 3 = 6, a != b, a && b",
    "body { color: red }",
    "https://example.com/?a={b}&c=$1",
    "It costs ${5}, ${10k} or ${ 7.50 }",
    "Write it between {{ and }}, `${` and `}`, {% and %} or <% and %>, not after a lone {%",
    "Empty ones are {{}}, {{ }}, ${} and <%%>",
    "Rain {{{{{{ ::: }}}}}}",
    '<p style={{ color: "red" }}>, {{"a": 1}}',
    '{"query":{"size":{"of":5}},"price":"${5}"}',
    'You write it as ${{ "{{ sender.name }}, ${x} and <%= y %>, $name" }}',
    "= ${{ sender.name }}",
  ])("is not reported: %s", (text) => {
    expect(problemsOf({ actions: [{ reply_dm: text }] })).toEqual([]);
    expect(problemsOf({ actions: [{ reply_dm: [text, "Hi"] }] })).toEqual([]);
  });

  it.each([
    "'“To be or not to be”'",
    "“A” and “B”",
    "“Yes”, she said",
    "We say “stop”",
    "It’s ’90s music’",
    "「こんにちは」",
    "|\n          “To be”",
  ])("is not reported for its typographic quotes: %s", (written) => {
    const text = `version: 1\nrules:\n  - id: r\n    triggers: [dm.received]\n    actions:\n      - reply_dm: ${written}\n`;

    expect(compile([{ path: "a.yaml", text }]).problems).toEqual([]);
  });

  it("is reported as a warning if it names a field", () => {
    expect(problemsOf({ actions: [{ reply_dm: "Hi {name}" }] })).toEqual([
      "other-template: write ${{ sender.name }}",
    ]);
  });
});

describe("a value that looks like a sum", () => {
  const set = (value: unknown) => problemsOf({ actions: [{ set: { "state.sender.n": value } }] });

  it("is not reported if it is a phone number", () => {
    expect(set("+4930123456")).toEqual([]);
    expect(set("+49 30 123456")).toEqual([]);
  });

  it.each(["+1", "+= 1", "-=2"])("is reported where it adds in other tools: %s", (value) => {
    expect(set(value)[0]).toMatch(/^expression-as-text: .*orValue\(0\) [+-] [12] \}\}"$/);
  });

  it("adds to the declared value if there is one", () => {
    const text = JSON.stringify({
      version: 1,
      state: { "sender.n": 0 },
      rules: [
        {
          id: "r",
          triggers: ["dm.received"],
          actions: [{ set: { "state.sender.n": "+= 1" } }],
        },
      ],
    });
    const { problems } = compile([{ path: "a.yaml", text }]);

    expect(problems.map(({ severity, help }) => `${severity}: ${help}`)).toEqual([
      'error: to evaluate it, write  state.sender.n: "${{ state.sender.n + 1 }}"',
    ]);
  });
});

describe("a schedule with the keys of this language", () => {
  it.each([
    { zone: "Europe/Berlin", cron: "0 9 * * mon", trigger: "schedule" },
    { every: "2 weeks", from: "2026-01-05", at: "09:00", zone: "UTC", trigger: "schedule" },
    { trigger: "schedule", id: "x", cron: "0 9 * * *", zone: "UTC" },
  ])("is not reported, in any order: %j", (schedule) => {
    expect(problemsOf({ triggers: [schedule], actions: [{ create_post: "Hi" }] })).toEqual([]);
  });
});

describe("a result that is read only where it is present", () => {
  const hasNumber = `"message.text.contains('#')"`;
  const order = "id: order, http: { url: 'https://orders.example.test/' }";

  it.each([
    {
      why: "the run stops without an answer",
      steps: [
        "{ id: order, ask: { text: Number?, within: 5m, on_timeout: [{ reply_dm: Late. }, stop] } }",
        "{ log: '${{ steps.order.text }}' }",
      ],
    },
    {
      why: "the other branch stops",
      steps: [
        `{ if: ${hasNumber}, then: [{ ${order} }], else: [stop] }`,
        "{ log: '${{ steps.order.status }}' }",
      ],
    },
    {
      why: "it has a value in its place",
      steps: [
        `{ ${order}, if: ${hasNumber} }`,
        `{ log: "\${{ steps.order.status.orValue(0) }} \${{ steps.order.json.a.b.orValue('') }}" }`,
      ],
    },
    {
      why: "the expression tests it",
      steps: [
        `{ ${order}, if: ${hasNumber} }`,
        "{ log: '${{ has(steps.order.status) ? steps.order.status : 0 }}' }",
      ],
    },
    {
      why: "both branches of a condition in the block for the missing answer stop",
      steps: [
        `{ id: order, ask: { text: Number?, within: 5m, on_timeout: [{ if: ${hasNumber}, then: [stop], else: [{ log: x }, { stop: late }] }] } }`,
        "{ log: '${{ steps.order.text }}' }",
      ],
    },
    {
      why: "a part of it has a value in its place",
      steps: [
        `{ ${order}, on_error: [{ log: x }] }`,
        `{ log: "\${{ steps.order.json.items[1].name.orValue('none') }}" }`,
        `{ if: "steps.order.json.a.orValue('') != '' && steps.order.json.b == 'x'", then: [{ log: x }] }`,
      ],
    },
    {
      why: "the expression tests the success of the step",
      steps: [
        `{ ${order}, on_error: [{ log: x }] }`,
        `{ log: "\${{ !steps.order.ok || steps.order.json.a == 1 }}" }`,
        `{ log: "\${{ steps.order.status == 200 && steps.order.json.a == 1 }}" }`,
        `{ log: "\${{ has(steps.order.error) ? 0 : steps.order.json.a }}" }`,
      ],
    },
    {
      why: "a step around it, or above it, tests it",
      steps: [
        `{ ${order}, continue_on_error: true }`,
        "{ if: steps.order.ok, then: [{ log: '${{ steps.order.json.a }}' }] }",
        "{ if: '!steps.order.ok', then: [stop] }",
        "{ log: '${{ steps.order.json.a }} ${{ steps.order.status }}' }",
      ],
    },
    {
      why: "the step is held back, and has not failed",
      steps: [
        "{ id: said, reply_dm: Hi, on_held: [{ log: '${{ steps.said.held }}' }], continue_on_error: true }",
      ],
    },
    {
      why: "the steps around it stop if they fail",
      steps: [
        `{ repeat: { count: 2, sequence: [{ ${order} }] }, on_error: [stop] }`,
        "{ log: '${{ steps.order.status }}' }",
      ],
    },
    {
      why: "each branch of a parallel step has ended",
      steps: [
        `{ parallel: { one: [{ ${order} }], other: [{ log: hi }] } }`,
        "{ log: '${{ steps.order.status }}' }",
      ],
    },
  ])("is not reported: $why", ({ steps }) => {
    expect(problemsOf({ actions: parse(`[${steps.join(",\n")}]`) })).toEqual([]);
  });
});

describe("a form that looks like one of another tool but is correct", () => {
  it.each([
    { actions: [{ set: { "state.sender.urgency": "now" } }] },
    { actions: [{ set: { "state.sender.note": "call me now + 1 day later" } }] },
    { actions: [{ set: { "state.sender.name": "sender" } }] },
    { actions: [{ label: { add: ["vip"] } }, { escalate: { queue: "vip", note: "Hi" } }] },
    { actions: [{ http: { url: "https://example.test", method: "POST", body: "$5" } }] },
    { actions: [{ http: { url: "https://example.test", headers: { "x-price": "$5" } } }] },
    { actions: [{ wait_for: { trigger: "dm.received", within: "1h" } }] },
    { actions: [{ count: { name: "entries", key: "${{ sender.id }}", window: "7d" } }] },
    { limit: { per: "rule", max: 5, in: "1h" }, actions: [{ reply_dm: "Hi" }] },
    { triggers: [{ trigger: "schedule", cron: "0 9 * * mon-fri", zone: "UTC" }] },
    { conditions: [{ "sender.labels": { contains: "vip" } }] },
    { conditions: [{ "sender.created_at": { newer_than: "7d" } }] },
  ])("is not reported: %j", (rule) => {
    expect(problemsOf(rule)).toEqual([]);
  });
});
