import { describe, expect, it } from "vitest";
import { endOfStep, errorOf } from "../../src/bots/durable/step-end.ts";
import { readMessage } from "../../src/bots/read-message.ts";
import * as chatSdk from "../../src/chat-sdk/index.ts";
import * as client from "../../src/client/index.ts";
import * as main from "../../src/index.ts";
import * as sandbox from "../../src/sandbox/index.ts";
import * as testing from "../../src/testing/index.ts";

const { CredentialError, LoginError, PlatformError, ProtocolError } = main;
const { RateLimitError, ThreadError, UnreachableError, UsageError } = main;

const REFUSAL = {
  endpoint: "POST /2/posts",
  status: 403,
  reason: undefined,
  title: "Forbidden",
  detail: "You are not allowed to create a post.",
  type: "https://example.com/problems/forbidden",
  v1Code: 187,
  adsCode: undefined,
  problems: [{ message: "no", parameter: "text", value: "hi" }],
  limits: undefined,
  retryAfterMs: 5_000,
  accessLevel: "read",
  transactionId: "abc",
  afterUnknown: true,
};
const hint = "A sentence of advice. ".repeat(30);
const cause = new TypeError("behind it");
const refused = new PlatformError("refused", REFUSAL, { hint, safe: false, cause });
const endpoint = "GET /2/x";

/** An error of each class that the package exports, with a value in each of its fields. */
const ERRORS: readonly Error[] = [
  refused,
  new PlatformError("no data", { ...REFUSAL, status: 200 }, { safe: false, cause }),
  new RateLimitError("limited", { ...REFUSAL, status: 429 }, { hint, resetAt: 12_000, cause }),
  new UnreachableError("lost", { endpoint, sent: "maybe", ended: "timeout", safe: true, cause }),
  new ProtocolError("odd", { endpoint, status: 200, hint, cause }),
  new LoginError("no log-in", { reason: "state-mismatch", hint, cause }),
  new CredentialError("wrong kind", { takes: ["bearer", "oauth2"], hint, cause }),
  new CredentialError("incomplete", { cause }),
  new UsageError("busy", { hint, retryable: true, cause }),
  new UsageError("wrong", { cause }),
  new ThreadError(["1", "2"], ["c".repeat(600), "d"], refused, { replyTo: "9", limit: 1_000 }),
  new ThreadError(
    [],
    ["a"],
    new UnreachableError("x", { endpoint, sent: "no", ended: "connection", safe: false }),
    {},
  ),
  new main.ConfigError([
    {
      file: "a.yaml",
      line: 1,
      column: 2,
      length: 3,
      code: "c",
      message: "m",
      severity: "error",
      sourceLine: "s",
    },
  ]),
  new main.StoreError("store-full", "the disk is full", { hint, cause }),
  new main.SealError("no key", { hint, cause }),
  new main.StepCutOffError("cut off"),
  new sandbox.ControlError(409, "conflict", "there is already a user"),
];

/** Returns the error as a handler catches it that runs again, perhaps in another process. */
async function inLaterRun(thrown: Error): Promise<unknown> {
  const { storedEnd } = await endOfStep("fails", () => Promise.reject(thrown));
  const outcome = {
    actions: [],
    entries: [{ place: 0, entry: { kind: "step", name: "fails", settled: 1, ...storedEnd } }],
    changes: [],
  };
  const text = JSON.stringify({ type: "handled", token: "t", outcome });
  const message = readMessage(JSON.parse(text));
  if (message?.type !== "handled") throw new Error("the host can't read the outcome");
  const entry = message.outcome?.entries?.[0]?.entry;
  if (entry?.kind !== "step" || entry.error === undefined) throw new Error("no error is stored");
  return errorOf(entry.error);
}

/** Values of an error that code can decide by, including those of getters and of its causes. */
function detailsOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { prototype } = error.constructor as { readonly prototype: object };
  const getters = Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(
    ([name, descriptor]) => ("get" in descriptor ? [name] : []),
  );
  const values = [...Object.keys(error), ...getters].map((name) => [
    name,
    Reflect.get(error, name),
  ]);
  return {
    Class: error.constructor,
    ...Object.fromEntries(values),
    name: error.name,
    message: error.message,
    cause: detailsOf(error.cause),
  };
}

describe("an error of this package that a step has thrown", () => {
  it.each(ERRORS.map((error) => ({ Class: error.name, message: error.message, error })))(
    "$Class keeps its class, fields and cause ($message)",
    async ({ error }) => {
      expect(detailsOf(await inLaterRun(error))).toEqual(detailsOf(error));
    },
  );

  it("is tested for each class that an entry of the package exports", () => {
    const entries: readonly object[] = [main, client, sandbox, chatSdk, testing];
    const classes = entries.flatMap((entry) =>
      Object.values(entry).filter(
        (value) => typeof value === "function" && value.prototype instanceof Error,
      ),
    );
    // the base class is abstract
    const concrete = classes.filter((Class) => Class !== main.AnswerbackError);

    expect(new Set(ERRORS.map((error) => error.constructor))).toEqual(new Set(concrete));
  });
});

describe("the entry of the client", () => {
  it("exports the class of the errors for wrong calls", async () => {
    const posts = { create: () => Promise.reject(cause) };

    await expect(client.createThread({ posts }, [])).rejects.toBeInstanceOf(client.UsageError);
    await expect(client.createThread({ posts }, ["a"])).rejects.toBeInstanceOf(client.ThreadError);
  });
});

describe("an error of another class", () => {
  it("does not get a class of this package because it has its name", async () => {
    class StoreError extends Error {
      override readonly name = "StoreError";
    }
    const error = await inLaterRun(new StoreError("the shop is closed"));

    expect(error).not.toBeInstanceOf(main.StoreError);
    expect(error).toMatchObject({ name: "StoreError", message: "the shop is closed" });
  });

  it("keeps the simple fields that code has added to an error of the client, and no others", async () => {
    const added = { order: 17, request: { token: "secret" } };
    const error = await inLaterRun(Object.assign(new UsageError("no"), added));

    expect(error).toMatchObject({ order: 17 });
    expect(error).not.toHaveProperty("request");
  });
});
