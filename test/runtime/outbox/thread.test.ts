import { describe, expect, test } from "vitest";
import type { Action } from "../../../src/actions/actions.ts";
import { placeInThread } from "../../../src/runtime/outbox/thread.ts";
import type { Item, ItemStatus } from "../../../src/runtime/store/item.ts";

const itemOf = (id: number, action: Action, over: Partial<Item> = {}): Item => ({
  id,
  key: `part ${id}`,
  run: "1/rule:long#",
  seq: 1,
  account: "100",
  lane: "100/200",
  action,
  notBefore: 0,
  partition: 0,
  status: "pending",
  attempts: 0,
  ...over,
});

const MESSAGE: Action = { type: "reply_dm", to: "200", text: "hello" };
const POST: Action = { type: "create_post", to: "100", text: "hello" };

describe("a further part of a text", () => {
  const placed = async (action: Action, before: Partial<Item>) => {
    const first = itemOf(1, action, before);
    const further = itemOf(2, { ...action, after: first.key } as Action);
    const place = await placeInThread({ items: () => Promise.resolve([further, first]) }, further);
    return { ...place, ...("item" in place && { item: place.item.action }) };
  };

  test.each<{ status: ItemStatus; platformId?: string }>([
    { status: "sent", platformId: "900" },
    { status: "unknown" },
  ])("is a message that is sent after one that is $status", async (before) => {
    const item = { ...MESSAGE, after: "part 1" };
    expect(await placed(MESSAGE, before)).toEqual({ kind: "ready", item });
  });

  test.each([
    { status: "failed", kind: "given-up", reason: "not sent: part 1 of the message failed: 403" },
    {
      status: "expired",
      kind: "given-up",
      reason: "not sent: part 1 of the message was given up: 403",
    },
    {
      status: "held",
      kind: "held",
      reason: "waits for part 1 of the message, which is held back: 403",
    },
  ] as const)(
    "is a message that is not sent after one that is $status",
    async ({ status, ...place }) => {
      expect(await placed(MESSAGE, { status, reason: "403" })).toEqual(place);
    },
  );

  test("is a post that replies to the post before it", async () => {
    const item = { type: "reply_post", inReplyTo: "900", to: "100", text: "hello" };
    expect(await placed(POST, { status: "sent", platformId: "900" })).toEqual({
      kind: "ready",
      item,
    });
  });

  test("is a post that is not sent after one of unknown outcome, because the id is missing", async () => {
    expect(await placed(POST, { status: "unknown" })).toEqual({
      kind: "given-up",
      reason: "not sent: post 1 of the thread may have been published; its outcome is unknown",
    });
  });
});
