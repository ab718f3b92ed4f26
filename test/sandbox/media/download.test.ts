import { afterEach, beforeEach, expect, it, test } from "vitest";
import { TwitterApi } from "twitter-api-v2";
import { createClient } from "../../../src/client/create-client.ts";
import { LeadingAgent } from "../../support/leading-agent.ts";
import { dataOf, type MediaUploader, GIF, PNG, startMediaUploader } from "./media-uploader.ts";

let uploader: MediaUploader;
beforeEach(async () => {
  uploader = await startMediaUploader();
});
afterEach(() => uploader.fixture.close());

async function uploaded(media: Buffer, category: string) {
  const fields = { media, media_category: category };
  const { id, media_key: key } = dataOf(await uploader.multipart("/2/media/upload", fields));
  return { id: String(id), key: String(key) };
}

/** Sends a message with a media file to the person. Returns the file's URL from the message as the person reads it. */
async function sentUrl(id: string): Promise<string> {
  const { person } = uploader.fixture;
  const message = { attachments: [{ media_id: id }] };
  await uploader.json("POST", `/2/dm_conversations/with/${person}/messages`, message);
  const fields = "expansions=attachments.media_keys&media.fields=url";
  const path = `/2/dm_conversations/with/${uploader.fixture.bot}/dm_events?${fields}`;
  const { body } = await uploader.fixture.asUser(person, "GET", path);
  return String(Object(body["includes"]).media[0].url);
}

async function clientOf(userId: string) {
  const { sandbox, app } = uploader.fixture;
  const tokens = await sandbox.control.tokens(userId, app.app_id);
  return createClient({
    baseUrl: sandbox.url,
    retry: false,
    credentials: {
      type: "oauth1",
      consumerKey: app.consumer_key,
      consumerSecret: app.consumer_secret,
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
    },
  });
}

test.each([
  { category: "tweet_image", media: PNG, type: "image/png", field: "url" },
  { category: "tweet_gif", media: GIF, type: "image/gif", field: "variants" },
])("a $category of a post is downloaded without credentials", async (row) => {
  const { key } = await uploaded(row.media, row.category);
  const { body } = await uploader.json("GET", `/2/media/${key}?media.fields=url,variants`);
  const shown = Object(body["data"])[row.field];
  const answer = await fetch(typeof shown === "string" ? shown : shown[0].url);

  expect(answer.headers.get("content-type")).toBe(row.type);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(row.media);
});

it("a video has a preview picture", async () => {
  const { key } = await uploaded(Buffer.from("film"), "tweet_video");
  const { body } = await uploader.json("GET", `/2/media/${key}?media.fields=preview_image_url`);
  const answer = await fetch(Object(body["data"])["preview_image_url"]);

  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
});

it("a picture of a message is downloaded by its participants, signed, and by nobody else", async () => {
  const { sandbox, person, bot } = uploader.fixture;
  const { id, key } = await uploaded(PNG, "dm_image");
  const url = await sentUrl(id);
  const [reader, sender] = [await clientOf(person), await clientOf(bot)];
  const stranger = await clientOf(await sandbox.control.user("cleo"));

  expect(await reader.dms.downloadMedia(url)).toEqual({ bytes: PNG, mediaType: "image/png" });
  expect((await sender.dms.downloadMedia(url)).bytes).toEqual(PNG);
  await expect(stranger.dms.downloadMedia(url)).rejects.toMatchObject({ notFound: true });
  expect((await fetch(url)).status).toBe(400);
  expect((await fetch(`${sandbox.url}/media/${key}.png`)).status).toBe(404);
  await Promise.all([reader.close(), sender.close(), stranger.close()]);
});

test.each([
  "https://example.com/1.1/ton/data/dm/1/2/3_2.png",
  "http://ton.twitter.com/1.1/ton/data/dm/1/2/a.jpg",
  "https://ton.twitter.com.example.com/1.1/ton/data/dm/1/2/a.jpg",
  "not a URL",
])("the client signs no request to %s", async (url) => {
  const client = await clientOf(uploader.fixture.bot);

  await expect(client.dms.downloadMedia(url)).rejects.toThrow("not the URL of a message's medium");
  await client.close();
});

it("the client asks its own base URL for a medium of the sandbox under another name of this machine", async () => {
  const { person } = uploader.fixture;
  const url = await sentUrl((await uploaded(PNG, "dm_image")).id);
  const reader = await clientOf(person);

  const medium = await reader.dms.downloadMedia(url.replace("127.0.0.1", "localhost"));
  expect(medium.bytes).toEqual(PNG);
  await reader.close();
});

it("an upload in segments is downloaded in the order of its segments", async () => {
  const path = "/2/media/upload";
  const opened = {
    media_type: "image/png",
    media_category: "tweet_image",
    total_bytes: PNG.length,
  };
  const { id, media_key: key } = dataOf(await uploader.json("POST", `${path}/initialize`, opened));
  const parts = [PNG.subarray(0, 10), PNG.subarray(10)];
  for (const index of [1, 0]) {
    const fields = { segment_index: String(index), media: parts[index] ?? "" };
    await uploader.multipart(`${path}/${String(id)}/append`, fields);
  }
  await uploader.json("POST", `${path}/${String(id)}/finalize`);
  const answer = await fetch(`${uploader.fixture.sandbox.url}/media/${String(key)}.png`);

  expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG);
});

it("the oldest bytes make room for new ones, and are then missing", async () => {
  const film = Buffer.alloc(11 * 1024 * 1024, 1);
  const keys: string[] = [];
  for (let n = 0; n < 3; n += 1) keys.push((await uploaded(film, "tweet_video")).key);
  const { url } = uploader.fixture.sandbox;
  const statuses = keys.map(async (key) => (await fetch(`${url}/media/${key}.mp4`)).status);

  expect(await Promise.all(statuses)).toEqual([404, 200, 200]);
});

it("npm twitter-api-v2, unmodified, downloads the picture of a message", async () => {
  const { sandbox, app, bot, person } = uploader.fixture;
  const { id } = await uploaded(PNG, "dm_image");
  const agent = new LeadingAgent(sandbox.url);
  const tokens = await sandbox.control.tokens(bot, app.app_id);
  const { v1 } = new TwitterApi(
    {
      appKey: app.consumer_key,
      appSecret: app.consumer_secret,
      accessToken: tokens.access_token,
      accessSecret: tokens.access_token_secret,
    },
    { httpAgent: agent },
  );
  const message = {
    recipient_id: person,
    text: "",
    attachment: { type: "media", media: { id } },
  } as const;
  const { event } = await v1.sendDm(message);

  expect(await v1.downloadDmImage(event)).toEqual(PNG);
  agent.destroy();
});
