import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { PlatformError, UnreachableError } from "../../../src/client/errors.ts";
import { world, type World } from "../support/world.ts";

const CALLS = 200;

/**
 * Faults of the sandbox, with the share of requests that each affects. Of two faults, the later one applies only to
 * requests that the earlier one has not affected.
 */
const FAULTS = [
  { fault: { type: "limit" }, probability: 0.15 },
  { fault: { type: "status", status: 503 }, probability: 0.1 },
  { fault: { type: "cut" }, probability: 0.1 },
  { fault: { type: "cut_after" }, probability: 0.1 },
  { fault: { type: "delay", ms: 300 }, probability: 0.05 },
  { fault: { type: "timeout" }, probability: 0.05 },
] as const;

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

let here: World;
let client: Client<"oauth1">;
beforeAll(async () => {
  process.on("unhandledRejection", note);
  here = await world();
  await here.sandbox.control.call("PATCH", "/settings", { limits: { enabled: false } });
  client = createClient({
    baseUrl: here.sandbox.url,
    credentials: here.credentials,
    // Long enough for 200 concurrent calls on a busy machine. Only calls with the fault `timeout` last this long.
    timeoutMs: 10_000,
    // The sandbox asks clients to wait a quarter of an hour. The test enforces no limits, so each wait ends at once.
    clock: { now: () => Date.now(), sleep: () => new Promise(setImmediate) },
    retry: { tries: 25, maxResetWaitMs: 3_600_000 },
  });
});
afterAll(async () => {
  await client.close();
  await here.close();
  process.off("unhandledRejection", note);
});

/**
 * Runs calls while the sandbox fails in every way. Fails if one of the faults never occurred, because the test would
 * then prove nothing.
 */
async function amidFaults<T>(method: string, run: () => Promise<T>): Promise<T> {
  const { control } = here.sandbox;
  for (const { fault, probability } of FAULTS) {
    const when = { probability, seed: fault.type };
    const match = { direction: "request", method, path: "/2/*" };
    await control.post("/faults", { match, fault, when });
  }
  const ran = await run();
  const { faults } = await control.get<{ faults: { hits: number }[] }>("/faults");
  await control.call("DELETE", "/faults");
  expect(faults.map(({ hits }) => hits > 0)).toEqual(FAULTS.map(() => true));
  return ran;
}

/** Whether the platform executed a write, according to its error. @throws an error that no fault explains */
function knownOf(error: unknown): "no" | "maybe" {
  if (error instanceof UnreachableError) return error.sent;
  if (error instanceof PlatformError && (error.status === 429 || error.status === 503)) {
    return error.executed === "unknown" ? "maybe" : "no";
  }
  throw error;
}

/** A kind of write, and the texts that the sandbox has stored. A text that was written twice is in the list twice. */
interface Kind {
  readonly what: string;
  readonly write: (text: string) => Promise<unknown>;
  readonly held: () => Promise<string[]>;
}

const KINDS: readonly Kind[] = [
  {
    what: "posts",
    write: (text) => client.posts.create({ text }),
    held: async () => {
      const texts = [];
      for await (const { text } of client.timelines.posts(here.botId)) texts.push(text);
      return texts;
    },
  },
  {
    what: "messages",
    write: (text) => client.dms.send({ participantId: here.personId, text }),
    held: async () => {
      const texts = [];
      for await (const { text } of client.dms.eventsWith(here.personId)) texts.push(text ?? "");
      return texts;
    },
  },
];

describe(`${CALLS} calls at once, whatever the platform does`, () => {
  it.each(KINDS)("write each of the $what exactly once", async ({ what, write, held }) => {
    const texts = Array.from({ length: CALLS }, (_, nth) => `${what} of the crowd, ${nth}`);
    const ends = await amidFaults("POST", () => Promise.allSettled(texts.map(write)));
    const posts = await held();
    const ended = ends.map((end, nth) => {
      const times = posts.filter((text) => text === texts[nth]).length;
      return `${end.status === "fulfilled" ? "done" : knownOf(end.reason)}, ${times} held`;
    });
    const honest = ["done, 1 held", "maybe, 0 held", "maybe, 1 held"];
    expect(ended).toHaveLength(CALLS);
    expect(ended.filter((end) => !honest.includes(end))).toEqual([]);
    expect(ended).toEqual(expect.arrayContaining(honest));
    expect(unhandled).toEqual([]);
  });

  it("complete every read", async () => {
    const answers = await amidFaults("GET", () =>
      Promise.all(Array.from({ length: CALLS }, () => client.users.get(here.personId))),
    );
    expect(answers.filter(({ data }) => data.username === "alice")).toHaveLength(CALLS);
    expect(unhandled).toEqual([]);
  });

  it("complete every deletion, or find that an attempt without an answer has done it", async () => {
    const created = await Promise.all(
      Array.from({ length: CALLS }, (_, nth) => here.bot.posts.create({ text: `to go, ${nth}` })),
    );
    const ends = await amidFaults("DELETE", () =>
      Promise.all(created.map(({ id }) => client.posts.delete(id).catch(goneBefore))),
    );
    expect(ends.filter(({ deleted }) => deleted)).toHaveLength(CALLS);
    const { data } = await client.posts.lookup(created.slice(0, 100).map(({ id }) => id));
    expect(data).toEqual([]);
    expect(unhandled).toEqual([]);
  });
});

function goneBefore(error: unknown): { deleted: boolean } {
  if (error instanceof PlatformError && error.notFound) {
    return { deleted: error.refusal.afterUnknown };
  }
  throw error;
}
