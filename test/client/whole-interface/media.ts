import { expect } from "vitest";
import { failureOf } from "../support/world.ts";
import type { CallsOf, Stage } from "./stage.ts";

/** A PNG of 1 by 1 pixel. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const ABOUT = { mediaType: "image/png", category: "tweet_image" } as const;

export const media: CallsOf<"media"> = {
  upload: async (stage) => {
    const { id, size } = await stage.bot.media.upload({ ...ABOUT, media: PICTURE });
    expect(size).toBe(PICTURE.length);
    expect(await posted(stage, id)).toMatchObject({ type: "photo", width: 1, height: 1 });
  },
  uploadChunked: async (stage) => {
    const whole = { ...ABOUT, media: PICTURE };
    const { id } = await stage.bot.media.uploadChunked(whole, { chunkBytes: 40 });
    expect(await posted(stage, id)).toMatchObject({ type: "photo", width: 1, height: 1 });
  },
  initialize: async ({ bot }) => {
    const begun = await bot.media.initialize({ ...ABOUT, totalBytes: PICTURE.length });
    expect(begun.id).toMatch(/^\d+$/);
    expect(begun.expires_after_secs).toBeGreaterThan(0);
  },
  append: async ({ bot }) => {
    const { id: mediaId } = await bot.media.initialize({ ...ABOUT, totalBytes: PICTURE.length });
    const chunk = { mediaId, segmentIndex: 0, media: PICTURE };
    expect((await bot.media.append(chunk)).expires_at).toBeGreaterThan(Date.now() / 1000);
  },
  finalize: async (stage) => {
    const { bot } = stage;
    const { id: mediaId } = await bot.media.initialize({ ...ABOUT, totalBytes: PICTURE.length });
    await bot.media.append({ mediaId, segmentIndex: 0, media: PICTURE });
    expect(await bot.media.finalize(mediaId)).toMatchObject({ id: mediaId, size: PICTURE.length });
    expect(await posted(stage, mediaId)).toMatchObject({ width: 1 });
  },
  describe: async (stage) => {
    const { bot } = stage;
    const { id } = await bot.media.upload({ ...ABOUT, media: PICTURE });
    expect(await bot.media.describe(id, "One dot.")).toMatchObject({ id });
    expect(await posted(stage, id)).toMatchObject({ alt_text: "One dot." });
  },
  get: async (stage) => {
    const { id, media_key = "" } = await stage.bot.media.upload({ ...ABOUT, media: PICTURE });
    await stage.bot.media.describe(id, "One dot.");
    const { data } = await stage.appOnly.media.get(media_key, {
      mediaFields: ["alt_text", "width"],
    });
    expect(data).toEqual({ media_key, type: "photo", width: 1, alt_text: "One dot." });
    expect(await failureOf(stage.appOnly.media.get("3_1"))).toMatchObject({ notFound: true });
  },
  lookup: async (stage) => {
    const { media_key = "" } = await stage.bot.media.upload({ ...ABOUT, media: PICTURE });
    const { data, errors } = await stage.appOnly.media.lookup([media_key, "3_1"]);
    expect(data).toEqual([{ media_key, type: "photo" }]);
    expect(errors).toMatchObject([{ resourceType: "media", value: "3_1" }]);
  },
  status: async ({ bot }) => {
    const { id, media_key } = await bot.media.upload({ ...ABOUT, media: PICTURE });
    expect(await bot.media.status(id)).toMatchObject({ id, media_key });
  },
};

/** Publishes a post with the media file attached. Returns the media object that the platform shows with the post. */
async function posted({ bot, word }: Stage, mediaId: string) {
  const { id } = await bot.posts.create({ text: word(), mediaIds: [mediaId] });
  const { includes } = await bot.posts.get(id, {
    expansions: ["attachments.media_keys"],
    mediaFields: ["alt_text", "width", "height"],
  });
  return includes.media[0];
}
