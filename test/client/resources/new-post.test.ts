import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { UsageError } from "../../../src/errors.ts";
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
