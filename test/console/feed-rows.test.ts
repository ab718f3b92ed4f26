import { expect, it } from "vitest";
import {
  type DeliveryAttempt,
  MAX_ROWS,
  withAttempts,
  withRuntimeEvents,
} from "../../src/console/page/pages/events/rows.ts";

const START = Date.UTC(2026, 2, 2, 9);

function attempt(seq: number, over: Partial<DeliveryAttempt> = {}): DeliveryAttempt {
  return {
    seq,
    at: new Date(START + seq * 1_000).toISOString(),
    event: "direct_message_events",
    for_user_id: "100",
    attempt: 1,
    status: 200,
    ms: 5,
    outcome: "delivered",
    replayed: false,
    activity_id: `activity ${seq}`,
    exchange: seq,
    ...over,
  };
}

const BEFORE = Array.from({ length: MAX_ROWS }, (_, n) => attempt(n + 1));

it("shows the newest first, however much there was before the page was opened", () => {
  const live = withAttempts([], [attempt(MAX_ROWS + 1)]);
  const all = withAttempts(live, BEFORE);

  expect(all).toHaveLength(MAX_ROWS);
  expect(all[0]).toBe(live[0]);
  expect(all.at(-1)?.at).toBe(START + 2_000);
});

it("keeps unchanged rows, so that they are not drawn again", () => {
  const all = withAttempts([], BEFORE);

  expect(withAttempts(all, BEFORE)).toBe(all);
  const next = withAttempts(all, [attempt(MAX_ROWS + 1)]);
  expect(next.slice(1).every((row, at) => row === all[at])).toBe(true);
});

it("adds a later attempt to its existing row, and sorts the runtime's events by time", () => {
  const refused = attempt(1, { status: 503, outcome: "refused", activity_id: "a" });
  const again = attempt(9, { attempt: 2, activity_id: "a" });
  const rows = withAttempts(withAttempts([], [refused, attempt(5)]), [again]);
  expect(rows.map((row) => (row.kind === "delivery" ? row.attempts.length : 0))).toEqual([1, 2]);

  const row = { seq: 1, at: new Date(START + 3_000).toISOString(), type: "decided", data: {} };
  const mixed = withRuntimeEvents(rows, [row as never]);
  expect(mixed.map(({ name }) => name)).toEqual([
    "direct_message_events",
    "decided",
    "direct_message_events",
  ]);
});
