import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { UsageError } from "../../../src/errors.ts";
import { PNG } from "../../sandbox/media/media-uploader.ts";
import { failureOf, type World, world } from "../support/world.ts";

let here: World;
let quotePostId: string;
beforeAll(async () => {
  here = await world();
  ({ id: quotePostId } = await here.bot.posts.create({ text: "our opening hours" }));
});
afterAll(() => here.close());

async function requestCount(): Promise<number> {
  const { exchanges } = await here.sandbox.control.get<{ exchanges: readonly unknown[] }>(
    "/exchanges?limit=1000",
  );
  return exchanges.length;
}

const poll = { options: ["yes", "no"], durationMinutes: 5 };

describe("a new post", () => {
  test.each([
    { post: () => ({}), why: "it is empty" },
    { post: () => ({ text: " " }), why: "its text is blank" },
    { post: () => ({ quotePostId }), why: "it is a quote without text" },
    { post: () => ({ quotePostId, text: "" }), why: "it is a quote with an empty text" },
    { post: () => ({ replyTo: quotePostId }), why: "it is a reply without text" },
  ])("is refused before a request if $why", async ({ post }) => {
    const before = await requestCount();
    const error = await failureOf(here.bot.posts.create(post()));

    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ message: "a post has neither text, media nor a poll" });
    expect(await requestCount()).toBe(before);
  });

  it.each([
    { post: () => ({ quotePostId, text: "Look here." }), why: "a quote with text" },
    { post: () => ({ poll }), why: "a poll without text" },
  ])("is published: $why", async ({ post }) => {
    expect(await here.bot.posts.create(post())).toMatchObject({ id: expect.any(String) });
  });
});

describe("a new message", () => {
  it("is refused before a request without text and medium", async () => {
    const participantId = here.personId;
    const before = await requestCount();

    expect(await failureOf(here.bot.dms.send({ participantId, text: "" }))).toBeInstanceOf(
      UsageError,
    );
    expect(await requestCount()).toBe(before);
  });

  it("is sent with a medium and an empty text, which the platform would refuse", async () => {
    const participantId = here.personId;
    const { id: mediaId } = await here.bot.media.upload({
      media: PNG,
      mediaType: "image/png",
      category: "dm_image",
    });

    expect(await here.bot.dms.send({ participantId, text: "", mediaId })).toMatchObject({
      dm_event_id: expect.any(String),
    });
  });
});
