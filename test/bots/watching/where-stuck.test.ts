import { Session } from "node:inspector";
import { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { handTicking } from "../../support/hand-ticking.ts";
import { when } from "../../support/when.ts";
import { whereStuck } from "../../../src/bots/watching/where-stuck.ts";

const unknown = (): undefined => undefined;
const LIMIT_MS = 3_000;

it("disconnects the inspector if the thread has ended", async () => {
  const { ticking, advance } = handTicking();
  const disconnects = vi.spyOn(Session.prototype, "disconnect");
  const ended = -1;
  const place = whereStuck(ended, { ownMs: LIMIT_MS, usage: unknown, ticking });
  advance(LIMIT_MS);

  expect(await place).toBeUndefined();
  expect(disconnects).toHaveBeenCalledOnce();
  disconnects.mockRestore();
});

/** Starts a thread that waits without running code, so that it never pauses. */
async function waitingThread(): Promise<Worker> {
  const worker = new Worker("setInterval(() => {}, 60_000)", { eval: true });
  onTestFinished(() => void worker.terminate());
  await new Promise((resolve) => worker.once("online", resolve));
  return worker;
}

it("ends with the thread, if the thread ends before it is paused", async () => {
  const worker = await waitingThread();
  const posts = vi.spyOn(Session.prototype, "post");
  const place = whereStuck(worker.threadId, {
    ownMs: LIMIT_MS,
    usage: unknown,
    ticking: handTicking().ticking,
  });
  const methods = (): readonly string[] => posts.mock.calls.map(([method]) => method);
  await when(() => methods().includes("NodeWorker.sendMessageToWorker") || undefined);
  await worker.terminate();

  expect(await place).toBeUndefined();
  posts.mockRestore();
});

describe("a search without a result", () => {
  let cpuMs = 0;
  it.each([
    {
      why: "the thread waits for something",
      usage: () => ({ cpuMs: 0, isRunnable: false }),
      endMs: 3_000,
    },
    { why: "nobody can tell what the thread does", usage: unknown, endMs: 3_000 },
    {
      why: "the thread has half a processor",
      usage: () => ({ cpuMs: (cpuMs += 50), isRunnable: true }),
      endMs: 6_000,
    },
    {
      why: "other threads have the processor",
      usage: () => ({ cpuMs: 0, isRunnable: true }),
      endMs: 30_000,
    },
  ])("ends after $endMs ms if $why", async ({ usage, endMs }) => {
    const { ticking, advance } = handTicking();
    const worker = await waitingThread();
    let isOver = false;
    const place = whereStuck(worker.threadId, { ownMs: LIMIT_MS, usage, ticking });
    void place.then(() => (isOver = true));

    advance(endMs - 100);
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    advance(100);
    expect(await place).toBeUndefined();
  });
});
