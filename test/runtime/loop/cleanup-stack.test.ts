import { expect, it } from "vitest";
import { cleanupStack } from "../../../src/runtime/loop/cleanup-stack.ts";
import { openLog } from "../../../src/runtime/log.ts";

it("closes in reverse order, once, and continues if one can't be closed", async () => {
  const closed: string[] = [];
  const logged: string[] = [];
  const log = openLog({ level: "error", destination: { write: (line) => logged.push(line) } });
  const cleanup = cleanupStack(log);
  cleanup.add("the store", async () => void closed.push("store"));
  cleanup.add("the leases", () => Promise.reject(new Error("disk full")));
  cleanup.add("the clock", () => void closed.push("clock"));
  cleanup.add("the server", async () => void closed.push("server"));

  await Promise.all([cleanup.close(), cleanup.close()]);
  await cleanup.close();

  expect(closed).toEqual(["server", "clock", "store"]);
  expect(logged.join("")).toContain("the leases could not be closed");
});

it("closes what is opened only after it was closed itself, and logs if that fails", async () => {
  const closed: string[] = [];
  const logged: string[] = [];
  const log = openLog({ level: "error", destination: { write: (line) => logged.push(line) } });
  const cleanup = cleanupStack(log);
  await cleanup.close();
  cleanup.add("the watch", async () => void closed.push("watch"));
  cleanup.add("the server", () => Promise.reject(new Error("in use")));
  await new Promise(setImmediate);

  expect(closed).toEqual(["watch"]);
  expect(logged.join("")).toContain("the server could not be closed");
});
