import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Item, ItemStatus, Lease, NewItem, Store } from "../../../src/runtime/store/store.ts";
import { decided, entries, entry, item, marked } from "./builders.ts";

/** Where a store under test lives: `open` again after `close` finds what was kept. */
export interface Place {
  open(): Promise<Store>;
  /** Removes everything. */
  remove(): Promise<void>;
}

const TTL_MS = 15_000;
const W = "worker";
const NOW = 10_000;

/** What every engine guarantees, whatever it is made of. */
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

    const fetched = () => store.fetch(leases, NOW, 1_000);

    /** Appends one entry and decides it with `items`. */
    const queue = async (items: readonly NewItem[], key = "dm:1"): Promise<void> => {
      await store.append([entry({ key })]);
      const [first] = (await fetched()).filter((one) => one.key === key);
      if (first === undefined) throw new Error(`${key} is not in the inbox`);
      expect(await store.commit(W, [decided(leases, first, { items })])).toEqual([true]);
    };

    const only = async (status?: ItemStatus): Promise<Item> => {
      const [found] = await store.items({ limit: 1, ...(status && { status }) });
      if (found === undefined) throw new Error("no such item");
      return found;
    };

    const move = async (of: Item, ...path: readonly ItemStatus[]): Promise<void> => {
      let from = of.status;
      for (const to of path) {
        const mark = marked(leases, { ...of, status: from }, to);
        expect(await store.mark(W, [mark])).toEqual([true]);
        from = to;
      }
    };

    describe("append", () => {
      it("answers for each entry, in order, and accepts a key once per account", async () => {
        const other = entry({ account: "101" });

        const answers = await store.append([entry(), entry(), other, entry({ key: "dm:2" })]);

        expect(answers).toEqual(["new", "duplicate", "new", "new"]);
        expect(await store.append([entry()])).toEqual(["duplicate"]);
      });

      it("accepts a key once when many callers race", async () => {
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => store.append([entry()])),
        );

        expect(answers.flat().filter((answer) => answer === "new")).toHaveLength(1);
      });

      it("still knows a key after it was decided and after a restart", async () => {
        await queue([]);
        await reopen();

        expect(await store.append([entry()])).toEqual(["duplicate"]);
        expect(await fetched()).toEqual([]);
      });

      it("keeps every field of an entry", async () => {
        const odd = entry({ body: '{"text":"ä\u{1F916}\\u0000\'\\""}', source: "replay", at: 5 });
        await store.append([odd]);
        await reopen();

        expect(await fetched()).toEqual([expect.objectContaining({ ...odd, attempts: 0 })]);
      });

      it("refuses an entry that lacks a field, and keeps the others that wait beside it", async () => {
        const broken: ReturnType<typeof entry> = JSON.parse(
          JSON.stringify({ ...entry({ key: "dm:broken" }), body: undefined }),
        );

        const [bad, good] = await Promise.allSettled([
          store.append([broken]),
          store.append([entry({ key: "dm:good" })]),
        ]);

        expect(bad).toMatchObject({ status: "rejected", reason: { code: "E_STORE_DATA" } });
        expect(good).toEqual({ status: "fulfilled", value: ["new"] });
      });
    });

    describe("fetch", () => {
      it("gives the entries of a lane in the order of arrival, with rising seq", async () => {
        await store.append(entries("100:a", 5));
        await store.append(entries("100:b", 5));

        const found = await fetched();

        for (const lane of ["100:a", "100:b"]) {
          const keys = found.filter((one) => one.lane === lane).map((one) => one.key);
          expect(keys).toEqual([1, 2, 3, 4, 5].map((n) => `${lane}/${n}`));
        }
        const seqs = found.map((one) => one.seq);
        expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
      });

      it("puts a lane in one partition, for good", async () => {
        await store.append(entries("100:a", 2));
        const before = (await fetched()).map((one) => one.partition);
        await reopen();
        const after = (await fetched()).map((one) => one.partition);

        expect(new Set([...before, ...after]).size).toBe(1);
        expect(before[0]).toBeGreaterThanOrEqual(0);
        expect(before[0]).toBeLessThan(store.partitions);
      });

      it("gives nothing of partitions whose lease is not shown", async () => {
        await store.append(entries("100:a", 1));
        const [found] = await fetched();
        const others = leases.filter((lease) => lease.partition !== found?.partition);

        expect(await store.fetch(others, NOW, 10)).toEqual([]);
        expect(await store.fetch([], NOW, 10)).toEqual([]);
      });

      it("leaves room for other lanes when one is long", async () => {
        await store.append(entries("100:long", 500));
        await store.append(entries("100:short", 1));

        const lanes = (await store.fetch(leases, NOW, 100)).map((one) => one.lane);

        expect(lanes).toContain("100:short");
      });

      it("leaves out the lanes that the caller is busy with", async () => {
        await store.append([...entries("100:a", 2), ...entries("100:b", 1)]);

        const found = await store.fetch(leases, NOW, 10, ["100:a"]);

        expect(found.map((one) => one.key)).toEqual(["100:b/1"]);
      });
    });

    describe("commit", () => {
      it("takes an entry off the inbox once, ever", async () => {
        await store.append([entry()]);
        const [first] = await fetched();
        if (first === undefined) throw new Error("nothing fetched");
        const done = decided(leases, first);

        expect(await store.commit(W, [done, done])).toEqual([true, false]);
        await reopen();
        expect(await store.commit(W, [decided(leases, first)])).toEqual([false]);
      });

      it("keeps state, items, runs and decision together", async () => {
        await store.append([entry()]);
        const [first] = await fetched();
        if (first === undefined) throw new Error("nothing fetched");
        const run = {
          id: "r1",
          owner: "rule:a",
          revision: "1",
          status: "done",
          steps: "[]",
        } as const;
        await store.commit(W, [
          decided(leases, first, {
            decision: '{"why":1}',
            runs: [run],
            state: [{ key: "user/200/n", value: "1" }],
            items: [item({ expiresAt: 9_000 })],
          }),
        ]);
        await reopen();

        expect(await store.load(["user/200/n", "absent"])).toEqual(new Map([["user/200/n", "1"]]));
        expect(await store.journal({ limit: 5 })).toEqual([
          expect.objectContaining({
            ...entry(),
            state: "done",
            decidedAt: 2_000,
            decision: '{"why":1}',
            runs: [run],
          }),
        ]);
        expect(await store.items({ limit: 5 })).toEqual([
          {
            ...item({ expiresAt: 9_000 }),
            id: expect.any(Number),
            partition: first.partition,
            seq: first.seq,
            status: "pending",
            attempts: 0,
          },
        ]);
      });

      it("removes a state value that is set to null", async () => {
        await store.append(entries("100:a", 2));
        const [one, two] = await fetched();
        if (one === undefined || two === undefined) throw new Error("nothing fetched");

        await store.commit(W, [decided(leases, one, { state: [{ key: "k", value: "1" }] })]);
        await store.commit(W, [decided(leases, two, { state: [{ key: "k", value: null }] })]);

        expect(await store.load(["k"])).toEqual(new Map());
      });

      it("keeps a failing entry first in its lane, and blocks only that lane", async () => {
        await store.append([...entries("100:a", 2), ...entries("100:b", 1)]);
        const [head] = await fetched();
        if (head === undefined) throw new Error("nothing fetched");

        const retry = decided(leases, head, { outcome: "retry", retryAt: NOW + 1 });
        expect(await store.commit(W, [retry])).toEqual([true]);

        expect((await fetched()).map((one) => one.key)).toEqual(["100:b/1"]);
        const later = await store.fetch(leases, NOW + 1, 10);
        expect(later.map(({ key, attempts }) => [key, attempts])).toEqual([
          ["100:a/1", 1],
          ["100:a/2", 0],
          ["100:b/1", 0],
        ]);
      });

      it("keeps a parked entry as failed and lets its lane go on", async () => {
        await store.append(entries("100:a", 2));
        const [head] = await fetched();
        if (head === undefined) throw new Error("nothing fetched");

        await store.commit(W, [decided(leases, head, { outcome: "parked" })]);

        expect((await fetched()).map((one) => one.key)).toEqual(["100:a/2"]);
        const [row] = await store.journal({ seq: head.seq, limit: 1 });
        expect(row).toMatchObject({ state: "parked", attempts: 1 });
      });

      it("drops a second item with a known key, so a handler that ran twice sends once", async () => {
        await queue([item(), item()], "dm:1");
        await queue([item(), item({ account: "101" })], "dm:2");

        expect(await store.items({ limit: 5 })).toHaveLength(2);
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
      ])("passes leases that are $how on, with the next epoch: $why", async ({ how, ttlMs }) => {
        await store.lease(W, ttlMs);
        if (how === "given back") await store.release(W);

        const taken = await store.lease("other", TTL_MS);

        expect(taken).toHaveLength(store.partitions);
        for (const { partition, epoch } of taken) {
          const before = leases.find((lease) => lease.partition === partition)?.epoch ?? Infinity;
          expect(epoch).toBeGreaterThan(before);
        }
      });

      it("changes nothing for a worker whose epoch has passed", async () => {
        await queue([item()]);
        const pending = await only();
        await store.append([entry({ key: "dm:2" })]);
        const [open] = await fetched();
        if (open === undefined) throw new Error("nothing fetched");
        await store.release(W);
        await store.lease("other", TTL_MS);

        expect(await store.commit(W, [decided(leases, open)])).toEqual([false]);
        expect(await store.mark(W, [marked(leases, pending, "sending")])).toEqual([false]);
        expect(await fetched()).toEqual([]);
        expect(await store.stats()).toMatchObject({ inbox: 1, items: { pending: 1, sending: 0 } });
      });

      it("changes nothing for the leases of an earlier process", async () => {
        await store.append([entry()]);
        const [open] = await fetched();
        if (open === undefined) throw new Error("nothing fetched");
        const old = leases;
        await reopen();

        expect(await store.commit(W, [decided(old, open)])).toEqual([false]);
        expect(await store.commit(W, [decided(leases, open)])).toEqual([true]);
      });
    });

    describe("outbox", () => {
      const items = (lane: string, count: number) =>
        Array.from({ length: count }, (_, n) => item({ key: `${lane}/${n + 1}`, lane }));
      const offered = async (now = NOW) =>
        (await store.outbox(leases, now, 10)).map((one) => one.key);

      it("offers only the first open item of each lane", async () => {
        await queue([...items("100:a", 2), ...items("100:b", 2)]);

        expect((await offered()).sort()).toEqual(["100:a/1", "100:b/1"]);
      });

      it.each<{ path: readonly ItemStatus[]; next: string | undefined; why: string }>([
        { path: ["sending"], next: undefined, why: "it is on its way" },
        { path: ["sending", "unknown"], next: undefined, why: "nobody knows whether it arrived" },
        { path: ["sending", "unknown", "pending"], next: "100:a/1", why: "it did not arrive" },
        { path: ["sending", "pending"], next: "100:a/1", why: "it was turned away unread" },
        { path: ["sending", "sent"], next: "100:a/2", why: "it arrived" },
        { path: ["sending", "unknown", "sent"], next: "100:a/2", why: "it was found there" },
        { path: ["failed"], next: "100:a/2", why: "it never will" },
        { path: ["expired"], next: "100:a/2", why: "it is too late" },
      ])("after $path offers $next, since $why", async ({ path, next }) => {
        await queue(items("100:a", 2));
        const [head] = await store.outbox(leases, NOW, 10);
        if (head === undefined) throw new Error("nothing offered");

        await move(head, ...path);

        expect(await offered()).toEqual(next === undefined ? [] : [next]);
        await reopen();
        expect(await offered()).toEqual(next === undefined ? [] : [next]);
      });

      it("offers an item when it is due, and nothing behind it before", async () => {
        await queue([item({ key: "first", notBefore: NOW + 5 }), item({ key: "second" })]);

        expect(await offered(NOW + 4)).toEqual([]);
        expect(await offered(NOW + 5)).toEqual(["first"]);
      });

      it("keeps to the partitions whose leases are shown", async () => {
        await queue(items("100:a", 1));
        const { partition } = await only();
        const others = leases.filter((lease) => lease.partition !== partition);

        expect(await store.outbox(others, NOW, 10)).toEqual([]);
      });
    });

    describe("mark", () => {
      it("changes an item only from the state it is in", async () => {
        await queue([item()]);
        const pending = await only();
        const start = marked(leases, pending, "sending");

        expect(await store.mark(W, [start, start])).toEqual([true, false]);
      });

      it("remembers when and how often an item was started, and what came of it", async () => {
        await queue([item()]);
        await move(await only(), "sending", "pending", "sending");
        const sent = { platformId: "9001", reason: "found in the conversation" };
        await store.mark(W, [marked(leases, await only(), "sent", { ...sent, at: 4_000 })]);

        expect(await only()).toMatchObject({
          status: "sent",
          attempts: 2,
          startedAt: 3_000,
          settledAt: 4_000,
          ...sent,
        });
      });

      it("puts an item off", async () => {
        await queue([item()]);
        const later = marked(leases, await only(), "pending", { notBefore: 7_000, reason: "429" });

        expect(await store.mark(W, [later])).toEqual([true]);
        expect(await only()).toMatchObject({ notBefore: 7_000, reason: "429", attempts: 0 });
      });

      it.each(["sent", "failed", "expired"] as const)(
        "never moves an item that is %s",
        async (end) => {
          await queue([item()]);
          await move(await only(), "sending", end);

          const settled = await only();
          const tries = (["pending", "sending", "sent", "failed"] as const).map((to) =>
            marked(leases, settled, to),
          );
          expect(await store.mark(W, tries)).toEqual([false, false, false, false]);
        },
      );

      it("tells the lane that an item is settled, in the same transaction", async () => {
        await queue([item()]);
        const { id, lane, account, seq } = await only();
        await move(await only(), "sending");
        expect(await fetched()).toEqual([]);
        await store.mark(W, [marked(leases, await only(), "failed", { reason: "blocked" })]);

        const [told] = await fetched();

        expect(told).toMatchObject({
          key: `item.settled:${id}`,
          kind: "item.settled",
          lane,
          account,
        });
        expect(told).toMatchObject({ source: "internal", at: 3_000, arrivedAt: 3_000 });
        expect(JSON.parse(told?.body ?? "")).toEqual({
          id,
          key: "dm:1/rule/1",
          seq,
          status: "failed",
          reason: "blocked",
        });
      });
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
      ])("gives the journal newest first by $by", async ({ by, keys }) => {
        expect((await store.journal(by)).map((row) => row.key)).toEqual(keys);
      });

      it("goes on where the last page ended", async () => {
        const [, second] = await store.journal({ limit: 2 });
        const rest = await store.journal({ before: second?.seq ?? 0, limit: 10 });

        expect(rest.map((row) => row.key)).toEqual(["100:a/3", "100:a/2", "100:a/1"]);
      });

      it("gives long listings whole", async () => {
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

      it("gives items newest first by lane, entry, status and id", async () => {
        await queue([item({ key: "one" }), item({ key: "two", lane: "100:z" })]);
        const [two, one] = await store.items({ limit: 10 });
        if (one === undefined || two === undefined) throw new Error("items are missing");

        expect([one.key, two.key]).toEqual(["one", "two"]);
        expect(await store.items({ lane: "100:z", limit: 10 })).toEqual([two]);
        expect(await store.items({ seq: one.seq, limit: 10 })).toEqual([two, one]);
        expect(await store.items({ status: "sent", limit: 10 })).toEqual([]);
        expect(await store.items({ id: one.id, limit: 10 })).toEqual([one]);
        expect(await store.items({ before: two.id, limit: 10 })).toEqual([one]);
      });

      it("counts what is there", async () => {
        await queue([item({ key: "one" }), item({ key: "two" })]);
        await move(await only(), "expired");
        await reopen();

        expect(await store.stats()).toEqual({
          inbox: 6,
          journal: 7,
          items: { pending: 1, sending: 0, sent: 0, failed: 0, expired: 1, unknown: 0 },
          oldestArrivedAt: 1_000,
        });
      });
    });

    describe("small named values", () => {
      it("are kept", async () => {
        expect(await store.getMeta("world")).toBeUndefined();
        await store.setMeta("world", "w1");
        await store.setMeta("world", "w2");
        await reopen();

        expect(await store.getMeta("world")).toBe("w2");
      });
    });

    describe("prune", () => {
      it("drops what is old and decided, and its settled items with it", async () => {
        await queue([item()], "dm:old");
        await move(await only(), "sending", "sent");
        await queue([], "dm:plain");
        await store.append([
          entry({ key: "dm:open" }),
          entry({ key: "dm:young", arrivedAt: 5_000 }),
        ]);

        expect(await store.prune(5_000)).toBe(2);

        const keys = (await store.journal({ limit: 10 })).map((row) => row.key);
        expect(keys).not.toContain("dm:old");
        expect(keys).toEqual(expect.arrayContaining(["dm:open", "dm:young"]));
        expect(await store.items({ limit: 10 })).toEqual([]);
        expect(await store.append([entry({ key: "dm:old" })])).toEqual(["new"]);
      });

      it("keeps a decided entry while an item of it is open", async () => {
        await queue([item()]);

        expect(await store.prune(5_000)).toBe(0);
        expect(await store.stats()).toMatchObject({ journal: 1, items: { pending: 1 } });
      });

      it("never gives a seq or an id again", async () => {
        await queue([item()]);
        const { id, seq } = await only();
        await store.mark(W, [marked(leases, await only(), "expired")]);
        for (const one of await fetched()) await store.commit(W, [decided(leases, one)]);
        expect(await store.prune(5_000)).toBe(2);
        await reopen();

        await queue([item()], "dm:next");

        expect((await only()).id).toBeGreaterThan(id);
        expect((await only()).seq).toBeGreaterThan(seq + 1);
      });

      it("drops thousands while appends go on", async () => {
        await store.append(entries("100:many", 2_000));
        for (let open = await fetched(); open.length > 0; open = await fetched()) {
          await store.commit(
            W,
            open.map((one) => decided(leases, one)),
          );
        }

        const pruning = store.prune(5_000);
        expect(await store.append([entry({ arrivedAt: 5_000 })])).toEqual(["new"]);

        expect(await pruning).toBe(2_000);
        expect(await store.stats()).toMatchObject({ journal: 1 });
      });
    });

    describe("close", () => {
      it("finishes what is under way and refuses what comes after", async () => {
        const under = store.append([entry()]);
        await store.close();

        expect(await under).toEqual(["new"]);
        await expect(store.append([entry()])).rejects.toMatchObject({ code: "E_STORE_CLOSED" });
      });
    });
  });
}
