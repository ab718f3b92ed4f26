import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Action } from "../../../src/actions/actions.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { performer } from "../../../src/runtime/outbox/perform.ts";
import { nextState } from "../../../src/runtime/outbox/plan.ts";
import {
  type Handler,
  instantClock,
  stubServer,
  type StubAnswer,
  type StubServer,
} from "../../client/support/stub-server.ts";
import { GIF } from "../../sandbox/media/media-uploader.ts";

const CREDENTIALS = {
  type: "oauth1",
  consumerKey: "app",
  consumerSecret: "secret-of-the-app",
  accessToken: "100-token",
  accessTokenSecret: "secret-of-the-token",
} as const;
const MESSAGE: Action = { type: "reply_dm", to: "200", text: "hi" };
const FOLLOW: Action = { type: "follow", to: "200" };

let server: StubServer | undefined;
afterEach(() => server?.close());

/** Returns the outcome of `action` if the platform gives `answer`. */
async function sendingOf(action: Action, answer: StubAnswer) {
  server = await stubServer(() => answer);
  const client = createClient({ baseUrl: server.url, credentials: CREDENTIALS });
  const perform = performer({ clientOf: () => client, requestTimeoutMs: 5_000 });
  const sending = await perform("100", action, () => {}, Infinity);
  await client.close();
  return sending;
}

const problem = (type: string, more: object = {}) => ({
  errors: [{ title: "Error", detail: "Something.", type: `https://x/2/problems/${type}`, ...more }],
});
const missing = problem("resource-not-found", { resource_type: "user", resource_id: "200" });
const forbidden = (detail: string) => ({ title: "Forbidden", type: "about:blank", detail });

describe("the outcome of an action", () => {
  it.each([
    {
      why: "unknown if a success has only errors: what was created may only be hidden",
      action: MESSAGE,
      answer: { status: 201, body: problem("field-hydration-failure", { resource_type: "post" }) },
      kind: "unknown",
    },
    {
      why: "refused if a success says that the person does not exist",
      action: MESSAGE,
      answer: { status: 200, body: missing },
      kind: "refused",
    },
    {
      why: "refused if the person is suspended, by the named object",
      action: FOLLOW,
      answer: {
        status: 403,
        body: { ...missing, ...forbidden("User has been suspended: [200].") },
      },
      kind: "refused",
    },
    {
      why: "refused if the person is suspended, by the code of API v1.1",
      action: MESSAGE,
      answer: {
        status: 403,
        body: { errors: [{ code: 63, message: "User has been suspended." }] },
      },
      kind: "refused",
    },
    {
      why: "not now if the account is suspended",
      action: MESSAGE,
      answer: {
        status: 403,
        body: { errors: [{ code: 64, message: "Your account is suspended." }] },
      },
      kind: "not-now",
    },
    {
      why: "not now if the account is locked, in words without a code",
      action: MESSAGE,
      answer: { status: 403, body: forbidden("This account is temporarily locked.") },
      kind: "not-now",
    },
    {
      why: "not now if the app is suspended",
      action: MESSAGE,
      answer: { status: 403, body: forbidden("This application has been suspended.") },
      kind: "not-now",
    },
  ])("is $why", async ({ action, answer, kind }) => {
    expect(await sendingOf(action, answer)).toMatchObject({ kind });
  });

  it("is kept back, with the reason, if the caller does not permit the request", async () => {
    server = await stubServer(() => ({}));
    const client = createClient({ baseUrl: server.url, credentials: CREDENTIALS });
    const perform = performer({ clientOf: () => client, requestTimeoutMs: 5_000 });
    const refuse = (): never => {
      throw new Error("its time had passed");
    };

    expect(await perform("100", MESSAGE, refuse, Infinity)).toMatchObject({
      kind: "kept-back",
      reason: "its time had passed",
    });
    expect(server.seen).toEqual([]);
    await client.close();
  });

  it("has a reason without NUL characters, which PostgreSQL does not store", async () => {
    const body = forbidden("No \0 here.");

    expect(await sendingOf(MESSAGE, { status: 403, body })).toMatchObject({
      reason: expect.stringMatching(/No \uFFFD here\.$/u),
    });
  });
});

describe("a message with a GIF that can't be uploaded", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "perform-"));
    await writeFile(join(folder, "wave.gif"), GIF);
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Returns the outcome of a message with the GIF, with the client's waits and the last request. */
  async function sendingOfGif(handle: Handler, remainingMs = Infinity) {
    server = await stubServer(handle);
    const clock = instantClock();
    const client = createClient({ baseUrl: server.url, credentials: CREDENTIALS, clock });
    const perform = performer({ clientOf: () => client, requestTimeoutMs: 5_000 });
    const action = { ...MESSAGE, media: join(folder, "wave.gif") };
    const sending = await perform("100", action, () => {}, remainingMs);
    await client.close();
    return { sending, action, slept: clock.slept, last: server.seen.at(-1)?.target };
  }
  const withProcessing = (processing_info: object) => () => ({
    body: { data: { id: "77", processing_info } },
  });

  it("fails at once if the platform can't process the GIF", async () => {
    const error = { code: 1, name: "InvalidMedia" };
    const { sending, action } = await sendingOfGif(withProcessing({ state: "failed", error }));

    const base = { id: 1, partition: 0, seq: 1, run: "1/rule:faq", key: "k", account: "100" };
    const item = { ...base, lane: "100/200", action, notBefore: 0, attempts: 1 };
    expect(nextState({ ...item, status: "sending" }, sending, 0, 0.5)).toEqual({
      to: "failed",
      reason: "wave.gif was not uploaded: the platform could not process the medium: InvalidMedia",
    });
  });

  it.each(["initialize", "append", "finalize", "STATUS"])(
    "is sent later if the response is unreadable: %s",
    async (step) => {
      const pending = withProcessing({ state: "pending" });
      const { sending, last } = await sendingOfGif(({ target }) =>
        target.includes(step) ? { body: "<html>" } : pending(),
      );

      expect(last).toContain(step);
      expect(sending).toMatchObject({
        kind: "unavailable",
        reason: expect.stringContaining("wave.gif was not uploaded"),
      });
    },
  );

  it.each([
    { remainingMs: Infinity, waitedMs: 600_000, why: "at most ten minutes" },
    { remainingMs: 24 * 60 * 60_000, waitedMs: 600_000, why: "at most ten minutes" },
    { remainingMs: 90_000, waitedMs: 90_000, why: "no longer than the item may wait" },
  ])("fails if the GIF is never processed: it waits $why", async ({ remainingMs, waitedMs }) => {
    const forever = withProcessing({ state: "in_progress", check_after_secs: 86_400 });
    const { sending, slept, last } = await sendingOfGif(forever, remainingMs);

    expect(sending).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("has not processed the medium"),
    });
    expect(slept.reduce((sum, ms) => sum + ms, 0)).toBe(waitedMs);
    expect(last).toContain("STATUS");
  });
});
