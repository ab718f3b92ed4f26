import { describe, expect, it, test } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";
import { asRuleFile } from "../../../src/rules/example.ts";
import { STEPS } from "../../../src/rules/steps/steps.ts";
import { messageReceived, postMentioned } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";
import { actionsOf, play } from "../support/playing.ts";

const rule = (step: string, triggers = "dm.received") =>
  `rules: [{id: a, triggers: [${triggers}], actions: [${step}]}]`;
const problemsOf = (step: string, triggers?: string) =>
  compile([{ path: "a.yaml", text: `version: 1\n${rule(step, triggers)}` }]).problems;

describe("reply", () => {
  const both = rulesetOf(rule("{reply: hello}", "dm.received, post.mentioned"));

  it("replies to a message with a message", () => {
    const event = messageReceived({ senderId: "200" });

    expect(actionsOf(play(event, both))).toEqual([{ type: "reply_dm", to: "200", text: "hello" }]);
  });

  it("replies to a post in public", () => {
    const event = postMentioned({ id: "9001", author: { id: "200" } });

    expect(actionsOf(play(event, both))).toEqual([
      { type: "reply_post", inReplyTo: "9001", to: "200", text: "hello" },
    ]);
  });

  it("is refused if it could start itself either way", () => {
    const own = (trigger: string) => `{trigger: ${trigger}, direction: outbound}`;
    const triggers = `${own("dm.sent")}, ${own("post.replied")}`;

    expect(problemsOf("{reply: hello}", triggers).map(({ code }) => code)).toEqual([
      "reply-loop",
      "reply-loop",
    ]);
  });
});

describe("options of a text", () => {
  const ruleset = rulesetOf(
    rule('{reply_dm: {options: [{weight: 3, text: "a ${{ sender.id }}"}, {text: b}]}}'),
  );
  const textFor = (id: string) => {
    const [action] = actionsOf(play(messageReceived({ id, senderId: "200" }), ruleset));
    return action?.type === "reply_dm" ? action.text : undefined;
  };

  it("are drawn by weight, always the same one for the same event", () => {
    const ids = Array.from({ length: 200 }, (_, index) => String(5_000 + index));
    const drawn = ids.map(textFor);

    expect(ids.map(textFor)).toEqual(drawn);
    expect(new Set(drawn)).toEqual(new Set(["a 200", "b"]));
    const heavy = drawn.filter((text) => text === "a 200").length;
    expect(heavy).toBeGreaterThan(120);
    expect(heavy).toBeLessThan(180);
  });

  test.each([
    {
      why: "beside a text",
      step: "{reply_dm: {text: a, options: [{text: b}]}}",
      code: "two-texts",
    },
    { why: "without one", step: "{reply_dm: {options: []}}", code: "invalid-value" },
    {
      why: "with a weight of nothing",
      step: "{reply_dm: {options: [{weight: 0, text: a}]}}",
      code: "invalid-value",
    },
    { why: "left out, and the text too", step: "{reply_dm: {}}", code: "missing-key" },
    {
      why: "with a key that is wrong",
      step: "{reply_dm: {options: [{wieght: 1, text: a}]}}",
      code: "unknown-key",
    },
  ])("are refused: $why", ({ step, code }) => {
    expect(problemsOf(step).map((problem) => problem.code)).toEqual([code]);
  });
});

describe("a public text whose fixed part is too long for one post", () => {
  const long = "word ".repeat(60).trim();

  test.each([
    { verb: "reply_post" },
    { verb: "create_post" },
    { verb: "quote" },
    { verb: "reply" },
  ])("is reported in $verb, with its length and the consequence", ({ verb }) => {
    expect(problemsOf(`{${verb}: ${long}}`, "post.mentioned")).toMatchObject([
      {
        code: "post-too-long",
        severity: "warning",
        message:
          "the post is 299 weighted characters (limit 280): it goes out as a thread of 2 posts",
        help: "for one whole post, shorten it by 19; a link counts 23, however long it is; if it is to be a thread, state that:  {text: …, long: thread}",
      },
    ]);
    expect(problemsOf(`{${verb}: {text: ${long}, long: thread}}`, "post.mentioned")).toEqual([]);
    const fails = `{${verb}: {text: ${long}, long: fail}}`;
    expect(problemsOf(fails, "post.mentioned")).toMatchObject([
      {
        code: "post-too-long",
        severity: "error",
        message: "the post is 299 weighted characters (limit 280)",
        help: "shorten it by 19; a link counts 23, however long it is",
      },
    ]);
    const isCut = `{${verb}: {text: ${long}, long: cut}}`;
    expect(problemsOf(isCut, "post.mentioned")).toMatchObject([
      { severity: "warning", message: expect.stringContaining("its end is cut off") },
    ]);
  });

  it("is counted as the platform does, by script and by link", () => {
    const message = (step: string) => problemsOf(step, "post.mentioned").map((one) => one.message);
    expect(message(`{reply_post: ${"営業時間".repeat(38)}}`)).toEqual([
      "the post is 304 weighted characters (limit 280): it goes out as a thread of 2 posts",
    ]);
  });

  it("is reported if its expressions alone would make it longer", () => {
    const step = `{reply_post: {options: [{text: ok}, {text: "${long} \${{ sender.id }}"}]}}`;

    expect(problemsOf(step, "post.mentioned")).toMatchObject([
      {
        code: "post-too-long",
        message:
          "the post is at least 299 weighted characters (limit 280): it goes out as a thread of at least 2 posts",
      },
    ]);
  });

  test.each([
    { why: "a message", step: `{reply_dm: ${long}}` },
    { why: "a link counts 23", step: `{reply_post: "a https://example.com/${"x".repeat(300)}"}` },
    {
      why: "an expression counts nothing",
      step: `{reply_post: "\${{ '${"x".repeat(290)}'.truncate(9) }}"}`,
    },
  ])("is not refused: $why", ({ step }) => {
    expect(problemsOf(step, "post.mentioned")).toEqual([]);
  });
});

describe("a verb for a person", () => {
  const ruleset = (step: string) => rulesetOf(rule(step));
  const event = messageReceived({ senderId: "200", recipientId: "100" });

  test.each([
    { step: "block", texts: { type: "block", to: "200" } },
    { step: "mute: {}", texts: { type: "mute", to: "200" } },
    { step: "block: '${{ sender.id }}'", texts: { type: "block", to: "200" } },
    { step: "unfollow: '300'", texts: { type: "unfollow", to: "300" } },
  ])("acts on the sender or on the named person: $step", ({ step, texts }) => {
    const written = step.includes(":") ? `{${step}}` : step;

    expect(actionsOf(play(event, ruleset(written)))).toEqual([texts]);
  });

  test.each([{ step: "{block: '${{ sender.name }}'}" }, { step: "{mute: '${{ account.id }}'}" }])(
    "fails for a value that is no other person's id: $step",
    ({ step }) => {
      expect(play(event, ruleset(step)).at(-1)).toMatchObject({ end: { outcome: "failed" } });
    },
  );
});

describe("a verb for a post or message", () => {
  const event = postMentioned({ id: "9001", author: { id: "200" } });
  const message = messageReceived({ id: "5001", senderId: "200", recipientId: "100" });

  test.each([
    { step: "hide_reply", action: { type: "hide_reply", postId: "9001", to: "200" } },
    { step: "{unlike: {}}", action: { type: "unlike", postId: "9001", to: "200" } },
    { step: "{like: '9007'}", action: { type: "like", postId: "9007", to: "200" } },
    { step: "{repost: '${{ post.id }}'}", action: { type: "repost", postId: "9001", to: "200" } },
  ])("acts on the event's post or on the named one: $step", ({ step, action }) => {
    expect(actionsOf(play(event, rulesetOf(rule(step, "post.mentioned"))))).toEqual([action]);
  });

  test.each([
    { step: "{delete_post: '9007'}", action: { type: "delete_post", postId: "9007", to: "200" } },
    { step: "delete_message", action: { type: "delete_message", eventId: "5001", to: "200" } },
    {
      step: "{delete_message: '5007'}",
      action: { type: "delete_message", eventId: "5007", to: "200" },
    },
    { step: "{unmute: '300'}", action: { type: "unmute", to: "300" } },
  ])("needs no post in the event if it names one: $step", ({ step, action }) => {
    expect(actionsOf(play(message, rulesetOf(rule(step))))).toEqual([action]);
  });

  it("delete_message has an example that finds a card number", () => {
    const file = asRuleFile(STEPS["delete_message"]?.example ?? "");
    const ruleset = rulesetOf(file.replace("version: 1\n", ""));
    const card = messageReceived({ id: "5001", senderId: "200", text: "it is 4111111111111111" });
    const other = messageReceived({ senderId: "200", text: "it is 4111" });

    expect(actionsOf(play(card, ruleset))[0]).toMatchObject({
      type: "delete_message",
      eventId: "5001",
    });
    expect(play(other, ruleset)).toEqual([]);
  });

  test.each(["delete_post", "{hide_reply: {}}", "like"])(
    "is refused if no event has a post: %s",
    (step) => {
      expect(problemsOf(step)).toMatchObject([{ code: "action-not-on-trigger" }]);
    },
  );

  test.each(["{like: '${{ sender.name }}'}", "{delete_message: '${{ sender.name }}'}"])(
    "fails for a value that is no id: %s",
    (step) => {
      expect(play(message, rulesetOf(rule(step))).at(-1)).toMatchObject({
        end: { outcome: "failed" },
      });
    },
  );
});

it("typing waits for its duration, and is recorded as typing", () => {
  const steps = play(messageReceived(), rulesetOf(rule("{typing: 2s}, {reply_dm: hi}")));

  expect(steps[0]).toMatchObject({ kind: "timer", delayMs: 2_000, typing: true });
  expect(actionsOf(steps)).toHaveLength(1);
});
