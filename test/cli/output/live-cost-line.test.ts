import { expect, it, test } from "vitest";
import { liveCostLine } from "../../../src/cli/output/live-cost-line.ts";

const messages = {
  endpoint: "POST /2/dm_conversations/with/:participant_id/messages",
  by: "user",
  who: "1",
  window_ms: 900_000,
  limit: 15,
  most: 4,
  over: 0,
} as const;
const app = {
  ...messages,
  endpoint: "GET /2/users",
  by: "app",
  limit: 300,
  most: 301,
  over: 1,
} as const;
const handleOf = (id: string): string | undefined => (id === "1" ? "hello_bot" : undefined);
const OFF = "off in this sandbox; answerback dev --limits turns them on";

test.each([
  { why: "no request", requests: [], says: OFF },
  {
    why: "requests below the limits",
    requests: [messages],
    says: `${OFF}. Closest to a limit of the live platform in this hour: 4 of 15 in 15 min for ${messages.endpoint} by @hello_bot`,
  },
  {
    why: "requests above two limits",
    requests: [{ ...messages, who: "2", most: 20, over: 5 }, app],
    says: `${OFF}. This hour would have exceeded on the live platform: 20 of 15 in 15 min for ${messages.endpoint} by @2, and 1 more limit`,
  },
  {
    why: "a request above a limit of the app alone",
    requests: [messages, app],
    says: `${OFF}. This hour would have exceeded on the live platform: 301 of 300 in 15 min for GET /2/users by the app`,
  },
])("limits that are off are shown with what live would cost: $why", ({ requests, says }) => {
  expect(liveCostLine({ enabled: false, requests }, handleOf)).toBe(says);
});

it("limits that are on are enforced: nothing is compared", () => {
  expect(liveCostLine({ enabled: true, requests: [app] }, handleOf)).toBeUndefined();
});
