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

/** Returns the statuses of all requests with this HTTP method, in the order of the sandbox's event stream. */
async function arrivals(method: string): Promise<number[]> {
  const abort = new AbortController();
  const { url, token } = fixture.sandbox.control;
  const answer = await fetch(`${url}/events`, {
    headers: { authorization: `Bearer ${token}`, "last-event-id": "0" },
    signal: abort.signal,
  });
  await fixture.sandbox.control.act(fixture.person, { type: "post", text: "the end" });
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += new TextDecoder().decode(chunk);
    if (text.includes('"kind":"post"') || text.includes("event: activity")) break;
  }
  abort.abort();
  return [...text.matchAll(/^data: (.*)$/gm)]
    .map(([, line]) => JSON.parse(line ?? "") as { type: string; data: Record<string, unknown> })
    .filter(({ type, data }) => type === "request" && data["method"] === method)
    .map(({ data }) => Number(data["status"]));
}

const post = (text: string): ReturnType<TestSandbox["asBot"]> =>
  fixture.asBot("POST", "/2/posts", { text });

describe("a fault of a request", () => {
  it.each(["delay", "reorder"])("%s delays a request behind later ones", async (type) => {
    // The delay is in real time, so it must be longer than the second request takes; a slow machine needs a longer one.
    for (const ms of [300, 3_000, 30_000]) {
      await strike({ type, ms });
      const startedAt = performance.now();
      const late = post(`first, ${ms} ms`);
      // Waits until the fault has counted a hit.
      for (let hits = 0; hits === 0;) {
        const { faults } = await fixture.sandbox.control.get<{ faults: { hits: number }[] }>(
          "/faults",
        );
        hits = faults.at(-1)?.hits ?? 0;
      }
      expect((await post(`second, ${ms} ms`)).status).toBe(201);
      const wasInTime = performance.now() - startedAt < ms;
      expect((await late).status).toBe(201);
      if (!wasInTime) continue;

      expect((await posted()).slice(-2)).toEqual([`second, ${ms} ms`, `first, ${ms} ms`]);
      return;
    }
    throw new Error("each second request took longer than its delay");
  });

  it("duplicate has the same signed bytes arrive again, which the nonce refuses", async () => {
    await strike({ type: "duplicate", n: 3 }, { path: "/2/dm_conversations/*" });

    const path = `/2/dm_conversations/with/${fixture.person}/messages`;
    expect((await fixture.asBot("POST", path, { text: "once" })).status).toBe(201);

    const events = await fixture.asBot(
      "GET",
      `/2/dm_conversations/with/${fixture.person}/dm_events`,
    );
    expect(events.body["meta"]).toMatchObject({ result_count: 1 });
    expect(await arrivals("POST")).toEqual([401, 401, 201]);
  });

  it("duplicate performs a request with a bearer token twice, and answers with the first result", async () => {
    const url = "https://bot.example/hook";
    fixture.answers.secret = fixture.app.consumer_secret;
    await strike({ type: "duplicate" }, { path: "/2/webhooks" });

    const { status, body } = await fixture.asApp("POST", "/2/webhooks", { url });

    expect([status, body["data"]]).toEqual([200, expect.objectContaining({ url, valid: true })]);
    expect(await arrivals("POST")).toEqual([400, 200]);
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

  it("counts every request that matches, also one that an earlier fault strikes", async () => {
    const match = { direction: "request", path: "/2/users/me" };
    const add = (status: number, when: Record<string, number>): unknown =>
      fixture.sandbox.control.post("/faults", { match, fault: { type: "status", status }, when });
    await add(500, { next: 1 });
    await add(503, { every: 2 });
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      statuses.push((await fixture.asBot("GET", "/2/users/me")).status);
    }

    expect(statuses).toEqual([500, 503, 200, 503]);
    expect(await fixture.sandbox.control.get("/faults")).toMatchObject({
      faults: [
        { seen: 4, hits: 1 },
        { seen: 4, hits: 2 },
      ],
    });
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
