import { hostname } from "node:os";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { succeedPredecessor } from "../../../src/host/roles/predecessor.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { cleanupStack } from "../../../src/runtime/loop/cleanup-stack.ts";
import { openMemoryStore } from "../../../src/runtime/store/memory-store.ts";
import type { Store } from "../../../src/runtime/store/store.ts";

/** An id that no process can have. */
const ENDED_PID = 2 ** 22 + 1;
const KEY = "predecessor/shop";

let store: Store;
/** Names of the processes whose leases were released. */
let released: string[];
beforeEach(() => {
  released = [];
  store = openMemoryStore();
  vi.spyOn(store, "releaseEnded").mockImplementation(async (name) => void released.push(name));
});
afterEach(() => store.close());

const log = openLog({ level: "silent" });

/** Starts a process with a name, and returns the function that stops it. */
async function start(name: string, stableName: string | undefined = "shop") {
  const cleanup = cleanupStack(log);
  await succeedPredecessor({ store, process: { name, stableName }, log, cleanup });
  return () => cleanup.close();
}

const wasKilled = (over: { readonly pid?: number; readonly host?: string } = {}) =>
  store.setMeta(KEY, JSON.stringify({ name: "shop-1", pid: ENDED_PID, host: hostname(), ...over }));

it("a killed process's leases are released by the next process with its stable name", async () => {
  await wasKilled();
  await start("other-1", "other");
  expect(released).toEqual([]);
  await start("shop-2");

  expect(released).toEqual(["shop-1"]);
});

it("so they are if the next process got the same id, as in a container", async () => {
  await wasKilled({ pid: process.pid });
  await start("shop-2");

  expect(released).toEqual(["shop-1"]);
});

it.each([
  { why: "it still runs", over: { pid: process.ppid } },
  { why: "it ran on another machine", over: { host: `not-${hostname()}` } },
])("leases of a process are left to expire if $why", async ({ over }) => {
  await wasKilled(over);
  await start("shop-2");

  expect(released).toEqual([]);
});

it("a process that has stopped by itself leaves nothing to release", async () => {
  const stop = await start("shop-1");
  await stop();
  await start("shop-2");

  expect(released).toEqual([]);
});

it("a process that stops does not delete the record of its successor", async () => {
  const stop = await start("shop-1");
  await start("shop-2");
  released = [];
  await stop();
  await start("shop-3");

  expect(released).toEqual(["shop-2"]);
});

it("a damaged record counts as none", async () => {
  for (const text of ["", "{", '{"name":"shop-1"}', "null"]) {
    await store.setMeta(KEY, text);
    await start("shop-2");
  }

  expect(released).toEqual([]);
});
