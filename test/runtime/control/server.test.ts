import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createParser } from "eventsource-parser";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callRuntime } from "../../../src/runtime/control/call.ts";
import { escalationDesk } from "../../../src/runtime/control/escalation-desk.ts";
import { controlHandlers } from "../../../src/runtime/control/handlers.ts";
import { serveControl, type Control } from "../../../src/runtime/control/server.ts";
import { proofOf } from "../../../src/runtime/control/proof.ts";
import { openLog } from "../../../src/runtime/log.ts";
import {
  runtimeEvents,
  type RuntimeEvent,
  type RuntimeEvents,
} from "../../../src/runtime/runtime-events.ts";
import { secretMask } from "../../../src/system/secrets/secret-mask.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { openStore } from "../../../src/runtime/store/open.ts";
import { handClock } from "../../support/hand-clock.ts";

const SECRET = "a-secret-of-the-bot";

let folder: string;
let store: Store;
let control: Control;
let token: string;
let events: RuntimeEvents;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "control-"));
  store = await openStore(`file:${folder}`);
  events = runtimeEvents({ now: () => Date.UTC(2026, 0, 1), onListenerError: () => {} });
  const mask = secretMask();
  mask.hide(SECRET);
  control = await serveControl({
    folder,
    handlers: controlHandlers({
      limits: () => ({ budgets: [], circuits: [] }),
      store,
      status: async () => ({
        target: "sandbox",
        source: "webhook" as const,
        startedAt: "2026-01-01T00:00:00.000Z",
        now: "2026-01-01T00:00:00.000Z",
        missing: [],
        webhook: {
          listen: "127.0.0.1:1",
          url: "https://bot.example/webhook",
          valid: true,
          shedding: false,
          shed: 0,
          challenges: 0,
          deliveries: 0,
        },
        accounts: [],
        catchup: { gaps: 0 },
        rules: { count: 0, revision: "r", problems: [] },
        bots: [],
        botFaults: [],
        paused: [],
        held: [],
        givenUp: [],
        work: { partitions: 16, inputs: 0, effects: 0, sending: 0 },
        store: await store.stats(),
        process: "here",
        processes: [],
      }),
      escalations: escalationDesk({
        store,
        clock: handClock(),
        log: openLog({ level: "silent" }),
        events,
      }),
      answers: {
        answer: async () => ({ done: false, reason: "nobody writes here", hint: "wait" }),
      },
      holdBack: {
        pause: async () => ({ done: true, changed: true, paused: [{ since: "2026-01-01" }] }),
        resume: async ({ drop }) => ({
          done: true,
          changed: true,
          paused: [],
          items: drop ? 2 : 0,
        }),
      },
      backups: {
        begin: () => Promise.reject(new Error("no backup is asked for")),
        keep: () => false,
        end: async () => false,
      },
      reload: async () => ({
        revision: "r",
        changed: false,
        count: 0,
        kept: [],
        problems: [],
        bots: { count: 0, kept: [], problems: [] },
      }),
      forget: async () => ({ entries: 0, items: 0, state: 0, left: 0 }),
      catchup: {
        coverage: async () => ({ from: 0, to: 1, accounts: [] }),
        replays: () => [],
        replay: () => ({ accepted: true, ids: [1] }),
      },
      accounts: {
        link: async ({ id }) => ({ subscribed: id === "1" }),
        unlink: async (id) => {
          if (id === "fails") throw new Error(`the platform refused ${SECRET}`);
          return id === "1";
        },
      },
      items: {
        retry: async (_id, anyway) =>
          anyway
            ? { done: true, from: "unknown", to: "pending" }
            : { done: false, reason: "it may have arrived", hint: "say --anyway" },
        settle: async (_id, { as }) => ({ done: true, from: "unknown", to: as }),
        drop: async () => ({ done: true, from: "pending", to: "failed" }),
      },
    }),
    events,
    startedAt: "2026-01-01T00:00:00.000Z",
    log: openLog({ level: "silent" }),
    mask,
  });
  token = JSON.parse(await readFile(join(folder, "run.json"), "utf8")).token;
});
afterEach(async () => {
  await control.stop();
  await store.close();
  await rm(folder, { recursive: true });
});

interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request with the token, unless `headers` has another one. With fetch a test could not set the host. */
function ask({ path, method = "GET", headers = {}, body }: Asked) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const asking = request(
      control.url + path,
      { method, headers: { authorization: `Bearer ${token}`, ...headers } },
      (answer) => {
        let text = "";
        answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    asking.on("error", reject);
    asking.end(body);
  });
}

const JSON_BODY = { "content-type": "application/json" };

describe("the control server", () => {
  it("is named in run.json, which only its owner may read, and which is deleted with it", async () => {
    const file = join(folder, "run.json");
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe("600");
    await control.stop();

    await expect(stat(file)).rejects.toThrow("ENOENT");
  });

  it.each<Asked & { status: number; why: string }>([
    { path: "/status", headers: { authorization: "" }, status: 401, why: "no token" },
    { path: "/status", headers: { authorization: "Bearer x" }, status: 401, why: "a wrong one" },
    { path: "/status", headers: { host: "evil.example" }, status: 403, why: "a name turned here" },
    { path: "/nothing", status: 404, why: "there is none" },
    { path: "/journal?limit=0", status: 400, why: "no such limit" },
    { path: "/journal?limit=1&limit=2", status: 400, why: "two limits" },
    { path: "/journal?wat=1", status: 400, why: "an unknown parameter" },
    { path: "/outbox?status=odd", status: 400, why: "no such status" },
    {
      path: "/accounts",
      method: "PUT",
      body: "{",
      headers: JSON_BODY,
      status: 400,
      why: "no JSON",
    },
    { path: "/accounts", method: "PUT", body: "{}", headers: JSON_BODY, status: 400, why: "empty" },
    { path: "/accounts/%ff", method: "DELETE", status: 400, why: "no such character" },
    {
      path: "/pause",
      method: "PUT",
      body: '{"account":"nobody"}',
      headers: { "content-type": "text/plain" },
      status: 415,
      why: "the body of another type",
    },
    {
      path: "/resume",
      method: "PUT",
      body: "account=nobody",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      status: 415,
      why: "a form",
    },
    { path: "/pause?acount=1", method: "PUT", status: 400, why: "an unknown field of the query" },
    {
      path: "/console/sessions",
      method: "DELETE",
      body: '{"ids":["1"]}',
      headers: { ...JSON_BODY, "content-length": "13" },
      status: 400,
      why: "an unknown field of the body",
    },
  ])("refuses $path with $status and a JSON error: $why", async ({ status, ...overrides }) => {
    const answer = await ask(overrides);

    expect(answer.status).toBe(status);
    const { error } = JSON.parse(answer.text);
    expect(error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    expect(answer.text).not.toContain("node_modules");
    expect(answer.text).not.toContain(token);
  });

  it.each([
    { host: "127.0.0.1", status: 200 },
    { host: "127.0.0.1:8080", status: 200 },
    { host: "localhost", status: 200 },
    { host: "LOCALHOST:8080", status: 200 },
    { host: "[::1]:8080", status: 200 },
    { host: "127.0.0.1.evil.example", status: 403 },
    { host: "localhost.evil.example:8080", status: 403 },
    { host: "evil.example:127.0.0.1", status: 403 },
    { host: "127.0.0.2", status: 403 },
    { host: "::1", status: 403 },
    { host: "localhost:", status: 403 },
  ])("responds with $status to a request for the host $host", async ({ host, status }) => {
    expect((await ask({ path: "/status", headers: { host } })).status).toBe(status);
  });

  it.each([
    { how: "another scheme", write: (token: string) => `Basic ${token}`, status: 401 },
    { how: "no scheme", write: (token: string) => token, status: 401 },
    { how: "a character more", write: (token: string) => `Bearer ${token}x`, status: 401 },
    { how: "a character less", write: (token: string) => `Bearer ${token.slice(1)}`, status: 401 },
    { how: "the token as it is", write: (token: string) => `Bearer ${token}`, status: 200 },
  ])("responds with $status to $how", async ({ write, status }) => {
    const headers = { authorization: write(token) };
    expect((await ask({ path: "/status", headers })).status).toBe(status);
  });

  it.each([
    { path: "/journal?limit=1", status: 200 },
    { path: "/journal?limit=1000", status: 200 },
    { path: "/journal?limit=1001", status: 400 },
    { path: "/outbox?limit=1000", status: 200 },
    { path: "/outbox?limit=1001", status: 400 },
    { path: "/escalations?limit=1000", status: 200 },
    { path: "/escalations?limit=1001", status: 400 },
    { path: "/coverage?hours=1", status: 200 },
    { path: "/coverage?hours=720", status: 200 },
    { path: "/coverage?hours=721", status: 400 },
    { path: "/coverage?hours=0", status: 400 },
    { path: "/coverage?hours=1.5", status: 400 },
  ])("responds with $status to $path", async ({ path, status }) => {
    expect((await ask({ path })).status).toBe(status);
  });

  it("proves that it knows the token, without revealing it", async () => {
    const nonce = "0123456789abcdef0123456789abcdef";
    const { status, text } = await ask({
      path: `/identity?nonce=${nonce}`,
      headers: { authorization: "" },
    });

    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({ proof: proofOf(token, nonce) });
    expect((await ask({ path: "/identity?nonce=x", headers: { authorization: "" } })).status).toBe(
      400,
    );
    expect(
      (await ask({ path: `/identity?nonce=${nonce}`, headers: { host: "evil.example" } })).status,
    ).toBe(403);
  });

  it("answers the calls of the contract by name", async () => {
    const account = { id: "1", username: "a", accessToken: "t", accessTokenSecret: "s" };

    expect(await callRuntime(folder, "status", {})).toMatchObject({ store: { inbox: 0 } });
    expect(await callRuntime(folder, "journal", { limit: 3, account: "7" })).toEqual([]);
    expect(await callRuntime(folder, "linkAccount", account)).toEqual({ subscribed: true });
    expect(await callRuntime(folder, "unlinkAccount", { id: "a/b" })).toEqual({ removed: false });
    const settled = await callRuntime(folder, "settleItem", { id: 7, as: "sent" });
    expect(settled).toEqual({ done: true, from: "unknown", to: "sent" });
    expect(await callRuntime(folder, "retryItem", { id: 7 })).toMatchObject({ done: false });
    expect(await callRuntime(folder, "retryItem", { id: 7, anyway: true })).toMatchObject({
      done: true,
    });
  });

  it("lists escalations, and reports which ones it can't resolve", async () => {
    expect(await callRuntime(folder, "escalations", { state: "open", limit: 5 })).toEqual([]);
    expect(await callRuntime(folder, "resolveEscalation", { id: 3 })).toMatchObject({
      done: false,
      reason: "there is no hand-over 3",
    });
  });

  it("names the mistake in a call that it refuses", async () => {
    await expect(callRuntime(folder, "outbox", { limit: 5_000 })).rejects.toMatchObject({
      code: "control-refused",
      message: expect.stringContaining("limit"),
    });
  });

  it("contains no secret in responses, errors and events", async () => {
    const failed = await ask({ path: "/accounts/fails", method: "DELETE" });
    events.publish({ type: "account-removed", data: { id: "1", username: SECRET } });
    events.publish({ type: "account-removed", data: { id: "2", username: token } });
    const got = await (await streamed(2, undefined, "?after=0")).read();

    expect(failed.status).toBe(500);
    expect(failed.text).toContain("the platform refused [Redacted]");
    expect(got.map(({ event }) => event.data)).toEqual([
      { id: "1", username: "[Redacted]" },
      { id: "2", username: "[Redacted]" },
    ]);
  });

  it("shows its state without secrets", async () => {
    const { status, text } = await ask({ path: "/status" });

    expect(status).toBe(200);
    expect(text).not.toMatch(/token|secret/i);
  });
});

/** Reads server-sent events until there are `count`; returns their ids and contents. */
async function streamed(count: number, lastId?: string, query = "") {
  const ending = new AbortController();
  const answer = await fetch(`${control.url}/events${query}`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastId === undefined ? {} : { "last-event-id": lastId }),
    },
    signal: ending.signal,
  });
  const got: { id: string; event: RuntimeEvent }[] = [];
  const parser = createParser({
    onEvent: ({ id = "", data }) => got.push({ id, event: JSON.parse(data) }),
  });
  const decoder = new TextDecoder();
  const reader = answer.body?.getReader();
  const read = async () => {
    while (got.length < count) parser.feed(decoder.decode((await reader?.read())?.value));
    ending.abort();
    return got;
  };
  return { read };
}

const removed = (id: string) =>
  events.publish({ type: "account-removed", data: { id, username: `user${id}` } });

describe("the stream of runtime events", () => {
  it("sends new events, and continues after the last event that the client received", async () => {
    removed("1");
    const first = await streamed(1);
    removed("2");
    const [seen] = await first.read();
    removed("3");
    removed("4");
    const rest = await (await streamed(2, seen?.id)).read();

    expect(seen?.event).toEqual({
      seq: 2,
      at: "2026-01-01T00:00:00.000Z",
      type: "account-removed",
      data: { id: "2", username: "user2" },
    });
    expect(rest.map(({ event }) => event.seq)).toEqual([3, 4]);
  });

  it("sends all stored events to a client from an earlier run", async () => {
    removed("1");
    removed("2");

    const got = await (await streamed(2, "0123456789ab-9")).read();
    expect(got.map(({ event }) => event.seq)).toEqual([1, 2]);
  });

  it("begins at the place that a query names", async () => {
    for (const id of ["1", "2", "3"]) removed(id);

    const [got] = await (await streamed(1, undefined, "?after=2")).read();
    expect(got?.event.seq).toBe(3);
    expect((await ask({ path: "/events?after=x" })).status).toBe(400);
  });
});
