import { expect, it } from "vitest";
import { RequestCounts } from "../../../../src/sandbox/kernel/http/request-counts.ts";

it("keep the limits that are in use when there are too many, and drop the idle ones", () => {
  const counts = new RequestCounts();
  const add = (who: string): void =>
    counts.add({ endpoint: "GET /2/users/me", by: "user", who, windowMs: 900_000, limit: 75 }, 0);
  for (let n = 0; n < 10_001; n += 1) {
    if (n % 1_000 === 0) add("busy");
    add(`person ${n}`);
  }

  const most = new Map(counts.costs(0).map((cost) => [cost.who, cost.most]));
  expect(most.size).toBe(10_000);
  expect(most.get("busy")).toBe(11);
  expect(most.has("person 0")).toBe(false);
});
