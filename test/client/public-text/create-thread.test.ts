import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createThread,
  type PostThreadOptions,
  ThreadError,
} from "../../../src/client/public-text/create-thread.ts";
import { splitPost } from "../../../src/client/public-text/split-post.ts";
import { PlatformError } from "../../../src/client/errors.ts";
import { UsageError } from "../../../src/errors.ts";
import { failureOf, type World, world } from "../support/world.ts";

const LONG = Array.from({ length: 30 }, (_, n) => `Sentence ${n} of a long story.`).join(" ");

interface Row {
  readonly id: string;
  readonly text: string;
  readonly replyTo?: string;
}

describe.each(["post", "tweet"] as const)("createThread in the %s dialect", (dialect) => {
  let here: World;
  beforeAll(async () => {
    here = await world(dialect);
  });
  afterAll(() => here.close());

  /** Posts of the bot in the sandbox, oldest first. */
  async function posted(): Promise<readonly Row[]> {
    const { tables } = await here.sandbox.control.get<{
      tables: { posts: readonly (Row & { readonly authorId: string })[] };
    }>("/state");
    return tables.posts
      .filter(({ authorId }) => authorId === here.botId)
      .map(({ id, text, replyTo }) => ({ id, text, ...(replyTo !== undefined && { replyTo }) }));
  }

  it("publishes the parts of a long text, each as a reply to the one before", async () => {
    const before = (await posted()).length;
    const posts = await createThread(here.bot, LONG);

    const rows = (await posted()).slice(before);
    expect(rows.map(({ text }) => text)).toEqual(splitPost(LONG));
    expect(rows.map(({ id }) => id)).toEqual(posts.map(({ id }) => id));
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.map(({ replyTo }) => replyTo)).toEqual([
      undefined,
      ...posts.slice(0, -1).map(({ id }) => id),
    ]);
  });

  it("publishes a list of texts unchanged, below a post", async () => {
    const question = await here.person.posts.create({ text: `A question in ${dialect}` });
    const before = (await posted()).length;
    const [first, second] = await createThread(here.bot, ["First.", "Second."], {
      replyTo: question.id,
    });

    expect((await posted()).slice(before)).toEqual([
      { id: first?.id, text: "First.", replyTo: question.id },
      { id: second?.id, text: "Second.", replyTo: first?.id },
    ]);
  });

  it("stops at a refused third part with the earlier ids, the reason, and the remaining texts", async () => {
    const before = (await posted()).length;
    const parts = ["Part one.", "Part two.", "x".repeat(281), "Part four."];
    const error = await failureOf(createThread(here.bot, parts, { limit: 25_000 }));

    if (!(error instanceof ThreadError)) throw error;
    const rows = (await posted()).slice(before);
    const ids = rows.map(({ id }) => id);
    expect(rows.map(({ text }) => text)).toEqual(parts.slice(0, 2));
    expect(error.createdIds).toEqual(ids);
    expect(error.remainingTexts).toEqual(parts.slice(2));
    expect(error.cause).toBeInstanceOf(PlatformError);
    expect(error).toMatchObject({ code: "thread-incomplete", executed: "no", retryable: false });
    expect(error.message).toMatch(/^part 3 of 4 was not published: .*longer than 280 characters/);
    expect(error.message).toContain(`published before it: ${ids.join(", ")}`);

    expect(error.hint).toBe(
      `remove the cause, then go on with createThread(client, error.remainingTexts, { replyTo: "${ids[1]}", limit: 25000 })`,
    );

    // follows the hint: as a Premium account, the bot can publish the long part
    await here.sandbox.control.changeUser(here.botId, { subscription_type: "Premium" });
    const rest = await createThread(here.bot, error.remainingTexts, {
      replyTo: ids[1],
      limit: 25_000,
    });
    await here.sandbox.control.changeUser(here.botId, { subscription_type: "None" });
    expect((await posted()).slice(before).map(({ text }) => text)).toEqual(parts);
    expect((await posted()).at(-2)).toMatchObject({ id: rest[0]?.id, replyTo: ids[1] });
  });

  it("names the call that goes on after a refusal that ends by itself, with the default limit", async () => {
    const before = (await posted()).length;
    await here.sandbox.control.addFault({
      match: { direction: "request", method: "POST", path: "/2/posts" },
      fault: { type: "status", status: 429 },
      when: { every: 2 },
    });
    const parts = ["First of three.", "Second of three.", "Third of three."];
    const error = await failureOf(createThread(here.bot, parts));
    await here.sandbox.control.clearFaults();

    if (!(error instanceof ThreadError)) throw error;
    const ids = (await posted()).slice(before).map(({ id }) => id);
    expect(error).toMatchObject({
      executed: "no",
      hint: `go on with createThread(client, error.remainingTexts, { replyTo: "${ids[0]}" })`,
    });
    await createThread(here.bot, error.remainingTexts, { replyTo: ids[0] });
    expect((await posted()).slice(before).map(({ text }) => text)).toEqual(parts);
  });

  /** Publishes texts while the platform cuts off the answer to every `every`th post, after publishing it. */
  async function cutOff(
    every: number,
    ...call: readonly [texts: readonly string[], options?: PostThreadOptions]
  ): Promise<ThreadError> {
    await here.sandbox.control.addFault({
      match: { direction: "request", method: "POST", path: "/2/posts" },
      fault: { type: "cut_after" },
      when: { every },
    });
    const error = await failureOf(createThread(here.bot, ...call));
    await here.sandbox.control.clearFaults();
    if (!(error instanceof ThreadError)) throw error;
    expect(error).toMatchObject({ executed: "unknown", retryable: false });
    return error;
  }

  it("goes on after the answer to a part was cut off, by the hint", async () => {
    const before = (await posted()).length;
    const parts = ["One of 3.", "Two of 3.", "Three of 3."];
    const error = await cutOff(2, parts);

    const rows = (await posted()).slice(before);
    expect(rows.map(({ text }) => text)).toEqual(["One of 3.", "Two of 3."]);
    expect(error.createdIds).toEqual([rows[0]?.id]);
    expect(error.message).toMatch(/^part 2 of 3 may not have been published: /);
    expect(error.hint).toBe(
      `look at the account's timeline first: if error.remainingTexts[0] is there, go on with createThread(client, error.remainingTexts.slice(1), { replyTo: "ID" }), where ID is the id of its post, else with createThread(client, error.remainingTexts, { replyTo: "${rows[0]?.id}" })`,
    );

    await createThread(here.bot, error.remainingTexts.slice(1), { replyTo: rows[1]?.id });
    const all = (await posted()).slice(before);
    expect(all.map(({ text }) => text)).toEqual(parts);
    expect(all.at(-1)?.replyTo).toBe(rows[1]?.id);
  });

  it("names the answered post and the limit if the outcome of the first part is unknown", async () => {
    const question = await here.person.posts.create({ text: `Another question in ${dialect}` });
    const parts = ["The first part.", "The last part."];
    const { hint } = await cutOff(1, parts, { replyTo: question.id, limit: 25_000 });

    expect(hint).toBe(
      `look at the account's timeline first: if error.remainingTexts[0] is there, go on with createThread(client, error.remainingTexts.slice(1), { replyTo: "ID", limit: 25000 }), where ID is the id of its post, else with createThread(client, error.remainingTexts, { replyTo: "${question.id}", limit: 25000 })`,
    );
  });

  it("names no further part if the outcome of the last part is unknown", async () => {
    const { hint } = await cutOff(1, ["The only part."]);

    expect(hint).toBe(
      "look at the account's timeline first: if error.remainingTexts[0] is there, the thread is complete, else go on with createThread(client, error.remainingTexts)",
    );
  });

  it.each([
    { texts: "  ", said: /no text/, why: "a text of white space" },
    { texts: [], said: /no text/, why: "no texts" },
    { texts: ["a", " "], said: /part 2 is empty/, why: "an empty part" },
    {
      texts: ["a", "茶".repeat(141)],
      said: /part 2 is 282 weighted characters \(limit 280\)/,
      why: "a long part",
    },
  ])("publishes nothing of $why", async ({ texts, said }) => {
    const before = (await posted()).length;
    const error = await failureOf(createThread(here.bot, texts));

    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toMatch(said);
    expect((await posted()).length).toBe(before);
  });
});

it.each([0, 22, 2.5, Number.NaN])("a limit of %d is refused", (limit) => {
  expect(() => splitPost("hello", limit)).toThrow(UsageError);
});
