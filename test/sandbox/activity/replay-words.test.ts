import { afterEach, expect, test } from "vitest";
import { stage, type Stage } from "../support/stage.ts";

let at: Stage;
afterEach(() => at.close());

const job = {
  job_id: expect.stringMatching(/^\d+$/) as unknown,
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/) as unknown,
};

test.each([
  { dialect: "post", told: { data: job }, why: "the newest description has an envelope" },
  { dialect: "tweet", told: { data: job, ...job }, why: "the older one has none" },
])("POST /2/webhooks/replay tells of its job in $dialect words: $why", async (row) => {
  at = await stage({}, { dialect: row.dialect });
  const webhook_id = await at.subscribed();
  await at.sandbox.control.post("/clock", { set: "2026-03-31T12:00:00.000Z" });

  const answer = await at.asApp("POST", "/2/webhooks/replay", {
    webhook_id,
    from_date: "202603311100",
    to_date: "202603311130",
  });

  expect([answer.status, answer.body]).toEqual([200, row.told]);
});
