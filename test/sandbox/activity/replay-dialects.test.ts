import { afterEach, expect, test } from "vitest";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

let fixture: TestSandbox;
afterEach(() => fixture.close());

const job = {
  job_id: expect.stringMatching(/^\d+$/) as unknown,
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/) as unknown,
};

test.each([
  { dialect: "post", expected: { data: job }, why: "the newest description has an envelope" },
  { dialect: "tweet", expected: { data: job, ...job }, why: "the older one has none" },
])("POST /2/webhooks/replay reports its job in the $dialect dialect: $why", async (row) => {
  fixture = await startTestSandbox({}, { dialect: row.dialect });
  const webhook_id = await fixture.subscribed();
  await fixture.sandbox.control.post("/clock", { set: "2026-03-31T12:00:00.000Z" });

  const answer = await fixture.asApp("POST", "/2/webhooks/replay", {
    webhook_id,
    from_date: "202603311100",
    to_date: "202603311130",
  });

  expect([answer.status, answer.body]).toEqual([200, row.expected]);
});
