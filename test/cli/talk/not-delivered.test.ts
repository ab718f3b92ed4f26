import { expect, it, test } from "vitest";
import { notDeliveredInWords, pendingLine } from "../../../src/cli/talk/not-delivered.ts";
import type { PendingDelivery } from "../../../src/sandbox/control/objects.ts";

const pending = (more: Partial<PendingDelivery>): PendingDelivery => ({
  activity_id: "9",
  kind: "message",
  by: "2",
  ref: "3",
  webhook_id: "7",
  for_user_id: "1",
  attempts: 2,
  retry_at: "2030-01-31T09:00:16.400Z",
  ...more,
});
const clock = { now: "2030-01-31T09:00:00.000Z", frozen: false };
const dm = { kind: "dm", account: "1", person: "2", keyBegins: "message:3" } as const;

test.each([
  {
    why: "its own retry",
    said: dm,
    of: {},
    frozen: false,
    says: "not delivered yet: the bot refused it or was away, and the platform retries in 17 s; have it at once with: answerback clock +17s",
  },
  {
    why: "an earlier event of the person",
    said: dm,
    of: { attempts: 0 },
    frozen: false,
    says: "not delivered yet: the platform first retries an earlier event of this person, in 17 s; have it at once with: answerback clock +17s",
  },
  {
    why: "a clock that stands still",
    said: dm,
    of: { retry_at: "2030-01-31T09:04:02.000Z" },
    frozen: true,
    says: "not delivered yet: the bot refused it or was away, and the platform retries in 4 min 2 s of the sandbox's clock, which is paused; have it at once with: answerback clock +242s",
  },
  {
    why: "a follow, which has no id of its own",
    said: { kind: "follow", account: "1", person: "2", keyBegins: "follow:2>" } as const,
    of: { kind: "follow", ref: undefined } as unknown as Partial<PendingDelivery>,
    frozen: false,
    says: "not delivered yet: the bot refused it or was away, and the platform retries in 17 s; have it at once with: answerback clock +17s",
  },
])("an event that is not delivered waits for $why", ({ said, of, frozen, says }) => {
  const waiting = { deliveries: [pending(of)], clock: { ...clock, frozen } };

  expect(notDeliveredInWords(said, waiting)).toBe(says);
});

test.each([
  { why: "another message", of: { ref: "4" } },
  { why: "another person", of: { by: "5" } },
  { why: "another account", of: { for_user_id: "6" } },
])("a delivery of $why is no reason", ({ of }) => {
  expect(notDeliveredInWords(dm, { deliveries: [pending(of)], clock })).toBeUndefined();
});

it("the line of the status counts waiting deliveries, and names the first retry", () => {
  const later = pending({ retry_at: "2030-01-31T09:00:30.000Z" });

  expect(pendingLine({ deliveries: [later, pending({})], clock })).toBe(
    "2 events not delivered yet, first retry by the platform in 17 s; at once with: answerback clock +17s",
  );
  expect(pendingLine({ deliveries: [], clock })).toBeUndefined();
});
