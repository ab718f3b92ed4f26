import { afterEach, describe, expect, it, test } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";
import { messageReceived, postMentioned } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";
import { actionsOf, endOf, play } from "../support/playing.ts";

/** Runs a rule with the reply `reply` for `text`. Returns the reply, or the reason why the run failed. */
function said(reply: string, text = "Hello", rest = "") {
  const ruleset = rulesetOf(
    `rules:\n  - id: a\n    triggers: [dm.received]\n${rest}    actions:\n      - reply_dm: ${JSON.stringify(reply)}`,
  );
  const received = messageReceived({ text });
  const event = { ...received, sender: { ...received.sender, followersCount: 7 } };
  const steps = play(event, ruleset);
  const [action] = actionsOf(steps);
  return action?.type === "reply_dm" ? action.text : endOf(steps);
}

/** Returns the codes of the problems of a rule with the condition `if: EXPRESSION` and the given reply. */
function codesOf(condition: string, reply = "hi", trigger = "dm.received") {
  const text = `version: 1
rules:
  - id: a
    triggers: [${trigger}]
    conditions:
      - if: ${JSON.stringify(condition)}
    actions:
      - log: ${JSON.stringify(reply)}
`;
  return compile([{ path: "a.yaml", text }]).problems.map(({ code, help }) => `${code}: ${help}`);
}

describe("functions for texts in expressions", () => {
  test.each([
    ['${{ message.text.same("HELLO") }}', "true", "same compares as people do"],
    ['${{ message.text == "HELLO" }}', "false", "== compares exactly"],
    ['${{ message.text.has_word("hello") }}', "true", "has_word finds a whole word"],
    ['${{ message.text.has_word(["x", "hello"]) }}', "true", "or one of a list"],
    ['${{ message.text.has_word("hell") }}', "false", "but not a part of one"],
    ["${{ message.text.upper() }}", "HELLO", "upper"],
    ["${{ message.text.lower() }}", "hello", "lower"],
    ["${{ message.text.truncate(3) }}", "He…", "truncate"],
    ['${{ url("a b&ü") }}', "a%20b%26%C3%BC", "url"],
    ['${{ sender.location.orValue("nowhere") }}', "nowhere", "orValue stands in"],
    ['${{ sender.name.orValue("you") }}', "Ana", "for what is absent only"],
    ['${{ has(sender.location) ? sender.location : "?" }}', "?", "has asks"],
    ["${{ message.hashtags }}.", ".", "a list is shown with commas"],
    [
      "${{ 0.1 + 0.2 }} and ${{ 1.1 * 3 }}",
      "0.3 and 3.3",
      "decimals are shown as people compute them",
    ],
    ["${{ 19.99 }} ${{ 1.0 / 3 }} ${{ 1e21 }}", "19.99 0.333333333333333 1e+21", "up to 15 digits"],
    ["${{ 9007199254740991 }}", "9007199254740991", "whole numbers keep all digits"],
    ["${{ sender.followers_count }} ${{ sender.followers_count > 5.5 }}", "7 true", "numbers"],
  ])("%s gives %s: %s", (reply, text) => {
    expect(said(reply)).toBe(text);
  });
});

describe("fields that may be absent", () => {
  test.each([
    "has(sender.location) && sender.location == 'x'",
    "!has(sender.location) || sender.location == 'x'",
    "has(sender.location) ? sender.location == 'x' : false",
    "sender.location.orValue('') == 'x'",
    "has(sender.location) && (sender.verified || sender.location.contains('x'))",
    "!(has(sender.location) && has(sender.url)) ? true : sender.location == sender.url",
  ])("may be tested with %s", (expression) => {
    expect(codesOf(expression)).toEqual([]);
  });

  test.each([
    "sender.location == 'x'",
    "sender['location'] == 'x'",
    "has(sender.location) || sender.location == 'x'",
    "has(sender.url) && sender.location == 'x'",
    "sender.verified ? sender.location == 'x' : has(sender.location)",
  ])("are not tested by %s, which is refused", (expression) => {
    expect(codesOf(expression)).toEqual([
      "may-be-absent: write sender.location.orValue(''), or ask first: has(sender.location) && …",
    ]);
  });

  it("include a quoted post as a whole", () => {
    expect(codesOf("post.quoted.text == 'x'", "hi", "post.mentioned")).toHaveLength(1);
    expect(codesOf("post.quoted.text.orValue('') == ''", "hi", "post.mentioned")).toEqual([]);
  });

  it("are reported at their place in the text", () => {
    const text = `version: 1
rules:
  - id: a
    triggers: [dm.received]
    conditions:
      - if: sender.url.orValue("") == "" && sender.location == ""
    actions: [log: hi]
`;
    expect(compile([{ path: "a.yaml", text }]).problems).toMatchObject([
      { line: 6, column: 45, length: 15 },
    ]);
  });
});

describe("a part of a text that is not shorter", () => {
  test.each([
    "message.text.size() > 20 ? message.text.substring(0, 20) : message.text",
    "now.substring(0, 10)",
    "message.text.substring(6)",
    'message.hashtags.size() > 1 ? message.hashtags[1] : "none"',
    "sender.name.substring(0, 1)",
    'message.text.lower().startsWith("#a") ? message.text.substring(0, 2) : "none"',
  ])("is not reported: %s", (expression) => {
    expect(codesOf("true", `\${{ ${expression} }}`)).toEqual([]);
  });
});

describe("an item of a list", () => {
  it("is not reported if a condition tests the list", () => {
    expect(codesOf("message.hashtags.size() > 0", "${{ message.hashtags[0] }}")).toEqual([]);
    expect(codesOf("'sale' in message.hashtags", "${{ message.hashtags[0] }}")).toEqual([]);
    expect(codesOf("true", "${{ message.hashtags[0] }}")).toHaveLength(1);
    expect(codesOf("true", "${{ message.hashtags.sort()[0] }}")).toHaveLength(1);
    expect(codesOf("true", "${{ message.hashtags.sort_desc().sort()[0] }}")).toHaveLength(1);
    expect(codesOf("message.hashtags.size() > 0", "${{ message.hashtags.sort()[0] }}")).toEqual([]);
  });

  it("is named if the list does not have it", () => {
    expect(said("${{ message.hashtags.sort()[0] }}")).toBe(
      "failed: actions[0]: message.hashtags.sort() has no item 0",
    );
  });
});

describe("times and literals", () => {
  test.each([
    'now > "2026-01-01"',
    'event.time < "2026-12-24T00:00:00Z"',
    'timestamp(now) > timestamp("2026-12-24T00:00:00+01:00")',
    'timestamp(now) > timestamp("2028-02-29T23:59:59-12:00")',
    'timestamp(now) - timestamp(event.time) < duration("1h30m")',
    'timestamp(now).getHours("CET") > 8',
    '"sale" in message.hashtags',
    'sender.id in ["12"]',
    'number("１２") > 3',
  ])("are accepted: %s", (expression) => {
    expect(codesOf(expression)).toEqual([]);
  });
});

describe("parts of a time", () => {
  const zone = process.env["TZ"];

  afterEach(() => {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  });

  test.each([
    ['timestamp("2026-03-29T02:30:00Z").getHours("UTC")', "2"],
    ['timestamp("2026-03-28T21:00:00Z").getHours("Asia/Kolkata")', "2"],
    ['timestamp("2026-03-28T21:15:00Z").getMinutes("Asia/Kolkata")', "45"],
    ['timestamp("2026-07-01T12:00:00Z").getDayOfYear()', "181"],
    ['timestamp("2026-07-01T23:00:00Z").getDayOfYear("Europe/Berlin")', "182"],
    ['timestamp("2028-12-31T12:00:00Z").getDayOfYear("UTC")', "365"],
    ['timestamp("2026-07-05T23:00:00Z").getDayOfWeek("UTC")', "0"],
    ['timestamp("2026-07-05T23:00:00Z").getDayOfWeek("Europe/Berlin")', "1"],
    ['timestamp("2026-12-31T23:30:00Z").getFullYear("Europe/Berlin")', "2027"],
    ['timestamp("2026-12-31T23:30:00Z").getMonth("Europe/Berlin")', "0"],
    ['timestamp("2026-12-31T23:30:00Z").getDate("Europe/Berlin")', "1"],
    ['timestamp("2026-12-31T23:30:00Z").getDayOfMonth("Europe/Berlin")', "0"],
    ['timestamp("2026-12-31T23:30:45Z").getSeconds("Europe/Berlin")', "45"],
    ["timestamp(now).getHours(sender.name)", 'failed: actions[0]: there is no time zone "Ana"'],
  ])("do not depend on the time zone of the machine: %s", (expression, value) => {
    for (const machine of ["UTC", "Europe/Berlin", "America/New_York"]) {
      process.env["TZ"] = machine;
      expect(said(`\${{ ${expression} }}`)).toBe(value);
    }
  });
});

describe("a value that can't be shown", () => {
  it("has a help without a conversion that does not exist", () => {
    expect(codesOf("true", "${{ duration('1h') }}")).toEqual([
      "not-showable: write its hours, minutes or seconds, as  duration(…).getMinutes()",
    ]);
  });

  test.each([
    ["${{ sender }}", "a map of fields"],
    ['${{ {"a": 1} }}', "a map"],
    ["${{ type(1) }}", "a type"],
    ["${{ sender.?location }}", "what may be absent"],
    ["${{ duration('1h') }}", "a duration"],
  ])("%s is refused at load: %s", (reply) => {
    expect(codesOf("true", reply)).toEqual([expect.stringMatching(/^not-showable: /)]);
  });

  test.each([
    ["${{ 0.0 / 0.0 }}", "not a number"],
    ["${{ dyn({'a': 1}) }}", "a map whose type is not known"],
  ])("%s fails the step: %s", (reply) => {
    expect(said(reply)).toMatch(/^failed: .*gives nothing that can be shown/);
  });
});

describe("variables", () => {
  const rest = (...lines: string[]) => lines.map((line) => `    ${line}\n`).join("");

  it("are texts, or keep the type of a single expression, and are visible to conditions", () => {
    const lines = rest(
      "variables:",
      "  big: ${{ sender.followers_count * 2 }}",
      "  who: Dear ${{ sender.name }}",
      "  plain: hello",
      "conditions:",
      "  - if: vars.big == 14 && vars.plain == 'hello'",
    );

    expect(said("${{ vars.who }}, ${{ vars.big + 1 }}", "Hi", lines)).toBe("Dear Ana, 15");
  });

  it("whose text looks like an expression are reported", () => {
    const text = `version: 1
rules:
  - id: a
    triggers: [dm.received]
    variables: {big: sender.followers_count * 2, word: post.office}
    actions: [log: "\${{ vars.big }}"]
`;
    expect(compile([{ path: "a.yaml", text }]).problems).toMatchObject([
      {
        code: "expression-as-text",
        severity: "warning",
        help: "to evaluate it, write  big: ${{ sender.followers_count * 2 }}",
      },
    ]);
  });

  it("whose lists double each other cause an error, and don't end the process", () => {
    const lines = Array.from({ length: 40 }, (_, index) =>
      index === 0
        ? "  v0: '${{ [1, 1] }}'"
        : `  v${index}: '\${{ [vars.v${index - 1}, vars.v${index - 1}] }}'`,
    );

    expect(said("hi", "Hi", rest("variables:", ...lines))).toBeUndefined();
  });
});

describe("captures", () => {
  it("are the named groups of the pattern that matched, in the original case", () => {
    const conditions = String.raw`    conditions:
      - any:
          - message.text: {matches: 'order (?P<no>[a-z]\d+)'}
          - message.text: {matches: ['for (?P<who>\w+)', '(?P<word>thanks)']}
      - not: {message.text: {matches: '(?P<bad>spam)'}}
`;
    const reply = "${{ captures.no.upper() }}|${{ captures.who }}|${{ captures.word }}";

    expect(said(reply, "my ORDER a12 for Bob", conditions)).toBe("A12||");
    expect(said(reply, "a present for Bob", conditions)).toBe("|Bob|");
    expect(said(reply, "Thanks", conditions)).toBe("||Thanks");
  });

  it("are the person's own characters, even if the pattern reads other ones", () => {
    const conditions = String.raw`    conditions:
      - message.text: {matches: '^order (?P<what>.+?)(?: to (?P<where>\w+))?$'}
`;
    const reply = "${{ captures.what }}|${{ captures.where }}";

    expect(said(reply, "Order 2½ kg for 30 m²", conditions)).toBe("2½ kg for 30 m²|");
    expect(said(reply, " ORDER 10⁵ ﬁne “pieces” to Köln", conditions)).toBe(
      "10⁵ ﬁne “pieces”|Köln",
    );
    expect(said(reply, "order a\n\nb\u00a0c to cafe\u0301", conditions)).toBe(
      "a\n\nb\u00a0c|cafe\u0301",
    );
    expect(said(reply, "order می‌خواهم", conditions)).toBe("می‌خواهم|");
  });

  it("of a group that no pattern contains are refused", () => {
    expect(codesOf("true", "${{ captures.no }}")).toHaveLength(1);
  });
});

describe("characters that a reply can't contain", () => {
  it("are removed: control characters, direction overrides, half characters", () => {
    const text = "a\u0000b\u001b[31mc\u202ed\u2066e\u200ff\ud800g";

    expect(said("«${{ message.text }}»", text)).toBe("«ab[31mcdef\ufffdg»");
  });

  it("don't include line breaks and joined pictures", () => {
    expect(said("${{ message.text }}", "a\nb 👩‍👩‍👧")).toBe("a\nb 👩‍👩‍👧");
  });

  it("are not interpreted again", () => {
    expect(said("${{ message.text }}", "${{ secrets.KEY }} {{ x }}")).toBe(
      "${{ secrets.KEY }} {{ x }}",
    );
  });
});

describe("a map in an expression", () => {
  const KEYS = ["constructor", "prototype", "__proto__"];

  test.each(KEYS)("with the key %s, which the evaluation would drop, is refused", (key) => {
    expect(codesOf(`size({"a": {"${key}": "b"}}) == 1`)).toEqual([
      "invalid-value: use another key",
    ]);
  });

  it("can have other keys that JavaScript uses", () => {
    expect(said('${{ {"toString": "a", "valueOf": "b"}["toString"] }}')).toBe("a");
  });
});

describe("expressions that would cost too much", () => {
  test.each([
    ['message.text.split(" ") == []', "expr-not-here"],
    ['message.hashtags.join(",") == ""', "expr-not-here"],
    ["message.hashtags.exists(h, h == 'a')", "expr-no-loops"],
    ["message.text.matches('a')", "expr-no-matches"],
    [`(${Array.from({ length: 300 }, () => "text").join(" + ")}).contains('a')`, "expr-too-long"],
  ])("are refused: %s", (expression, code) => {
    expect(codesOf(expression)[0]).toMatch(new RegExp(`^${code}: `));
  });

  it.each([
    { texts: 20, codes: [] },
    { texts: 300, codes: [expect.stringMatching(/^expr-too-long: /)] },
  ])("include $texts texts in a row: $codes", ({ texts, codes }) => {
    const sum = Array.from({ length: texts }, () => "text").join(" + ");

    expect(codesOf(`(${sum}).contains('a')`)).toEqual(codes);
  });

  it("include patterns of more than 200 instructions", () => {
    const text = String.raw`version: 1
rules:
  - {id: a, triggers: [dm.received], conditions: [message.text: {matches: '(\w{1,60}-){9}'}], actions: [log: a]}
`;
    expect(compile([{ path: "a.yaml", text }]).problems).toMatchObject([
      { code: "regex-too-long", line: 3, help: expect.stringContaining("matches") },
    ]);
  });

  it("don't include patterns of fewer instructions", () => {
    const text = String.raw`version: 1
rules:
  - {id: a, triggers: [dm.received], conditions: [message.text: {matches: '(\w{1,20}-){3}'}], actions: [log: a]}
`;
    expect(compile([{ path: "a.yaml", text }]).problems).toEqual([]);
  });

  it("end when they read more than the limit", () => {
    const words = Array.from({ length: 200 }, (_, index) => `"w${index}"`).join(", ");

    expect(said(`\${{ message.text.has_word([${words}]) }}`, "x ".repeat(5_000))).toMatch(
      /^failed: .*more than 300000 characters/,
    );
    expect(said(`\${{ message.text.has_word([${words}]) }}`, "x ".repeat(100))).toBe("false");
  });
});

it("the author of a post is a person", () => {
  expect(codesOf("post.author.followers_count > 3", "hi", "post.mentioned")).toEqual([]);
  expect(postMentioned().post.author.id).toBeDefined();
});
