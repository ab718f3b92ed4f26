import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openStore } from "../../../src/runtime/store/open.ts";
import type { Decided, ItemStatus, Lease, Store } from "../../../src/runtime/store/store.ts";
import { entry, item } from "./builders.ts";
import { Model } from "./model.ts";

/** Something that happens to a store. `index` chooses among what there is. */
export type Step =
  | { readonly do: "append"; readonly key: number }
  | {
      readonly do: "commit";
      readonly index: number;
      readonly outcome: Decided["outcome"];
      readonly retryIn: number;
      readonly items: number;
    }
  | {
      readonly do: "mark";
      readonly index: number;
      /** `null`: the state that it is in. */
      readonly from: ItemStatus | null;
      readonly to: ItemStatus;
    }
  | { readonly do: "prune"; readonly age: number }
  | { readonly do: "read" | "take over" | "crash" | "restart" };

/** A store and its model, driven alike. Time is the number of the step. */
export class Pair {
  readonly #model = new Model();
  #folder: string;
  #store: Store;
  #leases: readonly Lease[] = [];
  #old: readonly Lease[] = [];
  #now = 0;
  #worker = "w0";

  constructor(folder: string, store: Store) {
    this.#folder = folder;
    this.#store = store;
  }

  async take(step: Step): Promise<void> {
    this.#now += 1;
    if (this.#leases.length === 0) await this.#takeOver();
    switch (step.do) {
      case "append":
        return this.#append(step.key);
      case "commit":
        return this.#commit(step);
      case "mark":
        return this.#mark(step);
      case "prune":
        return this.#prune(this.#now - step.age);
      case "read":
        return this.check();
      case "take over":
        return this.#takeOver();
      case "crash":
      case "restart":
        return this.#reopen(step.do === "crash");
    }
  }

  async #append(n: number): Promise<void> {
    const one = entry({ key: `k${n}`, lane: `l${n % 4}`, arrivedAt: this.#now });
    assert.deepEqual(await this.#store.append([one]), [
      this.#model.append(one.key, one.lane, this.#now),
    ]);
  }

  async #commit(step: Extract<Step, { do: "commit" }>): Promise<void> {
    const chosen = this.#model.entries[step.index % Math.max(1, this.#model.entries.length)];
    if (chosen === undefined) return;
    const [row] = await this.#store.journal({ key: chosen.key, limit: 1 });
    if (row === undefined) throw new Error(`${chosen.key} is not in the journal`);
    const retryAt = this.#now + step.retryIn;
    const keys = Array.from({ length: step.items }, (_, n) => `${chosen.key}/${n}`);
    const result = {
      seq: row.seq,
      partition: row.partition,
      lane: row.lane,
      outcome: step.outcome,
      retryAt,
      decidedAt: this.#now,
      decision: "{}",
      runs: [],
      state: [{ key: row.lane, value: row.key }],
      items: keys.map((key) => item({ key, lane: row.lane })),
    } as const;
    const { partition } = row;
    const stale = { ...result, epoch: epochOf(this.#old, partition) };
    assert.deepEqual(await this.#store.commit(this.#worker, [stale]), [false]);
    const fresh = { ...result, epoch: epochOf(this.#leases, partition) };
    const expected = this.#model.commit(chosen, step.outcome, retryAt, keys);
    assert.deepEqual(await this.#store.commit(this.#worker, [fresh, fresh]), [
      expected,
      expected && step.outcome === "retry" && this.#model.commit(chosen, "retry", retryAt, keys),
    ]);
  }

  async #mark({ index, from, to }: Extract<Step, { do: "mark" }>): Promise<void> {
    const chosen = this.#model.items[index % Math.max(1, this.#model.items.length)];
    if (chosen === undefined) return;
    const [stored] = await this.#store.items({ id: chosen.id, limit: 1 });
    if (stored === undefined) throw new Error(`${chosen.key} is not in the outbox`);
    assert.deepEqual([stored.key, stored.status], [chosen.key, chosen.status]);
    const mark = { id: stored.id, partition: stored.partition, at: this.#now, to };
    const expectedFrom = from ?? chosen.status;
    const stale = { ...mark, from: expectedFrom, epoch: epochOf(this.#old, stored.partition) };
    assert.deepEqual(await this.#store.mark(this.#worker, [stale]), [false]);
    const fresh = { ...mark, from: expectedFrom, epoch: epochOf(this.#leases, stored.partition) };
    const expected = this.#model.mark(chosen, expectedFrom, to, this.#now);
    assert.deepEqual(await this.#store.mark(this.#worker, [fresh]), [expected]);
  }

  async #prune(before: number): Promise<void> {
    assert.deepEqual(await this.#store.prune(before), this.#model.prune(before));
  }

  async #takeOver(): Promise<void> {
    await this.#store.release(this.#worker);
    this.#worker = `w${this.#now}`;
    this.#old = this.#leases;
    this.#leases = await this.#store.lease(this.#worker, 60_000);
  }

  /** A crash leaves the files as they lie, with the runtime still at work on them. */
  async #reopen(crash: boolean): Promise<void> {
    const next = crash ? join(dirname(this.#folder), `after-${this.#now}`) : this.#folder;
    if (crash) await cp(this.#folder, next, { recursive: true });
    await this.#store.close();
    this.#folder = next;
    this.#store = await openStore(`file:${next}`);
    await this.#takeOver();
    await this.check();
  }

  /** Everything that can be read is as the model has it. */
  async check(): Promise<void> {
    const model = this.#model;
    const store = this.#store;
    const now = this.#now;
    const fetched = await store.fetch(this.#leases, now, 1_000);
    const inbox = this.#leases.length === 0 ? [] : model.inbox(now);
    assert.deepEqual(
      fetched.map(({ key, attempts }) => [key, attempts]),
      inbox.map(({ key, attempts }) => [key, attempts]),
    );
    const offered = await store.outbox(this.#leases, now, 1_000);
    assert.deepEqual(
      offered.map(({ key }) => key).sort(),
      (this.#leases.length === 0 ? [] : model.outbox()).map(({ key }) => key).sort(),
    );
    const rows = await store.journal({ limit: 1_000 });
    assert.deepEqual(
      rows.map(({ seq, key, state }) => [seq, key, state]),
      model.entries.map(({ seq, key, state }) => [seq, key, state]).reverse(),
    );
    assert.deepEqual(await store.load([...model.state.keys()]), model.state);
    const counts = { pending: 0, sending: 0, sent: 0, failed: 0, expired: 0, unknown: 0 };
    for (const one of model.items) counts[one.status] += 1;
    const open = model.entries.filter(({ state }) => state === "open");
    const { inbox: waiting, journal, items } = await store.stats();
    assert.deepEqual(
      { waiting, journal, items },
      { waiting: open.length, journal: model.entries.length, items: counts },
    );
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

function epochOf(leases: readonly Lease[], partition: number): number {
  return leases.find((lease) => lease.partition === partition)?.epoch ?? -1;
}
