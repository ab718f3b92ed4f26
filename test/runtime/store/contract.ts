import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Item, ItemStatus, NewItem } from "../../../src/runtime/store/item.ts";
import type { Lease } from "../../../src/runtime/store/lease.ts";
import type { StoredRun } from "../../../src/runtime/store/run.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import type { LaneInput } from "../../../src/runtime/store/transition.ts";
import { effectDone, entries, entriesOf, entry, item, moved, run, takenIn } from "./builders.ts";

/** Place of a store under test, such as a folder. A store that is closed and opened again has the same data. */
export interface Place {
  open(): Promise<Store>;
  /** Deletes the place and all its data. */
  remove(): Promise<void>;
}

const TTL_MS = 15_000;
const W = "worker";
const NOW = 10_000;

/** Tests of the guarantees that every store engine gives; see {@link Store}. */
export function describeStore(name: string, place: () => Promise<Place>): void {
  describe(`the store contract on ${name}`, () => {
    let here: Place;
    let store: Store;
    let leases: readonly Lease[];

    beforeEach(async () => {
      here = await place();
      store = await here.open();
      leases = await store.lease(W, TTL_MS);
    });

    afterEach(async () => {
      await store.close();
      await here.remove();
    });

    const reopen = async (): Promise<void> => {
      await store.close();
      store = await here.open();
      leases = await store.lease(W, TTL_MS);
    };

    const fetched = (now = NOW) => store.fetch(leases, now, 1_000);
    const fetchedKeys = async (now = NOW) => entriesOf(await fetched(now)).map(({ key }) => key);

    /** Fetches the unprocessed input for the journal entry with this key. */
    const inputOf = async (key: string): Promise<LaneInput & { kind: "event" }> => {
      for (const input of await fetched()) {
        if (input.kind === "event" && input.entry.key === key) return input;
      }
      throw new Error(`${key} is not in the inbox`);
    };

    /** Processes the appended entry `key` with these effects. */
    const decide = async (key: string, over: Parameters<typeof takenIn>[2]): Promise<void> => {
      const input = await inputOf(key);
      expect(await store.commit(W, [takenIn(leases, input, over)])).toEqual(["committed"]);
    };

    /** Appends one journal entry and decides it by queueing `items`. Returns the entry's number (`seq`). */
    const queue = async (items: readonly NewItem[], key = "dm:1"): Promise<number> => {
      const [appended] = await store.append([entry({ key })]);
      const seq = appended?.seq ?? 0;
      await decide(key, { items: items.map((one) => ({ ...one, seq })) });
      return seq;
    };

    /** Appends an entry that starts a run with this status. The run waits for the outbox item `waiting`, if passed. */
    const startRun = async (status: StoredRun["status"], waiting?: NewItem): Promise<StoredRun> => {
      const [appended] = await store.append([entry({ key: "dm:run" })]);
      const seq = appended?.seq ?? 0;
      const input = await inputOf("dm:run");
      const waitsFor = waiting === undefined ? {} : { waitsFor: waiting.key };
      const write = run(seq, { status, ...waitsFor });
      const items = waiting === undefined ? [] : [{ ...waiting, seq, run: write.id }];
      await decide("dm:run", { runs: [write], items });
      return { ...write, version: 1, partition: input.partition };
    };

    const only = async (status?: ItemStatus): Promise<Item> => {
      const [match] = await store.items({ limit: 1, ...(status && { status }) });
      if (match === undefined) throw new Error("no such item");
      return match;
    };

    const move = async (of: Item, ...path: readonly ItemStatus[]): Promise<void> => {
      let from = of.status;
      for (const to of path) {
        const held = to === "unknown" ? { notBefore: NOW + 1 } : { notBefore: 0 };
        const change = moved(leases, { ...of, status: from }, to, held);
        expect(await store.changeItems(W, [change])).toEqual(["committed"]);
        from = to;
      }
    };

    describe("append", () => {
      it("answers for each entry, in order, and accepts a key once per account", async () => {
        const other = entry({ account: "101" });

        const answers = await store.append([entry(), entry(), other, entry({ key: "dm:2" })]);

        const [first, again, ...others] = answers;
        expect(answers.map(({ outcome }) => outcome)).toEqual(["new", "duplicate", "new", "new"]);
        expect(again?.seq).toBe(first?.seq);
        expect(new Set([first, ...others].map((answer) => answer?.seq)).size).toBe(3);
        expect(await store.append([entry()])).toEqual([again]);
      });

      it("accepts a key once when many callers race", async () => {
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => store.append([entry()])),
        );

        expect(answers.flat().filter(({ outcome }) => outcome === "new")).toHaveLength(1);
      });

      it("recognizes a key after it was decided and after a restart", async () => {
        const seq = await queue([]);
        await reopen();

        expect(await store.append([entry()])).toEqual([{ outcome: "duplicate", seq }]);
        expect(await fetched()).toEqual([]);
      });

      it("stores every field of an entry", async () => {
        const odd = entry({ body: '{"text":"ä\u{1F916}\\u0000\'\\""}', source: "replay", at: 5 });
        await store.append([odd]);
        await reopen();

        expect(await fetched()).toEqual([
          expect.objectContaining({
            kind: "event",
            attempts: 0,
            entry: expect.objectContaining(odd),
          }),
        ]);
      });

      it("refuses an entry that lacks a field, and stores the others", async () => {
        const broken: ReturnType<typeof entry> = JSON.parse(
          JSON.stringify({ ...entry({ key: "dm:broken" }), body: undefined }),
        );

        const [bad, good] = await Promise.allSettled([
          store.append([broken]),
          store.append([entry({ key: "dm:good" })]),
        ]);

        expect(bad).toMatchObject({ status: "rejected", reason: { code: "store-data" } });
        expect(good).toMatchObject({
          status: "fulfilled",
          value: [{ outcome: "new", seq: expect.any(Number) }],
        });
      });
    });

    describe("fetch", () => {
      it("returns the entries of a lane in the order of arrival, with rising seq", async () => {
        await store.append(entries("100:a", 5));
        await store.append(entries("100:b", 5));

        const inputs = entriesOf(await fetched());

        for (const lane of ["100:a", "100:b"]) {
          const keys = inputs.filter((one) => one.lane === lane).map((one) => one.key);
          expect(keys).toEqual([1, 2, 3, 4, 5].map((n) => `${lane}/${n}`));
        }
        const seqs = inputs.map((one) => one.seq);
        expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
      });

      it("assigns a lane to one partition permanently", async () => {
        await store.append(entries("100:a", 2));
        const before = (await fetched()).map((one) => one.partition);
        await reopen();
        const after = (await fetched()).map((one) => one.partition);

        expect(new Set([...before, ...after]).size).toBe(1);
        expect(before[0]).toBeGreaterThanOrEqual(0);
        expect(before[0]).toBeLessThan(store.partitions);
      });

      it("returns nothing from partitions whose lease is not presented", async () => {
        await store.append(entries("100:a", 1));
        const [input] = await fetched();
        const others = leases.filter((lease) => lease.partition !== input?.partition);

        expect(await store.fetch(others, NOW, 10)).toEqual([]);
        expect(await store.fetch([], NOW, 10)).toEqual([]);
      });

      it("returns the inputs of any share of the partitions", async () => {
        await store.append([entry({ key: "dm:1" })]);
        const input = await inputOf("dm:1");
        const others = leases.filter(({ partition }) => partition !== input.partition);
        const own = leases.filter(({ partition }) => partition === input.partition);

        for (const share of [1, 3, 11]) {
          const held = [...own, ...others].slice(0, share);
          expect(await store.fetch(held, NOW, 256)).toEqual([input]);
        }
      });

      it("returns entries of other lanes even if one is long", async () => {
        await store.append(entries("100:long", 500));
        await store.append(entries("100:short", 1));

        const lanes = (await store.fetch(leases, NOW, 100)).map((one) => one.lane);

        expect(lanes).toContain("100:short");
      });

      it("omits the lanes that the caller is processing", async () => {
        await store.append([...entries("100:a", 2), ...entries("100:b", 1)]);

        const inputs = entriesOf(await store.fetch(leases, NOW, 10, ["100:a"]));

        expect(inputs.map((one) => one.key)).toEqual(["100:b/1"]);
      });
    });

    describe("commit", () => {
      it("removes an entry from the inbox once", async () => {
        await store.append([entry()]);
        const [first] = await fetched();
        if (first === undefined) throw new Error("nothing fetched");
        const done = takenIn(leases, first);

        expect(await store.commit(W, [done, done])).toEqual(["committed", "already-done"]);
        await reopen();
        expect(await store.commit(W, [takenIn(leases, first)])).toEqual(["already-done"]);
      });

      it("stores state, items, runs and decision together", async () => {
        const [appended] = await store.append([entry()]);
        const seq = appended?.seq ?? 0;
        const { partition } = await inputOf("dm:1");
        const { version, ...storedRun } = run(seq, { body: '{"results":{}}' });
        await decide("dm:1", {
          decision: { seq, text: '{"why":1}' },
          runs: [{ ...storedRun, version }],
          state: [{ key: "user/200/n", value: "1", version: 0, expiresAt: 8_000 }],
          items: [item({ seq, expiresAt: 9_000 })],
        });
        await reopen();

        expect(await store.load(["user/200/n", "absent"])).toEqual(
          new Map([["user/200/n", { value: "1", version: expect.any(Number), expiresAt: 8_000 }]]),
        );
        expect(await store.journal({ limit: 5 })).toEqual([
          expect.objectContaining({
            ...entry(),
            state: "done",
            decidedAt: 2_000,
            decision: '{"why":1}',
            runs: [storedRun],
          }),
        ]);
        expect(await store.items({ limit: 5 })).toEqual([
          {
            ...item({ seq, expiresAt: 9_000 }),
            id: expect.any(Number),
            partition,
            status: "pending",
            attempts: 0,
          },
        ]);
      });

      it("keeps a failing entry first in its lane, and blocks only that lane", async () => {
        await store.append([...entries("100:a", 2), ...entries("100:b", 1)]);
        const [head] = await fetched();
        if (head === undefined) throw new Error("nothing fetched");

        const retry = takenIn(leases, head, { outcome: "retry", retryAt: NOW + 1 });
        expect(await store.commit(W, [retry])).toEqual(["committed"]);

        expect(await fetchedKeys()).toEqual(["100:b/1"]);
        const later = await fetched(NOW + 1);
        const attempts = later.map((input) => input.attempts);
        expect(entriesOf(later).map(({ key }, place) => [key, attempts[place]])).toEqual([
          ["100:a/1", 1],
          ["100:a/2", 0],
          ["100:b/1", 0],
        ]);
      });

      it("marks a dead-lettered entry as failed and continues its lane", async () => {
        await store.append(entries("100:a", 2));
        const [head] = await fetched();
        if (head === undefined) throw new Error("nothing fetched");

        await store.commit(W, [takenIn(leases, head, { outcome: "dead-lettered" })]);

        expect(await fetchedKeys()).toEqual(["100:a/2"]);
        const [row] = await store.journal({ key: "100:a/1", limit: 1 });
        expect(row).toMatchObject({ state: "dead-lettered", attempts: 1 });
      });

      it("drops a second item with an existing key, so a handler that ran twice sends once", async () => {
        await queue([item(), item()], "dm:1");
        await queue([item(), item({ account: "101" })], "dm:2");

        expect(await store.items({ limit: 5 })).toHaveLength(2);
      });
    });

    describe("user state", () => {
      /** Processes an entry and writes the user state `k`, if the state still has the version `version`. */
      const write = async (key: string, value: string | null, version: number) => {
        await store.append([entry({ key })]);
        const input = await inputOf(key);
        return store.commit(W, [takenIn(leases, input, { state: [{ key: "k", value, version }] })]);
      };
      const versionOf = async () => (await store.load(["k"])).get("k")?.version ?? 0;

      it("is written only by a caller that has read the current version", async () => {
        expect(await write("dm:1", "1", 0)).toEqual(["committed"]);
        const read = await versionOf();
        expect(await write("dm:2", "2", read)).toEqual(["committed"]);

        expect(await write("dm:3", "3", read)).toEqual(["stale"]);
        expect(await write("dm:4", "4", 0)).toEqual(["stale"]);
        expect((await store.load(["k"])).get("k")?.value).toBe("2");
      });

      it("omits a stale transition as a whole, so that it can be decided again", async () => {
        await write("dm:1", "1", 0);
        await store.append([entry({ key: "dm:2" })]);
        const input = await inputOf("dm:2");
        const follows = { state: [{ key: "k", value: "2", version: 0 }], items: [item()] };
        const stale = takenIn(leases, input, follows);

        expect(await store.commit(W, [stale])).toEqual(["stale"]);

        expect(await store.items({ limit: 5 })).toEqual([]);
        expect(await fetchedKeys()).toEqual(["dm:2"]);
      });

      it("accepts one of several lanes that decided on the same state at once", async () => {
        await store.append(
          ["a", "b", "c"].map((lane) => entry({ key: lane, lane: `100:${lane}` })),
        );
        const all = (await fetched()).map((input) =>
          takenIn(leases, input, { state: [{ key: "k", value: input.lane, version: 0 }] }),
        );

        expect(await store.commit(W, all)).toEqual(["committed", "stale", "stale"]);
      });

      it("removes a value that is set to null, and distinguishes it from a new one", async () => {
        await write("dm:1", "1", 0);
        const first = await versionOf();
        await write("dm:2", null, first);
        expect(await store.load(["k"])).toEqual(new Map());
        await write("dm:3", "3", 0);

        expect(await versionOf()).not.toBe(first);
        expect(await write("dm:4", "4", first)).toEqual(["stale"]);
      });
    });

    describe("runs", () => {
      it("waiting for an item continue when it is settled, in the same transaction", async () => {
        const waiting = await startRun("waiting", item());
        const sent = await only();
        await move(sent, "sending");
        expect(await fetched()).toEqual([]);
        const failed = moved(leases, await only(), "failed", { reason: "blocked" });
        await store.changeItems(W, [failed]);
        await reopen();

        expect(await fetched()).toEqual([
          expect.objectContaining({
            kind: "item-settled",
            lane: "100:200",
            item: expect.objectContaining({ id: sent.id, status: "failed", reason: "blocked" }),
            run: waiting,
            entry: expect.objectContaining({ key: "dm:run" }),
          }),
        ]);
      });

      it("add nothing to the lane for an item for which no run waits", async () => {
        await queue([item()]);
        await move(await only(), "sending", "sent");

        expect(await fetched()).toEqual([]);
        expect(await store.stats()).toMatchObject({ inbox: 0, journal: 1 });
      });

      it("change once for each version that was read", async () => {
        const ready = await startRun("ready");
        const ended = { ...ready, status: "done" } as const;
        const done = effectDone(leases, ready, { runs: [ended] });

        expect(await store.commit(W, [done, done])).toEqual(["committed", "already-done"]);
        await reopen();
        expect(await store.commit(W, [effectDone(leases, ready, { runs: [ended] })])).toEqual([
          "already-done",
        ]);
        const [row] = await store.journal({ limit: 1 });
        expect(row?.runs).toEqual([expect.objectContaining({ id: ready.id, status: "done" })]);
      });

      it("are listed while they are open, oldest first, with the entry that started them", async () => {
        for (const [n, status] of (
          ["ready", "done", "ready", "waiting", "ready"] as const
        ).entries()) {
          const key = `dm:${n}`;
          const [appended] = await store.append([entry({ key })]);
          const owner = status === "waiting" ? `rule:${n}#count@2` : `rule:${n}`;
          await decide(key, { runs: [run(appended?.seq ?? 0, { status, owner })] });
        }
        const list = (after: number, limit: number) =>
          store.openRuns(leases, { status: "ready", after, limit });

        const page = await list(0, 2);
        const rest = await list(page.at(-1)?.ordinal ?? 0, 2);

        expect(page.map((one) => one.entry.key)).toEqual(["dm:0", "dm:2"]);
        expect(rest.map((one) => one.run.owner)).toEqual(["rule:4"]);
        const ofOne = { status: "ready", after: 0, limit: 9, owner: "rule:2" } as const;
        expect((await store.openRuns(leases, ofOne)).map((one) => one.entry.key)).toEqual(["dm:2"]);
        const ofRule = { status: "waiting", after: 0, limit: 9, whose: "rule:3" } as const;
        expect((await store.openRuns(leases, ofRule)).map((one) => one.run.owner)).toEqual([
          "rule:3#count@2",
        ]);
        expect(await store.openRuns([], { status: "ready", after: 0, limit: 9 })).toEqual([]);
        expect((await store.stats()).runs).toEqual({ ready: 3, waiting: 1 });
      });

      it("count as pending work while an effect of theirs is to be performed", async () => {
        const ready = await startRun("ready");
        expect(await store.stats()).toMatchObject({ inbox: 1 });
        await store.commit(W, [
          effectDone(leases, ready, { runs: [{ ...ready, status: "done" }] }),
        ]);

        expect(await store.stats()).toMatchObject({ inbox: 0, runs: { ready: 0, waiting: 0 } });
      });
    });

    describe("timers", () => {
      const timer = { id: "1/rule:faq/actions[1]#1", lane: "100:200", dueAt: NOW };

      it("become inputs of their lane when they are due, once", async () => {
        const [appended] = await store.append([entry()]);
        const write = run(appended?.seq ?? 0, { status: "waiting", waitsFor: timer.id });
        await decide("dm:1", { runs: [write], timers: [{ ...timer, run: write.id }] });
        expect(await fetched(NOW - 1)).toEqual([]);
        await reopen();

        const [due] = await fetched();
        if (due === undefined) throw new Error("no timer is due");
        expect(due).toMatchObject({ kind: "timer-due", lane: timer.lane, run: { id: write.id } });
        const done = takenIn(leases, due);
        expect(await store.commit(W, [done, done])).toEqual(["committed", "already-done"]);
        expect(await fetched()).toEqual([]);
      });
    });

    describe("rule sources", () => {
      const source = {
        revision: "r1",
        ruleId: "faq",
        path: "faq.yaml",
        text: "ä",
        beside: "{}",
        savedAt: 1_000,
      };

      it("are stored with the run that uses them", async () => {
        await store.append([entry()]);
        await decide("dm:1", { sources: [source] });
        await reopen();

        expect(await store.ruleSource("r1")).toEqual(source);
        expect(await store.ruleSource("r2")).toBeUndefined();
      });
    });

    describe("leases", () => {
      it("gives every partition to a worker that is alone", () => {
        expect(leases.map((lease) => lease.partition).sort((a, b) => a - b)).toEqual(
          Array.from({ length: store.partitions }, (_, n) => n),
        );
        for (const { until } of leases) expect(until).toBeGreaterThan(performance.now());
      });

      it("renews with the same epoch", async () => {
        const again = await store.lease(W, TTL_MS);

        expect(again.map((lease) => lease.epoch)).toEqual(leases.map((lease) => lease.epoch));
      });

      it.each([
        { how: "given back", ttlMs: TTL_MS, why: "release frees at once" },
        { how: "run out", ttlMs: 0, why: "nobody waits for a worker that is gone" },
      ])("passes on leases that are $how, with the next epoch: $why", async ({ how, ttlMs }) => {
        await store.lease(W, ttlMs);
        if (how === "given back") await store.release(W);

        const newLeases = await store.lease("other", TTL_MS);

        expect(newLeases).toHaveLength(store.partitions);
        for (const { partition, epoch } of newLeases) {
          const before = leases.find((lease) => lease.partition === partition)?.epoch ?? Infinity;
          expect(epoch).toBeGreaterThan(before);
        }
      });

      it("changes nothing for a worker with an old epoch", async () => {
        await queue([item()]);
        const pending = await only();
        await store.append([entry({ key: "dm:2" })]);
        const [open] = await fetched();
        if (open === undefined) throw new Error("nothing fetched");
        await store.release(W);
        await store.lease("other", TTL_MS);

        expect(await store.commit(W, [takenIn(leases, open)])).toEqual(["fenced"]);
        expect(await store.changeItems(W, [moved(leases, pending, "sending")])).toEqual(["fenced"]);
        expect(await fetched()).toEqual([]);
        expect(await store.stats()).toMatchObject({ inbox: 1, items: { pending: 1, sending: 0 } });
      });

      it("changes nothing for the leases of an earlier process", async () => {
        await store.append([entry()]);
        const [open] = await fetched();
        if (open === undefined) throw new Error("nothing fetched");
        const old = leases;
        await reopen();

        expect(await store.commit(W, [takenIn(old, open)])).toEqual(["fenced"]);
        expect(await store.commit(W, [takenIn(leases, open)])).toEqual(["committed"]);
      });
    });

    describe("outbox", () => {
      const items = (lane: string, count: number) =>
        Array.from({ length: count }, (_, n) => item({ key: `${lane}/${n + 1}`, lane }));
      const offered = async (now = NOW) =>
        (await store.dueItems(leases, now, 10)).map((one) => one.key);

      it("offers only the first open item of each lane", async () => {
        await queue([...items("100:a", 2), ...items("100:b", 2)]);

        expect((await offered()).sort()).toEqual(["100:a/1", "100:b/1"]);
      });

      it.each<{ path: readonly ItemStatus[]; next: string | undefined; why: string }>([
        { path: ["sending"], next: undefined, why: "it is on its way" },
        { path: ["sending", "unknown"], next: undefined, why: "nobody knows whether it arrived" },
        { path: ["sending", "unknown", "pending"], next: "100:a/1", why: "it did not arrive" },
        { path: ["sending", "unknown", "sending"], next: undefined, why: "it is on its way again" },
        { path: ["sending", "pending"], next: "100:a/1", why: "it was turned away unread" },
        { path: ["sending", "sent"], next: "100:a/2", why: "it arrived" },
        { path: ["sending", "unknown", "sent"], next: "100:a/2", why: "it was found there" },
        { path: ["failed"], next: "100:a/2", why: "it never will" },
        { path: ["expired"], next: "100:a/2", why: "it is too late" },
      ])("offers $next after $path, since $why", async ({ path, next }) => {
        await queue(items("100:a", 2));
        const [head] = await store.dueItems(leases, NOW, 10);
        if (head === undefined) throw new Error("nothing offered");

        await move(head, ...path);

        expect(await offered()).toEqual(next === undefined ? [] : [next]);
        await reopen();
        expect(await offered()).toEqual(next === undefined ? [] : [next]);
      });

      it("offers the items behind an unknown item once it has delayed its lane for its time", async () => {
        await queue(items("100:a", 2));
        const [head] = await store.dueItems(leases, NOW, 10);
        if (head === undefined) throw new Error("nothing offered");
        await move(head, "sending", "unknown");

        expect(await offered(NOW)).toEqual([]);
        expect(await offered(NOW + 1)).toEqual(["100:a/2"]);
        expect(await store.items({ status: "unknown", limit: 9 })).toHaveLength(1);
      });

      it("offers an item when it is due, and nothing behind it before", async () => {
        await queue([item({ key: "first", notBefore: NOW + 5 }), item({ key: "second" })]);

        expect(await offered(NOW + 4)).toEqual([]);
        expect(await offered(NOW + 5)).toEqual(["first"]);
      });

      it("offers an item at a time with a fraction of a millisecond", async () => {
        await queue([item({ notBefore: NOW, expiresAt: NOW + 1 })]);

        expect(await offered(NOW - 0.25)).toEqual([]);
        expect(await offered(NOW + 0.25)).toHaveLength(1);
        expect(await store.overdueItems(leases, NOW + 0.75, 9)).toEqual([]);
        expect(await fetched(NOW + 0.25)).toEqual([]);
      });

      it("uses only the partitions whose leases are presented", async () => {
        await queue(items("100:a", 1));
        const { partition } = await only();
        const others = leases.filter((lease) => lease.partition !== partition);

        expect(await store.dueItems(others, NOW, 10)).toEqual([]);
      });
    });

    describe("changing items", () => {
      it("changes an item only from its current state", async () => {
        await queue([item()]);
        const pending = await only();
        const start = moved(leases, pending, "sending");

        expect(await store.changeItems(W, [start, start])).toEqual(["committed", "already-done"]);
      });

      it("stores when and how often an item was started, and its result", async () => {
        await queue([item()]);
        await move(await only(), "sending", "pending", "sending");
        const sent = { platformId: "9001", reason: "found in the conversation" };
        await store.changeItems(W, [moved(leases, await only(), "sent", { ...sent, at: 4_000 })]);

        expect(await only()).toMatchObject({
          status: "sent",
          attempts: 2,
          startedAt: 3_000,
          settledAt: 4_000,
          ...sent,
        });
      });

      it("stores the platform's answer to a sent item", async () => {
        const result = { following: false, pending_follow: true, deep: { post_id: null } };
        await queue([item()]);
        expect(await only()).not.toHaveProperty("result");
        await move(await only(), "sending");
        await store.changeItems(W, [moved(leases, await only(), "sent", { result })]);

        expect(await only()).toMatchObject({ status: "sent", result });
      });

      it("delays an item", async () => {
        await queue([item()]);
        const later = moved(leases, await only(), "pending", { notBefore: 7_000, reason: "429" });

        expect(await store.changeItems(W, [later])).toEqual(["committed"]);
        expect(await only()).toMatchObject({ notBefore: 7_000, reason: "429", attempts: 0 });
      });

      it.each([
        { end: "sent", tried: ["pending", "sending", "sent", "failed"] },
        { end: "failed", tried: ["sending", "sent", "failed", "unknown"] },
        { end: "expired", tried: ["sending", "sent", "failed", "unknown"] },
      ] as const)("never moves an item that is $end", async ({ end, tried }) => {
        await queue([item()]);
        await move(await only(), "sending", end);

        const settled = await only();
        const tries = tried.map((to) => moved(leases, settled, to));
        expect(new Set(await store.changeItems(W, tries))).toEqual(new Set(["already-done"]));
      });
    });

    describe("an item that has failed", () => {
      it.each(["failed", "expired"] as const)("and is %s may be retried", async (end) => {
        await queue([item({ expiresAt: 5_000 })]);
        await move(await only(), "sending", end);
        const again = moved(leases, await only(), "pending", { notBefore: 0, expiresAt: 9_000 });

        expect(await store.changeItems(W, [again])).toEqual(["committed"]);
        expect(await store.dueItems(leases, 5_000, 9)).toMatchObject([{ expiresAt: 9_000 }]);
        expect((await only()).settledAt).toBeUndefined();
        expect((await store.stats()).items).toMatchObject({ pending: 1, [end]: 0 });
      });

      it("is overdue before that, wherever it is in its lane", async () => {
        const keys = ["first", "second", "third"];
        const expiries = [undefined, 5_000, 6_000];
        await queue(
          keys.map((key, n) => {
            const expiresAt = expiries[n];
            return item({ key, ...(expiresAt !== undefined && { expiresAt }) });
          }),
        );
        const overdue = await store.overdueItems(leases, 5_000, 9);

        expect(overdue.map(({ key }) => key)).toEqual(["second"]);
        expect(await store.overdueItems([], 5_000, 9)).toEqual([]);
      });
    });

    it("due items are ordered by priority, then by how long they are due", async () => {
      await queue([
        item({ key: "campaign", lane: "100:1", priority: 1, notBefore: 1 }),
        item({ key: "later answer", lane: "100:2", notBefore: 3 }),
        item({ key: "answer", lane: "100:3", notBefore: 2 }),
      ]);
      const due = await store.dueItems(leases, 9, 9);
      const few = await store.dueItems(leases, 9, 1);

      expect(due.map(({ key }) => key)).toEqual(["answer", "later answer", "campaign"]);
      expect(few.map(({ key }) => key)).toEqual(["answer"]);
    });

    describe("listings", () => {
      beforeEach(async () => {
        await store.append([...entries("100:a", 3), ...entries("101:b", 2, { account: "101" })]);
      });

      it.each([
        { by: { limit: 10 }, keys: ["101:b/2", "101:b/1", "100:a/3", "100:a/2", "100:a/1"] },
        { by: { limit: 2 }, keys: ["101:b/2", "101:b/1"] },
        { by: { lane: "100:a", limit: 2 }, keys: ["100:a/3", "100:a/2"] },
        { by: { account: "101", limit: 10 }, keys: ["101:b/2", "101:b/1"] },
        { by: { key: "100:a/2", limit: 10 }, keys: ["100:a/2"] },
        { by: { key: "100:a/2", account: "101", limit: 10 }, keys: [] },
      ])("returns the journal newest first by $by", async ({ by, keys }) => {
        expect((await store.journal(by)).map((row) => row.key)).toEqual(keys);
      });

      it("returns entries without their results on request", async () => {
        const [last] = await store.journal({ limit: 1 });
        const all = await store.journal({ bare: true, limit: 10 });
        const { runs: _runs, decision: _none, decidedAt: _never, ...entry } = last ?? {};

        expect(all.map((row) => row.key)).toEqual([
          "101:b/2",
          "101:b/1",
          "100:a/3",
          "100:a/2",
          "100:a/1",
        ]);
        expect(all[0]).toEqual({ ...entry, state: "open", attempts: 0, runs: [] });
        expect(await store.journal({ bare: true, lane: "101:b", limit: 1 })).toEqual([all[0]]);
      });

      it("continues after the last page", async () => {
        const [, second] = await store.journal({ limit: 2 });
        const rest = await store.journal({ before: second?.seq ?? 0, limit: 10 });

        expect(rest.map((row) => row.key)).toEqual(["100:a/3", "100:a/2", "100:a/1"]);
      });

      it("returns long listings completely", async () => {
        await store.append(entries("100:long", 450));

        expect(await store.journal({ lane: "100:long", limit: 1_000 })).toHaveLength(450);
      });

      it("finds a quiet lane far behind a busy one", async () => {
        for (let n = 0; n < 12; n++) {
          const busy = entries("100:busy", 1_000, { body: "{}" });
          await store.append(busy.map((one) => ({ ...one, key: `${n}/${one.key}` })));
        }

        const rows = await store.journal({ lane: "100:a", limit: 10 });

        expect(rows.map((row) => row.key)).toEqual(["100:a/3", "100:a/2", "100:a/1"]);
      });

      it("returns items newest first by lane, entry, status and id", async () => {
        const seq = await queue([item({ key: "one" }), item({ key: "two", lane: "100:z" })]);
        const [two, one] = await store.items({ limit: 10 });
        if (one === undefined || two === undefined) throw new Error("items are missing");

        expect([one.key, two.key]).toEqual(["one", "two"]);
        expect(await store.items({ lane: "100:z", limit: 10 })).toEqual([two]);
        expect(await store.items({ seq, limit: 10 })).toEqual([two, one]);
        expect(await store.items({ status: "sent", limit: 10 })).toEqual([]);
        expect(await store.items({ id: one.id, limit: 10 })).toEqual([one]);
        expect(await store.items({ before: two.id, limit: 10 })).toEqual([one]);
      });

      it("returns the open items of leased partitions in the order of queueing, page by page", async () => {
        await queue(["one", "two", "three"].map((key) => item({ key, lane: `100:${key}` })));
        const all = await store.items({ limit: 10 });
        const [, , first] = all;
        if (first === undefined) throw new Error("items are missing");
        for (const one of all) await move(one, "sending");
        const list = (after: number, limit: number) =>
          store.openItems(leases, { status: "sending", after, limit });

        expect((await list(0, 2)).map(({ key }) => key)).toEqual(["one", "two"]);
        expect((await list(first.id, 9)).map(({ key }) => key)).toEqual(["two", "three"]);
        expect(await store.openItems([], { status: "sending", after: 0, limit: 9 })).toEqual([]);
      });

      it("counts the stored objects", async () => {
        await queue([item({ key: "one" }), item({ key: "two" })]);
        await move(await only(), "expired");
        await reopen();

        expect(await store.stats()).toEqual({
          inbox: 5,
          paused: 0,
          escalations: {},
          journal: 6,
          runs: { ready: 0, waiting: 0 },
          items: {
            pending: 1,
            sending: 0,
            sent: 0,
            failed: 0,
            dropped: 0,
            expired: 1,
            unknown: 0,
            held: 0,
          },
          oldestArrivedAt: 1_000,
        });
      });
    });

    describe("small named values", () => {
      it("are stored", async () => {
        expect(await store.getMeta("world")).toBeUndefined();
        await store.setMeta("world", "w1");
        await store.setMeta("world", "w2");
        await reopen();

        expect(await store.getMeta("world")).toBe("w2");
      });
    });

    describe("prune", () => {
      const prune = (before: number, now = NOW) => store.prune({ before, now });

      it("deletes old decided entries together with their settled items", async () => {
        await queue([item()], "dm:old");
        await move(await only(), "sending", "sent");
        await queue([], "dm:plain");
        await store.append([
          entry({ key: "dm:open" }),
          entry({ key: "dm:young", arrivedAt: 5_000 }),
        ]);

        expect(await prune(5_000)).toBe(2);

        const keys = (await store.journal({ limit: 10 })).map((row) => row.key);
        expect(keys).toEqual(["dm:young", "dm:open"]);
        expect(await store.items({ limit: 10 })).toEqual([]);
        expect(await store.append([entry({ key: "dm:old" })])).toMatchObject([{ outcome: "new" }]);
      });

      it("keeps a decided entry while one of its items is open", async () => {
        await queue([item()]);

        expect(await prune(5_000)).toBe(0);
        expect(await store.stats()).toMatchObject({ journal: 1, items: { pending: 1 } });
      });

      it.each(["ready", "waiting"] as const)(
        "keeps the entry, the run and its rule while the run is %s",
        async (status) => {
          const [appended] = await store.append([entry()]);
          const write = run(appended?.seq ?? 0, { status });
          const source = { revision: "r1", ruleId: "faq", path: "a", text: "b", savedAt: 1_000 };
          await decide("dm:1", { runs: [write], sources: [source] });

          expect(await prune(5_000)).toBe(0);
          expect(await store.openRuns(leases, { status, after: 0, limit: 9 })).toHaveLength(1);
          expect(await store.ruleSource("r1")).toEqual(source);
        },
      );

      it("deletes the runs of deleted entries, and rules that no open run uses", async () => {
        const [appended] = await store.append([entry()]);
        const source = { revision: "r1", ruleId: "faq", path: "a", text: "b", savedAt: 1_000 };
        await decide("dm:1", { runs: [run(appended?.seq ?? 0)], sources: [source] });

        expect(await prune(5_000)).toBe(1);
        expect(await store.ruleSource("r1")).toBeUndefined();
        expect(await store.journal({ limit: 5 })).toEqual([]);
      });

      it("deletes expired user state, however much there is, and nothing else", async () => {
        await store.append([entry()]);
        const state = Array.from({ length: 1_000 }, (_, n) => ({
          key: `k${n}`,
          value: "1",
          version: 0,
          ...(n > 0 && { expiresAt: n === 1 ? NOW + 1 : NOW }),
        }));
        await decide("dm:1", { state });

        await prune(0);

        const remaining = await store.load(state.map(({ key }) => key));
        expect([...remaining.keys()]).toEqual(["k0", "k1"]);
      });

      it("never assigns a seq or an id again", async () => {
        const seq = await queue([item()]);
        const { id } = await only();
        await store.changeItems(W, [moved(leases, await only(), "expired")]);
        expect(await prune(5_000)).toBe(1);
        await reopen();

        expect(await queue([item()], "dm:next")).toBeGreaterThan(seq);
        expect((await only()).id).toBeGreaterThan(id);
      });

      it("never assigns the seq of a settled item again once it was processed", async () => {
        await startRun("waiting", item());
        await move(await only(), "sending");
        await store.changeItems(W, [moved(leases, await only(), "failed")]);
        const [input] = await fetched();
        if (input === undefined) throw new Error("the settled item is no input");
        expect(await store.commit(W, [takenIn(leases, input)])).toEqual(["committed"]);
        await reopen();

        const [appended] = await store.append([entry({ key: "dm:next" })]);
        expect(`inbox/${appended?.seq}`).not.toBe(input.input);
      });

      it("counts the remaining objects after a restart", async () => {
        await startRun("waiting", item());
        await queue([item({ key: "b" })], "dm:2");
        await prune(5_000);
        const before = await store.stats();
        await reopen();

        expect(await store.stats()).toEqual(before);
        expect(before).toMatchObject({ items: { pending: 2 }, runs: { waiting: 1 } });
      });

      it("deletes thousands while appends continue", async () => {
        await store.append(entries("100:many", 2_000));
        for (let open = await fetched(); open.length > 0; open = await fetched()) {
          await store.commit(
            W,
            open.map((one) => takenIn(leases, one)),
          );
        }

        const pruning = prune(5_000);
        const late = await store.append([entry({ arrivedAt: 5_000 })]);

        expect(late).toMatchObject([{ outcome: "new" }]);
        expect(await pruning).toBe(2_000);
        expect(await store.stats()).toMatchObject({ journal: 1 });
      });
    });

    describe("close", () => {
      it("finishes work in progress and refuses later calls", async () => {
        const under = store.append([entry()]);
        await store.close();

        expect(await under).toMatchObject([{ outcome: "new" }]);
        await expect(store.append([entry()])).rejects.toMatchObject({ code: "store-closed" });
      });
    });
  });
}
