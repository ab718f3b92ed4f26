import { afterEach, describe, expect, it } from "vitest";
import type { Action } from "../../../src/actions/actions.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { performer } from "../../../src/runtime/outbox/perform.ts";
import { stubServer, type StubAnswer, type StubServer } from "../../client/support/stub-server.ts";

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
  const sending = await perform("100", action, () => {});
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

  it("has a reason without NUL characters, which PostgreSQL does not store", async () => {
    const body = forbidden("No \0 here.");

    expect(await sendingOf(MESSAGE, { status: 403, body })).toMatchObject({
      reason: expect.stringMatching(/No \uFFFD here\.$/u),
    });
  });
});
