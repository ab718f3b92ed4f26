import { Session } from "node:inspector";
import { Worker } from "node:worker_threads";
import { expect, it, vi } from "vitest";
import { when } from "../../support/when.ts";
import { whereStuck } from "../../../src/bots/watching/where-stuck.ts";

it("disconnects the inspector if the thread has ended", async () => {
  const disconnects = vi.spyOn(Session.prototype, "disconnect");
  const ended = -1;

  expect(await whereStuck(ended, 1)).toBeUndefined();
  expect(disconnects).toHaveBeenCalledOnce();
  disconnects.mockRestore();
});

it("ends with the thread, if the thread ends before it is paused", async () => {
  // the thread waits without running code, so it never pauses
  const worker = new Worker("setInterval(() => {}, 60_000)", { eval: true });
  await new Promise((resolve) => worker.once("online", resolve));
  const posts = vi.spyOn(Session.prototype, "post");
  const place = whereStuck(worker.threadId, 60_000);
  const methods = (): readonly string[] => posts.mock.calls.map(([method]) => method);
  await when(() => methods().includes("NodeWorker.sendMessageToWorker") || undefined);
  await worker.terminate();

  expect(await place).toBeUndefined();
  posts.mockRestore();
});
