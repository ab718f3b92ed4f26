import { Client, EventPaginator } from "@xdevplatform/xdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PNG } from "../../media/media-uploader.ts";
import { userToken } from "../../support/user-token.ts";
import { page, present, startWithXdk, type XdkSandbox } from "./xdk-sandbox.ts";

let fixture: XdkSandbox;
let third: string;
beforeEach(async () => {
  fixture = await startWithXdk();
  third = await fixture.sandbox.control.user("third");
});
afterEach(() => fixture.close());

const BASE64 = PNG.toString("base64");

describe("npm @xdevplatform/xdk, unmodified: direct message endpoints", () => {
  it("sends to a person, to a conversation and to a new group, and lists each", async () => {
    const { directMessages: ofBot } = fixture.botClient;
    const { directMessages: ofPerson } = fixture.personClient;
    const first = await ofBot.createByParticipantId(fixture.person, { text: "hello" });
    const conversation = present(first.data?.dmConversationId);
    await ofPerson.createByConversationId(conversation, { text: "hi" });
    const group = await ofBot.createConversation({
      conversationType: "Group",
      participantIds: [fixture.person, third],
      message: { text: "all together" },
    });
    const all = await ofPerson.getEvents({
      dmEventFields: ["text", "event_type", "created_at"],
      expansions: ["sender_id"],
      eventTypes: ["MessageCreate"],
    });
    const ofGroup = await ofPerson.getEventsByConversationId(present(group.data?.dmConversationId));
    const pair = new EventPaginator(async (paginationToken) =>
      page(
        await ofBot.getEventsByParticipantId(fixture.person, {
          maxResults: 1,
          ...(paginationToken && { paginationToken }),
        }),
      ),
    );
    const texts: unknown[] = [];
    for await (const { text } of pair) texts.push(text);

    expect(all.data?.map(({ text }) => text)).toEqual(["all together", "hi", "hello"]);
    expect(all.data?.[0]).toMatchObject({ senderId: fixture.bot, eventType: "MessageCreate" });
    expect(all.includes?.users?.map(({ username }) => username).sort()).toEqual([
      "alice",
      "hello_bot",
    ]);
    expect(ofGroup.data?.map(({ text }) => text)).toContain("all together");
    expect(texts).toEqual(["hi", "hello"]);
  });

  it("reads one message and deletes it", async () => {
    const { directMessages } = fixture.botClient;
    const sent = await directMessages.createByParticipantId(third, { text: "oops" });
    const id = present(sent.data?.dmEventId);
    const read = await directMessages.getEventsById(id, { expansions: ["sender_id"] });
    const deleted = await directMessages.deleteEvents(id);

    expect(read.data).toMatchObject({ id, text: "oops", senderId: fixture.bot });
    expect(deleted.data).toEqual({ deleted: true });
    await expect(directMessages.getEventsById(id)).rejects.toMatchObject({ status: 404 });
  });
});

describe("npm @xdevplatform/xdk, unmodified: POST /2/media/upload", () => {
  it.each([
    ["OAuth 1.0a", "botClient"],
    ["OAuth 2.0", "personClient"],
  ] as const)("uploads a picture, describes it and posts it by %s", async (name, client) => {
    const { media, posts } = fixture[client];
    const upload = await media.upload({ media: BASE64, mediaCategory: "tweet_image" });
    const id = present(upload.data?.id);
    const described = await media.createMetadata({
      id,
      metadata: { altText: { text: "one dot" } },
    });
    const post = await posts.create({ text: `look, ${name}`, media: { mediaIds: [id] } });
    const { includes } = await fixture.appClient.posts.getById(present(post.data?.id), {
      expansions: ["attachments.media_keys"],
      mediaFields: ["alt_text", "url", "width", "height"],
    });
    const key = present(upload.data?.mediaKey);
    const one = await fixture.appClient.media.getByKey(key, { mediaFields: ["alt_text"] });
    const some = await fixture.appClient.media.getByKeys([key]);

    expect(described.data).toMatchObject({ id });
    expect(includes?.media).toMatchObject([
      { mediaKey: key, type: "photo", altText: "one dot", width: 1, height: 1 },
    ]);
    expect(one.data).toEqual({ mediaKey: key, type: "photo", altText: "one dot" });
    expect(some.data).toEqual([{ mediaKey: key, type: "photo" }]);
  });

  it("uploads a picture in chunks and sends it in a message", async () => {
    const { media, directMessages } = fixture.personClient;
    const begun = await media.initializeUpload({
      mediaType: "image/png",
      totalBytes: PNG.length,
      mediaCategory: "dm_image",
    });
    const id = present(begun.data?.id);
    const appended = await media.appendUpload(id, { media: BASE64, segmentIndex: 0 });
    const finalized = await media.finalizeUpload(id);
    const status = await media.getUploadStatus(id, { command: "STATUS" });
    await directMessages.createByParticipantId(fixture.bot, { attachments: [{ mediaId: id }] });
    const { data, includes } = await fixture.botClient.directMessages.getEvents({
      maxResults: 1,
      dmEventFields: ["attachments"],
      expansions: ["attachments.media_keys"],
    });

    expect(appended.data?.expiresAt).toBeGreaterThan(0);
    expect(finalized.data).toMatchObject({ id, size: PNG.length });
    expect(status.data).toMatchObject({ id, size: PNG.length });
    expect(data).toMatchObject([{ attachments: { mediaKeys: [finalized.data?.mediaKey] } }]);
    expect(includes?.media).toMatchObject([{ type: "photo" }]);
  });

  it("downloads the picture of a message, as only its participants can", async () => {
    const { media, directMessages } = fixture.botClient;
    const upload = await media.upload({ media: BASE64, mediaCategory: "dm_image" });
    const attachments = [{ mediaId: present(upload.data?.id) }];
    await directMessages.createByParticipantId(fixture.person, { attachments });
    const { includes } = await fixture.personClient.directMessages.getEvents({
      maxResults: 1,
      expansions: ["attachments.media_keys"],
      mediaFields: ["url"],
    });
    const path = new URL(Object(includes?.media?.[0]).url).pathname;
    const [message = "", medium = "", file = ""] = path.split("/").slice(-3);
    const download = async (client: Client): Promise<Buffer> =>
      Buffer.from(await client.directMessages.dmConversationsMediaDownload(message, medium, file));
    const { url: baseUrl } = fixture.sandbox;
    const stranger = new Client({ baseUrl, accessToken: await userToken(fixture, third) });
    const withoutScope = new Client({
      baseUrl,
      accessToken: await userToken(fixture, fixture.person, ["tweet.read", "users.read"]),
    });

    expect(await download(fixture.personClient)).toEqual(PNG);
    await expect(download(stranger)).rejects.toMatchObject({ status: 404 });
    await expect(download(withoutScope)).rejects.toMatchObject({ status: 403 });
  });
});
