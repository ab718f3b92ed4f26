import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

let fixture: TestSandbox;
beforeEach(async () => {
  fixture = await startTestSandbox();
});
afterEach(() => fixture.close());

const strike = (fault: Record<string, unknown>, match: Record<string, unknown> = {}): unknown =>
  fixture.sandbox.control.post("/faults", {
    match: { direction: "request", method: "POST", path: "/2/posts", ...match },
    fault,
  });

async function posted(): Promise<string[]> {
  const { tables } = await fixture.sandbox.control.get<{ tables: { posts: { text: string }[] } }>(
    "/state",
  );
  return tables.posts.map(({ text }) => text);
}

const post = (text: string): ReturnType<TestSandbox["asBot"]> =>
  fixture.asBot("POST", "/2/posts", { text });

describe("a fault of a request", () => {
  it.each(["delay", "reorder"])("%s lets what is sent after it happen before it", async (type) => {
    await strike({ type, ms: 300 });

    const late = post("first");
    // The fault has struck once it counts a hit.
    for (let hits = 0; hits === 0;) {
      const { faults } = await fixture.sandbox.control.get<{ faults: { hits: number }[] }>(
        "/faults",
      );
      hits = faults[0]?.hits ?? 0;
    }
    expect((await post("second")).status).toBe(201);
    expect((await late).status).toBe(201);

    expect(await posted()).toEqual(["second", "first"]);
  });

  it("duplicate does the work again and answers what the last one answered", async () => {
    await strike({ type: "duplicate", n: 2 }, { path: "/2/dm_conversations/*" });

    const path = `/2/dm_conversations/with/${fixture.person}/messages`;
    expect((await fixture.asBot("POST", path, { text: "twice" })).status).toBe(201);

    const events = await fixture.asBot(
      "GET",
      `/2/dm_conversations/with/${fixture.person}/dm_events`,
    );
    expect(events.body["meta"]).toMatchObject({ result_count: 2 });
  });

  it("timeout holds the request, then cuts it", async () => {
    await strike({ type: "timeout", ms: 20 });

    await expect(post("never")).rejects.toThrow("fetch failed");
    expect(await posted()).toEqual([]);
  });

  it("strikes every k-th time, of the account named only", async () => {
    await fixture.sandbox.control.post("/faults", {
      match: { direction: "request", path: "/2/users/me", account: fixture.bot },
      fault: { type: "status" },
      when: { every: 2 },
    });
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      statuses.push((await fixture.asBot("GET", "/2/users/me")).status);
      expect((await fixture.asUser(fixture.person, "GET", "/2/users/me")).status).toBe(200);
    }

    expect(statuses).toEqual([200, 503, 200, 503]);
  });

  it("strikes with a probability that its seed makes the same every time", async () => {
    const run = async (): Promise<number[]> => {
      await fixture.sandbox.control.call("DELETE", "/faults");
      await fixture.sandbox.control.post("/faults", {
        match: { direction: "request", path: "/2/webhooks" },
        fault: { type: "status", status: 500 },
        when: { probability: 0.5, seed: 7 },
      });
      const statuses: number[] = [];
      for (let count = 0; count < 12; count += 1) {
        statuses.push((await fixture.asApp("GET", "/2/webhooks")).status);
      }
      return statuses;
    };
    const first = await run();

    expect(new Set(first)).toEqual(new Set([200, 500]));
    expect(await run()).toEqual(first);
  });
});
