import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { door } from "../support/door.ts";
import { seeded } from "../support/seeded.ts";
import { when } from "../support/when.ts";

const ECHO = `version: 1
rules:
  - id: message
    triggers: [dm.received]
    actions: [{reply_dm: {text: "re \${{ message.text }}"}}]
  - id: mention
    triggers: [post.mentioned]
    actions: [{reply_post: {text: "re \${{ post.text }}"}}]
`;

/**
 * Number of people in each case, 4 by default. For 20 people in each case and 200 in all: AMBIGUOUS_PEOPLE=20 npx
 * vitest run …
 */
const PEOPLE = Number(process.env["AMBIGUOUS_PEOPLE"] ?? 4);

/** Faults of the platform. Each affects half of the requests for a while. `undefined`: a proxy causes the fault. */
const FAULTS = [
  { fault: { type: "cut_after" }, why: "it is accepted, and its answer is cut off" },
  { fault: undefined, why: "it is accepted, and its answer is status 500" },
  { fault: { type: "cut" }, why: "it is cut off before it is accepted" },
  { fault: { type: "status", status: 503 }, why: "the service is away" },
  { fault: { type: "limit" }, why: "a limit is reached" },
];

const KINDS = [
  { kind: "messages", path: "/2/dm_conversations/with/*/messages" },
  { kind: "posts", path: "/2/posts" },
] as const;
type Kind = (typeof KINDS)[number]["kind"];

const CASES = FAULTS.flatMap(({ fault, why }) =>
  KINDS.map((kind) => ({ ...kind, fault, why })),
).map((one, nth) => ({ ...one, nth }));

const draw = seeded(7);
let failing = false;
let passed = 0;
const standing = door((_n, moment) => {
  if (moment === "before") passed += 1;
  return moment === "after" && failing && draw(2) === 0 ? 500 : undefined;
});
let bot: BotOnSandbox;
beforeAll(async () => {
  bot = await botOnSandbox({
    rules: { "echo.yaml": ECHO },
    through: (url) => standing.through(url),
    // Everyone gets the same answer, in public too, so the limits for equal texts are off.
    env: { ANSWERBACK_LIMITS_EQUAL_POSTS: "none", ANSWERBACK_LIMITS_EQUAL_REPLIES: "none" },
  });
  await bot.start();
});
afterAll(async () => {
  await bot.close();
  standing.close();
});

describe(`of the ${PEOPLE} answers that half are in doubt`, () => {
  it.each(CASES)("all $kind arrive once although $why", async ({ kind, path, fault, nth }) => {
    const { control } = bot.sandbox;
    const before = (await bot.status()).store.items.sent;
    const people = await Promise.all(
      Array.from({ length: PEOPLE }, (_, n) => control.user(`case${nth}_${n}`)),
    );
    const say = (word: string): Promise<unknown> =>
      Promise.all(people.map((id) => sayAs(id, kind, word)));
    const tried = passed + PEOPLE;
    const match = { direction: "request", method: "POST", path };
    failing = fault === undefined;
    if (fault !== undefined) {
      await control.post("/faults", { match, fault, when: { probability: 0.5, seed: nth } });
    }
    await say("one");
    await when(async () => {
      await control.advance(1_000);
      return passed >= tried ? true : undefined;
    });
    failing = false;
    await control.call("DELETE", "/faults");
    // Writes twice to each person on purpose: the second answer must not be mistaken for a repetition of the
    // first.
    await say("one");
    await say("two");
    await when(async () => {
      await control.advance(20_000);
      return (await bot.status()).store.items.sent - before >= 3 * PEOPLE ? true : undefined;
    });
    await bot.quiet();

    const answers = await Promise.all(people.map((id) => answersTo(id, kind)));
    expect(answers).toEqual(people.map(() => ["one", "one", "two"]));
    expect((await bot.status()).store.items).toMatchObject({ failed: 0, unknown: 0, expired: 0 });
  });
});

function sayAs(person: string, kind: Kind, word: string): Promise<unknown> {
  const { control } = bot.sandbox;
  const { id, username } = bot.file.bot;
  return kind === "messages"
    ? control.act(person, { type: "dm", to: id, text: word })
    : control.act(person, { type: "post", text: `@${username} ${word}` });
}

/** Last words of the answers that a person got, oldest first. */
async function answersTo(person: string, kind: Kind): Promise<string[]> {
  const texts = kind === "messages" ? await bot.messagesTo(person) : await postsTo(person);
  return texts.map((text) => text.split(" ").at(-1) ?? "");
}

async function postsTo(person: string): Promise<string[]> {
  const { app, baseUrl } = bot.file;
  const credentials = { type: "bearer", bearerToken: app.bearerToken } as const;
  const client = createClient({ baseUrl, credentials });
  const texts: string[] = [];
  const posts = client.timelines.posts(bot.file.bot.id, { postFields: ["in_reply_to_user_id"] });
  for await (const { text, in_reply_to_user_id } of posts) {
    if (in_reply_to_user_id === person) texts.push(text);
  }
  await client.close();
  return texts.toReversed();
}
