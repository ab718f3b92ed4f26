import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import { PlatformError, UnreachableError } from "../../src/client/errors.ts";
import { stubServer, type StubServer } from "./support/stub-server.ts";

const CALLS = 200;

/** What the platform does to the nth try of a call, drawn from the call's number. */
type Fault = "429" | "503" | "cut" | "cut-after" | "slow" | "none";
const FAULTS: readonly Fault[] = ["none", "429", "503", "cut", "cut-after", "slow", "none"];

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", note));
afterAll(() => void process.off("unhandledRejection", note));

let server: StubServer;
afterEach(() => server.close());

const executed = new Map<string, number>();
const tries = new Map<string, number>();

function plan(call: number, nth: number): Fault {
  return nth >= 3 ? "none" : (FAULTS[(call + nth * 3) % FAULTS.length] ?? "none");
}

/** A platform that counts what it carried out, whether or not it got to say so. */
async function crowdedPlatform(): Promise<StubServer> {
  return stubServer((request) => {
    const key = request.method === "POST" ? request.body : request.target;
    const nth = (tries.get(key) ?? 0) + 1;
    tries.set(key, nth);
    const fault = plan(Number(/\d+/.exec(key.replace("/2/", ""))?.[0] ?? 0), nth);
    if (fault === "429") return { status: 429, body: { title: "Too Many Requests" } };
    if (fault === "cut") return (_response, socket) => socket.destroy();
    executed.set(key, (executed.get(key) ?? 0) + 1);
    if (fault === "503") return { status: 503, body: {} };
    if (fault === "cut-after") return (_response, socket) => socket.destroy();
    if (fault === "slow") return () => undefined;
    return { body: { data: { id: key.replace(/\D/g, "").slice(0, 19), text: "done" } } };
  });
}

async function crowd() {
  executed.clear();
  tries.clear();
  server = await crowdedPlatform();
  return createClient({
    baseUrl: server.url,
    timeoutMs: 1_000,
    retry: { tries: 15, baseMs: 1, maxMs: 5 },
    credentials: {
      type: "oauth1",
      consumerKey: "key",
      consumerSecret: "secret",
      accessToken: "42-token",
      accessTokenSecret: "secret",
    },
  });
}

/** What an error says of whether the call was carried out. */
function knownOf(error: unknown): string {
  if (error instanceof UnreachableError) return error.sent;
  if (error instanceof PlatformError) return error.executed === "unknown" ? "maybe" : "no";
  throw error;
}

describe(`${CALLS} calls at once on a platform that fails in every way`, () => {
  it("carries no write out twice, and every write ends in an answer or an error that says what is known", async () => {
    const client = await crowd();
    const numbers = Array.from({ length: CALLS }, (_, index) => index);
    const ends = await Promise.allSettled(
      numbers.map((call) => client.posts.create({ text: `call ${call}` })),
    );
    expect(ends).toHaveLength(CALLS);
    const outcomes = ends.map((end, call) => {
      const times = executed.get(JSON.stringify({ text: `call ${call}` })) ?? 0;
      return { times, told: end.status === "fulfilled" ? "done" : knownOf(end.reason) };
    });
    const honest = ["done 1", "maybe 0", "maybe 1", "no 0"];
    const ended = outcomes.map(({ told, times }) => `${told} ${times}`);
    expect(ended.filter((end) => !honest.includes(end))).toEqual([]);
    expect(ended).toEqual(expect.arrayContaining(["done 1", "maybe 0", "maybe 1"]));
    expect(unhandled).toEqual([]);
  });

  it("brings every read home", async () => {
    const client = await crowd();
    const numbers = Array.from({ length: CALLS }, (_, index) => index + 1);
    const posts = await Promise.all(numbers.map((call) => client.posts.get(String(call))));
    expect(posts).toHaveLength(CALLS);
    expect(posts.every(({ data }) => data.text === "done")).toBe(true);
    expect(unhandled).toEqual([]);
  });
});
