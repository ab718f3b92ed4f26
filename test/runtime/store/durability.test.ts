import { describe, expect, it } from "vitest";
import type { StoreCall } from "../../../src/runtime/store/sqlite/calls.ts";
import { IN_MEMORY, openDatabase } from "../../../src/runtime/store/sqlite/binding.ts";
import { needsSync } from "../../../src/runtime/store/sqlite/durability.ts";
import { syncEachCommit } from "../../../src/runtime/store/sqlite/file/sync-level.ts";
import type { ItemStatus } from "../../../src/runtime/store/item.ts";
import type { RunStatus } from "../../../src/runtime/store/run.ts";
import type { Transition } from "../../../src/runtime/store/transition.ts";
import { entry, item, run } from "./builders.ts";

const transition: Transition = {
  input: { kind: "inbox", id: 1 },
  lane: "100:200",
  partition: 0,
  epoch: 1,
  at: 0,
  outcome: "done",
  runs: [],
  timers: [],
  sources: [],
  state: [],
  items: [item()],
};
const commit = (...statuses: readonly RunStatus[]): StoreCall => ({
  id: 1,
  name: "commit",
  args: ["w", [transition, { ...transition, runs: statuses.map((status) => run(1, { status })) }]],
});
const sending: StoreCall = {
  id: 1,
  name: "commit",
  args: ["w", [transition, { ...transition, sends: item().key }]],
};
const change = (...ends: readonly ItemStatus[]): StoreCall => ({
  id: 1,
  name: "changeItems",
  args: [
    "w",
    ends.map((to) => ({ id: 1, partition: 0, epoch: 1, from: "sending" as const, to, at: 0 })),
  ],
});

describe("a device sync", () => {
  it.each([
    {
      of: "an append",
      call: { id: 1, name: "append", args: [[entry()]] },
      why: "it is answered 200",
    },
    {
      of: "a lease",
      call: { id: 1, name: "lease", args: ["w", 1] },
      why: "an epoch never returns",
    },
    {
      of: "an item that becomes sending",
      call: change("sent", "sending"),
      why: "its request leaves",
    },
    { of: "an item that is sent with its decision", call: sending, why: "its request leaves" },
    { of: "a run that becomes ready", call: commit("done", "ready"), why: "its bot is called" },
  ] satisfies { of: string; call: StoreCall; why: string }[])(
    "happens before the answer of $of: $why",
    ({ call }) => {
      expect(needsSync(call)).toBe(true);
    },
  );

  it.each([
    { of: "a decision", call: commit("done"), why: "its items are still to become sending" },
    { of: "a run that waits", call: commit("waiting"), why: "what it waits for is not out yet" },
    { of: "an item that was sent", call: change("sent"), why: "the platform knows" },
    { of: "an item that failed", call: change("failed", "unknown"), why: "it is tried again" },
  ])("of $of may happen later: $why", ({ call }) => {
    expect(needsSync(call)).toBe(false);
  });
});

describe("the sync level of SQLite", () => {
  it("is full once it was set", () => {
    const db = openDatabase(IN_MEMORY);
    db.exec("PRAGMA synchronous = OFF");
    syncEachCommit(db);

    expect(db.prepare("PRAGMA synchronous").get()).toMatchObject({ synchronous: 2 });
    db.close();
  });

  it("is read back: if SQLite has ignored the setting, nothing is written", () => {
    const db = openDatabase(IN_MEMORY);
    db.exec("PRAGMA synchronous = NORMAL");
    const deaf = { ...db, exec: () => {} };

    expect(() => syncEachCommit(deaf)).toThrow("SQLite has synchronous = 1 instead of 2");
    db.close();
  });
});
