import { EUploadMimeType } from "twitter-api-v2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PNG } from "../media/desk.ts";
import { type Crew, crew } from "./crew.ts";

let at: Crew;
beforeAll(async () => {
  at = await crew();
});
afterAll(() => at.close());

describe("npm twitter-api-v2, unmodified: POST /2/media/upload", () => {
  it("uploads a picture, describes it, posts it, and reads it beside the post", async () => {
    const { v2 } = at.asBotClient;
    const id = await v2.uploadMedia(PNG, { media_type: EUploadMimeType.Png });
    await v2.createMediaMetadata(id, { alt_text: { text: "one dot" } });
    const { data } = await v2.tweet("look", { media: { media_ids: [id] } });
    const { includes } = await at.asAppClient.v2.singleTweet(data.id, {
      expansions: ["attachments.media_keys"],
      "media.fields": ["alt_text", "url", "width", "height"],
    });

    expect(includes?.media).toMatchObject([
      { type: "photo", alt_text: "one dot", width: 1, height: 1 },
    ]);
  });

  it("sends a picture in a message", async () => {
    const { v2 } = at.asBotClient;
    const id = await v2.uploadMedia(PNG, {
      media_type: EUploadMimeType.Png,
      media_category: "dm_image",
    });
    await v2.sendDmToParticipant(at.person, { attachments: [{ media_id: id }] });
    const { events, includes } = await at.asPersonClient.v2.listDmEvents({
      "dm_event.fields": ["attachments"],
      expansions: ["attachments.media_keys"],
    });

    expect(Object(events[0]).attachments.media_keys).toHaveLength(1);
    expect(includes.media).toMatchObject([{ type: "photo" }]);
  });
});

describe("npm twitter-api-v2, unmodified: media upload of version 1.1", () => {
  it("uploads a picture in chunks, describes it and posts it", async () => {
    const id = await at.asBotClient.v1.uploadMedia(PNG, { mimeType: EUploadMimeType.Png });
    await at.asBotClient.v1.createMediaMetadata(id, { alt_text: { text: "one dot" } });
    const { data } = await at.asBotClient.v2.tweet("again", { media: { media_ids: [id] } });
    const { includes } = await at.asAppClient.v2.singleTweet(data.id, {
      expansions: ["attachments.media_keys"],
      "media.fields": ["alt_text"],
    });

    expect(includes?.media).toMatchObject([{ type: "photo", alt_text: "one dot" }]);
  });
});
