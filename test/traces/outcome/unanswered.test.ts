import { afterEach, describe, expect, it } from "vitest";
import { hoursOf } from "../../../src/config/settings.ts";
import { traceOf } from "../../../src/insight/traces/trace-of.ts";
import * as wire from "../../support/wire.ts";
import { ruleBot, type RuleBot } from "../world.ts";

const HOUR = 3_600_000;

let bot: RuleBot;
afterEach(() => bot.close());

/** Returns a rule for messages with the word hello. `keys` are additional keys of the rule. */
const rule = (keys: string, actions = "[{ reply_dm: Hi. }]") => `version: 1
rules:
  - id: greeting
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: [hello, hi] } }]
    ${keys}
    actions: ${actions}
`;
const PLAIN = rule("name: Greets");

interface Way {
  readonly why: string;
  readonly rules: string;
  readonly says?: readonly string[];
  /** Time to wait after the last message, in milliseconds. */
  readonly later?: number;
  readonly refuses?: string;
  readonly restraints?: Parameters<typeof ruleBot>[2];
  readonly from?: string;
  readonly message: RegExp;
  readonly repair: RegExp;
}

const WAYS: readonly Way[] = [
  {
    why: "no rule listens",
    rules: rule("name: Greets")
      .replace("dm.received", "post.mentioned")
      .replaceAll("message.", "post."),
    message: /^no rule listens to dm\.received$/,
    repair: /^write one: answerback explain dm\.received$/,
  },
  {
    why: "the condition does not hold",
    rules: PLAIN,
    says: ["good morning"],
    message:
      /^no rule matched; the closest is greeting: it wants the word "hello" or "hi", the message is "good morning"$/,
    repair: /^change greeting \(rules\/0\.yaml:3\)$/,
  },
  {
    why: "the word is misspelt",
    rules: PLAIN,
    says: ["helo there"],
    message: /the message is "helo there" \("helo" is nearly "hello"\)$/,
    repair: /^change greeting/,
  },
  {
    why: "a field is another",
    rules: rule("name: Greets").replace(
      "conditions: [",
      "conditions: [{ sender.followers_count: { gte: 1000000 } }, ",
    ),
    message:
      /^no rule matched; the closest is greeting: it wants sender\.followers_count gte 1000000/,
    repair: /^change greeting/,
  },
  {
    why: "an expression does not hold",
    rules: rule("name: Greets").replace(
      "conditions: [",
      'conditions: [{ if: message.text == "x" }, ',
    ),
    message: /^no rule matched; the closest is greeting: it wants message\.text == "x"/,
    repair: /^change greeting/,
  },
  {
    why: "the rule cools down",
    rules: rule("cooldown: { per: sender, for: 1h }"),
    says: ["hello", "hello"],
    message: /^rule greeting is cooling down for (1 h|59 min \d+ s)$/,
    repair: /^shorten its cooldown \(rules\/0\.yaml:3\)$/,
  },
  {
    why: "the rule cooled down and may run again",
    rules: rule("cooldown: { per: sender, for: 1h }"),
    says: ["hello", "hello"],
    later: 2 * HOUR,
    message: /^rule greeting was cooling down until 2026-03-02T10:00:\d\dZ$/,
    repair: /^shorten its cooldown \(rules\/0\.yaml:3\)$/,
  },
  {
    why: "the rule reached its limit",
    rules: rule("limit: { per: sender, max: 1, in: 1h, overflow: drop }"),
    says: ["hello", "hello"],
    message: /^rule greeting did not run, limit/,
    repair: /^raise its limit/,
  },
  {
    why: "a run is under way",
    rules: rule("mode: single", "[{ delay: 1h }, { reply_dm: Hi. }]"),
    says: ["hello", "hello"],
    message: /^rule greeting did not run, already-running/,
    repair: /^give it another mode/,
  },
  {
    why: "too many runs wait",
    rules: rule("mode: queued\n    max: 1", "[{ delay: 1h }, { reply_dm: Hi. }]"),
    says: ["hello", "hello", "hello"],
    message: /^rule greeting did not run, queue-full/,
    repair: /^raise its max/,
  },
  {
    why: "too many runs are under way",
    rules: rule("mode: parallel\n    max: 1", "[{ delay: 1h }, { reply_dm: Hi. }]"),
    says: ["hello", "hello"],
    message: /^rule greeting did not run, too-many-running/,
    repair: /^raise its max/,
  },
  {
    why: "the rule only shadows",
    rules: rule("stage: shadow"),
    message: /^rule greeting did not run: it matches, and only shadows/,
    repair: /^write stage: live/,
  },
  {
    why: "the rule is a draft",
    rules: rule("stage: draft"),
    message: /greeting did not run: it is a draft/,
    repair: /./,
  },
  {
    why: "the rule is switched off",
    rules: rule("enabled: false"),
    message: /greeting did not run: it is switched off/,
    repair: /./,
  },
  {
    why: "the rule's time is over",
    rules: rule("active: { to: 2025-01-01T00:00:00Z }"),
    message: /^rule greeting did not run, not-active/,
    repair: /^change its active/,
  },
  {
    why: "the rule is for another account",
    rules: rule("account: other_bot"),
    message: /greeting did not run, other-account/,
    repair: /./,
  },
  {
    why: "an expression fails",
    rules: rule("name: Greets").replace(
      "conditions: [",
      "conditions: [{ if: 1 / size(message.hashtags) > 2 }, ",
    ),
    message: /^rule greeting did not run, expression-error/,
    repair: /^mend the expression/,
  },
  {
    why: "a person has taken over",
    rules: rule(
      "name: Greets",
      "[{ escalate: { queue: help, pause_bot: { for: 2h, until: resolved } } }]",
    ),
    says: ["hello", "hello"],
    message:
      /^the bot is silent here by escalation 1, until \S+ \((2 h|1 h 59 min)\) or a person has resolved it$/,
    repair: /^let the bot answer again: answerback escalations resolve 1$/,
  },
  {
    why: "a person had taken over until lately",
    rules: rule("name: Greets", "[{ escalate: { queue: help, pause_bot: { for: 2h } } }]"),
    says: ["hello", "hello"],
    later: 3 * HOUR,
    message:
      /^the bot was silent here by escalation 1, which is over since \S+; what was written before stays unanswered$/,
    repair: /^answer it by hand: answerback answer @ana TEXT;/,
  },
  {
    why: "the person has opted out",
    rules: PLAIN,
    says: ["stop", "hello"],
    restraints: { optOut: { words: ["stop"], back: ["start"] } },
    message: /^the person has opted out$/,
    repair: /^nothing is sent until the person takes it back/,
  },
  {
    why: "the person opts out",
    rules: PLAIN,
    says: ["stop"],
    restraints: { optOut: { words: ["stop"], back: ["start"] } },
    message: /^the message is the person's opt-out$/,
    repair: /takes it back/,
  },
  {
    why: "a limit holds the answer",
    rules: PLAIN,
    says: ["hello", "hello"],
    restraints: {
      limitsOf: () => ({ equalReplies: { max: 1, inMs: HOUR, written: "1 in 1h" } }),
    },
    message: /^the answer is held back: more than 1 in 1h with this text to one person/,
    repair: /^send it now: answerback outbox retry 2$/,
  },
  {
    why: "quiet hours hold the answer",
    rules: rule("name: Greets", "[{ delay: 2h }, { reply_dm: Hi. }]"),
    later: 2 * HOUR,
    restraints: {
      quietHoursOf: () => hoursOf("Etc/UTC", ["10:00-23:00"]),
    },
    message: /^the answer is held in quiet hours until 2026-03-02T23:00:00Z/,
    repair: /^send it now: answerback outbox retry 1$/,
  },
  {
    why: "the platform refuses the answer",
    rules: PLAIN,
    refuses: "POST /messages was refused with 403: You can't message this person",
    message: /^rule greeting failed: actions\[0\]: You can't message this person$/,
    repair: /^send it again once that is solved: answerback outbox retry 1$/,
  },
  {
    why: "the platform refuses the answer and the rule goes on",
    rules: rule("name: Greets", "[{ reply_dm: Hi., continue_on_error: true }]"),
    refuses: "POST /messages was refused with 403: no",
    message: /^the answer was not sent: POST \/messages was refused with 403: no$/,
    repair: /^send it now: answerback outbox retry 1$/,
  },
  {
    why: "a step fails",
    rules: rule("name: Greets", '[{ reply_dm: "${{ string(int(message.text)) }}" }]'),
    message: /^rule greeting failed: actions\[0\]/,
    repair: /^see answerback trace/,
  },
  {
    why: "the rule stops",
    rules: rule("name: Greets", "[{ stop: not now }]"),
    message: /^rule greeting stopped: not now$/,
    repair: /^see answerback trace/,
  },
  {
    why: "the rule says nothing",
    rules: rule("name: Greets", "[{ log: hello }]"),
    message: /^rule greeting ran and said nothing$/,
    repair: /^see answerback trace/,
  },
  {
    why: "the rule hands over",
    rules: rule("name: Greets", "[{ escalate: { queue: help, pause_bot: { for: 2h } } }]"),
    message: /^rule greeting handed over to queue help \(escalation 1\)$/,
    repair: /^see answerback escalations show 1$/,
  },
  {
    why: "the rule hands over twice, and stops",
    rules: rule(
      "name: Greets",
      "[{ escalate: { queue: help } }, { escalate: { queue: sales } }, { stop: enough }]",
    ),
    message: /^rule greeting handed over to queue help \(escalation 1\), and 1 more$/,
    repair: /^see answerback escalations show 1$/,
  },
  {
    why: "the run hands over that took it as an answer",
    rules: rule(
      "name: Greets",
      "[{ ask: { text: 'Who?', within: 1h } }, { escalate: { queue: help } }]",
    ),
    says: ["hello", "Ana"],
    message: /^run 1\/rule:greeting took it as an answer$/,
    repair: /^see answerback trace 1\/rule:greeting$/,
  },
  {
    why: "the rule waits for a time",
    rules: rule("name: Greets", "[{ delay: 2h }, { reply_dm: Hi. }]"),
    message: /^rule greeting waits at actions\[0\] until \S+ \((2 h|1 h 59 min)\)$/,
    repair: /^see answerback trace/,
  },
  {
    why: "a question took it",
    rules: rule("name: Greets", "[{ ask: { text: 'Who?', within: 1h } }, { log: known }]"),
    says: ["hello", "Ana"],
    message: /^run 1\/rule:greeting took it as an answer$/,
    repair: /^see answerback trace 1\/rule:greeting$/,
  },
  {
    why: "the account itself wrote it",
    rules: PLAIN,
    from: "100",
    message: /^the account itself did it, and no rule asks for that$/,
    repair: /^$/,
  },
];

describe("a message that stays unanswered", () => {
  it.each(WAYS)("because $why is explained, with a repair", async (way) => {
    const { rules, says = ["hello"], later = 0, refuses, restraints, message, repair } = way;
    bot = await ruleBot([rules], () => refuses, restraints);
    for (const [index, text] of says.entries()) {
      const from = way.from ?? "200";
      const to = from === "100" ? "200" : "100";
      await bot.hears(wire.message({ id: String(index + 1), text, from, to, at: bot.now }));
      await bot.after(1_000);
    }
    await bot.after(later);

    const { outcome } = await traceOf(bot.needs, "last");

    expect(outcome.reason).toMatch(message);
    expect(outcome.repair?.inWords ?? "").toMatch(repair);
  });
});
