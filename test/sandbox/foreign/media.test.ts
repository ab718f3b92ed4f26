import { EUploadMimeType } from "twitter-api-v2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PNG } from "../media/media-uploader.ts";
import { type TwitterApiSandbox, startWithTwitterApi } from "./twitter-api-sandbox.ts";

let fixture: TwitterApiSandbox;
beforeAll(async () => {
  fixture = await startWithTwitterApi();
});
afterAll(() => fixture.close());

describe("npm twitter-api-v2, unmodified: POST /2/media/upload", () => {
  it("uploads a picture, describes it, posts it, and reads it beside the post", async () => {
    const { v2 } = fixture.asBotClient;
    const id = await v2.uploadMedia(PNG, { media_type: EUploadMimeType.Png });
    await v2.createMediaMetadata(id, { alt_text: { text: "one dot" } });
    const { data } = await v2.tweet("look", { media: { media_ids: [id] } });
    const { includes } = await fixture.asAppClient.v2.singleTweet(data.id, {
      expansions: ["attachments.media_keys"],
      "media.fields": ["alt_text", "url", "width", "height"],
    });

    expect(includes?.media).toMatchObject([
      { type: "photo", alt_text: "one dot", width: 1, height: 1 },
    ]);
  });

  it("sends a picture in a message", async () => {
    const { v2 } = fixture.asBotClient;
    const id = await v2.uploadMedia(PNG, {
      media_type: EUploadMimeType.Png,
      media_category: "dm_image",
    });
    await v2.sendDmToParticipant(fixture.person, { attachments: [{ media_id: id }] });
    const { events, includes } = await fixture.asPersonClient.v2.listDmEvents({
      "dm_event.fields": ["attachments"],
      expansions: ["attachments.media_keys"],
    });

    expect(Object(events[0]).attachments.media_keys).toHaveLength(1);
    expect(includes.media).toMatchObject([{ type: "photo" }]);
  });
});

describe("npm twitter-api-v2, unmodified: media upload of version 1.1", () => {
  it("uploads a picture in chunks, describes it and posts it", async () => {
    const id = await fixture.asBotClient.v1.uploadMedia(PNG, { mimeType: EUploadMimeType.Png });
    await fixture.asBotClient.v1.createMediaMetadata(id, { alt_text: { text: "one dot" } });
    const { data } = await fixture.asBotClient.v2.tweet("again", { media: { media_ids: [id] } });
    const { includes } = await fixture.asAppClient.v2.singleTweet(data.id, {
      expansions: ["attachments.media_keys"],
      "media.fields": ["alt_text"],
    });

    expect(includes?.media).toMatchObject([{ type: "photo", alt_text: "one dot" }]);
  });
});
