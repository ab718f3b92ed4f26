import { readFile } from "node:fs/promises";
import { parse } from "lossless-json";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DIALECTS, type Dialect } from "../../src/protocol/dialects.ts";
import { PNG } from "./media/media-uploader.ts";
import { startTestSandbox, type TestSandbox } from "./support/test-sandbox.ts";
import { relationFaults } from "./support/post-relations.ts";

/** Kinds of bodies that a bot receives: `classic` from account activity, `activity` from the activity interface. */
const INTERFACES = ["classic", "activity"] as const;
type Interface = (typeof INTERFACES)[number];

/** Situations with a fixture in `test/fixtures/live-shapes`. */
const SITUATIONS = [
  "mention",
  "reply",
  "reply-typed-handle",
  "quote",
  "quote-hidden",
  "picture-tag",
  "longform-reply",
  "edit-1",
  "edit-2",
] as const;

/** Bodies of each situation, as the bot's webhook received them. */
type Bodies = ReadonlyMap<string, unknown>;

describe.each(DIALECTS)("in the %s dialect", (dialect) => {
  let fixture: TestSandbox;
  let bodies: Bodies;
  beforeAll(async () => {
    fixture = await startTestSandbox({}, { dialect });
    bodies = await produce(fixture);
  });
  afterAll(() => fixture.close());

  describe.each(INTERFACES)("a body of the %s kind", (kind) => {
    it.each(SITUATIONS)("has the fields and relations of a live one: %s", async (situation) => {
      const live = await readLive(situation, kind, dialect);
      const body = bodies.get(`${situation} ${kind}`);

      expect(shapeOf(body)).toEqual(shapeOf(live));
      expect({ live: relationFaults(live), sandbox: relationFaults(body) }).toEqual({
        live: [],
        sandbox: [],
      });
    });
  });
});

/** Lets people perform the actions of all situations, and returns the bodies that the bot received. */
async function produce(fixture: TestSandbox): Promise<Bodies> {
  const { sandbox, person: rosa, bot } = fixture;
  const { control } = sandbox;
  const webhook_id = await fixture.subscribed();
  const event_type = "post.mention.create";
  const wanted = { event_type, filter: { user_id: bot }, webhook_id, tag: "mentions" };
  await fixture.asBot("POST", "/2/activity/subscriptions", wanted);
  const emil = await control.user("emil");
  await control.call("PATCH", `/users/${emil}`, { subscription_type: "Premium" });
  const publish = async (by: string, body: Record<string, unknown>): Promise<string> => {
    const response = await fixture.asUser(by, "POST", "/2/posts", body);
    if (response.status !== 201) throw new Error(JSON.stringify(response.body));
    return String(Object(response.body["data"]).id);
  };
  const board = await publish(emil, { text: "a new board" });
  const bodies = new Map<string, unknown>();
  const receive = async (situation: string, act: () => Promise<string>): Promise<string> => {
    await fixture.idle();
    fixture.received.length = 0;
    const id = await act();
    await fixture.idle();
    for (const { raw } of fixture.received) {
      const body: object = Object(parse(raw, undefined, { parseNumber }));
      bodies.set(`${situation} ${"data" in body ? "activity" : "classic"}`, body);
    }
    return id;
  };

  const question = await receive("mention", () =>
    publish(rosa, { text: "@hello_bot open on Sunday?" }),
  );
  const reply = { in_reply_to_post_id: question };
  await receive("reply", () => publish(emil, { text: "they were shut", reply }));
  await receive("reply-typed-handle", () =>
    publish(emil, { text: "@hello_bot and Monday?", reply }),
  );
  await receive("longform-reply", () =>
    publish(emil, { text: "The queue begins at seven. ".repeat(20).trim(), reply }),
  );
  const see = "@hello_bot is this right?";
  await receive("quote", () => publish(rosa, { text: see, quote_post_id: board }));
  await receive("picture-tag", async () => {
    const media = PNG.toString("base64");
    const upload = { media, media_category: "tweet_image" };
    const uploaded = await fixture.asUser(rosa, "POST", "/2/media/upload", upload);
    const media_ids = [Object(uploaded.body["data"]).id];
    return publish(rosa, { text: "our corner", media: { media_ids, tagged_user_ids: [bot] } });
  });
  const first = await receive("edit-1", () => publish(rosa, { text: "@hello_bot prise?" }));
  await receive("edit-2", () =>
    publish(rosa, { text: "@hello_bot price?", edit_options: { previous_post_id: first } }),
  );
  await control.act(rosa, { type: "follow", user_id: emil });
  await control.call("PATCH", `/users/${emil}`, { protected: true });
  await receive("quote-hidden", () =>
    publish(rosa, { text: `${see} or not`, quote_post_id: board }),
  );
  return bodies;
}

async function readLive(situation: string, kind: Interface, dialect: Dialect): Promise<unknown> {
  const file = `../fixtures/live-shapes/${situation}.${kind}.${dialect}.json`;
  const text = await readFile(new URL(file, import.meta.url), "utf8");
  return parse(text, undefined, { parseNumber });
}

/** Converts ids to text: they have more digits than a JavaScript number can hold. */
function parseNumber(digits: string): number | bigint {
  return Number.isSafeInteger(Number(digits)) ? Number(digits) : BigInt(digits);
}

/** Key names and types of values, at any depth. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value === "bigint" ? "number" : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
}
