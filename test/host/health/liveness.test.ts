import { expect, it } from "vitest";
import { liveness } from "../../../src/host/health/liveness.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { serveWebhook } from "../../../src/runtime/webhook/server.ts";

const log = openLog({ level: "silent" });

/** Returns the response of `/healthz`, with `ask` in place of its query of the store. */
async function healthz(ask: () => Promise<unknown>) {
  const server = await serveWebhook({
    host: "127.0.0.1",
    port: 0,
    log,
    missing: async () => [{ part: "webhook", reason: "not registered" }],
    alive: liveness(ask, 20),
  });
  const answer = await fetch(`http://127.0.0.1:${server.port}/healthz`);
  await server.close();
  return { status: answer.status, body: await answer.json() };
}

it("succeeds while the store's thread answers, whatever is missing", async () => {
  expect(await healthz(async () => undefined)).toEqual({ status: 200, body: { status: "ok" } });
});

it("fails when the store's thread is gone", async () => {
  const gone = async (): Promise<never> => {
    throw new Error("the store's thread died");
  };

  expect(await healthz(gone)).toEqual({
    status: 503,
    body: {
      status: "failing",
      reason: "the store does not answer: the store's thread died",
    },
  });
});

it("fails when the store's thread no longer answers", async () => {
  const never = (): Promise<never> => new Promise(() => {});

  expect(await healthz(never)).toMatchObject({ status: 503, body: { status: "failing" } });
});

it("queries the store once for all concurrent requests", async () => {
  let calls = 0;
  let answer = (): void => {};
  const alive = liveness(() => {
    calls += 1;
    return new Promise<void>((resolve) => (answer = resolve));
  });
  const looks = [alive(), alive(), alive()];
  answer();

  expect(await Promise.all(looks)).toEqual([undefined, undefined, undefined]);
  expect(calls).toBe(1);
});
