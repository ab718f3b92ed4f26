import { createServer, request, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { weightedLength } from "../../src/protocol/public-text/length.ts";
import { botOnSandbox, type BotFiles, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const LONG_WINDED = fileURLToPath(new URL("../fixtures/bots/long-winded.ts", import.meta.url));
/** Sentences for five posts: each nearly fills a post. */
const PARTS = ["one", "two", "three", "four", "five"].map(
  (word) => `${word} ${"word ".repeat(44).trim()}.`,
);
const RULES = `version: 1
rules:
  - id: long
    triggers: [post.mentioned]
    conditions: [{post.text: tell me}]
    actions:
      - id: told
        reply: ${JSON.stringify(PARTS.join(" "))}
      - reply_dm: "\${{ steps.told.ids.size() }} posts, the last is \${{ steps.told.result.post_id }}"
    on_error:
      - reply_dm: "\${{ error.code }}: \${{ error.message }}"
`;

let bot: BotOnSandbox;
const doors: Server[] = [];
afterEach(async () => {
  for (const door of doors.splice(0)) {
    door.closeAllConnections();
    door.close();
  }
  await bot.close();
});

interface Shown {
  readonly id: string;
  readonly authorId: string;
  readonly text: string;
  readonly replyTo?: string;
}

/** Returns the bot's posts, oldest first. */
async function posted(): Promise<readonly Shown[]> {
  const { tables } = await bot.sandbox.control.get<{ tables: { posts: readonly Shown[] } }>(
    "/state",
  );
  return tables.posts.filter(({ authorId }) => authorId === bot.file.bot.id);
}

async function asks(text: string): Promise<string> {
  const post = `@${bot.file.bot.username} ${text}`;
  return (await bot.sandbox.control.act(bot.people.ben, { type: "post", text: post })).id;
}

async function answered(text: string): Promise<void> {
  await when(async () => ((await bot.messagesTo("ben")).includes(text) ? true : undefined));
}

function expectThread(posts: readonly Shown[], question: string): void {
  expect(posts.map(({ text }) => text)).toEqual(PARTS);
  expect(posts.map(({ replyTo }) => replyTo)).toEqual([
    question,
    ...posts.slice(0, -1).map(({ id }) => id),
  ]);
}

describe("a public answer that is longer than one post", () => {
  it("is a thread, each post of which answers the one before; the run goes on with all their ids", async () => {
    bot = await botOnSandbox({ rules: { "long.yaml": RULES } });
    await bot.start();
    const question = await asks("tell me");
    await bot.quiet();

    const posts = await posted();
    expectThread(posts, question);
    for (const { text } of posts) expect(weightedLength(text)).toBeLessThanOrEqual(280);
    expect(await bot.messagesTo("ben")).toEqual([`5 posts, the last is ${posts.at(-1)?.id}`]);
  });

  it("is published once, in order, through a kill -9 after each of its posts", async () => {
    const door = doorTo(() => "hold");
    bot = await botOnSandbox({ rules: { "long.yaml": RULES }, through: door.through });
    await bot.startProcess();
    const question = await asks("tell me");
    for (let count = 1; count <= PARTS.length; count += 1) {
      await when(async () => ((await posted()).length === count ? true : undefined));
      await bot.kill();
      await bot.startProcess();
      await when(async () => {
        await bot.sandbox.control.advance(20_000);
        return (await bot.items("sent")).length >= count ? true : undefined;
      });
    }
    await answered(`5 posts, the last is ${(await posted()).at(-1)?.id}`);

    expectThread(await posted(), question);
    expect(await bot.messagesTo("ben")).toHaveLength(1);
  });

  it("ends where a post of it is refused: one failure with its reason, and nothing behind it", async () => {
    const door = doorTo((count) => (count === 3 ? "refuse" : "pass"));
    bot = await botOnSandbox({ rules: { "long.yaml": RULES }, through: door.through });
    await bot.start();
    await asks("tell me");
    await answered("refused-403: post 3 of the thread was refused: You may not post this.");

    expect((await posted()).map(({ text }) => text)).toEqual(PARTS.slice(0, 2));
    const items = (await bot.items()).filter(({ action }) => action.type === "reply_post");
    expect(items.map(({ status }) => status).toReversed()).toEqual([
      "sent",
      "sent",
      "failed",
      "expired",
      "expired",
    ]);
  });

  it.each([
    {
      long: "cut",
      postCount: [expect.stringMatching(/^one word.*…$/)],
      message: /^1 posts, the last is \d+$/,
    },
    { long: "fail", postCount: [], message: /weighted characters \(limit 280\)/ },
  ])("is not a thread with  long: $long  in the settings", async ({ long, postCount, message }) => {
    bot = await botOnSandbox({
      rules: { "long.yaml": RULES },
      settings: `posts: { long: ${long} }\n`,
    });
    await bot.start();
    await asks("tell me");
    await when(async () => ((await bot.messagesTo("ben")).length > 0 ? true : undefined));

    expect((await posted()).map(({ text }) => text)).toEqual(postCount);
    expect(await bot.messagesTo("ben")).toEqual([expect.stringMatching(message)]);
  });

  it("is a thread when a bot's handler says it, who learns the ids of its posts", async () => {
    bot = await botOnSandbox({ bots: [LONG_WINDED] });
    await bot.start();
    const question = await asks("tell me");
    await when(async () => ((await bot.messagesTo("ben")).length > 0 ? true : undefined));

    const posts = await posted();
    expectThread(posts, question);
    expect(await bot.messagesTo("ben")).toEqual([JSON.stringify(posts.map(({ id }) => id))]);
  });
});

describe("a message that is longer than the platform accepts", () => {
  const TEXT = ["one", "two", "three"].map((word) => `${word} ${"word ".repeat(1_900).trim()}.`);
  const rules = `version: 1
rules:
  - id: long
    triggers: [post.mentioned]
    conditions: [{post.text: write me}]
    actions:
      - id: said
        reply_dm: ${JSON.stringify(TEXT.join(" "))}
      - reply_dm: That was all.
    on_error:
      - reply_dm: "\${{ error.code }}: \${{ error.message }}"
`;

  it("is sent in parts, and then the run goes on", async () => {
    bot = await botOnSandbox({ rules: { "long.yaml": rules } });
    await bot.start();
    await asks("write me");
    await answered("That was all.");

    expect(await bot.messagesTo("ben")).toEqual([...TEXT, "That was all."]);
  });

  it("ends where a part of it is refused: one failure with its reason, and nothing behind it", async () => {
    const door = doorTo((count) => (count === 1 ? "refuse" : "pass"), /\/messages$/);
    bot = await botOnSandbox({ rules: { "long.yaml": rules }, through: door.through });
    await bot.start();
    await asks("write me");
    await answered("refused-403: part 1 of the message was refused: You may not post this.");

    expect(await bot.messagesTo("ben")).toHaveLength(1);
    const items = await bot.items();
    expect(items.map(({ status }) => status).toReversed()).toEqual([
      "failed",
      "expired",
      "expired",
      "sent",
    ]);
  });
});

type Passing = "pass" | "refuse" | "hold";

/**
 * Starts a proxy between bot and sandbox. `how(n)` decides about the n-th request to `sends`, by default those that
 * publish: forward it, refuse it with 403, or forward it and never return the response.
 */
function doorTo(
  how: (count: number) => Passing,
  sends = /^\/2\/(?:posts|tweets)$/,
): Pick<Required<BotFiles>, "through"> {
  let count = 0;
  return {
    async through(sandboxUrl) {
      const { hostname, port } = new URL(sandboxUrl);
      const server = createServer((incoming, outgoing) => {
        const { url: path = "", method, headers } = incoming;
        const isPost = method === "POST" && sends.test(path);
        if (isPost) count += 1;
        const passing = isPost ? how(count) : "pass";
        if (passing === "refuse") {
          incoming.resume();
          outgoing
            .writeHead(403, { "content-type": "application/problem+json" })
            .end(
              JSON.stringify({ title: "Forbidden", detail: "You may not post this.", status: 403 }),
            );
          return;
        }
        const passed = request({ hostname, port, path, method, headers }, (answer) => {
          if (passing === "hold") {
            answer.resume();
            return;
          }
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        });
        passed.on("error", () => outgoing.destroy());
        incoming.pipe(passed);
      });
      doors.push(server);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    },
  };
}
