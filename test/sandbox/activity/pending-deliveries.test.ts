import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

let fixture: TestSandbox;
let webhook: string;
let ben: string;
beforeEach(async () => {
  fixture = await startTestSandbox();
  webhook = await fixture.subscribed();
  ben = await fixture.sandbox.control.user("ben");
});
afterEach(() => fixture.close());

const message = (from: string, text: string): Promise<{ id: string }> =>
  fixture.sandbox.control.act(from, { type: "dm", to: fixture.bot, text });
const texts = (): string[] =>
  fixture.received.map(({ raw }) => /"text":"([^"]*)"/.exec(raw)?.[1] ?? "");

it("a delivery that waits for a retry does not hold up deliveries about other people", async () => {
  fixture.answers.statuses = [503];
  await message(fixture.person, "refused");
  await fixture.idle();

  await message(ben, "hello");
  await fixture.idle();

  expect(texts()).toEqual(["hello"]);
});

it("keeps the order of one person's actions of any kind", async () => {
  const { control } = fixture.sandbox;
  fixture.answers.statuses = [503];
  await message(fixture.person, "refused");
  await control.act(fixture.person, { type: "post", text: "@hello_bot hi" });
  await control.act(fixture.person, { type: "follow", user_id: fixture.bot });
  await fixture.idle();
  expect(fixture.received).toEqual([]);

  await control.advance(3_000);

  expect(fixture.received.map(({ body }) => Object.keys(body).sort()[0])).toEqual([
    "apps",
    "for_user_id",
    "follow_events",
  ]);
});

it("keeps the order of both sides of a conversation", async () => {
  const { control } = fixture.sandbox;
  fixture.answers.statuses = [503];
  await message(fixture.person, "question");
  await control.act(fixture.bot, { type: "dm", to: fixture.person, text: "answer" });
  await fixture.idle();
  expect(texts()).toEqual([]);

  await control.advance(3_000);

  expect(texts()).toEqual(["question", "answer"]);
});

it("lists deliveries that are not over, with the time of the retry that each waits for", async () => {
  const { control } = fixture.sandbox;
  await control.freezeClock(true);
  fixture.answers.statuses = [503];
  const first = await message(fixture.person, "refused");
  const second = await message(fixture.person, "behind it");
  await message(ben, "hello");
  await fixture.idle();
  const now = Date.parse((await control.clock()).now);
  const retryAt = new Date(now + 3_000).toISOString();

  const common = { webhook_id: webhook, for_user_id: fixture.bot, retry_at: retryAt };
  expect(await control.pendingDeliveries()).toEqual([
    {
      ...common,
      activity_id: expect.any(String),
      kind: "message",
      by: fixture.person,
      ref: first.id,
      attempts: 1,
    },
    {
      ...common,
      activity_id: expect.any(String),
      kind: "message",
      by: fixture.person,
      ref: second.id,
      attempts: 0,
    },
  ]);

  await control.advance(3_000);
  expect(await control.pendingDeliveries()).toEqual([]);
});
