import { afterEach, beforeEach, expect, it } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import { openRulesInForce, type RulesInForce } from "../../../src/runtime/reload/rules-in-force.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import { openMemoryStore } from "../../../src/runtime/store/memory-store.ts";
import type { Store } from "../../../src/runtime/store/store.ts";

let store: Store;
let text: string;
beforeEach(() => {
  store = openMemoryStore();
});
afterEach(() => store.close());

const rules = (...lines: readonly string[]) => `version: 1\nrules:\n${lines.join("\n")}\n`;
const rule = (id: string, say: string, keys = "") =>
  `  - {id: ${id}, triggers: [dm.received], ${keys}actions: [{reply_dm: ${say}}]}`;
const CANCEL = "on_reload: cancel, ";
const open = (): Promise<RulesInForce> =>
  openRulesInForce({
    read: async () => [{ path: "rules/a.yaml", text }],
    store,
    log: openLog({ level: "silent" }),
    look: () => [],
    report: () => {},
  });

it("checks the runs of changed or removed rules that cancel their runs", async () => {
  text = rules(rule("a", "one", CANCEL), rule("b", "one", CANCEL), rule("c", "one"));
  const inForce = await open();
  const seen: (readonly string[])[] = [];
  await inForce.follow(async (ids) => void seen.push(ids));
  text = rules(rule("a", "two", CANCEL), rule("c", "two"));
  await inForce.reload();
  await inForce.reload();

  expect(seen).toEqual([["a", "b"]]);
});

it("checks the runs at the next reload if the store failed during the check", async () => {
  text = rules(rule("a", "one", CANCEL));
  const inForce = await open();
  const seen: (readonly string[])[] = [];
  const reports: unknown[] = [];
  let isFull = true;
  await inForce.follow(async (ids) => {
    if (isFull) throw new StoreError("store-full", "the disk is full");
    seen.push(ids);
  });
  inForce.onChanged((changes) => reports.push(changes));
  text = rules(rule("a", "two", CANCEL));
  await expect(inForce.reload()).rejects.toThrow("the disk is full");
  isFull = false;
  await inForce.reload();

  expect(seen).toEqual([["a"]]);
  expect(reports).toEqual([{ changed: ["a"], added: [], removed: [] }]);
});

it("checks the runs with the taken partitions if the store failed at the first check", async () => {
  text = rules(rule("a", "one", CANCEL));
  await open();
  text = rules(rule("a", "two", CANCEL));
  const inForce = await open();
  const seen: (readonly string[])[] = [];
  let isFull = true;
  await inForce.follow(async (ids) => {
    if (isFull) throw new StoreError("store-full", "the disk is full");
    seen.push(ids);
  });
  await expect(inForce.checkTakenPartitions()).rejects.toThrow("the disk is full");
  isFull = false;
  await inForce.checkTakenPartitions();

  expect(seen).toEqual([["a"]]);
});

it("reports the changed rules, and none if the files are the same", async () => {
  text = rules(rule("a", "one"), rule("b", "one"), rule("c", "one"));
  const inForce = await open();
  const reports: unknown[] = [];
  inForce.onChanged((changes) => reports.push(changes));
  await inForce.reload();
  text = rules(rule("a", "two"), rule("c", "one"), rule("d", "one"));
  await inForce.reload();

  expect(reports).toEqual([{ changed: ["a"], added: ["d"], removed: ["b"] }]);
});

it("checks after a restart the runs that an earlier process could not check before it ended", async () => {
  text = rules(rule("a", "one", CANCEL));
  const earlier = await open();
  await earlier.follow(() => Promise.reject(new Error("the process ends here")));
  text = rules(rule("a", "two", CANCEL));
  await earlier.reload();
  const seen: (readonly string[])[] = [];
  const later = await open();
  await later.follow(async (ids) => void seen.push(ids));
  await (await open()).follow(async (ids) => void seen.push(ids));

  expect(seen).toEqual([["a"]]);
});

it("checks the runs whose rules were changed while no bot ran", async () => {
  text = rules(rule("a", "one", CANCEL));
  await open();
  text = rules(rule("a", "two", CANCEL));
  const seen: (readonly string[])[] = [];
  await (await open()).follow(async (ids) => void seen.push(ids));

  expect(seen).toEqual([["a"]]);
});

it("reports the changes of the rules", async () => {
  text = rules(rule("a", "one"), rule("b", "one"));
  const reports: string[] = [];
  const inForce = await openRulesInForce({
    read: async () => [{ path: "rules/a.yaml", text }],
    store,
    log: openLog({
      level: "info",
      destination: { write: (line: string) => void reports.push(JSON.parse(line).msg) },
    }),
    look: () => [],
    report: () => {},
  });
  text = rules(rule("c", "one"), rule("a", "two"));
  await inForce.reload();

  expect(reports).toEqual(["rules reloaded: changed a; added c; removed b"]);
});

it("publishes the leader's rules as a whole: a process that starts meanwhile finds them complete", async () => {
  const warnings: string[] = [];
  const openShared = (onWritten: () => Promise<unknown>): Promise<RulesInForce> =>
    openRulesInForce({
      read: async () => [{ path: "rules/a.yaml", text }],
      store: {
        isShared: true,
        getMeta: (name) => store.getMeta(name),
        stats: () => store.stats(),
        async setMeta(name, value) {
          await store.setMeta(name, value);
          await onWritten();
        },
        async changeMetas(changes) {
          const isChanged = await store.changeMetas(changes);
          await onWritten();
          return isChanged;
        },
      },
      log: openLog({
        level: "warn",
        destination: { write: (line: string) => void warnings.push(JSON.parse(line).msg) },
      }),
      look: () => [],
      report: () => {},
    });
  const followers: RulesInForce[] = [];
  text = rules(rule("a", "one"));
  const leader = await openShared(async () => followers.push(await openShared(async () => {})));
  await leader.together?.lead(true);
  text = rules(rule("a", "two"));
  await leader.reload();

  expect(warnings).toEqual([]);
  expect(followers.at(-1)?.ruleset.revision).toBe(leader.ruleset.revision);
});

it("takes over the leader's rules later if the store failed at first", async () => {
  let isGone = false;
  const openShared = (): Promise<RulesInForce> =>
    openRulesInForce({
      read: async () => [{ path: "rules/a.yaml", text }],
      store: {
        isShared: true,
        getMeta: (name) => store.getMeta(name),
        setMeta: (name, value) => store.setMeta(name, value),
        changeMetas: (changes) => store.changeMetas(changes),
        async stats() {
          if (isGone) throw new StoreError("store-io", "the database can't be reached");
          return store.stats();
        },
      },
      log: openLog({ level: "silent" }),
      look: () => [],
      report: () => {},
    });
  text = rules(rule("a", "one"));
  const leader = await openShared();
  await leader.together?.lead(true);
  const follower = await openShared();
  text = rules(rule("a", "two"));
  await leader.reload();
  isGone = true;
  await expect(follower.together?.follow()).rejects.toThrow("the database can't be reached");
  isGone = false;
  await follower.together?.follow();

  expect(follower.ruleset.revision).toBe(leader.ruleset.revision);
});
