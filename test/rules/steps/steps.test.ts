import { describe, expect, it, test } from "vitest";
import * as z from "zod";
import { ACTIONS } from "../../../src/actions/actions.ts";
import { compile } from "../../../src/rules/compile/compile.ts";
import { allSteps } from "../../../src/rules/run/step.ts";
import { stepMap } from "../../../src/rules/file-schema/rule-file.ts";
import { reservedWord } from "../../../src/rules/schema/reserved-words.ts";
import { BARE_VERBS, STEPS, VERBS } from "../../../src/rules/steps/steps.ts";
import { rulesetOf } from "../support/compiling.ts";

/** A step of each verb, as written in a rule file. */
const EXAMPLES: Readonly<Record<string, string>> = {
  reply: "{reply: hello}",
  reply_dm: "{reply_dm: hello}",
  reply_post: "{reply_post: hello}",
  create_post: "{create_post: hello}",
  quote: "{quote: hello}",
  repost: "{repost: {}}",
  undo_repost: "{undo_repost: {}}",
  like: "{like: {}}",
  unlike: "{unlike: {}}",
  hide_reply: "{hide_reply: {}}",
  unhide_reply: "{unhide_reply: {}}",
  delete_post: "{delete_post: '9001'}",
  delete_message: "{delete_message: '5001'}",
  follow: "{follow: {}}",
  unfollow: "{unfollow: {}}",
  block: "{block: {}}",
  unblock: "{unblock: {}}",
  mute: "{mute: {}}",
  unmute: "{unmute: {}}",
  report_conversion:
    "{report_conversion: {app_id: '7', conversion_type: SIGN_UP, conversion_time: '${{ event.time }}', os_type: IOS, hashed_device_id: '${{ sender.id }}'}}",
  typing: "{typing: 2s}",
  set: "{set: {state.sender.seen: true}}",
  increment: "{increment: {state.sender.score: 2}}",
  label: "{label: {add: [vip]}}",
  count: "{count: {name: abuse, per: sender, window: 7d}}",
  http: "{http: {url: 'https://a.example/b'}, timeout: 3s}",
  lookup: "{lookup: {user: '42', fields: [created_at]}, timeout: 3s}",
  call: "{call: ./a.ts#run, with: {n: 1}, timeout: 3s}",
  escalate: "{escalate: {queue: support}}",
  delay: "{delay: 30s}",
  delay_until: "{delay_until: '2026-12-24T18:00:00+01:00'}",
  ask: "{ask: {text: What is your number?, within: 15m}}",
  wait_for: "{wait_for: {trigger: dm.received, within: 15m}}",
  repeat: "{repeat: {count: 2, sequence: [like]}}",
  parallel: "{parallel: {one: [like], other: [{delay: 1m}]}}",
  run: "{run: b}",
  log: "{log: hello}",
  stop: "{stop: enough}",
  stop_run: "{stop_run: b}",
};
const rule = (steps: string) =>
  `rules: [{id: a, triggers: [post.mentioned], actions: [${steps}]}, {id: b, enabled: false, triggers: [post.mentioned], actions: [like, {delay: 1m}]}]`;
const problemsOf = (steps: string) =>
  compile([{ path: "a.yaml", text: `version: 1\n${rule(steps)}` }]).problems;

describe("the table of steps", () => {
  it("has an example here for every verb", () => {
    expect(Object.keys(EXAMPLES)).toEqual(VERBS);
  });

  test.each(Object.entries(STEPS))(
    "%s has its key first, and a description for editors",
    (verb, kind) => {
      const [first] = Object.keys(kind.shape);
      const { properties = {} } = z.toJSONSchema(stepMap, { io: "input" });

      expect(first).toBe(verb);
      expect(properties[verb]).toMatchObject({ description: expect.stringMatching(/\S/) });
    },
  );

  test.each(VERBS)("%s is not reserved for a later version", (verb) => {
    expect(reservedWord("step", verb)).toBeUndefined();
  });

  test.each(Object.entries(EXAMPLES))("%s compiles", (verb, yaml) => {
    const steps = rulesetOf(rule(yaml)).rules[0]?.actions ?? [];

    expect(steps.map((step) => step.verb)).toEqual([verb]);
  });

  test.each(Object.keys(ACTIONS))("%s can be used in a step", (type) => {
    const steps = rulesetOf(rule(Object.values(EXAMPLES).join(", "))).rules[0]?.actions ?? [];

    expect(steps.map(({ action }) => action)).toContain(type);
  });

  test.each(BARE_VERBS)("%s may be written without a value", (verb) => {
    const text = `version: 1\n${rule(verb)}`;
    const { problems } =
      verb === "delete_message"
        ? compile([
            {
              path: "a.yaml",
              text: text
                .replaceAll("post.mentioned", "dm.received")
                .replace("actions: [like,", "actions: [block,"),
            },
          ])
        : { problems: problemsOf(verb) };
    expect(problems).toEqual([]);
  });

  test.each(VERBS.filter((verb) => !BARE_VERBS.includes(verb)))("%s may not", (verb) => {
    expect(problemsOf(verb)[0]?.code).toMatch(/^(?:unknown-word|wrong-type)$/);
  });

  const tried = (verb: string): boolean => {
    const { action, listens } = rulesetOf(rule(EXAMPLES[verb] ?? "")).rules[0]?.actions[0] ?? {};
    return (
      ["call", "http", "lookup"].includes(verb) || (action !== undefined && listens === undefined)
    );
  };

  test.each(VERBS.filter(tried))("%s has a timeout and may be retried", (verb) => {
    const step = EXAMPLES[verb]?.replace(/(, timeout: 3s)?\}$/, ", timeout: 3s, retry: {}}") ?? "";
    const [compiled] = rulesetOf(rule(step)).rules[0]?.actions ?? [];

    expect(compiled).toMatchObject({ timeoutMs: 3_000, retry: { attempts: 3 } });
  });

  test.each(VERBS.filter((verb) => !tried(verb)))(
    "%s refuses both, since no external call can fail",
    (verb) => {
      const keys = ["timeout: 3s", "retry: {attempts: 2}"];
      for (const key of keys.filter((one) => verb !== "parallel" || !one.startsWith("timeout"))) {
        const step = EXAMPLES[verb]?.replace(/\}$/, `, ${key}}`) ?? "";
        const message = `"${key.split(":")[0]}" has no meaning beside "${verb}"`;

        expect(problemsOf(step)).toMatchObject([
          { code: "unknown-key", message: expect.stringContaining(message) },
        ]);
      }
    },
  );
});

describe("steps inside steps", () => {
  it("are found at any depth", () => {
    const inner = "{reply_post: b, on_error: [{log: c}]}";
    const ruleset = rulesetOf(
      rule(`{if: 'true', then: [{log: a}], else: [${inner}]}, {like: {}, on_error: [stop]}`),
    );
    const labels = allSteps(ruleset.rules[0]?.actions ?? []).map(({ label }) => label);

    expect(labels.toSorted()).toEqual([
      "actions[0]",
      "actions[0].else[0]",
      "actions[0].else[0].on_error[0]",
      "actions[0].then[0]",
      "actions[1]",
      "actions[1].on_error[0]",
    ]);
  });

  it("are found under else_if", () => {
    const ways =
      "else_if: [{if: 'true', then: [{log: a}, {log: b}]}, {if: 'true', then: [{id: x, log: c}]}]";
    const ruleset = rulesetOf(
      rule(`{if: 'true', then: [like], ${ways}}, {log: '\${{ steps.x.ok }}'}`),
    );
    const labels = allSteps(ruleset.rules[0]?.actions ?? []).map(({ label }) => label);

    expect(labels).toEqual([
      "actions[0]",
      "actions[0].then[0]",
      "actions[0].else_if[0].then[0]",
      "actions[0].else_if[0].then[1]",
      "actions[0].else_if[1].then[0]",
      "actions[1]",
    ]);
  });

  test.each([
    { why: "in a branch", steps: "{if: 'true', else: [{reply_post: b}]}", group: "a.yaml" },
    {
      why: "under else_if",
      steps: "{if: 'true', then: [like], else_if: [{if: 'true', then: [{reply_post: b}]}]}",
      group: "a.yaml",
    },
    { why: "when a step fails", steps: "{like: {}, on_error: [{reply_dm: b}]}", group: "a.yaml" },
    { why: "nowhere", steps: "{if: 'true', else: [like]}", group: undefined },
  ])("that answer $why add the rule to the group of its file", ({ steps, group }) => {
    expect(rulesetOf(rule(steps)).rules[0]?.group).toBe(group);
  });
});

describe("a rule that could start itself", () => {
  test.each([
    { why: "a message", trigger: "dm.sent", step: "{reply_dm: a}", refused: true },
    { why: "a reply", trigger: "post.replied", step: "{reply_post: a}", refused: true },
    { why: "a like", trigger: "post.liked", step: "like", refused: true },
    { why: "a follow", trigger: "user.followed", step: "follow", refused: true },
    {
      why: "inside a branch",
      trigger: "post.liked",
      step: "{if: 'true', then: [like]}",
      refused: true,
    },
    {
      why: "a log line comes back as nothing",
      trigger: "dm.sent",
      step: "{log: a}",
      refused: false,
    },
    { why: "another action", trigger: "post.liked", step: "follow", refused: false },
  ])("is refused ($refused): $why", ({ trigger, step, refused }) => {
    const triggers = `[{trigger: ${trigger}, direction: outbound}]`;
    const text = `version: 1\nrules: [{id: a, triggers: ${triggers}, actions: [${step}]}]`;
    const codes = compile([{ path: "a.yaml", text }]).problems.map(({ code }) => code);

    expect(codes).toEqual(refused ? ["reply-loop"] : []);
  });
});
