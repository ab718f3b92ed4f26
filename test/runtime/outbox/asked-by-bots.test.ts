import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PlatformRequest } from "../../../src/bots/platform-request.ts";
import { errorOfFault } from "../../../src/client/fault.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { AccountPaused } from "../../../src/runtime/loop/account-paused.ts";
import {
  askedByBots,
  type AskedByBotsNeeds,
  type AskForBot,
} from "../../../src/runtime/outbox/asked-by-bots.ts";
import { Gate } from "../../../src/runtime/outbox/gate/gate.ts";
import { world, type World } from "../../client/support/world.ts";

let town: World;
beforeAll(async () => {
  town = await world();
});
afterAll(() => town.close());

const ME: PlatformRequest = { method: "GET", endpoint: "/2/users/me" };
const POST: PlatformRequest = { method: "POST", endpoint: "/2/posts", json: { text: "hello" } };
const { signal } = new AbortController();

/** Returns the function by which bot modules send requests, with a new gate (rate limits) behind it. */
function asking(over: Partial<AskedByBotsNeeds> = {}): AskForBot {
  const now = () => Date.now();
  return askedByBots({
    clientOf: (account) => (account === town.botId ? town.bot : undefined),
    gate: new Gate({ now, onTrouble: () => {}, onSolved: () => {} }),
    clock: { now },
    isPaused: () => false,
    requestTimeoutMs: 5_000,
    log: openLog({ level: "silent" }),
    random: () => 0,
    ...over,
  });
}
const fails = (path: string, status: number, next: number) =>
  town.sandbox.control.post("/faults", {
    match: { direction: "request", path },
    fault: { type: "status", status },
    when: { next },
  });
const errorOf = async (answer: ReturnType<AskForBot>) => {
  const response = await answer;
  return response.ok ? undefined : errorOfFault(response.fault);
};

describe("a bot's request to the platform", () => {
  it("returns the body, and waits for its turn once the first response reports the limits", async () => {
    const ask = asking();
    const all = await Promise.all([1, 2, 3].map(() => ask(town.botId, ME, signal)));

    expect(all.map((one) => one.ok && one.body)).toMatchObject(
      all.map(() => ({ data: { username: "hello_bot" } })),
    );
  });

  it.each([
    ["GET /2/users/me", ME, 900],
    [
      "GET /conversion_attribution",
      { method: "GET", endpoint: "/conversion_attribution", ads: true },
      60_000,
    ],
  ] as const)("counts %s against its own limit", async (endpoint, request, limit) => {
    const gate = new Gate({ now: Date.now, onTrouble: () => {}, onSolved: () => {} });
    const uses: Parameters<typeof gate.ask>[0][] = [];
    const ask: typeof gate.ask = (use) => {
      uses.push(use);
      return gate.ask(use);
    };
    await asking({ gate: { ask, begin: (use) => gate.begin(use) } })(town.botId, request, signal);

    expect(uses).toMatchObject([{ endpoint, limits: [{ limit, per: "account" }] }]);
  });

  it("is repeated if a look-up fails", async () => {
    await fails("/2/users/me", 503, 2);

    expect(await asking()(town.botId, ME, signal)).toMatchObject({ ok: true, status: 200 });
  });

  it("is not repeated if it changes data, because the first try may have succeeded", async () => {
    await fails("/2/posts", 503, 1);

    expect(await errorOf(asking()(town.botId, POST, signal))).toMatchObject({
      name: "PlatformError",
      status: 503,
      executed: "unknown",
    });
  });

  it("is refused while a limit is used up, with the time of the reset", async () => {
    await fails("/2/users/me", 429, 1);
    const refused = await errorOf(asking()(town.botId, ME, signal));
    expect(refused).toMatchObject({ name: "RateLimitError", status: 429 });

    const now = Date.now();
    const until = now + 42_000;
    const reason = "GET /2/users/me: all 15 requests of the limit are used";
    const gate = {
      ask: () => ({ kind: "wait", until, reason, isLimit: true }) as const,
      begin: () => expect.unreachable("it is not asked"),
    };
    const refusal = await errorOf(
      asking({ gate, clock: { now: () => now } })(town.botId, ME, signal),
    );
    expect(refusal).toMatchObject({ name: "RateLimitError", code: "rate-limited", resetAt: until });
    expect(refusal?.message).toBe(`${reason}; it may be asked again in 42 s`);
  });

  it.each<{ why: string; over: Partial<AskedByBotsNeeds>; request: PlatformRequest; says: string }>(
    [
      {
        why: "the account is not linked",
        over: { clientOf: () => undefined },
        request: ME,
        says: "is not linked",
      },
      {
        why: "it would change something in a dry run",
        over: { dryRun: true },
        request: POST,
        says: "POST /2/posts was not sent: this is a dry run",
      },
    ],
  )("is not sent if $why", async ({ over, request, says }) => {
    const error = await errorOf(asking(over)(town.botId, request, signal));

    expect(error?.message).toContain(says);
  });

  it("waits for the end of its account's pause", async () => {
    const answer = asking({ isPaused: () => true })(town.botId, ME, signal);

    await expect(answer).rejects.toThrow(AccountPaused);
  });

  it("is not sent once its caller has stopped waiting", async () => {
    const gone = AbortSignal.abort(new Error("the handler is over"));

    expect(await errorOf(asking()(town.botId, ME, gone))).toMatchObject({
      name: "UnreachableError",
      sent: "no",
      ended: "caller",
    });
  });

  it("contains bytes, and is refused with the platform's own message", async () => {
    const raw = { body: new Uint8Array([1, 2]), contentType: "application/octet-stream" };
    const upload: PlatformRequest = { method: "POST", endpoint: "/2/media/upload", raw };
    const error = await errorOf(asking()(town.botId, upload, signal));

    expect(error).toMatchObject({ name: "PlatformError", status: 400 });
    expect(error?.message).toContain("POST /2/media/upload was refused with 400");
  });
});
