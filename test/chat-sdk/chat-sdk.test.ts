import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { openLog } from "../../src/runtime/log.ts";
import { type Lab, type LabPerson, startLab } from "../../src/testing/index.ts";
import { when } from "../support/when.ts";

const fixture = (name: string) =>
  fileURLToPath(new URL(`../fixtures/chat-sdk/${name}`, import.meta.url));

/** HTTP responses for which bot handlers are waiting; the test sends them when it releases the handlers. */
const pendingResponses: ServerResponse[] = [];
let isHolding = true;
const slow = createServer((_, response) => {
  if (isHolding) pendingResponses.push(response);
  else response.end();
});

let lab: Lab;
let ana: LabPerson;
let logged = "";
const destination = new Writable({
  write(chunk, _encoding, done) {
    logged += String(chunk);
    done();
  },
});

beforeAll(async () => {
  await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
  const { port } = slow.address() as AddressInfo;
  vi.stubEnv("CHAT_SDK_TEST_URL", `http://127.0.0.1:${port}`);
  lab = await startLab({
    settings: { bots: [fixture("everything.ts")] },
    rules: [{ text: RULE }],
    environment: {},
    log: openLog({ level: "info", destination }),
  });
  ana = await lab.person("ana");
});
afterAll(async () => {
  await lab.stop();
  vi.unstubAllEnvs();
  slow.closeAllConnections();
  slow.close();
});
beforeEach(() => {
  isHolding = true;
  pendingResponses.length = 0;
});

const RULE = `version: 1
rules:
  - id: opening-hours
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hours}}]
    actions: [{reply_dm: We open at nine.}]
`;

interface Shown {
  readonly id: string;
  readonly authorId: string;
  readonly text: string;
  readonly replyTo?: string;
  readonly deletedAt?: number;
  readonly replacedBy?: string;
}

/** Public posts of the account, oldest first. */
async function posted(): Promise<readonly Shown[]> {
  const { tables } = await lab.sandbox.control.get<{ tables: { posts: readonly Shown[] } }>(
    "/state",
  );
  return tables.posts.filter(
    ({ authorId, deletedAt, replacedBy }) =>
      authorId === lab.bot.id && deletedAt === undefined && replacedBy === undefined,
  );
}

/** The account's chain of replies below a post: each post of the chain replies to the previous one. */
async function answersBelow(postId: string): Promise<readonly Shown[]> {
  const all = await posted();
  const answers: Shown[] = [];
  for (;;) {
    const above = answers.at(-1)?.id ?? postId;
    const next = all.find(({ replyTo }) => replyTo === above);
    if (next === undefined) return answers;
    answers.push(next);
  }
}

/** A PNG of one pixel. */
const PICTURE = {
  media: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
  mediaType: "image/png",
  category: "tweet_image",
} as const;

/** Creates a client that acts as a person. */
async function clientOf({ id }: LabPerson): Promise<Client<"oauth1">> {
  const { control, url } = lab.sandbox;
  const app = await control.app();
  const tokens = await control.tokens(id, app.app_id);
  return createClient({
    baseUrl: url,
    credentials: {
      type: "oauth1",
      consumerKey: app.consumer_key,
      consumerSecret: app.consumer_secret,
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
    },
  });
}

async function act(person: LabPerson, text: string, inReplyTo?: string): Promise<string> {
  const { id } = await lab.sandbox.control.act(person.id, {
    type: "post",
    text,
    ...(inReplyTo !== undefined && { in_reply_to: inReplyTo }),
  });
  return id;
}

const dm = (person: LabPerson, text: string) =>
  lab.sandbox.control.act(person.id, { type: "dm", to: lab.bot.id, text });

const textsTo = async (username: string): Promise<readonly (string | undefined)[]> =>
  (await lab.replies()).filter(({ to }) => to === username).map(({ text }) => text);

describe("a Chat of the Chat SDK as a bot", () => {
  it("gets a mention as onNewMention, and answers the post; later posts are below the answer", async () => {
    const mention = await act(ana, "@hello_bot hello");
    await lab.replies();

    const [first, second] = await answersBelow(mention);
    expect(first?.text).toContain("Hello ana, true");
    expect(second?.text).toContain(`And this is below it, ${mention}.`);
  });

  it("gets answers and quotes that name no handle as onNewMessage, not as mentions", async () => {
    const mention = await act(ana, "@hello_bot good evening");
    await lab.replies();
    const [first] = await answersBelow(mention);
    const inReplyTo = first?.id ?? "";
    const quote = { type: "post" as const, text: "A quote", quote_of: inReplyTo };
    const { id: quoteId } = await lab.sandbox.control.act(ana.id, quote);
    await lab.replies();
    const [belowQuote] = await answersBelow(quoteId);

    expect(await ana.posts("Thanks", { inReplyTo })).toEqual([
      expect.stringContaining("Matched the pattern, false"),
    ]);
    expect(belowQuote?.text).toContain("Matched the pattern, false");
  });

  it("gets the pictures of a mention as attachments", async () => {
    const client = await clientOf(ana);
    const [one, other] = [await client.media.upload(PICTURE), await client.media.upload(PICTURE)];
    const mediaIds = [one.id, other.id];
    await client.posts.create({ text: "@hello_bot a picture, and another one", mediaIds });
    await client.close();

    expect((await lab.replies()).map(({ text }) => text)).toEqual([
      expect.stringContaining("image, image"),
    ]);
  });

  it("gets messages as onDirectMessage, in a thread of the person", async () => {
    expect(await ana.says("hi")).toEqual(["You said hi"]);
    expect(await ana.says("/thread")).toEqual([
      `answerback:dm:${ana.id} true answerback:dm:${ana.id}`,
    ]);
  });

  it("does not get messages that a rule has answered", async () => {
    expect(await ana.says("Which hours?")).toEqual(["We open at nine."]);
  });

  it("keeps subscriptions and their state after kill -9, whichever post of the thread is answered", async () => {
    const [ben, cleo] = [await lab.person("ben"), await lab.person("cleo")];
    const root = await act(ben, "@hello_bot a tour");
    await lab.replies();
    const [, last] = await answersBelow(root);
    const inReplyTo = last?.id ?? "";
    await lab.restart({ kill: true });

    expect(await ben.posts("@hello_bot next", { inReplyTo })).toEqual([
      expect.stringContaining("1: next"),
    ]);
    expect(await cleo.posts("@hello_bot me too", { inReplyTo: root })).toEqual([
      expect.stringContaining("2: me too"),
    ]);
    await ben.posts("@hello_bot I like it", { inReplyTo });
    expect(await ben.posts("@hello_bot bye", { inReplyTo })).toEqual([
      expect.stringContaining("4: bye"),
    ]);
    const [again] = await ben.posts("@hello_bot hello again", { inReplyTo });
    expect(again).toContain("Hello ben, true");
  });

  it("gets every message of a burst in order, also those that arrive while a handler is at work", async () => {
    const dora = await lab.person("dora");
    await dm(dora, "/slow first");
    const answer = await when(() => pendingResponses.shift());
    for (const text of ["two", "three", "four"]) await dm(dora, text);
    answer.end();

    expect(await textsTo("dora")).toEqual([
      "first: one",
      "first: two",
      "You said two",
      "You said three",
      "You said four",
    ]);
  });

  it("runs a handler again that kill -9 interrupted, and posts nothing a second time", async () => {
    const emil = await lab.person("emil");
    await dm(emil, "/slow cut");
    await dm(emil, "after it");
    await when(() => pendingResponses.shift());
    isHolding = false;
    await lab.restart({ kill: true });

    expect(await textsTo("emil")).toEqual(["cut: one", "cut: two", "You said after it"]);
  });

  it.each([
    {
      says: "/markdown",
      answer:
        "Tea, the list (https://tea.example)\n\n• green\n• black\n\na pot (https://pot.example)",
    },
    { says: "/card", answer: "Order 7\nIt is on its way.\nFollow it: https://track.example/7" },
    { says: "/fallback", answer: "Order 7 is on its way." },
    { says: "/stream", answer: "One, two, three." },
    { says: "/who", answer: "ana ana" },
  ])("answers $says in plain text, in one message", async ({ says, answer }) => {
    const [only, ...others] = await ana.says(says);

    expect(only?.replaceAll(/https:\/\/t\.co\/\w+/g, "LINK")).toBe(answer);
    expect(others).toEqual([]);
  });

  it("keeps the newest values of a list that fit into the state", async () => {
    expect(await ana.says("/list")).toEqual(["The last is 39, true."]);
  });

  it("keeps values up to the limit of the state, and names the key of a longer one", async () => {
    expect((await ana.says("/values"))[0]?.split("\n")).toEqual([
      "3000",
      "16376",
      '[{"at":"1970-01-01T00:00:00.000Z"},{"of":"an earlier version"},null]',
      'TypeError: the state "a long text" has 16379 characters as JSON, and 16378 are the most: keep what is needed later',
    ]);
  });

  it("sends a picture with its text", async () => {
    const [answer] = await ana.says("/picture");
    expect(answer).toContain("A dot.");
    const { store } = await lab.runtime.status();
    expect(store.items).toMatchObject({ failed: 0, unknown: 0 });
  });

  it("reads the thread as the platform shows it, newest first", async () => {
    const finn = await lab.person("finn");
    await finn.says("one");

    expect(await finn.says("/history")).toEqual(["they: /history | me: You said one | they: one"]);
  });

  it("reads messages as they were delivered: with names, links, signs and pictures", async () => {
    const hugo = await lab.person("hugo");
    const client = await clientOf(hugo);
    const { id: mediaId } = await client.media.upload({ ...PICTURE, category: "dm_image" });
    const text = "tea & cake <3 https://tea.example/menu";
    await client.dms.send({ participantId: lab.bot.id, text, mediaId });
    await client.close();
    await lab.replies();

    expect(await hugo.says("/told")).toEqual([
      "hugo: tea & cake <3 MENU (image) | hello_bot: You said tea & cake <3 MENU",
    ]);
  });

  it("reads posts as they were delivered: without the handles of the thread, too", async () => {
    const iris = await lab.person("iris");
    const root = await act(ana, "tea & cake <3 https://tea.example/menu");
    const client = await clientOf(iris);
    const { id: mediaId } = await client.media.upload(PICTURE);
    await client.posts.reply(root, { text: "here it is", mediaIds: [mediaId] });
    await client.close();

    expect(await ana.posts("@hello_bot context", { inReplyTo: root })).toEqual([
      expect.stringContaining("ana: tea & cake <3 MENU | iris: here it is (image)"),
    ]);
  });

  it("reads a thread of posts in small pages, and leaves none out", async () => {
    const inReplyTo = await act(ana, "begin");
    for (const text of ["one", "two", "three", "four", "five"]) await act(ana, text, inReplyTo);

    expect(await ana.posts("@hello_bot pages", { inReplyTo })).toEqual([
      expect.stringContaining("five pages three four one two"),
    ]);
  });

  it("edits and deletes posts, once each", async () => {
    expect(await ana.says("/edit")).toEqual(["It is out."]);
    await ana.says("/delete");

    const texts = (await posted()).map(({ text }) => text);
    expect(texts).toContain("The text");
    expect(logged).toMatch(/post: Not for long/);
    expect(texts).not.toContain("A first draft");
    expect(texts).not.toContain("Not for long");
  });

  it("continues after a step that posts and edits, in another process", async () => {
    expect(await ana.says("/steps")).toEqual([]);
    await lab.restart({ kill: true });
    expect((await lab.advance("11m")).map(({ text }) => text)).toEqual(["Both are out."]);

    const texts = (await posted()).map(({ text }) => text);
    expect(texts.filter((text) => text.startsWith("Said"))).toEqual([
      "Said in a step",
      "Said beside it",
    ]);
  });

  it("refuses functions that the platform lacks with the Chat SDK's NotImplementedError", async () => {
    const [, refused = ""] = await ana.says("/unsupported");

    expect(refused.split(" ")).toEqual(Array.from({ length: 6 }, () => "NotImplementedError"));
  });

  it("continues if a post is held back, and returns it as queued", async () => {
    const replies: (readonly (string | undefined)[])[] = [];
    for (const name of ["ida", "jon", "kim"]) {
      const person = await lab.person(name);
      replies.push(await person.posts("@hello_bot always"));
    }

    const out = ["It is out.", expect.stringContaining("Always the same.")];
    expect(replies).toEqual([out, out, ["It is queued."]]);
  });

  it("gets likes as reactions", async () => {
    const gina = await lab.person("gina");
    const mention = await act(gina, "@hello_bot I am here");
    await lab.replies();
    const [own] = await answersBelow(mention);
    const [likeText] = await gina.likes(own?.id ?? "");
    expect(likeText).toBe(`You liked ${own?.id} of answerback:post:${mention}`);
  });
});

describe("a Chat with another state or adapter", () => {
  it("gets an error with the correction, because other state would forget handled messages", async () => {
    let logText = "";
    const other = await startLab({
      settings: { bots: [fixture("half.ts")] },
      environment: {},
      log: openLog({
        level: "info",
        destination: new Writable({
          write(chunk, _encoding, done) {
            logText += String(chunk);
            done();
          },
        }),
      }),
    });
    const hana = await other.person("hana");

    expect(await hana.says("hi")).toEqual([]);
    expect(logText).toContain("state: createAnswerbackState()");
    await other.stop();
  });
});
