import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { createClient } from "../../../src/client/create-client.ts";
import type { AccountEvent } from "../../../src/events/event.ts";
import { messageDelivery } from "../../../src/events/read/message.ts";
import { MESSAGE_SELECTION, POST_SELECTION } from "../../../src/events/read/objects.ts";
import { postDelivery } from "../../../src/events/read/post.ts";
import { translate } from "../../../src/events/translate.ts";
import { answerChallenge } from "../../../src/runtime/webhook/challenge.ts";
import { startSandbox, type RunningSandbox } from "../../../src/sandbox/index.ts";
import { listening } from "../../support/listening.ts";
import type { Act } from "../../../src/sandbox/control/objects.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Events that the platform delivered for some actions, and a client that reads the same objects afterwards. */
interface Story {
  readonly bot: string;
  readonly ana: string;
  readonly client: Client<"oauth1">;
  readonly delivered: ReadonlyMap<string, AccountEvent>;
}

let sandbox: RunningSandbox;
let story: Story;

beforeAll(async () => {
  sandbox = await startSandbox({ settings: { limits: { enabled: false } } });
  const app = await sandbox.control.app();
  const bot = await sandbox.control.user("hello_bot");
  const ana = await sandbox.control.user("ana");
  await sandbox.control.call("PATCH", `/users/${ana}`, {
    description: "Writes to bots",
    location: "Oslo",
    verified: true,
  });
  const tokens = await sandbox.control.tokens(bot, app.app_id);
  const client = createClient({
    baseUrl: sandbox.url,
    credentials: {
      type: "oauth1",
      consumerKey: app.consumer_key,
      consumerSecret: app.consumer_secret,
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
    },
  });
  const delivered = new Map<string, AccountEvent>();
  await listening(
    (request, response) => {
      const token = new URLSearchParams(request.url?.split("?")[1]).get("crc_token");
      const answer = answerChallenge(token, app.consumer_secret);
      let text = "";
      request.on("data", (chunk: Buffer) => (text += chunk.toString()));
      request.on("end", () => {
        const body: unknown = request.method === "POST" ? JSON.parse(text) : {};
        for (const { event } of translate(body, 0)) delivered.set(event.key, event);
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(answer.ok ? answer.body : {}));
      });
    },
    async (origin) => {
      await sandbox.control.host("bot.example", origin);
      const owner = client.as({ type: "bearer", bearerToken: app.bearer_token });
      const { id } = await owner.webhooks.create("https://bot.example/webhook");
      await client.activity.subscribe(id);
      await tell({ bot, ana, client });
      // The request returns only after the sandbox has delivered the events that are due.
      await sandbox.control.post("/clock", { advance_ms: 60_000 });
    },
  );
  story = { bot, ana, client, delivered };
});
afterAll(async () => {
  await story.client.close();
  await sandbox.close();
});

async function tell({ bot, ana, client }: Omit<Story, "delivered">): Promise<void> {
  const act = (by: string, what: Act) => sandbox.control.act(by, what);
  await act(ana, {
    type: "dm",
    to: bot,
    text: "hi @hello_bot, see https://a.example/x #now $ACME",
  });
  await client.dms.send({ participantId: ana, text: "Hello!" });
  const pixel = { media: PNG, mediaType: "image/png" } as const;
  const shown = await client.media.upload({ ...pixel, category: "dm_image" });
  await client.dms.send({ participantId: ana, text: "R&D <b>", mediaId: shown.id });
  const { id } = await client.posts.create({ text: "We are open" });
  const picture = await client.media.upload({ ...pixel, category: "tweet_image" });
  await client.posts.create({ text: "Our door", mediaIds: [picture.id] });
  await act(ana, { type: "post", text: "@hello_bot are you open? #now $ACME" });
  await act(ana, {
    type: "post",
    text: "Thank you, R&D: https://a.example/?x=1&y=2",
    in_reply_to: id,
  });
  await act(ana, { type: "post", text: "Look, @hello_bot!", quote_of: id });
  await act(ana, { type: "post", text: `@hello_bot ${"long ".repeat(100)}#end` });
}

/** Removes counters, which may differ, and the website of a post's app, which only webhooks deliver. */
function withoutCounters(event: AccountEvent | undefined): unknown {
  const differing = ["postCount", "replyCount", "quoteCount", "sourceAppUrl"];
  return JSON.parse(JSON.stringify(event), (key, value: unknown) =>
    differing.includes(key) ? undefined : value,
  );
}

/** Removes the app that sent a message, which only the webhook reports. */
function withoutApp(event: AccountEvent | undefined): AccountEvent | undefined {
  if (event?.kind !== "message") return event;
  const { sourceAppId, sourceAppName, sourceAppUrl: _url, ...message } = event.message;
  expect(sourceAppId).toEqual(expect.any(String));
  expect(sourceAppName).toMatch(/^(test app|Platform Web App)$/);
  return { ...event, message };
}

describe("a delivery that is created from the data interface", () => {
  it("is the event that the webhook delivered, for messages of both", async () => {
    const { bot, client, delivered } = story;
    const page = await client.dms.events(MESSAGE_SELECTION);
    const seen = page.data.map((message) => {
      const [arrival] = translate(messageDelivery(bot, message, page.includes), 0);
      const expected = withoutApp(delivered.get(arrival?.event.key ?? ""));
      expect(withoutCounters(arrival?.event)).toEqual(withoutCounters(expected));
      return arrival?.event.direction;
    });

    expect(seen).toEqual(["outbound", "outbound", "inbound"]);
  });

  it("has texts as people wrote them, and as the platform sent them", () => {
    const texts = [...story.delivered.values()].flatMap((event) => {
      const said =
        event.kind === "message" ? event.message : event.kind === "post" ? event.post : undefined;
      return said?.rawText === undefined ? [] : [[said.text, said.rawText]];
    });

    const short = "https://t\\.co/\\w{10}";
    expect(texts).toEqual([
      [
        "hi @hello_bot, see https://a.example/x #now $ACME",
        expect.stringMatching(new RegExp(`^hi @hello_bot, see ${short} #now \\$ACME$`)),
      ],
      ["R&D <b>", expect.stringMatching(new RegExp(`^R&amp;D &lt;b&gt; ${short}$`))],
      ["Our door", expect.stringMatching(new RegExp(`^Our door ${short}$`))],
      [
        "Thank you, R&D: https://a.example/?x=1&y=2",
        expect.stringMatching(new RegExp(`^@hello_bot Thank you, R&amp;D: ${short}$`)),
      ],
      ["Look, @hello_bot!", expect.stringMatching(new RegExp(`^Look, @hello_bot! ${short}$`))],
    ]);
  });

  it("is the event that the webhook delivered, for mentions, replies and quotes", async () => {
    const { bot, client, delivered } = story;
    const page = await client.timelines.mentions(bot, { ...POST_SELECTION, maxResults: 100 });
    const seen = page.data.map((post) => {
      const [arrival] = translate(postDelivery(bot, post, page.includes), 0);
      const expected = delivered.get(arrival?.event.key ?? "");
      expect(withoutCounters(arrival?.event)).toEqual(withoutCounters(expected));
      return arrival?.event.triggers;
    });

    expect(seen).toEqual([
      ["post.mentioned"],
      ["post.mentioned", "post.quoted"],
      ["post.replied"],
      ["post.mentioned"],
    ]);
  });
});

describe("objects that are never delivered become no delivery", () => {
  const read = { id: "1", created_at: "2026-01-01T00:00:00.000Z", sender_id: "200", text: "hi" };

  it.each([
    [
      "somebody joining",
      { ...read, event_type: "ParticipantsJoin", dm_conversation_id: "100-200" },
    ],
    [
      "a conversation of others",
      { ...read, event_type: "MessageCreate", dm_conversation_id: "100-300" },
    ],
  ])("%s", (_what, message) => {
    expect(messageDelivery("100", message)).toBeUndefined();
  });

  it("a post whose author is not shown", () => {
    expect(postDelivery("100", { ...read, author_id: "200" })).toBeUndefined();
  });
});
