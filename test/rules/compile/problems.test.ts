import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { TRIGGERS } from "../../../src/events/triggers.ts";
import { renderProblem } from "../../../src/config/render-problems.ts";
import { compile } from "../../../src/rules/compile/compile.ts";

const problemsOf = (text: string) => compile([{ path: "bad.yaml", text }]).problems;

/** Returns a rule file with one rule, which begins in line 3. */
const rule = (...lines: string[]) =>
  ["version: 1", "rules:", "  - id: faq", ...lines.map((line) => `    ${line}`), ""].join("\n");
const ON_MESSAGE = "triggers: [dm.received]";
const REPLY = "actions: [{reply_dm: hi}]";

describe("a mistake in a rule file", () => {
  test.each([
    {
      text: rule("trigers: [dm.received]", ON_MESSAGE, REPLY),
      said: `bad.yaml:4:5: error: unknown key "trigers" in rule "faq" [unknown-key]
   4 |     trigers: [dm.received]
     |     ^~~~~~~
     = help: did you mean "triggers"?`,
      why: "a slip in a key",
    },
    {
      text: rule("trigers: [dm.received]", REPLY),
      said: `bad.yaml:4:5: error: unknown key "trigers" in rule "faq" [unknown-key]
   4 |     trigers: [dm.received]
     |     ^~~~~~~
     = help: did you mean "triggers"?`,
      why: "a key that is misspelt is not also missing",
    },
    {
      text: rule("triggers: [user.folowed]", REPLY),
      said: `bad.yaml:4:16: error: "user.folowed" is not one of: ${TRIGGERS.join(", ")} [unknown-word]
   4 |     triggers: [user.folowed]
     |                ^~~~~~~~~~~~
     = help: did you mean "user.followed"?`,
      why: "a slip in a trigger's name",
    },
    {
      text: rule(ON_MESSAGE, "enabled: off", REPLY),
      said: `bad.yaml:5:14: error: "off" is text, not a boolean (YAML 1.2 knows only true and false) [not-a-boolean]
   5 |     enabled: off
     |              ^~~
     = help: write false`,
      why: "other YAML reads off as false",
    },
    {
      text: rule(ON_MESSAGE, "conditions:", "  - sender.username: @support", REPLY),
      said: `bad.yaml:6:26: error: a value cannot start with "@" in YAML [unquoted-handle]
   6 |       - sender.username: @support
     |                          ^~~~~~~~
     = help: quote it: "@support"  (here: support without @ also works)`,
      why: "handles are written with @ everywhere else",
    },
    {
      text: rule(
        "triggers: [user.followed]",
        "conditions:",
        "  - message.text: {contains: a}",
        REPLY,
      ),
      said: `bad.yaml:6:9: error: "message.text" does not exist on trigger user.followed [field-not-on-trigger]
   6 |       - message.text: {contains: a}
     |         ^~~~~~~~~~~~
     = help: user.followed carries: sender, target, event, account`,
      why: "a field of another event",
    },
    {
      text: rule(ON_MESSAGE, "conditions:", "  - if: sender.folowers_count > 100", REPLY),
      said: `bad.yaml:6:20: error: sender has no field "folowers_count" [unknown-field]
   6 |       - if: sender.folowers_count > 100
     |                    ^~~~~~~~~~~~~~
     = help: did you mean "followers_count" (number)?`,
      why: "expressions are checked at load",
    },
    {
      text: rule(ON_MESSAGE, "conditions:", "  - if: sender.verified and sender.protected", REPLY),
      said: `bad.yaml:6:29: error: "and" is not an operator here [expr-operator]
   6 |       - if: sender.verified and sender.protected
     |                             ^~~
     = help: use &&`,
      why: "the word of other languages",
    },
    {
      text: rule(ON_MESSAGE, "actions:", "  - reply_dm:", "      text: Your order #12 has shipped"),
      said: `bad.yaml:7:28: error: everything from "#" on is a YAML comment: of this value only "Your order" is left [text-cut-by-comment]
   7 |           text: Your order #12 has shipped
     |                            ^~~~~~~~~~~~~~~
     = help: quote the whole value: "Your order #12 has shipped"`,
      why: "YAML would send half a text",
    },
    {
      text: rule(ON_MESSAGE, "conditions:", "  - sender.id: 1234567890123456789", REPLY),
      said: `bad.yaml:6:20: error: this ID is read as a number and becomes 1234567890123456768 [id-loses-digits]
   6 |       - sender.id: 1234567890123456789
     |                    ^~~~~~~~~~~~~~~~~~~
     = help: quote it: "1234567890123456789"`,
      why: "ids pass 2^53",
    },
    {
      text: rule(
        ON_MESSAGE,
        "conditions:",
        "  - message.text: {matches: '^(?!stop).*order'}",
        REPLY,
      ),
      said: `bad.yaml:6:35: error: lookahead "(?!" is not supported: patterns run in linear time (RE2), so no message can hang the bot [regex-lookaround]
   6 |       - message.text: {matches: '^(?!stop).*order'}
     |                                   ^~~
     = help: match the positive part and exclude the rest with  not: {FIELD: {contains: stop}}`,
      why: "only backtracking engines look around",
    },
    {
      text: rule(ON_MESSAGE, "actions:", "  - log: a", "    reply_dm: b"),
      said: `bad.yaml:7:9: error: "reply_dm" is in the same step as "log": a step has one verb [mis-indented-step]
   7 |         reply_dm: b
     |         ^~~~~~~~
     = help: start it with "- ", in line with the step of "log"`,
      why: "a dash was forgotten",
    },
    {
      text: rule("triggers: [{trigger: dm.sent, direction: outbound}]", REPLY),
      said: `bad.yaml:4:16: error: this rule can trigger itself: reply_dm -> dm.sent (outbound) -> this rule [reply-loop]
   4 |     triggers: [{trigger: dm.sent, direction: outbound}]
     |                ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
     = help: drop  direction: outbound, or add  cooldown: {per: conversation, for: 1h}`,
      why: "the bot would answer itself for ever",
    },
    {
      text: rule(ON_MESSAGE, "actions:", "  - reply_dm: Hours: 9 : 17"),
      said: `bad.yaml:6:19: error: ": " inside unquoted text starts a map in YAML [colon-in-text]
   6 |       - reply_dm: Hours: 9 : 17
     |                   ^~~~~~~~~~~~~
     = help: quote the text: "Hours: 9 : 17"`,
      why: "YAML itself gives a message per colon",
    },
    {
      text: rule(ON_MESSAGE, "actions:", "  - ask: {text: Your number?}"),
      said: `bad.yaml:6:9: error: "ask" has no time limit: the run would wait forever [wait-without-limit]
   6 |       - ask: {text: Your number?}
     |         ^~~
     = help: add  within: 15m  and  on_timeout:`,
      why: "a question without an end",
    },
    {
      text: rule(
        ON_MESSAGE,
        "actions:",
        "  - wait_for: {trigger: user.followed, within: 1h, conditions: [{message.text: hi}]}",
      ),
      said: `bad.yaml:6:70: error: "message.text" does not exist on trigger user.followed [field-not-on-trigger]
   6 |       - wait_for: {trigger: user.followed, within: 1h, conditions: [{message.text: hi}]}
     |                                                                      ^~~~~~~~~~~~
     = help: user.followed carries: sender, target, event, account`,
      why: "a field that what is waited for doesn't have",
    },
  ])("is reported once, at its place, with a fix: $why", ({ text, said }) => {
    expect(problemsOf(text).map((problem) => renderProblem(problem))).toEqual([said]);
  });

  test.each([
    { lines: [ON_MESSAGE, "actions: [{choose: {id: a}}]"], why: "a step" },
    { lines: ["triggers: [timer]", REPLY], why: "a trigger" },
    {
      lines: [ON_MESSAGE, "conditions: [{answer.text: {contains: a}}]", REPLY],
      why: "a field",
    },
    {
      lines: [ON_MESSAGE, "conditions: [{message.text: {normalize: a}}]", REPLY],
      why: "an operator",
    },
    { lines: [ON_MESSAGE, "actions: [choose]"], why: "a step without arguments" },
  ])("is a key that this version does not support yet: $why", ({ lines }) => {
    expect(problemsOf(rule(...lines)).map(({ code }) => code)).toEqual(["not-in-this-version"]);
  });

  test.each([
    {
      lines: [ON_MESSAGE, "actions: [{reply_post: a}]"],
      code: "action-not-on-trigger",
      why: "a message is no post",
    },
    { lines: ["triggers: [dm.sent]", REPLY], code: "never-inbound", why: "it is always outbound" },
    {
      lines: [ON_MESSAGE, "group: nope", REPLY],
      code: "unknown-group",
      why: "a group nobody declared",
    },
    {
      lines: [ON_MESSAGE, "conditions: [{message.text: {gt: 3}}]", REPLY],
      code: "operator-not-for-type",
      why: "texts have no order",
    },
    {
      lines: [ON_MESSAGE, "conditions: [{sender.followers_count: {gt: '3'}}]", REPLY],
      code: "wrong-type",
      why: "a number in quotes is text",
    },
    {
      lines: [ON_MESSAGE, "conditions: [{if: 'message.text.matches(\"(a+)+$\")'}]", REPLY],
      code: "expr-no-matches",
      why: "CEL's own matches backtracks",
    },
    {
      lines: [ON_MESSAGE, "conditions: [{if: 'message.hashtags.all(x, x == \"a\")'}]", REPLY],
      code: "expr-no-loops",
      why: "loops have no cost limit",
    },
    {
      lines: [ON_MESSAGE, "conditions: [{if: sender.name}]", REPLY],
      code: "expr-not-boolean",
      why: "a text is no condition",
    },
    {
      lines: [ON_MESSAGE, "actions: [{reply_dm: '${{ secrets.KEY }}'}]"],
      code: "secret-in-text",
      why: "the secret would be sent",
    },
    {
      lines: [ON_MESSAGE, "actions: [{reply_dm: '${{ sender.id '}]"],
      code: "expression-not-closed",
      why: "no closing braces",
    },
    {
      lines: [ON_MESSAGE, "actions: [{reply_dm: ${{ sender.id }}}]"],
      code: "unquoted-expression",
      why: "braces in braces",
    },
    {
      lines: [ON_MESSAGE, "actions: [{call: codes.ts}]"],
      code: "call-target",
      why: "no function is named",
    },
    {
      lines: [ON_MESSAGE, "actions: [{if: sender.verified}]"],
      code: "no-verb",
      why: "an if without then",
    },
    { lines: [ON_MESSAGE], code: "missing-key", why: "a rule without actions" },
    {
      lines: [ON_MESSAGE, "conditions: [{message.text: {matches: '(a)\\1'}}]", REPLY],
      code: "regex-backreference",
      why: "RE2 has none",
    },
    {
      lines: [ON_MESSAGE, "conditions: [{message.text: {matches: '(a'}}]", REPLY],
      code: "regex-syntax",
      why: "no closing parenthesis",
    },
    {
      lines: [ON_MESSAGE, "max_age: 10 minutes", REPLY],
      code: "invalid-value",
      why: "no duration",
    },
  ])("has the code $code: $why", ({ lines, code }) => {
    expect(problemsOf(rule(...lines)).map((problem) => problem.code)).toEqual([code]);
  });

  it("affects no other rule, not even in its own file", () => {
    const text = `${rule(ON_MESSAGE, "actions:", "  - reply_dm: a: b")}  - {id: good, ${ON_MESSAGE}, ${REPLY}}\n`;

    const { ruleset, problems } = compile([{ path: "bad.yaml", text }]);

    expect(ruleset.rules.map(({ id }) => id)).toEqual(["good"]);
    expect(problems).toHaveLength(1);
  });

  it("leaves the earlier version of the rule running", () => {
    const good = compile([{ path: "a.yaml", text: rule(ON_MESSAGE, REPLY) }]).ruleset;

    const later = compile([{ path: "a.yaml", text: rule(ON_MESSAGE, "actions: [{}]") }], good);

    expect(later.oldRules.map(({ id }) => id)).toEqual(["faq"]);
    expect(later.ruleset.byId.get("faq")).toBe(good.byId.get("faq"));
    expect(later.ruleset.revision).toBe(good.revision);
  });

  it("is an id that another file uses", () => {
    const text = rule(ON_MESSAGE, REPLY);

    const { ruleset, problems } = compile([
      { path: "b.yaml", text },
      { path: "a.yaml", text },
    ]);

    expect(problems.map(({ file, message }) => `${file}: ${message}`)).toEqual([
      'b.yaml: the rule id "faq" is taken: a.yaml:3',
    ]);
    expect(ruleset.rules).toHaveLength(1);
  });
});

describe("any text", () => {
  it("is compiled to rules or problems, and never causes an exception", () => {
    const words = [
      "version: 1\n",
      "rules:\n",
      "  - id: a\n",
      "    triggers: [dm.received]\n",
      "    conditions:\n",
      "      - message.text: ",
      "      - if: ",
      "      - not:\n",
      "    actions:\n",
      "      - reply_dm: ",
      "    on_error:\n",
      "${{ ",
      " }}",
      "sender.name",
      "{",
      "}",
      "[",
      "]",
      ": ",
      "&a ",
      "*a",
      "\n",
      "'",
      '"',
      "#x",
      "@x",
      "!t ",
      "__proto__: 1\n",
      "null",
      "|\n",
      "  ",
      "\t",
    ];
    const text = fc
      .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...words) }, fc.string()))
      .map((parts) => parts.join(""));

    fc.assert(
      fc.property(text, (one) => {
        for (const problem of problemsOf(one)) {
          expect(problem.line).toBeGreaterThan(0);
          expect(renderProblem(problem)).toContain(problem.code);
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe("a message about triggers that lack something names exactly those:", () => {
  it.each([
    ["dm.received, post.mentioned, user.muted", "actions: [like]", "dm.received, user.muted"],
    ["dm.received, schedule", "actions: [{ count: { name: n, window: 1d } }]", "schedule"],
  ])("%s: %s", (triggers, actions, lacking) => {
    const schedule = '{ trigger: schedule, cron: "0 9 * * *", zone: UTC }';
    const written = `triggers: [${triggers.replace("schedule", schedule)}]`;
    const [problem] = problemsOf(rule(written, actions));

    expect(problem?.message).toContain(`which ${lacking} doesn't always carry`);
  });
});

describe("the help for an empty value", () => {
  const helpOf = (...lines: string[]) => problemsOf(rule(...lines)).map(({ help }) => help);

  it.each([
    ["triggers: []", REPLY, "write one item or more"],
    ["triggers:", REPLY, 'write the items below it, each with "- " before it'],
    [ON_MESSAGE, "actions: []", "write one item or more"],
    [ON_MESSAGE, 'actions: [{reply_dm: ""}]', "write a text"],
    [ON_MESSAGE, 'actions: [{http: {url: ""}}]', "write a text"],
    [ON_MESSAGE, "conditions: [{message.text: {in: []}}]", REPLY, "write one item or more"],
    [ON_MESSAGE, 'conditions: [{message.text: {matches: ""}}]', REPLY, "write a text"],
  ])("keeps a key that the rule needs: %s %s", (...lines) => {
    expect(helpOf(...lines.slice(0, -1))).toEqual([lines.at(-1)]);
  });

  it("may leave out any other key", () => {
    expect(helpOf(ON_MESSAGE, 'name: ""', REPLY)).toEqual(["write a text, or leave the key out"]);
    expect(helpOf(ON_MESSAGE, REPLY)).toEqual([]);
  });
});
