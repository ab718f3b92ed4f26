import { describe, expect, it, test } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";
import { messageReceived, postMentioned } from "../../support/events.ts";
import { actionsOf, endOf, play } from "../support/playing.ts";

const compiled = (step: string, triggers = "post.mentioned") =>
  compile([
    {
      path: "rules/a.yaml",
      text: `version: 1\nrules: [{id: a, triggers: [${triggers}], actions: [${step}]}]`,
      named: { "rules/a.png": { bytes: 70, type: "image/png" } },
    },
  ]);
const played = (step: string) => play(postMentioned(), compiled(step).ruleset);

describe("a poll beside a text", () => {
  const poll = `{options: [Tomato, Lentil], duration: 2d}`;

  test.each(["create_post", "reply_post", "reply"])("is published by %s", (verb) => {
    const step = `{${verb}: {text: Which soup?, poll: ${poll}}}`;

    expect(compiled(step).problems).toEqual([]);
    expect(actionsOf(played(step))).toMatchObject([
      {
        type: verb === "create_post" ? "create_post" : "reply_post",
        text: "Which soup?",
        poll: { options: ["Tomato", "Lentil"], durationMinutes: 2_880 },
      },
    ]);
  });

  const lasting = (duration: string) =>
    `{create_post: {text: Soup?, poll: {options: [A, B], duration: ${duration}}}}`;

  test.each([
    { duration: "5m", minutes: 5 },
    { duration: "90m", minutes: 90 },
    { duration: "7d", minutes: 10_080 },
  ])("lasts $duration: $minutes minutes", ({ duration, minutes }) => {
    expect(compiled(lasting(duration)).problems).toEqual([]);
    expect(actionsOf(played(lasting(duration)))).toMatchObject([
      { poll: { durationMinutes: minutes } },
    ]);
  });

  test.each(["120s", "330s", "4m", "8d"])("can't last %s", (duration) => {
    const message = `a poll can't last ${duration}: it lasts 5m to 7d, in whole minutes`;

    expect(compiled(lasting(duration)).problems).toMatchObject([{ code: "poll-value", message }]);
  });

  test.each([
    { options: "[A]", message: "a poll has two to four options" },
    { options: "[A, B, C, D, E]", message: "a poll has two to four options" },
    {
      options: `[A, ${"b".repeat(26)}]`,
      message: `the poll's option "${"b".repeat(26)}" has 26 characters (limit 25)`,
    },
    {
      options: `[A, ${"b".repeat(24)}👋]`,
      message: `the poll's option "${"b".repeat(24)}👋" has 26 characters, as an emoji counts as 2 or more (limit 25)`,
    },
    { options: `[A, " "]`, message: "an option of the poll is empty" },
    { options: `[A, "\${{ message.txt }}"]`, message: expect.stringContaining("message.txt") },
  ])("is refused with the options $options", ({ options, message }) => {
    const step = `{create_post: {text: Soup?, poll: {options: ${options}, duration: 1d}}}`;

    expect(compiled(step).problems).toMatchObject([{ message }]);
  });

  it("accepts the value of an expression, up to 25 characters", () => {
    const step = (of: string) =>
      `{create_post: {third_parties: inert, text: Soup?, poll: {options: [None, '\${{ ${of} }}'], duration: 1d}}}`;
    const fitting = played(step(`("x" + sender.username).truncate(25)`));
    const tooLong = played(step(`"${"x".repeat(25)}" + sender.username`));

    expect(compiled(step("sender.username")).problems).toEqual([]);
    expect(actionsOf(fitting)).toMatchObject([
      { poll: { options: ["None", expect.stringMatching(/^x/)] } },
    ]);
    expect(actionsOf(tooLong)).toEqual([]);
    expect(endOf(tooLong)).toMatch(/has \d+ characters \(limit 25\)/);
  });

  it.each([
    { step: `{create_post: {text: Soup?, media: a.png, poll: ${poll}}}`, code: "poll-value" },
    { step: `{quote: {text: Soup?, poll: ${poll}}}`, code: "unknown-key" },
    { step: `{reply_dm: {text: Soup?, poll: ${poll}}}`, code: "unknown-key" },
  ])("is refused where the platform takes none: $step", ({ step, code }) => {
    expect(compiled(step).problems).toMatchObject([{ code }]);
  });

  it.each([
    {
      triggers: "dm.received",
      help: "publish a post with  create_post:  (reply_post: needs a trigger such as post.mentioned)",
    },
    {
      triggers: "post.mentioned, dm.received",
      help: "write a rule for posts alone: there,  reply:  and  reply_post:  may have a poll",
    },
  ])("is refused in an answer to $triggers, with what to write instead", ({ triggers, help }) => {
    expect(compiled(`{reply: {text: Soup?, poll: ${poll}}}`, triggers).problems).toMatchObject([
      { code: "poll-value", help },
    ]);
  });

  it("must not publish private texts", () => {
    const step = `{create_post: {text: Soup?, poll: {options: [None, "\${{ message.text.truncate(9) }}"], duration: 1d}}}`;

    expect(compiled(step, "dm.received").problems).toMatchObject([{ code: "private-to-public" }]);
    expect(actionsOf(play(messageReceived(), compiled(step, "dm.received").ruleset))).toEqual([]);
  });
});

describe("who may reply", () => {
  test.each(["create_post", "reply_post", "quote", "reply"])("is said beside %s", (verb) => {
    const step = `{${verb}: {text: Hello, reply_settings: mentionedUsers}}`;

    expect(compiled(step).problems).toEqual([]);
    expect(actionsOf(played(step))).toMatchObject([{ replySettings: "mentionedUsers" }]);
  });

  it("is ignored in a private answer", () => {
    const step = "{reply: {text: Hello, reply_settings: following}}";
    const actions = actionsOf(play(messageReceived(), compiled(step, "dm.received").ruleset));

    expect(actions).toMatchObject([{ type: "reply_dm", text: "Hello" }]);
    expect(actions[0]).not.toHaveProperty("replySettings");
  });

  it("is left out for everyone, the platform's own default", () => {
    const [action] = actionsOf(played("{create_post: {text: Hello, reply_settings: everyone}}"));

    expect(action).toMatchObject({ type: "create_post" });
    expect(action).not.toHaveProperty("replySettings");
  });

  it("is refused with an unknown value, and the valid ones are named", () => {
    const step = "{create_post: {text: Hello, reply_settings: mentioned_users}}";

    expect(compiled(step).problems).toMatchObject([
      { help: expect.stringContaining("mentionedUsers") },
    ]);
  });
});

describe("a link in a public text", () => {
  const sent = (text: string, over: { name?: string; rawText?: string; text?: string } = {}) => {
    const { name = "Ana", ...post } = over;
    const event = postMentioned(post);
    const sender = { ...event.sender, name };
    const step = `{reply: {text: ${JSON.stringify(text)}, third_parties: inert}}`;
    const { ruleset, problems } = compiled(step);
    expect(problems).toEqual([]);
    return actionsOf(
      play({ ...event, sender, post: { ...event.post, author: sender } }, ruleset),
    )[0];
  };

  test.each([
    ["This is ${{ sender.name }}'s order", "evil.com/", "evil.com/'s"],
    ["You have ${{ sender.name }}/10", "Evil.com", "evil.com/10"],
    ["You have ${{ sender.name + '/10' }}", "evil.com", "evil.com/10"],
    ["www.${{ sender.name }}", "evil.com", "www.evil.com"],
    ["${{ 'www.' + sender.name }}", "evil.com", "www.evil.com"],
    ["https://${{ sender.name }}/10", "evil.com", "https://evil.com/10"],
    ["${{ sender.name }}-san", "evil.com/x", "evil.com/x-san"],
    ["See ${{ sender.name }}.com", "evil", "evil.com"],
    ["shop.example.co${{ sender.name }}", "m", "shop.example.com"],
  ])("is another person's if the host has a part of a person's text: %s", (text, name, link) => {
    expect(sent(text, { name })).toMatchObject({ brought: [link] });
  });

  test.each([
    "https://shop.example.com/?name=${{ sender.name }}",
    "https://shop.example.com/${{ sender.name }}/10",
    "shop.example.com, ${{ sender.name }}!",
  ])("is the author's if the rule has the whole host: %s", (text) => {
    expect(sent(text, { name: "Shop" })).not.toHaveProperty("brought");
  });

  it("is another person's in the text as the platform sent it", () => {
    const link = "https://t.co/abcdefghij";
    const over = { text: "see https://evil.com", rawText: `see ${link}` };

    expect(sent("You wrote: ${{ post.raw_text }}", over)).toMatchObject({ brought: [link] });
  });

  it("is another person's in a private message as the platform sent it", () => {
    const { ruleset, problems } = compiled(
      "{create_post: {third_parties: inert, text: 'New: ${{ message.raw_text }}'}}",
      "dm.received], allow: [private-to-public",
    );
    expect(problems).toEqual([]);
    const event = messageReceived({ text: "evil.com", rawText: "https://t.co/abcdefghij" });

    expect(actionsOf(play(event, ruleset))).toMatchObject([
      { brought: ["https://t.co/abcdefghij"] },
    ]);
  });

  it("is the author's in the result of a service, also if the person names the host", () => {
    const { ruleset, problems } = compiled(
      "{id: order, http: {url: 'https://shop.example.com/orders'}}, " +
        "{reply: {third_parties: inert, text: 'See ${{ steps.order.json.url }}'}}",
    );
    expect(problems).toEqual([]);
    const event = postMentioned({ text: "is shop.example.com down?" });
    const url = "https://shop.example.com/p/1";
    const answer = { ok: true, result: null, status: 200, text: "", json: { url } } as const;
    const steps = play(event, ruleset, () => answer);

    expect(actionsOf(steps)).toMatchObject([{ text: `See ${url}` }]);
    expect(actionsOf(steps)[0]).not.toHaveProperty("brought");
  });
});
