import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import { PlatformError, UnreachableError } from "../../src/client/errors.ts";
import { world, type World } from "./support/world.ts";

const CALLS = 200;

/** What the platform does to requests, and to which share of them. */
const FAULTS = [
  { fault: { type: "limit" }, probability: 0.15 },
  { fault: { type: "status", status: 503 }, probability: 0.1 },
  { fault: { type: "cut" }, probability: 0.1 },
  { fault: { type: "cut_after" }, probability: 0.1 },
  { fault: { type: "delay", ms: 300 }, probability: 0.05 },
] as const;

let here: World;
beforeAll(async () => {
  here = await world();
  await here.sandbox.control.call("PATCH", "/settings", { limits: { enabled: false } });
});
afterAll(() => here.close());

async function faultsOn(method: string): Promise<void> {
  for (const { fault, probability } of FAULTS) {
    const when = { probability, seed: fault.type };
    const match = { direction: "request", method, path: "/2/*" };
    await here.sandbox.control.post("/faults", { match, fault, when });
  }
}

/** What an error says of whether the post was made. */
function knownOf(error: unknown): "no" | "maybe" {
  if (error instanceof UnreachableError) return error.sent;
  if (error instanceof PlatformError && error.reason === undefined && error.status !== 403) {
    return error.executed === "unknown" ? "maybe" : "no";
  }
  throw error;
}

it(`makes none of ${CALLS} posts twice and loses none, whatever the platform does`, async () => {
  const client = createClient({
    baseUrl: here.sandbox.url,
    credentials: here.credentials,
    timeoutMs: 5_000,
    retry: { tries: 6, baseMs: 1, maxMs: 5, maxResetWaitMs: 0 },
  });
  const texts = Array.from({ length: CALLS }, (_, nth) => `post number ${nth} of the crowd`);
  await faultsOn("POST");
  const ends = await Promise.allSettled(texts.map((text) => client.posts.create({ text })));
  await here.sandbox.control.call("DELETE", "/faults");

  const made: string[] = [];
  for await (const post of client.timelines.posts(here.botId, { maxResults: 100 })) {
    made.push(post.text);
  }
  const untrue = ends.map((end, nth) => {
    const times = made.filter((text) => text === texts[nth]).length;
    if (end.status === "fulfilled") return times === 1 ? undefined : `done, ${times} made`;
    const known = knownOf(end.reason);
    return times === 0 || (times === 1 && known === "maybe")
      ? undefined
      : `${known}, ${times} made`;
  });
  expect(untrue.filter((what) => what !== undefined)).toEqual([]);
  expect(ends.filter(({ status }) => status === "rejected").length).toBeGreaterThan(0);
  expect(ends.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(CALLS / 4);
  await client.close();
});

it(`brings ${CALLS} reads home, whatever the platform does`, async () => {
  const client = createClient({
    baseUrl: here.sandbox.url,
    credentials: here.credentials,
    timeoutMs: 5_000,
    retry: { tries: 20, baseMs: 1, maxMs: 5, maxResetWaitMs: 0 },
  });
  await faultsOn("GET");
  const reads = Array.from({ length: CALLS }, () => client.users.get(here.personId));
  const answers = await Promise.all(reads);
  await here.sandbox.control.call("DELETE", "/faults");
  expect(answers.every(({ data }) => data.username === "alice")).toBe(true);
  await client.close();
});
